// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The options of a command whose vehicles are to be heard by ground stations and programs over MAVLink, or whose mirrors are moved by vehicles that are.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "autopilot/mirror_service.hpp"
#include "autopilot/station_service.hpp"
#include "core/result.hpp"

namespace CLI {
class App;
}

namespace volary::cli {

struct MavlinkOptions {
  std::vector<std::string> links, mirrors;
  std::string key_file;
};

void add_mavlink_options(CLI::App& command, MavlinkOptions& options);
// empty: no link was asked for
core::Result<std::unique_ptr<autopilot::StationService>> open_station(const MavlinkOptions& options);
core::Result<std::unique_ptr<autopilot::MirrorService>> open_mirrors(const MavlinkOptions& options, const WorldDef& def);
// says on stderr where vehicles are heard, and where on the Earth the world lies
void tell_station(const autopilot::StationService& station, const WorldDef& def);

}  // namespace volary::cli
