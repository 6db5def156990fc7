// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// volary batch: the plan, the folder that survives anything, and the program as a shell sees it.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "cli/batch_plan.hpp"
#include "core/scratch_folder.hpp"
#include "cli/batch_report.hpp"
#include "cli/batch_store.hpp"

namespace volary::cli {
namespace {

using Seeds = std::vector<std::uint64_t>;
namespace fs = std::filesystem;

std::string read_text(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}
std::size_t lines_in(const fs::path& path) {
  const std::string text = read_text(path);
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

class Batch : public ::testing::Test {
 protected:
  void SetUp() override {
    std::ofstream(folder_ / "gusty.yaml") << "name: gusty\nduration: 1\nenvironment: {gust_sigma: 1}\nflocks:\n  - name: a\n    airframe: crazyflie\n"
                                             "    vehicles: {grid: {count: 3}}\n    mission: {hold: {height: 2}}\n";
  }

  std::string at(const char* name) const { return (folder_ / name).string(); }

  // exit code; stdout and stderr are kept
  int run(const std::string& arguments) {
    const int status = std::system(("'" VOLARY_PROGRAM "' batch " + arguments + " >" + at("out.txt") + " 2>" + at("err.txt") + " </dev/null").c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  std::string out() const { return read_text(folder_ / "out.txt"); }
  std::string err() const { return read_text(folder_ / "err.txt"); }

  const core::ScratchFolder scratch_;
  const fs::path folder_ = scratch_.path();
};

RunResult result(std::uint64_t seed, double value) { return {{"a=1"}, seed, true, {{"x", value}}, {{"landed", 2}}, "00", "passed", {}}; }
const BatchIdentity kIdentity = {"1.0", "test", 42, {"a=1,2"}};

}  // namespace

TEST(batch_plan, seeds_are_numbers_and_ranges) {
  EXPECT_EQ(parse_seeds("1..4").value(), (Seeds{1, 2, 3, 4}));
  EXPECT_EQ(parse_seeds("7..8,3,18446744073709551615").value(), (Seeds{3, 7, 8, 18446744073709551615ull}));
  for (const char* bad : {"", "x", "1..", "..3", "4..2", "1,1", "1..3,2", "-1", "1.5", "0..2000000"}) EXPECT_FALSE(parse_seeds(bad)) << bad;
}

TEST(batch_plan, a_list_in_brackets_is_one_value) {
  const Axis axis = parse_axis("environment.wind=[3,0,0],[6,0,0]").value();
  EXPECT_EQ(axis.path, "environment.wind");
  EXPECT_EQ(axis.values, (std::vector<std::string>{"[3,0,0]", "[6,0,0]"}));
  EXPECT_EQ(parse_axis("name='a,b',c").value().values.size(), 2u);
  for (const char* bad : {"x", "=1", "x=", "x=1,,2", "x=1,1", "seed=1,2"}) EXPECT_FALSE(parse_axis(bad)) << bad;
}

TEST(batch_plan, every_combination_comes_once_and_the_last_axis_is_the_fastest) {
  const BatchPlan plan{{1, 2, 3}, {{"a", {"1", "2"}}, {"b", {"x", "y", "z"}}}};
  ASSERT_EQ(plan.n_combinations(), 6u);
  EXPECT_EQ(plan.n_runs(), 18u);
  EXPECT_EQ(label_of(plan.combination(0)), "a=1 b=x");
  EXPECT_EQ(label_of(plan.combination(1)), "a=1 b=y");
  EXPECT_EQ(label_of(plan.combination(5)), "a=2 b=z");
  EXPECT_EQ(label_of(BatchPlan{{1}, {}}.combination(0)), "unchanged");
}

TEST_F(Batch, a_torn_line_is_forgotten_and_the_next_one_is_whole) {
  const std::string folder = at("store");
  {
    BatchStore store;
    ASSERT_TRUE(store.open(folder, kIdentity));
    ASSERT_TRUE(store.add(result(1, 0.1)));
    ASSERT_TRUE(store.add(result(2, 1e-300)));
  }
  const std::string whole = read_text(folder + "/results.jsonl");
  // cut at every byte of the second line
  for (std::size_t length = whole.find('\n') + 1; length < whole.size(); ++length) {
    std::ofstream(folder + "/results.jsonl", std::ios::trunc | std::ios::binary) << whole.substr(0, length);
    BatchStore store;
    ASSERT_TRUE(store.open(folder, kIdentity));
    ASSERT_EQ(store.found().size(), 1u) << length;
    EXPECT_EQ(store.found()[0].values.at("x"), 0.1);
    ASSERT_TRUE(store.add(result(2, 1e-300)));
    ASSERT_EQ(read_text(folder + "/results.jsonl"), whole) << length;
  }
}

TEST_F(Batch, damage_in_the_middle_is_named_not_skipped) {
  const std::string folder = at("store");
  {
    BatchStore store;
    ASSERT_TRUE(store.open(folder, kIdentity));
  }
  std::ofstream(folder + "/results.jsonl") << "{\"seed\": 1}\n";
  BatchStore store;
  const core::Status opened = store.open(folder, kIdentity);
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().text().find("results.jsonl:1: is not a result of a run"), std::string::npos) << opened.error().text();
}

TEST_F(Batch, a_folder_has_one_writer_and_one_batch) {
  const std::string folder = at("store");
  BatchStore first, second;
  ASSERT_TRUE(first.open(folder, kIdentity));
  EXPECT_NE(second.open(folder, kIdentity).error().message.find("another volary batch is writing there"), std::string::npos);
  BatchIdentity other = kIdentity;
  other.hash = 43;
  other.axes = {"a=1,3"};
  BatchStore third;
  EXPECT_EQ(third.open(folder, other).error().message, "holds another batch: it was begun with --set a=1,2");
  BatchStore fourth;
  std::ofstream(folder_ / "something") << "else";
  EXPECT_NE(fourth.open(folder_.string(), kIdentity).error().message.find("has files in it, but no batch"), std::string::npos);
}

TEST(batch_report, events_that_did_not_happen_count_as_none) {
  std::vector<RunResult> results = {result(1, 3), result(2, 5)};
  results[1].events.clear();
  const std::vector<CombinationSummary> s = summarise(results);
  ASSERT_EQ(s.size(), 1u);
  EXPECT_EQ(s[0].metrics[0].metric, "success");
  EXPECT_EQ(s[0].metrics[0].hits(), 2);
  EXPECT_EQ(s[0].metrics[1].metric, "events/landed");
  EXPECT_EQ(s[0].metrics[1].sample.mean, 1);
  EXPECT_EQ(s[0].metrics[2].sample.mean, 4);
  EXPECT_EQ(s[0].metrics[2].sample.variance, 2);
}

// six of six are no certainty: the interval of a task is that of Wilson, as that of success
TEST(batch_report, what_is_yes_or_no_has_the_interval_of_a_probability) {
  std::vector<RunResult> results;
  for (std::uint64_t k = 1; k <= 6; ++k) {
    results.push_back(result(k, 3));
    results.back().values["tasks/fly"] = 1;
    results.back().values["tasks/fly/done at"] = 4;
    results.back().values["birds/alive"] = k == 1 ? 0.5 : 1;
    if (k > 1) results.back().events["mission complete"] = 1;  // two landings in every run are a number, and this is a yes or a no
  }
  const std::vector<CombinationSummary> summaries = summarise(results);
  for (const MetricSummary& m : summaries[0].metrics) {
    const bool wanted = m.metric == "success" || m.metric == "tasks/fly" || m.metric == "birds/alive" || m.metric == "events/mission complete";
    EXPECT_EQ(m.is_probability, wanted) << m.metric;
    if (!m.is_probability) continue;
    EXPECT_LT(m.interval().low, 0.61) << m.metric;
    EXPECT_GT(m.interval().low, 0.4) << m.metric;
    EXPECT_LE(m.interval().high, 1) << m.metric;
  }
  // one run alone says little, but not nothing
  const MetricSummary once = summarise({results[1]})[0].metrics[0];
  EXPECT_NEAR(once.interval().low, 0.2065, 5e-5);
  EXPECT_EQ(once.interval().high, 1);
}

TEST(batch_report, a_table_has_one_line_for_each_run) {
  std::vector<RunResult> results = {result(1, 3), result(2, 5.5)};
  results[0].sets = {"environment.wind=[1,0,0]"}, results[1].sets = {"environment.wind=[2,0,0]"};
  results[1].values["tracking error/rms"] = 0.25;
  results[0].hash = "0a", results[1].hash = "0b";
  results[1].events.clear();
  results[0].tasks = {{"fly, far", "done"}}, results[1].tasks = {{"fly, far", "failed"}};
  results[1].verdict = "failed", results[1].success = false;
  EXPECT_EQ(results_csv(results),
            "verdict,environment.wind,seed,success,\"tasks/fly, far/state\",events/landed,tracking error/rms (m),x,state hash\n"
            "passed,\"[1,0,0]\",1,1,done,2,,3,0a\n"
            "failed,\"[2,0,0]\",2,0,failed,0,0.25,5.5,0b\n");
}

TEST(batch_report, a_comparison_says_what_it_cannot_compare) {
  std::vector<RunResult> ours, theirs;
  for (int k = 1; k <= 8; ++k) {
    ours.push_back(result(static_cast<std::uint64_t>(k), 10 + 0.1 * k));
    theirs.push_back(result(static_cast<std::uint64_t>(k), 0.1 * k));
    theirs.back().sets = {"a=2"};
    theirs.push_back(result(static_cast<std::uint64_t>(k), 0.1 * k));
  }
  const BatchComparison c = compare_batches(summarise(ours), summarise(theirs));
  ASSERT_EQ(c.rows.size(), 3u);
  EXPECT_EQ(c.rows[2].metric, "x");
  EXPECT_TRUE(c.rows[2].difference.significant);
  EXPECT_NEAR(c.rows[2].difference.value, 10, 1e-12);
  EXPECT_FALSE(c.rows[0].difference.significant);
  EXPECT_EQ(c.notes, std::vector<std::string>{"a=2: is only in the other batch"});
}

TEST_F(Batch, the_number_of_threads_changes_no_byte) {
  const std::string same = at("gusty.yaml") + " --seeds 1..6 --set environment.gust_sigma=0,1 --json --out ";
  ASSERT_EQ(run(same + at("one") + " --threads 1"), 0) << err();
  const std::string one = out();
  ASSERT_EQ(run(same + at("three") + " --threads 3"), 0) << err();
  EXPECT_EQ(out(), one);
  EXPECT_EQ(read_text(folder_ / "one/results.jsonl"), read_text(folder_ / "three/results.jsonl"));
  const auto report = nlohmann::json::parse(one);
  std::map<std::string, nlohmann::json> rows;
  for (const auto& row : report.at("rows")) rows[row.at("name")] = row;
  const auto& calm = rows.at("environment.gust_sigma=0/tracking error/rms");
  const auto& gusty = rows.at("environment.gust_sigma=1/tracking error/rms");
  EXPECT_EQ(calm.at("n"), 6);
  EXPECT_EQ(calm.at("low"), calm.at("high"));  // without gusts a seed changes nothing
  EXPECT_GT(gusty.at("low").get<double>(), calm.at("high").get<double>());
  EXPECT_EQ(rows.at("environment.gust_sigma=1/success").at("value"), 1);
  EXPECT_NEAR(rows.at("environment.gust_sigma=0/a/energy").at("value").get<double>(), 0.9, 0.02);  // hovering from the first look at 0.1 s on
}

TEST_F(Batch, killed_in_the_middle_it_goes_on_and_reports_the_same_bytes) {
  const std::string same = at("gusty.yaml") + " --seeds 1..40 --set duration=4 --threads 2 --json --out ";
  ASSERT_EQ(run(same + at("whole")), 0) << err();
  const std::string whole = out();
  const fs::path results = folder_ / "killed/results.jsonl";
  for (std::size_t kills = 0; kills < 2; ++kills) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      const std::string scenario = at("gusty.yaml"), folder = at("killed");
      execl(VOLARY_PROGRAM, VOLARY_PROGRAM, "batch", scenario.c_str(), "--seeds", "1..40", "--set", "duration=4", "--threads", "2", "--json", "--quiet",
            "--out", folder.c_str(), nullptr);
      _exit(127);
    }
    const std::size_t wanted = lines_in(results) + 5;
    int status = 0;
    while (lines_in(results) < wanted && waitpid(child, &status, WNOHANG) == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status)) << "it ended before it was killed";
    ASSERT_LT(lines_in(results), 40u);
  }
  const std::size_t before = lines_in(results);
  std::ofstream(results, std::ios::app) << "{\"seed\": 39, \"val";  // and a line that was cut off
  ASSERT_EQ(run(same + at("killed")), 0) << err();
  EXPECT_NE(err().find(std::to_string(before) + " of 40 runs were there already"), std::string::npos) << err();
  EXPECT_EQ(out(), whole);
  EXPECT_EQ(read_text(results), read_text(folder_ / "whole/results.jsonl"));
}

