// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// volary replay as a shell sees it: runs by their ids, and exports.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "core/scratch_folder.hpp"

namespace volary::cli {
namespace {

struct Ran {
  int code = -1;
  std::string out, err;
};

class Replay : public ::testing::Test {
 protected:
  void SetUp() override {
    scratch_.write("tiny.yaml", "name: tiny\nduration: 0.5\nflocks:\n  - name: a\n    airframe: crazyflie\n    vehicles: {grid: {count: 3}}\n    mission: {hold: {height: 2}}\n");
    const Ran r = run("run " + scratch_.file("tiny.yaml") + " --headless --quiet");
    ASSERT_EQ(r.code, 0) << r.err;
    const auto runs = nlohmann::json::parse(run("runs --json").out, nullptr, false);
    ASSERT_TRUE(runs.is_object());
    id_ = runs["rows"][0]["name"].get<std::string>().substr(4);  // after "run/"
  }
  Ran run(const std::string& arguments) {
    const std::string command = "cd " + scratch_.path() + " && VOLARY_RUNS=" + scratch_.file("runs") + " '" VOLARY_PROGRAM "' " + arguments + " >" +
                                scratch_.file("out") + " 2>" + scratch_.file("err") + " </dev/null";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read(scratch_.file("out")), read(scratch_.file("err"))};
  }
  static std::string read(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  }
  bool exists(const std::string& name) const { return std::filesystem::exists(scratch_.file(name)); }

  core::ScratchFolder scratch_;
  std::string id_;
};

TEST_F(Replay, takes_the_id_that_runs_prints_and_its_beginning) {
  EXPECT_NE(run("runs").out.find(id_), std::string::npos);
  for (const std::string& name : {id_, id_.substr(0, 8), id_ + ".vrec", scratch_.file("runs/" + id_ + ".vrec")}) {
    const Ran r = run("replay " + name);
    EXPECT_EQ(r.code, 0) << name << ": " << r.err;
    EXPECT_NE(r.out.find(id_), std::string::npos) << r.out;
  }
  const Ran wrong = run("replay " + id_.substr(0, id_.size() - 1) + "x");
  EXPECT_EQ(wrong.code, 2);
  EXPECT_NE(wrong.err.find("is not a file, and no run is called"), std::string::npos) << wrong.err;
  EXPECT_NE(wrong.err.find("did you mean " + id_ + "?"), std::string::npos) << wrong.err;
  EXPECT_EQ(run("replay missing/" + id_).code, 2);
}

TEST_F(Replay, exports_are_exact_unless_the_view_is_asked_for) {
  const Ran exact = run("replay " + id_ + " --export csv a.csv"), view = run("replay " + id_ + " --export csv b.csv --view");
  EXPECT_EQ(exact.code, 0) << exact.err;
  EXPECT_NE(exact.out.find("exact, simulated again"), std::string::npos) << exact.out;
  EXPECT_EQ(view.code, 0) << view.err;
  EXPECT_NE(view.out.find("from the view layer"), std::string::npos) << view.out;
  EXPECT_NE(read(scratch_.file("a.csv")).find("rotor_speed.0 [rad/s, error 0]"), std::string::npos);
  EXPECT_NE(read(scratch_.file("b.csv")).find("position.x [m, ENU, error 0.05]"), std::string::npos);
}

TEST_F(Replay, every_kind_is_written) {
  for (const char* kind : {"csv", "npz", "mcap", "tum"}) {
    const Ran r = run(std::string("replay ") + id_ + " --rate 10 --export " + kind + " a." + kind);
    EXPECT_EQ(r.code, 0) << kind << ": " << r.err;
    EXPECT_TRUE(exists(std::string("a.") + kind)) << kind;
  }
  const Ran map = run("replay " + id_ + " --export kml a.kml");
  EXPECT_EQ(map.code, 2);
  EXPECT_NE(map.err.find("environment.origin"), std::string::npos) << map.err;
}

TEST_F(Replay, options_of_an_export_that_do_not_fit_are_refused) {
  struct Case {
    const char *arguments, *says;
  };
  for (const Case& c : {Case{" --export cvs a", "did you mean 'csv'?"}, Case{" --export csv", "--export"}, Case{" --view", "belong to --export"},
                        Case{" --export tum a --columns position", "--columns belongs to csv, npz and mcap"}, Case{" --export csv a --tables task", "did you mean 'tasks'?"},
                        Case{" --export csv a --view --tables tasks", "leave out --view"}, Case{" --export npz a --columns positon", "did you mean 'position'?"},
                        Case{" --export csv a --view --columns wind", "leave out --view"}}) {
    const Ran r = run("replay " + id_ + c.arguments);
    EXPECT_EQ(r.code, 2) << c.arguments;
    EXPECT_NE(r.err.find(c.says), std::string::npos) << c.arguments << ": " << r.err;
    EXPECT_FALSE(exists("a")) << c.arguments;
  }
}

}  // namespace
}  // namespace volary::cli
