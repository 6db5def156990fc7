// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a published flight check case is: which Earth, which air, which vehicle, what is commanded when. The list of cases is a
// file (assets/checkcases); this is its form. Where the flight begins is in the published trajectories, not here.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "core/describe.hpp"
#include "core/numbers.hpp"
#include "core/result.hpp"

namespace volary::validation {

enum class EarthShape { Wgs84, Sphere };
inline std::span<const char* const> names(EarthShape) {
  static constexpr const char* kNames[] = {"wgs84", "sphere"};
  return kNames;
}
enum class GravityLaw { J2, InverseSquare };
inline std::span<const char* const> names(GravityLaw) {
  static constexpr const char* kNames[] = {"j2", "inverse_square"};
  return kNames;
}

struct CaseVehicle {
  std::string name;
  std::string inertia, aerodynamics, propulsion;  // files below models/; empty: has none
  core::Numbers settings;                         // inputs of the models, in their units
  core::Numbers fixed;                            // variables of the models that are replaced
};

struct WindLevel {
  double height = 0;                             // m
  std::array<double, 3> velocity = {0, 0, 0};  // m/s, towards north, east, down
};

struct CommandChange {
  double at = 0;  // s
  std::string input;
  double change = 0;  // in the unit of the input
};

// level, unaccelerated flight before the case begins: which inputs are found by trimming, and what is set while doing so
struct TrimDef {
  std::string throttle, pitch_control;
  std::string design_angle_of_attack, design_pitch;  // constants of the control model: the state its regulator was designed for
  core::Numbers settings;
};

struct CheckCaseDef {
  std::string id, title, source;
  EarthShape earth = EarthShape::Wgs84;
  bool rotating = true;
  GravityLaw gravity = GravityLaw::J2;
  std::vector<WindLevel> wind;  // by rising height; empty: still air
  std::string vehicle;
  std::string control;               // file below models/; empty: has none
  core::Numbers settings, fixed;     // besides those of the vehicle
  bool trimmed = false;              // begins in level flight
  bool design_from_trim = false;     // the regulator works about the trimmed state, not about the one in its file
  bool tracks_course = false;        // the deviation from the first course line is fed back
  std::vector<CommandChange> commands;
};

struct CheckCaseList {
  std::string source;
  double floor_altitude = 0, floor_velocity = 0, floor_angle = 0;  // thresholds are never below these: ft, ft/s, deg
  std::vector<std::string> simulations;                            // whose mean is the reference, such as "04"
  TrimDef trim;
  std::vector<CaseVehicle> vehicles;
  std::vector<CheckCaseDef> cases;

  const CheckCaseDef* find(const std::string& id) const;
  const CaseVehicle* find_vehicle(const std::string& name) const;
};

core::Result<CheckCaseList> load_checkcases(const std::string& path);

template <class D, class V>
requires std::is_same_v<std::remove_const_t<D>, CaseVehicle>
void describe(D& d, V& v) {
  v.field("name", d.name, {.required = true, .doc = "name of the vehicle, used by the cases"});
  v.field("inertia", d.inertia, {.required = true, .doc = "file of the mass properties, below models/"});
  v.field("aerodynamics", d.aerodynamics, {.doc = "file of the aerodynamics, below models/; absent: none"});
  v.field("propulsion", d.propulsion, {.doc = "file of the propulsion, below models/; absent: none"});
  v.field("settings", d.settings, {.doc = "constant inputs of the models, in the units of the models"});
  v.field("fixed", d.fixed, {.doc = "variables of the models that are replaced by a number"});
}
template <class D, class V>
requires std::is_same_v<std::remove_const_t<D>, WindLevel>
void describe(D& d, V& v) {
  v.field("height", d.height, {.unit = "m", .required = true, .doc = "height above the ellipsoid"});
  v.field("velocity", d.velocity, {.unit = "m/s", .required = true, .doc = "wind velocity towards north, east, down"});
}
template <class D, class V>
requires std::is_same_v<std::remove_const_t<D>, CommandChange>
void describe(D& d, V& v) {
  v.field("at", d.at, {.unit = "s", .min = 0, .required = true, .doc = "time from which the change applies"});
  v.field("input", d.input, {.required = true, .doc = "name of an input of the control model"});
  v.field("change", d.change, {.required = true, .doc = "change of the input from its value at the start, in the unit of the input"});
}
template <class D, class V>
requires std::is_same_v<std::remove_const_t<D>, TrimDef>
void describe(D& d, V& v) {
  v.field("throttle", d.throttle, {.required = true, .doc = "name of the input that sets the thrust"});
  v.field("pitch_control", d.pitch_control, {.required = true, .doc = "name of the input that sets the pitching moment"});
  v.field("design_angle_of_attack", d.design_angle_of_attack,
          {.doc = "name of the constant of the control model that holds the design angle of attack of its regulator"});
  v.field("design_pitch", d.design_pitch, {.doc = "name of the constant of the control model that holds the design pitch of its regulator"});
  v.field("settings", d.settings, {.doc = "inputs of the models during trimming, in the units of the models"});
}
template <class D, class V>
requires std::is_same_v<std::remove_const_t<D>, CheckCaseDef>
void describe(D& d, V& v) {
  v.field("id", d.id, {.required = true, .doc = "number of the case in the publication; folders are called Atmos_<id>_..."});
  v.field("title", d.title, {.required = true});
  v.field("source", d.source, {.doc = "place in the publication"});
  v.field("earth", d.earth, {.doc = "shape of the Earth"});
  v.field("rotating", d.rotating, {.doc = "whether the Earth rotates"});
  v.field("gravity", d.gravity, {.doc = "law of gravitation"});
  v.field("wind", d.wind, {.doc = "wind levels by rising height, interpolated linearly; absent: still air"});
  v.field("vehicle", d.vehicle, {.required = true});
  v.field("control", d.control, {.doc = "file of the control model, below models/; absent: none"});
  v.field("settings", d.settings, {.doc = "inputs of the models in addition to those of the vehicle"});
  v.field("fixed", d.fixed, {.doc = "variables of the models that are replaced by a number, in addition to those of the vehicle"});
  v.field("trimmed", d.trimmed, {.doc = "whether the case begins in level, unaccelerated flight"});
  v.field("design_from_trim", d.design_from_trim, {.doc = "whether the regulator works about the trimmed state; false: about the state in its file"});
  v.field("tracks_course", d.tracks_course, {.doc = "whether the deviation from the first course line is fed back as lateralDeviationError"});
  v.field("commands", d.commands, {.doc = "changes of the inputs of the control model during the flight"});
}
template <class D, class V>
requires std::is_same_v<std::remove_const_t<D>, CheckCaseList>
void describe(D& d, V& v) {
  v.field("source", d.source, {.required = true, .doc = "name of the publication"});
  v.field("floor_altitude_ft", d.floor_altitude, {.unit = "ft", .min = 0, .required = true});
  v.field("floor_velocity_ft_s", d.floor_velocity, {.unit = "ft/s", .min = 0, .required = true});
  v.field("floor_angle_deg", d.floor_angle, {.unit = "deg", .min = 0, .required = true});
  v.field("simulations", d.simulations, {.min = 1, .required = true, .doc = "numbers of the published simulations whose mean is the reference"});
  v.field("trim", d.trim, {.required = true});
  v.field("vehicles", d.vehicles, {.min = 1, .required = true});
  v.field("cases", d.cases, {.min = 1, .required = true});
}

}  // namespace volary::validation