TEST_F(Batch, another_scenario_is_refused_and_more_seeds_are_welcome) {
  const std::string scenario = at("gusty.yaml");
  ASSERT_EQ(run(scenario + " --seeds 1..2 --out " + at("b")), 0) << err();
  ASSERT_EQ(run(scenario + " --seeds 1..4 --out " + at("b")), 0) << err();
  EXPECT_EQ(err(), "2 of 4 runs were there already\n");
  EXPECT_EQ(lines_in(folder_ / "b/results.jsonl"), 4u);
  std::ofstream(folder_ / "gusty.yaml", std::ios::app) << "# a remark\n";
  EXPECT_EQ(run(scenario + " --seeds 1..4 --out " + at("b")), 2);
  EXPECT_NE(err().find("holds another batch: the files of the scenario or an option have changed"), std::string::npos) << err();
  EXPECT_EQ(run(scenario + " --seeds 1..4 --set duration=1 --out " + at("b")), 2);
  EXPECT_NE(err().find("it was begun with no --set"), std::string::npos) << err();
}

TEST_F(Batch, mistakes_are_found_before_anything_is_flown) {
  const std::string scenario = at("gusty.yaml");
  EXPECT_EQ(run(scenario + " --set duration=1,x --out " + at("b")), 2);
  EXPECT_NE(err().find("duration"), std::string::npos) << err();
  EXPECT_EQ(run(scenario + " --set environment.gust_sigm=1 --out " + at("b")), 2);
  EXPECT_NE(err().find("did you mean"), std::string::npos) << err();
  EXPECT_EQ(run(scenario + " --compare " + at("nowhere") + " --out " + at("b")), 2);
  EXPECT_NE(err().find("is not a batch"), std::string::npos) << err();
  EXPECT_EQ(run(scenario), 2);
  EXPECT_FALSE(fs::exists(folder_ / "b"));
}

