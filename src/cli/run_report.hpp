// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The rows of a report about one flight, for every command that flies a scenario to its end.
#pragma once

#include "cli/flight.hpp"
#include "cli/report.hpp"
#include "cli/verdict.hpp"
#include "cli/watch.hpp"

namespace volary::cli {

void add_figures(const Ending& end, const Flight& f, Report& report);
// what was said on the way, how much the vehicles knew of each other, and how near they came
void add_swarm(const Ending& end, const ClosestPair& closest, Report& report);
// what became of the mission
void add_mission(const Ending& end, Report& report);
void add_recording(const std::string& path, std::uint64_t bytes, Report& report);
// the exit code, after telling what went wrong
int outcome_of(const Flight& flight, const Verdict& verdict);

}  // namespace volary::cli
