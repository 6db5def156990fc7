// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A point mass with rotors that lift, a pusher, and a wing whose lift grows with the square of the airspeed goes from hover to cruise and back.
#include "control/vtol.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "control/wing_test_support.hpp"

namespace volary {
namespace {

using control::Reference;
using control::VtolGains;
using control::VtolTarget;
using math::Vec3;
using test::small_airframe;
using test::WingGains;
using test::WingState;

enum { Acceleration = 3, Velocity, Position, Trajectory };
constexpr double kG = 9.80665, kMass = 5;

WingGains<double> wing_gains() { return control::wing_gains_from(small_airframe()); }  // stall 11, cruise 20 m/s
VtolGains<double> vtol_gains() { return {9, 15, 1.2, 0.03, 0.08, 0.2, 0.3 * kMass * kG, 2}; }
control::LadderParams<double> ladder() {
  control::LadderParams<double> p{};
  p.mass = kMass, p.gravity = kG, p.tick = 0.01;
  p.position_p = {0.6, 0.6, 1}, p.velocity_p = {1.5, 1.5, 3}, p.velocity_i = {0.3, 0.3, 1}, p.integral_limit = {2, 2, 3};
  p.attitude_p = {4, 4, 2}, p.max_speed = 25, p.max_climb = 3, p.tan_max_tilt = 0.4, p.max_rate = 2, p.thrust_min = 0.05 * kMass * kG,
  p.thrust_max = 1.6 * kMass * kG;
  return p;
}

struct Quadplane {
  WingGains<double> g = wing_gains();
  VtolGains<double> v = vtol_gains();
  Vec3<double> wind_W{0, 0, 0};
  Vec3<double> position{0, 0, 50}, velocity{0, 0, 0};
  double roll = 0, pitch = 0.03, heading = 0, lift_thrust = kMass * kG, push = 0;
  control::WingMemory<double> wing{};
  control::LadderMemory<double> ladder_memory{};

  WingState<double> state() const {
    WingState<double> x{};
    x.roll = roll, x.pitch = pitch, x.heading = heading, x.density = 1.225;
    x.velocity_W = velocity, x.air_W = velocity - wind_W, x.airspeed = math::norm(x.air_W);
    x.position_W = {position, {0, 0, 0}}, x.above_ground = position.z;
    return x;
  }

