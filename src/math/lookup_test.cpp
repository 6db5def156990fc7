// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Tables: what they hold at their breakpoints, in between and beyond. That lanes give the bits of one number is in lanes_test.hpp.
#include "math/lookup.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "math/functions.hpp"
#include "math/table_blob.hpp"

namespace volary::math {
namespace {

template <class S> std::vector<S> blob_of(const TableGrid& grid) {
  const std::vector<double> blob = make_table_blob(grid).value();
  return std::vector<S>(blob.begin(), blob.end());
}

// value k of node n of a table whose values nobody could mistake for each other's
double marked(std::size_t node, std::size_t k) { return static_cast<double>(node * 8 + k) * 0.125 - 3; }

TableGrid marked_grid(std::vector<std::vector<double>> axes, int values) {
  TableGrid grid{std::move(axes), {}, values};
  std::size_t nodes = 1;
  for (const auto& axis : grid.axes) nodes *= axis.size();
  for (std::size_t n = 0; n < nodes; ++n)
    for (std::size_t k = 0; k < static_cast<std::size_t>(values); ++k) grid.values.push_back(marked(n, k));
  return grid;
}

const std::vector<double> kEven = {-0.5, -0.25, 0, 0.25, 0.5};
const std::vector<double> kUneven = {-1, -0.4, 0.1, 0.2, 2};

TEST(lookup, a_curve_is_exact_at_its_breakpoints) {
  for (const auto& axis : {kEven, kUneven}) {
    const auto blob = blob_of<double>(marked_grid({axis}, 3));
    const auto table = table_view(blob.data());
    for (std::size_t i = 0; i < axis.size(); ++i) {
      double v[3];
      interpolate1(table, find_on_axis(table.axis[0], axis[i]), v);
      for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(v[k], marked(i, k)) << "breakpoint " << i;
    }
  }
}

TEST(lookup, a_box_is_exact_at_its_nodes) {
  const std::vector<double> third = {-2, 0, 1};
  const auto blob = blob_of<float>(marked_grid({kUneven, kEven, third}, 6));
  const auto table = table_view(blob.data());
  std::size_t node = 0;
  for (const double x : kUneven)
    for (const double y : kEven)
      for (const double z : third) {
        float v[6];
        interpolate3(table, find_on_axis(table.axis[0], float(x)), find_on_axis(table.axis[1], float(y)), find_on_axis(table.axis[2], float(z)), v);
        for (std::size_t k = 0; k < 6; ++k) EXPECT_EQ(v[k], static_cast<float>(marked(node, k))) << x << " " << y << " " << z;
        ++node;
      }
}

// by hand: 1 + (3 - 1) / 4 = 1.5 at y = 10 and 5 + (9 - 5) / 4 = 6 at y = 20; three quarters of the way, 1.5 + 0.75 * 4.5 = 4.875
TEST(lookup, a_rectangle_is_bilinear_inside) {
  TableGrid grid{{{0, 1}, {10, 20}}, {1, 5, 3, 9}, 1};
  const auto blob = blob_of<double>(grid);
  const auto table = table_view(blob.data());
  double v[1];
  interpolate2(table, find_on_axis(table.axis[0], 0.25), find_on_axis(table.axis[1], 17.5), v);
  EXPECT_DOUBLE_EQ(v[0], 4.875);
}

TEST(lookup, beyond_its_ends_a_table_keeps_its_last_value) {
  for (const auto& axis : {kEven, kUneven}) {
    const auto blob = blob_of<float>(marked_grid({axis}, 2));
    const auto table = table_view(blob.data());
    for (const float beyond : {1e-3f, 1.0f, 1e30f}) {
      float low[2], high[2];
      interpolate1(table, find_on_axis(table.axis[0], float(axis.front()) - beyond), low);
      interpolate1(table, find_on_axis(table.axis[0], float(axis.back()) + beyond), high);
      EXPECT_EQ(low[0], float(marked(0, 0)));
      EXPECT_EQ(high[1], float(marked(axis.size() - 1, 1)));
    }
  }
}

TEST(lookup, what_is_no_number_stays_none) {
  for (const auto& axis : {kEven, kUneven}) {
    const auto blob = blob_of<float>(marked_grid({axis}, 1));
    const auto table = table_view(blob.data());
    float v[1];
    interpolate1(table, find_on_axis(table.axis[0], not_a_number<float>()), v);
    EXPECT_NE(v[0], v[0]);
  }
}

TEST(lookup, an_even_axis_is_recognised_also_where_degrees_became_radians) {
  std::vector<double> degrees, radians;
  for (int i = -8; i <= 8; ++i) degrees.push_back(2.5 * i), radians.push_back(2.5 * i * 0.017453292519943295);
  EXPECT_DOUBLE_EQ(even_steps_of(degrees), 0.4);
  EXPECT_NEAR(even_steps_of(radians), 22.918311805232928, 1e-9);
  degrees[3] += 0.01;
  EXPECT_EQ(even_steps_of(degrees), 0);
}

TEST(lookup, a_table_that_is_none_is_refused) {
  const auto message = [](const TableGrid& grid) { return make_table_blob(grid).error().message; };
  EXPECT_EQ(message({{{1}}, {0}, 1}), "axis 1 of a table needs at least two breakpoints");
  EXPECT_EQ(message({{{0, 1}, {0, 2, 2}}, std::vector<double>(6), 1}), "axis 2 of a table: breakpoint 3 does not lie above the one before it");
  EXPECT_EQ(message({{{0, 1e-46}}, {0, 0}, 1}), "axis 1 of a table: breakpoint 2 does not lie above the one before it");
  EXPECT_EQ(message({{{0, not_a_number<double>()}}, {0, 0}, 1}), "axis 1 of a table: breakpoint 2 is not a finite number");
  EXPECT_EQ(message({{}, {0}, 1}), "a table has one to three axes");
}

// strictly growing, at least two, often even
std::vector<double> some_axis() {
  const auto n = *rc::gen::inRange<std::size_t>(2, 9);
  const bool even = *rc::gen::arbitrary<bool>();
  std::vector<double> points = {static_cast<double>(*rc::gen::inRange(-100, 100)) * 0.03};
  while (points.size() < n) points.push_back(points.back() + (even ? 0.07 : static_cast<double>(*rc::gen::inRange(1, 100)) * 0.01));
  return points;
}

// a value inside the axis or a little beyond it
double somewhere_on(const std::vector<double>& axis) {
  const double part = static_cast<double>(*rc::gen::inRange(-200, 1200)) * 0.001;
  return axis.front() + part * (axis.back() - axis.front());
}

RC_GTEST_PROP(lookup, a_linear_function_is_found_exactly, ()) {
  const std::vector<double> x = some_axis(), y = some_axis(), z = some_axis();
  TableGrid grid{{x, y, z}, {}, 2};
  const auto plane = [](double a, double b, double c) { return 0.5 - 2 * a + 3 * b + 0.25 * c; };
  for (const double a : x)
    for (const double b : y)
      for (const double c : z) grid.values.push_back(plane(a, b, c)), grid.values.push_back(-plane(a, b, c));
  const auto blob = blob_of<double>(grid);
  const auto table = table_view(blob.data());
  const double at[3] = {somewhere_on(x), somewhere_on(y), somewhere_on(z)};
  double v[2];
  interpolate3(table, find_on_axis(table.axis[0], at[0]), find_on_axis(table.axis[1], at[1]), find_on_axis(table.axis[2], at[2]), v);
  const auto inside = [](double a, const std::vector<double>& axis) { return std::clamp(a, axis.front(), axis.back()); };
  const double expected = plane(inside(at[0], x), inside(at[1], y), inside(at[2], z));
  RC_ASSERT(abs(v[0] - expected) < 1e-6 * (1 + abs(expected)));  // an even axis may be a millionth of a step from its breakpoints
  RC_ASSERT(v[1] == -v[0]);
}

RC_GTEST_PROP(lookup, a_value_lies_between_those_of_its_cell, ()) {
  const std::vector<double> axis = some_axis();
  TableGrid grid{{axis}, {}, 1};
  for (std::size_t i = 0; i < axis.size(); ++i) grid.values.push_back(*rc::gen::inRange(-1000, 1000) * 0.01);
  const auto blob = blob_of<float>(grid);
  const auto table = table_view(blob.data());
  const auto found = find_on_axis(table.axis[0], static_cast<float>(somewhere_on(axis)));
  RC_ASSERT(found.fraction >= 0 && found.fraction <= 1);
  const auto i = static_cast<std::size_t>(found.node);
  RC_ASSERT(i + 1 < axis.size());
  float v[1];
  interpolate1(table, found, v);
  const float a = static_cast<float>(grid.values[i]), b = static_cast<float>(grid.values[i + 1]);
  RC_ASSERT(v[0] >= std::min(a, b) - 2e-6f && v[0] <= std::max(a, b) + 2e-6f);
}

}  // namespace
}  // namespace volary::math
