// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/mavlink_options.hpp"

#include <CLI/CLI.hpp>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "autopilot/place.hpp"

namespace volary::cli {

namespace {

void tell(const std::string& text) { fmt::print(stderr, "volary: {}\n", text); }

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

core::Result<std::vector<autopilot::StationLink>> parse_links(const std::vector<std::string>& texts, const std::string& option) {
  std::vector<autopilot::StationLink> links;
  for (const std::string& text : texts) {
    const auto link = autopilot::parse_station_link(text);
    if (!link) {
      core::Error error = link.error();
      error.field = option + " " + text;
      return error;
    }
    links.push_back(link.value());
  }
  return links;
}

core::Result<std::optional<mavlink::Key>> key_of(const MavlinkOptions& options) {
  if (options.key_file.empty()) return std::optional<mavlink::Key>();
  const auto key = read_key_file(options.key_file);
  if (!key) return key.error();
  return std::optional(key.value());
}

core::Error named(core::Error error, const char* option) {
  if (error.field.empty()) error.field = option;
  return error;
}

core::Result<std::unique_ptr<autopilot::StationService>> open_station(const MavlinkOptions& options, const std::optional<mavlink::Key>& key) {
  if (options.links.empty()) return std::unique_ptr<autopilot::StationService>();
  auto links = parse_links(options.links, "--mavlink");
  if (!links) return links.error();
  auto opened = autopilot::StationService::open({std::move(links).value(), key});
  if (!opened) return named(opened.error(), "--mavlink");
  return opened;
}

core::Result<std::unique_ptr<autopilot::MirrorService>> open_mirrors(const MavlinkOptions& options, const std::optional<mavlink::Key>& key, const WorldDef& def) {
  if (options.mirrors.empty()) return std::unique_ptr<autopilot::MirrorService>();
  auto links = parse_links(options.mirrors, "--mirror");
  if (!links) return links.error();
  if (!autopilot::has_mirrors(def))
    return core::Error{.message = "the scenario has no mirror that MAVLink could move", .field = "--mirror", .suggestion = "add a flock with mirror: true"};
  auto opened = autopilot::MirrorService::open({std::move(links).value(), key, tell});
  if (!opened) return named(opened.error(), "--mirror");
  return opened;
}

void tell_station(const autopilot::StationService& station, const WorldDef& def) {
  for (const std::string& link : station.links()) tell("MAVLink on " + link);
  if (def.environment.weather.origin) return;
  const OriginDef& o = autopilot::kDefaultOrigin;
  tell(fmt::format("the scenario has no environment.origin: its world lies at latitude {}, longitude {}, height {} m", o.latitude, o.longitude, o.height));
}

}  // namespace

void add_mavlink_options(CLI::App& command, MavlinkOptions& options) {
  command
      .add_option(
          "--mavlink", options.links,
          "link on which every vehicle is a MAVLink vehicle: udpout:HOST:PORT, udpin:HOST:PORT, tcp:HOST:PORT, tcpin:HOST:PORT or serial:DEVICE:BAUD, and "
          "behind it ,vehicles=FIRST-LAST; may be repeated")
      ->allow_extra_args(false);
  command
      .add_option("--mirror", options.mirrors,
                  "link to vehicles outside the world. Each moves the mirror with the number of its system, and the behaviours of the mirror steer it; links as for "
                  "--mavlink; may be repeated")
      ->allow_extra_args(false);
  command.add_option("--mavlink-key", options.key_file, "file with the key or passphrase that signs all MAVLink messages; default: messages are not signed");
}

void MavlinkEdges::plug_into(std::vector<runner::Source*>& sources, std::vector<runner::Sink*>& sinks) const {
  if (station) sources.push_back(station.get()), sinks.push_back(station.get());
  if (mirrors) sources.push_back(mirrors.get()), sinks.push_back(mirrors.get());
}

void MavlinkEdges::plug_into(server::SessionOptions& session) const {
  plug_into(session.sources, session.sinks);
  if (mirrors) session.autopilots.push_back(mirrors.get());  // before the station, which has every vehicle
  if (station) session.autopilots.push_back(station.get());
}

core::Result<MavlinkEdges> open_mavlink(const MavlinkOptions& options, const WorldDef& def, bool is_quiet) {
  if (options.links.empty() && options.mirrors.empty() && !options.key_file.empty())
    return core::Error{.message = "--mavlink-key has no effect without a link", .suggestion = "add --mavlink udpout:127.0.0.1:14550"};
  const auto key = key_of(options);
  if (!key) return key.error();
  auto station = open_station(options, key.value());
  if (!station) return station.error();
  auto mirrors = open_mirrors(options, key.value(), def);
  if (!mirrors) return mirrors.error();
  MavlinkEdges edges{std::move(station).value(), std::move(mirrors).value()};
  if (is_quiet) return edges;
  if (edges.station) tell_station(*edges.station, def);
  if (edges.mirrors)
    for (const std::string& link : edges.mirrors->links()) tell("mirrors on " + link);
  return edges;
}

}  // namespace volary::cli
