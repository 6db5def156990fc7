// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Control of a platform of several aircraft as one body (IAP section IV): pose tracking with full or lacking actuation, admittance, direct wrench control, the filter of
// the contact wrench, and a momentum observer that estimates it. Body axes are FLU, the world is ENU, and both points of view have the origin of the central body.
#pragma once

#include "math/functions.hpp"
#include "math/rows.hpp"

namespace volary::inline VOLARY_ISA::control {

using namespace math;
using math::clamp, math::select;  // beside those of Screw below

// a force and a torque, or a velocity and an angular velocity
template <class T> struct Screw {
  Vec3<T> linear, angular;
  VOLARY_HD friend Screw operator+(const Screw& a, const Screw& b) { return {a.linear + b.linear, a.angular + b.angular}; }
  VOLARY_HD friend Screw operator-(const Screw& a, const Screw& b) { return {a.linear - b.linear, a.angular - b.angular}; }
  VOLARY_HD friend Screw operator-(const Screw& a) { return {-a.linear, -a.angular}; }
  VOLARY_HD friend Screw operator*(T s, const Screw& a) { return {s * a.linear, s * a.angular}; }
  // axis by axis: gains
  VOLARY_HD friend Screw operator*(const Screw& a, const Screw& b) { return {a.linear * b.linear, a.angular * b.angular}; }
};
template <class T> VOLARY_HD Screw<T> zero_screw() { return {zero3<T>(), zero3<T>()}; }
template <class T> VOLARY_HD T dot(const Screw<T>& a, const Screw<T>& b) { return math::dot(a.linear, b.linear) + math::dot(a.angular, b.angular); }
template <class T> VOLARY_HD Screw<T> clamp(const Screw<T>& a, const Screw<T>& limit) {
  return {clamp(a.linear, limit.linear), clamp(a.angular, limit.angular)};
}
template <class T> VOLARY_HD Screw<T> select(Mask<T> m, const Screw<T>& a, const Screw<T>& b) {
  return {select(m, a.linear, b.linear), select(m, a.angular, b.angular)};
}
template <class T, class F> VOLARY_HD constexpr void each_scalar(Screw<T>& s, F& f) {
  math::each_scalar(s.linear, f);
  math::each_scalar(s.angular, f);
}

// ---------------------------------------------------------------- the whole as one body

// M of eq. 4 with the coupling that it drops: [[m I, -m d0^], [m d0^, J]]
template <class T> struct PlatformInertia {
  T mass;  // kg
  Vec3<T> centre_B;  // m, d_0
  Vec3<T> inertia, products;  // kg m2, about the origin

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    f(Field{"mass", "kg", "-", "mass of the platform with all aircraft"}, s.mass);
    f(Field{"centre_of_mass", "m", "B", "centre of mass of the platform, from the origin of the central body"}, s.centre_B);
    f(Field{"inertia", "kg m2", "B", "moments of inertia Jxx Jyy Jzz about the origin of the central body"}, s.inertia);
    f(Field{"inertia_products", "kg m2", "B", "off-diagonal elements Jxy Jxz Jyz about the origin of the central body"}, s.products);
  }
};
template <class T> VOLARY_HD Vec3<T> times_tensor(const Vec3<T>& d, const Vec3<T>& p, const Vec3<T>& v) {
  return {fma(d.x, v.x, fma(p.x, v.y, p.y * v.z)), fma(p.x, v.x, fma(d.y, v.y, p.z * v.z)), fma(p.y, v.x, fma(p.z, v.y, d.z * v.z))};
}
template <class T> VOLARY_HD Screw<T> times_inertia(const PlatformInertia<T>& m, const Screw<T>& x) {
  return {m.mass * (x.linear + cross(x.angular, m.centre_B)), fma(m.mass, cross(m.centre_B, x.linear), times_tensor(m.inertia, m.products, x.angular))};
}
// C(omega) x of eq. 4, again with the coupling; antisymmetric, so that x . C x = 0 for the platform's own motion
template <class T> VOLARY_HD Screw<T> times_coriolis(const PlatformInertia<T>& m, const Vec3<T>& omega, const Screw<T>& x) {
  return {m.mass * cross(omega, x.linear + cross(x.angular, m.centre_B)),
          fma(m.mass, cross(m.centre_B, cross(omega, x.linear)), cross(x.angular, times_tensor(m.inertia, m.products, omega)))};
}

