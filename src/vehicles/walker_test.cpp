// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "vehicles/walker.hpp"

#include <cmath>

#include "engine/engine_test_support.hpp"

namespace volary {
namespace {

WorldDef walking(airframe::WalkerDef def, Vec start) {
  WorldDef w;
  FlockDef f;
  f.name = "people";
  f.airframe = {"walker", def.name, std::make_shared<airframe::WalkerDef>(def)};
  VehicleDef v;
  v.position_W = start;
  v.mode = Mode::Hold;
  f.vehicles.push_back(v);
  w.flocks.push_back(f);
  return w;
}

TEST(walker, goes_where_it_is_told_no_faster_than_it_can_and_stays_on_the_ground) {
  auto w = test::make(walking({.name = "person", .max_speed = 1.5, .max_acceleration = 1, .on_ground = true, .height = 1}, {0, 0, 30}));
  const VehicleId id = w->vehicles()[0];
  EXPECT_DOUBLE_EQ(w->position_of(id)[2], 1);
  w->submit({.target = id, .payload = SetSetpoint{.level = ControlLevel::Position, .position_W = {6, 8, 20}}});
  double fastest = 0, before = 0;
  for (int k = 0; k < 1500; ++k) {
    w->step();
    const Vec v = w->velocity_of(id);
    const double speed = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    fastest = std::max(fastest, speed);
    EXPECT_LE(std::abs(speed - before), 0.01 + 1e-6);
    before = speed;
  }
  EXPECT_NEAR(fastest, 1.5, 1e-5);
  EXPECT_NEAR(w->position_of(id)[0], 6, 0.02);
  EXPECT_NEAR(w->position_of(id)[1], 8, 0.02);
  EXPECT_DOUBLE_EQ(w->position_of(id)[2], 1);
}

TEST(walker, of_no_speed_stays_where_it_is) {
  auto w = test::make(walking({.name = "beacon", .max_speed = 0, .max_acceleration = 1, .on_ground = true, .height = 0.5}, {3, 4, 0}));
  const VehicleId id = w->vehicles()[0];
  w->submit({.target = id, .payload = SetSetpoint{.level = ControlLevel::Position, .position_W = {100, 0, 0}}});
  w->step(500);
  EXPECT_EQ(w->position_of(id), (Vec{3, 4, 0.5}));
}

TEST(walker, stems_itself_against_a_push_and_gives_way_to_what_is_more_than_it_can) {
  auto w = test::make(walking({.name = "person", .max_speed = 1.5, .max_acceleration = 2, .on_ground = true, .height = 1, .mass = 80}, {0, 0, 0}));
  const VehicleId id = w->vehicles()[0];
  w->submit({.target = id, .payload = SetWrench{.force_W = {150, 0, 1000}, .torque_B = {0, 0, 50}}});
  w->step(100);
  EXPECT_EQ(w->position_of(id), (Vec{0, 0, 1})) << "less than 2 m/s2, and the ground takes the rest";
  w->submit({.target = id, .payload = SetWrench{.force_W = {0, 240, 0}}});
  w->step(50);
  EXPECT_NEAR(w->velocity_of(id)[1], 0.5 * (240.0 / 80 - 2), 1e-4);
  EXPECT_NEAR(w->position_of(id)[0], 0, 1e-9);
}

TEST(walker, moves_in_space_where_it_is_not_bound_to_the_ground) {
  auto w = test::make(walking({.name = "agent", .max_speed = 5, .max_acceleration = 5, .on_ground = false, .height = 0}, {0, 0, 2}));
  const VehicleId id = w->vehicles()[0];
  w->submit({.target = id, .payload = SetSetpoint{.level = ControlLevel::Velocity, .velocity_W = {0, 0, 3}}});
  w->step(200);
  EXPECT_NEAR(w->velocity_of(id)[2], 3, 1e-5);
  EXPECT_NEAR(w->position_of(id)[2], 2 + 6 - 0.5 * 9 / 5, 0.02);  // 3 m/s at 5 m/s2 take 0.6 s
}

}  // namespace
}  // namespace volary
