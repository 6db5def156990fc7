// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/import_info.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "cli/command.hpp"
#include "cli/paths.hpp"
#include "logs/flight.hpp"
#include "scenario/node.hpp"

namespace volary::cli {

namespace {

// per second, between the first and the last
double rate_of(const logs::Table& t) {
  if (t.rows() < 2) return 0;
  const auto [low, high] = std::minmax_element(t.time_us.begin(), t.time_us.end());
  const double seconds = static_cast<double>(*high - *low) * 1e-6;
  return seconds > 0 ? static_cast<double>(t.rows() - 1) / seconds : 0;
}

std::string name_of(const logs::Table& t) { return t.instance == 0 ? t.name : fmt::format("{}[{}]", t.name, t.instance); }

// "2024-03-18 14:49:20 UTC"
std::string date_of(double utc) {
  const auto second = static_cast<std::time_t>(utc);
  std::tm parts{};
  gmtime_r(&second, &parts);
  return fmt::format("{:%Y-%m-%d %H:%M:%S} UTC", parts);
}

void add_flight(const logs::Log& log, const std::string& prefix, Report& report) {
  const core::Result<logs::Flight> flight = logs::flight_of(log);
  if (!flight) {
    report.add(prefix + "flight", std::string("none"), "", {{"note", flight.error().message}});
    return;
  }
  const logs::Flight& f = flight.value();
  report.add(prefix + "vehicle", f.vehicle);
  report.add(prefix + "firmware", f.firmware);
  report.add(prefix + "flight", f.duration(), "s", {{"note", "from " + f.sources}});
  if (f.utc) report.add(prefix + "started", date_of(*f.utc));
  if (f.origin) report.add(prefix + "origin", fmt::format("{:.7f}, {:.7f}, {:.1f} m", f.origin->latitude, f.origin->longitude, f.origin->height));
  report.add(prefix + "gaps", static_cast<std::int64_t>(f.gaps), "", {{"longest", f.longest_gap}});
  if (!f.outputs.empty()) report.add(prefix + "motor outputs", static_cast<std::int64_t>(f.outputs.front().values.size()));
}

}  // namespace

void add_log_rows(const logs::Log& log, const std::string& prefix, Report& report) {
  const auto span = log.span_us();
  double lost = 0;
  for (const logs::Dropout& d : log.dropouts) lost += d.seconds;
  report.add(prefix + "format", log.format);
  report.add(prefix + "size", static_cast<std::int64_t>(log.bytes), "B");
  report.add(prefix + "duration", span ? static_cast<double>(span->second - span->first) * 1e-6 : 0.0, "s");
  add_flight(log, prefix, report);
  report.add(prefix + "parameters", static_cast<std::int64_t>(log.parameters.size()));
  report.add(prefix + "log lines", static_cast<std::int64_t>(log.lines.size()));
  report.add(prefix + "dropouts", static_cast<std::int64_t>(log.dropouts.size()), "", {{"seconds", lost}});
  report.add(prefix + "faults", static_cast<std::int64_t>(log.fault_count), "", {{"bytes skipped", static_cast<std::int64_t>(log.skipped)}});
  for (const logs::Table& t : log.tables)
    if (t.rows() > 0)
      report.add(prefix + "messages/" + name_of(t), static_cast<std::int64_t>(t.rows()), "",
                 {{"rate", rate_of(t)}, {"columns", static_cast<std::int64_t>(t.columns.size())}});
}

void print_log(const logs::Log& log) {
  Report all{"import", {}}, head{"import", {}};
  add_log_rows(log, "", all);
  std::vector<std::vector<std::string>> cells;
  for (const Row& row : all.rows) {
    if (!row.name.starts_with("messages/")) {
      head.rows.push_back(row);
      continue;
    }
    cells.push_back({row.name.substr(9), text_of(row.value), fmt::format("{:.1f}", std::get<double>(row.extra[0].second)), text_of(row.extra[1].second)});
  }
  fmt::print("{}\n", log.file);
  print_rows(head);
  fmt::print("\n");
  print_table({"message", "number", "per second", "fields"}, cells);
}

int show_logs(const std::vector<std::string>& paths, bool json) {
  Report report{"import", {}};
  for (const std::string& path : paths) {
    const core::Result<std::string> bytes = scenario::read_file(path, scenario::kMaxLogBytes);
    if (!bytes) return fail(bytes.error().text());
    const core::Result<logs::Log> log = logs::read_log(std::as_bytes(std::span(bytes.value())), path);
    if (!log) return fail(log.error().text());
    for (const std::string& text : log.value().warnings()) warn(text);
    if (json) {
      add_log_rows(log.value(), paths.size() == 1 ? "" : stem_of(path) + "/", report);
      continue;
    }
    if (path != paths.front()) fmt::print("\n");
    print_log(log.value());
  }
  if (json) print_json(report);
  return kDone;
}

}  // namespace volary::cli
