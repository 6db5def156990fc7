// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Every condition that ends an episode, worked out a second time from what the world publishes, tick by tick.
#include <map>

#include "agents/task_check.hpp"
#include "control/guide.hpp"
#include "learning/learning_test_support.hpp"

namespace volary {
namespace {

using test::Shown;

constexpr std::size_t kAgents = 18;  // of three worlds
constexpr double kRadius = 0.25, kFrame = 0.3;

// an agent in a tick
struct Tick {
  Shown before, after;
  Vec goal;
  double limit;
};
using Holds = bool (*)(const Tick&);

double distance(const Tick& t) { return test::length(test::between(t.after.position, t.goal)); }
// where the straight way of the tick crosses the plane of the gate, as a distance from its centre; none: it does not cross it forwards
double crossing(const Tick& t) {
  const Vec a = test::between(t.goal, t.before.position), b = test::between(t.goal, t.after.position);
  if (!(a[0] < 0 && b[0] >= 0)) return -1;  // gates face east here
  const double share = -a[0] / (b[0] - a[0]);
  return std::hypot(a[1] + share * (b[1] - a[1]), a[2] + share * (b[2] - a[2]));
}

struct Case {
  double limit;
  Holds holds;
  GoalKind goal = GoalKind::Point;
  bool to_ground = false;
};
const std::map<std::string, Case> kCases = {
    {"too_far", {0.7, [](const Tick& t) { return distance(t) > t.limit; }}},
    {"below", {2.9, [](const Tick& t) { return t.after.position[2] < t.limit; }}},
    {"above", {3.7, [](const Tick& t) { return t.after.position[2] > t.limit; }}},
    {"tilted", {0.22, [](const Tick& t) { return test::up_of(t.after) < std::cos(t.limit); }}},
    {"on_ground", {0, [](const Tick& t) { return t.after.ground_force > 0; }, GoalKind::Point, true}},
    {"landed", {0.9, [](const Tick& t) { return t.after.ground_force > 0 && test::length(t.before.velocity) <= t.limit; }, GoalKind::Point, true}},
    {"hard_landing", {0.9, [](const Tick& t) { return t.after.ground_force > 0 && test::length(t.before.velocity) > t.limit; }, GoalKind::Point, true}},
    {"too_fast", {0.8, [](const Tick& t) { return test::length(t.after.velocity) > t.limit; }}},
    {"spinning", {3.0, [](const Tick& t) { return test::length(t.after.omega) > t.limit; }}},
    {"goals_done", {0, [](const Tick& t) { return distance(t) <= kRadius; }, GoalKind::Waypoints}},
    {"gate_hit", {0, [](const Tick& t) { return crossing(t) > kRadius && crossing(t) <= kRadius + kFrame; }, GoalKind::Gates}},
    {"gate_missed", {0, [](const Tick& t) { return crossing(t) > kRadius; }, GoalKind::Gates}},
    {"diverged", {0, [](const Tick& t) { return (t.after.status & control::kDiverged) != 0; }}},
    {"crashed", {0, [](const Tick& t) { return (t.after.status & control::kModeMask) == static_cast<std::uint32_t>(Mode::EmergencyStop); }}},
};

// Everybody flies east, a little higher or lower and to either side; or down, at different speeds.
LearningDef task_for(const std::string& term, const Case& c) {
  LearningDef t = test::plain_task();
  t.goal.kind = c.goal;
  t.goal.points = {{0.6, 0, 0}};
  t.goal.radius = kRadius, t.goal.frame = kFrame;
  t.ends = {{"above", 1e6}, {term, c.limit, 2.5}};  // the first never holds
  t.rewards = {{"alive", 0.25}};
  return t;
}
void fly(Episodes& e, const Case& c) {
  for (std::size_t a = 0; a < kAgents; ++a) {
    const float x = static_cast<float>(a) / kAgents, side = static_cast<float>(a % 6) * 0.2f - 0.5f;
    const float velocity[4] = {c.to_ground ? 0.1f : 0.4f + x, c.to_ground ? 0 : side, c.to_ground ? -0.5f - x : x - 0.5f, 0};
    std::copy_n(velocity, 4, e.actions().begin() + static_cast<std::ptrdiff_t>(4 * a));
  }
}
void disturb(const std::string& term, Episodes& e, std::uint64_t step) {
  if (step != 20) return;
  for (const std::uint64_t world : {0u, 2u}) {
    const VehicleId id{world * kNumbersPerWorld + 3};
    if (term == "diverged") e.world().submit({.target = id, .payload = SetParameter{"inv_mass", 0, 1e12}});
    if (term == "crashed") e.world().submit({.target = id, .payload = SetMode{Mode::EmergencyStop}});
  }
}

struct Flown {
  std::size_t ended = 0, others = 0;
};
Flown compare(const std::string& term, const Case& c, Precision precision) {
  WorldDef def = test::learners(3, 6);
  def.precision = precision;
  if (c.to_ground)
    for (VehicleDef& v : def.flocks[0].vehicles) v.position_W[2] = 0.5;
  auto e = test::episodes_of(def, task_for(term, c), Autoreset::Disabled, {.threads = 2, .force_split = true});
  std::vector<Tick> seen(kAgents);
  std::vector<bool> over(kAgents, false);
  for (std::size_t a = 0; a < kAgents; ++a) {
    seen[a].after = test::shown(e->world(), a);
    seen[a].goal = def.flocks[0].vehicles[a % 6].position_W;
    seen[a].goal[0] += 0.6;
    seen[a].limit = c.limit;
  }
  for (std::uint64_t step = 0; step < 150; ++step) {
    fly(*e, c);
    disturb(term, *e, step);
    e->step();
    for (std::size_t a = 0; a < kAgents; ++a) {
      seen[a].before = seen[a].after, seen[a].after = test::shown(e->world(), a);
      const bool ends = !over[a] && c.holds(seen[a]);
      const float expected = over[a] ? 0 : ends ? 2.75f : 0.25f;
      over[a] = over[a] || ends;
      EXPECT_EQ(e->terminated()[a], over[a] ? 2 : 0) << term << " of agent " << a << " in step " << step;
      EXPECT_EQ(e->rewards()[a], expected) << term << " of agent " << a << " in step " << step;
      if (testing::Test::HasFailure()) return {};
    }
  }
  Flown f;
  for (const bool x : over) (x ? f.ended : f.others) += 1;
  return f;
}

TEST(ends, every_condition_holds_exactly_when_the_published_state_says_so) {
  for (const EndTerm& t : end_terms()) {
    if ((agents::find_end(t.name)->needs & (agents::kDocking | agents::kContact)) != 0) continue;  // docking_terms_test.cpp
    ASSERT_TRUE(kCases.contains(t.name)) << t.name << " needs a line in this test";
    for (const Precision precision : {Precision::Float, Precision::Double}) {
      const Flown f = compare(t.name, kCases.at(t.name), precision);
      if (testing::Test::HasFailure()) return;
      EXPECT_GT(f.ended, 0u) << t.name;
      // the ground is reached by all in time, and who touched it too fast comes to rest on it
      if (t.name != "on_ground" && t.name != "landed") EXPECT_GT(f.others, 0u) << t.name;
    }
  }
}

TEST(ends, the_first_in_the_list_counts) {
  LearningDef task = test::plain_task();
  task.ends = {{"above", 3.4, 1}, {"too_fast", 0.05, 10}, {"too_far", 0.5, 100}};
  auto e = test::episodes_of(test::learners(1, 1), task, Autoreset::Disabled);
  e->step();  // too_far holds at once: the goal is 1 m away
  EXPECT_EQ(e->terminated()[0], 3);
  EXPECT_EQ(e->rewards()[0], 100);
}

TEST(ends, are_looked_at_in_every_tick_of_a_step_and_stay) {
  // the vehicle bounces up and down by SetState within a step of ten ticks
  LearningDef task = test::plain_task();
  task.ticks = 10;
  task.ends = {{"above", 5, 1}};
  task.rewards = {{"alive", 0.5}};
  auto e = test::episodes_of(test::learners(2, 1), task, Autoreset::Disabled);
  e->step();
  EXPECT_EQ(e->terminated()[0], 0);
  const auto put = [&](std::uint64_t tick, double height) {
    e->world().submit({.tick = tick, .target = {1}, .payload = SetState{.position_W = {0, 0, height}}});
  };
  put(13, 6), put(15, 3);
  e->step();
  EXPECT_LT(test::shown(e->world(), 0).position[2], 4);
  EXPECT_EQ(e->terminated()[0], 1);
  EXPECT_EQ(e->rewards()[0], 1.5f);
  EXPECT_EQ(e->terminated()[1], 0);
  EXPECT_EQ(e->rewards()[1], 0.5f);
  e->step();
  EXPECT_EQ(e->terminated()[0], 1);
  EXPECT_EQ(e->rewards()[0], 0);
}

TEST(ends, goals_that_are_passed_within_a_step_count) {
  LearningDef task = test::plain_task();
  task.goal.kind = GoalKind::Waypoints;
  task.goal.points = {{1, 0, 0}, {3, 0, 0}};
  task.ticks = 10;
  task.rewards = {{"goal_reached"}};
  auto e = test::episodes_of(test::learners(1, 1), task, Autoreset::Disabled);
  const Vec start = e->world().def().flocks[0].vehicles[0].position_W;
  const auto put = [&](std::uint64_t tick, double east) {
    e->world().submit({.tick = tick, .target = {1}, .payload = SetState{.position_W = {start[0] + east, start[1], start[2]}}});
  };
  put(2, 1), put(5, 3), put(8, 0);
  e->step();
  EXPECT_EQ(e->rewards()[0], 2);
}

TEST(ends, a_vehicle_that_is_removed_ends_its_episode_without_a_condition) {
  LearningDef task = test::plain_task();
  task.rewards = {{"alive"}};
  auto e = test::episodes_of(test::learners(2, 2), task, Autoreset::NextStep);
  e->world().submit({.target = {2}, .payload = Remove{}});
  e->step();
  EXPECT_EQ(e->terminated()[0], 0);
  EXPECT_EQ(e->terminated()[1], kVehicleGone);
  EXPECT_EQ(e->terminated()[2], 0);
  e->world().submit({.target = {1}, .payload = Remove{}});
  e->step();
  EXPECT_EQ(e->finished()[0], 1);
  e->step();
  EXPECT_EQ(e->terminated()[0], 0);
  EXPECT_EQ(e->terminated()[1], 0);
  EXPECT_EQ(e->world().n_vehicles(), 4u) << "both are there again";
  e->step();
  EXPECT_EQ(e->rewards()[0], 1);
}

TEST(ends, a_collision_counts_in_the_step_in_which_it_happens) {
  WorldDef def = test::meeting(ContactPolicy::Crash, 2);
  def.worlds = 5;  // ten agents in one block
  for (const int ticks : {1, 4}) {
    LearningDef task = test::plain_task();
    task.ticks = ticks;
    task.ends = {{"crashed", 0, -3}};
    task.rewards = {{"alive", 0.5}};
    auto e = test::episodes_of(def, task, Autoreset::Disabled);
    bool crashed = false;
    for (int step = 0; step < 200 && !crashed; ++step) {
      for (std::size_t a = 0; a < 10; ++a) {
        const float away = a >= 4 ? 0.0f : (a % 2 == 0 ? 2.0f : -2.0f);  // only the first two worlds
        const float velocity[4] = {away, 0, a >= 4 ? 1.0f : 0, 0};
        std::copy_n(velocity, 4, e->actions().begin() + static_cast<std::ptrdiff_t>(4 * a));
      }
      if (step == 0)
        for (std::size_t a = 4; a < 10; ++a)
          e->world().submit({.target = {a / 2 * kNumbersPerWorld + a % 2 + 1}, .payload = SetState{.position_W = {0, a % 2 == 0 ? -5.0 : 5.0, 5}}});
      e->step();
      for (std::size_t a = 0; a < 10; ++a) {
        const bool is_wreck = e->world().mode_of({a / 2 * kNumbersPerWorld + a % 2 + 1}) == Mode::EmergencyStop;
        ASSERT_EQ(e->terminated()[a], is_wreck ? 1 : 0) << "agent " << a << " in step " << step;
        ASSERT_EQ(e->rewards()[a], is_wreck ? -2.5f : 0.5f) << "agent " << a << " in step " << step;
        crashed = crashed || is_wreck;
      }
    }
    EXPECT_TRUE(crashed);
  }
}

}  // namespace
}  // namespace volary
