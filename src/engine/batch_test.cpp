// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Every world of a batch equals the same world alone, bit for bit.
#include <map>

#include "engine/random_scenario_test_support.hpp"

namespace volary {
namespace {

// as its world tells it, whose episode began at some tick of the batch
std::string text_of(const Event& e, std::uint64_t began = 0) {
  return std::to_string(e.tick - began) + " " + std::to_string(e.vehicle.value) + " " + e.name + " " + e.what;
}

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
  const std::uint64_t tick = w.tick_of_world(world);
  if (tick == 20) w.submit({.target = {before + 2}, .payload = Remove{}});
  if (tick == 25 || tick == 26) w.submit({.payload = Spawn{"birds", {.world = world, .position_W = {1, 2, 6}, .mode = Mode::Hold}}});
}

TEST(batch, every_world_equals_the_same_world_alone_in_flight_radio_contact_tasks_and_events) {
  constexpr std::uint32_t kWorlds = 64;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const WorldDef def = test::RandomScenario(seed).make(static_cast<int>(kWorlds));
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

// ---------------------------------------------------------------- worlds that begin again

// one flight of a world within a batch
struct Episode {
  std::uint32_t number = 0;
  std::uint64_t began = 0;                // tick of the batch
  std::size_t ticks = 0;
  std::vector<std::uint64_t> hashes;      // after each of its ticks, or after the last
  std::vector<std::string> events;
  std::vector<std::string> tasks;         // at its end
};

std::vector<std::string> tasks_of(const World& w, std::uint32_t world) {
  std::vector<std::string> list;
  for (const TaskStanding& t : w.tasks(world)) list.push_back(t.name + " " + t.state + " " + std::to_string(t.since) + " " + t.detail);
  return list;
}

// the episodes of every world of a batch in which one in `rarely` ends at each tick
std::vector<std::vector<Episode>> fly_with_resets(World& w, int ticks, std::uint64_t rarely, bool every_tick = true) {
  const auto n = static_cast<std::uint32_t>(w.def().worlds);
  const auto first_world = static_cast<std::uint64_t>(w.def().first_world);
  std::vector<std::vector<Episode>> flown(n, std::vector<Episode>(1));
  std::vector<std::uint8_t> mask(n);
  std::vector<std::uint32_t> episodes(n);
  for (int tick = 0; tick < ticks; ++tick) {
    for (std::uint32_t k = 0; k < n; ++k) {
      const std::uint64_t chance = math::mix64(math::mix64(w.def().seed + k) + static_cast<std::uint64_t>(tick));
      mask[k] = tick > 0 && chance % rarely == 0 ? 1 : 0;
      episodes[k] = static_cast<std::uint32_t>(chance >> 32) % 4;
      if (mask[k] == 0) continue;
      flown[k].back().tasks = tasks_of(w, k);
      if (!every_tick) flown[k].back().hashes = {w.hash_of_world(k)};
      flown[k].push_back({episodes[k], w.tick(), 0, {}, {}, {}});
    }
    w.reset(mask, episodes);
    for (std::uint32_t k = 0; k < n; ++k) disturb(w, k, first_world);
    w.step(1);
    for (const Event& e : w.take_events())
      if (e.world < n) flown[e.world].back().events.push_back(text_of(e, flown[e.world].back().began));
    for (std::uint32_t k = 0; k < n; ++k) {
      ++flown[k].back().ticks;
      if (every_tick) flown[k].back().hashes.push_back(w.hash_of_world(k));
    }
  }
  for (std::uint32_t k = 0; k < n; ++k) {
    flown[k].back().tasks = tasks_of(w, k);
    if (!every_tick) flown[k].back().hashes = {w.hash_of_world(k)};
  }
  return flown;
}

// an episode of a world against the same one alone
void expect_alone(const WorldDef& batch, std::uint32_t world, const Episode& episode) {
  WorldDef one = batch;
  one.worlds = 1;
  one.first_world = batch.first_world + static_cast<int>(world);
  one.episode = episode.number;
  auto alone = test::make(one);
  std::vector<std::string> events;
  for (std::size_t tick = 0; tick < episode.ticks; ++tick) {
    disturb(*alone, 0, static_cast<std::uint64_t>(one.first_world));
    alone->step(1);
    for (const Event& e : alone->take_events()) events.push_back(text_of(e));
    if (episode.hashes.size() == 1 && tick + 1 < episode.ticks) continue;
    ASSERT_EQ(alone->hash_of_world(0), episode.hashes.size() == 1 ? episode.hashes[0] : episode.hashes[tick])
        << "world " << world << ", episode " << episode.number << ", tick " << tick;
  }
  EXPECT_EQ(events, episode.events) << "world " << world << ", episode " << episode.number;
  EXPECT_EQ(tasks_of(*alone, 0), episode.tasks) << "world " << world << ", episode " << episode.number;
}

TEST(batch, worlds_that_begin_again_at_random_equal_the_same_world_and_episode_alone) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    WorldDef def = test::RandomScenario(seed).make(24);
    def.first_world = static_cast<int>(seed % 3);
    def.duration = 0.7;  // some episodes are longer
    auto batch = test::make(def, {.threads = 2, .force_split = true});
    const auto flown = fly_with_resets(*batch, 150, 40);
    std::size_t episodes = 0;
    for (std::uint32_t k = 0; k < flown.size(); k += 3)
      for (const Episode& e : flown[k]) {
        ++episodes;
        expect_alone(def, k, e);
        if (HasFatalFailure()) FAIL() << "seed " << seed;
      }
    EXPECT_GT(episodes, 16u);
  }
}

