// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The general aircraft (SIGMA eq. 4-8; S-40..S-48): one rigid body, and forces and moments that are the sum of its rotors, its lifting surfaces and
// body, and gravity (eq. 6). Aeroplanes, flying wings and aircraft that also hover go the same way through this file; what one does not have, its
// program leaves out. Eq. 5 as Newton and Euler have it.
#pragma once

#include "control/vtol.hpp"
#include "math/lookup.hpp"
#include "vehicles/aerodynamics.hpp"
#include "vehicles/multirotor.hpp"
#include "vehicles/propeller.hpp"

namespace volary::inline VOLARY_ISA::vehicles {

enum class AeroForm { Linear, Tables };

template <int Rotors, AeroForm F> struct AircraftVariant {
  static constexpr int kRotors = Rotors;
  static constexpr bool kTables = F == AeroForm::Tables;
  static constexpr bool kHovers = Rotors > 1;      // the first rotors lift, the last one pulls or pushes
  static constexpr int kLift = kHovers ? Rotors - 1 : 1;
  static constexpr bool kSensed = false;
};
// the same with an IMU
template <int Rotors, AeroForm F> struct SensedAircraftVariant : AircraftVariant<Rotors, F> {
  static constexpr bool kSensed = true;
};

inline constexpr int kSurfaces = 3;   // servos

// Servos drive surfaces; what the coefficients know as aileron, elevator and rudder is a sum of them: elevons and V-tails are two servos each.
template <class T> struct SurfaceParams {
  Vec3<T> servo_of[kSurfaces];  // rad of a servo per rad of aileron, elevator, rudder
  Vec3<T> of_servo[kSurfaces];  // rad of aileron (0), elevator (1), rudder (2) per rad of each servo
  T travel[kSurfaces];          // rad either way
  T sign[kSurfaces];            // of the deflection that rolls right, pitches up, yaws right
  T most[kSurfaces];            // rad of aileron, elevator, rudder for a full command
  T keep;                       // what is left of a gap after a substep
  T rate[kSurfaces];            // rad in a substep

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    for (int i = 0; i < kSurfaces; ++i)
      f(Field{"servo.of_surfaces", "-", "-", "angle of the servo per deflection of aileron, elevator and rudder"}, s.servo_of[i]);
    for (int i = 0; i < kSurfaces; ++i)
      f(Field{"surface.of_servos", "-", "-", "deflection of the surface (aileron, elevator or rudder) per angle of each servo"}, s.of_servo[i]);
    f(Field{"servo.travel", "rad", "-", "greatest angle of each servo in either direction"}, s.travel);
    f(Field{"surface.sign", "-", "-", "sign of the deflection that rolls right, pitches up and yaws right"}, s.sign);
    f(Field{"surface.most", "rad", "-", "deflection of aileron, elevator and rudder at full command"}, s.most);
    f(Field{"servo.keep", "-", "-", "share of the difference between a servo and its command that remains after a substep"}, s.keep);
    f(Field{"servo.rate", "rad", "-", "greatest change of each servo angle in a substep"}, s.rate);
  }
};

template <class T, int N> struct AircraftRotorParams {
  Vec3<T> position_B[N], axis_B[N];  // m, hub; unit, direction of thrust
  T spin[N];                         // +1 turns about +axis, -1 the other way
  PropellerParams<T> propeller[N];
  PropellerTableParams<T> measured[N];  // for one that is a table
  T blade_pitch[N];                  // rad
  T drag[N];                         // N s2/m: in-plane, per rotor speed and air speed
  T speed_max[N];                    // rad/s; 0 for one that is missing or has failed
  T thrust2[N];                      // N s2: static thrust over speed squared at sea level, for commands
  T keep_half[N], keep[N];           // what is left of a gap after half a substep and a whole one

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    for (int i = 0; i < N; ++i) f(Field{"rotor.position", "m", "B", "position of the rotor hub"}, s.position_B[i]);
    for (int i = 0; i < N; ++i) f(Field{"rotor.axis", "-", "B", "direction of the rotor's thrust, a unit vector"}, s.axis_B[i]);
    f(Field{"rotor.spin", "-", "-", "direction of rotation of each rotor: +1 counter-clockwise seen from the tip of the axis, -1 clockwise"}, s.spin);
    for (int i = 0; i < N; ++i) PropellerParams<T>::fields(s.propeller[i], f);
    for (int i = 0; i < N; ++i) PropellerTableParams<T>::fields(s.measured[i], f);
    f(Field{"rotor.blade_pitch", "rad", "-", "blade pitch angle of each rotor"}, s.blade_pitch);
    f(Field{"rotor.drag", "kg", "-", "drag of each rotor in its disc plane, divided by rotor speed and air speed"}, s.drag);
    f(Field{"rotor.speed_max", "rad/s", "-", "full speed of each rotor; 0: the rotor is missing or has failed"}, s.speed_max);
    f(Field{"rotor.thrust2", "N s2", "-", "static thrust of each rotor at sea level, divided by the square of the rotor speed"}, s.thrust2);
    f(Field{"rotor.keep_half", "-", "-", "share of the difference between rotor speed and command that remains after half a substep"}, s.keep_half);
    f(Field{"rotor.keep", "-", "-", "share of the difference between rotor speed and command that remains after a substep"}, s.keep);
  }
};

