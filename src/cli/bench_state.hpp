// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What it costs to keep the state of a world and to go back to it.
#pragma once

#include "cli/report.hpp"
#include "core/result.hpp"

namespace volary::cli {

core::Status bench_state(Report& report);
core::Status bench_snapshots(Report& report);  // its rows of whole snapshots and parts

}  // namespace volary::cli
