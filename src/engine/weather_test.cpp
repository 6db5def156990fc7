// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Vehicles in weather: what air they meet, that it is the same air whoever computes it, and that it can be changed and gone back to.
#include <algorithm>
#include <cmath>

#include "engine/engine_test_support.hpp"
#include "environment/terrain.hpp"
#include "environment/wind_field.hpp"
#include "vehicles/balloon.hpp"

namespace volary {
namespace {

using test::make;

// n quadrotors that hold, 3 m apart, at 20 m over flat ground
WorldDef holding(int n) {
  WorldDef w = test::circling(n);
  w.environment = {};
  for (int i = 0; i < n; ++i) {
    VehicleDef& v = w.flocks[0].vehicles[static_cast<std::size_t>(i)];
    v.position_W = v.centre_W = {3.0 * i, 0, 20};
    v.harmonic = {};
    v.mode = Mode::Hold;
  }
  return w;
}
WorldDef stormy(int n) {
  WorldDef w = holding(n);
  w.environment.wind_W = {5, 2, 0};
  w.environment.weather.origin = OriginDef{47.3, 8.5, 440};
  w.environment.weather.shear.law = ShearLaw::Log;
  w.environment.weather.turbulence.form = TurbulenceModel::Dryden;
  w.environment.weather.turbulence.intensity = 8;
  return w;
}

Vec wind_of(const World& w, std::size_t k) {
  const View v = w.view("birds", "wind");
  return {v.at(k, 0), v.at(k, 1), v.at(k, 2)};
}
double distance(const Vec& a, const Vec& b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }
void set(World& w, const char* path, const char* value) {
  Input in;
  in.payload = SetField{path, value};
  w.submit(in);
}
void set_wind(World& w, const Vec& wind, VehicleId id = {}) {
  Input in;
  in.target = id;
  in.payload = SetWind{wind};
  w.submit(in);
}
std::string value_of(const World& w, const std::string& path) {
  for (const LiveValue& f : w.fields_of({}))
    if (f.path == path) return f.value;
  return "none";
}
bool tells(World& w, const std::string& text) {
  const auto events = w.take_events();
  return std::any_of(events.begin(), events.end(), [&](const Event& e) { return e.what.find(text) != std::string::npos; });
}

TEST(weather, a_plain_world_has_one_wind_and_the_air_of_the_sea) {
  WorldDef def = holding(3);
  def.environment.wind_W = {1, 2, 0};
  auto w = make(def);
  w->step(10);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(wind_of(*w, k), (Vec{1, 2, 0}));
    EXPECT_FLOAT_EQ(static_cast<float>(w->view("birds", "air_density").at(k)), 1.225f);
  }
  EXPECT_EQ(w->air_at({0, 0, 500}).wind_W, (Vec{1, 2, 0}));
  EXPECT_EQ(w->air_at({0, 0, 500}).density, 1.225);
}

// ln(h / z0) / ln(h_ref / z0), MIL-F-8785C, with the terrain below each counted
TEST(weather, a_sheared_wind_grows_with_the_height_above_the_ground_below) {
  WorldDef def = holding(3);
  def.precision = Precision::Double;
  def.environment.wind_W = {4, 0, 0};
  def.environment.weather.shear.law = ShearLaw::Log;
  terrain::Heights h{3, 3, -500, -500, 500, 500, {}};
  h.up.assign(9, 100.0f);
  def.environment.terrain = std::make_shared<const terrain::Terrain>(std::move(h));
  const double above[3] = {5, 20, 80};
  for (std::size_t k = 0; k < 3; ++k) def.flocks[0].vehicles[k].position_W[2] = 100 + above[k];
  auto w = make(def);
  w->step(1);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(wind_of(*w, k)[0], 4 * std::log(above[k] / 0.0457) / std::log(6.096 / 0.0457), 1e-3) << above[k];
}

TEST(weather, what_a_vehicle_meets_is_what_the_world_says_of_its_place) {
  WorldDef def = stormy(4);
  def.precision = Precision::Double;
  auto w = make(def);
  for (int t = 0; t < 50; ++t) {
    const AirSample before = w->air_at(w->position_of(w->vehicles()[2]));
    w->step(1);
    ASSERT_NEAR(distance(wind_of(*w, 2), before.wind_W), 0, 1e-12);
    ASSERT_NEAR(w->view("birds", "air_density").at(2), before.density, 1e-15);
  }
}

// two places r apart differ by sqrt(2 (1 - exp(-r / L))) sigma and more or less: a sixth of those far apart for 0.5 m and eddies of 20 m
TEST(weather, near_vehicles_feel_nearly_the_same_wind_and_far_ones_do_not) {
  WorldDef def = stormy(3);
  def.flocks[0].vehicles[1].position_W = {0.5, 0, 20};
  def.flocks[0].vehicles[2].position_W = {400, 300, 20};
  auto w = make(def);
  double near = 0, far = 0;
  for (int t = 0; t < 300; ++t) {
    w->step(1);
    near += distance(wind_of(*w, 0), wind_of(*w, 1));
    far += distance(wind_of(*w, 0), wind_of(*w, 2));
  }
  EXPECT_GT(near, 0);
  EXPECT_LT(4 * near, far);
}

TEST(weather, threads_and_lanes_change_no_bit) {
  WorldDef def = stormy(40);
  def.worlds = 3;  // blocks that hold vehicles of several worlds
  def.environment.weather.gusts = {{.amplitude = {0, 3, 0}, .ahead = {-1, 0, 0}, .speed = 20, .length = 30, .returns = true}};
  for (const Precision precision : {Precision::Float, Precision::Double}) {
    def.precision = precision;
    std::uint64_t hash = 0;
    for (const int lanes : available_lanes())
      for (const int threads : {1, 3}) {
        auto w = make(def, {.threads = threads, .lanes = lanes, .force_split = true});
        w->step(60);
        if (hash == 0) hash = w->hash();
        EXPECT_EQ(w->hash(), hash) << lanes << " lanes, " << threads << " threads";
      }
  }
}

TEST(weather, every_world_of_a_batch_has_a_turbulence_of_its_own) {
  WorldDef def = stormy(5), two = def;
  two.worlds = 2;
  auto one = make(def), both = make(two);
  one->step(100), both->step(100);
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_EQ(wind_of(*one, k), wind_of(*both, k));  // the first world does not know of the second
    EXPECT_GT(distance(wind_of(*both, k), wind_of(*both, 5 + k)), 0.01);
  }
  EXPECT_GT(distance(both->air_at({0, 0, 20}, 0).wind_W, both->air_at({0, 0, 20}, 1).wind_W), 0.01);
}

