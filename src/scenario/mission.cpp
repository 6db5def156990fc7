// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/mission.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "math/functions.hpp"
#include "scenario/field_error.hpp"
#include "scenario/minimum_snap.hpp"
#include "scenario/route.hpp"

namespace volary::scenario {

namespace {

constexpr double kTwoPi = 6.283185307179586;
constexpr double kQuarterTurn = 1.5707963267948966;
// points nearer than this are one point written twice
constexpr double kNearest = 1e-3;

MissionPlan begin_plan(const HoldFile& file) {
  MissionPlan plan;
  plan.centre = file.centre;
  plan.height = file.height;
  return plan;
}
MissionPlan begin_curve(const CurveFile& file) {
  MissionPlan plan = begin_plan(file);
  plan.harmonic.ramp = file.ramp;
  plan.harmonic.face_forward = file.face_forward;
  return plan;
}

core::Result<MissionPlan> plan(const CircleFile& file, const std::string& field) {
  const int given = file.speed.has_value() + file.period.has_value() + file.acceleration.has_value();
  if (given != 1) {
    return error_at(field, fmt::format("{} of speed, period and acceleration are given", given), "give exactly one of the three");
  }
  double rate = 0;
  if (file.speed) rate = *file.speed / file.radius;
  if (file.period) rate = kTwoPi / *file.period;
  if (file.acceleration) rate = math::sqrt(*file.acceleration / file.radius);

  MissionPlan plan = begin_curve(file);
  plan.spread = file.spread;
  // spread vehicles begin at the same places whichever way round they fly: those of a ring
  plan.turns = file.clockwise ? Vec{-1, -1, 0} : Vec{1, 1, 0};
  plan.harmonic.amplitude = {file.radius, file.clockwise ? -file.radius : file.radius, 0};
  plan.harmonic.rate = {rate, rate, 0};
  plan.harmonic.phase = {kQuarterTurn, 0, 0};
  return plan;
}

core::Result<MissionPlan> plan(const FigureEightFile& file, const std::string& field) {
  const int given = file.speed.has_value() + file.period.has_value();
  if (given != 1) return error_at(field, fmt::format("{} of speed and period are given", given), "give exactly one of the two");
  // x = a sin(w t), y = b sin(2 w t)
  const double a = file.length / 2, b = file.width.value_or(file.length / 2) / 2;
  const double rate = file.period ? kTwoPi / *file.period : *file.speed / math::sqrt(a * a + 4 * b * b);

  MissionPlan plan = begin_curve(file);
  plan.spread = file.spread;
  plan.turns = {1, 2, 0};
  plan.harmonic.amplitude = {a, b, 0};
  plan.harmonic.rate = {rate, 2 * rate, 0};
  return plan;
}

core::Result<MissionPlan> plan(const LissajousFile& file, const std::string&) {
  MissionPlan plan = begin_curve(file);
  plan.harmonic.amplitude = file.amplitude;
  plan.harmonic.rate = file.rate;
  plan.harmonic.phase = file.phase;
  return plan;
}

core::Result<MissionPlan> plan(const HoldFile& file, const std::string&) { return begin_plan(file); }

// the points of a path, closed when it loops; neighbours must differ
core::Result<std::vector<Vec>> path_points(std::vector<Vec> points, bool loop, const std::string& field) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (double x : points[i])
      if (math::abs(x) > kFar) {
        return error_at(fmt::format("{}.points[{}]", field, i), fmt::format("{} m is too far: at most {} m", x, kFar));
      }
    if (i > 0 && distance(points[i - 1], points[i]) < kNearest)
      return error_at(fmt::format("{}.points[{}]", field, i), "is the same point as the one before it", "leave one of the two out");
  }
  if (loop && distance(points.back(), points.front()) >= kNearest) points.push_back(points.front());
  return points;
}

core::Result<MissionPlan> finish_path(Path path, bool loop, const std::optional<Vec>& centre, const std::string& field) {
  for (const PathPiece& piece : path.pieces)
    for (const auto& axis : piece.coefficient)
      for (double c : axis)
        if (!std::isfinite(c)) {
          return error_at(field, "no smooth path through these points at these speeds", "are two of the points very near each other?");
        }
  MissionPlan plan;
  plan.centre = centre;
  path.loop = loop;
  plan.path = std::move(path);
  return plan;
}

