// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/route.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "scenario/minimum_snap.hpp"

namespace volary::scenario {

namespace {

constexpr double kPi = 3.141592653589793;

RouteFile rectangle() {
  RouteFile file;
  file.points = {{0, 0, 100}, {1000, 0, 100}, {1000, 750, 100}, {0, 750, 100}};
  file.speed = 20;
  file.radius = 60;
  file.loop = true;
  return file;
}
Path planned(const RouteFile& file) {
  const core::Result<Path> path = plan_route(file, "route");
  EXPECT_TRUE(path) << path.error().text();
  return path ? path.value() : Path{};
}
Vec at(const PathPiece& piece, double s, std::size_t order) {
  Vec v{};
  for (std::size_t axis = 0; axis < 3; ++axis) v[axis] = derivatives(piece.coefficient[axis], s)[order];
  return v;
}
double size(const Vec& v) { return distance({0, 0, 0}, v); }
double duration(const Path& path) {
  double sum = 0;
  for (const PathPiece& piece : path.pieces) sum += piece.duration;
  return sum;
}
template <class F> void each_moment(const Path& path, F&& f) {
  for (const PathPiece& piece : path.pieces)
    for (int i = 0; i <= 20; ++i) f(piece, piece.duration * i / 20);
}
// jumps between pieces: of the position, and of the velocity
std::array<double, 2> worst_jumps(const Path& path) {
  std::array<double, 2> worst = {0, 0};
  const std::size_t n = path.pieces.size();
  for (std::size_t i = 0; i < (path.loop ? n : n - 1); ++i)
    for (std::size_t order = 0; order < 2; ++order)
      worst[order] = std::max(worst[order], distance(at(path.pieces[i], path.pieces[i].duration, order), at(path.pieces[(i + 1) % n], 0, order)));
  return worst;
}

}  // namespace

TEST(route, a_rounded_rectangle_is_as_long_as_its_straights_and_one_circle) {
  const Path path = planned(rectangle());
  EXPECT_TRUE(path.loop);
  EXPECT_NEAR(duration(path) * 20, 2 * (1000 - 120) + 2 * (750 - 120) + 2 * kPi * 60, 1e-6);
  // begins where the arc at its first point ends, along the first leg
  EXPECT_NEAR(distance(at(path.pieces[0], 0, 0), {60, 0, 100}), 0, 1e-9);
  EXPECT_NEAR(distance(at(path.pieces[0], 0, 1), {20, 0, 0}), 0, 1e-9);
}

TEST(route, corners_keep_their_radius_to_a_millimetre_and_the_speed_to_a_part_in_a_million) {
  RouteFile file = rectangle();
  file.radius = 100;
  const Path path = planned(file);
  int in_corner = 0;
  each_moment(path, [&](const PathPiece& piece, double s) {
    const Vec p = at(piece, s, 0);
    EXPECT_NEAR(size(at(piece, s, 1)), 20, 20e-6);
    EXPECT_NEAR(p[2], 100, 1e-9);
    const double x = p[0] < 500 ? 100 : 900, y = p[1] < 375 ? 100 : 650;
    if ((p[0] > 100 && p[0] < 900) || (p[1] > 100 && p[1] < 650)) return;
    EXPECT_NEAR(std::hypot(p[0] - x, p[1] - y), 100, 1e-3);
    ++in_corner;
  });
  EXPECT_GT(in_corner, 100);
}

TEST(route, a_loop_closes_without_a_jump) {
  const std::array<double, 2> jumps = worst_jumps(planned(rectangle()));
  EXPECT_LT(jumps[0], 1e-9);
  EXPECT_LT(jumps[1], 1e-9);
}

TEST(route, straight_legs_are_straight_lines_to_the_last_bit) {
  const Path path = planned(rectangle());
  int straight = 0;
  for (const PathPiece& piece : path.pieces) {
    bool line = true;
    for (const auto& axis : piece.coefficient)
      for (std::size_t k = 2; k < 8; ++k) line = line && axis[k] == 0;
    straight += line;
  }
  EXPECT_EQ(straight, 4);
}

TEST(route, an_open_route_goes_from_its_first_point_to_its_last) {
  RouteFile file;
  file.points = {{0, 0, 0}, {30, 0, 0}, {30, 40, 5}};
  file.speed = 3;
  file.radius = 10;
  const Path path = planned(file);
  EXPECT_FALSE(path.loop);
  EXPECT_NEAR(distance(at(path.pieces.front(), 0, 0), {0, 0, 0}), 0, 1e-12);
  EXPECT_NEAR(distance(at(path.pieces.back(), path.pieces.back().duration, 0), {30, 40, 5}), 0, 1e-9);
}

TEST(route, heights_are_linear_along_the_rounded_length_and_slopes_change_over_the_arc) {
  RouteFile file;
  file.points = {{0, 0, 0}, {100, 0, 20}, {100, 100, 0}};
  file.speed = 10;
  file.radius = 20;
  const Path path = planned(file);
  const double half_arc = 20 * kPi / 4, slope = 20 / (80 + half_arc);
  // where the arc begins, on the first leg
  EXPECT_NEAR(at(path.pieces[0], path.pieces[0].duration, 0)[2], 80 * slope, 1e-9);
  // in the middle of the arc the slope is level, and by symmetry the parabola is a quarter of slope times arc below the point
  const PathPiece& first_half = path.pieces[1];
  EXPECT_NEAR(at(first_half, first_half.duration, 0)[2], 20 - slope * half_arc / 2, 1e-6);
  EXPECT_NEAR(at(first_half, first_half.duration, 1)[2], 0, 1e-9);
  EXPECT_LT(worst_jumps(path)[1], 1e-9);
  each_moment(path, [](const PathPiece& piece, double s) { EXPECT_NEAR(size(at(piece, s, 1)), 10, 1e-3); });
}

TEST(route, points_in_one_line_round_the_change_of_slope_only) {
  RouteFile file;
  file.points = {{0, 0, 0}, {100, 0, 0}, {200, 0, 30}};
  file.speed = 10;
  file.radius = 50;
  const Path path = planned(file);
  EXPECT_LT(worst_jumps(path)[1], 1e-9);
  double highest = 0;
  each_moment(path, [&](const PathPiece& piece, double s) {
    EXPECT_NEAR(at(piece, s, 0)[1], 0, 1e-12);
    highest = std::max(highest, std::abs(at(piece, s, 2)[2]));
  });
  EXPECT_LT(highest, 1.05 * 10 * 10 / 50);  // the radius holds in the upright plane too
}

TEST(route, from_rest_to_rest_speed_rises_and_falls_at_the_acceleration) {
  RouteFile file;
  file.points = {{0, 0, 0}, {30, 0, 0}, {30, 40, 2}, {70, 40, 2}};
  file.speed = 8;
  file.radius = 12;
  file.acceleration = 1.5;
  file.from_rest = file.to_rest = true;
  const Path path = planned(file);
  EXPECT_NEAR(size(at(path.pieces.front(), 0, 1)), 0, 1e-12);
  EXPECT_NEAR(size(at(path.pieces.back(), path.pieces.back().duration, 1)), 0, 1e-9);
  const std::array<double, 2> jumps = worst_jumps(path);
  EXPECT_LT(jumps[0], 1e-9);
  EXPECT_LT(jumps[1], 1e-9);
  double top = 0, steepest = 0, length = 0;
  each_moment(path, [&](const PathPiece& piece, double s) {
    const Vec v = at(piece, s, 1), a = at(piece, s, 2);
    const double speed = size(v);
    top = std::max(top, speed);
    length += speed * piece.duration / 20;
    if (speed > 1e-3) steepest = std::max(steepest, std::abs(v[0] * a[0] + v[1] * a[1] + v[2] * a[2]) / speed);
    const Vec p = at(piece, s, 0);
    // nowhere off the rounded corners: inside, an arc stays within (sqrt 2 - 1) R of its point
    EXPECT_TRUE(p[0] > -1e-6 && p[0] < 70 + 1e-6 && p[1] > -1e-3 && p[1] < 40 + 1e-3);
  });
  EXPECT_NEAR(top, 8, 1e-3);
  EXPECT_NEAR(steepest, 1.5, 2e-3);
}

TEST(route, a_loop_begun_later_is_the_same_loop) {
  const Path loop = planned(rectangle());
  const double lap = duration(loop);
  for (const double share : {0.0, 0.2, 0.5, 0.77}) {
    const Path later = begin_later(loop, share);
    EXPECT_NEAR(duration(later), lap, 1e-9);
    EXPECT_LT(worst_jumps(later)[0], 1e-8);
    EXPECT_LT(worst_jumps(later)[1], 1e-8);
    // where the first has come by then
    double time = share * lap;
    std::size_t k = 0;
    while (time >= loop.pieces[k].duration) time -= loop.pieces[k++].duration;
    EXPECT_NEAR(distance(at(later.pieces[0], 0, 0), at(loop.pieces[k], time, 0)), 0, 1e-8) << share;
  }
  RouteFile open = rectangle();
  open.loop = false;
  open.spread = true;
  EXPECT_FALSE(plan_route(open, "route"));
}

TEST(route, a_route_too_short_for_its_speed_is_driven_slower) {
  RouteFile file;
  file.points = {{0, 0, 0}, {3, 0, 0}};
  file.speed = 20;
  file.radius = 1;
  file.acceleration = 1;
  file.from_rest = file.to_rest = true;
  const Path path = planned(file);
  double top = 0;
  each_moment(path, [&](const PathPiece& piece, double s) { top = std::max(top, size(at(piece, s, 1))); });
  EXPECT_NEAR(top, std::sqrt(3 / 1.875), 1e-6);
  EXPECT_NEAR(at(path.pieces.back(), path.pieces.back().duration, 0)[0], 3, 1e-9);
}

TEST(route, what_cannot_be_rounded_is_named_by_its_point) {
  auto error_of = [](RouteFile file) {
    const core::Result<Path> path = plan_route(file, "route");
    return path ? core::Error{} : path.error();
  };
  RouteFile sharp = rectangle();
  sharp.points = {{0, 0, 0}, {100, 0, 0}, {1, 2, 0}, {0, 100, 0}};
  EXPECT_EQ(error_of(sharp).field, "route.points[1]");
  EXPECT_NE(error_of(sharp).message.find("turns by 179 deg"), std::string::npos) << error_of(sharp).message;

  RouteFile tight = rectangle();
  tight.points[2][1] = tight.points[3][1] = 100;
  EXPECT_EQ(error_of(tight).field, "route.points[2]");
  EXPECT_NE(error_of(tight).message.find("from points[1] to points[2] is 100 m long"), std::string::npos) << error_of(tight).message;
  EXPECT_EQ(error_of(tight).suggestion, "a radius of at most 50 m");
  tight.radius = 50;
  EXPECT_EQ(error_of(tight).message, "");

  RouteFile upright = rectangle();
  upright.points[1] = {0, 0, 120};
  EXPECT_EQ(error_of(upright).field, "route.points[1]");

  RouteFile jumpy = rectangle();
  jumpy.from_rest = true;
  EXPECT_EQ(error_of(jumpy).suggestion, "give both or none");
}

// any route that is accepted is smooth, keeps its speed and its radius
RC_GTEST_PROP(route, any_accepted_route_is_smooth_and_keeps_its_speed, ()) {
  RouteFile file;
  const int n = *rc::gen::inRange(2, 7);
  for (int i = 0; i < n; ++i)
    file.points.push_back(
        {static_cast<double>(*rc::gen::inRange(-500, 500)), static_cast<double>(*rc::gen::inRange(-500, 500)), static_cast<double>(*rc::gen::inRange(0, 40))});
  file.radius = *rc::gen::inRange(1, 30);
  file.speed = *rc::gen::inRange(1, 40);
  file.loop = *rc::gen::arbitrary<bool>() && n > 2;
  const core::Result<Path> made = plan_route(file, "route");
  if (!made) return;
  const std::array<double, 2> jumps = worst_jumps(made.value());
  RC_ASSERT(jumps[0] < 1e-7);
  RC_ASSERT(jumps[1] < 1e-6 * file.speed);
  each_moment(made.value(), [&](const PathPiece& piece, double s) {
    const Vec v = at(piece, s, 1), a = at(piece, s, 2);
    RC_ASSERT(std::abs(size(v) - file.speed) < 1e-3 * file.speed);
    const double level = v[0] * v[0] + v[1] * v[1];
    const double curvature = (v[0] * a[1] - v[1] * a[0]) / (level * std::sqrt(level));
    RC_ASSERT(std::abs(curvature) < 1.001 / file.radius);
  });
}

}  // namespace volary::scenario
