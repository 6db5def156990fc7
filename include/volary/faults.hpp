// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Faults of actuators, sensors, links and estimators as plain data, and the conditions that a vehicle can end in. docs/faults.md describes what each kind does.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace volary {

// Three numbers, such as east, north and up.
using Vec = std::array<double, 3>;

// The kind of a fault. None ends the fault of a component.
enum class FaultKind { None, Off, Stuck, Bias, Drift, Scale, Noise, Delay, DropOut, Intermittent };

// Makes a component of a vehicle fail, or work again. A component has at most one fault at a time: the last one.
// Components: rotor[i], surface[i] (0 aileron, 1 elevator, 2 rudder), steering, drive; imu.gyro, imu.accelerometer, gnss, barometer, magnetometer, airspeed,
// range_finder, optical_flow, uwb, motion_capture, odometry; link; estimator.
struct SetFault {
  std::string component = {};
  FaultKind kind = FaultKind::Off;  // intermittent: off in windows
  Vec amount = {0, 0, 0};    // bias and noise: in the unit of the component; drift: the same per second; scale: factor, first number; delay: s, first number.
                             // An actuator's unit is its greatest speed or angle; a link's bias and noise are dB of power; an estimator's bias is m.
  double probability = 0;    // drop_out: of losing a command, a reading or a message
  double mean_on = 0;        // s, mean length of the windows in which the fault acts; 0: it acts all the time
  double mean_off = 0;       // s, mean length of the windows between them
  double duration = 0;       // s; 0: for good
};

// A fault at a known time.
struct FaultDef {
  double time = 0;            // s
  std::string flock = {};     // name of the flock; empty: every flock
  std::int64_t vehicle = -1;  // index in the flock; -1: the whole flock
  SetFault fault = {};
};

// Faults that are drawn for each vehicle, episode and seed.
struct RandomFaultsDef {
  double per_vehicle = 0;               // mean number of faults of a vehicle; 0: none
  std::vector<std::string> flocks = {};      // names of the flocks that have them; empty: every flock
  std::vector<std::string> components = {};  // to draw from; those that a vehicle does not have are left out
  std::vector<FaultKind> kinds = {};         // to draw from
  double from = 0, until = 0;           // s: time of a fault, drawn uniformly; until 0: the end of the run
  std::array<double, 2> severity = {0.1, 1};  // from and to, of 1: drawn uniformly; docs/faults.md has the amount for each kind and component
  double duration = 0;                  // s, mean; 0: for good
};

// The faults of a world.
struct FaultsDef {
  std::vector<FaultDef> planned;
  RandomFaultsDef random;
  double sensor_delay = 0;  // s, longest delay of a sensor that an input may ask for; those of the scenario have room anyway
};

// The condition of a vehicle. TippedOver and UpsideDown: on the ground, by its tilt. Stuck: it wants to go and does not move. Crashed: it hit the ground, an
// obstacle or another vehicle too hard, or was stopped because it lay tipped over.
enum class Condition : std::uint8_t { Fine, TippedOver, UpsideDown, Stuck, Crashed };

// A fault of a random schedule, as it was drawn.
struct DrawnFault {
  double time = 0;             // s
  std::string flock;
  std::uint64_t place = 0;     // of the vehicle in its flock, from 1
  double severity = 0;         // of 1
  SetFault fault = {};
};

}  // namespace volary
