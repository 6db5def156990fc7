// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "environment/earth_check.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>

namespace volary::environment {
namespace {

EarthDef sound() {
  EarthDef d;
  d.wind.shear = Shear::Log;
  d.turbulent = true;
  d.levels = even_turbulence({1, 1, 50, 50});
  d.gusts = 1;
  d.gust[0] = {{1, 0, 0}, {0, 0, 0}, {0, 1, 0}, 5, 0, 10, false};
  return d;
}

std::string field_of(const std::function<void(EarthDef&)>& spoil) {
  EarthDef d = sound();
  spoil(d);
  const core::Status s = check_earth(d, magnetic::wmm2025());
  return s ? "" : s.error().field;
}

TEST(earth_check, accepts_what_the_models_are_made_for) {
  EXPECT_TRUE(check_earth({}, magnetic::wmm2025()));
  EXPECT_TRUE(check_earth(sound(), magnetic::wmm2025()));
}

TEST(earth_check, names_the_field_that_is_out_of_range) {
  EXPECT_EQ(field_of([](EarthDef& d) { d.origin.latitude = 47; }), "origin.latitude");  // degrees where radians belong
  EXPECT_EQ(field_of([](EarthDef& d) { d.year = 2024.5; }), "year");
  EXPECT_EQ(field_of([](EarthDef& d) { d.air.humidity = 40; }), "atmosphere.humidity");  // percent
  EXPECT_EQ(field_of([](EarthDef& d) { d.air.temperature = std::numeric_limits<double>::quiet_NaN(); }), "atmosphere.temperature");
  EXPECT_EQ(field_of([](EarthDef& d) { d.wind.roughness = 5; }), "shear.roughness");
  EXPECT_EQ(field_of([](EarthDef& d) { d.wind.velocity_W.x = std::numeric_limits<double>::infinity(); }), "wind");
  EXPECT_EQ(field_of([](EarthDef& d) { d.fading.mean = -0.1; }), "fading.mean");
  EXPECT_EQ(field_of([](EarthDef& d) { d.levels.same.length_up = 5000; }), "turbulence.length");
  EXPECT_EQ(field_of([](EarthDef& d) { d.gust[0].length = 0; }), "gusts[0].length");
  EXPECT_EQ(field_of([](EarthDef& d) { d.gust[0].ahead_W = {1, 1, 0}; }), "gusts[0].ahead");
  EXPECT_EQ(field_of([](EarthDef& d) { d.gusts = 9; }), "gusts");
}

TEST(earth_check, says_what_the_range_is) {
  EarthDef d;
  d.air.humidity = 40;
  EXPECT_EQ(check_earth(d, magnetic::wmm2025()).error().message, "40 is not between 0 and 1");
}

}  // namespace
}  // namespace volary::environment
