// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/companion_test_support.hpp"

namespace volary::autopilot {
namespace {

using namespace test_companion;

constexpr auto kPx4 = mavlink::AutopilotKind::Px4, kArdupilot = mavlink::AutopilotKind::Ardupilotmega;
constexpr std::uint16_t kPositionAndYaw = 0x9f8, kVelocityAndYaw = 0x9c7, kPositionVelocityAndYaw = 0x9c0;

bool has(const std::vector<std::string>& reports, const std::string& words) {
  return std::any_of(reports.begin(), reports.end(), [&](const std::string& text) { return text.find(words) != std::string::npos; });
}

// ---------------------------------------------------------------- take-off

TEST(companion, streams_then_changes_the_mode_then_arms_and_climbs_with_px4) {
  Pair p(kPx4);
  p.fly(3);
  EXPECT_TRUE(p.autopilot.locals.empty()) << "nobody has asked for anything";
  p.companion.want({.kind = Kind::TakeOff});
  p.fly(15);
  const auto modes = p.autopilot.heard(mavlink::Command::DoSetMode), arms = p.autopilot.heard(mavlink::Command::ComponentArmDisarm);
  ASSERT_EQ(modes.size(), 1u) << "asked once, because setpoints came before";
  EXPECT_EQ(modes[0].param2, 6);
  ASSERT_EQ(arms.size(), 1u);
  EXPECT_EQ(arms[0].param1, 1);
  EXPECT_TRUE(p.autopilot.heard(mavlink::Command::NavTakeoff).empty());
  EXPECT_NEAR(p.autopilot.position.z, -2, 0.05);
  EXPECT_EQ(p.companion.status(), "follows its behaviours");
  EXPECT_TRUE(p.reports.empty()) << p.reports[0];
}

TEST(companion, changes_the_mode_arms_and_commands_the_take_off_of_ardupilot) {
  Pair p(kArdupilot);
  p.companion.want({.kind = Kind::TakeOff});
  p.fly(10);
  const auto modes = p.autopilot.heard(mavlink::Command::DoSetMode), climbs = p.autopilot.heard(mavlink::Command::NavTakeoff);
  ASSERT_EQ(modes.size(), 1u);
  EXPECT_EQ(modes[0].param2, 4);
  ASSERT_EQ(climbs.size(), 1u);
  EXPECT_EQ(climbs[0].param7, 2);
  EXPECT_NEAR(p.autopilot.position.z, -2, 0.05);
  p.fly(5);
  EXPECT_NEAR(p.autopilot.position.z, -2, 0.05) << "and stays there";
}

TEST(companion, does_not_stop_a_take_off_of_ardupilot_by_setpoints) {
  Pair p(kArdupilot);
  p.companion.want({.kind = Kind::TakeOff});
  while (p.autopilot.landed != LandedState::Takeoff) p.fly(kTick);
  p.fly(1);
  EXPECT_TRUE(p.autopilot.locals.empty());
}

TEST(companion, asks_for_the_telemetry_that_it_needs) {
  for (const auto kind : {kPx4, kArdupilot}) {
    Pair p(kind);
    p.fly(5);
    std::vector<float> ids;
    for (const CommandLong& m : p.autopilot.heard(mavlink::Command::SetMessageInterval)) ids.push_back(m.param1);
    EXPECT_EQ(ids, (std::vector<float>{ExtendedSysState::kId, SysStatus::kId, AttitudeQuaternion::kId, LocalPositionNed::kId}));
    EXPECT_EQ(p.autopilot.commands.size(), ids.size()) << "and commands nothing by itself";
  }
}

TEST(companion, waits_until_the_autopilot_is_ready_to_arm_and_tells_why_it_is_not) {
  for (const auto kind : {kPx4, kArdupilot}) {
    Pair p(kind);
    p.autopilot.is_ready = false;
    p.companion.want({.kind = Kind::TakeOff});
    p.fly(70);
    EXPECT_TRUE(p.autopilot.heard(mavlink::Command::ComponentArmDisarm).empty());
    ASSERT_EQ(p.reports.size(), 1u);
    EXPECT_NE(p.reports[0].find("scout: waits until its autopilot is ready to arm, for 60 s now; its autopilot said: PreArm: Need Position Estimate"),
              std::string::npos)
        << p.reports[0];
    p.autopilot.is_ready = true;
    p.fly(10);
    EXPECT_TRUE(p.autopilot.is_armed);
  }
}

TEST(companion, asks_ever_more_seldom_when_it_is_refused) {
  Pair p(kPx4);
  p.autopilot.refuses_arming = true;
  p.companion.want({.kind = Kind::TakeOff});
  p.fly(40);
  const std::size_t n = p.autopilot.heard(mavlink::Command::ComponentArmDisarm).size();
  EXPECT_GE(n, 4u);
  EXPECT_LE(n, 8u);
  EXPECT_TRUE(has(p.reports, "asks to arm, for 15 s now; its autopilot answered 'temporarily rejected'")) << p.reports.size();
}

TEST(companion, repeats_a_command_that_is_not_answered_with_its_count) {
  Pair p(kArdupilot);
  p.fly(5);
  p.autopilot.answers = false;
  p.autopilot.commands.clear();
  p.companion.want({.kind = Kind::TakeOff});
  p.fly(2.9);
  ASSERT_EQ(p.autopilot.commands.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(p.autopilot.commands[k].confirmation, k);
}

// ---------------------------------------------------------------- setpoints

TEST(companion, gives_positions_from_the_home_of_the_vehicle_with_north_first) {
  Pair p(kPx4);
  p.launch();
  p.companion.want({.kind = Kind::Position, .position_W = {14, 25, 7}, .yaw = 0.3, .turns = true});
  p.fly(1);
  const SetPositionTargetLocalNed& m = p.autopilot.locals.back();
  EXPECT_EQ(m.type_mask, kPositionAndYaw);
  EXPECT_FLOAT_EQ(m.x, 5);
  EXPECT_FLOAT_EQ(m.y, 4);
  EXPECT_FLOAT_EQ(m.z, -6);
  EXPECT_FLOAT_EQ(m.yaw, static_cast<float>(3.14159265358979 / 2 - 0.3));
  EXPECT_EQ(m.coordinate_frame, number_of(CoordinateFrame::LocalNed));
  p.fly(10);
  EXPECT_NEAR(p.autopilot.position.x, 5, 0.05);
  p.companion.want({.kind = Kind::Position, .position_W = {14, 25, 7}, .velocity_W = {1, 0, 0}});
  p.fly(0.2);
  EXPECT_EQ(p.autopilot.locals.back().type_mask, kPositionVelocityAndYaw);
  EXPECT_FLOAT_EQ(p.autopilot.locals.back().vy, 1);
  EXPECT_FLOAT_EQ(p.autopilot.locals.back().yaw, static_cast<float>(3.14159265358979 / 2 - 0.3)) << "a yaw is kept until another one is asked for";
}

TEST(companion, streams_twenty_setpoints_per_second) {
  for (const auto kind : {kPx4, kArdupilot}) {
    Pair p(kind);
    p.launch();
    p.companion.want({.kind = Kind::Velocity, .velocity_W = {1, 0, 0.5}});
    const std::size_t before = p.autopilot.locals.size();
    p.fly(2);
    EXPECT_NEAR(static_cast<double>(p.autopilot.locals.size() - before), 40, 8);
    const SetPositionTargetLocalNed& m = p.autopilot.locals.back();
    EXPECT_EQ(m.type_mask, kVelocityAndYaw);
    EXPECT_FLOAT_EQ(m.vx, 0);
    EXPECT_FLOAT_EQ(m.vy, 1);
    EXPECT_FLOAT_EQ(m.vz, -0.5);
    EXPECT_FLOAT_EQ(m.yaw, 0.5f) << "the yaw that it had on the ground";
  }
}

TEST(companion, holds_where_the_vehicle_was_when_that_was_asked_for) {
  for (const Kind kind : {Kind::Hold, Kind::None}) {
    Pair p(kPx4);
    p.launch();
    p.companion.want({.kind = Kind::Velocity, .velocity_W = {2, 0, 0}});
    p.fly(3);
    const double there = p.autopilot.position.y;
    EXPECT_GT(there, 5);
    p.companion.want({.kind = kind});
    p.fly(5);
    EXPECT_NEAR(p.autopilot.position.y, there, 0.2);
  }
}

TEST(companion, gives_latitude_and_longitude_in_a_world_that_has_a_place) {
  const Place place(OriginDef{47, 8, 400});
  Pair p(kPx4, place);
  const auto tell = [&](const Vec& at_W) {
    const LatLon at = place.on_earth(at_W);
    GlobalPositionInt m;
    m.lat = degrees_e7(at.latitude), m.lon = degrees_e7(at.longitude), m.alt = static_cast<std::int32_t>(std::lround(at.altitude * 1e3));
    m.vy = 150;
    Bytes bytes;
    p.autopilot.writer.append(m, bytes);
    p.parser.feed(bytes, [&](const Frame& f) { p.companion.hear(f, kChannel, p.autopilot.time); });
  };
  tell({100, 50, 3});
  const auto motion = p.companion.take_motion();
  ASSERT_TRUE(motion);
  EXPECT_NEAR(motion->position_W[0], 100, 0.02);
  EXPECT_NEAR(motion->position_W[1], 50, 0.02);
  EXPECT_NEAR(motion->position_W[2], 3, 0.01);
  EXPECT_DOUBLE_EQ(motion->velocity_W[0], 1.5);
  EXPECT_FALSE(p.companion.take_motion()) << "nothing new was heard";

  p.companion.want({.kind = Kind::TakeOff});
  p.fly(6);
  ASSERT_FALSE(p.autopilot.globals.empty());
  const SetPositionTargetGlobalInt& m = p.autopilot.globals.back();
  const Vec goal = place.in_world({m.lat_int * 1e-7, m.lon_int * 1e-7, m.alt});
  EXPECT_NEAR(goal[0], 100, 0.02);
  EXPECT_NEAR(goal[2], 5, 0.01) << "its take-off height above the place where it stood";
  EXPECT_EQ(m.coordinate_frame, number_of(CoordinateFrame::GlobalInt));
}

TEST(companion, tells_the_world_where_the_vehicle_is_in_the_axes_of_the_world) {
  Pair p(kPx4);
  p.autopilot.position = {5, 4, -6};
  p.autopilot.yaw = 0;  // north
  p.fly(1);
  const auto motion = p.companion.take_motion();
  ASSERT_TRUE(motion);
  EXPECT_EQ(motion->position_W, (Vec{14, 25, 7}));
  EXPECT_NEAR(2 * std::atan2(motion->attitude[3], motion->attitude[0]), 3.14159265358979 / 2, 1e-6) << "north is a quarter turn from east";
}

// ---------------------------------------------------------------- landing and disarming

TEST(companion, lands_and_leaves_the_disarming_to_the_autopilot) {
  for (const auto kind : {kPx4, kArdupilot}) {
    Pair p(kind);
    p.launch();
    p.companion.want({.kind = Kind::Land});
    p.fly(12);
    EXPECT_FALSE(p.autopilot.is_armed);
    EXPECT_EQ(p.autopilot.landed, LandedState::OnGround);
    const auto arms = p.autopilot.heard(mavlink::Command::ComponentArmDisarm);
    EXPECT_EQ(arms.size(), 1u) << "the one before the flight";
    EXPECT_EQ(p.companion.status(), "disarmed");
    EXPECT_TRUE(p.reports.empty());
  }
}

TEST(companion, disarms_an_autopilot_that_stays_armed_on_the_ground) {
  Pair p(kArdupilot);
  p.launch();
  p.autopilot.disarms_itself = false;
  p.companion.want({.kind = Kind::Land});
  p.fly(15);
  EXPECT_FALSE(p.autopilot.is_armed);
}

TEST(companion, takes_up_a_flight_again_while_it_lands) {
  Pair p(kPx4);
  p.launch();
  p.companion.want({.kind = Kind::Velocity, .velocity_W = {0, 0, 1}});
  p.fly(5);  // high enough to be still in the air then
  p.companion.want({.kind = Kind::Land});
  p.fly(1.5);
  EXPECT_TRUE(p.autopilot.is_landing());
  p.companion.want({.kind = Kind::Velocity, .velocity_W = {0, 0, 1}});
  p.fly(4);
  EXPECT_TRUE(p.autopilot.is_guided());
  EXPECT_LT(p.autopilot.velocity.z, 0);
  EXPECT_TRUE(p.reports.empty()) << p.reports[0];
}

TEST(companion, does_nothing_on_the_ground_but_take_off) {
  for (const Kind kind : {Kind::Hold, Kind::Velocity, Kind::Position, Kind::Land, Kind::Disarm}) {
    Pair p(kPx4);
    p.companion.want({.kind = kind});
    p.fly(10);
    EXPECT_EQ(p.autopilot.commands.size(), p.autopilot.heard(mavlink::Command::SetMessageInterval).size());
    EXPECT_TRUE(p.autopilot.locals.empty());
  }
}

// ---------------------------------------------------------------- other hands

TEST(companion, lets_go_when_somebody_changes_the_mode_until_it_is_given_back) {
  for (const auto kind : {kPx4, kArdupilot}) {
    Pair p(kind);
    p.launch();
    p.companion.want({.kind = Kind::Velocity, .velocity_W = {1, 0, 0}});
    p.fly(2);
    const std::size_t commands = p.autopilot.commands.size();
    p.autopilot.mode = p.autopilot.number(3);
    p.fly(20);
    EXPECT_EQ(p.autopilot.mode, p.autopilot.number(3));
    EXPECT_EQ(p.autopilot.commands.size(), commands);
    ASSERT_EQ(p.reports.size(), 1u);
    EXPECT_NE(p.reports[0].find(kind == kPx4 ? "when its mode is Offboard" : "when its mode is GUIDED"), std::string::npos) << p.reports[0];
    p.autopilot.mode = kind == kPx4 ? p.autopilot.number(6) : p.autopilot.number(4);
    p.fly(3);
    EXPECT_EQ(p.companion.status(), "follows its behaviours");
    EXPECT_TRUE(has(p.reports, "steer it again"));
  }
}

TEST(companion, does_not_take_off_again_after_somebody_has_landed_the_vehicle) {
  Pair p(kPx4);
  p.companion.want({.kind = Kind::TakeOff});
  p.fly(15);
  p.autopilot.mode = p.autopilot.number(4, 6);
  p.fly(20);
  EXPECT_FALSE(p.autopilot.is_armed);
  EXPECT_EQ(p.autopilot.heard(mavlink::Command::ComponentArmDisarm).size(), 1u);
  p.companion.want({.kind = Kind::None});
  p.fly(2);
  p.companion.want({.kind = Kind::TakeOff});
  p.fly(10);
  EXPECT_TRUE(p.autopilot.is_armed) << "a new take-off is another matter";
}

TEST(companion, does_not_take_over_a_vehicle_that_flies_already) {
  Pair p(kPx4);
  p.autopilot.is_armed = true;
  p.autopilot.landed = LandedState::InAir;
  p.autopilot.position = {0, 0, -20};
  p.autopilot.mode = p.autopilot.number(4, 3);
  p.companion.want({.kind = Kind::Velocity, .velocity_W = {1, 0, 0}});
  p.fly(10);
  EXPECT_TRUE(p.autopilot.heard(mavlink::Command::DoSetMode).empty());
  EXPECT_TRUE(has(p.reports, "a person or a failsafe flies it"));
}

TEST(companion, only_shows_what_is_neither_px4_nor_ardupilot) {
  Pair p(mavlink::AutopilotKind::Generic);
  p.companion.want({.kind = Kind::TakeOff});
  p.fly(10);
  EXPECT_TRUE(p.companion.take_motion());
  EXPECT_EQ(p.autopilot.commands.size(), p.autopilot.heard(mavlink::Command::SetMessageInterval).size());
  EXPECT_TRUE(has(p.reports, "neither PX4 nor ArduPilot"));
}

TEST(companion, reports_silence_once_and_asks_for_telemetry_again_after_it) {
  Pair p(kPx4);
  p.fly(5);
  const std::size_t before = p.autopilot.commands.size();
  p.autopilot.speaks = false;
  p.fly(20);
  EXPECT_EQ(p.reports, (std::vector<std::string>{"scout: nothing was heard of its autopilot for 3 s"}));
  EXPECT_FALSE(p.companion.is_heard());
  EXPECT_EQ(p.autopilot.commands.size(), before);
  p.autopilot.speaks = true;
  p.fly(5);
  EXPECT_EQ(p.autopilot.commands.size(), 2 * before);
  EXPECT_TRUE(has(p.reports, "heard again"));
}

TEST(companion, reports_an_autopilot_that_never_spoke) {
  Pair p(kPx4);
  p.autopilot.speaks = false;
  p.fly(100);
  EXPECT_EQ(p.reports, (std::vector<std::string>{"scout: nothing was heard of its autopilot (system 1) so far"}));
  EXPECT_NEAR(p.autopilot.heartbeats, 100, 2) << "it is spoken to, because some answer only then";
}

TEST(companion, leaves_a_vehicle_that_it_flies_holding_its_place) {
  for (const auto kind : {kPx4, kArdupilot}) {
    Pair p(kind);
    p.launch();
    p.companion.leave();
    p.fly(kTick);
    EXPECT_EQ(p.autopilot.mode, kind == kPx4 ? p.autopilot.number(4, 3) : p.autopilot.number(17));
  }
}

}  // namespace
}  // namespace volary::autopilot
