// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/bench_senses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>

#include "benchmarks/probes.hpp"
#include "cli/paths.hpp"
#include "scenario/load.hpp"
#include "volary/scenario.hpp"
#include "volary/world.hpp"

namespace volary::cli {

namespace {

constexpr double kRunSeconds = 0.15;
constexpr int kRuns = 5;
constexpr std::int64_t kAgents = 10'000;

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

// s of a tick, the best run: CPU time of one thread, or wall time of several
core::Result<double> seconds_of(const WorldDef& def, int lanes, int threads) {
  std::string error;
  const auto world = World::create(def, {.threads = threads, .lanes = lanes}, &error);
  if (world == nullptr) return core::Error{.message = error};
  world->step(50);
  const auto now = [threads] {
    return threads == 1 ? benchmarks::thread_cpu_seconds() : std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  };
  double best = 1e300;
  for (int run = 0; run < kRuns; ++run) {
    const double begin = now();
    double spent = 0;
    int ticks = 0;
    for (; spent < kRunSeconds; spent = now() - begin) world->step(20), ticks += 20;  // readings at 10 Hz and faster are in as many ticks
    best = std::min(best, spent / ticks);
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

void add_cost(Report& report, const std::string& name, double seconds, std::vector<std::pair<std::string, Value>> extra = {}) {
  report.add(name, 1e9 * seconds / kAgents, "ns per vehicle and tick", std::move(extra));
}

core::Status bench_width(Report& report, const WorldDef& plain, int lanes) {
  const std::string at = fmt::format("/lanes={}/agents={}/threads=1", lanes, kAgents);
  const auto bare = seconds_of(plain, lanes, 1);
  if (!bare) return bare.error();
  add_cost(report, "senses/without" + at, bare.value());
  WorldDef def = plain;
  SensorsDef& sensors = def.flocks[0].sensors;
  sensors.imu = some_imu();
  const auto imu = seconds_of(def, lanes, 1);
  if (!imu) return imu.error();
  add_cost(report, "senses/imu" + at, imu.value() - bare.value());
  def.flocks[0].estimator.kind = EstimatorKind::Ekf;
  const auto predicted = seconds_of(def, lanes, 1);
  if (!predicted) return predicted.error();
  const double ns = 1e9 * (predicted.value() - bare.value()) / kAgents;
  if (lanes >= 8)
    add_cost(report, "senses/imu_and_prediction" + at, predicted.value() - bare.value(), {{"threshold", 250.0}, {"reached", ns <= 250}});
  else
    add_cost(report, "senses/imu_and_prediction" + at, predicted.value() - bare.value());
  for (const Case& c : cases()) {
    for (const EstimatorKind kind : {EstimatorKind::None, EstimatorKind::Ekf}) {
      sensors = {};
      sensors.imu = some_imu();
      c.carry(sensors);
      def.flocks[0].estimator.kind = kind;
      const auto with = seconds_of(def, lanes, 1);
      if (!with) return with.error();
      add_cost(report, fmt::format("senses/{}{}{}", c.name, kind == EstimatorKind::Ekf ? "/fused" : "", at),
               with.value() - (kind == EstimatorKind::Ekf ? predicted.value() : imu.value()));
    }
  }
  return core::ok();
}

}  // namespace

core::Status bench_senses(Report& report) {
  const Loaded<Airframe> airframe = load_airframe("x500", scenario_paths());
  if (!airframe) return core::Error{.message = airframe.error};
  const WorldDef plain = quadrotors(*airframe.value);
  for (const int lanes : available_lanes())
    if (const core::Status s = bench_width(report, plain, lanes); !s) return s;
  WorldDef def = plain;
  def.flocks[0].sensors.imu = some_imu();
  for (std::size_t k = 0; k < 3; ++k) cases()[k].carry(def.flocks[0].sensors);
  def.flocks[0].estimator.kind = EstimatorKind::Ekf;
  const auto real = seconds_of(def, 0, 2);
  if (!real) return real.error();
  const double factor = static_cast<double>(def.tick_ns) * 1e-9 / real.value();
  report.add(fmt::format("senses/imu+gnss+barometer+magnetometer+ekf/agents={}/threads=2/real_time_factor", kAgents), factor, "x real time",
             {{"threshold", 1.0}, {"reached", factor >= 1}});
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
