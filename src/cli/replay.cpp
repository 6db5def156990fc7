// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// volary replay: what a recording holds, whether it flies again to the same bit, other futures from one of its moments, and
// exports for other programs.
#include <CLI/CLI.hpp>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/event_rows.hpp"
#include "cli/known_plugins.hpp"
#include "cli/flight.hpp"
#include "cli/percent.hpp"
#include "cli/record_options.hpp"
#include "cli/replay_export.hpp"
#include "cli/report.hpp"
#include "cli/verdict.hpp"
#include "math/scalar.hpp"
#include "replay/library.hpp"
#include "replay/modes.hpp"
#include "replay/recording.hpp"
#include "replay/resimulate.hpp"
#include "replay/summary.hpp"
#include "runner/runner.hpp"

namespace volary::cli {

namespace {

using replay::Recording;

struct ReplayCommand {
  std::string file;
  bool verify = false, branch = false, events = false, drop_inputs = false, allow_plugins = false, json = false, quiet = false;
  std::optional<double> at;
  std::optional<double> duration;
  std::vector<std::string> set;
  std::string record;
  ExportCommand to;
  std::string runs = runs_folder();
  int threads = 1;
};

// native code in a recording is somebody's program: it runs when it was built here, or when somebody says so
scenario::MayRun may_run(const ReplayCommand& o) { return o.allow_plugins ? scenario::MayRun(scenario::run_any) : scenario::MayRun(built_here); }

double seconds_since(std::chrono::steady_clock::time_point begin) { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); }

void add_contents(const Recording& r, Report& report) {
  const replay::RunSummary s = replay::summary_of(r);
  const double agent_seconds = s.duration * static_cast<double>(std::max<std::uint64_t>(1, s.vehicles));
  report.add("file", r.path());
  report.add("scenario", r.head().scenario);
  report.add("seed", fmt::format("{}", s.seed));
  report.add("started", s.started);
  report.add("written by", "volary " + r.head().program);
  report.add("state", s.state);
  report.add("vehicles", static_cast<std::int64_t>(s.vehicles), "", {{"note", fmt::format("{} in all", r.roster().size())}});
  report.add("from", r.seconds(r.first_tick()), "s");
  report.add("to", r.seconds(r.last_tick()), "s");
  report.add("ticks", static_cast<std::int64_t>(s.ticks));
  report.add("inputs", static_cast<std::int64_t>(r.inputs().size()));
  report.add("events", static_cast<std::int64_t>(r.events().size()));
  if (r.has_plots())
    if (const auto plots = r.plots())
      for (const replay::PlotSeries& p : plots.value())
        report.add("plots/" + p.name, static_cast<std::int64_t>(p.samples.size()), "", {{"note", p.flock < r.head().flocks.size() ? "flock " + r.head().flocks[p.flock].name : std::string()}});
  report.add("checkpoints", static_cast<std::int64_t>(r.checkpoint_ticks().size()));
  if (r.has_view()) {
    const replay::Bounds& b = r.head().bounds;
    report.add("view/position error", b.position, "m", {{"note", "at most, at every tick"}});
    report.add("view/velocity error", b.velocity, "m/s");
    report.add("view/attitude error", b.angle * 57.29577951308232, "deg");
  }
  report.add("size", static_cast<std::int64_t>(s.bytes), "B",
             {{"note", agent_seconds > 0 ? fmt::format("{}, {:.1f} B per vehicle-second", bytes_text(static_cast<double>(s.bytes)),
                                                       static_cast<double>(s.bytes) / agent_seconds)
                                         : std::string()}});
  for (const replay::TypeSize& t : r.sizes())
    report.add(fmt::format("size/{}", replay::name_of(t.type)), static_cast<std::int64_t>(t.stored), "B",
               {{"note", agent_seconds > 0 ? fmt::format("{} block(s), {:.2f} B per vehicle-second", t.blocks, static_cast<double>(t.stored) / agent_seconds)
                                           : fmt::format("{} block(s)", t.blocks)}});
  for (const auto& [name, value] : s.metrics) report.add("metric/" + name, value);
  report.add("state hash", s.hash.empty() ? std::string("lost") : s.hash);
  for (const std::string& p : r.problems()) report.add("problem", p);
}

int print(const Report& report, bool json, ExitCode code) {
  json ? print_json(report) : print_rows(report);
  return code;
}

int verify_recording(const Recording& r, const ReplayCommand& o, Report& report) {
  Percent percent(o.quiet || o.json);
  replay::VerifyOptions options;
  options.run.threads = o.threads;
  options.may_run = may_run(o);
  options.progress = [&](double done) { return percent.show(done), true; };
  const auto begin = std::chrono::steady_clock::now();
  const auto v = replay::verify(r, options);
  if (!v) return fail(v.error().text());
  const replay::Verification& found = v.value();
  report.add("verify/exact", found.exact());
  report.add("verify/compared", static_cast<std::int64_t>(found.compared), "ticks");
  report.add("verify/wall time", seconds_since(begin), "s");
  std::string missed;
  for (const replay::TickRange& t : found.not_compared) {
    const std::string which = fmt::format("ticks {} to {} ({:.2f} s to {:.2f} s)", t.first, t.last, r.seconds(t.first), r.seconds(t.last));
    report.add("verify/not compared", static_cast<std::int64_t>(t.last - t.first + 1), "ticks", {{"note", which + ": the hashes or inputs of these ticks are damaged"}});
    missed += (missed.empty() ? "" : ", ") + which;
  }
  if (found.end_lost) missed += fmt::format("{}everything after tick {} ({:.2f} s)", missed.empty() ? "" : ", ", r.end_tick(), r.seconds(r.end_tick()));
  for (const std::string& n : found.notes) report.add("verify/note", n);
  if (found.exact())
    for (const replay::Damage& d : r.scan().damage)
      if (d.blocks > 0) report.add("verify/note", fmt::format("block {} was lost ({}): the comparison does not need it", d.first_sequence, d.what));
  if (found.difference) {
    report.add("verify/first difference", static_cast<std::int64_t>(*found.difference), "tick",
               {{"note", fmt::format("{:.3f} s", r.seconds(*found.difference))}});
    report.add("verify/recorded", hex64(found.recorded));
    report.add("verify/flown", hex64(found.flown));
  }
  const std::string writer = r.head().program == VOLARY_VERSION ? "" : "; it was written by version " + r.head().program;
  report.verdict = found.exact()      ? Verdict{"passed", fmt::format("flown again, all {} hashes are equal", found.compared)}
                   : found.difference ? Verdict{"failed", fmt::format("flown again it differs from tick {} on{}", *found.difference, writer)}
                                      : Verdict{"failed", fmt::format("not compared: {}: the data for it are damaged", missed)};
  print(report, o.json, kDone);
  return found.exact() ? kDone : fail(fmt::format("{}: {}", r.path(), report.verdict->reason), kFailed);
}

// how a branch compares with what was recorded, looked at in every tick
struct BranchWatch final : runner::Sink {
  const Recording& recording;
  std::uint64_t from, end;
  Percent& percent;
  std::uint64_t same = 0;

