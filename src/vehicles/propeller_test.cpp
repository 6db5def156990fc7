// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Propellers against hand computation and against wind tunnel measurements: APC Thin Electric 10x5 at 4005 rpm, UIUC Propeller Database, Vol. 1
// (Brandt, Deters, Ananda, Dantsker, Selig; University of Illinois at Urbana-Champaign), advance ratio, CT, CP as printed there.
// Compiled with FMA and under a name of its own, so that it may compare lanes with single numbers.
#include "vehicles/propeller.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

#include "core/cpu.hpp"
#include "math/table_blob.hpp"

namespace volary::vehicles {
namespace {

constexpr double kPi = 3.141592653589793;
constexpr double kDensity = 1.225;             // kg/m3
constexpr double kDiameter = 0.254;            // m, 10 inches
constexpr double kOmega = 4005 * 2 * kPi / 60;  // rad/s

struct Measured {
  double j, ct, cp;
};
const std::vector<Measured> kApc10x5 = {{0.146, 0.0867, 0.0385}, {0.181, 0.0823, 0.0385}, {0.213, 0.0768, 0.0378}, {0.256, 0.0669, 0.0357},
                                        {0.288, 0.0601, 0.0337}, {0.329, 0.0528, 0.0314}, {0.358, 0.0486, 0.0300}, {0.397, 0.0430, 0.0281},
                                        {0.427, 0.0386, 0.0265}, {0.469, 0.0324, 0.0242}, {0.510, 0.0259, 0.0213}, {0.549, 0.0190, 0.0183},
                                        {0.584, 0.0126, 0.0154}, {0.617, 0.0069, 0.0125}, {0.650, 0.0011, 0.0096}, {0.684, -0.0052, 0.0064}};

// a straight line through the measured CT, and the profile torque and induced power that fit CP best
PropellerCoefficients apc_10x5() { return {kDiameter / 2, 0.01432, 0, -0.06850, 0.000331, 0, 1.24, 2e-5}; }

double n2d4() { return kDensity * (kOmega / (2 * kPi)) * (kOmega / (2 * kPi)) * kDiameter * kDiameter * kDiameter * kDiameter; }
double n3d5() { return n2d4() * kOmega / (2 * kPi) * kDiameter; }
double speed_at(double j) { return j * kOmega / (2 * kPi) * kDiameter; }

std::vector<double> apc_10x5_table() {
  math::TableGrid grid{{{}}, {}, kPropellerColumns};
  for (const Measured& m : kApc10x5) {
    grid.axes[0].push_back(m.j);
    grid.values.insert(grid.values.end(), {m.ct, m.cp, 0.0});
  }
  for (std::size_t i = 0; i < kApc10x5.size(); ++i) {
    const Measured &a = kApc10x5[i == 0 ? 0 : i - 1], &b = kApc10x5[i + 1 == kApc10x5.size() ? i : i + 1];
    grid.values[3 * i + 2] = (b.ct - a.ct) / (b.j - a.j);
  }
  return math::make_table_blob(grid).value();
}
PropellerTableParams<double> apc_10x5_params() { return {kDiameter, 1 / (kPi * kDiameter * kDiameter / 2), 2e-5}; }

// By hand: A = pi 0.5^2 = 0.785398 m2; rho A R^2 w^2 = 1.2 * 0.785398 * 0.25 * 40000 = 9424.78 N. Hover: T = 0.01 * 9424.78 = 94.2478 N;
// v_i = sqrt(T / (2 rho A)) = 7.07107 m/s; Q = 9424.78 * 0.5 * (0.001 + 0.01^1.5 / sqrt 2) = 4.71239 + 3.33216 = 8.04455 N m.
TEST(propeller, in_hover_it_is_equation_7) {
  const auto p = propeller_params({0.5, 0.01, 0.1, -0.05, 0.001, 0.002, 1, 0});
  const auto load = propeller_load(200.0, 0.0, 0.0, 0.0, 1.2, p);
  EXPECT_NEAR(load.thrust, 94.2478, 1e-4);
  EXPECT_NEAR(load.induced_speed, 7.07107, 1e-5);
  EXPECT_NEAR(load.torque, 8.04455, 1e-5);
  EXPECT_NEAR(load.thrust_slope, -0.05 * 1.2 * 0.785398 * 0.5 * 200, 1e-4);
}

// lambda = 5 / (200 * 0.5) = 0.05, theta = 0.02, mu = 0.1: CT = 0.01 + 0.002 - 0.0025 = 0.0095, T = 89.5354 N.
// lambda_i = -0.025 + sqrt(0.025^2 + 0.0095 / 2) = 0.0483144; CQ = 0.001 + 0.0095 * (0.05 + 0.0483144) + 0.1 * 0.002 = 0.002133987
TEST(propeller, pitch_inflow_and_advance_count_as_in_equation_7) {
  const auto p = propeller_params({0.5, 0.01, 0.1, -0.05, 0.001, 0.002, 1, 0});
  const auto load = propeller_load(200.0, 5.0, 10.0, 0.02, 1.2, p);
  EXPECT_NEAR(load.thrust, 89.5354, 1e-4);
  EXPECT_NEAR(load.torque, 0.002133987 * 9424.78 * 0.5, 1e-4);
}

TEST(propeller, at_rest_it_neither_pulls_nor_divides_by_zero) {
  const auto p = propeller_params(apc_10x5());
  for (const double axial : {-20.0, 0.0, 20.0}) {
    const auto load = propeller_load(0.0, axial, 5.0, 0.0, kDensity, p);
    EXPECT_EQ(load.thrust, 0);
    EXPECT_LE(load.torque, 0);  // the air may set it turning, never the other way round
    EXPECT_EQ(load.induced_speed, 0);
  }
  const auto blob = apc_10x5_table();
  const auto load = propeller_load(0.0, 20.0, kDensity, math::table_view(blob.data()), apc_10x5_params());
  EXPECT_EQ(load.thrust, 0);
  EXPECT_EQ(load.torque, 0);
}

TEST(propeller, coefficients_follow_the_wind_tunnel) {
  const auto p = propeller_params(apc_10x5());
  for (const Measured& m : kApc10x5) {
    const auto load = propeller_load(kOmega, speed_at(m.j), 0.0, 0.0, kDensity, p);
    EXPECT_NEAR(load.thrust / n2d4(), m.ct, 0.03 * 0.0943) << "J = " << m.j;         // 3 % of the thrust at rest
    EXPECT_NEAR(load.torque * kOmega / n3d5(), m.cp, 0.045 * 0.0385) << "J = " << m.j;  // 4.5 % of the greatest power
  }
}

// thrust at rest was not used for the fit: 0.0943 at 3919 rpm, 0.0950 at 4176 rpm; the curve bends there, the line of eq. 7 does not
TEST(propeller, a_straight_line_overstates_thrust_at_rest_by_less_than_a_fifth) {
  const auto load = propeller_load(kOmega, 0.0, 0.0, 0.0, kDensity, propeller_params(apc_10x5()));
  EXPECT_NEAR(load.thrust / n2d4(), 0.0945, 0.2 * 0.0945);
  EXPECT_GT(load.thrust / n2d4(), 0.0945);
}

TEST(propeller, a_table_gives_back_what_was_measured) {
  const auto blob = apc_10x5_table();
  const auto table = math::table_view(blob.data());
  for (const Measured& m : kApc10x5) {
    const auto load = propeller_load(kOmega, speed_at(m.j), kDensity, table, apc_10x5_params());
    EXPECT_NEAR(load.thrust, m.ct * n2d4(), 1e-9);
    EXPECT_NEAR(load.torque * kOmega, m.cp * n3d5(), 1e-9);
  }
  const auto half_way = propeller_load(kOmega, speed_at(0.4895), kDensity, table, apc_10x5_params());
  EXPECT_NEAR(half_way.thrust, (0.0324 + 0.0259) / 2 * n2d4(), 1e-9);
}

TEST(propeller, the_slope_of_thrust_is_the_difference_of_thrusts) {
  const auto p = propeller_params(apc_10x5());
  const auto thrust = [&](double axial) { return propeller_load(kOmega, axial, 0.0, 0.0, kDensity, p).thrust; };
  EXPECT_NEAR(propeller_load(kOmega, 6.0, 0.0, 0.0, kDensity, p).thrust_slope, (thrust(6.5) - thrust(5.5)), 1e-9);
  const auto blob = apc_10x5_table();
  const auto table = math::table_view(blob.data());
  const auto from_table = [&](double j) { return propeller_load(kOmega, speed_at(j), kDensity, table, apc_10x5_params()); };
  const double difference = (from_table(0.41).thrust - from_table(0.38).thrust) / (speed_at(0.41) - speed_at(0.38));
  EXPECT_NEAR(from_table(0.397).thrust_slope, difference, 0.05 * -difference);
}

RC_GTEST_PROP(propeller, the_air_never_gives_more_than_the_shaft_takes, ()) {
  const auto number = [](int low, int high) { return static_cast<double>(*rc::gen::inRange(low * 100, high * 100)) / 100; };
  const double omega = number(0, 1500), axial = number(-60, 60), inplane = number(0, 60);
  const auto p =
      propeller_params({number(1, 200) / 100, number(0, 4) / 100, 0.1, -number(0, 20) / 100, number(0, 1) / 100, number(0, 1) / 100, number(0, 2), 0});
  const auto load = propeller_load(omega, axial, inplane, number(-20, 20) / 100, kDensity, p);
  const double scale = abs(load.thrust * axial) + abs(load.torque * omega) + 1;
  RC_ASSERT(load.thrust * axial <= load.torque * omega + 1e-12 * scale);

  const auto blob = apc_10x5_table();
  const auto tabled = propeller_load(omega, axial, kDensity, math::table_view(blob.data()), apc_10x5_params());
  RC_ASSERT(tabled.thrust * axial <= tabled.torque * omega + 1e-9);
}

// a table that ends while the propeller still pulls: J 0.4 of the APC; at J = 2 its CT would be an efficiency of 3
TEST(propeller, beyond_a_short_table_the_efficiency_stays_below_one) {
  const auto blob = math::make_table_blob({{{0.0, 0.4}}, {0.0945, 0.0366, -0.13, 0.0425, 0.028, -0.13}, kPropellerColumns}).value();
  const auto load = propeller_load(kOmega, speed_at(2.0), kDensity, math::table_view(blob.data()), apc_10x5_params());
  EXPECT_NEAR(load.thrust, 0.028 / 2.0 * n2d4(), 1e-9);
}

#if VOLARY_WIDE
TEST(propeller, lanes_give_the_bits_of_single_numbers) {
  if (!core::has_lanes(4)) GTEST_SKIP() << "this CPU has no FMA";
  using T = math::Wide<float, 4>;
  const auto blob = apc_10x5_table();
  const std::vector<float> scalars(blob.begin(), blob.end());
  const auto table = math::table_view(scalars.data());
  const auto d = propeller_params(apc_10x5());
  const auto params = [&](auto lane) {
    using L = decltype(lane);
    const auto s = [](double x) { return math::splat<L>(x); };
    return PropellerParams<L>{s(d.thrust2), s(d.thrust_pitch), s(d.thrust_axial), s(d.torque2), s(0.001), s(d.induced), s(d.inv_two_area), s(d.inertia)};
  };
  const auto compare = [](const PropellerLoad<T>& wide, const PropellerLoad<float>* single) {
    const T* of_wide[4] = {&wide.thrust, &wide.torque, &wide.thrust_slope, &wide.induced_speed};
    for (int k = 0; k < 4; ++k) {
      float lanes[4];
      math::store(lanes, *of_wide[k]);
      for (int i = 0; i < 4; ++i) {
        const float* of_single[4] = {&single[i].thrust, &single[i].torque, &single[i].thrust_slope, &single[i].induced_speed};
        EXPECT_EQ(math::to_bits(lanes[i]), math::to_bits(*of_single[k])) << "output " << k << ", lane " << i;
      }
    }
  };
  const float omega[4] = {0, 100, 419.4f, 900}, axial[4] = {12, -3, 7.7f, 40}, inplane[4] = {0, 2, 5, 1};
  const T density = math::splat<T>(1.2);
  PropellerLoad<float> single[4], tabled[4];
  for (int i = 0; i < 4; ++i) {
    single[i] = propeller_load(omega[i], axial[i], inplane[i], 0.01f, 1.2f, params(float{}));
    tabled[i] = propeller_load(omega[i], axial[i], 1.2f, table, PropellerTableParams<float>{0.254f, 9.87f, 0});
  }
  const T w = math::load(omega, T()), v = math::load(axial, T());
  compare(propeller_load(w, v, math::load(inplane, T()), math::splat<T>(0.01f), density, params(T{})), single);
  compare(propeller_load(w, v, density, table, PropellerTableParams<T>{math::splat<T>(0.254), math::splat<T>(9.87), math::splat<T>(0)}), tabled);
}
#endif

}  // namespace
}  // namespace volary::vehicles
