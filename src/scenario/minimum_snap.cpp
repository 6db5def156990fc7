// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/minimum_snap.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/check.hpp"
#include "math/scalar.hpp"

namespace volary::scenario {

namespace {

using Coefficients = std::array<double, 8>;
using Boundary = std::array<double, 8>;  // position, velocity, acceleration, jerk at the start and at the end

// A banded system solved by Gaussian elimination with partial pivoting. Three unknowns (velocity,
// acceleration, jerk) per inner point; an equation reaches the points before and after its own.
class BandedSystem {
 public:
  explicit BandedSystem(int n) : n_(n), rows_(static_cast<std::size_t>(n)) {}

  double& at(int row, int column) { return rows_[static_cast<std::size_t>(row)].a[static_cast<std::size_t>(column - row + kReach)]; }
  double& right(int row, int axis) { return rows_[static_cast<std::size_t>(row)].b[static_cast<std::size_t>(axis)]; }
  void solve();  // the solution replaces the right-hand sides

 private:
  static constexpr int kReach = 5;           // columns before and after the diagonal
  static constexpr int kUpper = 2 * kReach;  // after the diagonal, once rows have been swapped
  struct Row {
    std::array<double, kReach + kUpper + 1> a{};
    std::array<double, 3> b{};
  };

  void swap_rows(int i, int k);
  void eliminate(int column);
  void substitute(int row);

  int n_;
  std::vector<Row> rows_;
};

void BandedSystem::swap_rows(int i, int k) {
  // entries are stored relative to the diagonal, so a swap moves them column by column
  const int last = std::min(n_ - 1, i + kUpper);
  for (int column = i; column <= last; ++column) {
    const double upper = at(i, column);
    const bool stored = column - k <= kUpper;
    at(i, column) = stored ? at(k, column) : 0;
    if (stored) at(k, column) = upper;
  }
  std::swap(rows_[static_cast<std::size_t>(i)].b, rows_[static_cast<std::size_t>(k)].b);
}

void BandedSystem::eliminate(int column) {
  const int last = std::min(n_ - 1, column + kReach);
  int pivot = column;
  for (int row = column + 1; row <= last; ++row)
    if (math::abs(at(row, column)) > math::abs(at(pivot, column))) pivot = row;
  if (pivot != column) swap_rows(column, pivot);

  for (int row = column + 1; row <= last; ++row) {
    const double factor = at(row, column) / at(column, column);
    if (factor == 0) continue;
    for (int k = column; k <= std::min(n_ - 1, column + kUpper); ++k) at(row, k) -= factor * at(column, k);
    for (int axis = 0; axis < 3; ++axis) right(row, axis) -= factor * right(column, axis);
  }
}

void BandedSystem::substitute(int row) {
  for (int axis = 0; axis < 3; ++axis) {
    double sum = right(row, axis);
    for (int k = row + 1; k <= std::min(n_ - 1, row + kUpper); ++k) sum -= at(row, k) * right(k, axis);
    right(row, axis) = sum / at(row, row);
  }
}

void BandedSystem::solve() {
  for (int column = 0; column < n_; ++column) eliminate(column);
  for (int row = n_ - 1; row >= 0; --row) substitute(row);
}

// what one boundary value of a piece adds to its derivatives 4, 5 and 6 at one end
std::array<double, 3> high_derivatives(int boundary, double h, bool at_end) {
  Boundary unit{};
  unit[static_cast<std::size_t>(boundary)] = 1;
  const Coefficients d = derivatives(hermite(unit, h), at_end ? h : 0);
  return {d[4], d[5], d[6]};
}

// derivatives 4 to 6 at inner point `knot` agree from both sides: three rows
void add_continuity(BandedSystem& system, const std::vector<Vec>& points, const std::vector<double>& durations, int knot) {
  const int n_inner = static_cast<int>(durations.size()) - 1;
  for (int side = 0; side < 2; ++side) {
    const int piece = knot - 1 + side;
    const double h = durations[static_cast<std::size_t>(piece)], sign = side == 0 ? 1 : -1;
    for (int value = 0; value < 8; ++value) {
      const std::array<double, 3> effect = high_derivatives(value, h, side == 0);
      const int owner = piece + value / 4, order = value % 4;
      const bool known = order == 0, zero = owner == 0 || owner == n_inner + 1;
      for (int k = 0; k < 3; ++k) {
        const int row = 3 * (knot - 1) + k;
        const double weight = sign * effect[static_cast<std::size_t>(k)];
        if (known) {
          for (int axis = 0; axis < 3; ++axis) system.right(row, axis) -= weight * points[static_cast<std::size_t>(owner)][static_cast<std::size_t>(axis)];
        } else if (!zero) {
          system.at(row, 3 * (owner - 1) + order - 1) += weight;
        }
      }
    }
  }
}

// a piece on which the speed goes smoothly from `from` to `to` along a straight line
PathPiece speed_change(const Vec& start, const Vec& direction, double from, double to, double duration) {
  PathPiece piece;
  piece.duration = duration;
  const double change = (to - from) / (duration * duration * duration);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double d = direction[axis];
    piece.coefficient[axis] = {start[axis], d * from, 0, 0, d * (2.5 * change), d * (-3 * change / duration), d * (change / (duration * duration)), 0};
  }
  return piece;
}

Vec along(const Vec& start, const Vec& direction, double length) {
  return {start[0] + direction[0] * length, start[1] + direction[1] * length, start[2] + direction[2] * length};
}

}  // namespace

