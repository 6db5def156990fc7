// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// How several processes share one world. Every process makes the whole world from the same definition and simulates the vehicles that it
// owns. The state of the others comes in frames, which all processes exchange once per tick.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "volary/def.hpp"
#include "volary/ids.hpp"

namespace volary {

// The part of a shared world that this process simulates, and the parts of all others.
struct Sharing {
  static constexpr std::uint32_t kNobody = 0xffffffffu;

  // The vehicles of a flock from a place on, up to the next part of the flock. Places count from 1 in the order of the definition. Vehicles that are added
  // during the run belong to the last part of their flock.
  struct Part {
    std::string flock;
    std::uint64_t first_place = 1;
    std::uint32_t member = 0;
  };

  std::uint32_t member = kNobody;  // this process, from 0; kNobody: the process owns no vehicle
  std::uint32_t members = 1;       // number of processes that own vehicles
  std::vector<Part> parts = {};    // every flock has a part that begins at place 1
};

// The pose of a vehicle in a frame: where its owner had it at the end of advance().
struct FramePose {
  VehicleId id;
  Vec position_W = {0, 0, 0}, velocity_W = {0, 0, 0};   // m, m/s
  std::array<double, 4> attitude_WB = {1, 0, 0, 0};      // w x y z
};

}  // namespace volary
