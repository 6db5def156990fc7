// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "vehicles/aircraft_def.hpp"

#include <fmt/format.h>

#include "math/functions.hpp"
#include "vehicles/multirotor_derive.hpp"

namespace volary::airframe {

std::span<const char* const> names(Layout) {
  static constexpr const char* kNames[] = {"conventional", "flying_wing", "v_tail", "quadplane"};
  return kNames;
}
std::span<const char* const> names(Mixing) {
  static constexpr const char* kNames[] = {"conventional", "elevons", "v_tail"};
  return kNames;
}
std::span<const char* const> names(RotorUse) {
  static constexpr const char* kNames[] = {"thrust", "lift"};
  return kNames;
}

namespace {

core::Error refuse(std::string field, std::string message, std::string suggestion) {
  return core::Error{.message = std::move(message), .field = std::move(field), .suggestion = std::move(suggestion)};
}

core::Status check_body(const AircraftDef& def) {
  const Triple e = eigenvalues({def.inertia, def.inertia_products});
  if (!(e[0] > 0)) return refuse("inertia_products", fmt::format("a principal moment is {:.4g} kg m2", e[0]), "all three must be positive");
  if (e[2] > (e[0] + e[1]) * (1 + 1e-9))
    return refuse("inertia", fmt::format("no body has principal moments {:.4g}, {:.4g} and {:.4g} kg m2", e[0], e[1], e[2]),
                  "the largest is at most the sum of the others");
  const double aspect = def.wing.span * def.wing.span / def.wing.area;
  if (def.table.empty() && !(def.lift.alpha > 0))
    return refuse("lift.alpha", "the wing makes no lift", "2 pi for a thin wing of infinite span; 4 to 6 is usual");
  if (def.table.empty() && def.drag.zero <= 0) return refuse("drag.zero", "an aircraft without drag", "0.02 to 0.06 is usual");
  if (!def.table.empty() && !(def.pitch.alpha < 0))
    return refuse("pitch.alpha", "a table has no value beyond its ends: what turns the nose to the wind there is missing", "C_m per angle of attack: about -1");
  if (aspect > 60) return refuse("wing.area", fmt::format("span squared over area is {:.3g}", aspect), "at most 60: is a length in other units?");
  return core::ok();
}

core::Status check_control(const AircraftDef& def) {
  if (def.pitch.elevator == 0) return refuse("pitch.elevator", "nothing pitches it", "C_m per rad of elevator: about -1");
  if (def.roll.aileron == 0) return refuse("roll.aileron", "nothing rolls it", "C_l per rad of aileron: about 0.15");
  const bool elevons = def.surfaces.mixing == Mixing::Elevons;
  if (elevons && (def.roll.rudder != 0 || def.yaw.rudder != 0)) {
    if (def.surfaces.rudder.travel <= 0) return refuse("surfaces.rudder.travel", "a rudder without travel", "");
  }
  if (def.surfaces.mixing == Mixing::VTail && def.yaw.rudder == 0)
    return refuse("yaw.rudder", "a V-tail that does not yaw", "C_n per rad of rudder: about -0.05");
  return core::ok();
}

core::Status check_rotor(const AircraftRotorDef& r, const std::string& path) {
  if (r.spin != 1 && r.spin != -1) return refuse(path + ".spin", fmt::format("{} is no direction", r.spin), "1 or -1");
  if (!(r.axis[0] * r.axis[0] + r.axis[1] * r.axis[1] + r.axis[2] * r.axis[2] > 1e-12))
    return refuse(path + ".axis", "has no length", "[1, 0, 0] pulls forward");
  if (r.table.empty() && !(r.thrust + r.thrust_pitch * r.blade_pitch > 0))
    return refuse(path + ".thrust", "no thrust at rest", "C_T0 of about 0.01 (CT of data bases times 4 / pi^3), or a table");
  if (!r.table.empty() && r.thrust != 0) return refuse(path + ".table", "coefficients and a table are given", "one of the two");
  return core::ok();
}

core::Status check_rotors(const AircraftDef& def) {
  const std::size_t n = def.rotors.size();
  for (std::size_t i = 0; i < n; ++i) {
    const std::string path = fmt::format("rotors[{}]", i);
    if (const core::Status s = check_rotor(def.rotors[i], path); !s) return s;
    const bool lifts = def.rotors[i].use == RotorUse::Lift;
    if (lifts && i >= 4) return refuse(path + ".use", "a fifth rotor for lift", "four for lift, then one for thrust");
    if (!lifts && i + 1 < n) return refuse(path + ".use", "the rotor for thrust is not the last one", "put it after those for lift");
    if (lifts && def.rotors[i].axis[2] <= 0.5 * math::sqrt(def.rotors[i].axis[0] * def.rotors[i].axis[0] + def.rotors[i].axis[1] * def.rotors[i].axis[1]))
      return refuse(path + ".axis", "a rotor for lift that does not lift", "[0, 0, 1]");
  }
  if (n != 1 && n != 5) return refuse("rotors", fmt::format("{} rotors", n), "one for thrust, or four for lift and one for thrust");
  return core::ok();
}

core::Status check_gear(const AircraftDef& def) {
  const std::size_t n = def.gear.wheels.size();
  if (n == 1 || n == 2)
    return refuse("gear.wheels", fmt::format("it falls over on {}", n == 1 ? "one wheel" : "two wheels"), "three or four wheels or skids, or none");
  return core::ok();
}

}  // namespace

core::Status check_aircraft(const AircraftDef& def) {
  for (const auto check : {check_body, check_control, check_rotors, check_gear})
    if (const core::Status s = check(def); !s) return s;
  const SpeedsDef& v = def.speeds;
  if (v.max > 0 && v.max <= v.cruise) return refuse("speeds.max", "not above the cruise airspeed", fmt::format("more than {:.3g} m/s", v.cruise));
  if (v.min >= v.cruise) return refuse("speeds.min", "not below the cruise airspeed", fmt::format("less than {:.3g} m/s", v.cruise));
  return core::ok();
}

}  // namespace volary::airframe
