// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "environment/geodesy.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "environment/data_test.hpp"

namespace volary::environment {
namespace {

constexpr double kDegree = M_PI / 180;

Geodetic<double> degrees(double latitude, double longitude, double height) { return {latitude * kDegree, longitude * kDegree, height}; }
double distance(const Vec3<double>& a, const Vec3<double>& b) { return math::norm(a - b); }

// NIMA TR8350.2, tables 3.1 and 3.3
TEST(geodesy, the_ellipsoid_has_the_published_derived_figures) {
  EXPECT_NEAR(kWgs84.polar_radius(), 6356752.3142, 5e-5);
  EXPECT_NEAR(kWgs84.eccentricity2(), 6.69437999014e-3, 5e-15);
  EXPECT_NEAR(meridian_radius(kWgs84, 1.0), 6399593.6258, 5e-5);  // polar radius of curvature
  EXPECT_NEAR(prime_vertical_radius(kWgs84, 1.0), 6399593.6258, 5e-5);
  EXPECT_NEAR(meridian_radius(kWgs84, 0.0), 6335439.3272, 1e-4);
  EXPECT_DOUBLE_EQ(prime_vertical_radius(kWgs84, 0.0), 6378137);
}

// the way from the equator to a pole on WGS-84 is 10001965.7293 m
TEST(geodesy, meridian_radii_add_up_to_a_quarter_of_the_meridian) {
  const int n = 2000;
  double sum = 0;
  for (int k = 0; k < n; ++k) {
    // Simpson's rule
    const double a = M_PI / 2 * k / n, b = M_PI / 2 * (k + 1) / n;
    sum += (b - a) / 6 * (meridian_radius(kWgs84, std::sin(a)) + 4 * meridian_radius(kWgs84, std::sin((a + b) / 2)) + meridian_radius(kWgs84, std::sin(b)));
  }
  EXPECT_NEAR(sum, 10001965.7293, 1e-4);
}

TEST(geodesy, the_mean_radius_is_the_geometric_mean_of_the_two) {
  for (double s : {0.0, 0.3, 0.8, 1.0}) EXPECT_NEAR(mean_radius(kWgs84, s), std::sqrt(meridian_radius(kWgs84, s) * prime_vertical_radius(kWgs84, s)), 1e-8);
}

// examples of the manual page of GeographicLib's CartConvert
TEST(geodesy, agrees_with_the_published_examples_of_cartconvert) {
  const Vec3<double> e = ecef_from_geodetic(kWgs84, degrees(33.3, 44.4, 6000));
  EXPECT_NEAR(e.x, 3816209.60, 0.005);
  EXPECT_NEAR(e.y, 3737108.55, 0.005);
  EXPECT_NEAR(e.z, 3485109.57, 0.005);
  const Vec3<double> w = enu_from_geodetic(local_frame(kWgs84, degrees(33, 44, 20)), degrees(33.3, 44.4, 6000));
  EXPECT_NEAR(w.x, 37288.97, 0.006);
  EXPECT_NEAR(w.y, 33374.29, 0.006);
  EXPECT_NEAR(w.z, 5783.65, 0.006);
}

TEST(geodesy, axes_of_the_earth_are_where_they_belong) {
  const double a = kWgs84.equatorial_radius, b = kWgs84.polar_radius();
  EXPECT_LT(distance(ecef_from_geodetic(kWgs84, degrees(0, 0, 0)), {a, 0, 0}), 1e-9);
  EXPECT_LT(distance(ecef_from_geodetic(kWgs84, degrees(0, 90, 10)), {0, a + 10, 0}), 2e-9);
  EXPECT_LT(distance(ecef_from_geodetic(kWgs84, degrees(-90, 0, 5)), {0, 0, -b - 5}), 2e-9);
}

TEST(geodesy, poles_have_a_latitude_and_a_height) {
  for (double sign : {-1.0, 1.0}) {
    const Geodetic<double> g = geodetic_from_ecef<double>(kWgs84, {0, 0, sign * (kWgs84.polar_radius() + 1234)});
    EXPECT_DOUBLE_EQ(g.latitude, sign * M_PI / 2);
    EXPECT_NEAR(g.height, 1234, 2e-9);
    EXPECT_EQ(g.longitude, 0);
  }
}

// back and forth from 50 km below the ground to low orbit: what is left is the rounding of numbers of 6e6 m
RC_GTEST_PROP(geodesy, geodetic_and_cartesian_coordinates_are_inverse, ()) {
  const double latitude = *rc::gen::inRange(-90000, 90001) * 1e-3, longitude = *rc::gen::inRange(-180000, 180001) * 1e-3;
  const double height = *rc::gen::element(-50000.0, -10000.0, -100.0, 0.0, 120.0, 9144.0, 86000.0, 400000.0, 2e6);
  const Vec3<double> e = ecef_from_geodetic(kWgs84, degrees(latitude, longitude, height));
  const Geodetic<double> g = geodetic_from_ecef(kWgs84, e);
  RC_ASSERT(std::abs(g.height - height) < 5e-9);
  RC_ASSERT(distance(ecef_from_geodetic(kWgs84, g), e) < 5e-9);
  RC_ASSERT(std::abs(g.latitude - latitude * kDegree) < 5e-16 * 4);
}

TEST(geodesy, geostationary_orbit_is_within_the_range) {
  for (double latitude : {-89.999, -45.0, -0.001, 0.0, 13.0, 67.0}) {
    const Vec3<double> e = ecef_from_geodetic(kWgs84, degrees(latitude, 123, 35786e3));
    const Geodetic<double> g = geodetic_from_ecef(kWgs84, e);
    EXPECT_NEAR(g.height, 35786e3, 3e-8) << latitude;
    EXPECT_LT(distance(ecef_from_geodetic(kWgs84, g), e), 3e-8) << latitude;
  }
}

RC_GTEST_PROP(geodesy, local_coordinates_are_inverse_and_keep_distances, ()) {
  const LocalFrame<double> f = local_frame(kWgs84, degrees(*rc::gen::inRange(-90, 91), *rc::gen::inRange(-180, 181), *rc::gen::inRange(-100, 5000)));
  const Vec3<double> p{*rc::gen::inRange(-50000, 50000) * 1.0, *rc::gen::inRange(-50000, 50000) * 1.0, *rc::gen::inRange(-500, 20000) * 1.0};
  RC_ASSERT(distance(enu_from_geodetic(f, geodetic_from_enu(f, p)), p) < 6e-9);
  RC_ASSERT(std::abs(distance(ecef_from_enu(f, p), f.origin_E) - math::norm(p)) < 3e-9);
  RC_ASSERT(distance(ned_from_geodetic(f, geodetic_from_ned(f, p)), p) < 6e-9);
}

TEST(geodesy, north_east_down_axes_are_those_of_east_north_up_in_another_order) {
  const Mat3<double> enu = enu_axes(0.7, -2.1), ned = ned_axes(0.7, -2.1);
  const Vec3<double> v{1, 2, 3};
  EXPECT_LT(distance(ned * v, math::ned_from_enu(enu * v)), 1e-15);
  // at latitude 0, longitude 0: east is y, north is z, up is x
  EXPECT_LT(distance(enu_axes(0.0, 0.0) * v, {2, 3, 1}), 1e-15);
}

// the ground falls away by d2 / 2R
TEST(geodesy, the_horizon_drops_with_the_square_of_the_distance) {
  const LocalFrame<double> f = local_frame(kWgs84, degrees(47, 8, 0));
  EXPECT_NEAR(geodetic_from_enu<double>(f, {10000, 0, 0}).height, 1e8 / (2 * prime_vertical_radius(kWgs84, std::sin(47 * kDegree))), 1e-4);
}

TEST(geodesy, a_round_earth_has_one_radius) {
  const Geodetic<double> g = degrees(51, 7, 100);
  const Vec3<double> e = ecef_from_geodetic(kRoundEarth, g);
  EXPECT_NEAR(math::norm(e), kRoundEarth.equatorial_radius + 100, 2e-9);
  EXPECT_NEAR(geodetic_from_ecef(kRoundEarth, e).latitude, g.latitude, 1e-15);
  EXPECT_DOUBLE_EQ(meridian_radius(kRoundEarth, 0.5), prime_vertical_radius(kRoundEarth, 0.9));
}

TEST(geodesy, a_sidereal_day_brings_the_stars_back) {
  const double day = 86164.1;  // s
  const Vec3<double> v{1, 2, 3};
  EXPECT_LT(distance(eci_from_ecef(v, kEarthRate * day), v), 1e-5);
  EXPECT_LT(distance(ecef_from_eci(eci_from_ecef(v, 1.234), 1.234), v), 1e-15);
  EXPECT_LT(distance(eci_from_ecef<double>({1, 0, 0}, M_PI / 2), {0, 1, 0}), 1e-15);
}

TEST(geodesy, floats_are_good_for_metres) {
  const Geodetic<float> g{0.8f, 0.3f, 500.0f};
  const Geodetic<float> back = geodetic_from_ecef(kWgs84, ecef_from_geodetic(kWgs84, g));
  EXPECT_NEAR(back.height, g.height, 3);
  EXPECT_NEAR(back.latitude, g.latitude, 5e-7);
}

// every row of the check cases: latitude, longitude and height from the inertial position, where the data is there
TEST(geodesy, agrees_with_the_nasa_check_cases) {
  const std::string folder = test_data::folder();
  if (folder.empty()) GTEST_SKIP() << test_data::kNone;
  for (const char* name : {"01_DroppedSphere/Atmos_01_sim_04", "09_EastwardCannonball/Atmos_09_sim_06", "15_CircleNorthPole/Atmos_15_sim_04"}) {
    const test_data::Columns c = test_data::read_columns(folder + "/nasa_eom_checkcases/Atmos_" + name + ".csv");
    ASSERT_GT(c.rows(), 300u);
    for (std::size_t k = 0; k < c.rows(); ++k) {
      const Vec3<double> inertial{c.at("eiPosition_ft_X", k) * 0.3048, c.at("eiPosition_ft_Y", k) * 0.3048, c.at("eiPosition_ft_Z", k) * 0.3048};
      const Geodetic<double> g = geodetic_from_ecef(kWgs84, ecef_from_eci(inertial, kEarthRate * c.at("time", k)));
      ASSERT_NEAR(g.height / 0.3048, c.at("altitudeMsl_ft", k), 1e-4) << name << " row " << k;
      ASSERT_NEAR(g.latitude / kDegree, c.at("latitude_deg", k), 1e-9) << name << " row " << k;
      // in degrees of the great circle: near the pole, longitudes are close together
      const double apart = std::remainder(g.longitude / kDegree - c.at("longitude_deg", k), 360) * std::cos(g.latitude);
      ASSERT_NEAR(apart, 0, 1e-8) << name << " row " << k;
    }
  }
}

}  // namespace
}  // namespace volary::environment