// The tables of an aircraft are one array: where each begins (0: there is none), the coefficients first, then rotor by rotor; then the tables.
inline constexpr int kTablesHeader = 8;
template <class S> VOLARY_HD const S* table_at(const S* tables, int which) { return tables + static_cast<std::uint32_t>(tables[which]); }
template <class V, class S> VOLARY_HD bool has_table(const S* tables, int which) {
  if constexpr (V::kTables)
    return tables[which] > S(0);
  else
    return false;
}

// what holds through a substep: rotors and surfaces at the middle of it
template <class T, int N> struct Actuation {
  T thrust[N], thrust_slope[N], axial[N];  // N, N s/m, m/s at which the thrust is that
  T drag[N];                               // N s/m
  Vec3<T> torque_B, momentum_B;            // N m, N m s: of the spinning rotors
  Deflections<T> surface;
  T stream;                                // Pa, that the propeller adds at the tail
};

// the velocity of a point of the body through the air
template <class T> VOLARY_HD Vec3<T> point_velocity(const Vec3<T>& air_B, const Vec3<T>& omega_B, const Vec3<T>& r) { return air_B + cross(omega_B, r); }

// Rotors at the middle of the substep, meeting the air as it is at its start. Thrust follows the axial speed through the stages by its slope.
template <class V, class T, int N>
VOLARY_HD void load_rotors(Actuation<T, N>& act, const T (&speed)[N], const T (&rate)[N], const Vec3<T>& air_B, const Vec3<T>& omega_B, T density,
                           const AircraftRotorParams<T, N>& p, const Scalar<T>* tables) {
  act.torque_B = act.momentum_B = zero3<T>();
  act.stream = splat<T>(0);
  for (int i = 0; i < N; ++i) {
    const Vec3<T> hub = point_velocity(air_B, omega_B, p.position_B[i]);
    const T axial = dot(hub, p.axis_B[i]);
    const Vec3<T> across = fma(-axial, p.axis_B[i], hub);
    const PropellerLoad<T> load = has_table<V>(tables, 1 + i) ? propeller_load(speed[i], axial, density, table_view(table_at(tables, 1 + i)), p.measured[i])
                                                              : propeller_load(speed[i], axial, norm(across), p.blade_pitch[i], density, p.propeller[i]);
    act.thrust[i] = load.thrust, act.thrust_slope[i] = load.thrust_slope, act.axial[i] = axial;
    act.drag[i] = -(p.drag[i] * speed[i]);
    const T spin = -(p.spin[i] * fma(p.propeller[i].inertia, rate[i], load.torque));
    act.torque_B = fma(spin, p.axis_B[i], act.torque_B);
    act.momentum_B = fma(p.propeller[i].inertia * p.spin[i] * speed[i], p.axis_B[i], act.momentum_B);
    // momentum theory: far behind the disc the stream has the pressure T / A more
    if (i == N - 1) act.stream = max(load.thrust, splat<T>(0)) * (p.propeller[i].inv_two_area + p.propeller[i].inv_two_area);
  }
}

template <class V, class T, int N>
VOLARY_HD void add_rotors(Vec3<T>& force_B, Vec3<T>& torque_B, const Actuation<T, N>& act, const Vec3<T>& air_B, const Vec3<T>& omega_B,
                          const AircraftRotorParams<T, N>& p) {
  for (int i = 0; i < N; ++i) {
    const Vec3<T> hub = point_velocity(air_B, omega_B, p.position_B[i]);
    const T axial = dot(hub, p.axis_B[i]);
    const T thrust = fma(act.thrust_slope[i], axial - act.axial[i], act.thrust[i]);
    Vec3<T> f = thrust * p.axis_B[i];
    if constexpr (V::kHovers) f = fma(act.drag[i], fma(-axial, p.axis_B[i], hub), f);
    force_B = force_B + f;
    torque_B = torque_B + cross(p.position_B[i], f);
  }
  torque_B = torque_B + act.torque_B;
}

