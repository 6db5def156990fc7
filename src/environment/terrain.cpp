// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "environment/terrain.hpp"

#include <algorithm>

#include "core/result.hpp"
#include "math/scalar.hpp"

namespace volary::terrain {

namespace {

constexpr std::size_t kTile = 8;  // cells on a side
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Cell k of an axis with n nodes lies between the nodes k - 1 and k; cells 0 and n reach from the edges outwards without end.
std::size_t cell_of(double x, std::size_t n) {
  if (!(x >= 0)) return 0;
  return x >= static_cast<double>(n - 1) ? n : static_cast<std::size_t>(x) + 1;
}
std::size_t lower_node(std::size_t cell) { return cell == 0 ? 0 : cell - 1; }
std::size_t upper_node(std::size_t cell, std::size_t n) { return std::min(cell, n - 1); }

// where along the way the next line of an axis is crossed
struct Axis {
  double from, way;        // in steps of the grid: x(t) = from + way t
  double line, stride;     // the next line, and from one line to the next
  double crossing;         // t
  std::ptrdiff_t forward;  // -1, 0 or 1
  std::size_t index, last;

  Axis(double x, double dx, double t, std::size_t n, std::size_t group) : from(x), way(dx) {
    const std::size_t cell = cell_of(x + dx * t, n);
    index = cell / group;
    last = n / group;
    stride = static_cast<double>(group);
    forward = dx > 0 ? 1 : dx < 0 ? -1 : 0;
    // the border between groups m - 1 and m is the node m * group - 1
    line = static_cast<double>((index + (forward > 0 ? 1 : 0)) * group) - 1;
    stride = forward > 0 ? stride : -stride;
    aim();
  }
  void aim() { crossing = forward == 0 || (forward > 0 ? index == last : index == 0) ? kInfinity : (line - from) / way; }
  void advance() {
    index = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(index) + forward);
    line += stride;
    aim();
  }
};

// visits the cells (or groups of cells) of a stretch in order until one answers with less than kNoHit
template <class Visit>
double traverse(double x, double dx, double y, double dy, double begin, double end, std::size_t columns, std::size_t rows, std::size_t group, Visit&& visit) {
  Axis east(x, dx, begin, columns, group), north(y, dy, begin, rows, group);
  for (double t = begin;;) {
    const bool across_east = east.crossing < north.crossing;
    const double next = std::max(t, std::min(end, across_east ? east.crossing : north.crossing));
    if (const double hit = visit(east.index, north.index, t, next); hit < kInfinity) return hit;
    if (!(next < end)) return kInfinity;
    t = next;
    if (across_east)
      east.advance();
    else
      north.advance();
  }
}

}  // namespace

struct Terrain::Ray {
  double x, dx, y, dy;  // in steps of the grid
  double z, dz;         // m
  double up_at(double t) const { return z + dz * t; }
};

// the height of a line above the bilinear patch of one cell: a parabola in t
struct Terrain::Patch {
  double start, slope, bend;  // m: gap = start + slope t + bend t^2
  double gap(double t) const { return start + t * (slope + t * bend); }
};

Terrain::Patch Terrain::patch(const Ray& r, std::size_t column, std::size_t row) const {
  const std::size_t w = lower_node(column), e = upper_node(column, h_.columns), s = lower_node(row), n = upper_node(row, h_.rows);
  const double sw = node(w, s), se = node(e, s), nw = node(w, n), ne = node(e, n);
  const double a = se - sw, b = nw - sw, c = (ne - nw) - a;
  // beyond the edge both nodes are the same and the place along that axis does not matter
  const double u = r.x - static_cast<double>(w), v = r.y - static_cast<double>(s);
  return {r.z - (sw + a * u + b * v + c * u * v), r.dz - (a * r.dx + b * r.dy + c * (u * r.dy + v * r.dx)), -c * r.dx * r.dy};
}

Terrain::Terrain(Heights heights) : h_(std::move(heights)) {
  core::require(h_.columns >= 2 && h_.rows >= 2 && h_.up.size() == h_.columns * h_.rows && h_.step_east > 0 && h_.step_north > 0,
                "a terrain needs two nodes a side");
  per_east_ = 1 / h_.step_east;
  per_north_ = 1 / h_.step_north;
  const auto [low, high] = std::minmax_element(h_.up.begin(), h_.up.end());
  lowest_ = static_cast<double>(*low);
  highest_ = static_cast<double>(*high);

  cell_columns_ = h_.columns + 1;
  cell_rows_ = h_.rows + 1;
  tile_columns_ = h_.columns / kTile + 1;
  tile_rows_ = h_.rows / kTile + 1;
  cell_top_.resize(cell_columns_ * cell_rows_);
  tile_top_.assign(tile_columns_ * tile_rows_, *low);
  for (std::size_t r = 0; r < cell_rows_; ++r)
    for (std::size_t c = 0; c < cell_columns_; ++c) {
      const std::size_t w = lower_node(c), e = upper_node(c, h_.columns), s = lower_node(r), n = upper_node(r, h_.rows);
      const double top = std::max(std::max(node(w, s), node(e, s)), std::max(node(w, n), node(e, n)));
      cell_top_[r * cell_columns_ + c] = static_cast<float>(top);
      float& tile = tile_top_[r / kTile * tile_columns_ + c / kTile];
      tile = std::max(tile, static_cast<float>(top));
    }

  // central differences; one-sided at the edges
  slope_.resize(2 * h_.up.size());
  for (std::size_t r = 0; r < h_.rows; ++r)
    for (std::size_t c = 0; c < h_.columns; ++c) {
      const std::size_t w = lower_node(c), e = upper_node(c + 1, h_.columns), s = lower_node(r), n = upper_node(r + 1, h_.rows);
      slope_[2 * (r * h_.columns + c)] = static_cast<float>((node(e, r) - node(w, r)) * per_east_ / static_cast<double>(e - w));
      slope_[2 * (r * h_.columns + c) + 1] = static_cast<float>((node(c, n) - node(c, s)) * per_north_ / static_cast<double>(n - s));
    }
  // between nodes slopes are mixed, and no mixture is steeper than the steepest
  double steepest2 = 0;
  for (std::size_t k = 0; k < slope_.size(); k += 2) {
    const double east = static_cast<double>(slope_[k]), north = static_cast<double>(slope_[k + 1]);
    steepest2 = std::max(steepest2, east * east + north * north);
  }
  least_upright_ = 1 / math::sqrt(1 + steepest2);
}

