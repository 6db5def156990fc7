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
  std::vector<BenchPoint> log;
  double speed = 0;
  for (int k = 0; k < 4000; ++k) {
    const double t = 0.01 * k, wanted = 100.0 * std::floor(t / 2);
    speed += (wanted - speed) * 0.0952;
    const double thrust = 5e-6 * speed * speed - 4e-4 * speed;
    log.push_back({t, speed, thrust + 0.05 + 0.05 * noise(static_cast<std::uint64_t>(k)), 0.014 * thrust});
  }
  const auto fit = fit_thrust(log, true);
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit.value().thrust2, 5e-6, 2e-8);
  EXPECT_NEAR(fit.value().thrust1, -4e-4, 2e-5);
  EXPECT_NEAR(fit.value().tare, 0.05, 0.005);
  EXPECT_NEAR(*fit.value().torque_ratio, 0.014, 1e-4);
  EXPECT_LT(fit.value().rms, 0.005);
  EXPECT_GT(fit.value().r2, 0.9999);
}

TEST(identify, a_curve_needs_points_and_thrust) {
  EXPECT_FALSE(fit_thrust({{0, 100, 1, {}}, {0, 200, 4, {}}}, false));
  EXPECT_FALSE(fit_thrust({{0, 100, -1, {}}, {0, 200, -4, {}}, {0, 300, -9, {}}, {0, 400, -16, {}}, {0, 500, -25, {}}}, false));
}

}  // namespace
}  // namespace volary::airframe
