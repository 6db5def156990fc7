// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A car in a test: one agent, its parameters and its plan, stepped without an engine.
#pragma once

#include <cmath>

#include "vehicles/car_model.hpp"

namespace volary::test {

inline constexpr double kGravity = 9.80665;

// round numbers: 1000 kg, 2.5 m between the axles, the centre of mass nearer to the front, stiffer tyres behind: it understeers
inline airframe::CarDef round_car() {
  airframe::CarDef d;
  d.name = "round";
  d.mass = 1000;
  d.yaw_inertia = 1500;
  d.wheelbase = 2.5;
  d.to_front = 1.1;
  d.height = 0.5;
  d.steering = {0.6, 1.0};
  d.front = {10, 1.3, 1.0};
  d.rear = {12, 1.3, 1.0};
  d.drive = {5000, 60'000, 0};
  d.brake = {20'000, 0.6};
  d.rolling_resistance = 0.01;
  d.drag = 0.4;
  return d;
}

template <bool Slips, class S = double> struct Drive {
  using Program = vehicles::CarProgram<Slips>;
  engine::FlockSetup setup;
  typename Program::template Params<S> p;
  typename Program::template Agent<S> a{};
  control::Plan<S> plan{};
  vehicles::TickInfo info{};

  explicit Drive(const airframe::CarDef& def, double speed = 0, ControllerDef controller = {}) {
    setup.controller = controller;
    setup.full_physics = Slips;
    const auto derived = vehicles::Car::derive<Program>(def, setup).value();
    const auto* from = reinterpret_cast<const double*>(&derived);
    auto* to = reinterpret_cast<S*>(&p);
    for (std::size_t k = 0; k < sizeof p / sizeof(S); ++k) to[k] = static_cast<S>(from[k]);
    VehicleDef v;
    v.velocity_W = {speed, 0, 0};
    vehicles::Car::initialise<Program, S>(a, plan, v, def, setup, p);
    a.status |= static_cast<std::uint32_t>(control::Flight::Armed);
    info.substeps = setup.substeps;
  }
  // the lowest level: steering angle, drive, brake
  void wheels(double steer, double drive, double brake) {
    a.setpoint.level = static_cast<math::Bits<S>>(ControlLevel::MotorSpeeds);
    a.setpoint.wheels[0] = static_cast<S>(steer), a.setpoint.wheels[1] = static_cast<S>(drive), a.setpoint.wheels[2] = static_cast<S>(brake);
  }
  void velocity(double x, double y) {
    a.setpoint.level = static_cast<math::Bits<S>>(ControlLevel::Velocity);
    a.setpoint.velocity_W = {static_cast<S>(x), static_cast<S>(y), S(0)};
  }
  void position(double x, double y) {
    a.setpoint.level = static_cast<math::Bits<S>>(ControlLevel::Position);
    a.setpoint.position_W = {{static_cast<S>(x), static_cast<S>(y), S(0)}, math::zero3<S>()};
  }
  void enter(Mode mode, const control::PathTable<S>& table = {}) { vehicles::Car::enter_mode<Program, S>(a, plan, mode, p, table); }
  void step(double seconds, const control::PathTable<S>& table = {}) {
    for (int k = 0; k < static_cast<int>(seconds / setup.tick + 0.5); ++k) {
      control::guide(a.status, plan, static_cast<control::Reference<S>&>(a.setpoint), {a.body.position_W, a.body.velocity_W, S(0)}, p.guide, table);
      Program::advance(a, info, p);
    }
  }
  // the plane that it stands on: uphill angles along x and y
  void slope(double along_x, double along_y = 0) {
    const double nx = -std::tan(along_x), ny = -std::tan(along_y), n = 1 / std::sqrt(1 + nx * nx + ny * ny);
    p.ground.normal_W = {static_cast<S>(nx * n), static_cast<S>(ny * n), static_cast<S>(n)};
    p.ground.anchor_x = p.ground.anchor_y = p.ground.height = S(0);
  }
  double speed() const { return static_cast<double>(math::norm(a.body.velocity_W)); }
  math::Vec3<S> velocity_B() const { return math::transpose_times(math::rotation_matrix(a.body.q_WB), a.body.velocity_W); }
  double heading() const {
    const auto R = math::rotation_matrix(a.body.q_WB);
    return std::atan2(static_cast<double>(R.row1.x), static_cast<double>(R.row0.x));
  }
  double x() const { return static_cast<double>(a.body.position_W.value.x) + static_cast<double>(a.body.position_W.remainder.x); }
  double y() const { return static_cast<double>(a.body.position_W.value.y) + static_cast<double>(a.body.position_W.remainder.y); }
  double z() const { return static_cast<double>(a.body.position_W.value.z) + static_cast<double>(a.body.position_W.remainder.z); }
  // kinetic and potential, J
  double energy() const {
    const double m = static_cast<double>(p.mass), r = static_cast<double>(a.body.omega_B.z);
    return m * (0.5 * speed() * speed() + 0.5 * static_cast<double>(p.gyration2) * r * r + kGravity * z());
  }
};

}  // namespace volary::test
