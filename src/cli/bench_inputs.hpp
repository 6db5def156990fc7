// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What inputs cost: bulk setpoints in every tick, mirrors, and recording them. Rows of `volary bench inputs`.
#pragma once

#include "cli/report.hpp"
#include "core/result.hpp"

namespace volary::cli {

// `whole`: an hour of simulated time, otherwise a minute
core::Status bench_inputs(Report& report, bool whole);

}  // namespace volary::cli
