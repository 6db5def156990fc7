// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A multirotor as its airframe file describes it. The kernel's parameters (multirotor.hpp) are derived
// from this once, when a flock is made (multirotor_derive.hpp).
//
// Not in namespace vehicles: kernels live in one inline namespace per instruction set, definitions in
// none, and a `volary::vehicles` beside `volary::base::vehicles` would make every use of the name ambiguous.
#pragma once

#include <array>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "core/describe.hpp"
#include "core/result.hpp"
#include "vehicles/effector_def.hpp"

namespace volary::airframe {

using Triple = std::array<double, 3>;

struct RotorDef {
  Triple position = {0, 0, 0};  // m, hub, body FLU, from the centre of mass
  Triple axis = {0, 0, 1};      // direction of thrust; made a unit vector
  int spin = 1;                 // +1 counter-clockwise seen from the tip of the axis, -1 clockwise
  double efficiency = 1;        // thrust and torque factor
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, RotorDef>
void describe(D& d, V& v) {
  v.field("position", d.position,
          {.unit = "m", .min = -20, .max = 20, .required = true, .doc = "position of the hub from the centre of mass, body x forward, y left, z up"});
  v.field("axis", d.axis, {.min = -1, .max = 1, .doc = "direction of thrust; any length"});
  v.field("spin", d.spin,
          {.min = -1, .max = 1, .required = true, .doc = "direction of rotation: +1 counter-clockwise seen from the tip of the axis, -1 clockwise"});
  v.field("efficiency", d.efficiency, {.min = 0.05, .max = 1.5, .doc = "factor on thrust and torque; below 1 for the lower rotor of a coaxial pair"});
}

// what a rotor's own motion along its axis through the air does to its thrust
enum class Inflow { Signed, Absolute };
std::span<const char* const> names(Inflow);

struct MotorDef {
  double thrust2 = 0, thrust1 = 0, thrust0 = 0;  // N = thrust2 w^2 + thrust1 w + thrust0, w in rad/s
  double torque2 = 0, torque1 = 0, torque0 = 0;  // N m
  double torque_ratio = 0;                       // m: torque / thrust; used when no torque curve is given
  double speed_min = 0, speed_max = 0;           // rad/s
  double time_constant_up = 0.03, time_constant_down = 0.05;  // s
  double inertia = 0;                            // kg m2
  double drag = 0;                               // kg (N s2/m / rad): in-plane drag, Gestelt k_drag
  double rolling = 0;                            // kg m: Gestelt k_rolling
  double stall_speed = 25;                       // m/s: axial air speed at which thrust is gone, Gestelt alpha
  Inflow inflow = Inflow::Signed;
  double radius = 0;                             // m, of the propeller; 0: estimated from its thrust
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, MotorDef>
void describe(D& d, V& v) {
  v.field("thrust2", d.thrust2, {.unit = "N s2", .min = 1e-12, .max = 10, .required = true, .doc = "quadratic term of the thrust curve over rotor speed"});
  v.field("thrust1", d.thrust1, {.unit = "N s", .min = -10, .max = 10, .doc = "linear term of the thrust curve over rotor speed"});
  v.field("thrust0", d.thrust0, {.unit = "N", .min = -100, .max = 100, .doc = "constant term of the thrust curve"});
  v.field("torque2", d.torque2, {.unit = "N m s2", .min = 0, .max = 10, .doc = "quadratic term of the torque curve over rotor speed"});
  v.field("torque1", d.torque1, {.unit = "N m s", .min = -10, .max = 10, .doc = "linear term of the torque curve over rotor speed"});
  v.field("torque0", d.torque0, {.unit = "N m", .min = -100, .max = 100, .doc = "constant term of the torque curve"});
  v.field("torque_ratio", d.torque_ratio, {.unit = "m", .min = 0, .max = 1, .doc = "ratio of torque to thrust, used where no torque curve is given"});
  v.field("speed_min", d.speed_min, {.unit = "rad/s", .min = 0, .max = 1e5, .doc = "idle speed of an armed rotor"});
  v.field("speed_max", d.speed_max, {.unit = "rad/s", .min = 1, .max = 1e5, .required = true, .doc = "full speed of a rotor"});
  v.field("time_constant_up", d.time_constant_up,
          {.unit = "s", .min = 1e-4, .max = 5, .required = true, .doc = "time constant of the first-order lag when a rotor speeds up"});
  v.field("time_constant_down", d.time_constant_down,
          {.unit = "s", .min = 1e-4, .max = 5, .required = true, .doc = "time constant of the first-order lag when a rotor slows down"});
  v.field("inertia", d.inertia, {.unit = "kg m2", .min = 0, .max = 10, .doc = "moment of inertia of a rotor, propeller and bell, about its axis"});
  v.field("drag", d.drag, {.unit = "kg", .min = 0, .max = 1, .doc = "drag force in the disc plane per rotor speed and air speed (k_drag)"});
  v.field("rolling", d.rolling, {.unit = "kg m", .min = 0, .max = 1, .doc = "rolling moment per rotor speed and air speed (k_rolling)"});
  v.field("stall_speed", d.stall_speed, {.unit = "m/s", .min = 1, .max = 1000, .doc = "climb speed along the axis at which thrust is zero (alpha)"});
  v.field("inflow", d.inflow,
          {.doc = "effect of axial flow. signed: less thrust in a climb and more in a descent, up to twice that in still air; absolute: less in both (Gestelt "
                  "eq. 12)"});
  v.field("radius", d.radius,
          {.unit = "m", .min = 0, .max = 20, .doc = "radius of the propeller, for the size of the vehicle; 0: estimated from thrust and speed"});
}

struct MultirotorDef {
  std::string name;
  double mass = 0;                  // kg
  Triple inertia = {0, 0, 0};       // Jxx Jyy Jzz, kg m2
  Triple inertia_products = {0, 0, 0};  // Jxy Jxz Jyz, kg m2
  Triple linear_drag = {0, 0, 0};   // N s/m
  Triple quadratic_drag = {0, 0, 0};  // N s2/m2
  MotorDef motor;
  std::vector<RotorDef> rotors;
  std::vector<Triple> feet;         // m; empty: the corners of a rectangle under the rotors
  double foot_stiffness = 0;        // N/m, 0: as stiff as the substep allows
  double foot_damping = 0;          // N s/m, 0: 0.7 of critical
  double hull_top = 0;              // m above the centre of mass, 0: the highest rotor, at least 0.1 arm
  std::vector<EffectorDef> effectors;  // what it pushes and docks with
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, MultirotorDef>
void describe(D& d, V& v) {
  v.field("name", d.name, {.required = true, .doc = "display name of the multirotor"});
  v.field("mass", d.mass, {.unit = "kg", .min = 1e-4, .max = 1e4, .required = true, .doc = "take-off mass"});
  v.field("inertia", d.inertia,
          {.unit = "kg m2", .min = 1e-10, .max = 1e6, .required = true, .doc = "moments of inertia Jxx Jyy Jzz about the centre of mass"});
  v.field("inertia_products", d.inertia_products, {.unit = "kg m2", .min = -1e6, .max = 1e6, .doc = "off-diagonal elements Jxy Jxz Jyz of the inertia tensor"});
  v.field("linear_drag", d.linear_drag, {.unit = "N s/m", .min = 0, .max = 1e3, .doc = "body drag per air speed, body axes"});
  v.field("quadratic_drag", d.quadratic_drag, {.unit = "N s2/m2", .min = 0, .max = 1e3, .doc = "body drag per air speed squared, body axes"});
  v.field("motor", d.motor, {.required = true, .doc = "motor and propeller, the same for all rotors"});
  v.field("rotors", d.rotors, {.min = 1, .max = 8, .required = true, .doc = "positions and axes of one to eight rotors"});
  v.field("feet", d.feet,
          {.unit = "m", .min = 0, .max = 4, .doc = "three or four contact points around the centre of mass; empty: a rectangle under the rotors"});
  v.field("foot_stiffness", d.foot_stiffness, {.unit = "N/m", .min = 0, .max = 1e9, .doc = "stiffness of each foot; 0: as stiff as the substep allows"});
  v.field("foot_damping", d.foot_damping, {.unit = "N s/m", .min = 0, .max = 1e9, .doc = "damping of each foot; 0: 0.7 of critical damping"});
  v.field(
      "hull_top", d.hull_top,
      {.unit = "m", .min = 0, .max = 20, .doc = "height of the hull above the centre of mass, for landings upside down; 0: the height of the highest rotor"});
  v.field("effectors", d.effectors, {.min = 0, .max = 8, .doc = "poles, plates, cylinders and cones that the vehicle touches its surroundings with"});
}

// refuses what cannot exist or cannot fly: inertia against the triangle inequality, too little thrust to
// hover, a rotor set that cannot roll, pitch or hold yaw, a torque that is missing. Ranges of single
// numbers are in the describe lists above and checked by the reader.
core::Status check_multirotor(const MultirotorDef& def);

}  // namespace volary::airframe
