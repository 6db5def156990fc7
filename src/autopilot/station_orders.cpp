// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Orders of somebody in this process, as the messages that a ground station would send for them.
#include <cmath>

#include <fmt/format.h>

#include "autopilot/station.hpp"
#include "math/frames.hpp"

namespace volary::autopilot {

using namespace mavlink;
using runner::FlightOrder;

namespace {

// a ground station on no channel: what is answered to it alone goes nowhere
constexpr Sender kHere{0, 254, number_of(Component::Missionplanner)};

template <class M> Frame frame_of(const M& message) {
  Frame f;
  f.system = kHere.system, f.component = kHere.component;
  f.id = M::kId;
  f.is_known = true;
  f.length = static_cast<std::uint8_t>(encode(message, f.payload));
  return f;
}

Frame command(Command c, float p1 = 0, float p2 = 0, float p3 = 0, float p7 = 0) {
  CommandLong m;
  m.command = number_of(c);
  m.param1 = p1, m.param2 = p2, m.param3 = p3, m.param7 = p7;
  return frame_of(m);
}

Frame choose(FlightMode mode) {
  const FlightModeInfo& info = info_of(mode);
  return command(Command::DoSetMode, 1, info.main, info.sub);
}

Frame reposition(const LatLon& to) {
  CommandInt m;
  m.command = number_of(Command::DoReposition);
  m.frame = number_of(CoordinateFrame::Global);
  m.param1 = -1;  // at the usual speed
  m.param4 = std::nanf("");  // with the nose as it is
  m.x = degrees_e7(to.latitude), m.y = degrees_e7(to.longitude), m.z = static_cast<float>(to.altitude);
  return frame_of(m);
}

Frame velocity(const FlightOrder& o) {
  constexpr std::uint16_t kVelocityAndYawRate = 0x5c7;  // bits of what is ignored: position, acceleration, yaw
  const math::Vec3<double> v = math::ned_from_enu(math::Vec3<double>{o.velocity_W[0], o.velocity_W[1], o.velocity_W[2]});
  SetPositionTargetLocalNed m;
  m.coordinate_frame = number_of(CoordinateFrame::LocalNed);
  m.type_mask = kVelocityAndYawRate;
  m.vx = static_cast<float>(v.x), m.vy = static_cast<float>(v.y), m.vz = static_cast<float>(v.z);
  m.yaw_rate = static_cast<float>(-o.yaw_rate);
  return frame_of(m);
}

// A ground station arms a vehicle before it has it take off or fly a mission.
std::vector<Frame> frames_for(const FlightOrder& o, const Place& place, FlightMode now) {
  const Frame arm = command(Command::ComponentArmDisarm, 1);
  switch (o.kind) {
    case FlightOrder::Kind::Arm: return {arm};
    case FlightOrder::Kind::Disarm: return {command(Command::ComponentArmDisarm, 0)};
    case FlightOrder::Kind::TakeOff: return {arm, command(Command::NavTakeoff, 0, 0, 0, std::nanf(""))};
    case FlightOrder::Kind::Hold: return {choose(FlightMode::Hold)};
    case FlightOrder::Kind::GoTo: return {reposition(place.on_earth(o.position_W))};
    case FlightOrder::Kind::Mission: return {arm, command(Command::MissionStart)};
    case FlightOrder::Kind::Return: return {command(Command::NavReturnToLaunch)};
    case FlightOrder::Kind::Land: return {command(Command::NavLand)};
    case FlightOrder::Kind::Terminate: return {command(Command::DoFlighttermination, 1)};
    case FlightOrder::Kind::Steer:
      return now == FlightMode::Offboard ? std::vector<Frame>{velocity(o)} : std::vector<Frame>{velocity(o), choose(FlightMode::Offboard)};
  }
  return {};
}

const char* words_of(CommandResult result) {
  switch (result) {
    case CommandResult::TemporarilyRejected: return "not possible now";
    case CommandResult::Denied: return "denied";
    case CommandResult::Unsupported: return "this vehicle cannot do it";
    default: return "failed";
  }
}

}  // namespace

VirtualAutopilot* Station::find(VehicleId id) const {
  for (const Network& n : networks_) {
    if (id.number() < n.range.first || id.number() - n.range.first >= kMostSystems) continue;
    const auto it = n.vehicles.find(static_cast<std::uint8_t>(id.number() - n.range.first + 1));
    if (it != n.vehicles.end() && it->second->facts().id == id) return it->second.get();
  }
  return nullptr;
}

core::Status Station::order(VehicleId id, const FlightOrder& o, double now) {
  VirtualAutopilot* const vehicle = find(id);
  if (vehicle == nullptr) return core::Error{.message = "no MAVLink vehicle has this number"};
  const std::uint64_t before = vehicle->n_said();
  for (const Frame& frame : frames_for(o, *place_, vehicle->mode())) {
    vehicle->hear(frame, kHere, now);
    const bool is_command = frame.id == CommandLong::kId || frame.id == CommandInt::kId;
    if (!is_command || vehicle->answered() == CommandResult::Accepted) continue;
    // the reason is what it said, and the bare answer where it said nothing
    if (vehicle->n_said() == before) return core::Error{.message = words_of(*vehicle->answered())};
    return core::Error{.message = vehicle->said().back().text};
  }
  return core::ok();
}

runner::AutopilotReport Station::report_of(VehicleId id) const {
  const VirtualAutopilot* const vehicle = find(id);
  if (vehicle == nullptr) return {};
  runner::AutopilotReport state;
  state.kind = "Volary";
  state.system = vehicle->system();
  state.mode = info_of(vehicle->mode()).name;
  state.is_armed = vehicle->is_armed();
  for (const VirtualAutopilot::Said& said : vehicle->said()) state.messages.push_back({said.time, number_of(said.severity), said.text});
  return state;
}

}  // namespace volary::autopilot
