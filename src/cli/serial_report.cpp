// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/serial_report.hpp"

#include <map>

#include <fmt/format.h>

namespace volary::cli {

namespace {

constexpr double kMilli = 1000;
constexpr std::string_view kRows = "serial/";

void add_spread(Report& report, const std::string& name, const autopilot::Spread& s) {
  if (s.count() == 0) return;
  const double p50 = kMilli * s.quantile(0.5), p99 = kMilli * s.quantile(0.99), max = kMilli * s.max();
  const auto n = static_cast<std::int64_t>(s.count());
  report.add(name, kMilli * s.mean(), "ms",
             {{"p50", p50}, {"p99", p99}, {"max", max}, {"n", n}, {"note", fmt::format("p50 {:.3g}, p99 {:.3g}, max {:.3g} ms", p50, p99, max)}});
}

// messages that come this far apart, and how unevenly
void add_stream(Report& report, const std::string& name, const autopilot::Spread& between, std::uint64_t n) {
  const double rate = between.mean() > 0 ? 1 / between.mean() : 0, jitter = kMilli * between.deviation(), gap = kMilli * between.max();
  report.add(name, rate, "1/s",
             {{"jitter_ms", jitter},
              {"longest_gap_ms", gap},
              {"n", static_cast<std::int64_t>(n)},
              {"note", fmt::format("jitter {:.3g} ms, gaps up to {:.3g} ms", jitter, gap)}});
}

double number_of(const Value& value) {
  if (const auto* n = std::get_if<std::int64_t>(&value)) return static_cast<double>(*n);
  const auto* x = std::get_if<double>(&value);
  return x == nullptr ? 0 : *x;
}
double extra_of(const Row& row, std::string_view key) {
  for (const auto& [name, value] : row.extra)
    if (name == key) return number_of(value);
  return 0;
}

}  // namespace

void add_boards(const std::vector<autopilot::BoardFigures>& boards, Report& report) {
  for (const autopilot::BoardFigures& b : boards) {
    const std::string at = std::string(kRows) + b.vehicle + "/";
    report.add(at + "device", b.device, "", {{"state", std::string(name_of(b.state))}, {"opened", static_cast<std::int64_t>(b.times_opened)}});
    add_spread(report, at + "round trip", b.round_trip);
    add_spread(report, at + "sensors to outputs", b.answer);
    add_spread(report, at + "age of outputs", b.age);
    add_stream(report, at + "outputs in", b.between_outputs, b.outputs);
    add_stream(report, at + "sensors out", b.between_sensors, b.sensors);
    report.add(at + "ticks without new outputs", static_cast<std::int64_t>(b.ticks_without_new), "ticks", {{"of", static_cast<std::int64_t>(b.ticks)}});
    report.add(at + "ticks with held outputs", static_cast<std::int64_t>(b.ticks_held), "ticks");
    report.add(at + "ticks without outputs", static_cast<std::int64_t>(b.ticks_silent), "ticks", {{"silences", static_cast<std::int64_t>(b.silences)}});
    report.add(at + "messages dropped", static_cast<std::int64_t>(b.dropped));
    report.add(at + "frames damaged", static_cast<std::int64_t>(b.bad_frames), "", {{"bytes_skipped", static_cast<std::int64_t>(b.skipped)}});
  }
}

bool is_of_boards(const Row& row) { return row.name.starts_with(kRows); }

void print_boards(const Report& report) {
  std::vector<std::string> order;
  std::map<std::string, std::map<std::string, const Row*>> boards;
  for (const Row& row : report.rows) {
    if (!is_of_boards(row)) continue;
    const std::size_t slash = row.name.rfind('/');
    const std::string vehicle = row.name.substr(kRows.size(), slash - kRows.size());
    if (boards.find(vehicle) == boards.end()) order.push_back(vehicle);
    boards[vehicle][row.name.substr(slash + 1)] = &row;
  }
  std::vector<std::vector<std::string>> cells;
  for (const std::string& vehicle : order) {
    const auto& rows = boards[vehicle];
    const auto text = [&](const char* name, const char* key = "") {
      const auto found = rows.find(name);
      if (found == rows.end()) return std::string("-");
      return fmt::format("{:.4g}", *key == 0 ? number_of(found->second->value) : extra_of(*found->second, key));
    };
    cells.push_back({vehicle, text("round trip"), text("round trip", "p50"), text("round trip", "p99"), text("round trip", "max"), text("outputs in"),
                     text("outputs in", "jitter_ms"), text("sensors out"), text("sensors out", "jitter_ms"), text("ticks with held outputs"),
                     text("ticks without outputs"), text("messages dropped")});
  }
  if (cells.empty()) return;
  fmt::print("\n");
  print_table({"board of", "round trip ms", "p50", "p99", "max", "in Hz", "jitter ms", "out Hz", "jitter ms", "held ticks", "silent ticks", "dropped"}, cells);
}

}  // namespace volary::cli
