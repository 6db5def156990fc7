// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The parameters of the filter from the definitions of a flock's sensors and of its estimator: the filter knows the data sheets, not the errors.
#pragma once

#include "environment/atmosphere.hpp"
#include "estimation/ekf.hpp"
#include "sensors/timing.hpp"
#include "volary/sensors.hpp"

namespace volary::inline VOLARY_ISA::estimation {

namespace derive {

constexpr double square(double x) { return x * x; }

// An error that lasts cannot be averaged away: readings T apart with a correlation time tau count as one in 2 tau / T, and at most as one in 25, so that the
// filter still follows them.
inline double lasting(double correlation, double interval) { return math::clamp(2 * correlation / interval, 1.0, 25.0); }
inline double variance_of(const ErrorDef& e, double interval) {
  return square(e.noise) + lasting(e.correlation, interval) * square(e.instability) + 25 * square(e.turn_on);
}

// Scale and misalignment are no states: their errors count as white noise of a typical rate and force. Chosen by flights of twenty seeds with a consumer IMU:
// more makes the biases unsure, and less makes the filter too sure of itself.
inline double density_of(const ErrorDef& e, double typical) { return square(e.noise) + square((e.scale + e.misalignment) * typical); }
inline double walk_of(const ErrorDef& e) { return square(e.walk) + 2 * square(e.instability) / math::max(e.correlation, 1e-3); }

inline ProcessNoise<double> process_of(const ImuDef& imu, double tick) {
  constexpr double kTurn = 0.2, kPush = 3, kWindWalk = 0.1;  // rad/s, m/s2, m/s/sqrt(s)
  return {density_of(imu.gyro, kTurn) * tick, density_of(imu.accelerometer, kPush) * tick, walk_of(imu.gyro) * tick, walk_of(imu.accelerometer) * tick,
          square(kWindWalk) * tick};
}

// no sensor is trusted beyond what a float and a tick can hold
inline Trust<double> trust_of(double variance, double other, double factor, double gate, double interval) {
  return {math::max(variance * square(factor), 1e-8), math::max(other * square(factor), 0.0), gate, interval};
}

// the share of the stated variance that a reading of a receiver has for the filter
inline Trust<double> gnss_trust(const GnssDef& d, double factor, double gate, double interval) {
  const double slow = square(d.horizontal), white = square(d.white), all = slow + white;
  const double share = all > 0 ? (slow * lasting(d.correlation, interval) + white) / all : 1;
  return {share * square(factor), math::max(square(d.velocity * factor), 1e-4), gate, interval};
}
// the heading of a field of 20 uT, which is what lies level in middle latitudes
inline Trust<double> magnetometer_trust(const MagnetometerDef& d, double factor, double gate, double interval) {
  constexpr double kLevelField = 2e-5;
  const double iron = 25 * (square(d.hard_iron / kLevelField) + square(d.soft_iron));
  return {math::max(variance_of(d.error, interval) * square(factor), 1e-16), math::max(iron * square(factor), 1e-6), gate, interval};
}
// pressures as heights in the air at the origin, and as speeds at sea level at 15 m/s; half a metre per second of gusts is in every airspeed
inline double height_variance(const BarometerDef& d, double interval, double density) {
  return variance_of(d.error, interval) / square(density * environment::kStandardGravity);
}
inline double airspeed_variance(const AirspeedDef& d, double interval) {
  return variance_of(d.error, interval) / square(environment::kSeaLevelDensity * 15) + square(0.5);
}
inline double blocked_variance(const UwbDef& d) { return 2 * square(d.blocked_bias) + square(d.blocked_noise); }

inline void set_trust(EkfParams<double>& p, const SensorsDef& s, const EstimatorDef& e, double tick, double density) {
  const PerSourceDef &t = e.trust, &g = e.gates;
  const auto every = [tick](const auto& d) { return sensors::period_of(d->time, tick); };
  for (Trust<double>& x : p.trust) x = {1, 0, 5, tick};
  if (s.gnss) p.trust[kGnss] = gnss_trust(*s.gnss, t.gnss, g.gnss, every(s.gnss));
  if (s.barometer) p.trust[kBarometer] = trust_of(height_variance(*s.barometer, every(s.barometer), density), 0, t.barometer, g.barometer, every(s.barometer));
  if (s.magnetometer) p.trust[kMagnetometer] = magnetometer_trust(*s.magnetometer, t.magnetometer, g.magnetometer, every(s.magnetometer));
  if (s.airspeed) p.trust[kAirspeed] = trust_of(airspeed_variance(*s.airspeed, every(s.airspeed)), 0, t.airspeed, g.airspeed, every(s.airspeed));
  if (s.range_finder)
    p.trust[kRangeFinder] =
        trust_of(variance_of(s.range_finder->error, every(s.range_finder)) + square(0.02),
                 square(s.range_finder->relative_noise) + square(s.range_finder->error.scale), t.range_finder, g.range_finder, every(s.range_finder));
  if (s.optical_flow)
    p.trust[kOpticalFlow] =
        trust_of(variance_of(s.optical_flow->error, every(s.optical_flow)) + square(0.02), 0, t.optical_flow, g.optical_flow, every(s.optical_flow));
  if (s.uwb_anchors)
    p.trust[kUwbAnchors] =
        trust_of(variance_of(s.uwb_anchors->error, every(s.uwb_anchors)), blocked_variance(*s.uwb_anchors), t.uwb_anchors, g.uwb_anchors, every(s.uwb_anchors));
  if (s.uwb_peers)
    p.trust[kUwbPeers] =
        trust_of(variance_of(s.uwb_peers->error, every(s.uwb_peers)), blocked_variance(*s.uwb_peers), t.uwb_peers, g.uwb_peers, every(s.uwb_peers));
  if (s.motion_capture)
    p.trust[kMotionCapture] = trust_of(square(s.motion_capture->position), math::max(square(s.motion_capture->attitude), 1e-8), t.motion_capture,
                                       g.motion_capture, every(s.motion_capture));
  if (s.odometry) {
    const double per = 1 / every(s.odometry);
    p.trust[kOdometry] = trust_of(square(s.odometry->drift_time) * per + 1e-6, square(s.odometry->drift_distance) * per + square(s.odometry->scale), t.odometry,
                                  g.odometry, every(s.odometry));
  }
}

}  // namespace derive

// `density`: kg/m3, of the air at the origin
inline EkfParams<double> derive_filter(const EstimatorDef& e, const SensorsDef& s, double tick, double gravity,
                                       double density = environment::kSeaLevelDensity) {
  using derive::square;
  const ImuDef imu = s.imu ? *s.imu : ImuDef{};
  EkfParams<double> p{};
  p.dt = tick, p.gravity = gravity;
  p.process = derive::process_of(imu, tick);
  p.start_tilt = e.start.tilt, p.start_yaw = e.start.yaw, p.start_velocity = e.start.velocity, p.start_position = e.start.position;
  const auto bias = [](const ErrorDef& d, double carried) {
    return math::sqrt(square(d.turn_on) + square(d.instability) + square((d.scale + d.misalignment) * carried));
  };
  p.start_gyro_bias = math::max(bias(imu.gyro, 0), 1e-5);
  p.start_accel_bias = math::max(bias(imu.accelerometer, gravity), 1e-4);
  p.start_wind = 5;
  p.attitude_limit = 0.0873, p.velocity_limit = 1, p.position_limit = 10;
  p.reset_after = e.reset_after, p.reset_spread = 10, p.sideslip = 0.05;
  const Vec d = s.range_finder ? s.range_finder->direction_B : Vec{0, 0, -1};
  const double length = math::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  p.range_direction_B = {d[0] / length, d[1] / length, d[2] / length};
  derive::set_trust(p, s, e, tick, density);
  return p;
}

// the same in the scalar of a world, in every lane
template <class T> EkfParams<T> filter_params_as(const EkfParams<double>& p) {
  static_assert(sizeof(EkfParams<T>) % sizeof(T) == 0 && sizeof(EkfParams<double>) % sizeof(double) == 0, "parameters are scalars only");
  EkfParams<T> out;
  const auto* from = reinterpret_cast<const double*>(&p);
  auto* to = reinterpret_cast<T*>(&out);
  for (std::size_t k = 0; k < sizeof(EkfParams<double>) / sizeof(double); ++k) to[k] = splat<T>(from[k]);
  return out;
}

}  // namespace volary::inline VOLARY_ISA::estimation
