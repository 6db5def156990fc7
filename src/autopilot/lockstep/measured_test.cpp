// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/lockstep/measured.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace volary::autopilot {
namespace {

constexpr double kG = 9.80665;
const Vec3d kStill{0, 0, 0};

// level, nose to the east as yaw 0 has it
Truth level() { return {}; }
// nose to the north
Truth northward() { return {.attitude = {std::sqrt(0.5), 0, 0, std::sqrt(0.5)}}; }

Measured quiet(const Truth& before, const Truth& now, double seconds = 0.004) {
  return SensorSite(EnvironmentDef{}).measure(before, now, seconds, kStill, kStill, kNoNoise, {});
}

TEST(measured, an_accelerometer_at_rest_shows_minus_g_down) {
  const Measured m = quiet(level(), level());
  EXPECT_NEAR(m.specific_force_F.x, 0, 1e-12);
  EXPECT_NEAR(m.specific_force_F.y, 0, 1e-12);
  EXPECT_NEAR(m.specific_force_F.z, -kG, 1e-12);
}

TEST(measured, free_fall_shows_nothing) {
  Truth now = level();
  now.velocity_W = {0, 0, -kG * 0.004};
  EXPECT_NEAR(math::norm(quiet(level(), now).specific_force_F), 0, 1e-9);
}

TEST(measured, acceleration_along_the_nose_is_positive_x_and_to_the_right_positive_y) {
  Truth now = level();
  now.velocity_W = {0.004, -0.004 * 2, 0};  // nose to the east: south is to the right
  const Measured m = quiet(level(), now);
  EXPECT_NEAR(m.specific_force_F.x, 1, 1e-9);
  EXPECT_NEAR(m.specific_force_F.y, 2, 1e-9);
}

TEST(measured, rates_turn_from_forward_left_up_to_forward_right_down) {
  Truth t = level();
  t.omega_B = {1, 2, 3};
  const Measured m = quiet(t, t);
  EXPECT_DOUBLE_EQ(m.rate_F.x, 1);
  EXPECT_DOUBLE_EQ(m.rate_F.y, -2);
  EXPECT_DOUBLE_EQ(m.rate_F.z, -3);
}

TEST(measured, the_field_at_zurich_is_the_one_that_px4_expects) {
  const Measured m = quiet(northward(), northward());
  EXPECT_NEAR(m.magnetic_F.x, 0.215, 0.004);
  EXPECT_NEAR(m.magnetic_F.y, 0.012, 0.008);
  EXPECT_NEAR(m.magnetic_F.z, 0.43, 0.006);
}

TEST(measured, pressure_is_that_of_the_standard_atmosphere_at_the_height_of_the_place) {
  const Measured m = quiet(level(), level());
  EXPECT_NEAR(m.place.latitude, 47.397742, 1e-9);
  EXPECT_NEAR(m.place.altitude, 488, 1e-6);
  EXPECT_NEAR(m.pressure, 101325 * std::pow(1 - 2.25577e-5 * 488, 5.25588), 5);
  EXPECT_NEAR(m.pressure_height, 488, 0.2);
  EXPECT_NEAR(m.temperature, 288.15 - 0.0065 * 488, 0.01);
}

TEST(measured, airspeed_is_against_the_wind_and_along_the_nose) {
  Truth t = level();
  t.velocity_W = {10, 0, 0};
  const Measured m = SensorSite(EnvironmentDef{}).measure(t, t, 0.004, {-5, 3, 0}, kStill, kNoNoise, {});
  EXPECT_NEAR(m.airspeed, 15, 1e-12);
  EXPECT_NEAR(m.dynamic_pressure, 0.5 * 1.169 * 225, 1);
  EXPECT_NEAR(m.velocity_N.y, 10, 1e-12) << "east";
}

TEST(measured, noise_has_its_size_and_follows_from_seed_vehicle_and_tick) {
  const SensorSite site{EnvironmentDef{}};
  const auto at = [&](std::uint64_t vehicle, std::uint64_t tick) {
    return site.measure(level(), level(), 0.004, kStill, kStill, kPx4Noise, {7, 0, 0, vehicle, tick});
  };
  const double still = quiet(level(), level()).pressure;
  double sum = 0, squares = 0;
  constexpr int kN = 4000;
  for (std::uint64_t k = 0; k < kN; ++k) {
    const double e = (at(1, k).pressure - still) / kPx4Noise.pressure;
    sum += e, squares += e * e;
  }
  EXPECT_NEAR(sum / kN, 0, 0.06);
  EXPECT_NEAR(squares / kN, 1, 0.08);
  EXPECT_EQ(at(1, 5).rate_F.x, at(1, 5).rate_F.x);
  EXPECT_NE(at(1, 5).rate_F.x, at(2, 5).rate_F.x);
  EXPECT_NE(at(1, 5).rate_F.x, at(1, 6).rate_F.x);
}

}  // namespace
}  // namespace volary::autopilot
