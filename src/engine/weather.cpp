// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/weather.hpp"

#include <algorithm>
#include <bit>

#include "engine/slots.hpp"
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
double time_of(const Data& d, std::uint32_t world) { return static_cast<double>(tick_of_world(d, world)) * tick_of(d); }

template <class S> void bring(const Data& d, std::uint32_t world, const Earth<double>& made, Earth<S>& now) {
  const double time = time_of(d, world);
  environment::bring_to_present(made, weather::fading_of(d.weather.rules.weather), time, vec3(d.weather.drift_W[world]), now);
  if (const wind_field::Grid* grid = d.weather.rules.weather.grid.get()) now.gridded = true, now.grid = wind_field::at_time<S>(*grid, time);
}

// where the air of a world is in the list
std::size_t place_of(const Weather& w, std::uint32_t world) { return w.made.size() > 1 ? world : 0; }

// of one world, from what is common
void make_air(Data& d, const environment::EarthDef& def, std::uint32_t world) {
  Weather& w = d.weather;
  const std::size_t at = place_of(w, world);
  Earth<double>& made = w.made[at];
  made = w.common;
  if (w.wind_W[world] != w.rules.wind_W) {
    EnvironmentDef own = w.rules;
    own.wind_W = w.wind_W[world];
    made.wind = environment::make_mean_wind(weather::earth_def(own).wind);
  }
  if (def.turbulent) made.turbulence = environment::make_turbulence(def.form, key_of_world(d, world));
  if (d.def.precision == Precision::Float)
    w.now4[at] = environment::earth_as<float>(made);
  else
    w.now8[at] = made;
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
  d.weather.drift_W.assign(d.worlds.start.size(), {0, 0, 0});
  d.weather.wind_W.assign(d.worlds.start.size(), d.def.environment.wind_W);
  use_environment(d, d.def.environment);
  for (std::uint32_t k = 0; k < d.weather.wind_W.size(); ++k) d.weather.wind_W[k] = weather::wind_of_world(d.def.environment, key_of_world(d, k));
  return core::ok();
}

void use_environment(Data& d, const EnvironmentDef& e) {
  Weather& w = d.weather;
  const bool other_gusts = e.gust_sigma != w.rules.gust_sigma || e.gust_time_constant != w.rules.gust_time_constant;
  if (e.wind_W != w.rules.wind_W) std::fill(w.wind_W.begin(), w.wind_W.end(), e.wind_W);
  w.rules = e;
  w.is_on = !weather::is_plain(e.weather);
  w.common = environment::make_earth(weather::earth_def(e), magnetic::wmm2025(), key_of_world(d, 0));
  remake_air(d);
  for (Flock& f : d.flocks) {
    f.setup.environment = e;
    if (other_gusts) use_gusts(f);
  }
}

void remake_air(Data& d) {
  Weather& w = d.weather;
  const environment::EarthDef def = weather::earth_def(w.rules);
  const std::size_t n = !w.is_on ? 0 : def.turbulent || d.worlds.are_apart ? d.worlds.start.size() : 1;
  w.made.assign(n, w.common);
  d.def.precision == Precision::Float ? w.now4.resize(n) : w.now8.resize(n);
  for (std::uint32_t k = 0; k < n; ++k) make_air(d, def, k);
  w.times.resize(w.is_on && d.worlds.are_apart ? n : 0);
}

void begin_air(Data& d, std::uint32_t world) {
  Weather& w = d.weather;
  w.drift_W[world] = {0, 0, 0};
  w.wind_W[world] = weather::wind_of_world(w.rules, key_of_world(d, world));
  if (w.is_on) make_air(d, weather::earth_def(w.rules), world);
}

void set_wind_of_world(Data& d, std::uint32_t world, const Vec& wind_W) {
  Weather& w = d.weather;
  w.wind_W[world] = wind_W;
  if (w.is_on)
    make_air(d, weather::earth_def(w.rules), world);
  else
    tell_plain_air(d, world);
}

void tell_wind(const Data& d, Flock& f, std::size_t slot) {
  const ColumnInfo *wind = f.find_column("wind"), *density = f.find_column("air_density");
  Patches& patches = f.patches.front();
  for (int k = 0; wind != nullptr && k < 3; ++k) patches.value(slot, wind->row + k, d.weather.wind_W[f.worlds[slot]][static_cast<std::size_t>(k)]);
  if (density != nullptr) patches.value(slot, density->row, environment::kSeaLevelDensity);
}

