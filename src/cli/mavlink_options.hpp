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
#include "server/session.hpp"

namespace CLI {
class App;
}

namespace volary::cli {

struct MavlinkOptions {
  std::vector<std::string> links, mirrors;
  std::string key_file;
};

void add_mavlink_options(CLI::App& command, MavlinkOptions& options);

// the links of a command; those that were not asked for are empty
struct MavlinkEdges {
  std::unique_ptr<autopilot::StationService> station;
  std::unique_ptr<autopilot::MirrorService> mirrors;

  // they must outlive the run
  void plug_into(std::vector<runner::Source*>& sources, std::vector<runner::Sink*>& sinks) const;
  void plug_into(server::SessionOptions& session) const;
};
// Says on stderr where vehicles are heard, and where on the Earth the world lies.
core::Result<MavlinkEdges> open_mavlink(const MavlinkOptions& options, const WorldDef& def, bool is_quiet = false);

}  // namespace volary::cli
