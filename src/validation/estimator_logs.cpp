// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Raw sensors of two aeroplanes through our estimator, beside the attitude that their autopilots found. Nobody knows the truth, so nothing is judged.
#include <fmt/format.h>

#include "validation/check.hpp"
#include "validation/estimator_log.hpp"

namespace volary::validation {

namespace {

constexpr double kDegrees = 57.29577951308232;

void add_axes(const SensorLog& log, const GyroAxes& axes, CheckReport& report) {
  constexpr const char* kNames[] = {"forward", "right", "down"};
  std::string found;
  for (int k = 0; k < 3; ++k)
    found +=
        fmt::format("{}{} by {}{} (correlation {:.2f})", k > 0 ? ", " : "", kNames[k], axes.sign[k] < 0 ? "-" : "", kNames[axes.axis[k]], axes.correlation[k]);
  report.remarks.push_back(fmt::format(
      "{}: turning about {}. The gyroscope is off by {:.4f}, {:.4f}, {:.4f} rad/s on average. The mean specific force points {} along the third axis.",
      log.name, found, axes.bias.x, axes.bias.y, axes.bias.z, axes.upright < 0 ? "up" : "down"));
}

void add_units(const SensorLog& log, CheckReport& report) {
  if (!has_usable_field(log))
    report.remarks.push_back(fmt::format(
        "{}: the strength of the measured magnetic field varies by more than 5 %, so it is not used. The estimator begins in flight, along the course.",
        log.name));
  if (log.courses_in_radians)
    report.remarks.push_back(fmt::format("{}: courses of GNSS follow the positions when they are read as radians, whatever their column is called.", log.name));
}

void add_row(const std::string& name, const Compared& c, CheckReport& report) {
  report.table.push_back({name, fmt::format("{:.0f}", c.seconds), fmt::format("{:.1f}", c.roll * kDegrees), fmt::format("{:.1f}", c.pitch * kDegrees),
                          fmt::format("{:.1f}", c.yaw * kDegrees), fmt::format("{:.1f}", c.position), fmt::format("{:.2f}", c.velocity)});
  const std::string path = fmt::format("estimator-logs/{}/", name);
  report.figures.push_back({path + "roll", c.roll * kDegrees, "deg", 0, Sense::NoBar});
  report.figures.push_back({path + "pitch", c.pitch * kDegrees, "deg", 0, Sense::NoBar});
  report.figures.push_back({path + "yaw", c.yaw * kDegrees, "deg", 0, Sense::NoBar});
  report.figures.push_back({path + "position", c.position, "m", 0, Sense::NoBar});
  report.figures.push_back({path + "velocity", c.velocity, "m/s", 0, Sense::NoBar});
}

core::Result<CheckReport> run(const CheckOptions& options) {
  CheckReport report;
  report.title = "Raw sensors of aeroplanes through the estimator, less what their autopilots found (root mean square)";
  report.header = {"log", "s", "roll, deg", "pitch, deg", "yaw, deg", "GNSS position, m", "GNSS velocity, m/s"};
  for (const std::string& folder : find_sensor_logs(options.data)) {
    const core::Result<SensorLog> log = read_sensor_log(folder);
    if (!log) {
      report.errors.push_back(log.error());
      continue;
    }
    const GyroAxes axes = find_gyro_axes(log.value());
    add_axes(log.value(), axes, report);
    add_units(log.value(), report);
    if (!axes.as_expected()) {
      core::Error error;
      error.file = folder;
      error.message = "the axes of this log are not forward, right and down: it is not put through the estimator";
      report.errors.push_back(error);
      continue;
    }
    const Replayed replayed = replay_sensors(log.value());
    add_row(log.value().name, replayed.all, report);
    add_row(log.value().name + ", flying", replayed.flying, report);
    const Compared& c = replayed.all;
    report.remarks.push_back(fmt::format(
        "{}: the last estimated biases are {:.4f}, {:.4f}, {:.4f} rad/s and {:.2f}, {:.2f}, {:.2f} m/s2. The last wind is {:.1f} m/s to the east and {:.1f} m/s "
        "to the north. {} resets.",
        log.value().name, c.gyro_bias.x, c.gyro_bias.y, c.gyro_bias.z, c.accel_bias.x, c.accel_bias.y, c.accel_bias.z, c.wind[0], c.wind[1], c.resets));
  }
  report.remarks.emplace_back(
      "The autopilots' attitudes are estimates too, of filters of 2013 and 2014, so there is no threshold. GNSS rows are taken as 0.2 s old. The columns of "
      "GNSS are what a fix differs "
      "from our prediction just before it is used. Headings use the magnetic field of WMM2025 at its epoch.");
  return report;
}

}  // namespace

const Check kEstimatorLogsCheck = {
    "estimator-logs",
    "raw IMU, GNSS, magnetometer and airspeed of two aeroplanes through the estimator, beside their autopilots' attitude",
    "folders with IMU.csv, GPS.csv, MAG.csv, ATT.csv and NTUN.csv, or with imu.csv, gps.csv, mag.csv, attitude.csv and air_data.csv",
    [](const CheckOptions& options) { return !find_sensor_logs(options.data).empty(); },
    run,
    true,
    nullptr,
    "No world flies: the estimator of flocks runs over logged samples, with noise set for small autopilots in aeroplanes."};

}  // namespace volary::validation
