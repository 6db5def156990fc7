// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// volary run: a scenario from beginning to end, recorded, in the browser when somebody is there to look, with a closing table.
#include <CLI/CLI.hpp>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <memory>
#include <optional>
#include <thread>

#include <unistd.h>

#include <fmt/format.h>

#include "cli/autopilot_options.hpp"
#include "cli/command.hpp"
#include "cli/compare.hpp"
#include "cli/event_rows.hpp"
#include "cli/flight.hpp"
#include "cli/html_report.hpp"
#include "cli/mavlink_options.hpp"
#include "cli/output_file.hpp"
#include "cli/paths.hpp"
#include "cli/signals.hpp"
#include "cli/progress.hpp"
#include "cli/report.hpp"
#include "cli/run_report.hpp"
#include "cli/serial_report.hpp"
#include "cli/verdict.hpp"
#include "cli/watch.hpp"
#include "scenario/load.hpp"
#include "scenario/warnings.hpp"

namespace volary::cli {

namespace {

struct RunCommand {
  std::string scenario = "default";
  std::vector<std::string> set;
  std::string report;  // file; empty: none
  std::string seed, duration, speed;  // no speed: real time when somebody looks, as fast as it goes otherwise
  RunOptions options;
  RecordOptions record;
  MavlinkOptions mavlink;
  AutopilotOptions autopilots;
  int world = -1;  // of the batch, alone; none: all
  int port = 8642;
  bool port_given = false;
  bool headless = false, watch = false;
  bool json = false, quiet = false, hash = false, compare = false;

  // somebody is there to look
  bool is_watched() const {
    if (headless || json || hash || quiet) return watch;
    return watch || (isatty(STDOUT_FILENO) != 0 && isatty(STDERR_FILENO) != 0);
  }
};

// --seed and --duration are overrides like any other: the same checks, the same messages
std::vector<std::string> overrides_of(const RunCommand& o) {
  std::vector<std::string> list = o.set;
  if (!o.seed.empty()) list.push_back("seed=" + o.seed);
  if (!o.duration.empty()) list.push_back("duration=" + o.duration);
  if (o.world >= 0) list.insert(list.end(), {"worlds=1", "first_world=" + std::to_string(o.world)});
  return list;
}

void add_profile(const Ending& end, double wall, Report& report) {
  for (const StageTime& s : end.profile)
    report.add("profile/" + s.stage, s.seconds, "s", {{"note", wall > 0 ? fmt::format("{:.1f} %", 100 * s.seconds / wall) : std::string()}});
}

core::Status add_comparison(const WorldDef& def, const RunCommand& o, Report& report) {
  const auto rows = compare_controllers(def, o.options, [] { return !is_interrupted(); });
  if (!rows) return rows.error();
  for (const Compared& c : rows.value()) {
    std::vector<std::pair<std::string, Value>> extra = {{"rms", c.rms}, {"diverged", c.diverged}};
    report.add("compare/" + c.controller + "/max", c.max, "m", std::move(extra));
  }
  return core::ok();
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
  Report plain{report.command, {}, report.verdict};
  for (const Row& row : report.rows)
    if (!row.name.starts_with("compare/") && !is_of_boards(row)) plain.rows.push_back(row);
  print_rows(plain);
  print_boards(report);
  print_comparison(report);
}

// a run that came to its end, and what it left behind
struct Run {
  const Ending& ending;
  const Flight& flight;
  const FlightTrace& trace;
  std::string recording;  // path, empty: none
  std::uint64_t bytes = 0;
  std::vector<autopilot::BoardFigures> boards = {};
};

core::Result<Report> report_of(const Run& run, const WorldDef& def, const RunCommand& o) {
  Report report{"run", {}, verdict_of(run.ending.tasks, run.flight.log, !run.flight.interrupted)};
  add_figures(run.ending, run.flight, report);
  add_swarm(run.ending, run.flight.log.closest, report);
  add_mission(run.ending, report);
  add_boards(run.boards, report);
  add_recording(run.recording, run.bytes, report);
  if (o.options.profile) add_profile(run.ending, run.flight.wall, report);
  const bool compares = (o.compare || def.compare_controllers) && !run.flight.interrupted && run.ending.name == def.name;
  if (compares)
    if (const core::Status compared = add_comparison(def, o, report); !compared) return compared.error();
  return report;
}

// "2026-11-16 18:02 UTC"
std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  return std::string(text, std::strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &utc));
}

