// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Process handling and lock-step with a stand-in. It shows nothing about the flight of a real autopilot.
#include "autopilot/lockstep/lockstep_source.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <fstream>

#include "autopilot/lockstep/lockstep_test_support.hpp"
#include "scenario/autopilot_file.hpp"

namespace volary::autopilot {
namespace {

using test::FlownBy;
using test::fly;

AutopilotDef px4(std::vector<AutopilotParameter> parameters = {}) { return {AutopilotKind::Px4, std::move(parameters), 10016, {}}; }
AutopilotDef ardupilot(std::vector<AutopilotParameter> parameters = {}) { return {AutopilotKind::Ardupilot, std::move(parameters), 10016, {}}; }

double height(const test::Flown& f, std::size_t k = 0) { return f.world->position_of(f.world->vehicles()[k])[2]; }
std::size_t n_rotor_inputs(const test::Flown& f) {
  std::size_t n = 0;
  for (const Input& i : f.inputs) n += std::holds_alternative<SetMany>(i.payload) ? 1 : 0;
  return n;
}

TEST(lockstep, px4_boots_arms_and_lifts_its_vehicle) {
  const auto f = fly({.def = px4(), .seconds = 2});
  ASSERT_EQ(f.outcome, runner::Outcome::Finished) << f.failure;
  EXPECT_EQ(f.hashes.size(), 500u);
  EXPECT_GT(height(f), 0.5);
  EXPECT_GT(n_rotor_inputs(f), 400u) << "one input for each tick in which it was armed";
  EXPECT_TRUE(f.told.empty());
}

TEST(lockstep, ardupilot_asks_and_lifts_its_vehicle) {
  const auto f = fly({.def = ardupilot(), .seconds = 2, .tick_ns = 2'000'000});
  ASSERT_EQ(f.outcome, runner::Outcome::Finished) << f.failure;
  EXPECT_EQ(f.hashes.size(), 1000u);
  EXPECT_GT(height(f), 0.5);
}

TEST(lockstep, a_repeated_packet_is_answered_and_steps_nothing_twice) {
  const auto f = fly({.def = ardupilot({{"STAND_RESEND", 150}}), .seconds = 0.6, .tick_ns = 2'000'000});
  ASSERT_EQ(f.outcome, runner::Outcome::Finished) << f.failure;
  EXPECT_EQ(f.hashes.size(), 300u);
}

TEST(lockstep, px4_is_fed_every_second_tick_of_2_ms) {
  const auto f = fly({.def = px4(), .seconds = 1, .tick_ns = 2'000'000});
  ASSERT_EQ(f.outcome, runner::Outcome::Finished) << f.failure;
  EXPECT_EQ(f.hashes.size(), 500u);
  EXPECT_LE(n_rotor_inputs(f), 250u);
}

AutopilotDef of_aircraft(AutopilotDef def, std::size_t rotors) {
  def.outputs = scenario::default_outputs(def.kind, rotors);
  return def;
}
double servo(const test::Flown& f, std::size_t k) { return f.world->find_view("flown", "servo")->at(f.world->slot_of(f.world->vehicles()[0]), k); }

TEST(lockstep, px4_lifts_a_quadplane_and_moves_its_surfaces) {
  const auto f = fly({.def = of_aircraft(px4(), 5), .vehicles = 2, .threads = 2, .seconds = 1.5, .airframe = "quadplane"});
  ASSERT_EQ(f.outcome, runner::Outcome::Finished) << f.failure;
  EXPECT_GT(height(f), 0.3);
  EXPECT_NEAR(servo(f, 0), 0.25 * 0.44, 1e-3) << "aileron";
  EXPECT_NEAR(servo(f, 1), 0.5 * 0.44, 1e-3) << "elevator, nose down";
  EXPECT_NEAR(servo(f, 2), 0, 1e-6) << "rudder";
  EXPECT_EQ(test::flown_again(f, 1), f.hashes) << "eight numbers for each vehicle replay";
}

TEST(lockstep, ardupilot_drives_a_wing_along_the_ground) {
  const auto f = fly({.def = of_aircraft(ardupilot(), 1), .seconds = 3, .tick_ns = 2'000'000, .airframe = "ultra_stick"});
  ASSERT_EQ(f.outcome, runner::Outcome::Finished) << f.failure;
  EXPECT_GT(f.world->position_of(f.world->vehicles()[0])[0], 1);
  EXPECT_EQ(f.world->mode_of(f.world->vehicles()[0]), Mode::Armed);
  EXPECT_EQ(test::flown_again(f, 1), f.hashes);
}

TEST(lockstep, twenty_vehicles_fly_at_once_and_replay_bit_by_bit) {
  const auto f = fly({.def = px4(), .vehicles = 20, .threads = 2, .seconds = 1, .start_limit = 60});
  ASSERT_EQ(f.outcome, runner::Outcome::Finished) << f.failure;
  for (std::size_t k = 0; k < 20; ++k) EXPECT_GT(height(f, k), 0.1) << k;
  EXPECT_LE(n_rotor_inputs(f), f.hashes.size()) << "one input for the whole flock";
  EXPECT_EQ(test::flown_again(f, 1), f.hashes);
  EXPECT_EQ(test::flown_again(f, 2), f.hashes);
}

TEST(lockstep, late_answers_hold_the_run_and_change_nothing) {
  const auto f = fly({.def = px4({{"STAND_LATE", 5}}), .seconds = 0.6});
  ASSERT_EQ(f.outcome, runner::Outcome::Finished) << f.failure;
  EXPECT_EQ(f.hashes.size(), 150u);
  EXPECT_EQ(test::flown_again(f, 1), f.hashes);
}

TEST(lockstep, one_that_dies_in_flight_is_named_and_the_others_fly_on) {
  const auto f = fly({.def = px4({{"STAND_WHO", 1}, {"STAND_DIE", 150}}), .vehicles = 3, .seconds = 2});
  ASSERT_EQ(f.outcome, runner::Outcome::Finished) << f.failure;
  ASSERT_EQ(f.told.size(), 1u);
  EXPECT_NE(f.told[0].find("exit code 3"), std::string::npos) << f.told[0];
  EXPECT_NE(f.told[0].find("something broke"), std::string::npos) << f.told[0];
  EXPECT_NE(f.told[0].find(f.world->name_of(f.world->vehicles()[1])), std::string::npos) << f.told[0];
  EXPECT_EQ(f.world->mode_of(f.world->vehicles()[1]), Mode::Disarmed);
  EXPECT_EQ(f.world->mode_of(f.world->vehicles()[0]), Mode::Armed);
  EXPECT_GT(height(f, 2), height(f, 1));
}

TEST(lockstep, one_that_falls_silent_is_given_up_after_its_time) {
  // longer than a busy machine keeps the other one waiting
  const auto f = fly({.def = ardupilot({{"STAND_WHO", 0}, {"STAND_SILENT", 200}}), .vehicles = 2, .seconds = 1, .silence = 4, .tick_ns = 2'000'000});
  ASSERT_EQ(f.outcome, runner::Outcome::Finished) << f.failure;
  ASSERT_EQ(f.told.size(), 1u);
  EXPECT_NE(f.told[0].find("no answer for 4 s"), std::string::npos) << f.told[0];
  EXPECT_GT(height(f, 1), height(f, 0));
}

TEST(lockstep, one_that_dies_before_it_ever_answered_ends_the_run_with_its_words) {
  const auto f = fly({.def = px4({{"STAND_DIE", 0}}), .seconds = 5});
  EXPECT_EQ(f.outcome, runner::Outcome::Failed);
  EXPECT_NE(f.failure.find("exit code 3"), std::string::npos) << f.failure;
  EXPECT_NE(f.failure.find("something broke"), std::string::npos) << f.failure;
}

// what a page sees of autopilots, with and without a client of their MAVLink port
struct PretendedClient final : LockstepClient {
  std::vector<runner::FlightOrder::Kind> asked;
  std::optional<Known> known_of(VehicleId) const override { return Known{"GUIDED", {{1, 4, "EKF variance"}}}; }
  core::Status order(VehicleId, const runner::FlightOrder& order) override { return asked.push_back(order.kind), core::ok(); }
};

struct Looks final : runner::Sink {
  LockstepSource& source;
  std::vector<runner::LockstepReport> last;
  runner::AutopilotReport first, second;
  core::Status refused = core::ok();
  explicit Looks(LockstepSource& s) : source(s) {}
  void after_tick(World& world) override {
    last = source.lockstep_reports();
    first = source.report_of(world.vehicles()[0]), second = source.report_of(world.vehicles()[1]);
    refused = source.order(world.vehicles()[1], {.kind = runner::FlightOrder::Kind::Land});
  }
};

TEST(lockstep, a_page_sees_the_rate_the_slowest_and_what_became_of_each_autopilot) {
  const test::StandIn stand_in;
  const int instance = test::next_instance(2);
  LockstepSource source({.program = {AutopilotKind::Px4, stand_in.program(), instance}, .silence = 5});
  source.fly({{"flown", px4({{"STAND_LATE", 4}, {"STAND_WHO", instance + 1.0}, {"STAND_DIE", 500}})}});
  const auto world = World::create(test::parked(2, 4'000'000, 6), {}, nullptr);
  Looks looks(source);
  runner::SteadyClock clock;
  runner::Runner runner(clock);
  runner.add(source);
  runner.add(looks);
  EXPECT_FALSE(source.is_used());
  runner.begin(*world, {.end = 800});
  EXPECT_TRUE(source.is_used());
  ASSERT_EQ(runner.run(), runner::Outcome::Finished) << runner.failure();
  ASSERT_EQ(looks.last.size(), 1u);
  EXPECT_EQ(looks.last[0].kind, "PX4");
  EXPECT_EQ(looks.last[0].vehicles, 2u);
  EXPECT_EQ(looks.last[0].gone, 1u);
  EXPECT_GT(looks.last[0].rate, 10);
  EXPECT_NEAR(looks.last[0].factor, looks.last[0].rate * 0.004, 1e-9);
  EXPECT_GT(looks.last[0].wait, 0);
  EXPECT_TRUE(looks.last[0].waiting_for.empty());
  EXPECT_EQ(looks.first.kind, "PX4");
  EXPECT_EQ(looks.first.system, instance + 1);
  EXPECT_TRUE(looks.first.is_armed);
  EXPECT_EQ(looks.first.mode, "") << "the link of the simulator does not say it";
  EXPECT_EQ(looks.first.trouble, "");
  EXPECT_EQ(looks.second.trouble, "exit code 3");
  EXPECT_EQ(looks.refused.error().message, "PX4 is gone (exit code 3)");
  EXPECT_FALSE(source.is_used()) << "the run is over";
}

TEST(lockstep, orders_and_modes_go_through_a_client_of_the_autopilots_where_there_is_one) {
  const test::StandIn stand_in;
  LockstepSource source({.program = {AutopilotKind::Ardupilot, stand_in.program(), test::next_instance(1)}});
  source.fly({{"flown", ardupilot()}});
  const auto world = World::create(test::parked(1, 2'000'000, 5), {}, nullptr);
  const VehicleId id = world->vehicles()[0];
  source.start(*world);
  EXPECT_EQ(source.report_of(id).trouble, "it is starting");
  EXPECT_EQ(source.order(id, {}).error().message, "ArduPilot flies it and takes commands on its MAVLink port only");
  PretendedClient client;
  source.use_client(&client);
  ASSERT_TRUE(source.order(id, {.kind = runner::FlightOrder::Kind::Return}));
  EXPECT_EQ(client.asked, std::vector{runner::FlightOrder::Kind::Return});
  EXPECT_EQ(source.report_of(id).mode, "GUIDED");
  EXPECT_EQ(source.report_of(id).messages.size(), 1u);
  source.stop(*world);
}

TEST(lockstep, a_program_that_is_not_there_is_said) {
  const core::Status s = check_program({AutopilotKind::Px4, "/nowhere/px4", 0});
  ASSERT_FALSE(s);
  EXPECT_NE(s.error().text().find("/nowhere/px4"), std::string::npos);
}

}  // namespace
}  // namespace volary::autopilot
