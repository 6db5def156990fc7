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
  v.field("latitude", d.latitude, {.unit = "deg", .min = -90, .max = 90, .required = true, .doc = "of the point 0, 0, 0; north is positive"});
  v.field("longitude", d.longitude, {.unit = "deg", .min = -180, .max = 180, .required = true, .doc = "east is positive"});
  v.field("height", d.height, {.unit = "m", .min = -1000, .max = 10000, .doc = "above the ellipsoid of WGS-84, which counts as sea level"});
}
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, AtmosphereDef>
void describe(D& d, V& v) {
  v.field("standard", d.standard, {.doc = "the air thins with height (U.S. Standard Atmosphere 1976); an origin or an offset has the same effect"});
  v.field("temperature", d.temperature, {.unit = "K", .min = -60, .max = 60, .doc = "added to the standard's at every height"});
  v.field("pressure", d.pressure, {.unit = "Pa", .min = -20000, .max = 20000, .doc = "added at sea level"});
  v.field("humidity", d.humidity, {.min = 0, .max = 1, .doc = "relative, up to the tropopause"});
}
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, ShearDef>
void describe(D& d, V& v) {
  v.field("law", d.law, {.doc = "how the mean wind grows with height above the ground: none, log, power"});
  v.field("reference_height", d.reference_height, {.unit = "m", .min = 0.1, .max = 1000, .doc = "where the wind is as given; 6.096 m is 20 ft"});
  v.field("roughness", d.roughness, {.unit = "m", .min = 1e-5, .max = 10, .doc = "log law: 0.0457 near airfields, 0.61 otherwise (MIL-F-8785C)"});
  v.field("exponent", d.exponent, {.min = 0, .max = 1, .doc = "power law: 1/7 over open land"});
  v.field("top", d.top, {.unit = "m", .min = 0.1, .max = 20000, .doc = "above this the wind no longer grows"});
}
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, FadingDef>
void describe(D& d, V& v) {
  v.field("mean", d.mean, {.unit = "1/s", .min = 0, .max = 10, .doc = "alpha of SIGMA eq. 9: how fast the mean wind dies away; 0: it stays"});
  v.field("local", d.local, {.unit = "1/s", .min = 0, .max = 10, .doc = "beta: the same of the turbulence"});
}
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, TurbulenceDef>
void describe(D& d, V& v) {
  v.field("form", d.form, {.doc = "of the spectrum: none, dryden, von_karman"});
  v.field("intensity", d.intensity,
          {.unit = "m/s", .min = 0, .max = 60, .doc = "wind at 20 ft, which sets the strength below 1000 ft: 7.7 is light, 15.4 moderate, 23.1 severe"});
  v.field("severity", d.severity, {.doc = "which curve of MIL-F-8785C holds above 2000 ft"});
  v.field("sigma", d.sigma, {.unit = "m/s", .min = 0, .max = 30, .doc = "on each axis, the same everywhere; 0: by height, from intensity and severity"});
  v.field("length", d.length, {.unit = "m", .min = 2, .max = 1000, .doc = "of the eddies, where sigma is given"});
}
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, GustDef>
void describe(D& d, V& v) {
  v.field("amplitude", d.amplitude, {.unit = "m/s", .min = -100, .max = 100, .required = true, .doc = "of the whole gust"});
  v.field("start", d.start, {.unit = "m", .min = -1e7, .max = 1e7, .doc = "where it begins"});
  v.field("ahead", d.ahead,
          {.min = -1e7, .max = 1e7, .doc = "direction in which it builds up; against the way of a front that moves; absent: at all places at the same time"});
  v.field("speed", d.speed, {.unit = "m/s", .min = 0, .max = 1000, .doc = "of the front; 0: it stands in the air and is flown into"});
  v.field("begins", d.begins, {.unit = "s", .min = 0, .max = 1e9, .doc = "when a front is at its start"});
  v.field("length", d.length, {.unit = "m", .min = 0.1, .max = 1e6, .doc = "from nothing to the whole, as (1 - cos) / 2"});
  v.field("returns", d.returns, {.doc = "it goes down again over the same length; otherwise it stays"});
}

template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, EnvironmentDef>
void describe(D& d, V& v) {
  v.field("gravity", d.gravity, {.unit = "m/s2", .min = 0, .max = 100, .doc = "downwards; absent where there is an origin: normal gravity there"});
  v.field("wind", d.wind_W, {.unit = "m/s", .min = -100, .max = 100, .doc = "mean wind: where the air moves to, east north up"});
  v.field("gust_sigma", d.gust_sigma, {.unit = "m/s", .min = 0, .max = 50, .doc = "standard deviation of the gust on each axis"});
  v.field("gust_time_constant", d.gust_time_constant, {.unit = "s", .min = 1e-3, .max = 1e4, .doc = "how long a gust lasts"});
  v.field("ground", d.ground, {.doc = "whether there is a ground to stand on"});
  v.field("ground_height", d.ground_height, {.unit = "m", .min = -1e5, .max = 1e5, .doc = "of the flat ground"});
  v.field("ground_friction", d.ground_friction, {.min = 0, .max = 10, .doc = "Coulomb coefficient"});
  auto& w = d.weather;
  v.field("origin", w.origin, {.doc = "where on the Earth the world lies; with it comes the standard atmosphere"});
  v.field("curved", w.curved, {.doc = "the air counts its height from a ground that falls away from the plane of the origin"});
  v.field("year", w.year, {.min = 2025, .max = 2030, .doc = "with its fraction: for the magnetic field (WMM2025) and the sun of the page"});
  v.field("time_of_day", w.time_of_day, {.unit = "h", .min = 0, .max = 24, .doc = "by the sun, at the start: for the page"});
  v.field("atmosphere", w.atmosphere, {.doc = "how the air differs from the standard"});
  v.field("shear", w.shear, {.doc = "how the mean wind grows with height"});
  v.field("fading", w.fading, {.doc = "winds that die away"});
  v.field("turbulence", w.turbulence, {.doc = "one frozen field for all, carried along by the mean wind"});
  v.field("gusts", w.gusts, {.min = 0, .max = 8, .doc = "single gusts at a place and time"});
  v.field("wind_field", w.wind_field,
          {.is_path = true, .doc = "CSV file with a wind on a regular grid in space and time, added to the rest: see docs/environment.md"});
}

}  // namespace volary
