// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The fields of the environment: described here once, for files, for forms, and for what is changed in the middle of a run.
#pragma once

#include <span>
#include <type_traits>

#include "core/describe.hpp"
#include "volary/def.hpp"

namespace volary {

std::span<const char* const> names(ShearLaw);
std::span<const char* const> names(TurbulenceModel);
std::span<const char* const> names(Severity);

template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, OriginDef>
void describe(D& d, V& v) {
  v.field("latitude", d.latitude, {.unit = "deg", .min = -90, .max = 90, .required = true, .doc = "latitude of the world's origin; north is positive"});
  v.field("longitude", d.longitude, {.unit = "deg", .min = -180, .max = 180, .required = true, .doc = "longitude of the world's origin; east is positive"});
  v.field("height", d.height,
          {.unit = "m", .min = -1000, .max = 10000, .doc = "height of the world's origin above the WGS-84 ellipsoid, which counts as sea level"});
}
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, AtmosphereDef>
void describe(D& d, V& v) {
  v.field("standard", d.standard,
          {.doc = "whether the air thins with height (U.S. Standard Atmosphere 1976); an origin, an offset or humidity has the same effect"});
  v.field("temperature", d.temperature, {.unit = "K", .min = -60, .max = 60, .doc = "offset from the standard temperature, the same at every height"});
  v.field("pressure", d.pressure, {.unit = "Pa", .min = -20000, .max = 20000, .doc = "offset from the standard pressure at sea level"});
  v.field("humidity", d.humidity, {.min = 0, .max = 1, .doc = "relative humidity up to the tropopause, from 0 to 1"});
}
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, ShearDef>
void describe(D& d, V& v) {
  v.field("law", d.law, {.doc = "growth of the mean wind with height above the ground: none, log or power law"});
  v.field("reference_height", d.reference_height,
          {.unit = "m", .min = 0.1, .max = 1000, .doc = "height above the ground at which the mean wind is as given; 6.096 m is 20 ft"});
  v.field("roughness", d.roughness,
          {.unit = "m", .min = 1e-5, .max = 10, .doc = "roughness length of the log law: 0.0457 near airfields, 0.61 otherwise (MIL-F-8785C)"});
  v.field("exponent", d.exponent, {.min = 0, .max = 1, .doc = "exponent of the power law; 1/7 over open land"});
  v.field("top", d.top, {.unit = "m", .min = 0.1, .max = 20000, .doc = "height above the ground up to which the mean wind grows"});
}
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, FadingDef>
void describe(D& d, V& v) {
  v.field("mean", d.mean, {.unit = "1/s", .min = 0, .max = 10, .doc = "decay rate of the mean wind (alpha of SIGMA eq. 9); 0: the mean wind does not decay"});
  v.field("local", d.local,
          {.unit = "1/s", .min = 0, .max = 10, .doc = "decay rate of the turbulence (beta of SIGMA eq. 9); 0: the turbulence does not decay"});
}
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, TurbulenceDef>
void describe(D& d, V& v) {
  v.field("form", d.form, {.doc = "spectrum of the turbulence: none, dryden or von_karman"});
  v.field("intensity", d.intensity,
          {.unit = "m/s", .min = 0, .max = 60, .doc = "wind speed at 20 ft that sets the strength below 1000 ft: 7.7 is light, 15.4 moderate, 23.1 severe"});
  v.field("severity", d.severity, {.doc = "severity of the turbulence above 2000 ft, a curve of MIL-F-8785C"});
  v.field("sigma", d.sigma,
          {.unit = "m/s", .min = 0, .max = 30, .doc = "standard deviation on each axis, the same everywhere; 0: by height, from intensity and severity"});
  v.field("length", d.length, {.unit = "m", .min = 2, .max = 1000, .doc = "length scale of the eddies, used only where sigma is above 0"});
}
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, GustDef>
void describe(D& d, V& v) {
  v.field("amplitude", d.amplitude,
          {.unit = "m/s", .min = -100, .max = 100, .required = true, .doc = "wind velocity of the fully developed gust, east north up"});
  v.field("start", d.start, {.unit = "m", .min = -1e7, .max = 1e7, .doc = "point at which the gust begins, east north up"});
  v.field("ahead", d.ahead,
          {.min = -1e7,
           .max = 1e7,
           .doc = "direction in which the gust builds up, opposite to the motion of a moving front; absent: the gust reaches all places at the same time"});
  v.field("speed", d.speed, {.unit = "m/s", .min = 0, .max = 1000, .doc = "speed of a moving front; 0: the gust stands in the air and vehicles fly into it"});
  v.field("begins", d.begins, {.unit = "s", .min = 0, .max = 1e9, .doc = "simulated time at which a moving front is at its start point"});
  v.field("length", d.length,
          {.unit = "m", .min = 0.1, .max = 1e6, .doc = "distance over which the gust builds up from zero to full strength, as (1 - cos) / 2"});
  v.field("returns", d.returns, {.doc = "whether the gust decays to zero again over the same length; false: it stays at full strength"});
}

template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, AnchorDef>
void describe(D& d, V& v) {
  v.field("name", d.name, {.doc = "name of the anchor; absent: its number"});
  v.field("position", d.position_W, {.unit = "m", .min = -1e6, .max = 1e6, .required = true, .doc = "position of the anchor, east north up"});
}

template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, EnvironmentDef>
void describe(D& d, V& v) {
  v.field("gravity", d.gravity,
          {.unit = "m/s2", .min = 0, .max = 100, .doc = "gravitational acceleration, downwards; absent with an origin: normal gravity at the origin"});
  v.field("wind", d.wind_W, {.unit = "m/s", .min = -100, .max = 100, .doc = "mean wind: velocity of the air, east north up"});
  v.field("wind_spread", d.wind_spread_W,
          {.unit = "m/s",
           .min = 0,
           .max = 100,
           .doc = "greatest difference of a world's mean wind from `wind` on each axis, drawn uniformly for each world and episode; only without weather"});
  v.field("gust_sigma", d.gust_sigma,
          {.unit = "m/s", .min = 0, .max = 50, .doc = "standard deviation of the random gust of each vehicle, on each axis; 0: no random gusts"});
  v.field("gust_time_constant", d.gust_time_constant, {.unit = "s", .min = 1e-3, .max = 1e4, .doc = "correlation time of the random gust of each vehicle"});
  v.field("ground", d.ground, {.doc = "whether there is ground on which vehicles can stand"});
  v.field("ground_height", d.ground_height, {.unit = "m", .min = -1e5, .max = 1e5, .doc = "height of the flat ground"});
  v.field("ground_friction", d.ground_friction, {.min = 0, .max = 10, .doc = "Coulomb friction coefficient of the ground"});
  auto& w = d.weather;
  v.field("origin", w.origin, {.doc = "geographic position of the world's origin, which also switches the standard atmosphere on; absent: none"});
  v.field("curved", w.curved, {.doc = "whether heights of the air are counted from a curved Earth instead of the plane at the origin; needs an origin"});
  v.field("year", w.year, {.min = 2025, .max = 2030, .doc = "decimal year, for the magnetic field (WMM2025) and the sun in the viewer"});
  v.field("time_of_day", w.time_of_day, {.unit = "h", .min = 0, .max = 24, .doc = "solar time at the start, for the sun in the viewer and for exported dates"});
  v.field("atmosphere", w.atmosphere, {.doc = "deviation of the air from the standard atmosphere"});
  v.field("shear", w.shear, {.doc = "growth of the mean wind with height"});
  v.field("fading", w.fading, {.doc = "decay of the winds over time"});
  v.field("turbulence", w.turbulence, {.doc = "frozen turbulence field that the mean wind carries along, the same for all vehicles"});
  v.field("gusts", w.gusts, {.min = 0, .max = 8, .doc = "single gusts, each at a place and time"});
  v.field("wind_field", w.wind_field,
          {.is_path = true, .doc = "CSV file with a wind on a regular grid in space and time, added to the other winds; see docs/environment.md"});
  v.field("anchors", d.anchors,
          {.min = 0, .max = static_cast<double>(kMostAnchors), .doc = "radio beacons at known places, to which vehicles with uwb_anchors measure their distance"});
}

}  // namespace volary
