// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Detection of a lost rotor: what the inertial measurement unit feels, less what the rotors should do. A rotor that has stopped leaves a residual that points
// against its share of thrust and torque, and of about its size.
#pragma once

#include "math/rows.hpp"

namespace volary::inline VOLARY_ISA::estimation {

using namespace math;

// thrust along body z and torque, of all rotors or of one
template <class T> struct Wrench {
  T thrust;           // N
  Vec3<T> torque_B;   // N m
};
template <class T> VOLARY_HD Wrench<T> operator+(const Wrench<T>& a, const Wrench<T>& b) { return {a.thrust + b.thrust, a.torque_B + b.torque_B}; }
template <class T> VOLARY_HD Wrench<T> operator-(const Wrench<T>& a, const Wrench<T>& b) { return {a.thrust - b.thrust, a.torque_B - b.torque_B}; }
template <class T> VOLARY_HD Wrench<T> operator*(T s, const Wrench<T>& a) { return {s * a.thrust, s * a.torque_B}; }

template <class T> struct ResidualParams {
  T follow;         // share of the difference that the low-pass takes over in a tick: 1 - exp(-dt / 0.1 s)
  T dt;             // s
  T by_weight;      // 1/N: forces count in weights,
  T by_torque;      // 1/(N m): torques in weights times the arm of a rotor
  T hold;           // s for which a rotor must look lost
};

// kept from tick to tick
template <class T> struct Residual {
  T value[4];  // smoothed, as shares: thrust, then torque
  T suspect;   // index of the rotor that looks lost, -1: none
  T since;     // s for which it has

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    f(Field{"residual", "-", "B", "smoothed difference of measured and expected thrust and torque, in weights and weights times arm"}, s.value);
    f(Field{"suspect", "-", "-", "index of the rotor that looks lost; -1: none"}, s.suspect);
    f(Field{"suspect_since", "s", "-", "time for which that rotor has looked lost"}, s.since);
  }
};
template <class T> VOLARY_HD Residual<T> no_residual() {
  const T zero = splat<T>(0);
  return {{zero, zero, zero, zero}, splat<T>(-1), zero};
}

// What acts on the body beside gravity, from what the accelerometer and two samples of the gyroscope say. Inertia by its diagonal.
template <class T>
VOLARY_HD Wrench<T> felt_wrench(T mass, const Vec3<T>& inertia, T specific_force_z, const Vec3<T>& omega_before_B, const Vec3<T>& omega_B, T dt) {
  const Vec3<T> rate = (splat<T>(1) / dt) * (omega_B - omega_before_B), middle = splat<T>(0.5) * (omega_B + omega_before_B);
  return {mass * specific_force_z, inertia * rate + cross(middle, inertia * middle)};
}

template <class T> VOLARY_HD void scaled(const Wrench<T>& w, const ResidualParams<T>& p, T (&out)[4]) {
  out[0] = p.by_weight * w.thrust;
  out[1] = p.by_torque * w.torque_B.x, out[2] = p.by_torque * w.torque_B.y, out[3] = p.by_torque * w.torque_B.z;
}
template <class T> VOLARY_HD T dot4(const T (&a)[4], const T (&b)[4]) { return fma(a[0], b[0], fma(a[1], b[1], fma(a[2], b[2], a[3] * b[3]))); }

// One tick: smooths the residual and looks for the rotor whose missing share it is. `share` is what each rotor should do now. A rotor looks lost where more
// than half of its share is missing and the residual points at it within 37 degrees. Returns where one has looked lost for `hold` seconds; `r.suspect` says
// which.
template <class T, int N>
VOLARY_HD Mask<T> watch_rotors(Residual<T>& r, const Wrench<T>& felt, const Wrench<T> (&share)[N], const ResidualParams<T>& p) {
  Wrench<T> expected = share[0];
  for (int i = 1; i < N; ++i) expected = expected + share[i];
  T now[4];
  scaled(felt - expected, p, now);
  for (int k = 0; k < 4; ++k) r.value[k] = fma(p.follow, now[k] - r.value[k], r.value[k]);

  const T size = dot4(r.value, r.value);
  T best = splat<T>(0.5), found = splat<T>(-1);
  for (int i = 0; i < N; ++i) {
    T d[4];
    scaled(share[i], p, d);
    const T length = max(dot4(d, d), splat<T>(1e-12)), along = dot4(r.value, d);
    const T missing = -(along / length);
    const Mask<T> better = (missing > best) & (along * along > splat<T>(0.64) * (size * length));
    best = select(better, missing, best);
    found = select(better, splat<T>(i), found);
  }
  const Mask<T> same = (found == r.suspect) & (found >= splat<T>(0));
  r.since = select(same, r.since + p.dt, splat<T>(0));
  r.suspect = found;
  return same & (r.since >= p.hold);
}

}  // namespace volary::inline VOLARY_ISA::estimation
