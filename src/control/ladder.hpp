// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The control ladder above body rates: trajectory, position, velocity, acceleration, attitude.
// Three ways to climb down it, chosen per flock:
//   cascade    PX4's structure: position P, velocity PID, attitude P, rate PID (G-36)
//   rpt        robust perfect tracking with rotor-drag compensation (Gestelt eq. 4-5; G-15, G-16)
//   geometric  tracking on SE(3) (Lee, Leok, McClamroch, CDC 2010)
// The loops from position to thrust direction run once per tick, those below once per substep.
#pragma once

#include "math/functions.hpp"
#include "math/rows.hpp"

namespace volary::inline VOLARY_ISA::control {

using namespace math;

enum class Law : int { Cascade = 0, Geometric = 1, Rpt = 2 };  // volary::ControllerKind

// Where a vehicle should be and how it should move there: what guidance writes. The first rows of a setpoint.
template <class T> struct Reference {
  Bits<T> level;             // volary::ControlLevel
  Position<T> position_W;   // m
  Vec3<T> velocity_W;       // m/s
  Vec3<T> acceleration_W;   // m/s2
  Vec3<T> jerk_W;           // m/s3
  T yaw, yaw_rate;          // rad, rad/s

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    f(Field{"setpoint.level", "-", "-", "control level of the setpoint, from 0 (motor speeds) to 6 (trajectory)"}, s.level);
    f(Field{"setpoint.position", "m", "W", "commanded position, value and remainder"}, s.position_W);
    f(Field{"setpoint.velocity", "m/s", "W", "commanded velocity"}, s.velocity_W);
    f(Field{"setpoint.acceleration", "m/s2", "W", "commanded acceleration"}, s.acceleration_W);
    f(Field{"setpoint.jerk", "m/s3", "W", "commanded jerk"}, s.jerk_W);
    f(Field{"setpoint.yaw", "rad", "W", "commanded yaw"}, s.yaw);
    f(Field{"setpoint.yaw_rate", "rad/s", "W", "commanded yaw rate"}, s.yaw_rate);
  }
};

// a level uses its own fields and those of the control levels above it as feed-forward
template <class T, int N> struct Setpoint : Reference<T> {
  T thrust;                 // N, control levels Attitude and Rates
  Quat<T> q_WB;             // level Attitude
  Vec3<T> rate_B;           // rad/s, level Rates
  T motor_speed[N];         // rad/s, level MotorSpeeds

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    Reference<T>::fields(s, f);
    f(Field{"setpoint.thrust", "N", "B", "commanded collective thrust (control levels attitude and rates)"}, s.thrust);
    f(Field{"setpoint.attitude", "-", "WB", "commanded attitude (control level attitude)"}, s.q_WB);
    f(Field{"setpoint.rate", "rad/s", "B", "commanded body rate (control level rates)"}, s.rate_B);
    f(Field{"setpoint.motor_speed", "rad/s", "-", "commanded rotor speeds (control level motor speeds)"}, s.motor_speed);
  }
};

template <class T> struct LadderParams {
  T mass, gravity, tick;               // kg, m/s2, s
  Vec3<T> position_p;                  // 1/s   (rpt: F_P, 1/s2; geometric: k_x, 1/s2)
  Vec3<T> velocity_p;                  // 1/s   (rpt: F_V; geometric: k_v)
  Vec3<T> velocity_i;                  // 1/s2  (rpt: F_I, 1/s3)
  Vec3<T> velocity_d;                  // -
  Vec3<T> integral_limit;              // m/s2, of what the integral contributes
  Vec3<T> attitude_p;                  // 1/s   (geometric: k_R, 1/s2)
  Vec3<T> attitude_d;                  // geometric: k_Omega, 1/s
  Vec3<T> drag;                        // 1/s, 1/s, 1/m: rotor drag in hover, linear and quadratic body drag, over mass
  T max_speed, max_climb;              // m/s
  T tan_max_tilt;                      // -
  T max_rate;                          // rad/s
  T thrust_min, thrust_max;            // N
  T jerk_on;                           // 1 or 0

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    f(Field{"ladder.mass", "kg", "-", "mass that the controller assumes"}, s.mass);
    f(Field{"ladder.gravity", "m/s2", "-", "gravitational acceleration that the controller assumes"}, s.gravity);
    f(Field{"ladder.tick", "s", "-", "time between two steps of the outer loops"}, s.tick);
    f(Field{"ladder.position_p", "1/s", "W", "position gain: velocity per position error (rpt and geometric: acceleration)"}, s.position_p);
    f(Field{"ladder.velocity_p", "1/s", "W", "velocity gain: acceleration per velocity error"}, s.velocity_p);
    f(Field{"ladder.velocity_i", "1/s2", "W", "integral gain: change of acceleration per velocity error (rpt: per position error)"}, s.velocity_i);
    f(Field{"ladder.velocity_d", "-", "W", "derivative gain of the velocity loop, which opposes the measured acceleration"}, s.velocity_d);
    f(Field{"ladder.integral_limit", "m/s2", "W", "bound of the acceleration that the integral commands"}, s.integral_limit);
    f(Field{"ladder.attitude_p", "1/s", "B", "attitude gain: body rate per attitude error (geometric: angular acceleration)"}, s.attitude_p);
    f(Field{"ladder.attitude_d", "1/s", "B", "rate gain of the geometric controller: angular acceleration per rate error"}, s.attitude_d);
    f(Field{"ladder.drag", "1/s", "B", "drag over mass for its compensation: of the rotors, linear and quadratic of the body"}, s.drag);
    f(Field{"ladder.max_speed", "m/s", "W", "greatest horizontal speed that the controller commands"}, s.max_speed);
    f(Field{"ladder.max_climb", "m/s", "W", "greatest vertical speed that the controller commands"}, s.max_climb);
    f(Field{"ladder.tan_max_tilt", "-", "-", "tangent of the greatest tilt that the controller commands"}, s.tan_max_tilt);
    f(Field{"ladder.max_rate", "rad/s", "B", "greatest body rate that the controller commands"}, s.max_rate);
    f(Field{"ladder.thrust_min", "N", "-", "least collective thrust"}, s.thrust_min);
    f(Field{"ladder.thrust_max", "N", "-", "greatest collective thrust"}, s.thrust_max);
    f(Field{"ladder.jerk_on", "-", "-", "whether body rates are fed forward from the jerk: 1 yes, 0 no"}, s.jerk_on);
  }
};

