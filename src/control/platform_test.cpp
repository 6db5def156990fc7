// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Control of a platform against what its equations promise (IAP eqs. 9 to 21), on the rigid composite body that they assume.
#include "control/platform.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include "vehicles/platform_test_support.hpp"

namespace volary {
namespace {

using control::Orientation;
using control::PlatformGains;
using control::PlatformInertia;
using control::PlatformState;
using control::PoseError;
using control::PoseTarget;
using control::Screw;
using control::ThrustAllocation;
using control::ThrustLimit;
using control::ThrustVectors;
using math::Mat3;
using math::Quat;
using math::Vec3;
using test::kG;
using test::PlatformDef;

constexpr double kPi = 3.14159265358979323846;
const Vec3<double> kGravity = {0, 0, -kG};

double size(const Screw<double>& s) { return std::sqrt(dot(s, s)); }
Vec3<double> random_vector(std::mt19937& g, double spread) {
  std::normal_distribution<double> n(0, spread);
  return {n(g), n(g), n(g)};
}
Screw<double> random_screw(std::mt19937& g, double spread) { return {random_vector(g, spread), random_vector(g, spread)}; }
Quat<double> random_attitude(std::mt19937& g) {
  std::normal_distribution<double> n;
  return math::normalize(Quat<double>{n(g), n(g), n(g), n(g)});
}
Mat3<double> about(const Vec3<double>& axis, double turn) {
  const double s = std::sin(turn / 2) / math::norm(axis);
  return math::rotation_matrix(Quat<double>{std::cos(turn / 2), s * axis.x, s * axis.y, s * axis.z});
}
Vec3<double> column(const Mat3<double>& m, int k) {
  return k == 0 ? Vec3<double>{m.row0.x, m.row1.x, m.row2.x} : k == 1 ? Vec3<double>{m.row0.y, m.row1.y, m.row2.y} : math::column_z(m);
}
Mat3<double> times(const Mat3<double>& a, const Mat3<double>& b) {
  const Vec3<double> x = a * column(b, 0), y = a * column(b, 1), z = a * column(b, 2);
  return {{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}};
}

// M^-1 by conjugate gradients, which need six steps and no matrix; once more for the rounding
Screw<double> accelerate(const PlatformInertia<double>& m, const Screw<double>& momentum_rate) {
  Screw<double> x = control::zero_screw<double>();
  for (int round = 0; round < 2; ++round) {
    Screw<double> r = momentum_rate - control::times_inertia(m, x), d = r;
    for (int k = 0; k < 6 && dot(r, r) > 1e-32; ++k) {
      const Screw<double> md = control::times_inertia(m, d);
      const double a = dot(r, r) / dot(d, md), was = dot(r, r);
      x = x + a * d, r = r - a * md;
      d = r + (dot(r, r) / was) * d;
    }
  }
  return x;
}

// the composite body under a wrench about its origin, in body axes
struct Body {
  Vec3<double> position{}, velocity{};  // world
  Quat<double> q = {1, 0, 0, 0};
  Vec3<double> omega{};
};
Body add(double s, const Body& r, const Body& x) {
  return {math::fma(s, r.position, x.position),
          math::fma(s, r.velocity, x.velocity),
          {x.q.w + s * r.q.w, x.q.x + s * r.q.x, x.q.y + s * r.q.y, x.q.z + s * r.q.z},
          math::fma(s, r.omega, x.omega)};
}
Body rate_of(const Body& x, const PlatformInertia<double>& m, const Screw<double>& wrench) {
  const Mat3<double> R = math::rotation_matrix(x.q);
  const Screw<double> twist = {math::transpose_times(R, x.velocity), x.omega};
  const Vec3<double> weight = m.mass * math::transpose_times(R, kGravity);
  const Screw<double> gravity = {weight, math::cross(m.centre_B, weight)};
  const Screw<double> a = accelerate(m, (wrench + gravity) - control::times_coriolis(m, x.omega, twist));
  return {x.velocity, R * (a.linear + math::cross(x.omega, twist.linear)), math::quat_rate(x.q, x.omega), a.angular};
}
// one step under a wrench that may follow the state
Body step(const Body& x, const PlatformInertia<double>& m, double h, const std::function<Screw<double>(const Body&)>& wrench) {
  const auto f = [&](const Body& y) { return rate_of(y, m, wrench(y)); };
  const Body k1 = f(x), k2 = f(add(h / 2, k1, x)), k3 = f(add(h / 2, k2, x)), k4 = f(add(h, k3, x));
  Body out = add(h / 6, k1, add(h / 3, k2, add(h / 3, k3, add(h / 6, k4, x))));
  out.q = math::normalize(out.q);
  return out;
}
PlatformState<double> state_of(const Body& x) { return {math::rotation_matrix(x.q), x.velocity, x.omega}; }

PlatformGains<double> table_2(const PlatformDef& d) {
  const control::Screw<double> none = control::zero_screw<double>();
  PlatformGains<double> g{{{8, 8, 8}, {8, 5, 6}}, none, {{10, 10, 5}, {10, 10, 15}}, {{10, 10, 10}, {2, 2, 2}}, none, none, 0};
  const airframe::Actuation a = airframe::actuation(d);
  if (a.rank == 5) {
    const PlatformInertia<double> m = test::inertia_of(d);
    g.free_twist = test::screw(a.missing);
    const Screw<double> momentum = control::times_inertia(m, g.free_twist);
    g.free_momentum = (1 / dot(g.free_twist, momentum)) * momentum;
    g.pointing = 1;
  }
  return g;
}

// a smooth pose trajectory
control::Angles<double> angles_at(double t) {
  const Vec3<double> size = {0.4, -0.9, 2.5}, rate = {1.3, 0.7, 0.9}, phase = {0.3, 1.1, -0.6};
  const auto axis = [t](double a, double w, double p, int order) { return a * std::pow(w, order) * std::sin(w * t + p + order * kPi / 2); };
  const auto all = [&](int order) {
    return Vec3<double>{axis(size.x, rate.x, phase.x, order), axis(size.y, rate.y, phase.y, order), axis(size.z, rate.z, phase.z, order)};
  };
  return {all(0), all(1), all(2)};
}
PoseTarget<double> target_at(double t, const Vec3<double>& position) {
  const Vec3<double> wanted = {std::sin(0.8 * t), std::cos(1.1 * t), 0.5 * t}, velocity = {0.8 * std::cos(0.8 * t), -1.1 * std::sin(1.1 * t), 0.5};
  return {wanted - position, velocity, {-0.64 * std::sin(0.8 * t), -1.21 * std::cos(1.1 * t), 0}, control::orientation_of(angles_at(t))};
}

// ---------------------------------------------------------------- what is wanted

TEST(platform_control, orientation_turns_as_its_angles_do) {
  const double h = 1e-4;
  for (double t : {0.0, 0.7, 1.9, 3.3, 5.2}) {
    const Orientation<double> back = control::orientation_of(angles_at(t - h)), now = control::orientation_of(angles_at(t)),
                              ahead = control::orientation_of(angles_at(t + h));
    const control::Angles<double> a = angles_at(t);
    const Mat3<double> want = times(about({0, 0, 1}, a.angle.z), times(about({0, 1, 0}, a.angle.y), about({1, 0, 0}, a.angle.x)));
    for (int k = 0; k < 3; ++k) {
      EXPECT_LT(math::norm(column(want, k) - column(now.R_W, k)), 1e-14);
      // columns turn with omega, which is in their own axes
      const Vec3<double> turns = (1 / (2 * h)) * (column(ahead.R_W, k) - column(back.R_W, k));
      EXPECT_LT(math::norm(turns - math::cross(now.R_W * now.omega, column(now.R_W, k))), 1e-6);
    }
    EXPECT_LT(math::norm((1 / (2 * h)) * (ahead.omega - back.omega) - now.alpha), 1e-6);
  }
}

TEST(platform_control, rotation_error_points_from_the_wanted_attitude_to_the_actual_one) {
  std::mt19937 g(1);
  for (int trial = 0; trial < 200; ++trial) {
    const Mat3<double> wanted = math::rotation_matrix(random_attitude(g));
    const Vec3<double> raw = random_vector(g, 1), axis = (1 / math::norm(raw)) * raw;
    const double turn = 3.1 * trial / 200;
    const Mat3<double> R = times(wanted, about(axis, turn));
    // (R_d^T R - R^T R_d)^v / 2 is the axis times the sine
    ASSERT_LT(math::norm(control::rotation_error(R, wanted) - std::sin(turn) * axis), 1e-13);
  }
}

TEST(platform_control, pointing_error_turns_its_axis_only_and_not_about_it) {
  std::mt19937 g(2);
  for (int trial = 0; trial < 200; ++trial) {
    const Mat3<double> wanted = math::rotation_matrix(random_attitude(g)), R = math::rotation_matrix(random_attitude(g));
    const Vec3<double> raw = random_vector(g, 1), axis = (1 / math::norm(raw)) * raw;
    const Vec3<double> e = control::pointing_error(R, wanted, axis);
    // in the world: from where the axis should point to where it points
    ASSERT_LT(math::norm(R * e - math::cross(wanted * axis, R * axis)), 1e-13);
    ASSERT_NEAR(math::dot(e, axis), 0, 1e-13);
    // what turns about the axis is no error
    ASSERT_LT(math::norm(control::pointing_error(times(wanted, about(axis, 1.3)), wanted, axis)), 1e-13);
  }
}

// with Psi = tr(I - R_d^T R) / 2 as its potential: the property that the proof of eq. 10 stands on
TEST(platform_control, rotation_error_is_the_gradient_of_its_potential) {
  std::mt19937 g(3);
  const double h = 1e-5;
  for (int trial = 0; trial < 100; ++trial) {
    const Mat3<double> wanted = math::rotation_matrix(random_attitude(g)), R = math::rotation_matrix(random_attitude(g));
    const Vec3<double> omega = random_vector(g, 1);
    const auto potential = [&](const Mat3<double>& r) {
      double trace = 0;
      for (int k = 0; k < 3; ++k) trace += math::dot(column(wanted, k), column(r, k));
      return 0.5 * (3 - trace);
    };
    const double rate = (potential(times(R, about(omega, h * math::norm(omega)))) - potential(times(R, about(omega, -h * math::norm(omega))))) / (2 * h);
    ASSERT_NEAR(rate, math::dot(control::rotation_error(R, wanted), omega), 1e-8);
  }
}

// ---------------------------------------------------------------- pose tracking

TEST(platform_control, coriolis_term_does_no_work_and_keeps_momentum_in_the_world) {
  std::mt19937 g(4);
  for (const PlatformDef& d : {test::three_star(), test::three_line()}) {
    const PlatformInertia<double> m = test::inertia_of(d);
    for (int trial = 0; trial < 50; ++trial) {
      const Screw<double> x = random_screw(g, 2), y = random_screw(g, 2);
      const double scale = size(control::times_inertia(m, x)) * size(x);
      ASSERT_NEAR(dot(y, control::times_coriolis(m, x.angular, y)), 0, 1e-12 * scale * size(y));
      // Kirchhoff: C x is how far the axes that turn and move carry the momentum
      const Screw<double> p = control::times_inertia(m, x), c = control::times_coriolis(m, x.angular, x);
      ASSERT_LT(math::norm(c.linear - math::cross(x.angular, p.linear)), 1e-12 * scale);
      ASSERT_LT(math::norm(c.angular - (math::cross(x.angular, p.angular) + math::cross(x.linear, p.linear))), 1e-12 * scale);
    }
  }
}

// M de/dt + C e + k_D e + k_P e_T + integral, in the limit of a short time about a state on a random motion
Screw<double> closed_loop(const PlatformDef& d, const PlatformGains<double>& gains, std::mt19937& g,
                          const std::function<Screw<double>(const Screw<double>&)>& actuation) {
  const PlatformInertia<double> m = test::inertia_of(d);
  const Screw<double> integral = random_screw(g, 1);
  const double t = std::uniform_real_distribution<double>(0, 5)(g), h = 1e-4;
  const Body x = {random_vector(g, 1), random_vector(g, 1), random_attitude(g), random_vector(g, 1)};
  PoseError<double> error, other;
  const auto wrench = [&](const Body& y, double when, PoseError<double>& e) {
    return control::track_pose(state_of(y), target_at(when, y.position), kGravity, m, gains, integral, e);
  };
  const Screw<double> held = actuation(wrench(x, t, error));
  const auto error_after = [&](double dt) {
    const Body y = step(x, m, dt, [&](const Body&) { return held; });
    wrench(y, t + dt, other);
    return other.twist;
  };
  const Screw<double> rate = (1 / (2 * h)) * (error_after(h) - error_after(-h));
  return (control::times_inertia(m, rate) + control::times_coriolis(m, x.omega, error.twist)) + ((gains.d * error.twist + gains.p * error.pose) + integral);
}

TEST(platform_control, perfect_actuation_leaves_the_linear_error_dynamics_of_its_gains) {
  std::mt19937 g(5);
  for (const PlatformDef& d : {test::three_star(), test::three_square()})
    for (int trial = 0; trial < 100; ++trial) ASSERT_LT(size(closed_loop(d, table_2(d), g, [](const Screw<double>& u) { return u; })), 2e-4) << d.name;
}

template <int N> void expect_line_leaves_one_direction(const PlatformDef& d) {
  std::mt19937 g(6);
  const ThrustAllocation<double, N> a = test::allocation_of<N>(d);
  const PlatformGains<double> gains = table_2(d);
  const auto actuation = [&](const Screw<double>& u) { return wrench_of(a, allocate_thrust(a, u)); };
  for (int trial = 0; trial < 100; ++trial) {
    const Screw<double> left = closed_loop(d, gains, g, actuation);
    // all that is left lies along the momentum of the free motion
    ASSERT_LT(size(left - dot(gains.free_twist, left) * gains.free_momentum), 2e-4) << d.name;
    const Screw<double> u = random_screw(g, 5);
    ASSERT_NEAR(dot(gains.free_twist, actuation(u)), 0, 1e-11) << d.name << ": the free direction is not forced";
  }
}
TEST(platform_control, on_a_line_of_joints_all_directions_but_one_follow_the_error_dynamics) {
  PlatformDef skew = test::platform("skew line", 1, {{0.9, 0.5, 0.3}, {-0.3, -0.1, 0.1}, {-0.9, -0.4, 0.0}});
  skew.centre.centre_of_mass = {0.02, -0.05, -0.1};
  expect_line_leaves_one_direction<2>(test::two_line());
  expect_line_leaves_one_direction<3>(test::three_line());
  expect_line_leaves_one_direction<3>(skew);
}

TEST(platform_control, a_motion_along_the_free_direction_is_no_error) {
  const PlatformDef d = test::three_line();
  const PlatformGains<double> gains = table_2(d);
  const PlatformInertia<double> m = test::inertia_of(d);
  const PoseTarget<double> rest = {math::zero3<double>(), math::zero3<double>(), math::zero3<double>(),
                                   control::orientation_of(control::Angles<double>{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}})};
  PoseError<double> e;
  control::track_pose({rest.attitude.R_W, 0.7 * gains.free_twist.linear, 0.7 * gains.free_twist.angular}, rest, kGravity, m, gains,
                      control::zero_screw<double>(), e);
  EXPECT_LT(size(e.twist), 1e-12);
  control::track_pose({rest.attitude.R_W, {0, 0.3, 0}, {0, 0.2, 0}}, rest, kGravity, m, gains, control::zero_screw<double>(), e);
  EXPECT_NEAR(dot(gains.free_momentum, e.twist), 0, 1e-12);
  EXPECT_GT(size(e.twist), 0.2);
}

// with k_I = 0: almost globally, and in the end as fast as the slowest pole of Table II
TEST(platform_control, a_fully_actuated_platform_converges_from_random_attitudes) {
  const PlatformDef d = test::three_star();
  const PlatformInertia<double> m = test::inertia_of(d);
  const PlatformGains<double> gains = table_2(d);
  const PoseTarget<double> level = {math::zero3<double>(), math::zero3<double>(), math::zero3<double>(),
                                    control::orientation_of(control::Angles<double>{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}})};
  std::mt19937 g(7);
  for (int trial = 0; trial < 15; ++trial) {
    Body x = {random_vector(g, 1), random_vector(g, 0.5), random_attitude(g), random_vector(g, 0.5)};
    PoseError<double> e;
    const auto wrench = [&](const Body& y) {
      PoseTarget<double> to = level;
      to.position_error_W = -y.position;
      return control::track_pose(state_of(y), to, kGravity, m, gains, control::zero_screw<double>(), e);
    };
    double at_30 = 0;
    for (int k = 0; k < 4000; ++k) {
      x = step(x, m, 0.01, wrench);
      if (k == 2999) at_30 = size(e.pose);
    }
    EXPECT_LT(at_30, 0.02) << trial;
    EXPECT_LT(size(e.pose), at_30 * std::exp(-0.35 * 10)) << trial;
  }
}

