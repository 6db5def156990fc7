// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Every term of the rewards and of the goals, worked out a second time from what the world publishes.
#include <map>

#include "agents/task_check.hpp"
#include "learning/learning_test_support.hpp"

namespace volary {
namespace {

using test::Shown;

// what a test knows of an agent in a step
struct Step {
  Shown before, after;
  Vec goal_before, goal_after, goal_velocity;  // of the curve
  std::vector<double> action, last_action;
  double radius;
};
using Term = double (*)(const Step&);

double distance(const Step& s) { return test::length(test::between(s.after.position, s.goal_after)); }
double mean_square(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return sum / static_cast<double>(a.size());
}
double facing(const Step& s) {
  const double *q = s.after.attitude, w = q[0], x = q[1], y = q[2], z = q[3];
  return test::dot({1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)}, test::between(s.after.position, s.goal_after)) / distance(s);
}

const std::map<std::string, Term> kTerms = {
    {"alive", [](const Step&) { return 1.0; }},
    {"goal_distance", distance},
    {"goal_closeness", [](const Step& s) { return 1 / (1 + distance(s) * distance(s) / 0.25); }},
    {"goal_progress", [](const Step& s) { return test::length(test::between(s.before.position, s.goal_before)) - distance(s); }},
    {"goal_reached", [](const Step& s) { return distance(s) <= s.radius ? 1.0 : 0.0; }},
    {"goal_speed_error", [](const Step& s) { return test::length(test::between(s.after.velocity, s.goal_velocity)); }},
    {"facing_goal", facing},
    {"speed", [](const Step& s) { return test::length(s.after.velocity); }},
    {"spin", [](const Step& s) { return test::length(s.after.omega); }},
    {"upright", [](const Step& s) { return test::up_of(s.after); }},
    {"tilt", [](const Step& s) { return 1 - test::up_of(s.after); }},
    {"effort", [](const Step& s) { return mean_square(s.action, std::vector<double>(4, 0)); }},
    {"action_change", [](const Step& s) { return mean_square(s.action, s.last_action); }},
};

// a slow ellipse about a point beside the start
LearningDef following(const std::string& term) {
  LearningDef t = test::plain_task();
  t.ticks = 3;
  t.goal.kind = GoalKind::Curve;
  t.goal.points = {{0.2, 0.1, 0.1}};
  t.goal.curve.amplitude = {0.4, 0.3, 0.1};
  t.goal.curve.rate = {1, 2, 1.5};
  t.goal.curve.phase = {0.5, 0, 1};
  t.goal.curve.ramp = 0;
  t.goal.radius = 0.6;
  t.rewards = {{term, 0.75, 1.0}};
  if (term == "goal_closeness") t.rewards[0].scale = 0.5;
  return t;
}
Vec goal_at(const LearningDef& t, const Vec& start, double time, Vec& velocity) {
  Vec p;
  const Harmonic& c = t.goal.curve;
  for (std::size_t k = 0; k < 3; ++k) {
    p[k] = start[k] + t.goal.points[0][k] + c.amplitude[k] * std::sin(c.rate[k] * time + c.phase[k]);
    velocity[k] = c.amplitude[k] * c.rate[k] * std::cos(c.rate[k] * time + c.phase[k]);
  }
  return p;
}

void compare(const std::string& term, Precision precision) {
  WorldDef def = test::learners(3, 7);  // worlds begin in the middle of blocks
  def.precision = precision;
  const LearningDef task = following(term);
  auto e = test::episodes_of(def, task, Autoreset::NextStep, {.threads = 2, .force_split = true});
  std::vector<std::vector<double>> last(21, std::vector<double>(4, 0));
  const double tick = 0.01;
  double most = 0;
  for (std::uint64_t step = 0; step < 25; ++step) {
    test::act_at_random(*e, step);
    std::vector<Step> seen(21);
    for (std::size_t s = 0; s < 21; ++s) {
      Vec unused;
      const Vec start = def.flocks[0].vehicles[s % 7].position_W;
      seen[s].before = test::shown(e->world(), s);
      seen[s].goal_before = goal_at(task, start, 3 * tick * static_cast<double>(step), unused);
      seen[s].goal_after = goal_at(task, start, 3 * tick * static_cast<double>(step + 1), seen[s].goal_velocity);
      seen[s].action.assign(e->actions().begin() + static_cast<std::ptrdiff_t>(4 * s), e->actions().begin() + static_cast<std::ptrdiff_t>(4 * s + 4));
      seen[s].last_action = last[s];
      seen[s].radius = task.goal.radius;
      last[s] = seen[s].action;
    }
    e->step();
    for (std::size_t s = 0; s < 21; ++s) {
      seen[s].after = test::shown(e->world(), s);
      const double expected = 0.75 * kTerms.at(term)(seen[s]);
      most = std::max(most, std::abs(expected));
      ASSERT_NEAR(e->rewards()[s], expected, 2e-5) << term << " of agent " << s << " in step " << step;
    }
  }
  EXPECT_GT(most, 1e-3) << term << " was never put to a test";
}

TEST(rewards, every_term_is_what_the_published_state_makes_it) {
  for (const RewardTerm& t : reward_terms()) {
    if ((agents::find_reward(t.name)->needs & (agents::kDocking | agents::kContact)) != 0) continue;  // docking_terms_test.cpp
    ASSERT_TRUE(kTerms.contains(t.name)) << t.name << " needs a line in this test";
    compare(t.name, Precision::Float);
  }
}
TEST(rewards, every_term_is_the_same_in_double_precision) {
  for (const auto& [name, term] : kTerms) compare(name, Precision::Double);
}

TEST(rewards, terms_add_up_with_their_weights) {
  LearningDef task = following("speed");
  auto one = test::episodes_of(test::learners(1, 3), task);
  task.rewards = {{"goal_distance", -2, 1}};
  auto other = test::episodes_of(test::learners(1, 3), task);
  task.rewards = {{"speed", 0.75}, {"goal_distance", -2}, {"alive", 0.5}};
  auto all = test::episodes_of(test::learners(1, 3), task);
  for (std::uint64_t step = 0; step < 5; ++step) {
    for (Episodes* e : {one.get(), other.get(), all.get()}) test::act_at_random(*e, step), e->step();
    for (std::size_t a = 0; a < 3; ++a) EXPECT_NEAR(all->rewards()[a], one->rewards()[a] + other->rewards()[a] + 0.5f, 1e-6);
  }
}

// ---------------------------------------------------------------- what is observed of goals and actions

float observed(const Episodes& e, std::size_t agent, const std::string& term, std::size_t k) {
  for (const ObservationTerm& t : e.terms())
    if (t.name == term) return e.observations()[agent * e.observation_size() + t.offset + k];
  ADD_FAILURE() << "no term " << term;
  return 0;
}

TEST(goal_observations, show_a_curve_as_it_is_and_as_it_will_be) {
  for (const Precision precision : {Precision::Float, Precision::Double}) {
    WorldDef def = test::learners(2, 5);
    def.precision = precision;
    LearningDef task = following("alive");
    task.goal.ahead = 0.2;
    task.observations = {"to_goal", "to_goal_body", "goal_velocity", "goal_ahead", "to_next_goal", "goal_direction", "last_action"};
    auto e = test::episodes_of(def, task);
    ASSERT_EQ(e->observation_size(), 22u);
    for (std::uint64_t step = 0; step < 10; ++step) {
      const double now = 0.03 * static_cast<double>(step);
      for (std::size_t a = 0; a < 10; ++a) {
        Vec velocity, unused;
        const Vec start = def.flocks[0].vehicles[a % 5].position_W;
        const Shown s = test::shown(e->world(), a);
        const Vec to = test::between(s.position, goal_at(task, start, now, velocity)),
                  ahead = test::between(s.position, goal_at(task, start, now + 0.2, unused));
        const double *q = s.attitude, w = q[0], x = q[1], y = q[2], z = q[3];
        const double r[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), 2 * (x * y + w * z),    1 - 2 * (x * x + z * z),
                             2 * (y * z - w * x),     2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)};
        for (std::size_t k = 0; k < 3; ++k) {
          EXPECT_NEAR(observed(*e, a, "to_goal", k), to[k], 2e-5);
          EXPECT_NEAR(observed(*e, a, "to_goal_body", k), r[k] * to[0] + r[3 + k] * to[1] + r[6 + k] * to[2], 2e-5);
          // a ramp of 0 still begins at rest
          if (step > 0) EXPECT_NEAR(observed(*e, a, "goal_velocity", k), velocity[k], 2e-5);
          EXPECT_NEAR(observed(*e, a, "goal_ahead", k), ahead[k], 2e-5);
          EXPECT_EQ(observed(*e, a, "to_next_goal", k), observed(*e, a, "to_goal", k));
          EXPECT_EQ(observed(*e, a, "goal_direction", k), 0);
        }
        for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(observed(*e, a, "last_action", k), step == 0 ? 0 : test::number_at(step - 1, a, k));
      }
      test::act_at_random(*e, step);
      e->step();
    }
    e->reset();
    for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(observed(*e, 3, "last_action", k), 0);
  }
}

