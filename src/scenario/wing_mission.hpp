// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Whether what only wings carry can fly a mission: a turn needs a bank, and a bank has an end.
#pragma once

#include <string>

#include "core/result.hpp"
#include "scenario/scenario_def.hpp"

namespace volary::scenario {

// Refuses circles and routes that are too tight or too fast for the aircraft in still air; every other vehicle passes. Errors name the field from `field` on.
core::Status check_wing_mission(const MissionFile& file, const Airframe& airframe, double gravity, const std::string& field);

}  // namespace volary::scenario
