// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What reports must never leave out: near passes, losses by distance, warnings, the place on the Earth, and one verdict everywhere.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/scratch_folder.hpp"

namespace volary::cli {
namespace {

using Json = nlohmann::json;

class RunRows : public ::testing::Test {
 protected:
  // the report of a command; its text on stderr is kept
  Json report(const std::string& arguments) {
    const auto at = [&](const char* name) { return (folder_ / name).string(); };
    const int status = std::system(("'" VOLARY_PROGRAM "' " + arguments + " --json >" + at("out") + " 2>" + at("err") + " </dev/null").c_str());
    code_ = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    std::ifstream out(folder_ / "out"), err(folder_ / "err");
    err_.assign(std::istreambuf_iterator<char>(err), {});
    const Json j = Json::parse(out, nullptr, false);
    EXPECT_TRUE(j.is_object()) << arguments << err_;
    return j.is_object() ? j : Json{{"rows", Json::array()}};
  }
  static Json row(const Json& report, const std::string& name) {
    for (const Json& r : report.at("rows"))
      if (r.at("name") == name) return r;
    ADD_FAILURE() << "no row " << name << " in " << report.dump(1);
    return {{"value", nullptr}, {"note", ""}};
  }
  // two quadrotors that fly through each other and say where they are
  std::string crossing(const std::string& more = "") {
    const auto flock = [](const char* name, int from) {
      return std::string("  - name: ") + name + "\n    airframe: x500\n    vehicles: {list: [{position: [" + std::to_string(from) +
             ", 0, 10]}]}\n    start: hold\n    mission: {hold: {height: 0}}\n    node: {state_rate: 10}\n    behaviours: [{go_to: {points: [[" +
             std::to_string(-from) + ", 0, 10]], speed: 4}}]\n";
    };
    std::ofstream(folder_ / "two.yaml") << "name: two\nduration: 6\nradio: {model: disc, range: 100, loss: 0.3}\nflocks:\n" << flock("east", -6) << flock("west", 6) << more;
    return (folder_ / "two.yaml").string();
  }

  const core::ScratchFolder scratch_;
  const std::filesystem::path folder_ = scratch_.path();
  std::string err_;
  int code_ = -1;
};

TEST_F(RunRows, the_closest_pair_and_its_passes_are_told_where_contact_is_ignored) {
  const Json ran = report("run --quiet --headless --no-record " + crossing());
  EXPECT_LT(row(ran, "closest pair").at("value"), 0.5);
  EXPECT_EQ(row(ran, "closest pair").at("unit"), "m");
  EXPECT_EQ(row(ran, "passes below the sum of radii").at("value"), 1);
  const Json batch = report("batch --quiet --seeds 1..2 --out " + (folder_ / "b").string() + " " + crossing());
  std::size_t found = 0;
  for (const Json& r : batch.at("rows")) {
    const std::string name = r.at("name");
    if (name.ends_with("/closest pair")) {
      EXPECT_LT(r.at("value"), 0.5) << r;
      ++found;
    }
    if (name.ends_with("/passes below the sum of radii")) {
      EXPECT_EQ(r.at("value"), 1) << r;
      ++found;
    }
  }
  EXPECT_EQ(found, 2u) << batch.dump(1);
}

TEST_F(RunRows, the_default_swarm_does_not_fly_through_itself) {
  const Json ran = report("run --quiet --headless --no-record " VOLARY_SOURCE_DIR "/scenarios/default.yaml");
  EXPECT_EQ(row(ran, "passes below the sum of radii").at("value"), 0);
  EXPECT_GT(row(ran, "closest pair").at("value"), 0.2);  // a Crazyflie is 0.13 m across
}

TEST_F(RunRows, delivery_is_reported_by_distance_with_the_reasons_of_losses) {
  const Json ran = report("run --quiet --headless --no-record " + crossing());
  const Json near = row(ran, "radio/delivery ratio/4 to 8 m");
  EXPECT_NEAR(near.at("value").get<double>(), 0.7, 0.25);
  EXPECT_GT(near.at("n"), 10);
  EXPECT_EQ(near.at("note").get<std::string>().rfind("lost: random_loss ", 0), 0u) << near;
}

TEST_F(RunRows, what_is_probably_not_meant_is_a_warning_of_check_and_run) {
  const std::string words = "is `ignore` for east, west: vehicles pass through each other";
  const Json checked = report("check " + crossing());
  EXPECT_NE(row(checked, "two/warning").at("value").get<std::string>().find(words), std::string::npos);
  report("run --headless --no-record " + crossing());
  EXPECT_NE(err_.find("warning: flocks.node.contact.policy: " + words), std::string::npos) << err_;
}

TEST_F(RunRows, a_place_south_and_west_is_printed_as_such) {
  const Json south = report("run --quiet --headless --no-record --duration 0.1 " + crossing("environment: {origin: {latitude: -35.28, longitude: -149.13, height: 560}}\n"));
  EXPECT_EQ(row(south, "origin").at("value"), "35.28 S, 149.13 W");
  const Json north = report("run --quiet --headless --no-record --duration 0.1 " + crossing("environment: {origin: {latitude: 47.4, longitude: 8.5}}\n"));
  EXPECT_EQ(row(north, "origin").at("value"), "47.4 N, 8.5 E");
}

// the same word and reason in the report, in the recording that the library lists, and in the lines of a batch
TEST_F(RunRows, a_run_has_one_verdict_everywhere) {
  const std::string runs = (folder_ / "runs").string();
  std::filesystem::create_directories(runs);
  const std::pair<const char*, std::string> cases[] = {{"", "no tasks"},
                                                       {"tasks: [{name: fly, alive: {flock: east}}]\n", "passed"},
                                                       {"tasks: [{name: far, reached: {flock: east, position: [99, 0, 0], within: 1}}]\n", "failed"}};
  for (const auto& [tasks, word] : cases) {
    const std::string file = crossing(tasks), name = std::string("r") + word[0];
    const Json ran = report("run --quiet --headless --record " + runs + "/" + name + ".vrec " + file);
    EXPECT_EQ(ran.at("verdict"), word) << err_;
    EXPECT_EQ(code_, word == "failed" ? 1 : 0);
    const Json listed = row(report("runs --runs " + runs + " " + name), "run/" + name);
    EXPECT_EQ(listed.at("verdict"), word);
    EXPECT_EQ(listed.at("reason"), ran.at("reason"));
    const std::string folder = (folder_ / name).string();
    report("batch --quiet --seeds 1..1 --out " + folder + " " + file);
    std::ifstream lines(folder + "/results.jsonl");
    std::string line;
    std::getline(lines, line);
    EXPECT_EQ(Json::parse(line).at("verdict"), word) << line;
  }
}

}  // namespace
}  // namespace volary::cli
