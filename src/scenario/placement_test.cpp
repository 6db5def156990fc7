// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/placement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace volary::scenario {

namespace {

std::vector<Placed> placed(const PlacementFile& file, std::uint64_t seed = 1, std::uint64_t stream = 0) {
  core::Result<std::vector<Placed>> result = place_vehicles(file, 0.5, seed, stream, "vehicles");
  EXPECT_TRUE(result) << result.error().text();
  return std::move(result).value();
}

double gap(const Vec& a, const Vec& b) { return std::sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2])); }
double smallest_gap(const std::vector<Placed>& all) {
  double smallest = 1e9;
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) smallest = std::min(smallest, gap(all[i].position_W, all[k].position_W));
  return smallest;
}

PlacementFile grid(std::int64_t count, std::int64_t rows = 0, std::int64_t layers = 1) {
  PlacementFile file;
  file.grid = GridFile{count, 1.5, {10, 20, 30}, rows, layers};
  return file;
}
PlacementFile formation(Shape shape, std::int64_t count, double heading = 0) {
  PlacementFile file;
  file.formation = FormationFile{shape, count, 2, heading, {1, 2, 3}};
  return file;
}

}  // namespace

TEST(grid, is_centred_on_its_origin_with_neighbours_one_spacing_apart) {
  const std::vector<Placed> all = placed(grid(25));
  ASSERT_EQ(all.size(), 25u);
  EXPECT_DOUBLE_EQ(smallest_gap(all), 1.5);
  EXPECT_EQ(all[12].position_W, (Vec{10, 20, 30}));
  EXPECT_EQ(all[0].yaw, 0.5);
}

TEST(grid, takes_any_number_of_vehicles_rows_and_layers) {
  for (std::int64_t count : {1, 2, 3, 7, 10, 26, 99}) {
    EXPECT_EQ(placed(grid(count)).size(), static_cast<std::size_t>(count));
    EXPECT_GE(smallest_gap(placed(grid(count, 2))), 1.4999);
    EXPECT_GE(smallest_gap(placed(grid(count, 3, 2))), 1.4999);
  }
  const std::vector<Placed> layered = placed(grid(8, 2, 2));
  EXPECT_DOUBLE_EQ(layered[0].position_W[2], 30);
  EXPECT_DOUBLE_EQ(layered[7].position_W[2], 31.5);
}

TEST(grid, more_layers_than_vehicles_is_a_column) { EXPECT_GE(smallest_gap(placed(grid(3, 0, 100))), 1.4999); }

TEST(ring, vehicles_are_evenly_on_the_circle) {
  PlacementFile file;
  file.ring = RingFile{12, 5, {1, 2, 3}};
  const std::vector<Placed> all = placed(file);
  for (const Placed& p : all) EXPECT_NEAR(gap(p.position_W, {1, 2, 3}), 5, 1e-12);
  for (std::size_t i = 0; i < 12; ++i) EXPECT_NEAR(gap(all[i].position_W, all[(i + 1) % 12].position_W), 2 * 5 * std::sin(3.141592653589793 / 12), 1e-12);
}

TEST(random_placement, keeps_the_spacing_and_stays_in_the_box) {
  PlacementFile file;
  file.random = RandomFile{300, {-10, 0, 1}, {10, 20, 5}, 1};
  const std::vector<Placed> all = placed(file);
  ASSERT_EQ(all.size(), 300u);
  EXPECT_GE(smallest_gap(all), 1);
  for (const Placed& p : all)
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_GE(p.position_W[k], file.random->min[k]);
      EXPECT_LE(p.position_W[k], file.random->max[k]);
    }
}

TEST(random_placement, the_seed_and_the_flock_decide) {
  PlacementFile file;
  file.random = RandomFile{50, {0, 0, 0}, {100, 100, 0}, 1};
  const auto first = [&](std::uint64_t seed, std::uint64_t stream) { return placed(file, seed, stream)[0].position_W; };
  EXPECT_EQ(first(7, 0), first(7, 0));
  EXPECT_NE(first(7, 0), first(8, 0));
  EXPECT_NE(first(7, 0), first(7, 1));
  EXPECT_NE(first(7, 1), first(8, 0));
}

TEST(random_placement, adding_vehicles_does_not_move_the_others) {
  PlacementFile few, many;
  few.random = RandomFile{50, {0, 0, 0}, {100, 100, 0}, 1};
  many.random = RandomFile{60, {0, 0, 0}, {100, 100, 0}, 1};
  const std::vector<Placed> a = placed(few), b = placed(many);
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i].position_W, b[i].position_W);
}

TEST(random_placement, a_box_that_is_too_small_is_an_error_that_says_how_many_fit) {
  PlacementFile file;
  file.random = RandomFile{1'000'000, {0, 0, 0}, {3, 3, 0}, 1};
  const core::Result<std::vector<Placed>> result = place_vehicles(file, 0, 1, 0, "vehicles");
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find("of 1000000 vehicles fit"), std::string::npos) << result.error().text();
}

TEST(random_placement, a_hundred_thousand_vehicles_take_no_time) {
  PlacementFile file;
  file.random = RandomFile{100'000, {0, 0, 0}, {1000, 1000, 10}, 1};
  EXPECT_EQ(placed(file).size(), 100'000u);
}

TEST(formation, nobody_is_nearer_than_the_spacing_or_ahead_of_the_leader) {
  for (Shape shape : {Shape::V, Shape::Line, Shape::Wedge, Shape::Diamond})
    for (std::int64_t count : {1, 2, 5, 9, 16, 23}) {
      const std::vector<Placed> all = placed(formation(shape, count));
      ASSERT_EQ(all.size(), static_cast<std::size_t>(count));
      if (count > 1) {
        EXPECT_GE(smallest_gap(all), 2 - 1e-9) << static_cast<int>(shape) << " " << count;
        EXPECT_LE(smallest_gap(all), 2.24) << static_cast<int>(shape) << " " << count;
      }
      for (const Placed& p : all) EXPECT_LE(p.position_W[0], 1 + 1e-9);
    }
}

TEST(formation, a_heading_turns_it) {
  const std::vector<Placed> east = placed(formation(Shape::V, 3)), north = placed(formation(Shape::V, 3, 1.5707963267948966));
  // the arms trail behind: to the west when flying east, to the south when flying north
  EXPECT_LT(east[1].position_W[0], 1);
  EXPECT_LT(north[1].position_W[1], 2);
  EXPECT_NEAR(east[1].position_W[0] - 1, north[1].position_W[1] - 2, 1e-12);
}

TEST(formation, a_diamond_of_nine_is_complete) {
  const std::vector<Placed> all = placed(formation(Shape::Diamond, 9));
  EXPECT_NEAR(all[8].position_W[0], 1 - 4 * 2, 1e-12);
  EXPECT_NEAR(all[8].position_W[1], 2, 1e-12);
}

TEST(list, positions_yaw_and_names_are_taken_as_given) {
  PlacementFile file;
  file.list = {ListedFile{{1, 2, 3}, 0.25, "alpha"}, ListedFile{{4, 5, 6}, std::nullopt, ""}};
  const std::vector<Placed> all = placed(file);
  EXPECT_EQ(all[0].name, "alpha");
  EXPECT_EQ(all[0].yaw, 0.25);
  EXPECT_EQ(all[1].yaw, 0.5);
  EXPECT_EQ(all[1].position_W, (Vec{4, 5, 6}));
}

}  // namespace volary::scenario
