// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The walls and funnels of a scenario, which vehicles of joined bodies push and plug into.
#pragma once

#include <string>
#include <vector>

#include "core/result.hpp"
#include "scenario/scenario_def.hpp"

namespace volary::scenario {

// MuJoCo pushes surfaces out of each other in no less than two integration steps of `step` seconds
core::Status check_softness(const ContactSurfaceDef& surface, double step, const std::string& field);

// `step` is the integration step in seconds; `field` is that of the list
core::Result<std::vector<StructureDef>> make_structures(const std::vector<StructureFile>& list, double step, const std::string& field);

}  // namespace volary::scenario
