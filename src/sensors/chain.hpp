// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The chain of errors between what is and what a sensor says (SIGMA eq. 10):
//
//   x' = limit(round((I + S + M) x + b + v + n)),   b = b_0 + g + w
//
//   n    white noise                              S  scale factors, M  cross-axis terms: drawn once per episode
//   b_0  bias at turn-on: drawn once per episode  g  Gauss-Markov process: bias instability      w  random walk
//   v    vibration, of inertial sensors only (vibration.hpp)
//
// Against the paper: its factor m_e is a scalar where axes differ, here it is a matrix; the means of n_e, b_e and m_e only shift b_0; v_e(t) belongs to
// inertial sensors alone. Resolution, range, latency and loss are not in (10) and come in this order after it. A fault acts after the range.
//
// A Gauss-Markov process is not flicker noise: its Allan deviation has a maximum of 0.618 sigma at 1.89 correlation times (IEEE Std 952, annex C) where flicker
// noise is flat. White noise, walk and the height of that maximum are what a data sheet says.
#pragma once

#include "sensors/sensor.hpp"

namespace volary::inline VOLARY_ISA::sensors {

template <class T> struct ErrorParams {
  T noise;  // of a sample
  T turn_on;  // standard deviation of b_0
  T instability;  // of g
  T keep, kick;  // share of g that remains after a period, and the standard deviation of what is added
  T walk;  // of w in a period
  T scale;  // standard deviation of the diagonal of S
  T misalignment;  // of each term of M
  T quantum, per_quantum;
  T range;
};

inline constexpr double kUnlimited = 1e30;

// `period`: seconds between two steps of the biases; `noise`: standard deviation of a sample
inline ErrorParams<double> error_params(const ErrorDef& e, double period, double noise) {
  const double keep = math::exp(-period / e.correlation);
  return {noise,
          e.turn_on,
          e.instability,
          keep,
          e.instability * math::sqrt(1 - keep * keep),
          e.walk * math::sqrt(period),
          e.scale,
          e.misalignment,
          e.quantum,
          e.quantum > 0 ? 1 / e.quantum : 0,
          e.range > 0 ? e.range : kUnlimited};
}
inline ErrorParams<double> error_params(const ErrorDef& e, double period) { return error_params(e, period, e.noise); }

// ---------------------------------------------------------------- steps

template <class T> VOLARY_HD T quantise(T x, const ErrorParams<T>& p) { return select(p.quantum > splat<T>(0), p.quantum * round(x * p.per_quantum), x); }
template <class T> VOLARY_HD T limit(T x, const ErrorParams<T>& p) { return clamp(x, -p.range, p.range); }
template <class T> VOLARY_HD T next_drift(T g, T n, const ErrorParams<T>& p) { return fma(p.keep, g, p.kick * n); }
template <class T> VOLARY_HD Vec3<T> next_drift(const Vec3<T>& g, const Vec3<T>& n, const ErrorParams<T>& p) { return fma(p.keep, g, p.kick * n); }

// resolution and range of a value that has all other errors
template <class T> VOLARY_HD T digitise(T x, const ErrorParams<T>& p) { return limit(quantise(x, p), p); }
template <class T> VOLARY_HD Vec3<T> digitise(const Vec3<T>& x, const ErrorParams<T>& p) { return {digitise(x.x, p), digitise(x.y, p), digitise(x.z, p)}; }

template <class T> VOLARY_HD Vec3<T> three(const Normals8<T>& n, int first) { return {n.n[first], n.n[first + 1], n.n[first + 2]}; }

// I + S + M from nine normal numbers
template <class T> VOLARY_HD Mat3<T> draw_matrix(const Vec3<T>& scale, const Vec3<T>& upper, const Vec3<T>& lower, const ErrorParams<T>& p) {
  const T one = splat<T>(1), m = p.misalignment;
  return {{fma(p.scale, scale.x, one), m * upper.x, m * upper.y},
          {m * lower.x, fma(p.scale, scale.y, one), m * upper.z},
          {m * lower.y, m * lower.z, fma(p.scale, scale.z, one)}};
}

// ---------------------------------------------------------------- errors that last

template <class T> struct ScalarErrors {
  T factor, turn_on, drift, walk;

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    f(Field{"scale", "-", "-", "scale factor of the sensor"}, s.factor);
    f(Field{"turn_on", "-", "-", "constant part of the bias"}, s.turn_on);
    f(Field{"drift", "-", "-", "slowly varying part of the bias"}, s.drift);
    f(Field{"walk", "-", "-", "random walk of the bias"}, s.walk);
  }
};
template <class T> struct VectorErrors {
  Mat3<T> matrix;
  Vec3<T> turn_on, drift, walk;

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    f(Field{"matrix", "-", "B", "scale factors and cross-axis terms of the sensor"}, s.matrix);
    f(Field{"turn_on", "-", "B", "constant part of the bias"}, s.turn_on);
    f(Field{"drift", "-", "B", "slowly varying part of the bias"}, s.drift);
    f(Field{"walk", "-", "B", "random walk of the bias"}, s.walk);
  }
};

