// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What several behaviours need: how old knowledge is and where somebody is by now, velocities that brake before a goal,
// a height that is kept above the ground below, what cannot stop, angles.
#pragma once

#include <array>
#include <string>
#include <type_traits>

#include "core/describe.hpp"
#include "swarm/sense.hpp"

namespace volary::swarm {

inline constexpr double kPi = 3.141592653589793;

// Decisions are compiled for any CPU, where the fused multiply-add of math/vec.hpp is a call: here products and sums are
// rounded one by one, which is the same everywhere too. These hide the templates of math/.
inline double dot(const V3& a, const V3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline double norm(const V3& a) { return math::sqrt(dot(a, a)); }
inline V3 add_scaled(double s, const V3& a, const V3& c) { return {c.x + s * a.x, c.y + s * a.y, c.z + s * a.z}; }  // c + s a
inline V3 limit_norm(const V3& a, double limit) {
  const double n = norm(a);
  return n > limit ? (limit / n) * a : a;
}

inline V3 to_v3(const std::array<double, 3>& a) { return {a[0], a[1], a[2]}; }
inline V3 flat(const V3& a) { return {a.x, a.y, 0}; }
inline double distance(const V3& a, const V3& b) { return norm(a - b); }
inline double clamp_to(double x, double low, double high) { return math::max(low, math::min(x, high)); }
// whether numbers out of a message can be a place or a velocity: squares of more would not be finite
inline bool is_place(const V3& a) { return math::abs(a.x) < 1e7 && math::abs(a.y) < 1e7 && math::abs(a.z) < 1e7; }

// a / |a|, or `otherwise` where a has no direction
inline V3 direction(const V3& a, const V3& otherwise = {0, 0, 0}) {
  const double n = norm(a);
  return n > 1e-9 ? (1 / n) * a : otherwise;
}

// s since a tick; one in the future, which only a wrong message can say, is now
inline double seconds_since(const Sense& s, std::uint64_t tick) {
  if (tick >= s.tick || s.tick == 0) return 0;
  return static_cast<double>(s.tick - tick) * (s.time / static_cast<double>(s.tick));
}

// where somebody is by now if it went on as it said; not for longer than `most` seconds
inline V3 where_now(const Sense& s, const Known& k, double most = 1) { return add_scaled(math::min(seconds_since(s, k.tick), most), k.velocity, k.position); }

// The speed from which braking at `brake` m/s2 still stops within d, after a reaction of about a decision: near the goal
// proportional to d, far from it the square root.
inline double braking_speed(double d, double brake) {
  constexpr double kReaction = 0.5;  // s
  const double reach = kReaction * brake;
  return math::sqrt(reach * reach + 2 * brake * d) - reach;
}
// the velocity towards a point at up to `speed`
inline V3 towards(const Sense& s, const V3& goal, double speed, double brake = 2) {
  const V3 way = goal - s.position;
  const double d = norm(way);
  return math::min(math::min(speed, s.max_speed), braking_speed(d, brake)) * direction(way);
}

// Velocity that keeps `floor` metres above the ground: it climbs when below, and flies ever slower sideways, not at all at half the floor. Only the
// ground straight below is known, so a wall is met all the same, and so is a slope steeper than the climb of half a floor takes.
inline V3 above_floor(const Sense& s, V3 velocity, double floor) {
  const double missing = s.ground_ahead + floor - s.position.z;
  velocity.z = math::max(velocity.z, clamp_to(2 * missing, -s.max_speed, 0.5 * s.max_speed));
  if (missing > 0) {
    const double part = clamp_to(1 - 2 * missing / floor, 0, 1);
    velocity.x *= part;
    velocity.y *= part;
  }
  return velocity;
}
inline V3 above_floor_point(const Sense& s, V3 point, double floor) {
  point.z = math::max(point.z, s.ground_ahead + floor);
  return point;
}
// the climb that keeps a height above the ground
inline double hold_height(const Sense& s, double height) {
  const double most = math::min(2.0, s.max_speed);  // m/s
  return clamp_to(s.ground_ahead + height - s.position.z, -most, most);
}

// ---------------------------------------------------------------- what cannot stop: Sense::min_speed and loiter_radius are above zero

// how near counts as there: a place inside its circle
inline double arrival(const Sense& s, double tolerance) { return math::max(tolerance, 1.3 * s.loiter_radius); }
// how far ahead to aim on a line: what turns wide aims farther
inline double look_ahead(const Sense& s, double ahead) { return math::max(ahead, 0.6 * s.loiter_radius); }
// Too far ahead of a place that moves along, others slow down, stop or fly back. What cannot waits at its least speed until the place has caught up; where
// the place is far away it turns towards it all the same.
inline V3 forwards(const Sense& s, const V3& velocity, const V3& along, const V3& gap) {
  const double missing = s.min_speed - dot(velocity, along);
  return s.min_speed > 0 && missing > 0 && norm(gap) < 3 * s.loiter_radius ? add_scaled(missing, along, velocity) : velocity;
}

// to [-pi, pi)
inline double wrap_angle(double a) { return a - 2 * kPi * math::floor((a + kPi) / (2 * kPi)); }
inline V3 rotate_flat(const V3& a, double angle) {
  double sine = 0, cosine = 1;
  math::sincos(angle, sine, cosine);
  return {cosine * a.x - sine * a.y, sine * a.x + cosine * a.y, a.z};
}

// the latest message of this topic since the last decision, if any; an empty name is never heard
inline const Message* heard(const Sense& s, const std::string& name) {
  if (name.empty()) return nullptr;
  const std::uint32_t wanted = topic(name);
  const Message* latest = nullptr;
  for (const Message& m : s.messages)
    if (m.topic == wanted && (m.to == 0 || m.to == s.self)) latest = &m;
  return latest;
}

// on the ground or on the way to it or up from it, where other behaviours have nothing to say
inline bool is_flying(Mode mode) { return mode == Mode::Hold || mode == Mode::Mission; }

}  // namespace volary::swarm
