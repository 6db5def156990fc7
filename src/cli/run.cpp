// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// volary run: a scenario from beginning to end, with progress and a closing table.
#include <CLI/CLI.hpp>
#include <charconv>
#include <csignal>
#include <memory>

#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/compare.hpp"
#include "cli/flight.hpp"
#include "cli/paths.hpp"
#include "cli/progress.hpp"
#include "cli/report.hpp"

namespace volary::cli {

namespace {

struct RunCommand {
  std::string scenario = "default";
  std::vector<std::string> set;
  std::string seed, duration, speed = "max";
  RunOptions options;
  bool json = false, quiet = false, hash = false, compare = false;
};

volatile std::sig_atomic_t interrupted = 0;

// parts of a second are allowed, words are not
bool parse_speed(const std::string& text, double& speed) {
  if (text == "max") return speed = 0, true;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), speed);
  return code == std::errc() && end == text.data() + text.size() && speed > 0 && speed < 1e9;
}

// --seed and --duration are overrides like any other: the same checks, the same messages
std::vector<std::string> overrides_of(const RunCommand& o) {
  std::vector<std::string> list = o.set;
  if (!o.seed.empty()) list.push_back("seed=" + o.seed);
  if (!o.duration.empty()) list.push_back("duration=" + o.duration);
  return list;
}

std::string list_of(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 10;
  std::string text;
  for (std::size_t k = 0; k < names.size() && k < kMost; ++k) text += (k == 0 ? "" : ", ") + names[k];
  return names.size() > kMost ? text + fmt::format(" and {} more", names.size() - kMost) : text;
}

void add_figures(const World& world, const Flight& f, std::size_t n_vehicles, Report& report) {
  report.add("scenario", world.def().name);
  report.add("vehicles", static_cast<std::int64_t>(n_vehicles));
  report.add("simulated time", f.simulated, "s");
  report.add("wall time", f.wall, "s");
  report.add("real-time factor", f.factor, "");
  if (f.overruns > 0) report.add("overruns", static_cast<std::int64_t>(f.overruns), "ticks");
  if (f.error.samples > 0) {
    const std::string note = f.error.every > 1 ? fmt::format("looked at every {} ticks", f.error.every) : "";
    report.add("tracking error/max", f.error.max, "m", {{"note", note}});
    report.add("tracking error/rms", f.error.rms(), "m", {{"note", note}});
  }
  for (const auto& [kind, n] : f.events) {
    Row& row = report.add("events/" + kind, static_cast<std::int64_t>(n));
    if (kind == "diverged") row.extra.push_back({"note", list_of(f.diverged)});
  }
  report.add("ticks", static_cast<std::int64_t>(world.tick()), "", {{"note", std::string(f.interrupted ? "interrupted" : "")}});
  report.add("state hash", hex64(world.hash()));
}

void add_profile(const World& world, double wall, Report& report) {
  for (const StageTime& s : world.profile())
    report.add("profile/" + s.stage, s.seconds, "s", {{"note", wall > 0 ? fmt::format("{:.1f} %", 100 * s.seconds / wall) : std::string()}});
}

int add_comparison(const World& world, const RunCommand& o, Report& report) {
  const auto rows = compare_controllers(world.def(), o.options, [] { return interrupted == 0; });
  if (!rows) return fail(rows.error().text());
  for (const Compared& c : rows.value()) {
    std::vector<std::pair<std::string, Value>> extra = {{"rms", c.rms}, {"diverged", c.diverged}};
    report.add("compare/" + c.controller + "/max", c.max, "m", std::move(extra));
  }
  return kDone;
}

void print_comparison(const Report& report) {
  std::vector<std::vector<std::string>> cells;
  for (const Row& row : report.rows) {
    if (!row.name.starts_with("compare/")) continue;
    const std::string name = row.name.substr(8, row.name.size() - 12);
    cells.push_back({name, text_of(row.value), text_of(row.extra[0].second), std::get<bool>(row.extra[1].second) ? "diverged" : ""});
  }
  if (cells.empty()) return;
  fmt::print("\n");
  print_table({"controller", "max error (m)", "rms error (m)", ""}, cells);
}

