// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Positions, velocities and attitudes of all vehicles, tick after tick: what the view layer is made from. Taking a sample
// is a walk over the columns; putting the ticks of one vehicle together is left to the thread that encodes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "replay/view_codec.hpp"
#include "volary/world.hpp"

namespace volary::replay {

// who is alive: roster indices in the order in which the columns are walked
struct Walk {
  struct Flock {
    std::string name;
    std::vector<std::size_t> slots;
    std::vector<VehicleId> ids;  // as many
  };
  std::vector<Flock> flocks;
  std::vector<std::uint32_t> vehicles;  // roster index, of all flocks after each other
};

// the ticks of one block, tick by tick
struct Samples {
  std::uint64_t first_tick = 0;
  std::vector<std::shared_ptr<const Walk>> walks;  // one per tick
  std::vector<double> position;                    // 3 per vehicle and tick
  std::vector<float> velocity;                     // 3
  std::vector<float> attitude;                     // 4

  bool empty() const { return walks.empty(); }
  std::uint64_t last_tick() const { return first_tick + walks.size() - 1; }
  std::size_t bytes() const { return position.size() * sizeof(double) + (velocity.size() + attitude.size()) * sizeof(float); }
};
inline constexpr std::size_t kSampleBytes = 3 * 8 + 3 * 4 + 4 * 4;  // of one vehicle and tick

void sample(const World& world, const std::shared_ptr<const Walk>& walk, Samples& out);
// the last tick of a block is also the first of the next, so that no moment lies between two blocks
Samples start_after(const Samples& before);

// encoded blocks of at most 512 vehicles each
inline constexpr std::size_t kVehiclesPerBlock = 512;
std::vector<std::vector<std::byte>> encode(const Samples& samples, double tick_seconds, const Bounds& bounds);

}  // namespace volary::replay
