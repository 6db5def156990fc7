// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "replay/measure.hpp"

#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <limits>

#include "replay/recorder.hpp"

namespace volary::replay {

namespace {

enum class Way { Plain, Hashed, Truth, Both };

double cpu_seconds(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

struct Cost {
  double wall = std::numeric_limits<double>::infinity(), process = wall, thread = wall;
  RecorderStats stats;

  void keep_least(const Cost& other) {
    wall = std::min(wall, other.wall);
    process = std::min(process, other.process);
    thread = std::min(thread, other.thread);
    stats = other.stats;
  }
};

core::Result<Cost> fly(const WorldDef& def, std::uint64_t ticks, Way way, const std::string& path, const Bounds& bounds) {
  RunOptions options;
  options.hash_every_tick = way != Way::Plain;
  std::string error;
  const auto world = World::create(def, options, &error);
  if (world == nullptr) return core::Error{.message = error};
  Cost cost;
  const auto begin = std::chrono::steady_clock::now();
  const double process = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID), thread = cpu_seconds(CLOCK_THREAD_CPUTIME_ID);
  if (way == Way::Truth || way == Way::Both) {
    RecorderOptions o;
    o.view = way == Way::Both;
    o.bounds = bounds;
    o.max_bytes = 0;
    o.max_view_vehicles = std::numeric_limits<std::size_t>::max();
    auto recorder = Recorder::open(path, *world, {}, std::move(o));
    if (!recorder) return recorder.error();
    for (std::uint64_t k = 0; k < ticks; ++k) {
      world->step(1);
      recorder.value()->after_tick(*world);
    }
    const core::Status closed = recorder.value()->close();
    cost.stats = recorder.value()->stats();
    recorder.value().reset();
    std::error_code code;
    std::filesystem::remove(path, code);
    if (!closed) return closed.error();
  } else {
    for (std::uint64_t k = 0; k < ticks; ++k) world->step(1);
  }
  cost.thread = cpu_seconds(CLOCK_THREAD_CPUTIME_ID) - thread;
  cost.process = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID) - process;
  cost.wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return cost;
}

}  // namespace

core::Result<RecorderFigures> measure_recorder(const WorldDef& def, std::uint64_t ticks, const std::string& folder, const Bounds& bounds, int rounds) {
  const std::string path = fmt::format("{}/volary_measure_{}.vrec", folder, ::getpid());
  Cost best[4];
  for (int round = 0; round < rounds; ++round) {
    // one after the other, so that a busy moment of the machine hits all alike
    for (const Way way : {Way::Plain, Way::Hashed, Way::Truth, Way::Both}) {
      const auto cost = fly(def, ticks, way, path, bounds);
      if (!cost) return cost.error();
      best[static_cast<int>(way)].keep_least(cost.value());
    }
  }
  RecorderFigures f;
  for (const FlockDef& flock : def.flocks) f.vehicles += flock.vehicles.size() * static_cast<std::size_t>(def.worlds);
  f.ticks = ticks;
  f.simulated = static_cast<double>(ticks) * static_cast<double>(def.tick_ns) * 1e-9;
  const double n = static_cast<double>(f.vehicles * ticks), agent_seconds = static_cast<double>(f.vehicles) * f.simulated;
  const auto& [plain, hashed, truth, both] = best;
  f.plain_rate = n / plain.wall;
  f.truth_rate = n / truth.wall;
  f.view_rate = n / both.wall;
  f.hash_cost = hashed.process / plain.process - 1;
  f.truth_cost = truth.process / plain.process - 1;
  f.view_cost = both.process / plain.process - 1;
  f.real_time_core = std::max(0.0, both.process - plain.process) / f.simulated;
  f.simulation_thread = std::max(0.0, both.thread - plain.thread) / f.simulated;
  f.bytes_rate = static_cast<double>(both.stats.bytes) / agent_seconds;
  f.view_bytes_rate = static_cast<double>(both.stats.view_bytes) / agent_seconds;
  f.checkpoint_bytes_rate = static_cast<double>(both.stats.checkpoint_bytes) / agent_seconds;
  f.truth_bytes_rate = static_cast<double>(both.stats.truth_bytes) / agent_seconds;
  f.blocked_seconds = both.stats.blocked_seconds;
  return f;
}

}  // namespace volary::replay
