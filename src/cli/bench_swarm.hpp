// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a swarm costs: a whole step of a world that hears, sees, decides and touches, and the queries under it.
#pragma once

#include "cli/report.hpp"
#include "core/result.hpp"

namespace volary::cli {

core::Status bench_swarm(Report& report);
// the scenario of its steps, as YAML
std::string bench_swarm_field(int agents);

}  // namespace volary::cli
