// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A recorded flight flown again by our multirotor (vehicles/multirotor.hpp) from the motor commands alone: brushed motors on a battery that
// sags turn the rotors, rotors and air push the body, sensors see what comes of it. Angular rates, which a quadrotor without its
// controller would not keep for a second, are those recorded; accelerations are ours.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "vehicles/multirotor.hpp"
#include "vehicles/multirotor_def.hpp"
#include "validation/rotor_log.hpp"

namespace volary::validation {

// what is fitted, the same for all flights of a vehicle
enum Common : std::size_t {
  kDrive,          // 1/s: how hard a motor pulls towards its no-load speed, Kt Ke / (R J)
  kLoad,           // 1/rad: air torque over rotor inertia, which also stops a rotor that coasts
  kDelay,          // s from command to motor
  kInertiaX, kInertiaY,  // kg m2
  kTorqueRatio,    // m: torque over thrust
  kRotorInertia,   // kg m2
  kRotorDrag,      // kg: in-plane drag
  kHubHeight,      // m: where the rotors' drag acts above the centre of mass
  kStall,          // s/m: share of thrust lost per axial air speed
  kSag,            // share of the supply that a motor's stalled current would take
  kDrain,          // 1/s: share of the supply lost per second of full command of one motor
  kSensorX, kSensorY, kSensorZ,  // m: accelerometer from the centre of mass
  kBiasX, kBiasY, kBiasZ,        // m/s2: of the accelerometer
  kCommonCount
};
// and for each flight: batteries are charged and mounted anew
enum Own : std::size_t {
  kNoLoadSpeed,      // rad/s at full command and a fresh battery
  kCentreX, kCentreY,  // m: centre of mass from the middle of the rotors
  kYawTrim,          // N m: what slightly tilted motors and unlike propellers add
  kOwnCount
};
struct ParameterInfo {
  const char *name, *unit;
  double step;    // that matters, for differences
  double spread;  // how far from its start it may plausibly be
};
extern const std::array<ParameterInfo, kCommonCount> kCommonInfo;
extern const std::array<ParameterInfo, kOwnCount> kOwnInfo;

struct RotorModel {
  std::array<double, kCommonCount> common{};
  std::array<double, kOwnCount> own{};
};

// the vehicle of an airframe file with four rotors, ready to be given other parameters
struct RotorVehicle {
  airframe::MultirotorDef def;
  vehicles::MultirotorParams<double, 4> params;
  std::array<std::size_t, 4> motor{};  // of each rotor: which command drives it
};
core::Result<RotorVehicle> make_rotor_vehicle(const airframe::MultirotorDef& def);

// where a fit begins: what the airframe file says, and what brushed motors of this size do
RotorModel first_guess(const RotorVehicle& vehicle);

// what the sensors would have seen, smoothed as the recording is; zero where it does not fly
AxisSamples fly(const RotorLog& log, const RotorVehicle& vehicle, const RotorModel& model);

}  // namespace volary::validation
