// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Contact points on flat ground: spring-dampers along the normal, Coulomb friction across it.
// The contact force is worked out once at the start of a substep and held over it. Held forces let
// friction be exact: in stiction it equals what pushes the vehicle, so a parked vehicle does not creep
// and needs no anchor in its state. For the price, stiffness is bounded by the substep
// (derive_contact in multirotor_def.cpp: stable while omega h / 4 < zeta and 2 zeta omega h < 2).
#pragma once

#include "vehicles/multirotor.hpp"

namespace volary::inline VOLARY_ISA::vehicles {

// the height of the centre of mass below which some point may touch
template <class T> VOLARY_HD Mask<T> near_ground(const RigidBody<T>& b, const ContactParams<T>& c) {
  return (b.position_W.value.z - c.ground) < c.reach;
}

template <class T> struct ContactForce {
  Vec3<T> force_W, torque_B;
  T pressed;  // N, sum of the normal forces
};

// `free` is the rate of motion without contact: what friction has to hold against.
template <class T>
VOLARY_HD ContactForce<T> contact_force(const RigidBody<T>& b, const Motion<T>& free, T mass, const ContactParams<T>& c) {
  const T zero = splat<T>(0);
  const Mat3<T> R_WB = rotation_matrix(b.q_WB);
  const T height = (b.position_W.value.z - c.ground) + b.position_W.remainder.z;

  // normal forces; a spring-damper may push, never pull
  T normal[kContactPoints];
  Vec3<T> velocity[kContactPoints];
  T pressed = zero;
  for (int i = 0; i < kContactPoints; ++i) {
    const T depth = -(height + dot(R_WB.row2, c.point_B[i]));
    velocity[i] = b.velocity_W + R_WB * cross(b.omega_B, c.point_B[i]);
    const T push = max(fma(c.stiffness, depth, -(c.damping * velocity[i].z)), zero);
    normal[i] = select(depth > zero, push, zero);
    pressed = pressed + normal[i];
  }

  // each point takes its share of what pushes the vehicle sideways, and brakes its own motion
  const T inv_pressed = splat<T>(1) / max(pressed, splat<T>(1e-9));
  const T push_x = mass * free.velocity_W.x, push_y = mass * free.velocity_W.y;
  ContactForce<T> sum{zero3<T>(), zero3<T>(), pressed};
  for (int i = 0; i < kContactPoints; ++i) {
    const T share = normal[i] * inv_pressed;
    T fx = -fma(c.stopping, velocity[i].x, share * push_x), fy = -fma(c.stopping, velocity[i].y, share * push_y);
    const T size = sqrt(fma(fx, fx, fy * fy)), limit = c.friction * normal[i];
    const T scale = select(size > limit, limit / size, splat<T>(1));
    const Vec3<T> force_W = {fx * scale, fy * scale, normal[i]};
    sum.force_W = sum.force_W + force_W;
    sum.torque_B = sum.torque_B + cross(c.point_B[i], transpose_times(R_WB, force_W));
  }
  return sum;
}

}  // namespace volary::inline VOLARY_ISA::vehicles
