// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Federations as processes: started, watched, struck, and counted afterwards.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "cluster/transport/broker.hpp"
#include "core/scratch_folder.hpp"

namespace volary {

struct Ended {
  int code = -1;
  std::string out, errors;
};
// what can be read of it: a process may end while its file in /proc is read
inline std::string text_of_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}
// a command line of the program, to its end
inline Ended volary(const std::string& arguments, const std::string& program = VOLARY_PROGRAM) {
  const core::ScratchFolder folder;
  Ended e;
  const int status = std::system((program + " " + arguments + " >" + folder.file("out") + " 2>" + folder.file("errors")).c_str());
  e.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  e.out = text_of_file(folder.file("out")), e.errors = text_of_file(folder.file("errors"));
  return e;
}
inline std::string hash_of(const std::string& scenario, const std::string& duration) {
  return volary("run " + scenario + " --headless --no-record --quiet --hash --duration " + duration).out;
}

// processes whose command line has all these words
inline std::vector<pid_t> processes_with(const std::vector<std::string>& words) {
  std::vector<pid_t> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string pid = entry.path().filename().string();
    if (pid.find_first_not_of("0123456789") != std::string::npos) continue;
    std::string line = text_of_file((entry.path() / "cmdline").string());
    std::replace(line.begin(), line.end(), '\0', ' ');
    if (line.starts_with("sh ")) continue;  // the shell that waits for it
    if (std::all_of(words.begin(), words.end(), [&](const std::string& w) { return line.find(w) != std::string::npos; })) found.push_back(std::stoi(pid));
  }
  return found;
}
inline pid_t parent_of(pid_t pid) {
  std::ifstream in("/proc/" + std::to_string(pid) + "/stat");
  std::string word;
  pid_t parent = 0;
  in >> word >> word >> word >> parent;
  return parent;
}

template <class F> bool eventually(F&& holds, double seconds = 60) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (!holds()) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return true;
}

// a federation that runs beside the test, under a name of its own
class RunningUp {
 public:
  RunningUp(const std::string& word, const std::string& arguments) : name_(word + std::to_string(::getpid())) {
    thread_ = std::thread([this, arguments] { ended_ = volary("federation up " + arguments + " --name " + name_); });
  }
  ~RunningUp() {
    if (!thread_.joinable()) return;
    // a test that has failed leaves nothing behind
    for (const pid_t up : commands()) ::kill(up, SIGTERM);
    end();
  }
  const std::string& name() const { return name_; }
  // the figures of `status`, all of one moment; none where it does not answer
  std::map<std::string, nlohmann::json> rows() const {
    const Ended status = volary("federation status --json --name " + name_);
    const auto report = nlohmann::json::parse(status.out, nullptr, false);
    std::map<std::string, nlohmann::json> all;
    if (report.is_object())
      for (const auto& r : report["rows"]) all[r["name"]] = r["value"];
    return all;
  }
  // one of them, or an empty value
  nlohmann::json row(const std::string& wanted) const { return rows()[wanted]; }
  bool has_committed(std::int64_t ticks) const {
    return eventually([&] {
      const auto committed = row("federation/committed");
      return committed.is_number() && committed.get<std::int64_t>() >= ticks;
    });
  }
  bool is(const std::string& wanted, const nlohmann::json& value) const {
    return eventually([&] { return row(wanted) == value; });
  }
  Ended order(const std::string& what) const { return volary("federation " + what + " --name " + name_); }
  std::vector<pid_t> nodes(const std::string& account = "") const {
    std::vector<std::string> words = {"node", "--federation " + name_};
    if (!account.empty()) words.push_back("--account " + account + " ");
    return processes_with(words);
  }
  std::vector<pid_t> commands() const { return processes_with({"federation up", "--name " + name_}); }
  std::vector<pid_t> brokers() const {
    std::vector<pid_t> mine;
    for (const pid_t up : commands())
      for (const pid_t pid : processes_with({"mosquitto", "-c"}))
        if (parent_of(pid) == up) mine.push_back(pid);
    return mine;
  }
  // waits for its end
  Ended end() {
    thread_.join();
    EXPECT_TRUE(eventually([&] { return nodes().empty(); }, 5)) << "a node outlives its federation";
    return ended_;
  }

 private:
  std::string name_;
  Ended ended_;
  std::thread thread_;
};

class FederationCase : public testing::Test {
 protected:
  void SetUp() override {
    if (!cluster::has_broker_program()) GTEST_SKIP() << "mosquitto is not installed: tools/install_broker.sh installs it";
  }
  core::ScratchFolder folder_;
};

}  // namespace volary
