// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Between hover and wings: an aircraft with rotors that lift, a rotor that pushes, and wings. Below one airspeed rotors carry it and the ladder
// of multirotors (ladder.hpp) flies it, above another the wings do (wing.hpp), and in between each has its share, by airspeed alone. What is
// wanted decides the direction: a course faster than the middle of the two, or a place too far to hover to, is flown on wings; everything
// else in hover. Forwards the pusher accelerates while the rotors hold height and keep the fuselage near level; back, drag and then a
// raised nose brake along a planned deceleration, and the rotors come in as the lift goes.
#pragma once

#include "control/ladder.hpp"
#include "control/wing.hpp"

namespace volary::inline VOLARY_ISA::control {

template <class T> struct VtolGains {
  T blend_from, blend_to;  // m/s
  T brake;                 // m/s2
  T level_pitch;           // rad
  T lean_forward, lean_back;  // rad
  T push_max;              // N
  T weathervane;           // m/s

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    f(Field{"vtol.blend_from", "m/s", "-", "equivalent airspeed below which the rotors carry the aircraft"}, s.blend_from);
    f(Field{"vtol.blend_to", "m/s", "-", "equivalent airspeed above which the wings carry the aircraft, a little above its least airspeed"}, s.blend_to);
    f(Field{"vtol.brake", "m/s2", "-", "deceleration with which a stop is planned"}, s.brake);
    f(Field{"vtol.level_pitch", "rad", "-", "pitch angle in hover and in transition"}, s.level_pitch);
    f(Field{"vtol.lean_forward", "rad", "-", "greatest lean forward to accelerate; the pusher provides the rest"}, s.lean_forward);
    f(Field{"vtol.lean_back", "rad", "-", "greatest lean back to brake"}, s.lean_back);
    f(Field{"vtol.push_max", "N", "-", "greatest thrust of the pusher in hover"}, s.push_max);
    f(Field{"vtol.weathervane", "m/s", "-", "airspeed above which a hovering aircraft turns into the wind; at twice this value it faces the wind"},
      s.weathervane);
  }
};

// roll, pitch and heading to an attitude: heading about up, then nose up, then to the right
template <class T> VOLARY_HD Quat<T> attitude_from(T roll, T pitch, T heading) {
  const T half = splat<T>(0.5), zero = splat<T>(0);
  T sh, ch, sp, cp, sr, cr;
  sincos(half * heading, sh, ch);
  sincos(half * pitch, sp, cp);
  sincos(half * roll, sr, cr);
  return Quat<T>{ch, zero, zero, sh} * (Quat<T>{cp, zero, -sp, zero} * Quat<T>{cr, sr, zero, zero});
}
template <class T> VOLARY_HD T roll_of(const Quat<T>& q) {
  return atan2(splat<T>(2) * fma(q.w, q.x, q.y * q.z), splat<T>(1) - splat<T>(2) * fma(q.x, q.x, q.y * q.y));
}
template <class T> VOLARY_HD T pitch_of(const Quat<T>& q) { return asin(clamp(splat<T>(2) * fma(q.x, q.z, -(q.w * q.y)), splat<T>(-1), splat<T>(1))); }

// The airspeed that wings feel: along the nose, equivalent. Falling or sliding sideways is no flight on wings, however fast.
template <class T> VOLARY_HD T forward_airspeed(const WingState<T>& x) {
  T sp, cp, sh, ch;
  sincos(x.pitch, sp, cp);
  sincos(x.heading, sh, ch);
  const T along = fma(cp, fma(ch, x.air_W.x, sh * x.air_W.y), sp * x.air_W.z);
  return max(along, splat<T>(0)) / true_over_equivalent(x.density);
}

// How much the wings have to say: 0 below blend_from, 1 above blend_to, smooth between. The rotors' torques are multiplied by one minus it.
template <class T> VOLARY_HD T vtol_weight(T equivalent_airspeed, const VtolGains<T>& v) {
  const T u = clamp((equivalent_airspeed - v.blend_from) / max(v.blend_to - v.blend_from, splat<T>(0.1)), splat<T>(0), splat<T>(1));
  return u * u * (splat<T>(3) - (u + u));
}

