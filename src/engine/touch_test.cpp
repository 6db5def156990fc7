// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Contact between two ticks, and how large vehicles are by themselves.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "engine/engine_test_support.hpp"
#include "environment/obstacles.hpp"
#include "math/hash.hpp"
#include "vehicles/aircraft_derive.hpp"
#include "vehicles/all.hpp"

namespace volary {
namespace {

using test::make;

double uniform(std::uint64_t n) { return static_cast<double>(math::mix64(n) >> 11) * 0x1p-53; }

// one that falls without drag, rotors at rest: two of them move straight past each other
WorldDef falling(double tick) {
  WorldDef w = test::circling(0);
  w.environment.wind_W = {0, 0, 0};
  w.environment.gust_sigma = 0;
  w.tick_ns = static_cast<std::int64_t>(tick * 1e9);
  auto def = std::make_shared<airframe::MultirotorDef>(*static_cast<const airframe::MultirotorDef*>(w.flocks[0].airframe.definition.get()));
  def->linear_drag = {0, 0, 0};
  def->motor.drag = 0;
  w.flocks[0].airframe.definition = def;
  w.flocks[0].node.contact = {ContactPolicy::Crash, 0.15, 1e3};  // at 1 km/s nobody crashes: touches are only told
  return w;
}
VehicleDef thrown(const Vec& position, const Vec& velocity) {
  VehicleDef v;
  v.position_W = position;
  v.velocity_W = velocity;
  v.mode = Mode::EmergencyStop;
  return v;
}

struct Pass {
  double miss;  // m between the centres where they are nearest
  double speed;
};
// Pairs a kilometre apart; each passes at a random angle, head-on for every third, so near and at such a time after the start.
std::vector<Pass> add_passes(WorldDef& w, int pairs, std::uint64_t seed) {
  std::vector<Pass> passes;
  for (int k = 0; k < pairs; ++k) {
    auto draw = [n = seed + 100 * static_cast<std::uint64_t>(k)]() mutable { return uniform(++n); };
    const double speed = 4 + 100 * draw(), angle = k % 3 == 0 ? 0 : 6.283185307179586 * draw(), miss = 0.6 * draw(), when = 0.2 + 0.3 * draw();
    // the relative motion: along `way`, passing at `miss` across it
    const Vec way = {std::cos(angle), std::sin(angle), 0}, across = {-std::sin(angle), std::cos(angle), 0};
    const double y = 1000.0 * k, height = 500, share = draw();
    Vec a = {0, y, height}, b = {miss * across[0], y + miss * across[1], height}, va{}, vb{};
    for (std::size_t i = 0; i < 3; ++i) {
      va[i] = share * speed * way[i], vb[i] = (share - 1) * speed * way[i];
      a[i] -= va[i] * when, b[i] -= vb[i] * when;
    }
    w.flocks[0].vehicles.push_back(thrown(a, va));
    w.flocks[0].vehicles.push_back(thrown(b, vb));
    passes.push_back({miss, speed});
  }
  return passes;
}

TEST(contact, every_pass_nearer_than_the_radii_is_seen_whatever_the_tick_and_none_that_is_wider) {
  for (const double tick : {0.002, 0.01, 0.05, 0.1}) {
    WorldDef def = falling(tick);
    const std::vector<Pass> passes = add_passes(def, 60, 11);
    auto w = make(def);
    w->step(static_cast<std::uint64_t>(0.8 / tick));
    std::set<std::uint64_t> touched;
    for (const Event& e : w->take_events())
      if (e.what.find("touched: birds") != std::string::npos) touched.insert(e.vehicle.number());
    int near = 0;
    for (std::size_t k = 0; k < passes.size(); ++k) {
      if (std::abs(passes[k].miss - 0.3) < 2e-3) continue;  // single precision
      const bool expected = passes[k].miss < 0.3;
      near += expected ? 1 : 0;
      EXPECT_EQ(touched.count(2 * k + 1) == 1, expected) << "tick " << tick << " pass " << k << " miss " << passes[k].miss << " at " << passes[k].speed;
      EXPECT_EQ(touched.count(2 * k + 2) == 1, expected);
    }
    EXPECT_GT(near, 20);
  }
}

TEST(contact, those_that_pass_within_a_tick_crash_where_they_met) {
  WorldDef def = falling(0.05);
  def.flocks[0].node.contact.speed = 1;
  def.flocks[0].vehicles = {thrown({-0.7, 0, 500}, {40, 0, 0}), thrown({0.7, 0, 500}, {-40, 0, 0})};
  auto w = make(def);
  w->step();
  const auto events = w->take_events();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].what.substr(0, 27), "crashed: into birds[1] at (");
  EXPECT_NE(events[0].what.find("(-0.15, 0.00"), std::string::npos) << events[0].what;
  EXPECT_NE(events[0].what.find(") m ENU, 80.00 m/s"), std::string::npos) << events[0].what;
  EXPECT_NE(events[1].what.find("(0.15, 0.00"), std::string::npos) << events[1].what;
}

