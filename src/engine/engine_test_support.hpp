// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Small worlds for tests, written by hand.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "vehicles/multirotor_def.hpp"
#include "volary/world.hpp"

namespace volary::test {

// a Crazyflie-sized quadrotor
inline Airframe small_quadrotor() {
  auto def = std::make_shared<airframe::MultirotorDef>();
  def->name = "small quadrotor";
  def->mass = 0.03;
  def->inertia = {1.66e-5, 1.67e-5, 2.93e-5};
  def->linear_drag = {0.01, 0.01, 0.01};
  def->motor.thrust2 = 2.4e-8;
  def->motor.torque_ratio = 0.006;
  def->motor.speed_min = 100;
  def->motor.speed_max = 2500;
  def->motor.time_constant_up = def->motor.time_constant_down = 0.04;
  def->motor.inertia = 1e-8;
  def->motor.drag = 5e-7;
  const double x[4] = {1, -1, 1, -1}, y[4] = {-1, 1, 1, -1};
  const int spin[4] = {1, 1, -1, -1};
  for (int i = 0; i < 4; ++i) {
    airframe::RotorDef r;
    r.position = {0.0325 * x[i], 0.0325 * y[i], 0};
    r.spin = spin[i];
    def->rotors.push_back(r);
  }
  return {"multirotor", def->name, def};
}

// n vehicles on a line of 2 m spacing at 3.3 m, on small circles, in gusty wind
inline WorldDef circling(int n, const std::string& flock = "birds") {
  WorldDef w;
  w.name = "circling";
  w.seed = 42;
  w.environment.wind_W = {1, 0.5, 0};
  w.environment.gust_sigma = 0.4;
  FlockDef f;
  f.name = flock;
  f.airframe = small_quadrotor();
  for (int i = 0; i < n; ++i) {
    VehicleDef v;
    v.position_W = {2.1 * i, 0.3, 3.3};
    v.centre_W = {2.1 * i - 0.7, 0.3, 3.3};
    v.harmonic.amplitude = {0.7, 0.7, 0};
    v.harmonic.rate = {1.5, 1.5, 0};
    v.harmonic.phase = {1.5707963267948966, 0, 0};
    f.vehicles.push_back(v);
  }
  w.flocks.push_back(f);
  return w;
}

// one of the library, with these parameters
template <class B> BehaviourDef behaviour(typename B::Params params = {}, double weight = 1) {
  return {.kind = B::name, .weight = weight, .params = std::make_shared<typename B::Params>(params)};
}

// n of them on a grid of 3 m at 10 m that hold, and tell those within 12 m where they are
inline WorldDef talking(int n) {
  WorldDef w = circling(n);
  FlockDef& f = w.flocks[0];
  f.node.state_rate = 10;
  for (int i = 0; i < n; ++i) {
    VehicleDef& v = f.vehicles[static_cast<std::size_t>(i)];
    v.position_W = {3.0 * (i % 6), 3.0 * (i / 6), 10};
    v.mode = Mode::Hold;
  }
  w.radio.model = RadioModel::Disc;
  w.radio.range = 12;
  return w;
}

inline std::unique_ptr<World> make(const WorldDef& def, RunOptions options = {}) {
  std::string error;
  auto w = World::create(def, options, &error);
  EXPECT_NE(w, nullptr) << error;
  return w;
}

// two that fly at each other, 4 m apart at 5 m
inline WorldDef meeting(ContactPolicy policy, double speed) {
  WorldDef w = circling(2);
  w.environment.wind_W = {0, 0, 0};
  w.environment.gust_sigma = 0;
  FlockDef& f = w.flocks[0];
  f.node.contact = {policy, 0.15, 0.5};
  for (int i = 0; i < 2; ++i) {
    VehicleDef& v = f.vehicles[static_cast<std::size_t>(i)];
    v.position_W = {i == 0 ? -2.0 : 2.0, 0, 5};
    v.velocity_W = {i == 0 ? speed : -speed, 0, 0};
    v.mode = Mode::Armed;
  }
  return w;
}
inline std::unique_ptr<World> collide(const WorldDef& def, double speed, const RunOptions& options = {}) {
  auto w = make(def, options);
  for (const VehicleId id : w->vehicles()) {
    Input in;
    in.target = id;
    in.payload = SetSetpoint{.level = ControlLevel::Velocity, .velocity_W = {w->position_of(id)[0] < 0 ? speed : -speed, 0, 0}};
    w->submit(in);
  }
  return w;
}

}  // namespace volary::test
