// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The determinism promise, checked on one scenario: the same bits whatever the threads, the lanes, the
// optimiser, the size of steps and the company a vehicle flies in.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "volary/def.hpp"

namespace volary::cli {

struct Claim {
  std::string name;  // path: threads=7/lanes=8
  bool holds = true;
  std::string detail;       // what differs, from which tick on
  std::uint64_t ticks = 0;  // compared
};

struct Verified {
  std::string error;  // the world could not be made
  std::vector<Claim> claims;
  std::uint64_t ticks = 0, whole_ticks = 0;  // whole_ticks 0: not run
  std::uint64_t hash = 0, whole_hash = 0;
  double seconds = 0;
};

// `quick` leaves out the whole length
Verified verify_scenario(const WorldDef& def, bool quick);

}  // namespace volary::cli
