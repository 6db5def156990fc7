// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/svg_plot.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "math/functions.hpp"

namespace volary::cli {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

}  // namespace

TEST(svg_plot, ticks_are_round_numbers_between_the_ends) {
  EXPECT_EQ(ticks_between(0, 10, 5), (std::vector<double>{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(ticks_between(-1.2, 1.2, 4), (std::vector<double>{-1, 0, 1}));
  EXPECT_EQ(ticks_between(0, 240, 6), (std::vector<double>{0, 50, 100, 150, 200}));
  for (const double scale : {1e-6, 0.03, 7.0, 1e5}) {
    const std::vector<double> ticks = ticks_between(-0.3 * scale, 1.1 * scale, 6);
    EXPECT_GE(ticks.size(), 3u) << scale;
    EXPECT_LE(ticks.size(), 8u) << scale;
  }
  EXPECT_TRUE(ticks_between(1, 1, 5).empty());
  EXPECT_TRUE(ticks_between(0, std::numeric_limits<double>::infinity(), 5).empty());
}

TEST(svg_plot, a_simplified_line_keeps_every_peak_and_drops_what_lies_on_it) {
  std::vector<Point> line;
  for (int k = 0; k <= 1000; ++k) line.push_back({static_cast<double>(k), k == 417 ? 9.0 : 0.0});
  const std::vector<Point> few = simplified(line, 0.3);
  EXPECT_LE(few.size(), 5u);
  EXPECT_TRUE(std::any_of(few.begin(), few.end(), [](const Point& p) { return p.x == 417 && p.y == 9; }));
  EXPECT_EQ(few.front().x, 0);
  EXPECT_EQ(few.back().x, 1000);
}

TEST(svg_plot, no_point_of_a_curve_is_farther_than_the_tolerance_from_its_simplified_form) {
  std::vector<Point> wave;
  for (int k = 0; k < 500; ++k) wave.push_back({0.5 * k, 40 * math::sin(0.05 * k) + 5 * math::sin(0.7 * k)});
  const std::vector<Point> few = simplified(wave, 0.3);
  EXPECT_LT(few.size(), wave.size());
  for (const Point& p : wave) {
    double nearest = 1e9;
    for (std::size_t k = 0; k + 1 < few.size(); ++k) {
      const double dx = few[k + 1].x - few[k].x, dy = few[k + 1].y - few[k].y;
      const double along = std::clamp(((p.x - few[k].x) * dx + (p.y - few[k].y) * dy) / (dx * dx + dy * dy), 0.0, 1.0);
      const double ex = p.x - few[k].x - along * dx, ey = p.y - few[k].y - along * dy;
      nearest = std::min(nearest, math::sqrt(ex * ex + ey * ey));
    }
    EXPECT_LE(nearest, 0.3 + 1e-9);
  }
}

TEST(svg_plot, a_gap_in_a_curve_is_a_gap_in_the_picture) {
  const LinePlot plot{"speed", "m/s", {{"a", {{0, 1}, {1, 2}, {2, kNone}, {3, 1}, {4, 5}}}}, {}, {}};
  const std::string svg = svg_of(plot);
  const std::size_t path = svg.find("class=\"curve c0\"");
  ASSERT_NE(path, std::string::npos) << svg;
  EXPECT_EQ(count_of(svg.substr(path, svg.find("</path>", path) - path), "M"), 2u) << svg;
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

TEST(svg_plot, plots_of_one_run_have_one_axis_of_time) {
  LinePlot late{"error", "m", {{"a", {{6, 1}, {8, 2}}}}, {}, {}};
  EXPECT_EQ(svg_of(late).find(">0<"), std::string::npos);
  late.times = {0, 10};
  EXPECT_NE(svg_of(late).find(">0<"), std::string::npos) << svg_of(late);
  EXPECT_NE(svg_of(late).find(">10<"), std::string::npos);
}

TEST(svg_plot, without_data_there_is_no_picture) {
  EXPECT_EQ(svg_of(LinePlot{"x", "m", {{"a", {{0, kNone}}}}, {}, {}}), "");
  EXPECT_EQ(svg_of(BarPlot{}), "");
  EXPECT_EQ(svg_of(TrackPlot{}), "");
}

TEST(svg_plot, one_point_and_a_level_line_are_drawn_with_an_axis) {
  for (const std::vector<Point>& points : {std::vector<Point>{{0, 3}}, std::vector<Point>{{0, 3}, {10, 3}}}) {
    const std::string svg = svg_of(LinePlot{"up", "m", {{"a", points}}, {}, {}});
    EXPECT_NE(svg.find(">3<"), std::string::npos) << svg;
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.find("inf"), std::string::npos);
  }
}

TEST(svg_plot, both_axes_of_a_track_have_one_scale) {
  // a square of 100 m seen from above: its corners in the picture are as far apart in both directions
  const std::string svg = svg_of(TrackPlot{"tracks", {{"a", {{0, 0}, {100, 0}, {100, 100}, {0, 100}}}}});
  const std::size_t at = svg.find(" d=\"M") + 5;
  double x[3], y[3];
  ASSERT_EQ(std::sscanf(svg.c_str() + at, "%lf %lfL%lf %lfL%lf %lf", &x[0], &y[0], &x[1], &y[1], &x[2], &y[2]), 6) << svg;
  EXPECT_NEAR(x[1] - x[0], y[1] - y[2], 0.15);
}

TEST(svg_plot, text_cannot_leave_its_place) {
  const std::string svg = svg_of(LinePlot{"</svg><script>", "\"m\" & more", {{"<b>", {{0, 1}, {1, 2}}}}, {}, {}});
  EXPECT_EQ(svg.find("<script>"), std::string::npos);
  EXPECT_EQ(svg.find("<b>"), std::string::npos);
  EXPECT_NE(svg.find("&quot;m&quot; &amp; more"), std::string::npos);
}

}  // namespace volary::cli
