// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What clients of MAVLink hear of vehicles, and who is obeyed.
#include <bit>
#include <cmath>
#include <map>

#include "autopilot/station_test_support.hpp"

namespace volary::autopilot {
namespace {

using namespace mavlink;
using namespace test_flight;

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

TEST(station, a_companion_computer_of_a_vehicle_may_command_it) {
  Flight f(standing(1));
  Writer companion(1, 191);
  CommandLong m;
  m.command = number_of(Command::ComponentArmDisarm);
  m.param1 = 1, m.target_system = 1, m.target_component = 1;
  f.say(m, &companion);
  f.step(0.1);
  EXPECT_EQ(f.mode(), Mode::Armed);
}

TEST(station, two_clients_that_begin_alike_are_both_answered) {
  Flight f(standing(1));
  f.station.opened(9, 0);
  Bytes bytes;
  ParamRequestRead m;
  m.target_system = 1, m.target_component = 1, m.param_index = 0;
  f.writer.append(m, bytes);
  std::map<ChannelId, int> answers;
  for (const ChannelId c : {kChannel, ChannelId{9}}) f.station.received(c, bytes, f.now, 0);
  std::map<ChannelId, Parser> parsers;
  f.station.take_sends(
      [&](ChannelId c, std::span<const std::byte> b) { parsers[c].feed(b, [&](const Frame& frame) { answers[c] += frame.id == ParamValue::kId ? 1 : 0; }); });
  EXPECT_EQ(answers[kChannel], 1);
  EXPECT_EQ(answers[9], 1);
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

}  // namespace
}  // namespace volary::autopilot