TEST_F(Batch, success_is_a_mission_accomplished) {
  std::ofstream(folder_ / "gusty.yaml", std::ios::app) << "tasks:\n  - {name: up, held: {for: 0.5, what: {altitude_above: {flock: a, height: 1}}}}\n"
                                                          "  - {name: wait, time_after: 100, required: false}\n";
  ASSERT_EQ(run(at("gusty.yaml") + " --seeds 1..3 --set 'tasks[1].required=false,true' --json --out " + at("b")), 0) << err();
  const auto report = nlohmann::json::parse(out());
  std::map<std::string, nlohmann::json> rows;
  for (const auto& row : report.at("rows")) rows[row.at("name")] = row;
  EXPECT_EQ(rows.at("tasks[1].required=false/success").at("value"), 1);
  EXPECT_EQ(rows.at("tasks[1].required=true/success").at("value"), 0);
  EXPECT_EQ(rows.at("tasks[1].required=true/tasks/up").at("value"), 1);
  EXPECT_EQ(rows.at("tasks[1].required=true/tasks/wait").at("value"), 0);
  // the same words as in every other report
  EXPECT_EQ(rows.at("tasks[1].required=true/tasks/up").at("done"), 3);
  EXPECT_EQ(rows.at("tasks[1].required=true/tasks/wait").at("open"), 3);
  EXPECT_FALSE(rows.at("tasks[1].required=true/tasks/wait").contains("done"));
  EXPECT_NEAR(rows.at("tasks[1].required=true/tasks/up/done at").at("value").get<double>(), 0.55, 0.11);  // half a second, looked at ten times a second
}

