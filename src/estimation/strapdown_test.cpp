// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "estimation/strapdown.hpp"

#include <gtest/gtest.h>

#include "estimation/flight_test_support.hpp"

namespace volary {
namespace {

using estimation::Nominal;
using estimation::rotation_vector;
using estimation::turn_of;
using math::Vec3;

Nominal<double> at_rest() { return {math::identity_quat<double>(), {0, 0, 0}, {{0, 0, 0}, {0, 0, 0}}, {0, 0, 0}, {0, 0, 0}, {0, 0}}; }

TEST(Strapdown, ATurnAndItsRotationVectorAreInverse) {
  test::Normals draw(1);
  for (int k = 0; k < 1000; ++k) {
    const Vec3<double> phi = draw.vec(0.3);
    if (math::norm(phi) > 1) continue;
    ASSERT_LT(math::norm(rotation_vector(turn_of(phi)) - phi), 1e-9);
  }
  EXPECT_EQ(math::norm(rotation_vector(turn_of(Vec3<double>{0, 0, 0}))), 0);
}

TEST(Strapdown, TheRotationVectorTakesTheShorterWay) {
  const auto q = turn_of(Vec3<double>{0, 0, 0.5});
  EXPECT_NEAR(rotation_vector(math::Quat<double>{-q.w, -q.x, -q.y, -q.z}).z, 0.5, 1e-9);
}

TEST(Strapdown, AVehicleThatFeelsItsWeightStaysWhereItIs) {
  Nominal<double> x = at_rest();
  for (int k = 0; k < 1000; ++k) estimation::propagate(x, {0, 0, 0}, {0, 0, 9.81 * 0.01}, 0.01, 9.81);
  EXPECT_LT(math::norm(x.velocity_W), 1e-10);
  EXPECT_LT(math::norm(x.position_W.value), 1e-10);
}

TEST(Strapdown, AVehicleThatFeelsNothingFallsAsGalileoSays) {
  Nominal<double> x = at_rest();
  for (int k = 0; k < 200; ++k) estimation::propagate(x, {0, 0, 0}, {0, 0, 0}, 0.01, 9.81);
  EXPECT_NEAR(x.velocity_W.z, -9.81 * 2, 1e-10);
  EXPECT_NEAR(x.position_W.value.z + x.position_W.remainder.z, -0.5 * 9.81 * 4, 1e-9);
}

// the simulated sensors sum coning and sculling over four samples: a minute of turning about all axes leaves millimetres
TEST(Strapdown, IncrementsWithoutErrorsBringTheTruth) {
  test::SimulatedErrors none;
  none.gyro_noise = none.accel_noise = none.gyro_walk = none.accel_walk = none.gyro_turn_on = none.accel_turn_on = 0;
  test::SimulatedFlight flight(none, 3);
  Nominal<double> x = flight.truth;
  for (int k = 0; k < 6000; ++k) {
    flight.step();
    estimation::propagate(x, flight.delta_angle, flight.delta_velocity, test::kTick, test::kGravity);
  }
  EXPECT_LT(math::norm(rotation_vector(flight.truth.q_WB * math::conjugate(x.q_WB))), 1e-8);
  EXPECT_LT(math::norm(flight.truth.velocity_W - x.velocity_W), 1e-4);
  EXPECT_LT(math::norm(flight.truth.position_W - x.position_W), 1e-2);
}

// without the terms of second order a known bias would leave 3 cm/s here
TEST(Strapdown, KnownBiasesLeaveNoTrace) {
  test::SimulatedErrors biased;
  biased.gyro_noise = biased.accel_noise = biased.gyro_walk = biased.accel_walk = 0;
  biased.gyro_turn_on = 0.02, biased.accel_turn_on = 0.3;
  test::SimulatedFlight flight(biased, 4);
  Nominal<double> x = flight.truth;
  for (int k = 0; k < 6000; ++k) {
    flight.step();
    estimation::propagate(x, flight.delta_angle, flight.delta_velocity, test::kTick, test::kGravity);
  }
  EXPECT_LT(math::norm(flight.truth.velocity_W - x.velocity_W), 2e-3);
}

// a float holds 2 mm at 20 km, its position 1 nm
TEST(Strapdown, AFloatMovesByMillimetresTwentyKilometresAway) {
  Nominal<float> x{math::identity_quat<float>(), {0.01f, 0, 0}, {{20000, 0, 0}, {0, 0, 0}}, {0, 0, 0}, {0, 0, 0}, {0, 0}};
  for (int k = 0; k < 1000; ++k) estimation::propagate(x, {0, 0, 0}, {0, 0, 0}, 0.01f, 0.0f);
  const double moved = (static_cast<double>(x.position_W.value.x) - 20000) + static_cast<double>(x.position_W.remainder.x);
  EXPECT_NEAR(moved, 0.1, 1e-5);
}

}  // namespace
}  // namespace volary
