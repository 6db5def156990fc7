// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Recordings for other programs: CSV for tables, NPZ for NumPy, MCAP for Foxglove, TUM for trajectory evaluation (evo), KML for
// maps and globes, ULog for tools of PX4, HTML for people. A run is flown again for its export, so that every value is exact; `view` takes the
// trajectories of the view layer instead, which is quick and holds within its bounds.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "replay/recording.hpp"
#include "scenario/files.hpp"
#include "volary/weather.hpp"

namespace volary::replay {

enum class ExportKind { Csv, Npz, Mcap, Tum, Kml, Ulog };

struct ExportOptions {
  double rate = 0;                        // samples per simulated second; 0: every tick
  bool view = false;                      // false: flown again, exact
  std::vector<std::string> columns = {};  // of csv, npz and mcap; empty: a default set
  bool events = true, tasks = true, messages = true;  // tables beside that of the vehicles
  int threads = 1;
  const WorldDef* def = nullptr;          // for recordings without a bundle
  scenario::MayRun may_run = nullptr;     // plugins in the bundle, where the scenario is made again; empty: none
  std::function<void(double done)> progress = nullptr;
};
struct Exported {
  std::uint64_t files = 0, bytes = 0;
  std::uint64_t samples = 0, missing = 0;              // of one vehicle at one moment
  std::uint64_t events = 0, tasks = 0, messages = 0;   // rows; tasks: changes of state
};

// Writes a new file, or for TUM and ULog a folder with a file for each vehicle. CSV writes tables of events, tasks and messages beside it. An error
// leaves nothing behind.
core::Result<Exported> export_recording(const Recording& recording, ExportKind kind, const std::string& path, const ExportOptions& options);

// one HTML file that replays it in any browser; `page` is the built template (web/dist/standalone.html)
core::Result<Exported> export_html(const Recording& recording, const std::string& path, const std::string& page);

// the scenario's date as milliseconds since 1970, UTC: the day of `year`, and `time_of_day` by the (mean) sun over the longitude of its origin
std::int64_t start_of(const WeatherDef& weather);

}  // namespace volary::replay
