// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// From an airframe file to the kernel's parameters, once per flock. Plain double arithmetic without libm:
// the same numbers on every machine. Everything is worked out for eight rotors in multirotor_derive.cpp;
// derive<N>() only copies it into the kernel's type.
#pragma once

#include <array>
#include <vector>

#include "core/result.hpp"
#include "vehicles/multirotor.hpp"
#include "vehicles/multirotor_def.hpp"
#include "volary/def.hpp"

namespace volary::airframe {

inline constexpr int kMaxRotors = 8;
inline constexpr double kStandardGravity = 9.80665;  // m/s2, for checks and reports
inline constexpr double kNoGround = -1e30;           // m: finite also as a float, and nothing is ever near it

// ---------------------------------------------------------------- rotors

// c2 w^2 + c1 w + c0
inline constexpr double kMostSinkingThrust = 2;  // over the thrust in still air: axial_thrust() in multirotor.hpp says why

struct Curve {
  double c2 = 0, c1 = 0, c0 = 0;
};
double value(const Curve& curve, double speed);
double speed_at(const Curve& curve, double wanted);  // the larger root; 0 where there is none

Curve thrust_curve(const MotorDef& motor);
Curve torque_curve(const MotorDef& motor);  // from torque_ratio when the file gives no curve

// ---------------------------------------------------------------- allocation

enum Axis { Thrust, Roll, Pitch, Yaw, kAxes };

// what one newton of each rotor does: thrust along body z in N, torques in N m; [axis][rotor]
using Effectiveness = std::array<std::array<double, kMaxRotors>, kAxes>;
Effectiveness effectiveness(const MultirotorDef& def, double gravity);

// which axes the rotors that work can follow
enum class Authority { All, NoYaw, Partial };

struct MixerRows {
  std::array<std::array<double, kAxes>, kMaxRotors> gain{};  // N per N or N m
  std::array<double, kMaxRotors> lo{}, hi{};                 // N
  Authority authority = Authority::All;
};
// Failed rotors have zero rows and no thrust. Without them the pseudo-inverse of what is left; where
// that cannot hold all four axes in hover yaw is given up; where not even roll and pitch, a
// regularised least-squares compromise.
MixerRows derive_mixer(const MultirotorDef& def, double gravity, const std::vector<bool>& failed = {});

// ---------------------------------------------------------------- figures

// what an airframe can do; for gains, checks and `volary vehicle check`
struct Figures {
  double weight = 0;            // N
  double max_thrust = 0;        // N along body z, all rotors at full speed
  double idle_thrust = 0;       // N, all rotors at idle
  double thrust_to_weight = 0;
  double hover_speed = 0;       // rad/s, the same for all rotors
  double torque_ratio = 0;      // m, torque over thrust at hover speed
  double rotor_drag = 0;        // N s/m, in-plane drag of all rotors at hover speed
  double arm = 0;               // m, from body z to the farthest hub
  double lag = 0;               // s, mean of the two motor time constants
  Triple acceleration{};        // rad/s2 that hover can give in either direction: roll, pitch, yaw
  double max_tilt = 0;          // rad at which full thrust just holds the height
  double level_speed = 0;       // m/s, fastest level flight
  double climb_speed = 0;       // m/s, fastest climb
};
Figures figures(const MultirotorDef& def, double gravity);

// rotor thrusts that hover without torque, within the rotors' limits; empty when there are none
std::vector<double> hover_thrusts(const MultirotorDef& def, double gravity);

vehicles::Features needed_features(const MultirotorDef& def);

// ---------------------------------------------------------------- inertia

struct Symmetric3 {
  Triple diagonal{}, products{};  // xx yy zz, xy xz yz
};
Symmetric3 inverse(const Symmetric3& m);
Triple eigenvalues(const Symmetric3& m);  // ascending

// ---------------------------------------------------------------- contact

struct ContactPlan {
  std::array<Triple, vehicles::kContactPoints> point{};  // m: feet, then the top of the hull
  int n_feet = 0;
  double stiffness = 0, damping = 0;  // per point
  double stopping = 0;                // N s/m per point
  double reach = 0;                   // m
};
// as given, or a rectangle under the rotors
std::vector<Triple> feet_of(const MultirotorDef& def);
// refuses stiffness and damping that a held force makes unstable at this substep
core::Result<ContactPlan> derive_contact(const MultirotorDef& def, double substep);

// m, half the size of the vehicle along its body axes: rotor tips; feet or hull, whichever is farther from the centre of mass
Triple extent(const MultirotorDef& def);
// m, of a propeller: as given, or that of a usual one of the same thrust and speed
double propeller_radius(const MotorDef& motor);

// height of the centre of mass of a parked vehicle above the ground, springs pressed by its weight
double rest_height(const MultirotorDef& def, double gravity, double substep);

// ---------------------------------------------------------------- everything

struct Derived {
  MultirotorDef def;          // axes made unit vectors, padded to eight rotors
  std::array<double, kMaxRotors> spin{}, efficiency{}, inv_efficiency{}, speed_min{}, speed_max{};
  Curve thrust, torque;
  double rise_half = 0, rise_full = 0, fall_half = 0, fall_full = 0;
  Symmetric3 inertia, inv_inertia;
  MixerRows mixer;
  ContactPlan contact;
  double ground = 0;          // m
  ControllerDef gains;        // resolved
  Triple rate_integral_limit{};
};
core::Result<Derived> derive_all(const MultirotorDef& def, const EnvironmentDef& environment, const ControllerDef& controller, double substep,
                                 const std::vector<bool>& failed);

// a template, so that its name carries the instruction set of its result
template <class V = math::Vec3<double>> V to_vec3(const Triple& a) { return {a[0], a[1], a[2]}; }

template <int N> vehicles::RotorParams<double, N> rotor_params(const Derived& d) {
  const MotorDef& m = d.def.motor;
  vehicles::RotorParams<double, N> p{};
  for (int i = 0; i < N; ++i) {
    const auto k = static_cast<std::size_t>(i);
    p.position_B[i] = to_vec3(d.def.rotors[k].position);
    p.axis_B[i] = to_vec3(d.def.rotors[k].axis);
    p.spin[i] = d.spin[k];
    p.efficiency[i] = d.efficiency[k], p.inv_efficiency[i] = d.inv_efficiency[k];
    p.speed_min[i] = d.speed_min[k], p.speed_max[i] = d.speed_max[k];
  }
  p.thrust2 = d.thrust.c2, p.thrust1 = d.thrust.c1, p.thrust0 = d.thrust.c0;
  p.torque2 = d.torque.c2, p.torque1 = d.torque.c1, p.torque0 = d.torque.c0;
  p.inv_two_thrust2 = 1 / (2 * d.thrust.c2);
  p.rise_half = d.rise_half, p.rise_full = d.rise_full;
  p.fall_half = d.fall_half, p.fall_full = d.fall_full;
  p.rise_rate = 1 / m.time_constant_up, p.fall_rate = 1 / m.time_constant_down;
  p.drag = m.drag, p.rolling = m.rolling, p.inertia = m.inertia;
  const bool printed = m.inflow == Inflow::Absolute;
  p.inv_stall_speed = 1 / m.stall_speed, p.sink_slope = printed ? p.inv_stall_speed : 0, p.sink_limit = printed ? 1 : kMostSinkingThrust;
  return p;
}

template <int N> control::Mixer<double, N> mixer_params(const MixerRows& rows) {
  control::Mixer<double, N> m{};
  for (int i = 0; i < N; ++i) {
    const auto k = static_cast<std::size_t>(i);
    m.thrust[i] = rows.gain[k][Thrust], m.roll[i] = rows.gain[k][Roll];
    m.pitch[i] = rows.gain[k][Pitch], m.yaw[i] = rows.gain[k][Yaw];
    m.inv_thrust[i] = m.thrust[i] > 1e-6 ? 1 / m.thrust[i] : 0;
    m.lo[i] = rows.lo[k], m.hi[i] = rows.hi[k];
  }
  return m;
}

// The parameters of a kernel with N rotors, at least as many as the airframe has. Padding rotors sit on
// body z in the plane of the first rotor, with spin 0, efficiency 0, zero mixer rows and speed limits 0.
// Outer loops, guide and gust are left at zero: they depend on the flock (vehicles/multirotor_model.cpp).
template <int N>
core::Result<vehicles::MultirotorParams<double, N>> derive(const MultirotorDef& def, const EnvironmentDef& environment, const ControllerDef& controller,
                                                           double substep, const std::vector<bool>& failed = {}) {
  static_assert(N <= kMaxRotors);
  core::require(static_cast<int>(def.rotors.size()) <= N, "derive<N>: the airframe has more than N rotors");
  const core::Result<Derived> derived = derive_all(def, environment, controller, substep, failed);
  if (!derived) return derived.error();
  const Derived& d = derived.value();
  vehicles::MultirotorParams<double, N> p{};
  p.mass = def.mass, p.inv_mass = 1 / def.mass, p.gravity = environment.gravity;
  p.inertia = to_vec3(d.inertia.diagonal), p.inertia_products = to_vec3(d.inertia.products);
  p.inv_inertia = to_vec3(d.inv_inertia.diagonal), p.inv_inertia_products = to_vec3(d.inv_inertia.products);
  p.linear_drag = to_vec3(def.linear_drag), p.quadratic_drag = to_vec3(def.quadratic_drag);
  p.step = math::step_size<double>(substep), p.inv_step = 1 / substep;
  p.rotor = rotor_params<N>(d);
  p.mixer = mixer_params<N>(d.mixer);
  for (int i = 0; i < vehicles::kContactPoints; ++i) p.contact.point_B[i] = to_vec3(d.contact.point[static_cast<std::size_t>(i)]);
  p.contact.stiffness = d.contact.stiffness, p.contact.damping = d.contact.damping;
  p.contact.friction = environment.ground_friction, p.contact.stopping = d.contact.stopping;
  p.contact.reach = d.contact.reach, p.contact.ground = vehicles::level_ground(d.ground);
  p.rate = {to_vec3(d.gains.rate_p), to_vec3(d.gains.rate_i), to_vec3(d.gains.rate_d), to_vec3(d.rate_integral_limit)};
  return p;
}

}  // namespace volary::airframe
