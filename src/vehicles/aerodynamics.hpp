// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Forces and moments of wings, tail and body from the way the air meets them: SIGMA eq. 8 (S-47), with span and chord restored in the moments.
// Coefficients are in the aeronautical axes of the papers and data bases: forward, right, down; roll right, pitch up, yaw right; lift and drag in
// stability axes. They are finite for every direction of the air: beyond the stall they blend into those of a flat plate (Beard and McLain, Small
// Unmanned Aircraft, 2012, eq. 4.9 and 4.10), and whatever they are, they never add energy (see `without_gain`).
#pragma once

#include "math/functions.hpp"
#include "math/rows.hpp"

namespace volary::inline VOLARY_ISA::vehicles {

using namespace math;
using math::fma;

// one coefficient as a sum: at zero, per angle (rad), per reduced rate (p b / 2V, q c / 2V, r b / 2V), per deflection (rad)
template <class T> struct LongitudinalDerivatives {
  T zero, alpha, q, elevator;

  template <class Self, class F> VOLARY_HD static constexpr void fields(const char* name, Self& s, F& f) {
    f(Field{name, "-", "-", "coefficient at zero angle of attack; then its derivatives by alpha, q c / 2V and elevator"}, s.zero);
    f(Field{name, "1/rad", "-", "derivative of the coefficient by angle of attack alpha"}, s.alpha);
    f(Field{name, "-", "-", "derivative of the coefficient by reduced pitch rate q c / 2V"}, s.q);
    f(Field{name, "1/rad", "-", "derivative of the coefficient by elevator deflection"}, s.elevator);
  }
};
template <class T> struct LateralDerivatives {
  T zero, beta, p, r, aileron, rudder;

  template <class Self, class F> VOLARY_HD static constexpr void fields(const char* name, Self& s, F& f) {
    f(Field{name, "-", "-", "coefficient at zero sideslip; then its derivatives by beta, p b / 2V, r b / 2V, aileron and rudder"}, s.zero);
    f(Field{name, "1/rad", "-", "derivative of the coefficient by sideslip angle beta"}, s.beta);
    f(Field{name, "-", "-", "derivative of the coefficient by reduced roll rate p b / 2V"}, s.p);
    f(Field{name, "-", "-", "derivative of the coefficient by reduced yaw rate r b / 2V"}, s.r);
    f(Field{name, "1/rad", "-", "derivative of the coefficient by aileron deflection"}, s.aileron);
    f(Field{name, "1/rad", "-", "derivative of the coefficient by rudder deflection"}, s.rudder);
  }
};

template <class T> struct AeroParams {
  T area, span, chord;                     // m2, m, m
  LongitudinalDerivatives<T> lift, pitch;
  LateralDerivatives<T> side, roll, yaw;
  T lift_aileron;                          // 1/rad
  T drag_zero, drag_induced, drag_alpha;   // -, per lift coefficient squared, per rad of alpha
  T drag_beta2, drag_elevator, drag_aileron;  // per rad2 of beta, per rad of deflection either way
  T stall, inv_stall_width;                // rad, 1/rad: the blend begins at stall and is done a width later
  T wash;                                  // share of the propeller's stream that the tail is in

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    f(Field{"wing.area", "m2", "-", "reference area of the wing"}, s.area);
    f(Field{"wing.span", "m", "-", "reference span of the wing"}, s.span);
    f(Field{"wing.chord", "m", "-", "mean chord of the wing"}, s.chord);
    LongitudinalDerivatives<T>::fields("lift", s.lift, f);
    LongitudinalDerivatives<T>::fields("pitch", s.pitch, f);
    LateralDerivatives<T>::fields("side", s.side, f);
    LateralDerivatives<T>::fields("roll", s.roll, f);
    LateralDerivatives<T>::fields("yaw", s.yaw, f);
    f(Field{"lift.aileron", "1/rad", "-", "derivative of the lift coefficient by aileron deflection"}, s.lift_aileron);
    f(Field{"drag.zero", "-", "-", "drag coefficient at zero lift"}, s.drag_zero);
    f(Field{"drag.induced", "-", "-", "induced drag: drag coefficient per lift coefficient squared"}, s.drag_induced);
    f(Field{"drag.alpha", "1/rad", "-", "derivative of the drag coefficient by angle of attack"}, s.drag_alpha);
    f(Field{"drag.beta2", "1/rad2", "-", "drag coefficient per sideslip angle squared"}, s.drag_beta2);
    f(Field{"drag.elevator", "1/rad", "-", "drag coefficient per elevator deflection in either direction"}, s.drag_elevator);
    f(Field{"drag.aileron", "1/rad", "-", "drag coefficient per aileron deflection in either direction"}, s.drag_aileron);
    f(Field{"stall", "rad", "-", "angle of attack at which the flow begins to separate"}, s.stall);
    f(Field{"inv_stall_width", "1/rad", "-", "reciprocal of the angle over which the flow separates"}, s.inv_stall_width);
    f(Field{"wash", "-", "-", "share of the tail that is in the stream of the propeller"}, s.wash);
  }
};

