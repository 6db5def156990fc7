// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a virtual autopilot knows of the vehicle that it flies.
// SI units, world frame ENU (suffix _W), body frame FLU (suffix _B), angles in radians.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "autopilot/mavlink/messages.hpp"
#include "volary/def.hpp"
#include "volary/ids.hpp"

namespace volary::autopilot {

// what does not change in flight
struct VehicleFacts {
  VehicleId id = {};
  std::string name = {}, airframe = {};
  mavlink::VehicleType type = mavlink::VehicleType::Generic;
  bool is_guided = false;         // it has the modes take-off, hold and land
  bool takes_setpoints = false;   // of every level up to positions
  bool cannot_stop = false;       // only wings carry it
  std::optional<double> max_speed = {}, max_climb = {}, take_off_height = {}, climb = {},
                        descend = {};  // m/s, m: parameters of its model that can be changed in flight
  double thrust_max = 0;          // N, collective; 0: not known
  Vec home_W = {0, 0, 0};         // m: where it was when the run began, on the ground below it if that is known
  double home_yaw = 0;            // rad
};

// after a tick
struct VehicleState {
  double time = 0;                // s, simulated
  Mode mode = Mode::Disarmed;
  bool is_alive = true, has_crashed = false;
  Vec position_W = {0, 0, 0}, velocity_W = {0, 0, 0}, omega_B = {0, 0, 0};
  std::array<double, 4> attitude = {1, 0, 0, 0};
};

// rad from east towards north
double yaw_of(const std::array<double, 4>& attitude);
// of the vehicle and of messages: NED counts from north towards east
double compass_from_yaw(double yaw);
double yaw_from_compass(double compass);
double wrap(double angle);  // into -pi .. pi

}  // namespace volary::autopilot
