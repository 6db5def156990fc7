// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Whether what only wings carry, or what drives on wheels, can follow a mission: a turn needs a bank, and a bank has an end; wings need speed, a climb needs
// power, and a wheel turns only so far.
#pragma once

#include <string>

#include "core/result.hpp"
#include "scenario/scenario_def.hpp"

namespace volary::scenario {

// Refuses circles, eights and routes that are too tight, too fast, too slow or too steep for the aircraft in still air, and too tight or too fast for the
// car; every other vehicle passes. Errors name the field from `field` on.
core::Status check_mission_limits(const MissionFile& file, const FlockDef& flock, double gravity, const std::string& field);

}  // namespace volary::scenario
