// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/wind_field_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/set_field.hpp"
#include "core/suggest.hpp"
#include "math/scalar.hpp"

namespace volary::scenario {

namespace {

enum Column : std::size_t { East, North, Up, Time, WindEast, WindNorth, WindUp, kColumns };
constexpr std::array<const char*, kColumns> kNames = {"east", "north", "up", "time", "wind_east", "wind_north", "wind_up"};
constexpr bool is_needed(std::size_t c) { return c == East || c == North || c == WindEast || c == WindNorth; }
constexpr std::size_t kMostNodes = 20'000'000;
constexpr double kFarthest = 1e9, kStrongest = 500;  // m or s, m/s

struct Row {
  std::array<double, kColumns> value{};
  int line = 0;
};

// where in the file; line 0: it is about all of it
struct Spot {
  const std::string& file;
  int line = 0;
  int column = 1;
};
core::Error wrong(const Spot& at, std::string field, std::string message, std::string suggestion = "") {
  return core::Error{.message = std::move(message),
                     .file = at.file,
                     .line = at.line,
                     .column = at.line > 0 ? at.column : 0,
                     .field = std::move(field),
                     .suggestion = std::move(suggestion)};
}
constexpr const char* kNoGuess = "every node needs its wind; nothing is guessed";

std::string_view trimmed(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t' || s.back() == '\r')) s.remove_suffix(1);
  return s;
}

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  for (std::size_t from = 0;;) {
    const std::size_t comma = line.find(',', from);
    cells.push_back(trimmed(line.substr(from, comma == std::string_view::npos ? comma : comma - from)));
    if (comma == std::string_view::npos) return cells;
    from = comma + 1;
  }
}

// which column of the table holds what
using Places = std::array<std::optional<std::size_t>, kColumns>;

int column_of(std::string_view cell, std::string_view line) { return static_cast<int>(cell.data() - line.data()) + 1; }

core::Result<Places> read_names(std::string_view line, const std::string& file) {
  Places places;
  const std::vector<std::string_view> cells = cells_of(line);
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const auto* found = std::find(kNames.begin(), kNames.end(), cells[k]);
    if (found == kNames.end())
      return wrong({file, 1, column_of(cells[k], line)}, std::string(cells[k].substr(0, 60)), "is no column of a wind field",
                   core::did_you_mean(std::string(cells[k]), std::vector<std::string>(kNames.begin(), kNames.end())));
    std::optional<std::size_t>& place = places[static_cast<std::size_t>(found - kNames.begin())];
    if (place) return wrong({file, 1, column_of(cells[k], line)}, *found, "is there twice");
    place = k;
  }
  for (std::size_t c = 0; c < kColumns; ++c)
    if (is_needed(c) && !places[c])
      return wrong({file, 1}, kNames[c], "is missing", "the first line names the columns: east,north,up,time,wind_east,wind_north,wind_up");
  return places;
}

core::Result<Row> read_row(std::string_view line, const Places& places, std::size_t n_names, const std::string& file, int number) {
  const std::vector<std::string_view> cells = cells_of(line);
  if (cells.size() != n_names) return wrong({file, number}, "", fmt::format("has {} values for {} columns", cells.size(), n_names));
  Row row;
  row.line = number;
  for (std::size_t c = 0; c < kColumns; ++c) {
    if (!places[c]) continue;
    const std::string_view text = cells[*places[c]];
    if (text.empty()) return wrong({file, number, column_of(text, line)}, kNames[c], "has a hole: there is no value", kNoGuess);
    const Spot at{file, number, column_of(text, line)};
    double& value = row.value[c];
    if (!core::parse_number(text, value) || value - value != 0) return wrong(at, kNames[c], fmt::format("'{}' is not a number", text.substr(0, 40)), kNoGuess);
    const double most = c <= Time ? kFarthest : kStrongest;
    if (math::abs(value) > most)
      return wrong(at, kNames[c], fmt::format("{} is not between {} and {} {}", value, -most, most, c < Time ? "m" : c == Time ? "s" : "m/s"));
  }
  return row;
}

