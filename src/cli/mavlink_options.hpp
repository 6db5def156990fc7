// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The options of a command whose vehicles are to be heard by ground stations and programs over MAVLink.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "autopilot/station_service.hpp"
#include "core/result.hpp"
#include "server/session.hpp"

namespace CLI {
class App;
}

namespace volary::cli {

struct MavlinkOptions {
  std::vector<std::string> links;
  std::string key_file;
};

void add_mavlink_options(CLI::App& command, MavlinkOptions& options);
// empty: no link was asked for
core::Result<std::unique_ptr<autopilot::StationService>> open_station(const MavlinkOptions& options);
// a source, a sink and autopilots of a session; it must outlive the session
void plug_station(autopilot::StationService& station, server::SessionOptions& session);
// says on stderr where vehicles are heard, and where on the Earth the world lies
void tell_station(const autopilot::StationService& station, const WorldDef& def);

}  // namespace volary::cli
