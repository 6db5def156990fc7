// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Logs of autopilots as a scenario of mirrors: one vehicle for each log, with the files that it needs, so that the recording is complete without the logs.
#pragma once

#include <string>
#include <vector>

#include "core/result.hpp"
#include "logs/flight.hpp"
#include "scenario/files.hpp"

namespace volary::cli {

enum class Align { Auto, Utc, Start };

struct ImportedLog {
  std::string path;    // as it was given
  std::string name;    // of the vehicle
  logs::Flight flight;
  double start = 0;    // s of the world
};

struct ImportPlan {
  std::vector<ImportedLog> logs;
  bool by_utc = false;   // how they were aligned
  double duration = 0;   // s
  scenario::Bundle bundle;
};

struct ImportOptions {
  Align align = Align::Auto;
  double tick = 0.01;         // s
  std::string airframe = {};  // whose size and shape the vehicles have; empty: a sphere
};

// reads all logs; an error names the file
core::Result<ImportPlan> plan_import(const std::vector<std::string>& paths, const ImportOptions& options);

// the part that needs no files: aligns, and writes the scenario
core::Status make_scenario(ImportPlan& plan, const ImportOptions& options);

}  // namespace volary::cli
