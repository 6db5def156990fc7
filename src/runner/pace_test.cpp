// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "runner/pace.hpp"

#include <gtest/gtest.h>

#include "runner/runner_test_support.hpp"

namespace volary::runner {
namespace {

using test::FakeClock;

// a run that waits when it is told to
struct Waiting {
  FakeClock clock;
  Pace pace;
  Waiting(double factor, double tick) : pace(tick, clock) { pace.start(factor); }
  void after(std::uint64_t ticks) {
    if (const double due = pace.after(ticks); due > 0) clock.sleep_until(due);
  }
};

TEST(pace, a_fast_run_waits_for_the_wall) {
  Waiting run(1, 0.01);
  for (int k = 0; k < 100; ++k) run.clock.time += 0.002, run.after(1);
  EXPECT_NEAR(run.clock.time, 101, 1e-9);
  EXPECT_NEAR(run.clock.slept, 0.8, 1e-9);
  EXPECT_NEAR(run.pace.real_time_factor(), 1, 1e-9);
  EXPECT_EQ(run.pace.overruns(), 0u);
}

TEST(pace, a_factor_scales_time) {
  Waiting run(4, 0.01);
  run.after(100);
  EXPECT_NEAR(run.clock.time, 100.25, 1e-9);
  EXPECT_NEAR(run.pace.real_time_factor(), 4, 1e-9);
}

TEST(pace, max_never_waits) {
  Waiting run(0, 0.01);
  for (int k = 0; k < 100; ++k) run.clock.time += 0.001, run.after(1);
  EXPECT_EQ(run.clock.slept, 0);
  EXPECT_EQ(run.pace.overruns(), 0u);
  EXPECT_NEAR(run.pace.real_time_factor(), 10, 1e-6);
}

TEST(pace, a_slow_run_counts_overruns_and_never_waits) {
  Waiting run(1, 0.01);
  for (int k = 0; k < 100; ++k) run.clock.time += 0.02, run.after(1);
  EXPECT_EQ(run.clock.slept, 0);
  EXPECT_GT(run.pace.overruns(), 90u);
  EXPECT_NEAR(run.pace.real_time_factor(), 0.5, 1e-9);
}

TEST(pace, small_debt_is_caught_up) {
  Waiting run(1, 0.01);
  run.clock.time += 0.06;
  run.after(1);  // 50 ms late
  EXPECT_EQ(run.pace.forgiven(), 0);
  for (int k = 0; k < 9; ++k) run.after(1);
  EXPECT_NEAR(run.clock.time, 100.1, 1e-9);
}

TEST(pace, large_debt_is_forgiven) {
  Waiting run(1, 0.01);
  run.clock.time += 5.01;
  run.after(1);
  EXPECT_NEAR(run.pace.forgiven(), 5, 1e-9);
  run.after(1);
  EXPECT_NEAR(run.clock.time, 105.02, 1e-9);  // one tick later, not a race to 105.02 of simulated time
}

TEST(pace, another_factor_counts_from_where_it_was_given) {
  Waiting run(1, 0.01);
  run.after(10);
  EXPECT_NEAR(run.clock.time, 100.1, 1e-9);
  run.pace.start(0.5);
  run.after(10);
  EXPECT_NEAR(run.clock.time, 100.3, 1e-9);
  run.pace.start(0);
  run.after(100);
  EXPECT_NEAR(run.clock.time, 100.3, 1e-9);
  EXPECT_NEAR(run.pace.real_time_factor(), 1.2 / 0.3, 1e-9);  // of all of it
}

}  // namespace
}  // namespace volary::runner
