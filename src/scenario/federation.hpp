// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The section `federation` of a scenario: which process simulates which flocks.
#pragma once

#include "core/result.hpp"
#include "scenario/files.hpp"
#include "scenario/scenario_def.hpp"

namespace volary::scenario {

// every name once, and only of flocks that are there
core::Status check_federation(const ScenarioFile& file);

// of a scenario that was loaded into a bundle without an error
core::Result<FederationFile> load_federation(const Bundle& bundle);

}  // namespace volary::scenario
