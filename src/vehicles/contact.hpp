// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Contact points on flat ground: spring-dampers along the normal, Coulomb friction across it.
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
  const T room = fma(splat<T>(2) * tick, abs(b.velocity_W.z), c.reach + splat<T>(0.01));
  return (b.position_W.value.z - c.ground) < room;
}

template <class T> struct ContactForce {
  Vec3<T> force_W, torque_B;
  T pressed;  // N, sum of the normal forces
};

// `free` is the rate of motion without contact: what friction has to hold against.
template <class T>
VOLARY_HD ContactForce<T> contact_force(const RigidBody<T>& b, const Motion<T>& free, T mass, T inertia_z, const ContactParams<T>& c) {
  const T zero = splat<T>(0);
  const Mat3<T> R_WB = rotation_matrix(b.q_WB);
  const T height = (b.position_W.value.z - c.ground) + b.position_W.remainder.z;

  // normal forces; a spring-damper may push, never pull
  T normal[kContactPoints];
  Vec3<T> arm[kContactPoints], velocity[kContactPoints];
  T pressed = zero, spread = zero;
  for (int i = 0; i < kContactPoints; ++i) {
    arm[i] = R_WB * c.point_B[i];
    const T depth = -(height + arm[i].z);
    velocity[i] = b.velocity_W + R_WB * cross(b.omega_B, c.point_B[i]);
    const T push = max(fma(c.stiffness, depth, -(c.damping * velocity[i].z)), zero);
    normal[i] = select(depth > zero, push, zero);
    pressed = pressed + normal[i];
    spread = fma(normal[i], fma(arm[i].x, arm[i].x, arm[i].y * arm[i].y), spread);
  }

  // each point takes its share of what pushes the vehicle sideways and turns it, and brakes its own motion
  const T inv_pressed = splat<T>(1) / max(pressed, splat<T>(1e-9));
  const T push_x = mass * free.velocity_W.x, push_y = mass * free.velocity_W.y;
  const T turn = inertia_z * free.omega_B.z * pressed / max(spread, splat<T>(1e-12));
  ContactForce<T> sum{zero3<T>(), zero3<T>(), pressed};
  for (int i = 0; i < kContactPoints; ++i) {
    const T share = normal[i] * inv_pressed;
    const T fx = -fma(c.stopping, velocity[i].x, share * fma(-turn, arm[i].y, push_x));
    const T fy = -fma(c.stopping, velocity[i].y, share * fma(turn, arm[i].x, push_y));
    const T size = sqrt(fma(fx, fx, fy * fy)), limit = c.friction * normal[i];
    const T scale = select(size > limit, limit / size, splat<T>(1));
    const Vec3<T> force_W = {fx * scale, fy * scale, normal[i]};
    sum.force_W = sum.force_W + force_W;
    sum.torque_B = sum.torque_B + cross(c.point_B[i], transpose_times(R_WB, force_W));
  }
  return sum;
}

}  // namespace volary::inline VOLARY_ISA::vehicles
