// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/svg_plot.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "math/functions.hpp"

namespace volary::cli {

namespace {

constexpr double kWidth = 720, kHeight = 240, kLeft = 58, kRight = 14, kTop = 12, kBottom = 38;
constexpr double kTolerance = 0.3;  // of a pixel

bool is_finite(double x) { return x - x == 0; }

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
  void add(double x) {
    if (is_finite(x)) low = std::min(low, x), high = std::max(high, x);
  }
  bool is_empty() const { return !(low <= high); }
  double part(double x) const { return (x - low) / (high - low); }
  // some room at both ends; a single value gets room too
  Range wider(double share) const {
    const double room = high > low ? share * (high - low) : std::max(0.5, 0.1 * math::abs(high));
    Range r;
    r.low = low - room, r.high = high + room;
    return r;
  }
};

// where data lie in the picture
struct Frame {
  Range x, y;
  double left = kLeft, top = kTop, width = kWidth - kLeft - kRight, height = kHeight - kTop - kBottom;
  Point at(const Point& p) const { return {left + x.part(p.x) * width, top + (1 - y.part(p.y)) * height}; }
};

std::string begin_svg(double width, double height, const std::string& title) {
  return fmt::format("<svg viewBox=\"0 0 {:g} {:g}\" role=\"img\" aria-label=\"{}\">\n", width, height, escaped_html(title));
}
std::string text_at(double x, double y, const char* anchor, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor, escaped_html(text));
}
std::string line_at(const char* kind, double x1, double y1, double x2, double y2) {
  return fmt::format("<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", kind, x1, y1, x2, y2);
}

std::string axes(const Frame& f, const std::string& x_title, const std::string& y_title) {
  std::string out;
  for (const double y : ticks_between(f.y.low, f.y.high, static_cast<int>(f.height / 40))) {
    const double at = f.at({f.x.low, y}).y;
    out += line_at("grid", f.left, at, f.left + f.width, at) + text_at(f.left - 6, at + 4, "end", fmt::format("{:g}", y));
  }
  for (const double x : ticks_between(f.x.low, f.x.high, static_cast<int>(f.width / 80))) {
    const double at = f.at({x, f.y.low}).x;
    out += line_at("grid", at, f.top, at, f.top + f.height) + text_at(at, f.top + f.height + 16, "middle", fmt::format("{:g}", x));
  }
  out += text_at(f.left + f.width / 2, f.top + f.height + 32, "middle", x_title);
  out += fmt::format("<text transform=\"translate(12 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n", f.top + f.height / 2, escaped_html(y_title));
  return out;
}

// stretches of points without a gap, in the picture
std::vector<std::vector<Point>> stretches(const std::vector<Point>& points, const Frame& f) {
  std::vector<std::vector<Point>> list(1);
  for (const Point& p : points) {
    if (is_finite(p.x) && is_finite(p.y))
      list.back().push_back(f.at(p));
    else if (!list.back().empty())
      list.emplace_back();
  }
  return list;
}

std::string path_of(const std::vector<Point>& points, char first) {
  std::string d;
  for (std::size_t k = 0; k < points.size(); ++k) d += fmt::format("{}{:.1f} {:.1f}", k == 0 ? first : 'L', points[k].x, points[k].y);
  return d;
}

std::string curve_svg(const Curve& curve, std::size_t colour, const Frame& f) {
  std::string d;
  for (const std::vector<Point>& s : stretches(curve.points, f)) d += path_of(simplified(s, kTolerance), 'M');
  return fmt::format("<path class=\"curve c{}\" d=\"{}\"><title>{}</title></path>\n", colour % kColours, d, escaped_html(curve.name));
}

std::string band_svg(const LinePlot& plot, const Frame& f) {
  std::vector<Point> low, high;
  for (std::size_t k = 0; k < std::min(plot.low.size(), plot.high.size()); ++k) {
    if (!is_finite(plot.low[k].y) || !is_finite(plot.high[k].y)) continue;
    low.push_back(f.at(plot.low[k]));
    high.push_back(f.at(plot.high[k]));
  }
  if (low.size() < 2) return "";
  low = simplified(low, kTolerance);
  high = simplified(high, kTolerance);
  std::reverse(low.begin(), low.end());
  return fmt::format("<path class=\"band c0\" d=\"{}{}Z\"/>\n", path_of(high, 'M'), path_of(low, 'L'));
}

// the point of a stretch that is farthest from the line between its ends, and how far that is, squared
std::pair<std::size_t, double> farthest(const std::vector<Point>& p, std::size_t first, std::size_t last) {
  std::pair<std::size_t, double> found = {first, 0};
  const double dx = p[last].x - p[first].x, dy = p[last].y - p[first].y, length2 = dx * dx + dy * dy;
  for (std::size_t k = first + 1; k < last; ++k) {
    const double ax = p[k].x - p[first].x, ay = p[k].y - p[first].y;
    const double along = length2 > 0 ? std::clamp((ax * dx + ay * dy) / length2, 0.0, 1.0) : 0;
    const double ex = ax - along * dx, ey = ay - along * dy, distance2 = ex * ex + ey * ey;
    if (distance2 > found.second) found = {k, distance2};
  }
  return found;
}

}  // namespace

std::string escaped_html(const std::string& text) {
  std::string out;
  for (const char c : text) switch (c) {
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '&': out += "&amp;"; break;
      case '"': out += "&quot;"; break;
      default: out += static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' ? ' ' : c;
    }
  return out;
}

