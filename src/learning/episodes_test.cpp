// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Episodes: autoreset step by step, same results whatever threads, lanes and batch, arrays that stay where they are, and what is refused.
#include <limits>
#include <set>

#include "agents/task_check.hpp"
#include "learning/learning_test_support.hpp"

namespace volary {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// agents climb; each is over at 3.5 m, or after ten steps of two ticks
LearningDef climbing() {
  LearningDef t = test::plain_task();
  t.ends = {{"above", 3.5, 5}};
  t.rewards = {{"alive"}};
  t.ticks = 2;
  t.time_limit = 0.2;
  return t;
}
// the height is set, so that a test decides who is over
void lift(Episodes& e, std::size_t world, std::size_t agent) {
  e.world().submit({.target = {world * kNumbersPerWorld + agent + 1}, .payload = SetState{.position_W = {2.1 * static_cast<double>(agent), 0, 6}}});
}
std::vector<float> rows(std::span<const float> all, std::size_t first, std::size_t n) {
  return {all.begin() + static_cast<std::ptrdiff_t>(first), all.begin() + static_cast<std::ptrdiff_t>(first + n)};
}

TEST(episodes, next_step_shows_the_first_observations_one_step_after_the_last_ones) {
  auto e = test::episodes_of(test::learners(2, 1), climbing());
  const std::size_t n = e->observation_size();
  EXPECT_EQ(e->step_limit(), 10u);
  const std::vector<float> first = rows(e->observations(), 0, n);
  e->step(), e->step();
  lift(*e, 0, 0);
  e->step();  // the end
  EXPECT_EQ(e->terminated()[0], 1);
  EXPECT_EQ(e->truncated()[0], 0);
  EXPECT_EQ(e->finished()[0], 1);
  EXPECT_EQ(e->rewards()[0], 6);
  EXPECT_EQ(e->steps()[0], 3u);
  EXPECT_EQ(e->episode_return()[0], 8);
  EXPECT_EQ(e->episode_length()[0], 3u);
  EXPECT_GT(e->observations()[2], 5) << "the last observation is still there";
  EXPECT_EQ(e->world().episode_of_world(0), 0u);
  e->step();  // the reset
  EXPECT_EQ(e->terminated()[0], 0);
  EXPECT_EQ(e->finished()[0], 0);
  EXPECT_EQ(e->rewards()[0], 0);
  EXPECT_EQ(e->steps()[0], 0u);
  EXPECT_EQ(e->world().episode_of_world(0), 1u);
  EXPECT_EQ(e->world().tick_of_world(0), 0u);
  EXPECT_EQ(rows(e->observations(), 0, n), first);
  EXPECT_EQ(e->episode_return()[0], 8) << "of the finished episode";
  e->step();
  EXPECT_EQ(e->rewards()[0], 1);
  EXPECT_EQ(e->steps()[0], 1u);
  // the other world went on all the time
  EXPECT_EQ(e->steps()[1], 5u);
  EXPECT_EQ(e->world().episode_of_world(1), 0u);
}

TEST(episodes, same_step_keeps_the_last_observations_beside_the_first_of_the_next_episode) {
  auto e = test::episodes_of(test::learners(2, 1), climbing(), Autoreset::SameStep);
  const std::size_t n = e->observation_size();
  const std::vector<float> first = rows(e->observations(), 0, n);
  e->step();
  lift(*e, 0, 0);
  e->step();
  EXPECT_EQ(e->terminated()[0], 1);
  EXPECT_EQ(e->finished()[0], 1);
  EXPECT_EQ(e->rewards()[0], 6);
  EXPECT_EQ(e->steps()[0], 0u);
  EXPECT_EQ(rows(e->observations(), 0, n), first);
  EXPECT_GT(e->final_observations()[2], 5);
  EXPECT_EQ(e->world().episode_of_world(0), 1u);
  EXPECT_EQ(e->episode_return()[0], 7);
  e->step();
  EXPECT_EQ(e->terminated()[0], 0);
  EXPECT_EQ(e->finished()[0], 0);
  EXPECT_EQ(e->rewards()[0], 1);
  EXPECT_EQ(e->steps()[0], 1u);
}

TEST(episodes, without_autoreset_a_world_waits_for_its_reset) {
  auto e = test::episodes_of(test::learners(2, 1), climbing(), Autoreset::Disabled);
  lift(*e, 0, 0);
  e->step();
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(e->terminated()[0], 1);
    EXPECT_EQ(e->finished()[0], k == 0 ? 1 : 0);
    EXPECT_EQ(e->rewards()[0], k == 0 ? 6 : 0);
    EXPECT_EQ(e->steps()[0], 1u);
    e->step();
  }
  EXPECT_EQ(e->world().episode_of_world(0), 0u);
  e->reset(std::vector<std::uint8_t>{1, 0});
  EXPECT_EQ(e->terminated()[0], 0);
  EXPECT_EQ(e->world().episode_of_world(0), 1u);
  EXPECT_EQ(e->world().episode_of_world(1), 0u);
  e->step();
  EXPECT_EQ(e->rewards()[0], 1);
  EXPECT_EQ(e->steps()[0], 1u);
  EXPECT_EQ(e->steps()[1], 5u);
}

