// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "environment/wind_field.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

namespace volary::wind_field {
namespace {

using environment::grid_wind_at;
using math::Vec3;

// winds that are linear in place and time, which the grid must give back exactly between its nodes
Vec3<double> linear(double x, double y, double z, double t) { return {1 + 0.01 * x - 0.02 * t, -2 + 0.03 * y + 0.001 * x, 0.05 * z + 0.01 * t}; }

Grid sloping() {
  Grid g{{5, -100, 50}, {4, 0, 25}, {3, 10, 20}, {3, 60, 30}, {}, {}, {}};
  for (std::size_t t = 0; t < 3; ++t)
    for (std::size_t u = 0; u < 3; ++u)
      for (std::size_t n = 0; n < 4; ++n)
        for (std::size_t e = 0; e < 5; ++e) {
          const Vec3<double> v = linear(-100 + 50.0 * static_cast<double>(e), 25.0 * static_cast<double>(n), 10 + 20.0 * static_cast<double>(u),
                                        60 + 30.0 * static_cast<double>(t));
          g.wind_east.push_back(static_cast<float>(v.x)), g.wind_north.push_back(static_cast<float>(v.y)), g.wind_up.push_back(static_cast<float>(v.z));
        }
  return g;
}

RC_GTEST_PROP(wind_field, gives_back_a_linear_wind_anywhere_inside, ()) {
  static const Grid g = sloping();
  const double x = *rc::gen::inRange(-100, 101), y = *rc::gen::inRange(0, 76), z = *rc::gen::inRange(10, 51), t = *rc::gen::inRange(60, 121);
  const Vec3<double> v = grid_wind_at<double>(at_time<double>(g, t), {x, y, z}), w = linear(x, y, z, t);
  RC_ASSERT(std::abs(v.x - w.x) < 1e-6 && std::abs(v.y - w.y) < 1e-6 && std::abs(v.z - w.z) < 1e-6);
  const Vec3<float> s = grid_wind_at<float>(at_time<float>(g, t), {static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)});
  RC_ASSERT(std::abs(s.x - w.x) < 1e-5 && std::abs(s.y - w.y) < 1e-5 && std::abs(s.z - w.z) < 1e-5);
}

TEST(wind_field, goes_on_beyond_its_edges_as_it_is_there) {
  const Grid g = sloping();
  const Vec3<double> corner = linear(100, 75, 50, 120), far = grid_wind_at<double>(at_time<double>(g, 1e9), {1e6, 1e6, 1e6});
  EXPECT_NEAR(far.x, corner.x, 1e-6);
  EXPECT_NEAR(far.y, corner.y, 1e-6);
  EXPECT_NEAR(far.z, corner.z, 1e-6);
  const Vec3<double> before = grid_wind_at<double>(at_time<double>(g, -5), {-1e6, -1e6, -1e6});
  EXPECT_NEAR(before.x, linear(-100, 0, 10, 60).x, 1e-6);
}

TEST(wind_field, one_node_is_a_wind_that_is_the_same_everywhere) {
  const Grid g{{}, {}, {}, {}, {3}, {4}, {-1}};
  ASSERT_TRUE(check(g));
  const Vec3<float> v = grid_wind_at<float>(at_time<float>(g, 17), {123, -4, 5});
  EXPECT_EQ(v.x, 3);
  EXPECT_EQ(v.y, 4);
  EXPECT_EQ(v.z, -1);
}

TEST(wind_field, a_place_that_is_no_number_reads_nothing_outside_the_grid) {
  const Grid g = sloping();
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(std::isfinite(grid_wind_at<double>(at_time<double>(g, 70), {nan, inf, -inf}).x));
}

TEST(wind_field, a_hole_is_named_by_its_node) {
  Grid g = sloping();
  ASSERT_TRUE(check(g));
  g.wind_north[((2 * 3 + 1) * 4 + 3) * 5 + 4] = std::numeric_limits<float>::quiet_NaN();
  const core::Status status = check(g);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().field, "wind_north");
  EXPECT_NE(status.error().message.find("hole at east 4, north 3, up 1, time 2"), std::string::npos) << status.error().message;
}

TEST(wind_field, sizes_and_steps_that_make_no_grid_are_refused) {
  Grid g = sloping();
  g.wind_up.pop_back();
  EXPECT_NE(check(g).error().message.find("179 values for 180 nodes"), std::string::npos);
  g = sloping();
  g.north.step = 0;
  EXPECT_EQ(check(g).error().field, "north");
  g = sloping();
  g.time.nodes = 0;
  EXPECT_EQ(check(g).error().field, "time");
}

}  // namespace
}  // namespace volary::wind_field
