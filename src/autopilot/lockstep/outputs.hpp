// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// From the motor outputs of an autopilot to rotor speeds. An output of 0 to 1 stands for a thrust; how, the autopilot says by a parameter: the share e of its
// square, thrust / greatest thrust = (1 - e) u + e u2. PX4 calls e THR_MDL_FAC (default 0), ArduPilot MOT_THST_EXPO (default 0.65).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "scenario/autopilot_def.hpp"
#include "volary/def.hpp"

namespace volary::autopilot {

inline constexpr std::size_t kMostRotors = 8;

// of an autopilot, for one tick
struct Command {
  bool armed = false;
  std::array<double, kMostRotors> output{};  // 0 to 1, in the order of the autopilot

  friend bool operator==(const Command&, const Command&) = default;
};

// 1000 us: none, 2000 us: full; 0 before the first output of the autopilot
double output_from_pwm(std::uint16_t microseconds);

class RotorMap {
 public:
  RotorMap(const Airframe& multirotor, const AutopilotDef& autopilot);

  std::size_t n_rotors() const { return n_rotors_; }
  // rad/s of each rotor of the airframe; all at rest while disarmed. In steps of 1/64 rad/s, finer than any speed controller takes: recordings stay small
  std::array<double, kMostRotors> speeds(const Command& command) const;
  double speed(double output) const;

 private:
  std::size_t n_rotors_ = 0;
  std::array<std::size_t, kMostRotors> output_of_{};  // of each rotor
  double share_of_square_ = 0;
  double thrust2_ = 0, thrust1_ = 0, thrust0_ = 0, speed_max_ = 0;
};

}  // namespace volary::autopilot
