// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/bench_senses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <vector>

#include "benchmarks/probes.hpp"
#include "cli/paths.hpp"
#include "cli/yardstick.hpp"
#include "scenario/load.hpp"
#include "volary/scenario.hpp"
#include "volary/world.hpp"

namespace volary::cli {

namespace {

constexpr double kRunSeconds = 0.1;
constexpr int kRuns = 5;
constexpr std::int64_t kAgents = 10'000;
constexpr double kMostPrediction = 250;  // ns per vehicle, IMU and prediction with 8 lanes and more

WorldDef quadrotors(const Airframe& airframe) {
  WorldDef def;
  def.name = "bench";
  FlockDef f;
  f.name = "quadrotors";
  f.airframe = airframe;
  for (std::int64_t k = 0; k < kAgents; ++k) {
    VehicleDef v;
    v.position_W = {20.0 * static_cast<double>(k % 100), 20.0 * static_cast<double>(k / 100), 50};
    v.mode = Mode::Hold;
    f.vehicles.push_back(std::move(v));
  }
  def.flocks = {std::move(f)};
  for (int k = 0; k < 8; ++k) def.environment.anchors.push_back({fmt::format("anchor {}", k), {250.0 * k, 1000, 5}});
  return def;
}

// s of a tick for each world, the best of runs in turn, so that a machine that changes its pace changes it for all: CPU time of one thread, or wall time of several
core::Result<std::vector<double>> seconds_of(const std::vector<const WorldDef*>& defs, int lanes, int threads) {
  std::vector<std::unique_ptr<World>> worlds;
  for (const WorldDef* def : defs) {
    std::string error;
    worlds.push_back(World::create(*def, {.threads = threads, .lanes = lanes}, &error));
    if (worlds.back() == nullptr) return core::Error{.message = error};
    worlds.back()->step(50);
  }
  const auto now = [threads] {
    return threads == 1 ? benchmarks::thread_cpu_seconds() : std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  };
  std::vector<double> best(worlds.size(), 1e300);
  for (int run = 0; run < kRuns; ++run)
    for (std::size_t k = 0; k < worlds.size(); ++k) {
      const double begin = now();
      double spent = 0;
      int ticks = 0;
      for (; spent < kRunSeconds; spent = now() - begin) worlds[k]->step(20), ticks += 20;  // readings at 10 Hz and faster are in as many ticks
      best[k] = std::min(best[k], spent / ticks);
    }
  return best;
}

// errors of every kind, so that none is left out
ErrorDef some_errors(double size) { return {size, size, size, 100, 0.1 * size, 0.01, 0.01, 0.1 * size, 1e6}; }
ImuDef some_imu() {
  ImuDef imu;
  imu.gyro = some_errors(1e-4), imu.accelerometer = some_errors(1e-3);
  imu.vibration.reference_speed = 1000, imu.vibration.resonance = 120;
  imu.vibration.harmonics = {{1, {0.01, 0.01, 0}, {0.3, 0.3, 0.1}}, {2, {0.01, 0.01, 0}, {0.2, 0.2, 0.4}}};
  return imu;
}
TimingDef at_rate(double rate, double latency = 0) { return {rate, 0, latency, 0.01}; }

struct Case {
  const char* name;
  std::function<void(SensorsDef&)> carry;
};
const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"gnss", [](SensorsDef& s) { s.gnss = GnssDef{}, s.gnss->time = at_rate(10, 0.12), s.gnss->horizontal = s.gnss->vertical = 1, s.gnss->velocity = 0.05; }},
      {"barometer", [](SensorsDef& s) { s.barometer = BarometerDef{}, s.barometer->time = at_rate(50), s.barometer->error = some_errors(1); }},
      {"magnetometer", [](SensorsDef& s) { s.magnetometer = MagnetometerDef{}, s.magnetometer->time = at_rate(50), s.magnetometer->error = some_errors(1e-7); }},
      {"airspeed", [](SensorsDef& s) { s.airspeed = AirspeedDef{}, s.airspeed->time = at_rate(50), s.airspeed->error = some_errors(1); }},
      {"range_finder", [](SensorsDef& s) { s.range_finder = RangeFinderDef{}, s.range_finder->time = at_rate(50), s.range_finder->max = 100; }},
      {"optical_flow", [](SensorsDef& s) { s.optical_flow = OpticalFlowDef{}, s.optical_flow->time = at_rate(50), s.optical_flow->max = 100; }},
      {"uwb_anchors", [](SensorsDef& s) { s.uwb_anchors = UwbDef{}, s.uwb_anchors->time = at_rate(50), s.uwb_anchors->reach = 5000; }},
      {"motion_capture", [](SensorsDef& s) { s.motion_capture = MotionCaptureDef{}, s.motion_capture->time = at_rate(100); }},
      {"odometry", [](SensorsDef& s) { s.odometry = OdometryDef{}, s.odometry->time = at_rate(50); }}};
  return all;
}

