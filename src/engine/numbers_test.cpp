// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/numbers.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "engine/engine_test_support.hpp"
#include "math/hash.hpp"

namespace volary::engine {
namespace {

TEST(numbers, keep_one_place_for_each_number_in_whatever_order_they_come) {
  Numbers numbers;
  std::map<std::uint64_t, std::size_t> expected;
  for (std::uint64_t k = 1; k <= 3000; ++k) {
    const std::uint64_t h = math::mix64(k), number = 1 + (k % 3 == 0 ? h % (1ull << 40) : k % 3 == 1 ? k : (1ull << 32) + h % 500);
    const std::size_t place = numbers.add(number);
    const auto [it, is_new] = expected.emplace(number, place);
    EXPECT_EQ(it->second, place);
  }
  std::set<std::size_t> places;
  for (const auto& [number, place] : expected) {
    EXPECT_EQ(numbers.find(number), place);
    EXPECT_TRUE(places.insert(place).second) << "two numbers share place " << place;
    EXPECT_LT(place, numbers.n_places());
  }
  std::uint64_t last = 0;
  std::size_t seen = 0;
  numbers.each([&](std::uint64_t number, std::size_t place) {
    EXPECT_TRUE(seen == 0 || number > last);
    last = number;
    ++seen;
    if (const auto it = expected.find(number); it != expected.end()) EXPECT_EQ(it->second, place);
  });
  EXPECT_EQ(seen, numbers.n_places());
  EXPECT_EQ(Numbers().find(7), Numbers::kNone);
}

TEST(numbers, are_visited_downwards_below_a_limit) {
  Numbers numbers;
  for (const std::uint64_t n : {5ull, 64ull, 130ull, 1ull << 33}) numbers.add(n);
  std::vector<std::uint64_t> seen;
  numbers.each_down(131, [&](std::uint64_t number, std::size_t) {
    seen.push_back(number);
    return number == 5;
  });
  ASSERT_FALSE(seen.empty());
  EXPECT_EQ(seen.front(), 130u);
  EXPECT_EQ(seen.back(), 5u);
  EXPECT_TRUE(std::is_sorted(seen.rbegin(), seen.rend()));
}

// a table by number would take 24 TB
TEST(numbers, far_away_cost_a_world_nothing) {
  WorldDef def = test::circling(3);
  def.flocks[0].vehicles[1].id = (1ull << 32) - 1;
  def.flocks[0].vehicles[2].id = (1ull << 40) - 1;
  auto w = test::make(def);
  w->step(3);
  EXPECT_EQ(w->n_vehicles(), 3u);
  EXPECT_EQ(w->position_of({(1ull << 40) - 1})[2], w->position_of(w->vehicles()[2])[2]);
  const auto bytes = World::snapshot_bytes(*w->snapshot());
  EXPECT_LT(bytes.size(), 100'000u);
  auto other = test::make(def);
  std::string error;
  const auto back = other->read_snapshot(bytes, &error);
  ASSERT_NE(back, nullptr) << error;
  EXPECT_TRUE(other->restore(*back));
  EXPECT_EQ(other->hash(), w->hash());
}

}  // namespace
}  // namespace volary::engine
