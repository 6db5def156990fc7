// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a world reports of its swarm as a whole.
#include <cmath>

#include "engine/engine_test_support.hpp"

namespace volary {
namespace {

using test::make;

// vehicles that hover at 10 m in still air and tell where they are ten times a second, 100 m far
WorldDef hovering(const std::vector<double>& east) {
  WorldDef w = test::circling(static_cast<int>(east.size()));
  w.environment.wind_W = {0, 0, 0};
  w.environment.gust_sigma = 0;
  FlockDef& f = w.flocks[0];
  f.node.state_rate = 10;
  for (std::size_t i = 0; i < east.size(); ++i) {
    f.vehicles[i].position_W = {east[i], 0, 10};
    f.vehicles[i].mode = Mode::Hold;
  }
  w.radio.model = RadioModel::Disc;
  w.radio.range = 100;
  w.radio.bit_rate = 1e8;
  w.radio.preamble = 1e-6;
  return w;
}

TEST(swarm_report, two_groups_out_of_range_are_two_pieces) {
  auto w = make(hovering({0, 10, 20, 30, 1000, 1010, 1020}));
  w->step(2000);
  const SwarmReport r = w->swarm_report();
  EXPECT_EQ(r.samples, 19u);  // one in every second but the first
  EXPECT_EQ(r.components_mean, 2);
  EXPECT_EQ(r.components_max, 2u);
  EXPECT_EQ(r.largest_share_mean, 4.0 / 7);
  EXPECT_EQ(r.largest_share_min, 4.0 / 7);
  EXPECT_EQ(r.algebraic_connectivity, 0);
}

TEST(swarm_report, a_row_of_three_has_the_algebraic_connectivity_of_a_path) {
  auto w = make(hovering({0, 80, 160}));
  w->step(300);
  const SwarmReport r = w->swarm_report();
  EXPECT_EQ(r.components_max, 1u);
  EXPECT_EQ(r.largest_share_min, 1);
  // 2 - 2 cos(pi / 3)
  EXPECT_NEAR(r.algebraic_connectivity.value(), 1, 1e-9);
}

// Each speaks once in every tenth of a second, at a moment drawn anew. At a share x of the period, what is known was said in this period with
// probability x, x/2 ago in the mean, else in the last one, x + 1/2 ago: over all x that is 7/12 of a period. A tick goes by before it is heard.
TEST(swarm_report, without_losses_news_is_as_old_as_the_rate_of_telling_says) {
  auto w = make(hovering({0, 10, 20, 30, 40, 50}));
  w->step(6000);
  const SwarmReport r = w->swarm_report();
  EXPECT_NEAR(r.age_mean.value(), 0.1 * 7 / 12, 0.012);
  EXPECT_LE(r.age_max.value(), 0.2);
  EXPECT_GT(r.age_max.value(), 0.1);
}

// One of two is carried away, out of range of the other: what they know of each other grows old, and it counts although behaviours have forgotten it.
TEST(swarm_report, news_that_behaviours_have_forgotten_still_grows_old) {
  WorldDef def = hovering({0, 10});
  def.flocks[0].node.forget = 1;
  auto w = make(def);
  w->step(300);
  EXPECT_EQ(w->swarm_report().components_max, 1u);
  w->submit({.target = w->vehicles()[1], .payload = SetState{.position_W = {1000, 0, 10}}});
  w->step(1000);
  EXPECT_TRUE(w->decision_state_of(w->vehicles()[0]).hears.empty());
  const SwarmReport r = w->swarm_report();
  EXPECT_GT(r.age_max.value(), 8);
  EXPECT_GT(r.age_mean.value(), 3);
  EXPECT_EQ(r.components_max, 2u);
}

// By octaves of distance: everything that was in reach is in one of them, with its outcome.
TEST(swarm_report, delivery_is_counted_by_distance_and_by_reason) {
  WorldDef def = hovering({0, 3, 50, 90, 1000});
  def.radio.loss = 0.25;
  auto w = make(def);
  w->step(3000);
  const RadioReport r = w->radio();
  // 3 m; 40, 47 and 50 m; 87 and 90 m: each pair both ways
  ASSERT_EQ(r.by_distance.size(), 3u);
  EXPECT_EQ(r.by_distance[0].from, 2);
  EXPECT_EQ(r.by_distance[0].to, 4);
  EXPECT_EQ(r.by_distance[1].from, 32);
  EXPECT_EQ(r.by_distance[2].to, 128);
  const double ways[] = {2, 6, 4};
  for (std::size_t k = 0; k < 3; ++k) {
    const RadioReport::Distance& at = r.by_distance[k];
    EXPECT_NEAR(static_cast<double>(at.receivers), 300 * ways[k], 2 * ways[k]);
    std::uint64_t sum = 0;
    EXPECT_EQ(at.outcomes.size(), 2u);
    for (const auto& [outcome, n] : at.outcomes) {
      sum += n;
      EXPECT_TRUE(outcome == "delivered" || outcome == "random_loss") << outcome;
      if (outcome == "delivered") EXPECT_NEAR(static_cast<double>(n) / static_cast<double>(at.receivers), 0.75, 0.08);
      if (outcome == "random_loss") EXPECT_NEAR(static_cast<double>(n) / static_cast<double>(at.receivers), 0.25, 0.08);
    }
    EXPECT_EQ(sum, at.receivers);
  }
}

// 49 that speak ten times a second and one that listens. A state is 0.704 ms on the air, and another one disturbs it when it begins within that time before
// or after: unslotted ALOHA (1 - 2a/T)^(N-1). Collisions come in pairs, which doubles the variance.
TEST(swarm_report, the_delivery_ratio_of_a_crowd_is_that_of_unslotted_aloha) {
  WorldDef def = hovering(std::vector<double>(49, 0));
  for (std::size_t i = 0; i < 49; ++i) def.flocks[0].vehicles[i].position_W = {static_cast<double>(i % 7), static_cast<double>(i / 7), 10};
  def.radio = {};
  def.radio.model = RadioModel::Disc;
  def.radio.capture = false;
  FlockDef base = test::circling(1, "base").flocks[0];
  base.vehicles[0].position_W = {0, 20, 10};
  base.vehicles[0].mode = Mode::Hold;
  def.flocks[0].node.receives = false;
  def.flocks.push_back(base);
  auto w = make(def);
  w->step(3000);
  const double r = std::pow(1 - 2 * 0.00704, 48), sent = 49 * 300;
  EXPECT_NEAR(w->swarm_report().delivery_ratio.value(), r, 4 * std::sqrt(2 * r * (1 - r) / sent));
}

TEST(swarm_report, half_of_all_lost_makes_news_older) {
  WorldDef def = hovering({0, 10, 20, 30, 40, 50});
  const auto age = [](const WorldDef& d) {
    auto w = make(d);
    w->step(6000);
    return w->swarm_report();
  };
  const SwarmReport all = age(def);
  def.radio.loss = 0.5;
  const SwarmReport half = age(def);
  EXPECT_GT(all.delivery_ratio.value(), 0.99);
  EXPECT_NEAR(half.delivery_ratio.value(), 0.5, 0.02);
  EXPECT_LE(half.worst_delivery_ratio.value(), half.delivery_ratio.value());
  EXPECT_GT(half.worst_delivery_ratio.value(), 0.4);
  EXPECT_NE(half.worst_sender, VehicleId{});
  // every message that gets through comes after one lost in the mean: a period more
  EXPECT_NEAR(half.age_mean.value() - all.age_mean.value(), 0.1, 0.02);
}

TEST(swarm_report, says_how_near_two_ever_came_where_they_can_touch) {
  WorldDef def = hovering({0, 0.8, 30});
  EXPECT_FALSE(make(def)->swarm_report().nearest.has_value());
  def.flocks[0].node.contact.policy = ContactPolicy::Crash;
  def.flocks[0].node.contact.radius = 0.1;
  auto w = make(def);
  w->step(100);
  EXPECT_NEAR(w->swarm_report().nearest.value(), 0.8, 0.02);
  def.flocks[0].vehicles[1].position_W = {5, 0, 10};
  auto far = make(def);
  far->step(100);
  EXPECT_FALSE(far->swarm_report().nearest.has_value());
}

TEST(swarm_report, who_is_alone_or_silent_has_nothing_to_report) {
  auto alone = make(hovering({0}));
  alone->step(300);
  EXPECT_EQ(alone->swarm_report().components_mean, 1);
  EXPECT_FALSE(alone->swarm_report().age_mean.has_value());
  WorldDef def = hovering({0, 10});
  def.flocks[0].node.state_rate = 0;
  auto silent = make(def);
  silent->step(300);
  EXPECT_EQ(silent->swarm_report(), SwarmReport{});
}

TEST(swarm_report, is_the_same_on_any_number_of_threads_and_after_a_snapshot) {
  WorldDef def = hovering({0, 0.9, 60, 120, 500});
  def.environment.gust_sigma = 0.5;
  def.radio.loss = 0.3;
  def.flocks[0].node.contact.policy = ContactPolicy::Crash;
  def.flocks[0].node.contact.radius = 0.05;
  auto one = make(def), three = make(def, {.threads = 3, .force_split = true});
  one->step(900);
  three->step(900);
  EXPECT_EQ(one->swarm_report(), three->swarm_report());
  auto other = make(def);
  other->step(50);
  std::string error;
  const auto read = other->read_snapshot(World::snapshot_bytes(*one->snapshot()), &error);
  ASSERT_NE(read, nullptr) << error;
  other->restore(*read);
  EXPECT_EQ(one->swarm_report(), other->swarm_report());
  one->step(400);
  other->step(400);
  EXPECT_EQ(one->swarm_report(), other->swarm_report());
}

}  // namespace
}  // namespace volary