TEST_F(Batch, the_verdict_is_the_first_line_and_the_first_key) {
  const std::string same = at("gusty.yaml") + " --seeds 1..2 --out " + at("b");
  ASSERT_EQ(run(same), 0) << err();
  EXPECT_EQ(out().rfind("passed: 2 of 2 runs passed\n", 0), 0u) << out();
  ASSERT_EQ(run(same + " --json"), 0) << err();
  EXPECT_EQ(nlohmann::ordered_json::parse(out()).begin().key(), "verdict") << out();
  EXPECT_EQ(read_text(folder_ / "b/results.jsonl").rfind("{\"verdict\":\"no tasks\",", 0), 0u);
}

TEST_F(Batch, a_csv_table_is_written_once_all_runs_are_there_and_over_no_other_file) {
  std::ofstream(folder_ / "gusty.yaml", std::ios::app) << "tasks:\n  - {name: up, held: {for: 0.5, what: {altitude_above: {flock: a, height: 1}}}}\n"
                                                          "  - {name: wait, time_after: 100, required: false}\n";
  const std::string same = at("gusty.yaml") + " --seeds 1..2 --set environment.gust_sigma=0,1 --quiet --csv " + at("t.csv");
  ASSERT_EQ(run(same + " --out " + at("b")), 0) << err();
  const std::string table = read_text(folder_ / "t.csv");
  EXPECT_EQ(table.rfind("verdict,environment.gust_sigma,seed,success,tasks/up/state,tasks/wait/state,", 0), 0u) << table;
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 5);
  EXPECT_NE(table.find("\npassed,0,1,1,done,open,"), std::string::npos) << table;
  EXPECT_NE(table.find("\npassed,1,2,1,done,open,"), std::string::npos) << table;
  // before anything is flown
  EXPECT_EQ(run(same + " --out " + at("c")), 2);
  EXPECT_NE(err().find("--csv: " + at("t.csv") + ": cannot be written: the file exists (choose another name)"), std::string::npos) << err();
  EXPECT_FALSE(fs::exists(folder_ / "c"));
  EXPECT_EQ(read_text(folder_ / "t.csv"), table);
  EXPECT_EQ(run(at("gusty.yaml") + " --csv " + at("no/such/t.csv") + " --out " + at("c")), 2);
  EXPECT_NE(err().find("there is no folder"), std::string::npos) << err();
}

