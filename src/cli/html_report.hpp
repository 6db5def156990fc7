// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// `volary run --report FILE.html`: one page that needs no network, with verdict, tasks, warnings, scenario, plots, metrics and events. Light, dark and paper.
#pragma once

#include <string>
#include <vector>

#include "cli/flight_trace.hpp"
#include "cli/report.hpp"
#include "cli/watch.hpp"

namespace volary::cli {

struct RunPage {
  const Report& report;  // verdict and rows, as they are printed
  const Ending& ending;
  const FlightTrace& trace;
  std::vector<std::string> overrides = {};  // path=value, as given on the command line
  std::string written = {};                 // date and time of the report, UTC
};
std::string html_of(const RunPage& page);

}  // namespace volary::cli