void tell_plain_air(Data& d, std::uint32_t world) {
  if (d.weather.is_on) return;
  for (std::uint32_t w = world == kEveryWorld ? 0 : world; w < (world == kEveryWorld ? d.worlds.start.size() : world + 1); ++w)
    for (std::size_t k = 0; k < d.flocks.size(); ++k)
      each_slot_of_world(d, k, w, [&](std::size_t s) {
        if (Flock& f = d.flocks[k]; f.ids[s] && locate(d, f.ids[s]) != nullptr) tell_wind(d, f, s);
      });
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
  for (std::uint32_t k = 0; k < w.made.size(); ++k) d.def.precision == Precision::Float ? bring(d, k, w.made[k], w.now4[k]) : bring(d, k, w.made[k], w.now8[k]);
  for (std::uint32_t k = 0; k < w.times.size(); ++k) w.times[k] = time_of(d, k);
  const environment::WindFading fading = weather::fading_of(w.rules.weather);
  double share = environment::wind_shares(fading, time_of(d, 0)).mean;
  for (std::uint32_t world = 0; world < w.drift_W.size(); ++world) {
    if (d.worlds.are_apart) share = environment::wind_shares(fading, time_of(d, world)).mean;
    for (std::size_t k = 0; k < 3; ++k) w.drift_W[world][k] = math::fma(share * w.wind_W[world][k], tick_of(d), w.drift_W[world][k]);
  }
}

AirArgs air_args(const Data& d, const Flock& f) {
  const Weather& w = d.weather;
  AirArgs a;
  a.earths = f.bytes == 4 ? static_cast<const void*>(w.now4.data()) : w.now8.data();
  if (w.made.size() > 1) a.worlds = f.worlds.data(), a.slots = f.slots;
  if (samples_ground(d)) a.ground = f.ground_below.data();
  a.flat_ground = w.rules.ground_height;
  a.time = time_of(d, 0);
  if (!w.times.empty()) a.times = w.times.data();
  return a;
}

AirSample air_at(const Data& d, const Vec& p, std::uint32_t world) {
  const Weather& w = d.weather;
  AirSample s;
  s.wind_W = world < w.wind_W.size() ? w.wind_W[world] : w.rules.wind_W;
  if (!w.is_on || world >= w.wind_W.size()) return s;
  const Earth<double>& made = w.made[place_of(w, world)];
  Earth<double> now = made;
  bring(d, world, made, now);
  const environment::Surroundings<double> at = environment::sample<double>(now, vec3(p), p[2] - ground_below(w.rules, p), time_of(d, world));
  s = {{at.wind_W.x, at.wind_W.y, at.wind_W.z}, at.density, at.temperature, at.pressure, {0, 0, 0}};
  if (w.rules.weather.origin) s.magnetic_W = {at.magnetic_W.x, at.magnetic_W.y, at.magnetic_W.z};
  return s;
}

double density_at(const Weather& w, const Vec& p) {
  if (!w.is_on) return environment::kSeaLevelDensity;
  const Earth<double>& e = w.common;
  return environment::air_of<double>(e, environment::height_of<double>(e, vec3(p))).density;
}

std::uint64_t hash_weather(const Data& d) {
  const auto hash = [](std::uint64_t h, const Vec& v) {
    for (const double x : v) h = math::mix64(h ^ std::bit_cast<std::uint64_t>(x));
    return h;
  };
  const Weather& w = d.weather;
  std::uint64_t sum = w.drift_W[0] == Vec{0, 0, 0} ? 0 : hash(0, w.drift_W[0]);
  // worlds that differ from the first: the definition of a branch may have another wind, which an input brings
  for (std::size_t k = 0; k < w.drift_W.size(); ++k) {
    if (w.drift_W[k] != w.drift_W[0]) sum += hash(k + 1, w.drift_W[k]);
    if (w.wind_W[k] != w.wind_W[0]) sum += hash(~k, w.wind_W[k]);
  }
  return sum;
}

}  // namespace volary::engine
