// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Every world of a batch equals the same world alone, bit for bit.
#include <map>

#include "engine/engine_test_support.hpp"
#include "math/hash.hpp"
#include "swarm/behaviours/all.hpp"
#include "swarm/tasks/predicate.hpp"

namespace volary {
namespace {

// random scenarios with all that could leak from one world into another
class RandomScenario {
 public:
  explicit RandomScenario(std::uint64_t seed) : state_(math::mix64(seed)) {}

  WorldDef make(int worlds) {
    WorldDef w = test::talking(4 + static_cast<int>(below(9)));
    w.seed = draw();
    w.worlds = worlds;
    w.duration = 2;
    w.environment.gust_sigma = below(2) == 0 ? 0 : 0.5;
    if (below(2) == 0) w.environment.weather.turbulence = {.form = TurbulenceModel::Dryden};
    FlockDef& f = w.flocks[0];
    f.node.contact.policy = static_cast<ContactPolicy>(below(4));
    f.node.contact.radius = 0.3;
    f.node.contact.speed = 0.2;
    f.node.estimate.position_noise = below(2) == 0 ? 0 : 0.3;
    f.node.detection.range = below(2) == 0 ? 0 : 8;
    f.node.behaviours = {test::behaviour<swarm::Reynolds>()};
    for (std::size_t k = 0; k < f.vehicles.size(); ++k) f.vehicles[k].position_W = {unit(8), unit(8), 5 + unit(3)};
    w.radio.model = static_cast<RadioModel>(below(static_cast<std::uint64_t>(RadioModel::LogDistance) + 1));
    w.radio.range = 6;
    w.radio.loss = below(2) == 0 ? 0 : 0.3;
    RegionDef pen;
    pen.name = "pen", pen.rule = RegionRule::KeepIn, pen.centre = {4, 4}, pen.radius = 5;
    w.regions = {pen};
    const auto one = static_cast<std::int64_t>(below(f.vehicles.size()));
    w.events = {{.time = 0.3, .what = "emergency_stop", .flock = "birds", .vehicle = one}, {.time = 0.5, .what = "wind", .flock = "", .value = {2, 0, 0}}};
    if (below(2) == 0) w.events.push_back({.time = 0.4, .what = "remove", .flock = "birds", .vehicle = one == 0 ? 1 : 0});
    swarm::Predicate alive, crashed;
    alive.test = swarm::Predicate::Alive{};
    crashed.test = swarm::Predicate::SpeedBelow{{}, 3};
    w.tasks = {{"alive", std::make_shared<const swarm::Predicate>(alive)}, {"slow", std::make_shared<const swarm::Predicate>(crashed), false}};
    return w;
  }

 private:
  std::uint64_t draw() { return math::mix64(state_ += 0x9e3779b97f4a7c15ull); }
  std::uint64_t below(std::uint64_t n) { return draw() % n; }
  double unit(double scale) { return scale * static_cast<double>(draw() >> 11) * 0x1p-53; }
  std::uint64_t state_;
};

std::string text_of(const Event& e) { return std::to_string(e.tick) + " " + std::to_string(e.vehicle.value) + " " + e.name + " " + e.what; }

// what people see of the worlds, tick by tick
struct Told {
  std::map<std::uint32_t, std::vector<std::string>> events;  // by world
  void take(World& w) {
    for (const Event& e : w.take_events())
      for (std::uint32_t k = 0; k < static_cast<std::uint32_t>(w.def().worlds); ++k)
        if (e.world == k || e.world == kEveryWorld) events[k].push_back(text_of(e));
  }
};

// spawned into world k, and somebody removed from it, in the middle of the run
void disturb(World& w, std::uint32_t world, std::uint64_t first_world) {
  const std::uint64_t before = (first_world + world) * kNumbersPerWorld;
  if (w.tick() == 20) w.submit({.target = {before + 2}, .payload = Remove{}});
  if (w.tick() == 25 || w.tick() == 26) w.submit({.payload = Spawn{"birds", {.world = world, .position_W = {1, 2, 6}, .mode = Mode::Hold}}});
}

TEST(batch, every_world_equals_the_same_world_alone_in_flight_radio_contact_tasks_and_events) {
  constexpr std::uint32_t kWorlds = 64;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const WorldDef def = RandomScenario(seed).make(static_cast<int>(kWorlds));
    auto batch = test::make(def, {.threads = 2});
    Told told;
    std::vector<std::vector<std::uint64_t>> hashes(kWorlds);
    for (int tick = 0; tick < 60; ++tick) {
      for (std::uint32_t k = 0; k < kWorlds; ++k) disturb(*batch, k, 0);
      batch->step(1);
      told.take(*batch);
      for (std::uint32_t k = 0; k < kWorlds; ++k) hashes[k].push_back(batch->hash_of_world(k));
    }
    EXPECT_NE(hashes[0].back(), hashes[1].back());
    for (std::uint32_t k = 0; k < kWorlds; k += seed == 1 ? 1 : 9) {
      WorldDef one = def;
      one.worlds = 1;
      one.first_world = static_cast<int>(k);
      auto alone = test::make(one);
      Told own;
      for (int tick = 0; tick < 60; ++tick) {
        disturb(*alone, 0, k);
        alone->step(1);
        own.take(*alone);
        ASSERT_EQ(alone->hash_of_world(0), hashes[k][static_cast<std::size_t>(tick)]) << "seed " << seed << ", world " << k << ", tick " << tick;
      }
      EXPECT_EQ(own.events[0], told.events[k]) << "seed " << seed << ", world " << k;
      const auto a = alone->tasks(0), b = batch->tasks(k);
      ASSERT_EQ(a.size(), b.size());
      for (std::size_t t = 0; t < a.size(); ++t) EXPECT_EQ(a[t].state + a[t].detail, b[t].state + b[t].detail);
    }
  }
}

TEST(batch, an_event_of_one_vehicle_acts_in_every_world) {
  WorldDef def = test::circling(3);
  def.worlds = 4;
  def.events = {{.time = 0.05, .what = "emergency_stop", .flock = "birds", .vehicle = 1}};
  auto w = test::make(def);
  w->step(10);
  for (std::uint64_t k = 0; k < 4; ++k) {
    EXPECT_EQ(w->mode_of({k * kNumbersPerWorld + 2}), Mode::EmergencyStop) << k;
    EXPECT_EQ(w->mode_of({k * kNumbersPerWorld + 1}), Mode::Mission) << k;
  }
}

TEST(batch, a_vehicle_that_diverges_is_its_own_worlds_affair) {
  WorldDef def = test::circling(3);
  def.worlds = 3;
  def.duration = 1;
  auto w = test::make(def);
  const VehicleId one = w->find("birds[1]", 1);
  ASSERT_EQ(w->world_of(one), 1u);
  w->submit({.target = one, .payload = SetParameter{"inv_mass", 0, 1e12}});
  w->step(20);
  std::size_t told = 0;
  for (const Event& e : w->take_events())
    if (e.what.starts_with("diverged")) {
      ++told;
      EXPECT_EQ(e.world, 1u);
    }
  EXPECT_EQ(told, 1u);
  EXPECT_FALSE(w->is_alive(one));
  EXPECT_EQ(w->n_vehicles(), 8u);
}

}  // namespace
}  // namespace volary
