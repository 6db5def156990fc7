// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The error-state extended Kalman filter of a vehicle (J. Sola, Quaternion kinematics for the error-state Kalman filter, 2017; here with errors in the world
// frame). One tick is
//
//   predict_tick   the increments of the inertial measurement unit move estimate and covariance
//   fuse_...       every reading that is due (updates.hpp); a reading that does not fit is refused
//   finish_tick    the errors found go into the estimate; floors, soundness, health
//
// A filter that got lost is not lost for good: a source that was refused for too long resets the states that it measures, and a lane whose numbers are not
// sound keeps its last estimate and begins anew with the uncertainty of the start.
#pragma once

#include "estimation/covariance.hpp"

namespace volary::inline VOLARY_ISA::estimation {

// in the order of the sensors of a flock (volary/sensors.hpp)
enum Source { kGnss, kBarometer, kMagnetometer, kAirspeed, kRangeFinder, kOpticalFlow, kUwbAnchors, kUwbPeers, kMotionCapture, kOdometry, kSources };

// bits of a filter's health
inline constexpr std::uint32_t kAttitudeKnown = 1, kVelocityKnown = 2, kPositionKnown = 4;  // standard deviations below the limits
inline constexpr std::uint32_t kWasReset = 8;   // in the last tick
inline constexpr std::uint32_t kUnsound = 16;   // numbers went bad in the last tick, and the filter began anew

// How far a source is trusted. What the two variances are of is said at its function in updates.hpp.
template <class T> struct Trust {
  T variance, other;
  T gate;      // standard deviations beyond which a reading is refused
  T interval;  // s between readings
};

template <class T> struct EkfParams {
  T dt, gravity;              // s, m/s2
  ProcessNoise<T> process;
  T start_tilt, start_yaw, start_velocity, start_position, start_gyro_bias, start_accel_bias, start_wind;  // standard deviations
  T attitude_limit, velocity_limit, position_limit;  // rad, m/s, m: standard deviations up to which a quantity counts as known
  T reset_after;              // s of refusals
  T reset_spread;             // m, standard deviation of the position after a reset by ranges
  T sideslip;                 // rad, standard deviation of the sideslip of a wing
  Vec3<T> range_direction_B;  // of the range finder
  Trust<T> trust[kSources];
};

// what is kept of a source from reading to reading
template <class T> struct Watch {
  T nis;      // sum of y2 / S over the scalars of the last reading
  T refused;  // s for which readings have been refused
  T age;      // s since a reading was used

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    f(Field{"nis", "-", "-", "normalised innovation squared of the last reading, summed over its scalars"}, s.nis);
    f(Field{"refused", "s", "-", "time for which the readings of this source have been refused"}, s.refused);
    f(Field{"age", "s", "-", "time since a reading of this source was used"}, s.age);
  }
};

// A filter in use: the nominal state in registers, the covariance in its rows.
template <class T, int N> struct Filter {
  Covariance<T, N> P;
  Nominal<T> x;
  T dx[N];
  Bits<T> health;
};

template <class T> VOLARY_HD Bits<T> health_bit(std::uint32_t bit, Mask<T> where) { return select(where, bit_constant<T>(bit, bit), bit_constant<T>(0, 0)); }
template <class T, int N> VOLARY_HD void mark(Filter<T, N>& f, std::uint32_t bit, Mask<T> where) { f.health = f.health | health_bit<T>(bit, where); }

// standard deviation of a state at the start
template <class T> VOLARY_HD T start_deviation(const EkfParams<T>& p, int state) {
  return state < 2            ? p.start_tilt
         : state < kVelocity  ? p.start_yaw
         : state < kPosition  ? p.start_velocity
         : state < kGyroBias  ? p.start_position
         : state < kAccelBias ? p.start_gyro_bias
         : state < kWind      ? p.start_accel_bias
                              : p.start_wind;
}
template <class T, int N> VOLARY_HD void begin_covariance(const Covariance<T, N>& P, const EkfParams<T>& p, Mask<T> where) {
  for (int i = 0; i < N; ++i) {
    const T sigma = start_deviation(p, i);
    for (int j = i; j < N; ++j) P.put(i, j, select(where, i == j ? sigma * sigma : splat<T>(0), P.get(i, j)));
  }
}

