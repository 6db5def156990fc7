// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/near_pairs.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

#include "math/hash.hpp"

namespace volary::engine {
namespace {

double uniform(std::uint64_t n) { return static_cast<double>(math::mix64(n) >> 11) * 0x1p-53; }

std::vector<NearPairs::Pair> all_pairs(const std::vector<Vec>& places, const std::vector<std::uint32_t>& worlds, double radius) {
  std::vector<NearPairs::Pair> list;
  for (std::uint32_t i = 0; i < places.size(); ++i)
    for (std::uint32_t j = i + 1; j < places.size(); ++j) {
      const double x = places[i][0] - places[j][0], y = places[i][1] - places[j][1], z = places[i][2] - places[j][2];
      if (worlds[i] == worlds[j] && x * x + y * y + z * z <= radius * radius) list.emplace_back(i, j);
    }
  return list;
}
void expect_all(const std::vector<Vec>& places, const std::vector<std::uint32_t>& worlds, double radius) {
  const auto expected = all_pairs(places, worlds, radius);
  for (const int threads : {1, 2, 3}) {
    Pool pool(threads, true);
    NearPairs near;
    const auto found = near.find(places, worlds, radius, pool);
    EXPECT_EQ(std::vector<NearPairs::Pair>(found.begin(), found.end()), expected) << threads;
  }
}

TEST(near_pairs, finds_what_looking_at_all_pairs_finds) {
  for (const std::size_t n : {0u, 1u, 2u, 50u, 700u})
    for (const double radius : {0.3, 1.0, 4.0}) {
      std::vector<Vec> places(n);
      std::vector<std::uint32_t> worlds(n);
      for (std::size_t k = 0; k < n; ++k) {
        places[k] = {-3 + 9 * uniform(3 * k), 100 + 9 * uniform(3 * k + 1), 4 * uniform(3 * k + 2)};
        worlds[k] = static_cast<std::uint32_t>(k % 3);
      }
      expect_all(places, worlds, radius);
    }
}

// on a lattice every neighbour is at the radius exactly: inside
TEST(near_pairs, at_the_radius_is_near) {
  std::vector<Vec> places;
  for (int x = 0; x < 9; ++x)
    for (int y = 0; y < 9; ++y)
      for (int z = 0; z < 5; ++z) places.push_back({0.1 * x, 0.1 * y + 1000, 0.1 * z});
  expect_all(places, std::vector<std::uint32_t>(places.size(), 0), 0.1);
}

TEST(near_pairs, far_from_home_and_in_a_world_too_wide_for_a_table) {
  std::vector<Vec> places;
  for (std::size_t k = 0; k < 300; ++k) places.push_back({2e7 + 5 * uniform(3 * k), -1e6 + 5 * uniform(3 * k + 1), 3 * uniform(3 * k + 2)});
  expect_all(places, std::vector<std::uint32_t>(places.size(), 0), 0.5);
  for (std::size_t k = 0; k < 50; ++k) places.push_back({-1e9 * uniform(k), 1e9 * uniform(k + 99), 0});
  expect_all(places, std::vector<std::uint32_t>(places.size(), 0), 0.5);
}

// 3,000 cells in a row: single precision knows a place to a tenth of a millimetre there, and many pairs are nearer to the radius than that
TEST(near_pairs, on_a_long_road) {
  std::vector<Vec> places;
  for (int k = 0; k < 1500; ++k) {
    places.push_back({2.0 * k, 0.25, 0});
    places.push_back({2.0 * k + (k % 3 - 1) * 1e-9 + 0.6, 0.25 + 0.8, 0});  // 1 m away, give or take a nanometre
  }
  expect_all(places, std::vector<std::uint32_t>(places.size(), 0), 1);
}

// rows of far more than are looked at together, and lists too long to be put in order by counting
TEST(near_pairs, in_a_crowd) {
  std::vector<Vec> places;
  for (std::size_t k = 0; k < 900; ++k) places.push_back({2.5 * uniform(3 * k), 2.5 * uniform(3 * k + 1), 1.5 * uniform(3 * k + 2)});
  expect_all(places, std::vector<std::uint32_t>(places.size(), 0), 0.8);
}

TEST(near_pairs, of_what_is_nowhere_are_none) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  expect_all({{0, 0, 0}, {nan, 0, 0}, {0.1, 0, 0}, {inf, 0, 0}, {0, -inf, 0}}, {0, 0, 0, 0, 0}, 1);
}

RC_GTEST_PROP(near_pairs, do_not_depend_on_anybody_else, ()) {
  std::vector<Vec> places;
  const auto n = static_cast<std::size_t>(*rc::gen::inRange(2, 60));
  const std::uint64_t seed = *rc::gen::arbitrary<std::uint64_t>();
  for (std::size_t k = 0; k < n; ++k) places.push_back({3 * uniform(seed + 3 * k), 3 * uniform(seed + 3 * k + 1), 3 * uniform(seed + 3 * k + 2)});
  Pool pool(1);
  NearPairs few, more;
  const auto a = few.find(places, std::vector<std::uint32_t>(n, 0), 0.7, pool);
  const std::vector<NearPairs::Pair> before(a.begin(), a.end());
  places.push_back({-1234.5, 77.7, 3.3});
  const auto b = more.find(places, std::vector<std::uint32_t>(n + 1, 0), 0.7, pool);
  RC_ASSERT(std::vector<NearPairs::Pair>(b.begin(), b.end()) == before);
}

}  // namespace
}  // namespace volary::engine
