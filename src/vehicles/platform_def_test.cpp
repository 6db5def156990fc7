// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Platforms as their definitions describe them: the composite body against sums by hand, the actuation map and its inverse, and what is refused.
#include "vehicles/platform_def.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "vehicles/platform_test_support.hpp"

namespace volary {
namespace {

using airframe::Actuation;
using airframe::Composite;
using airframe::Six;
using airframe::Triple;
using test::kG;
using test::PlatformDef;

// joints on a line that runs through neither the origin nor the centre of mass, along no axis
PlatformDef skew_line() {
  PlatformDef d = test::platform("skew line", 1, {{0.9, 0.5, 0.3}, {-0.3, -0.1, 0.1}, {-0.9, -0.4, 0.0}});
  d.centre.centre_of_mass = {0.02, -0.05, -0.1};
  return d;
}
// nothing alike, no symmetry
PlatformDef lopsided() {
  PlatformDef d = test::platform("lopsided", 2, {{0.7, 0.1, 0.1}, {-0.5, 0.6, 0.05}, {-0.4, -0.5, 0.2}, {0.4, -0.7, -0.1}});
  d.centre.centre_of_mass = {0.03, 0.04, -0.05};
  d.aircraft[1] = test::f450(1.2), d.aircraft[3] = test::f450(2);
  return d;
}
std::vector<PlatformDef> all_platforms() { return {test::three_star(), test::three_square(), test::two_line(), test::three_line(), skew_line(), lopsided()}; }

using Matrix = std::vector<std::vector<double>>;
Matrix rows_of(const std::vector<std::array<Six, 3>>& columns) {
  Matrix m(6, std::vector<double>(3 * columns.size()));
  for (std::size_t c = 0; c < 3 * columns.size(); ++c)
    for (std::size_t r = 0; r < 6; ++r) m[r][c] = columns[c / 3][c % 3][r];
  return m;
}
std::vector<double> thrusts(const Actuation& a, const Six& wrench) {
  std::vector<double> f;
  for (const auto& part : a.allocation)
    for (const Six& row : part) {
      f.push_back(0);
      for (std::size_t k = 0; k < 6; ++k) f.back() += row[k] * wrench[k];
    }
  return f;
}
Six wrench_of(const Actuation& a, const std::vector<double>& f) {
  const Matrix b = rows_of(a.map);
  Six w{};
  for (std::size_t r = 0; r < 6; ++r)
    for (std::size_t c = 0; c < f.size(); ++c) w[r] += b[r][c] * f[c];
  return w;
}
double inner(const Six& a, const Six& b) {
  double s = 0;
  for (std::size_t k = 0; k < 6; ++k) s += a[k] * b[k];
  return s;
}
double square(const std::vector<double>& f) {
  double s = 0;
  for (double x : f) s += x * x;
  return s;
}
Six random_six(std::mt19937& g) {
  std::normal_distribution<double> n(0, 5);
  return {n(g), n(g), n(g), n(g), n(g), n(g)};
}
Six momentum(const PlatformDef& d, const Six& twist) {
  const control::Screw<double> p = control::times_inertia(test::inertia_of(d), test::screw(twist));
  return {p.linear.x, p.linear.y, p.linear.z, p.angular.x, p.angular.y, p.angular.z};
}

// ---------------------------------------------------------------- the whole as one body

TEST(platform_def, three_star_weighs_5_9_kg_and_has_its_centre_of_mass_57_mm_above_the_origin) {
  const Composite c = airframe::composite(test::three_star());
  EXPECT_DOUBLE_EQ(c.mass, 1.1 + 3 * 1.6);
  EXPECT_NEAR(c.centre[2], 0.07 * 4.8 / 5.9, 1e-15);
  EXPECT_NEAR(c.centre[0], 0, 1e-15);
  EXPECT_NEAR(c.centre[1], 0, 1e-15);
  // three points at 120 degrees: half of r^2 about each horizontal axis
  EXPECT_NEAR(c.inertia.diagonal[0], 0.0532 + 4.8 * (0.5 * 0.48 * 0.48 + 0.07 * 0.07), 1e-14);
  EXPECT_NEAR(c.inertia.diagonal[1], c.inertia.diagonal[0], 1e-14);
  EXPECT_NEAR(c.inertia.diagonal[2], 0.1039 + 4.8 * 0.48 * 0.48, 1e-14);
  for (double product : c.inertia.products) EXPECT_NEAR(product, 0, 1e-14);
}

// energies of turning about each of many axes, body by body: sums of squares of speeds
TEST(platform_def, composite_inertia_is_that_of_its_bodies_about_any_axis) {
  std::mt19937 g(1);
  std::normal_distribution<double> n;
  for (const PlatformDef& d : all_platforms()) {
    const Composite c = airframe::composite(d);
    double mass = d.centre.mass;
    Triple moment{};
    for (std::size_t k = 0; k < 3; ++k) moment[k] = d.centre.mass * d.centre.centre_of_mass[k];
    for (std::size_t i = 0; i < d.parts.size(); ++i) {
      mass += d.aircraft[i].mass;
      for (std::size_t k = 0; k < 3; ++k) moment[k] += d.aircraft[i].mass * d.parts[i].joint[k];
    }
    EXPECT_NEAR(c.mass, mass, 1e-12) << d.name;
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(c.centre[k], moment[k] / mass, 1e-12) << d.name;
    for (int trial = 0; trial < 20; ++trial) {
      const math::Vec3<double> axis = {n(g), n(g), n(g)};
      const auto about = [&](const math::Vec3<double>& origin) {
        const auto speed2 = [&](const Triple& at) {
          const math::Vec3<double> v = math::cross(axis, test::vec(at) - origin);
          return math::dot(v, v);
        };
        double twice = d.centre.mass * speed2(d.centre.centre_of_mass) + math::dot(axis * axis, test::vec(d.centre.inertia));
        for (std::size_t i = 0; i < d.parts.size(); ++i) twice += d.aircraft[i].mass * speed2(d.parts[i].joint);
        return twice;
      };
      const auto quadratic = [&](const airframe::Symmetric3& j) {
        return math::dot(axis, control::times_tensor(test::vec(j.diagonal), test::vec(j.products), axis));
      };
      ASSERT_NEAR(quadratic(c.inertia), about(math::zero3<double>()), 1e-12) << d.name;
      ASSERT_NEAR(quadratic(c.central), about(test::vec(c.centre)), 1e-12) << d.name << ": parallel axes";
    }
  }
}

// kinetic energy of all bodies is half of twist . M twist, with the coupling of translation and rotation
TEST(platform_def, momentum_matrix_gives_the_kinetic_energy_of_any_motion) {
  std::mt19937 g(2);
  for (const PlatformDef& d : all_platforms()) {
    for (int trial = 0; trial < 20; ++trial) {
      const Six twist = random_six(g);
      const math::Vec3<double> v = {twist[0], twist[1], twist[2]}, w = {twist[3], twist[4], twist[5]};
      const auto energy = [&](double mass, const Triple& at) {
        const math::Vec3<double> u = v + math::cross(w, test::vec(at));
        return 0.5 * mass * math::dot(u, u);
      };
      double sum = energy(d.centre.mass, d.centre.centre_of_mass) + 0.5 * math::dot(w * w, test::vec(d.centre.inertia));
      for (std::size_t i = 0; i < d.parts.size(); ++i) sum += energy(d.aircraft[i].mass, d.parts[i].joint);
      ASSERT_NEAR(0.5 * inner(twist, momentum(d, twist)), sum, 1e-10 * sum) << d.name;
    }
  }
}

// ---------------------------------------------------------------- what thrust can do

TEST(platform_def, rank_is_6_for_star_and_square_and_5_for_lines) {
  EXPECT_EQ(airframe::actuation(test::three_star()).rank, 6);
  EXPECT_EQ(airframe::actuation(test::three_square()).rank, 6);
  EXPECT_EQ(airframe::actuation(test::two_line()).rank, 5);
  EXPECT_EQ(airframe::actuation(test::three_line()).rank, 5);
  EXPECT_EQ(airframe::actuation(skew_line()).rank, 5);
  EXPECT_EQ(airframe::actuation(lopsided()).rank, 6);
  EXPECT_EQ(airframe::name_missing(airframe::actuation(test::three_star())), "");
}

TEST(platform_def, a_line_lacks_the_torque_about_the_line_of_its_joints) {
  EXPECT_EQ(airframe::name_missing(airframe::actuation(test::two_line())), "torque about the line of joints: direction (1, 0, 0) through (1, 0, 0) m");
  EXPECT_EQ(airframe::name_missing(airframe::actuation(test::three_line())), "torque about the line of joints: direction (1, 0, 0) through (1, 0, 0.05) m");
  EXPECT_EQ(airframe::name_missing(airframe::actuation(test::platform("across", 1, {{0, 0, 0.1}, {0.5, -0.5, 0.1}}))),
            "torque about the line of joints: direction (0.707, -0.707, 0) through (0, 0, 0.1) m");
  for (const PlatformDef& d : {test::two_line(), test::three_line(), skew_line()}) {
    const Actuation a = airframe::actuation(d);
    const math::Vec3<double> line = test::vec(a.line), along = test::vec(d.parts[0].joint) - test::vec(d.parts[1].joint);
    EXPECT_NEAR(math::norm(line), 1, 1e-12) << d.name;
    EXPECT_LT(math::norm(math::cross(line, along)), 1e-12) << d.name;
    EXPECT_EQ(a.through, d.parts[0].joint) << d.name;
    // the missing motion turns about the line: no joint moves, so no thrust does work
    const control::Screw<double> n = test::screw(a.missing);
    EXPECT_LT(math::norm(n.angular - line), 1e-12) << d.name;
    for (const auto& p : d.parts) EXPECT_LT(math::norm(n.linear + math::cross(n.angular, test::vec(p.joint))), 1e-12) << d.name;
  }
}

TEST(platform_def, map_is_the_sum_of_forces_and_of_moments_about_the_origin) {
  std::mt19937 g(3);
  std::normal_distribution<double> n;
  for (const PlatformDef& d : all_platforms()) {
    const Actuation a = airframe::actuation(d);
    std::vector<double> f;
    math::Vec3<double> force{}, torque{};
    for (const auto& p : d.parts) {
      const math::Vec3<double> one = {n(g), n(g), n(g)};
      f.insert(f.end(), {one.x, one.y, one.z});
      force = force + one;
      torque = torque + math::cross(test::vec(p.joint), one);
    }
    const control::Screw<double> got = test::screw(wrench_of(a, f));
    EXPECT_LT(math::norm(got.linear - force) + math::norm(got.angular - torque), 1e-12) << d.name;
  }
}

TEST(platform_def, allocation_of_full_rank_gives_the_wrench_with_the_least_thrust) {
  std::mt19937 g(4);
  std::normal_distribution<double> n;
  for (const PlatformDef& d : {test::three_star(), test::three_square(), lopsided()}) {
    const Actuation a = airframe::actuation(d);
    for (int trial = 0; trial < 50; ++trial) {
      const Six wanted = random_six(g), got = wrench_of(a, thrusts(a, wanted));
      for (std::size_t k = 0; k < 6; ++k) ASSERT_NEAR(got[k], wanted[k], 1e-11) << d.name;
      // every other solution is this one and something that the map does not see
      std::vector<double> other(3 * d.parts.size());
      for (double& x : other) x = n(g);
      const std::vector<double> seen = thrusts(a, wrench_of(a, other)), least = thrusts(a, wanted);
      std::vector<double> more = least;
      for (std::size_t k = 0; k < more.size(); ++k) more[k] += other[k] - seen[k];
      const Six same = wrench_of(a, more);
      for (std::size_t k = 0; k < 6; ++k) ASSERT_NEAR(same[k], wanted[k], 1e-11) << d.name;
      ASSERT_GT(square(more), square(least) + 1e-6) << d.name;
    }
  }
}

// On a line the momentum along the missing motion cannot be forced, and every motion that carries no such momentum goes as the wrench wants it.
TEST(platform_def, allocation_on_a_line_leaves_the_missing_momentum_alone_and_gives_the_rest) {
  std::mt19937 g(5);
  for (const PlatformDef& d : {test::two_line(), test::three_line(), skew_line()}) {
    const Actuation a = airframe::actuation(d);
    const Six weighed = momentum(d, a.missing);
    const double size = inner(a.missing, weighed);
    for (int trial = 0; trial < 50; ++trial) {
      const Six wanted = random_six(g), got = wrench_of(a, thrusts(a, wanted));
      ASSERT_NEAR(inner(a.missing, got), 0, 1e-11) << d.name;
      Six other = random_six(g);
      const double along = inner(other, weighed) / size;
      for (std::size_t k = 0; k < 6; ++k) other[k] -= along * a.missing[k];
      ASSERT_NEAR(inner(other, got), inner(other, wanted), 1e-9) << d.name;
    }
    // a wrench along that momentum asks for nothing at all
    EXPECT_LT(square(thrusts(a, weighed)), 1e-20) << d.name;
  }
}

TEST(platform_def, hover_forces_carry_the_weight_without_a_moment_about_the_centre_of_mass) {
  const std::vector<double> star = airframe::hover_forces(test::three_star(), kG);
  for (double f : star) EXPECT_NEAR(f, 5.9 * kG / 3, 1e-9);
  const std::vector<double> line = airframe::hover_forces(test::three_line(), kG);
  for (double f : line) EXPECT_NEAR(f, 5.8 * kG / 3, 1e-9);
  // an uneven one: forces that are all upright carry it too, but none of less effort
  const PlatformDef d = lopsided();
  const std::vector<double> f = airframe::hover_forces(d, kG);
  const Composite c = airframe::composite(d);
  const Actuation a = airframe::actuation(d);
  const std::vector<double> vectors = thrusts(a, {0, 0, c.mass * kG, c.centre[1] * c.mass * kG, -c.centre[0] * c.mass * kG, 0});
  math::Vec3<double> force{}, moment{};
  for (std::size_t i = 0; i < 4; ++i) {
    const math::Vec3<double> one = {vectors[3 * i], vectors[3 * i + 1], vectors[3 * i + 2]};
    EXPECT_NEAR(f[i], math::norm(one), 1e-12);
    force = force + one;
    moment = moment + math::cross(test::vec(d.parts[i].joint) - test::vec(c.centre), one);
  }
  EXPECT_NEAR(force.z, c.mass * kG, 1e-9);
  EXPECT_LT(std::hypot(force.x, force.y) + math::norm(moment), 1e-9);
}

// ---------------------------------------------------------------- joints that hold

airframe::LinkDef fixed() { return {.kind = airframe::LinkKind::Fixed}; }
airframe::LinkDef hinge(const Triple& axis) { return {.kind = airframe::LinkKind::Hinge, .axis = axis}; }
// three aircraft that tilt sideways only: each hinge points from the centre to its aircraft
PlatformDef star_of_hinges() {
  PlatformDef d = test::three_star();
  for (auto& p : d.parts) p.link = hinge({p.joint[0], p.joint[1], 0});
  return d;
}
// two on ball joints, and one ahead that is part of the body
PlatformDef star_with_one_fixed() {
  PlatformDef d = test::three_star();
  d.parts[0].link = fixed();
  return d;
}

TEST(platform_def, a_fixed_aircraft_pulls_along_z_and_one_on_a_hinge_across_its_axis) {
  std::mt19937 g(6);
  PlatformDef d = lopsided();
  d.parts[1].link = fixed();
  d.parts[2].link = hinge({0.3, -0.8, 0});
  const Actuation a = airframe::actuation(d), free = airframe::actuation(lopsided());
  EXPECT_EQ(a.rank, 6);
  EXPECT_EQ(a.map[0], free.map[0]) << "a ball joint lets it pull anywhere";
  EXPECT_EQ(a.map[1][0], Six{}) << "never forward";
  EXPECT_EQ(a.map[1][1], Six{}) << "never sideways";
  EXPECT_EQ(a.map[1][2], free.map[1][2]);
  for (int trial = 0; trial < 50; ++trial) {
    const Six wanted = random_six(g);
    const std::vector<double> f = thrusts(a, wanted);
    ASSERT_NEAR(std::hypot(f[3], f[4]), 0, 1e-12);
    ASSERT_NEAR(0.3 * f[6] - 0.8 * f[7], 0, 1e-11);
    // and what they can pull together is what is wanted, through joints that have no say in it
    math::Vec3<double> force{}, torque{};
    for (std::size_t i = 0; i < 4; ++i) {
      const math::Vec3<double> one = {f[3 * i], f[3 * i + 1], f[3 * i + 2]};
      force = force + one, torque = torque + math::cross(test::vec(d.parts[i].joint), one);
    }
    const control::Screw<double> w = test::screw(wanted);
    ASSERT_LT(math::norm(force - w.linear) + math::norm(torque - w.angular), 1e-10);
  }
}

TEST(platform_def, an_axis_of_any_length_and_either_sign_is_the_same_hinge) {
  PlatformDef one = star_of_hinges(), other = one;
  for (auto& p : other.parts)
    for (double& x : p.link.axis) x *= -7;
  const Actuation a = airframe::actuation(one), b = airframe::actuation(other);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t r = 0; r < 6; ++r) EXPECT_NEAR(a.allocation[i][k][r], b.allocation[i][k][r], 1e-12);
}

TEST(platform_def, joints_that_hold_leave_a_platform_all_directions_or_name_what_they_take) {
  for (const PlatformDef& d : {star_of_hinges(), star_with_one_fixed()}) {
    EXPECT_EQ(airframe::actuation(d).rank, 6);
    const core::Status s = airframe::check_platform(d);
    EXPECT_TRUE(static_cast<bool>(s)) << (s ? "" : s.error().text());
  }
  // hinges across the arms: every aircraft tilts to and from the centre, and none can turn the platform about z
  PlatformDef d = test::three_star();
  for (auto& p : d.parts) p.link = hinge({-p.joint[1], p.joint[0], 0});
  EXPECT_EQ(airframe::actuation(d).rank, 5);
  EXPECT_EQ(airframe::name_missing(airframe::actuation(d)), "torque about direction (0, 0, 1) through (0, 0, 0) m");
  EXPECT_FALSE(airframe::has_line(airframe::actuation(d)));
  // all hinges along x
  for (auto& p : d.parts) p.link = hinge({1, 0, 0});
  EXPECT_EQ(airframe::actuation(d).rank, 5);
  EXPECT_EQ(airframe::name_missing(airframe::actuation(d)), "force along (1, 0, 0)");
  // a hinge takes nothing where a joint on the line pulls for it
  PlatformDef line = test::three_line();
  line.parts[1].link = fixed();
  EXPECT_EQ(airframe::name_missing(airframe::actuation(line)), airframe::name_missing(airframe::actuation(test::three_line())));
  EXPECT_TRUE(airframe::has_line(airframe::actuation(line)));
  EXPECT_TRUE(static_cast<bool>(airframe::check_platform(line)));
  for (auto& p : d.parts) p.link = fixed();
  EXPECT_EQ(airframe::actuation(d).rank, 3);
}

TEST(platform_def, aircraft_that_turn_with_the_platform_are_part_of_its_inertia) {
  PlatformDef d = test::three_star();
  const Composite free = airframe::composite(d);
  d.parts[0].yaw = 1.5707963267948966;
  const airframe::MultirotorDef& aircraft = d.aircraft[0];
  EXPECT_EQ(airframe::composite(d).inertia.diagonal, free.inertia.diagonal) << "on ball joints it does not matter";
  d.parts[0].link = fixed();
  const Composite held = airframe::composite(d);
  EXPECT_NEAR(held.inertia.diagonal[0] - free.inertia.diagonal[0], aircraft.inertia[1], 1e-12) << "it looks to the left";
  EXPECT_NEAR(held.inertia.diagonal[1] - free.inertia.diagonal[1], aircraft.inertia[0], 1e-12);
  EXPECT_NEAR(held.inertia.diagonal[2] - free.inertia.diagonal[2], aircraft.inertia[2], 1e-12);
  EXPECT_EQ(held.mass, free.mass);
  // about the axis of a hinge it turns by itself
  d.parts[0].link = hinge({0, 2, 0});
  const Composite hinged = airframe::composite(d);
  EXPECT_NEAR(hinged.inertia.diagonal[0] - free.inertia.diagonal[0], aircraft.inertia[1], 1e-12);
  EXPECT_NEAR(hinged.inertia.diagonal[1] - free.inertia.diagonal[1], 0, 1e-12);
  EXPECT_NEAR(hinged.inertia.diagonal[2] - free.inertia.diagonal[2], aircraft.inertia[2], 1e-12);
  // energies of turning about any axis, with products of inertia
  d.parts[0].yaw = 0.4, d.parts[0].link = fixed(), d.aircraft[0].inertia_products = {0.001, -0.002, 0.0015};
  const Composite whole = airframe::composite(d);
  std::mt19937 g(8);
  std::normal_distribution<double> n;
  for (int trial = 0; trial < 20; ++trial) {
    const math::Vec3<double> w = {n(g), n(g), n(g)}, own = {std::cos(0.4) * w.x + std::sin(0.4) * w.y, -std::sin(0.4) * w.x + std::cos(0.4) * w.y, w.z};
    const auto energy = [](const Triple& j, const Triple& p, const math::Vec3<double>& v) {
      return math::dot(v, control::times_tensor(test::vec(j), test::vec(p), v));
    };
    ASSERT_NEAR(energy(whole.inertia.diagonal, whole.inertia.products, w) - energy(free.inertia.diagonal, free.inertia.products, w),
                energy(d.aircraft[0].inertia, d.aircraft[0].inertia_products, own), 1e-12);
  }
}

// ---------------------------------------------------------------- size

TEST(platform_def, one_body_has_all_rotors_and_stands_on_the_outer_feet) {
  const airframe::MultirotorDef one = airframe::as_one_body(test::three_star());
  EXPECT_EQ(one.rotors.size(), 12u);
  EXPECT_NEAR(one.mass, 5.9, 1e-12);
  ASSERT_EQ(one.feet.size(), 4u);
  double low = 0, high = 0;
  for (const Triple& f : one.feet) {
    EXPECT_NEAR(f[2], 0.07 - 0.12, 1e-12);
    low = std::min(low, f[0]), high = std::max(high, f[0]);
  }
  EXPECT_NEAR(high, 0.48 + 0.13, 1e-12);
  EXPECT_NEAR(low, -0.24 - 0.13, 1e-12);
  EXPECT_NEAR(airframe::extent(test::three_star())[0], std::hypot(0.24 + 0.1591, std::sqrt(0.75) * 0.48 + 0.1591) + 0.119, 1e-9);
}

TEST(platform_def, aircraft_without_feet_stand_on_what_is_under_their_rotors) {
  PlatformDef d = test::two_line();
  for (airframe::MultirotorDef& a : d.aircraft) a.feet.clear();
  d.aircraft[1].motor.radius = 0.2;
  const airframe::MultirotorDef one = airframe::as_one_body(d);
  double low = 0, high = 0;
  for (const Triple& f : one.feet) low = std::min(low, f[1]), high = std::max(high, f[1]);
  EXPECT_DOUBLE_EQ(low, -high);
  EXPECT_GT(high, 0.15);
  EXPECT_LT(one.feet[0][2], -0.04);
  EXPECT_EQ(one.motor.radius, 0.2) << "the largest propeller of all";
  d.centre.size = {3, 3, 0.1};
  const airframe::MultirotorDef wide = airframe::as_one_body(d);
  EXPECT_DOUBLE_EQ(wide.feet[0][1], 1.5);
  EXPECT_DOUBLE_EQ(wide.feet[2][1], -1.5);
  EXPECT_DOUBLE_EQ(wide.feet[2][0], -1.5);
}

TEST(platform_def, an_aircraft_turned_by_its_yaw_turns_its_rotors_and_feet) {
  PlatformDef d = test::two_line();
  d.parts[0].yaw = 0.5;
  const airframe::MultirotorDef one = airframe::as_one_body(d);
  const Triple& hub = d.aircraft[0].rotors[0].position;
  EXPECT_NEAR(one.rotors[0].position[0], 1 + std::cos(0.5) * hub[0] - std::sin(0.5) * hub[1], 1e-12);
  EXPECT_NEAR(one.rotors[0].position[1], std::sin(0.5) * hub[0] + std::cos(0.5) * hub[1], 1e-12);
  EXPECT_NEAR(one.rotors[0].position[2], hub[2], 1e-12);
}

// ---------------------------------------------------------------- what is refused

struct Refusal {
  const char* what;
  std::function<void(PlatformDef&)> spoil;
  const char *field, *message, *suggestion;  // parts of the texts
};

TEST(platform_def, platforms_of_the_paper_are_accepted) {
  for (const PlatformDef& d : {test::three_star(), test::three_square(), test::two_line(), test::three_line()}) {
    const core::Status s = airframe::check_platform(d);
    EXPECT_TRUE(static_cast<bool>(s)) << d.name << ": " << (s ? "" : s.error().text());
  }
}

TEST(platform_def, what_cannot_exist_or_fly_is_refused_with_field_and_suggestion) {
  const Refusal refusals[] = {
      {"inertia", [](PlatformDef& d) { d.centre.inertia = {0.1, 0.1, 0.3}; }, "centre.inertia", "no body has moments of inertia", "at most the sum"},
      {"joints in one place", [](PlatformDef& d) { d.parts[1].joint = d.parts[2].joint; }, "parts[2].joint", "less than 5 cm", "side by side"},
      {"almost a line", [](PlatformDef& d) { d.parts[0].joint = {1, 0, 0.07}, d.parts[1].joint = {0, 0.01, 0.07}, d.parts[2].joint = {-1, 0, 0.07}; }, "parts",
       "almost on one line", "exactly on the line"},
      {"overlap", [](PlatformDef& d) { d.parts[1].joint = {-0.2, 0.2, 0.07}, d.parts[2].joint = {-0.2, -0.2, 0.07}; }, "parts[2].joint",
       "overlaps that of parts[1]", "farther apart"},
      {"overlap one above the other", [](PlatformDef& d) { d.parts[1].joint = {0.48, 0.1, 0.3}; }, "parts[1].joint", "overlaps that of parts[0]",
       "farther apart"},
      {"below the centre", [](PlatformDef& d) { d = test::three_line(), d.centre.centre_of_mass = {0, 0, 0.1}; }, "parts", "above the line of joints",
       "at the height of the centre of mass or above"},
      {"beside the line", [](PlatformDef& d) { d = test::three_line(), d.centre.centre_of_mass = {0, 0.01, 0}; }, "parts", "beside the line of joints",
       "a line above the centre of mass"},
      {"too heavy", [](PlatformDef& d) { d.centre.mass = 8; }, "parts[0]", "hovering takes", "a stronger aircraft, or less mass"},
      {"six rotors", [](PlatformDef& d) { d.aircraft[1] = test::star(6, 0.2, 0); }, "parts[1].airframe", "has not four equal rotors in one plane",
       "a quadrotor"},
      {"hinges that take a direction", [](PlatformDef& d) { for (auto& p : d.parts) p.link = hinge({1, 0, 0}); }, "parts", "no force along (1, 0, 0)",
       "hinges about different axes"},
      {"all fixed", [](PlatformDef& d) { for (auto& p : d.parts) p.link = fixed(); }, "parts", "only 3 of 6 directions", "ball joints"},
      {"a hinge that is upright", [](PlatformDef& d) { d.parts[1].link = hinge({0.1, 0, 1}); }, "parts[1].link.axis", "across its thrust", "[1, 0, 0]"},
      {"a hinge without an axis", [](PlatformDef& d) { d.parts[2].link = hinge({0, 0, 0}); }, "parts[2].link.axis", "no axis", "[0, 1, 0]"},
      {"a limit of a fixed joint", [](PlatformDef& d) { d.parts[0].link = fixed(), d.parts[0].link.limit = 0.5; }, "parts[0].link.limit", "does not turn",
       "leave it out"},
      {"an end effector", [](PlatformDef& d) { d.effectors = {{.name = "pole", .direction = {0, 0, 0}}}; }, "effectors[0].direction", "'pole' points nowhere",
       "[1, 0, 0]"},
      {"tilted rotors", [](PlatformDef& d) { d.aircraft[2].rotors[0].axis = {0.2, 0, 1}; }, "parts[2].airframe", "has not four equal rotors in one plane",
       "a quadrotor"},
  };
  for (const Refusal& r : refusals) {
    PlatformDef d = test::three_star();
    r.spoil(d);
    const core::Status s = airframe::check_platform(d);
    ASSERT_FALSE(static_cast<bool>(s)) << r.what;
    EXPECT_EQ(s.error().field, r.field) << r.what;
    EXPECT_NE(s.error().message.find(r.message), std::string::npos) << r.what << ": " << s.error().message;
    EXPECT_NE(s.error().suggestion.find(r.suggestion), std::string::npos) << r.what << ": " << s.error().suggestion;
  }
}

// ---------------------------------------------------------------- the report

TEST(platform_def, report_names_mass_rank_and_share_of_thrust) {
  const auto rows = airframe::report_platform(test::two_line());
  const auto find = [&](const std::string& name) {
    for (const auto& r : rows)
      if (r.name == name) return r;
    return airframe::ReportRow{};
  };
  EXPECT_NEAR(find("mass").value, 4.2, 1e-12);
  EXPECT_EQ(find("rank").value, 5);
  EXPECT_NE(find("rank").note.find("torque about the line of joints"), std::string::npos);
  EXPECT_NEAR(find("part2.hover").value, 2.1 * kG, 1e-9);
}

TEST(platform_def, report_says_whether_mujoco_moves_the_bodies_and_why) {
  const auto joined = [](const PlatformDef& d) { return airframe::report_platform(d).back(); };
  PlatformDef d = test::three_star();
  EXPECT_EQ(joined(d).name, "joined");
  EXPECT_EQ(joined(d).value, 0);
  d.effectors = {{.name = "pole"}};
  EXPECT_EQ(joined(d).value, 1);
  EXPECT_EQ(joined(d).note, "MuJoCo moves the bodies: there are end effectors");
  d = test::three_star();
  d.parts[1].link.limit = 0.5;
  EXPECT_EQ(joined(d).note, "MuJoCo moves the bodies: not all joints are plain ball joints");
}

}  // namespace
}  // namespace volary
