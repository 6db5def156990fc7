// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What many small worlds cost: reset by mask, starts, winds and variants drawn anew, and a flock of agents with actions and observations beside the same
// flock in one world.
#pragma once

#include "cli/report.hpp"
#include "core/result.hpp"

namespace volary::cli {

core::Status bench_worlds(Report& report);

}  // namespace volary::cli
