// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "environment/earth.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace volary::environment {
namespace {

using Vector = Vec3<double>;

EarthDef zurich() {
  EarthDef d;
  d.origin = {47.4 * M_PI / 180, 8.5 * M_PI / 180, 440};
  d.wind.velocity_W = {5, 2, 0};
  return d;
}
Earth<double> make(const EarthDef& d, std::uint64_t seed = 1) { return make_earth(d, magnetic::wmm2025(), math::world_key(seed, 0)); }

TEST(earth, is_calm_and_standard_unless_told_otherwise) {
  EarthDef d = zurich();
  d.wind.velocity_W = {0, 0, 0};
  const Surroundings<double> s = sample<double>(make(d), {100, 200, 0}, 0, 0);
  EXPECT_EQ(math::norm(s.wind_W), 0);
  EXPECT_NEAR(s.density, air_at(make_atmosphere({}), geopotential_from_geometric(440.0)).density, 1e-12);
  EXPECT_NEAR(s.gravity, normal_gravity(d.origin.latitude, 440.0), 1e-9);
  EXPECT_NEAR(math::norm(s.magnetic_W), 48500, 500);  // nT, Switzerland
}

TEST(earth, the_air_above_a_place_is_thinner_and_its_gravity_less) {
  const Earth<double> e = make(zurich());
  const Surroundings<double> low = sample<double>(e, {0, 0, 0}, 0, 0), high = sample<double>(e, {0, 0, 3000}, 3000, 0);
  EXPECT_LT(high.density, low.density);
  EXPECT_NEAR(low.gravity - high.gravity, 3000 * 3.086e-6, 2e-5);
}

// 20 km from the origin the ground is 31 m below the plane
TEST(earth, a_curved_world_is_higher_away_from_the_origin) {
  EarthDef d = zurich();
  EXPECT_EQ(height_of<double>(make(d), {20000, 0, 10}), 450);
  d.curved = true;
  const double exact = geodetic_from_enu<double>(local_frame(kWgs84, d.origin), {14142, 14142, 10}).height;
  EXPECT_NEAR(height_of<double>(make(d), {14142, 14142, 10}), exact, 0.05);
  EXPECT_NEAR(exact, 450 + 31.4, 0.1);
}

// the mean over places far from each other is the mean wind, the spread is the turbulence
TEST(earth, wind_is_the_mean_and_turbulence_about_it) {
  EarthDef d = zurich();
  d.turbulent = true;
  d.levels = even_turbulence({2, 1, 30, 30});
  const Earth<double> e = make(d);
  const int n = 20000;
  Vector sum{0, 0, 0}, square{0, 0, 0};
  for (int k = 0; k < n; ++k) {
    const Vector w = sample<double>(e, {k * 1237.1, k * 731.7, 50}, 50, 0).wind_W;
    sum = sum + w, square = square + w * w;
  }
  EXPECT_NEAR(sum.x / n, 5, 0.1);
  EXPECT_NEAR(sum.y / n, 2, 0.1);
  EXPECT_NEAR(std::sqrt(square.x / n - 25), 2, 0.2);
  EXPECT_NEAR(std::sqrt(square.z / n), 1, 0.1);
}

TEST(earth, turbulence_drifts_with_the_wind) {
  EarthDef d = zurich();
  d.turbulent = true;
  d.levels = turbulence_levels(TurbulenceForm::VonKarman, 10, Exceedance::P1e3);
  d.form = TurbulenceForm::VonKarman;
  const Earth<double> made = make(d);
  Earth<double> later = made;
  const Vector drift{500, 200, 0};
  bring_to_present(made, d.fading, 100, drift, later);
  const Vector a = sample<double>(made, {10, 20, 60}, 60, 0).wind_W, b = sample<double>(later, {510, 220, 60}, 60, 100).wind_W;
  EXPECT_NEAR(math::norm(a - b), 0, 1e-5);
  EXPECT_GT(math::norm(a - Vector{5, 2, 0}), 1e-3);
}

TEST(earth, gusts_and_grids_add_to_the_wind) {
  EarthDef d = zurich();
  d.gusts = 1;
  d.gust[0] = {{0, 0, 3}, {0, 0, 0}, {1, 0, 0}, 0, 0, 10, false};
  Earth<double> e = make(d);
  const float one[3] = {1, 0.5f, -0.25f};
  e.gridded = true;
  e.grid = {{{&one[0], &one[1], &one[2]}, {&one[0], &one[1], &one[2]}}, 0, {0, 0, 0}, {1, 1, 1}, {0, 0, 0}, {0, 0, 0}};
  const Vector w = sample<double>(e, {50, 0, 100}, 100, 0).wind_W;
  EXPECT_DOUBLE_EQ(w.x, 6);
  EXPECT_DOUBLE_EQ(w.y, 2.5);
  EXPECT_DOUBLE_EQ(w.z, 2.75);
}

// SIGMA eq. 9, where it is asked for
TEST(earth, winds_fade_where_asked) {
  EarthDef d = zurich();
  const Earth<double> made = make(d);
  Earth<double> later = made;
  bring_to_present(made, {0.01, 0}, 100, {0, 0, 0}, later);
  EXPECT_NEAR(sample<double>(later, {0, 0, 10}, 10, 100).wind_W.x, 5 * std::exp(-1), 1e-12);
}

TEST(earth, floats_agree_with_doubles) {
  EarthDef d = zurich();
  d.curved = true;
  d.turbulent = true;
  d.levels = turbulence_levels(TurbulenceForm::Dryden, 10, Exceedance::P1e3);
  d.wind.shear = Shear::Log;
  const Earth<double> e = make(d);
  const Earth<float> f = earth_as<float>(e);
  for (int k = 0; k < 50; ++k) {
    const Surroundings<double> a = sample<double>(e, {k * 31.0, k * -17.0, k * 8.0}, k * 8.0, 5);
    const float x = static_cast<float>(k);
    const Surroundings<float> b = sample<float>(f, {x * 31, x * -17, x * 8}, x * 8, 5);
    EXPECT_NEAR(a.density, b.density, 3e-6);
    EXPECT_NEAR(a.wind_W.x, b.wind_W.x, 3e-3);
    EXPECT_NEAR(a.gravity, b.gravity, 2e-6);
    EXPECT_NEAR(a.magnetic_W.y, b.magnetic_W.y, 0.02);
  }
}

}  // namespace
}  // namespace volary::environment
