// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Vehicles of real worlds as a client of MAVLink meets them, in virtual time and without sockets.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <map>

#include "autopilot/station.hpp"
#include "engine/engine_test_support.hpp"

namespace volary::autopilot::test_flight {

using namespace mavlink;

inline constexpr ChannelId kChannel = 7;

// quadrotors that stand on the ground side by side
inline WorldDef standing(int n) {
  WorldDef def = test::circling(n);
  def.duration = 10'000;
  for (std::size_t k = 0; k < def.flocks[0].vehicles.size(); ++k) {
    VehicleDef& v = def.flocks[0].vehicles[k];
    v.mode = Mode::Disarmed;
    v.position_W = {3.0 * static_cast<double>(k), 0, 0};
  }
  return def;
}

// a world, a station and one client
struct Flight {
  std::unique_ptr<World> world;
  Station station;
  Writer writer{255, 190};
  Parser parser;
  std::map<std::pair<int, std::uint32_t>, std::vector<Frame>> heard;  // by system and message
  std::vector<Input> given;
  double now = 100;

  explicit Flight(const WorldDef& def, std::vector<VehicleRange> networks = {VehicleRange{}}, std::optional<Key> key = {})
      : world(test::make(def)), station(std::move(networks), key) {
    station.begin(*world);
    station.opened(kChannel, 0);
  }

  void listen(ChannelId to = kChannel) {
    station.take_sends([&](ChannelId channel, std::span<const std::byte> bytes) {
      if (channel != to) return;
      parser.feed(bytes, [&](const Frame& f) {
        Frame kept = f;
        kept.bytes = {};
        heard[{f.system, f.id}].push_back(kept);
      });
    });
  }
  template <class M> void say(const M& message, Writer* by = nullptr) {
    Bytes bytes;
    (by != nullptr ? *by : writer).append(message, bytes);
    station.received(kChannel, bytes, now, 0);
    listen();
  }
  void step(double seconds) {
    const auto ticks = static_cast<int>(std::lround(seconds * 1e9 / static_cast<double>(world->def().tick_ns)));
    for (int k = 0; k < ticks; ++k) {
      std::vector<Input> inputs;
      station.take_inputs(inputs);
      for (Input& in : inputs) {
        in.tick = world->tick();
        given.push_back(in);
        ASSERT_TRUE(world->submit(std::move(in)));
      }
      world->step();
      now += static_cast<double>(world->def().tick_ns) * 1e-9;
      station.see(*world);
      if (k % 5 == 0) station.beat(now, 0);
      listen();
    }
  }
  template <class M> std::optional<M> last(int system = 1) {
    const auto it = heard.find({system, M::kId});
    if (it == heard.end() || it->second.empty()) return std::nullopt;
    return decode<M>(it->second.back());
  }
  template <class M> std::size_t count(int system = 1) { return heard[{system, M::kId}].size(); }
  void forget() { heard.clear(); }

  CommandResult command(Command c, std::array<float, 7> p = {}, std::uint8_t system = 1) {
    CommandLong m;
    m.command = number_of(c);
    m.param1 = p[0], m.param2 = p[1], m.param3 = p[2], m.param4 = p[3], m.param5 = p[4], m.param6 = p[5], m.param7 = p[6];
    m.target_system = system, m.target_component = 1;
    heard[{system, CommandAck::kId}].clear();
    say(m);
    const auto ack = last<CommandAck>(system);
    EXPECT_TRUE(ack && ack->command == m.command && ack->target_system == 255);
    return ack ? static_cast<CommandResult>(ack->result) : CommandResult::Failed;
  }
  void take_off(double height, std::uint8_t system = 1) {
    ASSERT_EQ(command(Command::ComponentArmDisarm, {1}, system), CommandResult::Accepted);
    const float above_sea = static_cast<float>(kDefaultOrigin.height + height);
    ASSERT_EQ(command(Command::NavTakeoff, {0, 0, 0, 0, 0, 0, above_sea}, system), CommandResult::Accepted);
    step(4 + 3 * height);
  }
  Vec position(std::size_t k = 0) const { return world->position_of(world->vehicles()[k]); }
  Mode mode(std::size_t k = 0) const { return world->mode_of(world->vehicles()[k]); }
};

inline std::uint32_t custom_mode(FlightMode m) { return info_of(m).custom_mode(); }

inline MissionItemInt waypoint(std::uint16_t seq, double north, double east, double up) {
  const Place place{std::nullopt};
  const LatLon at = place.on_earth({east, north, up});
  MissionItemInt m;
  m.target_system = 1, m.target_component = 1;
  m.seq = seq;
  m.command = number_of(Command::NavWaypoint);
  m.frame = number_of(CoordinateFrame::GlobalRelativeAltInt);
  m.x = degrees_e7(at.latitude), m.y = degrees_e7(at.longitude), m.z = static_cast<float>(up);
  m.param4 = std::nanf("");
  m.autocontinue = 1;
  return m;
}

// as the protocol has it: the vehicle asks for every item
inline MissionResult upload(Flight& f, const std::vector<MissionItemInt>& items, MissionType type = MissionType::Mission) {
  MissionCount count;
  count.target_system = 1, count.target_component = 1;
  count.count = static_cast<std::uint16_t>(items.size());
  count.mission_type = number_of(type);
  f.forget();
  f.say(count);
  for (std::size_t k = 0; k < items.size(); ++k) {
    const auto asked = f.last<MissionRequestInt>();
    if (!asked || f.last<MissionAck>()) break;
    EXPECT_EQ(asked->seq, k);
    MissionItemInt m = items[k];
    m.mission_type = number_of(type);
    f.say(m);
  }
  const auto ack = f.last<MissionAck>();
  EXPECT_TRUE(ack);
  return ack ? static_cast<MissionResult>(ack->type) : MissionResult::Error;
}

}  // namespace volary::autopilot::test_flight
