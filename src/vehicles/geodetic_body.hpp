// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// One rigid body over a round or oblate Earth that turns: what a flight of hundreds of kilometres, over a pole or across the
// date line needs. The state is kept in axes that do not turn (I: origin at the Earth's centre, z to the north pole, x through
// longitude 0 at time 0), so that there are no apparent forces and no place where the equations break down. Meant for double.
// The body's axes are forward, right, down, as in the models of AIAA S-119 that it flies with; N is north, east, down at the
// body's place, E turns with the Earth.
#pragma once

#include "environment/geodesy.hpp"
#include "environment/gravity.hpp"
#include "math/integrate.hpp"
#include "vehicles/rigid_body.hpp"

namespace volary::inline VOLARY_ISA::vehicles {

using environment::Ellipsoid;
using environment::Geodetic;

enum class Gravitation { Oblate, Round };  // with J2, or 1/r2 alone

struct Planet {
  Ellipsoid ellipsoid = environment::kWgs84;
  double rate = environment::kEarthRate;  // rad/s
  Gravitation gravitation = Gravitation::Oblate;
};

template <class T> struct GeodeticBody {
  Vec3<T> position_I;  // m, of the centre of mass
  Vec3<T> velocity_I;  // m/s
  Quat<T> q_IB;
  Vec3<T> omega_B;  // rad/s, against the axes that do not turn
};
template <class T> VOLARY_HD GeodeticBody<T> fma(T s, const GeodeticBody<T>& rate, const GeodeticBody<T>& x) {
  return {fma(s, rate.position_I, x.position_I),
          fma(s, rate.velocity_I, x.velocity_I),
          {fma(s, rate.q_IB.w, x.q_IB.w), fma(s, rate.q_IB.x, x.q_IB.x), fma(s, rate.q_IB.y, x.q_IB.y), fma(s, rate.q_IB.z, x.q_IB.z)},
          fma(s, rate.omega_B, x.omega_B)};
}

// the same as a pilot sees it
template <class T> struct GeodeticState {
  Geodetic<T> place;
  Vec3<T> velocity_N;  // m/s, over the ground
  Quat<T> q_NB;
  Vec3<T> omega_B;  // rad/s, against the axes that do not turn
};

// force and moment about the centre of mass
template <class T> struct Wrench {
  Vec3<T> force_B;   // N
  Vec3<T> moment_B;  // N m
};

template <class T> struct BodyMass {
  T mass;  // kg
  Inertia<T> inertia;
};

template <class T> VOLARY_HD Vec3<T> gravitation_at(const Planet& planet, const Vec3<T>& position) {
  return planet.gravitation == Gravitation::Oblate ? environment::j2_gravitation(position) : environment::round_gravitation(position);
}

// Newton and Euler, in axes that do not turn
template <class T> VOLARY_HD GeodeticBody<T> body_rate(const Planet& planet, const BodyMass<T>& m, const GeodeticBody<T>& x, const Wrench<T>& w) {
  const Vec3<T> pull = gravitation_at(planet, x.position_I);
  const Vec3<T> push = (splat<T>(1) / m.mass) * (rotation_matrix(x.q_IB) * w.force_B);
  const Vec3<T> spin = times_symmetric(m.inertia.diagonal, m.inertia.products, x.omega_B);
  const Vec3<T> torque = w.moment_B - cross(x.omega_B, spin);
  return {x.velocity_I, pull + push, quat_rate(x.q_IB, x.omega_B), times_symmetric(m.inertia.inv_diagonal, m.inertia.inv_products, torque)};
}

// how the N axes at a place stand in the axes that do not turn, when the Earth has turned by `angle`
template <class T> VOLARY_HD Quat<T> quat_of_north(const Geodetic<T>& place, T angle) {
  const Mat3<T> R_NI = environment::ned_axes(place.latitude, place.longitude + angle);
  return conjugate(quat_from_matrix(R_NI));
}

// the velocity of a place that turns with the Earth, m/s
template <class T> VOLARY_HD Vec3<T> ground_velocity_I(const Planet& planet, const Vec3<T>& position_I) {
  const T rate = splat<T>(planet.rate);
  return {-(rate * position_I.y), rate * position_I.x, splat<T>(0)};
}

template <class T> VOLARY_HD GeodeticBody<T> body_from_geodetic(const Planet& planet, const GeodeticState<T>& s, T time) {
  const T angle = splat<T>(planet.rate) * time;
  const Vec3<T> position_I = environment::eci_from_ecef(environment::ecef_from_geodetic(planet.ellipsoid, s.place), angle);
  const Quat<T> q_IN = quat_of_north(s.place, angle);
  const Vec3<T> velocity_I = rotation_matrix(q_IN) * s.velocity_N + ground_velocity_I(planet, position_I);
  return {position_I, velocity_I, normalize(q_IN * s.q_NB), s.omega_B};
}

template <class T> VOLARY_HD GeodeticState<T> geodetic_from_body(const Planet& planet, const GeodeticBody<T>& x, T time) {
  const T angle = splat<T>(planet.rate) * time;
  const Geodetic<T> place = environment::geodetic_from_ecef(planet.ellipsoid, environment::ecef_from_eci(x.position_I, angle));
  const Quat<T> q_IN = quat_of_north(place, angle);
  const Vec3<T> over_ground_I = x.velocity_I - ground_velocity_I(planet, x.position_I);
  return {place, transpose_times(rotation_matrix(q_IN), over_ground_I), conjugate(q_IN) * x.q_IB, x.omega_B};
}

}  // namespace volary::inline VOLARY_ISA::vehicles