// minutes: cmake/tests.cmake runs it among the long tests
TEST(long_batch, DISABLED_4096_worlds_of_16_that_begin_again_at_random_equal_themselves_alone) {
  WorldDef def = test::RandomScenario(5).make(4096);
  FlockDef& f = def.flocks[0];
  while (f.vehicles.size() < 16) f.vehicles.push_back(f.vehicles.back()), f.vehicles.back().position_W[2] += 1.5;
  f.vehicles.resize(16);
  auto batch = test::make(def, {.threads = 2});
  const auto flown = fly_with_resets(*batch, 500, 200, false);
  std::size_t episodes = 0;
  for (std::uint32_t k = 0; k < flown.size(); ++k)
    for (const Episode& e : flown[k]) {
      ++episodes;
      expect_alone(def, k, e);
      if (HasFatalFailure()) FAIL();
    }
  EXPECT_GT(episodes, 8000u);
}

TEST(batch, episode_0_repeats_the_first_flight_and_another_draws_anew) {
  WorldDef def = test::RandomScenario(3).make(1);
  def.environment.gust_sigma = 0.5;
  auto w = test::make(def);
  const std::vector<std::uint8_t> all = {1};
  std::vector<std::vector<std::uint64_t>> flown;
  for (const std::uint32_t episode : {0u, 0u, 1u, 1u, 0u}) {
    if (!flown.empty()) w->reset(all, std::vector<std::uint32_t>{episode});
    flown.emplace_back();
    for (int tick = 0; tick < 60; ++tick) w->step(1), flown.back().push_back(w->hash_of_world(0));
    EXPECT_EQ(w->episode_of_world(0), episode);
    EXPECT_EQ(w->tick_of_world(0), 60u);
  }
  EXPECT_EQ(flown[1], flown[0]);
  EXPECT_EQ(flown[4], flown[0]);
  EXPECT_EQ(flown[3], flown[2]);
  EXPECT_NE(flown[2].back(), flown[0].back());
  w->reset(all);
  EXPECT_EQ(w->episode_of_world(0), 1u) << "the next one";
}

TEST(batch, a_snapshot_of_worlds_at_different_ticks_goes_on_as_they_do) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const WorldDef def = test::RandomScenario(seed).make(6);
    auto w = test::make(def);
    fly_with_resets(*w, 70, 20);
    std::string error;
    const auto saved = w->read_snapshot(World::snapshot_bytes(*w->snapshot()), &error);
    ASSERT_NE(saved, nullptr) << error;
    auto other = test::make(def);
    ASSERT_TRUE(other->restore(*saved, &error)) << error;
    const std::vector<std::uint8_t> some = {0, 1, 0, 0, 1, 0};
    for (World* one : {w.get(), other.get()}) one->step(30), one->reset(some), one->step(30);
    EXPECT_EQ(w->hash(), other->hash()) << "seed " << seed;
    w->restore(*saved);
    w->step(30), w->reset(some), w->step(30);
    EXPECT_EQ(w->hash(), other->hash()) << "seed " << seed;
  }
}

