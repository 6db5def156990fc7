// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Autopilots as companions meet them, in virtual time: as much of PX4 and ArduPilot as a flight needs, with their conditions.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "autopilot/companion.hpp"

namespace volary::autopilot::test_companion {

using namespace mavlink;
using Kind = GuidanceCommand::Kind;
using V3 = math::Vec3<double>;

inline constexpr ChannelId kChannel = 3;
inline constexpr double kTick = 0.01;  // s

struct FakeAutopilot {
  mavlink::AutopilotKind kind;
  std::uint8_t system = 1;
  Writer writer{1, 1};
  Parser parser;

  // what it is
  bool is_armed = false, is_ready = true, speaks = true, answers = true, refuses_arming = false, refuses_modes = false, disarms_itself = true;
  VehicleType type = VehicleType::Quadrotor;
  double altitude = 0;  // m, of its start
  double heartbeat_at = 0;  // s, of the second: between the commands of most tests
  std::uint32_t mode = 0;
  LandedState landed = LandedState::OnGround;
  V3 position{0, 0, 0}, velocity{0, 0, 0};  // NED
  double yaw = 0.5;
  double time = 0, last_setpoint = -10, first_setpoint = -1, take_off = 0;
  // what it heard
  std::vector<CommandLong> commands;
  std::vector<CommandInt> places;
  std::vector<SetPositionTargetLocalNed> locals;
  std::vector<SetPositionTargetGlobalInt> globals;
  int heartbeats = 0, stations = 0;  // of companions and ground stations

  explicit FakeAutopilot(mavlink::AutopilotKind k) : kind(k) {}
  bool is_px4() const { return kind == mavlink::AutopilotKind::Px4; }
  std::uint32_t number(std::uint32_t main, std::uint32_t sub = 0) const { return is_px4() ? main << 16 | sub << 24 : main; }
  bool is_guided() const { return mode == (is_px4() ? number(6) : number(4)); }
  bool is_landing() const { return mode == (is_px4() ? number(4, 6) : number(9)); }
  std::vector<CommandLong> heard(mavlink::Command command) const {
    std::vector<CommandLong> list;
    std::copy_if(commands.begin(), commands.end(), std::back_inserter(list), [&](const CommandLong& m) { return m.command == number_of(command); });
    return list;
  }

  void hear(std::span<const std::byte> bytes, Bytes& out) {
    parser.feed(bytes, [&](const Frame& f) {
      EXPECT_EQ(f.system, system);
      EXPECT_EQ(f.component, number_of(Component::OnboardComputer));
      if (f.id == Heartbeat::kId) ++(decode<Heartbeat>(f).type == number_of(VehicleType::Gcs) ? stations : heartbeats);
      if (f.id == CommandInt::kId) obey(decode<CommandInt>(f), out);
      if (f.id == CommandLong::kId) obey(decode<CommandLong>(f), out);
      if (f.id == SetPositionTargetLocalNed::kId) locals.push_back(decode<SetPositionTargetLocalNed>(f)), hear_setpoint();
      if (f.id == SetPositionTargetGlobalInt::kId) globals.push_back(decode<SetPositionTargetGlobalInt>(f)), hear_setpoint();
    });
  }
  void hear_setpoint() {
    if (time - last_setpoint > 0.6) first_setpoint = time;
    last_setpoint = time;
  }
  void obey(const CommandLong& m, Bytes& out) {
    commands.push_back(m);
    if (answers) answer(m.command, result_of(m), out);
  }
  void obey(const CommandInt& m, Bytes& out) {
    places.push_back(m);
    EXPECT_EQ(m.command, number_of(mavlink::Command::DoReposition));
    const bool can = is_armed && !refuses_modes;
    if (can) mode = is_px4() ? number(4, 3) : number(4);
    if (answers) answer(m.command, can ? CommandResult::Accepted : CommandResult::Denied, out);
  }
  void answer(std::uint16_t command, CommandResult result, Bytes& out) {
    CommandAck ack;
    ack.command = command;
    ack.target_system = system, ack.target_component = number_of(Component::OnboardComputer);
    ack.result = number_of(result);
    writer.append(ack, out);
  }
  void say(mavlink::Severity severity, std::string_view text, Bytes& out) {
    Statustext t;
    t.severity = number_of(severity), t.text = fixed_text<50>(text);
    writer.append(t, out);
  }
  CommandResult result_of(const CommandLong& m) {
    switch (static_cast<mavlink::Command>(m.command)) {
      case mavlink::Command::SetMessageInterval: return CommandResult::Accepted;
      case mavlink::Command::DoSetMode: {
        const auto wanted = number(static_cast<std::uint32_t>(m.param2), static_cast<std::uint32_t>(m.param3));
        const bool streams = time - last_setpoint < 0.5 && time - first_setpoint > 0.9;
        if (refuses_modes || (is_px4() && wanted == number(6) && !streams)) return CommandResult::TemporarilyRejected;
        mode = wanted;
        return CommandResult::Accepted;
      }
      case mavlink::Command::ComponentArmDisarm:
        if (m.param1 == 0 && m.param2 != 21196 && landed != LandedState::OnGround) return CommandResult::TemporarilyRejected;
        if (m.param1 == 1 && (!is_ready || refuses_arming)) return CommandResult::TemporarilyRejected;
        is_armed = m.param1 == 1;
        return CommandResult::Accepted;
      case mavlink::Command::NavTakeoff:
        if (is_px4()) {
          mode = number(4, 2);
          take_off = m.param7 - altitude;
          return CommandResult::Accepted;
        }
        if (!is_armed || !is_guided()) return CommandResult::Failed;
        take_off = m.param7;
        landed = LandedState::Takeoff;
        return CommandResult::Accepted;
      case mavlink::Command::MissionStart:
        if (!is_armed) return CommandResult::Failed;
        mode = number(3);
        return CommandResult::Accepted;
      default: return CommandResult::Unsupported;
    }
  }

