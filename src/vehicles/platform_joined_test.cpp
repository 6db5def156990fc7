// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A platform whose bodies somebody else moves: what pushes them accelerates them as the pure form does, and all the rest of the platform is what the
// pure form makes of it.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "vehicles/joined_test_support.hpp"
#include "vehicles/platform_model.hpp"
#include "vehicles/platform_test_support.hpp"

namespace volary {
namespace {

using math::Mat3;
using math::Quat;
using math::Vec3;
using test::kG;
using test::PlatformDef;
using vehicles::PlatformProgram;
using vehicles::Wrench;

PlatformDef lopsided() {
  PlatformDef d = test::platform("lopsided", 2, {{0.7, 0.1, 0.1}, {-0.5, 0.6, 0.05}, {-0.4, -0.5, 0.2}, {0.4, -0.7, -0.1}});
  d.centre.centre_of_mass = {0.03, 0.04, -0.05};
  d.centre.linear_drag = {0.1, 0.2, 0.3}, d.centre.quadratic_drag = {0.05, 0.04, 0.03};
  d.aircraft[1] = test::f450(1.2), d.aircraft[3] = test::f450(2);
  d.joint_damping = 0.02;
  return d;
}

// one platform at some height, with all that it is given
template <int N> struct Rig {
  using Program = PlatformProgram<N>;
  using Agent = typename Program::template Agent<double>;
  engine::FlockSetup setup;
  typename Program::template Params<double> p;
  Agent a{};
  vehicles::TickInfo info;

  explicit Rig(const PlatformDef& d, double height = 3, Mode mode = Mode::Hold) {
    setup.tick = 0.005, setup.substeps = 4;
    p = vehicles::Platform::derive<Program>(d, setup).value();
    typename Program::template Plan<double> plan{};
    VehicleDef v;
    v.position_W = {1, 2, height}, v.yaw = 0.4, v.mode = mode;
    vehicles::Platform::initialise<Program>(a, plan, v, d, setup, p);
    a.status = control::kAlive | static_cast<std::uint64_t>(mode);
    info.substeps = setup.substeps;
  }
  // it tumbles in a gust while somebody pushes it, and is told to go elsewhere
  void stir(std::mt19937& g) {
    std::normal_distribution<double> n;
    const auto around = [&](double size) { return Vec3<double>{size * n(g), size * n(g), size * n(g)}; };
    const auto attitude = [&] { return math::normalize(Quat<double>{3, n(g), n(g), n(g)}); };
    a.body.velocity_W = around(1), a.body.q_WB = attitude(), a.body.omega_B = around(1);
    for (auto& part : a.part) {
      part.q_WB = attitude(), part.omega_B = around(2);
      for (double& w : part.rotors.speed) w = std::abs(500 + 100 * n(g));
    }
    a.air.gust_W = around(1), a.outside.wind_W = around(2);
    a.outside.force_W = around(3), a.outside.torque_B = around(0.5);
    a.memory.contact = {around(1), around(0.3)};
    a.setpoint.position_W = {a.body.position_W.value + around(0.3), math::zero3<double>()};
    a.setpoint.q_WB = attitude(), a.setpoint.rate_B = around(0.5);
    for (double& w : a.setpoint.motor_speed) w = std::abs(500 + 300 * n(g));
    a.pose.angles.angle = around(0.2);
  }
  auto targets() { return Program::begin(a, info, p); }
};

// ---------------------------------------------------------------- forces and torques on bodies

template <int N> struct Accelerations {
  Vec3<double> origin_W, spin_up_B, part[N];
};

// x of J x = b
Vec3<double> solve(const Mat3<double>& j, const Vec3<double>& b) {
  const Vec3<double> c0 = {j.row0.x, j.row1.x, j.row2.x}, c1 = {j.row0.y, j.row1.y, j.row2.y}, c2 = {j.row0.z, j.row1.z, j.row2.z};
  const double det = math::dot(c0, math::cross(c1, c2));
  return (1 / det) * Vec3<double>{math::dot(b, math::cross(c1, c2)), math::dot(c0, math::cross(b, c2)), math::dot(c0, math::cross(c1, b))};
}
// of a point mass, and of a body along its axes
void add_point(Mat3<double>& j, double mass, const Vec3<double>& r) {
  const double rr = math::dot(r, r);
  j.row0 = j.row0 + mass * Vec3<double>{rr - r.x * r.x, -r.x * r.y, -r.x * r.z};
  j.row1 = j.row1 + mass * Vec3<double>{-r.y * r.x, rr - r.y * r.y, -r.y * r.z};
  j.row2 = j.row2 + mass * Vec3<double>{-r.z * r.x, -r.z * r.y, rr - r.z * r.z};
}

// Newton and Euler for the whole and for each aircraft, with gravity and with joints that brake
template <int N> Accelerations<N> pushed(const PlatformDef& d, const typename Rig<N>::Agent& a, const Wrench<double> (&on)[N + 1]) {
  double mass = d.centre.mass;
  Vec3<double> moment = mass * test::vec(d.centre.centre_of_mass);
  for (std::size_t i = 0; i < N; ++i) mass += d.aircraft[i].mass, moment = moment + d.aircraft[i].mass * test::vec(d.parts[i].joint);
  const Vec3<double> centre = (1 / mass) * moment;
  Mat3<double> inertia = {{d.centre.inertia[0], 0, 0}, {0, d.centre.inertia[1], 0}, {0, 0, d.centre.inertia[2]}};
  add_point(inertia, d.centre.mass, test::vec(d.centre.centre_of_mass) - centre);
  for (std::size_t i = 0; i < N; ++i) add_point(inertia, d.aircraft[i].mass, test::vec(d.parts[i].joint) - centre);

  const Mat3<double> R = math::rotation_matrix(a.body.q_WB);
  const Vec3<double>& omega = a.body.omega_B;
  Vec3<double> force = on[0].force_B, torque = on[0].torque_B;
  Accelerations<N> out;
  for (std::size_t i = 0; i < N; ++i) {
    const Mat3<double> P = math::rotation_matrix(a.part[i].q_WB);
    const Vec3<double> &turns = a.part[i].omega_B, j = test::vec(d.aircraft[i].inertia);
    const Vec3<double> braking = -d.joint_damping * (P * turns - R * omega), there = math::transpose_times(R, P * on[i + 1].force_B);
    force = force + there, torque = torque + math::cross(test::vec(d.parts[i].joint), there) - math::transpose_times(R, braking);
    const Vec3<double> own = on[i + 1].torque_B + math::transpose_times(P, braking) - math::cross(turns, j * turns);
    out.part[i] = {own.x / j.x, own.y / j.y, own.z / j.z};
  }
  out.spin_up_B = solve(inertia, torque - math::cross(centre, force) - math::cross(omega, inertia * omega));
  out.origin_W = R * ((1 / mass) * force - math::cross(out.spin_up_B, centre) - math::cross(omega, math::cross(omega, centre))) + Vec3<double>{0, 0, -kG};
  return out;
}

template <int N> double worst_against_pure_form(const PlatformDef& d, unsigned seed) {
  std::mt19937 g(seed);
  double worst = 0;
  for (int trial = 0; trial < 100; ++trial) {
    Rig<N> rig(d);
    rig.stir(g);
    const auto targets = rig.targets();
    auto before = rig.a;
    Wrench<double> on[N + 1];
    Rig<N>::Program::drive(rig.a, targets, false, rig.info, rig.p, on);
    const Accelerations<N> got = pushed<N>(d, before, on);

    const auto surroundings = vehicles::platform_surroundings<double, N>(before, rig.p);
    const auto command = vehicles::aircraft_commands<double, N>(before, targets.aircraft, false, false, rig.p);
    const auto loads = vehicles::platform_loads<double, N>(vehicles::track_platform(before.part, command, rig.p), 1, rig.p);
    const auto want = vehicles::platform_derivative<double, N>(vehicles::begin_platform(before.body, before.part), loads, surroundings, rig.p);
    worst = std::max({worst, math::norm(got.origin_W - want.centre.velocity_W), math::norm(got.spin_up_B - want.centre.omega_B)});
    for (int i = 0; i < N; ++i) worst = std::max(worst, math::norm(got.part[i] - want.omega_B[i]));
  }
  return worst;
}

TEST(platform_joined, its_bodies_are_pushed_as_the_pure_form_is_with_rotors_of_the_middle_of_a_substep) {
  EXPECT_LT(worst_against_pure_form<3>(test::three_star(), 1), 1e-9);
  EXPECT_LT(worst_against_pure_form<4>(lopsided(), 2), 1e-9);
  EXPECT_LT(worst_against_pure_form<2>(test::two_line(), 3), 1e-9);
}

TEST(platform_joined, the_ground_carries_one_that_stands_on_it) {
  Rig<3> rig(test::three_star(), 0, Mode::Disarmed);
  const auto targets = rig.targets();
  EXPECT_EQ(targets.is_low, 1);
  Wrench<double> on[4];
  Rig<3>::Program::drive(rig.a, targets, false, rig.info, rig.p, on);
  const double weight = rig.p.body.mass * kG;
  EXPECT_NEAR(on[0].force_B.z, weight, 0.02 * weight);
  EXPECT_NEAR(rig.a.air.ground_force, on[0].force_B.z, 1e-9);
  EXPECT_NEAR(rig.a.memory.contact.linear.z, on[0].force_B.z, 1e-9);
  for (int i = 1; i < 4; ++i) EXPECT_LT(math::norm(on[i].force_B), 1e-9) << "its rotors stand still";
}

// ---------------------------------------------------------------- everything but the bodies

// a tick of the pure form, and the same tick with bodies that are moved as the pure form moves them
template <int N> void expect_same(const Rig<N>& start, const char* what) {
  Rig<N> pure = start, joined = start;
  Rig<N>::Program::advance(pure.a, pure.info, pure.p);
  const auto targets = joined.targets();
  for (int k = 0; k < joined.info.substeps; ++k) {
    auto whole = joined.a;
    Wrench<double> on[N + 1];
    Rig<N>::Program::drive(joined.a, targets, k + 1 == joined.info.substeps, joined.info, joined.p, on);
    const bool direct = whole.setpoint.level == 0, low = targets.is_low > 0.5;
    const auto command = vehicles::aircraft_commands<double, N>(whole, targets.aircraft, vehicles::has_still_rotors<double>(whole.status), direct, joined.p);
    const auto e = vehicles::pushes_from_outside<double, N>(whole, low, command, joined.info, joined.p);
    vehicles::platform_substep<double, N>(whole.body, whole.part, command, e, joined.p, false);
    joined.a.body = whole.body;
    for (int i = 0; i < N; ++i) joined.a.part[i].q_WB = whole.part[i].q_WB, joined.a.part[i].omega_B = whole.part[i].omega_B;
  }
  EXPECT_EQ(test::words_of(joined.a), test::words_of(pure.a)) << what;
}

TEST(platform_joined, all_but_its_bodies_is_what_the_pure_form_makes_of_it) {
  std::mt19937 g(4);
  for (int level = 0; level <= 6; ++level)
    for (int reaction = 0; reaction < 3; ++reaction)
      for (const Mode mode : {Mode::Hold, Mode::Armed, Mode::Disarmed, Mode::EmergencyStop}) {
        Rig<4> rig(lopsided(), 3, mode);
        rig.stir(g);
        rig.a.setpoint.level = static_cast<std::uint64_t>(level), rig.a.pose.reaction = static_cast<std::uint64_t>(reaction);
        expect_same(rig, "in the air");
      }
}

TEST(platform_joined, an_imu_measures_what_that_of_the_pure_form_does) {
  using Program = PlatformProgram<4, true>;
  const PlatformDef d = lopsided();
  std::mt19937 g(6);
  for (const bool by_truth : {true, false})
    for (const bool believes : {true, false}) {
      Rig<4> stirred(d);
      stirred.stir(g);
      const engine::FlockSetup setup = test::shaken(by_truth);
      const auto p = vehicles::Platform::derive<Program>(d, setup).value();
      Program::Agent<double> pure{};
      Program::Plan<double> plan{};
      vehicles::Platform::initialise<Program>(pure, plan, VehicleDef{.position_W = {1, 2, 3}, .mode = Mode::Hold}, d, setup, p);
      static_cast<vehicles::PlatformAgent<4, double>&>(pure) = stirred.a;
      vehicles::TickInfo info = stirred.info;
      info.who = test::kAnyone.data(), info.by_truth = by_truth, info.believes = believes;
      Program::Agent<double> joined = pure;
      Program::advance(pure, info, p);
      const auto targets = Program::begin(joined, info, p);
      auto samples = Program::begin_samples(joined, info, p);
      for (int k = 0; k < info.substeps; ++k) {
        auto whole = joined;
        Wrench<double> on[5];
        Program::drive(joined, targets, k + 1 == info.substeps, info, p, on);
        vehicles::platform_step<double, 4>(whole, targets.aircraft, false, info, p);
        joined.body = whole.body;
        for (int i = 0; i < 4; ++i) joined.part[i].q_WB = whole.part[i].q_WB, joined.part[i].omega_B = whole.part[i].omega_B;
        Program::sample(joined, samples, k, k + 1 == info.substeps, info, p);
      }
      EXPECT_EQ(test::words_of(joined), test::words_of(pure)) << by_truth << believes;
      EXPECT_NE(math::norm(pure.sensed.imu.delta_velocity), 0);
    }
}

TEST(platform_joined, the_ground_does_to_it_what_it_does_to_the_pure_form) {
  std::mt19937 g(5);
  int pressed = 0, hit = 0;
  for (int trial = 0; trial < 40; ++trial) {
    Rig<3> rig(test::three_star(), 0, trial % 2 == 0 ? Mode::Disarmed : Mode::Hold);
    rig.a.body.position_W.value.z += 0.004 * (trial % 8) - 0.02;
    rig.a.body.velocity_W = {0.1 * trial, 0, 0.4 - 0.04 * trial};
    rig.info.impact_speed = 0.5;
    expect_same(rig, "on the ground");
    Rig<3>::Program::advance(rig.a, rig.info, rig.p);
    pressed += rig.a.air.ground_force > 0 ? 1 : 0;
    hit += (rig.a.status & control::kImpact) != 0 ? 1 : 0;
  }
  EXPECT_GT(pressed, 10);
  EXPECT_GT(hit, 5);
}

}  // namespace
}  // namespace volary
