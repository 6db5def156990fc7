// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "vehicles/balloon.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace volary::inline VOLARY_ISA::vehicles {
namespace {

BalloonParams<double> sounding_balloon() {
  airframe::BalloonDef def;
  def.mass = 0.55, def.added_mass = 0.74, def.lift = 14.4, def.drag = 0.28;
  return Balloon::derive<BalloonProgram>(def, {}).value();
}
BalloonProgram::Agent<double> at_rest() {
  BalloonProgram::Agent<double> a{};
  a.status = control::kAlive;
  a.body.q_WB = identity_quat<double>();
  return a;
}

TEST(balloon, climbs_where_drag_equals_the_free_lift) {
  const auto p = sounding_balloon();
  auto a = at_rest();
  for (int tick = 0; tick < 2000; ++tick) BalloonProgram::advance(a, TickInfo{}, p);
  const double climb = math::sqrt((p.lift - p.mass * p.gravity) / p.drag);
  EXPECT_NEAR(a.body.velocity_W.z, climb, 1e-6);
}

TEST(balloon, drifts_with_the_wind) {
  const auto p = sounding_balloon();
  auto a = at_rest();
  a.outside.wind_W = {4, -3, 0};
  for (int tick = 0; tick < 6000; ++tick) BalloonProgram::advance(a, TickInfo{}, p);
  EXPECT_NEAR(a.body.velocity_W.x, 4, 1e-3);
  EXPECT_NEAR(a.body.velocity_W.y, -3, 1e-3);
}

TEST(balloon, sinks_with_its_valve_open) {
  const auto p = sounding_balloon();
  auto a = at_rest();
  a.valve = 1;
  for (int tick = 0; tick < 300; ++tick) BalloonProgram::advance(a, TickInfo{}, p);
  EXPECT_LT(a.body.velocity_W.z, -3);
}

TEST(balloon, is_pushed_with_the_air_that_moves_along_and_turned_as_a_ball) {
  const auto p = sounding_balloon();
  auto pushed = at_rest(), free = at_rest();
  pushed.outside.force_W = {0.129, 0, 0.258};
  pushed.outside.torque_B = {0, 0, 0.02};
  BalloonProgram::advance(pushed, TickInfo{}, p), BalloonProgram::advance(free, TickInfo{}, p);
  const double tick = TickInfo{}.substeps * p.step.h;
  EXPECT_NEAR(pushed.body.velocity_W.x / tick, 0.129 / (0.55 + 0.74), 1e-3);
  EXPECT_NEAR((pushed.body.velocity_W.z - free.body.velocity_W.z) / tick, 0.258 / (0.55 + 0.74), 2e-2);
  const double radius = std::cbrt(14.4 / (1.225 * 9.80665) * 3 / (4 * 3.14159265358979));
  EXPECT_NEAR(pushed.body.omega_B.z / tick, 0.02 / (0.4 * 0.55 * radius * radius), 1e-6);
  EXPECT_EQ(free.body.omega_B.z, 0);
}

TEST(balloon, without_lift_is_refused) {
  airframe::BalloonDef def;
  def.lift = 0;
  EXPECT_EQ(Balloon::check(def).error().field, "lift");
}

}  // namespace
}  // namespace volary::inline VOLARY_ISA::vehicles