TEST(episodes, the_time_limit_truncates_and_does_not_terminate) {
  for (const Autoreset mode : {Autoreset::NextStep, Autoreset::SameStep, Autoreset::Disabled}) {
    auto e = test::episodes_of(test::learners(3, 1), climbing(), mode);
    for (int step = 1; step <= 10; ++step) {
      if (step == 10) lift(*e, 1, 0);  // a condition in the last step goes before the time limit
      e->step();
      for (std::size_t w = 0; w < 3; ++w) EXPECT_EQ(e->finished()[w], step == 10 ? 1 : 0) << step;
    }
    for (std::size_t w = 0; w < 3; ++w) {
      EXPECT_EQ(e->truncated()[w], w == 1 ? 0 : 1);
      EXPECT_EQ(e->terminated()[w], w == 1 ? 1 : 0);
      EXPECT_EQ(e->episode_length()[w], 10u);
      EXPECT_EQ(e->episode_return()[w], w == 1 ? 15 : 10);
    }
    e->step();
    EXPECT_EQ(e->truncated()[0], mode == Autoreset::Disabled ? 1 : 0);
  }
}

TEST(episodes, an_agent_that_has_ended_waits_for_the_others_of_its_world) {
  auto e = test::episodes_of(test::learners(2, 3), climbing());
  e->step();
  lift(*e, 1, 0);
  e->step();
  EXPECT_EQ(e->terminated()[3], 1);
  EXPECT_EQ(e->finished()[1], 0);
  e->step();
  EXPECT_EQ(e->rewards()[3], 0);
  EXPECT_EQ(e->rewards()[4], 1);
  lift(*e, 1, 1), lift(*e, 1, 2);
  e->step();
  EXPECT_EQ(e->finished()[1], 1);
  EXPECT_EQ(e->episode_length()[3], 2u);
  EXPECT_EQ(e->episode_length()[4], 4u);
  EXPECT_EQ(e->episode_return()[3], 7);
  EXPECT_EQ(e->episode_return()[4], 9);
  e->step();
  EXPECT_EQ(e->steps()[1], 0u);
  EXPECT_EQ(e->steps()[0], 5u);
}

TEST(episodes, the_actions_of_an_agent_that_has_ended_do_nothing) {
  auto one = test::episodes_of(test::learners(1, 2), climbing(), Autoreset::Disabled),
       other = test::episodes_of(test::learners(1, 2), climbing(), Autoreset::Disabled);
  for (int step = 0; step < 8; ++step) {
    for (Episodes* e : {one.get(), other.get()}) {
      if (step == 2) lift(*e, 0, 0);
      test::act_at_random(*e, 3);
      if (step > 2 && e == other.get())
        for (std::size_t k = 0; k < 4; ++k) e->actions()[k] = 7;
      e->step();
    }
    EXPECT_EQ(one->world().hash(), other->world().hash()) << step;
  }
}

