// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// volary validate: the simulator beside data that others published, every figure beside its threshold.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/interpolation_check.hpp"
#include "cli/paths.hpp"
#include "cli/report.hpp"
#include "core/suggest.hpp"
#include "validation/check.hpp"
#include "validation/report.hpp"

namespace volary::cli {

namespace {

using validation::Check;
using validation::CheckReport;

struct ValidateOptions {
  std::vector<std::string> flights;
  std::vector<std::string> checks;
  std::string data, report, window;
  bool json = false;
};

std::vector<const Check*> known_checks() {
  std::vector<const Check*> all;
  for (const Check& c : validation::all_checks()) all.push_back(&c);
  all.push_back(&kInterpolationCheck);
  return all;
}

// those that were named, or all
core::Result<std::vector<const Check*>> chosen(const std::vector<std::string>& names) {
  std::vector<const Check*> checks;
  std::vector<std::string> known;
  for (const Check* c : known_checks()) {
    known.emplace_back(c->name);
    if (names.empty() || std::find(names.begin(), names.end(), c->name) != names.end()) checks.push_back(c);
  }
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    core::Error error;
    error.message = "unknown check '" + name + "'";
    error.suggestion = core::did_you_mean(name, known);
    return error;
  }
  return checks;
}

std::string data_folder(const ValidateOptions& o) {
  if (!o.data.empty()) return o.data;
  const char* folder = std::getenv("VOLARY_VALIDATION_DATA");
  return folder != nullptr ? folder : "";
}

// FROM:TO in seconds
core::Result<std::pair<double, double>> window_of(const std::string& text) {
  std::pair<double, double> w;
  const char* const end = text.data() + text.size();
  const auto [colon, bad] = std::from_chars(text.data(), end, w.first);
  if (bad == std::errc() && colon != end && *colon == ':')
    if (const auto [rest, worse] = std::from_chars(colon + 1, end, w.second); worse == std::errc() && rest == end && w.second > w.first) return w;
  core::Error error;
  error.message = "--window " + text + ": is not a time window";
  error.suggestion = "write FROM:TO in seconds, such as --window 270:300";
  return error;
}

void print_check(const CheckReport& r) {
  fmt::print("{}\n\n", r.title);
  if (!r.flown.empty()) fmt::print("  {}\n\n", r.flown);
  if (!r.table.empty()) print_table(r.header, r.table);
  fmt::print("\n");
  for (const std::string& remark : r.remarks) fmt::print("  {}\n", remark);
}

void add_rows(const CheckReport& r, Report& report) {
  for (const validation::Figure& f : r.figures) {
    if (!f.judged()) {
      report.add(f.name, f.value, f.unit);
      continue;
    }
    const bool at_most = f.sense == validation::Sense::AtMost;
    report.add(f.name, f.value, f.unit, {{"threshold", f.threshold}, {"sense", std::string(at_most ? "at_most" : "at_least")}, {"holds", f.holds()}});
  }
  for (const core::Error& e : r.errors) report.add(r.check + "/error", e.text(), "", {{"holds", false}});
}

struct Counts {
  std::size_t figures = 0, failed = 0, told = 0, errors = 0;  // judged, outside their thresholds, without a threshold, parts that could not be checked
};
Counts count(const std::vector<CheckReport>& reports) {
  Counts n;
  for (const CheckReport& r : reports) {
    for (const validation::Figure& f : r.figures) {
      (f.judged() ? n.figures : n.told) += 1;
      n.failed += f.holds() ? 0 : 1;
    }
    n.errors += r.errors.size();
  }
  return n;
}

Verdict verdict_of(const Counts& n) {
  const std::string rest = (n.told > 0 ? fmt::format("; {} without a threshold", n.told) : "") + (n.errors > 0 ? fmt::format("; {} parts could not be checked", n.errors) : "");
  return {n.failed > 0 ? "failed" : n.errors > 0 ? "incomplete" : "passed", fmt::format("{} figures, {} outside their thresholds{}", n.figures, n.failed, rest)};
}

core::Result<validation::CheckOptions> options_of(const ValidateOptions& o, const std::vector<const Check*>& checks) {
  const std::string data = data_folder(o);
  const bool needs_data = std::any_of(checks.begin(), checks.end(), [](const Check* c) { return c->needs_data; });
  if (data.empty() && o.flights.empty() && needs_data)
    return core::Error{.message =
                           "validate: no data: name the folder of published data with --data DIR or in VOLARY_VALIDATION_DATA, or a recording with --flight"};
  if (!data.empty() && !std::filesystem::is_directory(data)) return core::Error{.message = data + ": there is no such folder of published data"};
  validation::CheckOptions options{data, (std::filesystem::path(home_folder()) / "assets").string()};
  options.flights = o.flights;
  if (!o.window.empty()) {
    const core::Result<std::pair<double, double>> window = window_of(o.window);
    if (!window) return window.error();
    options.window = window.value();
  }
  return options;
}

// every recording that is named must be one that a chosen check scores
core::Status flights_are_known(const std::vector<std::string>& flights, const std::vector<const Check*>& checks) {
  for (const std::string& flight : flights) {
    if (!std::filesystem::exists(flight)) return core::Error{.message = "--flight: there is no such file or folder", .file = flight};
    if (std::any_of(checks.begin(), checks.end(), [&](const Check* c) { return c->takes_flight != nullptr && c->takes_flight(flight); })) continue;
    std::string known;
    for (const Check* c : checks)
      if (c->takes_flight != nullptr) known += fmt::format("{}{}: {}", known.empty() ? "" : "; ", c->name, c->data);
    return core::Error{.message = "--flight: no chosen check can score this recording",
                       .file = flight,
                       .suggestion = known.empty() ? "the chosen checks score no recordings" : "the chosen checks score " + known};
  }
  return core::ok();
}

// A check that was named has to give figures; one that was not is told to have no data, and passed over.
std::vector<CheckReport> run_checks(const std::vector<const Check*>& checks, const validation::CheckOptions& options, bool named) {
  const bool needs_data = std::any_of(checks.begin(), checks.end(), [](const Check* c) { return c->needs_data; });
  // a folder in which no check finds anything is the wrong one
  const bool has_data = std::any_of(checks.begin(), checks.end(), [&](const Check* c) { return c->needs_data && c->finds_data(options); });
  std::vector<CheckReport> reports;
  for (const Check* check : checks) {
    if (!named && !check->needs_data && ((needs_data && !has_data) || !options.flights.empty())) continue;
    CheckReport report;
    if (check->finds_data(options)) {
      core::Result<CheckReport> run = check->run(options);
      if (run)
        report = std::move(run).value();
      else
        report.errors.push_back(run.error());
      if (report.figures.empty() && report.errors.empty())
        report.errors.push_back({.message = fmt::format("the check '{}' found nothing that it could score", check->name), .file = options.data});
    } else {
      core::Error none{
          .message = fmt::format("no data for the check '{}'", check->name), .file = options.data, .suggestion = fmt::format("it looks for {}", check->data)};
      if (!named) {
        if (options.flights.empty()) fail(none.text());
        continue;
      }
      report.errors.push_back(std::move(none));
    }
    report.check = check->name;
    report.flown = check->flown;
    if (report.title.empty()) report.title = check->about;
    reports.push_back(std::move(report));
  }
  return reports;
}

int validate(const ValidateOptions& o) {
  const core::Result<std::vector<const Check*>> checks = chosen(o.checks);
  if (!checks) return fail(checks.error().text());
  const core::Result<validation::CheckOptions> options = options_of(o, checks.value());
  if (!options) return fail(options.error().text());
  if (const core::Status s = flights_are_known(o.flights, checks.value()); !s) return fail(s.error().text());
  const std::vector<CheckReport> reports = run_checks(checks.value(), options.value(), !o.checks.empty());
  if (reports.empty()) return kBadInput;

  const Counts n = count(reports);
  Report rows{"validate", {}, verdict_of(n)};
  if (!o.json) print_verdict(rows), fmt::print("\n");
  for (const CheckReport& r : reports) {
    add_rows(r, rows);
    if (!o.json) print_check(r);
  }
  if (o.json) print_json(rows);
  for (const CheckReport& r : reports)
    for (const core::Error& e : r.errors) fail(e.text());
  if (!o.report.empty())
    if (const core::Status s = validation::write_report(reports, o.report); !s) return fail(s.error().text());
  return n.errors > 0 ? kBadInput : n.failed > 0 ? kFailed : kDone;
}

}  // namespace

