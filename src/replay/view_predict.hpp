// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a knot is expected to be, from the knots before it: a block stores the difference. Encoder and decoder
// call the same functions, and a second decoder must round as they do (docs/recording-view.md).
#pragma once

#include "replay/view_curve.hpp"

namespace volary::replay {

inline constexpr double kSlopeKept = 0.375;  // of the last piece's acceleration
inline constexpr double kRateKept = 0.375;   // of the last turn's rate

// in steps
struct MotionPredictor {
  MotionKnot at;
  double slope[3] = {0, 0, 0};  // of the velocity, per tick, over the last piece

  std::int64_t velocity(int axis, std::uint32_t ticks) const { return at.v[axis] + whole(kSlopeKept * slope[axis] * ticks); }
  // once the velocity at the end is known
  std::int64_t position(int axis, std::int64_t end_velocity, std::uint32_t ticks, double tick, const Steps& steps) const {
    const double mean = 0.5 * static_cast<double>(at.v[axis] + end_velocity);
    return at.p[axis] + whole(mean * (static_cast<double>(ticks) * tick) * (steps.velocity / steps.position));
  }
  void advance(const MotionKnot& end, std::uint32_t ticks) {
    for (int i = 0; i < 3; ++i) slope[i] = static_cast<double>(end.v[i] - at.v[i]) / ticks;
    at = end;
  }
};

// in steps
struct TurnPredictor {
  double rate[3] = {0, 0, 0};  // per tick, over the last piece

  std::int64_t turn(int axis, std::uint32_t ticks) const { return whole(kRateKept * rate[axis] * ticks); }
  void advance(const std::int64_t* turn, std::uint32_t ticks) {
    for (int i = 0; i < 3; ++i) rate[i] = static_cast<double>(turn[i]) / ticks;
  }
};

}  // namespace volary::replay