// ---------------------------------------------------------------- actions

TEST(actions, are_scaled_to_what_airframe_and_controller_can_do) {
  LearningDef t = test::plain_task();
  t.action = {};
  t.action.level = ControlLevel::Rates;
  auto e = test::episodes_of(test::learners(1, 1), t);
  ASSERT_EQ(e->action_size(), 4u);
  const double max_thrust = 4 * 2.4e-8 * 2500 * 2500;
  EXPECT_EQ(e->action_low()[0], 0);
  EXPECT_NEAR(e->action_high()[0], max_thrust, 1e-9);
  const double max_rate = *e->world().parameter_of({1}, "ladder.max_rate");
  for (std::size_t k = 1; k < 4; ++k) {
    EXPECT_EQ(e->action_low()[k], -max_rate);
    EXPECT_EQ(e->action_high()[k], max_rate);
  }
  const float given[4] = {0.5f, -3, 0.25f, 2.5f};  // cut off at -1 and 1
  std::copy_n(given, 4, e->actions().begin());
  e->step();
  EXPECT_NEAR(e->world().view("birds", "setpoint.thrust").at(0), 0.75 * max_thrust, 1e-6);
  EXPECT_NEAR(e->world().view("birds", "setpoint.rate").at(0, 0), -max_rate, 1e-5);
  EXPECT_NEAR(e->world().view("birds", "setpoint.rate").at(0, 1), 0.25 * max_rate, 1e-5);
  EXPECT_NEAR(e->world().view("birds", "setpoint.rate").at(0, 2), max_rate, 1e-5);
}

TEST(actions, are_scaled_to_limits_that_are_given) {
  LearningDef t = test::plain_task();
  t.action = {.level = ControlLevel::Position, .low = {-1, -2, 3, 0}, .high = {1, 2, 5, 0}, .scaled = true};
  auto e = test::episodes_of(test::learners(1, 1), t);
  const float given[4] = {-0.5f, 1, 0, 1};
  std::copy_n(given, 4, e->actions().begin());
  e->step();
  const View p = e->world().view("birds", "setpoint.position");
  EXPECT_EQ(p.at(0, 0), -0.5);
  EXPECT_EQ(p.at(0, 1), 2);
  EXPECT_EQ(p.at(0, 2), 4);
  EXPECT_EQ(e->world().view("birds", "setpoint.yaw").at(0), 0);
}

TEST(actions, every_level_but_positions_has_limits_of_its_own_and_stays_within_them) {
  for (const ControlLevel level :
       {ControlLevel::MotorSpeeds, ControlLevel::Rates, ControlLevel::Attitude, ControlLevel::Acceleration, ControlLevel::Velocity}) {
    LearningDef t = test::plain_task();
    t.action = {};
    t.action.level = level;
    auto e = test::episodes_of(test::learners(2, 3), t);
    ASSERT_EQ(e->action_low().size(), e->action_size());
    for (std::size_t k = 0; k < e->action_size(); ++k) {
      const bool is_fixed = level == ControlLevel::Attitude && k == 1;  // w of the quaternion
      EXPECT_TRUE(is_fixed ? e->action_low()[k] == e->action_high()[k] : e->action_low()[k] < e->action_high()[k]) << k;
    }
    for (std::uint64_t step = 0; step < 20; ++step) test::act_at_random(*e, step, 2), e->step();
    for (const std::uint8_t end : e->terminated()) EXPECT_EQ(end, 0);
    if (level != ControlLevel::Attitude) continue;
    const View q = e->world().view("birds", "setpoint.attitude");
    for (std::size_t a = 0; a < 6; ++a)
      EXPECT_NEAR(q.at(a, 0) * q.at(a, 0) + q.at(a, 1) * q.at(a, 1) + q.at(a, 2) * q.at(a, 2) + q.at(a, 3) * q.at(a, 3), 1, 1e-6);
  }
}

