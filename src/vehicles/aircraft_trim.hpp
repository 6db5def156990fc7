// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Where an aircraft flies by itself: the angle of attack, elevator and throttle that hold it straight and level, found by Newton's method on the
// kernel's own equations of motion, so that what is trimmed here is what flies there.
#pragma once

#include <array>

#include "math/newton.hpp"
#include "vehicles/aircraft.hpp"

namespace volary::inline VOLARY_ISA::vehicles {

using airframe::Trim;

// the rates of an aircraft that flies level at an airspeed with a pitch angle alpha, everything else at rest
template <class V, int N>
Motion<double> level_rates(double airspeed, double density, double alpha, double elevator, double rotor_speed, const AircraftParams<double, N>& p,
                           const double* tables, Actuation<double, N>& act) {
  double s, c;
  math::sincos(-0.5 * alpha, s, c);  // nose up is a negative turn about the left axis
  const Motion<double> x = {{0, 0, 0}, {airspeed, 0, 0}, {c, 0, s, 0}, {0, 0, 0}};
  const Weather<double> e = {{0, 0, 0}, {0, 0, -p.gravity}, {0, 0, 0}, density};
  double speed[N]{}, rate[N]{};
  speed[N - 1] = rotor_speed;
  const Vec3<double> air_B = transpose_times(rotation_matrix(x.q_WB), x.velocity_W);
  act.surface = {0, elevator, 0};
  load_rotors<V>(act, speed, rate, air_B, x.omega_B, density, p.rotor, tables);
  return derivative_aircraft<V>(x, act, e, p, tables);
}

// Unknowns are of order one: angles, and the share of the rotor's full speed.
template <class V, int N>
Trim trim_level(double airspeed, double density, const AircraftParams<double, N>& p, const double* tables) {
  Trim t;
  t.airspeed = airspeed, t.density = density;
  const double full = p.rotor.speed_max[N - 1] > 0 ? p.rotor.speed_max[N - 1] : 1;
  std::array<double, 3> u = {0.05, 0, 0.6};
  Actuation<double, N> act{};
  const auto residual = [&](const std::array<double, 3>& v) {
    const Motion<double> m = level_rates<V>(airspeed, density, v[0], v[1], v[2] * full, p, tables, act);
    return std::array<double, 3>{m.velocity_W.x, m.velocity_W.z, -m.omega_B.y};
  };
  const auto size = [&](const std::array<double, 3>& r) { return r[0] * r[0] + r[1] * r[1] + 0.1 * r[2] * r[2]; };
  const auto forward_only = [](std::array<double, 3>& v) { v[2] = v[2] < 0 ? 0 : v[2]; };
  if (!math::solve_newton(u, residual, size, forward_only)) return t;
  const std::array<double, 3> r = residual(u);
  t.alpha = u[0], t.elevator = u[1], t.speed = u[2] * full, t.throttle = u[2] * u[2];
  t.thrust = act.thrust[N - 1], t.residual = r;
  t.drag = t.thrust * math::cos(t.alpha), t.lift = p.mass * p.gravity - t.thrust * math::sin(t.alpha);
  t.found = size(r) < 1e-12;
  return t;
}

}  // namespace volary::inline VOLARY_ISA::vehicles
