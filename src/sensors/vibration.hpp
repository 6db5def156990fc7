// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Vibration that follows the rotors (SIGMA eq. 11), as inertial sensors feel it:
//
//   v = sum over rotors i and harmonics k of  a_k (W_i / W_0)^2 G(k W_i) sin(k psi_i)  +  eta a_eta (mean W / W_0)^2
//   G(w) = 1 / sqrt((1 - r^2)^2 + (2 zeta r)^2),  r = w / w_r           resonance of the frame
//   eta: white noise through the same resonance, of variance one
//
// Against the paper: sin(2 pi f t) is wrong while f changes, so the phase psi of every rotor is integrated; its start is drawn, which is the random phase of
// (11). eta is called band-pass noise and defined as white noise: it is white noise through a resonator. Amplitudes grow with the square of the speed, as the
// force of an imbalance does. Frequencies above half the rate of the integration steps alias, as they do in a sampled sensor.
#pragma once

#include "sensors/sensor.hpp"

namespace volary::inline VOLARY_ISA::sensors {

inline constexpr int kHarmonics = static_cast<int>(kMostHarmonics);

template <class T> struct VibrationParams {
  T step;  // s, of the integration
  T per_speed;  // s/rad: 1 / W_0; 0: no vibration
  T per_resonance;  // s/rad: 1 / w_r; 0: no resonance
  T damping;  // 2 zeta
  T order[kHarmonics];
  Vec3<T> gyro_B[kHarmonics], accelerometer_B[kHarmonics];  // amplitudes, rad/s and m/s2
  Vec3<T> broadband_gyro_B, broadband_accelerometer_B;  // standard deviations
  T resonator[2];  // eta = resonator[0] eta' + resonator[1] eta'' + drive n
  T drive;
};

inline Vec3<double> vector_of(const Vec& v) { return {v[0], v[1], v[2]}; }

// The poles of the damped oscillation, sampled; the drive makes the variance one (AR(2) process: Box, Jenkins, Time Series Analysis, 1970, section 3.2).
inline void set_resonator(VibrationParams<double>& p, double resonance, double damping, double step) {
  const double w = 6.283185307179586 * resonance;
  const double radius = math::exp(-damping * w * step), angle = w * step * math::sqrt(math::max(0.0, 1 - damping * damping));
  const double a = resonance > 0 ? 2 * radius * math::cos(angle) : 0, b = resonance > 0 ? -radius * radius : 0;
  p.resonator[0] = a, p.resonator[1] = b;
  p.drive = math::sqrt((1 + b) * ((1 - b) * (1 - b) - a * a) / (1 - b));
}

inline VibrationParams<double> vibration_params(const VibrationDef& d, double step) {
  VibrationParams<double> p{};
  p.step = step;
  p.per_speed = d.reference_speed > 0 ? 1 / d.reference_speed : 0;
  p.per_resonance = d.resonance > 0 ? 1 / (6.283185307179586 * d.resonance) : 0;
  p.damping = 2 * d.damping;
  for (std::size_t k = 0; k < d.harmonics.size() && k < kMostHarmonics; ++k) {
    p.order[k] = d.harmonics[k].order;
    p.gyro_B[k] = vector_of(d.harmonics[k].gyro_B), p.accelerometer_B[k] = vector_of(d.harmonics[k].accelerometer_B);
  }
  p.broadband_gyro_B = vector_of(d.broadband_gyro_B), p.broadband_accelerometer_B = vector_of(d.broadband_accelerometer_B);
  set_resonator(p, d.resonance, d.damping, step);
  return p;
}

// what holds through a tick, in which rotor speeds change little
template <class T, int N> struct VibrationGains {
  static constexpr int kRotors = N > 0 ? N : 1;
  T gain[kRotors][kHarmonics];  // (W_i / W_0)^2 G(k W_i)
  T broadband;  // (mean W / W_0)^2
};

template <class T> VOLARY_HD T resonance_gain(T w, const VibrationParams<T>& p) {
  const T one = splat<T>(1), r = w * p.per_resonance, r2 = r * r, across = p.damping * r;
  return one / sqrt(fma(one - r2, one - r2, across * across));
}

template <class T, int N> VOLARY_HD VibrationGains<T, N> vibration_gains(const T* rotor_speed, const VibrationParams<T>& p) {
  VibrationGains<T, N> g{};
  T sum = splat<T>(0);
  for (int i = 0; i < N; ++i) {
    const T share = rotor_speed[i] * p.per_speed, square = share * share;
    for (int k = 0; k < kHarmonics; ++k) g.gain[i][k] = square * resonance_gain(p.order[k] * rotor_speed[i], p);
    sum = sum + abs(share);
  }
  const T mean = N > 0 ? sum * splat<T>(1.0 / VibrationGains<T, N>::kRotors) : splat<T>(0);
  g.broadband = mean * mean;
  return g;
}

template <class T> VOLARY_HD T wrap_angle(T a) { return fma(splat<T>(-6.283185307179586), round(a * splat<T>(0.15915494309189535)), a); }

// whether an axis of a vector differs from zero in any lane
template <class T> VOLARY_HD bool has_any(const Vec3<T>& v) { return any(max(abs(v.x), max(abs(v.y), abs(v.z))) > splat<T>(0)); }

// The vibration of one integration step, added to the errors of gyroscope and accelerometer. `n` is a normal number.
template <class T, int N>
VOLARY_HD void add_vibration(const VibrationGains<T, N>& g, T* rotor_phase, T (&resonance)[2], const T* rotor_speed, T n, const VibrationParams<T>& p,
                             Vec3<T>& gyro_B, Vec3<T>& accelerometer_B) {
  if (!any(p.per_speed > splat<T>(0))) return;
  for (int i = 0; i < N; ++i) rotor_phase[i] = wrap_angle(fma(rotor_speed[i], p.step, rotor_phase[i]));
  for (int k = 0; k < kHarmonics; ++k) {
    if (!has_any(p.gyro_B[k]) && !has_any(p.accelerometer_B[k])) continue;
    T sum = splat<T>(0);
    for (int i = 0; i < N; ++i) sum = fma(g.gain[i][k], sin(p.order[k] * rotor_phase[i]), sum);
    gyro_B = fma(sum, p.gyro_B[k], gyro_B);
    accelerometer_B = fma(sum, p.accelerometer_B[k], accelerometer_B);
  }
  const T eta = fma(p.resonator[0], resonance[0], fma(p.resonator[1], resonance[1], p.drive * n));
  resonance[1] = resonance[0];
  resonance[0] = eta;
  const T broad = eta * g.broadband;
  gyro_B = fma(broad, p.broadband_gyro_B, gyro_B);
  accelerometer_B = fma(broad, p.broadband_accelerometer_B, accelerometer_B);
}

}  // namespace volary::inline VOLARY_ISA::sensors
