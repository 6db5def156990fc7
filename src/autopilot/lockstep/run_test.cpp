// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// `volary run` with autopilots, as people start it; the autopilot is a stand-in.
#include <gtest/gtest.h>
#include <signal.h>

#include <fstream>

#include <fmt/format.h>

#include "autopilot/lockstep/lockstep_test_support.hpp"

namespace volary::autopilot {
namespace {

using test::run;
using test::Said;

const std::string kProgram = VOLARY_PROGRAM;

TEST(lockstep_run, a_scenario_that_needs_a_program_says_what_to_give) {
  const Said s = run("env -u VOLARY_PX4 " + kProgram + " run px4_square --headless --no-record --quiet");
  EXPECT_EQ(s.code, 2);
  EXPECT_NE(s.text.find("--px4 FILE"), std::string::npos) << s.text;
  EXPECT_NE(s.text.find("VOLARY_PX4"), std::string::npos) << s.text;
}

TEST(lockstep_run, a_recording_replays_bit_by_bit_without_the_autopilot) {
  const test::StandIn stand_in;
  const core::ScratchFolder folder;
  const std::string file = folder.file("run.vrec");
  const Said flown = run(fmt::format("{} run px4_square --headless --quiet --speed max --duration 2 --px4 {} --autopilot-instance {} --record {}", kProgram,
                                     stand_in.program(), test::next_instance(1), file));
  ASSERT_EQ(flown.code, 0) << flown.text;
  const Said again = run(fmt::format("env -u VOLARY_PX4 {} replay {} --verify --threads 2 --quiet", kProgram, file));
  EXPECT_EQ(again.code, 0) << again.text;
}

bool is_alive(pid_t pid) { return ::kill(pid, 0) == 0; }

TEST(lockstep_run, no_autopilot_outlives_a_run_that_is_killed) {
  const test::StandIn stand_in;
  const core::ScratchFolder folder;
  const std::string pids = folder.file("pids");
  // the program of the run is a script that tells its number and becomes the stand-in
  const std::string program = folder.write("bin/px4", fmt::format("#!/bin/sh\necho $$ >> {}\nexec {} \"$@\"\n", pids, stand_in.program()));
  folder.write("etc/init.d-posix/rcS", "");
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  const int instance = test::next_instance(1);
  const Said s =
      run(fmt::format("timeout -s KILL 4 {} run px4_square --headless --quiet --no-record --px4 {} --autopilot-instance {}", kProgram, program, instance));
  EXPECT_NE(s.code, 0);
  std::ifstream in(pids);
  pid_t pid = 0;
  ASSERT_TRUE(in >> pid) << s.text;
  for (int k = 0; k < 500 && is_alive(pid); ++k) ::usleep(10'000);
  EXPECT_FALSE(is_alive(pid));
}

}  // namespace
}  // namespace volary::autopilot
