// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Where the vehicles of a flock start: the generators of PlacementFile.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "scenario/scenario_def.hpp"

namespace volary::scenario {

struct Placed {
  Vec position_W;
  double yaw = 0;    // rad
  std::string name;  // empty: none given
};

// how many vehicles a placement makes, without making them; 0 when no generator is given
std::int64_t placement_count(const PlacementFile& file);

// Same seed and stream, same places. None for logs, which say that themselves (log_file.hpp). Errors name the field from `field` on, such as flocks[0].vehicles.
core::Result<std::vector<Placed>> place_vehicles(const PlacementFile& file, double yaw, std::uint64_t seed, std::uint64_t stream, const std::string& field);

}  // namespace volary::scenario
