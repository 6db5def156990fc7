// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/mavlink_options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "autopilot/place.hpp"

namespace volary::cli {

namespace {

core::Result<mavlink::Key> read_key_file(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  if (!file || !(text << file.rdbuf())) return core::Error{.message = "cannot read the key", .file = path};
  auto key = mavlink::read_key(text.str());
  if (key) return key;
  core::Error error = key.error();
  error.file = path;
  return error;
}

}  // namespace

void add_mavlink_options(CLI::App& command, MavlinkOptions& options) {
  command
      .add_option(
          "--mavlink", options.links,
          "link on which every vehicle is a MAVLink vehicle: udpout:HOST:PORT, udpin:HOST:PORT, tcp:HOST:PORT, tcpin:HOST:PORT or serial:DEVICE:BAUD, and "
          "behind it ,vehicles=FIRST-LAST; may be repeated")
      ->allow_extra_args(false);
  command.add_option("--mavlink-key", options.key_file, "file with the key or passphrase that signs all MAVLink messages; default: messages are not signed");
}

core::Result<std::unique_ptr<autopilot::StationService>> open_station(const MavlinkOptions& options) {
  if (options.links.empty() && !options.key_file.empty())
    return core::Error{.message = "--mavlink-key has no effect without a link", .suggestion = "add --mavlink udpout:127.0.0.1:14550"};
  autopilot::StationOptions station;
  for (const std::string& text : options.links) {
    const auto link = autopilot::parse_station_link(text);
    if (!link) {
      core::Error error = link.error();
      error.field = "--mavlink " + text;
      return error;
    }
    station.links.push_back(link.value());
  }
  if (station.links.empty()) return std::unique_ptr<autopilot::StationService>();
  if (!options.key_file.empty()) {
    const auto key = read_key_file(options.key_file);
    if (!key) return key.error();
    station.key = key.value();
  }
  auto opened = autopilot::StationService::open(station);
  if (opened) return opened;
  core::Error error = opened.error();
  if (error.field.empty()) error.field = "--mavlink";
  return error;
}

void plug_station(autopilot::StationService& station, server::SessionOptions& session) {
  session.sources.push_back(&station);
  session.sinks.push_back(&station);
  session.autopilots.push_back(&station);
}

void tell_station(const autopilot::StationService& station, const WorldDef& def) {
  for (const std::string& link : station.links()) fmt::print(stderr, "volary: MAVLink on {}\n", link);
  if (def.environment.weather.origin) return;
  const OriginDef& o = autopilot::kDefaultOrigin;
  fmt::print(stderr, "volary: the scenario has no environment.origin: its world lies at latitude {}, longitude {}, height {} m\n", o.latitude, o.longitude,
             o.height);
}

}  // namespace volary::cli