// The air, gravity and what pushes from outside, through a tick.
template <class T> struct Weather {
  Vec3<T> wind_W;          // m/s
  Vec3<T> acceleration_W;  // m/s2, of gravity and external forces
  Vec3<T> torque_B;        // N m, external
  T density;               // kg/m3
};

template <class T, int N> struct AircraftParams {
  T mass, inv_mass, gravity;  // kg, 1/kg, m/s2
  Vec3<T> inertia, inertia_products, inv_inertia, inv_inertia_products;
  StepSize<T> step;
  T inv_step;
  AeroParams<T> aero;
  T table_beta, table_aileron, table_elevator, table_rudder, table_speed;  // 1 for what an axis of the table is, beside alpha; 0 for the rest
  SurfaceParams<T> surface;
  AircraftRotorParams<T, N> rotor;
  ContactParams<T> contact;
  T rolling[kContactPoints];   // friction along the way a wheel rolls; that of the ground for a skid
  T steer[kContactPoints];     // rad of a wheel per full rudder
  T braking;                   // friction that brakes add
  T thrust_max;                // N, static, of what pulls or pushes
  T elevator_trim;             // rad, of level flight at cruise: where its controllers begin
  T rotate_speed;              // m/s, airspeed at which a take-off run leaves the ground
  T climb_pitch;               // rad, of a take-off
  T launch_speed;              // m/s, that a take-off begins with
  T flare_height, flare_pitch; // m, rad
  control::WingGains<T> wing;
  control::VtolGains<T> vtol;
  control::Mixer<T, 4> mixer;
  control::RateGains<T> rate;
  control::LadderParams<T> ladder;
  control::GuideParams<T> guide;
  environment::GustParams<T> gust;

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    f(Field{"mass", "kg", "-", "mass of the vehicle"}, s.mass);
    f(Field{"inv_mass", "1/kg", "-", "reciprocal of the mass"}, s.inv_mass);
    f(Field{"gravity", "m/s2", "-", "gravitational acceleration, downwards"}, s.gravity);
    f(Field{"inertia", "kg m2", "B", "moments of inertia Jxx Jyy Jzz"}, s.inertia);
    f(Field{"inertia_products", "kg m2", "B", "off-diagonal elements Jxy Jxz Jyz of the inertia tensor"}, s.inertia_products);
    f(Field{"inv_inertia", "1/(kg m2)", "B", "diagonal of the inverse inertia tensor"}, s.inv_inertia);
    f(Field{"inv_inertia_products", "1/(kg m2)", "B", "off-diagonal elements of the inverse inertia tensor"}, s.inv_inertia_products);
    f(Field{"step", "s", "-", "simulated time of one substep"}, s.step.h);
    f(Field{"step_half", "s", "-", "half of a substep"}, s.step.half);
    f(Field{"step_third", "s", "-", "third of a substep"}, s.step.third);
    f(Field{"step_sixth", "s", "-", "sixth of a substep"}, s.step.sixth);
    f(Field{"inv_step", "1/s", "-", "reciprocal of the substep"}, s.inv_step);
    AeroParams<T>::fields(s.aero, f);
    f(Field{"table.beta", "-", "-", "whether sideslip is an axis of the coefficient table: 1 yes, 0 no"}, s.table_beta);
    f(Field{"table.aileron", "-", "-", "whether the aileron is an axis of the coefficient table: 1 yes, 0 no"}, s.table_aileron);
    f(Field{"table.elevator", "-", "-", "whether the elevator is an axis of the coefficient table: 1 yes, 0 no"}, s.table_elevator);
    f(Field{"table.rudder", "-", "-", "whether the rudder is an axis of the coefficient table: 1 yes, 0 no"}, s.table_rudder);
    f(Field{"table.speed", "-", "-", "whether the airspeed is an axis of the coefficient table: 1 yes, 0 no"}, s.table_speed);
    SurfaceParams<T>::fields(s.surface, f);
    AircraftRotorParams<T, N>::fields(s.rotor, f);
    ContactParams<T>::fields(s.contact, f);
    f(Field{"wheel.rolling", "-", "-", "friction coefficient of each contact point along its rolling direction"}, s.rolling);
    f(Field{"wheel.steer", "rad", "-", "steering angle of each wheel at full rudder"}, s.steer);
    f(Field{"wheel.braking", "-", "-", "friction coefficient that the brakes add"}, s.braking);
    f(Field{"thrust_max", "N", "-", "static thrust of the propulsion rotor at full speed"}, s.thrust_max);
    f(Field{"elevator_trim", "rad", "-", "elevator deflection of level flight at cruise airspeed"}, s.elevator_trim);
    f(Field{"rotate_speed", "m/s", "-", "airspeed at which a take-off run leaves the ground"}, s.rotate_speed);
    f(Field{"climb_pitch", "rad", "-", "pitch angle of the climb after take-off"}, s.climb_pitch);
    f(Field{"launch_speed", "m/s", "-", "speed with which a take-off begins; 0: from rest"}, s.launch_speed);
    f(Field{"flare_height", "m", "-", "height above ground below which a landing aircraft flares"}, s.flare_height);
    f(Field{"flare_pitch", "rad", "-", "pitch angle of the flare"}, s.flare_pitch);
    control::WingGains<T>::fields(s.wing, f);
    control::VtolGains<T>::fields(s.vtol, f);
    control::Mixer<T, 4>::fields(s.mixer, f);
    control::RateGains<T>::fields(s.rate, f);
    control::LadderParams<T>::fields(s.ladder, f);
    control::GuideParams<T>::fields(s.guide, f);
    environment::GustParams<T>::fields(s.gust, f);
  }
};