  BranchWatch(const Recording& r, std::uint64_t first, std::uint64_t last, Percent& p) : recording(r), from(first), end(last), percent(p) {}
  void after_tick(World& world) override {
    if (recording.hash(world.tick()) == world.hash()) ++same;
    percent.show(static_cast<double>(world.tick() - from) / static_cast<double>(std::max<std::uint64_t>(1, end - from)));
  }
};

int branch_recording(const Recording& r, const ReplayCommand& o) {
  replay::BranchOptions options;
  options.run.threads = o.threads;
  options.may_run = may_run(o);
  options.overrides = o.set;
  auto made = replay::branch(r, *o.at, options);
  if (!made) return fail(made.error().text());
  if (o.drop_inputs) made.value().inputs.forget();
  World& world = *made.value().world;

  std::unique_ptr<replay::Recorder> recorder;
  if (!o.record.empty()) {
    RecordOptions record;
    record.file = o.record;
    auto opened = start_recording(record, world, made.value().bundle);
    if (!opened) return fail(opened.error().text());
    recorder = std::move(opened).value();
  }
  const std::uint64_t from = world.tick();
  const double tick = static_cast<double>(world.def().tick_ns) * 1e-9;
  const std::uint64_t end = o.duration ? from + static_cast<std::uint64_t>(math::round(*o.duration / tick)) : std::max(from, planned_ticks(world.def()));
  Percent percent(o.quiet || o.json);
  FlightLog log;
  BranchWatch watch(r, from, end, percent);
  runner::SteadyClock clock;
  runner::Runner runner(clock);
  runner.add(made.value().inputs);
  if (recorder) runner.add(*recorder);
  runner.add(log), runner.add(watch);
  runner.begin(world, {.end = end});
  if (runner.run() == runner::Outcome::Failed) return fail(runner.failure());
  const TrackingError& error = log.error;
  const Verdict verdict = verdict_of(world.standings(), log, world.tick() >= planned_ticks(world.def()));
  Report report{"replay", {}, verdict};
  report.add("scenario", world.def().name);
  report.add("branched at", r.seconds(from), "s");
  report.add("to", world.time(), "s");
  report.add("wall time", runner.elapsed(), "s");
  report.add("ticks", static_cast<std::int64_t>(world.tick() - from), "", {{"note", fmt::format("{} the same as in the recording", watch.same)}});
  report.add("vehicles", static_cast<std::int64_t>(world.n_vehicles()));
  if (error.samples > 0) {
    report.add("tracking error/max", error.max, "m");
    report.add("tracking error/rms", error.rms(), "m");
  }
  add_event_rows(log, report);
  report.add("state hash", hex64(world.hash()));
  if (recorder) {
    if (error.samples > 0) recorder->metric(world.tick(), "tracking_max", error.max, "m"), recorder->metric(world.tick(), "tracking_rms", error.rms(), "m");
    const core::Status closed = recorder->close();
    show_notices(*recorder);
    report.add("recording", recorder->path());
    if (!closed) return print(report, o.json, kFailed);
  }
  print(report, o.json, kDone);
  if (!verdict.is_failure()) return kDone;
  return tell_stopped(log) ? kFailed : fail(verdict.line(), kFailed);
}

int show_moment(const Recording& r, const ReplayCommand& o) {
  const auto frame = r.at(*o.at);
  if (!frame) return fail(frame.error().text());
  Report report{"replay", {}};
  report.add("time", frame.value().time, "s");
  report.add("vehicles", static_cast<std::int64_t>(frame.value().vehicles.size()));
  if (!frame.value().missing.empty()) report.add("missing", static_cast<std::int64_t>(frame.value().missing.size()));
  std::vector<std::vector<std::string>> cells;
  for (const replay::VehicleAt& v : frame.value().vehicles) {
    const replay::Pose& p = v.pose;
    const std::string name = r.roster()[v.vehicle].name;
    report.add("vehicle/" + name, fmt::format("{:.3f} {:.3f} {:.3f}", p.position[0], p.position[1], p.position[2]), "m",
               {{"east", p.position[0]},
                {"north", p.position[1]},
                {"up", p.position[2]},
                {"speed_east", static_cast<double>(p.velocity[0])},
                {"speed_north", static_cast<double>(p.velocity[1])},
                {"speed_up", static_cast<double>(p.velocity[2])},
                {"mode", std::string(replay::mode_name(v.mode))}});
    cells.push_back({name, fmt::format("{:.3f}", p.position[0]), fmt::format("{:.3f}", p.position[1]), fmt::format("{:.3f}", p.position[2]),
                     fmt::format("{:.2f}", p.velocity[0]), fmt::format("{:.2f}", p.velocity[1]), fmt::format("{:.2f}", p.velocity[2]),
                     replay::mode_name(v.mode)});
  }
  if (o.json) return print(report, true, kDone);
  print_table({"vehicle", "east (m)", "north (m)", "up (m)", "v east (m/s)", "v north", "v up", "mode"}, cells);
  if (!frame.value().missing.empty())
    fmt::print("{} more vehicle(s) flew at that time, but their trajectories are not in the recording\n", frame.value().missing.size());
  return kDone;
}

// every event with its time, who it happened to, and all of its text
int show_events(const Recording& r, const ReplayCommand& o) {
  Report report{"replay", {}};
  std::vector<std::vector<std::string>> cells;
  for (const Event& e : r.events()) {
    report.add("event", e.what, "", {{"time", r.seconds(e.tick)}, {"tick", static_cast<std::int64_t>(e.tick)}, {"vehicle", e.name}});
    cells.push_back({fmt::format("{:.2f}", r.seconds(e.tick)), e.name.empty() ? "-" : e.name, e.what});
  }
  if (o.json) return print(report, true, kDone);
  print_table({"time (s)", "vehicle", "event"}, cells, true);
  return kDone;
}

// a file as it is, or a run of the library by its id or the beginning of it
core::Result<std::string> find_recording(const std::string& name, const std::string& runs) {
  namespace fs = std::filesystem;
  std::error_code code;
  if (fs::exists(name, code) || name.find('/') != std::string::npos) return name;
  if (!fs::is_directory(runs, code)) return core::Error{.message = "'" + name + "' is not a file, and there are no runs in " + runs};
  const auto library = replay::Library::open(runs, replay::summarise);
  if (!library) return library.error();
  const auto run = library.value().find(name.ends_with(".vrec") ? name.substr(0, name.size() - 5) : name);
  if (run) return library.value().path_of(run.value().id);
  core::Error error = run.error();
  error.message = "'" + name + "' is not a file, and " + error.message;
  return error;
}

int replay_file(const ReplayCommand& o) {
  if (o.branch && !o.at) return fail("replay: --branch needs a time: --at T");
  if (!o.branch && (!o.set.empty() || !o.record.empty() || o.duration || o.drop_inputs))
    return fail("replay: --set, --record, --duration and --drop-inputs belong to --at T --branch");
  if (const std::string why = why_not(o.to); !why.empty()) return fail(why);
  const auto path = find_recording(o.file, o.runs);
  if (!path) return fail(path.error().text());
  auto opened = Recording::open(path.value());
  if (!opened) return fail(opened.error().text());
  const Recording& r = *opened.value();
  if (r.damaged())
    for (const std::string& p : r.problems()) std::fprintf(stderr, "volary: %s: %s\n", r.path().c_str(), p.c_str());
  if (!o.to.to.empty()) return export_run(r, o.to, {may_run(o), o.threads, o.json, o.quiet});
  if (o.branch) return branch_recording(r, o);
  if (o.events) return show_events(r, o);
  if (o.at) return show_moment(r, o);
  Report report{"replay", {}};
  add_contents(r, report);
  if (o.verify) return verify_recording(r, o, report);
  return print(report, o.json, kDone);
}

}  // namespace

