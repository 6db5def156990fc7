// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The multirotor's dynamics against what physics says of them.
#include "vehicles/multirotor.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "vehicles/multirotor_step.hpp"
#include "vehicles/multirotor_test_support.hpp"

namespace volary {
namespace {

using math::Quat;
using math::Vec3;
using test::kG;
using test::MultirotorDef;
using vehicles::Features;
using vehicles::RigidBody;
using vehicles::Rotors;
using vehicles::Surroundings;
using vehicles::Variant;

using Basic4 = Variant<4, Features::Basic>;
using Full4 = Variant<4, Features::Full>;
using Tilted4 = Variant<4, Features::Tilted>;
constexpr double kStep = 0.0025;

// rate of motion of a body with rotors at constant speeds
template <class V> vehicles::Motion<double> rates(const MultirotorDef& d, const RigidBody<double>& b, const Rotors<double, 4>& r, Surroundings<double> e) {
  const auto p = test::params<double, 4>(d, test::no_ground(), kStep);
  return vehicles::derivative_full<V>(vehicles::begin_motion(b), vehicles::rotor_loads<V>(r, Rotors<double, 4>{}, p.rotor), e, p);
}
RigidBody<double> level() { return test::body_at<double>(0, 0, 10); }

// ---------------------------------------------------------------- hover

TEST(multirotor, hovers_where_thrust_equals_weight) {
  for (const MultirotorDef& d : {test::crazyflie(), test::x500()}) {
    const auto p = test::params<double, 4>(d, test::no_ground(), kStep);
    const Rotors<double, 4> hover = test::all_at<double, 4>(std::sqrt(d.mass * kG / (4 * d.motor.thrust2)));
    RigidBody<double> b = test::body_at<double>(1, 2, 3);
    Rotors<double, 4> r = hover;
    for (int k = 0; k < 400; ++k) vehicles::substep_full<Full4>(b, r, hover, test::still_air<double>(), p);
    EXPECT_LT(test::distance(test::where(b), {1, 2, 3}), 1e-6) << d.name;
    EXPECT_LT(math::norm(b.omega_B), 1e-9) << d.name;
    b = test::body_at<double>(1, 2, 3), r = hover;
    for (int k = 0; k < 400; ++k) vehicles::substep_basic<Basic4>(b, r, hover, p);
    EXPECT_LT(test::distance(test::where(b), {1, 2, 3}), 1e-6) << d.name;
  }
}

TEST(multirotor, hover_speed_squared_over_full_speed_squared_is_weight_over_maximum_thrust) {
  for (const MultirotorDef& d : {test::crazyflie(), test::x500()}) {
    const auto p = test::params<double, 4>(d, {}, kStep);
    const double most = p.mixer.hi[0] + p.mixer.hi[1] + p.mixer.hi[2] + p.mixer.hi[3];
    const auto f = control::allocate(p.mixer, d.mass * kG, Vec3<double>{0, 0, 0});
    const double w = vehicles::speed_for_thrust<Full4>(f.f[0], 0, p.rotor);
    EXPECT_NEAR(w * w / (d.motor.speed_max * d.motor.speed_max), d.mass * kG / most, 1e-12) << d.name;
  }
}

// all that the air does goes with its density: forces and torques of rotors and body, whatever the motion
TEST(multirotor, thin_air_pushes_less_in_proportion_to_its_density) {
  MultirotorDef d = test::x500();
  d.motor.thrust1 = 3e-4, d.motor.thrust0 = 0.02, d.linear_drag = {0.1, 0.2, 0.3};
  const auto given = test::params<double, 4>(d, test::no_ground(), kStep);
  auto thin = given;
  vehicles::scale_to_air(thin, given, 0.74);
  RigidBody<double> b = level();
  b.velocity_W = {4, -3, 2};
  const Surroundings<double> weightless{{1, 2, 0}, {0, 0, 0}, {0, 0, 0}};
  Rotors<double, 4> r{{700, 720, 690, 750}};
  const auto motion = [&](const auto& p) {
    return vehicles::derivative_full<Full4>(vehicles::begin_motion(b), vehicles::rotor_loads<Full4>(r, Rotors<double, 4>{}, p.rotor), weightless, p);
  };
  const auto dense = motion(given), less = motion(thin);
  EXPECT_LT(math::norm(less.velocity_W - 0.74 * dense.velocity_W), 1e-12);
  EXPECT_LT(math::norm(less.omega_B - 0.74 * dense.omega_B), 1e-12);
  // the same thrust takes a faster rotor, and the most there is is less
  const double f = 4, w = vehicles::speed_for_thrust<Full4>(f, 0, thin.rotor);
  EXPECT_NEAR(0.74 * (d.motor.thrust2 * w * w + d.motor.thrust1 * w + d.motor.thrust0), f, 1e-12);
  EXPECT_DOUBLE_EQ(thin.mixer.hi[0], 0.74 * given.mixer.hi[0]);
}

TEST(multirotor, speed_for_thrust_inverts_the_thrust_curve) {
  MultirotorDef d = test::x500();
  d.motor.thrust1 = 3e-4, d.motor.thrust0 = 0.02;
  d.rotors[2].efficiency = 0.8;
  const auto p = test::params<double, 4>(d, {}, kStep);
  for (double thrust : {0.5, 2.0, 5.0})
    for (int i : {0, 2}) {
      const double w = vehicles::speed_for_thrust<vehicles::Variant<4, vehicles::Features::Tilted>>(thrust, i, p.rotor);
      EXPECT_NEAR((i == 2 ? 0.8 : 1.0) * ((d.motor.thrust2 * w + d.motor.thrust1) * w + d.motor.thrust0), thrust, 1e-12);
    }
}

// ---------------------------------------------------------------- what a free body keeps

template <class T> std::array<double, 3> momentum_W(const RigidBody<T>& b, const MultirotorDef& d) {
  const math::Mat3<double> R = math::rotation_matrix(Quat<double>{b.q_WB.w, b.q_WB.x, b.q_WB.y, b.q_WB.z});
  const Vec3<double> h = R * Vec3<double>{d.inertia[0] * b.omega_B.x, d.inertia[1] * b.omega_B.y, d.inertia[2] * b.omega_B.z};
  return {h.x, h.y, h.z};
}

// 10 s of tumbling at 13 rad/s, rotors off; the change of angular momentum over its size
template <class V, class T> double momentum_drift(const MultirotorDef& d) {
  const auto p = test::params<T, 4>(d, test::no_ground(), kStep);
  RigidBody<T> b = test::body_at<T>(0, 0, 0);
  b.omega_B = {T(10), T(2), T(-8)};
  const std::array<double, 3> before = momentum_W(b, d);
  Rotors<T, 4> r{};
  const Rotors<T, 4> off{};
  for (int k = 0; k < 4000; ++k) {
    if constexpr (V::kFull)
      vehicles::substep_full<V>(b, r, off, test::still_air<T>(), p);
    else
      vehicles::substep_basic<V>(b, r, off, p);
  }
  return test::distance(momentum_W(b, d), before) / test::distance(before, {0, 0, 0});
}

TEST(multirotor, tumbling_free_body_keeps_its_angular_momentum) {
  const MultirotorDef d = test::in_vacuum(test::crazyflie());
  EXPECT_LT((momentum_drift<Full4, double>(d)), 2e-6);
  EXPECT_LT((momentum_drift<Tilted4, double>(d)), 2e-6);
  EXPECT_LT((momentum_drift<Basic4, double>(d)), 2e-6);
  EXPECT_LT((momentum_drift<Full4, float>(d)), 2e-5);
  EXPECT_LT((momentum_drift<Tilted4, float>(d)), 2e-5);
  EXPECT_LT((momentum_drift<Basic4, float>(d)), 2e-5);
}

// a gyroscope in free space: the body tumbles while its rotors, that push no air, change their speeds
TEST(multirotor, body_and_rotors_together_keep_their_angular_momentum_while_rotors_spin_up) {
  const MultirotorDef d = test::in_vacuum(test::x500());
  auto p = test::params<double, 4>(d, test::no_ground(), 0.0005);
  p.rotor.thrust2 = p.rotor.torque2 = 0;
  RigidBody<double> b = test::body_at<double>(0, 0, 0);
  b.omega_B = {3, -2, 1};
  Rotors<double, 4> r = test::all_at<double, 4>(300);
  const Rotors<double, 4> command = {{900, 900, 200, 250}};
  const auto total = [&] {
    const double spin = d.motor.inertia * (r.speed[0] + r.speed[1] - r.speed[2] - r.speed[3]);
    const Vec3<double> h_B = {d.inertia[0] * b.omega_B.x, d.inertia[1] * b.omega_B.y, d.inertia[2] * b.omega_B.z + spin},
                       h = math::rotation_matrix(b.q_WB) * h_B;
    return std::array<double, 3>{h.x, h.y, h.z};
  };
  const std::array<double, 3> before = total();
  for (int k = 0; k < 400; ++k) vehicles::substep_full<Full4>(b, r, command, test::still_air<double>(), p);
  EXPECT_GT(std::abs(b.omega_B.z - 1), 0.3);  // the spin-up did turn the body
  EXPECT_LT(test::distance(total(), before), 1e-8);
}

template <class T> double energy_gain(double seconds) {
  const MultirotorDef d = test::in_vacuum(test::x500());
  const auto p = test::params<T, 4>(d, test::no_ground(), kStep);
  RigidBody<T> b = test::body_at<T>(0, 0, 2000);
  b.velocity_W = {T(5), T(0), T(10)};
  b.omega_B = {T(1), T(4), T(-2)};
  Rotors<T, 4> r{};
  const auto energy = [&] {
    const double v2 = std::pow(b.velocity_W.x, 2) + std::pow(b.velocity_W.y, 2) + std::pow(b.velocity_W.z, 2);
    const double spin = d.inertia[0] * std::pow(b.omega_B.x, 2) + d.inertia[1] * std::pow(b.omega_B.y, 2) + d.inertia[2] * std::pow(b.omega_B.z, 2);
    return d.mass * (kG * test::where(b)[2] + v2 / 2) + spin / 2;
  };
  const double before = energy();
  for (int k = 0; k < seconds / kStep; ++k) vehicles::substep_full<Full4>(b, r, Rotors<T, 4>{}, test::still_air<T>(), p);
  return energy() - before;
}
TEST(multirotor, fall_without_air_keeps_energy) {
  EXPECT_LT(std::abs(energy_gain<double>(10)), 1e-6);  // of 40 kJ
  EXPECT_LT(std::abs(energy_gain<float>(10)), 0.4);  // 1e-5: at 90 m/s a float velocity has steps of 8 um/s, and g h is added 4,000 times
}

// ---------------------------------------------------------------- rotors

TEST(multirotor, motor_follows_its_command_as_an_exponential_with_different_ways_up_and_down) {
  const MultirotorDef d = test::x500();
  const auto p = test::params<double, 4>(d, {}, kStep);
  Rotors<double, 4> r = {{200, 900, 500, 400}};
  const Rotors<double, 4> command = {{800, 300, 500, 410}};
  for (int k = 1; k <= 20; ++k) {
    r = vehicles::track_rotors<Full4>(r, command, p.rotor).end;
    const double t = k * kStep;
    EXPECT_NEAR(r.speed[0], 800 - 600 * std::exp(-t / 0.0125), 1e-9);
    EXPECT_NEAR(r.speed[1], 300 + 600 * std::exp(-t / 0.025), 1e-9);
    EXPECT_EQ(r.speed[2], 500);
    EXPECT_NEAR(r.speed[3], 410 - 10 * std::exp(-t / 0.0125), 1e-9);
  }
  const auto t = vehicles::track_rotors<Full4>(Rotors<double, 4>{{200, 900, 500, 400}}, command, p.rotor);
  EXPECT_NEAR(t.middle.speed[0], 800 - 600 * std::exp(-kStep / 0.025), 1e-9);
  EXPECT_NEAR(t.start_rate.speed[1], -600 / 0.025, 1e-9);
}

// one rotor faster than the others: which way the body starts to turn (x forward, y left, z up)
TEST(multirotor, each_rotor_pushes_its_corner_up_and_turns_the_body_against_its_spin) {
  const MultirotorDef d = test::x500();
  for (int i = 0; i < 4; ++i) {
    Rotors<double, 4> r = test::all_at<double, 4>(700);
    r.speed[i] = 800;
    const airframe::RotorDef& rotor = d.rotors[static_cast<std::size_t>(i)];
    const double more = d.motor.thrust2 * (800 * 800 - 700 * 700), x = rotor.position[0], y = rotor.position[1];
    for (const auto& m : {rates<Full4>(d, level(), r, test::still_air<double>()), rates<Tilted4>(d, level(), r, test::still_air<double>())}) {
      EXPECT_NEAR(m.omega_B.x, y * more / d.inertia[0], 1e-9) << i;   // left rotor up: rolls right
      EXPECT_NEAR(m.omega_B.y, -x * more / d.inertia[1], 1e-9) << i;  // front rotor up: nose up
      EXPECT_NEAR(m.omega_B.z, -rotor.spin * 0.016 * more / d.inertia[2], 1e-9) << i;
      EXPECT_NEAR(m.velocity_W.z, (4 * d.motor.thrust2 * 700 * 700 + more) / d.mass - kG, 1e-9) << i;
    }
  }
}

TEST(multirotor, rotor_that_speeds_up_turns_the_body_the_other_way) {
  const MultirotorDef d = test::x500();
  const auto p = test::params<double, 4>(d, test::no_ground(), kStep);
  const Rotors<double, 4> r = test::all_at<double, 4>(700), speeding = {{1000, 0, 0, 0}};  // rad/s2
  const auto loads = vehicles::rotor_loads<Full4>(r, speeding, p.rotor);
  const auto m = vehicles::derivative_full<Full4>(vehicles::begin_motion(level()), loads, test::still_air<double>(), p);
  EXPECT_NEAR(m.omega_B.z, -d.motor.inertia * 1000 / d.inertia[2], 1e-12);  // rotor 0 turns counter-clockwise
}

// the printed equation has the sign wrong; a force along the motion would speed the vehicle up
TEST(multirotor, in_plane_rotor_drag_opposes_the_motion_through_the_air_and_grows_with_rotor_speed) {
  MultirotorDef d = test::in_vacuum(test::x500());
  d.motor.drag = 8e-5;
  RigidBody<double> b = level();
  b.velocity_W = {3, -2, 0};
  for (double w : {350.0, 700.0}) {
    const Rotors<double, 4> r = test::all_at<double, 4>(w);
    for (const auto& m : {rates<Full4>(d, b, r, test::still_air<double>()), rates<Tilted4>(d, b, r, test::still_air<double>())}) {
      EXPECT_NEAR(m.velocity_W.x, -4 * 8e-5 * w * 3 / d.mass, 1e-12);
      EXPECT_NEAR(m.velocity_W.y, 4 * 8e-5 * w * 2 / d.mass, 1e-12);
      // the hubs lie 6 cm above the centre of mass: drag to the rear lifts the nose, that is, turns against +y
      EXPECT_NEAR(m.omega_B.y, 0.06 * (-4 * 8e-5 * w * 3) / d.inertia[1], 1e-12);
    }
  }
  Surroundings<double> e = test::still_air<double>();
  e.wind_W = {3, -2, 0};  // moving with the air: nothing
  EXPECT_EQ(rates<Full4>(d, b, test::all_at<double, 4>(700), e).velocity_W.x, 0);
}

// two rotors of one sense stopped, so that the moments of the others add up
TEST(multirotor, rolling_moment_is_linear_in_rotor_speed_and_in_air_speed_and_follows_the_spin) {
  MultirotorDef d = test::in_vacuum(test::x500());
  d.motor.rolling = 1e-6;
  const auto moment = [&](double w, double speed, bool clockwise) {
    RigidBody<double> b = level();
    b.velocity_W = {speed, 0, 0};
    const Rotors<double, 4> r = clockwise ? Rotors<double, 4>{{0, 0, w, w}} : Rotors<double, 4>{{w, w, 0, 0}};
    const double full = rates<Full4>(d, b, r, test::still_air<double>()).omega_B.x * d.inertia[0];
    const double tilted = rates<Tilted4>(d, b, r, test::still_air<double>()).omega_B.x * d.inertia[0];
    EXPECT_NEAR(full, tilted, 1e-12);
    return full;
  };
  EXPECT_NEAR(moment(500, 4, false), -1e-6 * 2 * 500 * 4, 1e-12);  // N m = kg m * rad/s * m/s
  EXPECT_NEAR(moment(1000, 4, false), 2 * moment(500, 4, false), 1e-12);
  EXPECT_NEAR(moment(500, 8, false), 2 * moment(500, 4, false), 1e-12);
  EXPECT_NEAR(moment(500, 4, true), -moment(500, 4, false), 1e-12);
}

// thrust over that in still air, of rotors that climb at these speeds
void expect_left(const MultirotorDef& d, std::initializer_list<std::pair<double, double>> cases) {
  const double lift = 4 * d.motor.thrust2 * 700 * 700 / d.mass;
  for (const auto& [speed, left] : cases) {
    RigidBody<double> b = level();
    b.velocity_W = {0, 0, speed};
    EXPECT_NEAR(rates<Full4>(d, b, test::all_at<double, 4>(700), test::still_air<double>()).velocity_W.z, left * lift - kG, 1e-12) << speed;
    EXPECT_NEAR(rates<Tilted4>(d, b, test::all_at<double, 4>(700), test::still_air<double>()).velocity_W.z, left * lift - kG, 1e-12) << speed;
    b.velocity_W = {speed, 0, 0};  // across the axis: all of it is left
    EXPECT_NEAR(rates<Full4>(d, b, test::all_at<double, 4>(700), test::still_air<double>()).velocity_W.z, lift - kG, 1e-12) << speed;
  }
}

TEST(multirotor, thrust_falls_in_a_climb_until_it_is_gone_and_grows_in_a_descent_until_it_has_doubled) {
  MultirotorDef d = test::in_vacuum(test::x500());
  d.motor.stall_speed = 25;
  expect_left(d, {{0, 1}, {5, 0.8}, {-5, 1.2}, {25, 0}, {40, 0}, {-25, 2}, {-30, 2}, {-1000, 2}});
}

TEST(multirotor, with_absolute_inflow_thrust_is_lost_both_ways_as_gestelt_prints_it) {
  MultirotorDef d = test::in_vacuum(test::x500());
  d.motor.stall_speed = 25;
  d.motor.inflow = airframe::Inflow::Absolute;
  expect_left(d, {{0, 1}, {5, 0.8}, {-5, 0.8}, {25, 0}, {40, 0}, {-30, 0}});
}

// m/s downwards after so long with all rotors at a part of the speed of hover
double sink_of(const MultirotorDef& d, double part, double seconds) {
  const auto p = test::params<double, 4>(d, test::no_ground(), kStep);
  const double hover = math::sqrt(d.mass * kG / (4 * d.motor.thrust2));
  RigidBody<double> b = level();
  Rotors<double, 4> rotors = test::all_at<double, 4>(part * hover);
  Surroundings<double> e = test::still_air<double>();
  for (int k = 0; k < static_cast<int>(seconds / kStep); ++k) vehicles::substep_full<Full4>(b, rotors, rotors, e, p);
  return -b.velocity_W.z;
}

// Rotors at a part r of their speed carry the weight where r^2 (1 + v / alpha) = 1.
TEST(multirotor, an_x500_a_hundredth_below_hover_speed_settles_at_a_slow_sink) {
  MultirotorDef d = test::in_vacuum(test::x500());
  d.motor.stall_speed = 25;
  EXPECT_NEAR(sink_of(d, 0.99, 40), 25 * (1 / (0.99 * 0.99) - 1), 1e-5);  // 0.51 m/s
  EXPECT_NEAR(sink_of(d, 0.99, 60), sink_of(d, 0.99, 40), 1e-5);
  EXPECT_LT(sink_of(test::x500(), 0.99, 40), sink_of(d, 0.99, 40));  // its hull slows it down, too
  EXPECT_GT(sink_of(test::x500(), 0.99, 40), 0.4);
}

TEST(multirotor, slower_rotors_sink_faster_and_faster_ones_climb_faster) {
  MultirotorDef d = test::in_vacuum(test::x500());
  d.motor.stall_speed = 25;
  double last = 1e9;
  for (const double part : {0.72, 0.75, 0.8, 0.9, 0.95, 0.99, 1.0, 1.05, 1.2}) {
    const double sink = sink_of(d, part, 80);
    EXPECT_NEAR(sink, 25 * (1 / (part * part) - 1), 1e-3) << part;
    EXPECT_LT(sink, last) << part;
    last = sink;
  }
}

TEST(multirotor, with_absolute_inflow_one_that_sinks_sinks_ever_faster) {
  MultirotorDef d = test::in_vacuum(test::x500());
  d.motor.stall_speed = 25;
  d.motor.inflow = airframe::Inflow::Absolute;
  EXPECT_GT(sink_of(d, 0.99, 10), 10);
  EXPECT_GT(sink_of(d, 0.99, 20), sink_of(d, 0.99, 10) + 50);
}

// a wheel that spins about +z (counter-clockwise) and is pitched about +y precesses: H = (0, 0, h), dH/dt = w x H = +x
TEST(multirotor, spinning_rotors_turn_a_pitching_body_about_its_roll_axis) {
  const MultirotorDef d = test::in_vacuum(test::x500());
  RigidBody<double> b = level();
  b.omega_B = {0, 2, 0};
  const double h = d.motor.inertia * 2 * 800;
  const Rotors<double, 4> ccw = {{800, 800, 0, 0}}, cw = {{0, 0, 800, 800}};
  EXPECT_NEAR(rates<Full4>(d, b, ccw, test::still_air<double>()).omega_B.x, -2 * h / d.inertia[0], 1e-9);
  EXPECT_NEAR(rates<Full4>(d, b, cw, test::still_air<double>()).omega_B.x, 2 * h / d.inertia[0], 1e-9);
  EXPECT_NEAR(rates<Tilted4>(d, b, ccw, test::still_air<double>()).omega_B.x, -2 * h / d.inertia[0], 1e-9);
  EXPECT_NEAR(rates<Full4>(d, b, test::all_at<double, 4>(800), test::still_air<double>()).omega_B.x, 0, 1e-12);  // they cancel
  b.omega_B = {2, 0, 0};
  EXPECT_NEAR(rates<Full4>(d, b, ccw, test::still_air<double>()).omega_B.y, 2 * h / d.inertia[1], 1e-9);
}

// ---------------------------------------------------------------- variants describe one vehicle

// a vehicle that does everything at once
template <class T, int N> struct Scene {
  RigidBody<T> body = test::body_at<T>(1, 2, 30);
  Rotors<T, N> rotors{}, command{};
  Surroundings<T> e = test::still_air<T>();
  Scene() {
    body.velocity_W = {T(4), T(-3), T(1)};
    body.q_WB = math::normalize(Quat<T>{T(0.9), T(0.2), T(-0.3), T(0.1)});
    body.omega_B = {T(1.5), T(-2), T(0.7)};
    e.wind_W = {T(-1), T(2), T(0.5)};
    e.torque_B = {T(1e-3), T(0), T(-1e-3)};
    for (int i = 0; i < 4; ++i) rotors.speed[i] = static_cast<T>(600 + 30 * i), command.speed[i] = static_cast<T>(760 - 20 * i);
  }
};
template <class V, class T> RigidBody<T> played(const MultirotorDef& d, int substeps) {
  const auto p = test::params<T, V::kRotors>(d, test::no_ground(), kStep);
  Scene<T, V::kRotors> s;
  for (int k = 0; k < substeps; ++k) vehicles::substep_full<V>(s.body, s.rotors, s.command, s.e, p);
  return s.body;
}
template <class T> std::vector<double> numbers(const RigidBody<T>& b) {
  const auto p = test::where(b);
  return {p[0], p[1], p[2], b.velocity_W.x, b.velocity_W.y, b.velocity_W.z, b.q_WB.w, b.q_WB.x, b.q_WB.y, b.q_WB.z, b.omega_B.x, b.omega_B.y, b.omega_B.z};
}

TEST(multirotor, tilted_variant_with_upright_rotors_flies_like_the_planar_one) {
  const auto a = numbers(played<Full4, double>(test::x500(), 100)), b = numbers(played<Tilted4, double>(test::x500(), 100));
  for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], b[k], 1e-12 * (1 + std::abs(a[k]))) << k;
}

