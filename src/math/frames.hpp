// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Named conversions for the edges. Inside there is one convention: world ENU (east, north, up), body FLU (forward,
// left, up). Autopilots speak NED and FRD. Only signs and places change, so nothing is rounded except attitudes.
#pragma once

#include "math/vec.hpp"

namespace volary::inline VOLARY_ISA::math {

// each is its own inverse
template <class T> VOLARY_HD Vec3<T> enu_from_ned(const Vec3<T>& v) { return {v.y, v.x, -v.z}; }
template <class T> VOLARY_HD Vec3<T> ned_from_enu(const Vec3<T>& v) { return enu_from_ned(v); }
template <class T> VOLARY_HD Vec3<T> flu_from_frd(const Vec3<T>& v) { return {v.x, -v.y, -v.z}; }
template <class T> VOLARY_HD Vec3<T> frd_from_flu(const Vec3<T>& v) { return flu_from_frd(v); }

// q turns FRD into NED; the result turns FLU into ENU: (NED -> ENU) q (FLU -> FRD), the two half turns multiplied out
template <class T> VOLARY_HD Quat<T> enu_flu_from_ned_frd(const Quat<T>& q) {
  const T s = splat<T>(0.70710678118654752440);
  return {s * (q.w + q.z), s * (q.x + q.y), s * (q.x - q.y), s * (q.w - q.z)};
}
template <class T> VOLARY_HD Quat<T> ned_frd_from_enu_flu(const Quat<T>& q) { return enu_flu_from_ned_frd(q); }

}  // namespace volary::inline VOLARY_ISA::math
