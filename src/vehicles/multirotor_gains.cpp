// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "vehicles/multirotor_gains.hpp"

#include <algorithm>

#include "math/functions.hpp"
#include "vehicles/multirotor_derive.hpp"

namespace volary::airframe {
namespace {

constexpr double kShortestLag = 0.01;     // s: rate_d makes slow motors look this fast, not faster
constexpr double kFastestRate = 30;       // 1/s
constexpr double kSteepestTilt = 1.22;    // rad, 70 degrees
constexpr double kFastestTurn = 12;       // rad/s
constexpr double kFastestFlight = 20;     // m/s
constexpr double kFastestClimb = 8;       // m/s

void fill(double& x, double derived) {
  if (x == 0) x = derived;
}
void fill(Vec& x, const Vec& derived) {
  for (std::size_t k = 0; k < 3; ++k) fill(x[k], derived[k]);
}
void fill(std::array<double, 2>& x, double horizontal, double vertical) {
  fill(x[0], horizontal);
  fill(x[1], vertical);
}

struct Bandwidth {
  double rate = 0;      // 1/s, closed loop
  double lead = 0;      // rate_d
  double attitude = 0;  // 1/s
};

// Angular acceleration follows a command with the motor's lag T. Braking against the measured acceleration
// with gain D divides lag and gain by 1 + D: p = (1 + D) w makes the loop w / (s (s T / (1 + D) + 1)).
Bandwidth bandwidth(double lag, double substep) {
  Bandwidth b;
  b.lead = std::max(lag / std::max(kShortestLag, 4 * substep) - 1, 0.0);
  b.rate = std::min({(1 + b.lead) / (3 * lag), kFastestRate, 0.3 / substep});
  b.attitude = b.rate / 3;
  return b;
}

void fill_cascade(ControllerDef& c, const Bandwidth& b) {
  const double p = (1 + b.lead) * b.rate, velocity = b.attitude / 3, climb = std::min(0.6 * b.attitude, 5.0);
  // Yaw has a fraction of the torque: half the bandwidth, so that it does not saturate at once. And no
  // lead: the reaction to spinning up a rotor is lead already, and braking against it makes a limit cycle.
  const double yaw = b.rate / 2;
  fill(c.rate_p, {p, p, yaw});
  fill(c.rate_d, {b.lead, b.lead, 0});
  // integrals ten times slower than what they sit in
  fill(c.rate_i, {0.1 * b.rate * p, 0.1 * b.rate * p, 0.1 * yaw * yaw});
  fill(c.attitude_p, {b.attitude, b.attitude, b.attitude / 2});
  fill(c.velocity_p, {velocity, velocity, climb});
  fill(c.velocity_i, {0.2 * velocity * velocity, 0.2 * velocity * velocity, 0.2 * climb * climb});
  fill(c.position_p, {velocity / 3, velocity / 3, climb / 3});
  // velocity_d stays 0: attitude is fast enough, and it would feed back the noise of the accelerometer
}

void fill_limits(ControllerDef& c, const Figures& f) {
  // 15 % of thrust kept for control; a weak vehicle gets half of the tilt that just holds height
  const double share = 1.15 / f.thrust_to_weight;
  fill(c.max_tilt, std::min(share < 0.99 ? math::acos(share) : f.max_tilt / 2, kSteepestTilt));
  // a turn that half of the weaker of roll and pitch stops within half a radian
  const double weaker = std::min(f.acceleration[0], f.acceleration[1]);
  fill(c.max_rate, std::clamp(math::sqrt(0.5 * weaker), 0.5, kFastestTurn));
  fill(c.max_speed, std::clamp(0.7 * f.level_speed, 0.5, kFastestFlight));
  fill(c.max_climb, std::clamp(0.5 * f.climb_speed, 0.3, kFastestClimb));
}

// position is a double integrator behind the attitude loop: a third of its bandwidth is safe
void fill_rpt(ControllerDef& c, const Bandwidth& b) {
  const double across = b.attitude / 3, up = b.attitude / 2;
  fill(c.rpt_frequency, across, up);
  fill(c.rpt_damping, 1, 1);
  fill(c.rpt_pole, across / 5, up / 5);  // slow: it only takes out constant disturbances
  fill(c.rpt_epsilon, 1, 1);             // the frequency is the design; epsilon scales it in experiments
}

// Lee's law has no braking against acceleration: the motor's own lag bounds it (damping 0.7)
void fill_geometric(ControllerDef& c, const Bandwidth& b, double lag) {
  const double rate = std::min(b.rate, 1 / (2 * lag)), across = rate / 9;
  fill(c.geometric_rate, rate);
  fill(c.geometric_attitude, rate * rate / 3);
  fill(c.geometric_velocity, 2 * across);
  fill(c.geometric_position, across * across);
}

}  // namespace

ControllerDef resolve_gains(const ControllerDef& wanted, const MultirotorDef& def, double gravity, double substep) {
  ControllerDef c = wanted;
  const Figures f = figures(def, gravity);
  const Bandwidth b = bandwidth(f.lag, substep);
  fill_cascade(c, b);
  fill_limits(c, f);
  fill_rpt(c, b);
  fill_geometric(c, b, f.lag);
  return c;
}

Triple rate_integral_limit(const ControllerDef& c, const Figures& f) {
  Triple limit{};
  for (std::size_t k = 0; k < 3; ++k) limit[k] = c.rate_i[k] > 0 ? 0.3 * f.acceleration[k] / c.rate_i[k] : 0;
  return limit;
}

}  // namespace volary::airframe
