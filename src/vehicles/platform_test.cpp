// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The dynamics of a platform against Newton and Euler for each of its bodies, with the forces in the joints as unknowns, and against what free motion keeps.
#include "vehicles/platform.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "vehicles/platform_test_support.hpp"

namespace volary {
namespace {

using math::Mat3;
using math::Quat;
using math::Vec3;
using test::kG;
using test::PlatformDef;
using vehicles::Part;
using vehicles::PlatformMotion;
using vehicles::PlatformParams;
using vehicles::PlatformSurroundings;
using vehicles::RigidBody;

constexpr double kStep = 0.0025;
constexpr double kDegree = 3.14159265358979323846 / 180;

PlatformDef lopsided() {
  PlatformDef d = test::platform("lopsided", 2, {{0.7, 0.1, 0.1}, {-0.5, 0.6, 0.05}, {-0.4, -0.5, 0.2}, {0.4, -0.7, -0.1}});
  d.centre.centre_of_mass = {0.03, 0.04, -0.05};
  d.centre.linear_drag = {0.1, 0.2, 0.3}, d.centre.quadratic_drag = {0.05, 0.04, 0.03};
  d.aircraft[1] = test::f450(1.2), d.aircraft[3] = test::f450(2);
  for (auto& a : d.aircraft) a.linear_drag = {0.02, 0.03, 0.05};
  return d;
}

// ---------------------------------------------------------------- every body by itself

// x of A x = b by elimination with pivots
std::vector<double> solve(std::vector<std::vector<double>> a, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t best = k;
    for (std::size_t r = k; r < n; ++r)
      if (std::abs(a[r][k]) > std::abs(a[best][k])) best = r;
    std::swap(a[k], a[best]), std::swap(b[k], b[best]);
    for (std::size_t r = k + 1; r < n; ++r) {
      const double f = a[r][k] / a[k][k];
      for (std::size_t c = k; c < n; ++c) a[r][c] -= f * a[k][c];
      b[r] -= f * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t c = k + 1; c < n; ++c) b[k] -= a[k][c] * b[c];
    b[k] /= a[k][k];
  }
  return b;
}

double component(const Vec3<double>& v, std::size_t k) { return k == 0 ? v.x : k == 1 ? v.y : v.z; }
Vec3<double> unit(std::size_t k) { return {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0}; }

struct RotorState {
  double speed[4], rate[4];
};
// Gestelt eqs. 7 to 13 rotor by rotor, at air speeds where nothing is bounded
vehicles::Wrench<double> rotors_by_hand(const airframe::MultirotorDef& d, const RotorState& r, const Vec3<double>& air, const Vec3<double>& omega) {
  vehicles::Wrench<double> sum{math::zero3<double>(), math::zero3<double>()};
  for (std::size_t i = 0; i < 4; ++i) {
    const Vec3<double> hub = test::vec(d.rotors[i].position), moves = air + math::cross(omega, hub), across = {moves.x, moves.y, 0};
    const double w = r.speed[i], thrust = d.motor.thrust2 * w * w, s = d.rotors[i].spin;
    Vec3<double> force = -(d.motor.drag * w) * across;
    force.z = thrust * (1 - moves.z / d.motor.stall_speed);
    sum.force_B = sum.force_B + force;
    sum.torque_B = sum.torque_B + math::cross(hub, force) - (d.motor.rolling * s * w) * across;
    sum.torque_B.z -= s * (d.motor.torque_ratio * thrust + d.motor.inertia * r.rate[i]);
  }
  return sum;
}
Vec3<double> drag_by_hand(const airframe::Triple& linear, const airframe::Triple& quadratic, const Vec3<double>& air) {
  return {-air.x * (linear[0] + quadratic[0] * std::abs(air.x)), -air.y * (linear[1] + quadratic[1] * std::abs(air.y)),
          -air.z * (linear[2] + quadratic[2] * std::abs(air.z))};
}

struct Accelerations {
  Vec3<double> origin_W, spin_up_B;
  std::vector<Vec3<double>> part;  // of the aircraft, their axes
};

// Unknowns: acceleration of the centre of mass of the central body, its angular acceleration, and for every aircraft the acceleration, the angular acceleration and
// the force in its joint; all in the world.
template <int N>
Accelerations body_by_body(const PlatformDef& d, const PlatformMotion<double, N>& x, const RotorState (&rotors)[N], const PlatformSurroundings<double>& e,
                           double gravity) {
  constexpr std::size_t size = 6 + 9 * N;
  std::vector<std::vector<double>> a(size, std::vector<double>(size));
  std::vector<double> b(size);
  const Mat3<double> R = math::rotation_matrix(x.centre.q_WB);
  const Vec3<double> omega = R * x.centre.omega_B, to_mass = R * test::vec(d.centre.centre_of_mass);
  const auto put = [&](std::size_t row, std::size_t column, auto&& times) {
    for (std::size_t c = 0; c < 3; ++c)
      for (std::size_t r = 0; r < 3; ++r) a[row + r][column + c] += component(times(unit(c)), r);
  };
  const auto right = [&](std::size_t row, const Vec3<double>& v) {
    for (std::size_t r = 0; r < 3; ++r) b[row + r] += component(v, r);
  };
  const auto turned_inertia = [](const Mat3<double>& r, const airframe::Triple& j) {
    return [=](const Vec3<double>& v) { return r * (test::vec(j) * math::transpose_times(r, v)); };
  };
  const auto identity = [](const Vec3<double>& v) { return v; };

  // the central body
  const auto inertia = turned_inertia(R, d.centre.inertia);
  const Vec3<double> drag = R * drag_by_hand(d.centre.linear_drag, d.centre.quadratic_drag, math::transpose_times(R, x.centre.velocity_W - e.wind_W));
  const Vec3<double> at_origin = drag + e.push_W + R * e.push_B.linear;
  put(0, 0, [&](const Vec3<double>& v) { return d.centre.mass * v; });
  right(0, at_origin + Vec3<double>{0, 0, -d.centre.mass * gravity});
  put(3, 3, inertia);
  right(3, R * e.push_B.angular - math::cross(to_mass, at_origin) - math::cross(omega, inertia(omega)));
  for (std::size_t i = 0; i < N; ++i) {
    const airframe::MultirotorDef& one = d.aircraft[i];
    const std::size_t moves = 6 + 9 * i, turns = moves + 3, joint = moves + 6;
    const Mat3<double> P = math::rotation_matrix(x.q_WB[i]);
    const Vec3<double> from_origin = R * test::vec(d.parts[i].joint), arm = from_origin - to_mass, spin = P * x.omega_B[i];
    const Vec3<double> air = math::transpose_times(P, x.centre.velocity_W + math::cross(omega, from_origin) - e.wind_W);
    const vehicles::Wrench<double> push = rotors_by_hand(one, rotors[i], air, x.omega_B[i]);
    const Vec3<double> braking = -d.joint_damping * (spin - omega);
    const auto own_inertia = turned_inertia(P, one.inertia);
    double momentum = 0;
    for (std::size_t k = 0; k < 4; ++k) momentum += one.motor.inertia * one.rotors[k].spin * rotors[i].speed[k];

    // the joint pushes the aircraft, and the aircraft pushes back
    put(moves, moves, [&](const Vec3<double>& v) { return one.mass * v; });
    put(moves, joint, [](const Vec3<double>& v) { return -v; });
    right(moves, P * (push.force_B + drag_by_hand(one.linear_drag, one.quadratic_drag, air)) + Vec3<double>{0, 0, -one.mass * gravity});
    put(0, joint, identity);
    put(3, joint, [&](const Vec3<double>& v) { return math::cross(arm, v); });
    put(turns, turns, own_inertia);
    right(turns, P * push.torque_B + braking - math::cross(spin, own_inertia(spin) + P * Vec3<double>{0, 0, momentum}));
    right(3, -braking);
    // the joint is one place of both bodies
    put(joint, moves, identity);
    put(joint, 0, [](const Vec3<double>& v) { return -v; });
    put(joint, 3, [&](const Vec3<double>& v) { return math::cross(arm, v); });
    right(joint, math::cross(omega, math::cross(omega, arm)));
  }
  const std::vector<double> s = solve(a, b);
  const auto at = [&](std::size_t k) { return Vec3<double>{s[k], s[k + 1], s[k + 2]}; };
  Accelerations out;
  out.origin_W = at(0) - math::cross(at(3), to_mass) - math::cross(omega, math::cross(omega, to_mass));
  out.spin_up_B = math::transpose_times(R, at(3));
  for (std::size_t i = 0; i < N; ++i) out.part.push_back(math::transpose_times(math::rotation_matrix(x.q_WB[i]), at(9 + 9 * i)));
  return out;
}

Vec3<double> random_vector(std::mt19937& g, double size) {
  std::normal_distribution<double> n(0, size);
  return {n(g), n(g), n(g)};
}
Quat<double> random_attitude(std::mt19937& g) {
  std::normal_distribution<double> n;
  return math::normalize(Quat<double>{n(g), n(g), n(g), n(g)});
}

template <int N> double worst_against_bodies(const PlatformDef& d, unsigned seed) {
  std::mt19937 g(seed);
  std::uniform_real_distribution<double> speed(150, 900);
  const PlatformParams<double, N> p = test::platform_params<N>(d, kStep);
  double worst = 0;
  for (int trial = 0; trial < 200; ++trial) {
    PlatformMotion<double, N> x;
    x.centre = {math::zero3<double>(), random_vector(g, 1), random_attitude(g), random_vector(g, 1.5)};
    RotorState rotors[N];
    vehicles::PlatformLoads<double, N> loads;
    for (int i = 0; i < N; ++i) {
      x.q_WB[i] = random_attitude(g), x.omega_B[i] = random_vector(g, 2);
      vehicles::Rotors<double, 4> now, rate;
      for (int k = 0; k < 4; ++k) rotors[i].speed[k] = now.speed[k] = speed(g), rotors[i].rate[k] = rate.speed[k] = speed(g) - 500;
      loads.part[i] = vehicles::rotor_loads<vehicles::PartVariant>(now, rate, p.part[i].rotor);
    }
    const PlatformSurroundings<double> e = {random_vector(g, 1), {random_vector(g, 3), random_vector(g, 1)}, random_vector(g, 3)};
    const PlatformMotion<double, N> got = vehicles::platform_derivative<double, N>(x, loads, e, p);
    const Accelerations want = body_by_body<N>(d, x, rotors, e, kG);
    worst = std::max({worst, math::norm(got.centre.velocity_W - want.origin_W), math::norm(got.centre.omega_B - want.spin_up_B)});
    worst = std::max(worst, math::norm(got.centre.displacement_W - x.centre.velocity_W));
    for (int i = 0; i < N; ++i) worst = std::max(worst, math::norm(got.omega_B[i] - want.part[static_cast<std::size_t>(i)]));
  }
  return worst;
}

TEST(platform, accelerations_are_those_of_all_bodies_with_forces_in_their_joints) {
  PlatformDef many = lopsided(), star = test::three_star(), line = test::three_line(), two = test::two_line();
  EXPECT_LT(worst_against_bodies<3>(test::in_vacuum(star), 1), 1e-9);
  EXPECT_LT(worst_against_bodies<3>(star, 2), 1e-9);
  EXPECT_LT(worst_against_bodies<4>(many, 3), 1e-9);
  EXPECT_LT(worst_against_bodies<2>(two, 4), 1e-9);
  for (PlatformDef* d : {&many, &star, &line, &two}) d->joint_damping = 0.03;
  EXPECT_LT(worst_against_bodies<3>(star, 5), 1e-9);
  EXPECT_LT(worst_against_bodies<3>(line, 6), 1e-9);
  EXPECT_LT(worst_against_bodies<4>(many, 7), 1e-9);
  EXPECT_LT(worst_against_bodies<2>(two, 8), 1e-9);
}

// ---------------------------------------------------------------- free motion

// a platform that flies by itself, its rotors held at their commands
template <int N> struct Free {
  PlatformDef def;
  PlatformParams<double, N> p;
  RigidBody<double> body;
  Part<double> part[N];
  vehicles::PartCommands<double, N> command{};
  PlatformSurroundings<double> e{math::zero3<double>(), control::zero_screw<double>(), math::zero3<double>()};
  bool euler = false;

  Free(const PlatformDef& d, double step, double gravity = 0) : def(d), p(test::platform_params<N>(d, step, gravity)), body(test::body_at<double>(0, 0, 0)) {
    for (int i = 0; i < N; ++i) {
      part[i].q_WB = math::identity_quat<double>(), part[i].omega_B = math::zero3<double>();
      part[i].rate = {math::zero3<double>(), math::zero3<double>()};
      for (int k = 0; k < 4; ++k) part[i].rotors.speed[k] = 0;
    }
  }
  void tumble() {
    body.velocity_W = {1, -2, 0.5}, body.omega_B = {1.1, -0.7, 1.6};
    const Vec3<double> spins[4] = {{3, -1, 2}, {-2, 2, 1}, {0.5, 4, -3}, {-1, -2, -3}};
    for (int i = 0; i < N; ++i) part[i].omega_B = spins[i];
  }
  void fly(double seconds) {
    for (long k = 0, n = std::lround(seconds / p.step.h); k < n; ++k) vehicles::platform_substep<double, N>(body, part, command, e, p, euler);
  }
  Vec3<double> at(const Vec3<double>& from_origin_B) const {
    const auto o = test::where(body);
    return Vec3<double>{o[0], o[1], o[2]} + math::rotation_matrix(body.q_WB) * from_origin_B;
  }
  Vec3<double> speed_of(const Vec3<double>& from_origin_B) const {
    return body.velocity_W + math::rotation_matrix(body.q_WB) * math::cross(body.omega_B, from_origin_B);
  }
  // momentum, angular momentum about the world's origin, and energy: body by body
  struct Kept {
    Vec3<double> linear{}, angular{};
    double energy = 0;
  };
  Kept kept() const {
    Kept k;
    const auto add = [&](double mass, const Vec3<double>& from_origin_B, const Mat3<double>& R, const airframe::Triple& inertia, const Vec3<double>& omega_B,
                         double spin) {
      const Vec3<double> v = speed_of(from_origin_B);
      k.linear = k.linear + mass * v;
      Vec3<double> own = test::vec(inertia) * omega_B;
      k.energy += 0.5 * mass * math::dot(v, v) + 0.5 * math::dot(omega_B, own);
      own.z += spin;
      k.angular = k.angular + mass * math::cross(at(from_origin_B), v) + R * own;
    };
    add(def.centre.mass, test::vec(def.centre.centre_of_mass), math::rotation_matrix(body.q_WB), def.centre.inertia, body.omega_B, 0);
    for (std::size_t i = 0; i < N; ++i) {
      double spin = 0;
      for (std::size_t r = 0; r < 4; ++r) spin += def.aircraft[i].motor.inertia * def.aircraft[i].rotors[r].spin * part[i].rotors.speed[r];
      add(def.aircraft[i].mass, test::vec(def.parts[i].joint), math::rotation_matrix(part[i].q_WB), def.aircraft[i].inertia, part[i].omega_B, spin);
    }
    return k;
  }
};

TEST(platform, free_motion_keeps_momentum_and_energy) {
  for (const PlatformDef& d : {test::three_star(), test::three_square(), test::three_line()}) {
    Free<3> f(test::in_vacuum(d), kStep);
    f.tumble();
    const auto before = f.kept();
    f.fly(10);
    const auto after = f.kept();
    // RK4 at 2.5 ms and 5 rad/s: (h omega)^4 per radian
    EXPECT_LT(math::norm(after.linear - before.linear), 2e-6 * math::norm(before.linear)) << d.name;
    EXPECT_LT(math::norm(after.angular - before.angular), 2e-6 * math::norm(before.angular)) << d.name;
    EXPECT_NEAR(after.energy, before.energy, 2e-6 * before.energy) << d.name;
  }
}

TEST(platform, substep_is_of_fourth_order) {
  PlatformDef d = test::in_vacuum(lopsided());  // the magnitude in quadratic drag has a kink
  d.centre.linear_drag = {0.1, 0.2, 0.3}, d.joint_damping = 0.02;
  const auto end = [&](double step) {
    Free<4> f(d, step, kG);
    f.tumble();
    for (auto& part : f.part)
      for (double& w : part.rotors.speed) w = 500;
    for (auto& c : f.command.part)
      for (double& w : c.speed) w = 700;
    f.fly(0.8);
    return f.at({0, 0, 0});
  };
  const Vec3<double> exact = end(0.0005);
  const double coarse = math::norm(end(0.008) - exact), fine = math::norm(end(0.004) - exact);
  EXPECT_LT(coarse, 1e-5);
  EXPECT_NEAR(std::log2(coarse / fine), 4, 0.5);
}

TEST(platform, rotors_that_spin_up_turn_their_aircraft_and_keep_the_angular_momentum_of_all) {
  Free<3> f(test::in_vacuum(test::three_star()), 0.0005);
  f.tumble();
  for (int i = 0; i < 3; ++i) {
    f.p.part[i].rotor.thrust2 = f.p.part[i].rotor.torque2 = f.p.part[i].rotor.torque1 = f.p.part[i].rotor.torque0 = 0;
    for (int k = 0; k < 4; ++k) f.part[i].rotors.speed[k] = 300;
    f.command.part[i] = {{900, 800, 200, 150}};
  }
  f.p.joint_damping = 0.01;
  const auto before = f.kept();
  f.fly(2);
  const auto after = f.kept();
  EXPECT_LT(math::norm(after.angular - before.angular), 1e-6 * math::norm(before.angular));
  EXPECT_NEAR(f.part[0].rotors.speed[0], 900, 1e-6);
}

TEST(platform, joint_damping_keeps_angular_momentum_and_takes_the_energy_of_turning_against_each_other) {
  PlatformDef d = test::in_vacuum(test::three_square());
  d.joint_damping = 0.05;
  Free<3> f(d, kStep);
  f.tumble();
  const auto start = f.kept();
  double last = start.energy;
  for (int k = 0; k < 100; ++k) {
    // power that the joints take, against the fall of energy over a short time
    double power = 0;
    for (const auto& part : f.part) {
      const Vec3<double> turning = math::rotation_matrix(part.q_WB) * part.omega_B - math::rotation_matrix(f.body.q_WB) * f.body.omega_B;
      power += d.joint_damping * math::dot(turning, turning);
    }
    Free<3> ahead = f;
    ahead.fly(kStep);
    if (k < 5) EXPECT_NEAR((f.kept().energy - ahead.kept().energy) / kStep, power, 0.02 * power);
    f.fly(0.1);
    const auto now = f.kept();
    EXPECT_LT(now.energy, last);
    last = now.energy;
    EXPECT_LT(math::norm(now.angular - start.angular), 1e-5 * math::norm(start.angular));
    EXPECT_LT(math::norm(now.linear - start.linear), 1e-5 * math::norm(start.linear));
  }
  for (const auto& part : f.part)
    EXPECT_LT(math::norm(math::rotation_matrix(part.q_WB) * part.omega_B - math::rotation_matrix(f.body.q_WB) * f.body.omega_B), 0.2);
}

TEST(platform, it_falls_as_everything_falls) {
  Free<3> f(test::in_vacuum(test::three_star()), kStep, kG);
  f.fly(2);
  const Vec3<double> at = f.at({0, 0, 0});
  EXPECT_NEAR(at.z, -0.5 * kG * 4, 1e-9);
  EXPECT_NEAR(std::hypot(at.x, at.y), 0, 1e-12);
  EXPECT_LT(math::norm(f.body.omega_B), 1e-12);
}

TEST(platform, it_hangs_where_thrust_equals_weight) {
  Free<3> f(test::three_star(), kStep, kG);
  const double w = std::sqrt(5.9 * kG / 12 / f.def.aircraft[0].motor.thrust2);
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 4; ++k) f.part[i].rotors.speed[k] = f.command.part[i].speed[k] = w;
  f.fly(1);
  EXPECT_LT(math::norm(f.at({0, 0, 0})), 1e-9);
  EXPECT_LT(math::norm(f.body.omega_B), 1e-9);
}

