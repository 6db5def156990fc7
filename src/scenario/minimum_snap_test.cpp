// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/minimum_snap.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace volary::scenario {

namespace {

const std::vector<Vec> kPoints = {{0, 0, 0}, {2, 1, 1}, {3, -1, 2}, {7, 0, 1.5}, {8, 4, 1}};
const std::vector<double> kDurations = {1.2, 0.8, 2.5, 1.7};

Vec at(const PathPiece& piece, double s, std::size_t order) {
  Vec v{};
  for (std::size_t axis = 0; axis < 3; ++axis) v[axis] = derivatives(piece.coefficient[axis], s)[order];
  return v;
}

// integral of squared snap over a piece, exact enough by Simpson's rule
double snap_cost(const PathPiece& piece) {
  constexpr int kSteps = 200;
  double sum = 0;
  for (int i = 0; i <= kSteps; ++i) {
    const Vec snap = at(piece, piece.duration * i / kSteps, 4);
    const double square = snap[0] * snap[0] + snap[1] * snap[1] + snap[2] * snap[2];
    sum += square * (i == 0 || i == kSteps ? 1 : (i % 2 == 1 ? 4 : 2));
  }
  return sum * piece.duration / kSteps / 3;
}

// adds amount * s^4 (h - s)^4, degree 8, cut to what a piece can hold: s^a (h-s)^b with a + b = 7 vanishes
// with three derivatives at one end and two at the other, so two neighbouring pieces stay joined
double cost_with_bump(Path path, std::size_t piece_index, double amount) {
  PathPiece& piece = path.pieces[piece_index];
  // s^4 (h - s)^3: zero with derivatives up to the 3rd at the start and up to the 2nd at the end
  const double h = piece.duration;
  const double bump[8] = {0, 0, 0, 0, h * h * h, -3 * h * h, 3 * h, -1};
  for (std::size_t k = 0; k < 8; ++k) piece.coefficient[0][k] += amount * bump[k];
  // the next piece takes over the jump in jerk, 6 * (-1) * h^4, by q s^3 (g - s)^4
  PathPiece& next = path.pieces[piece_index + 1];
  const double g = next.duration, jump = derivatives({0, 0, 0, 0, bump[4], bump[5], bump[6], bump[7]}, h)[3];
  const double q = amount * jump / (6 * g * g * g * g);
  const double answer[8] = {0, 0, 0, g * g * g * g, -4 * g * g * g, 6 * g * g, -4 * g, 1};
  for (std::size_t k = 0; k < 8; ++k) next.coefficient[0][k] += q * answer[k];
  double cost = 0;
  for (const PathPiece& p : path.pieces) cost += snap_cost(p);
  return cost;
}

}  // namespace

TEST(minimum_snap, passes_through_the_waypoints) {
  const Path path = minimum_snap(kPoints, kDurations);
  ASSERT_EQ(path.pieces.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(path.pieces[i].duration, kDurations[i]);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      EXPECT_NEAR(at(path.pieces[i], 0, 0)[axis], kPoints[i][axis], 1e-12);
      EXPECT_NEAR(at(path.pieces[i], kDurations[i], 0)[axis], kPoints[i + 1][axis], 1e-10);
    }
  }
}

TEST(minimum_snap, starts_and_ends_at_rest) {
  const Path path = minimum_snap(kPoints, kDurations);
  for (std::size_t order = 1; order < 4; ++order)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      EXPECT_NEAR(at(path.pieces.front(), 0, order)[axis], 0, 1e-9);
      EXPECT_NEAR(at(path.pieces.back(), kDurations.back(), order)[axis], 0, 1e-9);
    }
}

TEST(minimum_snap, derivatives_up_to_the_sixth_are_continuous) {
  const Path path = minimum_snap(kPoints, kDurations);
  for (std::size_t i = 0; i + 1 < 4; ++i)
    for (std::size_t order = 0; order <= 6; ++order)
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const double before = at(path.pieces[i], kDurations[i], order)[axis], after = at(path.pieces[i + 1], 0, order)[axis];
        EXPECT_NEAR(before, after, 1e-8 * (1 + std::abs(after))) << "piece " << i << " order " << order;
      }
}

