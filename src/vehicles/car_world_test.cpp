// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Cars in a world: on terrain, before walls, under behaviours, on any number of lanes and threads.
#include <cmath>

#include "engine/engine_test_support.hpp"
#include "environment/obstacles.hpp"
#include "environment/terrain.hpp"
#include "swarm/behaviours/avoid.hpp"
#include "swarm/behaviours/go_to.hpp"
#include "vehicles/car_test_support.hpp"

namespace volary {
namespace {

using test::make;

// hills of a few metres, 80 m apart
std::shared_ptr<const terrain::Terrain> hills() {
  terrain::Heights h{101, 101, -250, -250, 5, 5, {}};
  for (int r = 0; r < 101; ++r)
    for (int c = 0; c < 101; ++c) h.up.push_back(static_cast<float>(50 + 3 * std::sin(0.0785 * (5.0 * c)) * std::cos(0.0785 * (5.0 * r))));
  return std::make_shared<const terrain::Terrain>(std::move(h));
}

WorldDef cars(int n, bool full_physics = true) {
  WorldDef w;
  w.name = "cars";
  FlockDef f;
  f.name = "cars";
  f.airframe = {"car", "round", std::make_shared<airframe::CarDef>(test::round_car())};
  f.full_physics = full_physics;
  for (int i = 0; i < n; ++i) {
    VehicleDef v;
    v.position_W = {12.0 * (i % 6), 12.0 * (i / 6), 0};
    v.yaw = 0.4 * i;
    v.mode = Mode::Hold;
    f.vehicles.push_back(v);
  }
  w.flocks.push_back(f);
  return w;
}

std::string why_not(const WorldDef& def) {
  std::string error;
  const auto w = World::create(def, {}, &error);
  return error;
}

TEST(car_world, on_terrain_it_stands_on_the_ground_with_its_wheels_in_the_slope) {
  WorldDef def = cars(1);
  def.environment.terrain = hills();
  auto w = make(def);
  const VehicleId id = w->vehicles()[0];
  w->submit({.target = id, .payload = SetSetpoint{.level = ControlLevel::Velocity, .velocity_W = {7, 2, 0}}});
  double steepest = 0;
  for (int k = 0; k < 2000; ++k) {
    w->step();
    const Vec p = w->position_of(id), v = w->velocity_of(id), n = def.environment.terrain->normal(p[0], p[1]);
    // half a metre above the ground along its normal, and moving along it; within a tick the plane is that of its start
    EXPECT_NEAR((p[2] - def.environment.terrain->height(p[0], p[1])) * n[2], 0.5, 0.02);
    EXPECT_NEAR(v[0] * n[0] + v[1] * n[1] + v[2] * n[2], 0, 0.5);
    steepest = std::max(steepest, std::sqrt(1 - n[2] * n[2]));
  }
  EXPECT_GT(steepest, 0.15);
  const Vec v = w->velocity_of(id);
  EXPECT_NEAR(std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]), std::hypot(7, 2), 0.5);
}

TEST(car_world, a_behaviour_that_wants_to_go_back_makes_it_turn_round) {
  WorldDef def = cars(1);
  FlockDef& f = def.flocks[0];
  f.vehicles[0].velocity_W = {6, 0, 0};
  f.node.behaviours.push_back(test::behaviour<swarm::GoTo>({.points = {{-60, 10, 0}}, .speed = 6, .tolerance = 1.5, .floor = 0}));
  auto w = make(def);
  const VehicleId id = w->vehicles()[0];
  w->step(4000);
  const Vec p = w->position_of(id), v = w->velocity_of(id);
  EXPECT_LT(std::hypot(p[0] + 60, p[1] - 10), 1.5);
  EXPECT_LT(std::hypot(v[0], v[1]), 0.05);
}

