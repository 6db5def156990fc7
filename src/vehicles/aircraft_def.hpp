// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// An aircraft as its airframe file describes it. Coefficients and angles are in the aeronautical convention of the sources they come from (forward,
// right, down; roll right, pitch up, yaw right); places are in the simulator's body axes (forward, left, up), as for every vehicle.
#pragma once

#include <array>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "core/describe.hpp"
#include "core/result.hpp"
#include "vehicles/multirotor_def.hpp"

namespace volary::airframe {

enum class Layout { Conventional, FlyingWing, VTail, Quadplane };  // what people see
enum class Mixing { Conventional, Elevons, VTail };                // how servos make aileron, elevator and rudder
enum class RotorUse { Thrust, Lift };
std::span<const char* const> names(Layout);
std::span<const char* const> names(Mixing);
std::span<const char* const> names(RotorUse);

struct WingDef {
  double area = 0, span = 0, chord = 0;  // m2, m, m
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, WingDef>
void describe(D& d, V& v) {
  v.field("area", d.area, {.unit = "m2", .min = 1e-4, .max = 1e4, .required = true, .doc = "reference area of all coefficients"});
  v.field("span", d.span, {.unit = "m", .min = 0.01, .max = 200, .required = true, .doc = "wing span, reference length of roll and yaw"});
  v.field("chord", d.chord, {.unit = "m", .min = 0.01, .max = 50, .required = true, .doc = "mean chord, reference length of pitch"});
}

struct LongitudinalDef {
  double zero = 0, alpha = 0, q = 0, elevator = 0;
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, LongitudinalDef>
void describe(D& d, V& v) {
  v.field("zero", d.zero, {.min = -10, .max = 10, .doc = "coefficient at zero angle of attack"});
  v.field("alpha", d.alpha, {.unit = "1/rad", .min = -50, .max = 50, .doc = "derivative of the coefficient by angle of attack"});
  v.field("q", d.q, {.min = -500, .max = 500, .doc = "derivative of the coefficient by reduced pitch rate, q chord / 2 V"});
  v.field("elevator", d.elevator, {.unit = "1/rad", .min = -50, .max = 50, .doc = "derivative of the coefficient by elevator deflection"});
}

struct LateralDef {
  double zero = 0, beta = 0, p = 0, r = 0, aileron = 0, rudder = 0;
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, LateralDef>
void describe(D& d, V& v) {
  v.field("zero", d.zero, {.min = -10, .max = 10, .doc = "coefficient at zero sideslip"});
  v.field("beta", d.beta, {.unit = "1/rad", .min = -50, .max = 50, .doc = "derivative of the coefficient by sideslip angle, positive with air from the right"});
  v.field("p", d.p, {.min = -500, .max = 500, .doc = "derivative of the coefficient by reduced roll rate, p span / 2 V"});
  v.field("r", d.r, {.min = -500, .max = 500, .doc = "derivative of the coefficient by reduced yaw rate, r span / 2 V"});
  v.field("aileron", d.aileron, {.unit = "1/rad", .min = -50, .max = 50, .doc = "derivative of the coefficient by aileron deflection"});
  v.field("rudder", d.rudder, {.unit = "1/rad", .min = -50, .max = 50, .doc = "derivative of the coefficient by rudder deflection"});
}

struct DragDef {
  double zero = 0, induced = 0, alpha = 0, beta2 = 0, elevator = 0, aileron = 0;
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, DragDef>
void describe(D& d, V& v) {
  v.field("zero", d.zero, {.min = 0, .max = 10, .doc = "drag coefficient at zero lift"});
  v.field("induced", d.induced, {.min = 0, .max = 10, .doc = "induced drag: drag coefficient per lift coefficient squared, 1 / (pi e aspect ratio)"});
  v.field("alpha", d.alpha,
          {.unit = "1/rad", .min = -10, .max = 10, .doc = "derivative of the drag coefficient by angle of attack, in addition to the induced drag"});
  v.field("beta2", d.beta2, {.unit = "1/rad2", .min = 0, .max = 50, .doc = "drag coefficient per sideslip angle squared"});
  v.field("elevator", d.elevator, {.unit = "1/rad", .min = 0, .max = 10, .doc = "drag coefficient per elevator deflection in either direction"});
  v.field("aileron", d.aileron, {.unit = "1/rad", .min = 0, .max = 10, .doc = "drag coefficient per aileron deflection in either direction"});
}

struct StallDef {
  double alpha = 0.3, width = 0.15;  // rad
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, StallDef>
void describe(D& d, V& v) {
  v.field("alpha", d.alpha,
          {.unit = "rad",
           .min = 0.05,
           .max = 4,
           .doc = "angle of attack, in either direction, at which the flow begins to separate; 4: a table covers all angles"});
  v.field("width", d.width, {.unit = "rad", .min = 0.01, .max = 1, .doc = "angle beyond the stall over which the wing becomes a flat plate"});
}

struct SurfaceDef {
  double travel = 0.4;  // rad either way
  double rate = 5;      // rad/s
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, SurfaceDef>
void describe(D& d, V& v) {
  v.field("travel", d.travel, {.unit = "rad", .min = 0.01, .max = 1.5, .doc = "greatest deflection in either direction"});
  v.field("rate", d.rate, {.unit = "rad/s", .min = 0.05, .max = 100, .doc = "greatest rate of the servo"});
}
struct SurfacesDef {
  Mixing mixing = Mixing::Conventional;
  SurfaceDef aileron, elevator, rudder;
  double lag = 0.05;  // s
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, SurfacesDef>
void describe(D& d, V& v) {
  v.field("mixing", d.mixing,
          {.doc = "assignment of servos. conventional: one per surface; elevons: two on the wing for aileron and elevator; v_tail: two on the tail for "
                  "elevator and rudder"});
  v.field("aileron", d.aileron, {.doc = "aileron servo; with elevons, the left servo"});
  v.field("elevator", d.elevator, {.doc = "elevator servo; with elevons, the right servo; with a V-tail, the left servo"});
  v.field("rudder", d.rudder, {.doc = "rudder servo; with a V-tail, the right servo"});
  v.field("lag", d.lag, {.unit = "s", .min = 1e-3, .max = 5, .doc = "time constant of the first-order lag of the servos"});
}

// Eq. 7 of SIGMA, or a table of thrust and power coefficients over the advance ratio, as propeller data bases have it.
struct AircraftRotorDef {
  Triple position = {0, 0, 0};  // m
  Triple axis = {1, 0, 0};
  int spin = 1;
  RotorUse use = RotorUse::Thrust;
  double radius = 0;            // m
  double speed_max = 0;         // rad/s
  double time_constant = 0.1;   // s
  double inertia = 0;           // kg m2
  double drag = 0;              // kg
  double thrust = 0;            // C_T0
  double thrust_pitch = 0, blade_pitch = 0;  // k_theta 1/rad, theta rad
  double thrust_inflow = 0;     // k_lambda
  double torque = 0;            // C_Q0
  double torque_induced = 1;    // share of C_T^1.5 / sqrt 2
  double torque_advance = 0;    // f_adv
  std::string table;            // file: J, CT, CP
  std::string propeller;        // which of the file
  double rpm = 0;               // and at which speed
  std::vector<double> table_blob = {};  // what was in it
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, AircraftRotorDef>
void describe(D& d, V& v) {
  v.field("position", d.position,
          {.unit = "m", .min = -50, .max = 50, .required = true, .doc = "position of the hub from the centre of mass, body x forward, y left, z up"});
  v.field("axis", d.axis, {.min = -1, .max = 1, .doc = "direction of thrust; any length"});
  v.field("spin", d.spin, {.min = -1, .max = 1, .doc = "direction of rotation: +1 counter-clockwise seen from the tip of the axis, -1 clockwise"});
  v.field("use", d.use, {.doc = "use of the rotor: thrust (driven by the throttle) or lift (carries and steers a hovering aircraft)"});
  v.field("radius", d.radius, {.unit = "m", .min = 0.005, .max = 20, .required = true, .doc = "radius of the rotor disc"});
  v.field("speed_max", d.speed_max, {.unit = "rad/s", .min = 1, .max = 1e5, .required = true, .doc = "full speed of the rotor"});
  v.field("time_constant", d.time_constant, {.unit = "s", .min = 1e-3, .max = 10, .doc = "time constant of the first-order lag of the motor"});
  v.field("inertia", d.inertia, {.unit = "kg m2", .min = 0, .max = 100, .doc = "moment of inertia of the rotor about its axis"});
  v.field("drag", d.drag, {.unit = "kg", .min = 0, .max = 10, .doc = "drag force in the disc plane per rotor speed and air speed"});
  v.field("thrust", d.thrust, {.min = 0, .max = 1, .doc = "static thrust coefficient C_T0: thrust over density, disc area and tip speed squared"});
  v.field("thrust_pitch", d.thrust_pitch, {.unit = "1/rad", .min = -10, .max = 10, .doc = "derivative k_theta of the thrust coefficient by blade pitch"});
  v.field("blade_pitch", d.blade_pitch, {.unit = "rad", .min = -1.5, .max = 1.5, .doc = "blade pitch theta"});
  v.field("thrust_inflow", d.thrust_inflow,
          {.min = -10, .max = 0, .doc = "derivative k_lambda of the thrust coefficient by axial speed over tip speed; negative"});
  v.field("torque", d.torque, {.min = 0, .max = 1, .doc = "profile torque coefficient C_Q0: torque over density, disc area, radius and tip speed squared"});
  v.field("torque_induced", d.torque_induced, {.min = 0, .max = 3, .doc = "share of the induced torque C_T^1.5 / sqrt 2; above 1 for a real rotor"});
  v.field("torque_advance", d.torque_advance, {.min = -10, .max = 10, .doc = "derivative f_adv of the torque coefficient by in-plane speed over tip speed"});
  v.field("table", d.table,
          {.is_path = true, .doc = "CSV file with columns J, CT, CP, used instead of these coefficients; path relative to the airframe's file"});
  v.field("propeller", d.propeller, {.doc = "name of the propeller, where the table has several"});
  v.field("rpm", d.rpm, {.unit = "1/min", .min = 0, .max = 1e6, .doc = "speed whose nearest rows are used, where the table has several speeds"});
}

struct WheelDef {
  Triple position = {0, 0, 0};  // m, where it meets the ground
  double steer = 0;             // rad
  bool skid = false;
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, WheelDef>
void describe(D& d, V& v) {
  v.field("position", d.position, {.unit = "m", .min = -50, .max = 50, .required = true, .doc = "contact point with the ground, body x forward, y left, z up"});
  v.field("steer", d.steer,
          {.unit = "rad", .min = -1.5, .max = 1.5, .doc = "steering angle to the right at full right rudder; negative for a wheel at the tail"});
  v.field("skid", d.skid, {.doc = "whether the contact point is a skid, which does not roll"});
}
struct GearDef {
  std::vector<WheelDef> wheels = {};
  double rolling = 0.04, braking = 0.4;  // -
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, GearDef>
void describe(D& d, V& v) {
  v.field("wheels", d.wheels, {.min = 0, .max = 4, .doc = "three or four wheels or skids around the centre of mass; empty: the aircraft slides on its belly"});
  v.field("rolling", d.rolling, {.min = 0, .max = 1, .doc = "friction coefficient of a rolling wheel"});
  v.field("braking", d.braking,
          {.min = 0, .max = 2, .doc = "friction coefficient that the brakes add; brakes are on when the aircraft is disarmed, stopped or has landed"});
}

struct SpeedsDef {
  double min = 0, cruise = 0, max = 0;  // m/s
  double climb = 0, sink = 0;           // m/s
  double launch = 0;                    // m/s
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, SpeedsDef>
void describe(D& d, V& v) {
  v.field("min", d.min, {.unit = "m/s", .min = 0, .max = 300, .doc = "least equivalent airspeed in flight; 0: 1.2 times the stall speed"});
  v.field("cruise", d.cruise,
          {.unit = "m/s", .min = 1, .max = 300, .required = true, .doc = "equivalent airspeed of a loiter, at which the aircraft is trimmed"});
  v.field("max", d.max, {.unit = "m/s", .min = 0, .max = 400, .doc = "greatest equivalent airspeed in flight; 0: 1.5 times cruise"});
  v.field("climb", d.climb,
          {.unit = "m/s", .min = 0, .max = 100, .doc = "fastest climb that guidance commands; 0: 90 % of the climb at cruise and full thrust"});
  v.field("sink", d.sink, {.unit = "m/s", .min = 0, .max = 100, .doc = "fastest sink that guidance commands; 0: 1.25 times the sink of a glide at cruise"});
  v.field("launch", d.launch,
          {.unit = "m/s",
           .min = 0,
           .max = 100,
           .doc = "speed at the start of a take-off from a hand or a catapult; 0: the aircraft rolls, or rises on its lift rotors"});
}

struct HandlingDef {
  double max_bank = 0.8;         // rad
  double roll_time = 0, pitch_time = 0;  // s
  double period = 0;             // s
  double loiter_radius = 0;      // m
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, HandlingDef>
void describe(D& d, V& v) {
  v.field("max_bank", d.max_bank, {.unit = "rad", .min = 0.1, .max = 1.3, .doc = "greatest bank that guidance commands"});
  v.field("roll_time", d.roll_time, {.unit = "s", .min = 0, .max = 5, .doc = "time constant of the roll angle; 0: as short as the ailerons allow"});
  v.field("pitch_time", d.pitch_time, {.unit = "s", .min = 0, .max = 5, .doc = "time constant of the pitch angle; 0: as short as the elevator allows"});
  v.field("period", d.period, {.unit = "s", .min = 0, .max = 100, .doc = "period of the return to a path; 0: as short as the roll response allows"});
  v.field("loiter_radius", d.loiter_radius,
          {.unit = "m",
           .min = -1e4,
           .max = 1e4,
           .doc = "radius of the circle about a position; negative: to the left; 0: that of a bank of 24 degrees at cruise in calm air"});
}

struct AircraftDef {
  std::string name;
  Layout layout = Layout::Conventional;
  double mass = 0;                        // kg
  Triple inertia = {0, 0, 0};             // kg m2
  Triple inertia_products = {0, 0, 0};    // kg m2
  WingDef wing;
  LongitudinalDef lift, pitch;
  DragDef drag;
  LateralDef side, roll, yaw;
  double lift_aileron = 0;                // 1/rad
  StallDef stall;
  std::string table;                      // file of static coefficients
  std::vector<double> table_blob = {};    // what was in it
  bool table_beta = false;                // whether it is over the sideslip
  std::string table_axis = {};            // aileron, elevator, rudder or speed, if it is over one of these
  double wash = 0;
  SurfacesDef surfaces;
  std::vector<AircraftRotorDef> rotors;
  GearDef gear;
  double hull_top = 0;                    // m
  SpeedsDef speeds;
  HandlingDef handling;
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, AircraftDef>
void describe(D& d, V& v) {
  v.field("name", d.name, {.required = true, .doc = "display name of the aircraft"});
  v.field("layout", d.layout, {.doc = "layout of the aircraft, used to draw it"});
  v.field("mass", d.mass, {.unit = "kg", .min = 1e-3, .max = 1e5, .required = true, .doc = "take-off mass"});
  v.field("inertia", d.inertia, {.unit = "kg m2", .min = 1e-9, .max = 1e8, .required = true, .doc = "moments of inertia Jxx Jyy Jzz about the centre of mass"});
  v.field("inertia_products", d.inertia_products,
          {.unit = "kg m2",
           .min = -1e8,
           .max = 1e8,
           .doc = "off-diagonal elements Jxy Jxz Jyz of the inertia tensor in axes forward, left, up. Jxz has the sign of the textbook J_xz, which enters a "
                  "tensor with z down as -J_xz"});
  v.field("wing", d.wing, {.required = true, .doc = "reference area and lengths"});
  v.field("lift", d.lift, {.doc = "lift coefficient C_L, in stability axes"});
  v.field("drag", d.drag, {.required = true, .doc = "drag coefficient C_D, in stability axes"});
  v.field("side", d.side, {.doc = "side-force coefficient C_Y, positive to the right"});
  v.field("roll", d.roll, {.doc = "roll-moment coefficient C_l, positive to the right"});
  v.field("pitch", d.pitch, {.doc = "pitch-moment coefficient C_m, positive nose up"});
  v.field("yaw", d.yaw, {.doc = "yaw-moment coefficient C_n, positive to the right"});
  v.field("lift_aileron", d.lift_aileron, {.unit = "1/rad", .min = -10, .max = 10, .doc = "derivative of the lift coefficient by aileron deflection"});
  v.field("stall", d.stall, {.doc = "separation of the flow at high angles of attack"});
  v.field("table", d.table,
          {.is_path = true,
           .doc = "CSV file of static coefficients that replaces zero, alpha and beta of the coefficients; path relative to the airframe's file. "
                  "docs/aircraft.md lists its columns"});
  v.field("wash", d.wash, {.min = 0, .max = 1, .doc = "share of the tail that is in the stream of the propeller"});
  v.field("surfaces", d.surfaces, {.doc = "control surfaces and their servos"});
  v.field("rotors", d.rotors, {.min = 0, .max = 5, .required = true, .doc = "one rotor for thrust, or four for lift followed by one for thrust"});
  v.field("gear", d.gear, {.doc = "landing gear: wheels and skids"});
  v.field("hull_top", d.hull_top, {.unit = "m", .min = 0, .max = 20, .doc = "height of the hull above the centre of mass; 0: a tenth of the span"});
  v.field("speeds", d.speeds, {.required = true, .doc = "airspeeds, climb and sink in flight"});
  v.field("handling", d.handling, {.doc = "limits and response times in flight"});
}

// refuses what cannot exist: inertia against the triangle inequality, coefficients that make no lift, rotors that are neither one for thrust nor four
// for lift and one for thrust, lift rotors that cannot carry it.
core::Status check_aircraft(const AircraftDef& def);

// refuses one of those that does not trim at its cruise airspeed, at sea level and standard gravity: the error says what is left over, which limit it
// ran into and what might help. Its tables must have been read.
core::Status check_trim(const AircraftDef& def);

}  // namespace volary::airframe
