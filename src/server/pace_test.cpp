// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "server/pace.hpp"

#include <gtest/gtest.h>

namespace volary::server {
namespace {

// a clock that moves only when told, and a sleep that moves it
struct FakeClock {
  double time = 100, slept = 0;
  Pace pace(double factor, double tick) {
    return Pace(factor, tick, [this] { return time; }, [this](double seconds) { time += seconds, slept += seconds; });
  }
};

TEST(pace, a_fast_run_waits_for_the_wall) {
  FakeClock clock;
  Pace pace = clock.pace(1, 0.01);
  for (int k = 0; k < 100; ++k) clock.time += 0.002, pace.after(1);
  EXPECT_NEAR(clock.time, 101, 1e-9);
  EXPECT_NEAR(clock.slept, 0.8, 1e-9);
  EXPECT_NEAR(pace.real_time_factor(), 1, 1e-9);
  EXPECT_EQ(pace.overruns(), 0u);
}

TEST(pace, a_factor_scales_time) {
  FakeClock clock;
  Pace pace = clock.pace(4, 0.01);
  pace.after(100);
  EXPECT_NEAR(clock.time, 100.25, 1e-9);
  EXPECT_NEAR(pace.real_time_factor(), 4, 1e-9);
}

TEST(pace, max_never_waits) {
  FakeClock clock;
  Pace pace = clock.pace(0, 0.01);
  for (int k = 0; k < 100; ++k) clock.time += 0.001, pace.after(1);
  EXPECT_EQ(clock.slept, 0);
  EXPECT_EQ(pace.overruns(), 0u);
  EXPECT_NEAR(pace.real_time_factor(), 10, 1e-6);
}

TEST(pace, a_slow_run_counts_overruns_and_never_waits) {
  FakeClock clock;
  Pace pace = clock.pace(1, 0.01);
  for (int k = 0; k < 100; ++k) clock.time += 0.02, pace.after(1);
  EXPECT_EQ(clock.slept, 0);
  EXPECT_GT(pace.overruns(), 90u);
  EXPECT_NEAR(pace.real_time_factor(), 0.5, 1e-9);
}

TEST(pace, small_debt_is_caught_up) {
  FakeClock clock;
  Pace pace = clock.pace(1, 0.01);
  clock.time += 0.06;
  pace.after(1);  // 50 ms late
  EXPECT_EQ(pace.forgiven(), 0);
  for (int k = 0; k < 9; ++k) pace.after(1);
  EXPECT_NEAR(clock.time, 100.1, 1e-9);
}

TEST(pace, large_debt_is_forgiven) {
  FakeClock clock;
  Pace pace = clock.pace(1, 0.01);
  clock.time += 5.01;
  pace.after(1);
  EXPECT_NEAR(pace.forgiven(), 5, 1e-9);
  pace.after(1);
  EXPECT_NEAR(clock.time, 105.02, 1e-9);  // one tick later, not a race to 105.02 of simulated time
}

}  // namespace
}  // namespace volary::server
