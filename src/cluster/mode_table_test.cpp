// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/mode_table.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace volary::cluster {

namespace {

const Mode& mode_called(std::string_view name) {
  for (const Mode& m : all_modes())
    if (name == m.name) return m;
  ADD_FAILURE() << "no mode is called " << name;
  return all_modes().front();
}
ModeTableOptions small() {
  ModeTableOptions o;
  o.seconds = 12;
  o.seeds = 2;
  return o;
}

}  // namespace

TEST(AgeMeter, IntegratesTheSawtoothExactly) {
  AgeMeter m;
  // an update every 10 ms that is 3 ms old when it arrives: ages from 3 to 13 ms
  for (Time k = 0; k <= 100; ++k) m.hold(k * 10'000'000 + 3'000'000, k * 10'000'000);
  EXPECT_NEAR(m.mean(), 0.008, 1e-12);
  EXPECT_NEAR(m.percentile(0.5), 0.008, 1.1e-4);
  EXPECT_NEAR(m.percentile(0.95), 0.0125, 1.1e-4);
  m.hold(1'200'000'000, 1);  // older than what is held
  EXPECT_NEAR(m.mean(), 0.008, 1e-12);
}

TEST(AgeMeter, CountsNothingBeforeItsBeginning) {
  AgeMeter m(1'000'000'000);
  m.hold(0, 0), m.hold(1'000'000'000, 900'000'000);
  m.finish(1'100'000'000);
  EXPECT_NEAR(m.mean(), 0.15, 1e-12);
}

TEST(AgeMeter, HasTheFloorOfEquationAWhereNothingOvertakes) {
  EXPECT_NEAR(age_without_overtaking(0.01, 0.03, 0.3), 0.0392857, 1e-6);
  EXPECT_NEAR(age_floor(0.01, {.loss = 0.3, .delay = 0.03}), 0.0392857, 5e-5);
  EXPECT_NEAR(age_floor(0.01, {.delay = 0.0035}), 0.0085, 5e-5);
  // overtaking makes it younger: equation (A) is no bound there
  EXPECT_LT(age_floor(0.01, {.loss = 0.3, .delay = 0.03, .jitter = 0.01}), 0.0391);
}

TEST(Modes, MeasureNoAgeBelowTheFloor) {
  for (const char* name : {"none", "bides, clock", "bides, dup 2, clock"}) {
    const ModeRow row = run_mode(mode_called(name), false, small());
    EXPECT_GT(row.node.mean, row.floor - 0.0004) << name;
    EXPECT_LT(row.node.mean, row.floor + 0.0004) << name;
  }
}

TEST(Modes, BidesShowsWholeFramesOfOneTick) {
  for (const bool both_legs : {false, true}) {
    const ModeRow row = run_mode(mode_called("bides, dup 2, clock"), both_legs, small());
    EXPECT_EQ(row.completeness, 1);
    EXPECT_EQ(row.skew, 0);
    EXPECT_LE(row.node.mean, 0.036);
    EXPECT_LE(row.aligned.mean, 0.046);
    EXPECT_LE(row.aligned.p95, 0.058);
    EXPECT_GE(row.frames_per_second, 29.5);
  }
}

// without copies, eight messages in a row are lost now and then: the aligned tick in the trigger tells the node to go further back
TEST(Modes, BidesCatchesUpWithEveryGap) {
  for (const char* name : {"bides", "bides, clock", "bides, dup 2"})
    for (const bool both_legs : {false, true}) {
      const ModeRow row = run_mode(mode_called(name), both_legs, small());
      EXPECT_EQ(row.completeness, 1) << name;
      EXPECT_LT(row.aligned.mean, 0.12) << name;
      EXPECT_GT(row.frames_per_second, 24) << name;
    }
}

TEST(Modes, ThePapersAlgorithmIsIncompleteUnderLoss) {
  const ModeRow one = run_mode(mode_called("bides-paper"), false, small()), both = run_mode(mode_called("bides-paper"), true, small());
  EXPECT_NEAR(one.completeness, 0.756, 0.03);
  EXPECT_NEAR(both.completeness, 0.564, 0.05);
  EXPECT_LT(one.frames_per_second, 10);
}

TEST(Modes, UnalignedStatesAreSkewed) {
  const ModeRow row = run_mode(mode_called("none"), false, small());
  EXPECT_FALSE(row.has_aligned);
  EXPECT_NEAR(row.skew, 0.028, 0.004);
  EXPECT_NEAR(row.node.mean, 0.039, 0.001);
}

TEST(Modes, LockstepIsSlowUnderLoss) {
  const ModeRow row = run_mode(mode_called("lockstep"), true, small());
  EXPECT_LT(row.frames_per_second, 10);
  EXPECT_GT(row.frames_per_second, 1);
  EXPECT_EQ(row.completeness, 1);
}

// prints the table of all modes
TEST(Modes, DISABLED_Table) {
  for (const ModeRow& r : compare_modes({}))
    std::printf(
        "%-20s %-5s node %6.1f (sd %4.2f p95 %6.1f floor %5.1f A %5.1f) aligned %7.1f p50 %7.1f p95 %7.1f p99 %7.1f skew %5.1f fps %5.2f complete %5.3f\n",
        r.mode, r.both_legs ? "both" : "state", 1e3 * r.node.mean, 1e3 * r.node_deviation, 1e3 * r.node.p95, 1e3 * r.floor, 1e3 * r.equation_a,
        1e3 * r.aligned.mean, 1e3 * r.aligned.p50, 1e3 * r.aligned.p95, 1e3 * r.aligned.p99, 1e3 * r.skew, r.frames_per_second, r.completeness);
}

}  // namespace volary::cluster