TEST_F(Batch, the_exit_code_says_whether_all_runs_passed_where_that_is_required) {
  std::ofstream(folder_ / "gusty.yaml", std::ios::app) << "tasks:\n  - {name: up, altitude_above: {flock: a, height: 1}}\n"
                                                          "  - {name: wait, time_after: 100, required: false}\n";
  const std::string all = at("gusty.yaml") + " --seeds 1..3 --out " + at("all"), some = at("gusty.yaml") + " --seeds 4..5 --set 'tasks[1].required=false,true' --out " + at("some");
  EXPECT_EQ(run(all + " --require-success"), 0) << err();
  EXPECT_EQ(out().substr(0, out().find('\n')), "passed: 3 of 3 runs passed");
  EXPECT_EQ(run(some), 0) << "without the option a run that fails is a result";
  EXPECT_EQ(run(some + " --require-success"), 1) << "also from a folder in which all runs were there already";
  EXPECT_EQ(out().substr(0, out().find('\n')), "mixed: 2 of 4 runs passed; failed: tasks[1].required=true seed 4, tasks[1].required=true seed 5");
  EXPECT_EQ(run(some + " --require-success --json"), 1);
  EXPECT_EQ(nlohmann::json::parse(out()).at("verdict"), "mixed") << out();
}

TEST_F(Batch, two_batches_are_compared) {
  const std::string scenario = at("gusty.yaml");
  ASSERT_EQ(run(scenario + " --seeds 1..5 --set environment.gust_sigma=0.5 --out " + at("calm")), 0) << err();
  ASSERT_EQ(run(scenario + " --seeds 11..15 --set environment.gust_sigma=3 --out " + at("wild") + " --compare " + at("calm")), 0) << err();
  EXPECT_NE(out().find("tracking error/rms (m)"), std::string::npos) << out();
  EXPECT_NE(out().find("differences are significant; by chance alone about"), std::string::npos) << out();
}

}  // namespace volary::cli
