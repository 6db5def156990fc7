// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "vehicles/aerodynamics.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "vehicles/aircraft_test_support.hpp"

namespace volary::inline VOLARY_ISA::vehicles {
namespace {

using V3 = Vec3<double>;

const AeroParams<double> kAero = airframe::derive_airborne(test::aerosonde(), 0.0025, 0.6).value().aero;

AeroWrench<double> wrench(const V3& air_B, const V3& omega_B = {0, 0, 0}, const Deflections<double>& d = {0, 0, 0}, double stream = 0) {
  const Flow<double> f = flow_of(air_B, omega_B, 1.225);
  return aero_wrench(f, linear_coefficients(f, kAero), d, 1.225, stream, air_B, omega_B, kAero);
}
// flying at an angle of attack: the air comes from ahead and below
V3 at_alpha(double speed, double alpha) { return {speed * std::cos(alpha), 0, -speed * std::sin(alpha)}; }

TEST(aerodynamics, lift_and_drag_stand_square_to_and_against_the_flow) {
  const double alpha = 0.1, q = 0.5 * 1.225 * 25 * 25 * 0.55;
  const double lift = q * (0.23 + 5.61 * alpha), cl = 0.23 + 5.61 * alpha, drag = q * (0.043 + 0.0232 * cl * cl);
  const V3 f = wrench(at_alpha(25, alpha)).force_B;
  EXPECT_NEAR(f.x, lift * std::sin(alpha) - drag * std::cos(alpha), 1e-9);
  EXPECT_NEAR(f.z, lift * std::cos(alpha) + drag * std::sin(alpha), 1e-9);
  EXPECT_NEAR(f.y, 0, 1e-12);
}

TEST(aerodynamics, moments_have_their_span_and_chord) {
  // errata R-01: 1/2 rho V2 S times b, c, b
  const double q = 0.5 * 1.225 * 25 * 25 * 0.55;
  const V3 still = wrench({25, 0, 0}).torque_B;
  const V3 up = wrench({25, 0, 0}, {0, 0, 0}, {0, -0.1, 0}).torque_B;
  EXPECT_NEAR(-(up.y - still.y), q * 0.18994 * -0.99 * -0.1, 1e-9);  // nose up
  const V3 right = wrench({25, 0, 0}, {0, 0, 0}, {0.1, 0, 0}).torque_B;
  EXPECT_NEAR(right.x - still.x, q * 2.8956 * 0.17 * 0.1, 1e-9);
  const V3 rolling = wrench({25, 0, 0}, {0.5, 0, 0}).torque_B;
  EXPECT_NEAR(rolling.x, q * 2.8956 * -0.51 * 0.5 * 2.8956 / (2 * 25), 2e-3 * std::abs(rolling.x));
}

TEST(aerodynamics, air_from_the_right_pushes_left_and_turns_the_nose_to_the_right) {
  const AeroWrench<double> w = wrench({25, -2, 0});  // moving to the right: y is to the left
  EXPECT_GT(w.force_B.y, 0);
  EXPECT_LT(w.torque_B.z, 0);  // yaw to the right
  EXPECT_LT(w.torque_B.x, 0);  // dihedral lifts the right wing
}

TEST(aerodynamics, across_the_flow_a_wing_is_a_flat_plate) {
  const double q = 0.5 * 1.225 * 20 * 20 * 0.55;
  const V3 f = wrench({0, 0, -20}).force_B;  // falling flat on its belly
  EXPECT_NEAR(f.z, q * (2 + 0.043), 1e-9);
  EXPECT_NEAR(f.x, 0, 1e-9);
}

TEST(aerodynamics, forces_change_smoothly_through_the_stall_and_all_the_way_round) {
  V3 before = wrench(at_alpha(20, -3.1415)).force_B;
  for (double alpha = -3.1415; alpha < 3.1415; alpha += 0.002) {
    const V3 now = wrench(at_alpha(20, alpha)).force_B;
    EXPECT_LT(norm(now - before), 4.0) << alpha;  // N, of 280
    before = now;
  }
}

TEST(aerodynamics, the_stream_of_the_propeller_makes_the_elevator_work_at_rest) {
  AeroParams<double> blown = kAero;
  blown.wash = 0.5;
  const Flow<double> f = flow_of(V3{0, 0, 0}, V3{0, 0, 0}, 1.225);
  const auto w = aero_wrench(f, linear_coefficients(f, blown), Deflections<double>{0, -0.2, 0}, 1.225, 150.0, V3{0, 0, 0}, V3{0, 0, 0}, blown);
  EXPECT_NEAR(-w.torque_B.y, 0.5 * 150 * 0.55 * 0.18994 * 0.99 * 0.2, 1e-9);
}

RC_GTEST_PROP(aerodynamics, never_give_an_unpowered_body_energy, ()) {
  const auto number = [](double most) { return most * (*rc::gen::inRange(-1000, 1001)) / 1000.0; };
  const V3 air = {number(60), number(60), number(60)}, omega = {number(30), number(30), number(30)};
  const AeroWrench<double> w = wrench(air, omega, {number(0.4), number(0.4), number(0.4)});
  const double size = norm(w.force_B) * norm(air) + norm(w.torque_B) * norm(omega);
  RC_ASSERT(dot(w.force_B, air) + dot(w.torque_B, omega) <= 1e-9 * size + 1e-12);
  RC_ASSERT(std::isfinite(size));
}

}  // namespace
}  // namespace volary::inline VOLARY_ISA::vehicles
