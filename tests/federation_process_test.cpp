// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The commands `federation up` and `node` as processes over a real broker, beside `run`.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

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

TEST_F(FederationProcess, WithAHorizonGivesTheHashOfOneProcessUnderLoss) {
  const Ended federation = volary("federation up distant_rescue --nodes 4 --duration 3 --no-record --quiet --hash --loss 0.3 --delay 0.03 --jitter 0.01");
  EXPECT_EQ(federation.out, hash_of("distant_rescue", "3"));
  EXPECT_EQ(federation.code, 1);  // its tasks take longer than that
}

// The process that has the vehicle of the one is ahead of the frame in which the other comes.
TEST_F(FederationProcess, WithAHorizonRollsBackWhereVehiclesOfTwoProcessesMeet) {
  for (const std::string policy : {"crash", "remove", "bounce"}) {
    const std::string file = folder_.file(policy + ".yaml");
    std::ofstream(file) << "coupling: {horizon: 0.1}\nduration: 6\nflocks:\n"
                        << "  - {name: east, airframe: crazyflie, vehicles: {list: [{position: [-3, 0, 2]}]}, node: {contact: {policy: " << policy
                        << ", radius: 0.2}}, mission: {waypoints: {points: [[-3, 0, 2], [3, 0, 2]], speed: 2}}}\n"
                        << "  - {name: west, airframe: crazyflie, vehicles: {list: [{position: [3, 0, 2]}]}, node: {contact: {policy: " << policy
                        << ", radius: 0.2}}, mission: {waypoints: {points: [[3, 0, 2], [-3, 0, 2]], speed: 2}}}\n";
    const std::string report = volary("run " + file + " --headless --no-record --quiet --json").out;
    EXPECT_NE(report.find("passes below the sum of radii"), std::string::npos) << report;
    const Ended federation = volary("federation up " + file + " --nodes 2 --no-record --quiet --hash --loss 0.2 --delay 0.01");
    EXPECT_EQ(federation.out, hash_of(file, "6")) << policy;
  }
}

TEST_F(FederationProcess, RecordsOneWorldThatOneProcessVerifies) {
  const std::string file = folder_.file("federation.vrec");
  EXPECT_EQ(volary("federation up mixed --nodes 2 --duration 3 --quiet --record " + file).code, 0);
  const Ended verified = volary("replay " + file + " --verify");
  EXPECT_EQ(verified.code, 0) << verified.out;
}

// processes whose command line has all these words
std::vector<pid_t> processes_with(const std::vector<std::string>& words) {
  std::vector<pid_t> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string pid = entry.path().filename().string();
    if (pid.find_first_not_of("0123456789") != std::string::npos) continue;
    std::ifstream in(entry.path() / "cmdline", std::ios::binary);
    std::string line{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    std::replace(line.begin(), line.end(), '\0', ' ');
    if (std::all_of(words.begin(), words.end(), [&](const std::string& w) { return line.find(w) != std::string::npos; })) found.push_back(std::stoi(pid));
  }
  return found;
}

// a federation that runs while `strike` does something to it; the hash that it prints
struct Struck {
  int code = -1;
  std::string out;
};
Struck strike(const std::string& name, const std::string& options, const std::function<void()>& what) {
  Struck done;
  std::thread run([&] {
    const Ended e = volary("federation up mixed --nodes 2 --duration 4 --speed 1 --no-record --quiet --hash --name " + name + " " + options);
    done = {e.code, e.out};
  });
  what();
  run.join();
  EXPECT_TRUE(processes_with({"node", "--federation " + name}).empty()) << "a node outlives its federation";
  return done;
}
// waits until a node has saved its first state: the federation flies
bool flies(const std::string& name, const std::string& account) {
  for (int k = 0; k < 1200; ++k) {
    for (const pid_t pid : processes_with({"node", "--federation " + name, "--account " + account})) {
      std::ifstream in("/proc/" + std::to_string(pid) + "/cmdline", std::ios::binary);
      const std::string line{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
      const std::string option = std::string("--folder") + '\0';
      const std::size_t at = line.find(option);
      if (at == std::string::npos) continue;
      const std::string folder = line.c_str() + at + option.size();
      if (std::filesystem::exists(folder + "/state")) return true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return false;
}
bool kill_one(const std::vector<std::string>& words) {
  for (int k = 0; k < 100; ++k) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    for (const pid_t pid : processes_with(words))
      if (::kill(pid, SIGKILL) == 0) return true;
  }
  return false;
}

TEST_F(FederationProcess, ANodeThatIsKilledComesBackAndTheHashIsThatOfOneProcess) {
  const std::string name = "killed" + std::to_string(::getpid());
  const Struck done = strike(name, "", [&] {
    ASSERT_TRUE(flies(name, "1"));
    EXPECT_TRUE(kill_one({"node", "--federation " + name, "--account 1"}));
  });
  EXPECT_EQ(done.out, hash_of("mixed", "4"));
  EXPECT_EQ(done.code, 0);
}

TEST_F(FederationProcess, ABrokerAndThenANodeThatAreKilledComeBackAndTheHashIsThatOfOneProcess) {
  const std::string name = "broker" + std::to_string(::getpid());
  const Struck done = strike(name, "", [&] {
    ASSERT_TRUE(flies(name, "0"));
    // the broker has the port that the nodes were given
    const std::vector<pid_t> nodes = processes_with({"node", "--federation " + name, "--account 0"});
    ASSERT_FALSE(nodes.empty());
    std::ifstream in("/proc/" + std::to_string(nodes[0]) + "/stat");
    std::string word, parent;
    in >> word >> word >> word >> parent;
    bool is_killed = false;
    for (const pid_t pid : processes_with({"mosquitto"})) {
      std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
      std::string of_broker;
      stat >> word >> word >> word >> of_broker;
      if (of_broker == parent) is_killed = ::kill(pid, SIGKILL) == 0;
    }
    EXPECT_TRUE(is_killed);
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
    EXPECT_TRUE(kill_one({"node", "--federation " + name, "--account 0"}));
  });
  EXPECT_EQ(done.out, hash_of("mixed", "4"));
  EXPECT_EQ(done.code, 0);
}

TEST_F(FederationProcess, ANodeThatDiesAgainAndAgainEndsTheFederationInWords) {
  const std::string errors = folder_.file("errors"), name = "dying" + std::to_string(::getpid());
  const std::string command =
      std::string(VOLARY_PROGRAM) + " federation up mixed --nodes 2 --speed 1 --no-record --quiet --hash --name " + name + " >/dev/null 2>" + errors;
  int status = 0;
  std::atomic<bool> is_over = false;
  std::thread run([&] { status = std::system(command.c_str()), is_over = true; });
  while (!is_over) {
    for (const pid_t pid : processes_with({"node", "--federation " + name, "--account 1"})) ::kill(pid, SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  run.join();
  EXPECT_EQ(WEXITSTATUS(status), 1);
  std::ifstream in(errors);
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  EXPECT_NE(text.find("node 1"), std::string::npos) << text;
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
