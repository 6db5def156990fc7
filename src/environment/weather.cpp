// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "environment/weather.hpp"

#include <charconv>
#include <utility>

#include "core/set_field.hpp"
#include "environment/earth_check.hpp"
#include "environment/weather_fields.hpp"
#include "environment/wind_field.hpp"

namespace volary {

std::span<const char* const> names(ShearLaw) {
  static constexpr const char* kNames[] = {"none", "log", "power"};
  return kNames;
}
std::span<const char* const> names(TurbulenceModel) {
  static constexpr const char* kNames[] = {"none", "dryden", "von_karman"};
  return kNames;
}
std::span<const char* const> names(Severity) {
  static constexpr const char* kNames[] = {"light", "moderate", "severe"};
  return kNames;
}

}  // namespace volary

namespace volary::weather {

namespace {

using environment::EarthDef;
using math::Vec3;

constexpr double kRadiansPerDegree = 0.017453292519943295;

Vec3<double> vec3(const Vec& v) { return {v[0], v[1], v[2]}; }

core::Error wrong(std::string field, std::string message, std::string suggestion = "") {
  core::Error error;
  error.field = std::move(field);
  error.message = std::move(message);
  error.suggestion = std::move(suggestion);
  return error;
}

environment::TurbulenceLevels<double> levels_of(const TurbulenceDef& t, environment::TurbulenceForm form) {
  if (t.sigma > 0) return environment::even_turbulence({t.sigma, t.sigma, t.length, t.length});
  const environment::Severity curves[] = {environment::kLightTurbulence, environment::kModerateTurbulence, environment::kSevereTurbulence};
  return environment::turbulence_levels(form, t.intensity, curves[static_cast<std::size_t>(t.severity)].exceedance);
}

environment::DiscreteGust<double> gust_of(const GustDef& g) {
  Vec3<double> ahead = vec3(g.ahead);
  if (const double n = math::norm(ahead); n > 0) ahead = (1 / n) * ahead;
  return {vec3(g.amplitude), vec3(g.start), ahead, g.speed, g.begins, g.length, g.returns};
}

// what would do nothing is a mistake
core::Status check_gusts(const std::vector<GustDef>& gusts) {
  if (gusts.size() > environment::kMostGusts) return wrong("gusts", "there can be at most " + std::to_string(environment::kMostGusts));
  for (std::size_t i = 0; i < gusts.size(); ++i)
    if (gusts[i].speed == 0 && gusts[i].ahead == Vec{0, 0, 0})
      return wrong("gusts[" + std::to_string(i) + "].speed", "a gust with neither a direction 'ahead' nor a speed never acts",
                   "ahead: [1, 0, 0] for a gust to fly into, or a speed for one that moves");
  return core::ok();
}

// given at the start: what stands on the Earth stays there, and files are not read in flight
bool is_fixed(std::string_view path) {
  const std::string_view first = path.substr(0, path.find_first_of(".["));
  for (const std::string_view fixed : {"gravity", "ground", "ground_height", "ground_friction", "origin", "curved", "wind_field", "wind_spread", "anchors"})
    if (first == fixed) return true;
  return false;
}

constexpr std::string_view kGusts = "gusts[";

// "gusts[2].amplitude"
core::Status change_gust(std::vector<GustDef>& gusts, std::string_view path, const std::string& value) {
  std::size_t number = 0;
  const char *first = path.data() + kGusts.size(), *last = path.data() + path.size();
  const auto [end, code] = std::from_chars(first, last, number);
  if (code != std::errc() || last - end < 3 || end[0] != ']' || end[1] != '.')
    return wrong(std::string(path), "there is no such field", "such as gusts[0].begins");
  const std::string entry(path.substr(0, static_cast<std::size_t>(end + 1 - path.data())));
  if (number >= gusts.size()) return wrong(entry, "there are only " + std::to_string(gusts.size()) + " in the list");
  core::Status done = core::set_field(gusts[number], path.substr(entry.size() + 1), value);
  if (done) return done;
  core::Error error = done.error();
  error.field = entry + "." + error.field;
  return error;
}

}  // namespace

bool has_atmosphere(const WeatherDef& w) { return w.origin.has_value() || w.atmosphere != AtmosphereDef{}; }

bool is_plain(const WeatherDef& w) {
  return !has_atmosphere(w) && w.shear.law == ShearLaw::None && w.fading == FadingDef{} && w.turbulence.form == TurbulenceModel::None && w.gusts.empty() &&
         w.grid == nullptr;
}

environment::WindFading fading_of(const WeatherDef& w) { return {w.fading.mean, w.fading.local}; }

EarthDef earth_def(const EnvironmentDef& e) {
  const WeatherDef& w = e.weather;
  EarthDef d;
  if (w.origin) d.origin = {w.origin->latitude * kRadiansPerDegree, w.origin->longitude * kRadiansPerDegree, w.origin->height};
  d.curved = w.curved;
  d.year = w.year;
  d.layered = has_atmosphere(w);
  d.air = {w.atmosphere.temperature, w.atmosphere.pressure, w.atmosphere.humidity};
  d.wind = {vec3(e.wind_W), w.shear.reference_height, static_cast<environment::Shear>(w.shear.law), w.shear.roughness, w.shear.exponent, w.shear.top};
  d.fading = fading_of(w);
  d.turbulent = w.turbulence.form != TurbulenceModel::None;
  d.form = w.turbulence.form == TurbulenceModel::VonKarman ? environment::TurbulenceForm::VonKarman : environment::TurbulenceForm::Dryden;
  if (d.turbulent) d.levels = levels_of(w.turbulence, d.form);
  for (const GustDef& g : w.gusts)
    if (d.gusts < environment::kMostGusts) d.gust[d.gusts++] = gust_of(g);
  return d;
}

Vec wind_of_world(const EnvironmentDef& e, const math::RandomKey<std::uint32_t>& key) {
  Vec wind_W = e.wind_W;
  if (e.wind_spread_W == Vec{0, 0, 0}) return wind_W;
  const math::Words4<std::uint32_t> words = math::random_words<std::uint32_t>(key, 0, 0, math::Purpose::Wind, 0, 0);
  for (std::size_t k = 0; k < 3; ++k) wind_W[k] += e.wind_spread_W[k] * ((2.0 * words.w[k] + 1.0 - 0x1p32) * 0x1p-32);
  return wind_W;
}

core::Status check(const EnvironmentDef& e) {
  for (const double x : e.wind_spread_W)
    if (!(x >= 0 && x <= 100)) return wrong("wind_spread", "must be from 0 to 100 m/s on each axis");
  if (e.wind_spread_W != Vec{0, 0, 0} && !is_plain(e.weather))
    return wrong("wind_spread", "is only for worlds without weather: here the wind depends on place or time",
                 "leave out origin, atmosphere, shear, fading, turbulence, gusts and wind_field, or wind_spread");
  if (core::Status s = check_gusts(e.weather.gusts); !s) return s;
  if (core::Status s = environment::check_earth(earth_def(e), magnetic::wmm2025()); !s) return s;
  if (e.weather.curved && !e.weather.origin)
    return wrong("curved", "needs an origin: the curvature of the Earth depends on the latitude", "origin: {latitude: ..., longitude: ...}");
  return e.weather.grid == nullptr ? core::ok() : wind_field::check(*e.weather.grid);
}

core::Status change(EnvironmentDef& e, std::string_view path, const std::string& value) {
  if (is_fixed(path)) return wrong(std::string(path), "cannot be changed in flight");
  EnvironmentDef changed = e;
  const core::Status done = path.starts_with(kGusts) ? change_gust(changed.weather.gusts, path, value) : core::set_field(changed, path, value);
  if (!done) return done;
  if (core::Status sound = check(changed); !sound) return sound;
  e = std::move(changed);
  return core::ok();
}

std::vector<core::ListedField> list(const EnvironmentDef& e) {
  core::FieldLister lister;
  describe(e, lister);
  for (std::size_t i = 0; i < e.weather.gusts.size(); ++i) {
    core::FieldLister of_gust("gusts[" + std::to_string(i) + "].");
    describe(e.weather.gusts[i], of_gust);
    lister.list.insert(lister.list.end(), of_gust.list.begin(), of_gust.list.end());
  }
  std::erase_if(lister.list, [](const core::ListedField& f) { return is_fixed(f.path); });
  for (core::ListedField& f : lister.list) f.path = "environment." + f.path;
  return std::move(lister.list);
}

environment::LocalFrame<double> frame_of(const OriginDef& o) {
  return environment::local_frame<double>(environment::kWgs84, {o.latitude * kRadiansPerDegree, o.longitude * kRadiansPerDegree, o.height});
}

}  // namespace volary::weather
