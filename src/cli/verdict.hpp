// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What became of a run, in one line: its report begins with it, and its exit code follows from it.
#pragma once

#include <vector>

#include "cli/flight.hpp"
#include "cli/report.hpp"

namespace volary::cli {

// Failed: a vehicle diverged or stopped deciding, or a required task failed, or is still open at the end. `complete`: the run came to its planned end.
Verdict verdict_of(const std::vector<TaskStanding>& tasks, const FlightLog& log, bool complete);

// the first names of a list, and how many more there are
std::string list_of(const std::vector<std::string>& names);

}  // namespace volary::cli
