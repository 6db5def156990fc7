// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Orders of people to vehicles that PX4 or ArduPilot fly, with behaviours and without.
#include "autopilot/companion_test_support.hpp"

namespace volary::autopilot {
namespace {

using namespace test_companion;
using Do = runner::FlightOrder::Kind;

constexpr auto kPx4 = mavlink::AutopilotKind::Px4, kArdupilot = mavlink::AutopilotKind::Ardupilotmega;
constexpr auto kBoth = {kPx4, kArdupilot};
const Place kSite(OriginDef{47, 8, 400});

CompanionOptions options(bool has_behaviours) {
  return {.system = 1, .name = "scout", .take_off_height = 2, .home_W = {10, 20, 1}, .site = kSite, .is_station = true, .has_behaviours = has_behaviours};
}

// a vehicle without behaviours unless told otherwise, of which something was heard
struct Ordered : Pair {
  explicit Ordered(mavlink::AutopilotKind kind, bool has_behaviours = false) : Pair(kind, options(has_behaviours)) {
    autopilot.altitude = kSite.on_earth({10, 20, 1}).altitude;
    fly(3);
  }
  core::Status order(const runner::FlightOrder& o) { return companion.order(o, autopilot.time); }
  core::Status order(Do kind) { return order(runner::FlightOrder{.kind = kind}); }
  void take_off() {
    ASSERT_TRUE(order(Do::TakeOff));
    fly(8);
    ASSERT_EQ(autopilot.landed, LandedState::InAir);
    autopilot.commands.clear();
  }
  // by behaviours, with a velocity to the east
  void steer_by_behaviours() {
    launch();
    companion.want({.kind = Kind::Velocity, .velocity_W = {1, 0, 0}});
    fly(1);
    autopilot.commands.clear();
  }
  void steer(const Vec& velocity_W, double seconds, double yaw_rate = 0) {
    for (double t = 0; t < seconds - 1e-9; t += 0.05) {
      ASSERT_TRUE(order({.kind = Do::Steer, .velocity_W = velocity_W, .yaw_rate = yaw_rate}));
      fly(0.05);
    }
  }
  std::vector<std::uint16_t> heard() const {
    std::vector<std::uint16_t> list;
    for (const CommandLong& m : autopilot.commands)
      if (m.command != number_of(mavlink::Command::SetMessageInterval)) list.push_back(m.command);
    return list;
  }
};

constexpr std::uint16_t kMode = number_of(mavlink::Command::DoSetMode), kArm = number_of(mavlink::Command::ComponentArmDisarm),
                        kClimb = number_of(mavlink::Command::NavTakeoff), kStart = number_of(mavlink::Command::MissionStart);

// ---------------------------------------------------------------- orders as commands

TEST(companion_orders, px4_takes_off_in_its_own_mode_and_arms_in_it) {
  Ordered p(kPx4);
  ASSERT_TRUE(p.order(Do::TakeOff));
  p.fly(8);
  EXPECT_EQ(p.heard(), (std::vector<std::uint16_t>{kClimb, kArm}));
  EXPECT_NEAR(p.autopilot.position.z, -2, 0.05) << "the take-off height above the place where it stood";
  EXPECT_TRUE(p.autopilot.locals.empty()) << "no setpoints";
  EXPECT_EQ(p.companion.state().mode_text(), "Hold");
  EXPECT_TRUE(p.refusals.empty()) << p.refusals[0];
}

TEST(companion_orders, ardupilot_is_guided_and_armed_before_it_takes_off) {
  Ordered p(kArdupilot);
  ASSERT_TRUE(p.order(Do::TakeOff));
  p.fly(8);
  EXPECT_EQ(p.heard(), (std::vector<std::uint16_t>{kMode, kArm, kClimb}));
  EXPECT_NEAR(p.autopilot.position.z, -2, 0.05);
  EXPECT_TRUE(p.autopilot.locals.empty());
}

TEST(companion_orders, a_mode_is_one_command_with_the_number_of_its_autopilot) {
  struct Case {
    Do order;
    ModeNumber px4, ardupilot;
    const char *px4_name, *ardupilot_name;
  };
  for (const Case& c :
       {Case{Do::Hold, {4, 3}, {17}, "Hold", "BRAKE"}, Case{Do::Return, {4, 5}, {6}, "Return", "RTL"}, Case{Do::Land, {4, 6}, {9}, "Land", "LAND"}})
    for (const auto kind : kBoth) {
      Ordered p(kind);
      p.take_off();
      ASSERT_TRUE(p.order(c.order));
      p.fly(1.5);
      ASSERT_EQ(p.heard(), std::vector<std::uint16_t>{kMode});
      const ModeNumber n = kind == kPx4 ? c.px4 : c.ardupilot;
      EXPECT_EQ(p.autopilot.commands[0].param2, n.main);
      EXPECT_EQ(p.autopilot.commands[0].param3, n.sub);
      EXPECT_EQ(p.companion.state().mode_text(), kind == kPx4 ? c.px4_name : c.ardupilot_name);
    }
}

TEST(companion_orders, a_plane_of_ardupilot_has_other_numbers) {
  Ordered p(kArdupilot);
  p.take_off();
  p.autopilot.type = VehicleType::FixedWing;
  p.fly(1.5);
  for (const auto& [order, number] : {std::pair{Do::Return, 11}, std::pair{Do::Hold, 12}, std::pair{Do::Land, 20}}) {
    ASSERT_TRUE(p.order(order));
    p.fly(0.1);
    EXPECT_EQ(p.autopilot.commands.back().param2, number);
  }
}

TEST(companion_orders, a_place_is_a_latitude_and_longitude_in_the_mode_for_it) {
  for (const auto kind : kBoth) {
    Ordered p(kind);
    p.take_off();
    p.autopilot.mode = p.autopilot.number(kind == kPx4 ? 3 : 5);
    ASSERT_TRUE(p.order({.kind = Do::GoTo, .position_W = {40, -30, 12}}));
    p.fly(1.5);
    ASSERT_EQ(p.autopilot.places.size(), 1u);
    const CommandInt& m = p.autopilot.places[0];
    EXPECT_EQ(m.target_component, 1);
    EXPECT_EQ(m.param2, 1) << "it changes the mode";
    EXPECT_EQ(m.frame, number_of(CoordinateFrame::Global));
    const Vec goal = kSite.in_world({m.x * 1e-7, m.y * 1e-7, m.z});
    EXPECT_NEAR(goal[0], 40, 0.02);
    EXPECT_NEAR(goal[1], -30, 0.02);
    EXPECT_NEAR(goal[2], 12, 0.02);
    EXPECT_EQ(p.companion.state().mode_text(), kind == kPx4 ? "Hold" : "GUIDED");
  }
}

TEST(companion_orders, only_terminate_disarms_in_the_air) {
  Ordered p(kPx4);
  p.take_off();
  ASSERT_TRUE(p.order(Do::Disarm));
  p.fly(2);
  EXPECT_TRUE(p.autopilot.is_armed);
  EXPECT_EQ(p.autopilot.commands.back().param2, 0);
  ASSERT_TRUE(p.order(Do::Terminate));
  p.fly(2);
  EXPECT_FALSE(p.autopilot.is_armed);
}

TEST(companion_orders, arm_and_disarm_are_one_command_each) {
  Ordered p(kArdupilot);
  ASSERT_TRUE(p.order(Do::Arm));
  p.fly(1.5);
  EXPECT_TRUE(p.autopilot.is_armed);
  ASSERT_TRUE(p.order(Do::Arm));
  p.fly(1.5);
  ASSERT_TRUE(p.order(Do::Disarm));
  p.fly(1.5);
  EXPECT_FALSE(p.autopilot.is_armed);
  EXPECT_EQ(p.heard(), (std::vector<std::uint16_t>{kArm, kArm})) << "one that is armed is not armed again";
}

TEST(companion_orders, an_autopilot_flies_its_own_mission_where_there_are_no_behaviours) {
  Ordered px4(kPx4), ardupilot(kArdupilot);
  ASSERT_TRUE(px4.order(Do::Mission));
  ASSERT_TRUE(ardupilot.order(Do::Mission));
  px4.fly(1.5), ardupilot.fly(1.5);
  EXPECT_EQ(px4.heard(), (std::vector<std::uint16_t>{kMode, kArm}));
  EXPECT_EQ(px4.companion.state().mode_text(), "Mission");
  EXPECT_EQ(ardupilot.heard(), (std::vector<std::uint16_t>{kMode, kArm, kStart})) << "it does not arm in the mode of missions";
  EXPECT_EQ(ardupilot.companion.state().mode_text(), "AUTO");
  EXPECT_TRUE(ardupilot.autopilot.is_armed);
}

TEST(companion_orders, a_ground_station_is_heard_beside_the_companion_because_px4_tells_its_texts_to_no_other) {
  Ordered p(kPx4);
  Pair alone(kPx4);
  alone.fly(3);
  EXPECT_GE(p.autopilot.stations, 3);
  EXPECT_GE(p.autopilot.heartbeats, 3);
  EXPECT_EQ(alone.autopilot.stations, 0);
}

// ---------------------------------------------------------------- refusals

TEST(companion_orders, what_cannot_be_is_refused_at_once) {
  Pair silent(kPx4, options(false));
  EXPECT_NE(silent.companion.order({.kind = Do::Arm}, 0).error().text().find("not heard on MAVLink yet"), std::string::npos);
  Ordered p(kPx4);
  for (const Do kind : {Do::GoTo, Do::Steer}) EXPECT_NE(p.order(kind).error().text().find("stands on the ground"), std::string::npos);
  p.take_off();
  EXPECT_NE(p.order(Do::TakeOff).error().text().find("in the air already"), std::string::npos);
  p.autopilot.speaks = false;
  p.fly(5);
  EXPECT_NE(p.order(Do::Land).error().text().find("silent"), std::string::npos);
  EXPECT_TRUE(p.heard().empty());
}

TEST(companion_orders, a_refusal_has_the_answer_and_the_words_of_the_autopilot_and_the_order_is_not_repeated) {
  Ordered p(kPx4);
  const auto say = [&](mavlink::Severity severity, std::string_view text) {
    Bytes bytes;
    p.autopilot.say(severity, text, bytes);
    p.parser.feed(bytes, [&](const Frame& f) { p.companion.hear(f, kChannel, p.autopilot.time); });
  };
  say(mavlink::Severity::Critical, "an old story");
  p.fly(1);
  p.autopilot.refuses_arming = true;
  ASSERT_TRUE(p.order(Do::Arm));
  p.fly(0.2);
  EXPECT_TRUE(p.refusals.empty()) << "its words may come later";
  say(mavlink::Severity::Critical, "Arming denied: no GPS");
  say(mavlink::Severity::Info, "logging");
  p.fly(20);
  EXPECT_EQ(p.refusals, std::vector<std::string>{"PX4 was asked to arm and answered 'temporarily rejected'; it said: Arming denied: no GPS"});
  EXPECT_EQ(p.heard(), std::vector<std::uint16_t>{kArm});
  ASSERT_TRUE(p.order(Do::Arm));
  p.fly(2);
  EXPECT_EQ(p.refusals.back(), "PX4 was asked to arm and answered 'temporarily rejected'") << "old words are no reason";
}

TEST(companion_orders, an_order_without_an_answer_is_asked_three_times_and_refused) {
  Ordered p(kArdupilot);
  p.autopilot.answers = false;
  ASSERT_TRUE(p.order(Do::Arm));
  p.fly(10);
  EXPECT_EQ(p.heard(), (std::vector<std::uint16_t>{kArm, kArm, kArm}));
  EXPECT_EQ(p.refusals, std::vector<std::string>{"ArduPilot was asked to arm and does not answer"});
}

TEST(companion_orders, an_order_that_is_refused_halfway_ends_there) {
  Ordered p(kArdupilot);
  p.autopilot.refuses_arming = true;
  ASSERT_TRUE(p.order(Do::TakeOff));
  p.fly(10);
  EXPECT_EQ(p.heard(), (std::vector<std::uint16_t>{kMode, kArm}));
  EXPECT_EQ(p.refusals, std::vector<std::string>{"ArduPilot was asked to take off and answered 'temporarily rejected'"});
}

TEST(companion_orders, the_last_order_counts_and_no_answer_is_taken_for_that_to_another) {
  Ordered p(kPx4);
  p.take_off();
  p.autopilot.answers = false;
  ASSERT_TRUE(p.order(Do::Hold));
  p.fly(0.1);
  ASSERT_TRUE(p.order(Do::Return));
  p.fly(0.1);
  EXPECT_EQ(p.heard().size(), 1u) << "one command at a time";
  ASSERT_TRUE(p.order(Do::Land));
  p.autopilot.answers = true;
  p.fly(3);
  ASSERT_EQ(p.heard().size(), 2u);
  EXPECT_EQ(p.autopilot.commands.back().param3, 6);
  EXPECT_TRUE(p.autopilot.is_landing());
  EXPECT_TRUE(p.refusals.empty());
}

TEST(companion_orders, an_autopilot_that_falls_silent_has_refused) {
  Ordered p(kPx4);
  p.autopilot.speaks = p.autopilot.answers = false;
  p.fly(1.5);
  ASSERT_TRUE(p.order(Do::Arm));
  p.fly(3);
  EXPECT_EQ(p.refusals, std::vector<std::string>{"PX4 was asked to arm and was not heard for 3 s"});
}

// ---------------------------------------------------------------- steering by hand

TEST(companion_orders, hands_steer_by_velocity_and_yaw_rate_and_a_second_of_rest_is_a_hold) {
  for (const auto kind : kBoth) {
    Ordered p(kind);
    p.take_off();
    p.steer({0, 2, -0.5}, 3, 0.4);
    EXPECT_TRUE(p.autopilot.is_guided());
    ASSERT_FALSE(p.autopilot.locals.empty());
    const SetPositionTargetLocalNed& m = p.autopilot.locals.back();
    EXPECT_EQ(m.type_mask, 0x5c7) << "velocity and yaw rate";
    EXPECT_FLOAT_EQ(m.vx, 2);
    EXPECT_FLOAT_EQ(m.vz, 0.5);
    EXPECT_FLOAT_EQ(m.yaw_rate, -0.4f);
    EXPECT_EQ(p.heard(), std::vector<std::uint16_t>{kMode});
    p.fly(0.9);
    EXPECT_EQ(p.heard().size(), 1u);
    p.fly(1.5);
    EXPECT_EQ(p.companion.state().mode_text(), kind == kPx4 ? "Hold" : "BRAKE");
    const std::size_t n = p.autopilot.locals.size();
    p.fly(2);
    EXPECT_EQ(p.autopilot.locals.size(), n) << "no setpoints where nobody steers";
    EXPECT_TRUE(p.refusals.empty()) << p.refusals[0];
  }
}

TEST(companion_orders, hands_that_take_a_vehicle_out_of_the_same_mode_keep_it_whenever_heartbeats_come) {
  for (const double at : {0.0, 0.2, 0.4, 0.6, 0.8}) {
    Ordered p(kArdupilot);
    p.take_off();
    ASSERT_TRUE(p.autopilot.is_guided());
    p.autopilot.heartbeat_at = at;
    p.fly(1.3);
    ASSERT_TRUE(p.order(Do::Hold));  // as a page does when somebody takes the vehicle
    p.fly(0.05);
    p.steer({2, 0, 0}, 4);
    EXPECT_TRUE(p.autopilot.is_guided()) << at;
    EXPECT_GT(p.autopilot.position.y, 6) << at;
    EXPECT_TRUE(p.refusals.empty()) << at << p.refusals[0];
  }
}

TEST(companion_orders, steering_that_is_refused_is_told_once_while_hands_go_on) {
  Ordered p(kArdupilot);
  p.take_off();
  ASSERT_TRUE(p.order(Do::Hold));
  p.fly(2);
  p.autopilot.refuses_modes = true;
  p.steer({2, 0, 0}, 6);
  EXPECT_EQ(p.refusals, std::vector<std::string>{"ArduPilot was asked to be steered and answered 'temporarily rejected'"});
  p.fly(2);
  p.steer({2, 0, 0}, 2);
  EXPECT_EQ(p.refusals.size(), 2u) << "hands that come again are another matter";
}

TEST(companion_orders, hands_do_not_fight_with_somebody_else_for_the_mode) {
  Ordered p(kPx4);
  p.take_off();
  p.steer({2, 0, 0}, 3);
  p.autopilot.mode = p.autopilot.number(4, 5);
  p.steer({2, 0, 0}, 5);
  EXPECT_EQ(p.autopilot.mode, p.autopilot.number(4, 5));
  EXPECT_EQ(p.refusals, std::vector<std::string>{"it is steered no longer: its mode is Return now"});
}

TEST(companion_orders, a_vehicle_in_somebodys_hands_stands_still_until_another_order_acts) {
  Ordered p(kPx4);
  p.take_off();
  p.steer({2, 0, 0}, 3);
  p.autopilot.refuses_modes = true;
  ASSERT_TRUE(p.order(Do::Return));
  p.fly(3);
  EXPECT_EQ(p.refusals.size(), 1u);
  EXPECT_FLOAT_EQ(p.autopilot.locals.back().vy, 0);
  EXPECT_LT(p.autopilot.time - p.autopilot.last_setpoint, 0.1) << "without setpoints PX4 would take the link for lost";
}

// ---------------------------------------------------------------- beside behaviours

TEST(companion_orders, behaviours_let_go_for_an_order_and_get_the_vehicle_back_by_the_order_mission) {
  for (const auto kind : kBoth) {
    Ordered p(kind, true);
    p.steer_by_behaviours();
    ASSERT_TRUE(p.order(Do::Hold));
    p.fly(10);
    EXPECT_FALSE(p.autopilot.is_guided());
    EXPECT_EQ(p.heard(), std::vector<std::uint16_t>{kMode}) << "behaviours do not fight for it";
    EXPECT_EQ(p.companion.status(), "flown by a person or a failsafe");
    ASSERT_TRUE(p.order(Do::Mission));
    p.fly(4);
    EXPECT_TRUE(p.autopilot.is_guided());
    EXPECT_EQ(p.companion.status(), "follows its behaviours");
    EXPECT_GT(p.autopilot.velocity.y, 0.5);
    EXPECT_TRUE(p.refusals.empty());
  }
}

TEST(companion_orders, the_mode_of_a_place_is_no_sign_that_behaviours_have_the_vehicle) {
  for (const bool is_in_hold : {false, true}) {
    Ordered p(kArdupilot, true);
    p.steer_by_behaviours();
    if (is_in_hold) {
      ASSERT_TRUE(p.order(Do::Hold));
      p.fly(3);
    }
    ASSERT_TRUE(p.order({.kind = Do::GoTo, .position_W = {40, 20, 8}}));
    p.fly(0.1);
    const std::size_t n = p.autopilot.locals.size();
    p.fly(10);
    EXPECT_TRUE(p.autopilot.is_guided());
    EXPECT_EQ(p.autopilot.locals.size(), n) << "setpoints of behaviours would end the way there";
    ASSERT_TRUE(p.order(Do::Mission));
    p.fly(3);
    EXPECT_EQ(p.companion.status(), "follows its behaviours");
    EXPECT_GT(p.autopilot.locals.size(), n + 10);
  }
}

TEST(companion_orders, behaviours_go_on_where_an_order_was_refused) {
  for (const auto kind : kBoth) {
    Ordered p(kind, true);
    p.steer_by_behaviours();
    p.autopilot.refuses_modes = true;
    ASSERT_TRUE(p.order(Do::Return));
    p.fly(3);
    EXPECT_EQ(p.refusals.size(), 1u);
    EXPECT_EQ(p.companion.status(), "follows its behaviours");
    EXPECT_GT(p.autopilot.velocity.y, 0.5);
  }
}

TEST(companion_orders, hands_go_before_behaviours_and_give_the_vehicle_back) {
  for (const auto kind : kBoth) {
    Ordered p(kind, true);
    p.steer_by_behaviours();
    p.steer({0, 0, 1}, 3);
    EXPECT_FLOAT_EQ(p.autopilot.locals.back().vz, -1);
    ASSERT_TRUE(p.order(Do::Mission));
    p.fly(3);
    EXPECT_EQ(p.companion.status(), "follows its behaviours");
    EXPECT_FLOAT_EQ(p.autopilot.locals.back().vy, 1);
  }
}

TEST(companion_orders, a_vehicle_that_was_disarmed_by_a_person_does_not_take_off_again_by_itself) {
  Ordered p(kPx4, true);
  p.companion.want({.kind = Kind::TakeOff});
  while (!p.autopilot.is_armed) p.fly(kTick);
  ASSERT_TRUE(p.order(Do::Disarm));
  p.fly(20);
  EXPECT_FALSE(p.autopilot.is_armed);
  ASSERT_TRUE(p.order(Do::Mission));
  p.fly(10);
  EXPECT_TRUE(p.autopilot.is_armed) << "until its behaviours get it back";
}

TEST(companion_orders, behaviours_that_ask_for_nothing_cannot_have_it) {
  Ordered p(kPx4, true);
  EXPECT_FALSE(p.order(Do::Mission));
}

}  // namespace
}  // namespace volary::autopilot
