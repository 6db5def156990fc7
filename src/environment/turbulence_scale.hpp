// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// How strong turbulence is and how long its eddies are, by height above the ground: MIL-F-8785C, sections 3.7.2 and 3.7.3 and figure 7. Lengths
// follow that specification (MIL-HDBK-1797 writes half of them for the lateral and vertical components, with formulas to match).
#pragma once

#include "math/functions.hpp"

namespace volary::inline VOLARY_ISA::environment {

using namespace math;

enum class TurbulenceForm { Dryden, VonKarman };

inline constexpr double kFoot = 0.3048;           // m
inline constexpr double kKnot = 1852.0 / 3600.0;  // m/s
inline constexpr int kIntensityHeights = 12;

// strength and eddy length of the horizontal and of the vertical components
template <class T> struct TurbulenceScale {
  T sigma_level, sigma_up;    // m/s
  T length_level, length_up;  // m
};

// What a sampler needs to know. Either by height, or the same everywhere.
template <class S> struct TurbulenceLevels {
  bool even;                 // the same everywhere: `same` holds
  TurbulenceScale<S> same;
  S wind_at_20_feet;         // m/s, sets the strength below 1000 ft
  S length_high;             // m, above 2000 ft
  S heights[kIntensityHeights];                // m, of figure 7
  S sigma, sigma_slope[kIntensityHeights];     // m/s at the lowest of them; 1/s from each to the next
};

// which curve of figure 7: the probability that turbulence is stronger
enum class Exceedance { P2e1, P1e1, P1e2, P1e3, P1e4, P1e5, P1e6 };

// the specification's three severities: wind at 20 ft in knots, and the curve above 2000 ft
struct Severity {
  double wind_at_20_feet;  // m/s
  Exceedance exceedance;
};
inline constexpr Severity kLightTurbulence{15 * kKnot, Exceedance::P1e2};
inline constexpr Severity kModerateTurbulence{30 * kKnot, Exceedance::P1e3};
inline constexpr Severity kSevereTurbulence{45 * kKnot, Exceedance::P1e5};

inline TurbulenceLevels<double> turbulence_levels(TurbulenceForm form, double wind_at_20_feet, Exceedance exceedance) {
  // MIL-F-8785C figure 7 (MIL-HDBK-1797 figure 262): height in ft; strength in ft/s, a column for each probability
  constexpr double figure7[kIntensityHeights][8] = {
      {500, 3.2, 4.2, 6.6, 8.6, 11.8, 15.6, 18.7},   {1750, 2.2, 3.6, 6.9, 9.6, 13.0, 17.6, 21.5},  {3750, 1.5, 3.3, 7.4, 10.6, 16.0, 23.0, 28.4},
      {7500, 0.0, 1.6, 6.7, 10.1, 15.1, 23.6, 30.2}, {15000, 0.0, 0.0, 4.6, 8.0, 11.6, 22.1, 30.7}, {25000, 0.0, 0.0, 2.7, 6.6, 9.7, 20.0, 31.0},
      {35000, 0.0, 0.0, 0.4, 5.0, 8.1, 16.0, 25.2},  {45000, 0.0, 0.0, 0.0, 4.2, 8.2, 15.1, 23.1},  {55000, 0.0, 0.0, 0.0, 2.7, 7.9, 12.1, 17.5},
      {65000, 0.0, 0.0, 0.0, 0.0, 4.9, 7.9, 10.7},   {75000, 0.0, 0.0, 0.0, 0.0, 3.2, 6.2, 8.4},    {80000, 0.0, 0.0, 0.0, 0.0, 2.1, 5.1, 7.2}};
  const int column = 1 + static_cast<int>(exceedance);
  TurbulenceLevels<double> l{};
  l.wind_at_20_feet = wind_at_20_feet;
  l.length_high = (form == TurbulenceForm::Dryden ? 1750 : 2500) * kFoot;
  l.sigma = figure7[0][column] * kFoot;
  for (int i = 0; i < kIntensityHeights; ++i) {
    l.heights[i] = figure7[i][0] * kFoot;
    if (i + 1 < kIntensityHeights) l.sigma_slope[i] = (figure7[i + 1][column] - figure7[i][column]) / (figure7[i + 1][0] - figure7[i][0]);
  }
  return l;
}

// strength and length chosen by hand, the same everywhere
inline TurbulenceLevels<double> even_turbulence(const TurbulenceScale<double>& scale) {
  TurbulenceLevels<double> l{};
  l.even = true;
  l.same = scale;
  return l;
}

template <class S> TurbulenceLevels<S> levels_as(const TurbulenceLevels<double>& l) {
  const auto to = [](double x) { return static_cast<S>(x); };
  TurbulenceLevels<S> out{};
  out.even = l.even;
  out.same = {to(l.same.sigma_level), to(l.same.sigma_up), to(l.same.length_level), to(l.same.length_up)};
  out.wind_at_20_feet = to(l.wind_at_20_feet), out.length_high = to(l.length_high), out.sigma = to(l.sigma);
  for (int i = 0; i < kIntensityHeights; ++i) out.heights[i] = to(l.heights[i]), out.sigma_slope[i] = to(l.sigma_slope[i]);
  return out;
}

// below 1000 ft: the ground makes eddies shorter and the level components stronger; below 10 ft as at 10 ft
template <class T> VOLARY_HD TurbulenceScale<T> low_turbulence(const TurbulenceLevels<Scalar<T>>& l, T height) {
  const T h = clamp(height, splat<T>(10 * kFoot), splat<T>(1000 * kFoot));
  const T power = exp(splat<T>(0.4) * log(fma(splat<T>(0.000823 / kFoot), h, splat<T>(0.177))));
  const T sigma_up = splat<T>(0.1) * T(l.wind_at_20_feet);
  return {sigma_up / power, sigma_up, h / (power * power * power), h};
}

// figure 7, straight between its points
template <class T> VOLARY_HD T high_intensity(const TurbulenceLevels<Scalar<T>>& l, T height) {
  T sigma = T(l.sigma);
  for (int i = 0; i + 1 < kIntensityHeights; ++i) {
    const T part = clamp(height - T(l.heights[i]), splat<T>(0), T(l.heights[i + 1]) - T(l.heights[i]));
    sigma = fma(T(l.sigma_slope[i]), part, sigma);
  }
  return max(sigma, splat<T>(0));
}

// at a height above the ground, m; between 1000 and 2000 ft straight from one formula to the other
template <class T> VOLARY_HD TurbulenceScale<T> turbulence_scale(const TurbulenceLevels<Scalar<T>>& l, T height) {
  if (l.even) return {T(l.same.sigma_level), T(l.same.sigma_up), T(l.same.length_level), T(l.same.length_up)};
  const TurbulenceScale<T> low = low_turbulence<T>(l, height);
  const T above = max(height - splat<T>(1000 * kFoot), splat<T>(0));
  if (!any(above > splat<T>(0))) return low;  // changes nothing: the part below would be zero

  const T part = min(above * splat<T>(1 / (1000 * kFoot)), splat<T>(1));
  const T sigma = high_intensity<T>(l, max(height, splat<T>(2000 * kFoot)));
  const T length = T(l.length_high);
  return {fma(part, sigma - low.sigma_level, low.sigma_level), fma(part, sigma - low.sigma_up, low.sigma_up),
          fma(part, length - low.length_level, low.length_level), fma(part, length - low.length_up, low.length_up)};
}

}  // namespace volary::inline VOLARY_ISA::environment
