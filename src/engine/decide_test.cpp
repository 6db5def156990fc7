// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Which behaviour acts in a world that flies: triggers, thresholds, weights and cooperation (swarm/arbitrate.hpp).
#include <algorithm>

#include "engine/engine_test_support.hpp"
#include "swarm/behaviours/all.hpp"
#include "swarm/message.hpp"

namespace volary {
namespace {

using test::behaviour;
using test::make;

BehaviourDef go(double east, double north, double weight) {
  return behaviour<swarm::GoTo>({.points = {{east, north, 10}}, .speed = 3}, weight);
}

// one vehicle that may fly east or, with less weight, north, among a crowd that flies north and says so
WorldDef undecided(double cooperation) {
  WorldDef w = test::talking(7);
  w.environment = {};
  FlockDef one = w.flocks[0];
  one.name = "one";
  one.vehicles.resize(1);
  one.vehicles[0].position_W = {7, 3, 12};
  one.node.cooperation = cooperation;
  one.node.behaviours = {go(500, 3, 1), go(7, 500, 0.8)};
  w.flocks[0].node.behaviours = {go(0, 500, 1)};
  w.flocks.push_back(one);
  return w;
}

int chosen(const World& w, VehicleId id) {
  const auto behaviours = w.decision_state_of(id).behaviours;
  const auto at = std::find_if(behaviours.begin(), behaviours.end(), [](const DecisionState::Behaviour& b) { return b.chosen; });
  return at == behaviours.end() ? -1 : static_cast<int>(at - behaviours.begin());
}

// ---------------------------------------------------------------- from outside

// a vehicle that its behaviour leads east, and that is sent to another place
TEST(decide, a_place_to_go_to_suspends_behaviours_until_the_mission_is_resumed) {
  for (const bool in_bulk : {false, true}) {
    WorldDef def = test::talking(1);
    def.environment = {};
    def.flocks[0].node.behaviours = {go(500, 0, 1)};
    auto w = make(def);
    const VehicleId id = w->vehicles()[0];
    w->step(300);
    EXPECT_GT(w->velocity_of(id)[0], 1.5);
    if (in_bulk)
      w->submit({.payload = SetMany{.what = Many::Position, .flock = "birds", .values = {0, 5, 10, 0}}});
    else
      w->submit({.target = id, .payload = SetSetpoint{.level = ControlLevel::Position, .position_W = {0, 5, 10}}});
    w->step(3000);
    EXPECT_NEAR(w->position_of(id)[0], 0, 0.2);
    EXPECT_NEAR(w->position_of(id)[1], 5, 0.2);
    w->submit({.target = id, .payload = SetMode{Mode::Mission}});
    w->step(300);
    EXPECT_GT(w->velocity_of(id)[0], 1.5);
  }
}

// Lua, tasks, recordings, the page and the API have one word for a vehicle that its behaviours steer
TEST(decide, a_vehicle_that_its_behaviours_steer_is_on_its_mission) {
  WorldDef def = test::talking(1);
  def.environment = {};
  def.flocks[0].node.behaviours = {go(500, 0, 1)};
  auto w = make(def);
  const VehicleId id = w->vehicles()[0];
  w->step(300);
  EXPECT_EQ(w->mode_of(id), Mode::Mission);
  w->submit({.target = id, .payload = SetSetpoint{.level = ControlLevel::Position, .position_W = {0, 5, 10}}});
  w->step(300);
  EXPECT_EQ(w->mode_of(id), Mode::Armed);
  w->submit({.target = id, .payload = SetMode{Mode::Mission}});
  w->step(300);
  EXPECT_EQ(w->mode_of(id), Mode::Mission);
}

// what is streamed and then breaks off is no goal: the behaviours take over a second later
TEST(decide, a_velocity_suspends_behaviours_for_a_second) {
  WorldDef def = test::talking(1);
  def.environment = {};
  def.flocks[0].node.behaviours = {go(500, 0, 1)};
  auto w = make(def);
  const VehicleId id = w->vehicles()[0];
  w->submit({.target = id, .payload = SetSetpoint{.level = ControlLevel::Velocity, .velocity_W = {-2, 0, 0}}});
  w->step(90);
  EXPECT_LT(w->velocity_of(id)[0], -0.5);
  w->step(400);
  EXPECT_GT(w->velocity_of(id)[0], 1.5);
}

}  // namespace

// eq. 3: R W + eta sync. East is worth 1, north 0.8 and eta more, because everybody else intends to fly north.
TEST(decide, cooperation_makes_a_vehicle_fly_as_the_others_intend) {
  for (const double eta : {0.0, 0.1, 0.3}) {
    auto w = make(undecided(eta));
    w->step(300);
    const VehicleId id = w->vehicles("one")[0];
    EXPECT_EQ(chosen(*w, id), eta > 0.2 ? 1 : 0) << eta;
    const Vec v = w->velocity_of(id);
    EXPECT_EQ(v[1] > v[0], eta > 0.2) << eta;
  }
}

TEST(decide, the_highest_weight_wins_and_the_earlier_one_of_two_equals) {
  for (const double second : {0.5, 1.0, 1.5}) {
    WorldDef def = test::talking(1);
    def.flocks[0].node.behaviours = {go(500, 0, 1), go(0, 500, second)};
    auto w = make(def);
    w->step(100);
    EXPECT_EQ(chosen(*w, w->vehicles()[0]), second > 1 ? 1 : 0) << second;
  }
}

TEST(decide, a_behaviour_acts_only_above_its_threshold) {
  for (const double threshold : {0.99, 1.0}) {  // the trigger of go_to is 1
    WorldDef def = test::talking(1);
    def.flocks[0].node.behaviours = {go(500, 0, 1)};
    def.flocks[0].node.behaviours[0].threshold = threshold;
    auto w = make(def);
    w->step(200);
    EXPECT_EQ(chosen(*w, w->vehicles()[0]), threshold < 1 ? 0 : -1) << threshold;
    EXPECT_EQ(w->position_of(w->vehicles()[0])[0] > 1.5, threshold < 1) << threshold;
  }
}

TEST(decide, a_behaviour_that_loses_still_speaks) {
  WorldDef def = test::talking(2);
  def.flocks[0].node.behaviours = {go(500, 0, 5), behaviour<swarm::Announce>({.topic = "here", .rate = 5})};
  auto w = make(def);
  bool said = false;
  for (int k = 0; k < 200; ++k) {
    w->step();
    for (const MessageOutcome& h : w->message_outcomes()) said = said || h.topic == swarm::topic("here");
  }
  EXPECT_EQ(chosen(*w, w->vehicles()[0]), 0);
  EXPECT_TRUE(said);
}

}  // namespace volary
