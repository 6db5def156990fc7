// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/hardware/spread.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace volary::autopilot {
namespace {

TEST(spread, has_mean_deviation_and_greatest_of_what_was_added) {
  Spread s;
  for (const double x : {0.001, 0.002, 0.003, 0.006}) s.add(x);
  EXPECT_EQ(s.count(), 4u);
  EXPECT_DOUBLE_EQ(s.mean(), 0.003);
  EXPECT_NEAR(s.deviation(), std::sqrt(14e-6 / 3), 1e-15);
  EXPECT_DOUBLE_EQ(s.max(), 0.006);
}

TEST(spread, gives_quantiles_within_half_a_percent_from_nanoseconds_to_minutes) {
  Spread s;
  std::vector<double> all;
  std::uint32_t draw = 7;
  for (int k = 0; k < 20'000; ++k) {
    draw = draw * 1664525 + 1013904223;
    const double x = 1e-8 * std::pow(1e10, static_cast<double>(draw >> 8) / (1 << 24));  // 10 ns to 100 s
    all.push_back(x);
    s.add(x);
  }
  std::sort(all.begin(), all.end());
  for (const double share : {0.01, 0.25, 0.5, 0.9, 0.99, 1.0}) {
    const double exact = all[static_cast<std::size_t>(std::ceil(share * 20'000)) - 1];
    EXPECT_NEAR(s.quantile(share), exact, 0.005 * exact + 1e-9) << share;
  }
}

TEST(spread, of_nothing_is_zero_and_takes_what_is_no_duration) {
  Spread s;
  EXPECT_EQ(s.quantile(0.5), 0);
  EXPECT_EQ(s.deviation(), 0);
  s.add(-1);
  s.add(std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(s.count(), 2u);
  EXPECT_EQ(s.max(), 0);
  s.add(1e300);
  EXPECT_EQ(s.max(), 1e6);
}

}  // namespace
}  // namespace volary::autopilot
