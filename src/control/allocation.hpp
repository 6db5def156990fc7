// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Allocation: from a wanted thrust and torque to the thrust of each rotor, within the rotors' limits.
// When not everything fits, roll and pitch are kept before thrust, and thrust before yaw.
#pragma once

#include "math/rows.hpp"

namespace volary::inline VOLARY_ISA::control {

using namespace math;

// One row per rotor: the pseudo-inverse of the effectiveness matrix of the rotors that work.
// Failed rotors have zero rows and hi = 0 (derive_mixer in vehicles/multirotor_derive.cpp makes them).
template <class T, int N> struct Mixer {
  T thrust[N];      // N per N of collective thrust
  T inv_thrust[N];  // its inverse; 0 for a rotor that collective thrust does not move
  T roll[N];        // N per N m
  T pitch[N];
  T yaw[N];
  T lo[N];          // N, least thrust of this rotor
  T hi[N];          // N, greatest

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    f(Field{"mixer.thrust", "-", "-", "thrust of each rotor per unit of collective thrust"}, s.thrust);
    f(Field{"mixer.inv_thrust", "-", "-", "reciprocal of the thrust share of each rotor; 0: collective thrust does not move the rotor"}, s.inv_thrust);
    f(Field{"mixer.roll", "1/m", "-", "thrust of each rotor per unit of roll torque"}, s.roll);
    f(Field{"mixer.pitch", "1/m", "-", "thrust of each rotor per unit of pitch torque"}, s.pitch);
    f(Field{"mixer.yaw", "1/m", "-", "thrust of each rotor per unit of yaw torque"}, s.yaw);
    f(Field{"mixer.lo", "N", "-", "least thrust of each rotor"}, s.lo);
    f(Field{"mixer.hi", "N", "-", "greatest thrust of each rotor; 0: the rotor has failed"}, s.hi);
  }
};

template <class T, int N> struct RotorThrusts {
  T f[N];  // N
};

// the smallest of 1 and all fractions offered, without dividing before the end
template <class T> struct LeastFraction {
  T over = splat<T>(1), under = splat<T>(1);
  // over and under of an offer are not negative; offers with a zero below are no limit
  VOLARY_HD void offer(Mask<T> valid, T o, T u) {
    const Mask<T> less = valid & (o * under < over * u);
    over = select(less, o, over);
    under = select(less, u, under);
  }
  VOLARY_HD T value() const { return over / under; }
};

// the largest s in [0, 1] for which some collective thrust lets every rotor carry s * roll_pitch
template <class T, int N> VOLARY_HD T roll_pitch_scale(const Mixer<T, N>& m, const RotorThrusts<T, N>& roll_pitch) {
  const T zero = splat<T>(0);
  LeastFraction<T> s;
  for (int i = 0; i < N; ++i) {
    // a rotor that collective thrust does not move must fit by itself
    const T rp = roll_pitch.f[i];
    const Mask<T> moves = m.inv_thrust[i] > zero;
    s.offer(!moves, max(select(rp > zero, m.hi[i], -m.lo[i]), zero), abs(rp));
    for (int j = 0; j < N; ++j) {
      if (j == i) continue;
      // T <= (hi_i - s rp_i) / c_i and T >= (lo_j - s rp_j) / c_j, multiplied by c_i c_j
      const T grow = fma(rp, m.thrust[j], -(roll_pitch.f[j] * m.thrust[i]));
      const T slack = fma(m.hi[i], m.thrust[j], -(m.lo[j] * m.thrust[i]));
      s.offer(moves & (m.inv_thrust[j] > zero), slack, grow);
    }
  }
  return s.value();
}

// the part of `wanted` collective thrust that fits beside the roll and pitch shares
template <class T, int N> VOLARY_HD T fitting_thrust(const Mixer<T, N>& m, const RotorThrusts<T, N>& roll_pitch, T wanted) {
  T least = splat<T>(-1e30), most = splat<T>(1e30);
  for (int i = 0; i < N; ++i) {
    const Mask<T> moves = m.inv_thrust[i] > splat<T>(0);
    least = select(moves, max(least, (m.lo[i] - roll_pitch.f[i]) * m.inv_thrust[i]), least);
    most = select(moves, min(most, (m.hi[i] - roll_pitch.f[i]) * m.inv_thrust[i]), most);
  }
  return min(max(wanted, least), most);
}

// the part of the yaw shares that fits on top of `f`
template <class T, int N> VOLARY_HD T yaw_scale(const Mixer<T, N>& m, const RotorThrusts<T, N>& f, T yaw_torque) {
  const T zero = splat<T>(0);
  LeastFraction<T> s;
  for (int i = 0; i < N; ++i) {
    const T y = m.yaw[i] * yaw_torque;
    const T room = max(select(y > zero, m.hi[i] - f.f[i], f.f[i] - m.lo[i]), zero);
    s.offer(abs(y) > room, room, abs(y));
  }
  return s.value();
}

template <class T, int N> VOLARY_HD RotorThrusts<T, N> desaturate(const Mixer<T, N>& m, T thrust, const Vec3<T>& torque_B) {
  RotorThrusts<T, N> f;
  for (int i = 0; i < N; ++i) f.f[i] = fma(m.roll[i], torque_B.x, m.pitch[i] * torque_B.y);
  const T s = roll_pitch_scale(m, f);
  for (int i = 0; i < N; ++i) f.f[i] = f.f[i] * s;
  const T collective = fitting_thrust(m, f, thrust);
  for (int i = 0; i < N; ++i) f.f[i] = fma(m.thrust[i], collective, f.f[i]);
  const T y = yaw_scale(m, f, torque_B.z) * torque_B.z;
  for (int i = 0; i < N; ++i) f.f[i] = clamp(fma(m.yaw[i], y, f.f[i]), m.lo[i], m.hi[i]);
  return f;
}

// Thrust along body z and torque to rotor thrusts. The common case, everything fits, costs one product
// with the mixer; the rest is worked out only when some lane of the register needs it.
template <class T, int N>
VOLARY_HD RotorThrusts<T, N> allocate(const Mixer<T, N>& m, T thrust, const Vec3<T>& torque_B) {
  RotorThrusts<T, N> f;
  Mask<T> fits = splat<T>(0) == splat<T>(0);
  for (int i = 0; i < N; ++i) {
    f.f[i] = fma(m.roll[i], torque_B.x, fma(m.pitch[i], torque_B.y, fma(m.yaw[i], torque_B.z, m.thrust[i] * thrust)));
    fits = fits & (f.f[i] >= m.lo[i]) & (f.f[i] <= m.hi[i]);
  }
  if (all(fits)) return f;
  const RotorThrusts<T, N> g = desaturate(m, thrust, torque_B);
  for (int i = 0; i < N; ++i) f.f[i] = select(fits, f.f[i], g.f[i]);
  return f;
}

}  // namespace volary::inline VOLARY_ISA::control
