// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "agents/task_check.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <set>

namespace volary::agents {
namespace {

LearningDef sound() {
  LearningDef d;
  d.observations = {"to_goal", "velocity", "last_action"};
  d.rewards = {{"goal_closeness", 1, 0.5}, {"effort", -0.1}};
  d.ends = {{"too_far", 3, -1}, {"tilted", 1}};
  return d;
}

TEST(task_check, accepts_a_sound_task) {
  const core::Status s = check_task(sound(), "learning");
  EXPECT_TRUE(s) << s.error().text();
}

TEST(task_check, names_the_field_of_every_fault_and_what_was_meant) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  struct Case {
    std::function<void(LearningDef&)> spoil;
    const char *field, *words;
  };
  const Case cases[] = {
      {[](LearningDef& d) { d.observations[0] = "to_gaol"; }, "learning.observations[0]", "did you mean 'to_goal'?"},
      {[](LearningDef& d) { d.observations[0] = "xyz"; }, "learning.observations[0]", "there are position, velocity"},
      {[](LearningDef& d) { d.rewards[1].term = "efort"; }, "learning.rewards[1].term", "did you mean 'effort'?"},
      {[](LearningDef& d) { d.rewards[1].term = "money"; }, "learning.rewards[1].term", "there are alive, goal_distance"},
      {[](LearningDef& d) { d.rewards[0].scale = 0; }, "learning.rewards[0].scale", "greater than 0"},
      {[](LearningDef& d) { d.rewards[1].scale = 2; }, "learning.rewards[1].scale", "has no scale"},
      {[&](LearningDef& d) { d.rewards[1].weight = kInf; }, "learning.rewards[1].weight", "finite"},
      {[](LearningDef& d) { d.ends[0].term = "to_far"; }, "learning.ends[0].term", "did you mean 'too_far'?"},
      {[](LearningDef& d) { d.ends[0] = {"on_ground", 1}; }, "learning.ends[0].limit", "has no limit"},
      {[](LearningDef& d) { d.ends[0] = {"goals_done"}; }, "learning.ends[0].term", "waypoints or gates"},
      {[](LearningDef& d) { d.goal.kind = GoalKind::Waypoints, d.ends[0] = {"gate_hit"}; }, "learning.ends[0].term", "kind gates"},
      {[](LearningDef& d) { d.goal.points = {{0, 0, 1}, {1, 0, 1}}; }, "learning.goal.points", "has one point"},
      {[](LearningDef& d) { d.goal.low = {1, 0, 0}; }, "learning.goal.low", "above high"},
      {[](LearningDef& d) { d.goal.radius = 0; }, "learning.goal.radius", "greater than 0"},
      {[](LearningDef& d) { d.goal.count = 0; }, "learning.goal.count", "from 1"},
      {[](LearningDef& d) { d.action.low = {0, 0, 0, 0}; }, "learning.action.low", "low has 4 numbers and high has 0"},
      {[](LearningDef& d) { d.action.low = d.action.high = {0, 0, 0}; }, "learning.action.low", "has 4 numbers, and there are 3"},
      {[](LearningDef& d) { d.action.low = d.action.high = {0, 0, 0, 0}, d.action.scaled = false; }, "learning.action.low", "scaled"},
      {[](LearningDef& d) { d.action.level = ControlLevel::Position; }, "learning.action.low", "has no limits of its own"},
      {[](LearningDef& d) { d.time_limit = 0; }, "learning.time_limit", "greater than 0"},
      {[](LearningDef& d) { d.ticks = 0; }, "learning.ticks", "at least 1"},
  };
  for (const Case& c : cases) {
    LearningDef d = sound();
    c.spoil(d);
    const core::Status s = check_task(d, "learning");
    ASSERT_FALSE(s) << c.field << " " << c.words;
    EXPECT_EQ(s.error().field, c.field) << s.error().text();
    EXPECT_NE(s.error().text().find(c.words), std::string::npos) << s.error().text();
  }
}

TEST(task_check, every_term_has_a_name_of_its_own_in_its_list) {
  std::set<std::string> names;
  for (const Term& t : kTerms) EXPECT_TRUE(names.insert(t.name).second) << t.name;
  names.clear();
  for (const RewardLine& t : kRewards) EXPECT_TRUE(names.insert(t.name).second) << t.name;
  names.clear();
  for (const EndLine& t : kEnds) EXPECT_TRUE(names.insert(t.name).second) << t.name;
}

}  // namespace
}  // namespace volary::agents
