// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Thrust and torque of one rotor or propeller that turns at a known speed in moving air, in two forms: from coefficients, SIGMA eq. 7, and from a
// measured table of CT and CP over the advance ratio. Both are polynomials or clamped in what could vanish, so they are finite for a rotor at
// rest and in reverse flow, and neither ever gives the vehicle more power than its shaft takes: thrust * speed <= torque * omega.
#pragma once

#include "math/lookup.hpp"
#include "math/rows.hpp"

namespace volary::inline VOLARY_ISA::vehicles {

using namespace math;

template <class T> struct PropellerLoad {
  T thrust;           // N along the axis, towards where the axis points; negative where a windmilling propeller brakes
  T torque;           // N m against the turning; negative where the air drives it
  T thrust_slope;     // N s/m: change of thrust with axial air speed
  T induced_speed;    // m/s that the air gains up to the disc, from momentum theory; twice that far behind it
};

// Eq. 7 as the kernel wants it: coefficients multiplied by disc area and powers of the radius. propeller_params() makes it.
template <class T> struct PropellerParams {
  T thrust2;         // m4: A R^2 CT0
  T thrust_pitch;    // m4/rad: A R^2 k_theta
  T thrust_axial;    // m3: A R k_lambda; below 0
  T torque2;         // m5: A R^3 CQ0
  T torque_inplane;  // m4: A R^2 f_adv
  T induced;         // induced power over the least possible, about 1.15
  T inv_two_area;    // 1/m2: 1 / (2 A)
  T inertia;         // kg m2 about the axis

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    f(Field{"propeller.thrust2", "m4", "-", "static thrust over density and rotor speed squared"}, s.thrust2);
    f(Field{"propeller.thrust_pitch", "m4/rad", "-", "derivative by blade pitch of thrust over density and rotor speed squared"}, s.thrust_pitch);
    f(Field{"propeller.thrust_axial", "m3", "-", "thrust over density, rotor speed and axial air speed; below 0"}, s.thrust_axial);
    f(Field{"propeller.torque2", "m5", "-", "profile torque over density and rotor speed squared"}, s.torque2);
    f(Field{"propeller.torque_inplane", "m4", "-", "profile torque over density, rotor speed and in-plane air speed"}, s.torque_inplane);
    f(Field{"propeller.induced", "-", "-", "induced power over the least possible induced power"}, s.induced);
    f(Field{"propeller.inv_two_area", "1/m2", "-", "reciprocal of twice the disc area"}, s.inv_two_area);
    f(Field{"propeller.inertia", "kg m2", "-", "moment of inertia about the axis"}, s.inertia);
  }
};

// the coefficients of eq. 7, with A the area of the disc (erratum R-02)
struct PropellerCoefficients {
  double radius = 0;    // m
  double c_t0 = 0;      // thrust coefficient at rest: T / (rho A R^2 omega^2)
  double k_theta = 0;   // ... per radian of blade pitch
  double k_lambda = 0;  // ... per inflow ratio V / (omega R); at most 0
  double c_q0 = 0;      // profile torque coefficient: Q / (rho A R^3 omega^2); at least 0
  double f_adv = 0;     // ... per in-plane advance ratio V / (omega R); at least 0
  double induced = 1;   // induced power over the least possible; at least 0
  double inertia = 0;   // kg m2
};

inline PropellerParams<double> propeller_params(const PropellerCoefficients& c) {
  const double area = 3.141592653589793 * c.radius * c.radius, r = c.radius;
  return {area * r * r * c.c_t0,  area * r * r * c.k_theta,
          area * r * c.k_lambda,  area * r * r * r * c.c_q0,
          area * r * r * c.f_adv, c.induced,
          1 / (2 * area),         c.inertia};
}

// What the air gains up to the disc, m/s, where it arrives at `axial`: momentum theory of a thrust per area, for thrusts that pull. It is exact in
// hover and climb and stays finite and positive in descent, where the theory has no answer.
template <class T> VOLARY_HD T induced_speed(T thrust_over_two_area_density, T axial) {
  const T half = axial * splat<T>(0.5);
  return sqrt(fma(half, half, max(thrust_over_two_area_density, splat<T>(0)))) - half;
}