TEST(minimum_snap, no_perturbed_path_costs_less) {
  const Path path = minimum_snap(kPoints, kDurations);
  for (std::size_t i = 0; i + 1 < 4; ++i) {
    const double best = cost_with_bump(path, i, 0);
    for (double amount : {-1.0, -0.1, -0.01, 0.01, 0.1, 1.0}) EXPECT_GT(cost_with_bump(path, i, amount), best) << i << " " << amount;
  }
}

TEST(minimum_snap, one_leg_is_the_rest_to_rest_polynomial) {
  const Path path = minimum_snap({{0, 0, 0}, {1, 0, 0}}, {1});
  const std::array<double, 8> expected = {0, 0, 0, 0, 35, -84, 70, -20};
  EXPECT_EQ(path.pieces[0].coefficient[0], expected);
}

TEST(minimum_snap, thousands_of_points_stay_accurate) {
  std::vector<Vec> points;
  std::vector<double> durations;
  for (int i = 0; i < 3000; ++i) {
    points.push_back({i * 0.7, (i % 7) * 0.3, (i % 3) * 1.0});
    if (i > 0) durations.push_back(1 + 0.1 * (i % 5));
  }
  const Path path = minimum_snap(points, durations);
  for (std::size_t i = 0; i + 1 < path.pieces.size(); ++i) {
    EXPECT_NEAR(at(path.pieces[i], durations[i], 0)[1], points[i + 1][1], 1e-8);
    EXPECT_NEAR(at(path.pieces[i], durations[i], 4)[1], at(path.pieces[i + 1], 0, 4)[1], 1e-5);
  }
}

TEST(straight_legs, reach_every_point_at_rest_and_keep_to_the_speed_and_acceleration) {
  const std::vector<Vec> points = {{0, 0, 1}, {20, 0, 1}, {20, 0.2, 1}};
  const Path path = straight_legs(points, 3, 2, 0);
  Vec where = points[0];
  double top_speed = 0, top_acceleration = 0;
  for (const PathPiece& piece : path.pieces) {
    for (std::size_t axis = 0; axis < 3; ++axis) EXPECT_NEAR(at(piece, 0, 0)[axis], where[axis], 1e-9);
    for (int i = 0; i <= 100; ++i) {
      top_speed = std::max(top_speed, distance({0, 0, 0}, at(piece, piece.duration * i / 100, 1)));
      top_acceleration = std::max(top_acceleration, distance({0, 0, 0}, at(piece, piece.duration * i / 100, 2)));
    }
    where = at(piece, piece.duration, 0);
  }
  EXPECT_NEAR(distance(where, points.back()), 0, 1e-9);
  EXPECT_NEAR(top_speed, 3, 1e-9);
  EXPECT_NEAR(top_acceleration, 2, 1e-9);
  ASSERT_EQ(path.pieces.size(), 5u);  // the short leg has no cruise
  EXPECT_NEAR(distance({0, 0, 0}, at(path.pieces[2], path.pieces[2].duration, 1)), 0, 1e-9);
}

TEST(straight_legs, velocity_and_acceleration_are_continuous) {
  const Path path = straight_legs({{0, 0, 0}, {30, 0, 0}, {30, 30, 5}}, 4, 1.5, 2);
  for (std::size_t i = 0; i + 1 < path.pieces.size(); ++i)
    for (std::size_t order = 1; order <= 3; ++order)
      for (std::size_t axis = 0; axis < 3; ++axis)
        EXPECT_NEAR(at(path.pieces[i], path.pieces[i].duration, order)[axis], at(path.pieces[i + 1], 0, order)[axis], 1e-9);
}

}  // namespace volary::scenario
