// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A log made up of a steady turn, whose truth is known.
#include "validation/estimator_log.hpp"

#include <gtest/gtest.h>

#include "math/functions.hpp"

namespace volary::validation {
namespace {

// level circles to the right at 15 m/s, with a bias on the gyroscope; banked so that the wings feel no side force
constexpr double kSpeed = 15, kTurn = 0.2, kGravity = 9.80;

SensorLog circles(double seconds, const Vec3<double>& bias) {
  SensorLog log;
  log.name = "circles";
  const double roll = math::atan(kSpeed * kTurn / kGravity), latitude = 0.82, longitude = 0.14;
  double sr, cr;
  math::sincos(roll, sr, cr);
  for (int k = 0; k * 0.02 < seconds; ++k) {
    const double t = k * 0.02, yaw = kTurn * t;
    // rolling in and out a little makes the axes visible
    const double wobble = 0.05 * math::sin(3 * t), rate = 0.15 * math::cos(3 * t), heave = 0.03 * math::sin(2 * t), dip = 0.06 * math::cos(2 * t);
    log.imu.push_back({t,
                       Vec3<double>{rate, kTurn * sr + dip * cr, kTurn * cr - dip * sr} + bias,
                       {0, 0, -math::sqrt(kGravity * kGravity + kSpeed * kTurn * kSpeed * kTurn)}});
    log.attitude.push_back({t, {roll + wobble, heave, yaw - 6.283185307179586 * math::round(yaw / 6.283185307179586)}});
    if (k % 10 == 0) {
      double s, c;
      math::sincos(yaw, s, c);
      const double north = kSpeed / kTurn * s, east = kSpeed / kTurn * (1 - c);
      log.gnss.push_back({t + 0.2, latitude + north / 6.37e6, longitude + east / (6.37e6 * math::cos(latitude)), 500, kSpeed * c, kSpeed * s, 0});
    }
    if (k % 5 == 0) log.airspeed.push_back({t, kSpeed});
  }
  return log;
}

TEST(EstimatorLog, TheAxesOfTheGyroscopeAreFoundWithTheirBias) {
  const GyroAxes axes = find_gyro_axes(circles(60, {0.01, -0.02, 0.005}));
  EXPECT_TRUE(axes.as_expected());
  EXPECT_GT(axes.correlation[0], 0.9);
  EXPECT_NEAR(axes.bias.x, 0.01, 0.01);
}

TEST(EstimatorLog, ALogInOtherAxesIsNoticed) {
  SensorLog log = circles(60, {0, 0, 0});
  for (InertialSample& s : log.imu) s.gyro = {-s.gyro.x, s.gyro.y, s.gyro.z};
  const GyroAxes axes = find_gyro_axes(log);
  EXPECT_FALSE(axes.as_expected());
  EXPECT_LT(axes.sign[0], 0);
}

// no wobble in the replay: the samples above are those of a steady turn
TEST(EstimatorLog, ASteadyTurnIsFollowed) {
  SensorLog log = circles(120, {0, 0, 0});
  const double roll = math::atan(kSpeed * kTurn / kGravity);
  for (std::size_t k = 0; k < log.imu.size(); ++k) {
    log.imu[k].gyro = {0, kTurn * math::sin(roll), kTurn * math::cos(roll)};
    log.attitude[k].value.x = roll, log.attitude[k].value.y = 0;
  }
  const Compared c = replay_sensors(log).flying;
  EXPECT_LT(c.roll, 0.15);
  EXPECT_LT(c.pitch, 0.15);
  EXPECT_LT(c.velocity, 2);
  EXPECT_GT(c.seconds, 100);
}

}  // namespace
}  // namespace volary::validation
