// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/wind_field_file.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace volary::scenario {
namespace {

std::string error_of(const std::string& text) {
  const auto read = read_wind_field(text, "field.csv");
  return read ? "" : read.error().text();
}

TEST(wind_field_file, lines_come_in_any_order_and_a_column_that_is_absent_means_no_change_along_it) {
  const auto read = read_wind_field(
      "north,east,wind_north,wind_east\n"
      "0,100,2,11\n"
      "0,0,1,10\n"
      "50, 0, 3, 12\r\n"
      "50,100,4,13\n",
      "field.csv");
  ASSERT_TRUE(read) << read.error().text();
  const wind_field::Grid& g = *read.value();
  EXPECT_EQ(g.east.nodes, 2u);
  EXPECT_EQ(g.east.step, 100);
  EXPECT_EQ(g.north.nodes, 2u);
  EXPECT_EQ(g.up.nodes, 1u);
  EXPECT_EQ(g.time.nodes, 1u);
  EXPECT_EQ(g.wind_east, (std::vector<float>{10, 11, 12, 13}));
  EXPECT_EQ(g.wind_north, (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(g.wind_up, (std::vector<float>{0, 0, 0, 0}));
}

// a linear field is met exactly between the nodes, whatever the order of its lines
RC_GTEST_PROP(wind_field_file, a_linear_field_comes_back_between_its_nodes, ()) {
  const int ne = *rc::gen::inRange(1, 4), nn = *rc::gen::inRange(1, 4), nu = *rc::gen::inRange(1, 3), nt = *rc::gen::inRange(1, 3);
  std::vector<std::string> lines;
  const auto wind = [](double e, double n, double u, double t) { return 1 + 0.01 * e - 0.02 * n + 0.1 * u + 0.5 * t; };
  for (int t = 0; t < nt; ++t)
    for (int u = 0; u < nu; ++u)
      for (int n = 0; n < nn; ++n)
        for (int e = 0; e < ne; ++e) lines.push_back(fmt::format("{},{},{},{},{},0,0\n", e * 10, n * 20, u * 5, t * 60, wind(e * 10, n * 20, u * 5, t * 60)));
  const std::size_t turn = *rc::gen::inRange<std::size_t>(0, lines.size());
  std::rotate(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(turn), lines.end());
  std::string text = "east,north,up,time,wind_east,wind_north,wind_up\n";
  for (const std::string& l : lines) text += l;
  const auto read = read_wind_field(text, "field.csv");
  RC_ASSERT(static_cast<bool>(read));
  const double e = 5.0 * (ne - 1), n = 10.0 * (nn - 1), u = 2.5 * (nu - 1), t = 30.0 * (nt - 1);
  const auto now = wind_field::at_time<double>(*read.value(), t);
  const auto w = environment::grid_wind_at<double>(now, {e, n, u});
  RC_ASSERT(std::abs(w.x - wind(e, n, u, t)) < 1e-4);
}

TEST(wind_field_file, a_hole_is_an_error_that_says_where) {
  EXPECT_EQ(error_of("east,north,wind_east,wind_north\n0,0,1,1\n10,0,1,1\n0,10,1,1\n"),
            "field.csv: has a hole: no line for east 10, north 10, up 0, time 0 (every node needs its wind; nothing is guessed)");
  EXPECT_EQ(error_of("east,north,wind_east,wind_north\n0,0,1,1\n10,0,,1\n"),
            "field.csv:3:6: wind_east: has a hole: there is no value (every node needs its wind; nothing is guessed)");
  EXPECT_EQ(error_of("east,north,wind_east,wind_north\n0,0,1,1\n10,0,nan,1\n"),
            "field.csv:3:6: wind_east: 'nan' is not a number (every node needs its wind; nothing is guessed)");
}

TEST(wind_field_file, faults_name_the_line) {
  EXPECT_EQ(error_of("east,north,wind_est,wind_north\n"), "field.csv:1:12: wind_est: is no column of a wind field (did you mean 'wind_east'?)");
  EXPECT_EQ(error_of("east,wind_east,wind_north\n").substr(0, 33), "field.csv:1:1: north: is missing ");
  EXPECT_EQ(error_of("east,east,north,wind_east,wind_north\n"), "field.csv:1:6: east: is there twice");
  EXPECT_EQ(error_of("east,north,wind_east,wind_north\n0,-1e300,1,1\n0,1e300,1,1\n"),
            "field.csv:2:3: north: -1e+300 is not between -1000000000 and 1000000000 m");
  EXPECT_EQ(error_of("east,north,wind_east,wind_north\n0,0,1,501\n"), "field.csv:2:7: wind_north: 501 is not between -500 and 500 m/s");
  EXPECT_EQ(error_of("east,north,wind_east,wind_north\n0,0,1\n"), "field.csv:2:1: has 3 values for 4 columns");
  EXPECT_EQ(error_of("east,north,wind_east,wind_north\n0,0,1,1\n0,0,2,2\n"), "field.csv:3:1: is the node of line 2 again");
  EXPECT_EQ(error_of("east,north,wind_east,wind_north\n0,0,1,1\n10,0,1,1\n30,0,1,1\n"),
            "field.csv:3:1: east: 10 is not on a regular grid: 3 nodes from 0 to 30 are 15 apart (a node in between is missing, or one is out of place)");
  EXPECT_EQ(error_of("east,north,wind_east,wind_north\n").substr(0, 25), "field.csv: holds no wind ");
  EXPECT_NE(error_of(""), "");
}

TEST(wind_field_file, a_few_far_lines_do_not_ask_for_all_memory) {
  std::string text = "east,north,up,time,wind_east,wind_north\n";
  for (int k = 0; k < 300; ++k) text += fmt::format("{},{},{},{},1,1\n", k, k, k, k);
  EXPECT_EQ(error_of(text), "field.csv: its grid has 8100000000 nodes: at most 20000000");
}

}  // namespace
}  // namespace volary::scenario
