// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What the sensors of a vehicle say, in the units and frames of autopilots. Readings are those of the flock's sensors (docs/sensors.md): flight code gets nothing else,
// and whatever errors, delays, outages and faults these have, it has too.
// SI units unless noted. Suffix _W: world ENU, _B: body FLU as everywhere; here also _F: body FRD, and _N: NED, as autopilots have them.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "autopilot/place.hpp"
#include "environment/atmosphere.hpp"
#include "math/vec.hpp"
#include "volary/def.hpp"
#include "volary/world.hpp"

namespace volary::autopilot {

using Vec3d = math::Vec3<double>;
using Quatd = math::Quat<double>;

// the true motion of a vehicle after a tick
struct Truth {
  Vec3d position_W{0, 0, 0}, velocity_W{0, 0, 0}, omega_B{0, 0, 0};
  Quatd attitude{1, 0, 0, 0};  // FLU to ENU
};

struct Measured {
  // inertial sensors, as means since they were read last
  Vec3d specific_force_F{0, 0, 0};  // m/s2: acceleration without gravity; level and at rest (0, 0, -g)
  Vec3d rate_F{0, 0, 0};  // rad/s
  // the others, as they said last
  Vec3d magnetic_F{0, 0, 0};  // gauss
  double pressure = 0;  // Pa, static
  double pressure_height = 0;  // m, of the standard atmosphere
  double temperature = 0;  // K
  double dynamic_pressure = 0;  // Pa, along the nose
  LatLon place;  // satellite navigation
  Vec3d velocity_N{0, 0, 0};  // m/s, satellite navigation
  double horizontal_accuracy = 0, vertical_accuracy = 0;  // m, satellite navigation
  int satellites = 0;
  double distance = 0, least_distance = 0, greatest_distance = 0;  // m, of a range finder that looks down
  // which of the others have said something since they were read last
  bool has_magnetic = false, has_pressure = false, has_dynamic_pressure = false, has_place = false, has_distance = false;
  // the true motion, for autopilots that make all sensors but the inertial ones themselves
  Vec3d position_N{0, 0, 0};  // m, from the start of the vehicle
  Vec3d true_velocity_N{0, 0, 0};  // m/s
  Quatd attitude_N{1, 0, 0, 0};  // FRD to NED
};

// where the world is, for those who count in degrees and heights of the standard atmosphere
class SensorSite {
 public:
  explicit SensorSite(const EnvironmentDef& environment);
  const Place& place() const { return place_; }
  double gravity() const { return gravity_; }
  double temperature_at(double altitude) const;  // K, of the standard atmosphere

 private:
  Place place_;
  environment::Atmosphere<double> atmosphere_;
  double gravity_;
};

// the columns of the sensors of a flock after a tick, found once for all of its vehicles; what a flock does not carry is not there
struct SensorColumns {
  using Column = std::optional<View>;
  Column delta_angle, delta_velocity;
  Column field, field_tick;
  Column pressure, pressure_tick;
  Column dynamic_pressure, dynamic_tick;
  Column position, velocity, accuracy_h, accuracy_v, satellites, position_tick;
  Column distance, distance_tick;  // of a range finder that looks down
  double least_distance = 0, greatest_distance = 0;  // m
  double latency = 0;  // s, of the IMU for readers outside of the vehicle

  SensorColumns(const World& world, const std::string& flock);
};

// What an IMU sums up over some ticks: a turn and a change of velocity, in the axes at the start.
class InertialSum {
 public:
  void add(const Vec3d& angle_B, const Vec3d& velocity_B);
  bool is_empty() const { return ticks_ == 0; }
  // means in the axes halfway, as a sensor has them that turns with the vehicle; a tick takes `tick` seconds
  Vec3d rate(double tick) const;
  Vec3d specific_force(double tick) const;

 private:
  int ticks_ = 0;
  Quatd turn_{1, 0, 0, 0};
  Vec3d velocity_{0, 0, 0};
};

// The sensors of one vehicle as its flight code reads them.
class SensorReader {
 public:
  // after every tick
  void gather(const SensorColumns& columns, std::size_t slot, double tick);
  // What is known now. Before the first tick nothing was measured, and the vehicle is at rest.
  Measured read(const SensorColumns& columns, std::size_t slot, const SensorSite& site, const Truth& truth, const Vec3d& home_W, double tick);

 private:
  struct Increment {
    Vec3d angle_B, velocity_B;
  };
  std::deque<Increment> late_;  // measured, and not heard yet
  InertialSum sum_;
  bool has_felt_ = false;  // something that its IMU measured
  Measured last_;
  // ticks of the readings that were told last
  std::uint64_t magnetic_ = 0, pressure_ = 0, dynamic_ = 0, place_ = 0, distance_ = 0;
};

}  // namespace volary::autopilot
