// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// An aircraft of a textbook, and one flown alone: what the sweep does, for one lane.
#pragma once

#include <cmath>

#include "math/table_blob.hpp"
#include "vehicles/aircraft_model.hpp"

namespace volary::test {

// Aerosonde: Beard and McLain, Small Unmanned Aircraft, 2012, appendix E; the propeller by coefficients
inline airframe::AircraftDef aerosonde() {
  airframe::AircraftDef d;
  d.name = "Aerosonde";
  d.mass = 11, d.inertia = {0.824, 1.135, 1.759}, d.inertia_products = {0, 0.12, 0};
  d.wing = {0.55, 2.8956, 0.18994};
  d.lift = {0.23, 5.61, 7.95, 0.13};
  d.drag = {0.043, 0.0232, 0, 0.3, 0.0135, 0};
  d.side = {0, -0.83, 0, 0, 0.075, 0.19};
  d.roll = {0, -0.13, -0.51, 0.25, 0.17, 0.0024};
  d.pitch = {0.0135, -2.74, -38.21, -0.99};
  d.yaw = {0, 0.073, -0.069, -0.095, -0.011, -0.069};
  d.stall = {0.3, 0.2};
  airframe::AircraftRotorDef r;
  r.position = {-0.6, 0, 0}, r.radius = 0.254, r.speed_max = 560, r.time_constant = 0.15, r.inertia = 0.0009;
  r.thrust = 0.0121, r.thrust_inflow = -0.045, r.torque = 0.0005, r.torque_induced = 1.1;
  d.rotors = {r};
  d.gear.wheels = {{{0.5, 0, -0.32}, 0.35, false}, {{-0.12, 0.3, -0.32}, 0, false}, {{-0.12, -0.3, -0.32}, 0, false}};
  d.speeds.cruise = 25, d.speeds.max = 38;
  return d;
}

// a wing of 2.1 m with four rotors that lift and a pusher
inline airframe::AircraftDef quadplane() {
  airframe::AircraftDef d;
  d.name = "quadplane";
  d.mass = 6, d.inertia = {0.62, 0.52, 1.05};
  d.wing = {0.62, 2.1, 0.3};
  d.lift = {0.3, 4.8, 7, 0.35};
  d.drag = {0.055, 0.053, 0, 0.5, 0.03, 0.02};
  d.side = {0, -0.5, 0.02, 0.22, 0, 0.16};
  d.roll = {0, -0.06, -0.48, 0.13, 0.17, 0.006};
  d.pitch = {0.03, -0.95, -13, -1};
  d.yaw = {0, 0.08, -0.03, -0.1, -0.006, -0.075};
  d.stall = {0.26, 0.18};
  airframe::AircraftRotorDef lift;
  lift.axis = {0, 0, 1}, lift.use = airframe::RotorUse::Lift, lift.radius = 0.19, lift.speed_max = 700, lift.time_constant = 0.05;
  lift.inertia = 2.5e-4, lift.drag = 2e-4, lift.thrust = 0.0114, lift.thrust_inflow = -0.05, lift.torque = 0.0006, lift.torque_induced = 1.2;
  const struct {
    double x, y;
    int spin;
  } places[4] = {{0.45, -0.42, 1}, {-0.45, 0.42, 1}, {0.45, 0.42, -1}, {-0.45, -0.42, -1}};
  for (const auto& at : places) {
    lift.position = {at.x, at.y, 0.05}, lift.spin = at.spin;
    d.rotors.push_back(lift);
  }
  airframe::AircraftRotorDef push;
  push.position = {-0.45, 0, 0.02}, push.radius = 0.165, push.speed_max = 950, push.time_constant = 0.08, push.inertia = 1.5e-4;
  push.thrust = 0.013, push.thrust_inflow = -0.0453, push.torque = 0.0006, push.torque_induced = 1.2;
  d.rotors.push_back(push);
  d.gear.wheels = {{{0.3, 0.42, -0.25}, 0, true}, {{-0.35, 0.42, -0.25}, 0, true}, {{-0.35, -0.42, -0.25}, 0, true}, {{0.3, -0.42, -0.25}, 0, true}};
  d.speeds.cruise = 20, d.speeds.max = 28;
  return d;
}

// static coefficients of a linear aircraft on a grid of two degrees
inline airframe::AircraftDef tabulated(airframe::AircraftDef d) {
  math::TableGrid grid;
  grid.values_per_node = 6;
  grid.axes.resize(2);
  for (int i = -15; i <= 15; ++i) grid.axes[0].push_back(0.035 * i), grid.axes[1].push_back(0.035 * i);
  for (const double alpha : grid.axes[0])
    for (const double beta : grid.axes[1]) {
      const double lift = d.lift.zero + d.lift.alpha * alpha;
      for (const double c :
           {lift, d.drag.zero + d.drag.induced * lift * lift, d.side.beta * beta, d.roll.beta * beta, d.pitch.zero + d.pitch.alpha * alpha, d.yaw.beta * beta})
        grid.values.push_back(c);
    }
  d.table = "made", d.table_beta = true;
  d.table_blob = math::make_table_blob(grid).value();
  return d;
}

template <class P, class S> struct Flight {
  using Model = vehicles::Aircraft;
  engine::FlockSetup setup;
  typename P::template Params<S> p{};
  typename P::template Agent<S> agent{};
  typename P::template Plan<S> plan{};
  control::PathTable<S> table{};
  vehicles::TickInfo info;
  std::vector<S> tables;

  Flight(const airframe::AircraftDef& def, const VehicleDef& start, const engine::FlockSetup& wanted = {}) : setup(wanted) {
    const auto derived = Model::derive<P>(def, setup);
    if (!derived) throw std::runtime_error(derived.error().message);
    const auto* from = reinterpret_cast<const double*>(&derived.value());
    auto* to = reinterpret_cast<S*>(&p);
    for (std::size_t k = 0; k < sizeof(derived.value()) / sizeof(double); ++k) to[k] = static_cast<S>(from[k]);
    Model::initialise<P, S>(agent, plan, start, def, setup, p);
    for (const double x : airframe::tables_of(def, P::kRotors)) tables.push_back(static_cast<S>(x));
    info.substeps = setup.substeps;
    info.tables = tables.data();
  }
  void enter(Mode mode) { Model::enter_mode<P, S>(agent, plan, mode, p, table); }
  void tick() {
    control::guide<S>(agent.status, plan, agent.setpoint, {agent.body.position_W, agent.body.velocity_W, agent.air.ground_force}, p.guide, table);
    P::template advance<S>(agent, info, p);
    ++info.tick;
  }
  template <class Each> void fly(double seconds, Each&& each) {
    for (int k = 0, n = static_cast<int>(std::lround(seconds / setup.tick)); k < n; ++k) tick(), each();
  }
  void fly(double seconds) {
    fly(seconds, [] {});
  }
  control::WingState<S> seen() const { return vehicles::wing_state(agent.body, agent.outside.wind_W, agent.outside.density, S(1e3)); }
  // J, in double whatever it flies in
  double kinetic_energy() const {
    const auto wide = [](const math::Vec3<S>& v) { return math::Vec3<double>{v.x, v.y, v.z}; };
    const math::Vec3<double> v = wide(agent.body.velocity_W), w = wide(agent.body.omega_B);
    return 0.5 * p.mass * dot(v, v) + 0.5 * dot(w, vehicles::times_symmetric(wide(p.inertia), wide(p.inertia_products), w));
  }
  double height() const { return double(agent.body.position_W.value.z) + double(agent.body.position_W.remainder.z); }
};
using Plane = Flight<vehicles::AircraftProgram<1, vehicles::AeroForm::Linear>, double>;

using Quadplane = Flight<vehicles::AircraftProgram<5, vehicles::AeroForm::Linear>, double>;

inline VehicleDef in_the_air(double height = 200) {
  VehicleDef v;
  v.position_W = {0, 0, height};
  return v;
}

}  // namespace volary::test
