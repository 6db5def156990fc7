// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/regions.hpp"

#include <algorithm>

#include "engine/engine_test_support.hpp"
#include "engine/snapshot.hpp"

namespace volary {
namespace {

using engine::depth_in;
using test::make;

RegionDef square(RegionRule rule, double half = 10) {
  RegionDef r;
  r.name = "field";
  r.rule = rule;
  r.corners = {{-half, -half}, {half, -half}, {half, half}, {-half, half}};
  return r;
}

// one vehicle on a circle of 3 m about the origin, so that x = 2.5 is crossed twice a lap
WorldDef circling_through(const RegionDef& region) {
  WorldDef def = test::circling(1);
  def.environment = {};
  VehicleDef& v = def.flocks[0].vehicles[0];
  v.position_W = {3, 0, 3};
  v.centre_W = {0, 0, 3};
  v.harmonic.amplitude = {3, 3, 0};
  v.harmonic.rate = {1, 1, 0};
  def.regions = {region};
  return def;
}

std::vector<std::string> what_happens(World& w, std::uint64_t ticks) {
  w.step(ticks);
  std::vector<std::string> list;
  for (const Event& e : w.take_events()) list.push_back(e.what);
  return list;
}

TEST(regions, depth_is_the_distance_to_the_nearest_face) {
  RegionDef r = square(RegionRule::KeepIn);
  EXPECT_DOUBLE_EQ(depth_in(r, {0, 0, 0}), 10);
  EXPECT_DOUBLE_EQ(depth_in(r, {7, -1, 500}), 3);
  EXPECT_DOUBLE_EQ(depth_in(r, {13, 14, 0}), -5);  // from the corner
  r.floor = 2;
  r.ceiling = 30;
  EXPECT_DOUBLE_EQ(depth_in(r, {0, 0, 3}), 1);
  EXPECT_DOUBLE_EQ(depth_in(r, {0, 0, 31}), -1);
  EXPECT_DOUBLE_EQ(depth_in(r, {0, 0, 1}), -1);

  RegionDef mast;
  mast.centre = {5, 5};
  mast.radius = 2;
  EXPECT_DOUBLE_EQ(depth_in(mast, {5, 4, 9}), 1);
  EXPECT_DOUBLE_EQ(depth_in(mast, {5, 10, 9}), -3);
}

TEST(regions, a_notch_of_an_outline_is_outside) {
  RegionDef u = square(RegionRule::KeepIn);
  u.corners = {{0, 0}, {9, 0}, {9, 9}, {6, 9}, {6, 3}, {3, 3}, {3, 9}, {0, 9}};
  EXPECT_DOUBLE_EQ(depth_in(u, {4.5, 6, 0}), -1.5);
  EXPECT_DOUBLE_EQ(depth_in(u, {1.5, 6, 0}), 1.5);
  EXPECT_DOUBLE_EQ(depth_in(u, {7.5, 6, 0}), 1.5);
  std::reverse(u.corners.begin(), u.corners.end());  // whichever way round
  EXPECT_DOUBLE_EQ(depth_in(u, {4.5, 6, 0}), -1.5);
  EXPECT_DOUBLE_EQ(depth_in(u, {7.5, 6, 0}), 1.5);
}

TEST(regions, leaving_and_coming_back_are_told_once_each) {
  RegionDef r = square(RegionRule::KeepIn, 20);
  r.corners[1][0] = r.corners[2][0] = 2.5;
  auto w = make(circling_through(r));
  const auto told = what_happens(*w, 1200);
  ASSERT_GE(told.size(), 2u);
  ASSERT_LE(told.size(), 5u);
  for (std::size_t k = 0; k < told.size(); ++k) EXPECT_EQ(told[k], k % 2 == 0 ? "left field, a region to stay in" : "back in field");
}

TEST(regions, entering_is_told_where_it_is_forbidden_and_nothing_where_it_is_only_marked) {
  RegionDef r = square(RegionRule::KeepOut, 20);
  r.corners[1][0] = r.corners[2][0] = 2.5;
  auto w = make(circling_through(r));
  const auto told = what_happens(*w, 1200);
  ASSERT_GE(told.size(), 2u);
  EXPECT_EQ(told[0], "entered field, a region to stay out of");
  EXPECT_EQ(told[1], "left field");
  r.rule = RegionRule::Mark;
  auto marked = make(circling_through(r));
  EXPECT_TRUE(what_happens(*marked, 1200).empty());
}

TEST(regions, do_not_change_the_flight) {
  WorldDef with = circling_through(square(RegionRule::KeepOut)), without = with;
  without.regions.clear();
  auto a = make(with), b = make(without);
  a->step(200);
  b->step(200);
  EXPECT_EQ(a->hash(), b->hash());
}

TEST(regions, a_branch_tells_what_the_run_it_came_from_would_have_told) {
  RegionDef r = square(RegionRule::KeepIn, 20);
  r.corners[1][0] = r.corners[2][0] = 2.5;
  auto w = make(circling_through(r));
  w->step(137);
  w->take_events();
  auto branch = w->branch({});
  std::string error;
  auto from_bytes = make(circling_through(r));
  const auto snapshot = from_bytes->read_snapshot(World::snapshot_bytes(*w->snapshot()), &error);
  ASSERT_NE(snapshot, nullptr) << error;
  from_bytes->restore(*snapshot);
  const auto expected = what_happens(*w, 1000);
  EXPECT_FALSE(expected.empty());
  EXPECT_EQ(what_happens(*branch, 1000), expected);
  EXPECT_EQ(what_happens(*from_bytes, 1000), expected);
}

TEST(regions, a_definition_without_a_shape_is_refused) {
  WorldDef def = test::circling(1);
  def.regions.push_back({});
  std::string error;
  EXPECT_EQ(World::create(def, {}, &error), nullptr);
  EXPECT_NE(error.find("neither three corners nor a radius"), std::string::npos) << error;
}

}  // namespace
}  // namespace volary
