// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/past_times.hpp"

#include <gtest/gtest.h>

namespace volary::autopilot {
namespace {

// ticks of 10 ms at a speed
void fly(PastTimes& times, double& wall, double& simulated, double seconds, double speed = 1) {
  for (const double end = wall + seconds; wall < end - 1e-9;) wall += 0.01, simulated += 0.01 * speed, times.see(wall, simulated);
}

TEST(past_times, are_those_of_the_run_before_in_and_after_a_pause) {
  PastTimes times;
  EXPECT_EQ(times.at(5), 0) << "nothing has flown";
  double wall = 100, simulated = 0;
  fly(times, wall, simulated, 10);
  wall += 30;
  fly(times, wall, simulated, 10);
  EXPECT_EQ(times.at(90), 0.01) << "before the first tick";
  EXPECT_NEAR(times.at(104), 4, 0.11);
  EXPECT_NEAR(times.at(125), 10, 0.11) << "in the pause";
  EXPECT_NEAR(times.at(145), 15, 0.11);
  EXPECT_NEAR(times.at(200), 20, 0.11) << "the run stands still again";
}

TEST(past_times, follow_another_speed_and_forget_what_is_very_old) {
  PastTimes times;
  double wall = 0, simulated = 0;
  fly(times, wall, simulated, 5, 3);
  EXPECT_NEAR(times.at(2), 6, 0.3);
  fly(times, wall, simulated, 200, 3);
  EXPECT_GT(times.at(2), 100) << "the oldest that is known";
  EXPECT_NEAR(times.at(200), 600, 0.3);
}

}  // namespace
}  // namespace volary::autopilot
