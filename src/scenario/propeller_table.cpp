// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/propeller_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "core/suggest.hpp"
#include "math/functions.hpp"
#include "math/table_blob.hpp"
#include "scenario/csv_file.hpp"
#include "vehicles/propeller.hpp"

namespace volary::scenario {

namespace {

constexpr double kInch = 0.0254;         // m
constexpr double kBand = 0.05;           // of the speed
constexpr double kSamePlace = 0.005;     // advance ratios nearer than this are one place, measured more than once

struct Point {
  double j = 0, ct = 0, cp = 0;
};

struct Columns {
  int j = -1, ct = -1, cp = -1, name = -1, rpm = -1, diameter = -1;
  double diameter_unit = kInch;
};

core::Result<Columns> find_columns(const CsvFile& csv) {
  Columns c;
  const std::pair<const char*, int*> needed[] = {{"J", &c.j}, {"CT", &c.ct}, {"CP", &c.cp}};
  for (const auto& [name, column] : needed) {
    *column = csv.find(name);
    if (*column < 0) return csv.error(csv.names.front(), fmt::format("there is no column '{}'", name), core::did_you_mean(name, csv.column_names()));
  }
  for (const char* name : {"PropName", "name"})
    if (c.name < 0) c.name = csv.find(name);
  for (const char* name : {"N", "rpm", "RPM"})
    if (c.rpm < 0) c.rpm = csv.find(name);
  c.diameter = csv.find("D");
  if (c.diameter < 0 && (c.diameter = csv.find("diameter_m")) >= 0) c.diameter_unit = 1;
  return c;
}

class PropellerReader {
 public:
  PropellerReader(const CsvFile& csv, const Columns& columns, const PropellerChoice& choice) : csv_(csv), columns_(columns), choice_(choice) {}

  core::Result<PropellerTable> read() {
    if (const core::Status s = choose_name(); !s) return s.error();
    if (const core::Status s = choose_speed(); !s) return s.error();
    std::vector<Point> points;
    for (const auto* cells : rows_) {
      const core::Result<Point> point = read_point(*cells);
      if (!point) return point.error();
      points.push_back(point.value());
    }
    return make(merged(std::move(points)));
  }

 private:
  const CsvCell& at(const std::vector<CsvCell>& cells, int column) const { return cells[static_cast<std::size_t>(column)]; }

  core::Status choose_name() {
    std::vector<std::string> names;
    for (const auto& cells : csv_.rows) {
      const std::string name = columns_.name < 0 ? "" : std::string(at(cells, columns_.name).text);
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
      if (choice_.name.empty() || columns_.name < 0 || name == choice_.name) rows_.push_back(&cells);
    }
    if (choice_.name.empty() && names.size() > 1)
      return csv_.error(csv_.names.front(), fmt::format("the file has {} propellers: say which", names.size()), core::did_you_mean("", names));
    if (rows_.empty()) return csv_.error(csv_.names.front(), fmt::format("no propeller is called '{}'", choice_.name), core::did_you_mean(choice_.name, names));
    if (!choice_.name.empty() && columns_.name < 0)
      return csv_.error(csv_.names.front(), fmt::format("propellers have no names here, '{}' cannot be found", choice_.name),
                        "leave the name out, or add a column PropName");
    return core::ok();
  }

  // keeps the rows near the chosen speed
  core::Status choose_speed() {
    if (columns_.rpm < 0 && choice_.rpm > 0)
      return csv_.error(csv_.names.front(), fmt::format("there is no column N or rpm, rows near {:.0f} rpm cannot be found", choice_.rpm),
                        "leave rpm out, or add a column N");
    if (columns_.rpm < 0) return core::ok();
    std::vector<const std::vector<CsvCell>*> kept;
    double least = 0, most = 0;
    for (const auto* cells : rows_) {
      const core::Result<double> rpm = csv_.number(at(*cells, columns_.rpm));
      if (!rpm) return rpm.error();
      if (!(rpm.value() > 0)) return csv_.error(at(*cells, columns_.rpm), "a speed must be above 0 rpm");
      least = cells == rows_.front() ? rpm.value() : std::min(least, rpm.value());
      most = std::max(most, rpm.value());
      if (math::abs(rpm.value() - choice_.rpm) <= kBand * choice_.rpm) kept.push_back(cells);
    }
    if (choice_.rpm > 0) rows_ = std::move(kept);
    const std::string range = fmt::format("measured from {:.0f} to {:.0f} rpm", least, most);
    if (rows_.empty()) return csv_.error(csv_.names.front(), fmt::format("no rows near {:.0f} rpm", choice_.rpm), range);
    if (choice_.rpm <= 0 && most > least * (1 + 2 * kBand))
      return csv_.error(csv_.names.front(), "the propeller was measured at several speeds: say which", range);
    return core::ok();
  }

