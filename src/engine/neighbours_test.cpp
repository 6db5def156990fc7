// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/neighbours.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace volary::engine {
namespace {

using Lists = std::vector<std::vector<std::uint32_t>>;

Lists by_brute_force(const std::vector<Vec>& places, const std::vector<std::uint32_t>& worlds, double radius) {
  Lists lists(places.size());
  for (std::uint32_t i = 0; i < places.size(); ++i)
    for (std::uint32_t j = 0; j < places.size(); ++j) {
      const double dx = places[j][0] - places[i][0], dy = places[j][1] - places[i][1], dz = places[j][2] - places[i][2];
      if (i != j && worlds[i] == worlds[j] && dx * dx + dy * dy + dz * dz <= radius * radius) lists[i].push_back(j);
    }
  return lists;
}

Lists found(const std::vector<Vec>& places, const std::vector<std::uint32_t>& worlds, double radius, int threads) {
  Pool pool(threads, true);
  Neighbours n;
  n.find(places, worlds, radius, pool);
  Lists lists(places.size());
  for (std::size_t i = 0; i < places.size(); ++i)
    for (const Near& near : n.of(i)) lists[i].push_back(near.index);
  return lists;
}

RC_GTEST_PROP(neighbours, are_those_of_brute_force_on_any_number_of_threads, (unsigned seed)) {
  std::mt19937 draw(seed);
  const std::size_t n = draw() % 300;
  const double wide = 1 + draw() % 50, far = draw() % 2 == 0 ? 0 : 20'000;
  std::uniform_real_distribution<double> flat(far - wide, far + wide), up(0, wide / 3);
  std::vector<Vec> places;
  std::vector<std::uint32_t> worlds;
  for (std::size_t i = 0; i < n; ++i) {
    places.push_back({flat(draw), flat(draw), up(draw)});
    worlds.push_back(draw() % 3);
  }
  const double radius = 0.1 + static_cast<double>(draw() % 100) / 10;
  const Lists expected = by_brute_force(places, worlds, radius);
  for (const int threads : {1, 2, 5}) RC_ASSERT(found(places, worlds, radius, threads) == expected);
}

TEST(neighbours, count_up_to_the_radius_itself) {
  const std::vector<Vec> places = {{0, 0, 0}, {2, 0, 0}, {0, 0, 2.001}};
  EXPECT_EQ(found(places, {0, 0, 0}, 2, 1), (Lists{{1}, {0}, {}}));
}

TEST(neighbours, of_places_on_the_same_spot_are_all_the_others) {
  const std::vector<Vec> places(5, Vec{7, 7, 7});
  const Lists lists = found(places, std::vector<std::uint32_t>(5, 0), 0.5, 2);
  for (const auto& list : lists) EXPECT_EQ(list.size(), 4u);
}

TEST(neighbours, do_not_reach_into_another_world) {
  const std::vector<Vec> places = {{0, 0, 0}, {0.1, 0, 0}, {0, 0.1, 0}};
  EXPECT_EQ(found(places, {0, 1, 0}, 1, 1), (Lists{{2}, {}, {0}}));
}

TEST(neighbours, a_place_that_is_no_number_has_none) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(found({{0, 0, 0}, {nan, 0, 0}, {0.1, 0, 0}}, {0, 0, 0}, 1, 1), (Lists{{2}, {}, {0}}));
}

TEST(neighbours, a_world_wider_than_its_cells_can_be_counted_still_has_the_right_ones) {
  EXPECT_EQ(found({{-1e9, 0, 0}, {1e9, 1e9, 0}, {1e9, 1e9, 0.01}, {1e9, 1e9 + 1, 0}}, {0, 0, 0, 0}, 0.5, 2), (Lists{{}, {2}, {1}, {}}));
}

// with a table of cells, and in a world too wide for one
TEST(neighbours, are_listed_for_those_who_ask) {
  for (const double far : {0.0, 1e9}) {
    const std::vector<Vec> places = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {far, 9, 0}};
    const std::vector<std::uint32_t> worlds(4, 0);
    const std::vector<std::uint8_t> asks = {0, 1, 1, 1};
    Pool pool(1);
    Neighbours n;
    n.find(places, worlds, 3, pool, asks);
    EXPECT_TRUE(n.of(0).empty());
    ASSERT_EQ(n.of(1).size(), 2u);
    EXPECT_EQ(n.of(1)[0].index, 0u);
    EXPECT_EQ(n.of(1)[0].distance, 1.0f);
    EXPECT_EQ(n.of(1)[1].index, 2u);
    EXPECT_EQ(n.of(2).size(), 2u);
    EXPECT_TRUE(n.of(3).empty());
  }
}

TEST(neighbours, of_nobody_are_none) { EXPECT_TRUE(found({}, {}, 1, 2).empty()); }

}  // namespace
}  // namespace volary::engine
