// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "swarm/arbitrate.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/type_list.hpp"

namespace volary::swarm {
namespace {

// proposes to fly at a velocity with a reward, triggered by a number
struct Pilot {
  static constexpr const char* name = "pilot";
  struct Params {
    double trigger = 1, reward = 1;
    V3 velocity{};
  };
  struct Memory {
    double calls = 0;
  };
  struct Features {};
  static Features extract(const Sense&, const Params&, const Memory&) { return {}; }
  static double trigger(const Features&, const Params& p) { return p.trigger; }
  static Action act(const Features&, const Sense&, const Params& p, Memory& m, Outbox& out) {
    m.calls += 1;
    out.say(topic("here"), 0, p.reward);
    Action a = fly(p.velocity);
    a.reward = p.reward;
    return a;
  }
};
// multiplies the wanted velocity, then adds
struct Bend {
  static constexpr const char* name = "bend";
  struct Params {
    double trigger = 1, times = 1, plus = 0;
  };
  struct Memory {};
  struct Features {};
  static Features extract(const Sense&, const Params&, const Memory&) { return {}; }
  static double trigger(const Features&, const Params& p) { return p.trigger; }
  static Action filter(const Action& wanted, const Features&, const Sense&, const Params& p, Memory&) {
    Action a = wanted;
    a.velocity.x = a.velocity.x * p.times + p.plus;
    return a;
  }
};

Known going(std::uint64_t id, const V3& intent) {
  Known k;
  k.from = id;
  k.intent = intent;
  return k;
}
Proposal proposal(double weight, double reward, const V3& velocity) {
  Proposal p{true, weight, fly(velocity)};
  p.action.reward = reward;
  return p;
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
  const std::vector<Proposal> proposals = {proposal(1, 1, {1, 0, 0}), proposal(2, 0.9, {0, 1, 0}), proposal(0.5, 3, {0, 0, 1})};
  const Choice c = choose(proposals, {}, 0);
  EXPECT_EQ(c.winner, 1);
  EXPECT_DOUBLE_EQ(c.score, 1.8);
}

TEST(arbitrate, equal_scores_go_to_the_earlier_one) {
  const std::vector<Proposal> proposals = {proposal(1, 2, {1, 0, 0}), proposal(2, 1, {0, 1, 0})};
  EXPECT_EQ(choose(proposals, {}, 0).winner, 0);
}

TEST(arbitrate, cooperation_makes_it_do_as_the_others_do) {
  const std::vector<Known> others = {going(1, {0, 4, 0}), going(2, {0, 4, 0})};
  Sense s;
  s.others = others;
  const std::vector<Proposal> proposals = {proposal(1, 1, {1, 0, 0}), proposal(1, 0.8, {0, 1, 0})};
  EXPECT_EQ(choose(proposals, s, 0).winner, 0);
  EXPECT_EQ(choose(proposals, s, 0.3).winner, 1);
  EXPECT_DOUBLE_EQ(choose(proposals, s, 0.3).score, 1.1);
}

TEST(arbitrate, a_sleeping_behaviour_never_beats_one_that_acts_against_all_others) {
  const std::vector<Known> others = {going(1, {-1, 0, 0})};
  Sense s;
  s.others = others;
  std::vector<Proposal> proposals = {{}, proposal(1, 0.1, {1, 0, 0})};
  const Choice c = choose(proposals, s, 1);
  EXPECT_EQ(c.winner, 1);
  EXPECT_LT(c.score, 0);
}

TEST(arbitrate, a_reward_that_is_no_number_never_wins) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<Proposal> proposals = {proposal(1, nan, {1, 0, 0}), proposal(1, 0.1, {0, 1, 0})};
  EXPECT_EQ(choose(proposals, {}, 0).winner, 1);
}

struct Library {
  BehaviourHost pilot = make_behaviour<Pilot>(), bend = make_behaviour<Bend>();
  std::vector<Message> said;
  std::vector<Proposal> scratch;
  Decision run(std::vector<Installed> library, const Sense& s = {}) {
    Outbox out(said);
    return decide(library, s, 0, out, scratch);
  }
};

TEST(arbitrate, whoever_is_not_above_its_threshold_does_not_act) {
  Library l;
  Pilot::Params at{.trigger = 0.5, .velocity = {1, 0, 0}};
  Pilot::Memory m;
  EXPECT_EQ(l.run({{&l.pilot, 1, 0.5, &at, &m}}).winner, -1);
  EXPECT_EQ(m.calls, 0);
  EXPECT_EQ(l.run({{&l.pilot, 1, 0.49, &at, &m}}).winner, 0);
  EXPECT_EQ(m.calls, 1);
}

TEST(arbitrate, nobody_proposing_leaves_the_vehicle_alone) {
  Library l;
  EXPECT_EQ(l.run({}).action.kind, Action::Kind::None);
}

TEST(arbitrate, who_loses_still_remembers_and_speaks) {
  Library l;
  Pilot::Params a{.reward = 1, .velocity = {1, 0, 0}}, b{.reward = 2, .velocity = {2, 0, 0}};
  Pilot::Memory ma, mb;
  EXPECT_EQ(l.run({{&l.pilot, 1, 0, &a, &ma}, {&l.pilot, 1, 0, &b, &mb}}).winner, 1);
  EXPECT_EQ(ma.calls, 1);
  EXPECT_EQ(l.said.size(), 2u);
}

TEST(arbitrate, filters_change_the_winner_in_the_order_of_the_library) {
  Library l;
  Pilot::Params fly_east{.velocity = {2, 0, 0}};
  Pilot::Memory m;
  Bend::Params doubled{.times = 2}, further{.plus = 3}, asleep{.trigger = 0, .times = 100};
  const Decision d =
      l.run({{&l.bend, 1, 0, &doubled, nullptr}, {&l.pilot, 1, 0, &fly_east, &m}, {&l.bend, 1, 0, &further, nullptr}, {&l.bend, 1, 0, &asleep, nullptr}});
  EXPECT_EQ(d.winner, 1);
  EXPECT_DOUBLE_EQ(d.action.velocity.x, 2 * 2 + 3);
  EXPECT_EQ(d.filtered_by, 2);
}

}  // namespace
}  // namespace volary::swarm
