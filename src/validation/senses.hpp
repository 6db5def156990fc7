// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Estimates of flocks against the truth of their worlds: whether the errors are as large as the filter says, and how far a vehicle drifts without satellites.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace volary::validation {

inline constexpr int kConsistencyRuns = 100, kConsistencyInstants = 10, kFilterStates = 15;

// A normalised square at preset instants, of sets of a hundred flights each.
struct Normalised {
  std::vector<double> mean;  // over all flights, by instant
  double low = 0, high = 0;  // bounds of 95 % for the mean of one set
  std::vector<int> inside;   // by set: the number of instants at which its mean is within the bounds
  int median_inside() const;
  int sets_with(int instants) const;  // sets with at least so many instants inside
};
struct Consistency {
  std::vector<double> time;  // s
  Normalised nees;           // estimation error, 15 for a filter whose errors are as large as it says
  Normalised gnss;           // innovation of a reading of six scalars: 6
  Normalised height;         // of one scalar, the barometer's: 1
};
// Flies a scenario with one quadrotor, its overrides applied, in so many sets of a hundred worlds.
core::Result<Consistency> fly_consistency(const std::string& scenario, const std::string& assets, const std::vector<std::string>& overrides, int sets);

// How far estimates and vehicles are off at the end of a gap without satellites.
struct Gap {
  int survived = 0, runs = 0;
  double drift = 0;     // m, root mean square of the horizontal error of the estimate
  double worst = 0;     // m
  double claimed = 0;   // m, root mean square of the deviations that the filters report
};
core::Result<Gap> fly_gap(const std::string& scenario, const std::string& assets, const std::vector<std::string>& overrides, int runs, double until);

}  // namespace volary::validation
