// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/report.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "cli/colour.hpp"
#include "cli/command.hpp"
#include "engine/backend.hpp"
#include "volary/world.hpp"

namespace volary::cli {

namespace {

// the order of fields is part of the form: readable without a tool
using Json = nlohmann::ordered_json;

Json to_json(const Value& value) {
  return std::visit([](const auto& x) { return Json(x); }, value);
}

std::string cpu_name() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("model name")) return line.substr(std::min(line.size(), line.find(':') + 2));
  return "unknown";
}

std::string os_name() {
  utsname u{};
  return uname(&u) == 0 ? fmt::format("{} {} {}", u.sysname, u.release, u.machine) : "unknown";
}

constexpr std::size_t kWidestCell = 40;  // that the next column makes room for

bool is_finite(double x) { return x - x == 0; }

// of a verdict, or of the state of a task
Paint paint_of(const std::string& word) {
  if (word == "passed" || word == "done") return Paint::Good;
  if (word == "failed") return Paint::Bad;
  return word == "incomplete" || word == "mixed" || word == "open" ? Paint::Warning : Paint::Plain;
}

Paint paint_of(const Row& row) {
  if (row.name == "warning" || row.name.ends_with("/warning")) return Paint::Warning;
  return row.name.starts_with("tasks/") ? paint_of(text_of(row.value)) : Paint::Plain;
}

}  // namespace

int fail(const std::string& text, ExitCode code) {
  // a line for each fault
  for (std::size_t at = 0, end = 0; end != std::string::npos; at = end + 1) {
    end = text.find('\n', at);
    fmt::print(stderr, "{} {}\n", painted(stderr, Paint::Bad, "volary:"), text.substr(at, end - at));
  }
  return code;
}

void warn(const std::string& text) { fmt::print(stderr, "volary: {} {}\n", painted(stderr, Paint::Warning, "warning:"), text); }

Row& Report::add(std::string name, Value value, std::string unit, std::vector<std::pair<std::string, Value>> extra) {
  rows.push_back({std::move(name), std::move(value), std::move(unit), std::move(extra)});
  return rows.back();
}

Machine this_machine() {
  Machine m{cpu_name(), os_name(), static_cast<int>(std::max(1u, std::thread::hardware_concurrency())), available_lanes(), {}};
  for (const engine::Backend* b : engine::all_backends()) {
    const bool runs = std::find(m.lanes.begin(), m.lanes.end(), b->lanes) != m.lanes.end();
    const bool listed = std::find(m.lanes_absent.begin(), m.lanes_absent.end(), b->lanes) != m.lanes_absent.end();
    if (!runs && !listed) m.lanes_absent.push_back(b->lanes);
  }
  return m;
}

void print_json(const Report& report) {
  const Machine m = this_machine();
  Json out;
  if (report.verdict) {
    out["verdict"] = report.verdict->word;
    out["reason"] = report.verdict->reason;
  }
  out["command"] = report.command;
  out["version"] = VOLARY_VERSION;
  out["machine"] = {{"cpu", m.cpu}, {"cores", m.cores}, {"lanes", m.lanes}, {"os", m.os}};
  out["rows"] = Json::array();
  for (const Row& row : report.rows) {
    Json j = {{"name", row.name}, {"value", to_json(row.value)}, {"unit", row.unit}};
    for (const auto& [key, value] : row.extra) j[key] = to_json(value);
    out["rows"].push_back(std::move(j));
  }
  // bytes that are not UTF-8 in a name must not break the output
  fmt::print("{}\n", out.dump(2, ' ', false, Json::error_handler_t::replace));
}

std::string text_of(const Value& value) {
  if (const auto* x = std::get_if<double>(&value)) return is_finite(*x) ? fmt::format("{:.5g}", *x) : "-";
  if (const auto* x = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *x);
  if (const auto* x = std::get_if<bool>(&value)) return *x ? "yes" : "no";
  return std::get<std::string>(value);
}

std::string hex64(std::uint64_t value) { return fmt::format("{:016x}", value); }

std::string bytes_text(double bytes) {
  const char* units[] = {"B", "kB", "MB", "GB", "TB"};
  std::size_t k = 0;
  for (; bytes >= 1000 && k < 4; ++k) bytes /= 1000;
  return fmt::format("{:.{}f} {}", bytes, k == 0 ? 0 : 1, units[k]);
}

void print_table(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows, bool all_left, const std::vector<Paint>& paints) {
  std::vector<std::size_t> width(header.size(), 0);
  // of cells that begin at the left, a long one and the last of its row push nothing aside: a warning does not stretch the table
  auto widen = [&](const std::vector<std::string>& cells) {
    std::size_t n = std::min(cells.size(), width.size());
    while (all_left && n > 1 && cells[n - 1].empty()) --n;
    for (std::size_t k = 0; k < n; ++k)
      if (!all_left || k == 0 || (k + 1 < n && cells[k].size() <= kWidestCell)) width[k] = std::max(width[k], cells[k].size());
  };
  widen(header);
  for (const auto& row : rows) widen(row);
  auto print = [&](const std::vector<std::string>& cells, Paint paint) {
    std::string line;
    for (std::size_t k = 0; k < cells.size() && k < width.size(); ++k) {
      line += (k == 0 ? "  " : "   ");
      line += k == 0 || all_left ? fmt::format("{:<{}}", cells[k], width[k]) : fmt::format("{:>{}}", cells[k], width[k]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    fmt::print("{}\n", painted(stdout, paint, line));
  };
  const bool has_header = std::any_of(header.begin(), header.end(), [](const std::string& h) { return !h.empty(); });
  if (has_header) print(header, Paint::Heading);
  for (std::size_t k = 0; k < rows.size(); ++k) print(rows[k], k < paints.size() ? paints[k] : Paint::Plain);
}

void print_verdict(const Report& report) {
  if (!report.verdict) return;
  const std::string line = report.verdict->line(), &word = report.verdict->word;
  fmt::print("{}{}\n", painted(stdout, paint_of(word), word), line.substr(word.size()));
}

void print_rows(const Report& report) {
  print_verdict(report);
  std::vector<std::vector<std::string>> cells;
  std::vector<Paint> paints;
  for (const Row& row : report.rows) {
    paints.push_back(paint_of(row));
    std::string note;
    for (const auto& [key, value] : row.extra)
      if (key == "note") note = text_of(value);
    cells.push_back({row.name, text_of(row.value) + (row.unit.empty() || row.unit == "-" ? "" : " " + row.unit), note});
  }
  print_table({"", "", ""}, cells, true, paints);
}

}  // namespace volary::cli
