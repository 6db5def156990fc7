// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/batch_statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace volary::cli {

// tables of Student's t (such as Abramowitz and Stegun, table 26.10); one degree is Cauchy's, two have a closed form
TEST(batch_statistics, quantiles_of_t_are_those_of_the_tables) {
  EXPECT_NEAR(student_t_quantile(0.975, 1), std::tan(3.14159265358979 * 0.475), 1e-9);
  EXPECT_NEAR(student_t_quantile(0.975, 2), 0.95 * std::sqrt(2 / (1 - 0.95 * 0.95)), 1e-12);
  EXPECT_NEAR(student_t_quantile(0.975, 3), 3.182446, 1e-6);
  EXPECT_NEAR(student_t_quantile(0.975, 9), 2.262157, 1e-6);
  EXPECT_NEAR(student_t_quantile(0.975, 19), 2.093024, 1e-6);
  EXPECT_NEAR(student_t_quantile(0.95, 10), 1.812461, 1e-6);
  EXPECT_NEAR(student_t_quantile(0.975, 1e7), 1.959964, 1e-6);
  EXPECT_NEAR(student_t_quantile(0.025, 9), -2.262157, 1e-6);
  EXPECT_NEAR(student_t_quantile(0.5, 4), 0, 1e-9);
}

TEST(batch_statistics, between_whole_degrees_the_quantile_falls_smoothly) {
  double before = student_t_quantile(0.975, 1);
  for (double degrees = 1.25; degrees < 40; degrees += 0.25) {
    const double now = student_t_quantile(0.975, degrees);
    EXPECT_LT(now, before) << degrees;
    before = now;
  }
}

// Student's own data (1908, table III): the additional hours of sleep by two drugs, as the books use them
TEST(batch_statistics, students_sleep_data) {
  const std::vector<double> first = {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0}, second = {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};
  const Sample a = sample_of(first), b = sample_of(second);
  EXPECT_NEAR(a.mean, 0.75, 1e-12);
  EXPECT_NEAR(b.mean, 2.33, 1e-12);
  EXPECT_NEAR(std::sqrt(a.variance), 1.789010, 1e-6);
  // Welch's test of these: t = -1.8608, df = 17.776, interval -3.3654832 to 0.2054832
  const Difference d = mean_difference(a, b);
  EXPECT_NEAR(d.value, -1.58, 1e-12);
  EXPECT_NEAR(d.interval.low, -3.3654832, 1e-6);
  EXPECT_NEAR(d.interval.high, 0.2054832, 1e-6);
  EXPECT_FALSE(d.significant);
  const Interval i = mean_interval(b);
  EXPECT_NEAR(i.low, 2.33 - 2.262157 * std::sqrt(b.variance / 10), 1e-6);
}

TEST(batch_statistics, equal_values_have_no_spread_and_any_difference_of_theirs_counts) {
  const Sample a = sample_of(std::vector<double>(7, 0.1)), b = sample_of(std::vector<double>(5, 0.3));
  EXPECT_EQ(a.mean, 0.1);
  EXPECT_EQ(a.variance, 0);
  EXPECT_EQ(mean_interval(a).high, 0.1);
  EXPECT_TRUE(mean_difference(a, b).significant);
  EXPECT_FALSE(mean_difference(a, a).significant);
}

// Newcombe 1998, tables I and II: 81 of 263 and 15 of 148 for the single rate; 56 of 70 and 48 of 80 for the difference
TEST(batch_statistics, rates_are_those_of_the_paper) {
  EXPECT_NEAR(wilson_interval(81, 263).low, 0.2553, 5e-5);
  EXPECT_NEAR(wilson_interval(81, 263).high, 0.3662, 5e-5);
  EXPECT_NEAR(wilson_interval(15, 148).low, 0.0624, 5e-5);
  EXPECT_NEAR(wilson_interval(15, 148).high, 0.1605, 5e-5);
  EXPECT_EQ(wilson_interval(0, 20).low, 0);
  EXPECT_NEAR(wilson_interval(0, 20).high, 0.1611, 5e-5);
  EXPECT_EQ(wilson_interval(20, 20).high, 1);
  const Difference d = rate_difference(56, 70, 48, 80);
  EXPECT_NEAR(d.value, 0.2, 1e-12);
  EXPECT_NEAR(d.interval.low, 0.0524, 5e-5);
  EXPECT_NEAR(d.interval.high, 0.3339, 5e-5);
  EXPECT_TRUE(d.significant);
}

}  // namespace volary::cli
