// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// How well a flight is redrawn from a few recorded knots, by the methods of SIGMA's Table III and by ours: for
// comparison only, the recording itself uses view_codec.hpp.
//
//   line, natural cubic, PCHIP, Akima   knots at equal times, positions only
//   Hermite                             knots at equal times, positions and velocities
//   SIGMA                               cubic Hermite, knots spaced by the window of its eq. (15)
//   ours                                cubic Hermite pieces of bounded error, the bound as small as the number of knots allows
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "replay/view_codec.hpp"

namespace volary::replay {

enum class Interpolator { Line, NaturalCubic, Pchip, Akima, Hermite, Sigma, Ours };
inline constexpr Interpolator kInterpolators[] = {Interpolator::Line,    Interpolator::NaturalCubic, Interpolator::Pchip, Interpolator::Akima,
                                                  Interpolator::Hermite, Interpolator::Sigma,        Interpolator::Ours};
const char* name_of(Interpolator method);

// knots of one axis: strictly ascending times, two or more
struct Knots1 {
  std::vector<double> t, x, slope;
};
// slopes at the knots from their positions; only for the four methods that look at nothing else
void find_slopes(Interpolator method, Knots1& knots);
double value_at(Interpolator method, const Knots1& knots, double t);

using Positions = std::vector<std::array<double, 3>>;
struct Redrawn {
  Positions positions;    // at each tick
  std::size_t knots = 0;  // that it took
};
// the track from about so many knots per second: never more than seconds * knots_per_second + 1, at least two
Redrawn redraw(Interpolator method, const TrackIn& track, double tick_seconds, double knots_per_second);

struct InterpolationError {
  Interpolator method = Interpolator::Line;
  std::size_t knots = 0;
  double mean = 0, rmse = 0, max = 0;  // m, over every tick
};
// every method on one track
std::vector<InterpolationError> compare_interpolators(const TrackIn& track, double tick_seconds, double knots_per_second);

}  // namespace volary::replay
