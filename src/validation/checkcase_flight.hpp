// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// One check case flown: the vehicle put together from its model files, trimmed where the case says so, and integrated with
// classical Runge-Kutta from the published first state, sampled where the publication has rows.
#pragma once

#include <string>
#include <vector>

#include "core/result.hpp"
#include "validation/checkcase_data.hpp"
#include "validation/checkcase_def.hpp"

namespace volary::validation {

// what trimming found
struct Trim {
  double pitch = 0;                     // rad
  double throttle = 0, pitch_control = 0;  // in the units of the inputs
  double residual = 0;                  // m/s2 and rad/s2, the largest left
  int rounds = 0;
};

struct CaseFlight {
  std::vector<Quantities> rows;  // at the times that were asked for
  Trim trim;
};

// 0.01 s: halving it moves no published digit of the thresholds
inline constexpr double kCaseStep = 0.01;  // s

core::Result<CaseFlight> fly_case(const CheckCaseList& list, const CheckCaseDef& def, const std::string& models_folder,
                                  const vehicles::GeodeticState<double>& first, const std::vector<double>& times, double step = kCaseStep);

}  // namespace volary::validation
