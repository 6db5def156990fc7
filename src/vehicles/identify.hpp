// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The thrust and torque curves of a motor from what a test stand measured (G-18, S-61): least squares over the moments at which nothing changed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "vehicles/multirotor_def.hpp"

namespace volary::airframe {

struct BenchPoint {
  double time = 0, speed = 0, thrust = 0;  // s, rad/s, N
  std::optional<double> torque;            // N m
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
  double torque_rms = 0;            // share of the greatest torque
  std::vector<BenchPoint> steady;   // what was used, tare taken off
};

// `timed`: only moments before which the speed had not changed by a fiftieth of its range for half a second
core::Result<ThrustFit> fit_thrust(const std::vector<BenchPoint>& points, bool timed);

double thrust_at(const ThrustFit& fit, double speed);

}  // namespace volary::airframe