template <class T> struct LadderMemory {
  Vec3<T> integral_W;           // m/s2 share of the acceleration
  Vec3<T> previous_velocity_W;  // m/s

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    f(Field{"ladder_integral", "m/s2", "W", "acceleration that the integral of the outer loop commands"}, s.integral_W);
    f(Field{"ladder_previous_velocity", "m/s", "W", "velocity one tick ago"}, s.previous_velocity_W);
  }
};

// what the outer loops ask of the inner ones for one tick
template <class T> struct AttitudeTarget {
  Quat<T> q_WB;
  Vec3<T> rate_B;  // rad/s, feed-forward, in the frame of the target
  T thrust;        // N
};

// ---------------------------------------------------------------- outer loops: to an acceleration

// the wanted velocity, limited: horizontally as a vector, vertically by itself
template <class T> VOLARY_HD Vec3<T> limit_velocity(const Vec3<T>& v, const LadderParams<T>& p) {
  const T speed = sqrt(fma(v.x, v.x, v.y * v.y));
  const T s = select(speed > p.max_speed, p.max_speed / speed, splat<T>(1));
  return {v.x * s, v.y * s, clamp(v.z, -p.max_climb, p.max_climb)};
}

// PX4's cascade. The integral stops growing where it reaches its limit.
template <class T>
VOLARY_HD Vec3<T> cascade_acceleration(const Vec3<T>& position_error, const Vec3<T>& velocity_W, const Reference<T>& sp, const LadderParams<T>& p,
                                       LadderMemory<T>& m) {
  const Vec3<T> wanted = limit_velocity(fma(p.position_p, position_error, sp.velocity_W), p);
  const Vec3<T> error = wanted - velocity_W;
  m.integral_W = clamp(fma(p.tick * p.velocity_i, error, m.integral_W), p.integral_limit);
  const Vec3<T> braking = (splat<T>(1) / p.tick) * (m.previous_velocity_W - velocity_W);
  return fma(p.velocity_p, error, m.integral_W) + fma(p.velocity_d, braking, sp.acceleration_W);
}

// Drag along the reference: a_drag = -R_r D R_r^T V_r with the attitude R_r that the reference acceleration
// needs (Gestelt, below eq. 5; Faessler, Franchi, Scaramuzza 2018). The paper holds D constant; rotor drag
// grows with rotor speed, so D is scaled by the root of the reference thrust, and body drag is added.
template <class T> struct ReferenceDrag {
  Vec3<T> acceleration_W;
  T rotor, body;  // 1/s, drag acceleration per speed
};
template <class T> VOLARY_HD ReferenceDrag<T> reference_drag(const Reference<T>& sp, const LadderParams<T>& p) {
  const Vec3<T> up = {sp.acceleration_W.x, sp.acceleration_W.y, sp.acceleration_W.z + p.gravity};
  const T thrust = max(norm(up), splat<T>(1e-3));
  const Vec3<T> z = (splat<T>(1) / thrust) * up;
  const Vec3<T> in_plane = fma(-dot(z, sp.velocity_W), z, sp.velocity_W);
  const T rotor = p.drag.x * sqrt(thrust / p.gravity), body = fma(p.drag.z, norm(sp.velocity_W), p.drag.y);
  return {-fma(rotor, in_plane, body * sp.velocity_W), rotor, body};
}

