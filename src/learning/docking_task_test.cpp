// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The shipped docking task: what an expert makes of it, episodes that end docked and the ones after them, and the same results whatever threads, lanes and batch.
#include <algorithm>

#include <fmt/format.h>

#include "learning/docking_test_support.hpp"

namespace volary {
namespace {

constexpr std::size_t kEpisodes = 20;

// The expert of IAP, section IV.E: position control to a place before the mouth, which comes nearer while the cylinder is in line, and a push along the axis in the cone.
class Expert {
 public:
  // the acceleration that it wants, by what the agent observes
  Vec act(const Episodes& e, std::size_t agent) {
    const auto see = [&](const char* term, std::size_t k) { return static_cast<double>(test::seen(e, agent, term, k)); };
    const double dt = 0.005, radial = std::hypot(see("dock_offset", 0), see("dock_offset", 1));
    Vec a{};
    if (see("docked", 0) > 0) {
      for (std::size_t k = 0; k < 3; ++k) a[k] = -1.5 * see("velocity", k);
      return a;
    }
    // the gap closes at 0.25 m/s in line, and opens beyond twice 0.03 m
    const double rate = radial < 0.03 ? -0.25 : radial > 0.06 ? 0.25 : 0;
    gap_ = std::clamp(gap_ + rate * dt, -0.1, 0.3);
    for (std::size_t k = 0; k < 3; ++k) {
      const double ahead = k == 1 ? -1 : 0;  // out of the mouth: south
      a[k] = std::clamp(2 * (see("to_goal", k) + gap_ * ahead) - 2.5 * (see("velocity", k) - rate * ahead), -1.5, 1.5);
    }
    // direct control of the force along the axis: 1 N, felt from the south
    if (see("dock_offset", 2) < 0.1) a[1] += 0.1 * (1 + see("contact_wrench", 1));
    return a;
  }

