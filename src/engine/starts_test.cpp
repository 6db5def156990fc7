// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Starts and winds that are drawn for each world and episode.
#include <algorithm>
#include <array>
#include <cmath>

#include "engine/engine_test_support.hpp"
#include "environment/obstacles.hpp"
#include "environment/terrain.hpp"
#include "swarm/behaviours/return_home.hpp"
#include "vehicles/walker.hpp"

namespace volary {
namespace {

// n vehicles that hold, 20 m up, without wind; every quantity is spread
WorldDef spread_world(int n, int worlds) {
  WorldDef w = test::circling(n);
  w.worlds = worlds;
  w.environment.wind_W = {0, 0, 0};
  w.environment.gust_sigma = 0;
  FlockDef& f = w.flocks[0];
  for (VehicleDef& v : f.vehicles) v.position_W[2] = 20, v.mode = Mode::Hold;
  f.spread = {.position_W = {2, 3, 4}, .velocity_W = {0.5, 1, 1.5}, .yaw = 0.7, .tilt = 0.4, .rate_B = {1, 2, 3}};
  return w;
}

WorldDef alone(WorldDef def, std::uint32_t world, std::uint32_t episode = 0) {
  def.worlds = 1;
  def.first_world = static_cast<int>(world);
  def.episode = episode;
  return def;
}

std::string refusal(const WorldDef& def) {
  std::string error;
  EXPECT_EQ(World::create(def, {}, &error), nullptr);
  return error;
}

double number(const World& w, const std::string& column, std::size_t slot, std::size_t k) { return w.view("birds", column).at(slot, k); }
Vec vec(const World& w, const std::string& column, std::size_t slot) {
  return {number(w, column, slot, 0), number(w, column, slot, 1), number(w, column, slot, 2)};
}

// smallest, greatest and mean
struct Range {
  double low = 1e300, high = -1e300, sum = 0;
  std::size_t n = 0;
  void add(double x) { low = std::min(low, x), high = std::max(high, x), sum += x, ++n; }
  double mean() const { return sum / static_cast<double>(n); }
};
// of 10,000 draws between -most and most: the ends are nearly reached, and the mean has a standard deviation of 0.0058 of it
void expect_uniform(const Range& r, double most, const std::string& what) {
  EXPECT_GE(r.low, -most * (1 + 1e-6)) << what;
  EXPECT_LE(r.high, most * (1 + 1e-6)) << what;
  EXPECT_LT(r.low, -0.995 * most) << what;
  EXPECT_GT(r.high, 0.995 * most) << what;
  EXPECT_NEAR(r.mean(), 0, 0.03 * most) << what;
}

// ---------------------------------------------------------------- what is drawn

struct Seen {
  std::array<Range, 3> position, velocity, rate;
  Range yaw, tilt, tilt_east;

