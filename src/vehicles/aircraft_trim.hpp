// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Where an aircraft flies by itself: the angle of attack, elevator and throttle that hold it straight and level, found by Newton's method on the
// kernel's own equations of motion, so that what is trimmed here is what flies there.
#pragma once

#include <array>

#include "math/newton.hpp"
#include "vehicles/aircraft_derive.hpp"

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
template <class V, int N> struct LevelFlight {
  double airspeed, density, full;
  const AircraftParams<double, N>& p;
  const double* tables;
  Actuation<double, N> act{};

  using Unknowns = std::array<double, 3>;
  Unknowns residual(const Unknowns& v) {
    const Motion<double> m = level_rates<V>(airspeed, density, v[0], v[1], v[2] * full, p, tables, act);
    return {m.velocity_W.x, m.velocity_W.z, -m.omega_B.y};
  }
  static double size(const Unknowns& r) { return r[0] * r[0] + r[1] * r[1] + 0.1 * r[2] * r[2]; }

  // Wing and elevator balanced at a share of the rotor's speed; returns what is left forward.
  double balance(Unknowns& u) {
    std::array<double, 2> angles = {u[0], u[1]};
    const auto across = [&](const std::array<double, 2>& v) {
      const Unknowns r = residual({v[0], v[1], u[2]});
      return std::array<double, 2>{r[1], r[2]};
    };
    math::solve_newton(angles, across, [](const std::array<double, 2>& r) { return r[0] * r[0] + 0.1 * r[1] * r[1]; }, [](std::array<double, 2>&) {});
    u[0] = angles[0], u[1] = angles[1];
    return residual(u)[0];
  }

  // Where all three cannot be solved at once: a rotor that gives nothing at first, a table with kinks. More speed is more thrust, so halving finds it.
  Unknowns halve() {
    Unknowns low = {0.05, 0, 0}, high = {0.05, 0, 1.5};
    if (balance(high) < 0) return high;
    for (int k = 0; k < 60; ++k) {
      Unknowns middle = {high[0], high[1], 0.5 * (low[2] + high[2])};
      (balance(middle) < 0 ? low : high) = middle;
    }
    return high;
  }
};

template <class V, int N>
Trim trim_level(double airspeed, double density, const AircraftParams<double, N>& p, const double* tables) {
  using Level = LevelFlight<V, N>;
  Level level{airspeed, density, p.rotor.speed_max[N - 1] > 0 ? p.rotor.speed_max[N - 1] : 1, p, tables};
  typename Level::Unknowns u = {0.05, 0, 0.6};
  const auto residual = [&](const typename Level::Unknowns& v) { return level.residual(v); };
  const auto forward_only = [](typename Level::Unknowns& v) { v[2] = v[2] < 0 ? 0 : v[2]; };
  if (!math::solve_newton(u, residual, Level::size, forward_only) || !(Level::size(residual(u)) < 1e-12)) u = level.halve();
  const typename Level::Unknowns r = residual(u);
  Trim t;
  t.airspeed = airspeed, t.density = density;
  t.alpha = u[0], t.elevator = u[1], t.speed = u[2] * level.full, t.throttle = u[2] * u[2];
  t.thrust = level.act.thrust[N - 1], t.residual = r;
  t.drag = t.thrust * math::cos(t.alpha), t.lift = p.mass * p.gravity - t.thrust * math::sin(t.alpha);
  t.found = Level::size(r) < 1e-12;
  return t;
}

}  // namespace volary::inline VOLARY_ISA::vehicles
