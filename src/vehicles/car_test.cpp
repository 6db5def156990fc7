// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "vehicles/car_model.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "vehicles/car_test_support.hpp"

namespace volary {
namespace {

using airframe::CarDef;
using test::Drive;
using test::kGravity;
using test::round_car;

// drives round at a steady speed and returns the radius of the way of the centre of mass
template <class D> double steady_radius(D& car, double steer, double speed, double seconds = 12) {
  for (int k = 0; k < static_cast<int>(seconds * 100); ++k) {
    const double error = speed - car.speed();
    car.wheels(steer, std::clamp(2 * error + 0.05, -1.0, 1.0), 0);
    car.step(0.01);
  }
  return car.speed() / std::abs(static_cast<double>(car.a.body.omega_B.z));
}

// ---------------------------------------------------------------- geometry and tyres

TEST(car, rolling_slowly_it_turns_on_the_circle_of_its_geometry) {
  const CarDef def = round_car();
  Drive<false> car(def);
  const double expected = std::hypot(def.wheelbase / std::tan(0.3), def.wheelbase - def.to_front);
  EXPECT_NEAR(steady_radius(car, 0.3, 2), expected, 1e-3 * expected);
  // the rear axle goes where it points: 1.4 m behind the centre of mass its velocity has no part to the left
  const auto v = car.velocity_B();
  EXPECT_NEAR(v.y - (def.wheelbase - def.to_front) * car.a.body.omega_B.z, 0, 1e-9);
}

TEST(car, in_a_fast_turn_the_steering_angle_is_that_of_the_understeer_gradient) {
  // Rajamani, Vehicle Dynamics and Control, 2012, eq. 3.3: angle = L / R + K v^2 / R, K from 10 * 1.3 * load of an axle over the mass
  const CarDef def = round_car();
  const double cf = 10 * 1.3 * (1.4 / 2.5) * 1000 * kGravity, cr = 12 * 1.3 * (1.1 / 2.5) * 1000 * kGravity;
  const double gradient = 1000 * (1.4 / cf - 1.1 / cr) / 2.5;
  EXPECT_NEAR(airframe::car_figures(def, kGravity).understeer, gradient, 1e-12);
  EXPECT_NEAR(gradient, 0.001307, 1e-6);
  CarDef coasting = def;
  coasting.drag = coasting.rolling_resistance = 0;  // so that no drive force takes from the rear tyres
  for (const double speed : {10.0, 15.0, 20.0}) {
    Drive<true> car(coasting, speed);
    const double steer = 2.5 / 150 + gradient * speed * speed / 150;  // for a circle of 150 m
    EXPECT_NEAR(steady_radius(car, steer, speed), 150, 0.02 * 150) << speed;
  }
}

TEST(car, at_low_speed_the_dynamic_car_drives_the_way_of_the_kinematic_one) {
  Drive<true> dynamic(round_car());
  Drive<false> kinematic(round_car());
  for (int k = 0; k < 1000; ++k) {
    const double steer = 0.4 * std::sin(0.01 * k);
    const double drive = kinematic.speed() < 2.5 ? 0.3 : 0;
    dynamic.wheels(steer, drive, 0), kinematic.wheels(steer, drive, 0);
    dynamic.step(0.01), kinematic.step(0.01);
  }
  EXPECT_GT(std::hypot(kinematic.x(), kinematic.y()), 5);
  EXPECT_NEAR(dynamic.x(), kinematic.x(), 1e-6);
  EXPECT_NEAR(dynamic.y(), kinematic.y(), 1e-6);
  EXPECT_NEAR(dynamic.heading(), kinematic.heading(), 1e-7);
}

TEST(car, no_turn_is_tighter_than_friction_allows) {
  Drive<true> car(round_car(), 20);
  double most = 0;
  for (int k = 0; k < 300; ++k) {
    const auto before = car.a.body.velocity_W;
    car.wheels(0.6, 0, 0);
    car.step(0.01);
    most = std::max(most, 100 * math::norm(car.a.body.velocity_W - before));
  }
  // at most friction times gravity, and drag
  EXPECT_LT(most, 1.0 * kGravity + 0.4 * 20 * 20 / 1000 + 0.02);
  EXPECT_GT(most, 0.9 * kGravity);
}

// ---------------------------------------------------------------- along the road

TEST(car, all_brakes_stop_it_in_v_squared_over_two_mu_g) {
  CarDef def = round_car();
  def.drag = 0, def.rolling_resistance = 0, def.tyre_share = 1;
  def.brake.front = 1.4 / 2.5;  // each axle brakes as much as it carries
  Drive<true> car(def, 30);
  car.wheels(0, 0, 1);
  car.step(5);
  EXPECT_EQ(car.speed(), 0);
  EXPECT_NEAR(car.x(), 30 * 30 / (2 * kGravity), 0.01);
  // weaker brakes stop it in v^2 / 2a
  def.brake.force = 3000;
  Drive<false> weak(def, 10);
  weak.wheels(0, 0, 1);
  weak.step(5);
  EXPECT_NEAR(weak.x(), 10 * 10 / (2 * 3.0), 0.01);
}

TEST(car, drive_is_limited_by_the_tyres_by_force_and_by_power) {
  CarDef def = round_car();
  def.drag = 0, def.rolling_resistance = 0;
  def.drive.force = 50'000, def.drive.power = 0;
  Drive<true> strong(def, 6);
  strong.wheels(0, 1, 0);
  strong.step(1);
  EXPECT_NEAR(strong.speed() - 6, 0.95 * (1.1 / 2.5) * kGravity, 1e-3);  // rear wheels drive, and carry 1.1 / 2.5
  Drive<true> usual(round_car());
  usual.wheels(0, 1, 0);
  usual.step(1);
  EXPECT_NEAR(usual.speed(), 0.95 * (1.1 / 2.5) * kGravity - 0.01 * kGravity, 0.02);
  usual.step(120);
  EXPECT_NEAR(usual.speed(), airframe::car_figures(round_car(), kGravity).top_speed, 0.05);
}

TEST(car, goes_backwards_as_well) {
  Drive<true> car(round_car());
  car.wheels(0, -0.3, 0);
  car.step(4);
  EXPECT_LT(car.x(), -5);
  EXPECT_LT(car.velocity_B().x, -3);
}

TEST(car, who_coasts_rolls_out_and_stays) {
  CarDef def = round_car();
  def.drag = 0;
  Drive<true> car(def, 2);
  car.wheels(0, 0, 0);
  car.step(60);
  EXPECT_EQ(car.speed(), 0);
  EXPECT_NEAR(car.x(), 2 * 2 / (2 * 0.01 * kGravity), 0.01);
}

TEST(car, at_rest_it_answers_the_wheel_without_moving) {
  for (const double steer : {0.6, -0.6}) {
    Drive<true> car(round_car());
    car.wheels(steer, 0, 0);
    car.step(2);
    EXPECT_EQ(car.speed(), 0);
    EXPECT_EQ(car.x(), 0);
    EXPECT_EQ(car.heading(), 0);
    EXPECT_NEAR(car.a.steer, steer, 1e-12);
  }
}

TEST(car, steering_has_a_rate_and_an_end) {
  Drive<true> car(round_car(), 5);
  car.wheels(2, 0, 0);
  car.step(0.3);
  EXPECT_NEAR(car.a.steer, 0.3, 1e-9);
  car.step(2);
  EXPECT_NEAR(car.a.steer, 0.6, 1e-12);
}

// ---------------------------------------------------------------- slopes

TEST(car, brakes_hold_it_on_a_slope_in_any_direction) {
  for (const double along : {0.3, -0.3, 0.0})
    for (const double across : {0.3, 0.0}) {
      Drive<true> car(round_car());
      car.slope(along, across);
      car.wheels(0, 0, 1);
      car.step(0.01);
      const double x = car.x(), y = car.y();
      car.step(100);
      EXPECT_NEAR(car.x(), x, 1e-9) << along << " " << across;
      EXPECT_NEAR(car.y(), y, 1e-9) << along << " " << across;
    }
}

TEST(car, without_brakes_it_rolls_down_with_the_pull_of_gravity_less_its_rolling_resistance) {
  CarDef def = round_car();
  def.drag = 0;
  Drive<true> car(def);
  car.slope(-0.1);
  car.wheels(0, 0, 0);
  car.step(2);
  EXPECT_NEAR(car.speed(), 2 * kGravity * (std::sin(0.1) - 0.01 * std::cos(0.1)), 1e-3);
  // its nose points down the slope, and it stands on it
  EXPECT_NEAR(car.velocity_B().x, car.speed(), 1e-9);
  EXPECT_NEAR(car.a.body.velocity_W.z, -car.speed() * std::sin(0.1), 1e-9);
  EXPECT_NEAR(car.z(), car.x() * -std::tan(0.1) + def.height / std::cos(0.1), 1e-9);
}

// ---------------------------------------------------------------- pushed from outside

TEST(car, is_pushed_along_its_nose_by_force_over_mass_and_its_wheels_hold_it_sideways) {
  CarDef def = round_car();
  def.drag = 0, def.rolling_resistance = 0;
  Drive<true> dynamic(def);
  Drive<false> kinematic(def);
  dynamic.wheels(0, 0, 0), kinematic.wheels(0, 0, 0);
  dynamic.a.outside.force_W = kinematic.a.outside.force_W = {2000, 3000, 0};
  dynamic.step(0.5), kinematic.step(0.5);
  EXPECT_NEAR(dynamic.speed(), 1.0, 1e-3);
  EXPECT_NEAR(kinematic.speed(), 1.0, 1e-9);
  EXPECT_NEAR(dynamic.y(), 0, 1e-2);
  EXPECT_EQ(kinematic.y(), 0);
  // brakes hold against it as against a slope
  Drive<true> parked(def);
  parked.wheels(0, 0, 1);
  parked.a.outside.force_W = {4000, 0, 0};
  parked.step(2);
  EXPECT_EQ(parked.speed(), 0);
}

TEST(car, a_torque_turns_it_where_its_tyres_slip_and_drives_it_along_its_circle_where_they_roll) {
  CarDef def = round_car();
  def.drag = 0, def.rolling_resistance = 0;
  Drive<true> fast(def, 20);
  fast.wheels(0, 0, 0);
  fast.a.outside.torque_B = {0, 0, 300};
  fast.step(0.01);
  EXPECT_NEAR(fast.a.body.omega_B.z, 0.01 * 300 / 1500, 1e-4);
  // rolling: power is torque times yaw rate, which is speed times curvature
  Drive<false> slow(def, 2);
  slow.wheels(0.5, 0, 0);
  slow.step(2);
  const double before = slow.energy(), speed = math::dot(slow.velocity_B(), math::Vec3<double>{1, 0, 0});
  slow.a.outside.torque_B = {0, 0, 200};
  slow.step(0.01);
  EXPECT_NEAR(slow.energy() - before, 200 * speed * std::tan(0.5) / 2.5 * 0.01, 0.01);
}

TEST(car, lifted_by_half_its_weight_it_brakes_half_as_hard) {
  CarDef def = round_car();
  def.drag = 0, def.rolling_resistance = 0, def.tyre_share = 1;
  def.brake.front = 1.4 / 2.5;
  Drive<true> car(def, 20);
  car.a.outside.force_W = {0, 0, 500 * kGravity};
  car.wheels(0, 0, 1);
  car.step(1);
  EXPECT_NEAR(car.speed(), 20 - 0.5 * kGravity, 0.01);
}

TEST(car, a_slope_steeper_than_the_tyres_hold_is_slid_down) {
  CarDef def = round_car();
  def.front.friction = def.rear.friction = 0.3;
  Drive<true> car(def);
  car.slope(-0.5);
  car.wheels(0, 0, 1);
  car.step(1);
  EXPECT_NEAR(car.speed(), kGravity * (std::sin(0.5) - 0.95 * 0.3 * std::cos(0.5)), 0.02);
}

// ---------------------------------------------------------------- energy

// any way of steering and braking, on any slope, from any motion: nobody drives, so energy only falls
RC_GTEST_PROP(car, energy_never_grows_when_nobody_drives, ()) {
  const auto part = [](int n) { return *rc::gen::inRange(-n, n + 1) / static_cast<double>(n); };
  Drive<true> car(round_car(), 25 * part(100));
  car.slope(0.3 * part(50), 0.3 * part(50));
  car.step(0);
  car.wheels(0, 0, 0);
  car.step(0.01);  // onto the plane
  car.a.body.omega_B.z = 2 * part(50);
  const auto R = math::rotation_matrix(car.a.body.q_WB);
  car.a.body.velocity_W = car.a.body.velocity_W + (8 * part(50)) * math::Vec3<double>{R.row0.y, R.row1.y, R.row2.y};
  double before = car.energy();
  for (int k = 0; k < 200; ++k) {
    if (k % 20 == 0) car.wheels(0.6 * part(20), 0, std::max(part(20), 0.0));
    car.step(0.01);
    const double now = car.energy();
    RC_ASSERT(now < before + 0.02);  // J, of kilojoules: dry friction is held over a substep in which a wheel may come to rest
    before = now;
  }
}
RC_GTEST_PROP(car, a_kinematic_car_keeps_its_energy_but_for_resistance, ()) {
  const auto part = [](int n) { return *rc::gen::inRange(-n, n + 1) / static_cast<double>(n); };
  CarDef def = round_car();
  def.drag = def.rolling_resistance = 0;
  Drive<false> car(def, 5 + 4 * part(50));
  const double before = car.energy();
  for (int k = 0; k < 300; ++k) {
    if (k % 20 == 0) car.wheels(0.6 * part(20), 0, 0);
    car.step(0.01);
  }
  RC_ASSERT(std::abs(car.energy() / before - 1) < 1e-6);
}

// ---------------------------------------------------------------- what the command reports

TEST(car, its_figures_are_those_of_the_formulas) {
  const CarDef def = round_car();
  const airframe::CarFigures f = airframe::car_figures(def, kGravity);
  EXPECT_NEAR(f.load_front, 1.4 / 2.5, 1e-12);
  EXPECT_NEAR(f.turning_radius, std::hypot(2.5 / std::tan(0.6), 1.4), 1e-12);
  EXPECT_NEAR(60'000 / f.top_speed, 0.01 * 1000 * kGravity + 0.4 * f.top_speed * f.top_speed, 1e-6);
  EXPECT_NEAR(f.braking, 0.95 * kGravity, 1e-9);
  const auto row = [&](const std::string& name) {
    for (const airframe::ReportRow& r : airframe::report_car(def))
      if (r.name == name) return r.value;
    ADD_FAILURE() << "no row " << name;
    return 0.0;
  };
  EXPECT_NEAR(row("braking distance from 10 m/s"), 100 / (2 * 0.95 * kGravity), 1e-9);
  EXPECT_NEAR(row("characteristic speed"), std::sqrt(2.5 / f.understeer), 1e-9);
  EXPECT_NEAR(row("steepest slope"), std::atan(0.95) * 180 / 3.141592653589793, 1e-6);
  for (const double share : {0.99, 1.02}) {
    Drive<true> car(def);
    car.slope(share * std::atan(0.95));
    car.wheels(0, 0, 1);
    car.step(5);
    EXPECT_EQ(car.speed() < 1e-6, share < 1) << car.speed();
  }
}

TEST(car, golden_a_slalom_ends_where_it_always_did) {
  Drive<true> car(round_car(), 12);
  for (int k = 0; k < 1000; ++k) {
    car.wheels(0.12 * std::sin(0.02 * k), k < 700 ? 0.15 : 0, k < 700 ? 0 : 0.1);
    car.step(0.01);
  }
  EXPECT_NEAR(car.x(), 117.399278260, 1e-6);
  EXPECT_NEAR(car.y(), 31.473640047, 1e-6);
  EXPECT_NEAR(car.heading(), 0.175070429766, 1e-8);
}

// ---------------------------------------------------------------- soundness

RC_GTEST_PROP(car, is_sound_whatever_it_is_told, ()) {
  const auto part = [](int n) { return *rc::gen::inRange(-n, n + 1) / static_cast<double>(n); };
  Drive<true, float> car(round_car(), 30 * part(100));
  for (int k = 0; k < 100; ++k) {
    car.slope(0.6 * part(20), 0.6 * part(20));
    car.wheels(10 * part(10), 10 * part(10), 10 * part(10));
    car.step(0.05);
    RC_ASSERT(test::Drive<true>::Program::is_sound(car.a));
    RC_ASSERT(std::abs(car.a.steer) <= 0.6f);
  }
}

TEST(car, a_wall_stops_it_and_it_backs_out) {
  Drive<true> car(round_car(), 8);
  const double nose = 1.1 + 0.5 * 0.6 * 2.5;  // 1.6 wheelbases long
  car.wheels(0, 0.2, 0);
  for (int k = 0; k < 300; ++k) {
    // the engine hands over the wall when a corner is in it
    const bool touches = car.x() + nose > 10;
    car.p.ground.normal_W = touches ? math::Vec3<double>{-1, 0, 0} : math::Vec3<double>{0, 0, 1};
    car.p.ground.anchor_x = touches ? 10 : 0, car.p.ground.height = 0;
    car.step(0.01);
    EXPECT_LT(car.x() + nose, 10.2);
    EXPECT_NEAR(car.z(), 0.5, 1e-6);
  }
  EXPECT_LT(car.speed(), 0.2);
  car.p.ground.normal_W = {0, 0, 1};
  car.wheels(0, -0.5, 0);
  car.step(2);
  EXPECT_LT(car.x(), 5);
}

}  // namespace
}  // namespace volary
