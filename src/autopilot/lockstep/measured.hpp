// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What the sensors of a vehicle measure, made from its true motion: pure, and reproducible by keyed random numbers. Autopilots get nothing else.
// SI units unless noted. Suffix _W: world ENU, _B: body FLU as everywhere; here also _F: body FRD, and _N: NED, as autopilots have them.
#pragma once

#include <cstdint>

#include "autopilot/place.hpp"
#include "environment/atmosphere.hpp"
#include "environment/local_magnetic.hpp"
#include "math/vec.hpp"
#include "volary/def.hpp"

namespace volary::autopilot {

using Vec3d = math::Vec3<double>;
using Quatd = math::Quat<double>;

// the true motion of a vehicle after a tick
struct Truth {
  Vec3d position_W{0, 0, 0}, velocity_W{0, 0, 0}, omega_B{0, 0, 0};
  Quatd attitude{1, 0, 0, 0};  // FLU to ENU
};

struct Measured {
  Vec3d specific_force_F{0, 0, 0};  // m/s2: acceleration without gravity; level and at rest (0, 0, -g)
  Vec3d rate_F{0, 0, 0};            // rad/s
  Vec3d magnetic_F{0, 0, 0};        // gauss
  double pressure = 0;              // Pa, static
  double dynamic_pressure = 0;      // Pa
  double pressure_height = 0;       // m, of the standard atmosphere
  double temperature = 0;           // K
  double airspeed = 0;              // m/s, along the nose
  LatLon place;                     // satellite navigation
  Vec3d velocity_N{0, 0, 0};        // m/s, satellite navigation
  double horizontal_accuracy = 0.3, vertical_accuracy = 0.4;  // m, satellite navigation
  int satellites = 12;
  // of autopilots that make some of their sensors themselves
  Vec3d position_N{0, 0, 0};        // m, from the start of the vehicle
  Quatd attitude_N{1, 0, 0, 0};     // FRD to NED
};

// Standard deviations. PX4 takes a sensor that repeats itself for a broken one; ArduPilot adds noise of its own.
struct Noise {
  double specific_force = 0;  // m/s2
  double rate = 0;            // rad/s
  double magnetic = 0;        // gauss
  double pressure = 0;        // Pa
  double dynamic_pressure = 0;  // Pa
};
inline constexpr Noise kPx4Noise{0.03, 0.002, 0.0005, 1, 0.5};
inline constexpr Noise kNoNoise{};

// who draws, and when
struct Draw {
  std::uint64_t seed = 1;
  std::uint32_t world = 0, episode = 0;
  std::uint64_t vehicle = 0;  // number of its id
  std::uint64_t tick = 0;
};

// the Earth around the sensors: a standard atmosphere and the magnetic field of the place, whatever the air of the world is
class SensorSite {
 public:
  explicit SensorSite(const EnvironmentDef& environment);

  // `before` and `now` are `seconds` apart, and the specific force is what lies between them; 0: at rest. `home` is the vehicle's start.
  Measured measure(const Truth& before, const Truth& now, double seconds, const Vec3d& wind_W, const Vec3d& home_W, const Noise& noise, const Draw& draw) const;
  const Place& place() const { return place_; }

 private:
  Place place_;
  environment::Atmosphere<double> atmosphere_;
  environment::LocalMagnetic<double> magnetic_;
  double gravity_;
};

}  // namespace volary::autopilot