// a regular axis through the values of a column
core::Result<wind_field::Axis> axis_of(const std::vector<Row>& rows, std::size_t column, const std::string& file) {
  std::vector<std::pair<double, int>> values;  // and the line of each
  for (const Row& r : rows) values.emplace_back(r.value[column], r.line);
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end(), [](const auto& a, const auto& b) { return a.first == b.first; }), values.end());
  wind_field::Axis axis{values.size(), values.front().first, 1};
  if (values.size() == 1) return axis;
  axis.step = (values.back().first - values.front().first) / static_cast<double>(values.size() - 1);
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double even = axis.first + axis.step * static_cast<double>(k);
    if (math::abs(values[k].first - even) > 1e-3 * axis.step)
      return wrong({file, values[k].second}, kNames[column],
                   fmt::format("{} is not on a regular grid: {} nodes from {} to {} are {} apart", values[k].first, axis.nodes, values.front().first,
                               values.back().first, axis.step),
                   "a node in between is missing, or one is out of place");
  }
  return axis;
}

std::size_t node_on(const wind_field::Axis& a, double value) { return static_cast<std::size_t>(math::round((value - a.first) / a.step)); }

core::Result<wind_field::Grid> grid_of(const std::vector<Row>& rows, const std::string& file) {
  wind_field::Grid g;
  wind_field::Axis* axes[4] = {&g.east, &g.north, &g.up, &g.time};
  for (std::size_t c = East; c <= Time; ++c) {
    const core::Result<wind_field::Axis> axis = axis_of(rows, c, file);
    if (!axis) return axis.error();
    *axes[c] = axis.value();
  }
  // three lines on a diagonal make a grid of twenty-seven nodes: counted before memory is asked for
  const double nodes =
      static_cast<double>(g.east.nodes) * static_cast<double>(g.north.nodes) * static_cast<double>(g.up.nodes) * static_cast<double>(g.time.nodes);
  if (nodes > static_cast<double>(kMostNodes)) return wrong({file}, "", fmt::format("its grid has {:.0f} nodes: at most {}", nodes, kMostNodes));
  std::vector<int> lines(g.nodes(), 0);
  for (std::vector<float>* v : {&g.wind_east, &g.wind_north, &g.wind_up}) v->resize(g.nodes());
  for (const Row& r : rows) {
    const std::size_t e = node_on(g.east, r.value[East]), n = node_on(g.north, r.value[North]), u = node_on(g.up, r.value[Up]),
                      t = node_on(g.time, r.value[Time]);
    const std::size_t k = ((t * g.up.nodes + u) * g.north.nodes + n) * g.east.nodes + e;
    if (lines[k] != 0) return wrong({file, r.line}, "", fmt::format("is the node of line {} again", lines[k]));
    lines[k] = r.line;
    g.wind_east[k] = static_cast<float>(r.value[WindEast]);
    g.wind_north[k] = static_cast<float>(r.value[WindNorth]);
    g.wind_up[k] = static_cast<float>(r.value[WindUp]);
  }
  if (const auto hole = std::find(lines.begin(), lines.end(), 0); hole != lines.end()) {
    const std::size_t k = static_cast<std::size_t>(hole - lines.begin()), e = k % g.east.nodes, n = k / g.east.nodes % g.north.nodes;
    const std::size_t u = k / (g.east.nodes * g.north.nodes) % g.up.nodes, t = k / g.nodes_per_frame();
    const auto at = [](const wind_field::Axis& a, std::size_t i) { return a.first + a.step * static_cast<double>(i); };
    return wrong({file}, "",
                 fmt::format("has a hole: no line for east {}, north {}, up {}, time {}", at(g.east, e), at(g.north, n), at(g.up, u), at(g.time, t)), kNoGuess);
  }
  return g;
}

}  // namespace

core::Result<std::shared_ptr<const wind_field::Grid>> read_wind_field(const std::string& text, const std::string& file) {
  std::vector<Row> rows;
  Places places;
  std::size_t n_names = 0;
  int number = 0;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    const std::string_view line = trimmed(std::string_view(text).substr(from, end - from));
    from = end + 1;
    ++number;
    if (number == 1) {
      const core::Result<Places> names = read_names(line, file);
      if (!names) return names.error();
      places = names.value();
      n_names = cells_of(line).size();
    } else if (!line.empty()) {
      const core::Result<Row> row = read_row(line, places, n_names, file, number);
      if (!row) return row.error();
      rows.push_back(row.value());
      if (rows.size() > kMostNodes) return wrong({file, number}, "", fmt::format("has more than {} nodes", kMostNodes));
    }
  }
  if (rows.empty()) return wrong({file}, "", "holds no wind", "a line of names, then one line per node");
  core::Result<wind_field::Grid> grid = grid_of(rows, file);
  if (!grid) return grid.error();
  if (const core::Status sound = wind_field::check(grid.value()); !sound) return wrong({file}, sound.error().field, sound.error().message);
  return std::make_shared<const wind_field::Grid>(std::move(grid).value());
}

}  // namespace volary::scenario
