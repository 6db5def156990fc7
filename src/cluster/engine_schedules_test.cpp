// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Seeded schedules of faults for federations of four nodes with random worlds. simulation_test.cpp does the same with a small model, many more of them.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "cluster/federated_world_test_support.hpp"
#include "engine/random_scenario_test_support.hpp"
#include "engine/shared_world_test_support.hpp"

namespace volary::cluster {
namespace {

class Draws {
 public:
  explicit Draws(std::uint64_t seed) : state_(math::mix64(seed)) {}
  std::uint64_t below(std::uint64_t n) { return math::mix64(state_ += 0x9e3779b97f4a7c15u) % n; }
  double real(double most) { return most * static_cast<double>(below(1001)) / 1000; }
  double some(double most) { return below(2) == 0 ? 0 : real(most); }

 private:
  std::uint64_t state_;
};

Payload draw_payload(Draws& d) {
  const Vec where = {d.real(8), d.real(8), 4 + d.real(4)};
  switch (d.below(9)) {
    case 0: return SetMode{d.below(2) == 0 ? Mode::Hold : Mode::Land};
    case 1: return SetWind{{d.real(3), d.real(3), 0}};
    case 2: return SetWrench{.force_W = {d.real(0.05), 0, 0}};
    case 3: return SetState{.position_W = where};
    case 4: return Spawn{"birds", {.position_W = where, .mode = Mode::Hold}};
    case 5: return Remove{};
    case 6: return SetBehaviour{"reynolds", d.real(1)};
    case 7: return SetField{"radio.loss", d.below(2) == 0 ? "0.2" : "0.5"};
    default: return SetSetpoint{.position_W = where};
  }
}

FederatedSchedule draw_schedule(std::uint64_t seed, Tick ticks) {
  Draws d(seed);
  FederatedSchedule s{.nodes = 4, .ticks = ticks};
  const double delay = 0.002 + d.real(0.03);
  s.impairment = {.loss = d.some(0.3), .delay = delay, .jitter = d.some(delay), .duplicate = d.some(0.1), .reorder = d.some(0.2), .seed = seed};
  if (d.below(8) == 0) s.impairment.burst = 0.1, s.impairment.burst_length = 0.1;
  s.kills = static_cast<int>(d.below(7));
  s.carry = d.below(2) == 0 ? 1 : 8;
  if (d.below(2) == 0) s.snapshot_bytes = 5'000 + d.below(60'000);  // few are kept: ticks between them are flown again
  const std::uint64_t inputs = d.below(2) == 0 ? 0 : 1 + d.below(30);
  for (std::uint32_t k = 1; k <= inputs; ++k) {
    // early, just in time, or late
    const Tick when = d.below(ticks), ahead = d.below(d.below(2) == 0 ? 3 : 80);
    Input input{.tick = when + ahead, .source = 7, .seq = k, .payload = draw_payload(d)};
    if (!std::holds_alternative<SetWind>(input.payload) && !std::holds_alternative<Spawn>(input.payload)) input.target = {1 + d.below(12)};
    s.inputs.push_back({when, input});
  }
  return s;
}

struct Total {
  std::uint64_t rollbacks = 0, restarts = 0, inputs = 0, flown_again = 0;
  std::vector<std::string> faults;
};

Total run_many(std::uint64_t first, std::uint64_t schedules, Tick ticks) {
  Total total;
  std::atomic<std::uint64_t> next{first};
  std::mutex mutex;
  const auto work = [&] {
    for (std::uint64_t seed = next++; seed < first + schedules; seed = next++) {
      const WorldDef def = test::RandomScenario(seed).make(1);
      const FederatedSchedule s = draw_schedule(seed, ticks);
      FederatedWorld federation(def, test::cut_at_random(def, s.nodes, seed), s);
      const std::string fault = federation.run();
      const std::lock_guard lock(mutex);
      if (!fault.empty()) total.faults.push_back("seed " + std::to_string(seed) + ": " + fault);
      total.rollbacks += federation.rollbacks(), total.restarts += federation.restarts(), total.inputs += s.inputs.size();
      total.flown_again += federation.flown_again();
    }
  };
  std::thread other(work);
  work();
  other.join();
  return total;
}

void expect_good(const Total& t, std::uint64_t schedules) {
  EXPECT_TRUE(t.faults.empty()) << t.faults.size() << " schedules failed, such as " << t.faults.front();
  // a test of faults that do not happen is none
  EXPECT_GT(t.rollbacks, schedules / 2);
  EXPECT_GT(t.restarts, schedules);
  EXPECT_GT(t.inputs, schedules);
  EXPECT_GT(t.flown_again, 0u);
}

TEST(engine_schedules, commit_what_one_process_computes) { expect_good(run_many(1, 12, 150), 12); }

// SIMULATION_SEED=7 SIMULATION_COUNT=1: one of them again
TEST(long_engine_schedules, DISABLED_commit_what_one_process_computes) {
  const char *first = std::getenv("SIMULATION_SEED"), *count = std::getenv("SIMULATION_COUNT");
  const std::uint64_t schedules = count != nullptr ? std::strtoull(count, nullptr, 10) : 100;
  const auto began = std::chrono::steady_clock::now();
  const Total t = run_many(first != nullptr ? std::strtoull(first, nullptr, 10) : 1, schedules, 2000);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  std::printf("%llu schedules in %.1f s: %llu rollbacks, %llu restarts, %llu inputs, %llu ticks flown again\n", static_cast<unsigned long long>(schedules),
              seconds, static_cast<unsigned long long>(t.rollbacks), static_cast<unsigned long long>(t.restarts), static_cast<unsigned long long>(t.inputs),
              static_cast<unsigned long long>(t.flown_again));
  for (const std::string& fault : t.faults) std::printf("%s\n", fault.c_str());
  if (schedules > 10)
    expect_good(t, schedules);
  else
    EXPECT_TRUE(t.faults.empty());
}

}  // namespace
}  // namespace volary::cluster
