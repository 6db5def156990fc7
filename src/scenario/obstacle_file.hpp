// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The obstacles of a scenario: shapes as they are written, and meshes from files beside the scenario or in assets/meshes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "environment/obstacles.hpp"
#include "scenario/files.hpp"
#include "scenario/scenario_def.hpp"

namespace volary::scenario {

core::Result<std::shared_ptr<const obstacles::Obstacles>> make_obstacles(const std::vector<ObstacleFile>& list, const std::string& folder,
                                                                         const std::string& assets, const Files& files);
// nobody begins inside a solid; `field` names the flock's vehicles
core::Status check_start(const obstacles::Obstacles& obstacles, const Vec& position_W, std::int64_t vehicle, const std::string& field);

}  // namespace volary::scenario
