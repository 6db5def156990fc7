// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "environment/wind.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace volary::environment {
namespace {

using Vector = Vec3<double>;
constexpr double kFt = 0.3048;

MeanWindDef blowing(Shear shear) {
  MeanWindDef d;
  d.velocity_W = {6, -8, 0};
  d.shear = shear;
  return d;
}

TEST(wind, without_shear_is_the_same_at_every_height) {
  const MeanWind<double> w = make_mean_wind(blowing(Shear::None));
  for (double height : {-1.0, 0.0, 100.0, 10000.0}) {
    EXPECT_EQ(mean_wind_at(w, height).x, 6);
    EXPECT_EQ(mean_wind_at(w, height).y, -8);
  }
}

// MIL-F-8785C, 3.7.3.2: u = W20 ln(h / z0) / ln(20 / z0), z0 = 0.15 ft: 1.3290 of the wind at 20 ft is at 100 ft
TEST(wind, log_law_follows_the_specification) {
  MeanWindDef d = blowing(Shear::Log);
  d.roughness = 0.15 * kFt;
  const MeanWind<double> w = make_mean_wind(d);
  EXPECT_NEAR(shear_factor(w, 20 * kFt), 1, 1e-12);
  EXPECT_NEAR(shear_factor(w, 100 * kFt), std::log(100 / 0.15) / std::log(20 / 0.15), 1e-12);
  EXPECT_NEAR(shear_factor(w, 100 * kFt), 1.3290, 1e-4);
  EXPECT_EQ(shear_factor(w, 0.1 * kFt), 0);  // below the roughness length
  EXPECT_EQ(shear_factor(w, -5.0), 0);
  EXPECT_EQ(shear_factor(w, 5000.0), shear_factor(w, 304.8));
}

// twice the height, 2^(1/7) = 1.104 of the wind
TEST(wind, power_law_grows_by_a_seventh_root) {
  MeanWindDef d = blowing(Shear::Power);
  d.reference_height = 10, d.exponent = 1.0 / 7;
  const MeanWind<double> w = make_mean_wind(d);
  EXPECT_DOUBLE_EQ(shear_factor(w, 10.0), 1);
  EXPECT_NEAR(shear_factor(w, 20.0), 1.10409, 1e-5);
  EXPECT_NEAR(mean_wind_at(w, 20.0).y, -8 * 1.10409, 1e-4);
  EXPECT_EQ(shear_factor(w, 0.0), 0);
}

RC_GTEST_PROP(wind, grows_with_height_and_alike_in_float, ()) {
  const MeanWind<double> w = make_mean_wind(blowing(*rc::gen::element(Shear::Log, Shear::Power)));
  const double height = *rc::gen::inRange(-1000, 400000) * 1e-3;
  RC_ASSERT(shear_factor(w, height + 1) >= shear_factor(w, height));
  RC_ASSERT(shear_factor(w, height) >= 0);
  RC_ASSERT(std::abs(shear_factor(mean_wind_as<float>(w), static_cast<float>(height)) - shear_factor(w, height)) < 1e-5);
}

TEST(wind, without_fading_is_the_sum_of_mean_and_local_wind) {
  const WindShares<double> share = wind_shares({}, 1e6);
  const Vector v = faded_wind<double>(share, {5, 1, 0}, {0.5, -0.25, 0.125});
  EXPECT_EQ(v.x, 5.5);
  EXPECT_EQ(v.y, 0.75);
  EXPECT_EQ(v.z, 0.125);
}

// SIGMA eq. 9
TEST(wind, fades_as_in_equation_9_where_asked) {
  const WindShares<double> share = wind_shares({0.1, 0.02}, 5);
  const Vector v = faded_wind<double>(share, {10, 0, 0}, {1, 2, 0});
  EXPECT_NEAR(v.x, 10 * std::exp(-0.5) + std::exp(-0.1), 1e-12);
  EXPECT_NEAR(v.y, 2 * std::exp(-0.1), 1e-12);
}

// MIL-F-8785C, 3.7.1.3
TEST(wind, a_gust_rises_as_one_minus_cosine_and_stays) {
  const DiscreteGust<double> g{{0, 0, 4}, {100, 0, 0}, {1, 0, 0}, 0, 0, 50, false};
  const double rows[][2] = {{-1000, 0}, {100, 0}, {112.5, 4 * 0.14644660940672624}, {125, 2}, {150, 4}, {1000, 4}};
  for (const auto& row : rows) EXPECT_NEAR(discrete_gust_at<double>(g, {row[0], 77, 5}, 12).z, row[1], 1e-12) << row[0];
}

// CS 25.341: U = Uds / 2 (1 - cos(pi s / H)) up to 2 H
TEST(wind, a_gust_that_returns_is_gone_after_twice_its_length) {
  const DiscreteGust<double> g{{3, 0, 0}, {0, 0, 0}, {0, 1, 0}, 0, 0, 30, true};
  EXPECT_NEAR(discrete_gust_at<double>(g, {0, 30, 0}, 0).x, 3, 1e-12);
  EXPECT_NEAR(discrete_gust_at<double>(g, {0, 45, 0}, 0).x, 1.5, 1e-12);
  EXPECT_NEAR(discrete_gust_at<double>(g, {0, 60, 0}, 0).x, 0, 1e-12);
  EXPECT_NEAR(discrete_gust_at<double>(g, {0, 500, 0}, 0).x, 0, 1e-12);
}

// a front that moves north at 10 m/s: what it does at one place it does later at the next
TEST(wind, a_front_comes_to_each_place_in_its_time) {
  const DiscreteGust<double> g{{5, 0, 0}, {0, 0, 0}, {0, -1, 0}, 10, 60, 40, false};
  EXPECT_EQ(discrete_gust_at<double>(g, {0, 0, 0}, 60).x, 0);
  EXPECT_NEAR(discrete_gust_at<double>(g, {0, 0, 0}, 62).x, 2.5, 1e-12);
  EXPECT_NEAR(discrete_gust_at<double>(g, {0, 200, 0}, 82).x, 2.5, 1e-12);
  EXPECT_EQ(discrete_gust_at<double>(g, {0, 200, 0}, 79).x, 0);
}

TEST(wind, a_gust_without_direction_comes_everywhere_at_once_and_floats_keep_its_time) {
  const DiscreteGust<float> g{{0, 0, 2}, {0, 0, 0}, {0, 0, 0}, 1, 172800, 2, false};  // on the third day, over two seconds
  EXPECT_NEAR(discrete_gust_at<float>(g, {9000, 1, 2}, 172801).z, 1, 1e-6);
  EXPECT_NEAR(discrete_gust_at<float>(g, {-9000, 1, 2}, 172801.001).z, 1 + M_PI / 2 * 0.001, 2e-6);
}

}  // namespace
}  // namespace volary::environment
