// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Recordings for other programs: CSV for tables, TUM for trajectory evaluation (evo), MCAP for Foxglove,
// KML for maps and globes, HTML for people.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "core/result.hpp"
#include "replay/recording.hpp"
#include "volary/weather.hpp"

namespace volary::replay {

struct ExportOptions {
  double rate = 0;                     // samples per simulated second; 0: every tick
  scenario::MayRun may_run = nullptr;  // plugins in the bundle, where the scenario is made again; empty: none
};
struct Exported {
  std::uint64_t files = 0, samples = 0, missing = 0, bytes = 0;  // samples are of one vehicle at one moment
};

// an error that says what to do when there are no trajectories to export
core::Status need_view(const Recording& recording);

// one row per moment and vehicle; units and frame in the header
core::Result<Exported> export_csv(const Recording& recording, const std::string& path, const ExportOptions& options);
// a folder with one file per vehicle: timestamp tx ty tz qx qy qz qw
core::Result<Exported> export_tum(const Recording& recording, const std::string& folder, const ExportOptions& options);
// /tf foxglove.FrameTransforms, /vehicles foxglove.SceneUpdate, /events foxglove.Log, as JSON in zstd chunks
core::Result<Exported> export_mcap(const Recording& recording, const std::string& path, const ExportOptions& options);

// a track per vehicle with latitude, longitude, height and time; an error where the world has no origin on the Earth
core::Result<Exported> export_kml(const Recording& recording, const std::string& path, const ExportOptions& options);
// the scenario's date as milliseconds since 1970, UTC: the day of `year`, and `time_of_day` by the (mean) sun over the longitude of its origin
std::int64_t start_of(const WeatherDef& weather);

// one HTML file that replays it in any browser; `page` is the built template (web/dist/standalone.html)
core::Result<Exported> export_html(const Recording& recording, const std::string& path, const std::string& page);

// calls `f(frame)` for every moment of an export
core::Status each_frame(const Recording& recording, const ExportOptions& options, const std::function<core::Status(const Frame&)>& f);

}  // namespace volary::replay