TEST(car_world, cars_that_avoid_each_other_meet_without_a_crash) {
  WorldDef def = cars(2);
  FlockDef& f = def.flocks[0];
  f.node.state_rate = 10;
  f.node.contact = {.policy = ContactPolicy::Crash, .radius = 1.5};
  def.radio.model = RadioModel::Disc;
  def.radio.range = 200;
  f.vehicles[0].position_W = {-50, 0.5, 0}, f.vehicles[0].yaw = 0;
  f.vehicles[1].position_W = {50, -0.5, 0}, f.vehicles[1].yaw = 3.141592653589793;
  f.node.behaviours.push_back(test::behaviour<swarm::GoTo>({.points = {{0, 0, 0}}, .speed = 5, .tolerance = 1.5, .floor = 0}));
  f.node.behaviours.push_back(test::behaviour<swarm::Avoid>({.margin = 4}));
  auto w = make(def);
  double nearest = 1e9;
  for (int k = 0; k < 3000; ++k) {
    w->step();
    const Vec a = w->position_of(w->vehicles()[0]), b = w->position_of(w->vehicles()[1]);
    nearest = std::min(nearest, std::hypot(a[0] - b[0], a[1] - b[1]));
  }
  EXPECT_GT(nearest, 3);
  for (const VehicleId id : w->vehicles()) EXPECT_NE(w->mode_of(id), Mode::EmergencyStop);
}

TEST(car_world, a_wall_stops_it) {
  WorldDef def = cars(1);
  std::vector<obstacles::Obstacle> list = {{"wall", obstacles::Box{{20, 0, 2}, {2, 40, 4}, 0}}};
  def.environment.obstacles = std::make_shared<const obstacles::Obstacles>(std::move(list));
  auto w = make(def);
  const VehicleId id = w->vehicles()[0];
  w->submit({.target = id, .payload = SetSetpoint{.level = ControlLevel::Velocity, .velocity_W = {4, 0, 0}}});
  for (int k = 0; k < 1500; ++k) {
    w->step();
    ASSERT_LT(w->position_of(id)[0] + 1.85, 19.3) << k;  // 1.1 m to the front axle and 0.75 m of overhang
    ASSERT_NEAR(w->position_of(id)[2], 0.5, 0.01) << k;
  }
  EXPECT_GT(w->position_of(id)[0], 16);
  EXPECT_LT(std::abs(w->velocity_of(id)[0]), 0.6);
}

TEST(car_world, needs_a_ground_and_a_substep_that_its_tyres_bear) {
  WorldDef nowhere = cars(1);
  nowhere.environment.ground = false;
  EXPECT_NE(why_not(nowhere).find("no ground to drive on"), std::string::npos) << why_not(nowhere);
  WorldDef coarse = cars(1);
  coarse.tick_ns = 100'000'000, coarse.substeps = 1;
  EXPECT_NE(why_not(coarse).find("too stiff for a substep of 0.1 s"), std::string::npos) << why_not(coarse);
  coarse.flocks[0].full_physics = false;  // a kinematic car has no tyres
  EXPECT_EQ(why_not(coarse), "");
}

TEST(car_world, gives_the_same_bits_on_any_threads_and_lanes_and_after_a_branch) {
  for (const bool full : {true, false}) {
    WorldDef def = cars(37, full);
    def.environment.terrain = hills();
    std::uint64_t expected = 0;
    for (const int lanes : available_lanes())
      for (const int threads : {1, 3}) {
        auto w = make(def, {.threads = threads, .lanes = lanes});
        for (const VehicleId id : w->vehicles()) {
          const double k = static_cast<double>(id.number());
          w->submit({.target = id,
                     .payload = SetSetpoint{.level = k > 20 ? ControlLevel::Velocity : ControlLevel::Position, .position_W = {5 * k, -3 * k, 0}, .velocity_W = {k - 30, 4, 0}}});
        }
        w->step(150);
        auto branch = w->branch({});
        branch->step(150);
        w->step(150);
        if (expected == 0) expected = w->hash();
        EXPECT_EQ(w->hash(), expected) << lanes << " lanes, " << threads << " threads";
        EXPECT_EQ(branch->hash(), expected);
      }
  }
}

}  // namespace
}  // namespace volary
