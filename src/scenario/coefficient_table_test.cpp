// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Tables of coefficients: what a good file becomes, and what is said of a bad one.
#include "scenario/coefficient_table.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <chrono>

#include "math/functions.hpp"
#include "math/lookup.hpp"

namespace volary::scenario {
namespace {

constexpr double kRadians = 0.017453292519943295;

// two angles of attack and three of sideslip
const std::vector<std::string> kRows = {
    "-4, -5, -0.10, 0.030, 0.05, 0.010, 0.02, -0.004", "-4, 0, -0.11, 0.029, 0, 0, 0.02, 0", "-4, 5, -0.10, 0.030, -0.05, -0.010, 0.02, 0.004",
    "8, -5, 0.90, 0.060, 0.05, 0.012, -0.06, -0.005",  "8, 0, 0.92, 0.058, 0, 0, -0.06, 0",  "8, 5, 0.90, 0.060, -0.05, -0.012, -0.06, 0.005"};
const std::string kNames = "alpha_deg, beta_deg, CL, CD, CY, Cl, Cm, Cn\n";

std::string file_of(const std::vector<std::string>& rows, const std::string& names = kNames) {
  std::string text = "# a wind tunnel\n" + names;
  for (const std::string& row : rows) text += row + "\n";
  return text;
}

std::array<double, 6> at(const CoefficientTable& table, double alpha, double beta) {
  const auto blob = make_blob(table).value();
  const auto view = math::table_view(blob.data());
  double v[6];
  math::interpolate2(view, math::find_on_axis(view.axis[0], alpha), math::find_on_axis(view.axis[1], beta), v);
  return std::to_array(v);
}

// "file:line:column: message (suggestion)"
std::string refusal(const std::string& text) {
  const auto table = read_coefficient_table(text, "wing.csv");
  return table ? "" : table.error().text();
}

TEST(coefficient_table, a_grid_over_alpha_and_beta_becomes_a_lookup) {
  const auto table = read_coefficient_table(file_of(kRows), "wing.csv");
  ASSERT_TRUE(table) << table.error().text();
  ASSERT_EQ(table.value().alpha.size(), 2u);
  ASSERT_EQ(table.value().beta.size(), 3u);
  EXPECT_FALSE(table.value().third);
  EXPECT_DOUBLE_EQ(table.value().alpha[1], 8 * kRadians);
  const auto v = at(table.value(), 8 * kRadians, -5 * kRadians);
  const double expected[6] = {0.90, 0.060, 0.05, 0.012, -0.06, -0.005};
  for (std::size_t k = 0; k < 6; ++k) EXPECT_DOUBLE_EQ(v[k], expected[k]);
  EXPECT_NEAR(at(table.value(), 2 * kRadians, 0)[0], (0.92 - 0.11) / 2, 1e-12);
}

TEST(coefficient_table, radians_a_third_axis_and_comments_are_read) {
  const std::string text =
      "alpha_rad,elevator_deg,CL,CD,CY,Cl,Cm,Cn # names\n\n0.1,-10,1,0.1,0,0,0.5,0\n0.1,10,1.2,0.1,0,0,-0.5,0 # "
      "up\r\n-0.1,-10,-1,0.1,0,0,0.6,0\n-0.1,10,-0.8,0.1,0,0,-0.4,0";
  const auto table = read_coefficient_table(text, "wing.csv");
  ASSERT_TRUE(table) << table.error().text();
  EXPECT_EQ(table.value().third, ThirdAxis::Elevator);
  EXPECT_DOUBLE_EQ(table.value().third_values[0], -10 * kRadians);
  EXPECT_TRUE(table.value().beta.empty());
  EXPECT_DOUBLE_EQ(at(table.value(), 0.1, 10 * kRadians)[4], -0.5);
}

// at 30 degrees: CL = CX sin - CZ cos = 0.1 * 0.5 + 0.8 * 0.8660254 = 0.7428203; CD = -CX cos - CZ sin = -0.08660254 + 0.4 = 0.3133975
TEST(coefficient_table, body_axes_are_turned_into_stability_axes) {
  const auto table = read_coefficient_table("alpha_deg,CX,CZ,CY,Cl,Cm,Cn\n0,-0.02,-0.3,0,0,0,0\n30,0.1,-0.8,0,0,0,0\n", "wing.csv");
  ASSERT_TRUE(table) << table.error().text();
  const auto blob = make_blob(table.value()).value();
  const auto view = math::table_view(blob.data());
  double v[6];
  math::interpolate1(view, math::find_on_axis(view.axis[0], 30 * kRadians), v);
  EXPECT_NEAR(v[0], 0.7428203, 1e-7);
  EXPECT_NEAR(v[1], 0.3133975, 1e-7);
  math::interpolate1(view, math::find_on_axis(view.axis[0], 0.0), v);
  EXPECT_DOUBLE_EQ(v[0], 0.3);
  EXPECT_DOUBLE_EQ(v[1], 0.02);
}

TEST(coefficient_table, a_table_without_sideslip_takes_it_from_derivatives) {
  const std::string text =
      "alpha_deg,elevator_deg,CL,CD,CY,Cl,Cm,Cn\n0,-10,0.3,0.1,0,0,0.5,0\n0,10,0.4,0.1,0,0,-0.5,0\n5,-10,0.8,0.1,0,0,0.4,0\n5,10,0.9,0.1,0,0,-0.6,0\n";
  auto table = read_coefficient_table(text, "wing.csv").value();
  spread_over_sideslip(table, {0, 0, -0.8, -0.1, 0, 0.07});
  const auto blob = make_blob(table).value();
  const auto view = math::table_view(blob.data());
  double v[6];
  math::interpolate3(view, math::find_on_axis(view.axis[0], 5 * kRadians), math::find_on_axis(view.axis[1], 0.2),
                     math::find_on_axis(view.axis[2], 10 * kRadians), v);
  const double expected[6] = {0.9, 0.1, -0.16, -0.02, -0.6, 0.014};
  for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(v[k], expected[k], 1e-12) << k;
}

RC_GTEST_PROP(coefficient_table, the_order_of_rows_does_not_matter, ()) {
  std::vector<std::string> shuffled;
  std::vector<std::string> left = kRows;
  while (!left.empty()) {
    const auto k = *rc::gen::inRange<std::size_t>(0, left.size());
    shuffled.push_back(left[k]);
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(k));
  }
  RC_ASSERT(read_coefficient_table(file_of(shuffled), "a").value().values == read_coefficient_table(file_of(kRows), "a").value().values);
}

TEST(coefficient_table, a_missing_row_is_named) {
  auto rows = kRows;
  rows.erase(rows.begin() + 4);
  EXPECT_EQ(refusal(file_of(rows)),
            "wing.csv:2:1: no row for alpha_deg = 8, beta_deg = 0 (2 x 3 breakpoints need a row for each combination; there are 5 rows)");
}

TEST(coefficient_table, a_doubled_row_is_named_with_its_twin) {
  auto rows = kRows;
  rows.push_back(rows[1]);
  EXPECT_EQ(refusal(file_of(rows)), "wing.csv:9:1: the same place as line 4: alpha_deg = -4, beta_deg = 0 (keep one of them)");
}

TEST(coefficient_table, a_breakpoint_that_is_a_slip_of_the_pen_is_found) {
  std::string text = kNames;
  for (int alpha = 0; alpha < 5; ++alpha)
    for (int beta = 0; beta < 5; ++beta) text += (alpha == 2 && beta == 3 ? "2.001" : std::to_string(alpha)) + "," + std::to_string(beta) + ",1,1,0,0,0,0\n";
  EXPECT_EQ(refusal(text),
            "wing.csv:15:1: alpha_deg = 2.001 occurs in 1 row, others in about 4: the rows do not fill a grid (give every combination of the axes once)");
}

TEST(coefficient_table, columns_that_are_missing_unknown_or_in_conflict_are_refused) {
  EXPECT_EQ(refusal("alpha_deg,CL,CD,CY,Cl,Cmm,Cn\n0,0,0,0,0,0,0\n"), "wing.csv:1:1: there is no column 'Cm' (is 'Cmm' meant to be it?)");
  EXPECT_EQ(refusal("alpha_deg,CL,CD,CY,Cl,Cm\n0,0,0,0,0,0\n"), "wing.csv:1:1: there is no column 'Cn' (columns of the file: alpha_deg, CL, CD, CY, Cl, Cm)");
  EXPECT_EQ(refusal("alfa_deg,CL,CD,CY,Cl,Cm,Cn\n0,0,0,0,0,0,0\n"), "wing.csv:1:1: there is no column 'alpha_deg' (is 'alfa_deg' meant to be it?)");
  EXPECT_EQ(refusal("alpha_deg,CL,CD,CY,Cl,Cm,Cn,Reynolds\n0,0,0,0,0,0,0,1\n"),
            "wing.csv:1:29: unknown column 'Reynolds' (known: alpha_deg, alpha_rad, beta_deg, beta_rad, elevator_deg, elevator_rad, aileron_deg, aileron_rad, "
            "rudder_deg, rudder_rad, flap_deg, flap_rad, mach, speed, CL, CD, CX, CZ, CY, Cl, Cm, Cn)");
  EXPECT_EQ(refusal("alpha_deg,alpha_rad,CL,CD,CY,Cl,Cm,Cn\n0,0,0,0,0,0,0,0\n"), "wing.csv:1:11: alpha is given in degrees and in radians (keep one)");
  EXPECT_EQ(refusal("alpha_deg,CL,CX,CZ,CY,Cl,Cm,Cn\n0,0,0,0,0,0,0,0\n"),
            "wing.csv:1:17: coefficients along body axes (CX, CZ) beside those along stability axes (CL, CD) (keep one pair)");
  EXPECT_EQ(refusal("alpha_deg,mach,flap_deg,CL,CD,CY,Cl,Cm,Cn\n0,0,0,0,0,0,0,0,0\n"),
            "wing.csv:1:11: a table has one axis besides alpha and beta, this one has flap_deg and mach (a table for each)");
  EXPECT_EQ(refusal("alpha_deg,CL,CL,CD,CY,Cl,Cm,Cn\n"), "wing.csv:1:14: column 'CL' is given twice (keep one)");
}

TEST(coefficient_table, cells_that_are_wrong_are_refused_at_their_place) {
  const auto with = [](const std::string& row) { return refusal("alpha_deg,CL,CD,CY,Cl,Cm,Cn\n0,0,0.1,0,0,0,0\n" + row + "\n"); };
  EXPECT_EQ(with("4,0.4,abc,0,0,0,0"), "wing.csv:3:7: 'abc' is not a number");
  EXPECT_EQ(with("4,0.4,,0,0,0,0"), "wing.csv:3:7: an empty cell (every cell needs a number)");
  EXPECT_EQ(with("4,0.4,nan,0,0,0,0"), "wing.csv:3:7: 'nan' is not a finite number");
  EXPECT_EQ(with("4,0.4,1e999,0,0,0,0"), "wing.csv:3:7: '1e999' is too large or too small for a number");
  EXPECT_EQ(with("4,0.4,-0.01,0,0,0,0"), "wing.csv:3:7: CD is -0.01: a drag below 0 (drag is positive backwards; CX points forwards, CZ downwards)");
  EXPECT_EQ(with("4,0.4,0.1,0,0,0"), "wing.csv:3:15: 6 cells in a row, 7 columns have names");
  EXPECT_EQ(with("4,0,4,0,1,0,0,0,0"), "wing.csv:3:17: 9 cells in a row, 7 columns have names (a decimal comma? write a point)");
  EXPECT_EQ(with("400,0.4,0.1,0,0,0,0"), "wing.csv:3:1: alpha_deg = 400 lies outside -180 to 180 (angles are in the unit of the column's name)");
  EXPECT_EQ(with("4,4000,0.1,0,0,0,0"), "wing.csv:3:3: 4000 is too large for a coefficient");
  EXPECT_EQ(with(""), "wing.csv:1:1: alpha_deg is 0 in every row (a table needs at least two angles of attack)");
  EXPECT_EQ(refusal(""), "wing.csv: the file is empty (the first line names the columns)");
  EXPECT_EQ(refusal("alpha_deg,CL\n# nothing\n"), "wing.csv:1:1: there are no rows under the column names");
}

// angles of attack from -90 to 90 deg, `n_alpha` of them, by as many of sideslip
std::string large_file(int n_alpha, int n_beta) {
  std::string text = kNames;
  for (int a = 0; a < n_alpha; ++a)
    for (int b = 0; b < n_beta; ++b) text += std::to_string(-90 + 180.0 * a / n_alpha) + "," + std::to_string(-90 + 180.0 * b / n_beta) + ",0.3,0.03,0,0,0,0\n";
  return text;
}

// a file that is read in quadratic time takes minutes here
TEST(coefficient_table, a_hundred_thousand_rows_are_read_and_a_hole_in_them_is_found_at_once) {
  std::string text = large_file(500, 200);
  const auto before = std::chrono::steady_clock::now();
  const auto table = read_coefficient_table(text, "wing.csv");
  ASSERT_TRUE(table) << table.error().text();
  EXPECT_EQ(table.value().values.size(), 600'000u);
  text.erase(text.rfind('\n', text.size() - 2) + 1);
  EXPECT_NE(refusal(text).find("500 x 200 breakpoints need a row for each combination; there are 99999 rows"), std::string::npos) << refusal(text);
  EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count(), 20);
}

TEST(coefficient_table, more_rows_than_a_lookup_has_room_for_are_refused) {
  EXPECT_NE(refusal(large_file(1100, 1000)).find("wing.csv:1048578:1: 1100000 rows: a table of coefficients has at most 1048576"), std::string::npos);
}

TEST(coefficient_table, another_separator_than_a_comma_is_named) {
  EXPECT_NE(refusal("alpha_deg;CL;CD\n0;0;0\n").find("wing.csv:1:10: columns are separated by semicolons: the separator must be a comma"), std::string::npos);
  EXPECT_NE(refusal("alpha_deg\tCL\tCD\n0\t0\t0\n").find("separated by tabs"), std::string::npos);
}

}  // namespace
}  // namespace volary::scenario
