// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/lockstep/measured.hpp"

#include "math/frames.hpp"
#include "math/functions.hpp"
#include "math/random.hpp"

namespace volary::autopilot {

namespace {

constexpr math::Purpose kSensors{40};  // the number of these draws among all purposes of math/random.hpp
constexpr double kGaussPerNanotesla = 1e-5;
constexpr double kTurn = 6.283185307179586476925287;

environment::LocalMagnetic<double> magnetic_at_origin(const WeatherDef& weather) {
  constexpr double kRadians = kTurn / 360;
  const OriginDef o = weather.origin.value_or(kDefaultOrigin);
  const auto frame = environment::local_frame(environment::kWgs84, environment::Geodetic<double>{o.latitude * kRadians, o.longitude * kRadians, o.height});
  return environment::local_magnetic(magnetic::wmm2025(), frame, weather.year);
}

// four numbers of the normal distribution (Box and Muller 1958)
struct Normals {
  double value[4];
};
Normals normals(const Draw& d, std::uint32_t number) {
  const math::Words4<std::uint32_t> w = math::random_words<std::uint32_t>(math::world_key(d.seed, d.world, d.episode), static_cast<std::uint32_t>(d.vehicle),
                                                                          static_cast<std::uint32_t>(d.vehicle >> 32), kSensors, d.tick, number);
  Normals out;
  for (int k = 0; k < 2; ++k) {
    const double u = (w.w[2 * k] + 0.5) * 0x1p-32, angle = kTurn * (w.w[2 * k + 1] * 0x1p-32);
    const double radius = math::sqrt(-2 * math::log(u));
    double s, c;
    math::sincos(angle, s, c);
    out.value[2 * k] = radius * c;
    out.value[2 * k + 1] = radius * s;
  }
  return out;
}

void add_noise(const Noise& noise, const Draw& draw, Measured& m) {
  const Normals a = normals(draw, 0), b = normals(draw, 1), c = normals(draw, 2);
  m.specific_force_F = m.specific_force_F + noise.specific_force * Vec3d{a.value[0], a.value[1], a.value[2]};
  m.rate_F = m.rate_F + noise.rate * Vec3d{a.value[3], b.value[0], b.value[1]};
  m.magnetic_F = m.magnetic_F + noise.magnetic * Vec3d{b.value[2], b.value[3], c.value[0]};
  m.pressure += noise.pressure * c.value[1];
  m.dynamic_pressure += noise.dynamic_pressure * c.value[2];
}

// halfway between two attitudes that are near to each other
Quatd between(const Quatd& a, const Quatd& b) {
  const double same = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z < 0 ? -1 : 1;
  return math::normalize(Quatd{a.w + same * b.w, a.x + same * b.x, a.y + same * b.y, a.z + same * b.z});
}

}  // namespace

SensorSite::SensorSite(const EnvironmentDef& e)
    : place_(e.weather.origin),
      atmosphere_(environment::make_atmosphere({e.weather.atmosphere.temperature, e.weather.atmosphere.pressure, e.weather.atmosphere.humidity})),
      magnetic_(magnetic_at_origin(e.weather)),
      gravity_(e.gravity) {}

Measured SensorSite::measure(const Truth& before, const Truth& now, double seconds, const Vec3d& wind_W, const Vec3d& home_W, const Noise& noise,
                             const Draw& draw) const {
  Measured m;
  // an inertial sensor gives what it felt since its last reading, in axes that turned meanwhile
  Vec3d force_W{0, 0, gravity_};
  if (seconds > 0) force_W = force_W + (1 / seconds) * (now.velocity_W - before.velocity_W);
  const math::Mat3<double> R_WB = math::rotation_matrix(now.attitude);
  const math::Mat3<double> R_WB_halfway = math::rotation_matrix(seconds > 0 ? between(before.attitude, now.attitude) : now.attitude);
  m.specific_force_F = math::frd_from_flu(math::transpose_times(R_WB_halfway, force_W));
  m.rate_F = math::frd_from_flu(seconds > 0 ? 0.5 * (before.omega_B + now.omega_B) : now.omega_B);
  m.magnetic_F = kGaussPerNanotesla * math::frd_from_flu(math::transpose_times(R_WB, environment::magnetic_at<double>(magnetic_, now.position_W)));

  m.place = place_.on_earth({now.position_W.x, now.position_W.y, now.position_W.z});
  m.velocity_N = math::ned_from_enu(now.velocity_W);
  const environment::Air<double> air = environment::air_at<double>(atmosphere_, environment::geopotential_from_geometric(m.place.altitude));
  m.pressure = air.pressure;
  m.temperature = air.temperature;
  m.airspeed = math::max(0.0, math::transpose_times(R_WB, now.velocity_W - wind_W).x);
  m.dynamic_pressure = 0.5 * air.density * m.airspeed * m.airspeed;
  m.position_N = math::ned_from_enu(now.position_W - home_W);
  m.attitude_N = math::ned_frd_from_enu_flu(now.attitude);
  add_noise(noise, draw, m);
  m.pressure_height = environment::pressure_height(m.pressure);
  return m;
}

}  // namespace volary::autopilot
