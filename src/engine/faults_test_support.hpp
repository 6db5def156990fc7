// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Vehicles with faults for tests.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "engine/engine_test_support.hpp"

namespace volary::test {

// some that hold at 20 m in still air
inline WorldDef holding(int n) {
  WorldDef w = circling(n);
  w.environment.wind_W = {0, 0, 0};
  w.environment.gust_sigma = 0;
  for (VehicleDef& v : w.flocks[0].vehicles) v.position_W[2] = 20, v.mode = Mode::Hold;
  return w;
}
// six rotors of which five can carry it: the figures of assets/vehicles/hexacopter.yaml
inline Airframe hexacopter() {
  const Airframe quad = small_quadrotor();
  auto def = std::make_shared<airframe::MultirotorDef>(*static_cast<const airframe::MultirotorDef*>(quad.definition.get()));
  def->name = "hexacopter";
  def->mass = 2;
  def->inertia = {0.0267, 0.0267, 0.0515};
  def->linear_drag = {0, 0, 0};
  def->motor.thrust2 = 1.11397e-5;
  def->motor.torque_ratio = 0.016;
  def->motor.speed_min = 94.9;
  def->motor.speed_max = 949.6;
  def->motor.time_constant_up = def->motor.time_constant_down = 0.03;
  def->motor.inertia = 2.3e-5;
  def->motor.drag = 8e-5;
  def->rotors.clear();
  const double x[6] = {0, 0, 0.23383, -0.23383, 0.23383, -0.23383}, y[6] = {-0.27, 0.27, 0.135, -0.135, -0.135, 0.135};
  const int spin[6] = {-1, 1, -1, 1, 1, -1};
  for (int i = 0; i < 6; ++i) {
    airframe::RotorDef r;
    r.position = {x[i], y[i], 0};
    r.spin = spin[i];
    def->rotors.push_back(r);
  }
  return {"multirotor", def->name, def};
}
inline void give(World& w, SetFault p, std::size_t vehicle = 0) {
  Input in;
  in.target = w.vehicles()[vehicle];
  in.payload = std::move(p);
  const Submitted s = w.submit(in);
  ASSERT_TRUE(s) << s.why;
}
inline std::vector<std::string> told(World& w) {
  std::vector<std::string> list;
  for (const Event& e : w.take_events()) list.push_back(e.what);
  return list;
}
inline bool has(const std::vector<std::string>& list, const std::string& begin) {
  return std::any_of(list.begin(), list.end(), [&](const std::string& s) { return s.starts_with(begin); });
}

}  // namespace volary::test