  core::Result<Point> read_point(const std::vector<CsvCell>& cells) {
    Point p;
    const std::pair<int, double*> numbers[] = {{columns_.j, &p.j}, {columns_.ct, &p.ct}, {columns_.cp, &p.cp}};
    for (const auto& [column, out] : numbers) {
      const core::Result<double> value = csv_.number(at(cells, column));
      if (!value) return value.error();
      *out = value.value();
      if (!(math::abs(*out) < 100)) return csv_.error(at(cells, column), fmt::format("{} = {} is not dimensionless", at(csv_.names, column).text, *out));
    }
    if (p.ct * p.j > p.cp)
      return csv_.error(at(cells, columns_.cp), fmt::format("J CT = {:.4g} is more than CP = {:.4g}: an efficiency above 1", p.ct * p.j, p.cp),
                        "CT = T / (rho n^2 D^4), CP = P / (rho n^3 D^5), n in revolutions per second");
    if (columns_.diameter < 0) return p;
    const core::Result<double> diameter = csv_.number(at(cells, columns_.diameter));
    if (!diameter) return diameter.error();
    const double metres = diameter.value() * columns_.diameter_unit;
    if (!(metres > 0)) return csv_.error(at(cells, columns_.diameter), "a diameter must be above 0");
    if (diameter_ > 0 && diameter_ != metres) return csv_.error(at(cells, columns_.diameter), "rows of one propeller differ in diameter");
    diameter_ = metres;
    return p;
  }

  // sorted; what was measured more than once at one place is averaged
  static std::vector<Point> merged(std::vector<Point> points) {
    std::stable_sort(points.begin(), points.end(), [](const Point& a, const Point& b) { return a.j < b.j; });
    std::vector<Point> out;
    for (std::size_t i = 0; i < points.size();) {
      Point sum;
      std::size_t n = i;
      for (; n < points.size() && points[n].j - points[i].j < kSamePlace; ++n) sum.j += points[n].j, sum.ct += points[n].ct, sum.cp += points[n].cp;
      const double share = 1 / static_cast<double>(n - i);
      out.push_back({sum.j * share, sum.ct * share, sum.cp * share});
      i = n;
    }
    return out;
  }

  core::Result<PropellerTable> make(const std::vector<Point>& points) const {
    if (points.size() < 2) return csv_.error(csv_.names.front(), "a propeller needs at least two advance ratios");
    PropellerTable table;
    table.diameter = diameter_;
    math::TableGrid grid{{}, {}, vehicles::kPropellerColumns};
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Point &before = points[i == 0 ? 0 : i - 1], &after = points[std::min(i + 1, points.size() - 1)];
      table.advance_ratio.push_back(points[i].j);
      grid.values.insert(grid.values.end(), {points[i].ct, points[i].cp, (after.ct - before.ct) / (after.j - before.j)});
    }
    grid.axes.push_back(table.advance_ratio);
    core::Result<std::vector<double>> blob = math::make_table_blob(grid);
    if (!blob) return csv_.error(csv_.names.front(), blob.error().message);
    table.blob = std::move(blob).value();
    return table;
  }

  const CsvFile& csv_;
  Columns columns_;
  PropellerChoice choice_;
  std::vector<const std::vector<CsvCell>*> rows_;
  double diameter_ = 0;
};

}  // namespace

core::Result<PropellerTable> read_propeller_table(std::string_view text, const std::string& file, const PropellerChoice& choice) {
  const core::Result<CsvFile> csv = parse_csv(text, file);
  if (!csv) return csv.error();
  const core::Result<Columns> columns = find_columns(csv.value());
  if (!columns) return columns.error();
  return PropellerReader(csv.value(), columns.value(), choice).read();
}

}  // namespace volary::scenario