 private:
  double gap_ = 0.3;  // m
};

struct Flown {
  std::size_t docked = 0;
  double mean_return = 0, mean_length = 0;
  std::string text;
};
Flown fly(bool is_expert) {
  const WorldDef def = test::docking(kEpisodes);
  auto e = test::episodes_of(def, *def.learning, Autoreset::Disabled, {.threads = 2});
  std::vector<Expert> experts(kEpisodes);
  const double most = e->action_high()[0];
  for (std::uint32_t step = 0; step < e->step_limit(); ++step) {
    for (std::size_t w = 0; w < kEpisodes; ++w) {
      const Vec a = is_expert ? experts[w].act(*e, w) : Vec{0, 0, 0};
      test::push(*e, w, {a[0] / most, a[1] / most, a[2] / most});
    }
    e->step();
  }
  Flown f;
  for (std::size_t w = 0; w < kEpisodes; ++w) {
    EXPECT_TRUE(e->terminated()[w] != 0 || e->truncated()[w] != 0);
    f.docked += e->terminated()[w] == 1 ? 1 : 0;
    f.mean_return += e->episode_return()[w] / kEpisodes, f.mean_length += e->episode_length()[w] * 0.005 / kEpisodes;
    f.text += fmt::format("{}:{:.1f}/{} ", e->terminated()[w], e->episode_return()[w], e->episode_length()[w]);
  }
  f.text = fmt::format("{} of {} docked, mean return {:.2f}, mean length {:.2f} s; {}", f.docked, kEpisodes, f.mean_return, f.mean_length, f.text);
  return f;
}

TEST(docking_task, an_expert_docks_in_most_episodes_and_is_worth_more_than_doing_nothing) {
  const Flown expert = fly(true), idle = fly(false);
  EXPECT_GE(expert.docked, kEpisodes * 9 / 10) << expert.text;
  EXPECT_EQ(idle.docked, 0u) << idle.text;
  EXPECT_GT(expert.mean_return, idle.mean_return + 10) << expert.text << "\n" << idle.text;
  RecordProperty("expert", expert.text);
  RecordProperty("idle", idle.text);
}

// ---------------------------------------------------------------- episodes

// the agents begin 0.05 m before their docked places and push; an episode ends 0.05 s after the latch has closed
WorldDef near_by(int worlds, int pairs) {
  WorldDef def = test::docking(worlds, pairs, 0.05);
  def.flocks[0].spread.position_W = {0.003, 0.02, 0.003};
  return def;
}
LearningDef quick(const WorldDef& def) {
  LearningDef t = *def.learning;
  t.ends[0].limit = 0.05;
  return t;
}
void push_all(Episodes& e, std::size_t first = 0) {
  for (std::size_t a = 0; a < e.worlds() * e.agents(); ++a) test::push(e, a, {0, 0.2 + 0.05 * static_cast<double>((first + a) % 3), 0});
}
std::string shown(const World& w, std::size_t slot) {
  std::string text;
  for (const char* flock : {"agent", "partner"})
    for (const char* column : {"position", "velocity", "attitude", "omega", "docked", "dock_offset", "dock_velocity", "wrench"}) {
      const View v = w.view(flock, column);
      for (std::size_t k = 0; k < 3; ++k) text += column == std::string("docked") ? fmt::format("{} ", v.at(slot)) : fmt::format("{} ", v.at(slot, k));
    }
  return text;
}

TEST(docking_task, an_episode_that_ends_docked_begins_the_next_one_apart_and_at_the_starts) {
  for (const Autoreset mode : {Autoreset::NextStep, Autoreset::SameStep}) {
    WorldDef def = near_by(3, 1);
    auto e = test::episodes_of(def, quick(def), mode);
    std::size_t docked = 0;
    for (std::uint64_t step = 0; step < 600; ++step) {
      push_all(*e);
      std::vector<std::uint32_t> before;
      for (std::uint32_t w = 0; w < 3; ++w) before.push_back(e->world().episode_of_world(w));
      e->step();
      for (std::uint32_t w = 0; w < 3; ++w) {
        const std::uint32_t episode = e->world().episode_of_world(w);
        if (episode == before[w]) continue;
        ++docked;
        // as in the same world alone, whose first episode this is
        WorldDef one = def;
        one.worlds = 1, one.first_world = static_cast<int>(w), one.episode = episode;
        auto alone = test::make(one);
        EXPECT_EQ(shown(e->world(), w), shown(*alone, 0)) << "world " << w << " in episode " << episode;
        EXPECT_EQ(e->world().hash_of_world(w), alone->hash_of_world(0));
        EXPECT_FALSE(e->world().held_by({w * kNumbersPerWorld + 1}));
        EXPECT_EQ(test::seen(*e, w, "docked"), 0);
        EXPECT_GT(test::seen(*e, w, "dock_offset", 2), 0.02f);
      }
    }
    EXPECT_GT(docked, 5u);
    std::size_t latched = 0, released = 0;
    for (const Event& event : e->take_events()) latched += event.what.starts_with("latched") ? 1 : 0, released += event.what.starts_with("released") ? 1 : 0;
    EXPECT_GE(latched, docked) << "each episode tells of its own latch";
    EXPECT_EQ(released, 0u);
  }
}

TEST(docking_task, a_world_that_begins_again_changes_no_bit_of_another_one) {
  const WorldDef def = near_by(5, 2);
  auto with = test::make(def), without = test::make(def);
  with->step(30), without->step(30);
  with->reset(std::vector<std::uint8_t>{0, 1, 0, 0, 1});
  EXPECT_NE(with->hash_of_world(1), without->hash_of_world(1));
  with->step(60), without->step(60);
  for (const std::uint32_t k : {0u, 2u, 3u}) EXPECT_EQ(with->hash_of_world(k), without->hash_of_world(k)) << k;
}

// ---------------------------------------------------------------- same results

TEST(docking_task, is_the_same_with_any_threads_and_lanes) {
  const WorldDef def = near_by(13, 3);  // worlds begin in the middle of blocks, and the last block is not full
  const auto fly_with = [&](const RunOptions& options) {
    auto e = test::episodes_of(def, quick(def), Autoreset::NextStep, options);
    std::uint64_t sum = 0;
    std::size_t finished = 0;
    for (std::uint64_t step = 0; step < 140; ++step) {
      push_all(*e);
      e->step();
      sum = math::mix64(sum ^ test::digest(*e));
      for (const std::uint8_t f : e->finished()) finished += f;
    }
    EXPECT_GT(finished, 3u);
    return math::mix64(sum ^ e->world().hash());
  };
  const std::uint64_t one = fly_with({.threads = 1});
  for (const int lanes : available_lanes()) EXPECT_EQ(fly_with({.threads = 1, .lanes = lanes}), one) << lanes;
  EXPECT_EQ(fly_with({.threads = 3, .force_split = true}), one);
}

TEST(docking_task, of_a_world_is_the_same_alone_and_in_a_batch) {
  constexpr std::size_t kWorlds = 5, kPairs = 2;
  const WorldDef def = near_by(kWorlds, kPairs);
  auto batch = test::episodes_of(def, quick(def));
  const std::size_t n = kPairs * batch->observation_size();
  std::vector<std::unique_ptr<Episodes>> alone;
  for (std::size_t w = 0; w < kWorlds; ++w) {
    WorldDef one = def;
    one.worlds = 1, one.first_world = static_cast<int>(w);
    alone.push_back(test::episodes_of(one, quick(def)));
  }
  std::uint32_t most = 0;
  for (std::uint64_t step = 0; step < 250; ++step) {
    push_all(*batch);
    batch->step();
    for (std::size_t w = 0; w < kWorlds; ++w) {
      push_all(*alone[w], kPairs * w);
      alone[w]->step();
      most = std::max(most, alone[w]->world().episode_of_world(0));
      const auto seen = [&](const Episodes& e, std::size_t first) {
        const std::span<const float> all = e.observations().subspan(first, n);
        return std::vector<float>(all.begin(), all.end());
      };
      ASSERT_EQ(seen(*batch, w * n), seen(*alone[w], 0)) << "world " << w << " in step " << step;
      for (std::size_t a = 0; a < kPairs; ++a) {
        ASSERT_EQ(batch->rewards()[kPairs * w + a], alone[w]->rewards()[a]) << "world " << w << " in step " << step;
        ASSERT_EQ(batch->terminated()[kPairs * w + a], alone[w]->terminated()[a]);
      }
    }
  }
  EXPECT_GT(most, 0u);
}

}  // namespace
}  // namespace volary