TEST(platform_control, a_line_of_joints_converges_in_position_and_in_where_it_points) {
  const PlatformDef d = test::two_line();
  const PlatformInertia<double> m = test::inertia_of(d);
  const ThrustAllocation<double, 2> a = test::allocation_of<2>(d);
  const PlatformGains<double> gains = table_2(d);
  std::mt19937 g(8);
  for (int trial = 0; trial < 8; ++trial) {
    Body x = {random_vector(g, 1), random_vector(g, 0.3), random_attitude(g), random_vector(g, 0.3)};
    const double roll_momentum = m.inertia.x * x.omega.x;
    PoseError<double> e;
    const auto wrench = [&](const Body& y) {
      const PoseTarget<double> to = {-y.position, math::zero3<double>(), math::zero3<double>(),
                                     control::orientation_of(control::Angles<double>{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}})};
      return wrench_of(a, allocate_thrust(a, control::track_pose(state_of(y), to, kGravity, m, gains, control::zero_screw<double>(), e)));
    };
    for (int k = 0; k < 8000; ++k) x = step(x, m, 0.01, wrench);
    EXPECT_LT(math::norm(x.position), 1e-6) << trial;
    EXPECT_NEAR(column(math::rotation_matrix(x.q), 0).x, 1, 1e-9) << trial;
    EXPECT_LT(std::abs(x.omega.x), 3 * std::abs(roll_momentum / m.inertia.x) + 1) << trial;
  }
}

