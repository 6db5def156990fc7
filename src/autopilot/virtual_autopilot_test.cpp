// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// How vehicles fly what clients of MAVLink tell them.
#include <bit>
#include <cmath>
#include <map>

#include "autopilot/station_test_support.hpp"

namespace volary::autopilot {
namespace {

using namespace mavlink;
using namespace test_flight;

TEST(virtual_autopilot, the_speed_of_a_mission_keeps_its_limit_when_the_greatest_speed_changes) {
  Flight f(standing(1));
  f.take_off(4);
  ASSERT_EQ(upload(f, {waypoint(0, 200, 0, 5)}), MissionResult::Accepted);
  ParamSet set;
  set.target_system = 1, set.target_component = 1, set.param_type = number_of(ParamType::Real32);
  set.param_id = fixed_text<16>("MPC_XY_CRUISE"), set.param_value = 2;
  f.say(set);
  f.command(Command::MissionStart);
  f.step(6);
  EXPECT_NEAR(f.world->velocity_of(f.world->vehicles()[0])[1], 2, 0.3);
  set.param_id = fixed_text<16>("MPC_XY_VEL_MAX"), set.param_value = 4;
  f.say(set);
  f.step(4);
  EXPECT_NEAR(f.world->velocity_of(f.world->vehicles()[0])[1], 2, 0.3);
}

TEST(virtual_autopilot, offboard_needs_a_stream_and_ends_in_hold_without_one) {
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

TEST(virtual_autopilot, velocities_in_the_frame_of_the_body_turn_with_the_nose) {
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

TEST(virtual_autopilot, a_mission_is_flown_item_by_item_and_every_item_is_reported) {
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

TEST(virtual_autopilot, a_mission_comes_down_as_it_went_up) {
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

TEST(virtual_autopilot, a_mission_with_a_hole_is_refused_and_the_one_before_stays) {
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

TEST(virtual_autopilot, items_that_cannot_be_flown_are_refused_by_their_fault) {
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

TEST(virtual_autopilot, a_jump_repeats_a_part_as_often_as_it_says_and_a_circle_of_jumps_does_not_stop_the_world) {
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

TEST(virtual_autopilot, a_return_climbs_flies_home_and_lands) {
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

TEST(virtual_autopilot, a_fence_is_watched_and_its_breach_is_answered) {
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

TEST(virtual_autopilot, when_the_page_takes_over_the_autopilot_lets_go) {
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
