// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The view layer of a recording: where every vehicle was, within stated bounds at every tick, in few bytes.
// A block holds some seconds of some hundred vehicles. Position and velocity are cubic Hermite pieces between
// quantised knots, attitude has knots of its own; the encoder evaluates its own quantised pieces at every tick and
// shortens those that miss a bound. docs/recording-view.md describes the bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/result.hpp"

namespace volary::replay {

// The largest distance between what was flown and what is decoded, at every tick: lengths of the vectors of
// error, and the angle of the rotation between both attitudes. Each between 1e-6 and 1e6, the angle at least 1e-5: quaternions are of floats.
struct Bounds {
  double position = 0.05;     // m
  double velocity = 0.1;      // m/s
  double angle = 0.008726646;  // rad
};

// what is wrong with bounds that a user chose
core::Status check_bounds(const Bounds& bounds);

// The samples of one vehicle in a block: ticks first .. first + count - 1, counted from the start of the block.
//
// A sample that no curve can pass through cuts the track: it is left out, and the ticks before and after it become tracks
// of their own with the same vehicle. Such are numbers that are not finite, positions beyond 1e9 m, velocities
// beyond 1e6 m/s and attitudes whose length is not between 0.001 and 1000. Attitudes of other lengths than 1 are normalised.
struct TrackIn {
  std::uint32_t vehicle = 0;              // index in the recording's roster
  std::uint32_t first = 0, count = 0;     // ticks; first + count is at most kMaxBlockTicks
  const double (*position)[3] = nullptr;  // m, world ENU, may be 20 km away
  const float (*velocity)[3] = nullptr;   // m/s, world
  const float (*attitude)[4] = nullptr;   // w x y z, body to world
};

inline constexpr std::uint32_t kMaxBlockTicks = 1u << 20;   // of one block
inline constexpr std::uint32_t kMaxBlockTracks = 1u << 20;  // after cutting
inline constexpr std::uint64_t kMaxBlockSamples = 1u << 28;  // ticks of all tracks together

// One block's payload, compressed; checks its own error at every tick. The bounds have passed check_bounds, the tick is
// between 1e-9 and 1000 s. The same samples give the same bytes.
std::vector<std::byte> encode_view(std::span<const TrackIn> tracks, double tick_seconds, const Bounds& bounds);

struct Pose {
  double position[3];
  float velocity[3];
  float attitude[4];
};

// decoded knots of one block, cheap to sample at any time
class ViewBlock {
 public:
  // bounds every length; never crashes on hostile bytes
  static core::Result<ViewBlock> decode(std::span<const std::byte> payload);

  std::size_t n_tracks() const;
  std::uint32_t vehicle(std::size_t track) const;
  std::uint32_t first(std::size_t track) const;
  std::uint32_t count(std::size_t track) const;
  double tick_seconds() const;
  Bounds bounds() const;

  bool at(std::size_t track, double tick_in_block, Pose& out) const;  // false outside its ticks
  void every_tick(std::size_t track, Pose* out) const;                // bulk: count poses

  // knots of position and velocity, and of attitude, of all tracks together
  std::size_t n_motion_knots() const;
  std::size_t n_turn_knots() const;
  std::uint64_t n_samples() const;  // ticks of all tracks together

 private:
  struct Knots;
  explicit ViewBlock(std::shared_ptr<const Knots> knots) : knots_(std::move(knots)) {}
  std::shared_ptr<const Knots> knots_;  // shared by copies
};

}  // namespace volary::replay
