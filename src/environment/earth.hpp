// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Earth and air around a vehicle: one sample(place, time) that gives density, sound, wind, gravity and magnetic field where the integrator asks. An
// Earth is made once per world in double, turned into the world's precision, and brought to the present once per tick; sampling it is pure. What a
// world does not have costs a comparison.
#pragma once

#include "environment/atmosphere.hpp"
#include "environment/gravity.hpp"
#include "environment/local_magnetic.hpp"
#include "environment/turbulence.hpp"
#include "environment/wind.hpp"
#include "environment/wind_grid.hpp"

namespace volary::inline VOLARY_ISA::environment {

inline constexpr int kMostGusts = 8;

struct EarthDef {
  Geodetic<double> origin{0, 0, 0};  // of the local axes east, north, up
  bool curved = false;  // whether the ground falls away from the plane of the origin
  double year = 2026;  // decimal, for the magnetic field
  bool layered = true;  // the air thins with height; otherwise it is everywhere as the standard has it at sea level
  AirOffsets air;
  MeanWindDef wind;
  WindFading fading;
  bool turbulent = false;
  TurbulenceForm form = TurbulenceForm::Dryden;
  TurbulenceLevels<double> levels{};
  int gusts = 0;
  DiscreteGust<double> gust[kMostGusts]{};
};

template <class S> struct Earth {
  bool layered;
  Atmosphere<S> atmosphere;
  S origin_height;  // m above the ellipsoid
  S half_curvature;  // 1/m, zero where the world is flat
  LocalGravity<S> gravity;
  LocalMagnetic<S> magnetic;
  MeanWind<S> wind;
  WindShares<S> shares;  // of the present
  bool turbulent;
  TurbulenceLevels<S> levels;
  TurbulenceField<S> turbulence;  // carried to the present
  int gusts;
  DiscreteGust<S> gust[kMostGusts];
  bool gridded;
  WindGridNow<S> grid;  // of the present; added to the rest
};

template <class T> struct Surroundings {
  T temperature, pressure;  // K, Pa
  T density;  // kg/m3
  T speed_of_sound;  // m/s
  Vec3<T> wind_W;  // m/s
  T gravity;  // m/s2, down
  Vec3<T> magnetic_W;  // nT
};

// ---------------------------------------------------------------- making it, in double

inline Earth<double> make_earth(const EarthDef& d, const magnetic::Model& model, const RandomKey<std::uint32_t>& world) {
  Earth<double> e{};
  e.layered = d.layered;
  e.atmosphere = make_atmosphere(d.air);
  e.origin_height = d.origin.height;
  e.half_curvature = d.curved ? 0.5 / mean_radius(kWgs84, math::sin(d.origin.latitude)) : 0;
  e.gravity = local_gravity(d.origin.latitude, d.origin.height);
  e.magnetic = local_magnetic(model, local_frame(kWgs84, d.origin), d.year);
  e.wind = make_mean_wind(d.wind);
  e.shares = wind_shares(d.fading, 0);
  e.turbulent = d.turbulent;
  if (d.turbulent) e.levels = d.levels, e.turbulence = make_turbulence(d.form, world);
  e.gusts = d.gusts;
  for (int i = 0; i < d.gusts; ++i) e.gust[i] = d.gust[i];
  return e;
}

template <class S> DiscreteGust<S> gust_as(const DiscreteGust<double>& g) {
  return {vector_as<S>(g.amplitude_W),
          vector_as<S>(g.start_W),
          vector_as<S>(g.ahead_W),
          static_cast<S>(g.speed),
          static_cast<S>(g.begins),
          static_cast<S>(g.length),
          g.returns};
}

template <class S> Earth<S> earth_as(const Earth<double>& e) {
  Earth<S> out{};
  out.layered = e.layered;
  out.atmosphere = atmosphere_as<S>(e.atmosphere);
  out.origin_height = static_cast<S>(e.origin_height), out.half_curvature = static_cast<S>(e.half_curvature);
  out.gravity = {static_cast<S>(e.gravity.at_origin), static_cast<S>(e.gravity.per_height)};
  out.magnetic = magnetic_as<S>(e.magnetic);
  out.wind = mean_wind_as<S>(e.wind);
  out.shares = {static_cast<S>(e.shares.mean), static_cast<S>(e.shares.local)};
  out.turbulent = e.turbulent;
  out.levels = levels_as<S>(e.levels);
  out.turbulence = turbulence_as<S>(e.turbulence);
  out.gusts = e.gusts;
  for (int i = 0; i < e.gusts; ++i) out.gust[i] = gust_as<S>(e.gust[i]);
  return out;
}

// Once per tick: what is left of fading winds, and turbulence carried by `drift_W`, the sum of mean wind times tick since the start (m).
template <class S> void bring_to_present(const Earth<double>& made, const WindFading& fading, double time, const Vec3<double>& drift_W, Earth<S>& now) {
  const WindShares<double> shares = wind_shares(fading, time);
  now.shares = {static_cast<S>(shares.mean), static_cast<S>(shares.local)};
  if (made.turbulent) carry(made.turbulence, drift_W, now.turbulence);
}

// ---------------------------------------------------------------- sampling it

// height above the ellipsoid: that of the local axes, and the ground's falling away
template <class T> VOLARY_HD T height_of(const Earth<Scalar<T>>& e, const Vec3<T>& p) {
  return fma(T(e.half_curvature), fma(p.x, p.x, p.y * p.y), p.z + T(e.origin_height));
}

// all that moves the air, m/s; eq. 9 of SIGMA with the turbulence as its local field, then gusts and the grid
template <class T> VOLARY_HD Vec3<T> wind_at(const Earth<Scalar<T>>& e, const Vec3<T>& position_W, T above_ground, double time) {
  Vec3<T> wind = mean_wind_at<T>(e.wind, above_ground);
  Vec3<T> local = zero3<T>();
  if (e.turbulent) local = turbulence_at<T>(e.turbulence, turbulence_scale<T>(e.levels, above_ground), position_W);
  wind = faded_wind<T>(e.shares, wind, local);
  for (int i = 0; i < e.gusts; ++i) wind = wind + discrete_gust_at<T>(e.gust[i], position_W, time);
  if (e.gridded) wind = wind + grid_wind_at<T>(e.grid, position_W);
  return wind;
}

template <class T> VOLARY_HD Air<T> air_of(const Earth<Scalar<T>>& e, T height) {
  if (e.layered) return air_at<T>(e.atmosphere, geopotential_from_geometric(height));
  return {splat<T>(288.15), splat<T>(kSeaLevelPressure), splat<T>(kSeaLevelDensity), splat<T>(kSeaLevelSpeedOfSound)};
}

// `above_ground` is the height over the terrain below the vehicle, m, which only the world knows
template <class T> VOLARY_HD Surroundings<T> sample(const Earth<Scalar<T>>& e, const Vec3<T>& position_W, T above_ground, double time) {
  const T height = height_of<T>(e, position_W);
  const Air<T> air = air_of<T>(e, height);
  Surroundings<T> s;
  s.temperature = air.temperature, s.pressure = air.pressure, s.density = air.density, s.speed_of_sound = air.speed_of_sound;
  s.wind_W = wind_at<T>(e, position_W, above_ground, time);
  s.gravity = gravity_at<T>(e.gravity, height - T(e.origin_height));
  s.magnetic_W = magnetic_at<T>(e.magnetic, position_W);
  return s;
}

}  // namespace volary::inline VOLARY_ISA::environment
