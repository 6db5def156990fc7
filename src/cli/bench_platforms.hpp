// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// volary bench platforms: steps of platforms of several aircraft beside the yardstick of the same run, and 200 of them against real time.
#pragma once

#include "cli/report.hpp"
#include "core/result.hpp"

namespace volary::cli {

core::Status bench_platforms(Report& report);

}  // namespace volary::cli
