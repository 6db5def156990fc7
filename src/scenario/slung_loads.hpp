// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Loads on cables below the vehicles of a flock, and the other flocks that carry them: what belongs together, and what can be carried.
#pragma once

#include "core/result.hpp"
#include "scenario/scenario_def.hpp"

namespace volary::scenario {

// names and numbers of flocks that carry loads, and how stiff their cables are
core::Status check_carriers(const ScenarioFile& file);
// The loads themselves: their carriers can lift them, and their cables reach. The flocks are those of the file, in its order.
core::Status check_loads(const WorldDef& world);

}  // namespace volary::scenario
