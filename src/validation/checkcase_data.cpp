// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "validation/checkcase_data.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/suggest.hpp"
#include "math/euler.hpp"
#include "scenario/node.hpp"

namespace volary::validation {

namespace {

namespace fs = std::filesystem;

constexpr double kFoot = 0.3048, kDegree = 0.017453292519943295;
constexpr double kTimeGrid = 1e-4;  // s: some times went through 32-bit numbers (29.900001525878906)

core::Error error_in(const std::string& file, int line, std::string message, std::string suggestion = "") {
  core::Error error;
  error.file = file;
  error.line = line;
  error.message = std::move(message);
  error.suggestion = std::move(suggestion);
  return error;
}

std::vector<std::string_view> cells_of(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  std::vector<std::string_view> cells;
  for (std::size_t at = 0; at <= line.size();) {
    const std::size_t end = std::min(line.find(',', at), line.size());
    cells.push_back(line.substr(at, end - at));
    at = end + 1;
  }
  return cells;
}

std::optional<double> to_number(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value - value == 0)) return std::nullopt;
  return value;
}

// the columns that are read besides kQuantityInfo: the rest of the first state
constexpr const char* kFirstColumns[] = {
    "time", "latitude_deg", "longitude_deg", "bodyAngularRateWrtEi_deg_s_Roll", "bodyAngularRateWrtEi_deg_s_Pitch", "bodyAngularRateWrtEi_deg_s_Yaw"};
constexpr std::size_t kFirst = std::size(kFirstColumns);

core::Result<std::vector<std::size_t>> find_columns(const std::string& file, std::string_view header) {
  const std::vector<std::string_view> names = cells_of(header);
  std::vector<std::size_t> columns;
  const auto add = [&](std::string_view wanted) {
    const auto found = std::find(names.begin(), names.end(), wanted);
    if (found != names.end()) columns.push_back(static_cast<std::size_t>(found - names.begin()));
    return found != names.end();
  };
  std::vector<const char*> wanted(std::begin(kFirstColumns), std::end(kFirstColumns));
  for (const QuantityInfo& q : kQuantityInfo) wanted.push_back(q.column);
  for (const char* name : wanted) {
    if (add(name)) continue;
    // a misspelt column is one that nobody asks for
    std::vector<std::string> known;
    for (const std::string_view other : names)
      if (std::find(wanted.begin(), wanted.end(), other) == wanted.end()) known.emplace_back(other);
    const std::string near = core::nearest(name, known);
    return error_in(file, 1, fmt::format("there is no column '{}'", name), near.empty() ? "" : "is '" + near + "' meant?");
  }
  return columns;
}

vehicles::GeodeticState<double> state_of(const std::vector<double>& first, const Quantities& q) {
  vehicles::GeodeticState<double> s;
  s.place = {first[1] * kDegree, first[2] * kDegree, q[0] * kFoot};
  s.velocity_N = {q[1] * kFoot, q[2] * kFoot, q[3] * kFoot};
  s.q_NB = math::quat_from_euler(math::EulerAngles<double>{q[4] * kDegree, q[5] * kDegree, q[6] * kDegree});
  s.omega_B = {first[3] * kDegree, first[4] * kDegree, first[5] * kDegree};
  return s;
}

core::Status read_row(std::string_view line, int number, const std::vector<std::size_t>& columns, std::size_t n_columns, Trajectory& out) {
  const std::vector<std::string_view> cells = cells_of(line);
  if (cells.size() != n_columns)
    return error_in(out.file, number, fmt::format("{} cells in a row, {} columns have names", cells.size(), n_columns),
                    cells.size() < n_columns ? "is the file cut off?" : "");
  std::vector<double> values;
  for (const std::size_t column : columns) {
    const std::optional<double> value = column < cells.size() ? to_number(cells[column]) : std::nullopt;
    if (!value) return error_in(out.file, number, fmt::format("column {} is not a number", column + 1));
    values.push_back(*value);
  }
  Quantities q;
  std::copy_n(values.begin() + kFirst, kQuantities, q.begin());
  const double time = math::round(values[0] / kTimeGrid) * kTimeGrid;
  if (!out.time.empty() && time <= out.time.back()) return error_in(out.file, number, "time does not go forward");
  if (out.rows.empty()) out.first = state_of(values, q);
  out.time.push_back(time);
  out.rows.push_back(q);
  out.line.push_back(number);
  return core::ok();
}