// ---------------------------------------------------------------- what is wanted

// Roll, pitch and yaw (about z, then y, then x) with their first and second derivatives
template <class T> struct Angles {
  Vec3<T> angle, rate, acceleration;

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    f(Field{"setpoint.angle", "rad", "W", "commanded roll, pitch and yaw"}, s.angle);
    f(Field{"setpoint.angle_rate", "rad/s", "W", "commanded rates of roll, pitch and yaw"}, s.rate);
    f(Field{"setpoint.angle_acceleration", "rad/s2", "W", "commanded second derivatives of roll, pitch and yaw"}, s.acceleration);
  }
};
// attitude, angular velocity and acceleration in its own axes
template <class T> struct Orientation {
  Mat3<T> R_W;
  Vec3<T> omega, alpha;
};
template <class T> VOLARY_HD Orientation<T> orientation_of(const Angles<T>& a) {
  T sr, cr, sp, cp, sy, cy;
  sincos(a.angle.x, sr, cr), sincos(a.angle.y, sp, cp), sincos(a.angle.z, sy, cy);
  Orientation<T> o;
  o.R_W = {{cy * cp, fma(cy * sp, sr, -(sy * cr)), fma(cy * sp, cr, sy * sr)},
           {sy * cp, fma(sy * sp, sr, cy * cr), fma(sy * sp, cr, -(cy * sr))},
           {-sp, cp * sr, cp * cr}};
  // omega = E(angle) rate; alpha its derivative
  const T p = a.rate.x, q = a.rate.y, r = a.rate.z, dp = a.acceleration.x, dq = a.acceleration.y, dr = a.acceleration.z;
  o.omega = {fma(-sp, r, p), fma(cr, q, sr * cp * r), fma(-sr, q, cr * cp * r)};
  o.alpha = {fma(-sp, dr, dp) - cp * q * r, fma(cr, dq, sr * cp * dr) + (fma(cr * cp, p * r, -(sr * p * q)) - sr * sp * q * r),
             fma(-sr, dq, cr * cp * dr) - (fma(sr * cp, p * r, cr * p * q) + cr * sp * q * r)};
  return o;
}

// pose, velocity and acceleration along a trajectory, in the world
template <class T> struct PoseTarget {
  Vec3<T> position_error_W;  // m, wanted less actual; zero where only a velocity is wanted
  Vec3<T> velocity_W, acceleration_W;
  Orientation<T> attitude;
};

template <class T> struct PlatformState {
  Mat3<T> R_WB;
  Vec3<T> velocity_W, omega_B;
};

template <class T> struct PlatformGains {
  Screw<T> p, i, d, integral_limit;
  Screw<T> free_twist;  // n: with all joints on one line the motion that no thrust drives; else zero
  Screw<T> free_momentum;  // M n / (n . M n)
  T pointing;  // 1: only the direction of the line of joints is controlled (eq. 11)

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    f(Field{"pose.p", "N/m, N m", "B", "force per position error and torque per attitude error"}, s.p);
    f(Field{"pose.i", "N/(m s), N m/s", "B", "growth of force and torque per position and attitude error"}, s.i);
    f(Field{"pose.d", "N s/m, N m s", "B", "force per velocity error and torque per error of the angular velocity"}, s.d);
    f(Field{"pose.integral_limit", "N, N m", "B", "greatest force and torque of the integral term"}, s.integral_limit);
    f(Field{"pose.free_twist", "m/s, rad/s", "B", "motion that no thrust of the aircraft drives; zero: there is none"}, s.free_twist);
    f(Field{"pose.free_momentum", "-", "B", "momentum of this motion over twice its kinetic energy"}, s.free_momentum);
    f(Field{"pose.pointing", "-", "-", "1: only the direction of the line of joints is controlled, 0: the whole attitude is"}, s.pointing);
  }
};

