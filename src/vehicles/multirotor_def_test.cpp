// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "vehicles/multirotor_def.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "vehicles/multirotor_gains.hpp"
#include "math/functions.hpp"
#include "vehicles/multirotor_derive.hpp"
#include "vehicles/multirotor_report.hpp"
#include "vehicles/multirotor_step.hpp"

namespace volary {
namespace {

using airframe::MultirotorDef;
using airframe::RotorDef;

constexpr double kG = airframe::kStandardGravity;

// PX4's x500
MultirotorDef quad() {
  MultirotorDef d;
  d.name = "x500";
  d.mass = 2;
  d.inertia = {0.0216667, 0.0216667, 0.04};
  d.motor.thrust2 = 8.54858e-6;
  d.motor.torque_ratio = 0.016;
  d.motor.speed_min = 150;
  d.motor.speed_max = 1000;
  d.motor.time_constant_up = 0.0125;
  d.motor.time_constant_down = 0.025;
  d.motor.inertia = 2.6e-5;
  d.motor.drag = 8.06e-5;
  d.motor.rolling = 1e-6;
  const double a = 0.174, z = 0.06;
  d.rotors = {{{a, -a, z}, {0, 0, 1}, 1, 1}, {{-a, a, z}, {0, 0, 1}, 1, 1}, {{a, a, z}, {0, 0, 1}, -1, 1}, {{-a, -a, z}, {0, 0, 1}, -1, 1}};
  return d;
}

// six arms from the front, spins alternating
MultirotorDef hexa() {
  MultirotorDef d = quad();
  d.inertia = {0.0267, 0.0267, 0.0515};
  d.rotors.clear();
  for (int k = 0; k < 6; ++k) {
    const double angle = 0.5235987755982988 + k * 1.0471975511965976;
    d.rotors.push_back({{0.27 * std::cos(angle), 0.27 * std::sin(angle), 0.03}, {0, 0, 1}, k % 2 == 0 ? 1 : -1, 1});
  }
  return d;
}

// four arms with a rotor above and a weaker one below, products of inertia
MultirotorDef coaxial() {
  MultirotorDef d = quad();
  d.inertia_products = {0, 1e-3, 0};
  for (int k = 0; k < 4; ++k) {
    RotorDef lower = d.rotors[static_cast<std::size_t>(k)];
    lower.position[2] -= 0.08;
    lower.spin = -lower.spin;
    lower.efficiency = 0.8;
    d.rotors.push_back(lower);
  }
  return d;
}

// B times mixer, which should be the identity
double product(const MultirotorDef& d, const airframe::MixerRows& m, std::size_t row, std::size_t column) {
  const airframe::Effectiveness b = airframe::effectiveness(d, kG);
  double sum = 0;
  for (std::size_t i = 0; i < airframe::kMaxRotors; ++i) sum += b[row][i] * m.gain[i][column];
  return sum;
}

void expect_reproduces(const MultirotorDef& d, const airframe::MixerRows& m, std::size_t axes) {
  for (std::size_t r = 0; r < axes; ++r)
    for (std::size_t c = 0; c < axes; ++c) EXPECT_NEAR(product(d, m, r, c), r == c ? 1.0 : 0.0, 1e-12) << d.name << " " << r << c;
}

void expect_refused(const char* field, const std::function<void(MultirotorDef&)>& spoil) {
  MultirotorDef d = quad();
  spoil(d);
  const core::Status s = airframe::check_multirotor(d);
  ASSERT_FALSE(s) << field;
  EXPECT_EQ(s.error().field, field) << s.error().text();
  EXPECT_FALSE(s.error().suggestion.empty()) << s.error().text();
}

double report_value(const MultirotorDef& d, const std::string& name) {
  for (const airframe::ReportRow& r : airframe::report_multirotor(d))
    if (r.name == name) return r.value;
  ADD_FAILURE() << "no row " << name;
  return 0;
}

// ---------------------------------------------------------------- what it can do

TEST(multirotor_def, hover_throttle_is_weight_over_maximum_thrust) {
  const MultirotorDef d = quad();
  const double most = 4 * 8.54858e-6 * 1000 * 1000;
  EXPECT_NEAR(report_value(d, "hover throttle"), 2 * kG / most, 1e-12);
  EXPECT_NEAR(report_value(d, "thrust to weight"), most / (2 * kG), 1e-12);
  EXPECT_NEAR(report_value(d, "hover rotor speed"), std::sqrt(2 * kG / (4 * 8.54858e-6)), 1e-9);
}

TEST(multirotor_def, thrust_at_hover_speed_carries_the_weight_with_any_curve) {
  MultirotorDef d = coaxial();
  d.motor.thrust1 = 2e-4;
  d.motor.thrust0 = 0.01;
  const double w = airframe::figures(d, kG).hover_speed;
  const double per_rotor = airframe::value(airframe::thrust_curve(d.motor), w);
  EXPECT_NEAR((4 + 4 * 0.8) * per_rotor, d.mass * kG, 1e-9);
}

TEST(multirotor_def, hover_thrusts_carry_the_weight_without_torque) {
  for (const MultirotorDef& d : {quad(), hexa(), coaxial()}) {
    const std::vector<double> f = airframe::hover_thrusts(d, kG);
    const airframe::Effectiveness b = airframe::effectiveness(d, kG);
    ASSERT_EQ(f.size(), d.rotors.size());
    for (std::size_t k = 0; k < 4; ++k) {
      double sum = 0;
      for (std::size_t i = 0; i < f.size(); ++i) sum += b[k][i] * f[i];
      EXPECT_NEAR(sum, k == 0 ? d.mass * kG : 0, 1e-9);
    }
  }
}

TEST(multirotor_def, nuswarm_lifts_the_published_eight_newtons) {
  airframe::MotorDef m;
  m.thrust2 = 2.9265e-7;
  EXPECT_NEAR(4 * airframe::value(airframe::thrust_curve(m), 2700), 8.53, 0.005);
}

TEST(multirotor_def, feature_set_is_the_smallest_that_describes_the_airframe) {
  EXPECT_EQ(airframe::needed_features(quad()), vehicles::Features::Full);
  EXPECT_EQ(airframe::needed_features(coaxial()), vehicles::Features::Tilted);
  MultirotorDef plain = quad();
  plain.motor.drag = plain.motor.rolling = plain.motor.inertia = 0;
  plain.motor.stall_speed = 1000;
  EXPECT_EQ(airframe::needed_features(plain), vehicles::Features::Basic);
}

// ---------------------------------------------------------------- allocation

TEST(multirotor_mixer, pseudo_inverse_reproduces_the_wrench) {
  for (const MultirotorDef& d : {quad(), hexa(), coaxial()}) {
    const airframe::MixerRows m = airframe::derive_mixer(d, kG);
    EXPECT_EQ(m.authority, airframe::Authority::All);
    expect_reproduces(d, m, 4);
  }
}

TEST(multirotor_mixer, signs_are_those_of_a_body_with_x_forward_and_y_left) {
  const airframe::MixerRows m = airframe::derive_mixer(quad(), kG);
  EXPECT_LT(m.gain[0][airframe::Roll], 0);   // front right pushes its side up: rolls left, against +x
  EXPECT_LT(m.gain[0][airframe::Pitch], 0);  // the nose up is against +y
  EXPECT_LT(m.gain[0][airframe::Yaw], 0);    // turns counter-clockwise, so the body turns clockwise
  EXPECT_NEAR(m.gain[0][airframe::Thrust], 0.25, 1e-12);
}

TEST(multirotor_mixer, failed_rotor_has_zero_rows_and_the_rest_still_reproduces_the_wrench) {
  const MultirotorDef d = coaxial();
  const airframe::MixerRows m = airframe::derive_mixer(d, kG, {false, true});
  EXPECT_EQ(m.authority, airframe::Authority::All);
  for (double g : m.gain[1]) EXPECT_EQ(g, 0);
  EXPECT_EQ(m.lo[1], 0);
  EXPECT_EQ(m.hi[1], 0);
  expect_reproduces(d, m, 4);
}

TEST(multirotor_mixer, quadrotor_without_a_rotor_gives_up_yaw) {
  const airframe::MixerRows m = airframe::derive_mixer(quad(), kG, {false, false, true, false});
  EXPECT_EQ(m.authority, airframe::Authority::NoYaw);
  expect_reproduces(quad(), m, 3);
  for (const auto& row : m.gain) EXPECT_EQ(row[airframe::Yaw], 0);
}

TEST(multirotor_mixer, alternating_hexarotor_without_a_rotor_gives_up_yaw_to_keep_hovering) {
  const airframe::MixerRows m = airframe::derive_mixer(hexa(), kG, {true});
  EXPECT_EQ(m.authority, airframe::Authority::NoYaw);
  expect_reproduces(hexa(), m, 3);
}

TEST(multirotor_mixer, two_rotors_are_a_finite_compromise) {
  const airframe::MixerRows m = airframe::derive_mixer(quad(), kG, {true, true, false, false});
  EXPECT_EQ(m.authority, airframe::Authority::Partial);
  for (const auto& row : m.gain)
    for (double g : row) EXPECT_TRUE(std::abs(g) < 1e3);
  EXPECT_NEAR(product(quad(), m, 0, 0), 1, 0.6);
}

// ---------------------------------------------------------------- kernel parameters

TEST(multirotor_derive, decay_factors_are_exponentials) {
  const auto p = airframe::derive<4>(quad(), {}, {}, 0.0025);
  ASSERT_TRUE(p);
  EXPECT_EQ(p.value().rotor.rise_half, math::exp(-0.0025 / (2 * 0.0125)));
  EXPECT_NEAR(p.value().rotor.rise_full, std::exp(-0.0025 / 0.0125), 1e-15);
  EXPECT_NEAR(p.value().rotor.fall_full, std::exp(-0.0025 / 0.025), 1e-15);
  EXPECT_NEAR(p.value().rotor.torque2, 0.016 * 8.54858e-6, 1e-20);
}

TEST(multirotor_derive, inverse_inertia_undoes_inertia) {
  const airframe::Symmetric3 j{{2.27e-2, 2.20e-2, 1.61e-2}, {2e-4, 1e-3, -3e-4}}, k = airframe::inverse(j);
  EXPECT_NEAR(j.diagonal[0] * k.diagonal[0] + j.products[0] * k.products[0] + j.products[1] * k.products[1], 1, 1e-12);
  EXPECT_NEAR(j.diagonal[0] * k.products[1] + j.products[0] * k.products[2] + j.products[1] * k.diagonal[2], 0, 1e-12);
  EXPECT_NEAR(j.products[0] * k.products[1] + j.diagonal[1] * k.products[2] + j.products[2] * k.diagonal[2], 0, 1e-12);
}

TEST(multirotor_derive, principal_moments_of_a_turned_tensor_are_those_of_the_tensor) {
  // diag(1, 2, 4) turned by 30 degrees about x
  const double c = std::sqrt(3.0) / 2, s = 0.5;
  const airframe::Triple e = airframe::eigenvalues({{1, 2 * c * c + 4 * s * s, 2 * s * s + 4 * c * c}, {0, 0, -2 * s * c}});
  EXPECT_NEAR(e[0], 1, 1e-14);
  EXPECT_NEAR(e[1], 2, 1e-14);
  EXPECT_NEAR(e[2], 4, 1e-14);
}

// the state of a vehicle that moves and turns, with its rotors off balance
template <int N> void put_in_motion(vehicles::RigidBody<double>& b, vehicles::Rotors<double, N>& r, vehicles::Rotors<double, N>& command) {
  b = {};
  b.q_WB = math::normalize(math::Quat<double>{0.9, 0.1, -0.2, 0.3});
  b.position_W.value.z = 5;
  b.velocity_W = {3, -2, 1};
  b.omega_B = {0.4, -0.7, 1.1};
  for (int i = 0; i < N; ++i) r.speed[i] = i < 4 ? 700 + 20 * i : 0, command.speed[i] = i < 4 ? 780 - 30 * i : 0;
}

template <class V> vehicles::RigidBody<double> after_substeps(const MultirotorDef& d) {
  constexpr int N = V::kRotors;
  const auto p = airframe::derive<N>(d, {}, {}, 0.0025);
  vehicles::RigidBody<double> b;
  vehicles::Rotors<double, N> r, command;
  put_in_motion<N>(b, r, command);
  const vehicles::Surroundings<double> e = {{1, 2, 0}, {0, 0, -kG}, {0, 0, 0}};
  for (int k = 0; k < 40; ++k) vehicles::substep_full<V>(b, r, command, e, p.value());
  return b;
}

template <vehicles::Features F> void expect_padding_adds_nothing(MultirotorDef d) {
  d.motor.thrust1 = 1e-4, d.motor.thrust0 = 0.01;
  const auto four = after_substeps<vehicles::Variant<4, F>>(d), eight = after_substeps<vehicles::Variant<8, F>>(d);
  EXPECT_EQ(four.velocity_W.x, eight.velocity_W.x);
  EXPECT_EQ(four.velocity_W.z, eight.velocity_W.z);
  EXPECT_EQ(four.omega_B.x, eight.omega_B.x);
  EXPECT_EQ(four.omega_B.z, eight.omega_B.z);
  EXPECT_EQ(four.q_WB.y, eight.q_WB.y);
}

TEST(multirotor_derive, padding_rotors_add_nothing_to_the_motion) { expect_padding_adds_nothing<vehicles::Features::Tilted>(quad()); }

TEST(multirotor_derive, padding_rotors_are_never_asked_for_thrust_or_speed) {
  const auto p = airframe::derive<8>(quad(), {}, {}, 0.0025).value();
  for (double torque : {0.0, 0.1, 50.0}) {  // fits, fits, saturates
    const auto f = control::allocate(p.mixer, 25.0, math::Vec3<double>{torque, -torque, torque});
    for (int i = 4; i < 8; ++i) {
      EXPECT_EQ(f.f[i], 0);
      EXPECT_EQ((vehicles::speed_for_thrust<vehicles::Variant<8, vehicles::Features::Full>>(f.f[i], i, p.rotor)), 0);
      EXPECT_EQ((vehicles::speed_for_thrust<vehicles::Variant<8, vehicles::Features::Basic>>(f.f[i], i, p.rotor)), 0);
    }
  }
}

TEST(multirotor_derive, failed_rotor_runs_down_to_a_stop) {
  const auto p = airframe::derive<4>(quad(), {}, {}, 0.0025, {false, true}).value();
  EXPECT_EQ((vehicles::speed_for_thrust<vehicles::Variant<4, vehicles::Features::Full>>(0.0, 1, p.rotor)), 0);
  EXPECT_EQ((vehicles::speed_for_thrust<vehicles::Variant<4, vehicles::Features::Full>>(0.0, 0, p.rotor)), 150);
}

TEST(multirotor_derive, without_ground_no_height_is_near_it) {
  EnvironmentDef space;
  space.ground = false;
  const auto p = airframe::derive<4>(quad(), space, {}, 0.0025).value();
  vehicles::RigidBody<double> b{};
  b.position_W.value.z = -1e6;
  EXPECT_FALSE(vehicles::near_ground(b, 0.01, p.contact));
  EXPECT_TRUE(static_cast<float>(p.contact.ground.height) > -3e38f);
}

// ---------------------------------------------------------------- contact

// rotors off, from 5 cm above its rest height
vehicles::RigidBody<double> dropped(const MultirotorDef& d, double substep, double seconds) {
  const auto p = airframe::derive<4>(d, {}, {}, substep).value();
  vehicles::RigidBody<double> b{};
  b.q_WB = math::normalize(math::Quat<double>{1, 0.02, -0.03, 0});
  b.position_W.value.z = airframe::rest_height(d, kG, substep) + 0.05;
  vehicles::Rotors<double, 4> rotors{}, off{};
  const vehicles::Surroundings<double> e = {{0, 0, 0}, {0, 0, -kG}, {0, 0, 0}};
  for (double t = 0; t < seconds; t += substep) vehicles::substep_on_ground<vehicles::Variant<4, vehicles::Features::Full>>(b, rotors, off, e, true, p);
  return b;
}

TEST(multirotor_contact, default_springs_bring_a_dropped_vehicle_to_rest_at_its_rest_height) {
  for (double substep : {0.001, 0.0025, 0.005, 0.01}) {
    const vehicles::RigidBody<double> b = dropped(quad(), substep, 4);
    EXPECT_NEAR(b.position_W.value.z, airframe::rest_height(quad(), kG, substep), 1e-4) << substep;
    EXPECT_LT(math::norm(b.velocity_W), 1e-3) << substep;
    EXPECT_LT(math::norm(b.omega_B), 1e-3) << substep;
  }
}

TEST(multirotor_contact, springs_too_stiff_for_the_substep_are_refused_with_the_largest_stable_value) {
  MultirotorDef d = quad();
  d.foot_stiffness = 1e7;
  const auto stiff = airframe::derive_contact(d, 0.0025);
  ASSERT_FALSE(stiff);
  EXPECT_EQ(stiff.error().field, "foot_stiffness");
  EXPECT_NE(stiff.error().suggestion.find("below"), std::string::npos);
  d.foot_stiffness = 0;
  d.foot_damping = 1e5;
  const auto damped = airframe::derive_contact(d, 0.0025);
  ASSERT_FALSE(damped);
  EXPECT_EQ(damped.error().field, "foot_damping");
}

TEST(multirotor_contact, default_feet_surround_the_centre_of_mass_below_the_rotors) {
  for (const MultirotorDef& d : {quad(), hexa(), coaxial()}) {
    const auto c = airframe::derive_contact(d, 0.0025).value();
    EXPECT_EQ(c.n_feet, 4);
    EXPECT_EQ(c.point[0][0], -c.point[2][0]);
    EXPECT_EQ(c.point[0][1], -c.point[2][1]);
    EXPECT_LT(c.point[0][2], -0.02 + 1e-12);
    EXPECT_GT(c.point[4][2], 0);
  }
}

// ---------------------------------------------------------------- gains

TEST(multirotor_gains, each_level_is_slower_than_the_one_below_and_given_gains_are_kept) {
  ControllerDef wanted;
  wanted.attitude_p = {0, 9, 0};
  const ControllerDef c = airframe::resolve_gains(wanted, quad(), kG, 0.0025);
  EXPECT_EQ(c.attitude_p[1], 9);
  EXPECT_GT(c.rate_p[0], 2 * c.attitude_p[0]);
  EXPECT_GT(c.attitude_p[0], 2 * c.velocity_p[0]);
  EXPECT_GT(c.velocity_p[0], 2 * c.position_p[0]);
  for (double x : {c.max_speed, c.max_climb, c.max_tilt, c.max_rate, c.rpt_frequency[0], c.rpt_epsilon[1], c.geometric_attitude}) EXPECT_GT(x, 0);
  EXPECT_LT(c.max_tilt, airframe::figures(quad(), kG).max_tilt);
}

TEST(multirotor_gains, slow_motors_get_lead_and_no_motor_outruns_the_substep) {
  MultirotorDef d = quad();
  d.motor.time_constant_up = d.motor.time_constant_down = 0.07;
  EXPECT_GT(airframe::resolve_gains({}, d, kG, 0.0025).rate_d[0], 1);
  d.motor.time_constant_up = d.motor.time_constant_down = 0.01;
  EXPECT_EQ(airframe::resolve_gains({}, d, kG, 0.0025).rate_d[0], 0);
  d.motor.time_constant_up = d.motor.time_constant_down = 0.001;
  EXPECT_LE(airframe::resolve_gains({}, d, kG, 0.02).rate_p[0] * 0.02, 0.3 + 1e-12);
}

// ---------------------------------------------------------------- what cannot exist

TEST(multirotor_check, possible_vehicles_pass) {
  for (const MultirotorDef& d : {quad(), hexa(), coaxial()}) {
    const core::Status s = airframe::check_multirotor(d);
    EXPECT_TRUE(s) << s.error().text();
  }
}

TEST(multirotor_check, bodies_that_cannot_exist_are_refused) {
  expect_refused("mass", [](MultirotorDef& d) { d.mass = 0; });
  expect_refused("inertia", [](MultirotorDef& d) { d.inertia = {0.0347563, 0.0458929, 0.0977}; });  // RotorS, Firefly
  expect_refused("inertia", [](MultirotorDef& d) { d.inertia[1] = -0.01; });
  expect_refused("inertia_products", [](MultirotorDef& d) { d.inertia_products = {0.03, 0, 0}; });
}

TEST(multirotor_check, vehicles_that_cannot_fly_are_refused) {
  expect_refused("motor.speed_max", [](MultirotorDef& d) { d.mass = 3.4; });
  expect_refused("motor.speed_min", [](MultirotorDef& d) { d.motor.speed_min = 800; });
  expect_refused("rotors", [](MultirotorDef& d) {
    for (int i = 0; i < 4; ++i) d.rotors[static_cast<std::size_t>(i)].position = {0.1 * i - 0.15, 0, 0};
  });
  expect_refused("rotors", [](MultirotorDef& d) {
    for (RotorDef& r : d.rotors) r.spin = 1;
  });
  expect_refused("rotors", [](MultirotorDef& d) { d.rotors.pop_back(), d.motor.speed_max = 1500; });
  expect_refused("rotors", [](MultirotorDef& d) {
    for (RotorDef& r : d.rotors) r.position[0] += 0.3;
  });
}

TEST(multirotor_check, rotors_and_motors_that_make_no_sense_are_refused) {
  expect_refused("rotors[2].spin", [](MultirotorDef& d) { d.rotors[2].spin = 0; });
  expect_refused("rotors[1].axis", [](MultirotorDef& d) { d.rotors[1].axis = {0, 0, 0}; });
  expect_refused("rotors[3].position", [](MultirotorDef& d) { d.rotors[3].position = d.rotors[0].position; });
  expect_refused("motor.torque_ratio", [](MultirotorDef& d) { d.motor.torque_ratio = 0; });
  expect_refused("motor.thrust1", [](MultirotorDef& d) { d.motor.thrust1 = -0.004; });
  expect_refused("motor.speed_min", [](MultirotorDef& d) { d.motor.thrust1 = -0.0015; });
  expect_refused("motor.thrust0", [](MultirotorDef& d) { d.motor.thrust0 = 1; });
  expect_refused("feet", [](MultirotorDef& d) { d.feet = {{0.1, 0.1, -0.1}, {0.1, -0.1, -0.1}, {0.2, 0, -0.1}}; });
  expect_refused("feet[1]", [](MultirotorDef& d) { d.feet = {{0.1, 0.1, -0.1}, {-0.1, 0.1, 0.1}, {0, -0.1, -0.1}}; });
}

}  // namespace
}  // namespace volary