TEST(contact, those_that_would_pass_through_each_other_within_a_tick_bounce_off) {
  WorldDef def = falling(0.05);
  def.flocks[0].node.contact.policy = ContactPolicy::Bounce;
  def.flocks[0].vehicles = {thrown({-0.7, 0, 500}, {40, 0, 0}), thrown({0.7, 0, 500}, {-40, 0, 0})};
  auto w = make(def);
  w->step(10);
  const auto ids = w->vehicles();
  EXPECT_LT(w->position_of(ids[0])[0], -0.15);
  EXPECT_GT(w->position_of(ids[1])[0], 0.15);
  EXPECT_NEAR(w->velocity_of(ids[0])[0], -20, 1e-3);  // half of 40 m/s comes back
  EXPECT_NEAR(w->velocity_of(ids[1])[0], 20, 1e-3);
}

TEST(contact, who_is_put_elsewhere_has_not_flown_there) {
  WorldDef def = falling(0.05);
  def.flocks[0].vehicles = {thrown({-50, 0, 500}, {0, 0, 0}), thrown({0, 0, 500}, {0, 0, 0})};
  auto w = make(def);
  w->step(2);
  const double z = w->position_of(w->vehicles()[0])[2];
  w->submit({.target = w->vehicles()[0], .payload = SetState{.position_W = {50, 0, z}, .velocity_W = w->velocity_of(w->vehicles()[0])}});
  w->step(2);
  EXPECT_TRUE(w->take_events().empty());
}

TEST(contact, a_wall_thinner_than_the_way_of_a_tick_is_hit) {
  for (const double tick : {0.01, 0.05, 0.1}) {
    WorldDef def = falling(tick);
    def.environment.obstacles =
        std::make_shared<const obstacles::Obstacles>(std::vector<obstacles::Obstacle>{{"wall", obstacles::Box{{20, 0, 500}, {0.1, 100, 100}, 0}}});
    def.flocks[0].node.contact = {ContactPolicy::Remove, 0.15, 1};
    for (int k = 0; k < 20; ++k) def.flocks[0].vehicles.push_back(thrown({0.1 * k, 2.0 * k - 20, 500}, {60, 0, 0}));
    auto w = make(def);
    w->step(static_cast<std::uint64_t>(0.6 / tick));
    std::size_t hits = 0;
    for (const Event& e : w->take_events()) hits += e.what.find("lost: against wall") != std::string::npos ? 1 : 0;
    EXPECT_EQ(hits, 20u) << tick;
  }
}

TEST(contact, a_fall_is_a_crash_whatever_the_tick) {
  for (const double tick : {0.005, 0.01, 0.05, 0.1})
    for (const double radius : {0.0, 0.1}) {
      WorldDef def = falling(tick);
      def.flocks[0].node.contact = {ContactPolicy::Remove, radius, 2};
      for (int k = 0; k < 20; ++k) def.flocks[0].vehicles.push_back(thrown({5.0 * k, 0, 4 + 0.07 * k}, {0, 0, 0}));
      auto w = make(def);
      w->step(static_cast<std::uint64_t>(1.5 / tick));
      std::size_t hits = 0;
      for (const Event& e : w->take_events()) hits += e.what.find("lost: against the ground") != std::string::npos ? 1 : 0;
      EXPECT_EQ(hits, 20u) << tick << " " << radius;
    }
}

