// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Starts that are drawn (SpreadDef): what a model takes of them, and whether every start that can come of them is one. The draws themselves are in
// engine/starts.cpp.
#pragma once

#include <string>
#include <vector>

#include "core/result.hpp"
#include "vehicles/model.hpp"
#include "volary/def.hpp"

namespace volary::engine {

inline bool is_spread(const SpreadDef& s) { return s != SpreadDef{}; }

// Whether the spread of a flock means something to its model, and leaves vehicles above the ground above it. `flock_field` is where the flock is, such as
// "flocks[2]"; an error names the field below it. Without a definition of the airframe nothing is said: others do.
core::Status check_spread(const FlockDef& flock, const WorldDef& world, const std::string& flock_field);

// by vehicle: whether its model puts it on the ground, whatever height its definition says
std::vector<bool> find_standing(const FlockDef& flock, const WorldDef& world);

}  // namespace volary::engine
