// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/wing_mission.hpp"

#include <fmt/format.h>

#include "math/functions.hpp"
#include "scenario/field_error.hpp"
#include "vehicles/aircraft_def.hpp"

namespace volary::scenario {

namespace {

constexpr double kDegrees = 57.29577951308232;

// a level turn: tan(bank) = v^2 / (g r)
core::Status check_turn(double speed, double radius, const airframe::AircraftDef& def, double gravity, const std::string& field) {
  const double fastest = def.speeds.max > 0 ? def.speeds.max : 1.5 * def.speeds.cruise;
  if (speed > fastest)
    return error_at(field, fmt::format("{:.4g} m/s is faster than {} is flown: at most {:.4g} m/s", speed, def.name, fastest),
                    fmt::format("it cruises at {:.4g} m/s", def.speeds.cruise));
  const double most = math::tan(def.handling.max_bank);
  if (!(gravity > 0) || speed * speed <= most * gravity * radius) return core::ok();
  return error_at(
      field,
      fmt::format("turning at {:.4g} m with {:.4g} m/s takes a bank of {:.0f} deg; {} is flown at up to {:.0f} deg", radius, speed,
                  math::atan2(speed * speed, gravity * radius) * kDegrees, def.name, def.handling.max_bank * kDegrees),
      fmt::format("a radius of {:.0f} m or more, or at most {:.3g} m/s", speed * speed / (most * gravity) + 0.5, math::sqrt(most * gravity * radius)));
}

}  // namespace

core::Status check_wing_mission(const MissionFile& file, const Airframe& airframe, double gravity, const std::string& field) {
  if (airframe.model != "aircraft") return core::ok();
  const auto& def = *static_cast<const airframe::AircraftDef*>(airframe.definition.get());
  if (def.rotors.size() > 1) return core::ok();  // it can hover
  if (file.circle) {
    const CircleFile& c = *file.circle;
    const double speed = c.speed ? *c.speed : c.period ? 6.283185307179586 * c.radius / *c.period : math::sqrt(c.acceleration.value_or(0) * c.radius);
    return check_turn(speed, c.radius, def, gravity, field + ".circle");
  }
  if (file.route) return check_turn(file.route->speed, file.route->radius, def, gravity, field + ".route");
  return core::ok();
}

}  // namespace volary::scenario