TEST(platform_control, integral_grows_with_its_gain_and_stops_at_its_limit) {
  PlatformGains<double> g = table_2(test::three_star());
  g.i = {{1, 2, 3}, {4, 5, 6}};
  const Screw<double> error = {{0.1, -0.1, 0.2}, {0.1, 0.1, -0.1}};
  Screw<double> integral = control::integrate_pose(control::zero_screw<double>(), error, 0.005, g);
  EXPECT_DOUBLE_EQ(integral.linear.z, 0.005 * 3 * 0.2);
  EXPECT_DOUBLE_EQ(integral.angular.z, -0.005 * 6 * 0.1);
  for (int k = 0; k < 100'000; ++k) integral = control::integrate_pose(integral, error, 0.005, g);
  EXPECT_EQ(integral.linear.y, -10);
  EXPECT_EQ(integral.angular.x, 2);
}

// ---------------------------------------------------------------- contact

// x'' = w^2 (u - x) - 2 zeta w x' with u = 1 from rest, for any damping
double step_response(double w, double zeta, double t) {
  if (std::abs(zeta - 1) < 1e-9) return 1 - (1 + w * t) * std::exp(-w * t);
  if (zeta < 1) {
    const double d = w * std::sqrt(1 - zeta * zeta);
    return 1 - std::exp(-zeta * w * t) * (std::cos(d * t) + zeta * w / d * std::sin(d * t));
  }
  const double p = -w * (zeta - std::sqrt(zeta * zeta - 1)), q = -w * (zeta + std::sqrt(zeta * zeta - 1));
  return 1 - (q * std::exp(p * t) - p * std::exp(q * t)) / (q - p);
}
TEST(platform_control, wrench_filter_is_the_second_order_filter_at_any_tick_and_damping) {
  for (double zeta : {0.3, 1.0, 1.414, 5.0})
    for (double tick : {0.001, 0.005, 0.05, 0.4}) {
      const control::WrenchFilter<double> p = control::wrench_filter(10.0, zeta, tick);
      const Screw<double> input = {{1, -2, 3}, {0.1, 0.2, 0.3}};
      Screw<double> value = control::zero_screw<double>(), rate = value;
      for (int k = 1; k <= 50; ++k) {
        control::filter_wrench(p, input, value, rate);
        const double h = 1e-6, t = k * tick, want = step_response(10, zeta, t),
                     slope = (step_response(10, zeta, t + h) - step_response(10, zeta, t - h)) / (2 * h);
        ASSERT_LT(size(value - want * input), 1e-9) << zeta << " " << tick;
        ASSERT_LT(size(rate - slope * input), 1e-6) << zeta << " " << tick;
      }
    }
}

TEST(platform_control, wrench_filter_of_float_is_that_of_double) {
  const control::WrenchFilter<float> f = control::wrench_filter(10.0f, 1.414f, 0.005f);
  const control::WrenchFilter<double> d = control::wrench_filter(10.0, 1.414, 0.005);
  EXPECT_NEAR(f.keep, d.keep, 1e-7);
  EXPECT_NEAR(f.turn / d.turn, 1, 1e-6);
  EXPECT_NEAR(f.ahead / d.ahead, 1, 1e-6);
  EXPECT_NEAR(f.brake, d.brake, 1e-6);
}

// eq. 19 against the mass, spring and damper that it names
TEST(platform_control, admittance_yields_as_a_mass_on_a_spring_and_a_damper) {
  const double mass = 2, damping = 6, stiffness = 20, w = std::sqrt(stiffness / mass), zeta = damping / (2 * std::sqrt(stiffness * mass));
  const control::Admittance<double> p = {{{1 / mass, 1, 1}, {1, 1 / mass, 1}}, {{damping, 1, 1}, {1, damping, 1}}, {{stiffness, 1, 1}, {1, stiffness, 1}}};
  const auto worst = [&](double h) {
    Screw<double> offset = control::zero_screw<double>(), rate = offset;
    double most = 0;
    for (int k = 1; k * h < 3; ++k) {
      const Screw<double> before = rate, a = control::yield(Screw<double>{{5, 0, 0}, {0, -3, 0}}, h, p, offset, rate);
      EXPECT_LT(size(h * a - (rate - before)), 1e-12);
      most = std::max(most, std::abs(offset.linear.x - 5 / stiffness * step_response(w, zeta, k * h)));
      EXPECT_NEAR(offset.angular.y, -0.6 * offset.linear.x, 1e-12);
    }
    return most;
  };
  EXPECT_LT(worst(0.005), 0.004);
  EXPECT_NEAR(worst(0.005) / worst(0.0025), 2, 0.1);
}

TEST(platform_control, admittance_settles_at_the_push_over_the_stiffness_however_stiff_it_is) {
  for (double stiffness : {1.0, 1e3, 1e6, 1e9})
    for (double h : {0.001, 0.005, 0.5}) {
      const control::Admittance<double> p = {
          {{0.5, 0.5, 0.5}, {2, 2, 2}}, {{20, 20, 20}, {5, 5, 5}}, {{stiffness, stiffness, stiffness}, {stiffness, stiffness, stiffness}}};
      Screw<double> offset = {{1, 1, 1}, {1, 1, 1}}, rate = {{-50, 50, 9}, {9, 9, 9}};
      for (int k = 0; k < 200 / h; ++k) {
        control::yield(Screw<double>{{7, 0, -7}, {0, 1, 0}}, h, p, offset, rate);
        ASSERT_LT(size(offset), 100);
      }
      EXPECT_NEAR(offset.linear.x, 7 / stiffness, 1e-3 / stiffness + 1e-9);
      EXPECT_NEAR(offset.angular.y, 1 / stiffness, 1e-3 / stiffness + 1e-9);
    }
}

// A platform that holds its place presses on a wall in front of it: mass, gains of Table II, the filter, aircraft that follow 0.1 s late, the wall a spring.
struct Pressed {
  double off, away;  // greatest share of the wanted force that is missing or too much after 20 s, and of that time without contact
};
Pressed press_on_wall(double stiffness, double sign) {
  const airframe::PlatformControlDef c;
  const double mass = 5.9, tick = 0.005, fine = 0.0005, wanted = 1.5, late = std::exp(-fine / 0.1);
  const control::WrenchFilter<double> filter = control::wrench_filter(c.wrench_frequency, c.wrench_damping, tick);
  const control::WrenchGains<double> g = {{test::vec(c.force_p), test::vec(c.torque_p)},
                                          {test::vec(c.force_i), test::vec(c.torque_i)},
                                          {test::vec(c.force_d), test::vec(c.torque_d)},
                                          {test::vec(c.integral_force), test::vec(c.integral_torque)}};
  Screw<double> value = control::zero_screw<double>(), rate = value, integral = value;
  double x = 0.001, v = 0, force = 0;
  Pressed out{0, 0};
  for (int k = 0; k < 8000; ++k) {
    control::filter_wrench(filter, Screw<double>{{-stiffness * std::max(x, 0.0), 0, 0}, {0, 0, 0}}, value, rate);
    const Screw<double> error = value - Screw<double>{{-wanted, 0, 0}, {0, 0, 0}};
    const double u = -c.position_p[0] * x - c.position_d[0] * v + sign * control::press(error, rate, tick, g, integral).linear.x;
    for (int n = 0; n < 10; ++n) force = u + late * (force - u), v += fine * (force - stiffness * std::max(x, 0.0)) / mass, x += fine * v;
    if (k < 4000) continue;
    out.off = std::max(out.off, std::abs(stiffness * std::max(x, 0.0) / wanted - 1));
    out.away += x > 0 ? 0 : 1.0 / 4000;
  }
  return out;
}
TEST(platform_control, wrench_control_presses_with_the_wanted_force_on_soft_and_hard_walls) {
  for (double stiffness : {30.0, 100.0, 300.0, 1000.0}) {
    const Pressed p = press_on_wall(stiffness, 1);
    EXPECT_LT(p.off, 0.05) << stiffness;
    EXPECT_EQ(p.away, 0) << stiffness;
  }
}
TEST(platform_control, the_printed_sign_drives_the_platform_off_the_wall) {
  for (double stiffness : {30.0, 100.0, 300.0, 1000.0}) EXPECT_NEAR(press_on_wall(stiffness, -1).away, 1, 1e-9) << stiffness;
}
TEST(platform_control, a_contact_that_pushes_back_too_little_is_pressed_harder) {
  const control::WrenchGains<double> g = {{{0.5, 1, 1}, {1, 1, 1}}, {{2, 1, 1}, {1, 1, 1}}, {{0.1, 1, 1}, {1, 1, 1}}, {{0.3, 1, 1}, {1, 1, 1}}};
  Screw<double> integral = control::zero_screw<double>();
  // wanted: the wall pushes back with 4 N; it does with 1
  const Screw<double> error = {{-1.0 + 4, 0, 0}, {0, 0, 0}}, rate = {{0.2, 0, 0}, {0, 0, 0}};
  EXPECT_NEAR(control::press(error, rate, 0.01, g, integral).linear.x, 0.5 * 3 + 0.01 * 2 * 3 + 0.1 * 0.2, 1e-12);
  for (int k = 0; k < 100; ++k) control::press(error, rate, 0.01, g, integral);
  EXPECT_EQ(integral.linear.x, 0.3);
}

TEST(platform_control, observer_reaches_a_constant_wrench_with_its_time_constant_at_any_tick) {
  const PlatformInertia<double> m = test::inertia_of(test::three_star());
  const Screw<double> truth = {{2, -1, 0.5}, {0, 0, 0}};
  // held level by thrust, pushed through the centre of mass: it does not turn
  const Vec3<double> lift = {0, 0, m.mass * kG};
  const Screw<double> thrust = {lift, math::cross(m.centre_B, lift)}, push = {truth.linear, math::cross(m.centre_B, truth.linear)};
  for (double bandwidth : {2.0, 20.0, 1000.0}) {
    const double tick = 0.005;
    Body x;
    Screw<double> predicted = control::zero_screw<double>(), estimate = predicted;
    for (int k = 0; k < 400; ++k) {
      control::observe_wrench(state_of(x), thrust, kGravity, m, bandwidth, tick, predicted, estimate);
      ASSERT_LT(size(estimate - (1 - std::exp(-bandwidth * k * tick)) * push), 1e-8) << bandwidth << " " << k;
      x = step(x, m, tick, [&](const Body&) { return thrust + push; });
    }
  }
}

TEST(platform_control, observer_is_right_in_the_mean_while_the_platform_turns_and_accelerates) {
  const PlatformInertia<double> m = test::inertia_of(test::three_star());
  const Screw<double> push = {{1, 2, -0.5}, {0.1, -0.2, 0.3}};
  const PlatformGains<double> gains = table_2(test::three_star());
  const double tick = 0.005, bandwidth = 20;
  Body x = {{0, 1, 0}, {0.8, 0, 0.5}, {1, 0, 0, 0}, {0, 0, 0}};
  Screw<double> predicted = control::times_inertia(m, Screw<double>{x.velocity, x.omega}), estimate = control::zero_screw<double>(), mean = estimate;
  double worst = 0, fastest = 0;
  int n = 0;
  for (int k = 0; k < 6000; ++k) {
    const double t = k * tick;
    PoseError<double> e;
    const Screw<double> thrust = control::track_pose(state_of(x), target_at(t, x.position), kGravity, m, gains, control::zero_screw<double>(), e);
    control::observe_wrench(state_of(x), thrust, kGravity, m, bandwidth, tick, predicted, estimate);
    if (t > 2) mean = mean + (estimate - push), worst = std::max(worst, size(estimate - push)), ++n;
    for (int fine = 0; fine < 5; ++fine) x = step(x, m, tick / 5, [&](const Body&) { return thrust + push; });
    fastest = std::max(fastest, math::norm(x.omega));
  }
  EXPECT_GT(fastest, 2);
  // thrust is held over a tick, and the weight turns in it: half of that is seen
  std::printf("momentum observer at 20/s: worst %.4f N and N m, mean %.5f\n", worst, size((1.0 / n) * mean));
  EXPECT_LT(worst, 0.5 * tick * m.mass * kG * fastest);
  EXPECT_LT(size((1.0 / n) * mean), 0.05);
}

// ---------------------------------------------------------------- allocation

TEST(platform_control, roll_and_pitch_point_the_thrust_where_it_should_go) {
  std::mt19937 g(9);
  std::uniform_real_distribution<double> yaw(-kPi, kPi);
  double steepest = 1;
  for (int trial = 0; trial < 5000; ++trial) {
    const Vec3<double> raw = random_vector(g, 10), f = {raw.x, raw.y, std::abs(raw.z)};
    const double heading = yaw(g);
    const control::RollPitch<double> t = control::tilt_for(f, heading);
    const Orientation<double> o = control::orientation_of(control::Angles<double>{{t.roll, t.pitch, heading}, {0, 0, 0}, {0, 0, 0}});
    ASSERT_LT(math::norm(math::column_z(o.R_W) - (1 / math::norm(f)) * f), 1e-12);
    ASSERT_LE(std::max(std::abs(t.roll), std::abs(t.pitch)), kPi / 2);
    steepest = std::min(steepest, f.z / math::norm(f));
  }
  EXPECT_LT(steepest, 0.01);
  // forwards is a positive pitch about the left axis, to the left a negative roll
  EXPECT_GT(control::tilt_for(Vec3<double>{1, 0, 1}, 0.0).pitch, 0.7);
  EXPECT_LT(control::tilt_for(Vec3<double>{0, 1, 1}, 0.0).roll, -0.7);
}

ThrustLimit<double> limit(double least, double most, double tilt) { return {least, most, std::sin(tilt), std::cos(tilt)}; }

TEST(platform_control, limited_thrust_is_the_nearest_of_all_within_the_limits) {
  std::mt19937 g(10);
  const ThrustLimit<double> p = limit(0, 20, 0.5);
  for (int trial = 0; trial < 3000; ++trial) {
    const Vec3<double> f = random_vector(g, 15), out = control::limit_thrust(f, p), other = control::limit_thrust(random_vector(g, 15), p);
    const double side = std::hypot(out.x, out.y);
    ASSERT_LE(side * p.cos_tilt, out.z * p.sin_tilt + 1e-12);
    ASSERT_LE(math::norm(out), 20 * (1 + 1e-14));
    // the limits are convex: everything within lies on the other side of a plane through the nearest
    ASSERT_LE(math::dot(f - out, other - out), 1e-9);
    ASSERT_LT(math::norm(control::limit_thrust(out, p) - out), 1e-12) << "once is enough";
  }
}

TEST(platform_control, limited_thrust_has_at_least_its_least_and_does_not_jump) {
  std::mt19937 g(11);
  const ThrustLimit<double> p = limit(3, 20, 0.5);
  EXPECT_NEAR(control::limit_thrust(Vec3<double>{0, 0, 0}, p).z, 3, 1e-15);
  EXPECT_NEAR(control::limit_thrust(Vec3<double>{0, 0, -9}, p).z, 3, 1e-15);
  for (int trial = 0; trial < 5000; ++trial) {
    const Vec3<double> f = random_vector(g, trial % 2 == 0 ? 2 : 15), near = f + random_vector(g, 1e-7);
    const Vec3<double> out = control::limit_thrust(f, p);
    ASSERT_GE(math::norm(out), 3 * (1 - 1e-14));
    ASSERT_LE(math::norm(out), 20 * (1 + 1e-14));
    ASSERT_LE(std::hypot(out.x, out.y) * p.cos_tilt, out.z * p.sin_tilt + 1e-12);
    ASSERT_LT(math::norm(control::limit_thrust(near, p) - out), 2 * math::norm(near - f) + 1e-14);
    ASSERT_NEAR(out.x * f.y - out.y * f.x, 0, 1e-9) << "not turned about the vertical";
  }
}

template <int N> double length(const ThrustVectors<double, N>& f) {
  double sum = 0;
  for (const auto& x : f.f) sum += math::dot(x, x);
  return std::sqrt(sum);
}
template <int N> struct Rig {
  PlatformDef def;
  ThrustAllocation<double, N> a;
  Mat3<double> R;
  ThrustLimit<double> limits[N];
  Screw<double> hover;  // body axes

  Rig(const PlatformDef& d, const Mat3<double>& attitude, double least) : def(d), a(test::allocation_of<N>(d)), R(attitude) {
    for (int i = 0; i < N; ++i) limits[i] = limit(least, 30 + i, 0.6);
    const PlatformInertia<double> m = test::inertia_of(d);
    const Vec3<double> lift = math::transpose_times(R, Vec3<double>{0, 0, m.mass * kG});
    hover = {lift, math::cross(m.centre_B, lift)};
  }
  ThrustVectors<double, N> lost(const Screw<double>& wanted, const ThrustVectors<double, N>& f) const { return allocate_thrust(a, wanted - wrench_of(a, f)); }
  void expect_within(const ThrustVectors<double, N>& f) const {
    for (int i = 0; i < N; ++i) {
      const Vec3<double> w = R * f.f[i];
      ASSERT_LE(math::norm(w), limits[i].most * (1 + 1e-12));
      ASSERT_GE(math::norm(w), limits[i].least * (1 - 1e-12));
      ASSERT_LE(std::hypot(w.x, w.y) * limits[i].cos_tilt, w.z * limits[i].sin_tilt + 1e-9);
    }
  }
};

template <int N> void expect_least_loss(const PlatformDef& d, unsigned seed) {
  std::mt19937 g(seed);
  const Rig<N> rig(d, about({0.3, 1, 0.2}, 0.25), 0);
  double ratio = 0, loss = 0;
  int limited = 0, lossy = 0;
  for (int trial = 0; trial < 100; ++trial) {
    const Screw<double> wanted = rig.hover + Screw<double>{random_vector(g, 12), random_vector(g, 6)};
    const auto once = control::allocate_thrust(rig.a, wanted), usual = control::allocate_limited(rig.a, wanted, rig.R, rig.limits);
    rig.expect_within(usual);
    const auto cut = [&](int i, const Vec3<double>& f) { return math::transpose_times(rig.R, control::limit_thrust(rig.R * f, rig.limits[i])); };
    const auto best = control::allocate_within(rig.a, wanted, cut, 1000);
    rig.expect_within(best);
    // no thrusts within the limits lose less: moving towards any of them does not help at first, and the loss is convex
    const auto lost = rig.lost(wanted, best);
    const double least = length(lost), now = length(rig.lost(wanted, usual));
    for (int other = 0; other < 50; ++other) {
      double gain = 0;
      for (int i = 0; i < N; ++i) gain += math::dot(lost.f[i], cut(i, random_vector(g, 15)) - best.f[i]);
      ASSERT_LE(gain, 0.01 * (1 + least)) << d.name;
    }
    bool fits = true;
    for (int i = 0; i < N; ++i) fits = fits && math::norm(cut(i, once.f[i]) - once.f[i]) < 1e-12;
    if (fits) {
      for (int i = 0; i < N; ++i) ASSERT_LT(math::norm(usual.f[i] - once.f[i]), 1e-9) << "what fits is the least thrust (eq. 17)";
      continue;
    }
    ++limited;
    ThrustVectors<double, N> plain;
    for (int i = 0; i < N; ++i) plain.f[i] = cut(i, once.f[i]);
    const double cutting = length(rig.lost(wanted, plain));
    ASSERT_LE(now, cutting + 1e-9) << "asking again never loses more than cutting off";
    if (least < 1e-3) loss += now / cutting;
    if (least > 0.1) ratio += now / least, ++lossy;
  }
  ASSERT_GT(limited, 10) << d.name;
  ASSERT_GT(lossy, 3) << d.name;
  EXPECT_LT(loss / (limited - lossy + 1), 0.2) << d.name << ": share of the loss of cutting that is left, where nothing need be lost";
  EXPECT_LT(ratio / lossy, 1.3) << d.name << ": loss over the least loss";
}
TEST(platform_control, allocation_within_limits_keeps_them_and_loses_least) {
  expect_least_loss<3>(test::three_star(), 12);
  expect_least_loss<3>(test::three_square(), 13);
  expect_least_loss<2>(test::two_line(), 14);
  expect_least_loss<3>(test::three_line(), 15);
}

TEST(platform_control, allocation_keeps_the_least_thrust_of_every_aircraft) {
  std::mt19937 g(16);
  const Rig<3> rig(test::three_star(), about({1, 0, 0}, 0.2), 4);
  for (int trial = 0; trial < 500; ++trial) rig.expect_within(control::allocate_limited(rig.a, random_screw(g, 20), rig.R, rig.limits));
}

// one aircraft at its end: what it lacks the others give, as long as they have it
TEST(platform_control, others_give_what_one_aircraft_lacks) {
  Rig<3> rig(test::three_square(), about({0, 0, 1}, 0.7), 0);
  const Screw<double> wanted = rig.hover + Screw<double>{{0, 22, 0}, {0, 0, 14}};
  const auto free = control::allocate_thrust(rig.a, wanted);
  double worst = 0;
  for (int i = 0; i < 3; ++i) worst = std::max(worst, math::norm(control::limit_thrust(rig.R * free.f[i], rig.limits[i]) - rig.R * free.f[i]));
  EXPECT_GT(worst, 0.3);
  const auto f = control::allocate_limited(rig.a, wanted, rig.R, rig.limits);
  EXPECT_LT(size(wrench_of(rig.a, f) - wanted), 0.05 * worst);
  EXPECT_LT(length(f), 1.01 * length(free));
}

// ---------------------------------------------------------------- rows

template <class X> bool every_number_is_a_row() {
  X x{};
  math::RowCounter count;
  X::fields(x, count);
  return count.n * sizeof(double) == sizeof(X);
}
TEST(platform_control, every_number_of_a_record_is_a_row) {
  EXPECT_TRUE(every_number_is_a_row<PlatformInertia<double>>());
  EXPECT_TRUE(every_number_is_a_row<PlatformGains<double>>());
  EXPECT_TRUE(every_number_is_a_row<control::WrenchFilter<double>>());
  EXPECT_TRUE(every_number_is_a_row<control::Admittance<double>>());
  EXPECT_TRUE(every_number_is_a_row<control::WrenchGains<double>>());
  EXPECT_TRUE((every_number_is_a_row<ThrustAllocation<double, 3>>()));
  EXPECT_TRUE(every_number_is_a_row<ThrustLimit<double>>());
}

}  // namespace
}  // namespace volary
