// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// One update per sensor: the scalars of a reading through the gate, what is noted about them, and what happens when a source was refused for too long.
#pragma once

#include "estimation/ekf.hpp"
#include "estimation/measurements.hpp"

namespace volary::inline VOLARY_ISA::estimation {

// the scalars of one reading, one after the other
template <class T, int N> struct Fusing {
  Filter<T, N>& filter;
  Mask<T> due;
  T gate;
  Mask<T> accepted;  // all so far
  T nis;

  VOLARY_HD Fusing(Filter<T, N>& f, Mask<T> is_due, T limit) : filter(f), due(is_due), gate(limit), accepted(is_due), nis(splat<T>(0)) {}
  VOLARY_HD void take(const Line<T>& line, T variance) { take(line, variance, due); }
  // a scalar that only some of the lanes have
  VOLARY_HD void take(const Line<T>& line, T variance, Mask<T> has) {
    T ratio;
    const Mask<T> fits = fuse(filter.P, filter.dx, line.slope, line.innovation, variance, gate, has, ratio);
    accepted = accepted & (fits | !has);
    nis = nis + ratio;
  }
};

// Notes a reading. Where the source has been refused for too long it is due a reset.
template <class T, int N> VOLARY_HD Mask<T> note(const Fusing<T, N>& r, Watch<T>& w, const Trust<T>& trust, const EkfParams<T>& p) {
  const T zero = splat<T>(0);
  const T refused = select(r.accepted, zero, w.refused + trust.interval);
  w.nis = select(r.due, r.nis, w.nis);
  const Mask<T> lost = r.due & (refused > p.reset_after);
  w.refused = select(r.due, select(lost, zero, refused), w.refused);
  w.age = select(r.accepted, zero, w.age);
  return lost;
}
// once a tick, for every source
template <class T> VOLARY_HD void grow_older(Watch<T>& w, T dt) { w.age = min(w.age + dt, splat<T>(1e6)); }

// the position is known anew, in the lanes of the mask
template <class T, int N> VOLARY_HD void reset_position(Filter<T, N>& f, const Vec3<T>& position_W, T variance_h, T variance_v, Mask<T> lost) {
  f.x.position_W = {select(lost, position_W, f.x.position_W.value), select(lost, zero3<T>(), f.x.position_W.remainder)};
  forget(f.P, f.dx, kPosition, 2, variance_h, lost);
  forget(f.P, f.dx, kPosition + 2, 1, variance_v, lost);
  mark(f, kWasReset, lost);
}
template <class T, int N> VOLARY_HD void reset_velocity(Filter<T, N>& f, const Vec3<T>& velocity_W, T variance, Mask<T> lost) {
  f.x.velocity_W = select(lost, velocity_W, f.x.velocity_W);
  forget(f.P, f.dx, kVelocity, 3, variance, lost);
  mark(f, kWasReset, lost);
}
// turns the estimate about an axis of the world, which is what a heading resets
template <class T, int N> VOLARY_HD void reset_heading(Filter<T, N>& f, T turn, T variance, Mask<T> lost) {
  const Quat<T> turned = normalize(turn_of(Vec3<T>{splat<T>(0), splat<T>(0), turn}) * f.x.q_WB);
  f.x.q_WB = select(lost, turned, f.x.q_WB);
  forget(f.P, f.dx, kAttitude + 2, 1, variance, lost);
  mark(f, kWasReset, lost);
}

// ---------------------------------------------------------------- one per sensor

// trust.variance is a factor of the stated accuracy squared, because errors of satellite positions are not white, at least 1 mm2; other: velocity, m2/s2
template <class T, int N>
VOLARY_HD void fuse_gnss(Filter<T, N>& f, Watch<T>& w, const Vec3<T>& position_W, const Vec3<T>& velocity_W, T accuracy_h, T accuracy_v, const EkfParams<T>& p,
                         Mask<T> due) {
  const Trust<T>& trust = p.trust[kGnss];
  const T least = splat<T>(1e-6);
  const T h = max(trust.variance * (accuracy_h * accuracy_h), least), v = max(trust.variance * (accuracy_v * accuracy_v), least);
  Fusing<T, N> r(f, due, trust.gate);
  for (int k = 0; k < 3; ++k) r.take(position_line(f.x, k, position_W), k < 2 ? h : v);
  for (int k = 0; k < 3; ++k) r.take(velocity_line(f.x, k, velocity_W), trust.other);
  const Mask<T> lost = note(r, w, trust, p);
  if (any(lost)) {
    reset_position(f, position_W, h, v, lost);
    reset_velocity(f, velocity_W, trust.other, lost);
  }
}

// variance: height, m2
template <class T, int N> VOLARY_HD void fuse_barometer(Filter<T, N>& f, Watch<T>& w, T height, const EkfParams<T>& p, Mask<T> due) {
  const Trust<T>& trust = p.trust[kBarometer];
  Fusing<T, N> r(f, due, trust.gate);
  r.take(height_line(f.x, height), trust.variance);
  const Mask<T> lost = note(r, w, trust, p);
  if (any(lost)) {
    f.x.position_W.value.z = select(lost, height, f.x.position_W.value.z);
    f.x.position_W.remainder.z = select(lost, splat<T>(0), f.x.position_W.remainder.z);
    forget(f.P, f.dx, kPosition + 2, 1, trust.variance, lost);
    mark(f, kWasReset, lost);
  }
}

// variance: field, T2; other: heading by the iron of the vehicle, rad2. `field_W` is the true field.
template <class T, int N>
VOLARY_HD void fuse_magnetometer(Filter<T, N>& f, Watch<T>& w, const Vec3<T>& field_B, const Vec3<T>& field_W, const EkfParams<T>& p, Mask<T> due) {
  const Trust<T>& trust = p.trust[kMagnetometer];
  // a hundredth of the field is the least horizontal part that gives a heading
  const T level = max(horizontal_square(field_W), splat<T>(1e-4) * dot(field_W, field_W));
  const T variance = trust.other + trust.variance / max(level, splat<T>(1e-20));
  const Line<T> line = heading_line(f.x, field_B, field_W);
  Fusing<T, N> r(f, due, trust.gate);
  r.take(line, variance);
  const Mask<T> lost = note(r, w, trust, p);
  if (any(lost)) reset_heading(f, line.innovation, variance, lost);
}

// Airspeed and no sideslip, for filters with wind. Below 3 m/s a pitot tube and the direction of the air say nothing. variance: m2/s2.
inline constexpr double kLeastAirspeed = 3;
template <class T, int N> VOLARY_HD void fuse_airspeed(Filter<T, N>& f, Watch<T>& w, T airspeed, const EkfParams<T>& p, Mask<T> due) {
  static_assert(N > kWind, "airspeed needs the states of the wind");
  const Trust<T>& trust = p.trust[kAirspeed];
  const Mask<T> flying = due & (airspeed > splat<T>(kLeastAirspeed));
  Fusing<T, N> r(f, flying, trust.gate);
  r.take(airspeed_line(f.x, airspeed), trust.variance);
  const T sideways = p.sideslip * airspeed;
  r.take(sideslip_line(f.x), sideways * sideways);
  const Mask<T> lost = note(r, w, trust, p);
  if (any(lost)) {  // the wind is what is wrong
    const Vec3<T> along = column_of(rotation_matrix(f.x.q_WB), 0);
    const T wind[2] = {f.x.velocity_W.x - airspeed * along.x, f.x.velocity_W.y - airspeed * along.y};
    for (int k = 0; k < 2; ++k) f.x.wind[k] = select(lost, wind[k], f.x.wind[k]);
    forget(f.P, f.dx, kWind, 2, p.start_wind * p.start_wind, lost);
    mark(f, kWasReset, lost);
  }
}

// variance: m2; other: share of the distance, squared. The ground is level at `ground_height`; without knowing it, a distance says nothing of the height.
template <class T, int N> VOLARY_HD void fuse_range_finder(Filter<T, N>& f, Watch<T>& w, T distance, T ground_height, const EkfParams<T>& p, Mask<T> due) {
  const Trust<T>& trust = p.trust[kRangeFinder];
  const T cosine = -(rotation_matrix(f.x.q_WB) * p.range_direction_B).z;
  Fusing<T, N> r(f, due & (cosine > splat<T>(0.5)), trust.gate);
  const T variance = fma(trust.other, distance * distance, trust.variance);
  r.take(distance_line(f.x, p.range_direction_B, ground_height, distance), variance);
  const Mask<T> lost = note(r, w, trust, p);
  if (any(lost)) {
    f.x.position_W.value.z = select(lost, fma(distance, cosine, ground_height), f.x.position_W.value.z);
    f.x.position_W.remainder.z = select(lost, splat<T>(0), f.x.position_W.remainder.z);
    forget(f.P, f.dx, kPosition + 2, 1, variance, lost);
    mark(f, kWasReset, lost);
  }
}

// variance: rad2/s2. `rate` still has what turning causes; `gyro` is the measured rate of the body, its bias included.
template <class T, int N>
VOLARY_HD void fuse_optical_flow(Filter<T, N>& f, Watch<T>& w, T rate_x, T rate_y, const Vec3<T>& gyro, T ground_height, const EkfParams<T>& p, Mask<T> due) {
  const Trust<T>& trust = p.trust[kOpticalFlow];
  const Mask<T> upright = body_z_W(f.x.q_WB).z > splat<T>(0.5);
  Fusing<T, N> r(f, due & upright, trust.gate);
  r.take(flow_line(f.x, 0, ground_height, rate_x + (gyro.y - f.x.gyro_bias.y)), trust.variance);
  r.take(flow_line(f.x, 1, ground_height, rate_y - (gyro.x - f.x.gyro_bias.x)), trust.variance);
  const Mask<T> lost = note(r, w, trust, p);
  if (any(lost)) {
    forget(f.P, f.dx, kVelocity, 2, splat<T>(4) * p.velocity_limit * p.velocity_limit, lost);
    mark(f, kWasReset, lost);
  }
}

// Ranges cannot say where the vehicle is at once: the position is loosened, and those that follow find it.
template <class T, int N> VOLARY_HD void loosen_position(Filter<T, N>& f, const EkfParams<T>& p, Mask<T> lost) {
  forget(f.P, f.dx, kPosition, 3, p.reset_spread * p.reset_spread, lost);
  mark(f, kWasReset, lost);
}

// Up to four anchors at once; `has` says which of them a lane measured. variance: m2; other: m2 more where something blocks the way and the radio knows.
template <class T> struct AnchorRange {
  Vec3<T> place_W;
  T range;
  Mask<T> has, blocked;
};
template <class T, int N> VOLARY_HD void fuse_anchors(Filter<T, N>& f, Watch<T>& w, const AnchorRange<T>* ranges, int count, const EkfParams<T>& p,
                                                      Mask<T> due) {
  const Trust<T>& trust = p.trust[kUwbAnchors];
  Mask<T> any_range = due & ranges[0].has;
  for (int k = 1; k < count; ++k) any_range = any_range | (due & ranges[k].has);
  Fusing<T, N> r(f, any_range, trust.gate);
  for (int k = 0; k < count; ++k)
    r.take(range_line(f.x, ranges[k].place_W, ranges[k].range), trust.variance + select(ranges[k].blocked, trust.other, splat<T>(0)), due & ranges[k].has);
  const Mask<T> lost = note(r, w, trust, p);
  if (any(lost)) loosen_position(f, p, lost);
}

// variance: m2; the partner's own standard deviation counts once more
template <class T, int N>
VOLARY_HD void fuse_peer(Filter<T, N>& f, Watch<T>& w, const Vec3<T>& partner_W, T partner_sigma, T range, const EkfParams<T>& p, Mask<T> due) {
  const Trust<T>& trust = p.trust[kUwbPeers];
  Fusing<T, N> r(f, due, trust.gate);
  r.take(range_line(f.x, partner_W, range), fma(partner_sigma, partner_sigma, trust.variance));
  const Mask<T> lost = note(r, w, trust, p);
  if (any(lost)) loosen_position(f, p, lost);
}

// variance: position, m2; other: attitude, rad2
template <class T, int N>
VOLARY_HD void fuse_motion_capture(Filter<T, N>& f, Watch<T>& w, const Vec3<T>& position_W, const Quat<T>& q_WB, const EkfParams<T>& p, Mask<T> due) {
  const Trust<T>& trust = p.trust[kMotionCapture];
  Fusing<T, N> r(f, due, trust.gate);
  for (int k = 0; k < 3; ++k) r.take(position_line(f.x, k, position_W), trust.variance);
  for (int k = 0; k < 3; ++k) r.take(attitude_line(f.x, k, q_WB), trust.other);
  const Mask<T> lost = note(r, w, trust, p);
  if (any(lost)) {
    reset_position(f, position_W, trust.variance, trust.variance, lost);
    f.x.q_WB = select(lost, q_WB, f.x.q_WB);
    forget(f.P, f.dx, kAttitude, 3, trust.other, lost);
  }
}

// variance: m2/s2 at rest; other: m/s, times the speed
template <class T, int N> VOLARY_HD void fuse_odometry(Filter<T, N>& f, Watch<T>& w, const Vec3<T>& velocity_B, const EkfParams<T>& p, Mask<T> due) {
  const Trust<T>& trust = p.trust[kOdometry];
  const T variance = fma(trust.other, norm(velocity_B), trust.variance);
  Fusing<T, N> r(f, due, trust.gate);
  for (int k = 0; k < 3; ++k) r.take(body_velocity_line(f.x, k, velocity_B), variance);
  const Mask<T> lost = note(r, w, trust, p);
  if (any(lost)) reset_velocity(f, rotation_matrix(f.x.q_WB) * velocity_B, variance, lost);
}

}  // namespace volary::inline VOLARY_ISA::estimation
