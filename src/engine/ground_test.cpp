// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/ground.hpp"

#include <cmath>

#include "engine/engine_test_support.hpp"
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
      auto w = make(def, {.threads = threads, .lanes = lanes});
      w->step(100);
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
