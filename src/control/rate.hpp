// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Body-rate PID (P-18; the innermost loop of PX4's cascade). Gains are in angular acceleration, so
// that one set fits airframes of every size: torque = J (P e + I int e - D domega/dt).
#pragma once

#include "math/rows.hpp"

namespace volary::inline VOLARY_ISA::control {

using namespace math;

template <class T> struct RateGains {
  Vec3<T> p;               // 1/s
  Vec3<T> i;               // 1/s2
  Vec3<T> d;               // -
  Vec3<T> integral_limit;  // rad

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    f(Field{"rate.p", "1/s", "B", "proportional gain: angular acceleration per body-rate error"}, s.p);
    f(Field{"rate.i", "1/s2", "B", "integral gain: angular acceleration per integral of the body-rate error"}, s.i);
    f(Field{"rate.d", "-", "B", "derivative gain, which opposes the measured angular acceleration"}, s.d);
    f(Field{"rate.integral_limit", "rad", "B", "bound of the integral of the body-rate error"}, s.integral_limit);
  }
};

template <class T> struct RateMemory {
  Vec3<T> integral;       // rad
  Vec3<T> previous_rate;  // rad/s

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    f(Field{"rate_integral", "rad", "B", "integral of the body-rate error"}, s.integral);
    f(Field{"rate_previous", "rad/s", "B", "body rate one substep ago"}, s.previous_rate);
  }
};

// the wanted angular acceleration; dt is the time since the last call
template <class T>
VOLARY_HD Vec3<T> rate_control(const Vec3<T>& wanted_B, const Vec3<T>& omega_B, const RateGains<T>& g, T dt, T inv_dt, RateMemory<T>& m) {
  const Vec3<T> error = wanted_B - omega_B;
  m.integral = clamp(fma(dt, error, m.integral), g.integral_limit);
  const Vec3<T> braking = inv_dt * (m.previous_rate - omega_B);
  m.previous_rate = omega_B;
  return fma(g.p, error, fma(g.i, m.integral, g.d * braking));
}

}  // namespace volary::inline VOLARY_ISA::control