core::Result<MissionPlan> plan(const WaypointsFile& file, const std::string& field) {
  const core::Result<std::vector<Vec>> points = path_points(file.points, file.loop, field);
  if (!points) return points.error();
  return finish_path(straight_legs(points.value(), file.speed, file.acceleration, file.pause), file.loop, file.centre, field);
}

core::Result<MissionPlan> plan(const MinimumSnapFile& file, const std::string& field) {
  const int given = file.speed.has_value() + file.total_time.has_value();
  if (given != 1) return error_at(field, fmt::format("{} of speed and total_time are given", given), "give exactly one of the two");
  const core::Result<std::vector<Vec>> points = path_points(file.points, file.loop, field);
  if (!points) return points.error();

  // legs take time in proportion to their length
  std::vector<double> durations;
  double length = 0;
  for (std::size_t i = 1; i < points.value().size(); ++i) {
    durations.push_back(distance(points.value()[i - 1], points.value()[i]));
    length += durations.back();
  }
  const double time_per_length = file.speed ? 1 / *file.speed : *file.total_time / length;
  for (double& duration : durations) duration = duration * time_per_length;
  return finish_path(minimum_snap(points.value(), durations), file.loop, file.centre, field);
}

core::Result<MissionPlan> plan(const RouteFile& file, const std::string& field) {
  const core::Result<std::vector<Vec>> points = path_points(file.points, false, field);
  if (!points) return points.error();
  core::Result<Path> path = plan_route(file, field);
  if (!path) return path.error();
  core::Result<MissionPlan> plan = finish_path(std::move(path).value(), file.loop, file.centre, field);
  if (!plan) return plan;
  plan.value().spread = file.spread;
  plan.value().yaw = math::atan2(file.points[1][1] - file.points[0][1], file.points[1][0] - file.points[0][0]);
  return plan;
}

bool in_the_air(Start start) { return start == Start::Hold || start == Start::Mission; }

// several vehicles on one curve must not begin on top of each other
core::Status check_shared(const MissionPlan& plan, std::int64_t n_vehicles, Start start, const std::string& field, bool can_spread) {
  if (plan.spread && !plan.centre) {
    return error_at(field + ".spread", "vehicles can only share a curve that has a centre", "add centre: [x, y, z]");
  }
  const bool one_by_one = plan.stagger > 0 && !in_the_air(start);
  if (!plan.centre || plan.spread || n_vehicles <= 1 || one_by_one) return core::ok();
  return error_at(field + ".centre", fmt::format("{} vehicles would fly in the same place", n_vehicles),
                  can_spread ? "add spread: true, or leave the centre out" : "leave the centre out, or let them start from the ground with a stagger");
}

template <class F> void plan_if_given(const std::optional<F>& file, const char* name, const std::string& field, int& given,
                                      std::optional<core::Result<MissionPlan>>& result, std::string& where) {
  if (!file) return;
  ++given;
  where = field + "." + name;
  result = plan(*file, where);
}

// where the curve begins, relative to its centre
Vec curve_start(const MissionPlan& plan, const Harmonic& harmonic) {
  Vec at{};
  for (std::size_t k = 0; k < 3; ++k) at[k] = plan.path ? plan.path->pieces.front().coefficient[k][0] : harmonic.amplitude[k] * math::sin(harmonic.phase[k]);
  return at;
}

// a curve without a ramp is entered in flight: along it, and as fast as it is flown
void begin_at_speed(VehicleDef& vehicle) {
  const Harmonic& h = vehicle.harmonic;
  for (std::size_t k = 0; k < 3; ++k) vehicle.velocity_W[k] = h.amplitude[k] * h.rate[k] * math::cos(h.phase[k]);
  const Vec& v = vehicle.velocity_W;
  if (v[0] != 0 || v[1] != 0) vehicle.yaw = math::atan2(v[1], v[0]);
}