// Robust perfect tracking, Gestelt eq. 5; F_P, F_V and F_I sit in position_p, velocity_p and velocity_i.
template <class T>
VOLARY_HD Vec3<T> rpt_acceleration(const Vec3<T>& position_error, const Vec3<T>& velocity_W, const Reference<T>& sp, const LadderParams<T>& p,
                                   LadderMemory<T>& m) {
  m.integral_W = clamp(fma(p.tick * p.velocity_i, position_error, m.integral_W), p.integral_limit);
  const Vec3<T> feedback = fma(p.position_p, position_error, fma(p.velocity_p, sp.velocity_W - velocity_W, m.integral_W));
  return feedback + (sp.acceleration_W - reference_drag(sp, p).acceleration_W);
}

template <class T>
VOLARY_HD Vec3<T> geometric_acceleration(const Vec3<T>& position_error, const Vec3<T>& velocity_W, const Reference<T>& sp, const LadderParams<T>& p) {
  return fma(p.position_p, position_error, fma(p.velocity_p, sp.velocity_W - velocity_W, sp.acceleration_W));
}

// ---------------------------------------------------------------- acceleration to attitude and thrust

// the force that gives the acceleration, its tilt limited before its height is given up
template <class T> VOLARY_HD Vec3<T> limit_force(const Vec3<T>& f, const LadderParams<T>& p) {
  const T up = clamp(f.z, p.thrust_min, p.thrust_max);
  const T sideways = sqrt(fma(f.x, f.x, f.y * f.y));
  const T room = sqrt(max(fma(p.thrust_max, p.thrust_max, -(up * up)), splat<T>(0)));
  const T limit = min(up * p.tan_max_tilt, room);
  const T s = select(sideways > limit, limit / sideways, splat<T>(1));
  return {f.x * s, f.y * s, up};
}

// Attitude with body z along the force and the wanted yaw; body rates from the jerk of the reference
// (differential flatness: Mellinger and Kumar 2011).
template <class T>
VOLARY_HD AttitudeTarget<T> attitude_for(const Vec3<T>& acceleration_W, const Vec3<T>& jerk_W, T yaw, T yaw_rate, const Quat<T>& q_WB,
                                         const LadderParams<T>& p) {
  const Vec3<T> force = limit_force(p.mass * Vec3<T>{acceleration_W.x, acceleration_W.y, acceleration_W.z + p.gravity}, p);
  const T size = norm(force);
  const Vec3<T> z = (splat<T>(1) / size) * force;
  T s, c;
  sincos(yaw, s, c);
  // y = z x heading, x = y x z
  const Vec3<T> y_raw = {-(z.z * s), z.z * c, fma(z.x, s, -(z.y * c))};
  const Vec3<T> y = (splat<T>(1) / max(norm(y_raw), splat<T>(1e-4))) * y_raw;
  const Vec3<T> x = cross(y, z);
  const T per_force = p.jerk_on * (p.mass / size);
  AttitudeTarget<T> t;
  t.q_WB = quat_from_matrix(Mat3<T>{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}});
  t.rate_B = {-(per_force * dot(jerk_W, y)), per_force * dot(jerk_W, x), yaw_rate * z.z};
  t.thrust = clamp(dot(force, body_z_W(q_WB)), p.thrust_min, p.thrust_max);
  return t;
}

// ---------------------------------------------------------------- inner loops

// rotation that is left to do, as a vector: twice the vector part of the error quaternion, short way round
template <class T> VOLARY_HD Vec3<T> attitude_error(const Quat<T>& q_WB, const Quat<T>& target_WB) {
  const Quat<T> e = conjugate(q_WB) * target_WB;
  const T s = copysign(splat<T>(2), e.w);
  return {s * e.x, s * e.y, s * e.z};
}
template <class T> VOLARY_HD Vec3<T> attitude_control(const Quat<T>& q_WB, const AttitudeTarget<T>& t, const LadderParams<T>& p) {
  const Vec3<T> wanted = fma(p.attitude_p, attitude_error(q_WB, t.q_WB), t.rate_B);
  const Vec3<T> limit = {p.max_rate, p.max_rate, p.max_rate};
  return clamp(wanted, limit);
}
// Lee's attitude law as an angular acceleration; e_R = (R_d^T R - R^T R_d)^v / 2 in quaternions
template <class T>
VOLARY_HD Vec3<T> geometric_attitude(const Quat<T>& q_WB, const Vec3<T>& omega_B, const AttitudeTarget<T>& t, const LadderParams<T>& p) {
  const Quat<T> e = conjugate(q_WB) * t.q_WB;
  const T s = e.w + e.w;
  const Vec3<T> e_R = {s * e.x, s * e.y, s * e.z};
  return fma(p.attitude_p, e_R, p.attitude_d * (t.rate_B - omega_B));
}

}  // namespace volary::inline VOLARY_ISA::control
