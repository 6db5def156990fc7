// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The commands `federation up` and `node` as processes over a real broker, beside `run`.
#include <gtest/gtest.h>

#include <csignal>
#include <cstdio>
#include <fstream>
#include <string>
#include <thread>

#include <sys/wait.h>

#include "cluster/transport/broker.hpp"
#include "core/scratch_folder.hpp"

namespace volary {
namespace {

struct Ended {
  int code = -1;
  std::string out;
};
Ended volary(const std::string& arguments) {
  Ended e;
  FILE* pipe = ::popen((std::string(VOLARY_PROGRAM) + " " + arguments + " 2>/dev/null").c_str(), "r");
  if (pipe == nullptr) return e;
  char part[4096];
  while (const std::size_t n = std::fread(part, 1, sizeof part, pipe)) e.out.append(part, n);
  const int status = ::pclose(pipe);
  e.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return e;
}
std::string hash_of(const std::string& scenario, const std::string& duration) {
  return volary("run " + scenario + " --headless --no-record --quiet --hash --duration " + duration).out;
}

class FederationProcess : public testing::Test {
 protected:
  void SetUp() override {
    if (!cluster::has_broker_program()) GTEST_SKIP() << "mosquitto is not installed: tools/install_broker.sh installs it";
  }
  core::ScratchFolder folder_;
};

TEST_F(FederationProcess, GivesTheHashOfOneProcess) {
  const Ended federation = volary("federation up search_and_rescue --nodes 4 --duration 20 --no-record --quiet --hash");
  EXPECT_EQ(federation.out, hash_of("search_and_rescue", "20"));
  EXPECT_EQ(federation.code, 1);  // its tasks take longer than that
}

TEST_F(FederationProcess, GivesTheHashOfOneProcessUnderLossDelayDuplicationAndReordering) {
  const Ended federation =
      volary("federation up mixed --nodes 3 --duration 0.5 --no-record --quiet --hash --loss 0.3 --delay 0.01 --jitter 0.005 --duplicate 0.05 --reorder 0.1");
  EXPECT_EQ(federation.out, hash_of("mixed", "0.5"));
  EXPECT_EQ(federation.code, 0);
}

TEST_F(FederationProcess, RecordsOneWorldThatOneProcessVerifies) {
  const std::string file = folder_.file("federation.vrec");
  EXPECT_EQ(volary("federation up mixed --nodes 2 --duration 3 --quiet --record " + file).code, 0);
  const Ended verified = volary("replay " + file + " --verify");
  EXPECT_EQ(verified.code, 0) << verified.out;
}

TEST_F(FederationProcess, EndsInWordsWhenANodeIsKilled) {
  const std::string errors = folder_.file("errors");
  const std::string command = std::string(VOLARY_PROGRAM) + " federation up mixed --nodes 2 --speed 1 --duration 30 --no-record --name killed --quiet --hash >/dev/null 2>" + errors;
  int status = 0;
  std::thread run([&] { status = std::system(command.c_str()); });
  for (int k = 0; k < 100 && std::system("pkill -KILL -f '[v]olary node .*--federation killed --account 1' 2>/dev/null") != 0; ++k)
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  run.join();
  EXPECT_EQ(WEXITSTATUS(status), 1);
  std::ifstream in(errors);
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  EXPECT_NE(text.find("node 1"), std::string::npos) << text;
  EXPECT_NE(std::system("pgrep -f '[v]olary node .*--federation killed' >/dev/null"), 0) << "a node outlives its federation";
}

TEST_F(FederationProcess, RefusesWhatCannotBeInWords) {
  EXPECT_EQ(volary("federation up no_such_scenario").code, 2);
  EXPECT_EQ(volary("federation up two_worlds").code, 2);
  EXPECT_EQ(volary("federation up mixed --loss 2").code, 2);
  EXPECT_EQ(volary("node").code, 2);
  EXPECT_EQ(volary("node --broker 127.0.0.1:1").code, 1);
}

}  // namespace
}  // namespace volary
