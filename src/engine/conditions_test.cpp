// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Vehicles that hit the ground, lie on it or cannot leave it, as events and states.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/engine_test_support.hpp"
#include "environment/terrain.hpp"

namespace volary {
namespace {

using test::make;

// one that holds at this height in still air
WorldDef one_at(double height, Mode mode = Mode::Hold) {
  WorldDef w = test::circling(1);
  w.environment.wind_W = {0, 0, 0};
  w.environment.gust_sigma = 0;
  VehicleDef& v = w.flocks[0].vehicles[0];
  v.position_W = {0, 0, height};
  v.mode = mode;
  return w;
}
void give(World& w, Payload p) {
  Input in;
  in.target = w.vehicles()[0];
  in.payload = std::move(p);
  ASSERT_TRUE(w.submit(in));
}
std::vector<std::string> told(World& w) {
  std::vector<std::string> list;
  for (const Event& e : w.take_events()) list.push_back(e.what);
  return list;
}
int count(const std::vector<std::string>& list, const std::string& begin) {
  return static_cast<int>(std::count_if(list.begin(), list.end(), [&](const std::string& s) { return s.starts_with(begin); }));
}
std::string find(const std::vector<std::string>& list, const std::string& begin) {
  for (const std::string& s : list)
    if (s.starts_with(begin)) return s;
  return "";
}

TEST(conditions, an_emergency_stop_from_40_m_ends_as_one_crash_with_its_speed) {
  auto w = make(one_at(40));
  give(*w, SetMode{Mode::EmergencyStop});
  w->step(600);
  const std::vector<std::string> events = told(*w);
  EXPECT_EQ(count(events, "crashed: into the ground at"), 1) << ::testing::PrintToString(events);
  const std::string text = find(events, "crashed:");
  const double speed = std::stod(text.substr(text.rfind(',') + 1));
  EXPECT_GT(speed, 15) << text;
  EXPECT_LT(speed, std::sqrt(2 * 9.81 * 40)) << text;
  EXPECT_EQ(w->condition_of(w->vehicles()[0]), Condition::Crashed);
  EXPECT_TRUE(w->has_crashed(w->vehicles()[0]));
}

TEST(conditions, a_wreck_does_not_fly_again) {
  auto w = make(one_at(40));
  give(*w, SetMode{Mode::EmergencyStop});
  w->step(600);
  told(*w);
  give(*w, SetMode{Mode::TakeOff});
  w->step(2);
  EXPECT_EQ(count(told(*w), "refused: mode does not fit"), 1);
}

TEST(conditions, a_landing_is_no_crash) {
  auto w = make(one_at(5));
  give(*w, SetMode{Mode::Land});
  w->step(1500);
  EXPECT_EQ(count(told(*w), "crashed"), 0);
  EXPECT_EQ(w->condition_of(w->vehicles()[0]), Condition::Fine);
  EXPECT_EQ(w->mode_of(w->vehicles()[0]), Mode::Disarmed);
}

TEST(conditions, a_ground_speed_of_zero_switches_crashes_into_the_ground_off) {
  WorldDef def = one_at(40);
  def.flocks[0].node.contact.ground_speed = 0;
  def.flocks[0].failsafe.tipped.action = FailsafeAction::None;
  auto w = make(def);
  give(*w, SetMode{Mode::EmergencyStop});
  w->step(600);
  EXPECT_EQ(count(told(*w), "crashed"), 0);
}

TEST(conditions, the_policy_crash_tells_of_a_stopped_vehicle_that_falls_once) {
  WorldDef def = one_at(20);
  def.flocks[0].node.contact.policy = ContactPolicy::Crash;
  auto w = make(def);
  give(*w, SetMode{Mode::EmergencyStop});
  w->step(500);
  const std::vector<std::string> events = told(*w);
  EXPECT_EQ(count(events, "crashed: into the ground"), 1) << ::testing::PrintToString(events);
}

// on its back, as a flip leaves it
SetState on_its_back(double height) { return {.position_W = {0, 0, height}, .attitude = {0, 1, 0, 0}}; }

TEST(conditions, a_disarmed_vehicle_on_its_back_is_upside_down_and_no_crash) {
  auto w = make(one_at(0, Mode::Disarmed));
  w->step(10);
  give(*w, on_its_back(0.06));
  w->step(300);
  const std::vector<std::string> events = told(*w);
  EXPECT_EQ(count(events, "upside down: on the ground at"), 1) << ::testing::PrintToString(events);
  EXPECT_EQ(count(events, "crashed"), 0);
  EXPECT_EQ(w->condition_of(w->vehicles()[0]), Condition::UpsideDown);
  // somebody turns it over
  give(*w, SetState{.position_W = {0, 0, 0.06}});
  w->step(100);
  EXPECT_EQ(count(told(*w), "upright again"), 1);
  EXPECT_EQ(w->condition_of(w->vehicles()[0]), Condition::Fine);
}

// a plane that rises eastwards
std::shared_ptr<const terrain::Terrain> slope(double rise) {
  terrain::Heights h{41, 41, -200, -200, 10, 10, {}};
  for (int r = 0; r < 41; ++r)
    for (int c = 0; c < 41; ++c) h.up.push_back(static_cast<float>(100 + rise * (-200 + 10.0 * c)));
  return std::make_shared<const terrain::Terrain>(std::move(h));
}

TEST(conditions, a_vehicle_that_lies_on_a_slope_in_a_flight_mode_ends_as_a_crash) {
  WorldDef def = one_at(0, Mode::Hold);
  def.environment.terrain = slope(0.5);
  def.flocks[0].vehicles[0].position_W = {0, 0, 110};
  auto w = make(def);
  const double ground = def.environment.terrain->height(0, 0);
  // it lies with its rotors against the slope and still wants to hold
  for (int k = 0; k < 400 && !w->has_crashed(w->vehicles()[0]); ++k) {
    if (k < 5) give(*w, on_its_back(ground + 0.05));
    w->step();
  }
  const std::vector<std::string> events = told(*w);
  EXPECT_EQ(count(events, "crashed:"), 1) << ::testing::PrintToString(events);
  EXPECT_EQ(w->mode_of(w->vehicles()[0]), Mode::EmergencyStop);
  EXPECT_EQ(w->condition_of(w->vehicles()[0]), Condition::Crashed);
}

TEST(conditions, a_vehicle_that_is_too_heavy_to_take_off_is_stuck) {
  auto w = make(one_at(0, Mode::Disarmed));
  w->step(5);
  give(*w, SetWrench{.force_W = {0, 0, -5}});
  give(*w, SetMode{Mode::TakeOff});
  w->step(900);
  const std::vector<std::string> events = told(*w);
  EXPECT_EQ(count(events, "stuck: on the ground at"), 1) << ::testing::PrintToString(events);
  EXPECT_EQ(w->condition_of(w->vehicles()[0]), Condition::Stuck);
}

TEST(conditions, snapshots_and_threads_tell_the_same_crash) {
  const auto fall = [](World& w, int ticks) { return w.step(static_cast<std::uint64_t>(ticks)), told(w); };
  auto whole = make(one_at(40)), halves = make(one_at(40));
  give(*whole, SetMode{Mode::EmergencyStop}), give(*halves, SetMode{Mode::EmergencyStop});
  const std::vector<std::string> all = fall(*whole, 600);
  int at = 0;
  std::vector<std::string> parts;
  for (const int ticks : {295, 10, 10, 10, 275}) {
    const std::vector<std::string> more = fall(*halves, ticks);
    parts.insert(parts.end(), more.begin(), more.end());
    at += ticks;
    const auto s = halves->snapshot();
    ASSERT_TRUE(halves->restore(*s));
  }
  EXPECT_EQ(at, 600);
  EXPECT_EQ(parts, all);
  EXPECT_EQ(halves->hash(), whole->hash());
}

}  // namespace
}  // namespace volary
