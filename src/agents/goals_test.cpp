// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "agents/goals.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "control/guide.hpp"

namespace volary::agents {
namespace {

Who who(std::uint32_t world, std::uint32_t episode, std::uint64_t id) { return {math::world_key(7, world, episode), id, {10, 20, 30}}; }

GoalDef box(GoalKind kind, int count) {
  GoalDef g;
  g.kind = kind;
  g.count = count;
  g.low = {-1, -2, 3}, g.high = {1, 2, 4};
  return g;
}

TEST(goals, are_drawn_from_the_box_anew_for_each_world_episode_agent_and_number) {
  const Goals goals(box(GoalKind::Waypoints, 5), 0.01, 100);
  std::set<double> seen;
  double sum = 0;
  for (std::uint32_t world = 0; world < 6; ++world)
    for (std::uint32_t episode = 0; episode < 5; ++episode)
      for (std::uint64_t id = 1; id <= 4; ++id)
        for (std::uint32_t number = 0; number < 5; ++number) {
          const Vec p = goals.point(who(world, episode, id), number);
          for (std::size_t k = 0; k < 3; ++k) {
            EXPECT_GE(p[k], goals.def().low[k]);
            EXPECT_LE(p[k], goals.def().high[k]);
          }
          seen.insert(p[0]);
          sum += p[1];
        }
  EXPECT_EQ(seen.size(), 600u);
  EXPECT_NEAR(sum / 600, 0, 0.2);
  EXPECT_EQ(goals.point(who(3, 2, 1), 4), goals.point(who(3, 2, 1), 4));
}

TEST(goals, are_relative_to_the_start_where_that_is_asked_for) {
  GoalDef g;
  g.points = {{1, 2, 3}};
  EXPECT_EQ(Goals(g, 0.01, 0).point(who(0, 0, 1), 0), (Vec{1, 2, 3}));
  g.from_start = true;
  EXPECT_EQ(Goals(g, 0.01, 0).point(who(0, 0, 1), 0), (Vec{11, 22, 33}));
}

TEST(goals, gates_face_away_from_the_one_before_and_the_first_from_the_start) {
  GoalDef g;
  g.kind = GoalKind::Gates;
  g.points = {{10, 20, 32}, {13, 24, 32}, {13, 24, 32}};
  const Goals goals(g, 0.01, 0);
  EXPECT_EQ(goals.count(), 3u);
  EXPECT_EQ(goals.normal(who(0, 0, 1), 0), (Vec{0, 0, 1}));
  EXPECT_EQ(goals.normal(who(0, 0, 1), 1), (Vec{0.6, 0.8, 0}));
  EXPECT_EQ(goals.normal(who(0, 0, 1), 2), (Vec{1, 0, 0})) << "two gates in one place have no direction";
}

TEST(goals, a_curve_moves_as_its_definition_says_within_its_table_and_beyond) {
  GoalDef g;
  g.kind = GoalKind::Curve;
  g.curve.amplitude = {1, 2, 0};
  g.curve.rate = {0.5, 1.5, 1};
  g.curve.phase = {0.3, 0, 0};
  g.curve.ramp = 0;
  g.ahead = 0.1;
  const Goals goals(g, 0.02, 50);
  EXPECT_EQ(goals.ahead(), 5u);
  for (const std::uint64_t tick : {std::uint64_t{0}, std::uint64_t{7}, std::uint64_t{49}, std::uint64_t{56}, std::uint64_t{400}}) {
    const Goals::Moved m = goals.moved(tick);
    const double t = 0.02 * static_cast<double>(tick);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(m.offset_W[k], g.curve.amplitude[k] * std::sin(g.curve.rate[k] * t + g.curve.phase[k]), 1e-5) << tick;
      if (tick > 0) EXPECT_NEAR(m.velocity_W[k], g.curve.amplitude[k] * g.curve.rate[k] * std::cos(g.curve.rate[k] * t + g.curve.phase[k]), 1e-5) << tick;
    }
  }
}

}  // namespace
}  // namespace volary::agents
