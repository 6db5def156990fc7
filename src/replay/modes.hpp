// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Flight modes over time. They change rarely, and often many at once: a recording holds the changes, in its roster, as ranges of
// vehicles that begin a mode at the same tick.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "replay/sampler.hpp"
#include "replay/truth.hpp"
#include "volary/world.hpp"

namespace volary::replay {

class ModeWatch {
 public:
  // what has changed since the last look, and the modes of newcomers, become entries of the roster
  void look(const World& world, const Walk& walk, RecordList& roster);

 private:
  template <class Word> void look_at(const World& world, const Walk& walk, RecordList& roster);
  std::vector<std::uint8_t> last_;  // by roster index
};

// "hold"; "unknown" for kUnknownMode
const char* mode_name(std::uint8_t mode);
// the mode of a vehicle at a tick, or kUnknownMode; `unknown_from` are ticks, ascending, at which changes were lost
std::uint8_t mode_at(const RosterEntry& entry, double tick, std::span<const std::uint64_t> unknown_from = {});

}  // namespace volary::replay
