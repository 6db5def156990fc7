// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// From the outputs of an autopilot to what a vehicle is commanded: rotor speeds, and of an aircraft the deflections of aileron, elevator and rudder.
// An output of 0 to 1 of a motor stands for a thrust; how, the autopilot says by a parameter: the share e of its square, thrust / greatest thrust =
// (1 - e) u + e u2. PX4 calls e THR_MDL_FAC (default 0), ArduPilot MOT_THST_EXPO, and Q_M_THST_EXPO of a quadplane (default 0.65). The rotor that pulls an
// aircraft of ArduPilot has none: its output is the share of its thrust. An output of -1 to 1 of a servo is a share of the travel; above 0 it rolls right,
// pitches up or yaws right, whichever way the surface has to go for that.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "scenario/autopilot_def.hpp"
#include "volary/def.hpp"

namespace volary::autopilot {

inline constexpr std::size_t kMostOutputs = 16;   // of an autopilot
inline constexpr std::size_t kMostActuators = 8;  // of a vehicle

// of an autopilot, for one tick
struct Command {
  bool armed = false;
  std::array<double, kMostOutputs> output{};  // in the order of the autopilot: 0 to 1 of a motor, -1 to 1 of a servo

  friend bool operator==(const Command&, const Command&) = default;
};

// 1000 us: none, 2000 us: full; 0 before the first output of the autopilot
double output_from_pwm(std::uint16_t microseconds);
// 1000 us: -1, 1500 us: 0, 2000 us: 1; 0 before the first output of the autopilot
double deflection_from_pwm(std::uint16_t microseconds);

// What a protocol has to know of outputs that are nothing but lengths of pulses.
struct Wiring {
  std::bitset<kMostOutputs> servos;   // all others are read as motors
  std::bitset<kMostOutputs> arming;   // armed: one of them has pulses longer than `resting`
  std::uint16_t resting = 1000;       // us
};

class ActuatorMap {
 public:
  ActuatorMap(const Airframe& multirotor_or_aircraft, const AutopilotDef& autopilot);

  // numbers for each vehicle: one for each rotor of the airframe, then those of aileron, elevator and rudder
  std::size_t size() const { return rotors_.size() + surfaces_.size(); }
  // rad/s and rad; all at rest while disarmed. In steps of 1/64 rad/s and 1/4096 rad, finer than motors and servos take them: recordings stay small
  std::array<double, kMostActuators> setpoints(const Command& command) const;
  double speed(std::size_t rotor, double output) const;  // rad/s
  Wiring wiring() const;

 private:
  struct Rotor {
    std::size_t output = 0;
    double share_of_square = 0;
    double thrust2 = 1, thrust1 = 0, thrust0 = 0, speed_max = 0;
  };
  struct Surface {
    int output = -1;  // -1: none
    double most = 0;  // rad at an output of 1, with its sign
  };
  void add_multirotor(const Airframe& airframe, const AutopilotDef& autopilot);
  void add_aircraft(const Airframe& airframe, const AutopilotDef& autopilot);

  std::vector<Rotor> rotors_;
  std::vector<Surface> surfaces_;
};

}  // namespace volary::autopilot
