// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "validation/tracking_log.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/suggest.hpp"
#include "math/frames.hpp"
#include "math/functions.hpp"
#include "scenario/csv_columns.hpp"
#include "scenario/node.hpp"

namespace volary::validation {

namespace {

namespace fs = std::filesystem;

constexpr double kClear = 0.3;  // m above where it stood

core::Error error_in(const std::string& file, std::string message, std::string suggestion = "") {
  core::Error error;
  error.file = file;
  error.message = std::move(message);
  error.suggestion = std::move(suggestion);
  return error;
}

core::Result<std::array<double, 3>> diagonal_of(const nlohmann::json& all, const char* name, const std::string& file) {
  const auto found = all.find(name);
  if (found == all.end()) {
    std::vector<std::string> known;
    for (const auto& item : all.items()) known.push_back(item.key());
    return error_in(file, fmt::format("there is no gain '{}'", name), core::did_you_mean(name, known));
  }
  const bool scaled = found->is_object();
  const nlohmann::json& matrix = scaled && found->contains("matrix") ? found->at("matrix") : *found;
  const double scale = scaled && found->contains("scaling_coef") && found->at("scaling_coef").is_number() ? found->at("scaling_coef").get<double>() : 1;
  std::array<double, 3> out{};
  for (std::size_t k = 0; k < 3; ++k) {
    if (!matrix.is_array() || matrix.size() != 3 || !matrix[k].is_array() || matrix[k].size() != 3 || !matrix[k][k].is_number())
      return error_in(file, fmt::format("the gain '{}' is no 3 x 3 matrix of numbers", name));
    for (std::size_t j = 0; j < 3; ++j)
      if (j != k && !(matrix[k][j].is_number() && matrix[k][j].get<double>() == 0))
        return error_in(file, fmt::format("the gain '{}' couples axes, which the control ladder does not", name));
    out[k] = scale * matrix[k][k].get<double>();
  }
  return out;
}

// gains_<rest>.json beside flight_<rest>.csv, else the only one in the folder
core::Result<std::string> gains_file(const std::string& path) {
  const fs::path flight(path), folder = flight.parent_path();
  const std::string stem = flight.stem().string(), rest = stem.substr(std::min(stem.find('_'), stem.size()));
  const fs::path named = folder / ("gains" + rest + ".json");
  std::error_code ignored;
  if (fs::exists(named, ignored)) return named.string();
  std::vector<std::string> others;
  for (const fs::directory_entry& e : fs::directory_iterator(folder.empty() ? "." : folder, ignored))
    if (e.path().filename().string().starts_with("gains") && e.path().extension() == ".json") others.push_back(e.path().string());
  if (others.size() == 1) return others.front();
  return error_in(path, "there are no gains for this flight", "they are looked for in " + named.string());
}

std::vector<TrackedRow> rows_of(const std::vector<Samples>& c) {
  std::vector<TrackedRow> rows;
  for (std::size_t k = 0; k < c[0].size(); ++k) {
    const auto world = [&](std::size_t first) { return math::enu_from_ned(math::Vec3<double>{c[first][k], c[first + 1][k], c[first + 2][k]}); };
    TrackedRow r;
    r.time = c[0][k];
    r.wanted_position = world(1), r.wanted_velocity = world(4), r.wanted_acceleration = world(7);
    r.wanted_yaw = 1.5707963267948966 - c[10][k], r.wanted_yaw_rate = -c[11][k];
    r.position = world(12), r.velocity = world(19);
    r.attitude = math::enu_flu_from_ned_frd(math::normalize(math::Quat<double>{c[15][k], c[16][k], c[17][k], c[18][k]}));
    r.rate = math::flu_from_frd(math::Vec3<double>{c[22][k], c[23][k], c[24][k]});
    r.thrust = c[25][k];
    rows.push_back(r);
  }
  return rows;
}

// the first moment after take-off at kClear, the last before landing
std::optional<Span> find_airborne(const TrackingLog& log) {
  const double ground = log.rows[log.active].position.z;
  std::size_t first = log.active, last = log.rows.size() - 1;
  while (first < log.rows.size() && log.rows[first].position.z < ground + kClear) ++first;
  while (last > first && log.rows[last].position.z < ground + kClear) --last;
  if (first >= last) return std::nullopt;
  return Span{log.rows[first].time, log.rows[last].time};
}

}  // namespace

const std::vector<std::string>& tracking_log_columns() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> n = {"Current time [s]"};
    for (const char* group : {"User-defined position {} [m]", "User-defined velocity {} [m/s]", "User-defined acceleration {} [m/s^2]"})
      for (const char* axis : {"x", "y", "z"}) n.push_back(fmt::format(fmt::runtime(group), axis));
    n.insert(n.end(), {"User-defined yaw [rad]", "User-defined yaw_dot [rad/s]", "Position x [m]", "Position y [m]", "Position z [m]", "Quaternion q0 [-]",
                       "Quaternion q1 [-]", "Quaternion q2 [-]", "Quaternion q3 [-]", "Velocity x [m/s]", "Velocity y [m/s]", "Velocity z [m/s]",
                       "Angular velocity x [rad/s]", "Angular velocity y [rad/s]", "Angular velocity z [rad/s]", "U control input U1 [N]"});
    return n;
  }();
  return names;
}

core::Result<PidGains> parse_pid_gains(const std::string& text, const std::string& file) {
  const nlohmann::json all = nlohmann::json::parse(text, nullptr, false);
  if (!all.is_object()) return error_in(file, "this is no JSON object of gains");
  PidGains gains;
  const std::pair<const char*, std::array<double, 3>*> wanted[] = {{"KP_translational", &gains.position_p}, {"KD_translational", &gains.position_d},
                                                                   {"KI_translational", &gains.position_i}, {"KP_rotational", &gains.attitude_p},
                                                                   {"KD_rotational", &gains.attitude_d},    {"KI_rotational", &gains.attitude_i}};
  for (const auto& [name, to] : wanted) {
    const core::Result<std::array<double, 3>> values = diagonal_of(all, name, file);
    if (!values) return values.error();
    *to = values.value();
  }
  return gains;
}

core::Result<TrackingLog> read_tracking_log(const std::string& path) {
  const core::Result<std::string> text = scenario::read_file(path);
  if (!text) return text.error();
  const core::Result<scenario::CsvFile> csv = scenario::parse_csv(text.value(), path);
  if (!csv) return csv.error();
  std::vector<Samples> columns;
  for (const std::string& name : tracking_log_columns()) {
    core::Result<std::vector<double>> column = scenario::csv_column(csv.value(), name);
    if (!column) return column.error();
    columns.push_back(std::move(column).value());
  }
  for (std::size_t k = 1; k < columns[0].size(); ++k)
    if (!(columns[0][k] > columns[0][k - 1])) return csv.value().error(csv.value().rows[k].front(), "time does not go forward");

  TrackingLog log;
  log.file = path;
  log.name = fs::path(path).stem().string();
  log.rows = rows_of(columns);
  while (log.active + 1 < log.rows.size() && log.rows[log.active].thrust <= 0) ++log.active;
  const std::optional<Span> airborne = find_airborne(log);
  if (!airborne) return error_in(path, "nothing flies in this recording");
  log.airborne = *airborne;

  const core::Result<std::string> file = gains_file(path);
  if (!file) return file.error();
  const core::Result<std::string> gains_text = scenario::read_file(file.value());
  if (!gains_text) return gains_text.error();
  const core::Result<PidGains> gains = parse_pid_gains(gains_text.value(), file.value());
  if (!gains) return gains.error();
  log.gains = gains.value();
  return log;
}

}  // namespace volary::validation