// the antisymmetric part of (R_d^T R - R^T R_d) / 2 as a vector, in the axes of R
template <class T> VOLARY_HD Vec3<T> rotation_error(const Mat3<T>& R, const Mat3<T>& wanted) {
  // columns of both in the world: e = 1/2 sum of (wanted column x actual column), turned into the body
  const auto column = [](const Mat3<T>& m, int k) VOLARY_INLINE_LAMBDA {
    return k == 0 ? Vec3<T>{m.row0.x, m.row1.x, m.row2.x} : k == 1 ? Vec3<T>{m.row0.y, m.row1.y, m.row2.y} : Vec3<T>{m.row0.z, m.row1.z, m.row2.z};
  };
  const Vec3<T> sum = cross(column(wanted, 0), column(R, 0)) + (cross(column(wanted, 1), column(R, 1)) + cross(column(wanted, 2), column(R, 2)));
  return splat<T>(0.5) * transpose_times(R, sum);
}
// the same for one axis alone: the way from where it should point to where it points (below eq. 16, where the axis is x; ours is that of the joints)
template <class T> VOLARY_HD Vec3<T> pointing_error(const Mat3<T>& R, const Mat3<T>& wanted, const Vec3<T>& axis_B) {
  return cross(transpose_times(R, wanted * axis_B), axis_B);
}

// Pose tracking, eq. 10 and for joints on one line eq. 16: the wrench that the aircraft shall give, about the origin in body axes. With one direction missing the
// wanted motion along it is the actual one (C_au nu_u), and the allocation leaves out the wrench that cannot be given. The printed error has a term d_0^ e_p that belongs
// to a position of the centre of mass; ours is of the origin.
template <class T> struct PoseError {
  Screw<T> pose, twist;  // e_T, e_xi
};
template <class T>
VOLARY_HD Screw<T> track_pose(const PlatformState<T>& x, const PoseTarget<T>& to, const Vec3<T>& gravity_W, const PlatformInertia<T>& m,
                              const PlatformGains<T>& g, const Screw<T>& integral, PoseError<T>& error) {
  const Vec3<T> wanted_omega = transpose_times(x.R_WB, to.attitude.R_W * to.attitude.omega);
  const Vec3<T> wanted_alpha = transpose_times(x.R_WB, to.attitude.R_W * to.attitude.alpha);
  const Screw<T> actual = {transpose_times(x.R_WB, x.velocity_W), x.omega_B};
  Screw<T> wanted = {transpose_times(x.R_WB, to.velocity_W), wanted_omega};
  // derivatives in axes that turn
  const Screw<T> rate = {transpose_times(x.R_WB, to.acceleration_W) - cross(x.omega_B, wanted.linear), wanted_alpha - cross(x.omega_B, wanted_omega)};
  const T along = dot(g.free_momentum, actual - wanted);
  wanted = wanted + along * g.free_twist;
  const Mask<T> points = g.pointing > splat<T>(0.5);
  error.pose = {-transpose_times(x.R_WB, to.position_error_W),
                select(points, pointing_error(x.R_WB, to.attitude.R_W, g.free_twist.angular), rotation_error(x.R_WB, to.attitude.R_W))};
  error.twist = actual - wanted;
  const Vec3<T> weight = m.mass * transpose_times(x.R_WB, gravity_W);
  const Screw<T> gravity = {weight, cross(m.centre_B, weight)};
  const Screw<T> feed = (times_inertia(m, rate) + times_coriolis(m, x.omega_B, wanted)) - gravity;
  return feed - (g.p * error.pose + (integral + g.d * error.twist));
}

// the integral as a wrench, in its limits
template <class T> VOLARY_HD Screw<T> integrate_pose(const Screw<T>& integral, const Screw<T>& error, T tick, const PlatformGains<T>& g) {
  return clamp(integral + tick * (g.i * error), g.integral_limit);
}

// ---------------------------------------------------------------- contact