// ---------------------------------------------------------------- size

TEST(contact, a_vehicle_is_as_large_as_its_airframe_unless_the_scenario_says_otherwise) {
  // hubs at 0.0325 m each way, propellers of 24 mm by their thrust: spheres of 70 mm
  const Airframe quadrotor = test::small_quadrotor();
  const auto* def = static_cast<const airframe::MultirotorDef*>(quadrotor.definition.get());
  const double radius = std::hypot(0.0325, 0.0325) + airframe::propeller_radius(def->motor);
  EXPECT_NEAR(radius, 0.07, 0.004);
  for (const double given : {0.0, 0.3}) {
    const double reach = 2 * (given > 0 ? given : radius);
    for (const double miss : {0.98 * reach, 1.02 * reach}) {
      WorldDef w = falling(0.01);
      w.flocks[0].node.contact.radius = given;
      w.flocks[0].vehicles = {thrown({-1, 0, 500}, {10, 0, 0}), thrown({1, miss, 500}, {-10, 0, 0})};
      auto world = make(w);
      world->step(30);
      EXPECT_EQ(world->take_events().empty(), miss > reach) << given << " " << miss;
    }
  }
}

TEST(extent, of_each_model_follows_from_its_measures) {
  using namespace airframe;
  MultirotorDef quad = *static_cast<const MultirotorDef*>(test::small_quadrotor().definition.get());
  quad.motor.radius = 0.1;
  quad.hull_top = 0.3;
  EXPECT_NEAR(extent(quad)[0], std::hypot(0.0325, 0.0325) + 0.1, 1e-12);
  EXPECT_NEAR(extent(quad)[2], 0.3, 1e-12);

  AircraftDef wing;
  wing.wing = {.area = 0.6, .span = 1.72, .chord = 0.35};
  EXPECT_EQ(extent(wing)[1], 0.86);
  AircraftRotorDef rotor;
  rotor.position = {0, 0.9, 0}, rotor.use = RotorUse::Lift, rotor.radius = 0.2;
  wing.rotors.push_back(rotor);
  EXPECT_NEAR(extent(wing)[1], 1.1, 1e-12);

  CarDef car;
  car.wheelbase = 2.5, car.to_front = 1, car.length = 4.5, car.width = 1.8, car.height = 0.5;
  EXPECT_EQ(extent(car), (Triple{2.5, 0.9, 0.5}));  // 1 m and an overhang of 1 m before, 2.5 m behind

  BalloonDef balloon;
  balloon.lift = 9.80665 * 1.225 * 4.18879020478639;  // a sphere of 1 m
  EXPECT_NEAR(vehicles::Balloon::extent(balloon)[0], 1, 1e-9);
  WalkerDef person;
  EXPECT_EQ(vehicles::Walker::extent(person), (Vec{0.2, 0.2, 0.2}));
}

// A wing is wide and flat: one that flies level past the ground at less than half its span touches nothing.
TEST(contact, the_ground_is_as_far_from_a_wide_vehicle_as_it_is_from_its_belly) {
  for (const double z : {0.04, 0.02}) {
    WorldDef w = falling(0.01);
    w.environment.gravity = 1e-3;
    w.flocks[0].node.contact = {ContactPolicy::Remove, 0, 1};
    w.flocks[0].vehicles = {thrown({0, 0, z}, {0, 0, -1.2})};
    auto world = make(w);
    world->step();
    EXPECT_EQ(world->n_vehicles(), z > 0.03 ? 1u : 0u) << z;  // 20 mm of feet, and 12 mm on the way
  }
}

}  // namespace
}  // namespace volary
