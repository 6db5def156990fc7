// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Flies a world and keeps every tick of every vehicle: what tests and benchmarks of the codec encode.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "replay/view_codec.hpp"
#include "volary/world.hpp"

namespace volary::replay {

struct FlownTrack {
  std::vector<std::array<double, 3>> position;
  std::vector<std::array<float, 3>> velocity;
  std::vector<std::array<float, 4>> attitude;

  // ticks from .. from + count - 1 as a track of a block that begins there
  TrackIn part(std::uint32_t vehicle, std::uint32_t from, std::uint32_t count) const;
};

struct Flights {
  double tick = 0;  // s
  std::vector<FlownTrack> tracks;
};

// the vehicles that are there at the start, for so many ticks; a removed vehicle's track ends early
Flights fly_and_keep(World& world, std::uint64_t ticks);

// all tracks, cut into blocks of so many ticks
std::vector<std::vector<TrackIn>> blocks_of(const Flights& flights, std::uint32_t ticks_per_block);

}  // namespace volary::replay
