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
  if (def.table.empty() && def.drag.zero <= 0) return refuse("drag.zero", "the aircraft has no drag", "0.02 to 0.06 is usual");
  if (!def.table.empty() && !(def.pitch.alpha < 0))
    return refuse("pitch.alpha", "must be below 0: beyond the stall, without the table, it turns the nose into the wind", "C_m per angle of attack: about -1");
  if (aspect > 60) return refuse("wing.area", fmt::format("span squared over area is {:.3g}", aspect), "at most 60: is a length in other units?");
  return core::ok();
}

// Where its mass lies, as radii of gyration: built aircraft have 0.1 to 0.25 of the span in roll and up to 0.7 of it in pitch and yaw, where the fuselage is
// long; a flying wing has half a chord in pitch. Beyond these bounds a number is in other units.
core::Status check_inertia(const AircraftDef& def) {
  const double b = def.wing.span, least[3] = {0.02 * b, 0.1 * def.wing.chord, 0.02 * b}, most[3] = {0.6 * b, 1.5 * b, 1.5 * b};
  const char* axis[3] = {"roll", "pitch", "yaw"};
  for (int i = 0; i < 3; ++i) {
    const double j = def.inertia[static_cast<std::size_t>(i)], k = math::sqrt(j / def.mass);
    if (k >= least[i] && k <= most[i]) continue;
    return refuse(fmt::format("inertia[{}]", i),
                  fmt::format("{:.4g} kg m2 about the {} axis is {:.3g} kg at a distance of {:.3g} m; its span is {:.4g} m", j, axis[i], def.mass, k, b),
                  fmt::format("between {:.2g} and {:.2g} kg m2", def.mass * least[i] * least[i], def.mass * most[i] * most[i]));
  }
  return core::ok();
}

core::Status check_wing(const AircraftDef& def) {
  const double ratio = def.wing.area / (def.wing.span * def.wing.chord);
  if (ratio < 1.0 / 3 || ratio > 3)
    return refuse("wing.area",
                  fmt::format("{:.4g} m2 is {:.2g} times span times chord, {:.4g} m by {:.4g} m", def.wing.area, ratio, def.wing.span, def.wing.chord),
                  fmt::format("about {:.3g} m2: is one of the three in other units?", def.wing.span * def.wing.chord));
  // a wing meets more air where it goes down, a tail where it swings: both brake
  if (!(def.roll.p < 0)) return refuse("roll.p", fmt::format("{:.4g} does not damp a roll", def.roll.p), "C_l per p span / 2 V is negative: about -0.45");
  if (!(def.pitch.q < 0)) return refuse("pitch.q", fmt::format("{:.4g} does not damp pitching", def.pitch.q), "C_m per q chord / 2 V is negative: -1 to -40");
  if (def.yaw.r > 0) return refuse("yaw.r", fmt::format("{:.4g} amplifies a yaw", def.yaw.r), "C_n per r span / 2 V is negative: about -0.1");
  return core::ok();
}

// what full travel does at the cruise airspeed: the roll at which it balances the damping, and the angle of attack that it holds
core::Status check_authority(const AircraftDef& def) {
  const double helix = math::abs(def.roll.aileron) * def.surfaces.aileron.travel / -def.roll.p;
  const double seconds = 0.7853981633974483 / (helix * 2 * def.speeds.cruise / def.wing.span);
  if (!(seconds < 20))
    return refuse("roll.aileron", fmt::format("with full aileron it takes {:.3g} s to bank by 45 deg at {:.4g} m/s", seconds, def.speeds.cruise),
                  "C_l per rad of aileron of about 0.15, or more surfaces.aileron.travel");
  const double held = math::abs(def.pitch.elevator) * def.surfaces.elevator.travel, stiffness = math::abs(def.pitch.alpha);
  if (held < 0.005 * stiffness || held < 1e-4)
    return refuse("pitch.elevator", fmt::format("full elevator makes a C_m of {:.3g} only, and C_m per angle of attack is {:.3g}", held, def.pitch.alpha),
                  "C_m per rad of elevator of about -1, or more surfaces.elevator.travel");
  return core::ok();
}

