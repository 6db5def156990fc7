// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Durations that are measured one by one: mean, standard deviation and greatest are exact, quantiles are right to 0.4 %. Its size does not grow with their number.
#pragma once

#include <cstdint>
#include <vector>

namespace volary::autopilot {

class Spread {
 public:
  void add(double seconds);  // a negative one counts as 0

  std::uint64_t count() const { return count_; }
  double sum() const { return mean_ * static_cast<double>(count_); }
  double mean() const { return mean_; }
  double deviation() const;  // standard, of the sample; 0 for fewer than two
  double max() const { return max_; }
  double quantile(double share) const;  // 0.5: the median; 0 for none

 private:
  std::uint64_t count_ = 0;
  double mean_ = 0, squares_ = 0, max_ = 0;  // squares_: of the differences to the mean, summed
  std::vector<std::uint32_t> counts_;  // by part of a power of two of nanoseconds
};

}  // namespace volary::autopilot
