// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// volary bench: agent-steps per second beside what this machine can do at best, measured in the same run.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <map>
#include <memory>

#include <fmt/format.h>

#include "benchmarks/probes.hpp"
#include "cli/bench_aircraft.hpp"
#include "cli/bench_broker.hpp"
#include "cli/bench_case.hpp"
#include "cli/bench_edges.hpp"
#include "cli/bench_inputs.hpp"
#include "cli/bench_federation.hpp"
#include "cli/bench_platforms.hpp"
#include "cli/bench_senses.hpp"
#include "cli/bench_serial.hpp"
#include "cli/bench_state.hpp"
#include "cli/bench_swarm.hpp"
#include "cli/command.hpp"
#include "cli/paths.hpp"
#include "cli/report.hpp"
#include "cli/yardstick.hpp"
#include "volary/world.hpp"

namespace volary::cli {

namespace {

// FLOP of one rate-controlled RK4 step of the yardstick, an fma counted as two
constexpr double kFlopBasicRate = 678;
constexpr double kMillion = 1e6;

struct BenchOptions {
  bool json = false, quick = false, full = false;
  std::string filter, save, plot;
  std::string load;  // a file: this is a sending process of the part broker
  int vehicles = 20;  // that it flies
  std::vector<std::string> parts;  // engine, recording, stream, swarm, aircraft, platforms, senses, inputs, state, federation, serial, broker, viewer; none: the first three, or the engine alone with --quick or --filter

