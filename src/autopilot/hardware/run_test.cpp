// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// `volary run` with a board, as people start it, in real time; the board is a stand-in in a thread of the test. Nothing is said about how fast it is.
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "autopilot/hardware/stand_in_board.hpp"
#include "autopilot/lockstep/lockstep_test_support.hpp"

namespace volary::autopilot {
namespace {

using test::run;
using test::Said;

std::string command(const std::string& more) { return fmt::format("env -u VOLARY_PX4 {} run px4_square --headless --quiet {}", VOLARY_PROGRAM, more); }

TEST(hardware_run, reports_latency_and_jitter_and_its_recording_replays_without_the_board) {
  const PtyBoard board;
  const core::ScratchFolder folder;
  const std::string file = folder.file("run.vrec");
  const Said flown = run(command(fmt::format("--duration 3 --json --px4-serial {} --record {}", board.device(), file)));
  ASSERT_EQ(flown.code, 0) << flown.text;
  const auto report = nlohmann::json::parse(flown.text.substr(flown.text.find('{')), nullptr, false);
  ASSERT_TRUE(report.is_object()) << flown.text;
  std::map<std::string, nlohmann::json> rows;
  for (const auto& row : report["rows"])
    if (const std::string name = row["name"]; name.starts_with("serial/")) rows[name.substr(name.rfind('/') + 1)] = row;
  EXPECT_EQ(rows["device"]["value"], board.device());
  for (const char* name : {"round trip", "sensors to outputs", "age of outputs"})
    for (const char* key : {"value", "p50", "p99", "max", "n"}) EXPECT_TRUE(rows[name][key].is_number()) << name << " " << key;
  for (const char* name : {"outputs in", "sensors out"})
    for (const char* key : {"value", "jitter_ms", "longest_gap_ms", "n"}) EXPECT_TRUE(rows[name][key].is_number()) << name << " " << key;
  EXPECT_GT(rows["outputs in"]["n"].get<int>(), 0);
  const Said again = run(fmt::format("{} replay {} --verify --threads 2 --quiet", VOLARY_PROGRAM, file));
  EXPECT_EQ(again.code, 0) << again.text;
}

TEST(hardware_run, prints_a_table_with_a_line_for_each_board) {
  const PtyBoard board;
  const Said s = run(command("--duration 1 --no-record --px4-serial " + board.device()));
  ASSERT_EQ(s.code, 0) << s.text;
  EXPECT_NE(s.text.find("round trip ms"), std::string::npos) << s.text;
  EXPECT_EQ(s.text.find("serial/"), std::string::npos) << s.text;
}

TEST(hardware_run, a_board_that_stalls_is_told_and_the_run_goes_on) {
  PtyBoard board;
  board.stall(true);
  std::thread later([&] {
    while (board.samples() < 100) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    board.stall(false);
    while (board.samples() < 200) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    board.stall(true);
  });
  const Said s = run(command("--duration 4 --no-record --px4-serial " + board.device()));
  later.join();
  ASSERT_EQ(s.code, 0) << s.text;
  EXPECT_NE(s.text.find("no outputs for 0.5 s"), std::string::npos) << s.text;
}

TEST(hardware_run, other_speeds_than_real_time_are_refused) {
  const PtyBoard board;
  const Said s = run(command("--speed max --no-record --px4-serial " + board.device()));
  EXPECT_EQ(s.code, 2);
  EXPECT_NE(s.text.find("--speed: boards fly in real time only"), std::string::npos) << s.text;
}

TEST(hardware_run, devices_that_do_not_fit_are_refused_before_the_run) {
  const Said slow = run(command("--no-record --px4-serial /dev/ttyS1:57600"));
  EXPECT_EQ(slow.code, 2);
  EXPECT_NE(slow.text.find("57600 baud carry 5760 bytes/s"), std::string::npos) << slow.text;
  const Said many = run(command("--no-record --px4-serial /dev/ttyACM0,/dev/ttyACM1"));
  EXPECT_EQ(many.code, 2);
  EXPECT_NE(many.text.find("PX4 flies 1 vehicle, and 2 serial devices were given"), std::string::npos) << many.text;
  const Said wrong = run(command("--no-record --px4-serial ttyACM0"));
  EXPECT_EQ(wrong.code, 2);
  EXPECT_NE(wrong.text.find("absolute path"), std::string::npos) << wrong.text;
  const Said missing = run(command("--no-record --px4-serial /dev/no_such_device"));
  EXPECT_EQ(missing.code, 1);
  EXPECT_NE(missing.text.find("/dev/no_such_device"), std::string::npos) << missing.text;
}

}  // namespace
}  // namespace volary::autopilot
