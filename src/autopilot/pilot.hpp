// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The orders of a virtual autopilot to its vehicle: inputs of the engine, each given once. It also knows what the vehicle does, and notices when somebody else
// (the page, the scenario, another program) has taken over.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "autopilot/vehicle_state.hpp"
#include "volary/input.hpp"

namespace volary::autopilot {

class Pilot {
 public:
  explicit Pilot(const VehicleFacts& facts) : facts_(facts) {}

  void see(const VehicleState& state);
  const VehicleState& state() const { return state_; }
  bool is_armed() const;
  bool will_be_armed() const;  // when the orders that were given have acted
  bool is_airborne() const { return is_airborne_; }
  // somebody else changed the mode since the last call
  bool take_taken_over() { return std::exchange(is_taken_over_, false); }

  void arm();
  void disarm() { set_mode(Mode::Disarmed); }
  void stop_rotors() { set_mode(Mode::EmergencyStop); }
  void take_off(double height);  // m above the place where it stands
  void hold();
  void land() { set_mode(Mode::Land); }
  void fly_scenario() { set_mode(Mode::Mission); }  // its own mission or behaviours
  void go_to(const Vec& position_W, double yaw);
  void steer(const SetSetpoint& setpoint);
  void limit_speed(double speed);  // m/s, horizontal; nothing happens where the model has no such limit
  void set_parameter(const char* name, double value) { orders_.push_back(SetParameter{name, 0, value}); }

  // what it was told last, while that counts
  const std::optional<SetSetpoint>& target() const { return target_; }
  std::vector<Payload> take_orders();

 private:
  void set_mode(Mode mode);

  const VehicleFacts& facts_;
  VehicleState state_;
  bool is_seen_ = false, is_airborne_ = false, is_taken_over_ = false;
  bool awaits_ = false;  // orders were given to the world and the next state shows what came of them
  std::optional<Mode> ordered_;  // the last mode that was ordered, until a state shows it
  std::optional<SetSetpoint> target_;
  std::optional<double> speed_;
  std::vector<Payload> orders_;
};

}  // namespace volary::autopilot
