// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "vehicles/balloon.hpp"

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
  a.wind_W = {4, -3, 0};
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

TEST(balloon, without_lift_is_refused) {
  airframe::BalloonDef def;
  def.lift = 0;
  EXPECT_EQ(Balloon::check(def).error().field, "lift");
}

}  // namespace
}  // namespace volary::inline VOLARY_ISA::vehicles