// moves every row on to this time; some may be written more often than others
bool find_rows(const std::vector<Trajectory>& all, double time, std::vector<std::size_t>& row) {
  bool found = true;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::vector<double>& times = all[i].time;
    while (row[i] + 1 < times.size() && times[row[i]] < time - kTimeGrid / 2) ++row[i];
    found = found && math::abs(times[row[i]] - time) < kTimeGrid / 2;
  }
  return found;
}

// who ends before the others
core::Status check_spans(const std::vector<Trajectory>& all, double lasts) {
  const auto ends = [](const Trajectory& a, const Trajectory& b) { return a.time.back() < b.time.back(); };
  const Trajectory& first = *std::min_element(all.begin(), all.end(), ends);
  const Trajectory& last = *std::max_element(all.begin(), all.end(), ends);
  const double begin = first.time.front(), sample = last.time.back() - last.time[last.time.size() - 2];
  const double span = first.time.back() - begin, longest = last.time.back() - begin;
  if (span >= longest - 1.5 * sample || span >= (lasts > 0 ? lasts - 1.5 * sample : 0.1 * longest)) return core::ok();
  return error_in(first.file, first.line.back(),
                  fmt::format("ends after {:.6g} s, where {} goes on for {:.6g} s{}", span, last.file, longest,
                              lasts > 0 ? fmt::format("; the case lasts {:.6g} s", lasts) : std::string()),
                  "is the file cut off?");
}

// Two simulations that differ by less than this are not looked at: far above what independent ones were ever apart, in the units of the publication.
constexpr double kDoubtful[] = {100, 20, 30};  // ft, ft/s, deg
constexpr double kFarOutside = 1000;           // times the spread of the others

// how far one value is from the others, and those from each other
struct Apart {
  double away = 0, spread = 0;
};
Apart apart(const std::vector<Trajectory>& all, const std::vector<std::size_t>& row, std::size_t which, std::size_t q) {
  Apart a{1e300, 0};
  const auto value = [&](std::size_t i) { return all[i].rows[row[i]][q]; };
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i == which) continue;
    a.away = std::min(a.away, math::abs(difference(q, value(i), value(which))));
    for (std::size_t j = 0; j < i; ++j)
      if (j != which) a.spread = std::max(a.spread, math::abs(difference(q, value(i), value(j))));
  }
  return a;
}

// of two there is no majority: whoever moved more since the row before is named
std::size_t who_jumped(const std::vector<Trajectory>& all, const std::vector<std::size_t>& row, std::size_t q) {
  double moved[2] = {0, 0};
  for (std::size_t i = 0; i < 2; ++i)
    if (row[i] > 0) moved[i] = math::abs(difference(q, all[i].rows[row[i] - 1][q], all[i].rows[row[i]][q]));
  return moved[0] > moved[1] ? 0 : 1;
}

core::Status check_outlier(const std::vector<Trajectory>& all, const std::vector<std::size_t>& row, std::size_t q) {
  for (std::size_t i = 0; i < all.size() && all.size() > 1; ++i) {
    const Apart a = apart(all, row, i, q);
    if (a.away <= kDoubtful[kQuantityInfo[q].group] + kFarOutside * a.spread) continue;
    const std::size_t who = all.size() == 2 ? who_jumped(all, row, q) : i;
    const Trajectory& t = all[who];
    return error_in(t.file, t.line[row[who]],
                    fmt::format("{} = {:.6g} is {:.3g} {} away from every other simulation, and those differ by {:.2g} {}", kQuantityInfo[q].column,
                                t.rows[row[who]][q], a.away, kQuantityInfo[q].unit, a.spread, kQuantityInfo[q].unit),
                    "the disagreement of the references is the threshold: this cell would widen it");
  }
  return core::ok();
}

}  // namespace

double difference(std::size_t quantity, double a, double b) {
  double d = b - a;
  if (kQuantityInfo[quantity].group == 2) d -= 360 * math::round(d / 360);
  return d;
}

