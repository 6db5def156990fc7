// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Vehicles of real worlds as a client of MAVLink meets them, in virtual time and without sockets.
#include "autopilot/station.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <map>

#include "engine/engine_test_support.hpp"

namespace volary::autopilot {
namespace {

using namespace mavlink;

constexpr ChannelId kChannel = 7;

// quadrotors that stand on the ground side by side
WorldDef standing(int n) {
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

std::uint32_t custom_mode(FlightMode m) { return info_of(m).custom_mode(); }

TEST(station, every_vehicle_sends_a_heartbeat_a_second_by_the_wall_whether_time_passes_or_not) {
  Flight f(standing(3));
  for (int k = 0; k < 50; ++k) f.now += 0.1, f.station.beat(f.now, 0);
  f.listen();
  for (int system = 1; system <= 3; ++system) {
    EXPECT_EQ(f.count<Heartbeat>(system), 5u);
    const auto m = f.last<Heartbeat>(system);
    EXPECT_EQ(m->type, number_of(VehicleType::Quadrotor));
    EXPECT_EQ(m->autopilot, number_of(AutopilotKind::Px4));
    EXPECT_EQ(m->base_mode & 0x81, 0x01);
  }
  EXPECT_EQ(f.count<Attitude>(), 0u);  // telemetry goes by ticks
}

TEST(station, telemetry_comes_at_its_rate_in_simulated_time_and_at_another_on_request) {
  Flight f(standing(1));
  f.step(10);
  EXPECT_NEAR(static_cast<double>(f.count<Attitude>()), 100, 1);
  EXPECT_NEAR(static_cast<double>(f.count<SysStatus>()), 20, 1);
  EXPECT_EQ(f.command(Command::SetMessageInterval, {30, 40'000}), CommandResult::Accepted);
  EXPECT_EQ(f.command(Command::SetMessageInterval, {1, -1}), CommandResult::Accepted);
  EXPECT_EQ(f.command(Command::SetMessageInterval, {12345, 1000}), CommandResult::Unsupported);
  f.forget();
  f.step(10);
  EXPECT_NEAR(static_cast<double>(f.count<Attitude>()), 250, 1);
  EXPECT_EQ(f.count<SysStatus>(), 0u);
  EXPECT_EQ(f.command(Command::GetMessageInterval, {30}), CommandResult::Accepted);
  EXPECT_EQ(f.last<MessageInterval>()->interval_us, 40'000);
}

TEST(station, frames_of_a_vehicle_are_counted_without_gaps_on_each_channel) {
  Flight f(standing(1));
  f.station.opened(9, 0);
  f.command(Command::RequestMessage, {148});  // the answer goes to one channel only
  std::vector<std::uint8_t> sequence;
  Parser parser;
  for (int k = 0; k < 100; ++k) {
    f.world->step();
    f.station.see(*f.world);
    f.station.take_sends([&](ChannelId channel, std::span<const std::byte> bytes) {
      if (channel == 9) parser.feed(bytes, [&](const Frame& frame) { sequence.push_back(frame.sequence); });
    });
  }
  ASSERT_GT(sequence.size(), 50u);
  for (std::size_t k = 1; k < sequence.size(); ++k) EXPECT_EQ(sequence[k], static_cast<std::uint8_t>(sequence[k - 1] + 1));
}

TEST(station, arms_takes_off_to_the_height_and_lands_and_disarms) {
  Flight f(standing(1));
  EXPECT_EQ(f.command(Command::NavTakeoff, {}), CommandResult::TemporarilyRejected);  // not armed
  f.take_off(6);
  EXPECT_NEAR(f.position()[2], 6, 0.3);
  EXPECT_EQ(f.last<Heartbeat>()->custom_mode, custom_mode(FlightMode::Hold));
  EXPECT_EQ(f.last<ExtendedSysState>()->landed_state, number_of(LandedState::InAir));
  EXPECT_NEAR(f.last<GlobalPositionInt>()->relative_alt * 1e-3, 6, 0.3);
  EXPECT_EQ(f.command(Command::ComponentArmDisarm, {0}), CommandResult::TemporarilyRejected);  // in the air
  EXPECT_EQ(f.command(Command::NavLand), CommandResult::Accepted);
  f.step(25);
  EXPECT_EQ(f.mode(), Mode::Disarmed);
  EXPECT_EQ(f.last<ExtendedSysState>()->landed_state, number_of(LandedState::OnGround));
  EXPECT_EQ(f.last<Heartbeat>()->base_mode & 0x80, 0);
}

TEST(station, an_armed_vehicle_that_does_not_take_off_disarms_by_itself) {
  Flight f(standing(1));
  EXPECT_EQ(f.command(Command::ComponentArmDisarm, {1}), CommandResult::Accepted);
  f.step(9);
  EXPECT_EQ(f.mode(), Mode::Armed);
  f.step(2);
  EXPECT_EQ(f.mode(), Mode::Disarmed);
}

TEST(station, commands_reach_one_vehicle_or_all_and_never_another_component) {
  Flight f(standing(3));
  f.command(Command::ComponentArmDisarm, {1}, 2);
  f.step(0.1);
  EXPECT_EQ(f.mode(0), Mode::Disarmed);
  EXPECT_EQ(f.mode(1), Mode::Armed);
  CommandLong m;
  m.command = number_of(Command::ComponentArmDisarm);
  m.param1 = 1;
  m.target_component = 100;  // cameras
  f.say(m);
  f.step(0.1);
  EXPECT_EQ(f.mode(2), Mode::Disarmed);
  m.target_component = 0;
  f.say(m);
  f.step(0.1);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(f.mode(k), Mode::Armed);
}

TEST(station, unknown_commands_are_answered) {
  Flight f(standing(1));
  EXPECT_EQ(f.command(static_cast<Command>(31'999)), CommandResult::Unsupported);
  EXPECT_EQ(f.command(Command::DoSetMode, {1, 9, 9}), CommandResult::Denied);
  EXPECT_EQ(f.command(Command::RequestMessage, {9999}), CommandResult::Unsupported);
}

TEST(station, a_command_that_is_repeated_gets_the_same_answer_and_acts_once) {
  Flight f(standing(1));
  f.command(Command::ComponentArmDisarm, {1});
  CommandLong m;
  m.command = number_of(Command::NavTakeoff);
  m.param7 = std::nanf(""), m.target_system = 1, m.target_component = 1;
  f.say(m);
  f.step(5);
  m.confirmation = 1;
  f.say(m);
  EXPECT_EQ(f.last<CommandAck>()->result, number_of(CommandResult::Accepted));
  m.confirmation = 0;
  f.say(m);
  EXPECT_EQ(f.last<CommandAck>()->result, number_of(CommandResult::Denied));  // it flies already
}

TEST(station, a_stranger_with_the_number_of_a_vehicle_is_not_heard) {
  Flight f(standing(2));
  Writer impostor(2, 1);
  CommandLong m;
  m.command = number_of(Command::ComponentArmDisarm);
  m.param1 = 1, m.target_system = 1, m.target_component = 1;
  f.say(m, &impostor);
  f.step(0.1);
  EXPECT_EQ(f.mode(), Mode::Disarmed);
  EXPECT_EQ(f.station.counts().refused, 1u);
}

TEST(station, offboard_needs_a_stream_and_ends_in_hold_without_one) {
  Flight f(standing(1));
  f.take_off(4);
  EXPECT_EQ(f.command(Command::DoSetMode, {1, 6, 0}), CommandResult::TemporarilyRejected);
  SetPositionTargetLocalNed m;
  m.target_system = 1, m.target_component = 1;
  m.coordinate_frame = number_of(CoordinateFrame::LocalNed);
  m.type_mask = 0x9f8;  // position and yaw
  m.x = 5, m.y = 3, m.z = -6, m.yaw = 0;
  f.say(m);
  EXPECT_EQ(f.command(Command::DoSetMode, {1, 6, 0}), CommandResult::Accepted);
  for (int k = 0; k < 100; ++k) f.say(m), f.step(0.1);
  EXPECT_EQ(f.last<Heartbeat>()->custom_mode, custom_mode(FlightMode::Offboard));
  EXPECT_NEAR(f.position()[0], 3, 0.1);  // NED x is north, which is y here
  EXPECT_NEAR(f.position()[1], 5, 0.1);
  EXPECT_NEAR(f.position()[2], 6, 0.1);
  const std::size_t before = f.given.size();
  for (int k = 0; k < 20; ++k) f.say(m), f.step(0.1);
  EXPECT_EQ(f.given.size(), before);  // the same position again is no new input
  f.step(1.2);
  EXPECT_EQ(f.mode(), Mode::Hold);
  EXPECT_EQ(f.last<Heartbeat>()->custom_mode, custom_mode(FlightMode::Hold));
}

TEST(station, velocities_in_the_frame_of_the_body_turn_with_the_nose) {
  Flight f(standing(1));
  f.take_off(4);
  SetPositionTargetLocalNed m;
  m.target_system = 1, m.target_component = 1;
  m.coordinate_frame = number_of(CoordinateFrame::BodyNed);
  m.type_mask = 0xdc7 & ~0x400u;  // velocity and yaw
  m.vx = 1, m.yaw = static_cast<float>(1.5707963);  // east
  f.say(m);
  f.command(Command::DoSetMode, {1, 6, 0});
  for (int k = 0; k < 60; ++k) f.say(m), f.step(0.1);
  const Vec v = f.world->velocity_of(f.world->vehicles()[0]);
  EXPECT_NEAR(v[0], 1, 0.1);
  EXPECT_NEAR(v[1], 0, 0.1);
}

MissionItemInt waypoint(std::uint16_t seq, double north, double east, double up) {
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
MissionResult upload(Flight& f, const std::vector<MissionItemInt>& items, MissionType type = MissionType::Mission) {
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

TEST(station, a_mission_is_flown_item_by_item_and_every_item_is_reported) {
  Flight f(standing(1));
  MissionItemInt land = waypoint(3, 0, 0, 0);
  land.command = number_of(Command::NavLand);
  ASSERT_EQ(upload(f, {waypoint(0, 10, 0, 5), waypoint(1, 10, 10, 8), waypoint(2, 0, 10, 5), land}), MissionResult::Accepted);
  EXPECT_EQ(f.command(Command::ComponentArmDisarm, {1}), CommandResult::Accepted);
  EXPECT_EQ(f.command(Command::MissionStart), CommandResult::Accepted);
  double nearest[2] = {1e9, 1e9};
  for (int k = 0; k < 900; ++k) {
    f.step(0.1);
    const Vec p = f.position();
    nearest[0] = std::min(nearest[0], std::hypot(p[0] - 0, p[1] - 10, p[2] - 5));
    nearest[1] = std::min(nearest[1], std::hypot(p[0] - 10, p[1] - 10, p[2] - 8));
    if (k > 50 && f.mode() == Mode::Disarmed) break;
  }
  EXPECT_LT(nearest[0], 2);
  EXPECT_LT(nearest[1], 2);
  EXPECT_EQ(f.mode(), Mode::Disarmed);
  EXPECT_EQ(f.count<MissionItemReached>(), 4u);
  EXPECT_EQ(f.last<MissionCurrent>()->mission_state, number_of(MissionState::Complete));
}

TEST(station, a_mission_comes_down_as_it_went_up) {
  Flight f(standing(1));
  const std::vector<MissionItemInt> items = {waypoint(0, 10, 0, 5), waypoint(1, 10, 10, 8)};
  ASSERT_EQ(upload(f, items), MissionResult::Accepted);
  MissionRequestList list;
  list.target_system = 1, list.target_component = 1;
  f.say(list);
  ASSERT_EQ(f.last<MissionCount>()->count, 2);
  for (std::uint16_t k = 0; k < 2; ++k) {
    MissionRequestInt m;
    m.target_system = 1, m.target_component = 1, m.seq = k;
    f.say(m);
    const auto item = f.last<MissionItemInt>();
    EXPECT_EQ(item->x, items[k].x);
    EXPECT_EQ(item->y, items[k].y);
    EXPECT_EQ(item->z, items[k].z);
    EXPECT_EQ(item->seq, k);
  }
}

TEST(station, a_mission_with_a_hole_is_refused_and_the_one_before_stays) {
  Flight f(standing(1));
  ASSERT_EQ(upload(f, {waypoint(0, 1, 2, 3)}), MissionResult::Accepted);
  MissionCount count;
  count.target_system = 1, count.target_component = 1, count.count = 3;
  f.forget();
  f.say(count);
  f.say(waypoint(0, 10, 0, 5));
  for (int k = 0; k < 40; ++k) {
    f.say(waypoint(2, 10, 10, 5));  // never the second
    f.step(0.1);
  }
  ASSERT_TRUE(f.last<MissionAck>());
  EXPECT_EQ(static_cast<MissionResult>(decode<MissionAck>(f.heard[{1, MissionAck::kId}].front()).type), MissionResult::InvalidSequence);
  MissionRequestList list;
  list.target_system = 1, list.target_component = 1;
  f.say(list);
  EXPECT_EQ(f.last<MissionCount>()->count, 1);
}

TEST(station, items_that_cannot_be_flown_are_refused_by_their_fault) {
  Flight f(standing(1));
  MissionItemInt bad = waypoint(0, 0, 0, 5);
  bad.command = 31'998;
  EXPECT_EQ(upload(f, {bad}), MissionResult::Unsupported);
  bad = waypoint(0, 0, 0, 5), bad.frame = 99;
  EXPECT_EQ(upload(f, {bad}), MissionResult::UnsupportedFrame);
  bad = waypoint(0, 0, 0, 5), bad.x = 910'000'000;
  EXPECT_EQ(upload(f, {bad}), MissionResult::InvalidParam5X);
  bad = waypoint(0, 0, 0, 5), bad.z = std::nanf("");
  EXPECT_EQ(upload(f, {bad}), MissionResult::InvalidParam7);
  bad = waypoint(0, 0, 0, 5), bad.command = number_of(Command::DoJump), bad.param1 = 7;
  EXPECT_EQ(upload(f, {bad}), MissionResult::InvalidParam1);
}

TEST(station, a_jump_repeats_a_part_as_often_as_it_says_and_a_circle_of_jumps_does_not_stop_the_world) {
  Flight f(standing(1));
  MissionItemInt jump = waypoint(2, 0, 0, 0);
  jump.command = number_of(Command::DoJump), jump.param1 = 0, jump.param2 = 2;
  ASSERT_EQ(upload(f, {waypoint(0, 4, 0, 3), waypoint(1, 0, 0, 3), jump}), MissionResult::Accepted);
  f.command(Command::ComponentArmDisarm, {1});
  f.command(Command::MissionStart);
  f.step(90);
  EXPECT_EQ(f.last<MissionCurrent>()->mission_state, number_of(MissionState::Complete));
  EXPECT_EQ(f.count<MissionItemReached>(), 3 + 2 * 3u);
  jump.seq = 0, jump.param1 = 0, jump.param2 = -1;
  ASSERT_EQ(upload(f, {jump}), MissionResult::Accepted);
  f.command(Command::MissionStart);
  f.step(1);
}

TEST(station, a_return_climbs_flies_home_and_lands) {
  Flight f(standing(1));
  f.take_off(4);
  CommandInt go;
  go.target_system = 1, go.target_component = 1;
  go.command = number_of(Command::DoReposition);
  go.frame = number_of(CoordinateFrame::GlobalRelativeAltInt);
  const MissionItemInt far = waypoint(0, 20, 0, 5);
  go.x = far.x, go.y = far.y, go.z = 5, go.param4 = std::nanf(""), go.param1 = -1;
  f.say(go);
  f.step(25);
  EXPECT_NEAR(f.position()[1], 20, 0.3);
  ParamSet set;
  set.target_system = 1, set.target_component = 1;
  set.param_id = fixed_text<16>("RTL_RETURN_ALT");
  set.param_type = number_of(ParamType::Real32), set.param_value = 9;
  f.say(set);
  EXPECT_EQ(f.last<ParamValue>()->param_value, 9);
  EXPECT_EQ(f.command(Command::NavReturnToLaunch), CommandResult::Accepted);
  double highest = 0;
  for (int k = 0; k < 80; ++k) f.step(1), highest = std::max(highest, f.position()[2]);
  EXPECT_NEAR(highest, 9, 1);
  EXPECT_EQ(f.mode(), Mode::Disarmed);
  EXPECT_NEAR(std::hypot(f.position()[0], f.position()[1]), 0, 1.2);
}

TEST(station, a_fence_is_watched_and_its_breach_is_answered) {
  Flight f(standing(1));
  MissionItemInt circle = waypoint(0, 0, 0, 0);
  circle.command = number_of(Command::NavFenceCircleInclusion);
  circle.param1 = 8;
  ASSERT_EQ(upload(f, {circle}, MissionType::Fence), MissionResult::Accepted);
  f.take_off(4);
  CommandInt go;
  go.target_system = 1, go.target_component = 1;
  go.command = number_of(Command::DoReposition);
  go.frame = number_of(CoordinateFrame::GlobalRelativeAltInt);
  const MissionItemInt far = waypoint(0, 20, 0, 4);
  go.x = far.x, go.y = far.y, go.z = 4, go.param4 = std::nanf("");
  f.say(go);
  f.step(20);
  EXPECT_EQ(f.mode(), Mode::Hold);  // the usual answer
  EXPECT_LT(f.position()[1], 14);
  EXPECT_GT(f.position()[1], 8);
  EXPECT_EQ(f.last<FenceStatus>()->breach_status, 1);
  MissionItemInt corner = waypoint(0, 0, 0, 0);
  corner.command = number_of(Command::NavFencePolygonVertexInclusion), corner.param1 = 3;
  MissionItemInt next = corner;
  next.seq = 1;
  EXPECT_EQ(upload(f, {corner, next}, MissionType::Fence), MissionResult::InvalidParam1);  // a corner is missing
}

TEST(station, parameters_keep_their_bounds_and_types) {
  Flight f(standing(1));
  const auto set = [&](const char* name, ParamType type, float value) {
    ParamSet m;
    m.target_system = 1, m.target_component = 1;
    m.param_id = fixed_text<16>(name);
    m.param_type = number_of(type), m.param_value = value;
    f.heard[{1, ParamValue::kId}].clear();
    f.say(m);
  };
  set("MIS_TAKEOFF_ALT", ParamType::Real32, 7);
  EXPECT_EQ(f.last<ParamValue>()->param_value, 7);
  set("MIS_TAKEOFF_ALT", ParamType::Real32, 1e6);
  EXPECT_EQ(f.last<ParamValue>()->param_value, 7);
  set("MIS_TAKEOFF_ALT", ParamType::Real32, std::nanf(""));
  EXPECT_EQ(f.last<ParamValue>()->param_value, 7);
  set("GF_ACTION", ParamType::Real32, 3);
  EXPECT_EQ(std::bit_cast<std::int32_t>(f.last<ParamValue>()->param_value), 2);
  set("NO_SUCH", ParamType::Real32, 3);
  EXPECT_FALSE(f.last<ParamValue>());
  ParamRequestList list;
  list.target_system = 1, list.target_component = 1;
  f.forget();
  f.say(list);
  f.step(1);
  EXPECT_EQ(f.count<ParamValue>(), f.last<ParamValue>()->param_count);
}

TEST(station, two_networks_have_their_own_vehicles_and_numbers) {
  Flight f(standing(5), {VehicleRange{1, 3}, VehicleRange{4, 6}});
  f.station.opened(8, 1);
  f.station.beat(f.now, 0);
  std::map<ChannelId, std::vector<int>> systems;
  std::map<ChannelId, Parser> parsers;
  f.station.take_sends([&](ChannelId channel, std::span<const std::byte> bytes) {
    parsers[channel].feed(bytes, [&](const Frame& frame) { systems[channel].push_back(frame.system); });
  });
  EXPECT_EQ(systems[kChannel], (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(systems[8], (std::vector<int>{1, 2}));
  f.command(Command::ComponentArmDisarm, {1}, 1);
  f.step(0.1);
  EXPECT_EQ(f.mode(0), Mode::Armed);
  EXPECT_EQ(f.mode(3), Mode::Disarmed);
}

TEST(station, with_a_key_only_signed_messages_are_obeyed_and_each_once) {
  const Key key = read_key("open sesame").value();
  Flight f(standing(1), {VehicleRange{}}, key);
  CommandLong m;
  m.command = number_of(Command::ComponentArmDisarm);
  m.param1 = 1, m.target_system = 1, m.target_component = 1;
  f.say(m);
  EXPECT_EQ(f.station.counts().refused, 1u);
  Signer signer(key, 3);
  const std::int64_t unix_us = 1'800'000'000'000'000;
  Bytes bytes;
  f.writer.append(m, bytes);
  ASSERT_TRUE(signer.sign(bytes, signing_time(unix_us)));
  f.station.received(kChannel, bytes, f.now, unix_us);
  f.station.received(kChannel, bytes, f.now, unix_us);  // again, as an eavesdropper would
  EXPECT_EQ(f.station.counts().refused, 2u);
  f.step(0.1);
  EXPECT_EQ(f.mode(), Mode::Armed);
  ASSERT_GT(f.count<Heartbeat>(), 0u);
  const std::vector<Frame>& beats = f.heard[{1, Heartbeat::kId}];
  EXPECT_EQ(beats.back().incompatibility, kSigned);
}

TEST(station, the_run_replays_bit_for_bit_from_its_inputs_alone) {
  Flight f(standing(18));  // more than a block
  f.take_off(4, 2);
  f.command(Command::NavReturnToLaunch, {}, 2);
  f.step(5);
  const auto again = test::make(standing(18));
  std::size_t k = 0;
  while (again->tick() < f.world->tick()) {
    while (k < f.given.size() && f.given[k].tick <= again->tick()) {
      Input in = f.given[k++];
      ASSERT_TRUE(again->submit(std::move(in)));
    }
    again->step();
  }
  EXPECT_EQ(again->hash(), f.world->hash());
}

TEST(station, a_vehicle_that_comes_later_is_a_system_too_and_one_that_goes_is_not) {
  Flight f(standing(2));
  ASSERT_TRUE(f.world->submit({.payload = Spawn{"birds", {.position_W = {0, 9, 0}, .mode = Mode::Disarmed}}}));
  f.step(1.5);
  EXPECT_GT(f.count<Heartbeat>(3), 0u);
  ASSERT_TRUE(f.world->submit({.target = f.world->vehicles()[0], .payload = Remove{}}));
  f.step(0.5);
  f.forget();
  f.step(2);
  EXPECT_EQ(f.count<Heartbeat>(1), 0u);
  EXPECT_GT(f.count<Heartbeat>(2), 0u);
}

TEST(station, when_the_page_takes_over_the_autopilot_lets_go) {
  Flight f(standing(1));
  f.take_off(4);
  ASSERT_EQ(upload(f, {waypoint(0, 30, 0, 5)}), MissionResult::Accepted);
  f.command(Command::MissionStart);
  f.step(2);
  EXPECT_EQ(f.last<Heartbeat>()->custom_mode, custom_mode(FlightMode::Mission));
  ASSERT_TRUE(f.world->submit({.target = f.world->vehicles()[0], .payload = volary::SetMode{Mode::Hold}}));
  f.step(2);
  EXPECT_EQ(f.last<Heartbeat>()->custom_mode, custom_mode(FlightMode::Hold));
  EXPECT_EQ(f.mode(), Mode::Hold);
}

}  // namespace
}  // namespace volary::autopilot