// Second-order low pass of the contact wrench (IAP section VI.E): x'' = w^2 (u - x) - 2 zeta w x', exact while the input is held
template <class T> struct WrenchFilter {
  T keep, ahead, turn, brake;  // over a tick: x of x, x of x', x' of x, x' of x'

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    f(Field{"wrench.keep", "-", "-", "share of the filtered wrench that remains after a tick"}, s.keep);
    f(Field{"wrench.ahead", "s", "-", "change of the filtered wrench over a tick per rate of change"}, s.ahead);
    f(Field{"wrench.turn", "1/s", "-", "rate of change after a tick per filtered wrench"}, s.turn);
    f(Field{"wrench.brake", "-", "-", "share of the rate of change that remains after a tick"}, s.brake);
  }
};
// e^(A tick) of A = [[0, 1], [-w^2, -2 zeta w]] for any damping: a short series, squared eight times
template <class T> VOLARY_HD WrenchFilter<T> wrench_filter(T frequency, T damping, T tick) {
  const T zero = splat<T>(0), one = splat<T>(1), h = splat<T>(1.0 / 256) * tick;
  const WrenchFilter<T> a = {zero, h, -(frequency * frequency * h), splat<T>(-2) * damping * frequency * h};
  const auto times = [](const WrenchFilter<T>& p, const WrenchFilter<T>& q) VOLARY_INLINE_LAMBDA {
    return WrenchFilter<T>{fma(p.keep, q.keep, p.ahead * q.turn), fma(p.keep, q.ahead, p.ahead * q.brake), fma(p.turn, q.keep, p.brake * q.turn),
                           fma(p.turn, q.ahead, p.brake * q.brake)};
  };
  // less one, so that nothing small is added to it: (1 + x)^2 = 1 + (2 x + x x)
  WrenchFilter<T> x = a, term = a;
  for (int k = 2; k <= 6; ++k) {
    term = times(term, a);
    const T s = one / splat<T>(k);
    term = {s * term.keep, s * term.ahead, s * term.turn, s * term.brake};
    x = {x.keep + term.keep, x.ahead + term.ahead, x.turn + term.turn, x.brake + term.brake};
  }
  for (int k = 0; k < 8; ++k) {
    const WrenchFilter<T> s = times(x, x);
    x = {fma(splat<T>(2), x.keep, s.keep), fma(splat<T>(2), x.ahead, s.ahead), fma(splat<T>(2), x.turn, s.turn), fma(splat<T>(2), x.brake, s.brake)};
  }
  return {one + x.keep, x.ahead, x.turn, one + x.brake};
}
template <class T> VOLARY_HD void filter_wrench(const WrenchFilter<T>& p, const Screw<T>& input, Screw<T>& value, Screw<T>& rate) {
  const Screw<T> off = value - input, was = rate;
  value = input + (p.keep * off + p.ahead * was);
  rate = p.turn * off + p.brake * was;
}

// Admittance, eq. 19: a wrench moves the command as it would move a mass on springs and dampers. Implicit, so that no stiffness makes it diverge.
template <class T> struct Admittance {
  Screw<T> inv_mass, damping, stiffness;

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    f(Field{"admittance.inv_mass", "1/kg, 1/(kg m2)", "W", "reciprocals of the mass and the moment of inertia that a push meets"}, s.inv_mass);
    f(Field{"admittance.damping", "N s/m, N m s", "W", "damping that a push meets"}, s.damping);
    f(Field{"admittance.stiffness", "N/m, N m", "W", "stiffness that a push meets"}, s.stiffness);
  }
};
template <class T> VOLARY_HD Vec3<T> yield_axis(const Vec3<T>& push, T h, const Vec3<T>& inv_mass, const Vec3<T>& damping, const Vec3<T>& stiffness,
                                                Vec3<T>& offset, Vec3<T>& rate) {
  const Vec3<T> step = h * inv_mass, one = {splat<T>(1), splat<T>(1), splat<T>(1)};
  const Vec3<T> below = fma(step, fma(h, stiffness, damping), one), above = fma(step, push - stiffness * offset, rate);
  const Vec3<T> next = {above.x / below.x, above.y / below.y, above.z / below.z};
  const Vec3<T> acceleration = (splat<T>(1) / h) * (next - rate);
  rate = next;
  offset = fma(h, next, offset);
  return acceleration;
}
// moves offset and rate on by a tick; returns the acceleration of the offset
template <class T> VOLARY_HD Screw<T> yield(const Screw<T>& push_W, T h, const Admittance<T>& p, Screw<T>& offset, Screw<T>& rate) {
  return {yield_axis(push_W.linear, h, p.inv_mass.linear, p.damping.linear, p.stiffness.linear, offset.linear, rate.linear),
          yield_axis(push_W.angular, h, p.inv_mass.angular, p.damping.angular, p.stiffness.angular, offset.angular, rate.angular)};
}

