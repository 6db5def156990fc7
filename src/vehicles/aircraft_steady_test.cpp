// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Trim and natural motions against published ones: the Aerosonde at 25 m/s as the authors of the textbook work it out (R. W. Beard and T. W. McLain,
// Small Unmanned Aircraft, 2012; figures of their own programs for its chapter 5, mavsim_public, design_projects/model_coef.py and chap5_check.py:
// density 1.2682 kg/m3, gravity 9.81 m/s2, C_Y_beta -0.98, C_n_p 0.069, drag with C_D_p 0).
#include "vehicles/aircraft_steady.hpp"

#include <gtest/gtest.h>

#include "vehicles/aircraft_test_support.hpp"

namespace volary::inline VOLARY_ISA::vehicles {
namespace {

using V = AircraftVariant<1, AeroForm::Linear>;
using Matrix = airframe::Matrix4;

airframe::AircraftDef published() {
  airframe::AircraftDef d = test::aerosonde();
  d.inertia = {0.8244, 1.135, 1.759}, d.inertia_products = {0, 0.1204, 0};
  d.side.beta = -0.98, d.yaw.p = 0.069;
  d.drag = {0, 0.0232013, 0, 0, 0, 0};
  // theirs pulls through the centre of mass and has no torque worth mentioning
  d.rotors[0].position = {0, 0, 0};
  d.rotors[0].torque = 1e-9, d.rotors[0].torque_induced = 0, d.rotors[0].inertia = 0;
  return d;
}
AircraftParams<double, 1> params_of(const airframe::AircraftDef& d, double gravity) {
  EnvironmentDef e;
  e.gravity = gravity;
  return airframe::derive_aircraft<1>(d, e, 0.0025, {}).value();
}
void expect_matrix(const Matrix& is, const Matrix& published, double share, const char* name) {
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j)
      EXPECT_NEAR(is[i][j], published[i][j], share * math::abs(published[i][j]) + 2e-3) << name << " row " << i << ", column " << j;
}

TEST(aircraft_steady, the_aerosonde_trims_where_its_authors_say) {
  const auto p = params_of(published(), 9.81);
  const SteadyFlight s = steady_flight<V>(25, 1.2682, 0, p, nullptr);
  ASSERT_TRUE(s.found);
  EXPECT_NEAR(s.alpha, 0.050107, 2e-4);
  EXPECT_NEAR(s.motion.pitch, 0.050107, 2e-4);
  EXPECT_NEAR(s.controls.elevator, -0.125044, 4e-4);
  EXPECT_NEAR(s.motion.u, 24.968623, 1e-3);
  EXPECT_NEAR(s.motion.w, 1.252151, 5e-3);
}

TEST(aircraft_steady, the_aerosonde_is_disturbed_as_its_authors_say) {
  const auto p = params_of(published(), 9.81);
  const LinearFlight f = linearise<V>(steady_flight<V>(25, 1.2682, 0, p, nullptr), p, nullptr);
  expect_matrix(
      f.lateral,
      {{{-0.776773, 1.252151, -24.968623, 9.797524}, {-3.866719, -22.628851, 10.905041, 0}, {0.783077, -0.115092, -1.227655, 0}, {0, 1, 0.050149, 0}}}, 0.01,
      "lateral");
  Matrix longitudinal = {
      {{-0.206751, 0.501088, -1.222177, -9.795068}, {-0.561011, -4.463973, 24.370933, -0.540322}, {0.200319, -3.992960, -5.294738, 0}, {0, 0, 1, 0}}};
  // u per u has their motor in it, which slows down with the airspeed
  longitudinal[0][0] = f.longitudinal[0][0];
  // w per pitch is -g sin(pitch) = -0.4913; theirs is a difference over 0.01 rad to one side, which gives -g (sin(pitch) + 0.005)
  longitudinal[1][3] = -9.81 * math::sin(0.050107);
  expect_matrix(f.longitudinal, longitudinal, 0.02, "longitudinal");
}

// the roots of the published matrices: -22.441, -1.1408 +- 4.6551 i, 0.08939 (a slow spiral, as they have); -4.8786 +- 9.8696 i, -0.10413 +- 0.48909 i
TEST(aircraft_steady, the_published_aerosonde_swings_rolls_and_spirals_as_its_matrices_say) {
  const airframe::LateralModes lateral = airframe::lateral_modes(
      {{{-0.776773, 1.252151, -24.968623, 9.797524}, {-3.866719, -22.628851, 10.905041, 0}, {0.783077, -0.115092, -1.227655, 0}, {0, 1, 0.050149, 0}}});
  ASSERT_TRUE(lateral.usual);
  EXPECT_NEAR(lateral.roll, -22.44116, 1e-5);
  EXPECT_NEAR(lateral.spiral, 0.0893942, 1e-6);
  EXPECT_NEAR(lateral.dutch_roll.first.real, -1.140757, 1e-5);
  EXPECT_NEAR(lateral.dutch_roll.first.imaginary, 4.655062, 1e-5);
  const airframe::LongitudinalModes longitudinal = airframe::longitudinal_modes(
      {{{-0.206751, 0.501088, -1.222177, -9.795068}, {-0.561011, -4.463973, 24.370933, -0.540322}, {0.200319, -3.992960, -5.294738, 0}, {0, 0, 1, 0}}});
  EXPECT_NEAR(longitudinal.short_period.frequency(), 11.0096, 1e-3);
  EXPECT_NEAR(longitudinal.short_period.damping(), 0.44312, 1e-4);
  EXPECT_NEAR(longitudinal.phugoid.first.real, -0.104133, 1e-5);
  EXPECT_NEAR(longitudinal.phugoid.first.imaginary, 0.489093, 1e-5);
}

// a block triangular matrix shows its roots: -1 +- 2 i, 0.5 and -4
TEST(aircraft_steady, modes_of_a_matrix_with_known_roots) {
  const Matrix m = {{{-1, 2, 0, 0}, {-2, -1, 0, 0}, {3, 1, 0.5, 0}, {0, 5, 2, -4}}};
  const airframe::LateralModes modes = airframe::lateral_modes(m);
  ASSERT_TRUE(modes.usual);
  EXPECT_NEAR(modes.roll, -4, 1e-9);
  EXPECT_NEAR(modes.spiral, 0.5, 1e-9);
  EXPECT_NEAR(modes.dutch_roll.frequency(), math::sqrt(5.0), 1e-9);
  EXPECT_NEAR(modes.dutch_roll.damping(), 1 / math::sqrt(5.0), 1e-9);
  EXPECT_FALSE(airframe::lateral_modes({{{-1, 2, 0, 0}, {-2, -1, 0, 0}, {0, 0, -1, 3}, {0, 0, -3, -1}}}).usual);
}

TEST(aircraft_steady, a_coordinated_turn_has_the_rate_and_the_load_of_its_bank) {
  const auto p = params_of(test::aerosonde(), 9.80665);
  for (const double bank : {-0.6, 0.3, 0.8}) {
    const SteadyFlight s = steady_flight<V>(25, 1.225, bank, p, nullptr);
    ASSERT_TRUE(s.found) << bank;
    EXPECT_NEAR(s.turn_rate, 9.80665 * math::tan(bank) / 25, 0.02 * math::abs(s.turn_rate)) << bank;
    EXPECT_EQ(s.beta, 0);
    // more lift, so a greater angle of attack and more elevator than straight ahead
    const SteadyFlight straight = steady_flight<V>(25, 1.225, 0, p, nullptr);
    EXPECT_GT(s.alpha, straight.alpha + 0.003);
    EXPECT_LT(s.controls.elevator, straight.controls.elevator);
  }
}

TEST(aircraft_steady, without_a_rudder_a_turn_slips) {
  airframe::AircraftDef d = test::aerosonde();
  d.yaw.rudder = d.roll.rudder = d.side.rudder = 0;
  const auto p = params_of(d, 9.80665);
  const SteadyFlight s = steady_flight<V>(25, 1.225, 0.5, p, nullptr);
  ASSERT_TRUE(s.found);
  EXPECT_EQ(s.controls.rudder, 0);
  EXPECT_GT(math::abs(s.beta), 1e-4);
  EXPECT_LT(math::abs(s.beta), 0.1);
}

TEST(aircraft_steady, stiffness_is_what_the_coefficients_say) {
  airframe::AircraftDef d = published();
  const auto p = params_of(d, 9.81);
  const Stiffness k = stiffness<V>(steady_flight<V>(25, 1.2682, 0, p, nullptr), p, nullptr);
  EXPECT_NEAR(k.pitch_alpha, -2.74, 0.01);
  EXPECT_NEAR(k.yaw_beta, 0.073, 1e-3);
  EXPECT_NEAR(k.roll_beta, -0.13, 1e-3);
  EXPECT_NEAR(k.lift_alpha, 5.61, 0.05);
}

}  // namespace
}  // namespace volary::inline VOLARY_ISA::vehicles
