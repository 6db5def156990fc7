// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What recording costs is printed here; the bars are in `volary bench recording`, because a test may share its machine.
#include <cstdio>

#include "record_support_test.hpp"
#include "replay/measure.hpp"

namespace volary::replay {

namespace {

void print(const char* what, const RecorderFigures& f) {
  std::printf(
      "%s: %llu vehicles, %llu ticks; plain %.1f, truth %.1f, both %.1f M agent-ticks/s; hash %.1f %%, truth %.1f %%, both %.1f %% of the run;"
      " real time %.1f %% of a core (%.1f %% on the simulation's thread); %.1f B/agent-s (view %.1f, checkpoints %.1f, truth %.1f)\n",
      what, static_cast<unsigned long long>(f.vehicles), static_cast<unsigned long long>(f.ticks), f.plain_rate * 1e-6, f.truth_rate * 1e-6, f.view_rate * 1e-6,
      100 * f.hash_cost, 100 * f.truth_cost, 100 * f.view_cost, 100 * f.real_time_core, 100 * f.simulation_thread, f.bytes_rate, f.view_bytes_rate,
      f.checkpoint_bytes_rate, f.truth_bytes_rate);
}

TEST(RecordCost, IsMeasured) {
  TempFolder folder;
  const Flown f = load_flown("log_gusts", {"flocks[0].vehicles.grid.count=1000"});
  const auto figures = measure_recorder(f.def, is_long() ? 6000 : 1500, folder.file(""), {}, is_long() ? 5 : 2);
  ASSERT_TRUE(figures) << figures.error().text();
  print("log_gusts", figures.value());
  EXPECT_GT(figures.value().bytes_rate, 1);
  EXPECT_LT(figures.value().bytes_rate, 200);
}

}  // namespace

}  // namespace volary::replay