std::vector<double> ticks_between(double low, double high, int n) {
  if (!(high > low) || !is_finite(high - low)) return {};
  double step = 1;
  const double wanted = (high - low) / std::max(1, n);
  while (step > wanted) step /= 10;
  while (step * 10 <= wanted) step *= 10;
  for (const double factor : {2.0, 2.5, 2.0})
    if (step < wanted) step *= factor;
  std::vector<double> ticks;
  for (double k = math::floor(low / step); k * step <= high + 1e-9 * step; ++k)
    if (k * step >= low - 1e-9 * step) ticks.push_back(k == 0 ? 0 : k * step);
  return ticks;
}

std::vector<Point> simplified(const std::vector<Point>& points, double tolerance) {
  if (points.size() < 3) return points;
  std::vector<bool> kept(points.size(), false);
  kept.front() = kept.back() = true;
  std::vector<std::pair<std::size_t, std::size_t>> open = {{0, points.size() - 1}};
  while (!open.empty()) {
    const auto [first, last] = open.back();
    open.pop_back();
    const auto [middle, distance2] = farthest(points, first, last);
    if (distance2 <= tolerance * tolerance) continue;
    kept[middle] = true;
    open.insert(open.end(), {{first, middle}, {middle, last}});
  }
  std::vector<Point> out;
  for (std::size_t k = 0; k < points.size(); ++k)
    if (kept[k]) out.push_back(points[k]);
  return out;
}

std::string svg_of(const LinePlot& plot) {
  Frame f;
  for (const Curve& c : plot.curves)
    for (const Point& p : c.points) f.x.add(p.x), f.y.add(p.y);
  for (const auto* edge : {&plot.low, &plot.high})
    for (const Point& p : *edge) f.x.add(p.x), f.y.add(p.y);
  if (f.y.is_empty()) return "";
  for (const double t : plot.times) f.x.add(t);
  if (plot.from_zero) f.y.add(0);
  f.y = f.y.wider(0.06);
  if (plot.from_zero) f.y.low = std::max(f.y.low, 0.0);
  if (!(f.x.high > f.x.low)) f.x = f.x.wider(0);
  std::string out = begin_svg(kWidth, kHeight, plot.title) + axes(f, plot.x_title, plot.unit) + band_svg(plot, f);
  for (std::size_t k = 0; k < plot.curves.size(); ++k) out += curve_svg(plot.curves[k], k, f);
  return out + "</svg>\n";
}

std::string svg_of(const BarPlot& plot) {
  if (plot.bars.empty()) return "";
  Frame f;
  f.x.low = 0, f.x.high = static_cast<double>(plot.bars.size());
  f.y.low = 0, f.y.high = 1;
  std::string out = begin_svg(kWidth, kHeight, plot.title);
  for (const double y : ticks_between(0, 1, 5)) {
    const double at = f.at({0, y}).y;
    out += line_at("grid", f.left, at, f.left + f.width, at) + text_at(f.left - 6, at + 4, "end", fmt::format("{:g}", y));
  }
  const std::size_t stride = 1 + plot.bars.size() / 10;  // labels that would overlap are left out
  for (std::size_t k = 0; k < plot.bars.size(); ++k) {
    const BarPlot::Bar& bar = plot.bars[k];
    const Point high = f.at({static_cast<double>(k) + 0.1, bar.value}), low = f.at({static_cast<double>(k) + 0.9, 0});
    out += fmt::format("<rect class=\"bar c0\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"><title>{}</title></rect>\n", high.x, high.y,
                       low.x - high.x, low.y - high.y, escaped_html(bar.note));
    if (k % stride == 0) out += text_at((low.x + high.x) / 2, low.y + 16, "middle", bar.label);
  }
  return out + text_at(f.left + f.width / 2, f.top + f.height + 32, "middle", plot.x_title) + "</svg>\n";
}

std::string svg_of(const TrackPlot& plot) {
  Frame f;
  for (const Curve& c : plot.tracks)
    for (const Point& p : c.points) f.x.add(p.x), f.y.add(p.y);
  if (f.x.is_empty()) return "";
  f.x = f.x.wider(0.05);
  f.y = f.y.wider(0.05);
  // one scale on both axes: the shorter one gets room at both ends
  const double most = 420, least = 160;
  f.height = std::clamp(f.width * (f.y.high - f.y.low) / (f.x.high - f.x.low), least, most);
  const double scale = std::max((f.x.high - f.x.low) / f.width, (f.y.high - f.y.low) / f.height);
  for (auto [range, size] : {std::pair{&f.x, f.width}, std::pair{&f.y, f.height}}) {
    const double middle = 0.5 * (range->low + range->high);
    range->low = middle - 0.5 * size * scale, range->high = middle + 0.5 * size * scale;
  }
  std::string out = begin_svg(kWidth, f.top + f.height + kBottom, plot.title) + axes(f, "east (m)", "north (m)");
  for (std::size_t k = 0; k < plot.tracks.size(); ++k) {
    const Curve& track = plot.tracks[k];
    out += curve_svg(track, k, f);
    const std::vector<std::vector<Point>> parts = stretches(track.points, f);
    if (parts.front().empty()) continue;
    const Point from = parts.front().front(), to = parts.back().empty() ? parts[parts.size() - 2].back() : parts.back().back();
    out += fmt::format("<circle class=\"start c{0}\" cx=\"{1:.1f}\" cy=\"{2:.1f}\" r=\"2.5\"/><circle class=\"end c{0}\" cx=\"{3:.1f}\" cy=\"{4:.1f}\" r=\"3\"/>\n",
                       k % kColours, from.x, from.y, to.x, to.y);
  }
  return out + "</svg>\n";
}

}  // namespace volary::cli
