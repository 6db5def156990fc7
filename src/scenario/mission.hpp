// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What the vehicles of a flock fly: MissionFile -> harmonic curves and polynomial paths of a WorldDef.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "scenario/scenario_def.hpp"

namespace volary::scenario {

// one mission, worked out once for a flock
struct MissionPlan {
  Harmonic harmonic;
  std::optional<Path> path;   // instead of the harmonic
  std::optional<Vec> centre;  // m; empty: relative to the start of each vehicle
  double height = 0;          // m above that
  bool spread = false;        // vehicles share the curve
  Vec turns = {0, 0, 0};      // by how many turns the phase of each axis moves in one lap, for spread
  Turning turning;            // of platforms
  std::optional<Path> angles;  // instead of its harmonic
  std::optional<double> yaw;            // rad: who begins on the curve looks along it
  double start_delay = 0, stagger = 0;  // s
};

// errors name the field from `field` on, such as flocks[0].mission
core::Result<MissionPlan> plan_mission(const MissionFile& file, std::int64_t n_vehicles, Start start, const std::string& field);

// the plan of vehicle `index` of `count` that share a path: each has its own, begun later
MissionPlan share_path(const MissionPlan& plan, std::int64_t index, std::int64_t count);

// gives vehicle `index` of `count`, already placed, its curve; in the air it begins where the curve does
void assign_mission(const MissionPlan& plan, std::int64_t index, std::int64_t count, Start start, VehicleDef& vehicle);

}  // namespace volary::scenario