double distance(const Vec& a, const Vec& b) {
  const double x = b[0] - a[0], y = b[1] - a[1], z = b[2] - a[2];
  return math::sqrt(x * x + y * y + z * z);
}

Coefficients hermite(const Boundary& b, double h) {
  const double v = b[1] * h, a = b[2] * h * h, j = b[3] * h * h * h;
  const double d0 = b[4] - b[0] - v - a / 2 - j / 6;
  const double d1 = b[5] * h - v - a - j / 2;
  const double d2 = b[6] * h * h - a - j;
  const double d3 = b[7] * h * h * h - j;
  Coefficients c = {b[0],
                    v,
                    a / 2,
                    j / 6,
                    35 * d0 - 15 * d1 + 2.5 * d2 - d3 / 6,
                    -84 * d0 + 39 * d1 - 7 * d2 + d3 / 2,
                    70 * d0 - 34 * d1 + 6.5 * d2 - d3 / 2,
                    -20 * d0 + 10 * d1 - 2 * d2 + d3 / 6};
  double power = 1;
  for (double& x : c) {
    x = x / power;
    power = power * h;
  }
  return c;
}

std::array<double, 8> derivatives(const std::array<double, 8>& coefficient, double s) {
  std::array<double, 8> c = coefficient, out{};
  for (std::size_t order = 0; order < 8; ++order) {
    double sum = 0;
    for (std::size_t k = 8; k-- > 0;) sum = sum * s + c[k];
    out[order] = sum;
    // differentiate in place
    for (std::size_t k = 0; k + 1 < 8; ++k) c[k] = c[k + 1] * static_cast<double>(k + 1);
    c[7] = 0;
  }
  return out;
}

Path minimum_snap(const std::vector<Vec>& points, const std::vector<double>& durations) {
  core::require(points.size() >= 2 && durations.size() + 1 == points.size(), "minimum_snap: one duration for each leg");
  const int n_pieces = static_cast<int>(durations.size()), n_inner = n_pieces - 1;

  // time in units of the mean duration keeps the powers of it near one
  double mean = 0;
  for (double duration : durations) mean += duration;
  mean = mean / static_cast<double>(n_pieces);
  std::vector<double> scaled = durations;
  for (double& duration : scaled) duration = duration / mean;

  BandedSystem system(3 * n_inner);
  for (int knot = 1; knot <= n_inner; ++knot) add_continuity(system, points, scaled, knot);
  system.solve();

  Path path;
  for (int i = 0; i < n_pieces; ++i) {
    const auto index = static_cast<std::size_t>(i);
    PathPiece piece;
    piece.duration = durations[index];
    for (int axis = 0; axis < 3; ++axis) {
      Boundary b{};
      for (int end = 0; end < 2; ++end) {
        const int knot = i + end;
        b[static_cast<std::size_t>(4 * end)] = points[static_cast<std::size_t>(knot)][static_cast<std::size_t>(axis)];
        for (int order = 1; order < 4 && knot >= 1 && knot <= n_inner; ++order)
          b[static_cast<std::size_t>(4 * end + order)] = system.right(3 * (knot - 1) + order - 1, axis);
      }
      Coefficients c = hermite(b, scaled[index]);
      double power = 1;
      for (double& x : c) {
        x = x / power;
        power = power * mean;
      }
      piece.coefficient[static_cast<std::size_t>(axis)] = c;
    }
    path.pieces.push_back(piece);
  }
  return path;
}

Path straight_legs(const std::vector<Vec>& points, double speed, double acceleration, double pause) {
  // peak of the smooth step's slope
  constexpr double kPeak = 1.875;
  Path path;
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const Vec &from = points[i], &to = points[i + 1];
    const double length = distance(from, to);
    const Vec direction = {(to[0] - from[0]) / length, (to[1] - from[1]) / length, (to[2] - from[2]) / length};

    // a short leg has no time to reach full speed: speeding up and slowing down fill it
    const double top = math::min(speed, math::sqrt(length * acceleration / kPeak));
    const double change_time = kPeak * top / acceleration, change_length = top * change_time / 2;
    const double cruise_length = math::max(length - 2 * change_length, 0.0);
    path.pieces.push_back(speed_change(from, direction, 0, top, change_time));
    if (cruise_length > 1e-9 * length) {
      path.pieces.push_back(speed_change(along(from, direction, change_length), direction, top, top, cruise_length / top));
    }
    path.pieces.push_back(speed_change(along(from, direction, length - change_length), direction, top, 0, change_time));

    if (pause > 0) path.pieces.push_back(speed_change(to, direction, 0, 0, pause));
  }
  return path;
}

}  // namespace volary::scenario
