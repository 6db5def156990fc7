// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Curves over time as plain SVG: panels one below the other on a common axis, thresholds dashed.
#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include "math/functions.hpp"
#include "validation/report.hpp"

namespace volary::validation {

namespace {

constexpr double kWidth = 900, kPanelHeight = 190, kTop = 40, kLeft = 90, kRight = 20, kGap = 34, kBottom = 46;
constexpr const char* kColours[] = {"#1f77b4", "#d62728", "#2ca02c", "#9467bd"};
constexpr std::size_t kMostPoints = 600;  // of a curve: more than the picture has columns

struct Range {
  double low, high;
  double part(double x) const { return (x - low) / (high - low); }
};

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '&')
      out += "&amp;";
    else
      out += c;
  }
  return out;
}

// the thresholds are shown where they are not far beyond the curves, else the picture would be a flat line
Range range_of(const Panel& panel) {
  double most = 0;
  for (const Curve& c : panel.curves)
    for (const double v : c.values) most = std::max(most, math::abs(v));
  double shown = most;
  for (const double b : panel.thresholds)
    if (math::abs(b) <= 8 * most) shown = std::max(shown, math::abs(b));
  if (!(shown > 0)) shown = 1;
  const auto negative = [](double v) { return v < 0; };
  bool both_sides = std::any_of(panel.thresholds.begin(), panel.thresholds.end(), negative);
  for (const Curve& c : panel.curves) both_sides = both_sides || std::any_of(c.values.begin(), c.values.end(), negative);
  return {both_sides ? -1.15 * shown : 0, 1.15 * shown};
}

std::string text_at(double x, double y, const std::string& text, const char* anchor, int size = 12) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" font-size=\"{}\">{}</text>\n", x, y, anchor, size, escaped(text));
}

std::string line(double x1, double y1, double x2, double y2, const char* style) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>\n", x1, y1, x2, y2, style);
}

// of every stretch of rows the one farthest from zero: peaks are not lost
std::string polyline(const std::vector<double>& x, const Curve& curve, const Range& xs, const Range& ys, double top, const char* colour) {
  const std::size_t n = std::min(x.size(), curve.values.size()), stride = std::max<std::size_t>(1, n / kMostPoints);
  std::string points;
  for (std::size_t k = 0; k < n; k += stride) {
    std::size_t peak = k;
    for (std::size_t i = k; i < std::min(n, k + stride); ++i)
      if (math::abs(curve.values[i]) > math::abs(curve.values[peak])) peak = i;
    points += fmt::format("{:.1f},{:.1f} ", kLeft + xs.part(x[peak]) * (kWidth - kLeft - kRight), top + (1 - ys.part(curve.values[peak])) * kPanelHeight);
  }
  return fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.4\"/>\n", points, colour);
}

std::string panel_svg(const Picture& picture, const Panel& panel, const Range& xs, double top) {
  const Range ys = range_of(panel);
  const double right = kWidth - kRight, zero = top + (1 - ys.part(0)) * kPanelHeight;
  std::string out =
      fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#888\"/>\n", kLeft, top, right - kLeft, kPanelHeight);
  out += line(kLeft, zero, right, zero, "stroke=\"#ccc\"");
  for (const double value : {ys.high / 1.15, 0.0, ys.low / 1.15}) {
    const double y = top + (1 - ys.part(value)) * kPanelHeight;
    out += text_at(kLeft - 6, y + 4, fmt::format("{:.3g}", value), "end");
  }
  std::size_t drawn = 0;
  for (const double b : panel.thresholds) {
    if (b <= ys.low || b >= ys.high) continue;
    const double y = top + (1 - ys.part(b)) * kPanelHeight;
    out += line(kLeft, y, right, y, "stroke=\"#444\" stroke-dasharray=\"6 4\"");
    ++drawn;
  }
  out += text_at(kLeft, top - 6, fmt::format("{}, {}{}", panel.title, panel.unit, drawn > 0 ? " (dashed: thresholds)" : panel.thresholds.empty() ? "" : " (thresholds are outside)"), "start");
  double x = right;
  for (std::size_t k = panel.curves.size(); k-- > 0;) {
    const char* colour = kColours[k % std::size(kColours)];
    out += fmt::format("<g fill=\"{}\">{}</g>", colour, text_at(x, top - 6, panel.curves[k].name, "end"));
    x -= 7.5 * static_cast<double>(panel.curves[k].name.size()) + 14;
    out += polyline(picture.x, panel.curves[k], xs, ys, top, colour);
  }
  return out;
}

}  // namespace

std::string svg_of(const Picture& picture) {
  const double height = kTop + static_cast<double>(picture.panels.size()) * (kPanelHeight + kGap) + kBottom;
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" font-family=\"sans-serif\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
      kWidth, height);
  out += text_at(kLeft, 18, picture.title, "start", 14);
  if (picture.x.size() < 2) return out + "</svg>\n";
  const Range xs = {picture.x.front(), picture.x.back()};
  double top = kTop + 14;
  for (const Panel& panel : picture.panels) {
    out += panel_svg(picture, panel, xs, top);
    top += kPanelHeight + kGap;
  }
  const double bottom = top - kGap;
  for (int k = 0; k <= 5; ++k) {
    const double value = xs.low + k * (xs.high - xs.low) / 5;
    out += text_at(kLeft + xs.part(value) * (kWidth - kLeft - kRight), bottom + 16, fmt::format("{:.4g}", value), "middle");
  }
  out += text_at((kLeft + kWidth - kRight) / 2, bottom + 34, picture.x_title, "middle");
  return out + "</svg>\n";
}

}  // namespace volary::validation
