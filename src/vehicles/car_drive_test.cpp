// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A car and its driver together: every level of the ladder and every mode.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

#include "vehicles/car_test_support.hpp"

namespace volary {
namespace {

using airframe::CarDef;
using test::Drive;
using test::round_car;

constexpr double kPi = 3.141592653589793;

// a path of pieces, as kernels read it: headers {first piece, pieces, loop, time}, pieces {duration, 3 x 8 coefficients}
struct Pieces {
  std::vector<double> headers{0, 0, 1, 0}, pieces;
  void add(double duration, double x, double y, double vx, double vy, double ax = 0, double ay = 0) {
    pieces.insert(pieces.end(), {duration, x, vx, 0.5 * ax, 0, 0, 0, 0, 0, y, vy, 0.5 * ay, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
    headers[1] += 1, headers[3] += duration;
  }
  control::PathTable<double> table() const { return {headers.data(), pieces.data()}; }
};

// ---------------------------------------------------------------- velocity

TEST(car_driver, a_velocity_becomes_a_course_and_a_speed) {
  Drive<true> car(round_car());
  car.velocity(6, 8);
  car.step(20);
  EXPECT_NEAR(car.speed(), 10, 0.02);
  EXPECT_NEAR(std::atan2(car.a.body.velocity_W.y, car.a.body.velocity_W.x), std::atan2(8, 6), 1e-3);
}

TEST(car_driver, a_velocity_behind_it_makes_it_turn_round) {
  Drive<true> car(round_car(), 5);
  car.velocity(-5, 0);
  double tightest = 1e9, most = 0;
  for (int k = 0; k < 2000; ++k) {
    car.step(0.01);
    tightest = std::min(tightest, car.speed() / std::max(std::abs(car.a.body.omega_B.z), 1e-6));
    most = std::max(most, car.speed() * std::abs(car.a.body.omega_B.z));
  }
  EXPECT_NEAR(car.a.body.velocity_W.x, -5, 0.05);
  EXPECT_NEAR(car.a.body.velocity_W.y, 0, 0.05);
  EXPECT_GT(tightest, 0.95 * airframe::car_figures(round_car(), test::kGravity).turning_radius);
  EXPECT_LT(most, 0.6 * test::kGravity);
}

TEST(car_driver, a_velocity_of_nothing_stops_it_and_a_climb_means_nothing_to_it) {
  Drive<true> car(round_car(), 10);
  car.velocity(0, 0);
  car.a.setpoint.velocity_W.z = 3;
  car.step(10);
  EXPECT_EQ(car.speed(), 0);
  EXPECT_NEAR(car.z(), 0.5, 1e-9);
}

TEST(car_driver, keeps_its_speed_up_and_down_slopes) {
  for (const double slope : {0.15, -0.15}) {
    Drive<true> car(round_car());
    car.slope(slope);
    car.velocity(8, 0);
    car.step(0.5);
    EXPECT_GT(car.velocity_B().x, -0.05) << "it does not roll back";
    car.step(30);
    EXPECT_NEAR(car.speed(), 8, 0.02) << slope;
  }
}

// ---------------------------------------------------------------- position

TEST(car_driver, drives_to_a_place_and_stops_there) {
  for (const auto& [x, y] : std::vector<std::pair<double, double>>{{60, 0}, {40, 30}, {-40, 5}, {-3, 0}, {0, 2}, {1, -3}, {0, 8}, {3, 0.5}}) {
    Drive<true> car(round_car());
    car.position(x, y);
    car.step(60);
    EXPECT_NEAR(car.x(), x, 0.6) << x << " " << y;
    EXPECT_NEAR(car.y(), y, 0.6) << x << " " << y;
    EXPECT_EQ(car.speed(), 0) << x << " " << y;
  }
}
RC_GTEST_PROP(car_driver, reaches_any_place_from_any_speed, ()) {
  Drive<true> car(round_car(), *rc::gen::inRange(0, 20));
  const double x = *rc::gen::inRange(-600, 600) / 10.0, y = *rc::gen::inRange(-600, 600) / 10.0;
  car.position(x, y);
  // where it turns from forwards to backwards it stands for a moment too: it has arrived when it stays
  const auto is_there = [&] { return car.speed() == 0 && std::hypot(car.x() - x, car.y() - y) < 0.6; };
  int stays = 0;
  for (int second = 0; second < 90 && stays < 3; ++second) car.step(1), stays = is_there() ? stays + 1 : 0;
  RC_ASSERT(stays >= 3);
  RC_ASSERT(std::hypot(car.x() - x, car.y() - y) < 0.6);
  RC_ASSERT(car.speed() == 0);
}

// ---------------------------------------------------------------- paths

TEST(car_driver, follows_a_track_of_straights_and_arcs_within_a_hands_breadth) {
  // 60 m straights, arcs of 20 m radius in eight parts each
  Pieces track;
  const double v = 8, r = 20;
  track.add(60 / v, 0, 0, v, 0);
  for (int k = 0; k < 32; ++k) {
    const double a = -kPi / 2 + kPi * k / 32, h = kPi * r / 32 / v;
    track.add(h, 60 + r * std::cos(a), r + r * std::sin(a), -v * std::sin(a), v * std::cos(a), -v * v / r * std::cos(a), -v * v / r * std::sin(a));
  }
  track.add(60 / v, 60, 2 * r, -v, 0);
  for (int k = 0; k < 32; ++k) {
    const double a = kPi / 2 + kPi * k / 32, h = kPi * r / 32 / v;
    track.add(h, r * std::cos(a), r + r * std::sin(a), -v * std::sin(a), v * std::cos(a), -v * v / r * std::cos(a), -v * v / r * std::sin(a));
  }
  Drive<true> car(round_car(), v);
  car.plan.path = 1;
  car.enter(Mode::Mission, track.table());
  double worst = 0, laps = 0;
  for (int k = 0; k < 6000; ++k) {
    car.step(0.01, track.table());
    const double x = car.x(), y = car.y() - r, end = x < 0 ? x : x > 60 ? x - 60 : 0;
    worst = std::max(worst, std::abs(std::hypot(end, y) - r));
    laps += car.speed() * 0.01 / (120 + 2 * kPi * r);
  }
  EXPECT_LT(worst, 0.25);
  EXPECT_GT(laps, 1.85);  // at 8 m/s 60 s are 1.95 laps
}

TEST(car_driver, a_mission_waits_for_a_car_that_cannot_follow) {
  // a circle at 20 m/s that this car, held to 6 m/s, drives at its own pace
  ControllerDef controller;
  controller.max_speed = 6;
  Drive<true> car(round_car(), 0, controller);
  car.plan.amplitude = {25, 25, 0}, car.plan.rate = {0.8, 0.8, 0}, car.plan.phase = {0, -kPi / 2, 0};
  car.plan.centre_W.value = {0, 25, 0};
  car.plan.ramp = 2;
  car.enter(Mode::Mission);
  car.step(10);
  double worst = 0;
  for (int k = 0; k < 6000; ++k) {
    car.step(0.01);
    worst = std::max(worst, std::abs(std::hypot(car.x(), car.y() - 25) - 25));
    EXPECT_LT(car.speed(), 6.3);
  }
  EXPECT_LT(worst, 0.3);
  EXPECT_GT(car.speed(), 5.8);
  EXPECT_LT(math::norm(car.a.setpoint.position_W - car.a.body.position_W), 3);
}

TEST(car_driver, stops_where_a_path_ends_even_if_the_path_does_not) {
  Pieces line;
  line.headers[2] = 0;
  line.add(10, 0, 0, 6, 0);
  Drive<true> car(round_car(), 6);
  car.plan.path = 1;
  car.enter(Mode::Mission, line.table());
  car.step(60, line.table());
  EXPECT_EQ(car.speed(), 0);
  EXPECT_GT(car.x(), 59);
  EXPECT_LT(car.x(), 85);
}

// ---------------------------------------------------------------- modes

TEST(car_driver, hold_stops_it_where_it_is_and_an_emergency_stops_it_at_once) {
  Drive<true> held(round_car(), 15), emergency(round_car(), 15), parked(round_car(), 15);
  held.enter(Mode::Hold);
  held.step(30);
  EXPECT_EQ(held.speed(), 0);
  const double there = held.x();
  held.step(10);
  EXPECT_EQ(held.x(), there) << "it does not go back to where it was told to hold";
  emergency.enter(Mode::EmergencyStop);
  emergency.step(30);
  EXPECT_EQ(emergency.speed(), 0);
  EXPECT_LT(emergency.x(), 0.7 * held.x());
  EXPECT_NEAR(emergency.x(), 15 * 15 / (2 * 0.95 * test::kGravity), 1);
  parked.enter(Mode::Disarmed);
  parked.velocity(10, 0);
  parked.step(30);
  EXPECT_EQ(parked.speed(), 0);
}

TEST(car_driver, take_off_and_landing_are_stops) {
  Drive<false> car(round_car(), 5);
  for (const Mode mode : {Mode::TakeOff, Mode::Land}) {
    car.enter(mode);
    EXPECT_TRUE(control::has_mode<double>(car.a.status, control::Flight::Hold));
  }
}

}  // namespace
}  // namespace volary