TEST(actions, a_nan_leaves_the_agent_as_it_is) {
  LearningDef t = test::plain_task();
  t.rewards = {{"effort"}};
  auto e = test::episodes_of(test::learners(1, 2), t);
  const float given[8] = {0.5f, 0.5f, 0, 0, 0.5f, 0.5f, 0, 0};
  std::copy_n(given, 8, e->actions().begin());
  e->step();
  EXPECT_EQ(e->rewards()[0], 0.125f);
  e->actions()[0] = 1;
  e->actions()[6] = kNan;
  e->actions()[4] = 1;
  e->step();
  const View v = e->world().view("birds", "setpoint.velocity");
  EXPECT_EQ(v.at(0, 0), 1);
  EXPECT_EQ(v.at(1, 0), 0.5);
  EXPECT_EQ(e->rewards()[1], 0);
}

// ---------------------------------------------------------------- same results

// a task with all that is drawn: gates in a box, scaled actions, many short episodes
LearningDef busy(GoalKind kind) {
  LearningDef t;
  t.action.level = ControlLevel::Velocity;
  t.observations = {"to_goal",        "to_goal_body", "goal_velocity", "goal_ahead", "to_next_goal",
                    "goal_direction", "last_action",  "rotation",      "velocity",   "angular_velocity"};
  t.goal.kind = kind;
  t.goal.from_start = true;
  t.goal.low = {-0.5, -0.5, -0.2}, t.goal.high = {0.5, 0.5, 0.2};
  t.goal.count = 3;
  t.goal.radius = 0.3;
  t.goal.curve.amplitude = {0.5, 0.5, 0}, t.goal.curve.rate = {2, 3, 0};
  for (const RewardTerm& r : reward_terms())
    if ((agents::find_reward(r.name)->needs & (agents::kDocking | agents::kContact)) == 0) t.rewards.push_back({r.name, 0.1, r.scale_unit.empty() ? 1 : 0.7});
  t.ends = {{"too_far", 1.1, -1}, {"tilted", 0.7, -2}, {"too_fast", 3, -1}, {"diverged"}};
  if (kind == GoalKind::Waypoints || kind == GoalKind::Gates) t.ends.push_back({"goals_done", 0, 3});
  if (kind == GoalKind::Gates) t.ends.push_back({"gate_missed", 0, -1});
  t.time_limit = 0.6;
  t.ticks = 2;
  return t;
}
WorldDef varied(int worlds) {
  WorldDef def = test::learners(worlds, 3);
  for (const double share : {0.8, 1.2}) {
    auto frame = std::make_shared<airframe::MultirotorDef>(*static_cast<const airframe::MultirotorDef*>(def.flocks[0].airframe.definition.get()));
    frame->mass *= share;
    def.flocks[0].variants.push_back({"multirotor", "other", frame});
  }
  return def;
}

TEST(episodes, are_the_same_with_any_threads_and_lanes) {
  for (const GoalKind kind : {GoalKind::Point, GoalKind::Waypoints, GoalKind::Curve, GoalKind::Gates})
    for (const Autoreset mode : {Autoreset::NextStep, Autoreset::SameStep}) {
      const auto fly = [&](const RunOptions& options) {
        auto e = test::episodes_of(varied(13), busy(kind), mode, options);
        std::uint64_t sum = 0;
        std::size_t finished = 0;
        for (std::uint64_t step = 0; step < 60; ++step) {
          test::act_at_random(*e, step);
          e->step();
          sum = math::mix64(sum ^ test::digest(*e));
          for (const std::uint8_t f : e->finished()) finished += f;
        }
        EXPECT_GT(finished, 15u);
        return sum;
      };
      const std::uint64_t one = fly({.threads = 1});
      for (const int lanes : available_lanes()) EXPECT_EQ(fly({.threads = 1, .lanes = lanes}), one) << lanes;
      EXPECT_EQ(fly({.threads = 3, .force_split = true}), one);
    }
}