template <class V4, class V8, class T> void expect_equal_bits(const MultirotorDef& d) {
  const auto a = numbers(played<V4, T>(d, 100)), b = numbers(played<V8, T>(d, 100));
  for (std::size_t k = 0; k < a.size(); ++k) EXPECT_EQ(a[k], b[k]) << k;
}
TEST(multirotor, four_rotors_in_a_kernel_for_six_or_eight_give_the_same_bits) {
  expect_equal_bits<Full4, Variant<8, Features::Full>, float>(test::x500());
  expect_equal_bits<Full4, Variant<6, Features::Full>, float>(test::x500());
  expect_equal_bits<Tilted4, Variant<8, Features::Tilted>, float>(test::x500());
  expect_equal_bits<Full4, Variant<8, Features::Full>, double>(test::x500());
}

TEST(multirotor, basic_variant_flies_like_the_full_one_where_the_airframe_needs_no_more) {
  MultirotorDef d = test::in_vacuum(test::x500());
  d.linear_drag = {0.3, 0.3, 0.3};
  d.motor.inertia = 0;
  const auto p = test::params<double, 4>(d, test::no_ground(), kStep);
  Scene<double, 4> a, b;
  a.e.wind_W = a.e.torque_B = math::zero3<double>();
  for (int k = 0; k < 100; ++k) {
    vehicles::substep_full<Full4>(a.body, a.rotors, a.command, a.e, p);
    vehicles::substep_basic<Basic4>(b.body, b.rotors, b.command, p);
  }
  const auto x = numbers(a.body), y = numbers(b.body);
  for (std::size_t k = 0; k < x.size(); ++k) EXPECT_NEAR(x[k], y[k], 1e-11 * (1 + std::abs(x[k]))) << k;
}

