// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/replay_export.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "cli/command.hpp"
#include "cli/paths.hpp"
#include "cli/percent.hpp"
#include "cli/report.hpp"
#include "core/suggest.hpp"
#include "replay/exports.hpp"

namespace volary::cli {

namespace {

using replay::ExportKind;

struct KindName {
  const char* name;
  ExportKind kind;
  bool columns, tables;  // whether it has such
};
constexpr KindName kKinds[] = {{"csv", ExportKind::Csv, true, true},
                               {"npz", ExportKind::Npz, true, true},
                               {"mcap", ExportKind::Mcap, true, true},
                               {"tum", ExportKind::Tum, false, false},
                               {"kml", ExportKind::Kml, false, true},
                               {"ulog", ExportKind::Ulog, false, true}};
const std::vector<std::string> kTables = {"events", "tasks", "messages", "none"};

const KindName* find_kind(const std::string& name) {
  const auto* found = std::find_if(std::begin(kKinds), std::end(kKinds), [&](const KindName& k) { return k.name == name; });
  return found == std::end(kKinds) ? nullptr : found;
}

bool has(const std::vector<std::string>& words, const char* word) { return std::find(words.begin(), words.end(), word) != words.end(); }

void add_counts(const replay::Exported& done, bool exact, Report& report) {
  report.add("files", static_cast<std::int64_t>(done.files));
  report.add("samples", static_cast<std::int64_t>(done.samples), "", {{"note", std::string(exact ? "exact, simulated again" : "from the view layer")}});
  if (done.missing > 0) report.add("missing", static_cast<std::int64_t>(done.missing), "samples", {{"note", std::string("not in the recorded trajectories")}});
  for (const auto& [name, n] : {std::pair{"events", done.events}, std::pair{"task changes", done.tasks}, std::pair{"message outcomes", done.messages}})
    if (n > 0) report.add(name, static_cast<std::int64_t>(n));
  report.add("size", static_cast<std::int64_t>(done.bytes), "B");
}

}  // namespace

void add_export_options(CLI::App& c, ExportCommand& o) {
  c.add_option("--export", o.to, "export the run: csv FILE, npz FILE, mcap FILE, tum FOLDER, kml FILE, ulog FOLDER or html FILE")->expected(2)->type_name("{csv,npz,mcap,tum,kml,ulog,html} OUT");
  c.add_option("--rate", o.rate, "samples per second of the export; 0: every tick")->check(CLI::Range(0.0, 1e6))->capture_default_str();
  c.add_option("--columns", o.columns, "columns of csv, npz and mcap, such as position,setpoint.position,rotor_speed; all: every column; default: pose, velocities, setpoint, rotors, air and mode")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAME,...");
  c.add_option("--tables", o.tables, "tables beside that of the vehicles: events, tasks, messages or none; default: all that the format has")->delimiter(',')->allow_extra_args(false)->type_name("NAME,...");
  c.add_flag("--view", o.view, "export the recorded trajectories, which is quick but holds only within their error bounds, instead of exact values from a new simulation");
}

std::string why_not(const ExportCommand& o) {
  if (o.to.empty()) return o.view || !o.columns.empty() || !o.tables.empty() ? "replay: --view, --columns and --tables belong to --export KIND OUT" : "";
  if (o.to.size() != 2) return "replay: --export needs a kind and a name, such as --export csv flight.csv";
  const KindName* kind = find_kind(o.to[0]);
  std::vector<std::string> known = {"html"};
  for (const KindName& k : kKinds) known.push_back(k.name);
  if (kind == nullptr && o.to[0] != "html") return fmt::format("replay: --export: '{}' is not known ({})", o.to[0], core::did_you_mean(o.to[0], known));
  if (!o.columns.empty() && (kind == nullptr || !kind->columns)) return fmt::format("replay: --columns belongs to csv, npz and mcap, not to {}", o.to[0]);
  if (!o.tables.empty() && (kind == nullptr || !kind->tables)) return fmt::format("replay: --tables belongs to csv, npz, mcap, kml and ulog, not to {}", o.to[0]);
  for (const std::string& t : o.tables)
    if (std::find(kTables.begin(), kTables.end(), t) == kTables.end()) return fmt::format("replay: --tables: '{}' is not known ({})", t, core::did_you_mean(t, kTables));
  if (o.view && (has(o.tables, "tasks") || has(o.tables, "messages"))) return "replay: --tables: the view layer has no tasks and no messages (leave out --view)";
  return "";
}

int export_run(const replay::Recording& r, const ExportCommand& o, const ExportRun& run) {
  const KindName* kind = find_kind(o.to[0]);
  Percent percent(run.quiet || run.json);
  replay::ExportOptions options;
  options.rate = o.rate;
  options.view = o.view;
  options.columns = o.columns;
  const auto wants = [&](const char* table) { return kind != nullptr && kind->tables && (o.tables.empty() || has(o.tables, table)); };
  options.events = wants("events"), options.tasks = wants("tasks"), options.messages = wants("messages") && kind->columns;
  options.threads = run.threads;
  options.may_run = run.may_run;
  options.progress = [&](double done) { percent.show(done); };
  const auto begin = std::chrono::steady_clock::now();
  const auto done = kind != nullptr ? replay::export_recording(r, kind->kind, o.to[1], options) : replay::export_html(r, o.to[1], page_folder() + "/standalone.html");
  if (!done) return fail(done.error().text());
  Report report{"replay", {}};
  report.add("exported", o.to[1]);
  if (kind == nullptr)
    report.add("size", static_cast<std::int64_t>(done.value().bytes), "B");
  else
    add_counts(done.value(), !o.view, report);
  report.add("wall time", std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), "s");
  run.json ? print_json(report) : print_rows(report);
  return kDone;
}

}  // namespace volary::cli
