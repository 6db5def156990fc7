// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/obstacle_scene.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace volary::scenario {
namespace {

// a dome of n x n cells over a square of 100 m
obstacles::Mesh dome(std::uint32_t n) {
  obstacles::Mesh m;
  for (std::uint32_t r = 0; r <= n; ++r)
    for (std::uint32_t c = 0; c <= n; ++c) {
      const double x = 100.0 * c / n, y = 100.0 * r / n;
      m.vertices.push_back({x, y, 40 * std::sin(x * 0.0314) * std::sin(y * 0.0314)});
    }
  for (std::uint32_t r = 0; r < n; ++r)
    for (std::uint32_t c = 0; c < n; ++c) {
      const std::uint32_t a = r * (n + 1) + c;
      m.triangles.push_back({a, a + 1, a + n + 2});
      m.triangles.push_back({a, a + n + 2, a + n + 1});
    }
  return m;
}

TEST(obstacle_scene, shapes_are_told_as_numbers) {
  const auto list = obstacles_of(obstacles::Obstacles({{"house", obstacles::Box{{1, 2, 3}, {4, 5, 6}, 0.5}},
                                                       {"mast", obstacles::Cylinder{{1, 2, 3}, 0.5, 9}},
                                                       {"ball", obstacles::Sphere{{1, 2, 3}, 2}},
                                                       {"wall", obstacles::Mesh{{{0, 0, 0}, {1, 0, 0}, {0, 0, 1.23456}}, {{0, 1, 2}}}}}));
  ASSERT_EQ(list.size(), 4u);
  EXPECT_EQ(list[0], nlohmann::json::parse(R"({"name":"house","kind":"box","centre":[1.0,2.0,3.0],"size":[4.0,5.0,6.0],"yaw":0.5})"));
  EXPECT_EQ(list[1]["size"], nlohmann::json::parse("[0.5,9.0]"));
  EXPECT_EQ(list[2]["size"], nlohmann::json::parse("[2.0]"));
  EXPECT_EQ(list[3]["vertices"], nlohmann::json::parse("[0.0,0.0,0.0,1.0,0.0,0.0,0.0,0.0,1.235]"));
  EXPECT_EQ(list[3]["triangles"], nlohmann::json::parse("[0,1,2]"));
}

TEST(obstacle_scene, what_is_too_large_to_send_is_sent_coarser_and_keeps_its_shape) {
  const obstacles::Mesh fine = dome(300);
  ASSERT_EQ(fine.triangles.size(), 180'000u);
  const obstacles::Mesh coarse = coarser(fine, 5000);
  EXPECT_LE(coarse.triangles.size(), 5000u);
  EXPECT_GT(coarse.triangles.size(), 1500u);
  const obstacles::Obstacles shape({{"coarse", coarse}});
  for (const obstacles::Point& p : fine.vertices) ASSERT_LT(shape.nearest(p).distance, 5);  // cells are 2 to 4 m
  const auto list = obstacles_of(obstacles::Obstacles({{"a", fine}, {"b", dome(100)}}));
  EXPECT_LE(list[0]["triangles"].size() + list[1]["triangles"].size(), 3 * kMostDrawnTriangles);
  EXPECT_GT(list[1]["triangles"].size(), 1000u);
}

}  // namespace
}  // namespace volary::scenario