// a rotor leaned forwards pulls forwards; its drag torque leans with it
TEST(multirotor, tilted_rotors_pull_where_they_point) {
  MultirotorDef d = test::in_vacuum(test::x500());
  for (auto& r : d.rotors) r.axis = {0.3, 0, 0.9539392014169456};
  const auto m = rates<Tilted4>(d, level(), test::all_at<double, 4>(700), test::still_air<double>());
  const double lift = 4 * d.motor.thrust2 * 700 * 700 / d.mass;
  EXPECT_NEAR(m.velocity_W.x, 0.3 * lift, 1e-9);
  EXPECT_NEAR(m.velocity_W.z, 0.9539392014169456 * lift - kG, 1e-9);
  EXPECT_NEAR(m.omega_B.y, 0.06 * 0.3 * lift * d.mass / d.inertia[1], 1e-9);  // pull above the centre of mass: nose down
}

TEST(multirotor, products_of_inertia_couple_the_axes) {
  MultirotorDef d = test::in_vacuum(test::x500());
  d.inertia_products = {2e-3, 0, 0};
  Surroundings<double> e = test::still_air<double>();
  e.torque_B = {0.01, 0, 0};
  const auto m = rates<Tilted4>(d, level(), Rotors<double, 4>{}, e);
  const double det = d.inertia[0] * d.inertia[1] - 4e-6;
  EXPECT_NEAR(m.omega_B.x, 0.01 * d.inertia[1] / det, 1e-12);
  EXPECT_NEAR(m.omega_B.y, -0.01 * 2e-3 / det, 1e-12);
}

