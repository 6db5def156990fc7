// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/bench_aircraft.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "benchmarks/probes.hpp"
#include "cli/paths.hpp"
#include "cli/yardstick.hpp"
#include "environment/terrain.hpp"
#include "math/functions.hpp"
#include "math/table_blob.hpp"
#include "scenario/load.hpp"
#include "vehicles/aircraft_def.hpp"
#include "volary/scenario.hpp"
#include "volary/world.hpp"

namespace volary::cli {

namespace {

constexpr double kRunSeconds = 0.15;
constexpr int kRuns = 7;
constexpr std::int64_t kAgents = 10'000;

struct Speed {
  double steps = 0;    // agent-steps per second of CPU time
  double seconds = 0;  // CPU time of a tick, the best run
};

core::Result<Speed> speed_of(const WorldDef& def, int lanes, int threads) {
  std::string error;
  const auto world = World::create(def, {.threads = threads, .lanes = lanes}, &error);
  if (world == nullptr) return core::Error{.message = error};
  world->step(50);
  const auto start = world->snapshot();
  const double n = static_cast<double>(world->n_vehicles());
  Speed best{0, 1e300};
  for (int run = 0; run < kRuns; ++run) {
    const double begin = benchmarks::thread_cpu_seconds();
    double spent = 0;
    int ticks = 0;
    for (; spent < kRunSeconds; spent = benchmarks::thread_cpu_seconds() - begin) world->step(4), ticks += 4;
    best.seconds = std::min(best.seconds, spent / ticks);
    world->restore(*start);
  }
  if (static_cast<double>(world->n_vehicles()) != n) return core::Error{.message = def.name + ": a vehicle diverged"};
  best.steps = n * def.substeps / best.seconds;
  return best;
}

// a field of vehicles that hold where they are: wings on circles, quadrotors at a point; every one controlled from its position down
FlockDef flock_of(const char* name, const Airframe& airframe, std::int64_t count, double height) {
  FlockDef f;
  f.name = name;
  f.airframe = airframe;
  f.controller.level = ControlLevel::Position;
  for (std::int64_t k = 0; k < count; ++k) {
    VehicleDef v;
    v.position_W = {20.0 * static_cast<double>(k % 100), 20.0 * static_cast<double>(k / 100), height};
    v.centre_W = v.position_W;
    v.yaw = 0.006 * static_cast<double>(k);
    v.mode = Mode::Armed;
    f.vehicles.push_back(std::move(v));
  }
  return f;
}
WorldDef world_of(std::vector<FlockDef> flocks, int substeps) {
  WorldDef def;
  def.name = "bench";
  def.substeps = substeps;
  def.tick_ns = 2'500'000 * static_cast<std::int64_t>(substeps);
  def.flocks = std::move(flocks);
  return def;
}

// the same aircraft with its static coefficients in six tables over alpha and beta, 49 x 25
core::Result<Airframe> tabulated(const Airframe& airframe) {
  auto def = std::make_shared<airframe::AircraftDef>(*static_cast<const airframe::AircraftDef*>(airframe.definition.get()));
  math::TableGrid grid;
  grid.values_per_node = 6;
  grid.axes.resize(2);
  for (int i = 0; i < 49; ++i) grid.axes[0].push_back(0.02 * (i - 24));
  for (int i = 0; i < 25; ++i) grid.axes[1].push_back(0.03 * (i - 12));
  for (const double alpha : grid.axes[0])
    for (const double beta : grid.axes[1]) {
      const double lift = def->lift.zero + def->lift.alpha * alpha;
      for (const double c : {lift, def->drag.zero + def->drag.induced * lift * lift, def->side.beta * beta, def->roll.beta * beta,
                             def->pitch.zero + def->pitch.alpha * alpha, def->yaw.beta * beta})
        grid.values.push_back(c);
    }
  auto blob = math::make_table_blob(grid);
  if (!blob) return blob.error();
  def->table = "bench", def->table_beta = true;
  def->table_blob = std::move(blob).value();
  Airframe out = airframe;
  out.definition = std::move(def);
  return out;
}

// hills of 30 m under all of the field
std::shared_ptr<const terrain::Terrain> hills() {
  constexpr std::size_t kNodes = 512;
  terrain::Heights h{kNodes, kNodes, -500, -500, 6, 6, std::vector<float>(kNodes * kNodes)};
  for (std::size_t r = 0; r < kNodes; ++r)
    for (std::size_t c = 0; c < kNodes; ++c)
      h.up[r * kNodes + c] = static_cast<float>(15 + 15 * math::sin(0.05 * static_cast<double>(c)) * math::cos(0.07 * static_cast<double>(r)));
  return std::make_shared<const terrain::Terrain>(std::move(h));
}

void add_ratio(Report& report, const std::string& name, double steps, double limit, double threshold) {
  report.add(name, steps, "agent-steps/s", {{"ratio_to_yardstick", steps / limit}, {"threshold", threshold}, {"reached", steps >= threshold * limit}});
}

}  // namespace

core::Status bench_aircraft(Report& report) {
  std::vector<Airframe> airframes;
  for (const char* name : {"talon", "crazyflie", "car", "quadplane"}) {
    const Loaded<Airframe> a = load_airframe(name, scenario_paths());
    if (!a) return core::Error{.message = a.error};
    airframes.push_back(*a.value);
  }
  const auto tables = tabulated(airframes[0]);
  if (!tables) return tables.error();
  Yardstick yardstick;
  if (const std::string problem = run_yardstick(true, yardstick); !problem.empty()) return core::Error{.message = problem};

  const auto ground = hills();
  for (const int lanes : available_lanes()) {
    if (lanes < 8) continue;
    for (const int substeps : {1, 4}) {
      const std::string at = fmt::format("lanes={}/agents={}/threads=1/fused={}", lanes, kAgents, substeps);
      const auto limit = yardstick.find(fmt::format("limit/lanes={}/agents={}/threads=1/fused=1", lanes, kAgents));
      if (limit == yardstick.end()) continue;
      const auto linear = speed_of(world_of({flock_of("wings", airframes[0], kAgents, 100)}, substeps), lanes, 1);
      if (!linear) return linear.error();
      add_ratio(report, "aircraft/air=linear/control=position/" + at, linear.value().steps, limit->second, 0.2);
      const auto measured = speed_of(world_of({flock_of("wings", tables.value(), kAgents, 100)}, substeps), lanes, 1);
      if (!measured) return measured.error();
      add_ratio(report, "aircraft/air=six_2d_tables/control=position/" + at, measured.value().steps, limit->second, 0.08);
      const auto hovering = speed_of(world_of({flock_of("quadplanes", airframes[3], kAgents, 100)}, substeps), lanes, 1);
      if (!hovering) return hovering.error();
      report.add("aircraft/hovers/air=linear/control=position/" + at, hovering.value().steps, "agent-steps/s",
                 {{"ratio_to_yardstick", hovering.value().steps / limit->second}});

      // weather: wind with shear and turbulence drawn once per tick, atmosphere, height above terrain
      WorldDef windy = world_of({flock_of("wings", airframes[0], kAgents, 100)}, substeps);
      windy.environment.wind_W = {5, 2, 0};
      windy.environment.weather.shear.law = ShearLaw::Power;
      windy.environment.weather.turbulence.form = TurbulenceModel::Dryden;
      windy.environment.weather.origin = OriginDef{47.4, 8.5, 400};
      windy.environment.terrain = ground;
      const auto weather = speed_of(windy, lanes, 1);
      if (!weather) return weather.error();
      const double share = (weather.value().seconds - linear.value().seconds) / weather.value().seconds;
      report.add("aircraft/weather/share_of_step/" + at, 100 * share, "%",
                 {{"ns_per_agent", 1e9 * (weather.value().seconds - linear.value().seconds) / kAgents}, {"threshold", 30.0}, {"reached", share <= 0.3}});
    }
  }

  // a world of all kinds against its parts, one after the other
  const auto flocks = [&](std::int64_t each) {
    return std::vector<FlockDef>{flock_of("wings", airframes[0], each, 100), flock_of("quadrotors", airframes[1], each, 200),
                                 flock_of("cars", airframes[2], each, 0)};
  };
  const int lanes = available_lanes().back();
  double parts = 0;
  for (const FlockDef& f : flocks(kAgents / 3)) {
    const auto alone = speed_of(world_of({f}, 4), lanes, 1);
    if (!alone) return alone.error();
    parts += alone.value().seconds;
    report.add(fmt::format("aircraft/mixed/part={}/agents={}", f.name, kAgents / 3), 1e6 * alone.value().seconds, "us per tick");
  }
  const auto together = speed_of(world_of(flocks(kAgents / 3), 4), lanes, 1);
  if (!together) return together.error();
  report.add(fmt::format("aircraft/mixed/lanes={}/agents={}/threads=1/fused=4", lanes, kAgents / 3 * 3), 100 * (together.value().seconds / parts - 1),
             "% over the sum of its parts",
             {{"us_per_tick", 1e6 * together.value().seconds}, {"threshold", 5.0}, {"reached", together.value().seconds <= 1.05 * parts}});
  const auto real = speed_of(world_of(flocks(1000), 4), lanes, 1);
  if (!real) return real.error();
  report.add("aircraft/mixed/agents=3000/threads=1/fused=4/real_time_factor", 0.01 / real.value().seconds, "x real time",
             {{"threshold", 1.0}, {"reached", real.value().seconds <= 0.01}});
  for (const auto& [name, value] : yardstick)
    if (name.starts_with("limit/") && name.find("agents=10000/threads=1/fused=1") != std::string::npos) report.add(name, value, "agent-steps/s");
  return core::ok();
}

void print_aircraft(const Report& report) {
  std::vector<std::vector<std::string>> cells;
  for (const Row& row : report.rows) {
    if (!row.name.starts_with("aircraft/")) continue;
    std::string ratio, threshold, reached;
    for (const auto& [key, value] : row.extra) {
      if (key == "ratio_to_yardstick") ratio = fmt::format("{:.3f}", std::get<double>(value));
      if (key == "threshold") threshold = fmt::format("{:.3g}", std::get<double>(value));
      if (key == "reached") reached = std::get<bool>(value) ? "reached" : "NOT reached";
    }
    const double v = std::get<double>(row.value);
    cells.push_back({row.name.substr(9), v > 1e5 ? fmt::format("{:.2f} M", v / 1e6) : fmt::format("{:.2f}", v), row.unit, ratio, threshold, reached});
  }
  if (cells.empty()) return;
  fmt::print("\n");
  print_table({"aircraft", "value", "unit", "x yardstick", "threshold", ""}, cells);
}

}  // namespace volary::cli
