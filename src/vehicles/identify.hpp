// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The thrust and torque curves of a motor from what a test stand measured (G-18, S-61): least squares over the moments at which nothing changed; and
// its time constant from the moments at which something did.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "vehicles/multirotor_def.hpp"

namespace volary::airframe {

struct BenchPoint {
  double time = 0, speed = 0, value = 0;  // s, rad/s, and N or N m
};
struct BenchLog {
  bool timed = false;                 // only then is a moment steady or not
  std::vector<BenchPoint> thrust;     // N
  std::vector<BenchPoint> torque;     // N m of any sign; at other moments perhaps than the thrust
  std::vector<BenchPoint> speed;      // all moments
};

struct ThrustFit {
  double thrust2 = 0, thrust1 = 0;  // N s2, N s
  double tare = 0;                  // N, what the stand shows of a rotor at rest
  double speed_max = 0;             // rad/s, fastest measured
  double full_scale = 0;            // N, greatest measured
  double rms = 0, worst = 0;        // shares of full scale
  double r2 = 0;
  double motor_constant = 0;        // N s2: the best curve of a square alone, Gestelt's motorConstant (eq. 6)
  double square_rms = 0;            // of that one, share of full scale
  std::optional<double> torque_ratio;  // m: torque over thrust, Gestelt's momentConstant with erratum R-06
  double torque_constant = 0;       // N m s2: the best curve of a square alone
  double torque_tare = 0;           // N m
  double torque_rms = 0;            // of the ratio, share of the greatest torque
  double torque_r2 = 0;
  std::vector<BenchPoint> steady;   // what was used, tare taken off
  std::vector<BenchPoint> steady_torque;  // too, and positive
};

// in a log with times only moments before which the speed had not changed by a fiftieth of its range for half a second
core::Result<ThrustFit> fit_thrust(const BenchLog& log);

// Steps of a log from one steady speed to another, neither at rest: a first-order lag through each, the median of all. The lag of the stand's own
// speed sensor is in it.
struct LagFit {
  int steps_up = 0, steps_down = 0;
  std::optional<double> up, down;  // s, where there are three steps or more
};
LagFit fit_lag(const BenchLog& log);

double thrust_at(const ThrustFit& fit, double speed);

}  // namespace volary::airframe
