// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// volary import as a shell sees it.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "core/scratch_folder.hpp"
#include "logs/log_test_support.hpp"

namespace volary::cli {
namespace {

struct Ran {
  int code = -1;
  std::string out, err;
};

class Import : public ::testing::Test {
 protected:
  void SetUp() override {
    scratch_.write("a.ulg", logs::make_ulog());
    scratch_.write("b.bin", logs::make_dataflash());
    const std::string whole = logs::make_dataflash();
    scratch_.write("cut.bin", whole.substr(0, whole.size() - 2));
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
  nlohmann::json row(const std::string& out, const std::string& name) {
    const auto json = nlohmann::json::parse(out, nullptr, false);
    for (const auto& r : json.is_object() ? json["rows"] : nlohmann::json::array())
      if (r["name"] == name) return r;
    ADD_FAILURE() << "no row " << name << " in " << out;
    return {};
  }
  core::ScratchFolder scratch_;
};

TEST_F(Import, makes_a_recording_that_verifies_and_exports) {
  const Ran made = run("import a.ulg b.bin -o both.vrec --json");
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_EQ(row(made.out, "vehicles")["value"], 2);
  EXPECT_EQ(row(made.out, "aligned by")["value"], "UTC");
  EXPECT_NEAR(row(made.out, "duration")["value"].get<double>(), 20, 0.02);
  const Ran verified = run("replay both.vrec --verify");
  EXPECT_EQ(verified.code, 0) << verified.out << verified.err;
  EXPECT_EQ(run("replay both.vrec --export kml both.kml").code, 0);
  EXPECT_EQ(run("replay both.vrec --export ulog logs").code, 0);
  EXPECT_TRUE(std::filesystem::exists(scratch_.file("logs/0-a.ulg")));
  const Ran events = run("replay both.vrec --events");
  EXPECT_NE(events.out.find("mode: Takeoff"), std::string::npos) << events.out;
  EXPECT_NE(events.out.find("log: hello"), std::string::npos);
}

TEST_F(Import, puts_a_recording_into_the_library_by_default) {
  const Ran made = run("import a.ulg");
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_NE(run("runs").out.find("a"), std::string::npos);
  EXPECT_NE(made.out.find("runs/"), std::string::npos) << made.out;
}

TEST_F(Import, prints_what_is_in_a_log) {
  const Ran table = run("import a.ulg --info");
  ASSERT_EQ(table.code, 0) << table.err;
  for (const char* text : {"ULog 1", "vehicle_local_position", "multirotor", "PX4 on TEST", "2023-11-14 22:13:20 UTC", "47.4000000"})
    EXPECT_NE(table.out.find(text), std::string::npos) << text << " in " << table.out;
  const Ran json = run("import b.bin --info --json");
  EXPECT_EQ(row(json.out, "messages/XKF1")["value"], 1202);
  EXPECT_NEAR(row(json.out, "messages/ATT")["rate"].get<double>(), 30, 0.1);
  EXPECT_EQ(row(json.out, "parameters")["value"], 1);
  EXPECT_EQ(row(json.out, "faults")["value"], 0);
}

TEST_F(Import, keeps_what_is_sound_of_a_damaged_log_and_says_so) {
  const Ran made = run("import cut.bin -o cut.vrec");
  EXPECT_EQ(made.code, 0) << made.err;
  EXPECT_NE(made.err.find("cut.bin: byte "), std::string::npos) << made.err;
  EXPECT_NE(made.err.find("bytes were read (9"), std::string::npos) << made.err;
}

TEST_F(Import, refuses_what_it_cannot_read_with_code_2) {
  scratch_.write("x.ulg", "hello");
  for (const auto& [arguments, text] : {std::pair{"import x.ulg", "x.ulg: byte 0: expected a ULog file"},
                                        {"import nothing.ulg", "nothing.ulg: no such file"},
                                        {"import a.ulg -o a.ulg", "a.ulg: exists already"},
                                        {"import a.ulg --airframe x5000", "unknown airframe 'x5000'"},
                                        {"import", "LOG is required"},
                                        {"import a.ulg --align never", "--align"}}) {
    const Ran r = run(arguments);
    EXPECT_EQ(r.code, 2) << arguments << r.out;
    EXPECT_NE(r.err.find(text), std::string::npos) << arguments << ": " << r.err;
  }
}

}  // namespace
}  // namespace volary::cli