TEST(batch, threads_and_lanes_change_no_bit_where_worlds_are_at_different_ticks) {
  for (const Precision precision : {Precision::Float, Precision::Double}) {
    WorldDef def = test::RandomScenario(2).make(9);
    def.precision = precision;
    def.tick_ns = 4'000'000;  // gusts come at every third tick, in each world at others
    def.environment.gust_sigma = 0.5;
    def.environment.weather.gusts = {{.amplitude = {0, 3, 0}, .ahead = {-1, 0, 0}, .speed = 20, .length = 30, .returns = true}};
    std::uint64_t hash = 0;
    for (const int lanes : available_lanes())
      for (const int threads : {1, 3}) {
        auto w = test::make(def, {.threads = threads, .lanes = lanes, .force_split = true});
        fly_with_resets(*w, 60, 15);
        if (hash == 0) hash = w->hash();
        EXPECT_EQ(w->hash(), hash) << lanes << " lanes, " << threads << " threads";
      }
  }
}

TEST(batch, a_field_that_was_changed_returns_to_the_definition_only_when_all_worlds_begin_again) {
  WorldDef def = test::circling(2);
  def.worlds = 2;
  auto w = test::make(def);
  w->submit({.payload = SetWind{{7, 0, 0}}});
  w->step(1);
  w->reset(std::vector<std::uint8_t>{1, 0});
  w->step(1);
  EXPECT_EQ(w->view("birds", "wind").at(0), 7);
  w->reset(std::vector<std::uint8_t>{1, 1});
  w->step(1);
  for (std::size_t slot = 0; slot < 4; ++slot) EXPECT_EQ(w->view("birds", "wind").at(slot), 1);
  EXPECT_THROW(w->reset(std::vector<std::uint8_t>{1}), std::invalid_argument);
}

TEST(batch, vehicles_that_crashed_are_sound_when_their_world_begins_again_and_crash_again) {
  WorldDef def = test::meeting(ContactPolicy::Crash, 3);
  def.worlds = 2;
  auto w = test::collide(def, 3);
  const VehicleId mine = w->vehicles()[0], other = w->vehicles()[2];
  ASSERT_EQ(w->world_of(other), 1u);
  std::vector<std::vector<std::string>> told;
  for (int flight = 0; flight < 2; ++flight) {
    const std::uint64_t began = w->tick();
    w->step(150);
    told.emplace_back();
    for (const Event& e : w->take_events())
      if (e.world == 0) told.back().push_back(text_of(e, began));
    EXPECT_TRUE(w->has_crashed(mine));
    w->reset(std::vector<std::uint8_t>{1, 0}, std::vector<std::uint32_t>{0, 0});
    EXPECT_FALSE(w->has_crashed(mine));
    EXPECT_TRUE(w->has_crashed(other));
    for (const VehicleId id : {mine, w->vehicles()[1]})
      w->submit({.target = id, .payload = SetSetpoint{.level = ControlLevel::Velocity, .velocity_W = {w->position_of(id)[0] < 0 ? 3.0 : -3.0, 0, 0}}});
  }
  EXPECT_FALSE(told[0].empty());
  EXPECT_EQ(told[1], told[0]);
}

TEST(batch, a_rotor_that_failed_turns_again_when_its_world_begins_again) {
  WorldDef def = test::circling(1), one = def;
  def.worlds = 2;
  auto w = test::make(def), alone = test::make(one);
  w->submit({.target = {1}, .payload = FailRotor{0}});
  w->step(5);
  w->reset(std::vector<std::uint8_t>{1, 0}, std::vector<std::uint32_t>{0, 0});
  for (World* both : {w.get(), alone.get()}) {
    both->submit({.target = {1}, .payload = FailRotor{1}});
    both->step(20);
  }
  EXPECT_EQ(w->hash_of_world(0), alone->hash_of_world(0)) << "the second one failed, and the first one not";
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