  VtolTarget<double> tick(const Reference<double>& sp) {
    const VtolTarget<double> t = control::vtol_guidance(sp, state(), g, v, ladder(), wing, ladder_memory);
    for (int k = 0; k < 4; ++k) move(t, 0.0025);
    return t;
  }
  // attitude follows with a lag, whoever turns it; the nose of a fast one goes with the airflow
  void move(const VtolTarget<double>& t, double dt) {
    const math::Quat<double>& q = t.hover.q_WB;
    const double target = std::atan2(2 * (q.w * q.z + q.x * q.y), 1 - 2 * (q.y * q.y + q.z * q.z));
    roll += dt / 0.3 * (t.wing.roll - roll), pitch += dt / 0.3 * (t.wing.pitch - pitch);
    const Vec3<double> air = velocity - wind_W;
    const double along = std::remainder(std::atan2(air.y, air.x) - heading, 2 * M_PI), to = std::remainder(target - heading, 2 * M_PI);
    heading = std::remainder(heading + dt * ((1 - t.weight) * std::fmax(std::fmin(to / 0.8, 0.8), -0.8) + t.weight * along / 0.5), 2 * M_PI);
    lift_thrust += dt / 0.08 * (t.hover.thrust - lift_thrust);
    push += dt / 0.2 * (t.wing.throttle * v.push_max - push);

    const math::Quat<double> attitude = control::attitude_from(roll, pitch, heading);
    const math::Mat3<double> R = math::rotation_matrix(attitude);
    const Vec3<double> air_B = math::transpose_times(R, air);
    const Vec3<double> force = R * (Vec3<double>{push, 0, lift_thrust} + aerodynamics(air_B));
    velocity = velocity + dt * ((1 / kMass) * force - Vec3<double>{0, 0, kG});
    position = position + dt * velocity;
  }
  // lift, drag and side force in body axes; the airframe's figures, flat-plate like beyond 15 degrees
  Vec3<double> aerodynamics(const Vec3<double>& air_B) const {
    const control::WingAirframe a = small_airframe();
    const double speed = std::hypot(air_B.x, air_B.z), q = speed * speed / (a.cruise_airspeed * a.cruise_airspeed);
    if (speed < 0.1) return {0, 0, 0};
    const double alpha = std::atan2(-air_B.z, air_B.x);
    const double cl = std::abs(alpha) < 0.26 ? (alpha - a.zero_lift_angle) / (a.cruise_angle - a.zero_lift_angle) : 2.5 * std::sin(2 * alpha);
    const double lift = kMass * kG * q * std::fmin(std::fmax(cl, -2), 3.1), drag = 0.1 * kMass * kG * q * (0.8 + 0.2 * cl * cl);
    const double c = air_B.x / speed, s = -air_B.z / speed;
    return {-drag * c + lift * s, -0.3 * air_B.y * std::abs(air_B.y), lift * c + drag * s};
  }
};
Reference<double> setpoint(int level, Vec3<double> position, Vec3<double> velocity = {0, 0, 0}) {
  Reference<double> sp{};
  sp.level = static_cast<std::uint64_t>(level), sp.position_W = {position, {0, 0, 0}}, sp.velocity_W = velocity;
  return sp;
}

// lowest and highest while it flies under a setpoint
struct Heights {
  double low = 1e9, high = -1e9, fastest = 0;
};
template <class Sp> Heights fly(Quadplane& plane, double seconds, Sp sp) {
  Heights h;
  for (int k = 0; k < static_cast<int>(seconds * 100 + 0.5); ++k) {
    plane.tick(sp(plane));
    h.low = std::fmin(h.low, plane.position.z), h.high = std::fmax(h.high, plane.position.z), h.fastest = std::fmax(h.fastest, plane.state().airspeed);
  }
  return h;
}
const Vec3<double> kWinds[] = {{0, 0, 0}, {-8, 0, 0}, {8, 0, 0}, {0, 8, 0}, {5, -6, 0}};

TEST(vtol, the_weight_of_the_wings_goes_smoothly_from_none_to_all) {
  const VtolGains<double> v = vtol_gains();
  EXPECT_EQ(control::vtol_weight(0.0, v), 0);
  EXPECT_EQ(control::vtol_weight(v.blend_from, v), 0);
  EXPECT_NEAR(control::vtol_weight(12.0, v), 0.5, 1e-12);
  EXPECT_EQ(control::vtol_weight(v.blend_to, v), 1);
  EXPECT_EQ(control::vtol_weight(99.0, v), 1);
  EXPECT_LT(control::vtol_weight(9.01, v), 1e-4);  // no kink
}

TEST(vtol, an_attitude_is_what_its_angles_say) {
  const math::Quat<double> q = control::attitude_from(0.3, -0.2, 1.1);
  EXPECT_NEAR(control::roll_of(q), 0.3, 1e-12);
  EXPECT_NEAR(control::pitch_of(q), -0.2, 1e-12);
  // nose down, heading 1.1: the nose points there and below the horizon
  const Vec3<double> nose = math::rotation_matrix(q) * Vec3<double>{1, 0, 0};
  EXPECT_NEAR(std::atan2(nose.y, nose.x), 1.1, 1e-12);
  EXPECT_NEAR(nose.z, std::sin(-0.2), 1e-12);
  // rolled to the right: the left wing is up
  EXPECT_GT((math::rotation_matrix(q) * Vec3<double>{0, 1, 0}).z, 0);
}

TEST(vtol, goes_to_a_far_place_on_wings_and_hovers_there_losing_less_than_3_m) {
  for (const Vec3<double>& wind : kWinds) {
    Quadplane plane;
    plane.wind_W = wind;
    fly(plane, 15, [](const Quadplane&) { return setpoint(Position, {0, 0, 50}); });
    ASSERT_NEAR(plane.position.z, 50, 0.3);
    ASSERT_LT(std::hypot(plane.position.x, plane.position.y), 1);
    const Heights h = fly(plane, 400, [](const Quadplane&) { return setpoint(Position, {2000, 400, 50}); });
    EXPECT_GT(h.low, 47) << wind.x << " " << wind.y;
    EXPECT_LT(h.high, 55) << wind.x << " " << wind.y;
    EXPECT_GT(h.fastest, 18);
    EXPECT_LT(std::hypot(plane.position.x - 2000, plane.position.y - 400), 1) << wind.x << " " << wind.y;
    EXPECT_NEAR(plane.position.z, 50, 0.3);
  }
}

TEST(vtol, a_near_place_is_hovered_to) {
  Quadplane plane;
  const Heights h = fly(plane, 60, [](const Quadplane&) { return setpoint(Position, {60, -30, 52}); });
  EXPECT_LT(h.fastest, vtol_gains().blend_from);
  EXPECT_LT(math::norm(plane.position - Vec3<double>{60, -30, 52}), 0.3);
}

TEST(vtol, level_velocity_takes_it_to_wings_and_back) {
  for (const Vec3<double>& wind : {Vec3<double>{0, 0, 0}, {-4, 4, 0}}) {
    Quadplane plane;
    plane.wind_W = wind;
    const Heights there = fly(plane, 60, [](const Quadplane&) { return setpoint(Velocity, {}, {14, 14, 0}); });
    EXPECT_GT(there.low, 47);
    EXPECT_NEAR(std::atan2(plane.velocity.y, plane.velocity.x), M_PI / 4, 0.02);
    EXPECT_NEAR(plane.state().airspeed, 19.8, 0.5);
    EXPECT_EQ(plane.lift_thrust < 0.5, true);  // the rotors rest
    const Heights back = fly(plane, 60, [](const Quadplane&) { return setpoint(Velocity, {}, {0, 0, 0}); });
    EXPECT_GT(back.low, there.low - 3);
    EXPECT_LT(math::norm(plane.velocity), 0.3);
  }
}

TEST(vtol, follows_a_path_from_hover_to_wings) {
  Quadplane plane;
  plane.wind_W = {0, 6, 0};
  const auto east = [](const Quadplane& p) { return setpoint(Trajectory, {p.position.x, 0, 50}, {20, 0, 0}); };
  fly(plane, 20, [](const Quadplane&) { return setpoint(Position, {0, 0, 50}); });
  const Heights h = fly(plane, 30, east);
  EXPECT_GT(h.low, 47);
  fly(plane, 30, east);
  EXPECT_LT(std::abs(plane.position.y), 1);
  EXPECT_NEAR(plane.state().airspeed, 20, 0.5);
}

// the wind comes from behind: it turns round once, by one side, and stays where it was told to
TEST(vtol, with_the_wind_from_behind_it_turns_round_once) {
  Quadplane q;
  q.wind_W = {5, 0.3, 0};
  Reference<double> sp{};
  sp.level = Position, sp.position_W.value = {0, 0, 50};
  double turned = 0, farthest = 0;
  for (int k = 0; k < 6000; ++k) {
    const double before = q.heading;
    q.tick(sp);
    turned += std::abs(std::remainder(q.heading - before, 2 * M_PI));
    farthest = std::max(farthest, math::norm(q.position - Vec3<double>{0, 0, 50}));
  }
  EXPECT_LT(turned, 1.4 * M_PI);
  EXPECT_LT(std::cos(q.heading), -0.9);
  EXPECT_LT(farthest, 25);
  EXPECT_LT(math::norm(q.position - Vec3<double>{0, 0, 50}), 1);
}

TEST(vtol, a_hovering_aircraft_turns_into_the_wind_and_leans_little) {
  Quadplane plane;
  plane.wind_W = {3, 6, 0};
  fly(plane, 40, [](const Quadplane&) { return setpoint(Position, {0, 0, 50}); });
  EXPECT_NEAR(std::remainder(plane.heading - std::atan2(-6, -3), 2 * M_PI), 0, 0.05);
  EXPECT_LT(std::hypot(plane.position.x, plane.position.y), 0.5);
  EXPECT_GE(plane.pitch, vtol_gains().level_pitch - vtol_gains().lean_forward - 1e-6);
  Quadplane calm;
  calm.heading = 1;
  Reference<double> sp = setpoint(Position, {0, 0, 50});
  sp.yaw = 2;
  fly(calm, 20, [&](const Quadplane&) { return sp; });
  EXPECT_NEAR(calm.heading, 2, 0.01);
}

// Gusts give it the airspeed of wings while it stands over the ground: 11 m/s of wind, 7 to 15 in gusts, from changing sides.
TEST(vtol, a_hovering_aircraft_stays_at_its_place_in_gusts_in_which_wings_would_fly) {
  Quadplane plane;
  plane.wind_W = {-11, 0, 0};
  const auto here = [](const Quadplane&) { return setpoint(Position, {0, 0, 50}); };
  fly(plane, 30, here);
  double farthest = 0, lowest = 50;
  for (int k = 0; k < 120 * 100; ++k) {
    const double t = 0.01 * k;
    plane.wind_W = {-11 - 4 * std::sin(0.5 * t), 2.5 * std::sin(0.31 * t), 1.2 * std::sin(0.8 * t)};
    plane.tick(here(plane));
    farthest = std::fmax(farthest, std::hypot(plane.position.x, plane.position.y)), lowest = std::fmin(lowest, plane.position.z);
  }
  EXPECT_LT(farthest, 6);
  EXPECT_GT(lowest, 48);
}

// fast through the air but not along its nose: rotors must not stop
TEST(vtol, one_that_falls_or_slides_does_not_fly_on_its_wings) {
  Quadplane plane;
  for (const Vec3<double>& air : {Vec3<double>{5, 0, -18}, {0, 18, 0}, {-18, 0, 0}}) {
    plane.velocity = air;
    control::WingMemory<double> wing{};
    control::LadderMemory<double> memory{};
    const VtolTarget<double> t = control::vtol_guidance(setpoint(Position, {0, 0, 50}), plane.state(), plane.g, plane.v, ladder(), wing, memory);
    EXPECT_EQ(t.weight, 0) << air.x << " " << air.y << " " << air.z;
    EXPECT_GT(t.hover.thrust, 0.3 * kMass * kG);
  }
}

template <class S> void stays_finite() {
  const auto number = [](double size) { return static_cast<S>(*rc::gen::inRange(-1000000, 1000001) * 1e-6 * size); };
  const auto vector = [&](double size) { return Vec3<S>{number(size), number(size), number(size)}; };
  const auto rounded = [](const auto& exact, auto& to) {
    const double* from = reinterpret_cast<const double*>(&exact);
    S* out = reinterpret_cast<S*>(&to);
    for (std::size_t k = 0; k < sizeof exact / sizeof(double); ++k) out[k] = static_cast<S>(from[k]);
  };
  WingGains<S> g;
  VtolGains<S> v;
  control::LadderParams<S> p;
  rounded(wing_gains(), g), rounded(vtol_gains(), v), rounded(ladder(), p);
  WingState<S> x{
      number(3.1416), number(1.5708), number(3.1416), number(5), number(5), number(5), 0, S(1.2), vector(60), vector(60), {vector(1e4), vector(1e-3)},
      number(100)};
  if (*rc::gen::inRange(0, 3) == 0) x.air_W = x.velocity_W = {0, 0, 0};
  x.airspeed = math::norm(x.air_W);
  Reference<S> sp{};
  sp.level = static_cast<math::Bits<S>>(*rc::gen::inRange(0, 8));
  sp.position_W = {vector(1e5), {0, 0, 0}}, sp.velocity_W = vector(40), sp.acceleration_W = vector(20), sp.yaw = number(3);
  control::WingMemory<S> m{};
  control::LadderMemory<S> l{};
  const VtolTarget<S> t = control::vtol_guidance(sp, x, g, v, p, m, l);
  RC_ASSERT(t.weight >= 0 && t.weight <= 1);
  RC_ASSERT(t.wing.throttle >= 0 && t.wing.throttle <= 1);
  RC_ASSERT(t.hover.thrust >= 0 && t.hover.thrust <= p.thrust_max);
  for (const S part : {t.wing.roll, t.wing.pitch, t.hover.q_WB.w, t.hover.q_WB.x, t.hover.q_WB.y, t.hover.q_WB.z}) RC_ASSERT(std::isfinite(part));
  RC_ASSERT(t.wing.pitch <= v.level_pitch + std::max(v.lean_back, g.pitch_max));
}
RC_GTEST_PROP(vtol, is_finite_for_any_input_in_double, ()) { stays_finite<double>(); }
RC_GTEST_PROP(vtol, is_finite_for_any_input_in_float, ()) { stays_finite<float>(); }

}  // namespace
}  // namespace volary
