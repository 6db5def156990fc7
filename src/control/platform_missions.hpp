// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Pose trajectories of a platform: the position flies the curve of its Plan as that of every vehicle does (guide.hpp), and roll, pitch and yaw fly a curve of their own
// on the same clock. From one mode to the next the angles go without a jump.
#pragma once

#include "control/guide.hpp"
#include "control/platform.hpp"

namespace volary::inline VOLARY_ISA::control {

// beside the Plan of the position: clock, ramp and delay are those of the Plan
template <class T> struct AnglePlan {
  Vec3<T> centre;  // rad: roll, pitch, yaw about which the curve swings
  Vec3<T> amplitude, rate, phase;  // rad, rad/s, rad: the harmonic curve
  Bits<T> path;  // 1 + index of the polynomial path of the angles, 0: the harmonic curve
  Vec3<T> gap, gap_rate;  // rad, rad/s: what is left of the way from the angles of the last mode

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    f(Field{"plan.angle_centre", "rad", "W", "roll, pitch and yaw about which the angles of the mission swing"}, s.centre);
    f(Field{"plan.angle_amplitude", "rad", "W", "amplitude of roll, pitch and yaw"}, s.amplitude);
    f(Field{"plan.angle_rate", "rad/s", "W", "angular frequency of roll, pitch and yaw"}, s.rate);
    f(Field{"plan.angle_phase", "rad", "W", "phase of roll, pitch and yaw"}, s.phase);
    f(Field{"plan.angle_path", "-", "-", "1 + index of the polynomial path of the angles; 0: the harmonic curve is flown"}, s.path);
    f(Field{"plan.angle_gap", "rad", "W", "difference of the commanded angles from those of the mode, which decays after the mode is entered"}, s.gap);
    f(Field{"plan.angle_gap_rate", "rad/s", "W", "rate of change of this difference"}, s.gap_rate);
  }
};

inline constexpr double kGapDecay = 2;  // 1/s: a new mode has its angles after some three seconds

// the curve of the angles, `since` seconds after its start
template <class T> VOLARY_HD Angles<T> mission_angles(const PathTable<Scalar<T>>& table, const Plan<T>& plan, const AnglePlan<T>& a, T since) {
  Plan<T> curve = plan;
  curve.amplitude = a.amplitude, curve.rate = a.rate, curve.phase = a.phase, curve.path = a.path;
  const CurvePoint<T> c = curve_point(table, curve, since);
  return {a.centre + c.position, c.velocity, c.acceleration};
}

// the same angle, from -pi to pi
template <class T> VOLARY_HD T short_way(T angle) { return fma(-round(angle * splat<T>(0.15915494309189535)), splat<T>(6.283185307179586), angle); }

// Writes the angles of the mode: those of the mission, else level at the yaw of the anchor; platforms that nobody guides keep theirs. To be called before guide(), which
// moves the clock on. Whenever a mode begins its angles go on from the last ones, and what is between them decays as a critically damped spring.
template <class T>
VOLARY_HD void guide_angles(Bits<T> status, const Plan<T>& plan, AnglePlan<T>& a, Angles<T>& sp, const GuideParams<T>& g, const PathTable<Scalar<T>>& table) {
  const Mask<T> guided = is_guided<T>(status), on_mission = has_mode<T>(status, Flight::Mission);
  const T zero = splat<T>(0), w = splat<T>(kGapDecay);
  Angles<T> to = {{zero, zero, plan.anchor_yaw}, zero3<T>(), zero3<T>()};
  if (any(on_mission)) {
    const Angles<T> m = mission_angles(table, plan, a, plan.mode_ticks * g.tick - plan.delay);
    to = {select(on_mission, m.angle, to.angle), select(on_mission, m.rate, to.rate), select(on_mission, m.acceleration, to.acceleration)};
  }
  const Mask<T> entered = guided & !(plan.mode_ticks > zero);
  const Vec3<T> gap = fma(g.tick, sp.rate, sp.angle) - to.angle;
  a.gap = select(entered, Vec3<T>{gap.x, gap.y, short_way(gap.z)}, a.gap);
  a.gap_rate = select(entered, sp.rate - to.rate, a.gap_rate);
  sp.angle = select(guided, to.angle + a.gap, sp.angle);
  sp.rate = select(guided, to.rate + a.gap_rate, sp.rate);
  sp.acceleration = select(guided, to.acceleration - w * fma(w, a.gap, splat<T>(2) * a.gap_rate), sp.acceleration);

  // over a tick, exactly: x e^wt is a line
  const T left = exp(-(w * g.tick));
  const Vec3<T> slope = fma(w, a.gap, a.gap_rate), next = left * fma(g.tick, slope, a.gap);
  a.gap_rate = select(guided, fma(-w, next, left * slope), a.gap_rate);
  a.gap = select(guided, next, a.gap);
}

// The target of pose tracking: reference and angles, moved by what the admittance yields (eq. 20)
template <class T> struct Yielding {
  Screw<T> offset, rate, acceleration;  // m, rad and their derivatives, world axes and Euler angles
};
template <class T> VOLARY_HD PoseTarget<T> pose_target(const Position<T>& position_W, const Reference<T>& sp, const Angles<T>& angles, const Yielding<T>& y) {
  return {(sp.position_W - position_W) + y.offset.linear, sp.velocity_W + y.rate.linear, sp.acceleration_W + y.acceleration.linear,
          orientation_of(Angles<T>{angles.angle + y.offset.angular, angles.rate + y.rate.angular, angles.acceleration + y.acceleration.angular})};
}

// Eq. 19 sets a torque in the world against Euler angles. Their rates do the work of the torque along the axes about which they turn: x of the body, y after the yaw, z of
// the world; at yaw and pitch zero these are the axes of the world, as printed.
template <class T> VOLARY_HD Vec3<T> torque_on_angles(const Vec3<T>& angle, const Vec3<T>& torque_W) {
  T sp, cp, sy, cy;
  sincos(angle.y, sp, cp), sincos(angle.z, sy, cy);
  return {fma(cy * cp, torque_W.x, fma(sy * cp, torque_W.y, -(sp * torque_W.z))), fma(cy, torque_W.y, -(sy * torque_W.x)), torque_W.z};
}

}  // namespace volary::inline VOLARY_ISA::control
