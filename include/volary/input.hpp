// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Everything that comes from outside is an Input: setpoints, modes, spawning, removal, parameters, wind.
// Inputs are applied at the start of their tick, in the order (tick, source, seq), whoever came first, and leave the world then.
// Names, units and bounds of the fields of every payload are in engine/payloads.hpp.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "volary/def.hpp"
#include "volary/ids.hpp"

namespace volary {

struct SetMode {
  Mode mode = Mode::Hold;
};
// a rung of the ladder; fields of other rungs are ignored
struct SetSetpoint {
  Rung rung = Rung::Position;
  Vec position_W = {0, 0, 0}, velocity_W = {0, 0, 0}, acceleration_W = {0, 0, 0}, jerk_W = {0, 0, 0};
  double yaw = 0, yaw_rate = 0;
  double thrust = 0;                              // N
  std::array<double, 4> attitude = {1, 0, 0, 0};  // w x y z
  Vec rate_B = {0, 0, 0};                         // rad/s
  std::array<double, 8> motor_speed{};            // rad/s
};
// without a target the mean wind of all; of one vehicle only in a plain world
struct SetWind {
  Vec wind_W = {0, 0, 0};
};
struct SetWrench {
  Vec force_W = {0, 0, 0}, torque_B = {0, 0, 0};
};
struct SetParameter {
  std::string name;    // column of the kernel's parameters, such as "mass"
  int component = 0;   // which row of it
  double value = 0;
};
struct FailRotor {
  int rotor = 0;
  bool failed = true;
};
// the state of a mirror, or a jump of a simulated vehicle
struct SetState {
  Vec position_W = {0, 0, 0}, velocity_W = {0, 0, 0}, omega_B = {0, 0, 0};
  std::array<double, 4> attitude = {1, 0, 0, 0};
};
struct Spawn {
  std::string flock;
  VehicleDef vehicle = {};
};
struct Remove {};
// how much one behaviour of a vehicle's library counts from now on; 0 switches it off
struct SetBehaviour {
  std::string kind;    // "formation": every one of that kind; "formation[1]": the second
  double weight = 1;
};
// A field of the scenario, from now on. "radio.loss" is the medium's and "environment.turbulence.intensity" the weather's, for all;
// "behaviours.reynolds.speed", "behaviours[2].threshold", "emits[0].plume.rate" and "node.radio_power" are those of the target's whole flock, or of every
// flock that has such a field. swarm/change_field.hpp and environment/weather.hpp have the paths.
struct SetField {
  std::string path;
  std::string value;   // as a file would have it
};

// What SetMany sets, and the numbers that each vehicle is given, in this order. A setpoint equals a SetSetpoint with these fields and zeros elsewhere.
enum class Many {
  MotorSpeeds,   // rad/s: one for each rotor
  Rates,         // thrust (N), body rate (3, rad/s)
  Attitude,      // thrust (N), attitude (w x y z)
  Acceleration,  // acceleration (3, m/s2), yaw (rad)
  Velocity,      // velocity (3, m/s), yaw
  Position,      // position (3, m), yaw
  Trajectory,    // position, velocity, acceleration, jerk (3 each), yaw, yaw rate
  Pose,          // position (3), attitude (4); a mirror's velocities follow from its last pose
  State,         // position, velocity (3 each), attitude (4), body rate (3)
  Parameter      // one value of the parameter
};

// One input for many vehicles of a flock.
struct SetMany {
  Many what = Many::Position;
  std::string flock = {};
  std::string parameter = {};  // what == Parameter: column of the kernel's parameters, such as "mass"
  int component = 0;           // and which row of it
  std::vector<VehicleId> ids = {};  // empty: every vehicle, in the order of World::vehicles(flock)
  std::vector<double> values = {};  // column by column: values[k * n + i] is number k of vehicle i of n
};

using Payload = std::variant<SetMode, SetSetpoint, SetWind, SetWrench, SetParameter, FailRotor, SetState, Spawn, Remove, SetBehaviour, SetField, SetMany>;

struct Input {
  std::uint64_t tick = 0;    // 0: the next tick
  std::uint32_t source = 0;  // who says it; 0 is the scenario
  std::uint32_t seq = 0;     // counts up within a source
  VehicleId target = {};     // none: every vehicle the payload makes sense for; a plain number does for an id
  Payload payload = {};
};

// What becomes of an input whose tick has passed: it acts at the next tick and an event says so, or it is refused.
enum class Late { Move, Refuse };

// What World::submit() answers. A refused input changes nothing and is not recorded.
struct Submitted {
  bool ok = true;
  std::string why;         // it is refused, and by which field
  std::uint64_t late = 0;  // ticks that it came too late

  explicit operator bool() const { return ok; }
};

}  // namespace volary
