// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/bench_broker.hpp"

#include <algorithm>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "cli/html_style.hpp"
#include "cli/output_file.hpp"
#include "cli/paths.hpp"
#include "cli/svg_plot.hpp"
#include "cli/yardstick.hpp"
#include "cluster/transport/broker_network.hpp"
#include "cluster/transport/fan_in.hpp"
#include "scenario/load.hpp"
#include "volary/world.hpp"

namespace volary::cli {

namespace {

constexpr int kBundled = 20;           // vehicles of a process
constexpr std::size_t kAlone = 150;    // bytes of a vehicle with a connection of its own, as in the paper

std::string installer() { return home_folder() + "/tools/install_broker.sh"; }

// one measurement; thresholds in ms and MB, none where absent
struct Load {
  int vehicles = 200;
  double rate = 100;  // Hz
  bool is_bundled = true;
  int qos = 0;
  std::optional<double> latency = {}, age = {}, memory = {};

  int processes() const { return std::max(1, vehicles / kBundled); }
  std::string name() const {
    return fmt::format("broker/vehicles={}/processes={}/connections={}/qos={}/rate={}Hz", vehicles, processes(), is_bundled ? processes() : vehicles, qos, rate);
  }
};

core::Result<cluster::FanInReport> measure(const Load& load, double seconds) {
  cluster::FanInOptions o;
  const int each = load.vehicles / load.processes();
  o.processes = load.processes();
  o.connections = load.is_bundled ? 1 : each;
  o.rate_hz = load.rate;
  o.payload = load.is_bundled ? cluster::kLeastPayload : kAlone;
  o.qos = load.qos;
  o.duration_s = seconds;
  o.warm_up_s = 2;
  o.installer = installer();
  o.child = {"/proc/self/exe", "bench", "broker", "--vehicles", std::to_string(each), "--load"};
  return cluster::measure_fan_in(o);
}

void add(Report& report, const Load& load, const cluster::FanInReport& r) {
  const std::string at = load.name();
  const auto row = [&](const char* what, double value, const char* unit, std::optional<double> most, std::vector<std::pair<std::string, Value>> extra) {
    if (most) extra.insert(extra.end(), {{"threshold", *most}, {"reached", value <= *most}});
    if (r.is_saturated) extra.emplace_back("saturated", true);
    report.add(at + what, value, unit, std::move(extra));
  };
  row("/latency", r.latency.mean, "ms", load.latency, {{"p50", r.latency.p50}, {"p99", r.latency.p99}, {"max", r.latency.max}});
  row("/age", r.age.age.mean, "ms", load.age, {{"floor_ms", r.floor_ms}, {"deviation", r.age.sd}, {"p95", r.age.age.p95}, {"p99", r.age.age.p99}});
  row("/memory", r.pss_mb, "MB", load.memory, {{"broker_mb", r.broker_rss_mb}});
  row("/received", static_cast<double>(r.received), "messages", {}, {{"expected", static_cast<std::int64_t>(r.expected)}, {"broker_cpu", r.broker_cpu}});
}

// the experiments of SIGMA V.B with 200 and 1,000 vehicles, on one machine and without a wire
core::Status add_loads(Report& report) {
  const Load loads[] = {{.vehicles = 200, .latency = 0.5, .age = 5.8, .memory = 150},
                        {.vehicles = 200, .is_bundled = false, .qos = 1, .latency = 3.0, .age = 8.0},
                        {.vehicles = 1000, .age = 8.0, .memory = 400},
                        {.vehicles = 1000, .rate = 50, .age = 12.5, .memory = 400},
                        {.vehicles = 1000, .rate = 50, .is_bundled = false},
                        {.vehicles = 1000, .rate = 50, .is_bundled = false, .qos = 1}};
  for (const Load& load : loads) {
    fmt::print(stderr, "{} ...\n", load.name());
    const auto r = measure(load, 10);
    if (!r) return r.error();
    add(report, load, r.value());
  }
  return core::ok();
}

// latency and age over the number of vehicles, as in SIGMA's Fig. 16
core::Status add_curves(Report& report, OutputFile& plot) {
  LinePlot age{.title = "mean age of a state at the subscriber", .unit = "ms", .curves = {}, .low = {}, .high = {}, .from_zero = true};
  LinePlot latency{.title = "mean latency of a message", .unit = "ms", .curves = {}, .low = {}, .high = {}, .from_zero = true};
  age.x_title = latency.x_title = "vehicles";
  for (const bool is_bundled : {true, false}) {
    const std::string name = is_bundled ? "20 vehicles in one message" : "one connection for each vehicle";
    Curve ages{name, {}}, latencies{name, {}}, floor{"least possible age, " + name, {}};
    for (const int vehicles : {10, 20, 60, 100, 200, 400, 700, 1000}) {
      const Load load{.vehicles = vehicles, .is_bundled = is_bundled};
      const auto r = measure(load, 5);
      if (!r) return r.error();
      add(report, load, r.value());
      const double x = vehicles;
      ages.points.push_back({x, r.value().age.age.mean}), latencies.points.push_back({x, r.value().latency.mean}), floor.points.push_back({x, r.value().floor_ms});
    }
    age.curves.insert(age.curves.end(), {ages, floor});
    latency.curves.push_back(latencies);
  }
  const Machine m = this_machine();
  std::string text = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>States over a broker</title>\n";
  text += fmt::format("<style>{}</style>\n</head>\n<body>\n", kHtmlStyle);
  text += "<h1>States of flying vehicles over an MQTT broker</h1>\n";
  text += fmt::format("<p>100 Hz; all processes and the broker share one machine, without a wire.</p>\n<p>{}, {} cores, {}</p>\n", escaped_html(m.cpu), m.cores, escaped_html(m.os));
  return plot.write(text + svg_of(age) + svg_of(latency) + "</body>\n</html>\n");
}

// the table of modes, one seed, both legs with 30 % loss and 30 +- 10 ms, for a minute each
core::Status add_modes(Report& report) {
  cluster::ModeTableOptions options;
  options.seeds = 1;
  for (const cluster::Mode& mode : cluster::all_modes()) {
    fmt::print(stderr, "broker/mode={} ...\n", mode.name);
    const auto row = cluster::run_mode_over_broker(mode, true, options, installer());
    if (!row) return row.error();
    const cluster::ModeRow& r = row.value();
    const std::string at = fmt::format("broker/legs=both/mode={}", r.mode);
    report.add(at + "/node", 1e3 * r.node.mean, "ms", {{"floor_ms", 1e3 * r.floor}});
    if (r.has_aligned) report.add(at + "/aligned", 1e3 * r.aligned.mean, "ms", {{"p95", 1e3 * r.aligned.p95}, {"floor_ms", 1e3 * r.floor}});
    report.add(at + "/frames", r.frames_per_second, "1/s", {{"completeness", r.completeness}});
  }
  return core::ok();
}

}  // namespace

core::Status bench_broker(Report& report, bool full, const std::string& plot) {
  OutputFile page(plot);
  if (page.is_wanted())
    if (const core::Status s = page.check(); !s) return s;
  Yardstick yardstick;
  if (const std::string error = run_yardstick(true, yardstick); !error.empty()) return core::Error{.message = error};
  if (const core::Status s = add_loads(report); !s) return s;
  if (page.is_wanted())
    if (const core::Status s = add_curves(report, page); !s) return s;
  if (full)
    if (const core::Status s = add_modes(report); !s) return s;
  for (const auto& [name, value] : yardstick) report.add("broker/yardstick/" + name, value, "1/s");
  return core::ok();
}

core::Status send_bench_load(const std::string& file, int vehicles) {
  const auto rate = cluster::rate_of_plan(file);
  if (!rate) return rate.error();
  const std::vector<std::string> overrides = {fmt::format("flocks[0].vehicles.grid.count={}", vehicles), fmt::format("tick={}", 1 / rate.value())};
  const auto def = scenario::load_scenario(home_folder() + "/benchmarks/uncoupled.yaml", {scenario_paths().assets}, overrides);
  if (!def) return def.error();
  std::string error;
  const std::unique_ptr<World> world = World::create(def.value(), {}, &error);
  if (world == nullptr || !world->share({.member = 0, .members = 1, .parts = {{"rotors", 1, 0}}}, &error)) return core::Error{.message = error};
  std::vector<std::byte> frame;
  return cluster::send_fan_in(file, [&](std::vector<std::vector<std::byte>>& bundles) {
    world->advance(frame);
    const std::span<const std::byte> own = frame;
    world->settle({&own, 1}, &error);
    // the exact frame that a node of a federation sends, whole or cut into as many parts as there are connections
    const std::size_t part = frame.size() / bundles.size();
    for (std::size_t k = 0; k < bundles.size(); ++k) {
      const auto from = frame.begin() + static_cast<std::ptrdiff_t>(k * part);
      bundles[k].assign(from, k + 1 < bundles.size() ? from + static_cast<std::ptrdiff_t>(part) : frame.end());
    }
  });
}

}  // namespace volary::cli