// prints the report, writes the page where one is wanted, and says how the run ended
int finish(const Run& run, const WorldDef& def, const RunCommand& o, OutputFile& page) {
  core::Result<Report> made = report_of(run, def, o);
  if (!made) return fail(made.error().text());
  Report& report = made.value();
  core::Status written = core::ok();
  if (page.is_wanted()) {
    const bool is_ours = run.ending.name == def.name;  // the page may have started another scenario
    written = page.write(html_of({report, run.ending, run.trace, is_ours ? overrides_of(o) : std::vector<std::string>{}, utc_now()}));
    if (written) report.add("report", page.path());
  }
  if (o.json)
    print_json(report);
  else if (o.hash)
    fmt::print("{}\n", hex64(run.ending.hash));
  else
    print_report(report);
  if (!o.quiet) tell_log(run.flight.log);
  const int code = outcome_of(run.flight, *report.verdict);
  return written ? code : fail("run: --report: " + written.error().text(), kFailed);
}

// who flies the vehicles from outside
struct Edges {
  const MavlinkEdges& mavlink;
  Autopilots& autopilots;
};

// as fast as asked, to the end, and then the table
int run_alone(const WorldDef& def, const RunCommand& o, double speed, RunRecorder& recorder, Flight& flight, const Edges& edges, OutputFile& page) {
  std::string error;
  const auto world = World::create(def, o.options, &error);
  if (world == nullptr) return fail(def.name + ": " + error);
  const std::size_t n_vehicles = world->n_vehicles();
  ProgressLine line(o.quiet);
  FlightTrace trace;
  FlightPlan plan{speed, is_interrupted, {&recorder, &line}};
  if (page.is_wanted()) plan.sinks.push_back(&trace);
  edges.mavlink.plug_into(plan.sources, plan.sinks);
  for (runner::Source* source : edges.autopilots.sources()) plan.sources.push_back(source);
  fly(*world, plan, flight);
  const Ending end = ending_of(*world, n_vehicles);
  return finish({end, flight, trace, recorder.path(), recorder.bytes(), edges.autopilots.boards()}, def, o, page);
}

// in the browser: the swarm flies, and when it is done the page replays it until Ctrl-C
int run_watched(const WorldDef& def, const RunCommand& o, double speed, Watched& watched, const Edges& edges, OutputFile& page) {
  server::ServeOptions s = page_options();
  s.session.run = o.options;
  s.session.run.profile = true;
  s.session.speed = speed;
  s.port = static_cast<unsigned short>(o.port);
  s.only_this_port = o.port_given;
  watched.plug_into(s);
  edges.mavlink.plug_into(s.session);
  edges.autopilots.plug_into(s);
  const bool has_page = std::filesystem::exists(std::filesystem::path(s.page) / "index.html");
  auto opened = server::serve_world(def, std::move(s));
  if (!opened) return fail("run: " + opened.error().text(), kFailed);
  server::Service& service = *opened.value();
  fmt::print("{}\n", service.url());
  if (!has_page) fmt::print(stderr, "volary: the page is not built; only the API is served\n");
  std::fflush(stdout);
  int code = kDone;
  const auto show = [&](const Watched::Finished& run) {
    code = finish({run.ending, run.flight, run.trace, run.recording, run.bytes, edges.autopilots.boards()}, def, o, page);
  };
  while (!is_interrupted()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    if (const auto run = watched.take_finished()) {
      show(*run);
      fmt::print("\nreplaying at {} until Ctrl-C\n", service.url());
      std::fflush(stdout);
    }
  }
  service.stop();
  // a run that Ctrl-C ended has its table too
  if (const auto run = watched.take_finished()) show(*run);
  return code;
}

int run_scenario(const RunCommand& given) {
  RunCommand o = given;
  double speed = 0;
  if (!parse_speed(o.speed, speed)) return fail("run: --speed: '" + o.speed + "' is neither a positive number nor max");
  const bool watched = o.is_watched();
  const core::Result<std::string> path = find_scenario(o.scenario);
  if (!path) return fail(path.error().text());
  scenario::Bundle bundle;
  scenario::Paths paths;
  paths.assets = scenario_paths().assets;
  const core::Result<WorldDef> def = load_flown(path.value(), paths, overrides_of(o), o.autopilots, bundle);
  if (!def) return fail(def.error().text());
  if (!o.quiet)
    for (const std::string& text : scenario::warnings_of(def.value())) warn(text);
  if ((o.compare || def.value().compare_controllers) && !has_controllers(def.value()))
    return fail("run: --compare-controllers: there is nothing to compare: only multirotors have more than one controller, and no flock is of multirotors");
  if (const auto checked = recorder_options(o.record); !checked) return fail("run: " + checked.error().text());
  OutputFile page(o.report);
  if (const core::Status can = page.check(); !can) return fail("run: --report: " + can.error().text());
  o.options.hash_every_tick = !o.record.off;
  Autopilots autopilots(o.autopilots);
  if (const core::Status can = autopilots.use(bundle, def.value()); !can) return fail("run: " + can.error().text());
  if (o.speed.empty()) speed = watched || autopilots.are_used() || !o.mavlink.links.empty() || !o.mavlink.mirrors.empty() ? 1 : 0;
  if (const core::Status can = autopilots.pace(speed); !can) return fail("run: --speed: " + can.error().text());
  const auto mavlink = open_mavlink(o.mavlink, def.value(), o.quiet);
  if (!mavlink) return fail("run: " + mavlink.error().text());
  const Edges edges{mavlink.value(), autopilots};
  catch_signals();
  if (watched) {
    Watched live(o.record, page.is_wanted());
    live.recorder().set_bundle(std::move(bundle));
    return run_watched(def.value(), o, speed, live, edges, page);
  }
  Flight flight;
  RunRecorder recorder(o.record, flight.log);
  recorder.set_bundle(std::move(bundle));
  return run_alone(def.value(), o, speed, recorder, flight, edges, page);
}

}  // namespace