  explicit Seen(const World& w) {
    for (std::size_t slot = 0; slot < static_cast<std::size_t>(w.def().worlds); ++slot) {
      const Vec p = w.position_of({slot * kNumbersPerWorld + 1}), v = vec(w, "velocity", slot), o = vec(w, "omega", slot);
      for (std::size_t k = 0; k < 3; ++k) position[k].add(p[k] - w.def().flocks[0].vehicles[0].position_W[k]), velocity[k].add(v[k]), rate[k].add(o[k]);
      double q[4];
      for (std::size_t k = 0; k < 4; ++k) q[k] = number(w, "attitude", slot, k);
      tilt.add(std::acos(std::clamp(1 - 2 * (q[1] * q[1] + q[2] * q[2]), -1.0, 1.0)));
      tilt_east.add(2 * (q[1] * q[3] + q[0] * q[2]));
      yaw.add(number(w, "setpoint.yaw", slot, 0));
      EXPECT_NEAR(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1, 1e-5);
    }
  }
};

void expect_spread(const World& w) {
  const Seen s(w);
  const SpreadDef& d = w.def().flocks[0].spread;
  for (std::size_t k = 0; k < 3; ++k) {
    expect_uniform(s.position[k], d.position_W[k], "position " + std::to_string(k));
    expect_uniform(s.velocity[k], d.velocity_W[k], "velocity " + std::to_string(k));
    expect_uniform(s.rate[k], d.rate_B[k], "rate " + std::to_string(k));
  }
  expect_uniform(s.yaw, d.yaw, "yaw");
  EXPECT_LT(s.tilt.high, d.tilt * (1 + 1e-4));
  EXPECT_GT(s.tilt.high, 0.99 * d.tilt);
  EXPECT_NEAR(s.tilt.mean(), 0.5 * d.tilt, 0.02 * d.tilt) << "the angle is uniform";
  EXPECT_NEAR(s.tilt_east.mean(), 0, 0.01 * d.tilt) << "in any direction";
}

TEST(starts, are_uniform_within_their_spread_over_ten_thousand_worlds_and_again_after_a_reset) {
  auto w = test::make(spread_world(1, 10'000));
  expect_spread(*w);
  const Vec before = w->position_of({1});
  w->step(3);
  w->reset(std::vector<std::uint8_t>(10'000, 1));
  expect_spread(*w);
  EXPECT_NE(w->position_of({1}), before);
  w->reset(std::vector<std::uint8_t>(10'000, 1), std::vector<std::uint32_t>(10'000, 0));
  EXPECT_EQ(w->position_of({1}), before) << "episode 0 is the first one again";
}

TEST(starts, of_a_vehicle_that_holds_or_is_armed_are_as_if_the_definition_said_so) {
  for (const Mode mode : {Mode::Hold, Mode::Armed}) {
    WorldDef def = spread_world(3, 1);
    def.flocks[0].spread.yaw = def.flocks[0].spread.tilt = 0;
    def.flocks[0].spread.rate_B = {0, 0, 0};
    for (VehicleDef& v : def.flocks[0].vehicles) v.mode = mode;
    auto drawn = test::make(def);
    WorldDef told = def;
    told.flocks[0].spread = {};
    for (std::size_t k = 0; k < 3; ++k) {
      told.flocks[0].vehicles[k].position_W = drawn->position_of({k + 1});
      told.flocks[0].vehicles[k].velocity_W = vec(*drawn, "velocity", k);
    }
    auto given = test::make(told);
    EXPECT_NE(told.flocks[0].vehicles[0].position_W, def.flocks[0].vehicles[0].position_W);
    EXPECT_EQ(drawn->hash(), given->hash());
    drawn->step(100), given->step(100);
    EXPECT_EQ(drawn->hash(), given->hash());
  }
}

TEST(starts, of_a_mission_keep_its_curve_and_the_vehicle_flies_to_it) {
  WorldDef def = test::circling(1);
  def.environment.wind_W = {0, 0, 0};
  def.environment.gust_sigma = 0;
  def.flocks[0].vehicles[0].position_W[2] = def.flocks[0].vehicles[0].centre_W[2] = 10;
  def.flocks[0].spread.position_W = {3, 3, 2};
  auto drawn = test::make(def);
  WorldDef told = def;
  told.flocks[0].spread = {};
  told.flocks[0].vehicles[0].position_W = drawn->position_of({1});
  auto given = test::make(told);
  const auto far = [](const Vec& a, const Vec& b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); };
  EXPECT_GT(far(drawn->position_of({1}), def.flocks[0].vehicles[0].position_W), 1);
  drawn->step(300), given->step(300);
  EXPECT_LT(far(drawn->position_of({1}), given->position_of({1})), 1e-3) << "the way to the curve is planned from where it starts";
  WorldDef plain = def;
  plain.flocks[0].spread = {};
  auto on_curve = test::make(plain);
  drawn->step(900), on_curve->step(1200);
  EXPECT_LT(far(drawn->position_of({1}), on_curve->position_of({1})), 0.05) << "the curve is that of the definition";
}

TEST(starts, of_others_and_of_other_quantities_do_not_change_when_something_is_added) {
  const WorldDef def = spread_world(4, 2);
  auto w = test::make(def);
  WorldDef more = def;
  more.flocks.insert(more.flocks.begin(), def.flocks[0]);
  more.flocks[0].name = "others";
  more.flocks[1].vehicles.push_back(def.flocks[0].vehicles[0]);
  auto with_others = test::make(more);
  WorldDef less = def;
  less.flocks[0].spread.velocity_W = less.flocks[0].spread.rate_B = {0, 0, 0};
  less.flocks[0].spread.tilt = 0;
  auto only_places = test::make(less);
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(w->position_of({k + 1}), with_others->position_of({k + 5}));
    EXPECT_NE(w->position_of({k + 1}), with_others->position_of({k + 1})) << "a flock of another name has draws of its own";
    EXPECT_EQ(w->position_of({k + 1}), only_places->position_of({k + 1}));
  }
}

TEST(starts, of_vehicles_that_are_spawned_later_are_as_they_are_told) {
  auto w = test::make(spread_world(1, 1));
  w->submit({.payload = Spawn{"birds", {.position_W = {7, 8, 30}, .mode = Mode::Hold}}});
  w->step(1);
  const Vec p = w->position_of({2});
  EXPECT_NEAR(p[0], 7, 0.01);
  EXPECT_NEAR(p[1], 8, 0.01);
  EXPECT_NEAR(p[2], 30, 0.01);
}

// ---------------------------------------------------------------- the same bits

TEST(starts, of_a_world_of_a_batch_are_those_of_the_world_alone_in_every_episode_whatever_threads_and_lanes) {
  for (const Precision precision : {Precision::Float, Precision::Double}) {
    WorldDef def = spread_world(3, 20);
    def.precision = precision;
    def.environment.wind_W = {1, -1, 0};
    def.environment.wind_spread_W = {2, 3, 0.5};
    def.environment.gust_sigma = 0.3;
    def.flocks[0].vehicles[2].mode = Mode::Mission;
    std::vector<std::uint8_t> mask(20);
    std::vector<std::uint32_t> episodes(20);
    for (std::uint32_t k = 0; k < 20; ++k) mask[k] = k % 3 == 0 ? 1 : 0, episodes[k] = k / 3 + 1;
    std::vector<std::uint64_t> first, later;  // by world
    for (std::uint32_t k = 0; k < 20; ++k) {
      auto one = test::make(alone(def, k));
      one->step(10);
      first.push_back(one->hash_of_world(0));
      auto next = test::make(alone(def, k, mask[k] != 0 ? episodes[k] : 0));
      next->step(mask[k] != 0 ? 15 : 25);
      later.push_back(next->hash_of_world(0));
    }
    for (const int lanes : {1, 8, 16})
      for (const int threads : {1, 2, 7}) {
        std::string error;
        auto batch = World::create(def, {.threads = threads, .lanes = lanes, .force_split = true}, &error);
        if (batch == nullptr && error.find("lanes") != std::string::npos) continue;  // of a CPU that has none so wide
        ASSERT_NE(batch, nullptr) << error;
        batch->step(10);
        for (std::uint32_t k = 0; k < 20; ++k) EXPECT_EQ(batch->hash_of_world(k), first[k]) << lanes << " lanes, " << threads << " threads, world " << k;
        batch->reset(mask, episodes);
        batch->step(15);
        for (std::uint32_t k = 0; k < 20; ++k) EXPECT_EQ(batch->hash_of_world(k), later[k]) << lanes << " lanes, " << threads << " threads, world " << k;
      }
  }
}

TEST(starts, are_in_snapshots_and_a_world_that_was_restored_draws_on) {
  WorldDef def = spread_world(2, 5);
  def.environment.wind_spread_W = {2, 2, 0};
  auto w = test::make(def);
  w->step(5);
  w->reset(std::vector<std::uint8_t>{0, 1, 0, 1, 0});
  w->step(5);
  const auto kept = w->snapshot();
  const auto fly = [](World& x) {
    x.step(5);
    x.reset(std::vector<std::uint8_t>{1, 1, 0, 0, 0});
    x.step(20);
    return x.hash();
  };
  const std::uint64_t once = fly(*w);
  std::string error;
  ASSERT_TRUE(w->restore(*kept, &error)) << error;
  EXPECT_EQ(fly(*w), once);
  auto other = test::make(def);
  ASSERT_TRUE(other->restore(*kept, &error)) << error;
  EXPECT_EQ(fly(*other), once);
}

TEST(starts, are_the_homes_that_vehicles_return_to_in_every_episode) {
  WorldDef def = spread_world(1, 3);
  def.flocks[0].spread = {.position_W = {8, 8, 0}};
  def.flocks[0].node.behaviours = {test::behaviour<swarm::ReturnHome>({.height = 20, .land = false})};
  auto w = test::make(def);
  for (int episode = 0; episode < 2; ++episode) {
    std::vector<Vec> homes;
    for (std::uint64_t k = 0; k < 3; ++k) homes.push_back(w->position_of({k * kNumbersPerWorld + 1}));
    EXPECT_NE(homes[0], homes[1]);
    w->step(500);
    for (std::uint64_t k = 0; k < 3; ++k)
      for (std::size_t i = 0; i < 3; ++i)
        EXPECT_NEAR(w->position_of({k * kNumbersPerWorld + 1})[i], homes[k][i], 0.3) << "episode " << episode << ", world " << k;
    w->reset(std::vector<std::uint8_t>(3, 1));
  }
}

// ---------------------------------------------------------------- wind

TEST(wind_spread, gives_each_world_and_episode_a_wind_of_its_own) {
  WorldDef def = spread_world(1, 10'000);
  def.flocks[0].spread = {};
  def.environment.wind_W = {1, 2, 3};
  def.environment.wind_spread_W = {4, 5, 0};
  auto w = test::make(def);
  const auto ranges = [&] {
    std::array<Range, 3> r;
    for (std::uint32_t k = 0; k < 10'000; ++k) {
      const Vec wind = w->air_at({0, 0, 10}, k).wind_W;
      for (std::size_t i = 0; i < 3; ++i) {
        r[i].add(wind[i] - def.environment.wind_W[i]);
        EXPECT_FLOAT_EQ(static_cast<float>(wind[i]), static_cast<float>(number(*w, "wind", k, i)));
      }
    }
    return r;
  };
  for (int episode = 0; episode < 2; ++episode) {
    const std::array<Range, 3> r = ranges();
    expect_uniform(r[0], 4, "east");
    expect_uniform(r[1], 5, "north");
    EXPECT_EQ(r[2].low, 0);
    EXPECT_EQ(r[2].high, 0);
    w->step(1);
    w->reset(std::vector<std::uint8_t>(10'000, 1));
  }
  const Vec before = w->air_at({0, 0, 10}, 7).wind_W;
  w->reset(std::vector<std::uint8_t>(10'000, 1), std::vector<std::uint32_t>(10'000, 2));
  EXPECT_EQ(w->air_at({0, 0, 10}, 7).wind_W, before) << "of the same episode";
}

TEST(wind_spread, ends_with_a_wind_that_is_set_and_is_added_to_it_in_the_next_episode) {
  WorldDef def = spread_world(1, 3);
  def.environment.wind_spread_W = {4, 4, 4};
  auto w = test::make(def);
  const Vec drawn = w->air_at({0, 0, 10}, 1).wind_W;
  EXPECT_NE(drawn, w->air_at({0, 0, 10}, 2).wind_W);
  w->submit({.payload = SetWind{{10, 0, 0}}});
  w->step(1);
  for (std::uint32_t k = 0; k < 3; ++k) EXPECT_EQ(w->air_at({0, 0, 10}, k).wind_W, (Vec{10, 0, 0}));
  w->reset(std::vector<std::uint8_t>{0, 1, 0}, std::vector<std::uint32_t>{0, 0, 0});
  EXPECT_EQ(w->air_at({0, 0, 10}, 0).wind_W, (Vec{10, 0, 0}));
  const Vec again = w->air_at({0, 0, 10}, 1).wind_W;
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(again[k], drawn[k] + (k == 0 ? 10 : 0), 1e-12);
    EXPECT_NEAR(number(*w, "wind", 1, k), again[k], 1e-6);
  }
  w->reset(std::vector<std::uint8_t>(3, 1), std::vector<std::uint32_t>(3, 0));
  EXPECT_EQ(w->air_at({0, 0, 10}, 1).wind_W, drawn) << "all begin again: the wind is that of the definition";
}

TEST(wind_spread, is_refused_with_weather_at_the_start_and_in_flight) {
  WorldDef def = spread_world(1, 1);
  def.environment.wind_spread_W = {1, 0, 0};
  auto w = test::make(def);
  w->submit({.payload = SetField{"environment.wind_spread", "[0, 0, 0]"}});
  w->submit({.payload = SetField{"environment.turbulence.form", "dryden"}});
  w->step(1);
  std::string told;
  for (const Event& e : w->take_events()) told += e.what + "\n";
  EXPECT_NE(told.find("environment.wind_spread: cannot be changed in flight"), std::string::npos) << told;
  EXPECT_NE(told.find("refused: environment.wind_spread: is only for worlds without weather"), std::string::npos) << told;
  def.environment.weather.turbulence.form = TurbulenceModel::Dryden;
  EXPECT_NE(refusal(def).find("environment.wind_spread"), std::string::npos);
  def.environment.weather = {};
  def.environment.wind_spread_W = {0, -1, 0};
  EXPECT_NE(refusal(def).find("environment.wind_spread: must be from 0 to 100 m/s"), std::string::npos);
}

// ---------------------------------------------------------------- what is refused

TEST(starts, below_the_ground_or_touching_it_are_refused_with_the_field) {
  WorldDef def = spread_world(2, 1);
  FlockDef& f = def.flocks[0];
  f.vehicles[1].position_W[2] = 3.9;
  EXPECT_NE(refusal(def).find("flocks.birds.spread.position: birds[1], at 3.9 m, would start below the ground"), std::string::npos) << refusal(def);
  f.vehicles[1].position_W[2] = 4.01;
  EXPECT_NE(refusal(def).find("flocks.birds.spread.position: birds[1], at 4.01 m, would start touching the ground"), std::string::npos) << refusal(def);
  f.vehicles[1].position_W[2] = 4.05;
  EXPECT_NE(refusal(def).find("flocks.birds.spread.tilt: birds[1], at 4.05 m, would start touching the ground when it is tilted"), std::string::npos)
      << refusal(def);
  f.vehicles[1].position_W[2] = 4.5;
  test::make(def);
  def.environment.ground_height = 1;
  EXPECT_NE(refusal(def).find("would start below the ground"), std::string::npos);
  def.environment.ground = false;
  test::make(def);
}

TEST(starts, of_vehicles_on_the_ground_move_along_it_and_do_nothing_else) {
  WorldDef def = spread_world(1, 30);
  FlockDef& f = def.flocks[0];
  f.vehicles[0].position_W[2] = 0;
  f.vehicles[0].mode = Mode::Disarmed;
  const auto why = [&](SpreadDef s) {
    f.spread = s;
    return refusal(def);
  };
  EXPECT_NE(why({.position_W = {1, 1, 0.1}}).find("spread.position: birds[0] starts on the ground"), std::string::npos);
  EXPECT_NE(why({.velocity_W = {1, 0, 0}}).find("spread.velocity"), std::string::npos);
  EXPECT_NE(why({.tilt = 0.1}).find("spread.tilt"), std::string::npos);
  EXPECT_NE(why({.rate_B = {0, 0, 1}}).find("spread.rates"), std::string::npos);
  f.spread = {.position_W = {5, 5, 0}, .yaw = 3};
  auto w = test::make(def);
  std::vector<Vec> at;
  for (std::uint64_t k = 0; k < 30; ++k) at.push_back(w->position_of({k * kNumbersPerWorld + 1}));
  w->step(200);
  for (std::uint64_t k = 0; k < 30; ++k) {
    const Vec p = w->position_of({k * kNumbersPerWorld + 1});
    EXPECT_GT(std::abs(at[k][0]) + std::abs(at[k][1] - 0.3), 0.01);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(p[i], at[k][i], 1e-3) << "it rests where it starts";
  }
}

TEST(starts, take_off_from_where_they_are_drawn) {
  WorldDef def = spread_world(1, 1);
  FlockDef& f = def.flocks[0];
  f.vehicles[0].position_W[2] = 0;
  f.spread = {.position_W = {5, 5, 0}, .yaw = 1};
  auto w = test::make(def);
  const Vec at = w->position_of({1});
  EXPECT_GT(std::abs(at[0]), 0.01);
  w->step(600);
  const Vec p = w->position_of({1});
  EXPECT_NEAR(p[0], at[0], 0.02);
  EXPECT_NEAR(p[1], at[1], 0.02);
  EXPECT_NEAR(p[2], at[2] + 1.5, 0.05);
}

// a slope that rises by 1 m in 10 m eastwards from x = 0
std::shared_ptr<const terrain::Terrain> slope() {
  terrain::Heights h{21, 3, -100, -100, 10, 100, {}};
  for (std::size_t row = 0; row < 3; ++row)
    for (int column = 0; column < 21; ++column) h.up.push_back(static_cast<float>(std::max(0, column - 10)));
  return std::make_shared<const terrain::Terrain>(std::move(h));
}

TEST(starts, over_terrain_and_beside_obstacles_are_above_and_outside_wherever_they_are_drawn) {
  WorldDef def = spread_world(1, 1);
  def.environment.terrain = slope();
  def.flocks[0].vehicles[0].position_W = {0, 0, 5};
  def.flocks[0].spread = {.position_W = {45, 10, 0}};
  test::make(def);
  def.flocks[0].spread.position_W[0] = 55;
  EXPECT_NE(refusal(def).find("spread.position: birds[0], at 5 m, would start below the ground"), std::string::npos) << refusal(def);
  def.flocks[0].spread.position_W = {45, 10, 0.6};
  EXPECT_NE(refusal(def).find("ground is at up to 4.5 m there"), std::string::npos) << refusal(def);
  def.flocks[0].vehicles[0].position_W[2] = 0;
  def.flocks[0].spread.position_W[2] = 0;
  EXPECT_NE(refusal(def).find("starts on the ground, which is not flat"), std::string::npos) << refusal(def);
  def.environment.terrain = nullptr;
  def.flocks[0].vehicles[0].position_W[2] = 30;
  obstacles::Obstacle ball;
  ball.name = "ball", ball.shape = obstacles::Sphere{{0, 20, 30}, 5};
  def.environment.obstacles = std::make_shared<const obstacles::Obstacles>(std::vector<obstacles::Obstacle>{ball});
  def.flocks[0].spread.position_W = {3, 14.9, 0};
  EXPECT_NE(refusal(def).find("birds[0] could start in the obstacle 'ball'"), std::string::npos) << refusal(def);
  def.flocks[0].spread.position_W = {3, 14, 0};
  test::make(def);
}

TEST(starts, of_walkers_follow_the_terrain) {
  WorldDef def = spread_world(1, 40);
  def.environment.terrain = slope();
  auto walker = std::make_shared<airframe::WalkerDef>();
  walker->name = "walker", walker->height = 1;
  FlockDef& f = def.flocks[0];
  f.airframe = {"walker", walker->name, walker};
  f.vehicles[0].position_W = {50, 0, 0};
  f.spread = {.position_W = {20, 20, 0}, .velocity_W = {1, 1, 0}, .yaw = 1};
  auto w = test::make(def);
  for (std::uint64_t k = 0; k < 40; ++k) {
    const Vec p = w->position_of({k * kNumbersPerWorld + 1});
    EXPECT_NEAR(p[2], 0.1 * p[0] + 1, 1e-5);
    EXPECT_NE(p[0], 50);
  }
  f.spread.position_W[2] = 1;
  EXPECT_NE(refusal(def).find("spread.position: birds[0] starts on the ground"), std::string::npos);
  f.spread = {.rate_B = {0, 0, 1}};
  EXPECT_NE(refusal(def).find("spread.rates: 'walker' is a walker, whose body rates are set by its model"), std::string::npos) << refusal(def);
}

TEST(starts, with_numbers_that_mean_nothing_are_refused) {
  WorldDef def = spread_world(1, 1);
  SpreadDef& s = def.flocks[0].spread;
  const SpreadDef good = s;
  s.position_W[1] = -1;
  EXPECT_NE(refusal(def).find("flocks.birds.spread.position: must be from 0"), std::string::npos);
  s = good, s.yaw = 4;
  EXPECT_NE(refusal(def).find("flocks.birds.spread.yaw"), std::string::npos);
  s = good, s.rate_B[0] = std::nan("");
  EXPECT_NE(refusal(def).find("flocks.birds.spread.rates"), std::string::npos);
  s = good, def.flocks[0].mirror = true;
  EXPECT_NE(refusal(def).find("flocks.birds.spread: a mirror starts where its source puts it"), std::string::npos);
}

}  // namespace
}  // namespace volary
