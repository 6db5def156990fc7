// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/lockstep/outputs.hpp"

#include <algorithm>
#include <cmath>

#include "vehicles/multirotor_def.hpp"

namespace volary::autopilot {

namespace {

constexpr double kSteps = 64;  // per rad/s

double share_of_square(const AutopilotDef& def) {
  const bool is_px4 = def.kind == AutopilotKind::Px4;
  double share = is_px4 ? 0 : 0.65;
  for (const AutopilotParameter& p : def.parameters)
    if (p.name == (is_px4 ? "THR_MDL_FAC" : "MOT_THST_EXPO")) share = p.value;
  return std::clamp(share, 0.0, 1.0);
}

}  // namespace

double output_from_pwm(std::uint16_t microseconds) { return std::clamp((static_cast<double>(microseconds) - 1000) / 1000, 0.0, 1.0); }

RotorMap::RotorMap(const Airframe& multirotor, const AutopilotDef& autopilot) : share_of_square_(share_of_square(autopilot)) {
  const auto& def = *static_cast<const airframe::MultirotorDef*>(multirotor.definition.get());
  n_rotors_ = std::min(def.rotors.size(), kMostRotors);
  for (std::size_t k = 0; k < n_rotors_; ++k) output_of_[k] = k;
  for (std::size_t k = 0; k < autopilot.motors.size() && k < n_rotors_; ++k) output_of_[static_cast<std::size_t>(autopilot.motors[k])] = k;
  thrust2_ = def.motor.thrust2, thrust1_ = def.motor.thrust1, thrust0_ = def.motor.thrust0;
  speed_max_ = def.motor.speed_max;
}

double RotorMap::speed(double output) const {
  if (!(output > 0)) return 0;
  const double u = std::min(output, 1.0);
  const double most = (thrust2_ * speed_max_ + thrust1_) * speed_max_ + thrust0_;
  const double thrust = most * u * ((1 - share_of_square_) + share_of_square_ * u);
  // the speed of this thrust: the greater root of thrust2 w2 + thrust1 w + thrust0 - thrust
  const double inside = std::max(0.0, thrust1_ * thrust1_ + 4 * thrust2_ * (thrust - thrust0_));
  const double speed = (std::sqrt(inside) - thrust1_) / (2 * thrust2_);
  return std::clamp(std::round(speed * kSteps) / kSteps, 0.0, speed_max_);
}

std::array<double, kMostRotors> RotorMap::speeds(const Command& command) const {
  std::array<double, kMostRotors> out{};
  for (std::size_t k = 0; command.armed && k < n_rotors_; ++k) out[k] = speed(command.output[output_of_[k]]);
  return out;
}

}  // namespace volary::autopilot
