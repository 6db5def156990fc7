// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "swarm/metrics.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace volary::swarm {
namespace {

std::vector<V3> by_chance(std::size_t n, unsigned seed, double size) {
  std::vector<V3> list;
  std::uint64_t x = seed * 0x9e3779b97f4a7c15ull + 1;
  const auto next = [&] {
    x = x * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<double>(x >> 11) * 0x1p-53 * size;
  };
  for (std::size_t k = 0; k < n; ++k) {
    const double a = next(), b = next(), c = next();
    list.push_back({a, b, c});
  }
  return list;
}

std::vector<Edge> path(std::uint32_t n) {
  std::vector<Edge> edges;
  for (std::uint32_t k = 0; k + 1 < n; ++k) edges.push_back({k, k + 1});
  return edges;
}

}  // namespace

TEST(metrics, a_flock_that_flies_one_way_has_order_one_whatever_its_speeds) {
  EXPECT_DOUBLE_EQ(polar_order(std::vector<V3>{{1, 0, 0}, {5, 0, 0}, {0.1, 0, 0}}), 1);
}

TEST(metrics, opposite_headings_cancel_and_a_right_angle_gives_one_over_root_two) {
  EXPECT_DOUBLE_EQ(polar_order(std::vector<V3>{{1, 0, 0}, {-3, 0, 0}}), 0);
  EXPECT_NEAR(polar_order(std::vector<V3>{{1, 0, 0}, {0, 1, 0}}), std::sqrt(0.5), 1e-15);
}

TEST(metrics, who_hovers_has_no_heading_but_counts) {
  EXPECT_DOUBLE_EQ(polar_order(std::vector<V3>{{2, 0, 0}, {0, 0, 0}, {0.001, 0, 0}, {0, 0, 0}}), 0.25);
  EXPECT_EQ(polar_order({}), 0);
}

TEST(metrics, separation_of_a_three_four_five_triangle) {
  const Separation s = separation(std::vector<V3>{{0, 0, 0}, {3, 0, 0}, {0, 4, 0}});
  EXPECT_DOUBLE_EQ(s.min, 3);
  EXPECT_DOUBLE_EQ(s.mean, (3 + 3 + 4) / 3.0);
}

TEST(metrics, nobody_is_near_a_vehicle_alone) {
  EXPECT_EQ(separation(std::vector<V3>{{1, 2, 3}}).min, std::numeric_limits<double>::infinity());
  EXPECT_EQ(separation({}).mean, std::numeric_limits<double>::infinity());
}

RC_GTEST_PROP(metrics, separation_is_that_of_all_pairs, (unsigned seed)) {
  const auto n = *rc::gen::inRange<std::size_t>(2, 60);
  const std::vector<V3> p = by_chance(n, seed, 10);
  double min = 1e9, sum = 0;
  for (const V3& a : p) {
    double nearest = 1e9;
    for (const V3& b : p)
      if (&a != &b) nearest = std::min(nearest, norm(a - b));
    min = std::min(min, nearest);
    sum += nearest;
  }
  const Separation s = separation(p);
  RC_ASSERT(s.min == min);
  RC_ASSERT(std::abs(s.mean - sum / static_cast<double>(n)) < 1e-12);
}

TEST(metrics, the_union_is_the_largest_group_within_reach) {
  const std::vector<V3> p = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {10, 0, 0}, {11, 0, 0}};
  EXPECT_DOUBLE_EQ(union_share(p, 1), 0.6);
  EXPECT_DOUBLE_EQ(union_share(p, 0.5), 0.2);
  EXPECT_DOUBLE_EQ(union_share(p, 8), 1);
  EXPECT_EQ(union_share({}, 1), 0);
}

RC_GTEST_PROP(metrics, edges_are_those_of_all_pairs_within_the_radius, (unsigned seed)) {
  const std::vector<V3> p = by_chance(*rc::gen::inRange<std::size_t>(0, 40), seed, 5);
  std::vector<Edge> expected, found = edges_within(p, 1.5);
  for (std::uint32_t a = 0; a < p.size(); ++a)
    for (std::uint32_t b = a + 1; b < p.size(); ++b)
      if (dot(p[a] - p[b], p[a] - p[b]) <= 1.5 * 1.5) expected.push_back({a, b});
  std::sort(found.begin(), found.end());
  RC_ASSERT(found == expected);
}

// Fiedler 1973: 2 (1 - cos(pi/n)) for a path, 2 (1 - cos(2 pi/n)) for a ring, n for all with all, 1 for a star
TEST(metrics, algebraic_connectivity_of_the_graphs_in_the_books) {
  constexpr double kPi = 3.14159265358979323846;
  for (const std::uint32_t n : {2u, 3u, 10u, 200u}) EXPECT_NEAR(algebraic_connectivity(n, path(n)), 2 * (1 - std::cos(kPi / n)), 1e-12) << n;
  for (const std::uint32_t n : {3u, 7u, 64u}) {
    std::vector<Edge> ring = path(n), star, all;
    ring.push_back({n - 1, 0});
    for (std::uint32_t a = 0; a < n; ++a) {
      if (a > 0) star.push_back({0, a});
      for (std::uint32_t b = a + 1; b < n; ++b) all.push_back({a, b});
    }
    EXPECT_NEAR(algebraic_connectivity(n, ring), 2 * (1 - std::cos(2 * kPi / n)), 1e-12) << n;
    EXPECT_NEAR(algebraic_connectivity(n, star), 1, 1e-12) << n;
    EXPECT_NEAR(algebraic_connectivity(n, all), n, 1e-10) << n;
  }
}

