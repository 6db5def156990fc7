// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/bench_case.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "benchmarks/probes.hpp"
#include "engine/backend.hpp"
#include "math/scalar.hpp"
#include "vehicles/multirotor_def.hpp"
#include "volary/world.hpp"

namespace volary::cli {

namespace {

constexpr std::int64_t kPerWorld = 1000;
constexpr double kRunSeconds = 0.15;
constexpr double kHeight = 100;  // m, far from the ground

// rotors that lean outwards by 3 degrees: the general kernel is needed
Airframe tilted(const Airframe& airframe) {
  constexpr double kSin = 0.0523359562, kCos = 0.9986295348;
  auto def = std::make_shared<airframe::MultirotorDef>(*static_cast<const airframe::MultirotorDef*>(airframe.definition.get()));
  for (airframe::RotorDef& r : def->rotors) {
    const double arm = math::sqrt(r.position[0] * r.position[0] + r.position[1] * r.position[1]);
    r.axis = {kSin * r.position[0] / arm, kSin * r.position[1] / arm, kCos};
  }
  Airframe out = airframe;
  out.definition = std::move(def);
  return out;
}

FlockDef make_flock(const BenchCase& c, const Airframe& airframe) {
  FlockDef f;
  f.name = "bench";
  f.airframe = c.features == "tilted" ? tilted(airframe) : airframe;
  f.full_physics = c.features != "basic";
  f.controller.level = c.control == "rate" ? ControlLevel::Rates : ControlLevel::Position;
  for (std::int64_t k = 0; k < std::min(c.agents, kPerWorld); ++k) {
    VehicleDef v;
    v.position_W = {2.0 * static_cast<double>(k % 32), 2.0 * static_cast<double>(k / 32), kHeight};
    v.centre_W = v.position_W;
    v.yaw = 0.006 * static_cast<double>(k);
    v.mode = c.control == "rate" ? Mode::Mission : Mode::Armed;  // armed in the air: it holds the position setpoint it was made with
    f.vehicles.push_back(std::move(v));
  }
  return f;
}

// many equal worlds of a thousand: the definition of a million vehicles would be larger than their state
WorldDef make_def(const BenchCase& c, const Airframe& airframe, double substep) {
  WorldDef def;
  def.name = "bench";
  def.substeps = c.fused;
  def.tick_ns = static_cast<std::int64_t>(substep * 1e9 + 0.5) * c.fused;
  def.worlds = static_cast<int>(std::max<std::int64_t>(1, c.agents / kPerWorld));
  def.environment.ground = c.features != "basic";
  if (c.features != "basic") {
    def.environment.wind_W = {2, 0, 0};
    def.environment.gust_sigma = 0.5;
  }
  def.flocks.push_back(make_flock(c, airframe));
  return def;
}

// hover thrust and a slow turn: level flight for as long as it is measured
void command_hover(World& world, const Airframe& airframe) {
  const double mass = static_cast<const airframe::MultirotorDef*>(airframe.definition.get())->mass;
  SetSetpoint hover;
  hover.level = ControlLevel::Rates;
  hover.thrust = mass * world.def().environment.gravity;
  hover.rate_B = {0, 0, 0.1};
  Input in;
  in.payload = hover;
  world.submit(in);
}

double traffic_of(const World& world, const BenchCase& c) {
  const std::string path = world.program_of("bench");  // model/program
  const engine::Backend* backend = engine::find_backend(c.lanes, true);
  const std::size_t slash = path.find('/');
  const engine::Kernel* k = backend == nullptr ? nullptr : engine::find_kernel(*backend, path.substr(0, slash), path.substr(slash + 1), 4);
  if (k == nullptr) return 0;
  double rows = k->hot_rows + k->state_rows;
  // guiding a block stores what it has just loaded, and the hash reads it from the cache: only new lines count
  if (c.control != "rate") rows += 2 * k->plan_rows;
  if (c.hash || c.features != "basic") rows += 4;
  return 4 * rows;
}

struct Spent {
  double cpu = 0, wall = 0;
};

// CPU time of the thread that steps, or the mean over all threads when that is more: it does not count while it sleeps until the others are through
Spent since(const Spent& thread, double process, int threads) {
  const double own = benchmarks::thread_cpu_seconds() - thread.cpu, mean = (benchmarks::process_cpu_seconds() - process) / threads;
  return {threads == 1 ? own : std::max(own, mean), benchmarks::wall_seconds() - thread.wall};
}

// at least kRunSeconds of CPU time; returns ticks
std::uint64_t run_once(World& world, const BenchCase& c, Spent& spent) {
  const std::uint64_t chunk = static_cast<std::uint64_t>(std::max<std::int64_t>(1, 200'000 / (c.agents * c.fused)));
  const Spent begin{benchmarks::thread_cpu_seconds(), benchmarks::wall_seconds()};
  const double process = benchmarks::process_cpu_seconds();
  std::uint64_t ticks = 0;
  for (spent = {}; spent.cpu < kRunSeconds; spent = since(begin, process, c.threads)) world.step(chunk), ticks += chunk;
  return ticks;
}

}  // namespace

std::string BenchCase::name() const {
  return fmt::format("multirotor/control={}/features={}/lanes={}/agents={}/threads={}/fused={}{}", control, features, lanes, agents, threads, fused,
                     hash ? "/hash=1" : "");
}
std::string BenchCase::yardstick() const { return fmt::format("limit/lanes={}/agents={}/threads={}/fused={}", lanes, agents, threads, fused); }

core::Result<Measured> measure(const BenchCase& c, const Airframe& airframe, int runs, double substep) {
  RunOptions options;
  options.threads = c.threads;
  options.force_split = true;  // a row is about that many threads, also where they are not worth it
  options.lanes = c.lanes;
  options.hash_every_tick = c.hash;
  std::string error;
  const auto world = World::create(make_def(c, airframe, substep), options, &error);
  if (world == nullptr) return core::Error{.message = c.name() + ": " + error};
  if (c.control == "rate") command_hover(*world, airframe);
  const auto start = [&] {
    world->step(c.agents >= 1'000'000 ? 5 : 50);  // settle: caches, pages, motors
    return world->snapshot();
  }();

  const double n = static_cast<double>(world->n_vehicles()), tick = static_cast<double>(world->def().tick_ns) * 1e-9;
  Measured m;
  for (int run = 0; run < runs; ++run) {
    Spent spent;
    const double steps = static_cast<double>(run_once(*world, c, spent)) * n * c.fused;
    m.rate = std::max(m.rate, steps / spent.cpu);
    m.wall_rate = std::max(m.wall_rate, steps / spent.wall);
    // without a pilot a vehicle drifts: back to the start before it is far from hover
    if (world->time() > 20 + 50 * tick) world->restore(*start);
  }
  if (world->n_vehicles() != static_cast<std::size_t>(n)) return core::Error{.message = c.name() + ": a vehicle diverged"};
  m.bytes = static_cast<double>(world->bytes());
  m.bytes_per_agent = m.bytes / n;
  m.traffic = traffic_of(*world, c);
  return m;
}

}  // namespace volary::cli