void add_cost(Report& report, const std::string& name, double seconds) {
  report.add(name, 1e9 * seconds / kAgents, "ns per vehicle and tick");
}

WorldDef with(const WorldDef& plain, const SensorsDef& sensors, EstimatorKind kind) {
  WorldDef def = plain;
  def.flocks[0].sensors = sensors;
  def.flocks[0].estimator.kind = kind;
  return def;
}

// what each adds to a vehicle that has all but it
core::Status bench_width(Report& report, const WorldDef& plain, int lanes) {
  const std::string at = fmt::format("/lanes={}/agents={}/threads=1", lanes, kAgents);
  SensorsDef sensors;
  sensors.imu = some_imu();
  const WorldDef sampled = with(plain, sensors, EstimatorKind::None), predicted = with(plain, sensors, EstimatorKind::Ekf);
  const auto first = seconds_of({&plain, &sampled, &predicted}, lanes, 1);
  if (!first) return first.error();
  const std::vector<double>& of = first.value();
  add_cost(report, "senses/without" + at, of[0]);
  add_cost(report, "senses/imu" + at, of[1] - of[0]);
  const double both = of[2] - of[0];
  add_cost(report, "senses/imu_and_prediction" + at, both);
  if (lanes >= 8) report.rows.back().extra = {{"threshold", kMostPrediction}, {"reached", 1e9 * both / kAgents <= kMostPrediction}};
  for (const Case& c : cases()) {
    SensorsDef more = sensors;
    c.carry(more);
    const WorldDef measured = with(plain, more, EstimatorKind::None), fused = with(plain, more, EstimatorKind::Ekf);
    const auto run = seconds_of({&sampled, &measured, &predicted, &fused}, lanes, 1);
    if (!run) return run.error();
    add_cost(report, fmt::format("senses/{}{}", c.name, at), run.value()[1] - run.value()[0]);
    add_cost(report, fmt::format("senses/{}/fused{}", c.name, at), run.value()[3] - run.value()[2]);
  }
  return core::ok();
}

}  // namespace

core::Status bench_senses(Report& report) {
  Yardstick yardstick;
  if (const std::string problem = run_yardstick(true, yardstick); !problem.empty()) return core::Error{.message = problem};
  const Loaded<Airframe> airframe = load_airframe("x500", scenario_paths());
  if (!airframe) return core::Error{.message = airframe.error};
  const WorldDef plain = quadrotors(*airframe.value);
  for (const int lanes : available_lanes())
    if (const core::Status s = bench_width(report, plain, lanes); !s) return s;
  SensorsDef sensors;
  sensors.imu = some_imu();
  for (std::size_t k = 0; k < 3; ++k) cases()[k].carry(sensors);
  const WorldDef def = with(plain, sensors, EstimatorKind::Ekf);
  const auto real = seconds_of({&def}, 0, 2);
  if (!real) return real.error();
  const double factor = static_cast<double>(def.tick_ns) * 1e-9 / real.value()[0];
  report.add(fmt::format("senses/imu+gnss+barometer+magnetometer+ekf/agents={}/threads=2/real_time_factor", kAgents), factor, "x real time",
             {{"threshold", 1.0}, {"reached", factor >= 1}});
  for (const auto& [name, value] : yardstick)
    if (name.starts_with("limit/") && name.find("agents=10000/threads=1/fused=1") != std::string::npos) report.add("senses/yardstick/" + name, value * 1e-6, "M agent-steps/s");
  return core::ok();
}

void print_senses(const Report& report) {
  std::vector<std::vector<std::string>> cells;
  for (const Row& row : report.rows) {
    if (!row.name.starts_with("senses/")) continue;
    std::string threshold, reached;
    for (const auto& [key, value] : row.extra) {
      if (key == "threshold") threshold = fmt::format("{:.3g}", std::get<double>(value));
      if (key == "reached") reached = std::get<bool>(value) ? "reached" : "NOT reached";
    }
    cells.push_back({row.name.substr(7), fmt::format("{:.1f}", std::get<double>(row.value)), row.unit, threshold, reached});
  }
  if (cells.empty()) return;
  fmt::print("\n");
  print_table({"senses", "value", "unit", "threshold", ""}, cells);
}

}  // namespace volary::cli
