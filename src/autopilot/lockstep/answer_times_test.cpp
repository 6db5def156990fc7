// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/lockstep/answer_times.hpp"

#include <gtest/gtest.h>

namespace volary::autopilot {
namespace {

// two autopilots: the first answers after 1 ms, the second after `late`; a question every 4 ms
void ask_for(AnswerTimes& times, double& now, double seconds, double late) {
  for (const double end = now + seconds; now < end; now += 0.004) {
    times.asked(now);
    times.answered(0, now + 0.001);
    times.answered(0, now + 0.0035);  // looked at once more
    times.answered(1, now + late);
    times.done(now + late);
  }
}

TEST(answer_times, tell_rate_factor_and_the_one_that_answers_last) {
  AnswerTimes times(2, 0.008);
  double now = 10;
  ask_for(times, now, 0.9, 0.003);
  EXPECT_EQ(times.figures().rate, 0) << "nothing is said of less than a second";
  ask_for(times, now, 0.2, 0.003);
  EXPECT_NEAR(times.figures().rate, 250, 2);
  EXPECT_NEAR(times.figures().factor, 2, 0.02);
  EXPECT_NEAR(times.figures().wait, 0.003, 1e-6);
  EXPECT_EQ(times.figures().slowest, 1u);
  EXPECT_NEAR(times.figures().slowest_wait, 0.003, 1e-6);
}

TEST(answer_times, are_those_of_the_last_second) {
  AnswerTimes times(2, 0.004);
  double now = 0;
  ask_for(times, now, 1.1, 0.003);
  ask_for(times, now, 2.2, 0.0005);
  EXPECT_EQ(times.figures().slowest, 0u);
  EXPECT_NEAR(times.figures().slowest_wait, 0.001, 1e-6);
}

TEST(answer_times, do_not_count_a_pause) {
  AnswerTimes times(2, 0.004);
  double now = 0;
  ask_for(times, now, 0.5, 0.002);
  now += 3600;
  times.restart();
  ask_for(times, now, 1.1, 0.002);
  EXPECT_NEAR(times.figures().rate, 250, 2);
}

}  // namespace
}  // namespace volary::autopilot