// The share of the weight that the wings carry: airspeed squared times angle of attack, over those of level cruise. Leaning forward into the wind a
// wing carries nothing, or pushes down.
template <class T> VOLARY_HD T vtol_lift_share(const WingState<T>& x, const WingGains<T>& g) {
  const T half = splat<T>(0.5), equivalent = x.airspeed / true_over_equivalent(x.density);
  const T climb = clamp(x.air_W.z / max(x.airspeed, splat<T>(1)), -half, half);
  const T angle = x.pitch - climb - g.pitch_zero_lift, ratio = equivalent / g.airspeed_cruise;
  return clamp(ratio * ratio * angle / max(g.pitch_lift, splat<T>(0.01)), -half, splat<T>(1));
}

// Whether it gets anywhere through its airspeed, 0 to 1: an aircraft that hovers in a gust has the airspeed of wings, but stands over the ground.
template <class T> VOLARY_HD T vtol_headway(const WindTriangle<T>& m, const VtolGains<T>& v) {
  return clamp(splat<T>(2) * dot(m.ground, m.air) / v.blend_from, splat<T>(0), splat<T>(1));
}

// what is wanted, seen by either half
template <class T> struct VtolWish {
  Mask<T> on_wings;
  Mask<T> has_place;    // it is a position that is wanted, not a course
  Flat<T> course;       // direction over ground
  Vec3<T> to_reference; // m
};
// A place is flown to on wings when it is so far that going up to speed and down again pays; on wings already, until it is time to brake.
template <class T>
VOLARY_HD VtolWish<T> vtol_wish(const Reference<T>& sp, const WingState<T>& x, const WindTriangle<T>& m, T weight, const WingGains<T>& g,
                                const VtolGains<T>& v) {
  const Vec3<T> limit = {splat<T>(1e6), splat<T>(1e6), splat<T>(1e6)};
  VtolWish<T> w;
  w.to_reference = clamp(sp.position_W - x.position_W, limit);
  const Flat<T> to = flat(w.to_reference), wanted = flat(sp.velocity_W);
  const T speed = sqrt(dot(wanted, wanted)), far = sqrt(dot(to, to)), middle = splat<T>(0.5) * (v.blend_from + v.blend_to);
  const Mask<T> trajectory = sp.level == bits_of<T>(6), moving = speed > splat<T>(0.5);
  w.has_place = (sp.level == bits_of<T>(5)) | (trajectory & !moving);
  const T ground2 = dot(m.ground, m.ground), cruise = g.airspeed_cruise;
  const T start = splat<T>(1.25) * cruise * cruise / v.brake, stop = splat<T>(0.5) * ground2 / v.brake;
  const Mask<T> worth_it = far > fma(weight, stop - start, start);
  w.on_wings = (w.has_place & worth_it) | (((sp.level == bits_of<T>(4)) | (trajectory & moving)) & (speed > middle));
  w.course = direction(select(w.has_place, to, wanted), m.course);
  return w;
}

// The setpoint as wings fly it: a place becomes the course towards it, and once it brakes, straight ahead.
template <class T>
VOLARY_HD Reference<T> vtol_wing_setpoint(const Reference<T>& sp, const VtolWish<T>& w, const WindTriangle<T>& m, const WingState<T>& x,
                                          const WingGains<T>& g) {
  const T cruise = g.airspeed_cruise * true_over_equivalent(x.density);
  const Flat<T> course = select(w.on_wings, w.course, m.course);
  Reference<T> r = sp;
  r.level = select(w.has_place, bits_of<T>(4), sp.level);
  r.velocity_W = select(w.has_place, Vec3<T>{cruise * course.x, cruise * course.y, w.to_reference.z / g.height_time}, sp.velocity_W);
  r.acceleration_W = select(w.has_place, zero3<T>(), sp.acceleration_W);
  return r;
}

