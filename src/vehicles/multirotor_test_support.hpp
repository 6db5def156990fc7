// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Vehicles and a flight deck for tests of dynamics and control: airframes written by hand, one agent driven
// tick by tick without an engine.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "vehicles/multirotor_model.hpp"

namespace volary::test {

using airframe::MultirotorDef;

inline constexpr double kG = airframe::kStandardGravity;

// four rotors at the corners of a square of half side a, PX4 order: front right, rear left, front left, rear right
inline std::vector<airframe::RotorDef> cross_of_four(double a, double z) {
  return {{{a, -a, z}, {0, 0, 1}, 1, 1}, {{-a, a, z}, {0, 0, 1}, 1, 1}, {{a, a, z}, {0, 0, 1}, -1, 1}, {{-a, -a, z}, {0, 0, 1}, -1, 1}};
}

inline MultirotorDef crazyflie() {
  MultirotorDef d;
  d.name = "crazyflie";
  d.mass = 0.027;
  d.inertia = {1.657e-5, 1.666e-5, 2.926e-5};
  d.quadratic_drag = {0.001, 0.001, 0.003};
  d.motor = {.thrust2 = 2.2176e-8,
             .torque_ratio = 0.005965,
             .speed_min = 200,
             .speed_max = 2500,
             .time_constant_up = 0.07,
             .time_constant_down = 0.07,
             .inertia = 3e-8,
             .drag = 9.1785e-7,
             .rolling = 0,
             .stall_speed = 37};
  d.rotors = cross_of_four(0.028, 0);
  d.hull_top = 0.015;
  return d;
}

inline MultirotorDef x500() {
  MultirotorDef d;
  d.name = "x500";
  d.mass = 2;
  d.inertia = {0.0216667, 0.0216667, 0.04};
  d.quadratic_drag = {0.03, 0.03, 0.06};
  d.motor = {.thrust2 = 8.54858e-6,
             .torque_ratio = 0.016,
             .speed_min = 150,
             .speed_max = 1000,
             .time_constant_up = 0.0125,
             .time_constant_down = 0.025,
             .inertia = 2.64986e-5,
             .drag = 8.06428e-5,
             .rolling = 1e-6,
             .stall_speed = 25};
  d.rotors = cross_of_four(0.174, 0.06);
  d.feet = {{0.12, 0.15, -0.23}, {-0.12, 0.15, -0.23}, {-0.12, -0.15, -0.23}, {0.12, -0.15, -0.23}};
  d.hull_top = 0.08;
  return d;
}

// nothing in the air: thrust and inertia only
inline MultirotorDef in_vacuum(MultirotorDef d) {
  d.linear_drag = d.quadratic_drag = {0, 0, 0};
  d.motor.drag = d.motor.rolling = 0;
  d.motor.stall_speed = 1e12;
  return d;
}

// n arms of one length, the first at `angle` from forwards, spins alternating
inline MultirotorDef star(int n, double arm, double angle) {
  MultirotorDef d = x500();
  d.rotors.clear();
  for (int k = 0; k < n; ++k) {
    const double a = angle + k * 2 * 3.14159265358979323846 / n;
    d.rotors.push_back({{arm * std::cos(a), arm * std::sin(a), 0.03}, {0, 0, 1}, k % 2 == 0 ? 1 : -1, 1});
  }
  d.mass = 0.5 * n;
  return d;
}

// four arms, a rotor above and a weaker one below that turns the other way
inline MultirotorDef coaxial_x8() {
  MultirotorDef d = x500();
  d.mass = 3.5;
  for (std::size_t k = 0; k < 4; ++k) {
    airframe::RotorDef lower = d.rotors[k];
    lower.position[2] -= 0.08;
    lower.spin = -lower.spin;
    lower.efficiency = 0.85;
    d.rotors.push_back(lower);
  }
  return d;
}

inline EnvironmentDef no_ground() {
  EnvironmentDef e;
  e.ground = false;
  return e;
}

template <class S, int N> vehicles::MultirotorParams<S, N> rounded_to(const vehicles::MultirotorParams<double, N>& p) {
  vehicles::MultirotorParams<S, N> out;
  const auto* from = reinterpret_cast<const double*>(&p);
  auto* to = reinterpret_cast<S*>(&out);
  for (std::size_t k = 0; k < sizeof p / sizeof(double); ++k) to[k] = static_cast<S>(from[k]);
  return out;
}

template <class S, int N> vehicles::MultirotorParams<S, N> params(const MultirotorDef& d, const EnvironmentDef& e, double substep) {
  return rounded_to<S>(airframe::derive<N>(d, e, {}, substep).value());
}

template <class T> vehicles::RigidBody<T> body_at(double x, double y, double z) {
  return {vehicles::to_position<T>({x, y, z}), math::zero3<T>(), math::identity_quat<T>(), math::zero3<T>()};
}
template <class T> std::array<double, 3> where(const math::Position<T>& p) {
  return {static_cast<double>(p.value.x) + p.remainder.x, static_cast<double>(p.value.y) + p.remainder.y, static_cast<double>(p.value.z) + p.remainder.z};
}
template <class T> std::array<double, 3> where(const vehicles::RigidBody<T>& b) { return where(b.position_W); }
inline double distance(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return std::sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}
template <class T, int N> vehicles::Rotors<T, N> all_at(double speed) {
  vehicles::Rotors<T, N> r;
  for (int i = 0; i < N; ++i) r.speed[i] = static_cast<T>(speed);
  return r;
}
template <class T> vehicles::Surroundings<T> still_air(double gravity = kG) {
  return {math::zero3<T>(), {T(0), T(0), static_cast<T>(-gravity)}, math::zero3<T>()};
}

// One vehicle with its parameters, its modes and its controllers: what the sweep does, for one lane.
template <class P, class S> struct Deck {
  using Model = vehicles::Multirotor;
  engine::FlockSetup setup;
  typename P::template Params<S> p;
  typename P::template Agent<S> agent{};
  typename P::template Plan<S> plan{};
  control::PathTable<S> table{};
  vehicles::TickInfo info;

  Deck(const MultirotorDef& def, const VehicleDef& start, const engine::FlockSetup& wanted = {}) : setup(wanted) {
    p = rounded_to<S>(Model::derive<P>(def, setup).value());
    Model::initialise<P, S>(agent, plan, start, def, setup, p);
    info.substeps = setup.substeps;
    info.law = static_cast<control::Law>(setup.controller.kind);
  }
  void enter(Mode mode) { Model::enter_mode<P, S>(agent, plan, mode, p, table); }
  void tick() {
    if constexpr (P::kGuided)
      control::guide<S>(agent.status, plan, agent.setpoint, {agent.body.position_W, agent.body.velocity_W, agent.air.ground_force}, p.guide, table);
    P::template advance<S>(agent, info, p);
    ++info.tick;
  }
  void fly(double seconds) {
    for (int k = 0, n = static_cast<int>(std::lround(seconds / setup.tick)); k < n; ++k) tick();
  }
};
using QuadLadder = vehicles::MultirotorProgram<4, vehicles::Features::Full, vehicles::Control::Ladder>;

}  // namespace volary::test
