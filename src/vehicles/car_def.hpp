// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A car as its airframe file describes it, and the figures that follow: turning circle, understeer gradient, top speed. The kernel's parameters (car.hpp)
// are derived from this once, when a flock is made.
#pragma once

#include <string>
#include <type_traits>
#include <vector>

#include "core/describe.hpp"
#include "core/result.hpp"
#include "vehicles/multirotor_report.hpp"

namespace volary::airframe {

// lateral force of an axle over its load: friction sin(shape atan(stiffness slip)), slip in radians (Pacejka's magic formula without its curvature term)
struct TyreDef {
  double stiffness = 0;  // 1/rad, Pacejka's B
  double shape = 0;      // -, C
  double friction = 0;   // -, D over the load
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, TyreDef>
void describe(D& d, V& v) {
  v.field("stiffness", d.stiffness, {.unit = "1/rad", .min = 0.1, .max = 100, .required = true, .doc = "stiffness factor B of the magic formula"});
  v.field("shape", d.shape, {.min = 0.5, .max = 2, .required = true, .doc = "shape factor C of the magic formula; 1.3 is usual for lateral force"});
  v.field("friction", d.friction,
          {.min = 0.01, .max = 3, .required = true, .doc = "peak factor D of the magic formula: greatest force over load, lateral and longitudinal"});
}

struct SteeringDef {
  double travel = 0;  // rad, to either side
  double rate = 0;    // rad/s
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, SteeringDef>
void describe(D& d, V& v) {
  v.field("travel", d.travel, {.unit = "rad", .min = 0.01, .max = 1.2, .required = true, .doc = "greatest angle of the front wheels to either side"});
  v.field("rate", d.rate, {.unit = "rad/s", .min = 0.01, .max = 100, .required = true, .doc = "greatest rate of the steering angle"});
}

struct DriveDef {
  double force = 0;  // N
  double power = 0;  // W, 0: no limit
  double front = 0;  // share that the front axle drives
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, DriveDef>
void describe(D& d, V& v) {
  v.field("force", d.force, {.unit = "N", .min = 1e-3, .max = 1e6, .required = true, .doc = "greatest force of all driven wheels on the road"});
  v.field("power", d.power, {.unit = "W", .min = 0, .max = 1e7, .doc = "greatest power of the drive; 0: no limit"});
  v.field("front", d.front, {.min = 0, .max = 1, .doc = "share of the drive force on the front axle: 0 rear-wheel drive, 1 front-wheel drive"});
}

struct BrakeDef {
  double force = 0;    // N
  double front = 0.5;  // share of the front axle
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, BrakeDef>
void describe(D& d, V& v) {
  v.field("force", d.force,
          {.unit = "N", .min = 1e-3, .max = 1e6, .required = true, .doc = "greatest brake force of all wheels on the road; the tyres may hold less"});
  v.field("front", d.front, {.min = 0, .max = 1, .doc = "share of the brake force on the front axle"});
}

struct CarDef {
  std::string name;
  double mass = 0;         // kg
  double yaw_inertia = 0;  // kg m2
  double wheelbase = 0;    // m
  double to_front = 0;     // m, from the centre of mass to the front axle
  double height = 0;       // m, of the centre of mass above the ground
  double length = 0;       // m, from bumper to bumper; 0: 1.6 wheelbases
  double width = 0;        // m; 0: 0.4 of the length
  SteeringDef steering;
  TyreDef front, rear;
  DriveDef drive;
  BrakeDef brake;
  double rolling_resistance = 0.012;  // over the load
  double drag = 0;                    // N s2/m2
  double downforce = 0;               // N s2/m2
  double tyre_share = 0.95;           // of the friction, for drive and brakes
  double blend_from = 3, blend_to = 5;  // m/s: below, wheels roll without slip; above, tyres slip
  double max_speed = 0;               // m/s, 0: what drive and drag give
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, CarDef>
void describe(D& d, V& v) {
  v.field("name", d.name, {.required = true, .doc = "display name of the car"});
  v.field("mass", d.mass, {.unit = "kg", .min = 1e-3, .max = 1e5, .required = true, .doc = "mass of the car with its load"});
  v.field("yaw_inertia", d.yaw_inertia,
          {.unit = "kg m2", .min = 1e-8, .max = 1e7, .required = true, .doc = "moment of inertia about the upright axis through the centre of mass"});
  v.field("wheelbase", d.wheelbase, {.unit = "m", .min = 0.01, .max = 20, .required = true, .doc = "distance between the axles"});
  v.field("to_front", d.to_front, {.unit = "m", .min = 0.001, .max = 20, .required = true, .doc = "distance from the centre of mass to the front axle"});
  v.field("height", d.height, {.unit = "m", .min = 0.001, .max = 5, .required = true, .doc = "height of the centre of mass above the ground"});
  v.field("length", d.length, {.unit = "m", .min = 0, .max = 30, .doc = "length from bumper to bumper, for contacts with obstacles; 0: 1.6 wheelbases"});
  v.field("width", d.width, {.unit = "m", .min = 0, .max = 10, .doc = "width of the car, for contacts with obstacles; 0: 0.4 of the length"});
  v.field("steering", d.steering, {.required = true, .doc = "steering of the front wheels"});
  v.field("front", d.front, {.required = true, .doc = "tyres of the front axle"});
  v.field("rear", d.rear, {.required = true, .doc = "tyres of the rear axle"});
  v.field("drive", d.drive, {.required = true, .doc = "drive of the car, forwards and backwards"});
  v.field("brake", d.brake, {.required = true, .doc = "brakes of all wheels"});
  v.field("rolling_resistance", d.rolling_resistance, {.min = 0, .max = 1, .doc = "rolling resistance force over load"});
  v.field("drag", d.drag, {.unit = "N s2/m2", .min = 0, .max = 100, .doc = "air drag force over speed squared, 1/2 rho c A"});
  v.field("downforce", d.downforce, {.unit = "N s2/m2", .min = 0, .max = 100, .doc = "aerodynamic downforce over speed squared"});
  v.field("tyre_share", d.tyre_share,
          {.min = 0.1, .max = 1, .doc = "share of the tyre friction that drive and brakes may use; the rest keeps the car straight, as anti-lock brakes do"});
  v.field("blend_from", d.blend_from, {.unit = "m/s", .min = 0.01, .max = 50, .doc = "speed below which wheels roll without slip"});
  v.field("blend_to", d.blend_to, {.unit = "m/s", .min = 0.02, .max = 100, .doc = "speed above which tyres slip according to the magic formula"});
  v.field("max_speed", d.max_speed,
          {.unit = "m/s", .min = 0, .max = 200, .doc = "greatest speed that the driver commands; 0: the speed that drive and drag allow"});
}

// m, from the centre of mass to the bumpers and to the sides; overhangs are alike before and behind
struct CarOutline {
  double ahead, behind, side;
  double length() const { return ahead + behind; }
};
CarOutline outline(const CarDef& def);
// m, half the size of the car along its axes, about the centre of mass: to the farther bumper, to the sides, to the ground
Triple extent(const CarDef& def);

// refuses what cannot be built or driven: a centre of mass outside the wheelbase, more yaw inertia than the mass could have, drive that cannot move it
core::Status check_car(const CarDef& def);

// what follows from a definition that check_car accepts, on level ground at a gravity
struct CarFigures {
  double load_front = 0, load_rear = 0;            // shares of the load
  double stiffness_front = 0, stiffness_rear = 0;  // N/rad, of the axles at small slip
  double understeer = 0;                           // rad s2/m; below 0 it oversteers
  double turning_radius = 0;                       // m, of the centre of mass with the wheels turned full
  double acceleration = 0, braking = 0;            // m/s2, from standstill; from low speed
  double cornering = 0;                            // m/s2, where the weaker axle slides
  double top_speed = 0;                            // m/s
};
CarFigures car_figures(const CarDef& def, double gravity);

// for `volary vehicle check`
std::vector<ReportRow> report_car(const CarDef& def);

}  // namespace volary::airframe