// the other integrator tends to the same motion, with an error of the first order
TEST(platform, semi_implicit_euler_tends_to_the_same_motion) {
  const auto end = [](double step, bool euler) {
    Free<3> f(test::three_star(), step, kG);
    f.euler = euler;
    f.tumble();
    f.fly(1);
    return f.at({0.1, 0, 0});
  };
  const Vec3<double> exact = end(0.0005, false);
  const double coarse = math::norm(end(0.002, true) - exact), fine = math::norm(end(0.001, true) - exact);
  EXPECT_LT(fine, 0.02);
  EXPECT_NEAR(coarse / fine, 2, 0.1);
}

// ---------------------------------------------------------------- what the coupling is worth

// origin and attitude of the platform alone, under thrust vectors that stay as they are in the world: aircraft that keep their attitude
struct Alone {
  Vec3<double> position, velocity;
  Quat<double> q;
  Vec3<double> omega;
};
Alone add(double s, const Alone& rate, const Alone& x) {
  return {math::fma(s, rate.position, x.position), math::fma(s, rate.velocity, x.velocity), vehicles::add_scaled(s, rate.q, x.q),
          math::fma(s, rate.omega, x.omega)};
}
// eqs. 2 to 4 as printed, in our axes
Alone printed(const Alone& x, const PlatformDef& d, const double (&lift)[3]) {
  const control::PlatformInertia<double> m = test::inertia_of(d);
  const Mat3<double> R = math::rotation_matrix(x.q);
  const Vec3<double> weight = math::transpose_times(R, Vec3<double>{0, 0, -m.mass * kG});
  Vec3<double> force = weight, torque = math::cross(m.centre_B, weight);
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3<double> thrust = math::transpose_times(R, Vec3<double>{0, 0, lift[i]});
    force = force + thrust, torque = torque + math::cross(test::vec(d.parts[i].joint), thrust);
  }
  const Vec3<double> spin_up = torque - math::cross(x.omega, m.inertia * x.omega);
  return {x.velocity, (1 / m.mass) * (R * force), math::quat_rate(x.q, x.omega), {spin_up.x / m.inertia.x, spin_up.y / m.inertia.y, spin_up.z / m.inertia.z}};
}
struct Apart {
  double distance, angle;  // m, rad
};
// as printed against our full form, 5 s from rest: the first aircraft lifts `more` than its share, and the others carry the rest
Apart printed_against_full(const PlatformDef& d, double more) {
  Free<3> f(test::in_vacuum(d), kStep, kG);
  const double share = f.p.body.mass * kG / 3, lift[3] = {share + more, share - more / 2, share - more / 2};
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 4; ++k) f.part[i].rotors.speed[k] = f.command.part[i].speed[k] = std::sqrt(lift[i] / 4 / d.aircraft[0].motor.thrust2);
  f.fly(5);
  Alone x = {math::zero3<double>(), math::zero3<double>(), math::identity_quat<double>(), math::zero3<double>()};
  for (int k = 0; k < 2000; ++k) {
    const double h = kStep;
    const Alone k1 = printed(x, d, lift), k2 = printed(add(h / 2, k1, x), d, lift), k3 = printed(add(h / 2, k2, x), d, lift),
                k4 = printed(add(h, k3, x), d, lift);
    x = add(h / 6, k1, add(h / 3, k2, add(h / 3, k3, add(h / 6, k4, x))));
    x.q = math::normalize(x.q);
  }
  const Quat<double> e = math::conjugate(x.q) * f.body.q_WB;
  return {math::norm(f.at({0, 0, 0}) - x.position), 2 * std::acos(std::min(1.0, std::abs(e.w)))};
}

