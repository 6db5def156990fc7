// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Fits the physical model to windows of recorded flights, and beside it a plain linear regression to the same windows: what the flight
// model has to beat.
#pragma once

#include <array>
#include <vector>

#include "validation/rotor_flight.hpp"

namespace volary::validation {

struct RotorFit {
  std::array<double, kCommonCount> common{};
  std::vector<std::array<double, kOwnCount>> own;  // one for each flight
  int rounds = 0;

  RotorModel of(std::size_t flight) const { return {common, own[flight]}; }
};

// Least squares over all four axes of all fit windows, every axis divided by its own deviation. Parameters that the windows say little about stay
// near where they began. A flight without fit windows gets the mean of the others' own parameters.
RotorFit fit_rotor_model(const std::vector<RotorLog>& logs, const std::vector<Windows>& windows, const RotorVehicle& vehicle);

// For each axis by itself: squared commands of the four motors, at once and behind a first-order lag, the three angular rates, and a constant for each
// flight; one without fit windows gets the mean of the others' constants. The lag is the one that fits best.
struct RegressionFit {
  struct Axis {
    double lag = 0;                  // s
    std::vector<double> coefficient;
  };
  std::array<Axis, kAxesCompared> axis;
};
RegressionFit fit_regression(const std::vector<RotorLog>& logs, const std::vector<Windows>& windows);
AxisSamples predict(const RegressionFit& fit, const std::vector<RotorLog>& logs, std::size_t flight);

}  // namespace volary::validation
