// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The verdict on a run: the first line of its report, its exit code, and what a program reads.
#include "cli/verdict.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/scratch_folder.hpp"

namespace volary::cli {
namespace {

TaskStanding standing(const char* name, const char* state, const char* detail = "", bool required = true) { return {name, required, state, 0, detail}; }

// two quadrotors that swap places through each other, or hover where they are
class VerdictOfRun : public ::testing::Test {
 protected:
  int run(const std::string& arguments) {
    const auto at = [&](const char* name) { return (folder_ / name).string(); };
    const int status = std::system(("'" VOLARY_PROGRAM "' " + arguments + " >" + at("out") + " 2>" + at("err") + " </dev/null").c_str());
    for (const auto& [name, text] : {std::pair{"out", &out_}, {"err", &err_}}) {
      std::ifstream in(folder_ / name);
      text->assign(std::istreambuf_iterator<char>(in), {});
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  std::string scenario(bool collide, const std::string& tasks) {
    const auto flock = [&](const char* name, int from, int to) {
      return std::string("  - name: ") + name + "\n    airframe: x500\n    vehicles: {list: [{position: [" + std::to_string(from) +
             ", 0, 10]}]}\n    start: hold\n    mission: {hold: {height: 0}}\n    node: {contact: {policy: crash}}\n    behaviours: [{go_to: {points: [[" +
             std::to_string(collide ? to : from) + ", 0, 10]], speed: 4}}]\n";
    };
    std::ofstream(folder_ / "two.yaml") << "name: two\nduration: 6\nradio: {model: disc, range: 100}\nflocks:\n"
                                        << flock("east", -6, 6) << flock("west", 6, -6) << tasks;
    return (folder_ / "two.yaml").string();
  }
  std::string first_line() const { return out_.substr(0, out_.find('\n')); }

  const core::ScratchFolder scratch_;
  const std::filesystem::path folder_ = scratch_.path();
  std::string out_, err_;
};

constexpr const char* kAlive = "tasks:\n  - {name: east alive, alive: {flock: east}}\n  - {name: nobody lost, no_event: crashed}\n";

}  // namespace

TEST(verdict, names_every_required_task_that_is_not_done) {
  const FlightLog log;
  EXPECT_EQ(verdict_of({standing("a", "done"), standing("b", "failed", "1 of 2 alive"), standing("c", "open")}, log, true).line(),
            "failed: b (1 of 2 alive), c is still open");
  EXPECT_EQ(verdict_of({standing("a", "done"), standing("b", "failed", "", false)}, log, true).line(), "passed: 1 of 1 required tasks done");
  EXPECT_EQ(verdict_of({standing("b", "open", "", false)}, log, true).line(), "passed: no task is required");
  EXPECT_EQ(verdict_of({}, log, true).line(), "no tasks");
}

TEST(verdict, of_a_run_that_was_interrupted_is_failed_only_where_nothing_can_mend_it) {
  const FlightLog log;
  EXPECT_EQ(verdict_of({standing("a", "done"), standing("b", "holding"), standing("c", "open")}, log, false).line(),
            "incomplete: the run ended before its planned time; 1 of 3 required tasks done");
  EXPECT_EQ(verdict_of({standing("a", "failed")}, log, false).line(), "failed: a");
  EXPECT_EQ(verdict_of({}, log, false).line(), "incomplete: the run ended before its planned time");
}

TEST(verdict, knows_vehicles_that_diverged_or_stopped_deciding) {
  FlightLog log;
  log.diverged = {"a", "b"};
  log.stopped = {{"x.lua:1: wrong", 3, "c", 0.1}, {"x.lua:2: wrong", 1, "d", 0.1}};
  EXPECT_EQ(verdict_of({standing("t", "done")}, log, true).line(), "failed: 2 vehicle(s) diverged: a, b, 4 vehicle(s) stopped deciding");
}

TEST_F(VerdictOfRun, a_collision_is_a_failure) {
  EXPECT_EQ(run("run " + scenario(true, kAlive) + " --headless --quiet --no-record"), 1);
  EXPECT_EQ(first_line(), "failed: east alive (0 of 1 alive), nobody lost ('crashed' happened)") << out_;
  EXPECT_NE(err_.find("failed: east alive"), std::string::npos) << err_;
  EXPECT_EQ(run("run " + scenario(true, kAlive) + " --json --quiet --no-record"), 1);
  const auto report = nlohmann::json::parse(out_);
  EXPECT_EQ(report.at("verdict"), "failed");
  EXPECT_EQ(report.at("reason"), "east alive (0 of 1 alive), nobody lost ('crashed' happened)");
  for (const auto& row : report.at("rows")) EXPECT_NE(row.at("value"), "done") << row;
}

TEST_F(VerdictOfRun, safety_that_held_to_the_end_has_passed_and_was_announced_at_the_end) {
  const std::string recording = (folder_ / "two.vrec").string();
  EXPECT_EQ(run("run " + scenario(false, kAlive) + " --headless --quiet --record " + recording), 0) << err_;
  EXPECT_EQ(first_line(), "passed: 2 of 2 required tasks done") << out_;
  EXPECT_EQ(run("replay " + recording + " --events --json"), 0);
  for (const auto& row : nlohmann::json::parse(out_).at("rows")) {
    const std::string what = row.at("value");
    EXPECT_EQ(row.at("time") < 5.9, what.starts_with("task holding")) << row;
  }
  EXPECT_EQ(run("replay " + recording + " --verify --quiet"), 0);
  EXPECT_EQ(first_line(), "passed: flown again, all 601 hashes are equal") << out_;
}

TEST_F(VerdictOfRun, covers_all_worlds_and_every_run_of_a_batch) {
  EXPECT_EQ(run("run " + scenario(true, kAlive) + " --headless --quiet --no-record --set worlds=2"), 1);
  EXPECT_EQ(first_line().substr(0, 38), "failed: east alive (in 2 of 2 worlds; ") << out_;
  EXPECT_EQ(run("batch " + scenario(true, kAlive) + " --seeds 1..2 --quiet --out " + (folder_ / "b").string()), 0) << err_;
  EXPECT_EQ(first_line(), "failed: 0 of 2 runs passed") << out_;
  EXPECT_NE(out_.find("east/alive"), std::string::npos) << out_;
  EXPECT_EQ(run("batch " + scenario(false, kAlive) + " --seeds 1..2 --json --quiet --out " + (folder_ / "c").string()), 0) << err_;
  EXPECT_EQ(nlohmann::json::parse(out_).at("verdict"), "passed");
}

TEST_F(VerdictOfRun, is_the_first_key_of_every_report_that_has_one) {
  const std::string file = scenario(false, "tasks:\n  - {name: all live, alive: {flock: east}}\n"), recording = (folder_ / "r.vrec").string();
  for (const std::string& command : {"run --json --quiet --headless --duration 1 --record " + recording + " " + file, "replay --json --quiet --verify " + recording,
                                     "replay --json --quiet --at 0.5 --branch " + recording, "verify --json --quick " + file}) {
    run(command);
    const auto report = nlohmann::ordered_json::parse(out_, nullptr, false);
    ASSERT_TRUE(report.is_object()) << command << out_ << err_;
    EXPECT_EQ(report.begin().key(), "verdict") << command;
    EXPECT_EQ(report.begin().value(), "passed") << command;
  }
  run("replay --quiet --verify " + recording);
  EXPECT_EQ(out_.rfind("passed: ", 0), 0u) << out_;
}

}  // namespace volary::cli
