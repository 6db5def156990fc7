// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Flocks with sensors for tests.
#pragma once

#include <cmath>
#include <vector>

#include "engine/engine_test_support.hpp"

namespace volary::test {

// a consumer's IMU and receiver, a barometer and a magnetometer
inline SensorsDef common_sensors() {
  SensorsDef s;
  s.imu = ImuDef{};
  s.imu->gyro.noise = 5e-5, s.imu->gyro.turn_on = 0.002, s.imu->gyro.instability = 1e-4;
  s.imu->accelerometer.noise = 7e-4, s.imu->accelerometer.turn_on = 0.02, s.imu->accelerometer.instability = 1e-3;
  s.gnss = GnssDef{};
  s.gnss->time = {.rate = 10, .phase = 0, .latency = 0.12, .drop_out = 0};
  s.gnss->horizontal = 0.3, s.gnss->vertical = 0.5, s.gnss->white = 0.05, s.gnss->velocity = 0.05;
  s.barometer = BarometerDef{};
  s.barometer->time.rate = 50, s.barometer->error.noise = 1.2;
  s.magnetometer = MagnetometerDef{};
  s.magnetometer->time = {.rate = 50, .phase = 0, .latency = 0.02, .drop_out = 0};
  s.magnetometer->error.noise = 3e-7;
  return s;
}

inline WorldDef sensing(WorldDef w) {
  for (FlockDef& f : w.flocks) {
    f.sensors = common_sensors();
    f.estimator.kind = EstimatorKind::Ekf;
  }
  return w;
}
inline WorldDef sensing(int n) { return sensing(circling(n)); }

inline std::vector<double> values(const World& w, const std::string& column, std::size_t slot = 0, const std::string& flock = "birds") {
  const View v = w.view(flock, column);
  std::vector<double> out(v.shape[2]);
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = v.at(slot, k);
  return out;
}
// of a position, whose remainder is in three more rows
inline Vec place(const World& w, const std::string& column, std::size_t slot = 0, const std::string& flock = "birds") {
  const std::vector<double> x = values(w, column, slot, flock);
  return x.size() == 6 ? Vec{x[0] + x[3], x[1] + x[4], x[2] + x[5]} : Vec{x[0], x[1], x[2]};
}
inline double apart(const Vec& a, const Vec& b) { return std::sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2])); }

}  // namespace volary::test