TEST(episodes, of_a_world_are_the_same_alone_and_in_a_batch) {
  constexpr std::size_t kWorlds = 9;
  for (const GoalKind kind : {GoalKind::Waypoints, GoalKind::Curve, GoalKind::Gates}) {
    auto batch = test::episodes_of(varied(kWorlds), busy(kind));
    const std::size_t n = 3 * batch->observation_size();
    std::vector<std::unique_ptr<Episodes>> alone;
    for (std::size_t w = 0; w < kWorlds; ++w) {
      WorldDef def = varied(1);
      def.first_world = static_cast<int>(w);
      alone.push_back(test::episodes_of(def, busy(kind)));
    }
    std::set<std::uint32_t> episodes;
    for (std::uint64_t step = 0; step < 60; ++step) {
      test::act_at_random(*batch, step);
      batch->step();
      for (std::size_t w = 0; w < kWorlds; ++w) {
        test::act_at_random(*alone[w], step, 1, 3 * w);
        alone[w]->step();
        episodes.insert(alone[w]->world().episode_of_world(0));
        ASSERT_EQ(rows(batch->observations(), w * n, n), rows(alone[w]->observations(), 0, n)) << "world " << w << " in step " << step;
        ASSERT_EQ(rows(batch->rewards(), 3 * w, 3), rows(alone[w]->rewards(), 0, 3)) << "world " << w << " in step " << step;
        for (std::size_t a = 0; a < 3; ++a) ASSERT_EQ(batch->terminated()[3 * w + a], alone[w]->terminated()[a]);
      }
    }
    EXPECT_GT(episodes.size(), 2u);
  }
}

TEST(episodes, repeat_when_they_are_started_again_by_their_number) {
  auto e = test::episodes_of(varied(5), busy(GoalKind::Gates), Autoreset::Disabled);
  const auto fly = [&](std::uint32_t episode) {
    e->reset({}, std::vector<std::uint32_t>(5, episode));
    std::uint64_t sum = 0;
    for (std::uint64_t step = 0; step < 10; ++step) test::act_at_random(*e, step), e->step(), sum = math::mix64(sum ^ test::digest(*e));
    return sum;
  };
  fly(3);  // what is kept of finished episodes is the same from now on
  const std::uint64_t third = fly(3), fourth = fly(4);
  static_cast<void>(fourth);
  fly(3);
  EXPECT_EQ(fly(3), third);
  EXPECT_NE(fly(5), third);
}

TEST(episodes, every_agent_of_every_world_has_a_goal_of_its_own_in_each_episode) {
  LearningDef task = busy(GoalKind::Point);
  task.observations = {"position", "to_goal"};
  auto e = test::episodes_of(varied(6), task);
  std::set<std::pair<float, float>> goals;
  for (int episode = 0; episode < 4; ++episode, e->reset())
    for (std::size_t a = 0; a < 18; ++a) {
      const float* seen = e->observations().data() + 6 * a;
      const double start = e->world().def().flocks[0].vehicles[a % 3].position_W[0];
      goals.insert({static_cast<float>(seen[0] + seen[3] - start), seen[1] + seen[4]});
    }
  EXPECT_EQ(goals.size(), 72u);
}

TEST(episodes, a_flock_with_a_task_flies_as_one_without) {
  const WorldDef def = varied(4);
  auto e = test::episodes_of(def, busy(GoalKind::Curve), Autoreset::Disabled);
  auto plain = test::make(def);
  e->world().step(30), plain->step(30);
  EXPECT_EQ(e->world().hash(), plain->hash());
}

TEST(episodes, keep_the_newest_events_of_their_world_and_no_more) {
  auto e = test::episodes_of(test::learners(1, 1), test::plain_task());
  e->step();
  EXPECT_TRUE(e->take_events().empty());
  // 500 vehicles come and go in every step
  for (std::size_t k = 0; k < Episodes::kMostEvents / 500; ++k) {
    const std::vector<VehicleId> there = e->world().vehicles();
    for (std::size_t i = 1; i < there.size(); ++i) e->world().submit({.target = there[i], .payload = Remove{}});
    for (int i = 0; i < 500; ++i) e->world().submit({.payload = Spawn{"birds", {.position_W = {100.0 + i, 0, 50}}}});
    e->step();
  }
  EXPECT_TRUE(e->world().take_events().empty()) << "none waits there for ever";
  const std::vector<Event> kept = e->take_events();
  ASSERT_EQ(kept.size(), Episodes::kMostEvents);
  EXPECT_EQ(kept.back().tick + 1, e->world().tick());
  EXPECT_TRUE(e->take_events().empty());
}

