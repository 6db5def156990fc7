// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Estimates of flocks that fly in worlds, by the files that users load.
#include "validation/senses.hpp"

#include <gtest/gtest.h>

#include "volary/scenario.hpp"

namespace volary::validation {
namespace {

std::string assets() { return home_folder() + "/assets"; }
std::string scenario(const char* name) { return home_folder() + "/scenarios/" + name; }

TEST(senses_check, errors_of_sets_of_a_hundred_flights_are_as_large_as_the_filter_says) {
  const auto flown = fly_consistency(scenario("consistent_filter.yaml"), assets(), {}, 10);
  ASSERT_TRUE(flown) << flown.error().message;
  const Consistency& c = flown.value();
  for (const Normalised* n : {&c.nees, &c.gnss, &c.height}) EXPECT_GE(n->median_inside(), 9) << ::testing::PrintToString(n->inside);
  // and over all thousand, at every instant
  for (std::size_t k = 0; k < c.time.size(); ++k) {
    EXPECT_NEAR(c.nees.mean[k], 15, 0.6) << c.time[k] << " s";
    EXPECT_NEAR(c.gnss.mean[k], 6, 0.35) << c.time[k] << " s";
    EXPECT_NEAR(c.height.mean[k], 1, 0.15) << c.time[k] << " s";
  }
  EXPECT_NEAR(c.nees.low, 13.95, 0.02);
  EXPECT_NEAR(c.nees.high, 16.09, 0.02);
}

TEST(senses_check, a_filter_that_trusts_its_receiver_too_much_falls_outside) {
  const auto flown = fly_consistency(scenario("consistent_filter.yaml"), assets(), {"flocks[0].estimator.trust.gnss=0.5"}, 1);
  ASSERT_TRUE(flown) << flown.error().message;
  EXPECT_LE(flown.value().nees.median_inside(), 1);
}

TEST(senses_check, twenty_seconds_without_satellites_are_survived_and_a_better_imu_drifts_less) {
  const auto consumer = fly_gap(scenario("gnss_gap.yaml"), assets(), {}, 40, 80);
  const auto tactical = fly_gap(scenario("gnss_gap.yaml"), assets(), {"flocks[0].sensors.imu.preset=adis16495"}, 40, 80);
  ASSERT_TRUE(consumer) << consumer.error().message;
  ASSERT_TRUE(tactical) << tactical.error().message;
  EXPECT_EQ(consumer.value().survived, 40);
  EXPECT_EQ(tactical.value().survived, 40);
  EXPECT_GT(consumer.value().drift, tactical.value().drift);
  EXPECT_LT(consumer.value().drift, 60);
}

}  // namespace
}  // namespace volary::validation