void add_replay(CLI::App& app, Action& action) {
  auto o = std::make_shared<ReplayCommand>();
  CLI::App* c = app.add_subcommand("replay", "Inspect a recording, verify it by simulating it again, branch from it, or export it.");
  c->add_option("RUN", o->file, "path of a .vrec file, or id of a run as `volary runs` prints it")->required();
  c->add_flag("--verify", o->verify, "simulate the recorded run again and compare the hash of every tick");
  c->add_option("--at", o->at, "time in simulated seconds: print the state of every vehicle then, or start --branch there");
  c->add_flag("--events", o->events, "print every event with its time, vehicle and text");
  c->add_flag("--branch", o->branch, "continue as a new run from the time --at");
  c->add_option("--duration", o->duration, "simulated length of the branch in seconds; default: to the end of the scenario")->check(CLI::Range(0.0, 1e9));
  c->add_option("--set", o->set, "override a field of the scenario from the branch on, path=value; may be repeated")->allow_extra_args(false);
  c->add_flag("--drop-inputs", o->drop_inputs, "leave out the recorded inputs after the time --at");
  c->add_flag("--allow-plugins", o->allow_plugins, "run native code of the recording that was not built on this machine; use it only if you trust its source");
  c->add_option("--record", o->record, "path of the recording of the branch; default: the branch is not recorded");
  add_export_options(*c, o->to);
  c->add_option("--runs", o->runs, "folder of the recordings in which an id is looked up")->capture_default_str();
  c->add_option("--threads", o->threads, "number of threads; the result does not depend on it")->check(CLI::Range(1, 1024))->capture_default_str();
  c->add_flag("--json", o->json, "print the report as one JSON object on stdout");
  c->add_flag("-q,--quiet", o->quiet, "print no progress on stderr");
  c->footer(
      "A recording holds the scenario with all its files, every input, a hash per tick and checkpoints.\n"
      "It can be simulated again bit for bit, even when the original files have changed.\n"
      "Damage in a recording is reported with its ticks and skipped.\n"
      "An export simulates the run again and writes exact values, with units and error bounds in its header.\n"
      "If the run cannot be simulated again, the export fails and suggests what to do.\n"
      "The exit code is 1 when --verify finds a difference, or ticks that cannot be compared because of damage.\n\n"
      "Examples:\n"
      "  volary replay run.vrec                                  contents of the recording\n"
      "  volary replay run.vrec --verify                         compare bit for bit with a new simulation\n"
      "  volary replay run.vrec --events                         every event with its time and vehicle\n"
      "  volary replay run.vrec --at 12.5                        state of every vehicle at 12.5 s\n"
      "  volary replay run.vrec --at 12.5 --branch --set environment.wind=[6,0,0] --record windy.vrec\n"
      "  volary replay 20261115-0930                             a run of the library, by the beginning of its id\n"
      "  volary replay run.vrec --export csv flight.csv --rate 10\n"
      "  volary replay run.vrec --export npz flight.npz --columns position,setpoint.position,rotor_speed\n"
      "  volary replay run.vrec --export mcap flight.mcap        for Foxglove\n"
      "  volary replay run.vrec --export tum trajectories/       one file per vehicle, for evo\n"
      "  volary replay run.vrec --export kml flight.kml --rate 5 for maps and globes, if the world has an origin\n"
      "  volary replay run.vrec --export html flight.html        a page that needs no server\n"
      "  volary replay run.vrec --export csv coarse.csv --view   quick, within the error bounds of the recording");
  c->callback([=, &action] { action = [=] { return replay_file(*o); }; });
}

}  // namespace volary::cli
