// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/wing_mission.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "math/functions.hpp"
#include "scenario/field_error.hpp"
#include "vehicles/aircraft_report.hpp"
#include "vehicles/car_def.hpp"

namespace volary::scenario {

namespace {

constexpr double kDegrees = 57.29577951308232, kTwoPi = 6.283185307179586;

// a place on a curve: how fast it is passed, and how tightly it turns
struct Bend {
  double speed, radius;  // m/s, m
};

// the bends of a mission's curve, level; none of curves that nobody judges
std::vector<Bend> bends_of(const MissionFile& file) {
  if (file.circle) {
    const CircleFile& c = *file.circle;
    return {{c.speed ? *c.speed : c.period ? kTwoPi * c.radius / *c.period : math::sqrt(c.acceleration.value_or(0) * c.radius), c.radius}};
  }
  if (file.route) return {{file.route->speed, file.route->radius}};
  if (!file.figure_eight) return {};
  // x = a sin(w t), y = b sin(2 w t), as in mission.cpp: a quarter of it is all of it
  const FigureEightFile& e = *file.figure_eight;
  const double a = e.length / 2, b = e.width.value_or(e.length / 2) / 2;
  const double w = e.period ? kTwoPi / *e.period : e.speed.value_or(0) / math::sqrt(a * a + 4 * b * b);
  std::vector<Bend> bends;
  for (int i = 0; i <= 90; ++i) {
    double s, c, s2, c2;
    math::sincos(i / kDegrees, s, c);
    math::sincos(2 * i / kDegrees, s2, c2);
    const double vx = a * w * c, vy = 2 * b * w * c2, ax = -a * w * w * s, ay = -4 * b * w * w * s2;
    const double speed = math::sqrt(vx * vx + vy * vy), turn = math::abs(vx * ay - vy * ax);
    if (turn > 0) bends.push_back({speed, speed * speed * speed / turn});
  }
  return bends;
}

double fastest_of(const std::vector<Bend>& bends) {
  return std::max_element(bends.begin(), bends.end(), [](const Bend& a, const Bend& b) { return a.speed < b.speed; })->speed;
}

const char* curve_of(const MissionFile& file) { return file.circle ? ".circle" : file.route ? ".route" : ".figure_eight"; }

using airframe::AircraftDef;
using airframe::FlightLimits;

// a level turn: tan(bank) = v^2 / (g r); whoever is planned slower than it can fly flies as slowly as it can
core::Status check_turns(const std::vector<Bend>& bends, const AircraftDef& def, const FlightLimits& can, double gravity, const std::string& field) {
  const double most = math::tan(def.handling.max_bank);
  for (const Bend& bend : bends) {
    const double speed = std::max(bend.speed, can.airspeed_min), radius = bend.radius;
    if (!(gravity > 0) || speed * speed <= most * gravity * radius) continue;
    return error_at(
        field,
        fmt::format("turning at {:.4g} m with {:.4g} m/s takes a bank of {:.0f} deg; {} is flown at up to {:.0f} deg", radius, speed,
                    math::atan2(speed * speed, gravity * radius) * kDegrees, def.name, def.handling.max_bank * kDegrees),
        fmt::format("a radius of {:.0f} m or more, or at most {:.3g} m/s", speed * speed / (most * gravity) + 0.5, math::sqrt(most * gravity * radius)));
  }
  return core::ok();
}

core::Status check_climbs(const RouteFile& route, const AircraftDef& def, const FlightLimits& can, const std::string& field) {
  const std::size_t n = route.points.size();
  for (std::size_t i = 0; i + 1 < n + (route.loop ? 1 : 0); ++i) {
    const Vec &a = route.points[i], &b = route.points[(i + 1) % n];
    const double dx = b[0] - a[0], dy = b[1] - a[1], dz = b[2] - a[2], length = math::sqrt(dx * dx + dy * dy), climb = route.speed * dz / length;
    if (!(climb > 1.05 * can.climb)) continue;
    return error_at(fmt::format("{}.points[{}]", field, (i + 1) % n),
                    fmt::format("{:.4g} m higher after {:.4g} m is a climb of {:.3g} m/s at {:.4g} m/s; {} climbs at up to {:.3g} m/s", dz, length, climb,
                                route.speed, def.name, can.climb),
                    fmt::format("a leg of {:.0f} m or more, or at most {:.0f} m higher", dz * route.speed / can.climb, can.climb * length / route.speed));
  }
  return core::ok();
}

core::Status check_wings(const MissionFile& file, const std::vector<Bend>& bends, const AircraftDef& def, double gravity, const std::string& field) {
  const std::optional<FlightLimits> can = airframe::flight_limits(def, gravity);
  if (!can) return core::ok();  // that it cannot fly here at all is said when it is built
  const double speed = fastest_of(bends);
  if (speed > can->airspeed_max)
    return error_at(field, fmt::format("{:.4g} m/s is faster than {} is flown: at most {:.4g} m/s", speed, def.name, can->airspeed_max),
                    fmt::format("it cruises at {:.4g} m/s", def.speeds.cruise));
  if (speed < can->airspeed_min)
    return error_at(field, fmt::format("{:.4g} m/s is slower than {} is flown: at least {:.4g} m/s", speed, def.name, can->airspeed_min),
                    fmt::format("it cruises at {:.4g} m/s", def.speeds.cruise));
  if (const core::Status turns = check_turns(bends, def, *can, gravity, field); !turns) return turns;
  return file.route ? check_climbs(*file.route, def, *can, field) : core::ok();
}

core::Status check_wheels(const std::vector<Bend>& bends, const airframe::CarDef& def, double max_speed, double gravity, const std::string& field) {
  const airframe::CarFigures f = airframe::car_figures(def, gravity);
  const double top = max_speed > 0 ? std::min(max_speed, f.top_speed) : f.top_speed, speed = fastest_of(bends);
  if (speed > top)
    return error_at(field, fmt::format("{:.4g} m/s is faster than {} drives: at most {:.4g} m/s", speed, def.name, top),
                    max_speed > 0 && max_speed <= f.top_speed ? "a higher max_speed of its controller" : "a lower speed");
  for (const Bend& bend : bends)
    if (bend.radius < f.turning_radius)
      return error_at(field, fmt::format("a turn of {:.4g} m is tighter than {} can steer", bend.radius, def.name),
                      fmt::format("a radius of {:.3g} m or more", f.turning_radius + 0.005));
  return core::ok();
}

}  // namespace

core::Status check_mission_limits(const MissionFile& file, const FlockDef& flock, double gravity, const std::string& field) {
  const std::vector<Bend> bends = bends_of(file);
  if (bends.empty()) return core::ok();
  const std::string curve = field + curve_of(file);
  const void* definition = flock.airframe.definition.get();
  if (flock.airframe.model == "car") return check_wheels(bends, *static_cast<const airframe::CarDef*>(definition), flock.controller.max_speed, gravity, curve);
  if (flock.airframe.model != "aircraft") return core::ok();
  const auto& def = *static_cast<const AircraftDef*>(definition);
  if (def.rotors.size() > 1) return core::ok();  // it can hover
  return check_wings(file, bends, def, gravity, curve);
}

}  // namespace volary::scenario