// SIGMA eq. 7 with R-02 (A is the disc's area, d_i only the sense of turning). The inflow term k_lambda V / (omega R) times omega^2 R^2 is linear in
// both, so nothing is divided by the speed. Eq. 7b's induced torque CT^1.5 / sqrt 2 is that of a rotor in hover; along its axis a rotor also does
// the work of thrust times speed, which must come from its shaft: CT (lambda + lambda_i) takes its place, the same where lambda is 0.
// omega: rad/s, not below 0. axial, inplane: m/s, how fast the rotor moves through the air along its axis (against the wash: > 0) and across it.
// blade_pitch: rad from where CT0 holds. density: kg/m3.
template <class T> VOLARY_HD PropellerLoad<T> propeller_load(T omega, T axial, T inplane, T blade_pitch, T density, const PropellerParams<T>& p) {
  const T thrust_over_speed = fma(fma(p.thrust_pitch, blade_pitch, p.thrust2), omega, p.thrust_axial * axial);  // m4/s, and without the density
  const T bare_thrust = thrust_over_speed * omega;
  const T pulling = select(bare_thrust > splat<T>(0), splat<T>(1), splat<T>(0));
  const T induced = induced_speed(bare_thrust * p.inv_two_area, axial) * pulling;
  const T profile = fma(p.torque2, omega, p.torque_inplane * inplane) * omega;
  PropellerLoad<T> load;
  load.thrust = bare_thrust * density;
  load.torque = fma(thrust_over_speed, fma(p.induced, induced, axial), profile) * density;
  load.thrust_slope = p.thrust_axial * omega * density;
  load.induced_speed = induced;
  return load;
}

// The table form: CT, CP and the slope of CT over J = V / (n D), as in propeller databases: T = CT rho n^2 D^4, P = CP rho n^3 D^5.
inline constexpr int kPropellerColumns = 3;

template <class T> struct PropellerTableParams {
  T diameter;      // m
  T inv_two_area;  // 1/m2: 1 / (2 A)
  T inertia;       // kg m2 about the axis

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    f(Field{"propeller.diameter", "m", "-", "diameter of the propeller"}, s.diameter);
    f(Field{"propeller.inv_two_area", "1/m2", "-", "reciprocal of twice the disc area"}, s.inv_two_area);
    f(Field{"propeller.inertia", "kg m2", "-", "moment of inertia about the axis"}, s.inertia);
  }
};

// Outside the measured advance ratios CT and CP are those of the table's end; where that would make an efficiency above 1, the shaft's power
// over the air speed limits the thrust. A propeller that stops (n to 0) has neither thrust nor torque.
template <class T>
VOLARY_HD PropellerLoad<T> propeller_load(T omega, T axial, T density, const TableView<Scalar<T>>& table, const PropellerTableParams<T>& p) {
  const T per_second = omega * splat<T>(0.15915494309189535);  // revolutions
  const T tip = per_second * p.diameter;                       // n D, m/s
  const T tip_squared = tip * tip;
  T c[kPropellerColumns];
  interpolate1(table, find_on_axis(table.axis[0], axial / max(tip, splat<T>(1e-3))), c);
  const T area = p.diameter * p.diameter * density;  // rho D^2: T = CT rho D^2 (n D)^2, P = CP rho D^2 (n D)^3
  const T most = c[1] * tip * tip_squared / max(axial, splat<T>(1e-3));  // N over area: all the shaft's power
  const T bare_thrust = select(axial > splat<T>(0), min(c[0] * tip_squared, most), c[0] * tip_squared);
  const T pulling = select(bare_thrust > splat<T>(0), splat<T>(1), splat<T>(0));
  PropellerLoad<T> load;
  load.thrust = bare_thrust * area;
  load.torque = c[1] * tip_squared * (area * p.diameter) * splat<T>(0.15915494309189535);
  load.thrust_slope = c[2] * tip * area;
  load.induced_speed = induced_speed(bare_thrust * p.diameter * p.diameter * p.inv_two_area, axial) * pulling;
  return load;
}

}  // namespace volary::inline VOLARY_ISA::vehicles
