// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Steady flight of an aircraft in all six degrees of freedom, straight or in a coordinated turn, and what small disturbances of it do: found on the
// kernel's own equations of motion. Variables are those of textbooks: forward, right, down; roll right, pitch up, yaw right.
#pragma once

#include <array>

#include "math/newton.hpp"
#include "vehicles/aircraft_trim.hpp"
#include "vehicles/flight_modes.hpp"

namespace volary::inline VOLARY_ISA::vehicles {

struct BodyMotion {
  double u = 0, v = 0, w = 0;  // m/s, through still air
  double p = 0, q = 0, r = 0;  // rad/s
  double roll = 0, pitch = 0;  // rad
};
struct Controls {
  double aileron = 0, elevator = 0, rudder = 0, rotor_speed = 0;  // rad, rad/s
};
struct BodyRates {
  double u = 0, v = 0, w = 0;  // m/s2
  double p = 0, q = 0, r = 0;  // rad/s2
  double roll = 0, pitch = 0;  // rad/s
  math::Vec3<double> torque_B;  // N m, of everything, in the simulator's axes
};

// The one place where conventions meet: textbook variables in, the kernel's derivative, textbook variables out.
template <class V, int N>
BodyRates body_rates(const BodyMotion& m, const Controls& c, double density, const AircraftParams<double, N>& p, const double* tables) {
  double sr, cr, sp, cp;
  math::sincos(0.5 * m.roll, sr, cr);
  math::sincos(-0.5 * m.pitch, sp, cp);  // nose up is a negative turn about the left axis
  const math::Quat<double> q_WB = {cp * cr, cp * sr, sp * cr, -(sp * sr)};
  const auto R_WB = rotation_matrix(q_WB);
  const math::Vec3<double> velocity_B = {m.u, -m.v, -m.w}, omega_B = {m.p, -m.q, -m.r};
  const Motion<double> x = {{0, 0, 0}, R_WB * velocity_B, q_WB, omega_B};
  const Weather<double> e = {{0, 0, 0}, {0, 0, -p.gravity}, {0, 0, 0}, density};
  double speed[N]{}, rate[N]{};
  speed[N - 1] = c.rotor_speed;
  Actuation<double, N> act{};
  act.surface = {c.aileron, c.elevator, c.rudder};
  load_rotors<V>(act, speed, rate, velocity_B, omega_B, density, p.rotor, tables);
  const Motion<double> d = derivative_aircraft<V>(x, act, e, p, tables);
  const math::Vec3<double> a = transpose_times(R_WB, d.velocity_W) - cross(omega_B, velocity_B);
  math::sincos(m.roll, sr, cr);
  const double turning = m.q * sr + m.r * cr;
  return {a.x,
          -a.y,
          -a.z,
          d.omega_B.x,
          -d.omega_B.y,
          -d.omega_B.z,
          m.p + turning * math::tan(m.pitch),
          m.q * cr - m.r * sr,
          times_symmetric(p.inertia, p.inertia_products, d.omega_B)};
}

struct SteadyFlight {
  bool found = false;
  double airspeed = 0, density = 0, alpha = 0, beta = 0, turn_rate = 0;  // m/s, kg/m3, rad, rad, rad/s to the right
  BodyMotion motion;
  Controls controls;
  std::array<double, 6> residual{};  // m/s2 forward, right, down; rad/s2 in roll, pitch, yaw
};

// Level, at an airspeed and angles, turning about the vertical: rates and pitch follow.
inline void set_motion(SteadyFlight& s, double roll) {
  double sa, ca, sb, cb, sr, cr, sp, cp;
  math::sincos(s.alpha, sa, ca);
  math::sincos(s.beta, sb, cb);
  math::sincos(roll, sr, cr);
  BodyMotion& m = s.motion;
  m.u = s.airspeed * ca * cb, m.v = s.airspeed * sb, m.w = s.airspeed * sa * cb;
  m.roll = roll, m.pitch = math::atan2(m.v * sr + m.w * cr, m.u);  // neither climbs nor sinks
  math::sincos(m.pitch, sp, cp);
  m.p = -s.turn_rate * sp, m.q = s.turn_rate * sr * cp, m.r = s.turn_rate * cr * cp;
}

// Straight (bank 0: it takes what roll it needs against the torque of its propeller) or turning with a bank. Coordinated: without sideslip, or, where
// there is no rudder, with the sideslip that comes of it.
template <class V, int N>
SteadyFlight steady_flight(double airspeed, double density, double bank, const AircraftParams<double, N>& p, const double* tables) {
  const bool straight = bank == 0, rudder = p.aero.yaw.rudder != 0;
  const Trim level = trim_level<V>(airspeed, density, p, tables);
  const double full = p.rotor.speed_max[N - 1] > 0 ? p.rotor.speed_max[N - 1] : 1;
  SteadyFlight s;
  s.airspeed = airspeed, s.density = density;
  // angle of attack, elevator, share of rotor speed, aileron, rudder or sideslip, roll or turn rate
  std::array<double, 6> u = {level.alpha, level.elevator, level.speed / full, 0, 0, straight ? 0 : p.gravity * math::tan(bank) / airspeed};
  const auto residual = [&](const std::array<double, 6>& x) {
    s.alpha = x[0], s.beta = rudder ? 0 : x[4], s.turn_rate = straight ? 0 : x[5];
    s.controls = {x[3], x[1], rudder ? x[4] : 0, x[2] * full};
    set_motion(s, straight ? x[5] : bank);
    const BodyRates d = body_rates<V>(s.motion, s.controls, density, p, tables);
    return std::array<double, 6>{d.u, d.v, d.w, d.p, d.q, d.r};
  };
  const auto size = [](const std::array<double, 6>& r) { return r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + 0.1 * (r[3] * r[3] + r[4] * r[4] + r[5] * r[5]); };
  const auto forward_only = [](std::array<double, 6>& x) { x[2] = x[2] < 0 ? 0 : x[2]; };
  const bool solved = math::solve_newton(u, residual, size, forward_only);
  s.residual = residual(u);
  s.found = solved && size(s.residual) < 1e-12;
  return s;
}

// What a small disturbance of straight flight does: d/dt of (u, w, q, pitch) and of (v, p, r, roll) per each of them, surfaces and motor held.
struct LinearFlight {
  airframe::Matrix4 longitudinal{}, lateral{};
};
template <class V, int N> LinearFlight linearise(const SteadyFlight& s, const AircraftParams<double, N>& p, const double* tables) {
  LinearFlight out;
  double BodyMotion::* const longitudinal[4] = {&BodyMotion::u, &BodyMotion::w, &BodyMotion::q, &BodyMotion::pitch};
  double BodyMotion::* const lateral[4] = {&BodyMotion::v, &BodyMotion::p, &BodyMotion::r, &BodyMotion::roll};
  const double step = 1e-5;
  for (std::size_t j = 0; j < 4; ++j) {
    const auto rates = [&](double BodyMotion::* variable, double by) {
      BodyMotion m = s.motion;
      m.*variable += by;
      return body_rates<V>(m, s.controls, s.density, p, tables);
    };
    const BodyRates a = rates(longitudinal[j], step), b = rates(longitudinal[j], -step);
    const BodyRates c = rates(lateral[j], step), d = rates(lateral[j], -step);
    const double one[4] = {a.u - b.u, a.w - b.w, a.q - b.q, a.pitch - b.pitch}, two[4] = {c.v - d.v, c.p - d.p, c.r - d.r, c.roll - d.roll};
    for (std::size_t i = 0; i < 4; ++i) out.longitudinal[i][j] = one[i] / (2 * step), out.lateral[i][j] = two[i] / (2 * step);
  }
  return out;
}

// the three signs that every textbook asks for, 1/rad, of the whole aircraft
struct Stiffness {
  double pitch_alpha = 0, yaw_beta = 0, roll_beta = 0, lift_alpha = 0;
};
template <class V, int N> Stiffness stiffness(const SteadyFlight& s, const AircraftParams<double, N>& p, const double* tables) {
  const double step = 1e-4, qs = 0.5 * s.density * s.airspeed * s.airspeed * p.aero.area;
  const auto at = [&](double alpha, double beta) {
    SteadyFlight t = s;
    t.alpha += alpha, t.beta += beta, t.turn_rate = 0;
    set_motion(t, 0);
    return body_rates<V>(t.motion, t.controls, t.density, p, tables);
  };
  const BodyRates a = at(step, 0), b = at(-step, 0), c = at(0, step), d = at(0, -step);
  // level flight turns the body with alpha, so that only what the air does across the path is left upwards
  const double lift = p.mass * -((a.w - b.w) * math::cos(s.alpha) - (a.u - b.u) * math::sin(s.alpha));
  return {-(a.torque_B.y - b.torque_B.y) / (2 * step * qs * p.aero.chord), -(c.torque_B.z - d.torque_B.z) / (2 * step * qs * p.aero.span),
          (c.torque_B.x - d.torque_B.x) / (2 * step * qs * p.aero.span), lift / (2 * step * qs)};
}

}  // namespace volary::inline VOLARY_ISA::vehicles