// ---------------------------------------------------------------- what comes from outside

TEST(multirotor, external_force_accelerates_by_force_over_mass_and_external_torque_by_torque_over_inertia) {
  VehicleDef start;
  start.position_W = {0, 0, 50};
  start.mode = Mode::Disarmed;
  test::Deck<test::QuadLadder, double> deck(test::in_vacuum(test::x500()), start);
  deck.agent.outside.force_W = {4, -2, 6};
  deck.agent.outside.torque_B = {0.0216667, 0, 0};
  deck.fly(0.5);
  EXPECT_NEAR(deck.agent.body.velocity_W.x, 0.5 * 4 / 2, 1e-9);
  EXPECT_NEAR(deck.agent.body.velocity_W.y, 0.5 * -2 / 2, 1e-9);
  EXPECT_NEAR(deck.agent.body.velocity_W.z, 0.5 * (6.0 / 2 - kG), 1e-9);
  EXPECT_NEAR(deck.agent.body.omega_B.x, 0.5, 1e-9);
  EXPECT_NEAR(test::where(deck.agent.body)[0], 0.5 * 2 * 0.25, 1e-9);
}

TEST(multirotor, vehicle_without_thrust_or_gravity_drifts_until_it_moves_with_the_wind) {
  MultirotorDef d = test::x500();
  d.linear_drag = {0.5, 0.5, 0.5};
  const auto p = test::params<double, 4>(d, test::no_ground(), kStep);
  RigidBody<double> b = level();
  b.omega_B = {0, 0, 0.4};
  Rotors<double, 4> r{};
  Surroundings<double> e = test::still_air<double>(0);
  e.wind_W = {5, -3, 1};
  for (int k = 0; k < 40000; ++k) vehicles::substep_full<Full4>(b, r, r, e, p);
  EXPECT_NEAR(b.velocity_W.x, 5, 1e-6);
  EXPECT_NEAR(b.velocity_W.y, -3, 1e-6);
  EXPECT_NEAR(b.velocity_W.z, 1, 1e-6);
}