// drift is the sum of what the mean wind was, not today's wind times all the time
TEST(weather, the_field_does_not_jump_when_the_wind_turns) {
  WorldDef def = stormy(1);
  def.environment.weather.shear.law = ShearLaw::None;
  auto w = make(def);
  w->step(3000);
  const Vec place = {40, 40, 20};
  const Vec before = w->air_at(place).wind_W;
  set(*w, "environment.wind", "[-5, 2, 0]");
  w->step(1);
  const Vec after = w->air_at(place).wind_W;
  EXPECT_NEAR(after[0], before[0] - 10, 0.2);
  EXPECT_NEAR(after[1], before[1], 0.2);
}

TEST(weather, snapshots_and_branches_keep_how_far_the_air_was_carried) {
  const WorldDef def = stormy(6);
  auto w = make(def);
  w->step(200);
  set_wind(*w, {-3, 1, 0});
  w->step(200);
  const auto bytes = World::snapshot_bytes(*w->snapshot());
  auto branch = w->branch({.threads = 2}), other = make(def);
  std::string error;
  const auto read = other->read_snapshot(bytes, &error);
  ASSERT_NE(read, nullptr) << error;
  other->restore(*read);
  EXPECT_EQ(other->hash(), w->hash());
  EXPECT_EQ(other->air_at({10, 10, 30}).wind_W, w->air_at({10, 10, 30}).wind_W);
  for (World* each : {w.get(), branch.get(), other.get()}) each->step(150);
  EXPECT_EQ(branch->hash(), w->hash());
  EXPECT_EQ(other->hash(), w->hash());
}

void change_a_lot(World& w) {
  switch (w.tick()) {
    case 10: return set(w, "environment.turbulence.intensity", "15");
    case 20: return set(w, "environment.wind", "[2, -6, 0]");
    case 30: return set(w, "environment.atmosphere.temperature", "25");
    case 40: return set(w, "environment.shear.law", "power"), set(w, "environment.gust_sigma", "0.5");
    case 50: return set(w, "environment.turbulence.form", "von_karman");
    case 60: return set(w, "environment.gusts[0].begins", "0.7");
    case 70: return set(w, "environment.gust_sigma", "0"), set_wind(w, {1, 1, 0});
    case 80: return set(w, "environment.turbulence.form", "none"), set(w, "environment.shear.law", "none");
    default: return;
  }
}