// The acceleration that the rotors' half asks for. On the way to wings it holds height and the line, and leaves the speed along it to the pusher.
template <class T>
VOLARY_HD Vec3<T> vtol_hover_acceleration(const Reference<T>& sp, const VtolWish<T>& w, const WindTriangle<T>& m, const WingState<T>& x, const VtolGains<T>& v,
                                          const LadderParams<T>& p, LadderMemory<T>& memory) {
  const T zero = splat<T>(0);
  const Mask<T> trajectory = sp.level == bits_of<T>(6), has_position = trajectory | (sp.level == bits_of<T>(5));
  const Flat<T> to = flat(w.to_reference), left = left_of(w.course);
  const T far = sqrt(dot(to, to)), aside = select(trajectory & !w.has_place, dot(left, to), zero), along = max(dot(m.ground, w.course), zero);

  // towards a place no faster than it can brake for it, nor hurrying into the airspeeds of wings
  const T hover = splat<T>(0.7) * v.blend_from, unhurried = select(x.airspeed > v.blend_from, max(along, hover), hover);
  // Backwards and sideways it goes slowly: no faster than where it turns its nose into the wind of its own motion, and is quicker then.
  T nose_y, nose_x;
  sincos(x.heading, nose_y, nose_x);
  const T slow = splat<T>(1.5) * v.weathervane, facing = max(dot(Flat<T>{nose_x, nose_y}, to) / max(far, splat<T>(1)), zero);
  const T most = fma(facing, unhurried - slow, slow);
  const T approach = min(min(p.position_p.x * far, sqrt((v.brake + v.brake) * far)), most);
  const Flat<T> near = min(splat<T>(1), most / max(p.position_p.x * far, splat<T>(1e-3))) * to;
  const Flat<T> velocity = select(w.on_wings, along * w.course, select(w.has_place, approach * w.course, flat(sp.velocity_W)));
  const Flat<T> error = select(w.on_wings, aside * left, select(trajectory & !w.has_place, near, Flat<T>{zero, zero}));
  Reference<T> r = sp;
  r.velocity_W = {velocity.x, velocity.y, select(w.has_place, zero, sp.velocity_W.z)};
  r.acceleration_W = select(w.on_wings | w.has_place, zero3<T>(), sp.acceleration_W);
  const Vec3<T> wanted = cascade_acceleration(Vec3<T>{error.x, error.y, select(has_position, w.to_reference.z, zero)}, x.velocity_W, r, p, memory);
  memory.previous_velocity_W = x.velocity_W;
  return select(sp.level == bits_of<T>(3), sp.acceleration_W, wanted);
}

// Where the nose should point: on the way to wings along the air velocity that cruise will have; in hover into the wind, where there is some. The more it
// would have the wind from behind, the sooner it turns, and it turns from where the nose is now: half a wish for one side and half for the other would
// put its wings across the wind.
template <class T> VOLARY_HD T vtol_heading(T yaw, const VtolWish<T>& w, const WindTriangle<T>& m, const WingState<T>& x, const WingGains<T>& g,
                                            const VtolGains<T>& v) {
  const T zero = splat<T>(0), one = splat<T>(1);
  WindTriangle<T> cruise = m;
  cruise.airspeed = max(m.airspeed, g.airspeed_cruise);
  const Flat<T> ahead = against_wind(w.course, cruise);
  const Flat<T> nose = select(w.on_wings, ahead, m.air);
  const T there = atan2(nose.y, nose.x);
  const T behind = splat<T>(2.5) - splat<T>(1.5) * cos(there - yaw);  // 1 to 4
  const T into = clamp(behind * (x.airspeed / max(v.weathervane, splat<T>(0.1)) - one), zero, one);
  const T share = select(w.on_wings, one, into);
  const T turn = fma(share, wrap_angle(there - x.heading) - wrap_angle(yaw - x.heading), wrap_angle(yaw - x.heading));
  return wrap_angle(x.heading + turn);
}

template <class T> struct VtolTarget {
  WingTarget<T> wing;       // for wing_attitude and the pusher
  AttitudeTarget<T> hover;  // for attitude_control; the rotors' torques times one minus weight
  T weight;                 // of the wings
};