core::Status check_control(const AircraftDef& def) {
  if (def.pitch.elevator == 0) return refuse("pitch.elevator", "no control surface pitches the aircraft", "C_m per rad of elevator: about -1");
  if (def.roll.aileron == 0) return refuse("roll.aileron", "no control surface rolls the aircraft", "C_l per rad of aileron: about 0.15");
  const bool elevons = def.surfaces.mixing == Mixing::Elevons;
  if (elevons && (def.roll.rudder != 0 || def.yaw.rudder != 0)) {
    if (def.surfaces.rudder.travel <= 0) return refuse("surfaces.rudder.travel", "the rudder has no travel", "");
  }
  if (def.surfaces.mixing == Mixing::VTail && def.yaw.rudder == 0)
    return refuse("yaw.rudder", "the V-tail does not yaw the aircraft", "C_n per rad of rudder: about -0.05");
  return check_authority(def);
}

core::Status check_rotor(const AircraftRotorDef& r, const std::string& path) {
  if (r.spin != 1 && r.spin != -1) return refuse(path + ".spin", fmt::format("{} is no direction", r.spin), "1 or -1");
  if (!(r.axis[0] * r.axis[0] + r.axis[1] * r.axis[1] + r.axis[2] * r.axis[2] > 1e-12))
    return refuse(path + ".axis", "has no length", "[1, 0, 0] pulls forward");
  if (r.table.empty() && !(r.thrust + r.thrust_pitch * r.blade_pitch > 0))
    return refuse(path + ".thrust", "no thrust at rest", "C_T0 of about 0.01 (CT of data bases times 4 / pi^3), or a table");
  if (r.table.empty() && (r.rpm > 0 || !r.propeller.empty()))
    return refuse(path + (r.rpm > 0 ? ".rpm" : ".propeller"), "there is no table to look it up in", "add table: FILE.csv, or leave it out");
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
    if (const double most = def.mass * def.rotors[i].radius * def.rotors[i].radius / 3; def.rotors[i].inertia > most)
      return refuse(path + ".inertia", fmt::format("{:.4g} kg m2: as a bar of its radius it would weigh more than the aircraft", def.rotors[i].inertia),
                    fmt::format("less than {:.2g} kg m2; a third of its own mass times radius squared", most));
    const Triple& axis = def.rotors[i].axis;
    if (!lifts && axis[0] <= 0.5 * math::sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]))
      return refuse(path + ".axis", fmt::format("a rotor for thrust that pulls {}", axis[0] < 0 ? "backwards" : "across the way it flies"),
                    "[1, 0, 0] pulls forward; a pusher has it too, with a position behind");
    if (lifts && def.rotors[i].axis[2] <= 0.5 * math::sqrt(def.rotors[i].axis[0] * def.rotors[i].axis[0] + def.rotors[i].axis[1] * def.rotors[i].axis[1]))
      return refuse(path + ".axis", "a rotor for lift that does not lift", "[0, 0, 1]");
  }
  if (n != 1 && n != 5) return refuse("rotors", fmt::format("{} rotors", n), "one for thrust, or four for lift and one for thrust");
  return core::ok();
}

// whether the centre of mass, above (0, 0), lies within the wheels: no line through it has all of them on one side, and such a line could be turned until
// it runs through a wheel
bool enclose_the_centre(const std::vector<WheelDef>& wheels) {
  for (const WheelDef& w : wheels) {
    bool left = false, right = false;
    for (const WheelDef& o : wheels) {
      const double side = w.position[0] * o.position[1] - w.position[1] * o.position[0];
      left = left || side > 1e-9, right = right || side < -1e-9;
    }
    if (!left || !right) return false;
  }
  return true;
}

core::Status check_gear(const AircraftDef& def) {
  const std::size_t n = def.gear.wheels.size();
  if (n == 1 || n == 2)
    return refuse("gear.wheels", fmt::format("the aircraft falls over on {}", n == 1 ? "one wheel" : "two wheels"), "three or four wheels or skids, or none");
  if (!enclose_the_centre(def.gear.wheels))
    return refuse("gear.wheels", "the wheels do not enclose the centre of mass, which is above [0, 0]: the aircraft falls over",
                  "one wheel before the centre of mass and two behind, left and right, or two before and one behind");
  return core::ok();
}

}  // namespace

core::Status check_aircraft(const AircraftDef& def) {
  for (const auto check : {check_body, check_inertia, check_wing, check_control, check_rotors, check_gear})
    if (const core::Status s = check(def); !s) return s;
  const SpeedsDef& v = def.speeds;
  if (v.max > 0 && v.max <= v.cruise) return refuse("speeds.max", "is not above the cruise airspeed", fmt::format("more than {:.3g} m/s", v.cruise));
  if (v.min >= v.cruise) return refuse("speeds.min", "is not below the cruise airspeed", fmt::format("less than {:.3g} m/s", v.cruise));
  return core::ok();
}

}  // namespace volary::airframe