TEST(multirotor, falling_vehicle_reaches_the_speed_at_which_drag_carries_its_weight) {
  const MultirotorDef d = test::x500();
  const auto p = test::params<double, 4>(d, test::no_ground(), kStep);
  RigidBody<double> b = test::body_at<double>(0, 0, 5000);
  Rotors<double, 4> r{};
  for (int k = 0; k < 20000; ++k) vehicles::substep_full<Full4>(b, r, r, test::still_air<double>(), p);
  EXPECT_NEAR(b.velocity_W.z, -std::sqrt(d.mass * kG / d.quadratic_drag[2]), 1e-6);
}

// ---------------------------------------------------------------- float against double

template <class S> std::vector<std::array<double, 3>> circled(const MultirotorDef& d) {
  VehicleDef start;
  start.position_W = {0, 0, 5};
  start.centre_W = {0, 0, 5};
  start.harmonic.amplitude = {2, 2, 0.5};
  start.harmonic.rate = {1, 1, 2};
  start.harmonic.phase = {0, 1.5707963267948966, 0};
  test::Deck<test::QuadLadder, S> deck(d, start);
  deck.enter(Mode::Mission);
  std::vector<std::array<double, 3>> path;
  for (int k = 0; k < 1000; ++k) {
    deck.tick();
    path.push_back(test::where(deck.agent.body));
  }
  return path;
}
TEST(multirotor, ten_seconds_of_closed_loop_flight_in_float_stay_within_a_tenth_of_a_millimetre_of_double) {
  for (const MultirotorDef& d : {test::crazyflie(), test::x500()}) {
    const auto a = circled<float>(d), b = circled<double>(d);
    double worst = 0;
    for (std::size_t k = 0; k < a.size(); ++k) worst = std::max(worst, test::distance(a[k], b[k]));
    EXPECT_LT(worst, 1e-4) << d.name;
    EXPECT_GT(test::distance(b[300], b[600]), 0.5) << d.name;  // it did fly
  }
}

}  // namespace
}  // namespace volary
