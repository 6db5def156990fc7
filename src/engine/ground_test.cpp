// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/ground.hpp"

#include <cmath>

#include "engine/engine_test_support.hpp"
#include "environment/obstacles.hpp"
#include "environment/terrain.hpp"

namespace volary {
namespace {

using test::make;

// a plane that rises eastwards
std::shared_ptr<const terrain::Terrain> slope(double rise, double height = 100) {
  terrain::Heights h{41, 41, -200, -200, 10, 10, {}};
  for (int r = 0; r < 41; ++r)
    for (int c = 0; c < 41; ++c) h.up.push_back(static_cast<float>(height + rise * (-200 + 10.0 * c)));
  return std::make_shared<const terrain::Terrain>(std::move(h));
}

WorldDef one_on(std::shared_ptr<const terrain::Terrain> ground, double friction, Mode mode = Mode::Disarmed) {
  WorldDef def = test::circling(1);
  def.environment = {};
  def.environment.ground_friction = friction;
  def.environment.terrain = std::move(ground);
  VehicleDef& v = def.flocks[0].vehicles[0];
  v.position_W = {3, 4, def.environment.terrain->height(3, 4)};
  v.harmonic = {};
  v.mode = mode;
  return def;
}

double height_above_ground(const World& w) {
  const Vec p = w.position_of(w.vehicles()[0]);
  return p[2] - w.def().environment.terrain->height(p[0], p[1]);
}

TEST(ground, a_vehicle_parked_on_a_slope_that_friction_holds_stays) {
  auto w = make(one_on(slope(0.3), 0.6));
  w->step(100);  // it leans into the slope
  const Vec before = w->position_of(w->vehicles()[0]);
  w->step(3000);
  const Vec after = w->position_of(w->vehicles()[0]);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(after[k], before[k], 2e-3);
  EXPECT_LT(height_above_ground(*w), 0.1);
  EXPECT_GT(height_above_ground(*w), 0);
}

TEST(ground, on_a_slope_too_steep_for_its_friction_it_slides_as_coulomb_says) {
  const double rise = 0.5, friction = 0.2, g = 9.80665, cosine = 1 / std::sqrt(1 + rise * rise), sine = rise * cosine;
  WorldDef def = one_on(slope(rise), friction);
  auto airframe = std::make_shared<airframe::MultirotorDef>(*static_cast<const airframe::MultirotorDef*>(def.flocks[0].airframe.definition.get()));
  airframe->linear_drag = {0, 0, 0};
  airframe->motor.drag = 0;
  def.flocks[0].airframe.definition = airframe;
  auto w = make(def);
  w->step(50);
  const double v0 = -w->velocity_of(w->vehicles()[0])[0] / cosine;
  w->step(100);
  const double gained = -w->velocity_of(w->vehicles()[0])[0] / cosine - v0;
  EXPECT_NEAR(gained, g * (sine - friction * cosine), 0.15);
  EXPECT_NEAR(w->velocity_of(w->vehicles()[0])[1], 0, 0.05);
}

TEST(ground, level_terrain_is_the_same_as_flat_ground) {
  WorldDef hilly = one_on(slope(0, 0), 0.6, Mode::TakeOff), flat = hilly;
  flat.environment.terrain = nullptr;
  auto a = make(hilly), b = make(flat);
  for (auto* w : {a.get(), b.get()}) {
    w->step(600);
    w->submit({.tick = w->tick(), .target = w->vehicles()[0], .payload = SetMode{Mode::Land}});
    w->step(800);
  }
  const Vec p = a->position_of(a->vehicles()[0]), q = b->position_of(b->vehicles()[0]);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(p[k], q[k], 1e-4);
  EXPECT_EQ(a->mode_of(a->vehicles()[0]), b->mode_of(b->vehicles()[0]));
}

TEST(ground, a_vehicle_takes_off_from_a_hill_and_lands_on_it) {
  auto w = make(one_on(slope(0.15), 0.6, Mode::TakeOff));
  w->step(700);
  EXPECT_NEAR(height_above_ground(*w), 1.5, 0.3);
  w->submit({.tick = w->tick(), .target = w->vehicles()[0], .payload = SetMode{Mode::Land}});
  w->step(1500);
  EXPECT_LT(height_above_ground(*w), 0.1);
  EXPECT_EQ(w->mode_of(w->vehicles()[0]), Mode::Disarmed);
}

TEST(ground, gives_the_same_bits_on_any_threads_and_lanes_and_after_a_branch) {
  WorldDef def = one_on(slope(0.3), 0.6);
  for (int k = 1; k < 40; ++k) {
    VehicleDef v = def.flocks[0].vehicles[0];
    v.position_W = {3.0 * k - 60, 2.0 * k, def.environment.terrain->height(3.0 * k - 60, 2.0 * k) + 0.02 * k};
    v.mode = k % 2 == 0 ? Mode::Disarmed : Mode::Hold;
    def.flocks[0].vehicles.push_back(v);
  }
  std::uint64_t expected = 0;
  for (const int lanes : available_lanes())
    for (const int threads : {1, 3}) {
      auto w = make(def, {.threads = threads, .lanes = lanes, .force_split = true});
      w->step(100);
      auto branch = w->branch({});
      branch->step(100);
      w->step(100);
      if (expected == 0) expected = w->hash();
      EXPECT_EQ(w->hash(), expected);
      EXPECT_EQ(branch->hash(), expected);
    }
}

// ---------------------------------------------------------------- obstacles

std::shared_ptr<const obstacles::Obstacles> standing(std::vector<obstacles::Obstacle> list) {
  return std::make_shared<const obstacles::Obstacles>(std::move(list));
}

const obstacles::Box kHouse{{0, 0, 2.5}, {10, 10, 5}, 0};

// a roof and four walls as a shell: what a mesh file would give
obstacles::Mesh shell(double half, double top) {
  obstacles::Mesh m;
  for (const double z : {0.0, top})
    for (const auto& [x, y] : {std::pair{-half, -half}, {half, -half}, {half, half}, {-half, half}}) m.vertices.push_back({x, y, z});
  m.triangles = {{4, 5, 6}, {4, 6, 7}};
  for (std::uint32_t k = 0; k < 4; ++k) {
    const std::uint32_t next = (k + 1) % 4;
    m.triangles.push_back({k, next, next + 4});
    m.triangles.push_back({k, next + 4, k + 4});
  }
  return m;
}

WorldDef one_among(std::shared_ptr<const obstacles::Obstacles> obstacles, const Vec& position, Mode mode) {
  WorldDef def = test::circling(1);
  def.environment = {};
  def.environment.obstacles = std::move(obstacles);
  VehicleDef& v = def.flocks[0].vehicles[0];
  v.position_W = v.centre_W = position;
  v.harmonic = {};
  v.mode = mode;
  return def;
}
Vec place_of(const World& w) { return w.position_of(w.vehicles()[0]); }
void command(World& w, Payload payload) { w.submit({.tick = w.tick(), .target = w.vehicles()[0], .payload = std::move(payload)}); }

TEST(ground, a_vehicle_that_flies_into_a_wall_stays_outside) {
  auto w = make(one_among(standing({{"wall", obstacles::Box{{5, 0, 5}, {1, 20, 10}, 0}}}), {0, 0, 3}, Mode::Hold));
  command(*w, SetSetpoint{.level = ControlLevel::Velocity, .velocity_W = {3, 0, 0}});
  double farthest = 0;
  for (int k = 0; k < 1000; ++k) {
    w->step(1);
    farthest = std::max(farthest, place_of(*w)[0]);
  }
  EXPECT_GT(farthest, 4.4);  // it came to the wall at x = 4.5
  EXPECT_LT(farthest, 4.5);
}

TEST(ground, nothing_is_thrown_through_a_shell_or_a_thin_wall_at_any_speed) {
  for (const bool solid : {false, true})
    for (const double speed : {1.0, 4.0, 8.0, 15.0, 30.0}) {
      std::vector<obstacles::Obstacle> list = {{"shell", shell(5, 5)}};
      if (solid) list = {{"sheet", obstacles::Box{{-4.95, 0, 5}, {0.1, 20, 10}, 0}}};
      auto w = make(one_among(standing(list), {-8, 0, 3}, Mode::Disarmed));
      command(*w, SetState{.position_W = {-8, 0.3, 3}, .velocity_W = {speed, 0, 1}});
      double farthest = -100;
      for (int k = 0; k < 500; ++k) {
        w->step(1);
        farthest = std::max(farthest, place_of(*w)[0]);
      }
      EXPECT_LT(place_of(*w)[0], -5) << speed << " " << solid;
      EXPECT_GT(farthest, speed > 4 ? -5.2 : -8.1) << speed;  // it was there
      EXPECT_GT(place_of(*w)[2], 0);
    }
}

TEST(ground, what_falls_onto_a_roof_lies_on_it) {
  for (const bool solid : {false, true})
    for (const double height : {0.2, 2.0, 20.0}) {
      std::vector<obstacles::Obstacle> list = {{"shell", shell(5, 5)}};
      if (solid) list = {{"house", kHouse}};
      auto w = make(one_among(standing(list), {1, 0.5, 5 + height}, Mode::Disarmed));
      w->step(1000);
      EXPECT_GT(place_of(*w)[2], 5) << height << " " << solid;
      EXPECT_LT(place_of(*w)[2], 5.1) << height << " " << solid;
    }
}

TEST(ground, a_vehicle_lands_on_a_roof_stands_there_and_takes_off_again) {
  auto w = make(one_among(standing({{"house", kHouse}}), {1, 1, 7}, Mode::Hold));
  w->step(100);
  command(*w, SetMode{Mode::Land});
  w->step(1500);
  EXPECT_EQ(w->mode_of(w->vehicles()[0]), Mode::Disarmed);
  const Vec stands = place_of(*w);
  EXPECT_GT(stands[2], 5);
  EXPECT_LT(stands[2], 5.05);
  w->step(1000);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(place_of(*w)[k], stands[k], 1e-3);
  command(*w, SetMode{Mode::TakeOff});
  w->step(700);
  EXPECT_NEAR(place_of(*w)[2], 6.5, 0.2);
}

TEST(ground, a_vehicle_placed_on_a_roof_stands_on_it_as_on_the_ground) {
  auto roof = make(one_among(standing({{"house", kHouse}}), {1, 1, 5}, Mode::Disarmed)),
       ground = make(one_among(standing({{"house", kHouse}}), {20, 1, 0}, Mode::Disarmed));
  EXPECT_NEAR(place_of(*roof)[2], place_of(*ground)[2] + 5, 1e-6);
  const Vec before = place_of(*roof);
  roof->step(500);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(place_of(*roof)[k], before[k], 1e-3);
}

TEST(ground, a_vehicle_slides_off_a_sphere_and_ends_on_the_ground) {
  WorldDef def = one_among(standing({{"dome", obstacles::Sphere{{0, 0, 0}, 3}}}), {1.6, 0, 2.6}, Mode::Disarmed);
  def.environment.ground_friction = 0.1;
  auto w = make(def);
  for (int k = 0; k < 1500; ++k) {
    w->step(1);
    ASSERT_GT(def.environment.obstacles->nearest(place_of(*w)).distance, 0) << k;
    ASSERT_GT(place_of(*w)[2], 0) << k;
  }
  EXPECT_GT(place_of(*w)[0], 3);
  EXPECT_LT(place_of(*w)[2], 0.2);
}

TEST(ground, pressed_into_a_corner_it_leaves_neither_the_floor_nor_the_wall) {
  auto w = make(one_among(standing({{"wall", obstacles::Box{{5, 0, 5}, {1, 20, 10}, 0}}}), {4.2, 0, 0}, Mode::Disarmed));
  command(*w, SetWrench{.force_W = {0.4, 0, 0}});
  for (int k = 0; k < 1000; ++k) {
    w->step(1);
    ASSERT_LT(place_of(*w)[0], 4.5) << k;
    ASSERT_GT(place_of(*w)[2], 0) << k;
  }
  EXPECT_GT(place_of(*w)[0], 4.4);
  EXPECT_LT(place_of(*w)[2], 0.2);
}

TEST(ground, obstacles_on_a_hill_leave_the_hill_as_it_is) {
  WorldDef def = one_on(slope(0.3), 0.6);
  auto alone = make(def);
  def.environment.obstacles = standing({{"house", obstacles::Box{{60, 0, 120}, {10, 10, 20}, 0.3}}});
  auto beside = make(def);
  alone->step(500);
  beside->step(500);
  EXPECT_EQ(alone->hash(), beside->hash());
}

TEST(ground, obstacles_give_the_same_bits_on_any_threads_and_lanes_and_after_a_branch) {
  WorldDef def = one_among(
      standing({{"house", kHouse}, {"shell", shell(7, 4)}, {"dome", obstacles::Sphere{{12, 3, 0}, 3}}, {"mast", obstacles::Cylinder{{-8, 0, 0}, 1, 9}}}),
      {0, 0, 6}, Mode::Disarmed);
  for (int k = 1; k < 40; ++k) {
    VehicleDef v = def.flocks[0].vehicles[0];
    v.position_W = {0.9 * k - 18, 0.1 * k, 5.5 + 0.1 * k};
    v.velocity_W = {0.2 * (k % 7), -0.3 * (k % 5), -0.2 * k};
    def.flocks[0].vehicles.push_back(v);
  }
  std::uint64_t expected = 0;
  for (const int lanes : available_lanes())
    for (const int threads : {1, 3}) {
      auto w = make(def, {.threads = threads, .lanes = lanes, .force_split = true});
      w->step(70);
      auto branch = w->branch({});
      branch->step(100);
      w->step(100);
      if (expected == 0) expected = w->hash();
      EXPECT_EQ(w->hash(), expected);
      EXPECT_EQ(branch->hash(), expected);
    }
}

}  // namespace
}  // namespace volary
