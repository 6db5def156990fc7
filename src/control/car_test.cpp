// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a driver decides, without a car; car_drive_test.cpp of vehicles has both.
#include "control/car.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace volary {
namespace {

using control::CarCommand;
using control::CarGains;
using control::CarMemory;
using control::CarView;
using control::Reference;

// 2.5 m between the axles, 10 m of turning radius
CarGains<double> gains() {
  CarGains<double> g{};
  g.tick = 0.01;
  g.wheelbase = 2.5, g.to_rear = 1.4, g.understeer = 0.002, g.max_steer = 0.6;
  g.turning = 10;
  g.look_ahead = 4, g.look_time = 0.6;
  g.speed_p = 1.5, g.speed_i = 0.3;
  g.max_speed = 30, g.cornering = 5;
  g.acceleration = 3, g.braking = 5;
  g.full_drive = 4, g.full_brake = 12;
  g.arrival = 0.5;
  return g;
}
CarView<double> eastwards(double speed) { return {{{0, 0, 0}, {0, 0, 0}}, 1, 0, speed, 0, 0}; }
Reference<double> velocity(double x, double y) {
  Reference<double> sp{};
  sp.level = 4;
  sp.velocity_W = {x, y, 0};
  return sp;
}
Reference<double> place(double x, double y) {
  Reference<double> sp{};
  sp.level = 5;
  sp.position_W.value = {x, y, 0};
  return sp;
}
CarCommand<double> decide(const Reference<double>& sp, const CarView<double>& car) {
  CarMemory<double> m{};
  return control::drive_car(sp, car, gains(), m);
}

TEST(car_control, steering_for_a_circle_is_its_geometry_and_what_the_tyres_give_way) {
  // Rajamani 2012, sec. 2.2 and 3.3: tan(angle) = L / R of the rear axle, and K v^2 / R on top
  const double rear = 20, centre = std::hypot(rear, 1.4);
  EXPECT_NEAR(control::steer_for(1 / centre, 0.0, gains()), std::atan(2.5 / rear), 1e-12);
  EXPECT_NEAR(control::steer_for(1 / centre, 10.0, gains()), std::atan(2.5 / rear) + 0.002 * 100 / centre, 1e-12);
  EXPECT_NEAR(control::steer_for(-1 / centre, 10.0, gains()), -control::steer_for(1 / centre, 10.0, gains()), 1e-12);
  EXPECT_EQ(control::steer_for(5.0, 0.0, gains()), 0.6);
}

TEST(car_control, on_a_path_it_steers_by_the_curvature_and_back_when_beside_it) {
  Reference<double> sp{};
  sp.level = 6;
  sp.velocity_W = {8, 0, 0};
  sp.acceleration_W = {0, 64.0 / 30, 0};  // a circle of 30 m to the left
  EXPECT_NEAR(decide(sp, eastwards(8)).steer, control::steer_for(1.0 / 30, 8.0, gains()), 1e-9);
  sp.acceleration_W = {0, 0, 0};
  EXPECT_NEAR(decide(sp, eastwards(8)).steer, 0, 1e-12);
  sp.position_W.value = {0, 1, 0};
  EXPECT_GT(decide(sp, eastwards(8)).steer, 0.02);  // the path is to the left
  sp.position_W.value = {0, -1, 0};
  EXPECT_LT(decide(sp, eastwards(8)).steer, -0.02);
}

TEST(car_control, what_is_behind_is_turned_to_with_the_wheel_full_and_slowly_enough) {
  for (const double side : {0.1, -0.1}) {
    const CarCommand<double> c = decide(velocity(-10, side), eastwards(15));
    EXPECT_NEAR(c.steer, std::copysign(control::steer_for(0.1, 15.0, gains()), side), 1e-9);
    EXPECT_GT(c.brake, 0.1);  // 15 m/s on 10 m would be 22 m/s2
    EXPECT_EQ(c.drive, 0);
  }
}

TEST(car_control, a_place_ahead_is_driven_to_on_an_arc_and_one_close_behind_backwards) {
  // the arc through (6, 2) with its tangent along x: curvature 2 * 2 / (36 + 4)
  EXPECT_NEAR(decide(place(6, 2), eastwards(0)).steer, control::steer_for(0.1, 0.0, gains()), 1e-9);
  EXPECT_GT(decide(place(6, 2), eastwards(0)).drive, 0);
  EXPECT_LT(decide(place(-6, 0.5), eastwards(0)).drive, 0);
  EXPECT_GT(decide(place(-100, 0.5), eastwards(0)).drive, 0);  // far behind: it turns round
  EXPECT_NEAR(decide(place(-100, 0.5), eastwards(0)).steer, control::steer_for(0.1, 0.0, gains()), 1e-9);
}

TEST(car_control, a_place_inside_its_turning_circle_is_driven_away_from_first) {
  const CarCommand<double> c = decide(place(1, 5), eastwards(0));
  EXPECT_LT(c.drive, 0);
  EXPECT_EQ(c.steer, 0);
  EXPECT_EQ(decide(place(0.3, 0.2), eastwards(0)).brake, 1);  // near enough
}

TEST(car_control, a_slope_is_known_and_the_brake_holds_on_it) {
  CarView<double> car = eastwards(10);
  car.uphill = 2;
  EXPECT_NEAR(decide(velocity(10, 0), car).drive, 0.5, 1e-12);  // 2 of 4 m/s2
  car.uphill = -3;
  EXPECT_NEAR(decide(velocity(10, 0), car).brake, 0.25, 1e-12);
  car.speed = 0;
  EXPECT_EQ(decide(velocity(0, 0), car).brake, 1);
}

TEST(car_control, the_integral_does_not_grow_against_a_limit) {
  CarMemory<double> m{};
  for (int k = 0; k < 10'000; ++k) control::drive_car(velocity(25, 0), eastwards(1), gains(), m);
  EXPECT_EQ(m.speed_integral, 0);
  for (int k = 0; k < 10'000; ++k) control::drive_car(velocity(25, 0), eastwards(24.9), gains(), m);
  EXPECT_GT(m.speed_integral, 1);
  EXPECT_LE(m.speed_integral, 3);
}

RC_GTEST_PROP(car_control, commands_stay_within_their_limits_whatever_is_asked, ()) {
  const auto number = [](double size) { return *rc::gen::inRange(-1000, 1001) / 1000.0 * size; };
  Reference<double> sp{};
  sp.level = static_cast<std::uint64_t>(*rc::gen::inRange(0, 9));
  sp.position_W.value = {number(200), number(200), number(50)};
  sp.velocity_W = {number(40), number(40), number(10)};
  sp.acceleration_W = {number(20), number(20), 0};
  const double nose = number(3.2);
  const CarView<double> car{{{number(200), number(200), 0}, {0, 0, 0}}, std::cos(nose), std::sin(nose), number(40), number(10), number(9)};
  CarMemory<double> m{number(3)};
  const CarCommand<double> c = control::drive_car(sp, car, gains(), m);
  RC_ASSERT(std::abs(c.steer) <= 0.6);
  RC_ASSERT(std::abs(c.drive) <= 1);
  RC_ASSERT(c.brake >= 0 && c.brake <= 1);
  RC_ASSERT(c.drive == 0 || c.brake == 0);
  RC_ASSERT(std::abs(m.speed_integral) <= 3);
}

}  // namespace
}  // namespace volary