TEST(platform, printed_equations_are_right_only_where_the_centre_of_mass_is_the_origin) {
  const Apart star = printed_against_full(test::three_star(), 2.4);
  std::printf("three-star, 5 s, 2.4 N more on one aircraft: printed eqs. 2-4 are %.1f mm and %.2f deg from the full form\n", 1000 * star.distance,
              star.angle / kDegree);
  EXPECT_GT(star.distance, 0.03);
  EXPECT_GT(star.angle, 5 * kDegree);
  PlatformDef flat = test::three_star();
  for (auto& part : flat.parts) part.joint[2] = 0;
  const Apart none = printed_against_full(flat, 2.4);
  EXPECT_LT(none.distance, 1e-8);
  EXPECT_LT(none.angle, 1e-6);
}

// ---------------------------------------------------------------- air, rows, numbers

TEST(platform, thin_air_pushes_less_in_proportion_to_its_density) {
  PlatformDef d = lopsided();
  const PlatformParams<double, 4> given = test::platform_params<4>(d, kStep, 0);
  PlatformParams<double, 4> thin = given;
  vehicles::scale_to_air(thin, given, 0.74);
  std::mt19937 g(9);
  PlatformMotion<double, 4> x;
  x.centre = {math::zero3<double>(), random_vector(g, 3), random_attitude(g), math::zero3<double>()};
  const auto rate = [&](const PlatformParams<double, 4>& p) {
    vehicles::PlatformLoads<double, 4> loads;
    for (int i = 0; i < 4; ++i) loads.part[i] = vehicles::rotor_loads<vehicles::PartVariant>({{500, 520, 480, 510}}, {}, p.part[i].rotor);
    const PlatformSurroundings<double> calm{math::zero3<double>(), control::zero_screw<double>(), math::zero3<double>()};
    return vehicles::platform_derivative<double, 4>(x, loads, calm, p);
  };
  for (int i = 0; i < 4; ++i) x.q_WB[i] = random_attitude(g), x.omega_B[i] = math::zero3<double>();
  const auto dense = rate(given), less = rate(thin);
  EXPECT_LT(math::norm(less.centre.velocity_W - 0.74 * dense.centre.velocity_W), 1e-12);
  EXPECT_LT(math::norm(less.centre.omega_B - 0.74 * dense.centre.omega_B), 1e-12);
  for (int i = 0; i < 4; ++i) EXPECT_LT(math::norm(less.omega_B[i] - 0.74 * dense.omega_B[i]), 1e-12);
  EXPECT_DOUBLE_EQ(thin.part[1].mixer.hi[0], 0.74 * given.part[1].mixer.hi[0]);
}

