// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/coefficient_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/suggest.hpp"
#include "math/functions.hpp"
#include "math/table_blob.hpp"
#include "scenario/csv_file.hpp"

namespace volary::scenario {

namespace {

constexpr double kRadians = 0.017453292519943295;  // per degree
constexpr std::size_t kMostRows = math::kMaxTableScalars / static_cast<std::size_t>(math::table_pitch(kCoefficients));
constexpr double kPi = 3.141592653589793;

struct AxisName {
  const char* stem;
  bool angle;         // in _deg or _rad
  double least, most;  // rad, or as it is
  std::optional<ThirdAxis> third;
};
constexpr AxisName kAxes[] = {{"alpha", true, -kPi, kPi, {}},
                              {"beta", true, -kPi, kPi, {}},
                              {"elevator", true, -kPi / 2, kPi / 2, ThirdAxis::Elevator},
                              {"aileron", true, -kPi / 2, kPi / 2, ThirdAxis::Aileron},
                              {"rudder", true, -kPi / 2, kPi / 2, ThirdAxis::Rudder},
                              {"flap", true, -kPi / 2, kPi / 2, ThirdAxis::Flap},
                              {"mach", false, 0, 30, ThirdAxis::Mach},
                              {"speed", false, 0, 10'000, ThirdAxis::Speed}};

constexpr const char* kStabilityNames[kCoefficients] = {"CL", "CD", "CY", "Cl", "Cm", "Cn"};
constexpr const char* kBodyNames[kCoefficients] = {"CX", "CZ", "CY", "Cl", "Cm", "Cn"};

// a column that is an axis, and what its cells are multiplied by
struct AxisColumn {
  const AxisName* name;
  int column;
  double unit;
  std::string text;  // as in the file
  std::vector<double> values = {};  // in the file's unit, sorted, each once
};

std::vector<std::string> known_columns() {
  std::vector<std::string> known;
  for (const AxisName& a : kAxes) {
    if (a.angle) known.push_back(std::string(a.stem) + "_deg"), known.push_back(std::string(a.stem) + "_rad");
    if (!a.angle) known.push_back(a.stem);
  }
  known.insert(known.end(), {"CL", "CD", "CX", "CZ", "CY", "Cl", "Cm", "Cn"});
  return known;
}

// one row of the file: its place on the axes in the file's units, and its coefficients
struct Row {
  std::array<double, math::kTableAxes> at{};
  std::array<double, kCoefficients> values{};
  const CsvCell* place = nullptr;  // of its first cell
};

class TableReader {
 public:
  explicit TableReader(const CsvFile& csv) : csv_(csv) {}

  core::Result<CoefficientTable> read() {
    if (const core::Status s = find_axes(); !s) return s.error();
    if (const core::Status s = find_coefficients(); !s) return s.error();
    if (const core::Status s = refuse_unknown(); !s) return s.error();
    for (const auto& cells : csv_.rows) {
      core::Result<Row> row = read_row(cells);
      if (!row) return row.error();
      rows_.push_back(row.value());
    }
    std::stable_sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) { return a.at < b.at; });
    if (const core::Status s = check_grid(); !s) return s.error();
    return make();
  }

 private:
  core::Status find_axes() {
    for (const AxisName& name : kAxes) {
      const std::string stem = name.stem;
      const int degrees = name.angle ? csv_.find(stem + "_deg") : -1, plain = csv_.find(name.angle ? stem + "_rad" : stem);
      if (degrees >= 0 && plain >= 0) return csv_.error(cell(std::max(degrees, plain)), fmt::format("{} is given in degrees and in radians", stem), "keep one");
      if (degrees < 0 && plain < 0) continue;
      const int column = std::max(degrees, plain);
      if (name.third && !axes_.empty() && axes_.back().name->third)
        return csv_.error(cell(column), fmt::format("a table has one axis besides alpha and beta, this one has {} and {}", axes_.back().text, stem),
                          "a table for each");
      axes_.push_back({&name, column, degrees >= 0 ? kRadians : 1.0, std::string(cell(column).text)});
    }
    if (axes_.empty() || std::string_view(axes_[0].name->stem) != "alpha") return missing("alpha_deg");
    return core::ok();
  }

  core::Status find_coefficients() {
    const int cx = csv_.find("CX"), cz = csv_.find("CZ"), cl = csv_.find("CL"), cd = csv_.find("CD");
    body_ = cx >= 0 || cz >= 0;
    if (body_ && (cl >= 0 || cd >= 0))
      return csv_.error(cell(std::max(cx, cz)), "coefficients along body axes (CX, CZ) beside those along stability axes (CL, CD)", "keep one pair");
    for (std::size_t k = 0; k < kCoefficients; ++k) {
      const char* name = body_ ? kBodyNames[k] : kStabilityNames[k];
      coefficients_[k] = csv_.find(name);
      if (coefficients_[k] < 0) return missing(name);
    }
    return core::ok();
  }

  core::Status refuse_unknown() {
    const std::vector<std::string> known = known_columns();
    for (const CsvCell& c : csv_.names)
      if (std::find(known.begin(), known.end(), c.text) == known.end())
        return csv_.error(c, fmt::format("unknown column '{}'", c.text.substr(0, 40)), core::did_you_mean(c.text, known));
    return core::ok();
  }

  core::Error missing(const std::string& name) const {
    std::vector<std::string> strangers;  // only a column that means nothing can be a misspelt one
    const std::vector<std::string> known = known_columns();
    for (const std::string& c : csv_.column_names())
      if (std::find(known.begin(), known.end(), c) == known.end()) strangers.push_back(c);
    const std::string near = core::nearest(name, strangers);
    return csv_.error(
        csv_.names.front(), fmt::format("there is no column '{}'", name),
        near.empty() ? fmt::format("columns of the file: {}", fmt::join(csv_.column_names(), ", ")) : fmt::format("is '{}' meant to be it?", near));
  }

  core::Result<Row> read_row(const std::vector<CsvCell>& cells) const {
    Row row;
    row.place = &cells.front();
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      const AxisColumn& axis = axes_[a];
      const CsvCell& at = cells[static_cast<std::size_t>(axis.column)];
      const core::Result<double> value = csv_.number(at);
      if (!value) return value.error();
      row.at[a] = value.value() + 0.0;  // -0 is 0
      if (const double si = row.at[a] * axis.unit; si < axis.name->least - 1e-9 || si > axis.name->most + 1e-9)
        return csv_.error(at,
                          fmt::format("{} = {} lies outside {:.6g} to {:.6g}", axis.text, row.at[a], axis.name->least / axis.unit, axis.name->most / axis.unit),
                          axis.name->angle ? "angles are in the unit of the column's name" : "");
    }
    for (std::size_t k = 0; k < kCoefficients; ++k) {
      const CsvCell& at = cells[static_cast<std::size_t>(coefficients_[k])];
      const core::Result<double> value = csv_.number(at);
      if (!value) return value.error();
      row.values[k] = value.value();
      if (!(math::abs(row.values[k]) < 1000)) return csv_.error(at, fmt::format("{} is too large for a coefficient", row.values[k]));
    }
    return body_ ? to_stability_axes(row, cells) : check_drag(row, cells[static_cast<std::size_t>(coefficients_[1])], "CD");
  }