// The estimate at the start: the truth less an error drawn from the covariance of the start. Biases and wind are believed to be zero.
inline constexpr int kStartDraws = 9;
template <class T> VOLARY_HD Nominal<T> begin_estimate(const Quat<T>& q_WB, const Vec3<T>& velocity_W, const Position<T>& position_W,
                                                       const T (&normal)[kStartDraws], const EkfParams<T>& p) {
  const T zero = splat<T>(0);
  const Vec3<T> theta{p.start_tilt * normal[0], p.start_tilt * normal[1], p.start_yaw * normal[2]};
  const Vec3<T> speed{p.start_velocity * normal[3], p.start_velocity * normal[4], p.start_velocity * normal[5]};
  const Vec3<T> place{p.start_position * normal[6], p.start_position * normal[7], p.start_position * normal[8]};
  return {normalize(turn_of(-theta) * q_WB), velocity_W - speed, advance(position_W, -place), zero3<T>(), zero3<T>(), {zero, zero}};
}

// begins a tick: the bits of the last one go
template <class T, int N> VOLARY_HD void predict_tick(Filter<T, N>& f, const Vec3<T>& delta_angle, const Vec3<T>& delta_velocity, const EkfParams<T>& p) {
  predict(f.P, propagate(f.x, delta_angle, delta_velocity, p.dt, p.gravity), p.process);
  for (int k = 0; k < N; ++k) f.dx[k] = splat<T>(0);
  f.health = bit_constant<T>(0, 0);
}

// No variance falls below this in its unit squared: a float cannot hold what would follow from it.
inline constexpr double kLeastVariance = 1e-9, kLeastBiasVariance = 1e-12;
template <class T, int N> VOLARY_HD void keep_above_floors(const Covariance<T, N>& P) {
  for (int i = 0; i < N; ++i) {
    const bool fine = i < kVelocity || (i >= kGyroBias && i < kWind);
    P.put(i, i, max(P.get(i, i), splat<T>(fine ? kLeastBiasVariance : kLeastVariance)));
  }
}

// numbers that no estimate has; a sum with something that is no number fails every comparison
template <class T, int N> VOLARY_HD Mask<T> is_sound(const Covariance<T, N>& P, const Nominal<T>& x) {
  T variances = splat<T>(0), mixed = splat<T>(0);
  for (int i = 0; i < N; ++i) {
    variances = variances + P.get(i, i);
    for (int j = i + 1; j < N; ++j) mixed = mixed + P.get(i, j);
  }
  const Vec3<T>&p = x.position_W.value, &v = x.velocity_W;
  const T state = ((abs(v.x) + abs(v.y)) + abs(v.z)) + (abs(x.q_WB.w) + ((abs(x.q_WB.x) + abs(x.q_WB.y)) + abs(x.q_WB.z)));
  const T biases = (x.gyro_bias.x + x.gyro_bias.y + x.gyro_bias.z) + (x.accel_bias.x + x.accel_bias.y + x.accel_bias.z) + (x.wind[0] + x.wind[1]);
  return (variances < splat<T>(1e12)) & (abs(mixed) < splat<T>(1e12)) & (state < splat<T>(1e5)) & (abs(p.x + p.y + p.z) < splat<T>(1e9)) &
         (abs(biases) < splat<T>(1e5));
}

template <class T, int N> VOLARY_HD Bits<T> known_bits(const Covariance<T, N>& P, const EkfParams<T>& p) {
  const auto below = [&](int first, T limit) {
    return max(P.get(first, first), max(P.get(first + 1, first + 1), P.get(first + 2, first + 2))) <= limit * limit;
  };
  return health_bit<T>(kAttitudeKnown, below(kAttitude, p.attitude_limit)) |
         (health_bit<T>(kVelocityKnown, below(kVelocity, p.velocity_limit)) | health_bit<T>(kPositionKnown, below(kPosition, p.position_limit)));
}

// ends a tick; `before` is the estimate that the tick began with
template <class T, int N> VOLARY_HD void finish_tick(Filter<T, N>& f, const Nominal<T>& before, const EkfParams<T>& p) {
  inject(f.x, f.dx);
  keep_above_floors(f.P);
  const Mask<T> unsound = !is_sound(f.P, f.x);
  if (any(unsound)) {
    f.x = select(unsound, before, f.x);
    begin_covariance(f.P, p, unsound);
    mark(f, kUnsound, unsound);
  }
  f.health = f.health | known_bits(f.P, p);
}

}  // namespace volary::inline VOLARY_ISA::estimation
