// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Contact points on the ground, a plane: spring-dampers along its normal, Coulomb friction across it.
// The contact force is worked out once at the start of a substep and held over it. Held forces let
// friction be exact: in stiction it equals what pushes the vehicle, so a parked vehicle does not creep
// and needs no anchor in its state. For the price, stiffness is bounded by the substep
// (derive_contact in multirotor_derive.cpp: stable while omega h / 4 < zeta and 2 zeta omega h < 2).
#pragma once

#include "vehicles/multirotor.hpp"

namespace volary::inline VOLARY_ISA::vehicles {

// Where some point may touch within the next tick: low enough, with room for the motion of the tick twice over.
// Asked once per tick; a lane that is not near has no ground for that tick, whatever its neighbours do.
template <class T> VOLARY_HD Mask<T> near_ground(const RigidBody<T>& b, T tick, const ContactParams<T>& c) {
  const T room = fma(splat<T>(2) * tick, abs(dot(c.ground.normal_W, b.velocity_W)), c.reach + splat<T>(0.01));
  return height_above(b, c.ground) < room;
}

template <class T> struct ContactForce {
  Vec3<T> force_W, torque_B;
  T pressed;  // N, sum of the normal forces
};

// Coulomb friction: as much as is wanted, up to its limit, the same in every direction.
template <class T> struct Sliding {
  T friction;
  VOLARY_HD Vec3<T> operator()(int, const Vec3<T>& wanted_W, T normal) const {
    const T size = sqrt(dot(wanted_W, wanted_W)), limit = friction * normal;
    return select(size > limit, limit / size, splat<T>(1)) * wanted_W;
  }
};

// `free` is the rate of motion without contact: what friction has to hold against. `limit` gives what friction is there of what is wanted.
template <class T, class Friction>
VOLARY_HD ContactForce<T> contact_force(const RigidBody<T>& b, const Motion<T>& free, T mass, T inertia_z, const ContactParams<T>& c, const Friction& limit) {
  const T zero = splat<T>(0);
  const Mat3<T> R_WB = rotation_matrix(b.q_WB);
  const T height = height_above(b, c.ground);
  const Vec3<T>& n = c.ground.normal_W;

  // normal forces; a spring-damper may push, never pull
  T normal[kContactPoints];
  Vec3<T> arm[kContactPoints], across[kContactPoints];  // from the centre of mass; its velocity along the ground
  T pressed = zero, spread = zero;
  for (int i = 0; i < kContactPoints; ++i) {
    arm[i] = R_WB * c.point_B[i];
    const T depth = -(height + dot(n, arm[i]));
    const Vec3<T> velocity_W = b.velocity_W + R_WB * cross(b.omega_B, c.point_B[i]);
    const T rising = dot(n, velocity_W);
    const T push = max(fma(c.stiffness, depth, -(c.damping * rising)), zero);
    normal[i] = select(depth > zero, push, zero);
    pressed = pressed + normal[i];
    across[i] = velocity_W - rising * n;
    const Vec3<T> lever = cross(n, arm[i]);
    spread = fma(normal[i], dot(lever, lever), spread);
  }

  // each point takes its share of what pushes the vehicle along the ground and turns it, and brakes its own motion
  const T inv_pressed = splat<T>(1) / max(pressed, splat<T>(1e-9));
  const Vec3<T> push_W = mass * (free.velocity_W - dot(n, free.velocity_W) * n);
  const T turn = inertia_z * free.omega_B.z * pressed / max(spread, splat<T>(1e-12));
  ContactForce<T> sum{zero3<T>(), zero3<T>(), pressed};
  for (int i = 0; i < kContactPoints; ++i) {
    const T share = normal[i] * inv_pressed;
    const Vec3<T> wanted = (-c.stopping) * across[i] - share * (push_W + turn * cross(n, arm[i]));
    const Vec3<T> force_W = limit(i, wanted, normal[i]) + normal[i] * n;
    sum.force_W = sum.force_W + force_W;
    sum.torque_B = sum.torque_B + cross(c.point_B[i], transpose_times(R_WB, force_W));
  }
  return sum;
}
template <class T>
VOLARY_HD ContactForce<T> contact_force(const RigidBody<T>& b, const Motion<T>& free, T mass, T inertia_z, const ContactParams<T>& c) {
  return contact_force(b, free, mass, inertia_z, c, Sliding<T>{c.friction});
}

}  // namespace volary::inline VOLARY_ISA::vehicles
