// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The commands of clients: what each does, and the answer that every one of them gets.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "autopilot/virtual_autopilot.hpp"

namespace volary::autopilot {

using namespace mavlink;
using mavlink::Severity;

namespace {

constexpr double kForce = 21196;  // the second parameter of a disarming that stops the rotors in the air
constexpr std::uint16_t kVersion2 = 200;

bool is_relative(std::uint8_t frame) {
  return frame == number_of(CoordinateFrame::GlobalRelativeAlt) || frame == number_of(CoordinateFrame::GlobalRelativeAltInt);
}

}  // namespace

void VirtualAutopilot::hear_command(const CommandLong& m, const Sender& sender) {
  Order o;
  o.command = static_cast<Command>(m.command);
  o.param = {0, m.param1, m.param2, m.param3, m.param4, m.param5, m.param6, m.param7};
  o.is_repeat = m.confirmation > 0;
  obey(o, sender);
}

void VirtualAutopilot::hear_command(const CommandInt& m, const Sender& sender) {
  constexpr std::int32_t kNotGiven = 0x7fffffff;
  const auto degrees = [](std::int32_t x) { return x == kNotGiven ? std::nan("") : x * 1e-7; };
  Order o;
  o.command = static_cast<Command>(m.command);
  o.param = {0, m.param1, m.param2, m.param3, m.param4, degrees(m.x), degrees(m.y), m.z};
  o.frame = m.frame;
  obey(o, sender);
}

// A client that missed the answer asks again: it gets the same one, and nothing happens twice.
void VirtualAutopilot::obey(const Order& order, const Sender& sender) {
  CommandAck m;
  m.command = number_of(order.command);
  const bool again = order.is_repeat && last_ && last_->command == order.command && last_->sender == sender;
  if (!again) last_ = LastCommand{order.command, sender, obeyed(order, sender)};
  m.result = number_of(last_->result);
  m.target_system = sender.system, m.target_component = sender.component;
  outbox_.send(sender.channel, system_, m);
}

VirtualAutopilot::Result VirtualAutopilot::obeyed(const Order& o, const Sender& sender) {
  switch (o.command) {
    case Command::ComponentArmDisarm: return arm(o);
    case Command::NavTakeoff: return take_off(o);
    case Command::NavLand: return change_mode(FlightMode::Land);
    case Command::NavReturnToLaunch: return change_mode(FlightMode::Return);
    case Command::MissionStart:
      if (o.param[1] > 0 && !flight_.set_current(static_cast<std::size_t>(o.param[1]))) return Result::Denied;
      return change_mode(FlightMode::Mission);
    case Command::DoSetMissionCurrent:
      if (!(o.param[1] >= 0) || !flight_.set_current(static_cast<std::size_t>(o.param[1]))) return Result::Denied;
      outbox_.send_all(system_, mission_current(report()));
      return Result::Accepted;
    case Command::DoSetMode:
      if (!(o.param[2] >= 0 && o.param[2] < 256 && o.param[3] >= 0 && o.param[3] < 256)) return Result::Denied;
      return set_mode_by_number(static_cast<std::uint8_t>(o.param[2]), static_cast<std::uint8_t>(o.param[3]));
    case Command::DoReposition: return reposition(o);
    case Command::DoPauseContinue: return change_mode(o.param[1] == 0 ? FlightMode::Hold : FlightMode::Mission);
    case Command::DoChangeSpeed:
      if (!(o.param[2] > 0) || !facts_.max_speed) return Result::Denied;
      pilot_.limit_speed(o.param[2]);
      return Result::Accepted;
    case Command::DoSetHome: return set_home(o);
    case Command::DoFlighttermination:
      if (o.param[1] < 0.5) return Result::Accepted;
      end_steering(), pilot_.stop_rotors();
      return Result::Accepted;
    case Command::RunPrearmChecks: return Result::Accepted;
    case Command::SetMessageInterval:
      if (!(o.param[1] >= 0) || !std::isfinite(o.param[2])) return Result::Denied;
      return streams_.set_interval(static_cast<std::uint32_t>(o.param[1]), o.param[2]) ? Result::Accepted : Result::Unsupported;
    case Command::GetMessageInterval:
    case Command::RequestMessage:
    case Command::RequestProtocolVersion:
    case Command::RequestAutopilotCapabilities:
    case Command::GetHomePosition: return request_message(o, sender);
    default: return Result::Unsupported;
  }
}

// ---------------------------------------------------------------- arming

std::string VirtualAutopilot::why_not_armed() const {
  const VehicleState& s = pilot_.state();
  if (!s.is_alive) return "the vehicle is not in the world";
  if (s.has_crashed) return "the vehicle has crashed";
  if (!facts_.is_guided && !facts_.takes_setpoints) return "this kind of vehicle takes no commands";
  return "";
}

VirtualAutopilot::Result VirtualAutopilot::arm(const Order& o) {
  const bool forced = o.param[2] == kForce;
  if (o.param[1] == 1) {
    if (pilot_.will_be_armed()) return Result::Accepted;
    if (const std::string why = why_not_armed(); !why.empty()) return say(Severity::Critical, "Arming denied: " + why), Result::TemporarilyRejected;
    pilot_.arm();
    return Result::Accepted;
  }
  if (o.param[1] != 0) return Result::Denied;
  if (!pilot_.will_be_armed()) return Result::Accepted;
  if (forced) return end_steering(), pilot_.stop_rotors(), Result::Accepted;
  if (pilot_.is_airborne()) return say(Severity::Critical, "Disarming denied: not landed"), Result::TemporarilyRejected;
  end_steering(), pilot_.disarm();
  return Result::Accepted;
}

// ---------------------------------------------------------------- flight

VirtualAutopilot::Result VirtualAutopilot::take_off(const Order& o) {
  if (!facts_.is_guided) return Result::Unsupported;
  if (!pilot_.will_be_armed()) return say(Severity::Critical, "Takeoff denied: not armed"), Result::TemporarilyRejected;
  if (pilot_.is_airborne()) return say(Severity::Critical, "Takeoff denied: already in the air"), Result::Denied;
  double height = parameters_["MIS_TAKEOFF_ALT"];
  if (std::isfinite(o.param[7])) height = is_relative(o.frame) ? o.param[7] : o.param[7] - place_.on_earth(pilot_.state().position_W).altitude;
  if (!(height > 0.1)) return say(Severity::Critical, "Takeoff denied: the altitude is not above the vehicle"), Result::Denied;
  end_steering();
  pilot_.take_off(height);
  return Result::Accepted;
}

VirtualAutopilot::Result VirtualAutopilot::reposition(const Order& o) {
  if (!facts_.takes_setpoints) return Result::Unsupported;
  if (!pilot_.is_airborne()) return say(Severity::Critical, "Reposition denied: not in the air"), Result::TemporarilyRejected;
  const VehicleState& s = pilot_.state();
  LatLon to = place_.on_earth(s.position_W);
  const double home = place_.on_earth(facts_.home_W).altitude;
  if (std::isfinite(o.param[5]) && std::isfinite(o.param[6])) {
    if (std::abs(o.param[5]) > 90 || std::abs(o.param[6]) > 180) return Result::Denied;
    to.latitude = o.param[5], to.longitude = o.param[6];
  }
  if (std::isfinite(o.param[7])) to.altitude = is_relative(o.frame) ? home + o.param[7] : o.param[7];
  pilot_.limit_speed(o.param[1] > 0 ? o.param[1] : parameters_.cruise_speed());
  const double yaw = std::isfinite(o.param[4]) ? yaw_from_compass(o.param[4]) : yaw_of(s.attitude);
  end_steering();
  pilot_.hold();  // behaviours of the flock let go
  pilot_.go_to(place_.in_world(to), yaw);
  steering_ = Steering::GoTo;
  return Result::Accepted;
}

VirtualAutopilot::Result VirtualAutopilot::set_mode_by_number(std::uint8_t main, std::uint8_t sub) {
  const FlightModeInfo* info = find_flight_mode(main, sub);
  if (info == nullptr) return say(Severity::Warning, fmt::format("Mode {}/{} is not available", main, sub)), Result::Denied;
  return change_mode(info->mode);
}

VirtualAutopilot::Result VirtualAutopilot::change_mode(FlightMode mode) {
  const bool flies = pilot_.is_airborne(), armed = pilot_.will_be_armed();
  const bool needs_setpoints = mode == FlightMode::Return || mode == FlightMode::Position || mode == FlightMode::Offboard;
  if (!facts_.is_guided || (needs_setpoints && !facts_.takes_setpoints)) return Result::Unsupported;
  if (mode == FlightMode::Offboard && !has_fresh_setpoint())
    return say(Severity::Warning, "Offboard needs a stream of setpoints first"), Result::TemporarilyRejected;
  if (!armed) return chosen_ = mode, Result::Accepted;  // it counts from arming on
  if (mode == FlightMode::TakeOff) return flies ? Result::Denied : take_off({.command = Command::NavTakeoff, .param = {0, 0, 0, 0, 0, 0, 0, std::nan("")}});
  end_steering();
  switch (mode) {
    case FlightMode::Hold:
      if (flies) pilot_.hold();
      break;
    case FlightMode::Land:
      if (flies) pilot_.land();
      break;
    case FlightMode::Return:
      if (!flies) break;
      pilot_.hold();
      pilot_.limit_speed(parameters_.cruise_speed());
      return_ = ReturnPhase::Climb;
      steering_ = Steering::Return;
      break;
    case FlightMode::Position:
      if (flies) pilot_.hold();
      yaw_ = yaw_of(pilot_.state().attitude), yaw_time_ = pilot_.state().time;
      steering_ = Steering::Manual;
      break;
    case FlightMode::Offboard:
      if (facts_.max_speed) pilot_.limit_speed(parameters_["MPC_XY_VEL_MAX"]);
      steering_ = Steering::Offboard;
      pilot_.steer(*offboard_);
      break;
    case FlightMode::Mission:
      if (flight_.plan().empty()) {
        say(Severity::Info, "No mission uploaded: flying that of the scenario");
        pilot_.fly_scenario();
        break;
      }
      flight_.start();
      steering_ = Steering::Mission;
      break;
    case FlightMode::TakeOff: break;
  }
  return Result::Accepted;
}

VirtualAutopilot::Result VirtualAutopilot::set_home(const Order& o) {
  if (o.param[1] == 1) {
    facts_.home_W = pilot_.state().position_W;
  } else {
    if (!(std::abs(o.param[5]) <= 90 && std::abs(o.param[6]) <= 180 && std::isfinite(o.param[7]))) return Result::Denied;
    facts_.home_W = place_.in_world({o.param[5], o.param[6], o.param[7]});
  }
  outbox_.send_all(system_, home_position(report()));
  return Result::Accepted;
}

// ---------------------------------------------------------------- messages on request

VirtualAutopilot::Result VirtualAutopilot::request_message(const Order& o, const Sender& sender) {
  const ChannelId to = sender.channel;
  std::uint32_t id = o.param[1] >= 0 && o.param[1] < 16777216 ? static_cast<std::uint32_t>(o.param[1]) : 0;
  if (o.command == Command::RequestAutopilotCapabilities) id = AutopilotVersion::kId;
  if (o.command == Command::RequestProtocolVersion) id = ProtocolVersion::kId;
  if (o.command == Command::GetHomePosition) id = HomePosition::kId;
  if (o.command == Command::GetMessageInterval) {
    MessageInterval m;
    m.message_id = static_cast<std::uint16_t>(id);
    const std::optional<double> interval = streams_.interval_of(id);
    m.interval_us = interval ? static_cast<std::int32_t>(*interval) : 0;  // 0: there is none
    return outbox_.send(to, system_, m), Result::Accepted;
  }
  if (id == AutopilotVersion::kId) return outbox_.send(to, system_, autopilot_version(report(), system_)), Result::Accepted;
  if (id == Heartbeat::kId && o.command == Command::RequestMessage) return outbox_.send(to, system_, heartbeat(report())), Result::Accepted;
  if (id == ProtocolVersion::kId) {
    ProtocolVersion m;
    m.version = m.max_version = kVersion2;
    m.min_version = 100;
    return outbox_.send(to, system_, m), Result::Accepted;
  }
  if (id == AvailableModes::kId) {
    const double index = o.param[2];
    if (!(index >= 0 && index <= kModeCount)) return Result::Denied;
    for (std::uint8_t k = 1; k <= kModeCount; ++k)
      if (index == 0 || index == k) outbox_.send(to, system_, available_mode(k));
    return Result::Accepted;
  }
  return send_once(id, report(), system_, outbox_, to) ? Result::Accepted : Result::Unsupported;
}

}  // namespace volary::autopilot