// how the air meets the aircraft
template <class T> struct Flow {
  T u, v, w;                // m/s through the air: forward, right, down
  T speed;                  // m/s
  T pressure;               // Pa, dynamic
  T alpha, beta;            // rad; alpha all the way round, beta to the sides
  T sin_alpha, cos_alpha;
  T p, q, r;                // rad/s: roll right, pitch up, yaw right
};

// air_B and omega_B are in the axes of the simulator: forward, left, up
template <class T> VOLARY_HD Flow<T> flow_of(const Vec3<T>& air_B, const Vec3<T>& omega_B, T density) {
  Flow<T> f;
  f.u = air_B.x, f.v = -air_B.y, f.w = -air_B.z;
  f.p = omega_B.x, f.q = -omega_B.y, f.r = -omega_B.z;
  const T plane2 = fma(f.u, f.u, f.w * f.w), speed2 = fma(f.v, f.v, plane2);
  const T plane = sqrt(plane2);
  f.speed = sqrt(speed2);
  f.pressure = splat<T>(0.5) * density * speed2;
  const T inv = splat<T>(1) / max(plane, splat<T>(1e-6));
  f.sin_alpha = f.w * inv;
  f.cos_alpha = select(plane > splat<T>(1e-6), f.u * inv, splat<T>(1));
  f.alpha = atan2(f.w, f.u);
  f.beta = atan2(f.v, max(plane, splat<T>(1e-6)));
  return f;
}

template <class T> struct Deflections {
  T aileron, elevator, rudder;  // rad; positive as in the coefficients
};

// The six coefficients that do not depend on rates and deflections.
template <class T> struct StaticCoefficients {
  T lift, drag, side, roll, pitch, yaw;
};

// 0 where the flow follows the wing, 1 where it has left it; smooth in between
template <class T> VOLARY_HD T separation(T alpha, const AeroParams<T>& a) {
  const T x = clamp((abs(alpha) - a.stall) * a.inv_stall_width, splat<T>(0), splat<T>(1));
  return x * x * fma(x, splat<T>(-2), splat<T>(3));
}

template <class T> VOLARY_HD StaticCoefficients<T> linear_coefficients(const Flow<T>& f, const AeroParams<T>& a) {
  StaticCoefficients<T> c;
  c.lift = fma(a.lift.alpha, f.alpha, a.lift.zero);
  c.drag = max(fma(a.drag_alpha, f.alpha, fma(a.drag_induced * c.lift, c.lift, a.drag_zero)), splat<T>(0));
  c.side = fma(a.side.beta, f.beta, a.side.zero);
  c.roll = fma(a.roll.beta, f.beta, a.roll.zero);
  c.pitch = fma(a.pitch.alpha, f.alpha, a.pitch.zero);
  c.yaw = fma(a.yaw.beta, f.beta, a.yaw.zero);
  return c;
}

// What is left of them when the flow has separated: a flat plate that still turns its nose to the wind.
template <class T> VOLARY_HD StaticCoefficients<T> separated(const StaticCoefficients<T>& c, const Flow<T>& f, T left, const AeroParams<T>& a) {
  const T normal = splat<T>(2) * f.sin_alpha * abs(f.sin_alpha);
  const auto blend = [&](T attached, T plate) VOLARY_INLINE_LAMBDA { return fma(left, plate - attached, attached); };
  return {blend(c.lift, normal * f.cos_alpha),
          blend(c.drag, fma(normal, f.sin_alpha, a.drag_zero)),
          c.side,
          c.roll,
          blend(c.pitch, a.pitch.alpha * f.sin_alpha),
          c.yaw};
}

