// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "environment/weather.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "environment/wind_field.hpp"

namespace volary::weather {
namespace {

EnvironmentDef windy() {
  EnvironmentDef e;
  e.wind_W = {4, 3, 0};
  return e;
}
std::string field_of(const core::Status& s) { return s ? "" : s.error().field; }

TEST(weather, one_wind_for_all_is_plain_and_each_part_alone_is_weather) {
  EXPECT_TRUE(is_plain(windy().weather));
  WeatherDef w;
  w.year = 2027, w.time_of_day = 6;  // for compass and page
  EXPECT_TRUE(is_plain(w));
  w = {}, w.origin = OriginDef{47, 8, 400};
  EXPECT_FALSE(is_plain(w));
  w = {}, w.atmosphere.standard = true;
  EXPECT_FALSE(is_plain(w));
  w = {}, w.atmosphere.temperature = 10;
  EXPECT_FALSE(is_plain(w));
  w = {}, w.shear.law = ShearLaw::Log;
  EXPECT_FALSE(is_plain(w));
  w = {}, w.fading.mean = 0.1;
  EXPECT_FALSE(is_plain(w));
  w = {}, w.turbulence.form = TurbulenceModel::Dryden;
  EXPECT_FALSE(is_plain(w));
  w = {}, w.gusts = {GustDef{}};
  EXPECT_FALSE(is_plain(w));
  w = {}, w.grid = std::make_shared<const wind_field::Grid>();
  EXPECT_FALSE(is_plain(w));
}

// the standard has 0.90925 kg/m3 at 3000 m; without an atmosphere it is 1.225 there too
TEST(weather, air_thins_with_height_where_there_is_an_atmosphere) {
  EnvironmentDef e = windy();
  e.weather.shear.law = ShearLaw::Power;
  const auto density = [&] {
    const auto earth = environment::make_earth(earth_def(e), magnetic::wmm2025(), {1, 2});
    return environment::sample<double>(earth, {0, 0, 3000}, 3000, 0).density;
  };
  EXPECT_EQ(density(), 1.225);
  e.weather.atmosphere.standard = true;
  EXPECT_NEAR(density(), 0.90925, 5e-6);
  e.weather.atmosphere.standard = false;
  e.weather.origin = OriginDef{0, 0, -3000 + 2000};
  EXPECT_NEAR(density(), 1.0066, 5e-5);  // 2000 m
}

TEST(weather, degrees_of_the_origin_become_radians) {
  EnvironmentDef e;
  e.weather.origin = OriginDef{-33.5, 151.25, 20};
  const environment::EarthDef d = earth_def(e);
  EXPECT_DOUBLE_EQ(d.origin.latitude, -33.5 * M_PI / 180);
  EXPECT_DOUBLE_EQ(d.origin.longitude, 151.25 * M_PI / 180);
  EXPECT_EQ(d.origin.height, 20);
  const auto frame = frame_of(*e.weather.origin);
  const auto up = environment::geodetic_from_enu<double>(frame, {0, 0, 80});
  EXPECT_NEAR(up.height, 100, 1e-8);
}

TEST(weather, a_direction_of_any_length_will_do_for_a_gust) {
  EnvironmentDef e;
  e.weather.gusts = {{.amplitude = {5, 0, 0}, .ahead = {3, 4, 0}}};
  ASSERT_TRUE(check(e));
  EXPECT_DOUBLE_EQ(earth_def(e).gust[0].ahead_W.x, 0.6);
  EXPECT_DOUBLE_EQ(earth_def(e).gust[0].ahead_W.y, 0.8);
}

TEST(weather, faults_are_named_as_files_name_them) {
  EnvironmentDef e = windy();
  EXPECT_TRUE(check(e));
  e.weather.shear = {.law = ShearLaw::Log, .reference_height = 10, .roughness = 6};
  EXPECT_EQ(field_of(check(e)), "shear.roughness");
  e = windy(), e.weather.curved = true;
  EXPECT_EQ(field_of(check(e)), "curved");
  e = windy(), e.weather.gusts = {{.amplitude = {5, 0, 0}}};
  EXPECT_EQ(field_of(check(e)), "gusts[0].speed");
  e = windy(), e.weather.gusts.assign(9, {.amplitude = {5, 0, 0}, .speed = 1});
  EXPECT_EQ(field_of(check(e)), "gusts");
  e = windy(), e.weather.turbulence = {.form = TurbulenceModel::Dryden, .sigma = 1, .length = 5000};
  EXPECT_EQ(field_of(check(e)), "turbulence.length");
}

TEST(weather, a_field_is_changed_by_its_path_in_the_file) {
  EnvironmentDef e = windy();
  ASSERT_TRUE(change(e, "wind", "[1, -2, 0.5]"));
  EXPECT_EQ(e.wind_W, (Vec{1, -2, 0.5}));
  ASSERT_TRUE(change(e, "turbulence.form", "von_karman"));
  ASSERT_TRUE(change(e, "turbulence.intensity", "12"));
  EXPECT_EQ(e.weather.turbulence.form, TurbulenceModel::VonKarman);
  EXPECT_EQ(e.weather.turbulence.intensity, 12);
  ASSERT_TRUE(change(e, "atmosphere.temperature", "-20"));
  EXPECT_EQ(e.weather.atmosphere.temperature, -20);
  e.weather.gusts = {{.amplitude = {1, 0, 0}, .speed = 5}, {.amplitude = {2, 0, 0}, .speed = 5}};
  ASSERT_TRUE(change(e, "gusts[1].begins", "30"));
  EXPECT_EQ(e.weather.gusts[1].begins, 30);
}

TEST(weather, what_cannot_be_changed_in_flight_stays_and_says_so) {
  const EnvironmentDef before = windy();
  EnvironmentDef e = before;
  for (const char* path : {"gravity", "ground_height", "origin.latitude", "curved", "wind_field"}) {
    const core::Status s = change(e, path, "1");
    ASSERT_FALSE(s) << path;
    EXPECT_EQ(s.error().message, "cannot be changed in flight");
  }
  EXPECT_EQ(field_of(change(e, "turbulence.intensity", "1000")), "turbulence.intensity");
  EXPECT_EQ(field_of(change(e, "turbulence.intensty", "10")), "turbulence.intensty");
  EXPECT_EQ(field_of(change(e, "gusts[0].begins", "1")), "gusts[0]");
  EXPECT_FALSE(change(e, "gusts[0]", "1"));
  EXPECT_FALSE(change(e, "gusts[x].begins", "1"));
  EXPECT_FALSE(change(e, "gusts[", "1"));
  EXPECT_EQ(e.weather, before.weather);
  EXPECT_EQ(e.wind_W, before.wind_W);
}

TEST(weather, every_listed_field_can_be_set_to_what_it_is) {
  EnvironmentDef e = windy();
  e.weather.origin = OriginDef{47, 8, 400};
  e.weather.gusts = {{.amplitude = {1, 0, 0}, .speed = 5}};
  const WeatherDef before = e.weather;
  std::size_t n = 0;
  for (const core::ListedField& f : list(e)) {
    ASSERT_TRUE(f.path.starts_with("environment."));
    EXPECT_TRUE(change(e, f.path.substr(12), f.value)) << f.path;
    ++n;
  }
  EXPECT_GT(n, 20u);
  EXPECT_EQ(e.weather, before);
}

}  // namespace
}  // namespace volary::weather
