// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/bench_swarm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>

#include "cli/paths.hpp"
#include "cli/yardstick.hpp"
#include "engine/near_pairs.hpp"
#include "environment/terrain.hpp"
#include "math/functions.hpp"
#include "math/hash.hpp"
#include "scenario/load.hpp"
#include "volary/world.hpp"

namespace volary::cli {

namespace {

using Clock = std::chrono::steady_clock;
constexpr int kThreads = 2;

double seconds_of(const std::function<void()>& work) {
  const auto begin = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - begin).count();
}
double uniform(std::uint64_t n) { return static_cast<double>(math::mix64(n) >> 11) * 0x1p-53; }

// A field of quadrotors 5 m apart: about ten are in range of each radio and of each eye. Everybody tells its state ten times a second, in slots
// chosen by chance, decides ten times a second and looks ten times a second.
constexpr const char* kField = R"(
name: bench
duration: 60
environment: {{wind: [1, 0, 0], gust_sigma: 0.3, gust_time_constant: 2}}
radio: {{model: log_distance, exponent: 3, access: slotted_aloha, slot: 1e-3, probability: 0.1}}
flocks:
  - name: field
    airframe: nuswarm
    vehicles: {{grid: {{count: {}, spacing: 5, origin: [0, 0, 20]}}}}
    start: hold
    mission: {{hold: {{height: 0}}}}
    node: {{state_rate: 10, decision_rate: 10, memory: 12, radio_power: -16.4, detection: {{range: 9, rate: 10}}, contact: {{policy: crash, radius: 0.2}}}}
    behaviours:
      - reynolds: {{range: 9, spacing: 4, velocity: [2, 0, 0], speed: 3}}
      - avoid: {{range: 9}}
)";

core::Status add_step(Report& report, int agents, double threshold) {
  const std::string text = bench_swarm_field(agents);
  const auto def = scenario::load_scenario_text(text, "bench.yaml", {scenario_paths().assets}, {});
  if (!def) return def.error();
  std::string error;
  const int ticks = agents > 100'000 ? 20 : agents > 10'000 ? 100 : 500;
  const auto world = World::create(def.value(), {.threads = kThreads}, &error);
  if (world == nullptr) return core::Error{.message = error};
  world->step(static_cast<std::uint64_t>(ticks < 100 ? 20 : 100));
  const RadioReport before = world->radio();
  double best = 1e300;
  for (int round = 0; round < 3; ++round) best = std::min(best, seconds_of([&] { world->step(static_cast<std::uint64_t>(ticks)); }) / ticks);
  const RadioReport after = world->radio();
  const double delivered = static_cast<double>(after.outcomes[0].second - before.outcomes[0].second) / (3.0 * ticks);
  std::vector<std::pair<std::string, Value>> extra = {{"delivered_per_tick", delivered}, {"ns_per_agent", 1e9 * best / agents}};
  if (threshold > 0) extra.insert(extra.end(), {{"threshold", threshold}, {"reached", 1e3 * best <= threshold}});
  const std::string at = fmt::format("swarm/step/agents={}/threads={}/tick=10ms/substeps=4/control=position/neighbours=10", agents, kThreads);
  report.add(at, 1e3 * best, "ms per tick", std::move(extra));

  const auto profiled = World::create(def.value(), {.threads = kThreads, .profile = true}, &error);
  profiled->step(static_cast<std::uint64_t>(ticks));
  for (const StageTime& s : profiled->profile())
    if (s.seconds * 1e6 / ticks > 0.5) report.add(at + "/" + s.stage, 1e3 * s.seconds / ticks, "ms per tick");
  return core::ok();
}

