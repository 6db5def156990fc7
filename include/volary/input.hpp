// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Every command or change from outside a world is an Input: setpoints, modes, spawning, removal, parameters, wind.
// Inputs are applied at the start of their tick and then discarded. Their order is (tick, source, seq), not the order in which they were submitted.
// Names, units and bounds of the fields of every payload are in engine/payloads.hpp.
// SI units, world frame ENU (suffix _W), body frame FLU (suffix _B), angles in radians.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "volary/def.hpp"
#include "volary/faults.hpp"
#include "volary/ids.hpp"

namespace volary {

// Changes the flight mode of a vehicle.
struct SetMode {
  Mode mode = Mode::Hold;
};
// Sets the setpoint of a vehicle at one control level; fields of other control levels are ignored.
struct SetSetpoint {
  ControlLevel level = ControlLevel::Position;
  Vec position_W = {0, 0, 0}, velocity_W = {0, 0, 0}, acceleration_W = {0, 0, 0}, jerk_W = {0, 0, 0};  // m, m/s, m/s2, m/s3
  double yaw = 0, yaw_rate = 0;                   // rad from east towards north, rad/s
  double thrust = 0;                              // N
  std::array<double, 4> attitude = {1, 0, 0, 0};  // unit quaternion w x y z, body to world
  Vec rate_B = {0, 0, 0};                         // rad/s
  std::array<double, 8> motor_speed{};            // rad/s
};
// Sets the mean wind: of the world without a target, else of one vehicle, which is possible only in a world without weather.
struct SetWind {
  Vec wind_W = {0, 0, 0};  // m/s
};
// Sets the external force and torque on a vehicle.
struct SetWrench {
  Vec force_W = {0, 0, 0}, torque_B = {0, 0, 0};  // N, N m
};
// Changes one number of a parameter of a vehicle's model.
struct SetParameter {
  std::string name;    // name in World::parameters(), such as "mass"
  int component = 0;   // index of the number within the parameter
  double value = 0;
};
// Makes a rotor fail or work again.
struct FailRotor {
  int rotor = 0;       // index from 0
  bool failed = true;  // false: the rotor works again
};
// Sets the state of a mirror, or moves a simulated vehicle to another state.
struct SetState {
  Vec position_W = {0, 0, 0}, velocity_W = {0, 0, 0}, omega_B = {0, 0, 0};  // m, m/s, rad/s
  std::array<double, 4> attitude = {1, 0, 0, 0};                            // unit quaternion w x y z, body to world
};
// Adds a vehicle to a flock.
struct Spawn {
  std::string flock;
  VehicleDef vehicle = {};
};
// Removes a vehicle from the world.
struct Remove {};
// Changes the weight of a behaviour of a vehicle; 0 switches it off.
struct SetBehaviour {
  std::string kind;    // "formation": every behaviour of that kind; "formation[1]": the second
  double weight = 1;
};
// Changes a field of the scenario while it runs. "radio.loss" belongs to the radio medium and "environment.turbulence.intensity" to the weather, which all
// vehicles share. "behaviours.reynolds.speed", "behaviours[2].threshold", "emits[0].plume.rate" and "node.radio_power" belong to the whole flock of the
// target. Without a target they change in every flock that has such a field. swarm/change_field.hpp and environment/weather.hpp list the paths.
struct SetField {
  std::string path;
  std::string value;   // written as in a scenario file
};

// The kind of value that SetMany sets, and the numbers for each vehicle, in this order. A setpoint equals a SetSetpoint with these fields and zeros
// elsewhere. Frames are those of SetSetpoint and SetState.
enum class Many {
  MotorSpeeds,   // speed (rad/s), one for each rotor
  Rates,         // thrust (N), body rate (3, rad/s)
  Attitude,      // thrust (N), attitude (w x y z)
  Acceleration,  // acceleration (3, m/s2), yaw (rad)
  Velocity,      // velocity (3, m/s), yaw (rad)
  Position,      // position (3, m), yaw (rad)
  Trajectory,    // position, velocity, acceleration, jerk (3 each), yaw, yaw rate
  Pose,          // position (3), attitude (4); the velocities of a mirror follow from its previous pose
  State,         // position, velocity (3 each), attitude (4), body rate (3)
  Parameter,     // one value of the parameter
  // The last state of vehicles that are simulated elsewhere (Assign). Time: age of the state (s; negative: ahead of this world), time of straight motion from it (s).
  // Motion: position, velocity (3 each), attitude (4). State: flight mode (as a number), condition (0 flies, 1 crashed, 2 diverged).
  // Content of its state messages: commanded velocity (3), role.
  Report,
  Estimate,      // position, velocity (3 each), attitude (4), body rate (3), of flocks whose estimator is EstimatorKind::Outside
  Reading        // the numbers of a reading of an own sensor (OwnSensorDef); `parameter` is its name
};

// One input that sets the same kind of value for many vehicles of a flock.
struct SetMany {
  Many what = Many::Position;
  std::string flock = {};
  std::string parameter = {};  // Parameter: name in World::parameters(), such as "mass". Reading: name of the sensor
  int component = 0;           // index of the number within the parameter
  std::vector<VehicleId> ids = {};  // empty: every vehicle, in the order of World::vehicles(flock)
  std::vector<double> values = {};  // column by column: values[k * n + i] is number k of vehicle i of n
};

// Takes a vehicle out of control. It decides nothing and takes no input but its removal. It moves straight on with the velocity it has, and then stands still. Other
// vehicles still detect, hear and touch it. The vehicles of a node of a federation that is gone are treated so.
struct Detach {
  double straight = 0;  // s until it stands still
};

// Says whether this world simulates the vehicles of a flock, from a place in the flock up to the next such input. A vehicle that is simulated elsewhere belongs to another
// process, or it is real. This world moves the vehicle straight on from its last report (SetMany with Many::Report). Other vehicles detect, hear and
// touch it. A vehicle that is elsewhere stays there: `here` is for the start of a run.
struct Assign {
  std::string flock = {};
  std::uint64_t first_place = 1;  // from 1, in the order of the flock
  bool here = false;
};

// Lets a vehicle send a message, as a behaviour of the vehicle would.
struct Say {
  std::string topic = {};          // name of the topic; empty: the topic with topic_number
  std::uint32_t topic_number = 0;
  std::uint64_t to = 0;            // number of the vehicle that it is meant for; 0: every vehicle
  std::uint64_t from = 0;          // number of the vehicle that is given as the sender; 0: the vehicle itself
  bool anonymous = false;          // true: no sender is given
  std::vector<double> values = {}; // at most 12
};

// Sets position and attitude of a platform of several aircraft.
struct SetPose {
  Vec position_W = {0, 0, 0}, velocity_W = {0, 0, 0};  // m, m/s, of the origin of the central body
  double roll = 0, pitch = 0, yaw = 0;  // rad, yaw from east towards north
};
// Sets the reaction of a platform of several aircraft to an external force.
struct SetReaction {
  Reaction kind = Reaction::Stiff;
  Vec force_B = {0, 0, 0}, torque_B = {0, 0, 0};  // N, N m: commanded external wrench on the origin of the central body, for Press
};
// Opens the latch that joins a vehicle with another one.
struct Release {};

// The content of an input: one of the structs above, or a SetFault (volary/faults.hpp).
using Payload = std::variant<SetMode, SetSetpoint, SetWind, SetWrench, SetParameter, FailRotor, SetState, Spawn, Remove, SetBehaviour, SetField, SetMany,
                             Detach, Assign, Say, SetFault, SetPose, SetReaction, Release>;

// A payload with its tick, source and target.
struct Input {
  std::uint64_t tick = 0;    // tick at which it is applied; 0: the next tick
  std::uint32_t source = 0;  // number of the sender; 0 is the scenario
  std::uint32_t seq = 0;     // number of the input within its source, counted up
  VehicleId target = {};     // vehicle, as an id or a plain number; none: every vehicle that the payload fits
  Payload payload = {};
};

// Treatment of an input whose tick has passed. Move: it is applied at the next tick, and an event reports the delay. Refuse: it is refused.
enum class Late { Move, Refuse };

// The result of World::submit(). A refused input changes nothing and is not recorded.
struct Submitted {
  bool ok = true;          // false: the input is refused
  std::string why;         // reason of the refusal, with the field
  std::uint64_t late = 0;  // number of ticks by which the input was late

  explicit operator bool() const { return ok; }
};

}  // namespace volary
