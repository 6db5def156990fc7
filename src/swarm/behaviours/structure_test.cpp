// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// patrol and virtual_structure: bodies and members along a path by distance.
#include <gtest/gtest.h>

#include "swarm/behaviours/all.hpp"
#include "swarm/behaviours/flock_test_support.hpp"

namespace volary::swarm {
namespace {

const std::vector<std::array<double, 3>> kSquare = {{0, 0, 15}, {100, 0, 15}, {100, 100, 15}, {0, 100, 15}};

TEST(polyline, is_measured_by_the_distance_along_it) {
  EXPECT_DOUBLE_EQ(path_length(kSquare, true), 400);
  EXPECT_DOUBLE_EQ(path_length(kSquare, false), 300);
  EXPECT_NEAR(distance(on_path(kSquare, true, 150).position, {100, 50, 15}), 0, 1e-12);
  EXPECT_NEAR(distance(on_path(kSquare, true, 750).position, {0, 50, 15}), 0, 1e-12);
  EXPECT_NEAR(distance(on_path(kSquare, false, 1e6).position, {0, 100, 15}), 0, 1e-12);
  EXPECT_NEAR(distance(on_path(kSquare, false, -5).position, {0, 0, 15}), 0, 1e-12);
  EXPECT_EQ(on_path({}, true, 3).position.x, 0);
}

// how far along the square somebody is
double along(const V3& p) {
  double best = 1e9, where = 0;
  for (double far = 0; far < 400; far += 0.5) {
    const double d = distance(on_path(kSquare, true, far).position, p);
    if (d < best) best = d, where = far;
  }
  return where;
}
// the widest gap between members, over the ideal one
double unevenness(const Flock& f) {
  std::vector<double> at;
  for (const auto& m : f.members)
    if (!m.failed) at.push_back(along(m.position));
  std::sort(at.begin(), at.end());
  double widest = at.front() + 400 - at.back();
  for (std::size_t k = 1; k < at.size(); ++k) widest = std::max(widest, at[k] - at[k - 1]);
  return widest * static_cast<double>(at.size()) / 400;
}

TEST(patrol, members_are_evenly_spaced_and_close_up_after_a_loss) {
  Flock f({.members = 8, .loss = 0.2, .gust = 0.5});
  f.place_grid({0, 0, 15}, 4);
  f.add<Patrol>({.points = kSquare});
  f.add<Avoid>({.margin = 1});
  f.run(120);
  EXPECT_LT(unevenness(f), 1.25);
  f.fail(4);
  EXPECT_GT(unevenness(f), 1.5);
  f.run(120);
  EXPECT_LT(unevenness(f), 1.25);
}

TEST(patrol, a_hundred_go_round_for_ten_minutes) {
  FlockOptions o{.members = 100, .radio_range = 300, .loss = 0.2, .gust = 0.5, .forget = 2, .memory = 128};
  Flock f(o);
  f.place_grid({50, 50, 15}, 3);
  f.add<Patrol>({.points = {{-100, -100, 15}, {100, -100, 15}, {100, 100, 15}, {-100, 100, 15}}, .patience = 5});
  f.add<Avoid>({.margin = 1});
  f.run(200);
  f.fail(10);
  double off = 0, nearest = 1e9;
  f.run(400, [&] { nearest = std::min(nearest, f.nearest()); });
  for (const auto& m : f.members)
    if (!m.failed) off = std::max(off, math::abs(std::max(math::abs(m.position.x), math::abs(m.position.y)) - 100));
  EXPECT_LT(off, 6);
  EXPECT_GT(nearest, 2 * o.radius);
}

double place_error(const Flock& f, const VirtualStructure::Params& p, std::size_t line) {
  std::size_t n = 0, rank = 0;
  for (const auto& m : f.members) n += !m.failed;
  double worst = 0;
  for (std::size_t i = 0; i < f.members.size(); ++i) {
    if (f.members[i].failed) continue;
    const auto& m = f.memory_of<VirtualStructure>(i, line);
    const V3 place = on_path(p.points, p.loop, m.far).position + rotate_flat(p.spacing * formation_place(p.shape, rank++, n), m.heading);
    worst = std::max(worst, distance(flat(place), flat(f.members[i].position)));
  }
  return worst;
}

TEST(virtual_structure, moves_as_one_body_along_its_path_and_agrees_how_far) {
  Flock f({.members = 9, .loss = 0.2, .gust = 0.5});
  f.place_grid({0, 0, 15}, 4);
  VirtualStructure::Params p{.points = {{0, 0, 15}, {150, 0, 15}, {150, 100, 15}}};
  f.add<VirtualStructure>(p);
  f.run(60);
  double least = 1e9, most = 0;
  for (std::size_t i = 0; i < 9; ++i) {
    least = std::min(least, f.memory_of<VirtualStructure>(i, 0).far);
    most = std::max(most, f.memory_of<VirtualStructure>(i, 0).far);
  }
  EXPECT_LT(most - least, 3);
  EXPECT_GT(least, 40);
  f.run(120);
  EXPECT_LT(place_error(f, p, 0), 2);
  EXPECT_LT(distance(f.members[0].position, {150, 100, 15}), 2);
}

TEST(virtual_structure, waits_for_one_that_is_far_from_its_place) {
  const auto gone = [](double lost) {
    Flock f({.members = 4});
    f.place_grid({0, 0, 15}, 4);
    f.place(3, {-lost, 0, 15});
    f.add<VirtualStructure>({.points = {{0, 0, 15}, {500, 0, 15}}});
    f.run(10);
    return f.memory_of<VirtualStructure>(0, 0).far;
  };
  EXPECT_GT(gone(5), 15);
  EXPECT_LT(gone(100), 5);
}

TEST(virtual_structure, a_hundred_fly_for_ten_minutes_and_lose_one) {
  FlockOptions o{.members = 100, .loss = 0.2, .gust = 0.5, .forget = 2, .memory = 128};
  Flock f(o);
  f.place_grid({0, 0, 15}, 5);
  VirtualStructure::Params p{.points = {{0, 0, 15}, {900, 0, 15}}, .tolerance = 5};
  f.add<VirtualStructure>(p);
  f.add<Avoid>({.margin = 1});
  f.run(200);
  f.fail(33);
  double nearest = 1e9;
  f.run(400, [&] { nearest = std::min(nearest, f.nearest()); });
  EXPECT_LT(place_error(f, p, 0), 4);
  EXPECT_NEAR(f.members[0].position.x, 900, 4);
  EXPECT_GT(nearest, 2 * o.radius);
}

}  // namespace
}  // namespace volary::swarm
