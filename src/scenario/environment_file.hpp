// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What the environment of a scenario needs beyond its own fields: the wind field in its file, the gravity of its place, and that all of it fits together.
#pragma once

#include <string>

#include "core/result.hpp"
#include "scenario/files.hpp"
#include "scenario/scenario_def.hpp"

namespace volary::scenario {

// Normal gravity of the origin, where there is one and the file gives no gravity of its own.
void choose_gravity(EnvironmentDef& environment, bool is_given);

// the environment of the file, checked; terrain and obstacles are not its business
core::Result<EnvironmentDef> make_environment(const ScenarioFile& file, const std::string& folder, const std::string& assets, const Files& files);

}  // namespace volary::scenario
