// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// vicsek, vasarhelyi, dispersion, aggregation, potential_field: order, spread and gathering out of local rules.
#include <gtest/gtest.h>

#include "swarm/behaviours/all.hpp"
#include "swarm/behaviours/flock_test_support.hpp"

namespace volary::swarm {
namespace {

double mean_order(double noise) {
  Flock f({.members = 60, .memory = 64});
  f.place_random({-6, -6, 15}, {6, 6, 15.1}, 3);
  f.add<Vicsek>({.range = 15, .noise = noise});
  f.run(60);
  double sum = 0, n = 0;
  f.run(30, [&] { sum += f.order(), n += 1; });
  return sum / n;
}

// the phase transition of the paper's figure 2
TEST(vicsek, is_ordered_at_little_noise_and_not_at_much) {
  EXPECT_GT(mean_order(0.2), 0.9);
  EXPECT_LT(mean_order(6.283), 0.45);
}

TEST(vicsek, a_hundred_stay_in_their_disc_for_ten_minutes) {
  FlockOptions o{.members = 100, .radio_range = 60, .loss = 0.2, .gust = 0.5};
  Flock f(o);
  f.place_random({-40, -40, 15}, {40, 40, 15.1}, 2);
  f.add<Vicsek>({.radius = 60});
  f.add<Avoid>({});
  f.run(100);
  f.fail(3);
  double farthest = 0;
  f.run(500, [&] { farthest = std::max(farthest, norm(flat(f.centre()))); });
  EXPECT_LT(farthest, 100);
  EXPECT_LT(f.radius_of_flock(), 170);
  EXPECT_GT(f.lowest_above_ground(), 8);
}

TEST(vasarhelyi, the_braking_curve_is_linear_near_and_a_root_far) {
  // a = 4, p = 2: linear up to r = a / p2 = 1, where both are 2
  EXPECT_EQ(Vasarhelyi::braking(-1, 4, 2), 0);
  EXPECT_DOUBLE_EQ(Vasarhelyi::braking(0.5, 4, 2), 1);
  EXPECT_DOUBLE_EQ(Vasarhelyi::braking(1, 4, 2), 2);
  EXPECT_DOUBLE_EQ(Vasarhelyi::braking(2.5, 4, 2), 4);  // sqrt(2 x 4 x 2.5 - 4)
}

TEST(vasarhelyi, takes_away_only_what_is_above_the_allowed_difference) {
  const V3 v = Vasarhelyi::align({5, 0, 0}, {1, 0, 0}, 3, 0.5);
  EXPECT_DOUBLE_EQ(v.x, 0.5);
  EXPECT_EQ(Vasarhelyi::align({5, 0, 0}, {1, 0, 0}, 4, 0.5).x, 0);
}

// mean cosine between the velocities of neighbours: the paper's phi_corr
double velocity_correlation(const Flock& f, double range) {
  double sum = 0, n = 0;
  for (std::size_t i = 0; i < f.members.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      if (f.members[i].failed || f.members[j].failed || distance(f.members[i].position, f.members[j].position) > range) continue;
      sum += dot(direction(flat(f.members[i].velocity)), direction(flat(f.members[j].velocity)));
      n += 1;
    }
  return sum / n;
}

// ten minutes of 100 between walls: together, inside, moving
TEST(vasarhelyi, a_hundred_flock_between_walls_for_ten_minutes) {
  FlockOptions o{.members = 100, .radio_range = 60, .loss = 0.2, .gust = 0.5, .memory = 20};
  Flock f(o);
  f.place_random({-35, -35, 15}, {35, 35, 15.1}, 1);
  f.add<Vasarhelyi>({.repulsion_range = 5, .side = 200});
  f.add<Avoid>({});
  f.run(100);
  f.fail(3);
  double outside = 0, correlation = 0, speed = 0, n = 0;
  f.run(500, [&] {
    for (const auto& m : f.members)
      if (!m.failed) outside = std::max({outside, math::abs(m.position.x) - 100, math::abs(m.position.y) - 100});
    correlation += velocity_correlation(f, 20);
    speed += norm(flat(f.members[0].velocity));
    n += 1;
  });
  EXPECT_LT(outside, 8);
  EXPECT_GT(correlation / n, 0.8);
  EXPECT_GT(speed / n, 1.5);
}

TEST(dispersion, fills_a_disc_evenly_from_one_corner) {
  FlockOptions o{.members = 40, .loss = 0.2, .gust = 0.4, .memory = 40};
  Flock f(o);
  f.place_random({-3, -3, 15}, {3, 3, 15.1});
  f.add<Dispersion>({.spacing = 8, .radius = 40});
  f.add<Hold>({});
  f.run(120);
  std::size_t apart = 0;
  for (std::size_t i = 0; i < 40; ++i) {
    double nearest = 1e9;
    for (std::size_t j = 0; j < 40; ++j)
      if (i != j) nearest = std::min(nearest, distance(f.members[i].position, f.members[j].position));
    apart += nearest > 6;
    EXPECT_LT(norm(flat(f.members[i].position)), 44);
  }
  EXPECT_GE(apart, 38u);
}

TEST(dispersion, a_hundred_spread_for_ten_minutes_and_fill_the_gap_of_a_lost_one) {
  FlockOptions o{.members = 100, .radio_range = 50, .loss = 0.2, .gust = 0.5, .memory = 24};
  Flock f(o);
  f.place_grid({0, 0, 15}, 2);
  f.add<Dispersion>({.spacing = 10, .radius = 50});
  f.add<Hold>({});
  f.add<Avoid>({.margin = 1});
  double nearest = 1e9;
  f.run(300);
  f.fail(55);
  f.run(300, [&] { nearest = std::min(nearest, f.nearest()); });
  EXPECT_GT(nearest, 3);
  EXPECT_LT(f.radius_of_flock(), 58);
}

TEST(aggregation, a_hundred_meet_and_stay_for_ten_minutes) {
  FlockOptions o{.members = 100, .radio_range = 80, .loss = 0.2, .gust = 0.5, .memory = 128};
  Flock f(o);
  f.place_random({-60, -60, 15}, {60, 60, 15.1});
  f.add<Aggregation>({.spacing = 3, .height = 15});
  f.add<Avoid>({.margin = 1});
  const double before = f.radius_of_flock();
  double nearest = 1e9;
  f.run(200);
  f.fail(9);
  f.run(400, [&] { nearest = std::min(nearest, f.nearest()); });
  EXPECT_GT(before, 60);
  EXPECT_LT(f.radius_of_flock(), 35);
  EXPECT_EQ(f.groups(8), 1u);
  EXPECT_GT(nearest, 2 * o.radius);
}

TEST(potential_field, flies_round_an_obstacle_to_its_goal) {
  Flock f({.members = 1, .gust = 0.4});
  f.place(0, {0, 0, 10});
  f.add<PotentialField>({.goal = {40, 0, 10}, .obstacles = {{{20, 0, 10}, 4}}});
  double nearest = 1e9;
  f.run(60, [&] { nearest = std::min(nearest, distance(f.members[0].position, {20, 0, 10})); });
  EXPECT_GT(nearest, 4.2);
  EXPECT_LT(distance(f.members[0].position, {40, 0, 10}), 1.5);
}

// the failure that the header tells of, so that nobody is surprised
TEST(potential_field, without_swirl_it_stands_still_before_an_obstacle_in_its_way) {
  Flock f({.members = 1});
  f.place(0, {0, 0, 10});
  f.add<PotentialField>({.goal = {40, 0, 10}, .obstacles = {{{20, 0, 10}, 4}}, .swirl = 0});
  f.run(60);
  EXPECT_LT(f.members[0].position.x, 16);
}

TEST(potential_field, a_hundred_gather_at_a_goal_for_ten_minutes) {
  FlockOptions o{.members = 100, .radio_range = 60, .loss = 0.2, .gust = 0.5, .memory = 20};
  Flock f(o);
  f.place_grid({-100, 0, 20}, 4);
  f.add<PotentialField>({.goal = {100, 0, 20}, .obstacles = {{{0, 0, 20}, 10}, {{40, 15, 20}, 8}}, .range = 3, .repulsion = 1});
  f.add<Avoid>({.margin = 1});
  double nearest = 1e9;
  f.run(60);
  f.fail(20);
  f.run(540, [&] { nearest = std::min(nearest, f.nearest()); });
  EXPECT_LT(distance(f.centre(), {100, 0, 20}), 10);
  EXPECT_GT(nearest, 2 * o.radius);
}

}  // namespace
}  // namespace volary::swarm
