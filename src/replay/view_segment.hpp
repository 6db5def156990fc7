// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// From the samples of a track to few knots: the longest piece that holds the bounds at every tick, then the next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "replay/view_curve.hpp"

namespace volary::replay {

// The choices of an encoder; a decoder needs only the steps. Steps are in units of the bound.
struct Tuning {
  double position_step = 0.5, velocity_step = 0.8, turn_step = 0.9;
  double end_weight = 0.25;       // of the last sample against the whole piece, when a knot is fitted
  int level = 3;                  // of zstd
};

Steps steps_for(const Bounds& bounds, const Tuning& tuning);

// the samples of one track, as the fits want them
struct TrackSamples {
  std::vector<double> position;     // 3 per tick, m
  std::vector<double> velocity;     // 3 per tick
  std::vector<Quaternion> attitude;  // unit, of continuous sign
  std::uint32_t count = 0;
};

struct MotionStep {
  MotionKnot end;
  std::uint32_t ticks = 0;
  MotionKind kind = MotionKind::Hermite;
};
struct TurnStep {
  std::int64_t turn[3] = {0, 0, 0};  // in steps, from the knot before
  Quaternion end;
  std::uint32_t ticks = 0;
};

struct TrackKnots {
  MotionKnot motion_start;
  std::int64_t turn_start[3] = {0, 0, 0};  // from the identity
  std::vector<MotionStep> motion;
  std::vector<TurnStep> turns;
};

// Within a sliver of the bound, so that a decoder that rounds differently still holds it.
struct Limits {
  double position2, velocity2, chord2;  // squares; the chord of the angle on the sphere of quaternions
};
Limits limits_of(const Bounds& bounds);

// encode_view with choices of the caller's
std::vector<std::byte> encode_view_tuned(std::span<const TrackIn> tracks, double tick_seconds, const Bounds& bounds, const Tuning& tuning);

// position and velocity alone
void find_motion_knots(const TrackSamples& samples, double tick, const Steps& steps, const Limits& limits, const Tuning& tuning, TrackKnots& out);
void find_knots(const TrackSamples& samples, double tick, const Steps& steps, const Limits& limits, const Tuning& tuning, TrackKnots& out);

}  // namespace volary::replay
