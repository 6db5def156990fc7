// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What each sensor should have measured in the estimated state, and how that changes with the errors of the state: one Jacobian per sensor, each scalar of a
// reading by itself. measurements_test.cpp holds every one of them against differences.
//
// An innovation is what was measured less what was expected. Errors are those of strapdown.hpp: a true vector is v_W + theta x v_W where the estimate has
// turned a body vector to v_W.
#pragma once

#include "estimation/covariance.hpp"
#include "math/vec.hpp"

namespace volary::inline VOLARY_ISA::estimation {

template <class T> struct Line {
  Slope<T> slope;
  T innovation;
};

template <class T> VOLARY_HD T axis_of(const Vec3<T>& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }
// body axis 0, 1 or 2 in the world
template <class T> VOLARY_HD Vec3<T> column_of(const Mat3<T>& m, int axis) { return {axis_of(m.row0, axis), axis_of(m.row1, axis), axis_of(m.row2, axis)}; }

// one state by itself, such as an axis of the position
template <class T> VOLARY_HD Line<T> state_line(int state, T innovation) { return {{1, {state}, {splat<T>(1)}}, innovation}; }

template <class T> VOLARY_HD void put_slopes(Slope<T>& h, int first, const Vec3<T>& value) {
  for (int k = 0; k < 3; ++k) h.at[h.n + k] = first + k, h.value[h.n + k] = axis_of(value, k);
  h.n += 3;
}
template <class T> VOLARY_HD void put_slope(Slope<T>& h, int state, T value) {
  h.at[h.n] = state, h.value[h.n] = value;
  h.n += 1;
}

// ---------------------------------------------------------------- position, velocity, height, attitude

// measured position less the estimated one; the difference is taken before the remainder is lost
template <class T> VOLARY_HD Vec3<T> position_innovation(const Nominal<T>& x, const Vec3<T>& position_W) {
  return (position_W - x.position_W.value) - x.position_W.remainder;
}
template <class T> VOLARY_HD Line<T> position_line(const Nominal<T>& x, int axis, const Vec3<T>& position_W) {
  return state_line(kPosition + axis, axis_of(position_innovation(x, position_W), axis));
}
template <class T> VOLARY_HD Line<T> velocity_line(const Nominal<T>& x, int axis, const Vec3<T>& velocity_W) {
  return state_line(kVelocity + axis, axis_of(velocity_W - x.velocity_W, axis));
}
// height above the origin, of a barometer
template <class T> VOLARY_HD Line<T> height_line(const Nominal<T>& x, T height) {
  return state_line(kPosition + 2, (height - x.position_W.value.z) - x.position_W.remainder.z);
}
// the whole attitude, of motion capture
template <class T> VOLARY_HD Line<T> attitude_line(const Nominal<T>& x, int axis, const Quat<T>& q_WB) {
  return state_line(kAttitude + axis, axis_of(rotation_vector(q_WB * conjugate(x.q_WB)), axis));
}

// ---------------------------------------------------------------- heading

// Heading of the measured magnetic field against that of the true one: the vertical part says nothing that gravity does not say better. Tilting the estimate
// moves the vertical field into the horizontal plane. Where the field stands upright a heading means nothing, and its slope is held finite. The slope is that of
// the true field: the noise of the measured one is in the innovation too, and their product would tilt the estimate on average.
template <class T> VOLARY_HD T horizontal_square(const Vec3<T>& m) { return fma(m.x, m.x, m.y * m.y); }
template <class T> VOLARY_HD Line<T> heading_line(const Nominal<T>& x, const Vec3<T>& field_B, const Vec3<T>& field_W) {
  const Vec3<T> m = rotation_matrix(x.q_WB) * field_B;
  const T level = horizontal_square(field_W), floor = splat<T>(0.01) * dot(field_W, field_W);
  const T tilt = -field_W.z / select(level > floor, level, max(floor, splat<T>(1e-30)));
  const T innovation = atan2(fma(m.x, field_W.y, -(m.y * field_W.x)), fma(m.x, field_W.x, m.y * field_W.y));
  Slope<T> h{0, {}, {}};
  put_slopes(h, kAttitude, Vec3<T>{tilt * field_W.x, tilt * field_W.y, splat<T>(1)});
  return {h, innovation};
}

// ---------------------------------------------------------------- air

// velocity against the air, with the estimated wind
template <class T> VOLARY_HD Vec3<T> air_velocity(const Nominal<T>& x) { return {x.velocity_W.x - x.wind[0], x.velocity_W.y - x.wind[1], x.velocity_W.z}; }
// the part of the air's velocity along a body axis
template <class T> VOLARY_HD Line<T> air_line(const Nominal<T>& x, int axis, T measured) {
  const Vec3<T> along = column_of(rotation_matrix(x.q_WB), axis), air = air_velocity(x);
  Slope<T> h{0, {}, {}};
  put_slopes(h, kAttitude, cross(along, air));
  put_slopes(h, kVelocity, along);
  put_slope(h, kWind, -along.x);
  put_slope(h, kWind + 1, -along.y);
  return {h, measured - dot(along, air)};
}
template <class T> VOLARY_HD Line<T> airspeed_line(const Nominal<T>& x, T airspeed) { return air_line(x, 0, airspeed); }
// a wing flies without sideslip: the air comes from ahead
template <class T> VOLARY_HD Line<T> sideslip_line(const Nominal<T>& x) { return air_line(x, 1, splat<T>(0)); }

// ---------------------------------------------------------------- ground

// Distance to level ground along a direction of the body: height over the cosine. The least cosine keeps a ray that misses the ground finite; readings of
// such rays are not used.
inline constexpr double kLeastCosine = 0.1;
template <class T> struct GroundRay {
  Vec3<T> direction_W;
  T cosine, distance;  // -, m
};
template <class T> VOLARY_HD GroundRay<T> ground_ray(const Nominal<T>& x, const Vec3<T>& direction_B, T ground_height) {
  const Vec3<T> d = rotation_matrix(x.q_WB) * direction_B;
  const T cosine = max(-d.z, splat<T>(kLeastCosine));
  return {d, cosine, ((x.position_W.value.z - ground_height) + x.position_W.remainder.z) / cosine};
}
// how the distance changes: with the tilt, the third component is zero; and with the height
template <class T> VOLARY_HD Vec3<T> distance_by_tilt(const GroundRay<T>& r) {
  const T s = r.distance / r.cosine;
  return {s * r.direction_W.y, -(s * r.direction_W.x), splat<T>(0)};
}
template <class T> VOLARY_HD Line<T> distance_line(const Nominal<T>& x, const Vec3<T>& direction_B, T ground_height, T distance) {
  const GroundRay<T> r = ground_ray(x, direction_B, ground_height);
  const Vec3<T> tilt = distance_by_tilt(r);
  Slope<T> h{0, {}, {}};
  put_slope(h, kAttitude, tilt.x);
  put_slope(h, kAttitude + 1, tilt.y);
  put_slope(h, kPosition + 2, splat<T>(1) / r.cosine);
  return {h, distance - r.distance};
}

// how the velocity along a body axis changes with the attitude
template <class T> VOLARY_HD Vec3<T> speed_by_turn(const Vec3<T>& along, const Vec3<T>& velocity_W) { return cross(along, velocity_W); }

// Flow of the ground across a camera that looks down, without the part that the vehicle's own turning causes: velocity along a body axis over distance.
template <class T> VOLARY_HD Line<T> flow_line(const Nominal<T>& x, int axis, T ground_height, T flow) {
  const GroundRay<T> r = ground_ray(x, Vec3<T>{splat<T>(0), splat<T>(0), splat<T>(-1)}, ground_height);
  const T near = max(r.distance, splat<T>(0.05)), inverse = splat<T>(1) / near;
  const Vec3<T> along = column_of(rotation_matrix(x.q_WB), axis);
  const T expected = inverse * dot(along, x.velocity_W), by_distance = -(expected * inverse);
  Slope<T> h{0, {}, {}};
  put_slopes(h, kAttitude, fma(by_distance, distance_by_tilt(r), inverse * speed_by_turn(along, x.velocity_W)));
  put_slopes(h, kVelocity, inverse * along);
  put_slope(h, kPosition + 2, by_distance / r.cosine);
  return {h, flow - expected};
}

// ---------------------------------------------------------------- ranges and odometry

// distance to a known place; nearer than 0.1 m its direction means nothing
template <class T> VOLARY_HD Line<T> range_line(const Nominal<T>& x, const Vec3<T>& place_W, T range) {
  const Vec3<T> away = -position_innovation(x, place_W);
  const T distance = norm(away);
  Slope<T> h{0, {}, {}};
  put_slopes(h, kPosition, (splat<T>(1) / max(distance, splat<T>(0.1))) * away);
  return {h, range - distance};
}

// velocity along a body axis, of odometry
template <class T> VOLARY_HD Line<T> body_velocity_line(const Nominal<T>& x, int axis, const Vec3<T>& velocity_B) {
  const Vec3<T> along = column_of(rotation_matrix(x.q_WB), axis);
  Slope<T> h{0, {}, {}};
  put_slopes(h, kAttitude, speed_by_turn(along, x.velocity_W));
  put_slopes(h, kVelocity, along);
  return {h, axis_of(velocity_B, axis) - dot(along, x.velocity_W)};
}

}  // namespace volary::inline VOLARY_ISA::estimation
