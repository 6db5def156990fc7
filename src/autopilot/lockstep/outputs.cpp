// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/lockstep/outputs.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "vehicles/aircraft_def.hpp"
#include "vehicles/multirotor_def.hpp"

namespace volary::autopilot {

namespace {

constexpr double kSpeedSteps = 64, kAngleSteps = 4096;  // per rad/s, per rad

double share_of_square(const AutopilotDef& def, std::string_view name_of_ardupilot) {
  const bool is_px4 = def.kind == AutopilotKind::Px4;
  double share = is_px4 ? 0 : 0.65;
  for (const AutopilotParameter& p : def.parameters)
    if (p.name == (is_px4 ? "THR_MDL_FAC" : name_of_ardupilot)) share = p.value;
  return std::clamp(share, 0.0, 1.0);
}

}  // namespace

double output_from_pwm(std::uint16_t microseconds) { return std::clamp((static_cast<double>(microseconds) - 1000) / 1000, 0.0, 1.0); }

double deflection_from_pwm(std::uint16_t microseconds) {
  return microseconds == 0 ? 0 : std::clamp((static_cast<double>(microseconds) - 1500) / 500, -1.0, 1.0);
}

ActuatorMap::ActuatorMap(const Airframe& airframe, const AutopilotDef& autopilot) {
  airframe.model == "aircraft" ? add_aircraft(airframe, autopilot) : add_multirotor(airframe, autopilot);
}

void ActuatorMap::add_multirotor(const Airframe& airframe, const AutopilotDef& autopilot) {
  const auto& def = *static_cast<const airframe::MultirotorDef*>(airframe.definition.get());
  const auto& m = def.motor;
  rotors_.resize(std::min(def.rotors.size(), kMostActuators));
  for (std::size_t k = 0; k < rotors_.size(); ++k)
    rotors_[k] = {k, share_of_square(autopilot, "MOT_THST_EXPO"), m.thrust2, m.thrust1, m.thrust0, m.speed_max};
  for (std::size_t k = 0; k < autopilot.motors.size() && k < rotors_.size(); ++k) rotors_[static_cast<std::size_t>(autopilot.motors[k])].output = k;
}

void ActuatorMap::add_aircraft(const Airframe& airframe, const AutopilotDef& autopilot) {
  const auto& def = *static_cast<const airframe::AircraftDef*>(airframe.definition.get());
  const AircraftOutputs& outputs = autopilot.outputs;
  for (std::size_t k = 0; k < def.rotors.size(); ++k) {
    // at rest the thrust of these rotors goes with the square of their speed
    Rotor r{.output = static_cast<std::size_t>(outputs.rotors[k] - 1), .speed_max = def.rotors[k].speed_max};
    if (autopilot.kind == AutopilotKind::Px4 || def.rotors[k].use == airframe::RotorUse::Lift) r.share_of_square = share_of_square(autopilot, "Q_M_THST_EXPO");
    rotors_.push_back(r);
  }
  const auto add = [&](int output, double travel, double effect) {
    surfaces_.push_back({std::abs(output) - 1, (output < 0) != (effect < 0) ? -travel : travel});
  };
  add(outputs.aileron, def.surfaces.aileron.travel, def.roll.aileron);
  add(outputs.elevator, def.surfaces.elevator.travel, def.pitch.elevator);
  add(outputs.rudder, def.surfaces.rudder.travel, def.yaw.rudder);
}

double ActuatorMap::speed(std::size_t rotor, double output) const {
  if (!(output > 0)) return 0;
  const Rotor& r = rotors_[rotor];
  const double u = std::min(output, 1.0);
  const double most = (r.thrust2 * r.speed_max + r.thrust1) * r.speed_max + r.thrust0;
  const double thrust = most * u * ((1 - r.share_of_square) + r.share_of_square * u);
  // the speed of this thrust: the greater root of thrust2 w2 + thrust1 w + thrust0 - thrust
  const double inside = std::max(0.0, r.thrust1 * r.thrust1 + 4 * r.thrust2 * (thrust - r.thrust0));
  const double speed = (std::sqrt(inside) - r.thrust1) / (2 * r.thrust2);
  return std::clamp(std::round(speed * kSpeedSteps) / kSpeedSteps, 0.0, r.speed_max);
}

std::array<double, kMostActuators> ActuatorMap::setpoints(const Command& command) const {
  std::array<double, kMostActuators> out{};
  if (!command.armed) return out;
  for (std::size_t k = 0; k < rotors_.size(); ++k) out[k] = speed(k, command.output[rotors_[k].output]);
  for (std::size_t k = 0; k < surfaces_.size(); ++k) {
    const Surface& s = surfaces_[k];
    const double share = s.output < 0 ? 0 : std::clamp(command.output[static_cast<std::size_t>(s.output)], -1.0, 1.0);
    out[rotors_.size() + k] = std::round(s.most * share * kAngleSteps) / kAngleSteps;
  }
  return out;
}

// A wing that glides is armed, and its motor rests: only without any pulses it is disarmed.
Wiring ActuatorMap::wiring() const {
  Wiring w;
  for (const Surface& s : surfaces_)
    if (s.output >= 0) w.servos.set(static_cast<std::size_t>(s.output));
  if (surfaces_.empty()) {
    for (const Rotor& r : rotors_) w.arming.set(r.output);
  } else {
    w.arming.set(rotors_.back().output);
    w.resting = 0;
  }
  return w;
}

}  // namespace volary::autopilot
