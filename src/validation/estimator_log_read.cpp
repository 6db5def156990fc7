// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "core/suggest.hpp"
#include "math/functions.hpp"
#include "scenario/csv_file.hpp"
#include "scenario/node.hpp"
#include "validation/estimator_log.hpp"

namespace volary::validation {

namespace {

namespace fs = std::filesystem;

constexpr double kDegree = 0.017453292519943295;
using Rows = std::vector<std::vector<double>>;

// the numbers of some columns, row by row; the first is the time
core::Result<Rows> read_table(const std::string& folder, const char* file, const std::vector<const char*>& columns) {
  const std::string path = (fs::path(folder) / file).string();
  const core::Result<std::string> text = scenario::read_file(path);
  if (!text) return text.error();
  const core::Result<scenario::CsvFile> parsed = scenario::parse_csv(text.value(), path);
  if (!parsed) return parsed.error();
  const scenario::CsvFile& csv = parsed.value();
  std::vector<std::size_t> at;
  for (const char* name : columns) {
    const int found = csv.find(name);
    if (found < 0) return csv.error(csv.names.front(), fmt::format("there is no column '{}'", name), core::did_you_mean(name, csv.column_names()));
    at.push_back(static_cast<std::size_t>(found));
  }
  Rows out;
  for (const std::vector<scenario::CsvCell>& row : csv.rows) {
    std::vector<double> numbers;
    for (const std::size_t k : at) {
      const core::Result<double> x = csv.number(row[k]);
      if (!x) return x.error();
      numbers.push_back(x.value());
    }
    if (!out.empty() && numbers[0] < out.back()[0]) return csv.error(row[at[0]], "time goes backwards");
    out.push_back(std::move(numbers));
  }
  return out;
}

// one kind of autopilot: its files, their columns and units
struct Layout {
  const char* imu;
  std::vector<const char*> imu_columns;
  const char* gnss;
  std::vector<const char*> gnss_columns;  // time, latitude, longitude, height, course, speed, speed downwards
  const char* field;
  std::vector<const char*> field_columns;
  double field_unit;  // T
  const char* attitude;
  std::vector<const char*> attitude_columns;
  const char* air;
  std::vector<const char*> air_columns;  // time, airspeed, and the height where there is one
};
const Layout& ardupilot() {
  static const Layout layout = {"IMU.csv",
                                {"t_s", "GyrX", "GyrY", "GyrZ", "AccX", "AccY", "AccZ"},
                                "GPS.csv",
                                {"t_s", "Lat", "Lng", "Alt", "GCrs", "Spd", "VZ"},
                                "MAG.csv",
                                {"t_s", "MagX", "MagY", "MagZ"},
                                1e-7,
                                "ATT.csv",
                                {"t_s", "Roll", "Pitch", "Yaw"},
                                "NTUN.csv",
                                {"t_s", "Arspd"}};
  return layout;
}
const Layout& px4() {
  static const Layout layout = {"imu.csv",
                                {"t_s", "gx_rad_s", "gy_rad_s", "gz_rad_s", "ax_m_s2", "ay_m_s2", "az_m_s2"},
                                "gps.csv",
                                {"t_s", "lat_deg", "lon_deg", "hgt_m", "course_deg", "ground_speed_m_s", "vel_down_m_s"},
                                "mag.csv",
                                {"t_s", "mx", "my", "mz"},
                                1e-4,
                                "attitude.csv",
                                {"t_s", "roll_deg", "pitch_deg", "yaw_deg"},
                                "air_data.csv",
                                {"t_s", "eas_m_s", "baro_hgt_m"}};
  return layout;
}
bool holds(const fs::path& folder, const Layout& layout) {
  for (const char* file : {layout.imu, layout.gnss, layout.field, layout.attitude, layout.air})
    if (!fs::exists(folder / file)) return false;
  return true;
}

// In which unit courses point along the way that positions go: rad or degrees. Columns are wrong about it at times.
bool has_courses_in_radians(const Rows& gnss) {
  double along[2] = {0, 0};
  for (std::size_t k = 1; k < gnss.size(); ++k) {
    const double north = gnss[k][1] - gnss[k - 1][1], east = (gnss[k][2] - gnss[k - 1][2]) * math::cos(gnss[k][1] * kDegree);
    for (int unit = 0; unit < 2; ++unit) {
      double s, c;
      math::sincos(gnss[k][4] * (unit == 0 ? kDegree : 1), s, c);
      along[unit] += gnss[k][5] * (north * c + east * s);
    }
  }
  return along[1] > along[0];
}

}  // namespace

std::vector<std::string> find_sensor_logs(const std::string& folder) {
  std::vector<std::string> out;
  std::error_code ignored;
  const auto look = [&](const fs::path& at) {
    if (holds(at, ardupilot()) || holds(at, px4())) out.push_back(at.string());
  };
  look(folder);
  for (fs::recursive_directory_iterator at(folder, ignored), end; at != end; at.increment(ignored)) {
    if (at->is_directory(ignored)) look(at->path());
    if (at.depth() > 3) at.disable_recursion_pending();
  }
  std::sort(out.begin(), out.end());
  return out;
}

core::Result<SensorLog> read_sensor_log(const std::string& folder) {
  const Layout& layout = holds(folder, ardupilot()) ? ardupilot() : px4();
  SensorLog log;
  log.name = fs::path(folder).filename().string();
  const auto imu = read_table(folder, layout.imu, layout.imu_columns);
  if (!imu) return imu.error();
  for (const auto& r : imu.value()) log.imu.push_back({r[0], {r[1], r[2], r[3]}, {r[4], r[5], r[6]}});
  const auto gnss = read_table(folder, layout.gnss, layout.gnss_columns);
  if (!gnss) return gnss.error();
  log.courses_in_radians = has_courses_in_radians(gnss.value());
  for (const auto& r : gnss.value()) {
    double s, c;
    math::sincos(r[4] * (log.courses_in_radians ? 1 : kDegree), s, c);
    log.gnss.push_back({r[0], r[1] * kDegree, r[2] * kDegree, r[3], r[5] * c, r[5] * s, r[6]});
  }
  const auto field = read_table(folder, layout.field, layout.field_columns);
  if (!field) return field.error();
  for (const auto& r : field.value()) log.field.push_back({r[0], layout.field_unit * Vec3<double>{r[1], r[2], r[3]}});
  const auto attitude = read_table(folder, layout.attitude, layout.attitude_columns);
  if (!attitude) return attitude.error();
  for (const auto& r : attitude.value()) log.attitude.push_back({r[0], kDegree * Vec3<double>{r[1], r[2], r[3]}});
  const auto air = read_table(folder, layout.air, layout.air_columns);
  if (!air) return air.error();
  for (const auto& r : air.value()) {
    log.airspeed.push_back({r[0], r[1]});
    if (r.size() > 2) log.height.push_back({r[0], r[2]});
  }
  return log;
}

}  // namespace volary::validation
