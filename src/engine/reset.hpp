// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Worlds of a batch begin again one by one: rows, vehicles, knowledge, radio, contact, weather and tasks are as at the start, at a tick 0 of their own. All worlds of a
// batch begin alike but for what is random, which is keyed, so the first state of one world is all that is kept.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/memory.hpp"
#include "engine/judging.hpp"
#include "volary/ids.hpp"

namespace volary::engine {

struct Data;

struct FirstState {
  struct OfFlock {
    std::size_t n = 0;                  // vehicles in a world
    std::size_t period = 0;             // slots: the rows repeat after so many, which is whole worlds and whole blocks
    core::Buffer hot, plan, ground;     // of these slots
    std::vector<VehicleId> ids;         // as in the first world of the batch
    std::vector<std::uint64_t> places;
    std::vector<std::string> names;
    std::uint64_t last_place = 0;
  };
  std::vector<OfFlock> flocks;
  std::vector<swarm::Judge> judge;      // one, or none where there are no tasks
};

// The worlds that the mask names begin again, each in the given episode; without a list, in the one after its own. Both lists are by world.
void reset_worlds(Data& d, std::span<const std::uint8_t> mask, std::span<const std::uint32_t> episodes);

}  // namespace volary::engine
