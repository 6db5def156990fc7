// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Orders of somebody in this process, beside a client on a link that sees what comes of them.
#include <cmath>

#include "autopilot/station_test_support.hpp"

namespace volary::autopilot {
namespace {

using namespace mavlink;
using namespace test_flight;
using runner::FlightOrder;
using Kind = FlightOrder::Kind;

struct Desk : Flight {
  using Flight::Flight;
  core::Status ask(const FlightOrder& order, std::size_t k = 0) { return station.order(world->vehicles()[k], order, now); }
  core::Status ask(Kind kind, std::size_t k = 0) { return ask(FlightOrder{.kind = kind}, k); }
  runner::AutopilotReport state(std::size_t k = 0) const { return station.report_of(world->vehicles()[k]); }
  // the mode in the last heartbeat that the client has got
  std::uint32_t shown(int system = 1) { return last<Heartbeat>(system)->custom_mode; }
};

TEST(station_orders, a_take_off_arms_and_climbs_and_clients_see_the_same_modes) {
  Desk f(standing(2));
  ASSERT_TRUE(f.ask(Kind::TakeOff, 1));
  f.step(1);
  EXPECT_EQ(f.state(1).mode, "Takeoff");
  EXPECT_TRUE(f.state(1).is_armed);
  EXPECT_EQ(f.shown(2), custom_mode(FlightMode::TakeOff));
  EXPECT_EQ(f.last<Heartbeat>(2)->base_mode & 0x80, 0x80);
  f.step(10);
  EXPECT_EQ(f.state(1).mode, "Hold");
  EXPECT_EQ(f.shown(2), custom_mode(FlightMode::Hold));
  EXPECT_GT(f.position(1)[2], 1);
  EXPECT_FALSE(f.state(0).is_armed) << "the other one stands";
  EXPECT_EQ(f.state(1).kind, "Volary");
  EXPECT_EQ(f.state(1).system, 2);
}

TEST(station_orders, flies_to_a_place_of_the_world_holds_returns_and_lands) {
  Desk f(standing(1));
  f.take_off(6);
  ASSERT_TRUE(f.ask({.kind = Kind::GoTo, .position_W = {12, -7, 9}}));
  f.step(20);
  EXPECT_NEAR(f.position()[0], 12, 0.3);
  EXPECT_NEAR(f.position()[1], -7, 0.3);
  EXPECT_NEAR(f.position()[2], 9, 0.3);
  ASSERT_TRUE(f.ask(Kind::Return));
  f.step(0.5);
  EXPECT_EQ(f.shown(), custom_mode(FlightMode::Return));
  ASSERT_TRUE(f.ask(Kind::Hold));
  f.step(0.5);
  EXPECT_EQ(f.shown(), custom_mode(FlightMode::Hold));
  ASSERT_TRUE(f.ask(Kind::Land));
  f.step(0.5);
  EXPECT_EQ(f.shown(), custom_mode(FlightMode::Land));
  f.step(30);
  EXPECT_EQ(f.mode(), Mode::Disarmed);
}

TEST(station_orders, a_refusal_is_what_the_autopilot_says_and_the_client_hears_it_too) {
  Desk f(standing(1));
  const core::Status refused = f.ask({.kind = Kind::GoTo, .position_W = {5, 5, 5}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "Reposition denied: not in the air");
  f.listen();
  ASSERT_TRUE(f.last<Statustext>());
  EXPECT_EQ(mavlink::text_of(f.last<Statustext>()->text), refused.error().message);
  EXPECT_EQ(f.count<CommandAck>(), 0u) << "the answer to the command is for nobody on a link";
  ASSERT_EQ(f.state().messages.size(), 1u);
  EXPECT_EQ(f.state().messages[0].severity, number_of(mavlink::Severity::Critical));
  EXPECT_EQ(f.state().messages[0].text, refused.error().message);
  f.take_off(4);
  EXPECT_EQ(f.ask(Kind::TakeOff).error().message, "Takeoff denied: already in the air");
  EXPECT_EQ(f.ask(Kind::Disarm).error().message, "Disarming denied: not landed");
}

TEST(station_orders, a_vehicle_that_nobody_guides_says_that_it_cannot) {
  WorldDef def = standing(1);
  def.flocks[0].mirror = true;
  Desk f(def);
  EXPECT_EQ(f.ask(Kind::Hold).error().message, "this vehicle cannot do it");
}

TEST(station_orders, arms_and_disarms_and_keeps_texts_with_their_time) {
  Desk f(standing(1));
  f.step(2);
  ASSERT_TRUE(f.ask(Kind::Arm));
  f.step(1);
  EXPECT_TRUE(f.state().is_armed);
  ASSERT_TRUE(f.ask(Kind::Disarm));
  f.step(1);
  EXPECT_FALSE(f.state().is_armed);
  const auto messages = f.state().messages;
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_EQ(messages[0].text, "Armed");
  EXPECT_NEAR(messages[0].time, 2, 0.05);
  EXPECT_EQ(messages[1].text, "Disarmed");
  EXPECT_NEAR(messages[1].time, 3, 0.05);
  for (int k = 0; k < 30; ++k) EXPECT_FALSE(f.ask({.kind = Kind::GoTo, .position_W = {5, 5, 5}}));
  EXPECT_EQ(f.state().messages.size(), VirtualAutopilot::kMostSaid) << "the last ones";
}

TEST(station_orders, is_steered_in_the_mode_offboard_and_turns_as_the_world_frame_has_it) {
  Desk f(standing(1));
  f.take_off(6);
  const Vec from = f.position();
  for (int k = 0; k < 30; ++k) {
    ASSERT_TRUE(f.ask({.kind = Kind::Steer, .velocity_W = {0, 2, 0}, .yaw_rate = 0.3}));
    f.step(0.1);
  }
  EXPECT_EQ(f.shown(), custom_mode(FlightMode::Offboard));
  EXPECT_NEAR(f.position()[0], from[0], 0.5);
  EXPECT_GT(f.position()[1], from[1] + 3) << "to the north";
  const auto q = f.world->view(f.world->flocks()[0], "attitude");
  EXPECT_NEAR(yaw_of({q.at(0, 0), q.at(0, 1), q.at(0, 2), q.at(0, 3)}), 0.9, 0.25) << "counter-clockwise";
  f.step(2);
  EXPECT_EQ(f.shown(), custom_mode(FlightMode::Hold)) << "nobody steers any more";
}

TEST(station_orders, a_termination_stops_the_rotors_and_all_of_it_is_inputs) {
  Desk f(standing(1));
  ASSERT_TRUE(f.ask(Kind::Mission));
  f.step(8);
  EXPECT_EQ(f.state().mode, "Mission");
  ASSERT_TRUE(f.ask(Kind::Terminate));
  f.step(1);
  EXPECT_EQ(f.mode(), Mode::EmergencyStop);
  // without autopilot and client
  const auto again = test::make(standing(1));
  for (const Input& in : f.given) ASSERT_TRUE(again->submit(in));
  again->step(f.world->tick());
  EXPECT_EQ(again->hash(), f.world->hash());
}

TEST(station_orders, a_vehicle_on_no_network_has_no_autopilot) {
  Desk f(standing(3), {VehicleRange{1, 2}});
  EXPECT_TRUE(f.station.has(f.world->vehicles()[1]));
  EXPECT_FALSE(f.station.has(f.world->vehicles()[2]));
  EXPECT_FALSE(f.ask(Kind::Arm, 2));
}

TEST(station, counts_what_came_what_was_lost_and_what_went_on_each_channel) {
  Flight f(standing(1));
  for (int k = 0; k < 3; ++k) f.say(Heartbeat{});
  Bytes lost;
  for (int k = 0; k < 2; ++k) f.writer.append(Heartbeat{}, lost);
  f.say(Heartbeat{});
  f.step(1);
  const FrameCounts c = f.station.frames_of(kChannel);
  EXPECT_EQ(c.received, 4u);
  EXPECT_EQ(c.lost, 2u);
  EXPECT_EQ(c.bad, 0u);
  EXPECT_GT(c.sent, 20u);
  std::size_t heard = 0;
  for (const auto& [key, frames] : f.heard) heard += frames.size();
  EXPECT_EQ(c.sent, heard);
  Writer forger(1, 1);
  f.say(Heartbeat{}, &forger);
  EXPECT_EQ(f.station.frames_of(kChannel).refused, 1u);
  EXPECT_EQ(f.station.frames_of(99).received, 0u);
}

}  // namespace
}  // namespace volary::autopilot
