// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Whether the missions of a scenario lead two vehicles through each other: the positions that their curves and paths ask for, without any physics.
#pragma once

#include <optional>
#include <string>

#include "volary/def.hpp"

namespace volary::scenario {

struct PlannedPass {
  std::string first, second;  // names of the vehicles
  double distance = 0;        // m, between the planned positions
  double radii = 0;           // m, sum of the two radii
  double time = 0;            // s
};

// The pair of vehicles whose planned positions come closest in relation to their radii; none when all stay farther apart than the sum of the radii. Vehicles
// that start on their mission and have no behaviours are looked at, ten times per second in small scenarios.
std::optional<PlannedPass> closest_planned_pass(const WorldDef& def);

}  // namespace volary::scenario
