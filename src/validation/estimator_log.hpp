// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Logs of aeroplanes that have raw samples of their sensors beside the attitude that their autopilot found: read, checked for the directions of their axes,
// and put through our estimator.
#pragma once

#include <string>
#include <vector>

#include "core/result.hpp"
#include "math/vec.hpp"

namespace volary::validation {

using math::Vec3;

struct TimedVector {
  double time = 0;
  Vec3<double> value{};
};
struct TimedNumber {
  double time = 0, value = 0;
};
struct InertialSample {
  double time = 0;  // s
  Vec3<double> gyro{}, force{};  // rad/s, m/s2, FRD as logged
};
struct SatelliteSample {
  double time = 0;
  double latitude = 0, longitude = 0, height = 0;  // rad, m
  double north = 0, east = 0, down = 0;  // m/s
  double speed() const { return math::sqrt(north * north + east * east); }
};

struct SensorLog {
  std::string name;
  std::vector<InertialSample> imu;
  std::vector<SatelliteSample> gnss;
  std::vector<TimedVector> field;  // T, FRD
  std::vector<TimedVector> attitude;  // roll, pitch and yaw of the autopilot, rad
  std::vector<TimedNumber> airspeed;  // m/s
  std::vector<TimedNumber> height;  // m, of the barometer; may be empty
  bool courses_in_radians = false;  // found by holding courses against positions, whatever the column is called
};

// folders below `folder` that hold such a log
std::vector<std::string> find_sensor_logs(const std::string& folder);
core::Result<SensorLog> read_sensor_log(const std::string& folder);

// Which gyroscope axis shows each axis of the autopilot's own turning, and how well: found, not assumed.
struct GyroAxes {
  int axis[3] = {0, 1, 2};
  double sign[3] = {1, 1, 1};
  double correlation[3] = {};
  Vec3<double> bias{};  // rad/s, mean of gyroscope less attitude's turning
  double upright = 0;  // mean of the specific force along the third axis over its length: -1 for FRD
  bool as_expected() const;  // forward, right and down, each shown by its own axis
};
GyroAxes find_gyro_axes(const SensorLog& log);
// The Earth's field has one strength, whatever the attitude: a magnetometer whose strength varies by more than 5 % measures the vehicle.
bool has_usable_field(const SensorLog& log);

// our estimate less that of the autopilot, root mean squares
struct Compared {
  double roll = 0, pitch = 0, yaw = 0;  // rad
  double seconds = 0;  // how long was compared
  double position = 0, velocity = 0;  // m, m/s: GNSS less our prediction of it
  Vec3<double> gyro_bias{}, accel_bias{};
  double wind[2] = {};
  int resets = 0;
};
// flying: faster than 5 m/s over ground
struct Replayed {
  Compared all, flying;
};
Replayed replay_sensors(const SensorLog& log);

}  // namespace volary::validation
