// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Euler angles in the order of aviation: yaw about down, then pitch about right, then roll about forward, all in rad. They take
// a body's forward-right-down axes to north, east and down. At a pitch of 90 degrees yaw and roll are not unique.
#pragma once

#include "math/functions.hpp"
#include "math/vec.hpp"

namespace volary::inline VOLARY_ISA::math {

template <class T> struct EulerAngles {
  T yaw, pitch, roll;
};

template <class T> VOLARY_HD Quat<T> quat_from_euler(const EulerAngles<T>& a) {
  const T half = splat<T>(0.5);
  T sy, cy, sp, cp, sr, cr;
  sincos(half * a.yaw, sy, cy);
  sincos(half * a.pitch, sp, cp);
  sincos(half * a.roll, sr, cr);
  return Quat<T>{cy, splat<T>(0), splat<T>(0), sy} * (Quat<T>{cp, splat<T>(0), sp, splat<T>(0)} * Quat<T>{cr, sr, splat<T>(0), splat<T>(0)});
}

// pitch from a tangent too: its sine alone loses half the digits near 90 degrees
template <class T> VOLARY_HD EulerAngles<T> euler_from_matrix(const Mat3<T>& R_NB) {
  const T level = sqrt(fma(R_NB.row0.x, R_NB.row0.x, R_NB.row1.x * R_NB.row1.x));
  return {atan2(R_NB.row1.x, R_NB.row0.x), atan2(-R_NB.row2.x, level), atan2(R_NB.row2.y, R_NB.row2.z)};
}
template <class T> VOLARY_HD EulerAngles<T> euler_from_quat(const Quat<T>& q_NB) { return euler_from_matrix(rotation_matrix(q_NB)); }

}  // namespace volary::inline VOLARY_ISA::math