// ---------------------------------------------------------------- arrays

TEST(arrays_of_episodes, begin_on_cache_lines_and_stay_where_they_are) {
  auto e = test::episodes_of(varied(7), busy(GoalKind::Gates), Autoreset::SameStep);
  const auto places = [&] {
    return std::vector<const void*>{e->actions().data(),        e->observations().data(),  e->final_observations().data(), e->rewards().data(),
                                    e->terminated().data(),     e->truncated().data(),     e->finished().data(),           e->steps().data(),
                                    e->episode_return().data(), e->episode_length().data()};
  };
  const std::vector<const void*> before = places();
  for (const void* p : before) EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p) % 64, 0u);
  EXPECT_EQ(e->observations().size(), 7 * 3 * e->observation_size());
  EXPECT_EQ(e->final_observations().size(), e->observations().size());
  EXPECT_EQ(e->actions().size(), 7 * 3 * e->action_size());
  EXPECT_EQ(e->rewards().size(), 21u);
  EXPECT_EQ(e->finished().size(), 7u);
  for (std::uint64_t step = 0; step < 50; ++step) test::act_at_random(*e, step), e->step();
  e->reset();
  // a vehicle that comes later has no row
  e->world().submit({.payload = Spawn{"birds", {.position_W = {50, 0, 5}, .mode = Mode::Armed}}});
  e->step(), e->step();
  EXPECT_EQ(places(), before);
}

TEST(episodes, what_does_not_fit_is_refused_with_its_field) {
  std::string error;
  const auto create = [&](const LearningDef& t) {
    error.clear();
    std::shared_ptr<World> world = World::create(test::learners(1, 1), {}, &error);
    return Episodes::create(world, t, Autoreset::NextStep, &error) == nullptr;
  };
  LearningDef t = test::plain_task();
  t.flock = "bird";
  EXPECT_TRUE(create(t));
  EXPECT_NE(error.find("did you mean 'birds'?"), std::string::npos) << error;
  t = test::plain_task(), t.rewards = {{"goal_distanc"}};
  EXPECT_TRUE(create(t));
  EXPECT_NE(error.find("learning.rewards[0].term: there is no reward 'goal_distanc'"), std::string::npos) << error;
  EXPECT_NE(error.find("did you mean 'goal_distance'?"), std::string::npos) << error;
  t = test::plain_task(), t.action = {.level = ControlLevel::MotorSpeeds, .low = {0, 0, 0}, .high = {1, 1, 1}};
  EXPECT_TRUE(create(t));
  EXPECT_NE(error.find("has 4 numbers"), std::string::npos) << error;
  EXPECT_EQ(Episodes::create(nullptr, t, Autoreset::NextStep, &error), nullptr);
  // the basic feature set has no ground
  WorldDef basic = test::learners(1, 1);
  basic.environment.wind_W = {0, 0, 0}, basic.environment.gust_sigma = 0;
  basic.flocks[0].full_physics = false;
  t = test::plain_task(), t.ends = {{"on_ground"}};
  EXPECT_EQ(Episodes::create(World::create(basic, {}, &error), t, Autoreset::NextStep, &error), nullptr);
  EXPECT_NE(error.find("ground_force"), std::string::npos) << error;
  // a world without a task has no goals
  auto world = test::make(test::learners(1, 1));
  EXPECT_FALSE(world->use_arrays({.flock = "birds", .observations = {"to_goal"}, .actions = {}}, &error));
  EXPECT_NE(error.find("needs a task"), std::string::npos) << error;
  auto e = test::episodes_of(test::learners(2, 1), test::plain_task());
  EXPECT_THROW(e->reset(std::vector<std::uint8_t>{1}), std::invalid_argument);
}

}  // namespace
}  // namespace volary
