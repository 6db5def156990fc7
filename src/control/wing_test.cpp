// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The control laws of aircraft with wings take a small aeroplane where its setpoint says.
#include "control/wing.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <functional>

#include "control/wing_test_support.hpp"

namespace volary {
namespace {

using control::Reference;
using math::Vec3;
using test::fly_tick;
using test::small_airframe;
using test::SmallAeroplane;
using test::WingGains;
using test::WingMemory;
using test::WingState;
using test::WingTarget;

constexpr double kPi = 3.14159265358979323846;
enum { Rates = 1, Acceleration = 3, Velocity, Position, Trajectory };

WingGains<double> gains() { return control::wing_gains_from(small_airframe()); }
Reference<double> setpoint(int level, Vec3<double> position = {0, 0, 100}, Vec3<double> velocity = {0, 0, 0}, Vec3<double> acceleration = {0, 0, 0}) {
  Reference<double> sp{};
  sp.level = static_cast<std::uint64_t>(level);
  sp.position_W = {position, {0, 0, 0}};
  sp.velocity_W = velocity, sp.acceleration_W = acceleration;
  return sp;
}
void fly(SmallAeroplane& plane, double seconds, const WingGains<double>& g, const std::function<Reference<double>(const SmallAeroplane&)>& sp,
         const std::function<void(const WingTarget<double>&)>& look = {}) {
  const int ticks = static_cast<int>(seconds / g.tick + 0.5);
  for (int k = 0; k < ticks; ++k) {
    const WingTarget<double> t = fly_tick(plane, sp(plane), g);
    if (look) look(t);
  }
}
// the point of the line y = 0 abreast of the aeroplane, flown east
Reference<double> east(const SmallAeroplane& plane, double speed = 20) { return setpoint(Trajectory, {plane.position.x, 0, 100}, {speed, 0, 0}); }

// ---------------------------------------------------------------- paths

TEST(wing_guidance, comes_onto_a_line_and_stays_there_in_any_steady_wind) {
  for (const Vec3<double> wind : {Vec3<double>{0, 0, 0}, {0, 8, 0}, {0, -12, 0}, {-10, 5, 0}, {12, -9, 0}}) {
    SmallAeroplane plane;
    plane.position = {0, -80, 100}, plane.wind_W = wind;
    fly(plane, 60, gains(), [](const SmallAeroplane& p) { return east(p); });
    double worst = 0;
    fly(plane, 30, gains(), [](const SmallAeroplane& p) { return east(p); }, [&](const auto&) { worst = std::fmax(worst, std::abs(plane.position.y)); });
    EXPECT_LT(worst, 0.1) << wind.x << " " << wind.y;
    EXPECT_NEAR(plane.speed, 20, 0.2);
    EXPECT_NEAR(plane.position.z, 100, 0.3);
  }
}

TEST(wing_guidance, goes_straight_for_a_far_line_and_does_not_shoot_past_it) {
  SmallAeroplane plane;
  plane.position = {0, -600, 100};
  double past = 0;
  fly(plane, 90, gains(), [](const SmallAeroplane& p) { return east(p); }, [&](const auto&) { past = std::fmax(past, plane.position.y); });
  EXPECT_LT(past, 8);
  EXPECT_NEAR(plane.position.y, 0, 0.1);
}

TEST(wing_guidance, turns_round_when_it_flies_the_wrong_way_along_the_line) {
  SmallAeroplane plane;
  plane.track = kPi;
  fly(plane, 60, gains(), [](const SmallAeroplane& p) { return east(p); });
  EXPECT_NEAR(plane.position.y, 0, 0.1);
  EXPECT_NEAR(std::cos(plane.track), 1, 1e-4);
}

// 1 km by 0.75 km, corners of 60 m: the course of SIGMA's formation flight. The reference is the nearest point of the path.
struct Rectangle {
  double half_x = 500, half_y = 375, radius = 60;
  Reference<double> nearest(const Vec3<double>& p, double speed) const {
    const double cx = half_x - radius, cy = half_y - radius;
    const double qx = std::fmin(std::fmax(p.x, -cx), cx), qy = std::fmin(std::fmax(p.y, -cy), cy);
    double dx = p.x - qx, dy = p.y - qy;
    if (dx == 0 && dy == 0) {  // inside: the nearest side
      if (half_x - std::abs(p.x) < half_y - std::abs(p.y))
        dx = std::copysign(1, p.x);
      else
        dy = std::copysign(1, p.y);
    }
    const double n = std::hypot(dx, dy), ox = dx / n, oy = dy / n;
    const bool corner = dx != 0 && dy != 0;
    const double turn = corner ? speed * speed / radius : 0;  // anticlockwise
    return setpoint(Trajectory, {qx + radius * ox, qy + radius * oy, 100}, {-speed * oy, speed * ox, 0}, {-turn * ox, -turn * oy, 0});
  }
  double offset(const Vec3<double>& p) const {
    const Reference<double> r = nearest(p, 20);
    return std::hypot(r.position_W.value.x - p.x, r.position_W.value.y - p.y);
  }
};

TEST(wing_guidance, follows_straights_and_corners_of_60_m_within_3_m_at_20_m_per_s) {
  const Rectangle path;
  SmallAeroplane plane;
  plane.position = {0, -375, 100};
  double worst = 0, height = 0;
  fly(
      plane, 400, gains(), [&](const SmallAeroplane& p) { return path.nearest(p.position, 20); },
      [&](const auto&) {
        worst = std::fmax(worst, path.offset(plane.position));
        height = std::fmax(height, std::abs(plane.position.z - 100));
      });
  EXPECT_LT(worst, 3);
  EXPECT_LT(height, 3);
}

TEST(wing_guidance, follows_them_in_wind_too) {
  const Rectangle path;
  SmallAeroplane plane;
  plane.position = {0, -375, 100}, plane.wind_W = {3, 5, 0};
  double worst = 0;
  fly(
      plane, 400, gains(), [&](const SmallAeroplane& p) { return path.nearest(p.position, 20); },
      [&](const auto&) { worst = std::fmax(worst, path.offset(plane.position)); });
  EXPECT_LT(worst, 10);
}

TEST(wing_guidance, loiters_at_its_radius_on_the_side_the_sign_says) {
  for (const double radius : {80.0, -80.0, 150.0}) {
    WingGains<double> g = gains();
    g.loiter_radius = radius;
    SmallAeroplane plane;
    plane.position = {-700, 300, 80};
    const auto sp = [](const SmallAeroplane&) { return setpoint(Position, {100, 50, 120}); };
    fly(plane, 120, g, sp);
    double least = 1e9, most = 0;
    fly(plane, 60, g, sp, [&](const auto&) {
      const double r = std::hypot(plane.position.x - 100, plane.position.y - 50);
      least = std::fmin(least, r), most = std::fmax(most, r);
    });
    EXPECT_NEAR(least, std::abs(radius), 1.5) << radius;
    EXPECT_NEAR(most, std::abs(radius), 1.5) << radius;
    EXPECT_NEAR(plane.position.z, 120, 0.5);
    EXPECT_GT(plane.roll * radius, 0);  // a circle to the right is flown banked to the right
  }
}

TEST(wing_guidance, flies_straight_towards_a_far_loiter) {
  SmallAeroplane plane;
  plane.position = {-3000, 0, 100};
  const auto sp = [](const SmallAeroplane&) { return setpoint(Position); };
  fly(plane, 20, gains(), sp);
  double roll = 0;
  fly(plane, 100, gains(), sp, [&](const auto&) { roll = std::fmax(roll, std::abs(plane.roll)); });
  EXPECT_LT(roll, 0.02);
  EXPECT_NEAR(plane.position.x, -600, 40);
}

TEST(wing_guidance, a_trajectory_that_stands_still_is_a_loiter) {
  SmallAeroplane plane;
  const WingGains<double> g = gains();
  WingMemory<double> one{}, other{};
  const WingState<double> x = plane.state();
  const WingTarget<double> a = wing_guidance(setpoint(Trajectory, {200, 90, 100}), x, g, one),
                           b = wing_guidance(setpoint(Position, {200, 90, 100}), x, g, other);
  EXPECT_EQ(a.roll, b.roll);
  EXPECT_EQ(a.pitch, b.pitch);
  EXPECT_EQ(a.throttle, b.throttle);
}

// ---------------------------------------------------------------- velocity and acceleration

TEST(wing_guidance, level_velocity_flies_the_course_over_ground_the_airspeed_and_the_climb) {
  for (const Vec3<double> wind : {Vec3<double>{0, 0, 0}, {6, 6, 0}}) {
    SmallAeroplane plane;
    plane.wind_W = wind;
    fly(plane, 40, gains(), [](const SmallAeroplane&) { return setpoint(Velocity, {}, {-11, 14.5, 1.5}); });
    const Vec3<double> v = plane.state().velocity_W;
    EXPECT_NEAR(std::atan2(v.y, v.x), std::atan2(14.5, -11), 0.005);
    EXPECT_NEAR(plane.speed, std::sqrt(11 * 11 + 14.5 * 14.5 + 1.5 * 1.5), 0.3);
    EXPECT_NEAR(v.z, 1.5, 0.1);
  }
}

TEST(wing_guidance, level_velocity_commands_a_roll_angle_through_the_acceleration) {
  SmallAeroplane plane;
  plane.wind_W = {4, -7, 0};
  const WingState<double> x = plane.state();
  const double roll = 0.3, a = 9.80665 * std::tan(roll), n = std::hypot(x.velocity_W.x, x.velocity_W.y);
  WingMemory<double> m{};
  const Vec3<double> right = {a * x.velocity_W.y / n, -a * x.velocity_W.x / n, 0};
  EXPECT_NEAR(wing_guidance(setpoint(Velocity, {}, {x.velocity_W.x, x.velocity_W.y, 0}, right), x, gains(), m).roll, roll, 1e-12);
}

TEST(wing_guidance, level_acceleration_turns_climbs_and_hurries) {
  SmallAeroplane plane;
  const WingGains<double> g = gains();
  const WingState<double> x = plane.state();
  WingMemory<double> m{};
  EXPECT_NEAR(wing_guidance(setpoint(Acceleration, {}, {}, {0, -3, 0}), x, g, m).roll, std::atan2(3, 9.80665), 1e-12);
  const WingTarget<double> level = wing_guidance(setpoint(Acceleration), x, g, m = {}),
                           up = wing_guidance(setpoint(Acceleration, {}, {}, {0, 0, 1}), x, g, m = {});
  const WingTarget<double> faster = wing_guidance(setpoint(Acceleration, {}, {}, {0.5, 0, 0}), x, g, m = {});
  EXPECT_GT(up.pitch, level.pitch);
  EXPECT_GT(up.throttle, level.throttle);
  EXPECT_LT(faster.pitch, level.pitch);
  EXPECT_GT(faster.throttle, level.throttle);
}

TEST(wing_guidance, speeds_outside_the_limits_become_the_limits) {
  for (const double wanted : {2.0, 90.0}) {
    SmallAeroplane plane;
    const WingGains<double> g = gains();
    fly(plane, 60, g, [&](const SmallAeroplane&) { return setpoint(Velocity, {}, {wanted, 0, 0}); });
    EXPECT_NEAR(plane.speed, wanted < 10 ? g.airspeed_min : g.airspeed_max, 0.3);
  }
}

// ---------------------------------------------------------------- energy

TEST(wing_energy, a_step_of_50_m_in_height_keeps_the_airspeed_within_1_5_m_per_s) {
  SmallAeroplane plane;
  const auto at = [](double height) { return [height](const SmallAeroplane& p) { return setpoint(Trajectory, {p.position.x, 0, height}, {20, 0, 0}); }; };
  fly(plane, 30, gains(), at(100));
  double slow = 99, fast = 0, high = 0;
  const auto look = [&](const auto&) { slow = std::fmin(slow, plane.speed), fast = std::fmax(fast, plane.speed), high = std::fmax(high, plane.position.z); };
  fly(plane, 60, gains(), at(150), look);
  EXPECT_NEAR(plane.position.z, 150, 0.5);
  EXPECT_LT(high, 152);
  fly(plane, 60, gains(), at(100), look);
  EXPECT_NEAR(plane.position.z, 100, 0.5);
  EXPECT_GT(slow, 18.5);
  EXPECT_LT(fast, 21.5);
}

TEST(wing_energy, holds_height_and_airspeed_through_a_steep_turn) {
  SmallAeroplane plane;
  WingGains<double> g = gains();
  g.loiter_radius = 50;  // a bank of 39 degrees
  fly(plane, 60, g, [](const SmallAeroplane&) { return setpoint(Position); });
  double drop = 0, slip = 0;
  fly(
      plane, 30, g, [](const SmallAeroplane&) { return setpoint(Position); },
      [&](const auto&) { drop = std::fmax(drop, std::abs(plane.position.z - 100)), slip = std::fmax(slip, std::abs(plane.speed - 20)); });
  EXPECT_LT(drop, 0.5);
  EXPECT_LT(slip, 0.3);
}

TEST(wing_energy, without_thrust_speed_is_traded_for_height_and_kept_above_the_stall) {
  SmallAeroplane plane;
  WingGains<double> g = gains();
  g.throttle_max = 1e-3;  // the motor stopped: the demand to climb cannot be met
  const double energy = plane.position.z + 20 * 20 / (2 * 9.80665);
  double slow = 99;
  fly(
      plane, 60, g, [](const SmallAeroplane& p) { return setpoint(Trajectory, {p.position.x, 0, 140}, {20, 0, 0}); },
      [&](const auto&) { slow = std::fmin(slow, plane.speed); });
  EXPECT_GT(slow, small_airframe().stall_airspeed);
  EXPECT_LT(plane.position.z + plane.speed * plane.speed / (2 * 9.80665), energy);
  EXPECT_LT(plane.state().velocity_W.z, -0.5);
}

TEST(wing_energy, too_slow_means_full_throttle_and_nose_down) {
  SmallAeroplane plane;
  const WingGains<double> g = gains();
  WingMemory<double> m{};
  const WingTarget<double> cruise = wing_guidance(east(plane), plane.state(), g, m);
  plane.speed = 0.8 * g.airspeed_min;
  const WingTarget<double> slow = wing_guidance(setpoint(Velocity, {}, {20, 0, 3}), plane.state(), g, m = {});
  EXPECT_EQ(slow.throttle, g.throttle_max);
  // beyond what the lower speed itself needs of angle of attack
  const double trim = g.pitch_lift * std::pow(g.airspeed_cruise / plane.speed, 2) + g.pitch_zero_lift;
  EXPECT_LT(slow.pitch, trim);
  EXPECT_NEAR(cruise.throttle, g.throttle_trim, 0.1);
}

TEST(wing_energy, integrals_do_not_wind_up) {
  SmallAeroplane plane;
  WingGains<double> g = gains();
  // an unreachable height for ten minutes, then the present one
  fly(plane, 600, g, [](const SmallAeroplane& p) { return setpoint(Trajectory, {p.position.x, 0, 1e5}, {20, 0, 0}); });
  const double there = plane.position.z;
  EXPECT_LT(std::abs(plane.memory.throttle_integral), 0.5);
  EXPECT_LT(std::abs(plane.memory.pitch_integral), 0.2);
  double over = 0;
  fly(
      plane, 60, g, [&](const SmallAeroplane& p) { return setpoint(Trajectory, {p.position.x, 0, there}, {20, 0, 0}); },
      [&](const auto&) { over = std::fmax(over, plane.position.z - there); });
  EXPECT_LT(over, 8);
  EXPECT_NEAR(plane.position.z, there, 0.5);
}

// ---------------------------------------------------------------- attitude and rates

TEST(wing_attitude, reaches_roll_and_pitch_within_its_rate_limits) {
  SmallAeroplane plane;
  const WingGains<double> g = gains();
  double fastest = 0;
  for (int k = 0; k < 800; ++k) {
    plane.move(wing_attitude(WingTarget<double>{0.7, 0.1, 0.5}, plane.state(), g, plane.dt, plane.memory), 0.5);
    fastest = std::fmax(fastest, plane.p);
  }
  EXPECT_NEAR(plane.roll, 0.7, 0.02);
  EXPECT_NEAR(plane.pitch, 0.1, 0.02);
  EXPECT_LT(fastest, 1.05 * g.roll_rate);
}

TEST(wing_attitude, rolls_upright_from_upside_down) {
  for (const double start : {3.0, -3.0, kPi / 2}) {
    SmallAeroplane plane;
    plane.roll = start, plane.position.z = 1000;
    for (int k = 0; k < 1600; ++k) plane.move(wing_attitude(WingTarget<double>{0, 0, 0.4}, plane.state(), gains(), plane.dt, plane.memory), 0.4);
    EXPECT_NEAR(plane.roll, 0, 0.02) << start;
  }
}

TEST(wing_attitude, a_level_turn_needs_no_error_of_pitch) {
  WingGains<double> g = gains();
  WingMemory<double> m{};
  g.rate_p = {0, 0, 0}, g.rate_i = {0, 0, 0}, g.rate_ff = {0, 1, 0}, g.scaling_speed = 20;
  WingState<double> x{};
  x.roll = kPi / 3, x.airspeed = 20, x.density = 1.225;
  // psi' = g tan(phi) / V = 0.849 rad/s; its part about the pitch axis is psi' sin(phi) = 0.735 rad/s
  EXPECT_NEAR(wing_attitude(WingTarget<double>{kPi / 3, 0, 0}, x, g, 0.0025, m).y, 9.80665 * std::tan(kPi / 3) / 20 * std::sin(kPi / 3), 1e-12);
}

TEST(wing_attitude, the_yaw_damper_works_against_a_swing_and_forgets_what_lasts) {
  WingGains<double> g = gains();
  WingMemory<double> m{};
  WingState<double> x{};
  x.airspeed = 20, x.density = 1.225, x.r = 0.2;
  const WingTarget<double> level{0, 0, 0.4};
  EXPECT_LT(wing_attitude(level, x, g, 0.0025, m).z, -0.9 * g.rate_p.z * 0.2);
  for (int k = 0; k < 20000; ++k) wing_attitude(level, x, g, 0.0025, m);
  EXPECT_NEAR(wing_attitude(level, x, g, 0.0025, m).z, 0, 1e-3);
}

TEST(wing_rates, reaches_the_rates) {
  for (const Vec3<double> wanted : {Vec3<double>{0.4, 0, 0}, {0, 0.15, 0}}) {
    SmallAeroplane plane;
    plane.memory.integral.y = 0.05;  // trimmed
    for (int k = 0; k < 300; ++k) plane.move(wing_rates(wanted, plane.state(), gains(), plane.dt, plane.memory), 0.6);
    EXPECT_NEAR(plane.p, wanted.x, 0.03);
    EXPECT_NEAR(plane.q, wanted.y, 0.03);
  }
}

// surfaces bend flow with the square of the airspeed: the answer to an error shrinks as much, what holds a steady rate with the airspeed
TEST(wing_rates, scales_with_airspeed) {
  WingGains<double> g = gains();
  g.scaling_speed = 20, g.rate_i = {0, 0, 0};
  WingState<double> x{};
  x.density = 1.225;
  WingMemory<double> m{};
  const auto aileron = [&](double airspeed, double wanted, double p) {
    x.airspeed = airspeed, x.p = p;
    return wing_rates(Vec3<double>{wanted, 0, 0}, x, g, 0.0025, m).x;
  };
  EXPECT_NEAR(aileron(30, 0, -0.5) / aileron(20, 0, -0.5), 4.0 / 9.0, 1e-12);
  EXPECT_NEAR(aileron(30, 0.5, 0.5) / aileron(20, 0.5, 0.5), 2.0 / 3.0, 1e-12);
  EXPECT_NEAR(aileron(20, 0.5, 0.5), 0.5 * g.rate_ff.x, 1e-12);
}

TEST(wing_rates, a_saturated_surface_does_not_wind_up_its_integral) {
  const WingGains<double> g = gains();
  WingState<double> x{};
  x.airspeed = 20, x.density = 1.225;
  WingMemory<double> m{};
  for (int k = 0; k < 4000; ++k) EXPECT_EQ(wing_rates(Vec3<double>{50, 50, 0}, x, g, 0.0025, m).x, 1);
  EXPECT_EQ(m.integral.x, 0);
  EXPECT_EQ(m.integral.y, 0);
}

// ---------------------------------------------------------------- whatever comes in

template <class S> void is_finite_for_any_input() {
  const auto number = [](double size) { return static_cast<S>(*rc::gen::inRange(-1000000, 1000001) * 1e-6 * size); };
  const auto vector = [&](double size) { return Vec3<S>{number(size), number(size), number(size)}; };
  const auto sometimes_zero = [&](Vec3<S> v) { return *rc::gen::inRange(0, 4) == 0 ? Vec3<S>{0, 0, 0} : v; };
  WingGains<S> g{};
  const WingGains<double> exact = gains();
  S* to = &g.tick;
  for (const double* from = &exact.tick; from != &exact.tick + sizeof exact / sizeof(double); ++from) *to++ = static_cast<S>(*from);
  WingState<S> x{number(3.1416),
                 number(1.5708),
                 number(3.1416),
                 number(50),
                 number(50),
                 number(50),
                 0,
                 0,
                 sometimes_zero(vector(300)),
                 sometimes_zero(vector(300)),
                 {vector(1e5), vector(1e-3)},
                 number(1e4)};
  x.airspeed = math::norm(x.air_W);
  x.density = static_cast<S>(*rc::gen::inRange(0, 3)) * S(0.7);
  Reference<S> sp{};
  sp.level = static_cast<math::Bits<S>>(*rc::gen::inRange(0, 8));
  sp.position_W = {vector(*rc::gen::inRange(0, 3) == 0 ? 1e9 : 1e3), {0, 0, 0}};
  sp.velocity_W = sometimes_zero(vector(100)), sp.acceleration_W = sometimes_zero(vector(1000));
  WingMemory<S> m{};
  for (int k = 0; k < 3; ++k) {
    const WingTarget<S> t = wing_guidance(sp, x, g, m);
    RC_ASSERT(std::abs(t.roll) <= g.max_bank);
    RC_ASSERT(t.pitch >= g.pitch_min && t.pitch <= g.pitch_max);
    RC_ASSERT(t.throttle >= g.throttle_min && t.throttle <= g.throttle_max);
    const Vec3<S> u = wing_attitude(t, x, g, S(0.0025), m), w = wing_rates(vector(10), x, g, S(0.0025), m);
    for (const S share : {u.x, u.y, u.z, w.x, w.y, w.z}) RC_ASSERT(share >= -1 && share <= 1);
    for (const S held : {m.integral.x, m.integral.y, m.integral.z, m.steady_yaw, m.slow_airspeed, m.throttle_integral, m.pitch_integral})
      RC_ASSERT(std::isfinite(held));
  }
}
RC_GTEST_PROP(wing, is_finite_and_within_its_limits_for_any_input_in_double, ()) { is_finite_for_any_input<double>(); }
RC_GTEST_PROP(wing, is_finite_and_within_its_limits_for_any_input_in_float, ()) { is_finite_for_any_input<float>(); }

TEST(wing, a_level_below_acceleration_leaves_the_integrals_alone) {
  SmallAeroplane plane;
  const WingGains<double> g = gains();
  plane.memory.throttle_integral = 0.1, plane.memory.pitch_integral = 0.02;
  const WingTarget<double> t = wing_guidance(setpoint(Rates, {0, 0, 500}), plane.state(), g, plane.memory);
  EXPECT_EQ(t.roll, 0);
  EXPECT_EQ(plane.memory.throttle_integral, 0.1);
  EXPECT_EQ(plane.memory.pitch_integral, 0.02);
}

TEST(wing, near_the_ground_less_bank_is_allowed) {
  SmallAeroplane plane;
  const WingGains<double> g = gains();
  WingState<double> x = plane.state();
  WingMemory<double> m{};
  const Reference<double> hard_right = setpoint(Acceleration, {}, {}, {0, -30, 0});
  EXPECT_NEAR(wing_guidance(hard_right, x, g, m).roll, g.max_bank, 1e-12);
  x.above_ground = 0.5 * g.bank_height;
  EXPECT_NEAR(wing_guidance(hard_right, x, g, m).roll, 0.5 * g.max_bank, 1e-12);
}

}  // namespace
}  // namespace volary
