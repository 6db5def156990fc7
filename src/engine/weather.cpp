// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/weather.hpp"

#include <bit>

#include "engine/data.hpp"
#include "environment/terrain.hpp"
#include "environment/weather.hpp"
#include "environment/wind_field.hpp"
#include "math/hash.hpp"

namespace volary::engine {

namespace {

using environment::Earth;
using math::Vec3;

Vec3<double> vec3(const Vec& v) { return {v[0], v[1], v[2]}; }
double tick_of(const Data& d) { return static_cast<double>(d.def.tick_ns) * 1e-9; }
double time_of(const Data& d) { return static_cast<double>(d.tick) * tick_of(d); }

template <class S> void bring(const Data& d, const Earth<double>& made, Earth<S>& now) {
  environment::bring_to_present(made, weather::fading_of(d.weather.rules.weather), time_of(d), vec3(d.weather.drift_W), now);
  if (const wind_field::Grid* grid = d.weather.rules.weather.grid.get()) now.gridded = true, now.grid = wind_field::at_time<S>(*grid, time_of(d));
}

double ground_below(const EnvironmentDef& e, const Vec& p) { return e.ground && e.terrain != nullptr ? e.terrain->height(p[0], p[1]) : e.ground_height; }

// the gust of each vehicle by itself has its strength in parameters
void use_gusts(Flock& f) {
  const ColumnInfo *keep = f.find_param("gust.keep"), *kick = f.find_param("gust.kick");
  if (keep == nullptr || kick == nullptr) return;
  const environment::GustParams<double> p = vehicles::gust_params(f.setup);
  f.param_values[static_cast<std::size_t>(keep->row)] = p.keep;
  f.param_values[static_cast<std::size_t>(kick->row)] = p.kick;
  f.broadcast_params();
}

}  // namespace

core::Status prepare_weather(Data& d) {
  if (core::Status sound = weather::check(d.def.environment); !sound) {
    core::Error error = sound.error();
    error.field = "environment." + error.field;
    return error;
  }
  use_environment(d, d.def.environment);
  return core::ok();
}

void use_environment(Data& d, const EnvironmentDef& e) {
  Weather& w = d.weather;
  const bool other_gusts = e.gust_sigma != w.rules.gust_sigma || e.gust_time_constant != w.rules.gust_time_constant;
  w.rules = e;
  w.is_on = !weather::is_plain(e.weather);
  w.made.clear(), w.now4.clear(), w.now8.clear();
  const environment::EarthDef def = weather::earth_def(e);
  const Earth<double> first = environment::make_earth(def, magnetic::wmm2025(), key_of_world(d, 0));
  const std::uint32_t n = def.turbulent ? static_cast<std::uint32_t>(d.def.worlds) : 1;
  for (std::uint32_t k = 0; w.is_on && k < n; ++k) {
    w.made.push_back(first);
    if (def.turbulent) w.made.back().turbulence = environment::make_turbulence(def.form, key_of_world(d, k));
    if (d.def.precision == Precision::Float)
      w.now4.push_back(environment::earth_as<float>(w.made.back()));
    else
      w.now8.push_back(w.made.back());
  }
  for (Flock& f : d.flocks) {
    f.setup.environment = e;
    if (other_gusts) use_gusts(f);
  }
}

void tell_plain_air(Data& d) {
  if (d.weather.is_on) return;
  for (Flock& f : d.flocks) {
    ManyPatch all;
    for (std::size_t s = 0; s < f.slots; ++s)
      if (f.ids[s] && locate(d, f.ids[s]) != nullptr) all.slots.push_back(static_cast<std::uint32_t>(s));
    const auto add = [&](int row, double x) { all.rows.push_back({row, nullptr, false, bits_in_row(x, f.bytes)}); };
    const ColumnInfo *wind = f.find_column("wind"), *density = f.find_column("air_density");
    for (int k = 0; wind != nullptr && k < 3; ++k) add(wind->row + k, d.weather.rules.wind_W[static_cast<std::size_t>(k)]);
    if (density != nullptr) add(density->row, environment::kSeaLevelDensity);
    f.patches.front().many(std::move(all));
  }
}

bool samples_ground(const Data& d) {
  const WeatherDef& w = d.weather.rules.weather;
  const bool matters = w.shear.law != ShearLaw::None || w.turbulence.form != TurbulenceModel::None;
  return d.weather.is_on && matters && d.def.environment.ground && d.def.environment.terrain != nullptr;
}

void still_gusts(Data& d) {
  for (Flock& f : d.flocks)
    if (const ColumnInfo* gust = f.find_column("gust")) {
      ManyPatch all;
      for (std::size_t s = 0; s < f.slots; ++s) all.slots.push_back(static_cast<std::uint32_t>(s));
      for (int k = 0; k < gust->rows; ++k) all.rows.push_back({gust->row + k});
      f.patches.front().many(std::move(all));
    }
}

void carry_air(Data& d) {
  Weather& w = d.weather;
  if (!w.is_on) return;
  for (std::size_t k = 0; k < w.made.size(); ++k) d.def.precision == Precision::Float ? bring(d, w.made[k], w.now4[k]) : bring(d, w.made[k], w.now8[k]);
  const double share = environment::wind_shares(weather::fading_of(w.rules.weather), time_of(d)).mean;
  for (std::size_t k = 0; k < 3; ++k) w.drift_W[k] = math::fma(share * w.rules.wind_W[k], tick_of(d), w.drift_W[k]);
}

AirArgs air_args(const Data& d, const Flock& f) {
  const Weather& w = d.weather;
  AirArgs a;
  a.earths = f.bytes == 4 ? static_cast<const void*>(w.now4.data()) : w.now8.data();
  if (w.made.size() > 1) a.worlds = f.worlds.data(), a.slots = f.slots;
  if (samples_ground(d)) a.ground = f.ground_below.data();
  a.flat_ground = w.rules.ground_height;
  a.time = time_of(d);
  return a;
}

AirSample air_at(const Data& d, const Vec& p, std::uint32_t world) {
  const Weather& w = d.weather;
  AirSample s;
  s.wind_W = w.rules.wind_W;
  if (!w.is_on || world >= static_cast<std::uint32_t>(d.def.worlds)) return s;
  const Earth<double>& made = w.made.size() > 1 ? w.made[world] : w.made.front();
  Earth<double> now = made;
  bring(d, made, now);
  const environment::Surroundings<double> at = environment::sample<double>(now, vec3(p), p[2] - ground_below(w.rules, p), time_of(d));
  s = {{at.wind_W.x, at.wind_W.y, at.wind_W.z}, at.density, at.temperature, at.pressure, {0, 0, 0}};
  if (w.rules.weather.origin) s.magnetic_W = {at.magnetic_W.x, at.magnetic_W.y, at.magnetic_W.z};
  return s;
}

double density_at(const Weather& w, const Vec& p) {
  if (!w.is_on) return environment::kSeaLevelDensity;
  const Earth<double>& e = w.made.front();
  return environment::air_of<double>(e, environment::height_of<double>(e, vec3(p))).density;
}

std::uint64_t hash_weather(const Data& d) {
  const Vec& drift = d.weather.drift_W;
  if (drift == Vec{0, 0, 0}) return 0;
  std::uint64_t h = 0;
  for (const double x : drift) h = math::mix64(h ^ std::bit_cast<std::uint64_t>(x));
  return h;
}

}  // namespace volary::engine
