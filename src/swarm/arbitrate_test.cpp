// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "swarm/arbitrate.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <functional>
#include <optional>

namespace volary::swarm {
namespace {

// a library written by hand: what each behaviour proposes, or how it bends the action of the winner
struct Line {
  std::optional<Action> action = {};
  double weight = 1;
  std::function<Action(const Action&)> filter = {};
};
struct Library {
  std::vector<Line> lines;
  std::size_t size() const { return lines.size(); }
  bool filters(std::size_t k) const { return static_cast<bool>(lines[k].filter); }
  Proposal proposal(std::size_t k) const { return {lines[k].action ? &*lines[k].action : nullptr, lines[k].weight}; }
  Action filtered(std::size_t k, const Action& wanted) { return lines[k].filter(wanted); }
};

Known going(std::uint64_t id, const V3& intent) {
  Known k;
  k.from = id;
  k.intent = intent;
  return k;
}
Line proposal(double weight, double reward, const V3& velocity) {
  Action a = fly(velocity);
  a.reward = reward;
  return {a, weight};
}
Line bend(double times, double plus) {
  return {.filter = [=](Action a) {
    a.velocity.x = a.velocity.x * times + plus;
    return a;
  }};
}

TEST(arbitrate, sync_is_the_mean_cosine_with_what_the_others_intend) {
  const std::vector<Known> others = {going(1, {2, 0, 0}), going(2, {0, 3, 0}), going(3, {-1, 0, 0}), going(4, {5, 0, 0})};
  Sense s;
  s.others = others;
  EXPECT_DOUBLE_EQ(sync(fly({7, 0, 0}), s), (1.0 + 0 - 1 + 1) / 4);
  EXPECT_DOUBLE_EQ(sync(fly({1, 1, 0}), s), (0.7071067811865475 * 2) / 4);
}

TEST(arbitrate, who_stands_still_or_knows_nobody_is_in_step_with_nobody) {
  Sense s;
  EXPECT_EQ(sync(fly({1, 0, 0}), s), 0);
  const std::vector<Known> others = {going(1, {0, 0, 0})};
  s.others = others;
  EXPECT_EQ(sync(fly({1, 0, 0}), s), 0);
  EXPECT_EQ(sync(fly({0, 0, 0}), s), 0);
  EXPECT_EQ(sync({.kind = Action::Kind::Hold}, s), 0);
}

RC_GTEST_PROP(arbitrate, sync_stays_between_minus_one_and_one, (const std::vector<std::array<short, 3>>& intents, const std::array<short, 3>& own)) {
  std::vector<Known> others;
  for (const auto& i : intents) others.push_back(going(others.size() + 1, {static_cast<double>(i[0]), static_cast<double>(i[1]), static_cast<double>(i[2])}));
  Sense s;
  s.others = others;
  const double value = sync(fly({static_cast<double>(own[0]), static_cast<double>(own[1]), static_cast<double>(own[2])}), s);
  RC_ASSERT(value >= -1 && value <= 1);
}

TEST(arbitrate, a_position_means_flying_towards_it) {
  Sense s;
  s.position = {10, 0, 5};
  const V3 v = intent_of(go_to({10, 100, 5}), s);
  EXPECT_EQ(v.x, 0);
  EXPECT_DOUBLE_EQ(v.y, s.max_speed);
}

TEST(arbitrate, the_highest_reward_times_weight_wins) {
  const Library proposals{{proposal(1, 1, {1, 0, 0}), proposal(2, 0.9, {0, 1, 0}), proposal(0.5, 3, {0, 0, 1})}};
  const Choice c = choose(proposals, {}, 0);
  EXPECT_EQ(c.winner, 1);
  EXPECT_DOUBLE_EQ(c.score, 1.8);
}

TEST(arbitrate, equal_scores_go_to_the_earlier_one) {
  const Library proposals{{proposal(1, 2, {1, 0, 0}), proposal(2, 1, {0, 1, 0})}};
  EXPECT_EQ(choose(proposals, {}, 0).winner, 0);
}

TEST(arbitrate, cooperation_makes_it_do_as_the_others_do) {
  const std::vector<Known> others = {going(1, {0, 4, 0}), going(2, {0, 4, 0})};
  Sense s;
  s.others = others;
  const Library proposals{{proposal(1, 1, {1, 0, 0}), proposal(1, 0.8, {0, 1, 0})}};
  EXPECT_EQ(choose(proposals, s, 0).winner, 0);
  EXPECT_EQ(choose(proposals, s, 0.3).winner, 1);
  EXPECT_DOUBLE_EQ(choose(proposals, s, 0.3).score, 1.1);
}

TEST(arbitrate, a_sleeping_behaviour_never_beats_one_that_acts_against_all_others) {
  const std::vector<Known> others = {going(1, {-1, 0, 0})};
  Sense s;
  s.others = others;
  const Library proposals{{{}, proposal(1, 0.1, {1, 0, 0})}};
  const Choice c = choose(proposals, s, 1);
  EXPECT_EQ(c.winner, 1);
  EXPECT_LT(c.score, 0);
}

TEST(arbitrate, a_reward_that_is_no_number_never_wins) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Library proposals{{proposal(1, nan, {1, 0, 0}), proposal(1, 0.1, {0, 1, 0})}};
  EXPECT_EQ(choose(proposals, {}, 0).winner, 1);
}

TEST(arbitrate, nobody_proposing_leaves_the_vehicle_alone) {
  const Decision d = arbitrate(Library{}, {}, 0);
  EXPECT_EQ(d.winner, -1);
  EXPECT_EQ(d.action.kind, Action::Kind::None);
}

TEST(arbitrate, filters_change_the_winner_in_the_order_of_the_library) {
  const Decision d = arbitrate(Library{{bend(2, 0), proposal(1, 1, {2, 0, 0}), bend(1, 3), proposal(1, 0.5, {9, 0, 0})}}, {}, 0);
  EXPECT_EQ(d.winner, 1);
  EXPECT_DOUBLE_EQ(d.action.velocity.x, 2 * 2 + 3);
}

}  // namespace
}  // namespace volary::swarm