TEST(metrics, a_graph_in_pieces_has_no_connectivity_and_an_edge_given_twice_is_one) {
  EXPECT_EQ(algebraic_connectivity(4, std::vector<Edge>{{0, 1}, {2, 3}}), 0);
  EXPECT_EQ(algebraic_connectivity(1, {}), 0);
  EXPECT_NEAR(algebraic_connectivity(2, std::vector<Edge>{{0, 1}, {1, 0}, {0, 0}}), 2, 1e-12);
}

RC_GTEST_PROP(metrics, one_more_edge_never_makes_a_graph_less_connected, (unsigned seed)) {
  const auto n = *rc::gen::inRange<std::uint32_t>(2, 25);
  std::vector<Edge> edges = edges_within(by_chance(n, seed, 3), 1.6);
  const double before = algebraic_connectivity(n, edges);
  const auto a = *rc::gen::inRange<std::uint32_t>(0, n), b = *rc::gen::inRange<std::uint32_t>(0, n);
  edges.push_back({a, b});
  RC_ASSERT(algebraic_connectivity(n, edges) >= before - 1e-9);
}

TEST(metrics, a_pass_along_the_middle_covers_the_cells_whose_centres_it_came_near) {
  CoverageGrid grid({0, 0}, {10, 4}, 1);
  EXPECT_EQ(grid.share(), 0);
  for (double x = 0; x <= 10; x += 0.25) grid.visit({x, 2, 30}, 0.6);
  EXPECT_DOUBLE_EQ(grid.share(), 20.0 / 40);  // rows at 1.5 and 2.5, not those at 0.5 and 3.5
  grid.visit({100, 100, 0}, 5);
  grid.visit({-4, 2, 0}, 1);
  EXPECT_DOUBLE_EQ(grid.share(), 0.5);
  grid.visit({5, 2, 0}, 50);
  EXPECT_DOUBLE_EQ(grid.share(), 1);
}

TEST(metrics, coverage_comes_back_from_its_bits_and_refuses_those_of_another_grid) {
  CoverageGrid a({0, 0}, {7, 7}, 0.5), b({0, 0}, {7, 7}, 0.5), c({0, 0}, {3, 3}, 0.5);
  a.visit({2, 2, 0}, 1.3);
  b.bits() = a.bits();
  ASSERT_TRUE(b.recount());
  EXPECT_EQ(b.share(), a.share());
  EXPECT_GT(b.share(), 0);
  c.bits() = a.bits();
  EXPECT_FALSE(c.recount());
}

// Kaul, Yates, Gruteser 2012: an update every T seconds that takes d to arrive has mean age d + T/2 and peak age d + T
TEST(metrics, the_age_of_regular_updates_is_delay_plus_half_a_period) {
  AgeOfInformation age(0);
  const double period = 0.5, delay = 0.2;
  for (int k = 1; k <= 1000; ++k) age.heard(k * period + delay, k * period);
  EXPECT_NEAR(age.mean(1000 * period + delay), delay + period / 2, 1e-3);
  EXPECT_NEAR(age.mean_peak(), delay + period, 1e-9);
}

TEST(metrics, an_older_message_that_comes_late_tells_nothing_new) {
  AgeOfInformation age(0);
  age.heard(2, 1.5);
  age.heard(3, 1.0);
  EXPECT_DOUBLE_EQ(age.age(3), 1.5);
  EXPECT_DOUBLE_EQ(age.mean_peak(), 2);
  EXPECT_DOUBLE_EQ(age.mean(2), 1);  // a ramp from 0 to 2
}

TEST(metrics, ages_are_summarised_by_rank) {
  std::vector<double> ages;
  for (int k = 20; k >= 1; --k) ages.push_back(k);
  const AgeSummary s = summarise_ages(ages);
  EXPECT_DOUBLE_EQ(s.mean, 10.5);
  EXPECT_DOUBLE_EQ(s.median, 10);
  EXPECT_DOUBLE_EQ(s.p95, 19);
  EXPECT_DOUBLE_EQ(s.max, 20);
  EXPECT_EQ(s.links, 20u);
}

TEST(metrics, hovering_costs_one_falling_nothing_and_twice_the_thrust_two_root_two) {
  EXPECT_DOUBLE_EQ(hover_power_ratio({0, 0, 0}, 9.81), 1);
  EXPECT_DOUBLE_EQ(hover_power_ratio({0, 0, -9.81}, 9.81), 0);
  EXPECT_NEAR(hover_power_ratio({0, 0, 9.81}, 9.81), 2 * std::sqrt(2.0), 1e-14);
  // a turn at 45 degrees of bank: thrust g sqrt 2
  EXPECT_NEAR(hover_power_ratio({9.81, 0, 0}, 9.81), std::pow(2, 0.75), 1e-14);
}

}  // namespace volary::swarm
