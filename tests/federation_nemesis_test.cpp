// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Seeded schedules for federations of processes over a real broker: nodes and the broker are killed, or stopped and continued, while they fly. Afterwards hash
// and recording are those of one process: nothing that was committed is lost.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>

#include "cluster/transport/broker.hpp"
#include "core/child_process.hpp"
#include "core/scratch_folder.hpp"
#include "math/hash.hpp"

namespace volary {
namespace {

using Seconds = std::chrono::duration<double>;
using Clock = std::chrono::steady_clock;

constexpr const char* kBroker = "mosquitto";

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// what a program says, and how it ends
struct Ended {
  std::string code, out;
};
Ended run(std::vector<std::string> arguments, const std::string& file) {
  arguments.insert(arguments.begin(), VOLARY_PROGRAM);
  auto child = core::ChildProcess::start({.command = std::move(arguments), .output_file = file});
  if (!child) return {child.error().text(), {}};
  child.value()->wait(600'000'000'000);
  return {child.value()->exit_text(), read_file(file)};
}

// the last line that a program said, which --hash makes the hash; the others say how the tasks went
std::string hash_in(const std::string& out) {
  const std::size_t end = out.find_last_not_of('\n');
  if (end == std::string::npos) return {};
  const std::size_t begin = out.rfind('\n', end);
  const std::string line = out.substr(begin == std::string::npos ? 0 : begin + 1, end - (begin == std::string::npos ? 0 : begin + 1) + 1);
  return line.size() == 16 && line.find_first_not_of("0123456789abcdef") == std::string::npos ? line : std::string();
}

// ---------------------------------------------------------------- schedules

struct Strike {
  double when = 0;     // s after the federation began to fly
  int node = -1;       // -1: the broker
  double stopped = 0;  // s that it is stopped for; 0: it is killed
};
struct Schedule {
  std::string scenario;
  int nodes = 2;
  std::vector<Strike> strikes = {};
  std::string text() const {
    std::string t = scenario + " on " + std::to_string(nodes);
    for (const Strike& s : strikes)
      t += ", " + (s.node < 0 ? std::string("broker") : "node " + std::to_string(s.node)) +
           (s.stopped > 0 ? " stopped for " + std::to_string(s.stopped) : " killed") + " at " + std::to_string(s.when);
    return t;
  }
};

constexpr double kFlight = 55;      // s
constexpr int kMostKills = 2;       // of one node; it is started again three times at most

Schedule draw_schedule(std::uint64_t seed) {
  std::uint64_t state = math::mix64(seed);
  const auto below = [&](std::uint64_t n) { return math::mix64(state += 0x9e3779b97f4a7c15u) % n; };
  const char* scenarios[] = {"search_and_rescue", "mixed", "gas_leak", "hill_relay"};
  Schedule s{.scenario = scenarios[below(4)], .nodes = static_cast<int>(2 + below(3))};
  std::vector<int> kills(static_cast<std::size_t>(s.nodes), 0);
  for (std::uint64_t k = 3 + below(5); k > 0; --k) {
    Strike x{.when = 0.001 * static_cast<double>(below(static_cast<std::uint64_t>(1000 * (kFlight - 5))))};
    x.node = static_cast<int>(below(static_cast<std::uint64_t>(s.nodes) + 1)) - 1;
    if (below(2) == 0) x.stopped = 0.1 + 0.001 * static_cast<double>(below(3000));
    if (x.stopped == 0 && x.node >= 0 && ++kills[static_cast<std::size_t>(x.node)] > kMostKills) continue;
    s.strikes.push_back(x);
  }
  std::sort(s.strikes.begin(), s.strikes.end(), [](const Strike& a, const Strike& b) { return a.when < b.when; });
  return s;
}

// ---------------------------------------------------------------- one federation

// the broker, or a node, among the children of a process; 0: it is not there now
pid_t child_of(pid_t parent, int node) {
  const std::string account = node < 0 ? "" : std::string("--account") + '\0' + std::to_string(node) + '\0';
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string pid = entry.path().filename().string();
    if (pid.find_first_not_of("0123456789") != std::string::npos) continue;
    const std::string stat = read_file(entry.path().string() + "/stat");
    const std::size_t name_end = stat.rfind(')');
    if (name_end == std::string::npos || name_end + 4 >= stat.size() || std::atoi(stat.c_str() + name_end + 4) != parent) continue;
    const std::string line = read_file(entry.path().string() + "/cmdline");
    if (node < 0 ? line.find(kBroker) != std::string::npos : line.find(account) != std::string::npos) return std::stoi(pid);
  }
  return 0;
}

// whether some tick is committed
bool flies(const std::string& name, const std::string& file) {
  std::filesystem::remove(file);
  const auto report = nlohmann::json::parse(run({"federation", "status", "--json", "--name", name}, file).out, nullptr, false);
  if (!report.is_object() || !report.contains("rows")) return false;
  return std::any_of(report["rows"].begin(), report["rows"].end(),
                     [](const nlohmann::json& r) { return r["name"] == "federation/committed" && r["value"].is_number() && r["value"] > 0; });
}

class Nemesis {
 public:
  Nemesis(const Schedule& schedule, const core::ChildProcess& up, std::string name, std::string file)
      : s_(schedule), up_(up), name_(std::move(name)), file_(std::move(file)) {}
  // strikes while the federation flies; how often
  int haunt() {
    while (!flies(name_, file_)) {
      if (!up_.is_running()) return done_;
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
    const auto began = Clock::now();
    for (const Strike& x : s_.strikes) {
      wait_until(began + std::chrono::duration_cast<Clock::duration>(Seconds(x.when)));
      if (!up_.is_running()) return done_;
      if (x.stopped > 0 ? stop(x) : kill(x)) ++done_;
    }
    return done_;
  }

 private:
  void wait_until(Clock::time_point when) const {
    while (Clock::now() < when && up_.is_running()) std::this_thread::sleep_for(std::min<Clock::duration>(when - Clock::now(), std::chrono::milliseconds(50)));
  }
  bool kill(const Strike& x) const {
    const pid_t pid = child_of(up_.pid(), x.node);
    return pid > 0 && ::kill(pid, SIGKILL) == 0;
  }
  bool stop(const Strike& x) const {
    const pid_t pid = child_of(up_.pid(), x.node);
    if (pid <= 0 || ::kill(pid, SIGSTOP) != 0) return false;
    std::this_thread::sleep_for(Seconds(x.stopped));
    // it may have been ended meanwhile, together with its federation
    if (child_of(up_.pid(), x.node) == pid) ::kill(pid, SIGCONT);
    return true;
  }
  const Schedule& s_;
  const core::ChildProcess& up_;
  std::string name_, file_;
  int done_ = 0;
};

// what is wrong, or empty
std::string fly(std::uint64_t seed, const std::string& folder, std::atomic<int>& strikes) {
  const Schedule s = draw_schedule(seed);
  const std::string own = folder + "/" + std::to_string(seed), recording = own + ".vrec", duration = std::to_string(static_cast<int>(kFlight));
  const std::string name = "nemesis" + std::to_string(::getpid()) + "_" + std::to_string(seed);
  auto up = core::ChildProcess::start({.command = {VOLARY_PROGRAM, "federation", "up", s.scenario, "--nodes", std::to_string(s.nodes), "--duration",
                                                      duration, "--speed", "1", "--quiet", "--hash", "--record", recording, "--name", name},
                                          .output_file = own + ".log"});
  if (!up) return up.error().text();
  strikes += Nemesis(s, *up.value(), name, own + ".status").haunt();
  const std::string of = "seed " + std::to_string(seed) + " (" + s.text() + "): ";
  if (!up.value()->wait(300'000'000'000)) return of + "it does not end";
  const std::string said = read_file(own + ".log"), hash = hash_in(said);
  const Ended whole = run({"run", s.scenario, "--headless", "--no-record", "--quiet", "--hash", "--duration", duration}, own + ".run");
  if (hash.empty() || hash != hash_in(whole.out)) return of + "the federation says " + said + " (" + up.value()->exit_text() + "), one process " + whole.out;
  const Ended verified = run({"replay", recording, "--verify"}, own + ".verify");
  if (verified.code != "exit code 0") return of + "its recording: " + verified.code + ", " + verified.out;
  std::filesystem::remove(recording);
  return {};
}

// NEMESIS_SEED=7 NEMESIS_COUNT=1: one of them again
std::uint64_t number_of(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

TEST(FederationNemesis, DISABLED_NothingCommittedIsLost) {
  if (!cluster::has_broker_program()) GTEST_SKIP() << "mosquitto is not installed: tools/install_broker.sh installs it";
  const std::uint64_t first = number_of("NEMESIS_SEED", 1), count = number_of("NEMESIS_COUNT", 30);
  const core::ScratchFolder folder;
  std::atomic<std::uint64_t> next{first};
  std::atomic<int> strikes = 0;
  std::mutex mutex;
  std::vector<std::string> faults;
  // they wait most of the time: several fly at once
  std::vector<std::thread> pool;
  for (int k = 0; k < 3; ++k)
    pool.emplace_back([&] {
      for (std::uint64_t seed = next++; seed < first + count; seed = next++) {
        const std::string fault = fly(seed, folder.path(), strikes);
        const std::lock_guard lock(mutex);
        if (!fault.empty()) faults.push_back(fault);
      }
    });
  for (std::thread& t : pool) t.join();
  for (const std::string& fault : faults) ADD_FAILURE() << fault;
  std::printf("%llu schedules, %d strikes\n", static_cast<unsigned long long>(count), strikes.load());
  EXPECT_GE(strikes.load(), static_cast<int>(2 * count));
}

}  // namespace
}  // namespace volary
