// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/thrust_bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "core/suggest.hpp"
#include "math/scalar.hpp"
#include "scenario/csv_file.hpp"

namespace volary::scenario {

namespace {

constexpr double kGravity = 9.80665;                  // N/kgf
constexpr double kRpm = 0.10471975511965977;          // rad/s

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}
bool has(const std::string& name, std::string_view part) { return name.find(part) != std::string::npos; }

// the unit at the end of a name: "Thrust (gf)" or "thrust_gf"
bool ends_in(const std::string& name, std::string_view unit) {
  return name.ends_with(fmt::format("({})", unit)) || name.ends_with(fmt::format("_{}", unit)) || name.ends_with(fmt::format("[{}]", unit));
}

struct Column {
  int index = -1;
  double factor = 1;
};

Column thrust_column(const CsvFile& csv, int rotors) {
  for (std::size_t k = 0; k < csv.names.size(); ++k) {
    const std::string name = lower(csv.names[k].text);
    if (!has(name, "thrust")) continue;
    const double share = has(name, "total") ? 1.0 / rotors : 1.0;
    if (ends_in(name, "kgf")) return {static_cast<int>(k), kGravity * share};
    if (ends_in(name, "gf") || ends_in(name, "g")) return {static_cast<int>(k), 1e-3 * kGravity * share};
    if (ends_in(name, "n")) return {static_cast<int>(k), share};
  }
  return {};
}
Column torque_column(const CsvFile& csv) {
  for (std::size_t k = 0; k < csv.names.size(); ++k) {
    const std::string name = lower(csv.names[k].text);
    if (!has(name, "torque")) continue;
    if (has(name, "n\xc2\xb7m") || ends_in(name, "nm") || ends_in(name, "n m") || ends_in(name, "n_m")) return {static_cast<int>(k), 1};
  }
  return {};
}
// an optical speed is the rotor's own; an electrical one is what the controller of the motor tells
std::vector<Column> speed_columns(const CsvFile& csv) {
  std::vector<Column> optical, other;
  for (std::size_t k = 0; k < csv.names.size(); ++k) {
    const std::string name = lower(csv.names[k].text);
    const bool rpm = has(name, "rpm"), radians = ends_in(name, "rad/s") || ends_in(name, "rad_s");
    if (!rpm && !radians) continue;
    (has(name, "optical") ? optical : other).push_back({static_cast<int>(k), rpm ? kRpm : 1});
  }
  optical.insert(optical.end(), other.begin(), other.end());
  return optical;
}
int time_column(const CsvFile& csv) {
  for (std::size_t k = 0; k < csv.names.size(); ++k)
    if (const std::string name = lower(csv.names[k].text); name.starts_with("time") || name == "t_s") return static_cast<int>(k);
  return -1;
}

core::Error missing(const CsvFile& csv, const char* what, const char* example) {
  core::Error e;
  e.file = csv.file, e.line = csv.names.front().line;
  e.message = fmt::format("no column with {}", what);
  const std::vector<std::string> names = csv.column_names();
  e.suggestion = fmt::format("such as '{}'; there are: {}", example, fmt::join(names, ", "));
  return e;
}

core::Result<double> value_of(const CsvFile& csv, const std::vector<CsvCell>& row, const Column& c) {
  const core::Result<double> number = csv.number(row[static_cast<std::size_t>(c.index)]);
  if (!number) return number.error();
  return number.value() * c.factor;
}
bool is_empty(const std::vector<CsvCell>& row, const Column& c) { return row[static_cast<std::size_t>(c.index)].text.empty(); }

// the first of the speeds that ever moves
core::Result<Column> turning(const CsvFile& csv, const std::vector<Column>& speeds) {
  for (const Column& c : speeds)
    for (const auto& row : csv.rows) {
      if (is_empty(row, c)) continue;
      const core::Result<double> v = value_of(csv, row, c);
      if (!v) return v.error();
      if (v.value() != 0) return c;
    }
  return csv.error(csv.names[static_cast<std::size_t>(speeds.front().index)], "the rotor never turns");
}

core::Status add_row(ThrustBench& bench, const CsvFile& csv, const std::vector<CsvCell>& row, Column time, Column speed, Column thrust, Column torque) {
  if (is_empty(row, speed)) return core::ok();
  const core::Result<double> w = value_of(csv, row, speed);
  if (!w) return w.error();
  BenchSample s{0, math::abs(w.value()), 0};
  if (bench.timed) {
    const core::Result<double> t = value_of(csv, row, time);
    if (!t) return t.error();
    s.time = t.value();
  }
  bench.speed.push_back(s);
  for (const auto& [column, series] : {std::pair{thrust, &bench.thrust}, std::pair{torque, &bench.torque}}) {
    if (column.index < 0 || is_empty(row, column)) continue;
    const core::Result<double> v = value_of(csv, row, column);
    if (!v) return v.error();
    s.value = v.value();
    series->push_back(s);
  }
  return core::ok();
}

}  // namespace

bool is_thrust_bench(std::string_view text) {
  const core::Result<CsvFile> csv = parse_csv(text, "");
  return csv && thrust_column(csv.value(), 1).index >= 0 && !speed_columns(csv.value()).empty();
}

core::Result<ThrustBench> read_thrust_bench(std::string_view text, const std::string& file, int rotors) {
  const core::Result<CsvFile> parsed = parse_csv(text, file);
  if (!parsed) return parsed.error();
  const CsvFile& csv = parsed.value();
  const Column thrust = thrust_column(csv, rotors), torque = torque_column(csv);
  const std::vector<Column> speeds = speed_columns(csv);
  if (thrust.index < 0) return missing(csv, "a thrust and its unit", "Thrust (gf)");
  if (speeds.empty()) return missing(csv, "a speed and its unit", "Motor Optical Speed (RPM)");
  const core::Result<Column> speed = turning(csv, speeds);
  if (!speed) return speed.error();

  ThrustBench bench;
  const int time = time_column(csv);
  bench.timed = time >= 0;
  const auto name = [&](int k) { return k < 0 ? std::string() : std::string(csv.names[static_cast<std::size_t>(k)].text); };
  bench.speed_column = name(speed.value().index), bench.thrust_column = name(thrust.index), bench.torque_column = name(torque.index);
  for (const auto& row : csv.rows)
    if (const core::Status added = add_row(bench, csv, row, {time, 1}, speed.value(), thrust, torque); !added) return added.error();
  return bench;
}

}  // namespace volary::scenario
