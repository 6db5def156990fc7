// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The study of UWB anchors of the IAP simulator: one vehicle on a helical figure of eight, estimated from its IMU, an odometry that drifts, and the ranges
// to 0 to 4 anchors.
#pragma once

#include <cstdint>
#include <vector>

namespace volary::validation {

inline constexpr int kStudyAnchors = 4;
inline constexpr double kPublishedRmse[kStudyAnchors + 1] = {0.66, 0.53, 0.50, 0.19, 0.13};  // m, table VII of the paper

struct StudyErrors {
  std::vector<double> position;  // m, distance from the truth, once per odometry reading
  double attitude_square = 0;  // rad2, sum of squares of roll and pitch
  std::size_t attitude_count = 0;

  void add(const StudyErrors& other);
  double rmse() const;  // m
  double quantile(double share) const;  // m
  double attitude_rms() const;  // rad, roll and pitch
};

// One flight with so many anchors.
StudyErrors fly_study(int anchors, std::uint64_t seed);

}  // namespace volary::validation