// roll, pitch, heading and thrust of both halves, blended
template <class T>
VOLARY_HD VtolTarget<T> vtol_blend(const WingTarget<T>& wing, const AttitudeTarget<T>& hover, T heading, Mask<T> on_wings, T weight, const WingState<T>& x,
                                   const WingGains<T>& g, const VtolGains<T>& v, const LadderParams<T>& p) {
  const T zero = splat<T>(0), one = splat<T>(1), rest = one - weight, weight_force = p.mass * p.gravity;
  const T lowest = v.level_pitch - v.lean_forward, highest = v.level_pitch + v.lean_back;

  // what it would lean forward beyond its limit, the pusher does; on the way to wings only as far as the nose points there
  const T wanted_pitch = pitch_of(hover.q_WB) + v.level_pitch, pitch = clamp(wanted_pitch, lowest, highest);
  const T roll = clamp(roll_of(hover.q_WB), splat<T>(-0.35), splat<T>(0.35));  // a wing must not stand across the wind
  const T assist = max(lowest - wanted_pitch, zero) * (weight_force / max(v.push_max, splat<T>(1e-3)));
  const T aligned = max(cos(wrap_angle(heading - x.heading)), zero), run = wing.throttle * fma(rest, aligned * aligned - one, one);

  // while rotors carry, the nose does not go down to gain speed
  const T wing_pitch = select(weight < one, max(wing.pitch, lowest), wing.pitch);
  VtolTarget<T> t;
  t.weight = weight;
  t.wing = {fma(weight, wing.roll - roll, roll), fma(weight, wing_pitch - pitch, pitch), select(on_wings, run, min(assist, one))};
  t.hover.q_WB = attitude_from(t.wing.roll, t.wing.pitch, x.heading + rest * wrap_angle(heading - x.heading));
  t.hover.rate_B = zero3<T>();
  const T carried = (one - vtol_lift_share(x, g)) * weight_force;
  t.hover.thrust = select(weight < one, clamp(fma(rest, hover.thrust - weight_force, carried), p.thrust_min, p.thrust_max), zero);
  return t;
}

// Once per tick: both halves, and what comes of them. `p` holds the gains of the rotors' ladder; its tilt may be wider than the leans: the pusher does
// what they leave.
template <class T>
VOLARY_HD VtolTarget<T> vtol_guidance(const Reference<T>& sp, const WingState<T>& x, const WingGains<T>& g, const VtolGains<T>& v, const LadderParams<T>& p,
                                      WingMemory<T>& wing_memory, LadderMemory<T>& ladder_memory) {
  const T zero = splat<T>(0), one = splat<T>(1);
  const WindTriangle<T> m = wind_triangle(x);
  // in hover and while it brakes the rotors let go only of what flies: a gust must not take the aircraft from them
  const T by_airspeed = vtol_weight(forward_airspeed(x), v), under_way = by_airspeed * vtol_headway(m, v);
  const VtolWish<T> wish = vtol_wish(sp, x, m, under_way, g, v);
  const T weight = select(wish.on_wings, by_airspeed, under_way);

  // braking: pitch looks after height alone, the pusher stops
  WingGains<T> gains = g;
  gains.speed_weight = select(wish.on_wings, g.speed_weight, zero);
  const WingTarget<T> wing = wing_guidance(vtol_wing_setpoint(sp, wish, m, x, g), x, gains, wing_memory);
  const Mask<T> flown = wish.on_wings & (weight >= one);
  wing_memory.throttle_integral = select(flown, wing_memory.throttle_integral, zero);
  wing_memory.pitch_integral = select(flown, wing_memory.pitch_integral, zero);

  const Vec3<T> wanted = vtol_hover_acceleration(sp, wish, m, x, v, p, ladder_memory);
  ladder_memory.integral_W = select(weight < one, ladder_memory.integral_W, zero3<T>());
  const T heading = vtol_heading(sp.yaw, wish, m, x, g, v);
  const Quat<T> q_WB = attitude_from(x.roll, x.pitch, x.heading);
  return vtol_blend(wing, attitude_for(wanted, zero3<T>(), x.heading, zero, q_WB, p), heading, wish.on_wings, weight, x, g, v, p);
}

}  // namespace volary::inline VOLARY_ISA::control