void add_validate(CLI::App& app, Action& action) {
  auto o = std::make_shared<ValidateOptions>();
  CLI::App* c = app.add_subcommand("validate", "Compare the simulator with published data.");
  std::vector<std::string> names;
  for (const Check* check : known_checks()) names.push_back(check->name);
  c->add_option("CHECK", o->checks, "names of the checks to run; default: all checks")->type_name(fmt::format("{{{}}}", fmt::join(names, ",")));
  c->add_option("--data", o->data, "folder of published data; default: the environment variable VOLARY_VALIDATION_DATA");
  c->add_option("--window", o->window, "part of a logged flight to score, FROM:TO in seconds; default: chosen by the check");
  c->add_option("--flight", o->flights, "files or folders of recordings to score, recognised by their columns; default: all recordings in --data");
  c->add_option("--report", o->report, "path of a report to write in Markdown, with plots in a folder beside it; default: no report");
  c->add_flag("--json", o->json, "print the report as one JSON object on stdout");
  std::string list;
  for (const Check* check : known_checks()) list += fmt::format("  {:<14} {}\n", check->name, check->about);
  c->footer("Checks:\n" + list +
            "\nEvery judged figure has a threshold. The exit code is 0 when all figures are within their thresholds, and 1 when one is not.\n"
            "It is 2 when requested data are missing or cannot be read.\n\n"
            "Examples:\n  volary validate --data ../shared/data\n  volary validate formation --report formation.md\n  volary validate nasa --data checkcases "
            "--report validation.md\n  volary validate aeroplane "
            "--data ../shared/data --window 290:310\n  volary validate crazyflie --data logs --flight logs/today.csv --window 6:20");
  c->callback([=, &action] { action = [=] { return validate(*o); }; });
}

}  // namespace volary::cli