TEST(goal_observations, show_the_next_waypoint_until_the_last_one) {
  WorldDef def = test::learners(1, 1);
  LearningDef task = test::plain_task();
  task.goal.kind = GoalKind::Waypoints;
  task.goal.points = {{0.5, 0, 0}, {0.5, 0.5, 0.2}};
  task.goal.radius = 0.1;
  task.rewards = {{"goal_reached"}};
  task.observations = {"to_goal", "to_next_goal"};
  auto e = test::episodes_of(def, task);
  const Vec start = def.flocks[0].vehicles[0].position_W;
  std::size_t reached = 0;
  for (std::uint64_t step = 0; step < 1000 && reached < 2; ++step) {
    const Vec at = test::shown(e->world(), 0).position;
    const auto point = [&](std::size_t k) {
      return Vec{start[0] + task.goal.points[k][0], start[1] + task.goal.points[k][1], start[2] + task.goal.points[k][2]};
    };
    const Vec to = test::between(at, point(reached)), next = test::between(at, point(1));
    for (std::size_t k = 0; k < 3; ++k) {
      ASSERT_NEAR(observed(*e, 0, "to_goal", k), to[k], 1e-5) << step;
      ASSERT_NEAR(observed(*e, 0, "to_next_goal", k), next[k], 1e-5) << step;
      e->actions()[k] = static_cast<float>(to[k]);
    }
    e->actions()[3] = 0;
    e->step();
    const bool is_near = test::length(test::between(test::shown(e->world(), 0).position, point(reached))) <= 0.1;
    ASSERT_EQ(e->rewards()[0], is_near ? 1 : 0) << step;
    reached += is_near ? 1 : 0;
  }
  EXPECT_EQ(reached, 2u);
}

}  // namespace
}  // namespace volary