// the slowly varying part starts anywhere in its distribution, the walk at zero
template <class T> VOLARY_HD ScalarErrors<T> begin_scalar(Purpose sensor, const ErrorParams<T>& p, const Draws<T>& draws) {
  const Normals8<T> n = draws.once(sensor, 0);
  return {fma(p.scale, n.n[0], splat<T>(1)), p.turn_on * n.n[1], p.instability * n.n[2], splat<T>(0)};
}
template <class T> VOLARY_HD VectorErrors<T> begin_vector(Purpose sensor, const ErrorParams<T>& p, const Draws<T>& draws) {
  const Normals8<T> a = draws.once(sensor, 0), b = draws.once(sensor, 1);
  return {draw_matrix(three(a, 0), three(a, 3), Vec3<T>{a.n[6], a.n[7], b.n[0]}, p), p.turn_on * three(b, 1), p.instability * three(b, 4), zero3<T>()};
}

// One sample: the errors that last go on by a period, then the chain without the fault. Three normal numbers.
template <class T> VOLARY_HD T measure_scalar(T x, ScalarErrors<T>& e, const Vec3<T>& n, T noise, const ErrorParams<T>& p) {
  e.drift = next_drift(e.drift, n.x, p);
  e.walk = fma(p.walk, n.y, e.walk);
  return digitise(fma(noise, n.z, fma(e.factor, x, (e.turn_on + e.drift) + e.walk)), p);
}
// The same for three axes, with nine normal numbers.
template <class T>
VOLARY_HD Vec3<T> measure_vector(const Vec3<T>& x, VectorErrors<T>& e, const Vec3<T>& n_drift, const Vec3<T>& n_walk, const Vec3<T>& n,
                                 const ErrorParams<T>& p) {
  e.drift = next_drift(e.drift, n_drift, p);
  e.walk = fma(p.walk, n_walk, e.walk);
  return digitise(fma(p.noise, n, e.matrix * x + ((e.turn_on + e.drift) + e.walk)), p);
}

// ---------------------------------------------------------------- faults

template <class T> VOLARY_HD T add_fault_noise(T y, T sigma, T n) { return select(sigma > splat<T>(0), fma(sigma, n, y), y); }
// scale, offset and noise of a fault; `n` is only drawn where some lane has noise
template <class T> VOLARY_HD Vec3<T> with_fault(const Vec3<T>& y, const FaultTerms<T>& f, Purpose sensor, const Draws<T>& draws) {
  Vec3<T> out = fma(f.scale, y, f.offset);
  if (any(f.sigma > splat<T>(0))) {
    const Normals8<T> n = draws.normals(Purpose::FaultNoise, static_cast<std::uint32_t>(sensor));
    out = {add_fault_noise(out.x, f.sigma, n.n[0]), add_fault_noise(out.y, f.sigma, n.n[1]), add_fault_noise(out.z, f.sigma, n.n[2])};
  }
  return out;
}
template <class T> VOLARY_HD T with_fault(T y, const FaultTerms<T>& f, Purpose sensor, const Draws<T>& draws) {
  return with_fault(Vec3<T>{y, splat<T>(0), splat<T>(0)}, f, sensor, draws).x;
}

}  // namespace volary::inline VOLARY_ISA::sensors
