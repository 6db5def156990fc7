// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The scenario of a bundle as it was written, with its overrides: for sections that are no part of the world, such as nodes of a federation and autopilots.
#pragma once

#include "core/result.hpp"
#include "scenario/files.hpp"
#include "scenario/scenario_def.hpp"

namespace volary::scenario {

core::Result<ScenarioFile> read_scenario_file(const Bundle& bundle);

}  // namespace volary::scenario
