// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "environment/terrain.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace volary::terrain {
namespace {

Terrain hills(std::size_t columns, std::size_t rows, unsigned seed, double rough = 10) {
  Heights h{columns, rows, -50, 20, 2, 3, {}};
  std::mt19937 draw(seed);
  std::uniform_real_distribution<float> up(0, static_cast<float>(rough));
  for (std::size_t k = 0; k < columns * rows; ++k) h.up.push_back(up(draw));
  return Terrain(std::move(h));
}

// a wall 10 m high along north at east = 0, one step wide at its foot on both sides
Terrain ridge() {
  Heights h{21, 21, -20, -20, 2, 2, {}};
  for (std::size_t r = 0; r < 21; ++r)
    for (std::size_t c = 0; c < 21; ++c) h.up.push_back(c == 10 ? 10.0f : 0.0f);
  return Terrain(std::move(h));
}

// the least height of a line above the ground, by brute force
double least_gap(const Terrain& t, const Point& a, const Point& b, int samples) {
  double least = 1e300;
  for (int k = 0; k <= samples; ++k) {
    const double s = static_cast<double>(k) / samples;
    least = std::min(least, a[2] + (b[2] - a[2]) * s - t.height(a[0] + (b[0] - a[0]) * s, a[1] + (b[1] - a[1]) * s));
  }
  return least;
}

TEST(terrain, height_is_that_of_a_node_at_the_node_and_bilinear_between) {
  Terrain t(Heights{2, 2, 10, 20, 4, 2, {1, 3, 5, 11}});
  EXPECT_DOUBLE_EQ(t.height(10, 20), 1);
  EXPECT_DOUBLE_EQ(t.height(14, 20), 3);
  EXPECT_DOUBLE_EQ(t.height(10, 22), 5);
  EXPECT_DOUBLE_EQ(t.height(14, 22), 11);
  EXPECT_DOUBLE_EQ(t.height(12, 21), 5);
  EXPECT_DOUBLE_EQ(t.highest(), 11);
  EXPECT_DOUBLE_EQ(t.lowest(), 1);
}

TEST(terrain, goes_on_beyond_its_edges_as_it_is_there) {
  Terrain t(Heights{2, 2, 0, 0, 1, 1, {1, 3, 5, 11}});
  EXPECT_DOUBLE_EQ(t.height(-100, 0), 1);
  EXPECT_DOUBLE_EQ(t.height(100, 0.5), 7);
  EXPECT_DOUBLE_EQ(t.height(1e9, 1e9), 11);
}

TEST(terrain, normal_of_a_slope_is_at_right_angles_to_it) {
  Heights h{5, 5, 0, 0, 2, 2, {}};
  for (int r = 0; r < 5; ++r)
    for (int c = 0; c < 5; ++c) h.up.push_back(static_cast<float>(2 * c * 0.75));  // 3 up on 4 along
  const Point n = Terrain(std::move(h)).normal(3.3, 4.1);
  EXPECT_NEAR(n[0], -0.6, 1e-7);
  EXPECT_NEAR(n[1], 0, 1e-12);
  EXPECT_NEAR(n[2], 0.8, 1e-7);
}

TEST(terrain, normals_have_no_creases) {
  const Terrain t = hills(12, 12, 4);
  for (double e = -50; e < -30; e += 0.013) {
    const Point a = t.normal(e, 33.3), b = t.normal(e + 1e-6, 33.3);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(a[k], b[k], 1e-5);
  }
}

TEST(terrain, no_normal_lies_flatter_than_the_least_upright) {
  const Terrain t = hills(12, 12, 4);
  double least = 1;
  for (double x = -55; x < -25; x += 0.17)
    for (double y = 15; y < 60; y += 0.21) least = std::min(least, t.normal(x, y)[2]);
  EXPECT_LE(t.least_upright(), least);
  EXPECT_GT(t.least_upright(), least - 0.05);
}

TEST(terrain, a_ridge_hides_what_is_behind_it_and_not_what_is_above) {
  const Terrain t = ridge();
  EXPECT_FALSE(t.sees({-10, 0, 2}, {10, 0, 2}));
  EXPECT_FALSE(t.sees({-10, 0, 9.99}, {10, 0, 9.99}));
  EXPECT_TRUE(t.sees({-10, 0, 10}, {10, 0, 10}));  // it may touch
  EXPECT_TRUE(t.sees({-10, 5, 2}, {-10, -5, 2}));
  EXPECT_TRUE(t.sees({-10, 0, 30}, {10, 0, 0}));
  EXPECT_FALSE(t.sees({-1000, 0, 5}, {1000, 7, 5}));   // from far outside to far outside
  EXPECT_FALSE(t.sees({-5, 1000, 5}, {5, 1000, 5}));   // the ridge goes on beyond the northern edge
  EXPECT_TRUE(t.sees({-5, 0, -0.0}, {-5, 0, 50}));     // straight up from the ground
}

TEST(terrain, a_line_meets_the_ground_where_geometry_says) {
  const Terrain t = ridge();
  // down a slope of 1 in 5 from 10 m: the flank rises from 0 at -2 to 10 at 0; 10 - (e + 20) / 5 = 5 (e + 2)
  const double hit = t.first_hit({-20, 3, 10}, {30, 3, 0});
  EXPECT_NEAR(-20 + 50 * hit, (6 - 10) / 5.2, 1e-12);
  EXPECT_EQ(t.first_hit({-20, 3, 11}, {30, 3, 11}), Terrain::kNoHit);
  EXPECT_DOUBLE_EQ(t.first_hit({-10, 3, 4}, {-10, 3, -4}), 0.5);
  EXPECT_DOUBLE_EQ(t.first_hit({-10, 3, -4}, {-10, 3, 4}), 0);  // it begins below
}

TEST(terrain, a_saddle_is_met_between_its_corners) {
  // both ends of the line are above the ground, all corners of the cell lower or higher, the bulge in the middle is hit
  Terrain t(Heights{2, 2, 0, 0, 1, 1, {0, 4, 4, 0}});
  EXPECT_FALSE(t.sees({0, 0, 1}, {1, 1, 1}));  // height along the diagonal: 8 s (1 - s)
  EXPECT_TRUE(t.sees({0, 0, 2}, {1, 1, 2}));
  EXPECT_NEAR(t.first_hit({0, 0, 1}, {1, 1, 1}), (1 - std::sqrt(0.5)) / 2, 1e-12);
}

RC_GTEST_PROP(terrain, line_of_sight_agrees_with_brute_force, (unsigned seed)) {
  std::mt19937 draw(seed);
  std::uniform_real_distribution<double> e(-80, 60), n(0, 150), up(-1, 14);
  const Terrain t = hills(2 + draw() % 40, 2 + draw() % 40, seed);
  for (int k = 0; k < 20; ++k) {
    const Point a = {e(draw), n(draw), up(draw)}, b = {e(draw), n(draw), up(draw)};
    const double least = least_gap(t, a, b, 4000);
    if (least < -1e-6) RC_ASSERT(!t.sees(a, b));
    if (least > 0.2) RC_ASSERT(t.sees(a, b));  // the samples may step over a peak
    const double hit = t.first_hit(a, b);
    RC_ASSERT((hit == Terrain::kNoHit) == t.sees(a, b) || std::abs(least) < 1e-6);
    if (hit > 0 && hit < 1) {
      const Point p = {a[0] + (b[0] - a[0]) * hit, a[1] + (b[1] - a[1]) * hit, a[2] + (b[2] - a[2]) * hit};
      RC_ASSERT(std::abs(p[2] - t.height(p[0], p[1])) < 1e-9);
    }
  }
}

RC_GTEST_PROP(terrain, seeing_is_mutual, (unsigned seed)) {
  std::mt19937 draw(seed);
  std::uniform_real_distribution<double> e(-50, 10), n(20, 80), up(4, 12);
  const Terrain t = hills(30, 20, seed);
  for (int k = 0; k < 30; ++k) {
    const Point a = {e(draw), n(draw), up(draw)}, b = {e(draw), n(draw), up(draw)};
    if (t.sees(a, b) != t.sees(b, a)) RC_ASSERT(std::abs(least_gap(t, a, b, 20000)) < 1e-3);
  }
}

}  // namespace
}  // namespace volary::terrain