// Direct wrench control, eq. 21 with the sign of R-25: + k_w, so that a contact that pushes back too little is pressed harder. `error` is the external wrench less the
// wanted one.
template <class T> struct WrenchGains {
  Screw<T> p, i, d, integral_limit;

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    f(Field{"wrench.p", "-", "B", "force and torque per error of the contact wrench"}, s.p);
    f(Field{"wrench.i", "1/s", "B", "growth of force and torque per error of the contact wrench"}, s.i);
    f(Field{"wrench.d", "s", "B", "force and torque per change of the error"}, s.d);
    f(Field{"wrench.integral_limit", "N, N m", "B", "greatest force and torque of the integral term"}, s.integral_limit);
  }
};
template <class T> VOLARY_HD Screw<T> press(const Screw<T>& error, const Screw<T>& error_rate, T tick, const WrenchGains<T>& g, Screw<T>& integral) {
  integral = clamp(integral + tick * (g.i * error), g.integral_limit);
  return g.p * error + (integral + g.d * error_rate);
}

// Momentum observer (De Luca and others 2006): the external wrench is what the momentum M xi changes by beside thrust, weight and turning axes. `estimate` follows the
// true wrench with the time constant 1 / bandwidth, at any tick: a share 1 - exp(-bandwidth tick) of the difference goes over in each.
template <class T>
VOLARY_HD void observe_wrench(const PlatformState<T>& x, const Screw<T>& thrust, const Vec3<T>& gravity_W, const PlatformInertia<T>& m, T bandwidth, T tick,
                              Screw<T>& predicted, Screw<T>& estimate) {
  const Screw<T> twist = {transpose_times(x.R_WB, x.velocity_W), x.omega_B};
  const Screw<T> momentum = times_inertia(m, twist);
  const Vec3<T> weight = m.mass * transpose_times(x.R_WB, gravity_W);
  estimate = ((splat<T>(1) - exp(-bandwidth * tick)) / tick) * (momentum - predicted);
  const Screw<T> known = (thrust + Screw<T>{weight, cross(m.centre_B, weight)}) - times_coriolis(m, x.omega_B, twist);
  predicted = predicted + tick * (known + estimate);
}

// ---------------------------------------------------------------- allocation

// The thrust vectors of least size that give a wrench (eq. 17): rows of B^+, one per aircraft and axis
template <class T, int N> struct ThrustAllocation {
  Screw<T> row[3 * N];
  Vec3<T> joint_B[N];  // m

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    for (int k = 0; k < 3 * N; ++k) f(Field{"allocation", "-, 1/m", "B", "thrust of each aircraft on each axis per force and torque"}, s.row[k]);
    for (int k = 0; k < N; ++k) f(Field{"joint", "m", "B", "ball joint of each aircraft, from the origin of the central body"}, s.joint_B[k]);
  }
};
template <class T, int N> struct ThrustVectors {
  Vec3<T> f[N];  // N, body axes of the platform
};
template <class T, int N> VOLARY_HD ThrustVectors<T, N> allocate_thrust(const ThrustAllocation<T, N>& a, const Screw<T>& wrench) {
  ThrustVectors<T, N> out;
  for (int i = 0; i < N; ++i) out.f[i] = {dot(a.row[3 * i], wrench), dot(a.row[3 * i + 1], wrench), dot(a.row[3 * i + 2], wrench)};
  return out;
}
// U = B Lambda, eqs. 5 and 6
template <class T, int N> VOLARY_HD Screw<T> wrench_of(const ThrustAllocation<T, N>& a, const ThrustVectors<T, N>& t) {
  Screw<T> sum = zero_screw<T>();
  for (int i = 0; i < N; ++i) sum = sum + Screw<T>{t.f[i], cross(a.joint_B[i], t.f[i])};
  return sum;
}
// what an aircraft can give: a thrust of some size, not too far from the vertical
template <class T> struct ThrustLimit {
  T least, most;  // N
  T sin_tilt, cos_tilt;  // of the greatest tilt, which is below 90 degrees

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    f(Field{"limit.least", "N", "-", "least thrust that is asked of the aircraft"}, s.least);
    f(Field{"limit.most", "N", "-", "greatest thrust that is asked of the aircraft"}, s.most);
    f(Field{"limit.sin_tilt", "-", "W", "sine of the greatest tilt that is asked of the aircraft"}, s.sin_tilt);
    f(Field{"limit.cos_tilt", "-", "W", "cosine of this tilt"}, s.cos_tilt);
  }
};
// The nearest thrust inside the cone of tilts and the ball of the greatest thrust; one that is too small is lifted until it has the least. Without jumps.
template <class T> VOLARY_HD Vec3<T> limit_thrust(const Vec3<T>& f_W, const ThrustLimit<T>& p) {
  const T zero = splat<T>(0);
  const T side = sqrt(fma(f_W.x, f_W.x, f_W.y * f_W.y));
  const T edge = max(fma(side, p.sin_tilt, f_W.z * p.cos_tilt), zero);
  const Mask<T> inside = side * p.cos_tilt <= f_W.z * p.sin_tilt;
  T across = select(inside, side, edge * p.sin_tilt), up = select(inside, f_W.z, edge * p.cos_tilt);
  const T size = sqrt(fma(across, across, up * up));
  const T shrink = select(size > p.most, p.most / size, splat<T>(1));
  across = shrink * across;
  up = max(shrink * up, sqrt(max(fma(p.least, p.least, -(across * across)), zero)));
  const T turn = across / max(side, splat<T>(1e-30));
  return {turn * f_W.x, turn * f_W.y, up};
}