template <class T> struct AeroWrench {
  Vec3<T> force_B, torque_B;  // N, N m: forward, left, up
};

// An unpowered body in still air cannot gain energy, but a sum of measured coefficients can give it some: a static moment does work on a rotation, and
// the drag that pays for it in nature is in no linear model. What they would add is taken from the motion as further drag: -max(P, 0) v / v2.
template <class T> VOLARY_HD Vec3<T> without_gain(const Vec3<T>& force_B, const Vec3<T>& torque_B, const Vec3<T>& air_B, const Vec3<T>& omega_B) {
  const T power = dot(force_B, air_B) + dot(torque_B, omega_B);
  const T excess = max(power, splat<T>(0)) / max(dot(air_B, air_B), splat<T>(1e-6));
  return fma(-excess, air_B, force_B);
}

// All of it: static coefficients, damping by rates, deflections; `stream` is the pressure that the propeller's stream adds at the tail, Pa.
template <class T>
VOLARY_HD AeroWrench<T> aero_wrench(const Flow<T>& f, const StaticCoefficients<T>& attached, const Deflections<T>& d, T density, T stream, const Vec3<T>& air_B,
                                    const Vec3<T>& omega_B, const AeroParams<T>& a) {
  const T half = splat<T>(0.5), one = splat<T>(1);
  const T left = separation(f.alpha, a);
  const StaticCoefficients<T> c = separated(attached, f, left, a);
  const T qs = f.pressure * a.area;
  // surfaces lose their grip with the flow, and what the propeller blows at them comes on top
  const T grip = f.cos_alpha * fma(-half, left, one);
  const T tail = fma(qs, grip, a.wash * stream * a.area), wing = qs * grip;
  // damping: 1/2 rho V2 S x (rate b / 2V) needs no division; a body that tumbles on the spot meets the air with its tips
  const T tip = half * a.span, spin2 = fma(f.p, f.p, fma(f.q, f.q, f.r * f.r));
  const T damping = splat<T>(0.25) * density * a.area * sqrt(fma(f.speed, f.speed, tip * tip * spin2));
  const T pb = damping * a.span * f.p, qc = damping * a.chord * f.q, rb = damping * a.span * f.r;

  const T lift = fma(qs, c.lift, fma(a.lift.q, qc, fma(a.lift.elevator * d.elevator, tail, a.lift_aileron * d.aileron * wing)));
  const T drag = fma(qs, fma(a.drag_beta2 * f.beta, f.beta, c.drag), fma(a.drag_elevator, abs(d.elevator * tail), a.drag_aileron * abs(d.aileron * wing)));
  const T side = fma(qs, c.side, fma(a.side.p, pb, fma(a.side.r, rb, fma(a.side.rudder * d.rudder, tail, a.side.aileron * d.aileron * wing))));
  const T roll = fma(qs, c.roll, fma(a.roll.p, pb, fma(a.roll.r, rb, fma(a.roll.rudder * d.rudder, tail, a.roll.aileron * d.aileron * wing))));
  const T pitch = fma(qs, c.pitch, fma(a.pitch.q, qc, a.pitch.elevator * d.elevator * tail));
  const T yaw = fma(qs, c.yaw, fma(a.yaw.p, pb, fma(a.yaw.r, rb, fma(a.yaw.rudder * d.rudder, tail, a.yaw.aileron * d.aileron * wing))));

  // stability axes to the body: drag against the flow, lift across it
  const T forward = fma(lift, f.sin_alpha, -(drag * f.cos_alpha)), down = -fma(lift, f.cos_alpha, drag * f.sin_alpha);
  const Vec3<T> torque = {a.span * roll, -(a.chord * pitch), -(a.span * yaw)};
  return {without_gain(Vec3<T>{forward, -side, -down}, torque, air_B, omega_B), torque};
}

}  // namespace volary::inline VOLARY_ISA::vehicles
