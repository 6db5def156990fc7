// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Flocks whose bodies MuJoCo moves (engine/joined.hpp), as users fly them: they fly as the pure form does, have one answer however they are computed, and come back from
// snapshots exactly, in contact too.
#include <cmath>
#include <memory>

#include <gtest/gtest.h>

#include "volary/scenario.hpp"
#include "volary/world.hpp"

namespace volary {
namespace {

Airframe shipped(const std::string& name) {
  const Loaded<Airframe> loaded = load_airframe(VOLARY_SOURCE_DIR "/assets/vehicles/" + name + ".yaml");
  EXPECT_TRUE(loaded) << loaded.error;
  return *loaded.value;
}

// n platforms that fly small circles in gusty wind and turn on the way
WorldDef circling(const std::string& airframe, int n, bool joined = true) {
  WorldDef w;
  w.name = "joined";
  w.seed = 7;
  w.tick_ns = 5'000'000;
  w.substeps = 5;
  w.environment.wind_W = {1, 0.5, 0};
  w.environment.gust_sigma = 0.4;
  FlockDef f;
  f.name = "rigs";
  f.airframe = shipped(airframe);
  f.joined = joined;
  for (int i = 0; i < n; ++i) {
    VehicleDef v;
    v.position_W = {6.0 * (i % 8), 6.0 * (i / 8), 3};
    v.centre_W = v.position_W;
    v.yaw = 0.2 * i;
    v.harmonic.amplitude = {0.5, 0.5, 0.1}, v.harmonic.rate = {0.8, 0.8, 0.5}, v.harmonic.phase = {1.5707963267948966, 0, 0};
    v.turning.amplitude = {0, 0.1, 0.1}, v.turning.rate = {0, 0.5, 0.4};
    f.vehicles.push_back(v);
  }
  w.flocks.push_back(f);
  return w;
}
WorldDef calm(WorldDef w) {
  w.environment.wind_W = {0, 0, 0}, w.environment.gust_sigma = 0;
  return w;
}
// a pole of a metre ahead of each and a wall before it, against which it is told to fly
WorldDef pressing(int n) {
  WorldDef w = calm(circling("three_star", n));
  FlockDef& f = w.flocks[0];
  auto def = f.airframe;
  f.airframe = shipped("three_star_push");
  for (int i = 0; i < n; ++i) {
    VehicleDef& v = f.vehicles[static_cast<std::size_t>(i)];
    v.harmonic.amplitude = {0, 0, 0}, v.turning = {}, v.yaw = 0;
    v.position_W = v.centre_W = {-0.02 * i, 6.0 * i, 3};
    v.mode = Mode::Hold;
  }
  WallDef wall;
  wall.centre_W = {-1.25, 3.0 * n, 3}, wall.width = 12.0 * n + 10, wall.height = 8;
  wall.surface.friction = 1;
  w.environment.structures.push_back({"wall", wall});
  w.events.push_back({.time = 0.4, .what = "yield", .flock = "rigs"});
  for (int i = 0; i < n; ++i) w.events.push_back({.time = 0.5, .what = "pose", .flock = "rigs", .vehicle = i, .position_W = {-0.4, 6.0 * i, 3}});
  return w;
}

std::unique_ptr<World> make(const WorldDef& def, RunOptions options = {}) {
  std::string error;
  auto w = World::create(def, options, &error);
  EXPECT_NE(w, nullptr) << error;
  return w;
}
double distance(const Vec& a, const Vec& b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }

bool touches(const World& w) {
  for (const VehicleId id : w.vehicles())
    if (!w.contacts_of(id).empty()) return true;
  return false;
}

TEST(joined_flight, bodies_that_mujoco_moves_fly_as_the_pure_form_does) {
  for (const char* name : {"three_star", "three_square", "two_line", "three_line"}) {
    WorldDef joined = calm(circling(name, 1)), pure = calm(circling(name, 1, false));
    joined.precision = pure.precision = Precision::Double;
    auto a = make(joined), b = make(pure);
    const VehicleId id = a->vehicles()[0];
    double worst = 0;
    for (int k = 0; k < 1000; ++k) {
      a->step(), b->step();
      worst = std::max(worst, distance(a->position_of(id), b->position_of(id)));
    }
    EXPECT_LT(worst, 0.005) << name << ": another integrator, and rotors of the middle of a substep";
    EXPECT_GT(distance(b->position_of(id), pure.flocks[0].vehicles[0].position_W), 0.01) << name;
  }
}

TEST(joined_flight, the_same_answer_on_any_number_of_threads_and_lanes) {
  const WorldDef def = circling("three_star", 40);
  std::uint64_t hash = 0;
  for (const int threads : {1, 2, 7})
    for (const int lanes : {1, 4, 8, 16}) {
      RunOptions options{.threads = threads, .lanes = lanes, .force_split = true};
      std::string error;
      auto w = World::create(def, options, &error);
      if (w == nullptr) continue;  // this CPU cannot
      w->step(60);
      if (hash == 0) hash = w->hash();
      EXPECT_EQ(w->hash(), hash) << threads << " threads, " << lanes << " lanes";
    }
}

TEST(joined_flight, the_hash_of_every_tick_is_that_of_the_state) {
  auto a = make(circling("three_star", 3), {.hash_every_tick = true}), b = make(circling("three_star", 3));
  for (int k = 0; k < 20; ++k) {
    a->step(), b->step();
    EXPECT_EQ(a->hash(), b->hash());
  }
}

TEST(joined_flight, comes_back_from_a_snapshot_in_contact_exactly) {
  auto w = make(pressing(3), {.threads = 2, .force_split = true});
  int k = 0;
  for (; k < 2000 && !touches(*w); ++k) w->step();
  ASSERT_LT(k, 2000) << "nobody ever touched the wall";
  w->step(20);
  const auto kept = w->snapshot();
  std::vector<std::uint64_t> hashes;
  for (int i = 0; i < 100; ++i) w->step(), hashes.push_back(w->hash());
  ASSERT_TRUE(w->restore(*kept));
  for (int i = 0; i < 100; ++i) {
    w->step();
    ASSERT_EQ(w->hash(), hashes[static_cast<std::size_t>(i)]) << i;
  }
  // and another world made of it
  ASSERT_TRUE(w->restore(*kept));
  auto branch = w->branch({});
  ASSERT_NE(branch, nullptr);
  branch->step(100);
  EXPECT_EQ(branch->hash(), hashes.back());
}

TEST(joined_flight, a_world_of_a_batch_is_that_world_alone) {
  WorldDef batch = circling("three_star", 5);
  batch.worlds = 3;
  auto all = make(batch, {.threads = 2, .force_split = true});
  all->step(50);
  for (std::uint32_t k = 0; k < 3; ++k) {
    WorldDef one = batch;
    one.worlds = 1, one.first_world = static_cast<int>(k);
    auto alone = make(one);
    alone->step(50);
    EXPECT_EQ(all->hash_of_world(k), alone->hash_of_world(0)) << k;
  }
  // the first flight again, in a world that begins anew
  const std::uint64_t first = all->hash_of_world(1);
  const std::uint8_t mask[3] = {0, 1, 0};
  const std::uint32_t episodes[3] = {0, 0, 0};
  all->reset(mask, episodes);
  all->step(50);
  EXPECT_EQ(all->hash_of_world(1), first);
}

TEST(joined_flight, a_vehicle_that_is_put_elsewhere_goes_on_from_there_and_nobody_else_notices) {
  auto w = make(circling("three_star", 3)), without = make(circling("three_star", 3));
  w->step(20), without->step(20);
  const auto ids = w->vehicles();
  Input in;
  in.target = ids[1];
  in.payload = SetState{.position_W = {2, 3, 30}};
  ASSERT_TRUE(w->submit(in));
  w->step(2), without->step(2);
  EXPECT_LT(distance(w->position_of(ids[1]), {2, 3, 30}), 0.1);
  EXPECT_EQ(w->hash_of(ids[0]), without->hash_of(ids[0]));
  EXPECT_EQ(w->hash_of(ids[2]), without->hash_of(ids[2]));
  w->step(200);
  EXPECT_TRUE(w->is_alive(ids[1]));
}

TEST(joined_flight, a_wall_stops_a_platform_and_the_push_is_what_it_measures) {
  auto w = make(pressing(1));
  const VehicleId id = w->vehicles()[0];
  w->step(3000);
  const auto contacts = w->contacts_of(id);
  ASSERT_FALSE(contacts.empty());
  double push = 0;
  for (const ContactPoint& c : contacts) {
    push += c.force_W[0];
    EXPECT_NEAR(c.point_W[0], -1.25, 0.02);
  }
  EXPECT_GT(push, 0.2) << "the wall pushes it back";
  EXPECT_LT(push, 20);
  const View wrench = w->view("rigs", "wrench");
  EXPECT_NEAR(wrench.at(0, 0), push, 0.05 * push + 0.05);
  EXPECT_GT(w->position_of(id)[0], -0.4) << "it is not where it was told to be";
}

TEST(joined_flight, removed_vehicles_leave_the_others_alone) {
  auto w = make(circling("three_star", 3)), without = make(circling("three_star", 3));
  const auto ids = w->vehicles();
  Input in;
  in.target = ids[0], in.payload = Remove{};
  ASSERT_TRUE(w->submit(in));
  w->step(50), without->step(50);
  EXPECT_FALSE(w->is_alive(ids[0]));
  EXPECT_EQ(w->hash_of(ids[2]), without->hash_of(ids[2]));
}

}  // namespace
}  // namespace volary