TEST(weather, changes_in_flight_replay_and_survive_snapshots) {
  WorldDef def = stormy(8);
  def.environment.weather.gusts = {{.amplitude = {0, 0, -3}, .speed = 20, .begins = 1000, .length = 5, .returns = true}};
  auto flown = make(def);
  flown->keep_submitted(true);
  for (int t = 0; t < 100; ++t) change_a_lot(*flown), flown->step();
  EXPECT_FALSE(tells(*flown, "refused"));
  EXPECT_TRUE(flown->pending_inputs().empty()) << "applied inputs leave the world";
  auto again = make(def);
  for (const Input& in : flown->take_submitted()) again->submit(in);
  again->step(100);
  EXPECT_EQ(again->hash(), flown->hash());
  for (const std::uint64_t taken : {15u, 35u, 55u, 65u, 75u, 85u}) {
    auto w = make(def);
    for (std::uint64_t t = 0; t < taken; ++t) change_a_lot(*w), w->step();
    auto copy = make(def);
    set(*copy, "environment.turbulence.intensity", "1");  // what it was told before is forgotten
    copy->step(3);
    copy->restore(*w->snapshot());
    EXPECT_EQ(copy->hash(), w->hash());
    for (std::uint64_t t = taken; t < 100; ++t) change_a_lot(*copy), copy->step();
    EXPECT_EQ(copy->hash(), flown->hash()) << taken;
  }
}

TEST(weather, a_plain_world_can_be_given_weather_and_lose_it_again) {
  WorldDef def = holding(2);
  def.environment.wind_W = {1, 0, 0};
  auto w = make(def);
  w->step(5);
  set(*w, "environment.turbulence.form", "dryden");
  set(*w, "environment.atmosphere.standard", "true");
  w->step(20);
  EXPECT_GT(distance(wind_of(*w, 0), {1, 0, 0}), 1e-3);
  EXPECT_LT(w->view("birds", "air_density").at(0), 1.2249);
  set(*w, "environment.turbulence.form", "none");
  set(*w, "environment.atmosphere.standard", "false");
  w->step(1);
  EXPECT_EQ(wind_of(*w, 0), (Vec{1, 0, 0}));
  EXPECT_FLOAT_EQ(static_cast<float>(w->view("birds", "air_density").at(0)), 1.225f);
}

TEST(weather, a_wind_without_a_target_is_everybodys_and_of_one_vehicle_only_in_a_plain_world) {
  auto plain = make(holding(2));
  set_wind(*plain, {2, 0, 0});
  plain->step(1);
  set_wind(*plain, {3, 0, 0}, plain->vehicles()[1]);
  plain->step(1);
  EXPECT_EQ(wind_of(*plain, 0), (Vec{2, 0, 0}));
  EXPECT_EQ(wind_of(*plain, 1), (Vec{3, 0, 0}));
  EXPECT_EQ(value_of(*plain, "environment.wind"), "[2, 0, 0]");
  Input spawn;
  spawn.payload = Spawn{"birds", {.position_W = {30, 0, 20}}};
  plain->submit(spawn);
  plain->step(1);
  EXPECT_EQ(wind_of(*plain, 2), (Vec{2, 0, 0}));  // who comes later meets it too

  auto w = make(stormy(2));
  w->step(1);
  w->take_events();
  set_wind(*w, {3, 0, 0}, w->vehicles()[1]);
  w->step(1);
  EXPECT_TRUE(tells(*w, "refused: wind"));
  set_wind(*w, {0, 4, 0});
  w->step(1);
  EXPECT_EQ(w->environment().wind_W, (Vec{0, 4, 0}));
  EXPECT_EQ(w->def().environment.wind_W, (Vec{5, 2, 0}));  // the definition stays as it was given
}