  // CX forwards, CZ downwards: lift is what points up across the flow, drag what points along it, both in the plane of symmetry
  core::Result<Row> to_stability_axes(Row row, const std::vector<CsvCell>& cells) const {
    double sine, cosine;
    math::sincos(row.at[0] * axes_[0].unit, sine, cosine);
    const double cx = row.values[0], cz = row.values[1];
    row.values[0] = cx * sine - cz * cosine;
    row.values[1] = -cx * cosine - cz * sine;
    return check_drag(row, cells[static_cast<std::size_t>(coefficients_[0])], "the drag of CX and CZ");
  }

  core::Result<Row> check_drag(Row row, const CsvCell& at, const char* what) const {
    if (row.values[1] < 0)
      return csv_.error(at, fmt::format("{} is {:.6g}: a drag below 0", what, row.values[1]),
                        "drag is positive backwards; CX points forwards, CZ downwards");
    return row;
  }

  // rows are sorted: they must be the grid's nodes in order, each once
  core::Status check_grid() {
    for (std::size_t i = 1; i < rows_.size(); ++i)
      if (rows_[i].at == rows_[i - 1].at)
        return csv_.error(*rows_[i].place, fmt::format("the same place as line {}: {}", rows_[i - 1].place->line, words(rows_[i].at)), "keep one of them");
    std::size_t nodes = 1;
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      std::vector<double>& values = axes_[a].values;
      for (const Row& row : rows_) values.push_back(row.at[a]);
      std::sort(values.begin(), values.end());
      values.erase(std::unique(values.begin(), values.end()), values.end());
      if (values.size() < 2)
        return csv_.error(cell(axes_[a].column), fmt::format("{} is {} in every row", axes_[a].text, values[0]),
                          a == 0 ? "a table needs at least two angles of attack" : "leave the column out where nothing depends on it");
      nodes = std::min(nodes * values.size(), rows_.size() + 1);
    }
    if (nodes == rows_.size()) return core::ok();
    return hole();
  }

