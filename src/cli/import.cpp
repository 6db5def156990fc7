// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// volary import: logs of autopilots become a recording, in which mirrors fly what the logs say.
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "cli/command.hpp"
#include "cli/flight.hpp"
#include "cli/import_info.hpp"
#include "cli/import_plan.hpp"
#include "cli/progress.hpp"
#include "cli/report.hpp"
#include "cli/run_recorder.hpp"
#include "cli/signals.hpp"
#include "scenario/load.hpp"
#include "scenario/warnings.hpp"

namespace volary::cli {

namespace {

struct ImportCommand {
  std::vector<std::string> logs;
  std::string align = "auto";
  ImportOptions options;
  RecordOptions record;
  bool info = false, json = false, quiet = false;
};

Report report_of(const ImportPlan& plan, const Flight& flight, const RunRecorder& recorder) {
  Report report{"import", {}};
  for (const ImportedLog& l : plan.logs) {
    report.add(l.name + "/vehicle", l.flight.vehicle, "", {{"note", l.flight.firmware}});
    report.add(l.name + "/start", l.start, "s");
    report.add(l.name + "/duration", l.flight.duration(), "s", {{"note", "from " + l.flight.sources}});
    if (l.flight.gaps > 0)
      report.add(l.name + "/gaps", static_cast<std::int64_t>(l.flight.gaps), "", {{"note", fmt::format("the longest {:.1f} s", l.flight.longest_gap)}});
  }
  report.add("vehicles", static_cast<std::int64_t>(plan.logs.size()));
  if (plan.logs.size() > 1) report.add("aligned by", std::string(plan.by_utc ? "UTC" : "start"));
  report.add("duration", flight.simulated, "s");
  report.add("ticks", static_cast<std::int64_t>(flight.ticks));
  report.add("recording", recorder.path());
  report.add("size", static_cast<std::int64_t>(recorder.bytes()), "B");
  return report;
}

int import_logs(ImportCommand o) {
  if (o.info) return show_logs(o.logs, o.json);
  o.options.align = o.align == "utc" ? Align::Utc : o.align == "start" ? Align::Start : Align::Auto;
  if (const auto checked = recorder_options(o.record); !checked) return fail("import: " + checked.error().text());
  if (!o.record.file.empty() && std::filesystem::exists(o.record.file)) return fail("import: " + o.record.file + ": exists already (choose another name)");
  const core::Result<ImportPlan> plan = plan_import(o.logs, o.options);
  if (!plan) return fail(plan.error().text());
  const core::Result<WorldDef> def = scenario::load_bundle(plan.value().bundle);
  if (!def) return fail("import: " + def.error().text());
  if (!o.quiet)
    for (const std::string& text : scenario::warnings_of(def.value())) warn(text);
  std::string error;
  RunOptions run;
  run.hash_every_tick = true;
  const auto world = World::create(def.value(), run, &error);
  if (world == nullptr) return fail("import: " + error);
  catch_signals();
  Flight flight;
  RunRecorder recorder(o.record, flight.log);
  recorder.set_bundle(plan.value().bundle);
  ProgressLine line(o.quiet || o.json);
  FlightPlan as_fast_as_it_goes{0, is_interrupted, {&recorder, &line}};
  fly(*world, as_fast_as_it_goes, flight);
  if (recorder.path().empty()) return fail("import: nothing was recorded", kFailed);
  const Report report = report_of(plan.value(), flight, recorder);
  o.json ? print_json(report) : print_rows(report);
  if (!flight.failure.empty()) return fail("import: " + flight.failure, kFailed);
  return flight.interrupted ? kFailed : kDone;
}

}  // namespace

void add_import(CLI::App& app, Action& action) {
  auto o = std::make_shared<ImportCommand>();
  CLI::App* c = app.add_subcommand("import", "Make a recording from logs of PX4 (ULog) or ArduPilot (DataFlash), or print what is in them.");
  c->add_option("LOG", o->logs, "paths of logs: .ulg or .bin; each becomes a vehicle")->required()->type_name("FILE");
  c->add_flag("--info", o->info, "print what is in the logs, and make no recording");
  c->add_option("-o,--record", o->record.file, "path of the recording; default: a new file in the library of runs");
  c->add_option("--tick", o->options.tick, "time of one tick of the recording in seconds")->check(CLI::Range(1e-4, 1.0))->capture_default_str();
  c->add_option("--align", o->align,
                "utc: by the time of day; start: all begin together; auto: by UTC if all logs have it and lie less than an hour apart")
      ->check(CLI::IsMember({"auto", "utc", "start"}))
      ->capture_default_str();
  c->add_option("--airframe", o->options.airframe,
                "name in assets/vehicles, or path, of the airframe whose size and shape the vehicles have; default: a small sphere");
  c->add_option("--record-limit", o->record.limit, "size limit of the recording such as 500MB, or none")->capture_default_str();
  c->add_flag("--json", o->json, "print the report as one JSON object on stdout");
  c->add_flag("-q,--quiet", o->quiet, "print no progress and no warnings on stderr");
  c->footer(
      "The recording opens, replays and exports like any other. It needs the logs no more.\n"
      "Flight modes, arming and texts of the logs are its events. docs/logs.md has the details.\n\n"
      "Examples:\n"
      "  volary import flight.ulg --info                  messages, rates, vehicle, firmware\n"
      "  volary import flight.ulg                         a recording in the library of runs\n"
      "  volary import a.ulg b.bin -o both.vrec           two vehicles, aligned by UTC\n"
      "  volary import flight.bin --airframe x500 --tick 0.02");
  c->callback([=, &action] { action = [=] { return import_logs(*o); }; });
}

}  // namespace volary::cli
