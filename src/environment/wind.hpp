// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The wind that is not random: a mean that grows with height, fading in time where that is asked for, and single gusts at a place and time.
// Turbulence is in turbulence.hpp, a field from a file in wind_grid.hpp.
#pragma once

#include "math/functions.hpp"
#include "math/vec.hpp"

namespace volary::inline VOLARY_ISA::environment {

using namespace math;

// ---------------------------------------------------------------- mean wind and shear

enum class Shear { None, Log, Power };

struct MeanWindDef {
  Vec3<double> velocity_W{0, 0, 0};  // m/s at the reference height; where the air goes to, not where it comes from
  double reference_height = 6.096;   // m above the ground: 20 ft in MIL-F-8785C, 10 m in meteorology
  Shear shear = Shear::None;
  double roughness = 0.0457;  // m, log law: 0.15 ft for flight near airfields, 2 ft otherwise (MIL-F-8785C, 3.7.3.2)
  double exponent = 0.143;    // -, power law: 1/7 over open land (Davenport 1961)
  double top = 304.8;         // m: above this the wind no longer grows (1000 ft)
};

template <class S> struct MeanWind {
  Vec3<S> velocity_W;   // m/s at the reference height
  Shear shear;
  S lowest, top;        // m
  S per_length;         // 1/m: heights are counted in roughness lengths (log) or reference heights (power)
  S scale, exponent;    // -
};

inline MeanWind<double> make_mean_wind(const MeanWindDef& d) {
  if (d.shear == Shear::Log) return {d.velocity_W, d.shear, d.roughness, d.top, 1 / d.roughness, 1 / math::log(d.reference_height / d.roughness), 0};
  return {d.velocity_W, d.shear, 0, d.top, 1 / d.reference_height, 1, d.exponent};
}

template <class S> MeanWind<S> mean_wind_as(const MeanWind<double>& w) {
  const auto to = [](double x) { return static_cast<S>(x); };
  return {{to(w.velocity_W.x), to(w.velocity_W.y), to(w.velocity_W.z)}, w.shear, to(w.lowest), to(w.top), to(w.per_length), to(w.scale), to(w.exponent)};
}

// The wind at a height above the ground over that at the reference height. Log law: ln(h / z0) / ln(h_ref / z0), none below the roughness length;
// power law: (h / h_ref)^exponent.
template <class T> VOLARY_HD T shear_factor(const MeanWind<Scalar<T>>& w, T height) {
  if (w.shear == Shear::None) return splat<T>(1);
  const T lengths = clamp(height, T(w.lowest), T(w.top)) * T(w.per_length);
  if (w.shear == Shear::Log) return T(w.scale) * log(max(lengths, splat<T>(1)));
  return pow(lengths, T(w.exponent));
}

template <class T> VOLARY_HD Vec3<T> mean_wind_at(const MeanWind<Scalar<T>>& w, T height) {
  const T factor = shear_factor<T>(w, height);
  return {factor * T(w.velocity_W.x), factor * T(w.velocity_W.y), factor * T(w.velocity_W.z)};
}

// ---------------------------------------------------------------- fading, SIGMA eq. 9

// V = V0 exp(-alpha t) + d exp(-beta t): what is left of the mean V0 and of the local field d after t seconds. As printed both die away; with alpha =
// beta = 0, the default, the mean stays and so does the turbulence.
struct WindFading {
  double mean = 0, local = 0;  // 1/s: alpha, beta
};
template <class S> struct WindShares {
  S mean, local;
};
inline WindShares<double> wind_shares(const WindFading& f, double time) { return {math::exp(-f.mean * time), math::exp(-f.local * time)}; }

template <class T> VOLARY_HD Vec3<T> faded_wind(const WindShares<Scalar<T>>& share, const Vec3<T>& mean_W, const Vec3<T>& local_W) {
  return fma(T(share.mean), mean_W, T(share.local) * local_W);
}

// ---------------------------------------------------------------- discrete gusts

// A gust of 1-cosine shape (MIL-F-8785C, 3.7.1.3): with s the way into it, nothing for s < 0, amplitude (1 - cos(pi s / length)) / 2 up to s =
// length, and the whole amplitude from there on; one that returns comes down again by s = 2 length (as in CS 25.341). s = ahead_W (p - start_W) +
// speed (t - begins): with speed 0 a gust that stands in the air and is flown into; with ahead_W = -n and speed c a front that moves along n; with
// ahead_W = 0 one that comes to all places at the same time.
template <class S> struct DiscreteGust {
  Vec3<S> amplitude_W;  // m/s
  Vec3<S> start_W;  // m
  Vec3<S> ahead_W;  // of length one, or zero
  S speed;  // m/s
  S begins;  // s
  S length;  // m
  bool returns;
};

// `time` is rounded only after `begins` is taken from it, so that a float keeps milliseconds on the second day
template <class T> VOLARY_HD Vec3<T> discrete_gust_at(const DiscreteGust<Scalar<T>>& g, const Vec3<T>& position_W, double time) {
  const Vec3<T> from_start{position_W.x - T(g.start_W.x), position_W.y - T(g.start_W.y), position_W.z - T(g.start_W.z)};
  const Vec3<T> ahead{T(g.ahead_W.x), T(g.ahead_W.y), T(g.ahead_W.z)};
  const T moved = splat<T>(static_cast<double>(g.speed) * (time - static_cast<double>(g.begins)));
  const T into = (dot(ahead, from_start) + moved) / T(g.length);
  const T part = clamp(into, splat<T>(0), splat<T>(g.returns ? 2 : 1));
  const T share = splat<T>(0.5) - splat<T>(0.5) * cos(splat<T>(3.141592653589793) * part);
  return {share * T(g.amplitude_W.x), share * T(g.amplitude_W.y), share * T(g.amplitude_W.z)};
}

}  // namespace volary::inline VOLARY_ISA::environment