core::Result<Trajectory> read_trajectory(const std::string& path, const std::string& simulation) {
  const core::Result<std::string> text = scenario::read_file(path);
  if (!text) return text.error();
  Trajectory out;
  out.simulation = simulation;
  out.file = path;
  std::vector<std::size_t> columns;
  std::size_t n_columns = 0;
  std::string_view rest = text.value();
  for (int line = 1; !rest.empty(); ++line) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view row = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line == 1) {
      core::Result<std::vector<std::size_t>> found = find_columns(path, row);
      if (!found) return found.error();
      columns = std::move(found).value();
      n_columns = cells_of(row).size();
    } else if (row.find_first_not_of(" \r,") != std::string_view::npos) {
      if (const core::Status s = read_row(row, line, columns, n_columns, out); !s) return s.error();
    }
  }
  if (out.rows.size() < 2) return error_in(path, 0, "there is no trajectory in this file");
  return out;
}

core::Result<Reference> mean_of(const std::vector<Trajectory>& all, double lasts) {
  Reference r;
  for (const Trajectory& t : all) {
    r.simulations.push_back(t.simulation);
    if (math::abs(t.time.front() - all.front().time.front()) < kTimeGrid / 2) continue;
    return error_in(t.file, 2, fmt::format("begins at {} s, where {} begins at {} s", t.time.front(), all.front().file, all.front().time.front()));
  }
  if (const core::Status spans = check_spans(all, lasts); !spans) return spans.error();
  const double share = 1.0 / static_cast<double>(all.size());
  std::vector<std::size_t> row(all.size(), 0);  // of each trajectory, at the time of the first one's row
  for (const double time : all.front().time) {
    if (!find_rows(all, time, row)) continue;
    Quantities mean{};
    const Quantities& base = all.front().rows[row[0]];
    for (std::size_t q = 0; q < kQuantities; ++q) {
      if (const core::Status sound = check_outlier(all, row, q); !sound) return sound.error();
      for (std::size_t i = 0; i < all.size(); ++i) {
        mean[q] += share * difference(q, base[q], all[i].rows[row[i]][q]);
        for (std::size_t j = 0; j < i; ++j) r.band[q] = std::max(r.band[q], math::abs(difference(q, all[i].rows[row[i]][q], all[j].rows[row[j]][q])));
      }
      mean[q] += base[q];
    }
    r.time.push_back(time);
    r.mean.push_back(mean);
  }
  if (r.time.size() < 2) return error_in(all.back().file, 0, "has no times in common with " + all.front().file);
  // the mean of places near each other; the first one's turn of longitude and attitude is kept
  vehicles::GeodeticState<double> first = state_of({0, 0, 0, 0, 0, 0}, r.mean.front());
  first.place.latitude = 0;
  for (const Trajectory& t : all) {
    const double turn = (t.first.place.longitude - all.front().first.place.longitude) / (360 * kDegree);
    first.place.latitude += share * t.first.place.latitude;
    first.place.longitude += share * (t.first.place.longitude - 360 * kDegree * math::round(turn));
    first.omega_B = first.omega_B + share * t.first.omega_B;
  }
  r.first = first;
  return r;
}

std::vector<CaseFolder> find_case_folders(const std::string& folder) {
  std::vector<CaseFolder> found;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (!entry.is_directory() || !name.starts_with("Atmos_")) continue;
    const std::size_t end = std::min(name.find('_', 6), name.size());
    CaseFolder c{entry.path().string(), name.substr(6, end - 6), {}};
    for (const fs::directory_entry& file : fs::directory_iterator(entry.path(), ignored)) {
      const std::string stem = file.path().stem().string();
      const std::size_t at = stem.rfind("_sim_");
      if (file.path().extension() == ".csv" && at != std::string::npos) c.files.emplace_back(stem.substr(at + 5), file.path().string());
    }
    std::sort(c.files.begin(), c.files.end());
    found.push_back(std::move(c));
  }
  std::sort(found.begin(), found.end(), [](const CaseFolder& a, const CaseFolder& b) { return a.path < b.path; });
  return found;
}

}  // namespace volary::validation
