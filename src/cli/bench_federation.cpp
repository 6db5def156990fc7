// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/bench_federation.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>

#include <fmt/format.h>

#include "cli/paths.hpp"
#include "cli/yardstick.hpp"
#include "cluster/alignment_load.hpp"
#include "cluster/mode_table.hpp"
#include "scenario/load.hpp"
#include "volary/world.hpp"

namespace volary::cli {

namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

constexpr int kRounds = 5;
constexpr double kMostPerMessage = 30, kMostPerFrame = 30;  // ns, us at 1,000 nodes
constexpr double kMostRollback = 5;                         // ms
// s: per-node age, aligned age, its 95th percentile; frames per second
constexpr double kMostNodeAge = 0.036, kMostAligned = 0.046, kMostAligned95 = 0.058, kLeastFrames = 29.5;

void bench_alignment(Report& report) {
  for (const std::size_t nodes : {1'000, 10'000, 100'000}) {
    const cluster::Tick ticks = 2'000'000 / nodes;
    double best = 1e9;
    cluster::AlignmentLoad load(nodes, ticks);
    for (int k = 0; k < kRounds; ++k) {
      cluster::AlignmentLoad fresh = load;
      const auto begin = Clock::now();
      fresh.run();
      best = std::min(best, seconds_since(begin));
    }
    const double each = 1e9 * best / static_cast<double>(load.messages()), frame = 1e6 * best / static_cast<double>(ticks);
    const std::string at = fmt::format("federation/alignment/nodes={}", nodes);
    const auto add = [&](const char* what, double value, const char* unit, double most) {
      std::vector<std::pair<std::string, Value>> extra;
      if (nodes == 1'000) extra = {{"threshold", most}, {"reached", value <= most}};
      report.add(at + what, value, unit, std::move(extra));
    };
    add("/message", each, "ns", kMostPerMessage);
    add("/frame", frame, "us", kMostPerFrame);
  }
}

// all modes with ten nodes at 100 Hz, 30 % of messages lost, 30 +- 10 ms, in virtual time
void bench_modes(Report& report) {
  for (const cluster::ModeRow& row : cluster::compare_modes({})) {
    const std::string at = fmt::format("federation/age/legs={}/mode={}", row.both_legs ? "both" : "state", row.mode);
    // the mode that the thresholds are for: eight frames in a message, every message twice, a common clock
    const bool is_judged = row.both_legs && std::strcmp(row.mode, "bides, dup 2, clock") == 0;
    const auto add = [&](const char* what, double value, const char* unit, double threshold, bool is_reached, const char* note, double floor) {
      std::vector<std::pair<std::string, Value>> extra = {{note, floor}};
      if (is_judged && threshold > 0) extra.insert(extra.end(), {{"threshold", threshold}, {"reached", is_reached}});
      report.add(at + what, value, unit, std::move(extra));
    };
    add("/node", 1e3 * row.node.mean, "ms", 1e3 * kMostNodeAge, row.node.mean <= kMostNodeAge, "floor_ms", 1e3 * row.floor);
    if (row.has_aligned) {
      add("/aligned", 1e3 * row.aligned.mean, "ms", 1e3 * kMostAligned, row.aligned.mean <= kMostAligned, "floor_ms", 1e3 * row.floor);
      add("/aligned/p95", 1e3 * row.aligned.p95, "ms", 1e3 * kMostAligned95, row.aligned.p95 <= kMostAligned95, "floor_ms", 1e3 * row.floor);
    }
    add("/frames", row.frames_per_second, "1/s", kLeastFrames, row.frames_per_second >= kLeastFrames, "completeness", row.completeness);
    add("/skew", 1e3 * row.skew, "ms", 0, true, "completeness", row.completeness);
  }
}

constexpr const char* kNode = R"(
name: bench federation
duration: 60
radio: {model: disc, range: 50}
flocks:
  - name: node
    airframe: x500
    vehicles: {grid: {count: 20, spacing: 5, origin: [0, 0, 20]}}
    start: hold
    mission: {hold: {height: 0}}
    node: {state_rate: 10}
    behaviours: [{reynolds: {}}]
)";

// a node of 20 vehicles that goes back by 50 ticks
core::Status bench_rollback(Report& report) {
  const auto def = scenario::load_scenario_text(kNode, "bench.yaml", {scenario_paths().assets}, {});
  if (!def) return def.error();
  std::string error;
  auto world = World::create(def.value(), {}, &error);
  if (world == nullptr || !world->share({.member = 0, .members = 1, .parts = {{"node", 1, 0}}}, &error)) return core::Error{.message = error};
  std::vector<std::byte> frame;
  const auto fly = [&](int ticks) {
    for (int k = 0; k < ticks && error.empty(); ++k) {
      world->advance(frame);
      const std::span<const std::byte> own = frame;
      world->settle({&own, 1}, &error);
    }
  };
  fly(200);
  double best = 1e9;
  for (int k = 0; k < 4 * kRounds && error.empty(); ++k) {
    const auto start = world->snapshot();
    fly(50);
    const auto begin = Clock::now();
    world->restore(*start, &error);
    fly(50);
    best = std::min(best, seconds_since(begin));
  }
  if (!error.empty()) return core::Error{.message = error};
  report.add("federation/rollback/vehicles=20/ticks=50", 1e3 * best, "ms", {{"threshold", kMostRollback}, {"reached", 1e3 * best <= kMostRollback}});
  return core::ok();
}

}  // namespace

core::Status bench_federation(Report& report) {
  Yardstick yardstick;
  if (const std::string error = run_yardstick(true, yardstick); !error.empty()) return core::Error{.message = error};
  bench_alignment(report);
  if (const core::Status done = bench_rollback(report); !done) return done;
  bench_modes(report);
  for (const auto& [name, value] : yardstick) report.add("federation/yardstick/" + name, value, "1/s");
  return core::ok();
}

}  // namespace volary::cli