// Minimum thrust within limits. From the least thrusts (eq. 17) on, what the limits took away is asked for once more of all aircraft, with the momentum of the last step
// (projected gradients: Beck and Teboulle 2009). The thrusts tend to some that give the wrench, little above the least, or where none do, to those that lose least: of the
// lost wrench the thrusts that would give it are as small as can be. `limit(i, f)` is pure and gives the nearest thrust within the limits.
inline constexpr int kLimitPasses = 12;
template <class T, int N, class Limit>
VOLARY_HD ThrustVectors<T, N> allocate_within(const ThrustAllocation<T, N>& a, const Screw<T>& wrench, const Limit& limit, int passes = kLimitPasses) {
  ThrustVectors<T, N> wanted = allocate_thrust(a, wrench), given;
  for (int i = 0; i < N; ++i) given.f[i] = wanted.f[i] = limit(i, wanted.f[i]);
  for (int k = 1; k < passes; ++k) {
    const ThrustVectors<T, N> more = allocate_thrust(a, wrench - wrench_of(a, wanted));
    for (int i = 0; i < N; ++i) {
      const Vec3<T> last = given.f[i];
      given.f[i] = limit(i, wanted.f[i] + more.f[i]);
      wanted.f[i] = fma(splat<T>(k / (k + 3.0)), given.f[i] - last, given.f[i]);
    }
  }
  return given;
}
// with the limits of the aircraft, whose vertical is that of the world
template <class T, int N>
VOLARY_HD ThrustVectors<T, N> allocate_limited(const ThrustAllocation<T, N>& a, const Screw<T>& wrench, const Mat3<T>& R_WB,
                                               const ThrustLimit<T> (&limits)[N]) {
  return allocate_within(a, wrench, [&](int i, const Vec3<T>& f_B) VOLARY_INLINE_LAMBDA { return transpose_times(R_WB, limit_thrust(R_WB * f_B, limits[i])); });
}

// Roll and pitch of an aircraft whose thrust has a direction, at a yaw (eq. 18 with the thrust in the world, R-26; here in ENU and FLU)
template <class T> struct RollPitch {
  T roll, pitch;
};
template <class T> VOLARY_HD RollPitch<T> tilt_for(const Vec3<T>& thrust_W, T yaw) {
  T s, c;
  sincos(yaw, s, c);
  const T ahead = fma(thrust_W.x, c, thrust_W.y * s), left = fma(thrust_W.y, c, -(thrust_W.x * s));
  const T upright = sqrt(fma(ahead, ahead, thrust_W.z * thrust_W.z));
  return {atan2(-left, upright), atan2(ahead, thrust_W.z)};
}

}  // namespace volary::inline VOLARY_ISA::control
