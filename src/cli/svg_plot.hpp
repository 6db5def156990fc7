// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Plots as inline SVG for a page that brings its own colours: lines over time, bars, and tracks seen from above. Pure functions of their data; colours are the
// classes c0 to c7 of the page, so that one picture is readable on light, on dark and on paper.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace volary::cli {

struct Point {
  double x = 0, y = 0;  // a point that is not finite is a gap
};
struct Curve {
  std::string name;
  std::vector<Point> points;
};

struct LinePlot {
  std::string title, unit;   // of the vertical axis
  std::vector<Curve> curves;
  std::vector<Point> low, high;  // a band behind the curves, both with the same places; empty: none
  bool from_zero = false;        // the vertical axis holds zero
  std::vector<double> times = {};  // s: the horizontal axis holds these too, so that plots of one run have one axis
  std::string x_title = "simulated time (s)";
};
struct BarPlot {
  std::string title, x_title;
  struct Bar {
    std::string label, note;
    double value = 0;  // 0 to 1
  };
  std::vector<Bar> bars;
};
struct TrackPlot {
  std::string title;
  std::vector<Curve> tracks;  // m: east, north
};

inline constexpr std::size_t kColours = 8;  // classes c0 to c7

std::string svg_of(const LinePlot& plot);
std::string svg_of(const BarPlot& plot);
std::string svg_of(const TrackPlot& plot);  // both axes with one scale

// values to label an axis with: 1, 2 or 5 times a power of ten apart, about `n` of them between the two
std::vector<double> ticks_between(double low, double high, int n);
// the fewest of these points that leave no other farther than the tolerance from the line (Douglas and Peucker 1973)
std::vector<Point> simplified(const std::vector<Point>& points, double tolerance);

std::string escaped_html(const std::string& text);

}  // namespace volary::cli