  void fly() {
    velocity = {0, 0, 0};
    if (is_armed && is_px4() && mode == number(4, 2) && landed == LandedState::OnGround) landed = LandedState::Takeoff;
    if (is_armed && landed == LandedState::Takeoff) {
      velocity = {0, 0, -1};
      if (-position.z >= take_off) {
        landed = LandedState::InAir;
        if (is_px4()) mode = number(4, 3);
      }
    } else if (is_armed && is_guided() && !locals.empty() && (is_px4() || landed == LandedState::InAir)) {
      const SetPositionTargetLocalNed& t = locals.back();
      if ((t.type_mask & 7) == 0) {
        const V3 way = V3{t.x, t.y, t.z} - position;
        const double d = std::sqrt(math::dot(way, way));
        velocity = (d > 0.02 ? std::min(2.0, d) / d : 0.0) * way;
      } else {
        velocity = {t.vx, t.vy, t.vz};
      }
      if (is_px4()) landed = -position.z > 0.2 ? LandedState::InAir : landed;
    } else if (is_armed && is_landing()) {
      velocity = {0, 0, position.z < 0 ? 1.0 : 0.0};
      if (position.z >= 0) landed = LandedState::OnGround;
      if (landed == LandedState::OnGround && disarms_itself) is_armed = false;
    }
    position = position + kTick * velocity;
  }

  void step(Bytes& out) {
    const double before = time;
    time += kTick;
    fly();
    if (!speaks) return;
    const auto is_due = [&](double interval) { return std::floor(time / interval) != std::floor(before / interval); };
    if (std::floor(time - heartbeat_at) != std::floor(before - heartbeat_at)) tell_slow(out);
    if (is_due(0.2)) {
      ExtendedSysState m;
      m.landed_state = number_of(landed);
      writer.append(m, out);
    }
    if (is_due(0.05)) {
      LocalPositionNed m;
      m.x = static_cast<float>(position.x), m.y = static_cast<float>(position.y), m.z = static_cast<float>(position.z);
      m.vx = static_cast<float>(velocity.x), m.vy = static_cast<float>(velocity.y), m.vz = static_cast<float>(velocity.z);
      writer.append(m, out);
      Attitude a;
      a.yaw = static_cast<float>(yaw);
      writer.append(a, out);
    }
  }
  void tell_slow(Bytes& out) {
    Heartbeat h;
    h.autopilot = number_of(kind), h.type = number_of(type), h.custom_mode = mode;
    h.base_mode = static_cast<std::uint8_t>(1 | (is_armed ? 0x80 : 0));
    writer.append(h, out);
    SysStatus s;
    s.onboard_control_sensors_present = number_of(SensorBit::PrearmCheck);
    s.onboard_control_sensors_health = is_ready ? number_of(SensorBit::PrearmCheck) : 0;
    writer.append(s, out);
    if (is_ready) return;
    say(mavlink::Severity::Critical, "PreArm: Need Position Estimate", out);
  }
};

// a companion and its autopilot, at home at (10, 20, 1)
struct Pair {
  FakeAutopilot autopilot;
  Outbox outbox{Component::OnboardComputer};
  Companion companion;
  Parser parser;
  std::vector<std::string> reports, refusals;

  explicit Pair(mavlink::AutopilotKind kind, std::optional<Place> place = {})
      : Pair(kind, CompanionOptions{.system = 1, .name = "scout", .take_off_height = 2, .home_W = {10, 20, 1}, .place = place}) {}
  Pair(mavlink::AutopilotKind kind, const CompanionOptions& options) : autopilot(kind), companion(options, outbox) { outbox.open(kChannel); }
  void fly(double seconds) {
    for (double t = 0; t < seconds - 1e-9; t += kTick) {
      Bytes out;
      autopilot.step(out);
      companion.beat(autopilot.time);
      outbox.take([&](ChannelId, std::span<const std::byte> bytes) { autopilot.hear(bytes, out); });
      parser.feed(out, [&](const Frame& f) { companion.hear(f, kChannel, autopilot.time); });
      for (std::string& text : companion.take_reports()) reports.push_back(std::move(text));
      for (std::string& text : companion.take_refusals()) refusals.push_back(std::move(text));
    }
  }
  void launch() {
    companion.want({.kind = Kind::TakeOff});
    fly(15);
    companion.want({.kind = Kind::Hold});
    fly(1);
  }
};

}  // namespace volary::autopilot::test_companion
