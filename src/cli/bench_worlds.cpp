// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/bench_worlds.hpp"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "benchmarks/probes.hpp"
#include "cli/paths.hpp"
#include "math/hash.hpp"
#include "vehicles/multirotor_def.hpp"
#include "volary/learning.hpp"
#include "volary/scenario.hpp"
#include "volary/world.hpp"

namespace volary::cli {

namespace {

constexpr int kWorlds = 4096;
constexpr int kRounds = 9;  // the best of them

double cpu_seconds_of(const std::function<void()>& work) {
  const double begin = benchmarks::thread_cpu_seconds();
  work();
  return benchmarks::thread_cpu_seconds() - begin;
}

WorldDef make_def(const Airframe& airframe, int worlds, int agents, bool full) {
  WorldDef def;
  def.name = "bench";
  def.worlds = worlds;
  def.environment.wind_W = {1, 0, 0};
  FlockDef f;
  f.name = "bench";
  f.airframe = airframe;
  f.full_physics = full;
  f.controller.level = ControlLevel::Position;
  for (int k = 0; k < agents; ++k) {
    VehicleDef v;
    v.position_W = {2.0 * (k % 64), 2.0 * (k / 64), 10};
    v.mode = Mode::Armed;
    f.vehicles.push_back(v);
  }
  def.flocks.push_back(std::move(f));
  return def;
}

// airframes with other masses and inertias
std::vector<Airframe> variants_of(const Airframe& airframe, int n) {
  std::vector<Airframe> list;
  for (int k = 0; k < n; ++k) {
    auto def = std::make_shared<airframe::MultirotorDef>(*static_cast<const airframe::MultirotorDef*>(airframe.definition.get()));
    const double share = 0.8 + 0.4 * k / n;
    def->mass *= share;
    for (double& x : def->inertia) x *= share;
    list.push_back({airframe.model, airframe.name, def});
  }
  return list;
}

// one world in `rarely`, others each time
std::vector<std::uint8_t> mask_of(std::uint64_t round, std::uint64_t rarely) {
  std::vector<std::uint8_t> mask(kWorlds);
  for (std::uint64_t k = 0; k < kWorlds; ++k) mask[k] = math::mix64(round * kWorlds + k) % rarely == 0 ? 1 : 0;
  return mask;
}

core::Status add_reset(Report& report, const WorldDef& def, std::uint64_t rarely, double threshold, const std::string& more = "") {
  std::string error;
  const auto world = World::create(def, {}, &error);
  if (world == nullptr) return core::Error{.message = error};
  const std::size_t agents = def.flocks[0].vehicles.size();
  world->step(2);
  world->reset(mask_of(0, rarely));  // the first one makes a world
  double best = 1e300;
  for (std::uint64_t round = 1; round <= kRounds; ++round) {
    constexpr std::uint64_t kTimes = 20;
    double spent = 0;
    std::size_t reset = 0;
    for (std::uint64_t k = 0; k < kTimes; ++k) {
      const std::vector<std::uint8_t> mask = mask_of(round * kTimes + k, rarely);
      reset += static_cast<std::size_t>(std::count(mask.begin(), mask.end(), 1)) * agents;
      world->step(1);
      spent += cpu_seconds_of([&] { world->reset(mask); });
    }
    best = std::min(best, 1e9 * spent / static_cast<double>(reset));
  }
  std::vector<std::pair<std::string, Value>> extra;
  if (threshold > 0) extra = {{"threshold", threshold}, {"reached", best <= threshold}};
  report.add(fmt::format("state/reset/worlds={}/agents={}/one_in={}{}", kWorlds, agents, rarely, more), best, "ns per agent", std::move(extra));
  return core::ok();
}

// agent-ticks per second of CPU time
double rate_of(World& world, double agents, const std::function<void(std::uint64_t)>& before) {
  constexpr std::uint64_t kTicks = 50;
  std::uint64_t tick = 0;
  const auto fly = [&] {
    for (std::uint64_t k = 0; k < kTicks; ++k) before(tick++), world.step(1);
  };
  fly();
  double best = 1e300;
  for (int round = 0; round < kRounds; ++round) best = std::min(best, cpu_seconds_of(fly));
  return agents * kTicks / best;
}

core::Status add_agents(Report& report, const Airframe& airframe, bool full) {
  std::string error;
  const auto flock = World::create(make_def(airframe, 1, kWorlds, full), {}, &error);
  if (flock == nullptr) return core::Error{.message = error};
  const double alone = rate_of(*flock, kWorlds, [](std::uint64_t) {});
  const std::string at = fmt::format("state/agents/features={}/control=position/substeps=4", full ? "full" : "basic");
  report.add(at + fmt::format("/worlds=1/agents={}", kWorlds), alone, "agent-ticks/s");
  for (const std::uint64_t rarely : {std::uint64_t{0}, std::uint64_t{300}}) {
    const auto world = World::create(make_def(airframe, kWorlds, 1, full), {}, &error);
    if (world == nullptr || !world->use_arrays({"bench", {"to_setpoint", "velocity", "attitude", "angular_velocity"}, ControlLevel::Position}, &error))
      return core::Error{.message = error};
    const AgentArrays arrays = world->arrays("bench");
    const double rate = rate_of(*world, kWorlds, [&](std::uint64_t tick) {
      if (rarely > 0) world->reset(mask_of(tick, rarely));
      // what a policy would write
      for (std::size_t k = 0; k < arrays.worlds; ++k) {
        float* action = arrays.actions.data() + k * arrays.action_size;
        const float* seen = arrays.observations.data() + k * arrays.observation_size;
        action[0] = 0.1f * seen[3], action[1] = 0.1f * seen[4], action[2] = 10, action[3] = 0;
      }
    });
    std::vector<std::pair<std::string, Value>> extra = {{"ratio", rate / alone}};
    if (rarely == 0) extra.insert(extra.end(), {{"threshold", 0.7}, {"reached", rate / alone >= 0.7}});
    report.add(at + fmt::format("/worlds={}/agents=1/arrays=1{}", kWorlds, rarely > 0 ? "/one_in=300" : ""), rate, "agent-ticks/s", std::move(extra));
  }
  return core::ok();
}

// hover: 18 numbers are observed, four terms are rewarded, episodes end by distance, tilt or after 300 steps
LearningDef hover_task(ControlLevel level) {
  LearningDef t;
  t.action.level = level;
  if (level == ControlLevel::Position) t.action.low = {-1, -1, 9, 0}, t.action.high = {1, 1, 11, 0};
  t.observations = {"to_goal", "rotation", "velocity", "angular_velocity"};
  t.goal.points = {{0, 0, 10}};
  t.goal.low = {-0.5, -0.5, -0.5}, t.goal.high = {0.5, 0.5, 0.5};
  t.rewards = {{"goal_closeness", 1, 0.5}, {"spin", -0.01}, {"effort", -0.01}, {"action_change", -0.01}};
  t.ends = {{"too_far", 3, -1}, {"tilted", 1.2, -1}, {"diverged"}};
  t.time_limit = 3;
  return t;
}

// steps of agents per second of CPU time, with everything: actions, flight, observations, rewards, ends, resets
core::Status add_episodes(Report& report, const Airframe& airframe, ControlLevel level, bool full, double threshold) {
  constexpr int kMany = 10'000, kVariants = 32;
  WorldDef def = make_def(airframe, kMany, 1, full);
  def.flocks[0].controller.level = level;
  def.flocks[0].variants = variants_of(airframe, kVariants);
  std::string error;
  std::shared_ptr<World> world = World::create(def, {}, &error);
  const auto episodes = world == nullptr ? nullptr : Episodes::create(world, hover_task(level), Autoreset::NextStep, &error);
  if (episodes == nullptr) return core::Error{.message = error};
  // small random actions about hover, other ones in each world and for ten steps
  const std::span<float> actions = episodes->actions();
  std::uint64_t step = 0;
  const double hover = level == ControlLevel::Rates ? 0.5 : 0;
  std::uint64_t ended = 0;
  const auto fly = [&](std::uint64_t steps) {
    double spent = 0;
    for (std::uint64_t k = 0; k < steps; ++k, ++step) {
      if (step % 10 == 0)
        for (std::size_t i = 0; i < actions.size(); ++i) {
          const double x = static_cast<double>(math::mix64(step * actions.size() + i) >> 40) / (1 << 24) - 0.5;
          actions[i] = static_cast<float>(i % 4 == 0 ? hover * 0.1 + 0.2 * x : 0.05 * x);
        }
      spent += cpu_seconds_of([&] { episodes->step(); });
      for (const std::uint8_t f : episodes->finished()) ended += f;
    }
    return spent;
  };
  fly(400);  // worlds end at different times from now on
  ended = 0;
  constexpr std::uint64_t kSteps = 40;
  double best = 1e300;
  for (int round = 0; round < kRounds; ++round) best = std::min(best, fly(kSteps));
  const double rate = kMany * static_cast<double>(kSteps) / best;
  std::vector<std::pair<std::string, Value>> extra = {
      {"steps_per_episode", static_cast<double>(kMany) * kSteps * kRounds / static_cast<double>(std::max<std::uint64_t>(ended, 1))}};
  if (threshold > 0) extra.insert(extra.end(), {{"threshold", threshold}, {"reached", rate >= threshold}});
  report.add(fmt::format("state/episodes/features={}/control={}/substeps=4/worlds={}/variants={}", full ? "full" : "basic",
                         level == ControlLevel::Rates ? "rates" : "position", kMany, kVariants),
             rate, "agent-steps/s", std::move(extra));
  return core::ok();
}

}  // namespace

core::Status bench_worlds(Report& report) {
  const Loaded<Airframe> airframe = load_airframe("crazyflie", scenario_paths());
  if (!airframe) return core::Error{.message = airframe.error};
  const WorldDef sixteen = make_def(*airframe.value, kWorlds, 16, true);
  for (const std::uint64_t rarely : {1, 16, 256})
    if (const core::Status s = add_reset(report, sixteen, rarely, 150); !s) return s;
  for (const std::uint64_t rarely : {1, 256})
    if (const core::Status s = add_reset(report, make_def(*airframe.value, kWorlds, 1, true), rarely, 0); !s) return s;
  WorldDef varied = sixteen;
  varied.flocks[0].variants = variants_of(*airframe.value, 256);
  if (const core::Status s = add_reset(report, varied, 16, 0, "/variants=256"); !s) return s;
  // every quantity of the starts and the winds
  for (const int agents : {16, 1}) {
    WorldDef drawn = make_def(*airframe.value, kWorlds, agents, true);
    drawn.flocks[0].spread = {.position_W = {1, 1, 1}, .velocity_W = {1, 1, 1}, .yaw = 3, .tilt = 0.5, .rate_B = {1, 1, 1}};
    drawn.environment.wind_spread_W = {2, 2, 0};
    for (const std::uint64_t rarely : {1, 16})
      if (const core::Status s = add_reset(report, drawn, rarely, 0, "/drawn=all"); !s) return s;
  }
  for (const bool full : {true, false})
    if (const core::Status s = add_agents(report, *airframe.value, full); !s) return s;
  for (const bool full : {true, false}) {
    if (const core::Status s = add_episodes(report, *airframe.value, ControlLevel::Rates, full, full ? 8e6 : 0); !s) return s;
    if (const core::Status s = add_episodes(report, *airframe.value, ControlLevel::Position, full, full ? 6e6 : 0); !s) return s;
  }
  return core::ok();
}

}  // namespace volary::cli