// everybody has 2 to 8 neighbours within the radius
void add_neighbours(Report& report, std::size_t agents, double threshold) {
  const double side = std::cbrt(static_cast<double>(agents) * 4.18879 / 5);  // of a cube in which a ball of radius 1 holds five
  std::vector<Vec> places(agents);
  for (std::size_t k = 0; k < agents; ++k) places[k] = {side * uniform(3 * k), side * uniform(3 * k + 1), side * uniform(3 * k + 2)};
  const std::vector<std::uint32_t> worlds(agents, 0);
  engine::Pool pool(kThreads);
  engine::NearPairs near;
  std::size_t pairs = near.find(places, worlds, 1, pool).size();
  double best = 1e300;
  for (int round = 0; round < 5; ++round) best = std::min(best, seconds_of([&] { pairs = near.find(places, worlds, 1, pool).size(); }));
  std::vector<std::pair<std::string, Value>> extra = {{"pairs", static_cast<std::int64_t>(pairs)}};
  if (threshold > 0) extra.insert(extra.end(), {{"threshold", threshold}, {"reached", 1e3 * best <= threshold}});
  report.add(fmt::format("swarm/neighbours/agents={}/threads={}", agents, kThreads), 1e3 * best, "ms", std::move(extra));
}

void add_terrain(Report& report) {
  constexpr std::size_t kNodes = 1024;
  terrain::Heights h{kNodes, kNodes, 0, 0, 1, 1, std::vector<float>(kNodes * kNodes)};
  for (std::size_t r = 0; r < kNodes; ++r)
    for (std::size_t c = 0; c < kNodes; ++c)
      h.up[r * kNodes + c] =
          static_cast<float>(20 * math::sin(0.02 * static_cast<double>(c)) * math::cos(0.03 * static_cast<double>(r)) + 2 * uniform(r * kNodes + c));
  const terrain::Terrain ground(std::move(h));
  constexpr std::size_t kAsked = 4096;
  std::vector<terrain::Point> from(kAsked), to(kAsked);
  for (std::size_t k = 0; k < kAsked; ++k) {
    const double x = 100 + 800 * uniform(7 * k), y = 100 + 800 * uniform(7 * k + 1), way = 6.283185307179586 * uniform(7 * k + 2);
    // over 64 cells on average: a line of length L crosses 4 L / pi of them
    const double far = 64 * 3.141592653589793 / 4;
    from[k] = {x, y, ground.height(x, y) + 12};
    const double x2 = x + far * math::cos(way), y2 = y + far * math::sin(way);
    to[k] = {x2, y2, ground.height(x2, y2) + 12};
  }
  double sum = 0, heights = 0, sights = 0;
  for (int round = 0; round < 5; ++round) {
    const double t = seconds_of([&] {
      for (int again = 0; again < 500; ++again)
        for (const terrain::Point& p : from) sum += ground.height(p[0], p[1]);
    });
    heights = std::max(heights, 500 * kAsked / t);
    const double s = seconds_of([&] {
      for (int again = 0; again < 50; ++again)
        for (std::size_t k = 0; k < kAsked; ++k) sum += ground.sees(from[k], to[k]) ? 1 : 0;
    });
    sights = std::max(sights, 50 * kAsked / s);
  }
  report.add("swarm/terrain/height/threads=1", heights, "1/s", {{"threshold", 50e6}, {"reached", heights >= 50e6}, {"check", sum}});
  report.add("swarm/terrain/sight/cells=64/threads=1", sights, "1/s", {{"threshold", 4e6}, {"reached", sights >= 4e6}});
}

}  // namespace

std::string bench_swarm_field(int agents) { return fmt::format(kField, agents); }

core::Status bench_swarm(Report& report) {
  Yardstick yardstick;
  if (const std::string error = run_yardstick(true, yardstick); !error.empty()) return core::Error{.message = error};
  for (const auto& [agents, threshold] : {std::pair{1'000, 0.3}, {10'000, 3.0}, {100'000, 0.0}, {1'000'000, 0.0}})
    if (const core::Status s = add_step(report, agents, threshold); !s) return s;
  for (const auto& [agents, threshold] : {std::pair{std::size_t{1'000}, 0.0}, {10'000, 0.0}, {100'000, 0.0}, {1'000'000, 100.0}}) add_neighbours(report, agents, threshold);
  add_terrain(report);
  if (const std::string error = run_yardstick(true, yardstick); !error.empty()) return core::Error{.message = error};
  for (const auto& [name, value] : yardstick) report.add("swarm/yardstick/" + name, value, "1/s");
  return core::ok();
}

}  // namespace volary::cli