  core::Error hole() const {
    // a breakpoint with far fewer rows than its siblings is a slip of the pen
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      const std::vector<double>& values = axes_[a].values;
      const std::size_t usual = rows_.size() / values.size();
      std::vector<std::size_t> count(values.size(), 0);
      std::vector<const Row*> first(values.size(), nullptr);
      for (const Row& row : rows_) {
        const auto at = static_cast<std::size_t>(std::lower_bound(values.begin(), values.end(), row.at[a]) - values.begin());
        if (count[at]++ == 0) first[at] = &row;
      }
      for (std::size_t i = 0; i < values.size(); ++i)
        if (2 * count[i] < usual)
          return csv_.error(*first[i]->place,
                            fmt::format("{} = {} occurs in {} row{}, others in about {}: the rows do not fill a grid", axes_[a].text, values[i], count[i],
                                        count[i] == 1 ? "" : "s", usual),
                            "give every combination of the axes once");
    }
    std::array<double, math::kTableAxes> expected{};
    std::array<std::size_t, math::kTableAxes> index{};
    for (std::size_t i = 0;; ++i) {
      for (std::size_t a = 0; a < axes_.size(); ++a) expected[a] = axes_[a].values[index[a]];
      if (i == rows_.size() || rows_[i].at != expected) break;
      for (std::size_t a = axes_.size(); a-- > 0;) {
        if (++index[a] < axes_[a].values.size()) break;
        index[a] = 0;
      }
    }
    std::vector<std::size_t> sizes;
    for (const AxisColumn& a : axes_) sizes.push_back(a.values.size());
    return csv_.error(csv_.names.front(), fmt::format("no row for {}", words(expected)),
                      fmt::format("{} breakpoints need a row for each combination; there are {} rows", fmt::join(sizes, " x "), rows_.size()));
  }

  CoefficientTable make() const {
    CoefficientTable table;
    for (const AxisColumn& a : axes_) {
      std::vector<double>& out = a.name->third ? table.third_values : a.name == &kAxes[0] ? table.alpha : table.beta;
      for (const double v : a.values) out.push_back(v * a.unit);
      if (a.name->third) table.third = a.name->third;
    }
    for (const Row& row : rows_) table.values.insert(table.values.end(), row.values.begin(), row.values.end());
    return table;
  }

  const CsvCell& cell(int column) const { return csv_.names[static_cast<std::size_t>(column)]; }
  std::string words(const std::array<double, math::kTableAxes>& at) const {
    std::string text;
    for (std::size_t a = 0; a < axes_.size(); ++a) text += fmt::format("{}{} = {}", a > 0 ? ", " : "", axes_[a].text, at[a]);
    return text;
  }

  const CsvFile& csv_;
  std::vector<AxisColumn> axes_;
  std::array<int, kCoefficients> coefficients_{};
  bool body_ = false;
  std::vector<Row> rows_;
};

}  // namespace

core::Result<CoefficientTable> read_coefficient_table(std::string_view text, const std::string& file) {
  const core::Result<CsvFile> csv = parse_csv(text, file);
  if (!csv) return csv.error();
  if (const std::size_t rows = csv.value().rows.size(); rows > kMostRows)
    return csv.value().error(csv.value().rows[kMostRows].front(), fmt::format("{} rows: a table of coefficients has at most {}", rows, kMostRows),
                             "leave out breakpoints: between them it is interpolated");
  core::Result<CoefficientTable> table = TableReader(csv.value()).read();
  // whatever else a lookup cannot have: breakpoints that are one in single precision, millions of nodes
  if (!table) return table;
  if (const auto blob = make_blob(table.value()); !blob) return csv.value().error(csv.value().names.front(), blob.error().message);
  return table;
}

void spread_over_sideslip(CoefficientTable& table, const std::array<double, kCoefficients>& per_beta) {
  if (!table.beta.empty()) return;
  table.beta = {-kPi / 2, kPi / 2};
  const std::size_t block = std::max<std::size_t>(table.third_values.size(), 1) * kCoefficients;  // scalars of one angle of attack
  std::vector<double> spread;
  for (std::size_t first = 0; first < table.values.size(); first += block)
    for (const double beta : table.beta)
      for (std::size_t k = 0; k < block; ++k) spread.push_back(table.values[first + k] + per_beta[k % kCoefficients] * beta);
  table.values = std::move(spread);
}

core::Result<std::vector<double>> make_blob(const CoefficientTable& table) {
  math::TableGrid grid{{table.alpha}, table.values, kCoefficients};
  if (!table.beta.empty()) grid.axes.push_back(table.beta);
  if (table.third) grid.axes.push_back(table.third_values);
  return math::make_table_blob(grid);
}

}  // namespace volary::scenario