template <class X> int rows() {
  X x{};
  math::RowCounter count;
  X::fields(x, count);
  return count.n;
}
TEST(platform, every_number_of_a_record_is_a_row) {
  EXPECT_EQ((rows<PlatformParams<double, 3>>()) * sizeof(double), (sizeof(PlatformParams<double, 3>)));
  EXPECT_EQ(rows<Part<double>>() * sizeof(double), sizeof(Part<double>));
}

TEST(platform, float_follows_double) {
  PlatformDef d = test::three_star();
  d.joint_damping = 0.02;
  Free<3> f(d, kStep, kG);
  f.tumble();
  PlatformParams<float, 3> p;
  const auto* from = reinterpret_cast<const double*>(&f.p);
  auto* to = reinterpret_cast<float*>(&p);
  for (std::size_t k = 0; k < sizeof f.p / sizeof(double); ++k) to[k] = static_cast<float>(from[k]);
  RigidBody<float> body = test::body_at<float>(0, 0, 0);
  body.velocity_W = {1, -2, 0.5f}, body.omega_B = {1.1f, -0.7f, 1.6f};
  Part<float> part[3]{};
  for (int i = 0; i < 3; ++i) {
    const Vec3<double> w = f.part[i].omega_B;
    part[i].q_WB = math::identity_quat<float>(), part[i].omega_B = {static_cast<float>(w.x), static_cast<float>(w.y), static_cast<float>(w.z)};
  }
  const PlatformSurroundings<float> e{math::zero3<float>(), control::zero_screw<float>(), math::zero3<float>()};
  for (int k = 0; k < 400; ++k) vehicles::platform_substep<float, 3>(body, part, {}, e, p, false);
  f.fly(1);
  EXPECT_LT(test::distance(test::where(body), test::where(f.body)), 1e-4);
}

}  // namespace
}  // namespace volary