namespace {
// where a coordinate lies: the node below it, and how far on towards the next; at the edge when beyond it
struct Between {
  std::size_t node;
  double part;
};
Between between(double x, std::size_t n) {
  const double inside = std::min(std::max(x, 0.0), static_cast<double>(n - 1));
  const std::size_t node = std::min(static_cast<std::size_t>(inside), n - 2);
  return {node, inside - static_cast<double>(node)};
}
double blend(double a, double b, double part) { return a + (b - a) * part; }
}  // namespace

double Terrain::height(double east, double north) const {
  const Between x = between((east - h_.east) * per_east_, h_.columns), y = between((north - h_.north) * per_north_, h_.rows);
  const float* south_west = &h_.up[y.node * h_.columns + x.node];
  const double south = blend(static_cast<double>(south_west[0]), static_cast<double>(south_west[1]), x.part);
  const double north_of = blend(static_cast<double>(south_west[h_.columns]), static_cast<double>(south_west[h_.columns + 1]), x.part);
  return blend(south, north_of, y.part);
}

Point Terrain::normal(double east, double north) const {
  const Between x = between((east - h_.east) * per_east_, h_.columns), y = between((north - h_.north) * per_north_, h_.rows);
  double slope[2];
  for (std::size_t k = 0; k < 2; ++k) {
    const float* at = &slope_[2 * (y.node * h_.columns + x.node) + k];
    const float* above = at + 2 * h_.columns;
    slope[k] = blend(blend(static_cast<double>(at[0]), static_cast<double>(at[2]), x.part),
                     blend(static_cast<double>(above[0]), static_cast<double>(above[2]), x.part), y.part);
  }
  const double length = math::sqrt(1 + slope[0] * slope[0] + slope[1] * slope[1]);
  return {-slope[0] / length, -slope[1] / length, 1 / length};
}

template <class Visit> double Terrain::walk(const Ray& r, Visit&& visit) const {
  // what is above everything cannot touch anything
  double begin = 0, end = 1;
  if (r.dz == 0) {
    if (r.z >= highest_) return kNoHit;
  } else {
    const double at_top = (highest_ - r.z) / r.dz;
    (r.dz < 0 ? begin : end) = std::clamp(at_top, 0.0, 1.0);
    if (r.dz < 0 ? at_top > 1 : at_top < 0) return kNoHit;
  }
  return traverse(r.x, r.dx, r.y, r.dy, begin, end, h_.columns, h_.rows, kTile, [&](std::size_t tc, std::size_t tr, double from, double to) {
    if (std::min(r.up_at(from), r.up_at(to)) > static_cast<double>(tile_top_[tr * tile_columns_ + tc])) return kNoHit;
    return traverse(r.x, r.dx, r.y, r.dy, from, to, h_.columns, h_.rows, 1, [&](std::size_t c, std::size_t row, double t, double next) {
      if (std::min(r.up_at(t), r.up_at(next)) > static_cast<double>(cell_top_[row * cell_columns_ + c])) return kNoHit;
      return visit(patch(r, c, row), t, next);
    });
  });
}

bool Terrain::sees(const Point& a, const Point& b) const {
  const Ray ray{(a[0] - h_.east) * per_east_, (b[0] - a[0]) * per_east_, (a[1] - h_.north) * per_north_, (b[1] - a[1]) * per_north_, a[2], b[2] - a[2]};
  return walk(ray, [](const Patch& p, double t, double next) {
           double least = std::min(p.gap(t), p.gap(next));
           if (p.bend > 0) {
             const double turn = -p.slope / (2 * p.bend);
             if (turn > t && turn < next) least = p.gap(turn);
           }
           return least < 0 ? t : kNoHit;
         }) == kNoHit;
}

double Terrain::first_hit(const Point& a, const Point& b) const {
  const Ray ray{(a[0] - h_.east) * per_east_, (b[0] - a[0]) * per_east_, (a[1] - h_.north) * per_north_, (b[1] - a[1]) * per_north_, a[2], b[2] - a[2]};
  return walk(ray, [](const Patch& p, double t, double next) {
    if (p.gap(t) <= 0) return t;
    // the smallest root in the stretch; the form without cancellation (Press et al., Numerical Recipes, 5.6)
    const double inside = p.slope * p.slope - 4 * p.bend * p.start;
    if (inside < 0) return kNoHit;
    const double q = -0.5 * (p.slope + (p.slope < 0 ? -math::sqrt(inside) : math::sqrt(inside)));
    double first = kNoHit;
    for (const double root : {p.bend != 0 ? q / p.bend : kNoHit, q != 0 ? p.start / q : kNoHit})
      if (root >= t && root <= next) first = std::min(first, root);
    return first < kNoHit ? first : p.gap(next) <= 0 ? next : kNoHit;
  });
}

}  // namespace volary::terrain
