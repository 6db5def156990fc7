// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The control laws of aircraft with wings, on the same ladder as everything that flies:
//   trajectory, position, velocity, acceleration -> roll, pitch, throttle    wing_guidance, once per tick
//   roll, pitch -> body rates -> aileron, elevator, rudder                   wing_attitude, once per substep
//   body rates -> aileron, elevator, rudder                                  wing_rates, once per substep
// The inner loops have the structure that ArduPlane got in 2013 (APM_Control), so that gains from its logs mean the same here; docs/wings.md
// has the table. Lateral guidance follows Stastny and Siegwart (On Flying Backwards: Preventing Run-away of Small, Low-speed,
// Fixed-wing UAVs in Strong Winds, IROS 2019; PX4's NPFG): a bearing towards the path, the air velocity that flies it in this wind, and the turn
// towards that, with the curvature of the path fed forward.
#pragma once

#include "control/guide.hpp"
#include "control/wing_energy.hpp"

namespace volary::inline VOLARY_ISA::control {

// ---------------------------------------------------------------- lateral guidance

// a horizontal vector, from above: x east, y north. Its functions are friends, so that they do not hide those of math.
template <class T> struct Flat {
  T x, y;
  VOLARY_HD friend T dot(const Flat& a, const Flat& b) { return fma(a.x, b.x, a.y * b.y); }
  VOLARY_HD friend T cross(const Flat& a, const Flat& b) { return fma(a.x, b.y, -(a.y * b.x)); }
  VOLARY_HD friend Flat operator*(T s, const Flat& a) { return {s * a.x, s * a.y}; }
  VOLARY_HD friend Flat fma(T s, const Flat& a, const Flat& c) { return {fma(s, a.x, c.x), fma(s, a.y, c.y)}; }
  VOLARY_HD friend Flat select(Mask<T> m, const Flat& a, const Flat& b) { return {select(m, a.x, b.x), select(m, a.y, b.y)}; }
};
template <class T> VOLARY_HD Flat<T> left_of(const Flat<T>& a) { return {-a.y, a.x}; }
template <class T> VOLARY_HD Flat<T> flat(const Vec3<T>& a) { return {a.x, a.y}; }
// the direction of a, or `otherwise` where a is shorter than a centimetre (per second)
template <class T> VOLARY_HD Flat<T> direction(const Flat<T>& a, const Flat<T>& otherwise) {
  const T n2 = dot(a, a), n = sqrt(max(n2, splat<T>(1e-4)));
  return select(n2 > splat<T>(1e-4), (splat<T>(1) / n) * a, otherwise);
}

// how the aircraft moves over ground and through the air, seen from above
template <class T> struct WindTriangle {
  Flat<T> ground, wind;  // m/s
  Flat<T> course, air;   // directions
  T airspeed;            // m/s, horizontal, never 0
};
template <class T> VOLARY_HD WindTriangle<T> wind_triangle(const WingState<T>& x) {
  WindTriangle<T> m;
  const Flat<T> air = flat(x.air_W);
  m.ground = flat(x.velocity_W);
  m.wind = {m.ground.x - air.x, m.ground.y - air.y};
  m.air = direction(air, Flat<T>{splat<T>(1), splat<T>(0)});
  m.course = direction(m.ground, m.air);
  m.airspeed = max(sqrt(dot(air, air)), splat<T>(1));
  return m;
}

// the piece of a path abreast of the aircraft; a path without a position (a course to fly) has no offset
template <class T> struct LocalPath {
  Flat<T> tangent;
  T offset;        // m, of the aircraft to the left of it
  T curvature;     // 1/m, to the left
  T acceleration;  // m/s2 to the left, as it stands: not of the path, but asked for beside it
};
// a circle about the setpoint's position
template <class T> VOLARY_HD LocalPath<T> loiter_path(const Flat<T>& to_centre, const Flat<T>& course, T radius) {
  const T right = copysign(splat<T>(1), radius), size = max(abs(radius), splat<T>(1));
  const Flat<T> outward = direction(splat<T>(-1) * to_centre, right * left_of(course));
  const T offset = right * (sqrt(dot(to_centre, to_centre)) - size);
  return {{right * outward.y, -(right * outward.x)}, offset, -(right / size), splat<T>(0)};
}
template <class T> VOLARY_HD LocalPath<T> path_of(const Reference<T>& sp, const Vec3<T>& to_reference, const WindTriangle<T>& m, const WingGains<T>& g) {
  const T zero = splat<T>(0);
  const Flat<T> v = flat(sp.velocity_W), a = flat(sp.acceleration_W), to = flat(to_reference);
  const Mask<T> on_trajectory = sp.level == bits_of<T>(6), moving = dot(v, v) > splat<T>(0.25);
  const Mask<T> loiter = (sp.level == bits_of<T>(5)) | (on_trajectory & !moving), on_path = on_trajectory & moving;

  const Flat<T> along = select(on_path | (sp.level == bits_of<T>(4)), direction(v, m.course), m.course);
  const T sideways = dot(left_of(along), a);
  const LocalPath<T> circle = loiter_path(to, m.course, g.loiter_radius);
  LocalPath<T> p;
  p.tangent = select(loiter, circle.tangent, along);
  p.offset = select(loiter, circle.offset, select(on_path, -dot(left_of(along), to), zero));
  p.curvature = select(loiter, circle.curvature, select(on_path, sideways / max(dot(v, v), splat<T>(0.25)), zero));
  p.acceleration = select(loiter | on_path, zero, sideways);
  return p;
}

// The direction through the air that makes the aircraft fly along `bearing` over ground; where the wind is too strong for that, as
// nearly as can be, with some airspeed kept along the bearing.
template <class T> VOLARY_HD Flat<T> against_wind(const Flat<T>& bearing, const WindTriangle<T>& m) {
  const T most = splat<T>(0.95) * m.airspeed, left = clamp(-cross(bearing, m.wind), -most, most);
  const T ahead = sqrt(fma(m.airspeed, m.airspeed, -(left * left)));
  const T inv = splat<T>(1) / m.airspeed;
  return fma(left * inv, left_of(bearing), (ahead * inv) * bearing);
}

// The acceleration to the left that brings the aircraft onto the path. Near the path offset and course error obey a linear
// oscillator of period P and damping d: bearing towards a point d P / pi seconds ahead, turn rate 4 pi d / P times the error of heading.
template <class T> VOLARY_HD T lateral_acceleration(const LocalPath<T>& p, const WindTriangle<T>& m, const WingGains<T>& g) {
  const T zero = splat<T>(0), one = splat<T>(1), pi = splat<T>(3.14159265358979323846);
  const T ground_speed = sqrt(dot(m.ground, m.ground));
  const T ahead = max(ground_speed, splat<T>(0.3) * m.airspeed) * (g.damping * g.period / pi);
  const Flat<T> left = left_of(p.tangent);
  const Flat<T> bearing = direction(fma(-p.offset, left, ahead * p.tangent), p.tangent);

  const Flat<T> wanted = against_wind(bearing, m);
  const T sine = cross(m.air, wanted), turn = select(dot(m.air, wanted) > zero, sine, copysign(one, sine));
  const T feedback = (splat<T>(4) * pi * g.damping / g.period) * m.airspeed * turn;

  // Curvature counts where the path is near and flown forwards. Lift pushes square to the air velocity, not to the course.
  const T near = ahead * ahead / max(fma(ahead, ahead, p.offset * p.offset), one);
  const T forward = max(dot(m.ground, p.tangent), zero);
  const T crab = max(dot(m.course, m.air), splat<T>(0.5));
  return fma(p.curvature * (near / crab), forward * forward, feedback + p.acceleration);
}

// ---------------------------------------------------------------- the setpoint to roll, pitch, throttle

template <class T> struct SpeedAndClimb {
  T airspeed, climb;  // m/s
};
template <class T>
VOLARY_HD SpeedAndClimb<T> speed_and_climb(const Reference<T>& sp, const Vec3<T>& to_reference, const WindTriangle<T>& m, const WingState<T>& x,
                                           const WingGains<T>& g) {
  const T zero = splat<T>(0), planned = norm(sp.velocity_W), level = sqrt(dot(flat(sp.velocity_W), flat(sp.velocity_W)));
  const Mask<T> acceleration = sp.level == bits_of<T>(3), velocity = sp.level == bits_of<T>(4), trajectory = sp.level == bits_of<T>(6);
  const Mask<T> on_path = trajectory & (level > splat<T>(0.5));
  const T cruise = g.airspeed_cruise * true_over_equivalent(x.density);

  // a path climbs as fast as it is flown over ground, which is not as fast as planned when there is wind
  const T pace = clamp(dot(m.ground, flat(sp.velocity_W)) / max(level * level, splat<T>(0.25)), zero, splat<T>(2));
  const T slope = select(on_path, sp.velocity_W.z * pace, select(trajectory, sp.velocity_W.z, zero));
  const T to_height = slope + to_reference.z / g.height_time;

  // an acceleration is a change of the present speed: within the time in which each loop answers
  const T ahead = dot(m.course, flat(sp.acceleration_W));
  const T faster = fma(ahead, g.speed_time, x.airspeed), steeper = x.velocity_W.z + sp.acceleration_W.z;
  const T airspeed = select(velocity | on_path, planned, select(acceleration, faster, cruise));
  return {airspeed, select(velocity, sp.velocity_W.z, select(acceleration, steeper, to_height))};
}

// Once per tick: from the setpoint to roll, pitch and throttle. Rungs below acceleration get level flight, and leave the integrals alone.
template <class T> VOLARY_HD WingTarget<T> wing_guidance(const Reference<T>& sp, const WingState<T>& x, const WingGains<T>& g, WingMemory<T>& m) {
  const Vec3<T> far = {splat<T>(1e6), splat<T>(1e6), splat<T>(1e6)};
  const Vec3<T> to_reference = clamp(sp.position_W - x.position_W, far);
  const WindTriangle<T> motion = wind_triangle(x);

  // less bank near the ground: a wing tip must not touch it
  const T to_the_right = -lateral_acceleration(path_of(sp, to_reference, motion, g), motion, g);
  const T most = g.max_bank * clamp(x.above_ground / max(g.bank_height, splat<T>(0.01)), splat<T>(0.15), splat<T>(1));
  WingTarget<T> t;
  t.roll = clamp(atan2(to_the_right, g.gravity), -most, most);

  const WingMemory<T> before = m;
  const SpeedAndClimb<T> wanted = speed_and_climb(sp, to_reference, motion, x, g);
  const EnergyRates<T> e = energy_rates(wanted.airspeed, wanted.climb, x, g, m);
  const T cos_roll = cos(x.roll);
  t.throttle = energy_throttle(e, cos_roll, g, m);
  t.pitch = energy_pitch(e, cos_roll, x.airspeed, x.density, g, m);

  const Mask<T> ours = (sp.level == bits_of<T>(3)) | (sp.level == bits_of<T>(4)) | (sp.level == bits_of<T>(5)) | (sp.level == bits_of<T>(6));
  m.throttle_integral = select(ours, m.throttle_integral, before.throttle_integral);
  m.pitch_integral = select(ours, m.pitch_integral, before.pitch_integral);
  t.roll = select(ours, t.roll, splat<T>(0));
  return t;
}

// ---------------------------------------------------------------- attitude and rates

// Wanted p, q, r to shares of travel. Surfaces bend the flow in proportion to the dynamic pressure, so what answers an error is scaled by
// 1/V^2; a steady rate needs a deflection in proportion to rate / V. Integrals hold a deflection, whatever the airspeed.
template <class T> VOLARY_HD Vec3<T> wing_rates(const Vec3<T>& rates_FRD, const WingState<T>& x, const WingGains<T>& g, T h, WingMemory<T>& m) {
  const T one = splat<T>(1), half = splat<T>(0.5), two = splat<T>(2), zero = splat<T>(0);
  const T stretch = true_over_equivalent(x.density), equivalent = x.airspeed / stretch;
  const T scale = clamp(g.scaling_speed / max(equivalent, splat<T>(0.1)), half, two), scale2 = scale * scale, ahead = scale / stretch;
  const Vec3<T> error = scale2 * (rates_FRD - Vec3<T>{x.p, x.q, x.r});
  Vec3<T> out = fma(g.rate_p, error, fma(g.rate_ff, ahead * rates_FRD, m.integral));
  out.z = fma(g.rudder_mix, clamp(out.x, -one, one), out.z);

  // too slow to fly: nothing is learnt about trim
  const Vec3<T> step = h * (g.rate_i * error);
  const Mask<T> flying = equivalent > g.airspeed_min, nearly = equivalent > half * g.airspeed_min;
  m.integral = {integrate_inside(m.integral.x, select(flying, step.x, zero), out.x, -one, one, g.integral_limit.x),
                integrate_inside(m.integral.y, select(nearly, step.y, zero), out.y, -one, one, g.integral_limit.y),
                integrate_inside(m.integral.z, select(flying, step.z, zero), out.z, -one, one, g.integral_limit.z)};
  return clamp(out, Vec3<T>{one, one, one});
}

// an angle in -pi..pi, for differences of two such angles
template <class T> VOLARY_HD T wrap_angle(T a) {
  const T pi = splat<T>(3.14159265358979323846), turn = splat<T>(6.28318530717958647693);
  return select(a > pi, a - turn, select(a < -pi, a + turn, a));
}

// Roll and pitch to body rates to shares of travel.
template <class T>
VOLARY_HD Vec3<T> wing_attitude(const WingTarget<T>& target, const WingState<T>& x, const WingGains<T>& g, T h, WingMemory<T>& m) {
  T sin_roll, cos_roll;
  sincos(x.roll, sin_roll, cos_roll);
  const T zero = splat<T>(0), cos_pitch = cos(x.pitch);
  const Mask<T> upright = cos_roll > zero;
  const T p = clamp(wrap_angle(target.roll - x.roll) / g.roll_time, -g.roll_rate, g.roll_rate);
  const T q = clamp((target.pitch - x.pitch) / g.pitch_time, -g.pitch_rate_down, g.pitch_rate_up);

  // A level turn at this bank turns by g tan(roll) / V; its parts about the pitch and yaw axes. Not where pitch is beyond 70 degrees.
  const T turn = select(cos_pitch > splat<T>(0.342), cos_pitch * g.gravity, zero) / max(x.airspeed, g.airspeed_min);
  const T pull = g.turn_pitch * turn * (sin_roll * sin_roll / max(abs(cos_roll), splat<T>(0.1736)));
  const T level_yaw = g.turn_yaw * turn * sin_roll;
  const T both = q + pull;

  // the yaw damper leaves the level turn and everything else that lasts alone
  const T beyond = x.r - level_yaw;
  m.steady_yaw = fma(min(h * g.yaw_washout, splat<T>(1)), beyond - m.steady_yaw, m.steady_yaw);
  return wing_rates(Vec3<T>{p, select(upright, both, -both), level_yaw + m.steady_yaw}, x, g, h, m);
}

}  // namespace volary::inline VOLARY_ISA::control
