// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "environment/obstacles.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace volary::obstacles {
namespace {

constexpr double kQuarter = 1.5707963267948966;

Obstacles only(std::variant<Box, Cylinder, Sphere, Mesh> shape) { return Obstacles({{"it", std::move(shape)}}); }

// a closed cube as twelve triangles, corners turning left seen from outside
Mesh cube(const Point& centre, double side) {
  Mesh m;
  for (int k = 0; k < 8; ++k)
    m.vertices.push_back({centre[0] + side * ((k & 1) - 0.5), centre[1] + side * ((k >> 1 & 1) - 0.5), centre[2] + side * ((k >> 2 & 1) - 0.5)});
  for (const auto& q : {std::array<std::uint32_t, 4>{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}) {
    m.triangles.push_back({q[0], q[1], q[2]});
    m.triangles.push_back({q[0], q[2], q[3]});
  }
  return m;
}

void expect_near(const Point& a, const Point& b, double tolerance = 1e-12) {
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(a[k], b[k], tolerance) << k;
}

// ---------------------------------------------------------------- one shape, by hand

TEST(obstacles, distance_to_a_box_is_to_its_face_its_edge_or_its_corner) {
  const Obstacles o = only(Box{{10, 0, 5}, {4, 6, 10}, 0});
  Nearest n = o.nearest({15, 1, 5});
  EXPECT_DOUBLE_EQ(n.distance, 3);
  expect_near(n.surface, {12, 1, 5});
  expect_near(n.normal, {1, 0, 0});
  n = o.nearest({15, 7, 5});  // 3 east and 4 north of the upright edge
  EXPECT_DOUBLE_EQ(n.distance, 5);
  expect_near(n.normal, {0.6, 0.8, 0});
  EXPECT_DOUBLE_EQ(o.nearest({13, 5, 12}).distance, 3);  // 1, 2, 2 from the corner
}

TEST(obstacles, inside_a_solid_the_distance_is_negative_and_the_normal_points_out) {
  const Obstacles box = only(Box{{0, 0, 5}, {20, 20, 10}, 0});
  Nearest n = box.nearest({1, 2, 9});
  EXPECT_DOUBLE_EQ(n.distance, -1);
  expect_near(n.surface, {1, 2, 10});
  expect_near(n.normal, {0, 0, 1});
  n = only(Cylinder{{0, 0, 0}, 2, 10}).nearest({0, 1.5, 4});
  EXPECT_DOUBLE_EQ(n.distance, -0.5);
  expect_near(n.surface, {0, 2, 4});
  expect_near(n.normal, {0, 1, 0});
  n = only(Sphere{{1, 2, 3}, 4}).nearest({1, 2, 6});
  EXPECT_DOUBLE_EQ(n.distance, -1);
  expect_near(n.surface, {1, 2, 7});
  expect_near(n.normal, {0, 0, 1});
}

TEST(obstacles, yaw_turns_a_box_from_east_towards_north) {
  const Obstacles o = only(Box{{0, 0, 0}, {10, 2, 2}, kQuarter});
  EXPECT_NEAR(o.nearest({0, 8, 0}).distance, 3, 1e-12);
  EXPECT_NEAR(o.nearest({8, 0, 0}).distance, 7, 1e-12);
  const Obstacles eighth = only(Box{{0, 0, 0}, {2, 2, 2}, kQuarter / 2});
  const Nearest n = eighth.nearest({2, 2, 0});  // straight off a face that looks north-east
  EXPECT_NEAR(n.distance, std::sqrt(8.0) - 1, 1e-12);
  expect_near(n.normal, {std::sqrt(0.5), std::sqrt(0.5), 0});
}

TEST(obstacles, a_cylinder_has_a_wall_two_ends_and_a_rim) {
  const Obstacles o = only(Cylinder{{0, 0, 10}, 3, 5});
  EXPECT_DOUBLE_EQ(o.nearest({5, 0, 12}).distance, 2);
  expect_near(o.nearest({1, 1, 18}).normal, {0, 0, 1});
  EXPECT_DOUBLE_EQ(o.nearest({1, 1, 18}).distance, 3);
  expect_near(o.nearest({1, 1, 8}).normal, {0, 0, -1});
  const Nearest rim = o.nearest({6, 0, 19});  // 3 out and 4 up
  EXPECT_DOUBLE_EQ(rim.distance, 5);
  expect_near(rim.normal, {0.6, 0, 0.8});
  expect_near(rim.surface, {3, 0, 15});
}

TEST(obstacles, a_mesh_is_a_shell_with_the_normal_on_the_side_of_who_asks) {
  const Obstacles o = only(cube({0, 0, 0}, 2));
  EXPECT_DOUBLE_EQ(o.nearest({3, 0.2, 0.1}).distance, 2);
  expect_near(o.nearest({3, 0.2, 0.1}).normal, {1, 0, 0});
  EXPECT_DOUBLE_EQ(o.nearest({0.5, 0, 0.1}).distance, 0.5);  // inside, and not negative
  expect_near(o.nearest({0.5, 0, 0.1}).normal, {-1, 0, 0});
  expect_near(o.nearest({1, 0.3, 0.1}).normal, {1, 0, 0});  // on the face: the way its corners turn
}

TEST(obstacles, what_is_farther_than_asked_for_is_not_there) {
  const Obstacles o = only(Sphere{{0, 0, 0}, 1});
  EXPECT_FALSE(o.nearest({5, 0, 0}, 3.999));
  EXPECT_TRUE(o.nearest({5, 0, 0}, 4));
  EXPECT_FALSE(Obstacles({}).nearest({0, 0, 0}));
  EXPECT_TRUE(Obstacles({}).sees({0, 0, 0}, {9, 9, 9}));
  EXPECT_FALSE(o.nearest({std::nan(""), 0, 0}));
}

TEST(obstacles, of_two_as_near_the_first_of_the_list_is_named) {
  const Obstacles o({{"a", Sphere{{-3, 0, 0}, 1}}, {"b", Sphere{{3, 0, 0}, 1}}, {"c", Box{{0, 3, 0}, {2, 2, 2}, 0}}});
  EXPECT_EQ(o.name(o.nearest({0, 0, 0})), "a");
  EXPECT_EQ(o.name(o.nearest({0, 0.1, 0})), "c");
}

// ---------------------------------------------------------------- lines

TEST(obstacles, a_line_ends_where_geometry_says) {
  EXPECT_DOUBLE_EQ(only(Box{{5, 0, 0}, {2, 2, 2}, 0}).first_hit({0, 0, 0}, {10, 0, 0}), 0.4);
  EXPECT_DOUBLE_EQ(only(Sphere{{5, 0, 0}, 1}).first_hit({0, 0, 0}, {10, 0, 0}), 0.4);
  EXPECT_DOUBLE_EQ(only(Cylinder{{5, 0, -3}, 1, 6}).first_hit({0, 0, 0}, {10, 0, 0}), 0.4);
  EXPECT_DOUBLE_EQ(only(Cylinder{{5, 0, -8}, 1, 6}).first_hit({5, 0, 8}, {5, 0, -12}), 0.5);  // onto its upper end
  EXPECT_DOUBLE_EQ(only(cube({5, 0, 0}, 2)).first_hit({0, 0.1, 0.3}, {10, 0.1, 0.3}), 0.4);
  EXPECT_DOUBLE_EQ(only(Box{{5, 0, 0}, {2, 2, 2}, 0}).first_hit({5, 0, 0}, {10, 0, 0}), 0);  // it begins inside
  EXPECT_EQ(only(Box{{5, 0, 0}, {2, 2, 2}, 0}).first_hit({0, 0, 0}, {3.9, 0, 0}), Obstacles::kNoHit);
  EXPECT_EQ(only(Box{{5, 0, 0}, {2, 2, 2}, 0}).first_hit({0, 3, 0}, {10, 3, 0}), Obstacles::kNoHit);
}

TEST(obstacles, who_stands_on_a_roof_sees_along_and_up_but_not_through_it) {
  const Obstacles o = only(Box{{0, 0, 2.5}, {10, 10, 5}, 0});
  EXPECT_TRUE(o.sees({0, 0, 5}, {3, 1, 5}));
  EXPECT_TRUE(o.sees({0, 0, 5}, {40, 0, 5}));
  EXPECT_TRUE(o.sees({0, 0, 5}, {0, 0, 9}));
  EXPECT_TRUE(o.sees({-20, 5, 2}, {20, 5, 2}));  // along a wall
  EXPECT_FALSE(o.sees({0, 0, 5}, {20, 0, 0}));
  EXPECT_FALSE(o.sees({-20, 0, 2}, {20, 0, 2}));
  EXPECT_FALSE(o.sees({0, 0, 2}, {1, 0, 2}));  // inside
  EXPECT_TRUE(o.sees({20, 0, 0}, {20, 0, 0}));
}

TEST(obstacles, no_line_slips_between_the_triangles_of_a_closed_mesh) {
  const Obstacles o = only(cube({0.3, -0.2, 0.1}, 2));
  // through the middle of an edge, through corners and along the diagonals that the faces are cut by
  std::mt19937 draw(7);
  std::uniform_real_distribution<double> part(0, 1);
  const Mesh m = cube({0.3, -0.2, 0.1}, 2);
  for (int k = 0; k < 3000; ++k) {
    const auto& t = m.triangles[draw() % m.triangles.size()];
    const Point &a = m.vertices[t[draw() % 3]], &b = m.vertices[t[draw() % 3]];
    const double s = k % 5 == 0 ? 0 : part(draw);
    Point on, out;
    for (std::size_t i = 0; i < 3; ++i) on[i] = a[i] + s * (b[i] - a[i]);
    for (std::size_t i = 0; i < 3; ++i) out[i] = m.vertices[0][i] + 1 + 3 * (on[i] - (m.vertices[0][i] + 1));  // from the centre outwards
    EXPECT_FALSE(o.sees({m.vertices[0][0] + 1, m.vertices[0][1] + 1, m.vertices[0][2] + 1}, out));
  }
}

TEST(obstacles, a_mesh_with_a_hole_is_seen_through_where_the_hole_is) {
  Mesh m = cube({0, 0, 0}, 2);
  m.triangles.erase(m.triangles.begin() + 2, m.triangles.begin() + 4);  // without its top
  const Obstacles o = only(std::move(m));
  EXPECT_TRUE(o.sees({0.1, 0.2, 0}, {0.1, 0.2, 5}));
  EXPECT_FALSE(o.sees({0.1, 0.2, 0}, {0.1, 0.2, -5}));
  EXPECT_DOUBLE_EQ(o.nearest({0, 0, 0.7}).distance, 1);  // its walls: the top is not there
}

// ---------------------------------------------------------------- many: the tree against asking each one

std::vector<Obstacle> crowd(std::mt19937& draw, std::size_t n) {
  std::uniform_real_distribution<double> place(-40, 40), size(0.5, 8), turn(-4, 4);
  std::vector<Obstacle> list;
  for (std::size_t k = 0; k < n; ++k) {
    const Point p = {place(draw), place(draw), 0.3 * place(draw)};
    switch (draw() % 4) {
      case 0: list.push_back({"box", Box{p, {size(draw), size(draw), size(draw)}, turn(draw)}}); break;
      case 1: list.push_back({"cylinder", Cylinder{p, size(draw), size(draw)}}); break;
      case 2: list.push_back({"sphere", Sphere{p, size(draw)}}); break;
      default: list.push_back({"mesh", cube(p, size(draw))}); break;
    }
  }
  return list;
}

RC_GTEST_PROP(obstacles, the_tree_gives_what_asking_each_one_gives, (unsigned seed)) {
  std::mt19937 draw(seed);
  std::uniform_real_distribution<double> place(-60, 60);
  const std::vector<Obstacle> list = crowd(draw, draw() % 60);
  const Obstacles all(list);
  std::vector<Obstacles> each;
  for (const Obstacle& one : list) each.push_back(Obstacles({one}));
  for (int k = 0; k < 20; ++k) {
    const Point a = {place(draw), place(draw), 0.3 * place(draw)}, b = {place(draw), place(draw), 0.3 * place(draw)};
    const double within = k % 3 == 0 ? 5 : std::numeric_limits<double>::infinity();
    Nearest best;
    double hit = Obstacles::kNoHit;
    bool free = true;
    int near = 0, counted = 0;
    for (std::size_t i = 0; i < each.size(); ++i) {
      if (const Nearest n = each[i].nearest(a, within); n && n.distance < best.distance) best = n, best.index = static_cast<int>(i);
      hit = std::min(hit, each[i].first_hit(a, b));
      free = free && each[i].sees(a, b);
      each[i].each_within(a, 7, [&](const Nearest&) { ++near; });
    }
    const Nearest n = all.nearest(a, within);
    RC_ASSERT(n.index == best.index);
    RC_ASSERT(n.distance == best.distance);
    RC_ASSERT(all.first_hit(a, b) == hit);
    RC_ASSERT(all.sees(a, b) == free);
    all.each_within(a, 7, [&](const Nearest& m) {
      ++counted;
      if (m.distance > 7) RC_FAIL("farther than asked for");
    });
    RC_ASSERT(counted == near);
  }
}

RC_GTEST_PROP(obstacles, distance_normal_and_surface_fit_together, (unsigned seed)) {
  std::mt19937 draw(seed);
  std::uniform_real_distribution<double> place(-60, 60);
  const Obstacles o(crowd(draw, 1 + draw() % 30));
  for (int k = 0; k < 30; ++k) {
    const Point p = {place(draw), place(draw), 0.3 * place(draw)};
    const Nearest n = o.nearest(p);
    double length2 = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      RC_ASSERT(std::abs(n.surface[i] + n.distance * n.normal[i] - p[i]) < 1e-7);
      length2 += n.normal[i] * n.normal[i];
    }
    RC_ASSERT(std::abs(length2 - 1) < 1e-12);
    RC_ASSERT(std::abs(o.nearest(n.surface).distance) < 1e-9 || o.nearest(n.surface).distance < 0);  // another may cover that place
    // nothing is nearer: a line of that length in any direction is free
    if (n.distance > 0) {
      Point way = {place(draw), place(draw), place(draw)};
      const double size = std::sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
      for (std::size_t i = 0; i < 3; ++i) way[i] = p[i] + way[i] / size * n.distance * (1 - 1e-9);
      RC_ASSERT(o.first_hit(p, way) == Obstacles::kNoHit);
    }
  }
}

RC_GTEST_PROP(obstacles, a_line_is_free_up_to_its_hit_and_the_hit_lies_on_a_surface, (unsigned seed)) {
  std::mt19937 draw(seed);
  std::uniform_real_distribution<double> place(-60, 60);
  const Obstacles o(crowd(draw, 1 + draw() % 60));
  for (int k = 0; k < 30; ++k) {
    const Point a = {place(draw), place(draw), 0.3 * place(draw)}, b = {place(draw), place(draw), 0.3 * place(draw)};
    const double hit = o.first_hit(a, b);
    if (hit == Obstacles::kNoHit) {
      RC_ASSERT(o.sees(a, b));
    } else if (hit > 0) {
      Point on, before;
      for (std::size_t i = 0; i < 3; ++i) on[i] = a[i] + hit * (b[i] - a[i]), before[i] = a[i] + hit * (1 - 1e-9) * (b[i] - a[i]);
      RC_ASSERT(std::abs(o.nearest(on).distance) < 1e-9);
      RC_ASSERT(o.sees(a, before));
    }
  }
}

TEST(obstacles, a_thousand_in_one_place_make_a_tree_that_can_be_walked) {
  std::vector<Obstacle> list(1000, {"it", Sphere{{1, 1, 1}, 1}});
  for (int k = 0; k < 300; ++k) list.push_back({"far", Sphere{{std::ldexp(1.0, k % 20), 0, 0}, 0.1}});
  const Obstacles o(std::move(list));
  EXPECT_EQ(o.nearest({1, 1, 4}).index, 0);
  EXPECT_DOUBLE_EQ(o.nearest({1, 1, 4}).distance, 2);
  EXPECT_DOUBLE_EQ(o.first_hit({1, 1, 4}, {1, 1, 0}), 0.5);
}

}  // namespace
}  // namespace volary::obstacles
