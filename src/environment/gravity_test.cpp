// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "environment/gravity.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "environment/data_test.hpp"

namespace volary::environment {
namespace {

constexpr double kDegree = M_PI / 180;

Vec3<double> place(double latitude, double longitude, double height) {
  return ecef_from_geodetic<double>(kWgs84, {latitude * kDegree, longitude * kDegree, height});
}

// NIMA TR8350.2, table 3.4
TEST(gravity, normal_gravity_has_the_published_figures_at_equator_and_pole) {
  EXPECT_NEAR(normal_gravity(0.0, 0.0), 9.7803253359, 5e-11);
  EXPECT_NEAR(normal_gravity(M_PI / 2, 0.0), 9.8321849379, 6e-11);
  EXPECT_NEAR(normal_gravity(-M_PI / 2, 0.0), normal_gravity(M_PI / 2, 0.0), 1e-15);
}

// the mean over the ellipsoid is 9.7976432222 m/s2 (same table)
TEST(gravity, normal_gravity_has_the_published_mean) {
  const int n = 20000;
  double sum = 0, area = 0;
  for (int k = 0; k < n; ++k) {
    const double latitude = M_PI / 2 * (k + 0.5) / n, s = std::sin(latitude);
    const double ring = meridian_radius(kWgs84, s) * prime_vertical_radius(kWgs84, s) * std::cos(latitude);
    sum += ring * normal_gravity(latitude, 0.0), area += ring;
  }
  EXPECT_NEAR(sum / area, 9.7976432222, 1e-8);
}

// EGM2008 at the summit of Everest (GeographicLib's manual page of Gravity): 9.76782 m/s2. What a mountain adds to normal gravity is some 1e-3
TEST(gravity, normal_gravity_is_near_the_real_one_on_everest) { EXPECT_NEAR(normal_gravity(27.988055556 * kDegree, 8820.0), 9.76782, 5e-3); }

// 0.3086 mGal per metre: the free-air gradient of every textbook
TEST(gravity, gravity_falls_by_the_free_air_gradient) {
  const LocalGravity<double> g = local_gravity(45 * kDegree, 0);
  EXPECT_NEAR(g.per_height, -3.086e-6, 3e-9);
  EXPECT_NEAR(gravity_at(g, 1000.0), normal_gravity(45 * kDegree, 1000.0), 1e-6);
  EXPECT_NEAR(gravity_at(g, 10000.0), normal_gravity(45 * kDegree, 10000.0), 1e-4);
}

// NASA/TM-2015-218675, case 1: 32.1065359519 ft/s2 at 30000 ft over the equator (simulations 3 to 6 agree to these digits); case 5: round Earth
TEST(gravity, gravitation_agrees_with_the_nasa_check_cases) {
  EXPECT_NEAR(math::norm(j2_gravitation(place(0, 0, 9144))) / 0.3048, 32.1065359519, 1e-9);
  const Vec3<double> round{0, kRoundEarth.equatorial_radius + 9144, 0};
  EXPECT_NEAR(math::norm(round_gravitation(round)) / 0.3048, 32.1263120705, 1e-8);
}

TEST(gravity, gravitation_agrees_with_all_rows_of_the_nasa_check_cases) {
  const std::string folder = test_data::folder();
  if (folder.empty()) GTEST_SKIP() << test_data::kNone;
  for (const char* name : {"01_DroppedSphere/Atmos_01_sim_04", "05_DroppedSphereRoundRotation/Atmos_05_sim_04", "07_DroppedSphereSteadyWind/Atmos_07_sim_05",
                           "09_EastwardCannonball/Atmos_09_sim_05", "15_CircleNorthPole/Atmos_15_sim_04"}) {
    const test_data::Columns c = test_data::read_columns(folder + "/nasa_eom_checkcases/Atmos_" + name + ".csv");
    for (std::size_t k = 0; k < c.rows(); ++k) {
      const Vec3<double> p{c.at("eiPosition_ft_X", k) * 0.3048, c.at("eiPosition_ft_Y", k) * 0.3048, c.at("eiPosition_ft_Z", k) * 0.3048};
      const Vec3<double> g = std::string(name).find("Round") != std::string::npos ? round_gravitation(p) : j2_gravitation(p);
      ASSERT_NEAR(math::norm(g) / 0.3048, c.at("localGravity_ft_s2", k), 1e-7) << name << " row " << k;
    }
  }
}

// the fourth harmonic is missing: 5 J4 GM / r2 = 1.2e-4 m/s2 at the poles
RC_GTEST_PROP(gravity, oblate_gravitation_and_turning_make_normal_gravity, ()) {
  const double latitude = *rc::gen::inRange(-90, 91), longitude = *rc::gen::inRange(-180, 181), height = *rc::gen::inRange(0, 20000);
  const Vec3<double> p = place(latitude, longitude, height);
  const Vec3<double> g = enu_axes(latitude * kDegree, longitude * kDegree) * (j2_gravitation(p) + centrifugal(p));
  RC_ASSERT(std::abs(-g.z - normal_gravity(latitude * kDegree, height)) < 1.3e-4);
  RC_ASSERT(std::abs(g.x) < 1e-12);
  // the vertical of the ellipsoid turns against the plumb line with height: 0.17 arc seconds per kilometre
  RC_ASSERT(std::abs(g.y) < 7e-5 + 1e-8 * height);
}

// gravitation is the slope of the potential GM/r (1 - J2 (a/r)2 (3 sin2 - 1) / 2)
RC_GTEST_PROP(gravity, oblate_gravitation_is_the_slope_of_its_potential, ()) {
  const auto potential = [](const Vec3<double>& p) {
    const double r = math::norm(p), s = p.z / r, q = kWgs84.equatorial_radius / r;
    return kEarthGm / r * (1 - kEarthJ2 * q * q * (3 * s * s - 1) / 2);
  };
  const Vec3<double> p = place(*rc::gen::inRange(-90, 91), *rc::gen::inRange(-180, 181), *rc::gen::inRange(0, 2000000));
  const Vec3<double> g = j2_gravitation(p);
  const double h = 500;
  RC_ASSERT(std::abs((potential(p + Vec3<double>{h, 0, 0}) - potential(p - Vec3<double>{h, 0, 0})) / (2 * h) - g.x) < 2e-7);
  RC_ASSERT(std::abs((potential(p + Vec3<double>{0, h, 0}) - potential(p - Vec3<double>{0, h, 0})) / (2 * h) - g.y) < 2e-7);
  RC_ASSERT(std::abs((potential(p + Vec3<double>{0, 0, h}) - potential(p - Vec3<double>{0, 0, h})) / (2 * h) - g.z) < 2e-7);
}

// what falls goes east: in a frame that turns, a velocity towards the axis (-x at longitude 0) is turned to +y
TEST(gravity, coriolis_sends_what_falls_to_the_east) {
  const Vec3<double> a = coriolis<double>({-100, 0, 0});
  EXPECT_DOUBLE_EQ(a.y, 2 * kEarthRate * 100);
  EXPECT_EQ(math::dot(a, Vec3<double>{-100, 0, 0}), 0);
}

TEST(gravity, floats_agree_with_doubles) {
  for (double latitude : {-80.0, 0.0, 33.0}) {
    EXPECT_NEAR(normal_gravity(static_cast<float>(latitude * kDegree), 1000.0f), normal_gravity(latitude * kDegree, 1000.0), 2e-6);
    const Vec3<double> p = place(latitude, 20, 300);
    const Vec3<float> single{static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)};
    EXPECT_NEAR(j2_gravitation(single).z, j2_gravitation(p).z, 5e-6);
  }
}

}  // namespace
}  // namespace volary::environment
