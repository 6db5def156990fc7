// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "vehicles/identify.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "math/hash.hpp"

namespace volary::airframe {
namespace {

double noise(std::uint64_t n) { return static_cast<double>(math::mix64(n) >> 11) * 0x1p-53 - 0.5; }

TEST(identify, a_known_motor_is_found_again_through_noise_and_steps) {
  // steps of two seconds; the rotor follows with a lag of 0.1 s and the stand reads 0.05 N too much
  BenchLog log;
  log.timed = true;
  double speed = 0;
  for (int k = 0; k < 4000; ++k) {
    const double t = 0.01 * k, wanted = 100.0 * std::floor(t / 2);
    speed += (wanted - speed) * 0.0952;
    const double thrust = 5e-6 * speed * speed - 4e-4 * speed;
    log.speed.push_back({t, speed, 0});
    // sensors take turns, and the motor was mounted so that torque reads negative, with a tare
    if (k % 2 == 0) log.thrust.push_back({t, speed, thrust + 0.05 + 0.05 * noise(static_cast<std::uint64_t>(k))});
    if (k % 6 == 1) log.torque.push_back({t, speed, -0.003 - 0.014 * thrust});
  }
  const auto fit = fit_thrust(log);
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit.value().thrust2, 5e-6, 2e-8);
  EXPECT_NEAR(fit.value().thrust1, -4e-4, 2e-5);
  EXPECT_NEAR(fit.value().tare, 0.05, 0.005);
  EXPECT_NEAR(*fit.value().torque_ratio, 0.014, 1e-4);
  EXPECT_NEAR(fit.value().torque_tare, -0.003, 1e-9);
  EXPECT_LT(fit.value().torque_rms, 0.005);
  EXPECT_GT(fit.value().torque_r2, 0.9999);
  EXPECT_LT(fit.value().rms, 0.005);
  EXPECT_GT(fit.value().r2, 0.9999);
}

// 0.1 s up and 0.16 s down, between 400 and 1000 rad/s and once from rest, where a motor starts slowly
TEST(identify, the_lag_of_a_motor_is_found_from_its_steps_and_not_from_its_start) {
  BenchLog log;
  log.timed = true;
  const std::vector<double> wanted = {0, 400, 700, 500, 1000, 600, 900, 400};
  double speed = 0;
  for (int k = 0; k < 16000; ++k) {
    const double aim = wanted[static_cast<std::size_t>(k / 2000)], lag = speed < 390 ? 0.3 : aim > speed ? 0.1 : 0.16;
    speed += (aim - speed) * (1 - std::exp(-0.001 / lag));
    if (k % 10 == 0) log.speed.push_back({0.001 * k, speed + 4 * noise(static_cast<std::uint64_t>(k)), 0});
  }
  const LagFit fit = fit_lag(log);
  EXPECT_EQ(fit.steps_up, 3);
  EXPECT_EQ(fit.steps_down, 3);
  EXPECT_NEAR(fit.up.value(), 0.1, 0.004);
  EXPECT_NEAR(fit.down.value(), 0.16, 0.006);
  // two steps are not enough to say
  log.speed.resize(1000);
  EXPECT_FALSE(fit_lag(log).up);
  log.timed = false;
  EXPECT_EQ(fit_lag(log).steps_up, 0);
}

TEST(identify, a_curve_needs_points_and_thrust) {
  EXPECT_FALSE(fit_thrust({false, {{0, 100, 1}, {0, 200, 4}}, {}, {}}));
  EXPECT_FALSE(fit_thrust({false, {{0, 100, -1}, {0, 200, -4}, {0, 300, -9}, {0, 400, -16}, {0, 500, -25}}, {}, {}}));
}

}  // namespace
}  // namespace volary::airframe
