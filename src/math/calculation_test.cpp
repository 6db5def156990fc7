// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "math/calculation.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "math/wide.hpp"

namespace volary {
namespace {

using math::Axis;
using math::Calculation;
using math::Operation;
using math::Table;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Axis axis(std::int32_t slot, std::vector<double> points, bool below = false, bool above = false) {
  return {slot, std::move(points), -kInfinity, kInfinity, below, above};
}

// a table of f over its axes, which is to have as many arguments as there are axes
template <class F> Table tabulate(std::vector<Axis> axes, F f) {
  Table t{std::move(axes), {}};
  std::vector<std::size_t> at(t.axes.size(), 0);
  for (bool more = true; more;) {
    std::vector<double> x;
    for (std::size_t k = 0; k < at.size(); ++k) x.push_back(t.axes[k].breakpoints[at[k]]);
    t.values.push_back(f(x));
    more = false;
    for (std::size_t k = at.size(); k-- > 0 && !more;) {
      at[k] = (at[k] + 1) % t.axes[k].breakpoints.size();
      more = at[k] != 0;
    }
  }
  return t;
}

double look_up(const Table& t, std::vector<double> x) { return math::look_up<double>(t, std::span<const double>(x)); }

TEST(calculation, a_table_gives_its_own_values_at_its_breakpoints) {
  const Table t{{axis(0, {-10, -5, 0, 5})}, {0.77, 0.241, -0.1, -0.416}};
  EXPECT_DOUBLE_EQ(look_up(t, {-10}), 0.77);
  EXPECT_DOUBLE_EQ(look_up(t, {-5}), 0.241);
  EXPECT_DOUBLE_EQ(look_up(t, {5}), -0.416);
  EXPECT_DOUBLE_EQ(look_up(t, {2.5}), 0.5 * (-0.1 - 0.416));
}

TEST(calculation, beyond_its_ends_a_table_keeps_its_last_value_or_goes_on) {
  const std::vector<double> values = {1, 2, 4};
  const Table held{{axis(0, {0, 1, 2})}, values}, below{{axis(0, {0, 1, 2}, true, false)}, values}, above{{axis(0, {0, 1, 2}, false, true)}, values};
  EXPECT_EQ(look_up(held, {-3}), 1);
  EXPECT_EQ(look_up(held, {5}), 4);
  EXPECT_EQ(look_up(below, {-3}), -2);
  EXPECT_EQ(look_up(below, {5}), 4);
  EXPECT_EQ(look_up(above, {5}), 10);
}

TEST(calculation, an_argument_is_limited_before_the_table_sees_it) {
  Table t{{axis(0, {0, 1, 2}, true, true)}, {0, 1, 2}};
  t.axes[0].least = -0.5;
  t.axes[0].most = 2.5;
  EXPECT_EQ(look_up(t, {-9}), -0.5);
  EXPECT_EQ(look_up(t, {9}), 2.5);
}

TEST(calculation, what_is_not_a_number_does_not_become_one_in_a_table) {
  const Table t{{axis(0, {0, 1, 2})}, {5, 6, 7}};
  EXPECT_FALSE(look_up(t, {std::numeric_limits<double>::quiet_NaN()}) == 5);
  EXPECT_TRUE(std::isnan(look_up(t, {std::numeric_limits<double>::quiet_NaN()})));
}

TEST(calculation, the_last_axis_changes_fastest) {
  const Table t{{axis(0, {0, 1}), axis(1, {0, 1, 2})}, {0, 1, 2, 10, 11, 12}};
  EXPECT_EQ(look_up(t, {0, 2}), 2);
  EXPECT_EQ(look_up(t, {1, 0}), 10);
  EXPECT_DOUBLE_EQ(look_up(t, {0.5, 1.5}), 6.5);
}

// a product of linear factors is multilinear, so tables of it are exact between breakpoints too
RC_GTEST_PROP(calculation, tables_of_three_axes_are_exact_for_multilinear_functions, ()) {
  const auto f = [](const std::vector<double>& x) { return (1 + 2 * x[0]) * (3 - x[1]) * (0.5 + x[2]); };
  const Table t = tabulate({axis(0, {-1, 0, 2, 5}), axis(1, {0, 3, 4}), axis(2, {-2, 1})}, f);
  const auto part = [] { return *rc::gen::inRange(0, 1001) / 1000.0; };
  const std::vector<double> x = {-1 + 6 * part(), 4 * part(), -2 + 3 * part()};
  RC_ASSERT(std::abs(look_up(t, x) - f(x)) < 1e-12);
}

TEST(calculation, steps_run_in_order_over_their_slots) {
  // slot 2 = slot 0 + slot 1; slot 4 = slot 2 < slot 3 ? slot 0 : slot 1; slot 5 = atan2
  Calculation c;
  c.initial = {3, 4, 0, 6.5, 0, 0, 0};
  c.steps = {{Operation::Add, 2, 0, 1, 0}, {Operation::Less, 6, 2, 3, 0}, {Operation::Choose, 4, 6, 0, 1}, {Operation::ArcTangent2, 5, 0, 1, 0}};
  std::vector<double> slots = c.initial;
  math::evaluate<double>(c, slots);
  EXPECT_EQ(slots[2], 7);
  EXPECT_EQ(slots[4], 4);
  EXPECT_DOUBLE_EQ(slots[5], std::atan2(3.0, 4.0));
}

TEST(calculation, lanes_give_the_bits_of_single_numbers) {
  using Lanes = math::Wide<float, 4>;
  Calculation c;
  c.initial = {0, 0, 0};
  c.tables = {tabulate({axis(0, {-1, 0, 0.5, 2}), axis(1, {0, 1, 4})}, [](const std::vector<double>& x) { return x[0] * x[0] - 0.3 * x[1]; })};
  c.steps = {{Operation::LookUp, 2, 0, 0, 0}, {Operation::Multiply, 2, 2, 1, 0}};
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    float x[4], y[4], out[4];
    for (int k = 0; k < 4; ++k) {
      x[k] = static_cast<float>(random()) / 1e9f - 2;
      y[k] = static_cast<float>(random()) / 1e9f - 0.2f;
    }
    Lanes wide[3] = {math::load(x, Lanes{}), math::load(y, Lanes{}), Lanes{}};
    math::evaluate<Lanes>(c, wide);
    math::store(out, wide[2]);
    for (int k = 0; k < 4; ++k) {
      float single[3] = {x[k], y[k], 0};
      math::evaluate<float>(c, single);
      ASSERT_EQ(math::to_bits(single[2]), math::to_bits(out[k])) << x[k] << " " << y[k];
    }
  }
}

}  // namespace
}  // namespace volary
