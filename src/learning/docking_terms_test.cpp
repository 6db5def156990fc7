// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Terms of docking and contact, worked out a second time from what the world publishes and from the figures of the airframes.
#include <algorithm>
#include <map>

#include "agents/task_check.hpp"
#include "learning/docking_test_support.hpp"

namespace volary {
namespace {

using test::Pair;
using test::Shown;

constexpr unsigned kOfPairs = agents::kDocking | agents::kContact;
constexpr std::size_t kAgents = 18;  // of three worlds
constexpr double kTick = 0.005;

// All push their cylinders north into the cones; the more to the side they begin, the more they meet the walls, and the last ones fly past.
WorldDef spread_out(Precision precision) {
  WorldDef def = test::docking_as_told(3, 6, 0.1);
  def.precision = precision;
  for (std::size_t k = 0; k < 6; ++k) def.flocks[0].vehicles[k].position_W[0] += 0.022 * static_cast<double>(k);
  return def;
}
void fly(Episodes& e, std::uint64_t step) {
  for (std::size_t a = 0; a < kAgents; ++a) test::push(e, a, {0, step < 120 ? 0.5 + 0.1 * static_cast<double>(a / 6) : 0.0, a % 6 == 5 ? 0.5 : 0.0});
}
std::unique_ptr<Episodes> pairs_of(const LearningDef& task, Precision precision) {
  return test::episodes_of(spread_out(precision), task, Autoreset::Disabled, {.threads = 2, .force_split = true});
}

void expect_near(const Episodes& e, std::size_t agent, const char* term, const Vec& expected, double tolerance) {
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(test::seen(e, agent, term, k), expected[k], tolerance) << term << " " << k << " of agent " << agent;
}

TEST(docking_terms, observations_are_what_the_published_state_makes_them_from_the_first_one_on) {
  for (const Precision precision : {Precision::Float, Precision::Double}) {
    auto e = pairs_of(test::pushing(), precision);
    ASSERT_EQ(e->observation_size(), 19u);
    std::size_t docked = 0, touching = 0;
    for (std::uint64_t step = 0; step < 160; ++step) {
      for (std::size_t a = 0; a < kAgents; ++a) {
        const Pair p = test::pair_of(e->world(), a);
        expect_near(*e, a, "dock_offset", p.offset(), 2e-5);
        expect_near(*e, a, "dock_velocity", p.velocity(), 1e-4);
        expect_near(*e, a, "dock_axis", p.axis(), 1e-5);
        expect_near(*e, a, "dock_rate", p.rate(), 1e-5);
        EXPECT_EQ(test::seen(*e, a, "docked"), p.is_docked ? 1 : 0);
        for (std::size_t k = 0; k < 6; ++k) EXPECT_EQ(test::seen(*e, a, "contact_wrench", k), static_cast<float>(e->world().view("agent", "wrench").at(a, k)));
        docked += p.is_docked ? 1 : 0, touching += test::length(p.force_B) > 0 ? 1 : 0;
        if (testing::Test::HasFailure()) return;
      }
      fly(*e, step);
      e->step();
    }
    EXPECT_GT(docked, 100u);
    EXPECT_GT(touching, 100u);
    // and of the next episode
    e->reset();
    for (std::size_t a = 0; a < kAgents; ++a) {
      expect_near(*e, a, "dock_offset", test::pair_of(e->world(), a).offset(), 2e-5);
      EXPECT_NEAR(test::seen(*e, a, "dock_offset", 2), 0.1, 1e-5);
      EXPECT_EQ(test::seen(*e, a, "docked"), 0);
    }
  }
}

TEST(docking_terms, an_agent_with_the_cone_sees_the_same_pair) {
  LearningDef task = test::pushing();
  task.flock = "partner";
  task.rewards = {{"dock_force", 1}};
  WorldDef def = spread_out(Precision::Float);
  for (VehicleDef& v : def.flocks[0].vehicles) v.position_W[1] = -0.83, v.velocity_W = {0, 0.3, 0};
  auto e = test::episodes_of(def, task, Autoreset::Disabled);
  float most = 0;
  for (int step = 0; step < 40; ++step) {
    e->step();
    for (std::size_t a = 0; a < kAgents; ++a) {
      const Pair p = test::pair_of(e->world(), a, "partner");
      expect_near(*e, a, "dock_offset", p.offset(), 2e-5);
      expect_near(*e, a, "dock_axis", p.axis(), 1e-5);
      expect_near(*e, a, "dock_rate", p.rate(), 1e-5);
      ASSERT_NEAR(e->rewards()[a], p.axial_force(), 1e-4);
      most = std::max(most, e->rewards()[a]);
    }
  }
  EXPECT_GT(most, 0.1f);
}

// ---------------------------------------------------------------- rewards

const std::map<std::string, double (*)(const Pair&)> kRewards = {
    {"docked", [](const Pair& p) { return p.is_docked ? 1.0 : 0.0; }},
    {"dock_radial_error", [](const Pair& p) { return p.radial(); }},
    {"dock_axial_error", [](const Pair& p) { return std::abs(p.offset()[2]); }},
    {"dock_guided", [](const Pair& p) { return p.radial() <= p.wall() && p.offset()[2] <= 0.08 ? 1.0 : 0.0; }},
    {"dock_force", [](const Pair& p) { return p.axial_force(); }},
};

TEST(docking_terms, every_reward_is_what_the_published_state_makes_it) {
  for (const RewardTerm& t : reward_terms()) {
    if ((agents::find_reward(t.name)->needs & kOfPairs) == 0) continue;
    ASSERT_TRUE(kRewards.contains(t.name)) << t.name << " needs a line in this test";
    for (const Precision precision : {Precision::Float, Precision::Double}) {
      LearningDef task = test::pushing();
      task.observations.clear();
      task.rewards = {{t.name, 0.75, t.scale_unit.empty() ? 1 : 0.08}};
      auto e = pairs_of(task, precision);
      double least = 1e9, most = 0;
      for (std::uint64_t step = 0; step < 150; ++step) {
        fly(*e, step);
        e->step();
        for (std::size_t a = 0; a < kAgents; ++a) {
          const double expected = 0.75 * kRewards.at(t.name)(test::pair_of(e->world(), a));
          ASSERT_NEAR(e->rewards()[a], expected, 1e-4) << t.name << " of agent " << a << " in step " << step;
          least = std::min(least, expected), most = std::max(most, expected);
        }
      }
      EXPECT_GT(most, least + 0.05) << t.name << " was never put to a test";
    }
  }
}

// ---------------------------------------------------------------- ends

struct End {
  double limit;
  bool (*holds)(const Pair&, double limit, int ticks_docked);
};
const std::map<std::string, End> kEnds = {
    {"docked", {0.1, [](const Pair&, double limit, int ticks) { return ticks >= static_cast<int>(std::lround(limit / kTick)); }}},
    {"dock_missed", {0.03, [](const Pair& p, double limit, int) { return p.radial() > p.wall() + limit; }}},
    {"hard_contact", {1.5, [](const Pair& p, double limit, int) { return test::length(p.force_B) > limit; }}},
};

TEST(docking_terms, every_end_holds_exactly_when_the_published_state_says_so) {
  for (const EndTerm& t : end_terms()) {
    if ((agents::find_end(t.name)->needs & kOfPairs) == 0) continue;
    ASSERT_TRUE(kEnds.contains(t.name)) << t.name << " needs a line in this test";
    for (const Precision precision : {Precision::Float, Precision::Double}) {
      const End& end = kEnds.at(t.name);
      LearningDef task = test::pushing();
      task.observations.clear();
      task.ends = {{"above", 1e6}, {t.name, end.limit, 2.5}};
      task.rewards = {{"alive", 0.25}};
      auto e = pairs_of(task, precision);
      std::vector<bool> over(kAgents, false);
      std::vector<int> ticks(kAgents, 0);
      for (std::uint64_t step = 0; step < 200; ++step) {
        fly(*e, step);
        e->step();
        for (std::size_t a = 0; a < kAgents; ++a) {
          const Pair p = test::pair_of(e->world(), a);
          ticks[a] = p.is_docked ? ticks[a] + 1 : 0;
          const bool ends = !over[a] && end.holds(p, end.limit, ticks[a]);
          ASSERT_EQ(e->rewards()[a], over[a] ? 0 : ends ? 2.75f : 0.25f) << t.name << " of agent " << a << " in step " << step;
          over[a] = over[a] || ends;
          ASSERT_EQ(e->terminated()[a], over[a] ? 2 : 0) << t.name << " of agent " << a << " in step " << step;
        }
      }
      const auto n = std::count(over.begin(), over.end(), true);
      EXPECT_GT(n, 0) << t.name;
      EXPECT_LT(n, static_cast<int>(kAgents)) << t.name;
    }
  }
}

TEST(docking_terms, a_latch_that_opens_begins_to_count_anew) {
  LearningDef task = test::pushing();
  task.ends = {{"docked", 0.2, 1}};
  auto e = test::episodes_of(test::docking_as_told(1, 1, 0.02), task, Autoreset::Disabled);
  // towards a place in line with the cone, until something holds
  const auto fly_until = [&](double north, auto&& holds) {
    int n = 0;
    for (; n < 600 && !holds(); ++n) {
      const Shown at = test::shown(e->world(), 0, "agent");
      const Vec way = test::between(at.position, {0, north, 5});
      Vec a{};
      for (std::size_t k = 0; k < 3; ++k) a[k] = 2 * way[k] - 2.5 * at.velocity[k];
      test::push(*e, 0, a);
      e->step();
    }
    return n;
  };
  const auto is_docked = [&] { return test::seen(*e, 0, "docked") == 1; };
  ASSERT_LT(fly_until(-0.8, is_docked), 600);
  for (int k = 0; k < 30; ++k) e->step();
  e->world().submit({.target = {1}, .payload = Release{}});
  ASSERT_LT(fly_until(-0.9, [&] { return test::seen(*e, 0, "dock_offset", 2) > 0.035f; }), 600);
  EXPECT_FALSE(is_docked());
  ASSERT_LT(fly_until(-0.7, is_docked), 600);
  EXPECT_EQ(fly_until(-0.7, [&] { return e->terminated()[0] != 0; }), 39) << "40 ticks, of which this is the first";
}

// ---------------------------------------------------------------- what does not fit

TEST(docking_terms, of_vehicles_that_do_not_dock_are_refused) {
  std::string error;
  const auto refused = [&](const WorldDef& def, const LearningDef& t) {
    error.clear();
    return Episodes::create(World::create(def, {}, &error), t, Autoreset::NextStep, &error) == nullptr;
  };
  LearningDef t = test::plain_task();
  t.observations = {"dock_offset"};
  EXPECT_TRUE(refused(test::learners(1, 1), t));
  EXPECT_NE(error.find("has no column 'dock_offset'"), std::string::npos) << error;
  t = test::plain_task(), t.rewards = {{"dock_axial_error"}};
  EXPECT_TRUE(refused(test::learners(1, 1), t));
  EXPECT_NE(error.find("do not dock"), std::string::npos) << error;
  t = test::plain_task(), t.ends = {{"hard_contact", 1}};
  EXPECT_TRUE(refused(test::learners(1, 1), t));
  EXPECT_NE(error.find("no column 'wrench'"), std::string::npos) << error;
}

}  // namespace
}  // namespace volary
