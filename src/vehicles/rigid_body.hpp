// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// One rigid body in six degrees of freedom: what every vehicle is, before its components push it.
#pragma once

#include <array>

#include "math/integrate.hpp"
#include "math/rows.hpp"

namespace volary::inline VOLARY_ISA::vehicles {

using namespace math;
using math::fma;  // beside the fma of Motion below

// the state that is kept; SI, world ENU, body FLU
template <class T> struct RigidBody {
  Position<T> position_W;
  Vec3<T> velocity_W;
  Quat<T> q_WB;
  Vec3<T> omega_B;

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    f(Field{"position", "m", "W", "position of the centre of mass, leading part; the rest is in its remainder rows"}, s.position_W);
    f(Field{"velocity", "m/s", "W", "velocity of the centre of mass"}, s.velocity_W);
    f(Field{"attitude", "-", "WB", "attitude as a unit quaternion w x y z, body to world"}, s.q_WB);
    f(Field{"omega", "rad/s", "B", "angular velocity of the body"}, s.omega_B);
  }
};

// the state inside one integration step: the displacement starts at zero, so that its rounding error
// is relative to millimetres and not to kilometres
template <class T> struct Motion {
  Vec3<T> displacement_W, velocity_W;
  Quat<T> q_WB;
  Vec3<T> omega_B;
};
template <class T> VOLARY_HD Motion<T> fma(T s, const Motion<T>& rate, const Motion<T>& x) {
  return {fma(s, rate.displacement_W, x.displacement_W),
          fma(s, rate.velocity_W, x.velocity_W),
          {fma(s, rate.q_WB.w, x.q_WB.w), fma(s, rate.q_WB.x, x.q_WB.x), fma(s, rate.q_WB.y, x.q_WB.y), fma(s, rate.q_WB.z, x.q_WB.z)},
          fma(s, rate.omega_B, x.omega_B)};
}
// velocities first, then positions with the new velocities: for semi_implicit_euler
template <class T> VOLARY_HD Motion<T> kick(T h, const Motion<T>& rate, const Motion<T>& x) {
  return {x.displacement_W, fma(h, rate.velocity_W, x.velocity_W), x.q_WB, fma(h, rate.omega_B, x.omega_B)};
}
template <class T> VOLARY_HD Motion<T> drift(T h, const Motion<T>& x) {
  const Quat<T> q = quat_rate(x.q_WB, x.omega_B);
  return {fma(h, x.velocity_W, x.displacement_W),
          x.velocity_W,
          {fma(h, q.w, x.q_WB.w), fma(h, q.x, x.q_WB.x), fma(h, q.y, x.q_WB.y), fma(h, q.z, x.q_WB.z)},
          x.omega_B};
}

template <class T> VOLARY_HD Motion<T> begin_motion(const RigidBody<T>& b) { return {zero3<T>(), b.velocity_W, b.q_WB, b.omega_B}; }
template <class T> VOLARY_HD RigidBody<T> end_motion(const RigidBody<T>& b, const Motion<T>& m) {
  return {advance(b.position_W, m.displacement_W), m.velocity_W, normalize(m.q_WB), m.omega_B};
}

// Newton and Euler for a symmetric inertia tensor (Gestelt eq. 1-2, SIGMA eq. 5 corrected: R-03)
template <class T> struct Inertia {
  Vec3<T> diagonal;      // Jxx, Jyy, Jzz, kg m2
  Vec3<T> products;      // Jxy, Jxz, Jyz, kg m2
  Vec3<T> inv_diagonal;  // of the inverse tensor
  Vec3<T> inv_products;
};
template <class T> VOLARY_HD Vec3<T> times_symmetric(const Vec3<T>& d, const Vec3<T>& p, const Vec3<T>& v) {
  return {fma(d.x, v.x, fma(p.x, v.y, p.y * v.z)), fma(p.x, v.x, fma(d.y, v.y, p.z * v.z)), fma(p.y, v.x, fma(p.z, v.y, d.z * v.z))};
}

// a position in double as a value and its remainder
template <class S> Position<S> to_position(const std::array<double, 3>& p) {
  Position<S> out;
  S* value[3] = {&out.value.x, &out.value.y, &out.value.z};
  S* remainder[3] = {&out.remainder.x, &out.remainder.y, &out.remainder.z};
  for (std::size_t k = 0; k < 3; ++k) {
    *value[k] = static_cast<S>(p[k]);
    *remainder[k] = static_cast<S>(p[k] - static_cast<double>(*value[k]));
  }
  return out;
}
template <class S> Vec3<S> to_vec(const std::array<double, 3>& v) { return {static_cast<S>(v[0]), static_cast<S>(v[1]), static_cast<S>(v[2])}; }

}  // namespace volary::inline VOLARY_ISA::vehicles