// lift, drag and their kin from a table over alpha, beta and possibly a deflection; one search serves all six
template <class T, int N>
VOLARY_HD StaticCoefficients<T> table_coefficients(const Flow<T>& f, const Deflections<T>& d, const AircraftParams<T, N>& p, const Scalar<T>* blob) {
  const TableView<Scalar<T>> t = table_view(blob);
  T c[6];
  const Found<T> alpha = find_on_axis(t.axis[0], f.alpha);
  const int axes = static_cast<int>(blob[1]);
  const T third = fma(p.table_aileron, d.aileron, fma(p.table_elevator, d.elevator, fma(p.table_rudder, d.rudder, p.table_speed * f.speed)));
  if (axes == 1) {
    interpolate1(t, alpha, c);
  } else if (axes == 2) {
    interpolate2(t, alpha, find_on_axis(t.axis[1], fma(p.table_beta, f.beta, third)), c);
  } else {
    interpolate3(t, alpha, find_on_axis(t.axis[1], f.beta), find_on_axis(t.axis[2], third), c);
  }
  return {c[0], c[1], c[2], c[3], c[4], c[5]};
}

// ---------------------------------------------------------------- the rigid body

template <class V, class T, int N>
VOLARY_HD Motion<T> derivative_aircraft(const Motion<T>& x, const Actuation<T, N>& act, const Weather<T>& e, const AircraftParams<T, N>& p,
                                        const Scalar<T>* tables) {
  forget_parameters<T>();
  const Mat3<T> R_WB = rotation_matrix(x.q_WB);
  const Vec3<T> air_B = transpose_times(R_WB, x.velocity_W - e.wind_W);
  const Flow<T> flow = flow_of(air_B, x.omega_B, e.density);
  const StaticCoefficients<T> c = has_table<V>(tables, 0) ? table_coefficients(flow, act.surface, p, table_at(tables, 0)) : linear_coefficients(flow, p.aero);
  const AeroWrench<T> aero = aero_wrench(flow, c, act.surface, e.density, act.stream, air_B, x.omega_B, p.aero);
  Vec3<T> force = aero.force_B, torque = aero.torque_B + e.torque_B;
  add_rotors<V>(force, torque, act, air_B, x.omega_B, p.rotor);
  const Vec3<T> total = times_symmetric(p.inertia, p.inertia_products, x.omega_B) + act.momentum_B;
  return {x.velocity_W, fma(p.inv_mass, R_WB * force, e.acceleration_W), quat_rate(x.q_WB, x.omega_B),
          times_symmetric(p.inv_inertia, p.inv_inertia_products, torque - cross(x.omega_B, total))};
}

}  // namespace volary::inline VOLARY_ISA::vehicles
