// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// From an aircraft's file to the kernel's parameters, once per flock, in double and without libm. The first half needs no controller: mass, air,
// servos, rotors, ground. The second trims the aircraft with the kernel's own equations (aircraft_trim.hpp) and sets the controllers by what it finds.
#pragma once

#include "core/result.hpp"
#include "vehicles/aircraft.hpp"
#include "vehicles/aircraft_def.hpp"
#include "vehicles/model.hpp"
#include "vehicles/multirotor_derive.hpp"

namespace volary::airframe {

inline constexpr double kSeaLevel = 1.225;  // kg/m3

// rotors in the order of the kernel with N of them: those that lift first, the one that pulls last
inline int rotor_place(const AircraftDef& def, std::size_t i, int n) { return def.rotors[i].use == RotorUse::Lift ? static_cast<int>(i) : n - 1; }

// the aircraft as a multirotor: its lift rotors, and a hull of its length and span; for contact, mixer and the gains of hovering
MultirotorDef hovering_part(const AircraftDef& def);

// m, half the size of the aircraft along its body axes: wing tips, nose and tail as far as the outline knows them, rotor tips, wheels and hull
Triple extent(const AircraftDef& def);

// N: static thrust at sea level and full speed
double static_thrust(const AircraftRotorDef& rotor);

// all tables as one array (kTablesHeader of aircraft.hpp); empty when there are none
std::vector<double> tables_of(const AircraftDef& def, int rotors);

// what flies without a controller
struct Airborne {
  vehicles::AeroParams<double> aero{};
  vehicles::SurfaceParams<double> surface{};
  std::array<double, 5> table_axis{};  // beta, aileron, elevator, rudder, speed
  ContactPlan contact;
  std::array<double, vehicles::kContactPoints> rolling{}, steer{};
};
core::Result<Airborne> derive_airborne(const AircraftDef& def, double substep, double friction);

template <int N> vehicles::AircraftRotorParams<double, N> rotor_params_of(const AircraftDef& def, double substep, const std::vector<bool>& failed) {
  vehicles::AircraftRotorParams<double, N> p{};
  for (int i = 0; i < N; ++i) p.axis_B[i] = {0, 0, 1}, p.propeller[i] = vehicles::propeller_params({.radius = 1}), p.measured[i] = {1, 0.5, 0};
  for (std::size_t k = 0; k < def.rotors.size(); ++k) {
    const AircraftRotorDef& r = def.rotors[k];
    const int i = rotor_place(def, k, N);
    const double length = math::sqrt(r.axis[0] * r.axis[0] + r.axis[1] * r.axis[1] + r.axis[2] * r.axis[2]);
    p.position_B[i] = to_vec3(r.position);
    p.axis_B[i] = {r.axis[0] / length, r.axis[1] / length, r.axis[2] / length};
    p.spin[i] = r.spin;
    p.propeller[i] = vehicles::propeller_params({.radius = r.radius,
                                                 .c_t0 = r.thrust,
                                                 .k_theta = r.thrust_pitch,
                                                 .k_lambda = r.thrust_inflow,
                                                 .c_q0 = r.torque,
                                                 .f_adv = r.torque_advance,
                                                 .induced = r.torque_induced,
                                                 .inertia = r.inertia});
    p.measured[i] = {2 * r.radius, p.propeller[i].inv_two_area, r.inertia};
    p.blade_pitch[i] = r.blade_pitch;
    p.drag[i] = r.drag;
    p.speed_max[i] = k < failed.size() && failed[k] ? 0 : r.speed_max;
    p.thrust2[i] = static_thrust(r) / (r.speed_max * r.speed_max);
    p.keep_half[i] = math::exp(-substep / (2 * r.time_constant));
    p.keep[i] = math::exp(-substep / r.time_constant);
  }
  return p;
}

// everything but controllers
template <int N>
core::Result<vehicles::AircraftParams<double, N>> derive_aircraft(const AircraftDef& def, const EnvironmentDef& environment, double substep,
                                                                  const std::vector<bool>& failed) {
  const core::Result<Airborne> derived = derive_airborne(def, substep, environment.ground_friction);
  if (!derived) return derived.error();
  const Airborne& d = derived.value();
  vehicles::AircraftParams<double, N> p{};
  p.mass = def.mass, p.inv_mass = 1 / def.mass, p.gravity = environment.gravity;
  const Symmetric3 inverted = inverse({def.inertia, def.inertia_products});
  p.inertia = to_vec3(def.inertia), p.inertia_products = to_vec3(def.inertia_products);
  p.inv_inertia = to_vec3(inverted.diagonal), p.inv_inertia_products = to_vec3(inverted.products);
  p.step = math::step_size<double>(substep), p.inv_step = 1 / substep;
  p.aero = d.aero, p.surface = d.surface;
  p.table_beta = d.table_axis[0], p.table_aileron = d.table_axis[1], p.table_elevator = d.table_axis[2], p.table_rudder = d.table_axis[3],
  p.table_speed = d.table_axis[4];
  p.rotor = rotor_params_of<N>(def, substep, failed);
  for (int i = 0; i < vehicles::kContactPoints; ++i) {
    const auto k = static_cast<std::size_t>(i);
    p.contact.point_B[i] = to_vec3(d.contact.point[k]);
    p.rolling[i] = d.rolling[k], p.steer[i] = d.steer[k];
  }
  p.contact.stiffness = d.contact.stiffness, p.contact.damping = d.contact.damping, p.contact.stopping = d.contact.stopping;
  p.contact.friction = environment.ground_friction, p.contact.reach = d.contact.reach;
  p.contact.ground = vehicles::level_ground(environment.ground ? environment.ground_height : -1e30);
  p.braking = def.gear.braking;
  for (const AircraftRotorDef& r : def.rotors) p.thrust_max += r.use == RotorUse::Thrust ? static_thrust(r) : 0;
  return p;
}

// level flight at an airspeed, found or not
struct Trim {
  bool found = false;
  double airspeed = 0, density = 0;            // m/s, kg/m3
  double alpha = 0, elevator = 0, speed = 0;   // rad, rad, rad/s of the rotor that pulls
  double throttle = 0;                         // share of static thrust
  double thrust = 0, drag = 0, lift = 0;       // N
  std::array<double, 3> residual{};            // m/s2 forward, m/s2 up, rad/s2 in pitch: what is left
};

core::Error cannot_trim(const Trim& t, const char* why, std::string suggestion);
core::Error too_slow_to_fly(const Trim& t, double stall_airspeed);

}  // namespace volary::airframe
