// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Events as people see them: rows of a report with the first text of each kind, and the texts of faults.
#pragma once

#include "cli/flight.hpp"
#include "cli/report.hpp"

namespace volary::cli {

// a row for each kind of event: how often, and what the first of them said
void add_event_rows(const FlightLog& log, Report& report);

// on stderr: the first lines that behaviours logged, and how many more there are
void tell_log(const FlightLog& log);

// on stderr, each different text once: why vehicles stopped deciding; returns whether one did
bool tell_stopped(const FlightLog& log);

}  // namespace volary::cli
