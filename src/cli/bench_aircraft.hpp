// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// volary bench aircraft: steps of aircraft with wings beside the yardstick of the same run, what weather costs them, and worlds of many kinds.
#pragma once

#include "cli/report.hpp"
#include "core/result.hpp"

namespace volary::cli {

core::Status bench_aircraft(Report& report);
void print_aircraft(const Report& report);

}  // namespace volary::cli
