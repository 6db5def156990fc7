// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Everything that comes from outside is an Input: setpoints, modes, spawning, removal, parameters, wind.
// Inputs are applied at the start of their tick, in the order (tick, source, seq), whoever came first.
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

using Payload = std::variant<SetMode, SetSetpoint, SetWind, SetWrench, SetParameter, FailRotor, SetState, Spawn, Remove, SetBehaviour, SetField>;

struct Input {
  std::uint64_t tick = 0;    // 0 or past: the next tick
  std::uint32_t source = 0;  // who says it; 0 is the scenario
  std::uint32_t seq = 0;     // counts up within a source
  VehicleId target = {};     // none: every vehicle the payload makes sense for
  Payload payload = {};
};

}  // namespace volary