void add_run(CLI::App& app, Action& action) {
  auto o = std::make_shared<RunCommand>();
  CLI::App* c = app.add_subcommand("run", "Run a scenario in the browser, record it, and print a report.");
  c->add_option("SCENARIO", o->scenario, "path of a .yaml file, or the name of a scenario in scenarios/")->capture_default_str();
  c->add_option("--seed", o->seed, "seed of all random draws; default: the seed of the scenario");
  c->add_option("--duration", o->duration, "simulated length of the run in seconds; default: the duration of the scenario");
  c->add_option("--world", o->world, "index, from 0, of one world of the scenario's batch to run alone, bit for bit as in the batch; default: all worlds")
      ->check(CLI::Range(0, 262142));
  c->add_option("--speed", o->speed,
                "simulated seconds per second, or max for as fast as possible; default: 1 in the browser, with --mavlink, --mirror or autopilots, else max");
  c->add_flag("--headless", o->headless, "run without the page and exit after the report; this is the default without a terminal");
  c->add_flag("--watch", o->watch, "serve the page even without a terminal")->excludes("--headless");
  CLI::Option* port = c->add_option("--port", o->port, "TCP port of the page; default: 8642 or the next free port")->check(CLI::Range(0, 65535));
  add_record_options(*c, o->record);
  add_mavlink_options(*c, o->mavlink);
  add_autopilot_options(*c, o->autopilots);
  c->add_option("--threads", o->options.threads, "number of threads; the result does not depend on it")->check(CLI::Range(1, 1024))->capture_default_str();
  c->add_flag("--force-split", o->options.force_split, "split every stage of a step over all threads, however small it is; the result does not depend on it");
  c->add_option("--lanes", o->options.lanes, "SIMD width in floats: 1, 4, 8 or 16; 0: the widest of this CPU; the result does not depend on it")
      ->check(CLI::IsMember({0, 1, 4, 8, 16}))
      ->capture_default_str();
  c->add_option("--set", o->set, "override a field of the scenario, path=value; may be repeated")->allow_extra_args(false);
  c->add_option("--report", o->report, "path of an HTML page to write with verdict, plots and tables; default: none");
  c->add_flag("--compare-controllers", o->compare, "run the scenario again with each controller and tabulate the tracking errors");
  c->add_flag("--profile", o->options.profile, "report the time spent in each stage of a step");
  c->add_flag("--hash", o->hash, "print only the hash of the final state");
  c->add_flag("--json", o->json, "print the report as one JSON object on stdout");
  c->add_flag("-q,--quiet", o->quiet, "print no progress and no log lines on stderr");
  c->footer(
      "On a terminal the command prints an address. The page there shows the swarm, and replays the run afterwards until Ctrl-C.\n"
      "The same scenario and seed give the same state hash on every machine, for every number of threads and lanes.\n"
      "The exit code is 1 when a vehicle diverged or its script or plugin failed.\n"
      "It is also 1 when a required task failed or is still open at the end.\n"
      "Ctrl-C ends the run; the report is still printed.\n"
      "--report writes one HTML file that needs no network, also when tasks fail. It overwrites no file.\n\n"
      "Examples:\n"
      "  volary run                                       scenarios/default.yaml\n"
      "  volary run rpt_circle                            a name in scenarios/\n"
      "  volary run my.yaml --headless                    as fast as possible, without a page\n"
      "  volary run default --set environment.wind=[3,0,0] --seed 7\n"
      "  volary run default --threads 2 --profile --json\n"
      "  volary run search_and_rescue --report report.html\n"
      "  volary run default --mavlink udpout:127.0.0.1:14550     vehicles for a ground station on this machine\n"
      "  volary run px4_square --px4 build/px4_sitl_default/bin/px4\n"
      "  volary run px4_square --px4-serial /dev/ttyACM0         a board with PX4 in HIL mode");
  c->callback([=, &action] {
    o->port_given = port->count() > 0;
    action = [=] { return run_scenario(*o); };
  });
}

}  // namespace volary::cli
