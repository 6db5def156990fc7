// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// One list of fields per payload of an input, with unit, bounds and meaning (core/describe.hpp). Bytes in recordings and checkpoints, the check of what
// comes from outside, and every other form of an input are visitors of these lists.
#pragma once

#include <span>
#include <string>

#include "control/names.hpp"
#include "core/bytes.hpp"
#include "core/describe.hpp"
#include "core/result.hpp"
#include "vehicles/components.hpp"
#include "volary/input.hpp"

namespace volary {

// the words for enums, in the order of their values
inline std::span<const char* const> names(Many) {
  static constexpr const char* kWords[] = {"motor_speeds", "rates",      "attitude", "acceleration", "velocity",
                                           "position",     "trajectory", "pose",     "state",        "parameter", "report",
                                           "estimate",     "reading"};
  return kWords;
}

namespace limits {
inline constexpr double kDistance = 1e8, kSpeed = 1e5, kAcceleration = 1e7, kJerk = 1e9, kYaw = 1e6, kTurn = 1e5, kForce = 1e9, kWind = 1e3, kTime = 1e9;
inline constexpr double kAny = 1e30;  // a parameter: still a float
inline constexpr double kReportAge = 1e6;  // s
}  // namespace limits

#define VOLARY_BOTH_WAYS(x) .min = -(x), .max = (x)

template <class V> void describe(SetMode& p, V& v) { v.field("mode", p.mode, {.doc = "flight mode to enter"}); }
template <class V> void describe(SetSetpoint& p, V& v) {
  v.field("level", p.level, {.doc = "control level of the setpoint"});
  v.field("position", p.position_W, {.unit = "m", VOLARY_BOTH_WAYS(limits::kDistance), .doc = "commanded position, world frame"});
  v.field("velocity", p.velocity_W, {.unit = "m/s", VOLARY_BOTH_WAYS(limits::kSpeed), .doc = "commanded velocity, world frame"});
  v.field("acceleration", p.acceleration_W, {.unit = "m/s2", VOLARY_BOTH_WAYS(limits::kAcceleration), .doc = "commanded acceleration, world frame"});
  v.field("jerk", p.jerk_W, {.unit = "m/s3", VOLARY_BOTH_WAYS(limits::kJerk), .doc = "commanded jerk, world frame"});
  v.field("yaw", p.yaw, {.unit = "rad", VOLARY_BOTH_WAYS(limits::kYaw), .doc = "commanded yaw, from east towards north"});
  v.field("yaw_rate", p.yaw_rate, {.unit = "rad/s", VOLARY_BOTH_WAYS(limits::kTurn), .doc = "commanded yaw rate"});
  v.field("thrust", p.thrust, {.unit = "N", VOLARY_BOTH_WAYS(limits::kForce), .doc = "commanded collective thrust (control levels attitude and rates)"});
  v.field("attitude", p.attitude, {VOLARY_BOTH_WAYS(1.01), .doc = "commanded attitude as a unit quaternion w x y z (control level attitude)"});
  v.field("rate", p.rate_B, {.unit = "rad/s", VOLARY_BOTH_WAYS(limits::kTurn), .doc = "commanded body rate (control level rates)"});
  v.field("motor_speed", p.motor_speed, {.unit = "rad/s", VOLARY_BOTH_WAYS(limits::kTurn), .doc = "commanded rotor speeds (control level motor_speeds)"});
}
template <class V> void describe(SetWind& p, V& v) {
  v.field("wind", p.wind_W, {.unit = "m/s", VOLARY_BOTH_WAYS(limits::kWind), .doc = "mean wind, world frame"});
}
template <class V> void describe(SetWrench& p, V& v) {
  v.field("force", p.force_W, {.unit = "N", VOLARY_BOTH_WAYS(limits::kForce), .doc = "external force, world frame"});
  v.field("torque", p.torque_B, {.unit = "N m", VOLARY_BOTH_WAYS(limits::kForce), .doc = "external torque, body frame"});
}
template <class V> void describe(SetPose& p, V& v) {
  v.field("position", p.position_W,
          {.unit = "m", VOLARY_BOTH_WAYS(limits::kDistance), .doc = "commanded position of the origin of the central body, world frame"});
  v.field("velocity", p.velocity_W, {.unit = "m/s", VOLARY_BOTH_WAYS(limits::kSpeed), .doc = "commanded velocity, world frame"});
  v.field("roll", p.roll, {.unit = "rad", VOLARY_BOTH_WAYS(3.2), .doc = "commanded roll"});
  v.field("pitch", p.pitch, {.unit = "rad", VOLARY_BOTH_WAYS(1.6), .doc = "commanded pitch, positive nose down"});
  v.field("yaw", p.yaw, {.unit = "rad", VOLARY_BOTH_WAYS(limits::kYaw), .doc = "commanded yaw, from east towards north"});
}
template <class V> void describe(SetReaction& p, V& v) {
  v.field("kind", p.kind, {.doc = "reaction of the platform to an external force: stiff, yield (admittance) or press (wrench control)"});
  v.field("force", p.force_B,
          {.unit = "N", VOLARY_BOTH_WAYS(limits::kForce), .doc = "wanted force from outside on the origin of the central body, body frame (press)"});
  v.field("torque", p.torque_B, {.unit = "N m", VOLARY_BOTH_WAYS(limits::kForce), .doc = "wanted torque from outside about this origin, body frame (press)"});
}
template <class V> void describe(SetParameter& p, V& v) {
  v.field("name", p.name, {.doc = "name of a parameter of the vehicle's model, such as mass"});
  v.field("component", p.component, {.min = 0, .max = 1000, .doc = "index of the number within the parameter, from 0"});
  v.field("value", p.value, {VOLARY_BOTH_WAYS(limits::kAny), .doc = "new value of the parameter"});
}
template <class V> void describe(FailRotor& p, V& v) {
  v.field("rotor", p.rotor, {.min = 0, .max = 7, .doc = "index of the rotor, from 0"});
  v.field("failed", p.failed, {.doc = "whether the rotor fails; false: the rotor works again"});
}
template <class V> void describe(SetState& p, V& v) {
  v.field("position", p.position_W, {.unit = "m", VOLARY_BOTH_WAYS(limits::kDistance), .doc = "new position, world frame"});
  v.field("velocity", p.velocity_W, {.unit = "m/s", VOLARY_BOTH_WAYS(limits::kSpeed), .doc = "new velocity, world frame"});
  v.field("omega", p.omega_B, {.unit = "rad/s", VOLARY_BOTH_WAYS(limits::kTurn), .doc = "new body rate"});
  v.field("attitude", p.attitude, {VOLARY_BOTH_WAYS(1.01), .doc = "new attitude as a unit quaternion w x y z"});
}
template <class V> void describe(Harmonic& h, V& v) {
  v.field("amplitude", h.amplitude, {.unit = "m", VOLARY_BOTH_WAYS(limits::kDistance), .doc = "amplitude on each axis"});
  v.field("rate", h.rate, {.unit = "rad/s", VOLARY_BOTH_WAYS(limits::kTurn), .doc = "angular frequency on each axis"});
  v.field("phase", h.phase, {.unit = "rad", VOLARY_BOTH_WAYS(limits::kYaw), .doc = "phase on each axis"});
  v.field("ramp", h.ramp, {.unit = "s", .min = 0, .max = limits::kTime, .doc = "time from rest to full speed"});
  v.field("face_forward", h.face_forward, {.doc = "whether the yaw follows the velocity"});
}
template <class V> void describe(VehicleDef& d, V& v) {
  v.field("name", d.name, {.doc = "name of the vehicle; empty: flock and number"});
  v.field("id", d.id, {.max = static_cast<double>(kMostVehicleNumber), .doc = "number of the vehicle; 0: the next free number"});
  v.field("place", d.place, {.max = 4294967295.0, .doc = "position of the vehicle in the order of its flock and world, from 1; 0: the next free one"});
  v.field("world", d.world, {.doc = "index of the world in the batch, from 0"});
  v.field("position", d.position_W, {.unit = "m", VOLARY_BOTH_WAYS(limits::kDistance), .doc = "position at the start, world frame"});
  v.field("velocity", d.velocity_W, {.unit = "m/s", VOLARY_BOTH_WAYS(limits::kSpeed), .doc = "velocity at the start, world frame"});
  v.field("yaw", d.yaw, {.unit = "rad", VOLARY_BOTH_WAYS(limits::kYaw), .doc = "yaw at the start, from east towards north"});
  v.field("mode", d.mode, {.doc = "flight mode at the start"});
  v.field("centre", d.centre_W, {.unit = "m", VOLARY_BOTH_WAYS(limits::kDistance), .doc = "origin of the mission's curve or path, world frame"});
  v.field("harmonic", d.harmonic, {.doc = "harmonic curve of the mission, used where path is -1"});
  v.field("path", d.path, {.min = -1, .max = 2147483647.0, .doc = "index of the path of the world that is the mission; -1: none"});
  v.field("start_delay", d.start_delay, {.unit = "s", .min = 0, .max = limits::kTime, .doc = "time from the start of the mission to the start of its curve"});
}
template <class V> void describe(Spawn& p, V& v) {
  v.field("flock", p.flock, {.doc = "name of the flock that the vehicle joins"});
  v.field("vehicle", p.vehicle, {.doc = "definition of the vehicle"});
}
template <class V> void describe(Remove&, V&) {}
template <class V> void describe(Release&, V&) {}
template <class V> void describe(Detach& p, V& v) {
  v.field("straight", p.straight, {.unit = "s", .min = 0, .max = limits::kTime, .doc = "time for which the vehicle moves straight on before it stands still"});
}
template <class V> void describe(Assign& p, V& v) {
  v.field("flock", p.flock, {.doc = "name of the flock of the vehicles"});
  v.field("first_place", p.first_place, {.min = 1, .max = 4294967295.0, .doc = "place in the order of the flock, from 1, from which on this holds"});
  v.field("here", p.here, {.doc = "whether this world simulates the vehicles; false: they are simulated elsewhere and reported"});
}
template <class V> void describe(Say& p, V& v) {
  v.field("topic", p.topic, {.doc = "name of the topic; empty: the topic with topic_number"});
  v.field("topic_number", p.topic_number, {.doc = "number of the topic, where its name is not known"});
  v.field("to", p.to, {.max = static_cast<double>(kMostVehicleNumber), .doc = "number of the vehicle that the message is meant for; 0: every vehicle"});
  v.field("from", p.from, {.max = static_cast<double>(kMostVehicleNumber), .doc = "number of the vehicle that the message gives as its sender; 0: the vehicle itself"});
  v.field("anonymous", p.anonymous, {.doc = "whether the message gives no sender"});
  v.field("values", p.values, {VOLARY_BOTH_WAYS(limits::kAny), .doc = "numbers of the message, at most 12"});
}
template <class V> void describe(SetFault& p, V& v) {
  v.field("component", p.component, {.doc = "component that fails: rotor[i], surface[i], steering, drive, a sensor such as gnss or imu.gyro, link or estimator"});
  v.field("kind", p.kind, {.doc = "kind of fault; none: the component works again"});
  v.field("amount", p.amount, {VOLARY_BOTH_WAYS(limits::kDistance), .doc = "bias, drift per second or noise, in the unit of the component; factor of scale; s of delay"});
  v.field("probability", p.probability, {.min = 0, .max = 1, .doc = "probability of losing a command, a reading or a message (drop_out)"});
  v.field("mean_on", p.mean_on, {.unit = "s", .min = 0, .max = limits::kReportAge, .doc = "mean length of the windows in which the fault acts; 0: all the time"});
  v.field("mean_off", p.mean_off, {.unit = "s", .min = 0, .max = limits::kReportAge, .doc = "mean length of the windows between them"});
  v.field("duration", p.duration, {.unit = "s", .min = 0, .max = limits::kTime, .doc = "time for which the fault lasts; 0: for good"});
}
template <class V> void describe(SetBehaviour& p, V& v) {
  v.field("kind", p.kind, {.doc = "kind of the behaviour, such as formation, or formation[1] for the second of that kind"});
  v.field("weight", p.weight, {.min = 0, .max = limits::kAny, .doc = "weight of the behaviour; 0: switched off"});
}
template <class V> void describe(SetField& p, V& v) {
  v.field("path", p.path, {.doc = "path of the field, such as radio.loss"});
  v.field("value", p.value, {.doc = "new value of the field, written as in a scenario file"});
}
template <class V> void describe(SetMany& p, V& v) {
  v.field("what", p.what, {.doc = "kind of value that is set"});
  v.field("flock", p.flock, {.doc = "name of the flock of the vehicles"});
  v.field("parameter", p.parameter,
          {.doc = "name of the parameter of the vehicle's model, where a parameter is set; of the own sensor, where a reading is given"});
  v.field("component", p.component, {.min = 0, .max = 1000, .doc = "index of the number within the parameter, from 0"});
  v.field("ids", p.ids, {.doc = "numbers of the vehicles; empty: all vehicles of the flock"});
  v.field("values", p.values, {VOLARY_BOTH_WAYS(limits::kAny), .doc = "numbers for the vehicles, column by column"});
}

#undef VOLARY_BOTH_WAYS

}  // namespace volary