  bool has(const char* part) const {
    if (!parts.empty()) return std::find(parts.begin(), parts.end(), part) != parts.end();
    return std::string_view(part) == "engine" || (!quick && filter.empty() && std::string_view(part) != "viewer" && std::string_view(part) != "broker");
  }
};

// a promise about a ratio to the yardstick, at 8 and at 16 lanes, one step per tick
struct Bar {
  const char* control;
  const char* features;
  bool hash;
  std::int64_t agents;
  int threads;
  double ratio;
};
constexpr Bar kBars[] = {{"rate", "basic", false, 10'000, 1, 0.85},     {"rate", "basic", false, 1'000'000, 2, 0.70},      //
                         {"rate", "basic", true, 10'000, 1, 0.65},      {"rate", "basic", true, 1'000'000, 2, 0.65},       //
                         {"rate", "full", false, 10'000, 1, 0.40},      {"rate", "full", false, 1'000'000, 2, 0.40},       //
                         {"rate", "tilted", false, 10'000, 1, 0.30},    {"rate", "tilted", false, 1'000'000, 2, 0.30},     //
                         {"position", "basic", false, 10'000, 1, 0.45}, {"position", "basic", false, 1'000'000, 2, 0.45},  //
                         {"position", "full", false, 10'000, 1, 0.28},  {"position", "full", false, 1'000'000, 2, 0.28}};

struct Roof {
  std::map<int, double> fma;     // FLOP/s of one core by lanes
  std::map<int, double> stream;  // B/s by threads
};

struct Done {
  BenchCase c;
  Measured m;
};

std::vector<BenchCase> bar_cases(const std::vector<int>& lanes, bool quick) {
  std::vector<BenchCase> list;
  for (const Bar& b : kBars)
    for (const int w : lanes)
      if (w >= 8 && !(quick && b.agents > 10'000)) list.push_back({b.control, b.features, w, b.agents, b.threads, 1, b.hash});
  return list;
}

void add_unless_there(std::vector<BenchCase>& list, const BenchCase& c) {
  const bool there = std::any_of(list.begin(), list.end(), [&](const BenchCase& x) { return x.name() == c.name(); });
  if (!there) list.push_back(c);
}

// every control, features, hash and fused for one (lanes, agents, threads)
void add_variants(std::vector<BenchCase>& list, int lanes, std::int64_t agents, int threads) {
  for (const char* control : {"rate", "position"})
    for (const char* features : {"basic", "full", "tilted"})
      for (const int fused : {1, 10})
        for (const bool hash : {false, true}) add_unless_there(list, {control, features, lanes, agents, threads, fused, hash});
}

std::vector<BenchCase> plan(const BenchOptions& o) {
  const std::vector<int> lanes = available_lanes();
  std::vector<BenchCase> list = bar_cases(lanes, o.quick);
  for (const std::int64_t agents : {1'000, 10'000, 100'000, 1'000'000})
    for (const int threads : {1, 2})
      for (const int w : lanes) {
        if (o.quick) continue;
        add_unless_there(list, {"rate", "basic", w, agents, threads, 1, false});
        const bool is_corner = (agents == 10'000 && threads == 1) || (agents == 1'000'000 && threads == 2);
        if (o.full || (is_corner && w >= 8)) add_variants(list, w, agents, threads);
      }
  std::erase_if(list, [&](const BenchCase& c) { return c.name().find(o.filter) == std::string::npos; });
  return list;
}

Roof probe_roof(Report& report) {
  Roof roof;
  for (const int w : available_lanes()) {
    roof.fma[w] = benchmarks::fma_peak(w);
    report.add(fmt::format("fma_peak/lanes={}", w), roof.fma[w], "FLOP/s");
  }
  for (const int threads : {1, 2}) {
    roof.stream[threads] = benchmarks::stream_update(threads);
    report.add(fmt::format("stream_update/threads={}", threads), roof.stream[threads], "B/s");
  }
  return roof;
}

double ratio_of(const Done& d, const Yardstick& y) {
  const auto it = y.find(d.c.yardstick());
  return it == y.end() || it->second <= 0 ? 0 : d.m.rate / it->second;
}

void add_case(const Done& d, const Roof& roof, const Yardstick& y, Report& report) {
  Row& row = report.add(d.c.name(), d.m.rate, "agent-steps/s", {{"wall", d.m.wall_rate}, {"bytes_per_agent", d.m.bytes_per_agent}});
  const double gb = d.m.rate / d.c.fused * d.m.traffic;
  row.extra.push_back({"traffic", gb});
  if (d.c.agents >= 1'000'000) row.extra.push_back({"share_of_bandwidth", gb / roof.stream.at(d.c.threads)});
  if (const double ratio = ratio_of(d, y); ratio > 0) row.extra.push_back({"ratio_to_yardstick", ratio});
  if (d.c.control == "rate" && d.c.features == "basic")
    row.extra.push_back({"share_of_fma_peak", d.m.rate * kFlopBasicRate / (roof.fma.at(d.c.lanes) * d.c.threads)});
}

std::string extra_text(const Row& row, const char* key, double scale, const char* format) {
  for (const auto& [name, value] : row.extra)
    if (name == key) return fmt::format(fmt::runtime(format), scale * std::get<double>(value));
  return "";
}

void print_cases(const Report& report) {
  std::vector<std::vector<std::string>> cells;
  for (const Row& row : report.rows)
    if (row.name.starts_with("multirotor/"))
      cells.push_back({row.name.substr(11), fmt::format("{:.1f}", std::get<double>(row.value) / kMillion), extra_text(row, "wall", 1 / kMillion, "{:.1f}"),
                       extra_text(row, "ratio_to_yardstick", 1, "{:.2f}"), extra_text(row, "share_of_fma_peak", 100, "{:.0f}"),
                       extra_text(row, "traffic", 1e-9, "{:.1f}"), extra_text(row, "share_of_bandwidth", 100, "{:.0f}"),
                       extra_text(row, "bytes_per_agent", 1, "{:.0f}")});
  if (cells.empty()) return;
  print_table({"case", "M/s CPU", "M/s wall", "x yardstick", "% FMA", "GB/s", "% stream", "B/agent"}, cells);
}

void add_bars(const std::vector<Done>& done, const Yardstick& y, Report& report) {
  for (const Bar& b : kBars)
    for (const Done& d : done) {
      const bool same = d.c.control == b.control && d.c.features == b.features && d.c.hash == b.hash && d.c.agents == b.agents && d.c.threads == b.threads;
      if (!same || d.c.fused != 1 || d.c.lanes < 8) continue;
      const double ratio = ratio_of(d, y);
      if (ratio > 0) report.add("threshold/" + d.c.name(), ratio, "x yardstick", {{"threshold", b.ratio}, {"reached", ratio >= b.ratio}});
    }
}

void print_bars(const Report& report) {
  std::vector<std::vector<std::string>> cells;
  for (const Row& row : report.rows)
    if (row.name.starts_with("threshold/"))
      cells.push_back({row.name.substr(21), fmt::format("{:.2f}", std::get<double>(row.value)), extra_text(row, "threshold", 1, "{:.2f}"),
                       std::get<bool>(row.extra[1].second) ? "reached" : "NOT reached"});
  if (cells.empty()) return;
  fmt::print("\n");
  print_table({"case", "ratio", "threshold", ""}, cells);
}

// the sentence people quote: a million at 100 Hz
core::Status add_million(const Airframe& airframe, Report& report) {
  const BenchCase c{"rate", "basic", available_lanes().back(), 1'000'000, 2, 1, false};
  const core::Result<Measured> m = measure(c, airframe, 3, 0.01);
  if (!m) return m.error();
  report.add("million/real_time_factor", m.value().wall_rate * 0.01 / kMillion, "x real time",
             {{"bytes", m.value().bytes}, {"lanes", std::int64_t{c.lanes}}, {"threads", std::int64_t{c.threads}}});
  return core::ok();
}

void print_million(const Report& report) {
  for (const Row& row : report.rows)
    if (row.name == "million/real_time_factor")
      fmt::print("\na million rate-controlled quadrotors at 100 Hz (substeps 1): {:.2f} x real time, {:.0f} MB\n", std::get<double>(row.value),
                 std::get<double>(row.extra[0].second) / 1e6);
}

bool save_csv(const Report& report, const std::string& path) {
  std::ofstream out(path);
  const Machine m = this_machine();
  out << fmt::format("# volary {}, {}, {} cores, {}\n", VOLARY_VERSION, m.cpu, m.cores, m.os);
  out << "name,value,unit,wall,ratio_to_yardstick,share_of_fma_peak,traffic,share_of_bandwidth,bytes_per_agent\n";
  for (const Row& row : report.rows) {
    out << fmt::format("{},{},{}", row.name, text_of(row.value), row.unit);
    for (const char* key : {"wall", "ratio_to_yardstick", "share_of_fma_peak", "traffic", "share_of_bandwidth", "bytes_per_agent"})
      out << "," << extra_text(row, key, 1, "{:.5g}");
    out << "\n";
  }
  return static_cast<bool>(out.flush());
}

bool is_bar(const BenchCase& c) {
  return std::any_of(std::begin(kBars), std::end(kBars), [&](const Bar& b) {
    return c.fused == 1 && c.lanes >= 8 && c.control == b.control && c.features == b.features && c.hash == b.hash && c.agents == b.agents &&
           c.threads == b.threads;
  });
}

core::Result<std::vector<Done>> measure_all(const std::vector<BenchCase>& cases, const Airframe& airframe) {
  std::vector<Done> done;
  for (std::size_t k = 0; k < cases.size(); ++k) {
    const BenchCase& c = cases[k];
    const core::Result<Measured> m = measure(c, airframe, is_bar(c) ? 7 : c.agents >= 1'000'000 ? 3 : 4);
    if (!m) return m.error();
    fmt::print(stderr, "[{}/{}] {}: {:.1f} M/s\n", k + 1, cases.size(), c.name(), m.value().rate / kMillion);
    done.push_back({c, m.value()});
  }
  return done;
}

core::Status bench_engine(const BenchOptions& o, Report& report) {
  const Loaded<Airframe> airframe = load_airframe("crazyflie", scenario_paths());
  if (!airframe) return core::Error{.message = airframe.error};
  const std::vector<BenchCase> cases = plan(o);
  if (cases.empty()) return core::Error{.message = "bench: no case has '" + o.filter + "' in its name (such as lanes=16/agents=10000)"};

  // the yardstick before and after: the better of both, as for every row
  Yardstick yardstick;
  fmt::print(stderr, "yardstick and probes ...\n");
  const std::string problem = run_yardstick(o.quick, yardstick);
  if (!problem.empty()) fail(problem);
  const Roof roof = probe_roof(report);
  const auto done = measure_all(cases, *airframe.value);
  if (!done) return done.error();
  if (problem.empty()) run_yardstick(true, yardstick);

  for (const auto& [name, value] : yardstick)
    if (name.starts_with("limit/")) report.add(name, value, "agent-steps/s");
  for (const Done& d : done.value()) add_case(d, roof, yardstick, report);
  add_bars(done.value(), yardstick, report);
  if (!o.quick && o.filter.empty()) return add_million(*airframe.value, report);
  return core::ok();
}

int bench(const BenchOptions& o) {
  if (!o.load.empty()) {
    const core::Status s = send_bench_load(o.load, o.vehicles);
    return s ? kDone : fail(s.error().text());
  }
  Report report{"bench", {}};
  const std::pair<const char*, std::function<core::Status()>> parts[] = {
      {"engine", [&] { return bench_engine(o, report); }},      {"recording", [&] { return bench_recording(report); }},
      {"stream", [&] { return bench_stream(report); }},         {"swarm", [&] { return bench_swarm(report); }},
      {"aircraft", [&] { return bench_aircraft(report); }},     {"senses", [&] { return bench_senses(report); }},
      {"inputs", [&] { return bench_inputs(report, o.full); }}, {"state", [&] { return bench_state(report); }},
      {"federation", [&] { return bench_federation(report); }}, {"serial", [&] { return bench_serial(report); }},
      {"platforms", [&] { return bench_platforms(report); }},   {"broker", [&] { return bench_broker(report, o.full, o.plot); }},
      {"viewer", [&] { return bench_viewer(report); }}};
  for (const auto& [name, run] : parts) {
    if (!o.has(name)) continue;
    fmt::print(stderr, "{} ...\n", name);
    if (const core::Status s = run(); !s) return fail(s.error().text(), name == parts[0].first && !o.filter.empty() ? kBadInput : kFailed);
  }
  if (!o.save.empty() && !save_csv(report, o.save)) return fail("cannot write " + o.save);
  if (o.json) {
    print_json(report);
    return kDone;
  }
  print_cases(report);
  print_bars(report);
  print_million(report);
  print_edges(report);
  print_aircraft(report);
  print_senses(report);
  return kDone;
}

}  // namespace

void add_bench(CLI::App& app, Action& action) {
  auto o = std::make_shared<BenchOptions>();
  CLI::App* c = app.add_subcommand("bench", "Measure the speed of the engine, recording, stream and page, relative to a yardstick on the same machine.");
  c->add_option("PART", o->parts,
                "parts to measure: engine, recording, stream, swarm, aircraft, platforms, senses, inputs, state, federation, serial, broker, viewer; default: "
                "all but broker and viewer")
      ->check(CLI::IsMember(
          {"engine", "recording", "stream", "swarm", "aircraft", "platforms", "senses", "inputs", "state", "federation", "serial", "broker", "viewer"}));
  c->add_flag("--quick", o->quick, "measure only the engine's cases that have a threshold, at 10,000 agents on one thread");
  c->add_flag("--full", o->full, "measure every combination, which takes much longer")->excludes("--quick");
  c->add_option("--filter", o->filter, "measure only the engine's cases whose name contains this text; default: all cases");
  c->add_option("--save", o->save, "path of a CSV file to write the rows to as well; default: no file");
  c->add_option("--plot", o->plot, "path of an HTML page to write with the curves of the part broker; default: no page");
  c->add_flag("--json", o->json, "print the report as one JSON object on stdout");
  c->add_option("--load", o->load, "")->group("");
  c->add_option("--vehicles", o->vehicles, "")->group("");
  c->footer(
      "Parts:\n"
      "  engine     agent-steps per second.\n"
      "  recording  size and speed of recorded trajectories, cost of recording, other interpolators.\n"
      "  stream     10,000 vehicles sent to four clients.\n"
      "  swarm      whole ticks of worlds with radio, detection, behaviours and contact.\n"
      "  aircraft   wings, tables, weather, and worlds with several kinds of vehicles.\n"
      "  platforms  platforms of several aircraft with their controllers, and 200 of them against real time.\n"
      "  senses     IMU, every other sensor and the estimator: time per vehicle and tick.\n"
      "  inputs     setpoints for 1,000 vehicles in every tick, mirrors, and the cost of recording them; an hour with --full.\n"
      "  state      snapshots next to a copy of the same bytes, reset of worlds by mask, agents with actions and observations.\n"
      "  federation alignment, going back, and the age of what is shown under loss and delay, for every mode of alignment.\n"
      "  serial     round trip and jitter of a loop at 250 Hz through a pseudo terminal, with a stand-in for a board, in real time.\n"
      "  broker     latency and age of states of flying vehicles in many processes over a real MQTT broker.\n"
      "             With --full also every mode of alignment over the broker, a minute each.\n"
      "  viewer     frame rates of the page, measured by the browser tests, which it runs.\n\n"
      "A step is one substep of 1 ms of one vehicle: control, motors, RK4. Rates are per CPU time: the best of\n"
      "several runs of 0.15 s after settling. The rate per wall-clock time is in the next column.\n"
      "The yardstick is benchmarks/quadrotor_limit_cpu.cpp, which runs before and after the cases.\n"
      "FMA peak and streaming bandwidth are measured in the same run. The share of FMA peak counts 678 FLOP per\n"
      "step and is given for basic rate-controlled steps only.\n"
      "Leave the machine idle otherwise while the engine is measured: about 5 minutes, 1 minute with --quick.\n\n"
      "Examples:\n  volary bench --quick\n  volary bench recording stream\n  volary bench --filter lanes=16/agents=10000 --json\n  volary bench --save "
      "benchmarks/my_machine.csv");
  c->callback([=, &action] { action = [=] { return bench(*o); }; });
}

}  // namespace volary::cli