void print_report(const Report& report) {
  Report plain{report.command, {}};
  for (const Row& row : report.rows)
    if (!row.name.starts_with("compare/")) plain.rows.push_back(row);
  print_rows(plain);
  print_comparison(report);
}

Flight fly_watched(World& world, const RunCommand& o, double speed) {
  // a second Ctrl-C ends the program at once
  struct sigaction action = {};
  action.sa_handler = [](int) { interrupted = 1; };
  action.sa_flags = SA_RESETHAND;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  ProgressLine line(world.def().name, world.def().duration, o.quiet);
  const Flight flight = fly(world, speed, [&](double done, const Pace& pace) {
    line.show(done, pace);
    return interrupted == 0;
  });
  line.finish();
  return flight;
}

int run_scenario(const RunCommand& o) {
  double speed = 0;
  if (!parse_speed(o.speed, speed)) return fail("run: --speed: '" + o.speed + "' is neither a positive number nor max");
  const core::Result<std::string> path = find_scenario(o.scenario);
  if (!path) return fail(path.error().text());
  const Loaded<WorldDef> def = load_scenario(path.value(), scenario_paths(), overrides_of(o));
  if (!def) return fail(def.error);
  std::string error;
  const auto world = World::create(*def.value, o.options, &error);
  if (world == nullptr) return fail(path.value() + ": " + error);

  const std::size_t n_vehicles = world->n_vehicles();
  const Flight flight = fly_watched(*world, o, speed);
  Report report{"run", {}};
  add_figures(*world, flight, n_vehicles, report);
  if (o.options.profile) add_profile(*world, flight.wall, report);
  const bool compares = (o.compare || def.value->compare_controllers) && !flight.interrupted;
  if (compares)
    if (const int code = add_comparison(*world, o, report); code != kDone) return code;
  if (o.json)
    print_json(report);
  else if (o.hash)
    fmt::print("{}\n", hex64(world->hash()));
  else
    print_report(report);
  if (flight.diverged.empty()) return kDone;
  return fail(fmt::format("{} vehicle(s) diverged: {}", flight.diverged.size(), list_of(flight.diverged)), kFailed);
}

}  // namespace

void add_run(CLI::App& app, Action& action) {
  auto o = std::make_shared<RunCommand>();
  CLI::App* c = app.add_subcommand("run", "Run a scenario and print what happened.");
  c->add_option("SCENARIO", o->scenario, "a .yaml file, or a name in scenarios/")->capture_default_str();
  c->add_option("--seed", o->seed, "of everything random, instead of the scenario's");
  c->add_option("--duration", o->duration, "in simulated seconds, instead of the scenario's");
  c->add_option("--speed", o->speed, "simulated seconds per second, or max")->capture_default_str();
  c->add_option("--threads", o->options.threads, "never changes the result")->check(CLI::Range(1, 1024))->capture_default_str();
  c->add_option("--lanes", o->options.lanes, "floats side by side: 1, 4, 8 or 16; 0: the widest there is; never changes the result")
      ->check(CLI::IsMember({0, 1, 4, 8, 16}))
      ->capture_default_str();
  c->add_option("--set", o->set, "override a field, path=value; may be repeated")->allow_extra_args(false);
  c->add_flag("--compare-controllers", o->compare, "fly it again with each controller and tabulate the tracking errors");
  c->add_flag("--profile", o->options.profile, "time spent in each stage of a step");
  c->add_flag("--hash", o->hash, "print only the hash of the final state");
  c->add_flag("--json", o->json, "one JSON object on stdout");
  c->add_flag("-q,--quiet", o->quiet, "no progress on stderr");
  c->footer(
      "The same scenario and seed give the same state hash on every machine, at every thread and lane count.\n"
      "Exit code 1 when a vehicle diverged. Ctrl-C ends the run and still prints the table.\n\n"
      "Examples:\n"
      "  volary run                                       scenarios/default.yaml\n"
      "  volary run rpt_circle                            a name in scenarios/\n"
      "  volary run my.yaml --speed 1                     in real time\n"
      "  volary run default --set environment.wind=[3,0,0] --seed 7\n"
      "  volary run default --threads 2 --profile --json");
  c->callback([=, &action] { action = [=] { return run_scenario(*o); }; });
}

}  // namespace volary::cli
