// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/bench_platforms.hpp"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "benchmarks/probes.hpp"
#include "cli/paths.hpp"
#include "cli/yardstick.hpp"
#include "volary/scenario.hpp"
#include "volary/world.hpp"

namespace volary::cli {

namespace {

constexpr double kRunSeconds = 0.3;
constexpr int kRuns = 5, kSubsteps = 4, kJoinedSubsteps = 5;
constexpr std::int64_t kTick = 5'000'000;  // ns: the outer loop of the paper
constexpr std::int64_t kAgents = 10'000, kRealTime = 200;
constexpr double kJoinedLeast = 150'000;  // substeps of 1 ms per second and core

// platforms that hold where they are, controlled from their pose down
WorldDef holding(const Airframe& airframe, std::int64_t count) {
  WorldDef def;
  def.name = "bench";
  def.substeps = kSubsteps;
  def.tick_ns = kTick;
  FlockDef f;
  f.name = "platforms";
  f.airframe = airframe;
  for (std::int64_t k = 0; k < count; ++k) {
    VehicleDef v;
    v.position_W = {20.0 * static_cast<double>(k % 100), 20.0 * static_cast<double>(k / 100), 100};
    v.centre_W = v.position_W;
    v.yaw = 0.006 * static_cast<double>(k);
    v.mode = Mode::Hold;
    f.vehicles.push_back(std::move(v));
  }
  def.flocks.push_back(std::move(f));
  return def;
}

// s of a tick, of the best run; of CPU time for one thread, else of the wall
core::Result<double> seconds_per_tick(const WorldDef& def, int lanes, int threads) {
  std::string error;
  const auto world = World::create(def, {.threads = threads, .lanes = lanes}, &error);
  if (world == nullptr) return core::Error{.message = error};
  const auto now = [&] { return threads == 1 ? benchmarks::thread_cpu_seconds() : benchmarks::wall_seconds(); };
  world->step(50);
  double best = 1e300;
  for (int run = 0; run < kRuns; ++run) {
    const double begin = now();
    double spent = 0;
    int ticks = 0;
    for (; spent < kRunSeconds; spent = now() - begin) world->step(4), ticks += 4;
    best = std::min(best, spent / ticks);
  }
  return best;
}

// platforms whose bodies MuJoCo moves, in substeps of 1 ms
core::Status add_joined(Report& report, const char* name, const Airframe& airframe) {
  WorldDef def = holding(airframe, kRealTime);
  def.flocks[0].joined = true;
  def.substeps = kJoinedSubsteps;
  const auto alone = seconds_per_tick(def, 0, 1);
  if (!alone) return alone.error();
  const double steps = static_cast<double>(kRealTime) * kJoinedSubsteps / alone.value();
  report.add(fmt::format("platforms/{}/form=mujoco/control=pose/integrator=euler/agents={}/threads=1/fused={}", name, kRealTime, kJoinedSubsteps), steps, "agent-steps/s",
             {{"threshold", kJoinedLeast}, {"reached", steps >= kJoinedLeast}});
  const auto two = seconds_per_tick(def, 0, 2);
  if (!two) return two.error();
  report.add(fmt::format("platforms/{}/form=mujoco/control=pose/integrator=euler/agents={}/threads=2/real_time_factor", name, kRealTime), kTick * 1e-9 / two.value(),
             "x real time", {{"threshold", 1.0}, {"reached", two.value() <= kTick * 1e-9}});
  return core::ok();
}

}  // namespace

core::Status bench_platforms(Report& report) {
  Yardstick yardstick;
  if (const std::string problem = run_yardstick(true, yardstick); !problem.empty()) return core::Error{.message = problem};
  for (const char* name : {"two_line", "three_star"}) {
    const Loaded<Airframe> airframe = load_airframe(name, scenario_paths());
    if (!airframe) return core::Error{.message = airframe.error};
    for (const int lanes : available_lanes()) {
      if (lanes < 8) continue;
      const auto tick = seconds_per_tick(holding(*airframe.value, kAgents), lanes, 1);
      if (!tick) return tick.error();
      const double steps = static_cast<double>(kAgents) * kSubsteps / tick.value();
      Row& row = report.add(fmt::format("platforms/{}/form=pure/control=pose/lanes={}/agents={}/threads=1/fused={}", name, lanes, kAgents, kSubsteps), steps,
                            "agent-steps/s");
      const auto limit = yardstick.find(fmt::format("limit/lanes={}/agents={}/threads=1/fused=1", lanes, kAgents));
      if (limit != yardstick.end()) row.extra.push_back({"ratio_to_yardstick", steps / limit->second});
    }
    const auto real = seconds_per_tick(holding(*airframe.value, kRealTime), 0, 2);
    if (!real) return real.error();
    report.add(fmt::format("platforms/{}/form=pure/control=pose/agents={}/threads=2/real_time_factor", name, kRealTime), kTick * 1e-9 / real.value(),
               "x real time", {{"threshold", 1.0}, {"reached", real.value() <= kTick * 1e-9}});
    if (const core::Status joined = add_joined(report, name, *airframe.value); !joined) return joined;
  }
  for (const auto& [name, value] : yardstick)
    if (name.starts_with("limit/") && name.ends_with("agents=10000/threads=1/fused=1")) report.add("platforms/yardstick/" + name, value, "agent-steps/s");
  return core::ok();
}

}  // namespace volary::cli