namespace volary::engine {

struct Data;

// what the kinds of payload are called in JSON, in the order of the variant: "setpoint", "rotor_failure"
std::span<const char* const> payload_names();
// and in events: "rotor failure"
const std::string& name_of(const Payload& payload);
// the payload of the kind with this index, with its defaults; false when there is none
bool make_payload(std::size_t index, Payload& out);

// the numbers that SetMany gives each vehicle: names, how many, and how large each may be
struct ManyColumns {
  const char* name;
  std::size_t least, most;
  double limit;
};
std::span<const ManyColumns> columns_of(Many what);
// all of them together
struct ColumnCount {
  std::size_t least, most;
};
ColumnCount count_columns(Many what);

// whether every field is a finite number within its bounds; the error names the field
core::Status check_fields(const Payload& payload);
// and whether the world has what it names: flocks, paths, worlds, parameters
core::Status check_input(const Data& d, const Input& in);
// and whether its target is there now and has what it names
core::Status check_target(const Data& d, const Input& in);

void write_input(core::ByteWriter& out, const Input& in);
// false when the bytes are no input, or one with fields out of bounds; without places: as recordings of format 1 have them
bool read_input(core::ByteReader& in, Input& out, bool has_places = true);
inline constexpr std::size_t kLeastInputBytes = 25;  // tick, source, seq, target, kind

}  // namespace volary::engine
