// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What clients ask for, read from JSON and checked as far as that goes without a world.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/result.hpp"
#include "runner/autopilots.hpp"
#include "server/remote.hpp"
#include "server/wire.hpp"
#include "volary/def.hpp"
#include "volary/ids.hpp"
#include "volary/input.hpp"

namespace volary::server {

// a command with its arguments; only those of its kind mean something
struct Action {
  wire::Command command = wire::Command::Pause;
  std::vector<std::string> who;  // names or numbers of vehicles; empty where the command allows it: every vehicle
  std::vector<VehicleId> ids;    // the same, once the session has looked them up
  Vec position = {0, 0, 0};    // m
  bool keep_offsets = true;
  std::optional<Mode> mode = Mode::Hold;  // nothing: only an autopilot can do it
  runner::FlightOrder::Kind order = runner::FlightOrder::Kind::Hold;  // the same for an autopilot
  std::string name, flock, scenario;
  std::vector<std::string> overrides;
  int component = 0;
  double value = 0;            // of a parameter, weight of a behaviour
  std::string text;            // value of a field
  std::uint64_t ticks = 1;
  double factor = 1;
  bool paused = false;
  Payload payload;             // of a plain input or a fault
  std::uint64_t tick = 0;      // when it acts; 0: at once
  struct Moment {
    double after = 0;          // s from the tick of the action
    Payload payload;
  };
  std::vector<Moment> series;  // of a plain input that is given many times, instead of the payload
};
core::Result<Action> parse_action(std::string_view name, const nlohmann::json& args);

struct WantMessage {
  double rate = 30;    // Hz
  bool links = false;  // who hears and sees whom
  std::string decision;    // whose behaviours, by name or number; none: nobody's
  bool fields = false; // what can be changed in flight, of its flock and of the radio
  bool stimuli = false;  // fields of them
  std::vector<std::string> plots;  // vehicles whose plotted numbers are told, by name or number
  std::vector<std::string> estimates;  // vehicles whose sensors and estimates are told, by name or number
  std::vector<std::string> bodies;  // vehicles whose aircraft, contacts and pushes are told, by name or number
  LiveView view = LiveView::Committed;  // of a federation
};
struct CommandMessage {
  std::int64_t seq = 0;
  core::Result<Action> action;
};
struct ControlMessage {
  std::string who;           // name or number
  Vec velocity = {0, 0, 0};  // m/s
  double yaw_rate = 0;       // rad/s
  double roll_rate = 0, pitch_rate = 0;  // rad/s, of platforms
  bool is_levelling = false;             // roll and pitch of a platform go back to 0
};
using ClientMessage = std::variant<WantMessage, CommandMessage, ControlMessage>;
// an error is one that has no sequence number to answer to
core::Result<ClientMessage> parse_client_message(std::string_view text);

core::Result<nlohmann::json> parse_json(std::string_view text);
std::string dump(const nlohmann::json& json);  // bytes that are no UTF-8 are replaced
std::string id_text(VehicleId id);

}  // namespace volary::server
