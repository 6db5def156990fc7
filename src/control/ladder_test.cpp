// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Every level of the ladder takes the vehicle where it says, flown on the full model in double.
#include "control/ladder.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "vehicles/multirotor_test_support.hpp"

namespace volary {
namespace {

using control::LadderParams;
using math::Quat;
using math::Vec3;
using test::kG;
using test::MultirotorDef;
using Deck = test::Deck<test::QuadLadder, double>;

constexpr ControllerKind kLaws[] = {ControllerKind::Cascade, ControllerKind::Geometric, ControllerKind::Rpt};
const char* name_of(ControllerKind k) { return k == ControllerKind::Cascade ? "cascade" : k == ControllerKind::Geometric ? "geometric" : "rpt"; }

// hovering 50 m up, armed, waiting for a level
Deck hovering(const MultirotorDef& d, ControllerKind kind = ControllerKind::Cascade) {
  VehicleDef start;
  start.position_W = {0, 0, 50};
  engine::FlockSetup setup;
  setup.controller.kind = kind;
  Deck deck(d, start, setup);
  deck.enter(Mode::Armed);
  deck.agent.setpoint.thrust = d.mass * kG;
  return deck;
}
void set_level(Deck& d, ControlLevel level) { d.agent.setpoint.level = static_cast<std::uint64_t>(level); }
std::vector<MultirotorDef> both() { return {test::crazyflie(), test::x500()}; }

double thrust_of(const Deck& d, const MultirotorDef& def) {
  double sum = 0;
  for (double w : d.agent.rotors.speed) sum += def.motor.thrust2 * w * w;
  return sum;
}
// angle between two attitudes
double angle(const Quat<double>& a, const Quat<double>& b) { return 2 * std::acos(std::min(1.0, std::abs(a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z))); }
Quat<double> about(double x, double y, double z, double turn) {
  return {std::cos(turn / 2), x * std::sin(turn / 2), y * std::sin(turn / 2), z * std::sin(turn / 2)};
}

// ---------------------------------------------------------------- control levels

TEST(ladder, level_motor_speeds_turns_each_rotor_at_its_speed_within_its_limits) {
  const MultirotorDef d = test::x500();
  Deck deck = hovering(d);
  set_level(deck, ControlLevel::MotorSpeeds);
  const double wanted[4] = {500, 640, 5000, 10};
  for (int i = 0; i < 4; ++i) deck.agent.setpoint.motor_speed[i] = wanted[i];
  deck.fly(1);
  EXPECT_NEAR(deck.agent.rotors.speed[0], 500, 1e-9);
  EXPECT_NEAR(deck.agent.rotors.speed[1], 640, 1e-9);
  EXPECT_NEAR(deck.agent.rotors.speed[2], d.motor.speed_max, 1e-9);
  EXPECT_NEAR(deck.agent.rotors.speed[3], d.motor.speed_min, 1e-9);
}

TEST(ladder, level_rates_reaches_the_body_rates_and_the_thrust) {
  for (const MultirotorDef& d : both()) {
    Deck deck = hovering(d);
    set_level(deck, ControlLevel::Rates);
    deck.agent.setpoint.rate_B = {0.6, -0.4, 0.5};
    deck.agent.setpoint.thrust = 1.1 * d.mass * kG;
    deck.fly(1.5);
    EXPECT_NEAR(deck.agent.body.omega_B.x, 0.6, 0.03) << d.name;
    EXPECT_NEAR(deck.agent.body.omega_B.y, -0.4, 0.03) << d.name;
    EXPECT_NEAR(deck.agent.body.omega_B.z, 0.5, 0.03) << d.name;
    EXPECT_NEAR(thrust_of(deck, d), 1.1 * d.mass * kG, 0.01 * d.mass * kG) << d.name;
  }
}

TEST(ladder, level_attitude_reaches_the_attitude_and_the_thrust) {
  for (ControllerKind law : kLaws) {
    for (const MultirotorDef& d : both()) {
      Deck deck = hovering(d, law);
      set_level(deck, ControlLevel::Attitude);
      deck.agent.setpoint.q_WB = about(0, 0, 1, 0.8) * about(1, 0, 0, 0.3);
      deck.agent.setpoint.thrust = 1.05 * d.mass * kG;
      deck.fly(3);
      EXPECT_LT(angle(deck.agent.body.q_WB, deck.agent.setpoint.q_WB), 0.02) << d.name << " " << name_of(law);
      EXPECT_NEAR(thrust_of(deck, d), 1.05 * d.mass * kG, 0.01 * d.mass * kG) << d.name << " " << name_of(law);
    }
  }
}

TEST(ladder, level_acceleration_gives_the_acceleration) {
  for (ControllerKind law : kLaws) {
    for (const MultirotorDef& airy : both()) {
      const MultirotorDef d = test::in_vacuum(airy);
      Deck deck = hovering(d, law);
      set_level(deck, ControlLevel::Acceleration);
      deck.agent.setpoint.acceleration_W = {1.5, -1, 0.7};
      deck.fly(2);
      const Vec3<double> before = deck.agent.body.velocity_W;
      deck.fly(0.5);
      const Vec3<double> a = 2.0 * (deck.agent.body.velocity_W - before);
      EXPECT_NEAR(a.x, 1.5, 0.05) << d.name << " " << name_of(law);
      EXPECT_NEAR(a.y, -1, 0.05) << d.name << " " << name_of(law);
      EXPECT_NEAR(a.z, 0.7, 0.05) << d.name << " " << name_of(law);
    }
  }
}

// in vacuum, because only the cascade has an integral that takes out drag at this level
TEST(ladder, level_velocity_reaches_the_velocity) {
  for (ControllerKind law : kLaws) {
    for (const MultirotorDef& airy : both()) {
      const MultirotorDef d = law == ControllerKind::Cascade ? airy : test::in_vacuum(airy);
      Deck deck = hovering(d, law);
      set_level(deck, ControlLevel::Velocity);
      deck.agent.setpoint.velocity_W = {1, -0.5, 0.3};
      deck.agent.setpoint.yaw = -0.7;
      deck.fly(12);
      const Vec3<double> v = deck.agent.body.velocity_W;
      EXPECT_NEAR(v.x, 1, 0.02) << d.name << " " << name_of(law);
      EXPECT_NEAR(v.y, -0.5, 0.02) << d.name << " " << name_of(law);
      EXPECT_NEAR(v.z, 0.3, 0.02) << d.name << " " << name_of(law);
    }
  }
}

TEST(ladder, level_position_reaches_the_position_and_the_yaw_and_stays) {
  for (ControllerKind law : kLaws) {
    for (const MultirotorDef& d : both()) {
      Deck deck = hovering(d, law);
      set_level(deck, ControlLevel::Position);
      deck.agent.setpoint.position_W = vehicles::to_position<double>({3, -2, 51});
      deck.agent.setpoint.yaw = 1.2;
      deck.fly(25);
      for (int k = 0; k < 200; ++k) {
        deck.tick();
        ASSERT_LT(test::distance(test::where(deck.agent.body), {3, -2, 51}), 0.01) << d.name << " " << name_of(law);
      }
      EXPECT_LT(angle(deck.agent.body.q_WB, about(0, 0, 1, 1.2)), 0.01) << d.name << " " << name_of(law);
    }
  }
}

// the largest horizontal distance from the reference, once the curve is flown at full speed (no law models the
// thrust that fast forward flight costs, so height sags with all of them)
double farthest_off(const MultirotorDef& d, const ControllerDef& c, const Vec& amplitude, double rate) {
  VehicleDef start;
  start.position_W = {0, amplitude[1], 5};
  start.centre_W = {0, 0, 5};
  start.harmonic.amplitude = amplitude;
  start.harmonic.rate = {rate, rate, 0};
  start.harmonic.phase = {0, 1.5707963267948966, 0};
  engine::FlockSetup setup;
  setup.controller = c;
  Deck deck(d, start, setup);
  deck.enter(Mode::Mission);
  double farthest = 0;
  for (int k = 0; k < 4000; ++k) {
    const auto is = test::where(deck.agent.body);  // a setpoint belongs to the start of its tick
    deck.tick();
    const auto wanted = test::where(deck.agent.setpoint.position_W);
    if (k > 1000) farthest = std::max(farthest, std::hypot(is[0] - wanted[0], is[1] - wanted[1]));
  }
  return farthest;
}

TEST(ladder, level_trajectory_follows_a_circle_of_a_metre_at_a_metre_per_second) {
  for (ControllerKind law : kLaws) {
    for (const MultirotorDef& d : both()) {
      ControllerDef c;
      c.kind = law;
      // the geometric law has neither an integral nor a drag model: it is off by drag over its stiffness
      EXPECT_LT(farthest_off(d, c, {1, 1, 0}, 1), law == ControllerKind::Geometric ? 0.25 : 0.12) << d.name << " " << name_of(law);
    }
  }
}

// to and fro over 60 m at 6 m/s: drag is what disturbs
TEST(ladder, drag_compensation_makes_tracking_better_where_drag_is_what_disturbs) {
  ControllerDef with, without;
  with.kind = without.kind = ControllerKind::Rpt;
  without.rpt_drag_compensation = false;
  for (const MultirotorDef& d : both()) EXPECT_GT(farthest_off(d, without, {30, 0, 0}, 0.2), 2 * farthest_off(d, with, {30, 0, 0}, 0.2)) << d.name;
}

TEST(ladder, jerk_makes_tracking_better_where_lag_is_what_disturbs) {
  ControllerDef with, without;
  with.kind = without.kind = ControllerKind::Rpt;
  without.use_jerk = false;
  const MultirotorDef d = test::in_vacuum(test::x500());
  EXPECT_GT(farthest_off(d, without, {1, 1, 0}, 2), 1.5 * farthest_off(d, with, {1, 1, 0}, 2));
}

// level at constant speed: the drag that the reference is believed to meet is the drag that the model makes
TEST(ladder, believed_drag_is_the_drag_of_the_model) {
  engine::FlockSetup setup;
  setup.controller.kind = ControllerKind::Rpt;
  for (const MultirotorDef& d : both()) {
    const auto p = vehicles::Multirotor::derive<test::QuadLadder>(d, setup).value();
    vehicles::RigidBody<double> b = test::body_at<double>(0, 0, 50);
    b.velocity_W = {4, 0, 0};
    const auto hover = test::all_at<double, 4>(std::sqrt(d.mass * kG / (4 * d.motor.thrust2)));
    const auto loads = vehicles::rotor_loads<test::QuadLadder::V>(hover, vehicles::Rotors<double, 4>{}, p.rotor);
    const double met = vehicles::derivative_full<test::QuadLadder::V>(vehicles::begin_motion(b), loads, test::still_air<double>(), p).velocity_W.x;
    control::Setpoint<double, 4> sp{};
    sp.velocity_W = {4, 0, 0};
    EXPECT_LT(met, 0);
    EXPECT_NEAR(control::reference_drag(sp, p.ladder).acceleration_W.x, met, 1e-9 * std::abs(met)) << d.name;
  }
}

TEST(ladder, rotors_of_a_disarmed_or_stopped_vehicle_run_down) {
  for (Mode mode : {Mode::Disarmed, Mode::EmergencyStop}) {
    Deck deck = hovering(test::x500());
    deck.enter(mode);
    deck.fly(1);
    for (double w : deck.agent.rotors.speed) EXPECT_LT(w, 1e-9);
    EXPECT_LT(deck.agent.body.velocity_W.z, -5);
  }
}

// ---------------------------------------------------------------- pieces

TEST(ladder, attitude_error_turns_the_short_way_round) {
  const Quat<double> level = {1, 0, 0, 0};
  for (double turn : {0.1, 1.0, 3.0}) {
    const Quat<double> q = about(0, 0, 1, turn), minus = {-q.w, -q.x, -q.y, -q.z};
    EXPECT_NEAR(control::attitude_error(level, q).z, 2 * std::sin(turn / 2), 1e-12);
    EXPECT_NEAR(control::attitude_error(level, minus).z, 2 * std::sin(turn / 2), 1e-12) << "q and -q are one attitude";
  }
  EXPECT_LT(control::attitude_error(level, about(0, 0, 1, 2 * 3.14159265358979 - 0.3)).z, 0);  // 343 degrees left are 17 degrees right
  EXPECT_GT(control::attitude_error(about(0, 0, 1, -3.0), about(0, 0, 1, -2.0)).z, 0);
  // in the frame of the body, not of the world
  const Quat<double> half_turned = about(0, 0, 1, 3.14159265358979);
  EXPECT_LT(control::attitude_error(half_turned, about(1, 0, 0, 0.2) * half_turned).x, 0);
}

TEST(ladder, a_vehicle_told_to_turn_by_350_degrees_turns_back_by_10) {
  Deck deck = hovering(test::x500());
  set_level(deck, ControlLevel::Position);
  deck.agent.setpoint.position_W = deck.agent.body.position_W;
  deck.agent.setpoint.yaw = 350 * 3.14159265358979 / 180;
  double turned = 0;
  for (int k = 0; k < 500; ++k) {
    deck.tick();
    turned += 0.01 * deck.agent.body.omega_B.z;
  }
  EXPECT_NEAR(turned, -10 * 3.14159265358979 / 180, 0.01);
}

// s^3 + F_V s^2 + F_P s + F_I has its roots where the design puts them (Gestelt, below eq. 5)
TEST(ladder, gains_of_robust_perfect_tracking_put_the_poles_where_the_design_says) {
  ControllerDef c;
  c.kind = ControllerKind::Rpt;
  c.rpt_frequency = {1.3, 2.1};
  c.rpt_damping = {0.8, 0.9};
  c.rpt_pole = {0.4, 0.7};
  c.rpt_epsilon = {0.5, 0.8};
  engine::FlockSetup setup;
  setup.controller = c;
  const LadderParams<double> p = vehicles::Multirotor::derive<test::QuadLadder>(test::x500(), setup).value().ladder;
  const Vec3<double> gains[2] = {{p.position_p.x, p.velocity_p.x, p.velocity_i.x}, {p.position_p.z, p.velocity_p.z, p.velocity_i.z}};
  for (std::size_t k = 0; k < 2; ++k) {
    const double w = c.rpt_frequency[k], z = c.rpt_damping[k], pole = c.rpt_pole[k], e = c.rpt_epsilon[k];
    // (s + pole/e) (s^2 + 2 z w/e s + (w/e)^2), multiplied out
    EXPECT_NEAR(gains[k].y, pole / e + 2 * z * w / e, 1e-12);
    EXPECT_NEAR(gains[k].x, (w / e) * (w / e) + (pole / e) * (2 * z * w / e), 1e-12);
    EXPECT_NEAR(gains[k].z, (pole / e) * (w / e) * (w / e), 1e-12);
    const double s = -pole / e;
    EXPECT_NEAR(((s + gains[k].y) * s + gains[k].x) * s + gains[k].z, 0, 1e-12);
  }
  EXPECT_EQ(p.position_p.x, p.position_p.y);
}

// a point mass under the law itself, without a vehicle: the error decays as the slowest pole says
TEST(ladder, robust_perfect_tracking_takes_out_a_constant_push) {
  ControllerDef c;
  c.kind = ControllerKind::Rpt;
  engine::FlockSetup setup;
  setup.controller = c;
  const LadderParams<double> p = vehicles::Multirotor::derive<test::QuadLadder>(test::x500(), setup).value().ladder;
  control::Setpoint<double, 4> sp{};
  control::LadderMemory<double> memory{};
  Vec3<double> x = {0.5, -0.2, 0.3}, v = {0, 0, 0};
  for (int k = 0; k < 6000; ++k) {
    const Vec3<double> a = control::rpt_acceleration(-x, v, sp, p, memory) + Vec3<double>{0.7, 0, -0.9};
    v = v + p.tick * a;
    x = x + p.tick * v;
  }
  EXPECT_LT(math::norm(x), 1e-6);
  EXPECT_NEAR(memory.integral_W.x, -0.7, 1e-6);
  EXPECT_NEAR(memory.integral_W.z, 0.9, 1e-6);
}

TEST(ladder, integral_stops_at_its_limit) {
  const LadderParams<double> p = vehicles::Multirotor::derive<test::QuadLadder>(test::x500(), {}).value().ladder;
  control::Setpoint<double, 4> sp{};
  control::LadderMemory<double> memory{};
  for (int k = 0; k < 100000; ++k) control::cascade_acceleration(Vec3<double>{100, -100, 100}, Vec3<double>{0, 0, 0}, sp, p, memory);
  EXPECT_EQ(memory.integral_W.x, p.integral_limit.x);
  EXPECT_EQ(memory.integral_W.y, -p.integral_limit.y);
  EXPECT_EQ(memory.integral_W.z, p.integral_limit.z);
}

TEST(ladder, limited_force_keeps_the_tilt_limit_the_thrust_limit_and_the_height) {
  LadderParams<double> p{};
  p.thrust_min = 1, p.thrust_max = 30, p.tan_max_tilt = std::tan(0.6);
  std::mt19937 g(5);
  std::normal_distribution<double> n(0, 25);
  for (int k = 0; k < 20000; ++k) {
    const Vec3<double> f = {n(g), n(g), n(g)}, out = control::limit_force(f, p);
    ASSERT_GE(out.z, p.thrust_min);
    ASSERT_LE(math::norm(out), p.thrust_max * (1 + 1e-12));
    ASSERT_LE(std::hypot(out.x, out.y), out.z * p.tan_max_tilt * (1 + 1e-12));
    ASSERT_NEAR(out.x * f.y - out.y * f.x, 0, 1e-9);  // not turned
    ASSERT_GE(out.x * f.x + out.y * f.y, 0);
    ASSERT_EQ(out.z, std::clamp(f.z, p.thrust_min, p.thrust_max));  // height before sideways
    if (f.z > p.thrust_min && math::norm(f) < p.thrust_max && std::hypot(f.x, f.y) < f.z * p.tan_max_tilt) {
      ASSERT_EQ(math::norm(out - f), 0);
    }
  }
}

TEST(ladder, a_vehicle_asked_for_too_much_keeps_its_tilt_limit) {
  for (const MultirotorDef& d : both()) {
    Deck deck = hovering(d);
    set_level(deck, ControlLevel::Acceleration);
    deck.agent.setpoint.acceleration_W = {50, 0, 0};
    deck.fly(3);
    const double tilt = std::acos(math::body_z_W(deck.agent.body.q_WB).z);
    EXPECT_NEAR(tilt, std::atan(deck.p.ladder.tan_max_tilt), 0.03) << d.name;
  }
}

TEST(ladder, velocity_is_limited_across_as_a_vector_and_up_by_itself) {
  LadderParams<double> p{};
  p.max_speed = 5, p.max_climb = 2;
  const Vec3<double> v = control::limit_velocity(Vec3<double>{6, 8, -9}, p), slow = control::limit_velocity(Vec3<double>{3, -1, 1}, p);
  EXPECT_NEAR(v.x, 3, 1e-12);
  EXPECT_NEAR(v.y, 4, 1e-12);
  EXPECT_EQ(v.z, -2);
  EXPECT_EQ(slow.x, 3);
  EXPECT_EQ(slow.z, 1);
}

// the target attitude along a curve, differentiated by hand, against the rates that come from the jerk
TEST(ladder, rates_fed_forward_from_the_jerk_are_those_of_the_turning_target) {
  LadderParams<double> p = vehicles::Multirotor::derive<test::QuadLadder>(test::x500(), {}).value().ladder;
  const auto acceleration = [](double t) { return Vec3<double>{2 * std::sin(1.3 * t), 1.5 * std::cos(0.9 * t), 0.5 * std::sin(t)}; };
  const auto jerk = [](double t) { return Vec3<double>{2.6 * std::cos(1.3 * t), -1.35 * std::sin(0.9 * t), 0.5 * std::cos(t)}; };
  const Quat<double> level = {1, 0, 0, 0};
  const double h = 1e-5;
  for (double t : {0.1, 0.7, 1.9, 3.2}) {
    const auto now = control::attitude_for(acceleration(t), jerk(t), 0.4, 0.0, level, p);
    const auto back = control::attitude_for(acceleration(t - h), jerk(t), 0.4, 0.0, level, p);
    const auto ahead = control::attitude_for(acceleration(t + h), jerk(t), 0.4, 0.0, level, p);
    const Vec3<double> turned = (1 / (2 * h)) * control::attitude_error(back.q_WB, ahead.q_WB);
    EXPECT_NEAR(now.rate_B.x, turned.x, 1e-4) << t;
    EXPECT_NEAR(now.rate_B.y, turned.y, 1e-4) << t;
  }
  p.jerk_on = 0;
  EXPECT_EQ(control::attitude_for(acceleration(1), jerk(1), 0.4, 0.0, level, p).rate_B.x, 0);
}

TEST(ladder, target_attitude_points_body_z_along_the_force_and_the_nose_along_the_yaw) {
  const LadderParams<double> p = vehicles::Multirotor::derive<test::QuadLadder>(test::x500(), {}).value().ladder;
  for (double yaw : {-2.5, 0.0, 0.9, 3.0}) {
    const auto t = control::attitude_for(Vec3<double>{1, -2, 0.5}, Vec3<double>{0, 0, 0}, yaw, 0.0, Quat<double>{1, 0, 0, 0}, p);
    const math::Mat3<double> R = math::rotation_matrix(t.q_WB);
    const double size = std::sqrt(1 + 4 + (kG + 0.5) * (kG + 0.5));
    EXPECT_NEAR(R.row0.z, 1 / size, 1e-12);
    EXPECT_NEAR(R.row1.z, -2 / size, 1e-12);
    EXPECT_NEAR(R.row0.y * std::cos(yaw) + R.row1.y * std::sin(yaw), 0, 1e-12);  // the wings lie across the heading
    EXPECT_GT(R.row0.x * std::cos(yaw) + R.row1.x * std::sin(yaw), 0.9);
  }
}

}  // namespace
}  // namespace volary
