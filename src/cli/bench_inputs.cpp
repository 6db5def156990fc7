// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/bench_inputs.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <fstream>

#include "cli/paths.hpp"
#include "core/scratch_folder.hpp"
#include "math/functions.hpp"
#include "replay/recorder.hpp"
#include "replay/recording.hpp"
#include "replay/resimulate.hpp"
#include "scenario/load.hpp"
#include "volary/world.hpp"

namespace volary::cli {

namespace {

using Clock = std::chrono::steady_clock;
constexpr int kVehicles = 1000;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

// bytes of this process in memory
double resident() {
  std::ifstream in("/proc/self/statm");
  double total = 0, here = 0;
  in >> total >> here;
  return here * static_cast<double>(sysconf(_SC_PAGESIZE));
}

constexpr const char* kField = R"(
name: bench inputs
duration: {}
flocks:
  - name: field
    {}
    vehicles: {{grid: {{count: {}, spacing: 3, origin: [0, 0, 10]}}}}
    start: hold
    mission: {{hold: {{height: 0}}}}
)";

std::string field_text(const char* what, double duration) { return fmt::format(kField, duration, what, kVehicles); }
core::Result<WorldDef> field(const char* what, double duration) {
  return scenario::load_scenario_text(field_text(what, duration), "bench.yaml", {scenario_paths().assets}, {});
}

// values that differ for every vehicle and tick, of numbers that a float holds
void fill(std::vector<double>& values, std::size_t columns, std::uint64_t tick) {
  values.resize(columns * kVehicles);
  const double t = 0.01 * static_cast<double>(tick);
  for (std::size_t c = 0; c < columns; ++c)
    for (std::size_t i = 0; i < kVehicles; ++i)
      values[c * kVehicles + i] = static_cast<double>(static_cast<float>(c == 2 ? 10 : c == 3 ? 1 : 0) + static_cast<float>(math::sin(t + 0.01 * static_cast<double>(i + c)) * (c < 3 ? 1 : 0)));
}

struct Costs {
  double submit = 0, apply = 0, step = 0;  // s
  double growth = 0;                       // B
};

Costs fly(World& world, Many what, std::size_t columns, std::uint64_t ticks) {
  Costs costs;
  std::vector<double> values;
  const std::vector<VehicleId> ids = world.vehicles("field");
  double after_warm_up = 0;
  for (std::uint64_t k = 0; k < ticks; ++k) {
    fill(values, columns, k);
    const auto begin = Clock::now();
    world.submit({.source = 1, .payload = SetMany{.what = what, .flock = "field", .ids = ids, .values = values}});
    costs.submit += seconds_since(begin);
    const auto stepped = Clock::now();
    world.step(1);
    costs.step += seconds_since(stepped);
    if (k == ticks / 10) after_warm_up = resident();
  }
  costs.growth = resident() - after_warm_up;
  for (const StageTime& s : world.profile())
    if (s.stage == "take inputs") costs.apply = s.seconds;
  return costs;
}

core::Status add_setpoints(Report& report, bool whole) {
  const double seconds = whole ? 3600 : 60;
  const auto def = field("airframe: crazyflie", seconds);
  if (!def) return def.error();
  std::string error;
  const auto world = World::create(def.value(), {.profile = true}, &error);
  if (world == nullptr) return core::Error{.message = error};
  const std::uint64_t ticks = planned_ticks(def.value());
  const Costs c = fly(*world, Many::Position, 4, ticks);
  const double each = 1e9 / (static_cast<double>(ticks) * kVehicles);
  const std::string at = fmt::format("inputs/bulk=position/agents={}/seconds={:.0f}/", kVehicles, seconds);
  const double cost = (c.submit + c.apply) * each;
  report.add(at + "submit+apply", cost, "ns per vehicle and tick", {{"threshold", 20.0}, {"reached", cost <= 20}, {"submit", c.submit * each}, {"apply", c.apply * each}});
  report.add(at + "step", c.step * each, "ns per vehicle and tick, inputs included");
  report.add(at + "growth", c.growth / 1e6, "MB after the first tenth", {{"threshold", 1.0}, {"reached", c.growth <= 1e6}});
  return core::ok();
}

core::Status add_mirrors(Report& report) {
  const auto def = field("mirror: true", 60);
  if (!def) return def.error();
  std::string error;
  const auto world = World::create(def.value(), {.profile = true}, &error);
  if (world == nullptr) return core::Error{.message = error};
  const std::uint64_t ticks = planned_ticks(def.value());
  const Costs c = fly(*world, Many::Pose, 7, ticks);
  const double cost = (c.submit + c.step) * 1e9 / (static_cast<double>(ticks) * kVehicles);
  report.add(fmt::format("inputs/mirrors/bulk=pose/agents={}/seconds=60", kVehicles), cost, "ns per mirror and tick, submit and step", {{"threshold", 50.0}, {"reached", cost <= 50}});
  return core::ok();
}

core::Status add_recording(Report& report) {
  const core::ScratchFolder folder;
  const std::string file = folder.path() + "/bench.yaml", path = folder.path() + "/inputs.volary";
  std::ofstream(file) << field_text("airframe: crazyflie", 60);
  scenario::Bundle bundle;
  const auto def = scenario::load_scenario(file, {scenario_paths().assets}, {}, bundle);
  if (!def) return def.error();
  const std::string at = fmt::format("inputs/recorded/bulk=position/agents={}/seconds=60/", kVehicles);
  const std::uint64_t ticks = planned_ticks(def.value());
  const double each = static_cast<double>(ticks) * kVehicles;
  double plain = 0, recorded = 0;
  replay::RecorderStats stats;
  for (const bool records : {false, true}) {
    std::string error;
    const auto world = World::create(def.value(), {.hash_every_tick = true}, &error);
    if (world == nullptr) return core::Error{.message = error};
    std::unique_ptr<replay::Recorder> recorder;
    if (records) {
      replay::RecorderOptions options;
      options.view = false;
      options.max_bytes = 0;
      auto opened = replay::Recorder::open(path, *world, bundle, options);
      if (!opened) return opened.error();
      recorder = std::move(opened).value();
    }
    std::vector<double> values;
    const auto begin = Clock::now();
    for (std::uint64_t k = 0; k < ticks; ++k) {
      fill(values, 4, k);
      world->submit({.source = 1, .payload = SetMany{.what = Many::Position, .flock = "field", .values = values}});
      world->step(1);
      if (recorder != nullptr) recorder->after_tick(*world);
    }
    (records ? recorded : plain) = seconds_since(begin);
    if (recorder == nullptr) continue;
    if (const core::Status closed = recorder->close(); !closed) return closed;
    stats = recorder->stats();
  }
  report.add(at + "time", (recorded - plain) * 1e9 / each, "ns per vehicle and tick on the simulation's thread", {{"writer", stats.writer_cpu_seconds * 1e9 / each}});
  report.add(at + "size", static_cast<double>(stats.truth_bytes) / each, "B per vehicle and tick of four numbers");
  const auto opened = replay::Recording::open(path);
  if (!opened) return opened.error();
  const auto verified = replay::verify(*opened.value(), {});
  if (!verified) return verified.error();
  const bool exact = !verified.value().difference && verified.value().compared >= ticks;
  report.add(at + "replay", exact ? std::string("exact") : std::string("differs"), "");
  return exact ? core::ok() : core::Status(core::Error{.message = "a recording of bulk setpoints does not replay to the same bits"});
}

}  // namespace

core::Status bench_inputs(Report& report, bool whole) {
  if (const core::Status s = add_setpoints(report, whole); !s) return s;
  if (const core::Status s = add_mirrors(report); !s) return s;
  return add_recording(report);
}

}  // namespace volary::cli