TEST(weather, what_is_wrong_is_refused_with_its_field) {
  WorldDef def = stormy(1);
  def.environment.weather.turbulence.sigma = 1;
  def.environment.weather.turbulence.length = 9000;
  std::string error;
  EXPECT_EQ(World::create(def, {}, &error), nullptr);
  EXPECT_EQ(error, "environment.turbulence.length: 9000 is not between 2 and 1000 m");
  auto w = make(stormy(1));
  EXPECT_EQ(w->why_not({.payload = SetField{"environment.origin.height", "3"}}), "environment.origin.height: cannot be changed in flight");
  EXPECT_EQ(w->why_not({.payload = SetField{"environment.turbulence.intensity", "3"}}), "");
  set(*w, "environment.turbulence.intensity", "300");
  w->step(1);
  EXPECT_TRUE(tells(*w, "refused: environment.turbulence.intensity: "));
}

// thrust goes with density and speed squared
TEST(weather, rotors_turn_faster_in_thin_air_by_the_root_of_the_densities) {
  const auto hover_speed = [](double height, ControllerKind kind) {
    WorldDef def = holding(1);
    def.environment.weather.atmosphere.standard = true;
    def.environment.ground = false;
    def.flocks[0].controller.kind = kind;
    def.flocks[0].vehicles[0].position_W = def.flocks[0].vehicles[0].centre_W = {0, 0, height};
    auto w = make(def);
    const double at_start = w->view("birds", "rotor_speed").at(0, 0);
    w->step(1000);
    const double speed = w->view("birds", "rotor_speed").at(0, 0);
    EXPECT_NEAR(at_start, speed, 0.003 * speed);  // it begins in hover, whatever the air
    EXPECT_NEAR(w->position_of(w->vehicles()[0])[2], height, 0.02);
    return speed;
  };
  for (const ControllerKind kind : {ControllerKind::Cascade, ControllerKind::Geometric, ControllerKind::Rpt})
    EXPECT_NEAR(hover_speed(3000, kind) / hover_speed(0, kind), std::sqrt(1.225 / 0.90925), 1e-4);
}

// a sealed balloon stops where it weighs as much as the air it displaces
TEST(weather, a_balloon_floats_where_its_lift_equals_its_weight) {
  auto balloon = std::make_shared<airframe::BalloonDef>();
  balloon->name = "sealed", balloon->mass = 1, balloon->lift = 1.05 * 9.80665, balloon->drag = 0.3;
  WorldDef def = holding(1);
  def.environment.weather.atmosphere.standard = true;
  def.flocks[0].airframe = {"balloon", "sealed", balloon};
  def.flocks[0].vehicles[0].position_W = {0, 0, 300};
  auto w = make(def);
  w->step(60000);
  const double up = w->position_of(w->vehicles()[0])[2];
  EXPECT_NEAR(w->view("birds", "air_density").at(0), 1.225 / 1.05, 2e-4);
  EXPECT_NEAR(up, 505, 10);  // where the standard has 1.1667 kg/m3
}

TEST(weather, a_grid_of_winds_and_a_gust_that_passes_are_felt) {
  WorldDef def = holding(1);
  def.precision = Precision::Double;
  auto grid = std::make_shared<wind_field::Grid>();
  grid->time = {2, 0, 2};
  grid->wind_east = {0, 4}, grid->wind_north = {1, 1}, grid->wind_up = {0, 0};
  def.environment.weather.grid = grid;
  def.environment.weather.gusts = {{.amplitude = {0, 0, 2}, .speed = 10, .begins = 0.5, .length = 2.5, .returns = true}};
  auto w = make(def);
  EXPECT_NEAR(distance(w->air_at({0, 0, 20}).wind_W, {0, 1, 0}), 0, 1e-12);
  w->step(75);
  EXPECT_NEAR(distance(w->air_at({0, 0, 20}).wind_W, {1.5, 1, 2}), 0, 1e-9);  // the whole gust after length / speed
  w->step(25);
  EXPECT_NEAR(distance(w->air_at({0, 0, 20}).wind_W, {2, 1, 0}), 0, 1e-9);
}

// 48.6 uT over Zurich (WMM2025), towards the north and into the ground; the model itself is tested in environment/magnetic_test.cpp
TEST(weather, a_world_with_an_origin_has_a_magnetic_field) {
  auto w = make(stormy(1));
  const Vec b = w->air_at({0, 0, 0}).magnetic_W;
  EXPECT_NEAR(std::hypot(b[0], b[1], b[2]), 48600, 300);
  EXPECT_GT(b[1], 20000);
  EXPECT_LT(b[2], -40000);
  EXPECT_EQ(make(holding(1))->air_at({0, 0, 0}).magnetic_W, (Vec{0, 0, 0}));
}

}  // namespace
}  // namespace volary