// straight lines between points in time
core::Result<Path> path_of_angles(const TurnFile& file, const std::string& field) {
  Path path;
  path.loop = file.loop;
  for (std::size_t k = 0; k + 1 < file.points.size(); ++k) {
    const auto &from = file.points[k], &to = file.points[k + 1];
    PathPiece piece;
    piece.duration = to[0] - from[0];
    if (k == 0 && from[0] != 0) return error_at(field + ".points[0]", fmt::format("begins at {} s: the first point is that of the start", from[0]), "0");
    if (!(piece.duration > 0)) return error_at(fmt::format("{}.points[{}]", field, k + 1), fmt::format("{} s is not after {} s", to[0], from[0]), "points in the order of time");
    for (std::size_t axis = 0; axis < 3; ++axis) {
      piece.coefficient[axis][0] = from[axis + 1];
      piece.coefficient[axis][1] = (to[axis + 1] - from[axis + 1]) / piece.duration;
    }
    path.pieces.push_back(piece);
  }
  return path;
}
core::Status plan_turn(const TurnFile& file, const std::string& field, MissionPlan& plan) {
  plan.turning = {file.amplitude, file.rate, file.phase, file.offset, -1};
  if (file.points.empty()) return core::ok();
  core::Result<Path> path = path_of_angles(file, field);
  if (!path) return path.error();
  plan.angles = std::move(path).value();
  return core::ok();
}

}  // namespace

core::Result<MissionPlan> plan_mission(const MissionFile& file, std::int64_t n_vehicles, Start start, const std::string& field) {
  int given = 0;
  std::optional<core::Result<MissionPlan>> result;
  std::string where;
  plan_if_given(file.hold, "hold", field, given, result, where);
  plan_if_given(file.circle, "circle", field, given, result, where);
  plan_if_given(file.figure_eight, "figure_eight", field, given, result, where);
  plan_if_given(file.lissajous, "lissajous", field, given, result, where);
  plan_if_given(file.waypoints, "waypoints", field, given, result, where);
  plan_if_given(file.minimum_snap, "minimum_snap", field, given, result, where);
  plan_if_given(file.route, "route", field, given, result, where);
  if (given > 1) {
    return error_at(field, "has more than one curve", "one of hold, circle, figure_eight, lissajous, waypoints, minimum_snap, route");
  }
  if (given == 0) result = plan(HoldFile{}, field);
  if (!*result) return result->error();

  MissionPlan made = std::move(*result).value();
  made.start_delay = file.start_delay;
  made.stagger = file.stagger;
  if (file.turn)
    if (const core::Status planned = plan_turn(*file.turn, field + ".turn", made); !planned) return planned.error();
  if (const core::Status shared = check_shared(made, n_vehicles, start, where, file.circle || file.figure_eight || (file.route && file.route->loop)); !shared) {
    return shared.error();
  }
  return made;
}

MissionPlan share_path(const MissionPlan& plan, std::int64_t index, std::int64_t count) {
  MissionPlan own = plan;
  own.path = begin_later(*plan.path, static_cast<double>(index) / static_cast<double>(count));
  const auto& c = own.path->pieces.front().coefficient;
  own.yaw = math::atan2(c[1][1], c[0][1]);
  return own;
}

void assign_mission(const MissionPlan& plan, std::int64_t index, std::int64_t count, Start start, VehicleDef& vehicle) {
  vehicle.harmonic = plan.harmonic;
  vehicle.turning = plan.turning;
  if (plan.spread) {
    const double turn = kTwoPi * static_cast<double>(index) / static_cast<double>(count);
    for (std::size_t k = 0; k < 3; ++k) vehicle.harmonic.phase[k] += turn * plan.turns[k];
  }
  vehicle.start_delay = plan.start_delay + plan.stagger * static_cast<double>(index);

  // without a centre a harmonic begins straight above the vehicle, and points count from the vehicle
  const Vec begin = curve_start(plan, vehicle.harmonic);
  vehicle.centre_W = plan.centre.value_or(vehicle.position_W);
  vehicle.centre_W[2] += plan.height;
  if (!plan.centre && !plan.path)
    for (std::size_t k = 0; k < 3; ++k) vehicle.centre_W[k] -= begin[k];
  if (!in_the_air(start)) return;
  for (std::size_t k = 0; k < 3; ++k) vehicle.position_W[k] = vehicle.centre_W[k] + begin[k];
  const bool at_once = start == Start::Mission && vehicle.start_delay == 0;
  if (!plan.path && at_once && vehicle.harmonic.ramp == 0) begin_at_speed(vehicle);
  if (!plan.yaw) return;
  vehicle.yaw = *plan.yaw;
  if (!at_once) return;
  const auto& first = plan.path->pieces.front().coefficient;
  const Vec velocity = {first[0][1], first[1][1], first[2][1]};
  // what rounding left of a start from rest is none
  if (distance(velocity, {0, 0, 0}) > 1e-6) vehicle.velocity_W = velocity;
}

}  // namespace volary::scenario
