// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The shipped tasks: each can be made, flown by a policy and, with positions as actions, solved by a rule. And the documentation names every term.
#include <fstream>
#include <sstream>

#include "learning/learning_test_support.hpp"
#include "volary/scenario.hpp"

namespace volary {
namespace {

constexpr std::size_t kWorlds = 40;
const char* const kTasks[] = {"learn_hover", "learn_waypoints", "learn_trajectory", "learn_landing", "learn_wind", "learn_gate"};

WorldDef load(const std::string& name) {
  const std::string root = VOLARY_SOURCE_DIR;
  Loaded<WorldDef> def = load_scenario(root + "/scenarios/" + name + ".yaml", {.assets = root + "/assets"}, {"worlds=" + std::to_string(kWorlds)});
  EXPECT_TRUE(def) << def.error;
  return std::move(*def.value);
}
// the same task with positions as actions
std::unique_ptr<Episodes> by_position(const std::string& name, Autoreset autoreset = Autoreset::Disabled) {
  WorldDef def = load(name);
  LearningDef task = *def.learning;
  def.flocks[0].controller.level = ControlLevel::Position;
  task.action = {.level = ControlLevel::Position, .low = {}, .high = {}, .scaled = false};
  task.observations.insert(task.observations.begin(), "position");
  return test::episodes_of(def, task, autoreset);
}
void go(Episodes& e, std::size_t world, const Vec& to) {
  for (std::size_t k = 0; k < 3; ++k) e.actions()[4 * world + k] = static_cast<float>(to[k]);
  e.actions()[4 * world + 3] = 0;
}
Vec seen(const Episodes& e, std::size_t world, const char* term) {
  for (const ObservationTerm& t : e.terms())
    if (t.name == term) {
      const float* at = e.observations().data() + world * e.observation_size() + t.offset;
      return {at[0], at[1], at[2]};
    }
  ADD_FAILURE() << "no term " << term;
  return {};
}
std::size_t number_of(const Episodes& e, const char* end) {
  for (std::size_t k = 0; k < e.task().ends.size(); ++k)
    if (e.task().ends[k].term == end) return k + 1;
  ADD_FAILURE() << "no end " << end;
  return 0;
}
Vec sum(const Vec& a, const Vec& b, double share = 1) { return {a[0] + share * b[0], a[1] + share * b[1], a[2] + share * b[2]}; }

TEST(tasks, every_shipped_task_runs_under_random_actions_and_its_episodes_end) {
  for (const char* name : kTasks) {
    WorldDef def = load(name);
    ASSERT_NE(def.learning, nullptr);
    auto e = test::episodes_of(def, *def.learning);
    ASSERT_EQ(e->action_size(), 4u) << name;
    std::size_t finished = 0;
    for (std::uint64_t step = 0; step < 300; ++step) {
      test::act_at_random(*e, step);
      e->step();
      for (const std::uint8_t f : e->finished()) finished += f;
      for (const float x : e->observations()) ASSERT_TRUE(std::isfinite(x)) << name;
      for (const float x : e->rewards()) ASSERT_TRUE(std::isfinite(x)) << name;
    }
    EXPECT_GT(finished, kWorlds) << name;
  }
}

TEST(tasks, a_vehicle_that_holds_its_goal_hovers_until_the_time_limit) {
  for (const char* name : {"learn_hover", "learn_wind"}) {
    auto e = by_position(name);
    for (std::uint32_t step = 0; step < e->step_limit(); ++step) {
      for (std::size_t w = 0; w < kWorlds; ++w) go(*e, w, sum(seen(*e, w, "position"), seen(*e, w, "to_goal")));
      e->step();
    }
    for (std::size_t w = 0; w < kWorlds; ++w) {
      EXPECT_EQ(e->truncated()[w], 1) << name << " " << w << " " << int(e->terminated()[w]);
      EXPECT_LT(test::length(seen(*e, w, "to_goal")), 0.2) << name;
      EXPECT_GT(e->episode_return()[w], 0.5f * static_cast<float>(e->step_limit())) << name;
    }
  }
}

TEST(tasks, a_vehicle_that_flies_to_each_waypoint_reaches_them_all) {
  auto e = by_position("learn_waypoints");
  for (std::uint32_t step = 0; step < e->step_limit(); ++step) {
    for (std::size_t w = 0; w < kWorlds; ++w) go(*e, w, sum(seen(*e, w, "position"), seen(*e, w, "to_goal")));
    e->step();
  }
  std::size_t done = 0;
  for (std::size_t w = 0; w < kWorlds; ++w) {
    if (e->terminated()[w] != number_of(*e, "goals_done")) continue;
    ++done;
    EXPECT_GT(e->episode_return()[w], 30) << "five waypoints of 5, and 10, less what turning costs";
  }
  EXPECT_GE(done, kWorlds * 9 / 10);
}

TEST(tasks, a_vehicle_that_aims_behind_each_gate_passes_them_all) {
  auto e = by_position("learn_gate");
  for (std::uint32_t step = 0; step < e->step_limit(); ++step) {
    for (std::size_t w = 0; w < kWorlds; ++w) {
      // to the axis of the gate first, then along it
      const Vec to = seen(*e, w, "to_goal"), along = seen(*e, w, "goal_direction");
      const double ahead = test::dot(to, along);
      const Vec aside = sum(to, along, -ahead);
      const double off = test::length(aside);
      go(*e, w, sum(sum(seen(*e, w, "position"), aside), along, off < 0.2 ? 0.8 : std::min(0.4, ahead - 0.5)));
    }
    e->step();
  }
  std::size_t done = 0;
  for (std::size_t w = 0; w < kWorlds; ++w) done += e->terminated()[w] == number_of(*e, "goals_done") ? 1 : 0;
  EXPECT_GE(done, kWorlds * 8 / 10);
}

TEST(tasks, a_vehicle_that_flies_past_a_gate_misses_it) {
  auto e = by_position("learn_gate");
  for (std::uint32_t step = 0; step < 400; ++step) {
    for (std::size_t w = 0; w < kWorlds; ++w) {
      const Vec p = seen(*e, w, "position");
      go(*e, w, {p[0] + 0.5, 1.5, 1.5});  // 1.5 m to the side of the first gate
    }
    e->step();
  }
  for (std::size_t w = 0; w < kWorlds; ++w) EXPECT_EQ(e->terminated()[w], number_of(*e, "gate_missed"));
}

TEST(tasks, a_vehicle_that_descends_slowly_lands_and_one_that_drops_lands_hard) {
  auto e = by_position("learn_landing");
  for (std::uint32_t step = 0; step < e->step_limit(); ++step) {
    for (std::size_t w = 0; w < kWorlds; ++w) {
      const Vec p = seen(*e, w, "position"), to = seen(*e, w, "to_goal");
      go(*e, w, {p[0] + to[0], p[1] + to[1], p[2] - 0.15});
      if (w % 2 == 1) e->actions()[4 * w + 2] = -20;
    }
    e->step();
  }
  for (std::size_t w = 0; w < kWorlds; ++w) EXPECT_EQ(e->terminated()[w], number_of(*e, w % 2 == 1 ? "hard_landing" : "landed")) << w;
}

TEST(tasks, a_vehicle_that_flies_where_the_curve_will_be_follows_it) {
  auto e = by_position("learn_trajectory");
  for (std::uint32_t step = 0; step < e->step_limit(); ++step) {
    for (std::size_t w = 0; w < kWorlds; ++w) go(*e, w, sum(sum(seen(*e, w, "position"), seen(*e, w, "goal_ahead")), seen(*e, w, "goal_velocity"), 0.4));
    e->step();
  }
  for (std::size_t w = 0; w < kWorlds; ++w) EXPECT_EQ(e->truncated()[w], 1) << int(e->terminated()[w]);
}

TEST(tasks, the_documentation_has_a_row_for_every_term_and_no_other) {
  std::ifstream file(VOLARY_SOURCE_DIR "/docs/learning.md");
  std::stringstream text;
  text << file.rdbuf();
  const std::string page = text.str();
  const auto has = [&](const std::string& row) { return page.find("\n" + row + "\n") != std::string::npos; };
  std::size_t rows = 0;
  for (const RewardTerm& t : reward_terms()) {
    const std::string row = "| `" + t.name + "` | " + t.unit + " | " + (t.scale_unit.empty() ? "-" : t.scale_unit) + " | " + t.doc + " |";
    EXPECT_TRUE(has(row)) << row;
    ++rows;
  }
  for (const EndTerm& t : end_terms()) {
    const std::string row = "| `" + t.name + "` | " + (t.limit_unit.empty() ? "-" : t.limit_unit) + " | " + t.doc + " |";
    EXPECT_TRUE(has(row)) << row;
    ++rows;
  }
  for (const ObservationTerm& t : observation_terms()) {
    const std::string row =
        "| `" + t.name + "` | " + (t.size == 0 ? "as an action" : std::to_string(t.size)) + " | " + t.unit + " | " + t.frame + " | " + t.doc + " |";
    EXPECT_TRUE(has(row)) << row;
    ++rows;
  }
  std::size_t found = 0;
  for (std::size_t at = page.find("\n| `"); at != std::string::npos; at = page.find("\n| `", at + 1)) ++found;
  EXPECT_EQ(found, rows) << "a row of the page is of no term";
}

}  // namespace
}  // namespace volary
