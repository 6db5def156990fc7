// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/load.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "scenario/airframe.hpp"
#include "scenario/variants.hpp"
#include "vehicles/multirotor_def.hpp"
#include "volary/learning.hpp"
#include "volary/scenario.hpp"

namespace volary::scenario {

namespace {

namespace fs = std::filesystem;

const Paths kPaths{VOLARY_SOURCE_DIR "/tests/bad/assets"};
const ScenarioPaths kPublicPaths{VOLARY_SOURCE_DIR "/tests/bad/assets"};

const char* kFirstSwarm = R"(
name: my first swarm
seed: 7
duration: 30            # s
tick: 0.01              # s
substeps: 4
environment: {wind: [2, 0, 0], gust_sigma: 0.5, gust_time_constant: 1.0, ground: true}
flocks:
  - name: scouts
    airframe: crazyflie
    controller: {kind: cascade}
    vehicles: {grid: {count: 25, spacing: 1.5, origin: [0, 0, 0]}}
    mission: {circle: {radius: 2, speed: 1.5, height: 3}}
    start: mission
events:
  - {time: 20, what: land}
)";

WorldDef load(const std::string& text, const std::vector<std::string>& overrides = {}) {
  core::Result<WorldDef> result = load_scenario_text(text, "test.yaml", kPaths, overrides);
  EXPECT_TRUE(result) << result.error().text();
  return result ? std::move(result).value() : WorldDef{};
}
core::Error error_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  const core::Result<WorldDef> result = load_scenario_text(text, "test.yaml", kPaths, overrides);
  return result ? core::Error{} : result.error();
}
WorldDef load_mission(const std::string& mission, const std::string& rest = "") {
  return load("flocks:\n  - name: a\n    airframe: crazyflie\n    vehicles: {list: [{position: [10, 20, 0]}]}\n    mission: " + mission + "\n" + rest);
}

Vec harmonic_at(const VehicleDef& v, double time) {
  Vec p{};
  const Harmonic& h = v.harmonic;
  for (std::size_t k = 0; k < 3; ++k) p[k] = v.centre_W[k] + h.amplitude[k] * std::sin(h.rate[k] * time + h.phase[k]);
  return p;
}
void expect_near(const Vec& a, const Vec& b, double tolerance = 1e-9) {
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(a[k], b[k], tolerance) << "axis " << k;
}

// a folder with files of its own, removed again
class Folder {
 public:
  explicit Folder(const std::string& name) : path_(testing::TempDir() + "volary_" + name + "/") { fs::create_directories(path_); }
  ~Folder() { fs::remove_all(path_); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ + name) << text;
    return path_ + name;
  }

 private:
  std::string path_;
};

}  // namespace

TEST(load_scenario, reads_the_task_of_agents_that_learn) {
  const std::string flock = "flocks:\n  - name: a\n    airframe: crazyflie\n    vehicles: {list: [{position: [10, 20, 0]}]}\n";
  EXPECT_EQ(load(flock).learning, nullptr);
  const WorldDef def = load(flock + R"(
learning:
  flock: a
  action: {level: velocity, low: [-1, -1, -1, 0], high: [1, 1, 1, 0]}
  observations: [to_goal, velocity]
  goal: {kind: curve, points: [[0, 0, 2]], low: [-1, -1, 0], high: [1, 1, 1], from_start: true, radius: 0.4, curve: {amplitude: [1, 2, 0], rate: [1, 1, 0], phase_deg: [90, 0, 0], ramp: 1}, ahead: 0.5}
  rewards: [{term: goal_closeness, weight: 2, scale: 0.5}, {term: alive}]
  ends: [{term: too_far, limit: 3, reward: -4}]
  time_limit: 7
  ticks: 5
)");
  ASSERT_NE(def.learning, nullptr);
  const LearningDef& t = *def.learning;
  EXPECT_EQ(t.flock, "a");
  EXPECT_EQ(t.action.level, ControlLevel::Velocity);
  EXPECT_EQ(t.action.high, (std::vector<double>{1, 1, 1, 0}));
  EXPECT_TRUE(t.action.scaled);
  EXPECT_EQ(t.observations, (std::vector<std::string>{"to_goal", "velocity"}));
  EXPECT_EQ(t.goal.kind, GoalKind::Curve);
  EXPECT_EQ(t.goal.points, (std::vector<Vec>{{0, 0, 2}}));
  EXPECT_EQ(t.goal.high, (Vec{1, 1, 1}));
  EXPECT_TRUE(t.goal.from_start);
  EXPECT_EQ(t.goal.curve.amplitude, (Vec{1, 2, 0}));
  EXPECT_NEAR(t.goal.curve.phase[0], 1.5707963267948966, 1e-12);
  EXPECT_EQ(t.goal.ahead, 0.5);
  ASSERT_EQ(t.rewards.size(), 2u);
  EXPECT_EQ(t.rewards[0].scale, 0.5);
  EXPECT_EQ(t.rewards[1].weight, 1);
  ASSERT_EQ(t.ends.size(), 1u);
  EXPECT_EQ(t.ends[0].reward, -4);
  EXPECT_EQ(t.time_limit, 7);
  EXPECT_EQ(t.ticks, 5);
  // an override reaches it like any other field
  EXPECT_EQ(load(flock + "learning: {time_limit: 7}\n", {"learning.time_limit=9"}).learning->time_limit, 9);
}

TEST(load, the_first_swarm_of_the_manual_becomes_a_world) {
  const WorldDef world = load(kFirstSwarm);
  EXPECT_EQ(world.name, "my first swarm");
  EXPECT_EQ(world.seed, 7u);
  EXPECT_EQ(world.tick_ns, 10'000'000);
  EXPECT_EQ(world.environment.wind_W, (Vec{2, 0, 0}));
  ASSERT_EQ(world.flocks.size(), 1u);
  EXPECT_EQ(world.flocks[0].airframe.model, "multirotor");
  EXPECT_TRUE(world.flocks[0].airframe.definition);
  ASSERT_EQ(world.flocks[0].vehicles.size(), 25u);
  EXPECT_EQ(world.flocks[0].vehicles[0].mode, Mode::Mission);
  ASSERT_EQ(world.events.size(), 1u);
  EXPECT_EQ(world.events[0].what, "land");
}

TEST(load, a_tick_is_a_whole_number_of_nanoseconds) {
  const std::string flocks = "flocks: [{name: a, airframe: crazyflie, vehicles: {grid: {count: 1}}}]\n";
  EXPECT_EQ(load("tick: 0.002\n" + flocks).tick_ns, 2'000'000);
  EXPECT_EQ(load("tick: 0.000123457\n" + flocks).tick_ns, 123'457);
  EXPECT_EQ(load("tick: 1\n" + flocks).tick_ns, 1'000'000'000);
  EXPECT_EQ(error_of("tick: 0.0333333333333\n" + flocks).field, "tick");
}

TEST(load, an_override_replaces_a_value_anywhere) {
  const WorldDef world =
      load(kFirstSwarm, {"flocks[0].vehicles.grid.count=200", "environment.wind=[1, 0, 3]", "seed=9", "flocks[0].controller.max_tilt_deg=30"});
  EXPECT_EQ(world.flocks[0].vehicles.size(), 200u);
  EXPECT_EQ(world.environment.wind_W, (Vec{1, 0, 3}));
  EXPECT_EQ(world.seed, 9u);
  EXPECT_NEAR(world.flocks[0].controller.max_tilt, 0.5235987755982988, 1e-15);
}

TEST(load, a_wrong_override_is_named_with_a_suggestion) {
  const core::Error misspelt = error_of(kFirstSwarm, {"flocks[0].vehicles.grid.cuont=200"});
  EXPECT_EQ(misspelt.field, "flocks[0].vehicles.grid.cuont");
  EXPECT_EQ(misspelt.suggestion, "did you mean 'count'?");
  EXPECT_EQ(misspelt.file, "--set flocks[0].vehicles.grid.cuont=200");
  EXPECT_EQ(error_of(kFirstSwarm, {"flock[0].name=a"}).suggestion, "did you mean 'flocks'?");
  EXPECT_NE(error_of(kFirstSwarm, {"flocks[3].name=a"}).message.find("the list has 1"), std::string::npos);
  EXPECT_NE(error_of(kFirstSwarm, {"flocks.name=a"}).suggestion.find("flocks[0]"), std::string::npos);
  EXPECT_NE(error_of(kFirstSwarm, {"seed.x=a"}).message.find("has no field"), std::string::npos);
  EXPECT_NE(error_of(kFirstSwarm, {"seed"}).message.find("path=value"), std::string::npos);
  for (const char* wrong : {"=3", "a..b=3", "[0]=3", "flocks[=3", "flocks[x].name=3", ".=1", "seed=[1", "duration=soon"})
    EXPECT_TRUE(error_of(kFirstSwarm, {wrong}).text().find("--set") != std::string::npos) << wrong;
}

// "field:line" of every fault
std::vector<std::string> faults_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  const core::Error e = error_of(text, overrides);
  std::vector<std::string> list;
  if (e.message.empty()) return list;
  list.push_back(e.field + ":" + std::to_string(e.line));
  for (const core::Error& other : e.others) list.push_back(other.field + ":" + std::to_string(other.line));
  return list;
}
using Faults = std::vector<std::string>;

TEST(load, two_mistakes_are_both_reported) {
  const std::string head = "name: x\nflocks:\n";
  EXPECT_EQ(faults_of(head + "  - {name: a, airframe: crazyfly, vehicles: {grid: {count: 1}}}\n  - {name: b, airframe: crazyflie, vehicles: {grid: {cuont: 1}}}\n"),
            (Faults{"flocks[0].airframe:3", "flocks[1].vehicles.grid.cuont:4"}))
      << "one of meaning, one of form";
  EXPECT_EQ(faults_of(head + "  - {name: a, airframe: crazyfly, vehicles: {grid: {count: 1}}, behaviours: [{reynolds: {}, rate: 100}, {}]}\n"
                             "  - {name: b, airframe: crazyflie, vehicles: {grid: {count: 1}}, mission: {circle: {radius: 2, speed: 1, period: 3}}}\n"
                             "events: [{time: 99999, what: land}]\nregions: [{name: r}]\n"),
            (Faults{"flocks[0].airframe:3", "flocks[0].behaviours[0].rate:3", "flocks[0].behaviours[1]:3", "flocks[1].mission.circle:4", "events[0].time:5",
                    "regions[0]:6"}));
}

TEST(load, the_horizon_of_the_coupling_is_a_whole_number_of_ticks) {
  const std::string flocks = "flocks: [{name: a, airframe: crazyflie, vehicles: {grid: {count: 1}}}]\n";
  EXPECT_EQ(load(flocks).coupling.horizon, 0);
  EXPECT_EQ(load("coupling: {horizon: 0.1}\n" + flocks).coupling.horizon, 0.1);
  EXPECT_EQ(load("tick: 0.002\ncoupling: {horizon: 0.006}\n" + flocks).coupling.horizon, 0.006);
  const auto refusal = [&](const std::string& text) { return error_of(text + flocks).text(); };
  EXPECT_NE(refusal("coupling: {horizon: 0.015}\n").find("coupling.horizon: 0.015 s is not a whole number of ticks of 0.01 s"), std::string::npos);
  EXPECT_NE(refusal("coupling: {horizon: 0.001}\n").find("0.01 is"), std::string::npos);
  EXPECT_NE(refusal("coupling: {horizon: 11}\n").find("1100 ticks: at most 1000"), std::string::npos);
  EXPECT_NE(refusal("coupling: {horizn: 0.1}\n").find("horizon"), std::string::npos);
}

TEST(load, a_federation_names_each_node_and_each_flock_once) {
  const std::string flocks = "flocks: [{name: a, airframe: crazyflie, vehicles: {grid: {count: 1}}}, {name: bee, airframe: nuswarm, vehicles: {grid: {count: 1}}}]\n";
  load("federation: {nodes: [{name: ground}, {name: air, flocks: [a, bee]}]}\n" + flocks);
  const auto refusal = [&](const std::string& nodes) { return error_of("federation: {nodes: [" + nodes + "]}\n" + flocks).text(); };
  EXPECT_NE(refusal("{name: air, flocks: [be]}").find("federation.nodes[0].flocks[0]: no flock is called 'be' (did you mean 'bee'?)"), std::string::npos) << refusal("{name: air, flocks: [be]}");
  EXPECT_NE(refusal("{name: air, flocks: [a]}, {name: ground, flocks: [a]}").find("flock 'a' is named twice"), std::string::npos);
  EXPECT_NE(refusal("{name: air}, {name: air}").find("federation.nodes[1].name: 'air' is also the name of another node"), std::string::npos);
  for (const char* name : {"'1'", "'a/b'", "1st"}) EXPECT_NE(refusal(std::string("{name: ") + name + "}").find("is no name of a node"), std::string::npos) << name;
}

TEST(load, one_mistake_is_one_fault) {
  EXPECT_EQ(faults_of("name: x\nflocks:\n  - {name: a, airfrme: crazyflie, vehicles: {grid: {count: 1}}}\n"), (Faults{"flocks[0].airfrme:3"}));
  EXPECT_EQ(faults_of("name: x\nduraton: 5\nmetrics_from: 3600\nflocks:\n  - {name: a, airframe: crazyflie, vehicles: {grid: {count: 1}}}\n"), (Faults{"duraton:2"}));
  EXPECT_EQ(faults_of("name: x\nflocks:\n  - {nam: a, airframe: crazyflie, vehicles: {grid: {count: 1}}}\n"
                      "events: [{time: 1, what: land, flock: a}]\ntasks: [{name: t, reached: {flock: a, position: [0, 0, 1]}}]\n"),
            (Faults{"flocks[0].nam:3"}))
      << "those that name the flock are right";
}

TEST(load, all_overrides_that_are_wrong_are_named) {
  const std::vector<std::string> faults = faults_of(kFirstSwarm, {"flock[0].name=a", "flocks[3].name=a"});
  EXPECT_EQ(faults.size(), 2u);
}

TEST(load, includes_are_merged_and_what_is_written_later_wins) {
  const Folder folder("include");
  folder.write("air.yaml", "environment: {wind: [1, 1, 1], gravity: 3.7}\nseed: 5\n");
  folder.write("base.yaml", "include: [air.yaml]\nseed: 6\nflocks: [{name: a, airframe: crazyflie, vehicles: {grid: {count: 3}}}]\n");
  const std::string top = folder.write("top.yaml", "include: [base.yaml]\nenvironment: {wind: [2, 2, 2]}\n");
  const core::Result<WorldDef> result = load_scenario(top, kPaths);
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_EQ(result.value().seed, 6u);
  EXPECT_EQ(result.value().environment.wind_W, (Vec{2, 2, 2}));
  EXPECT_EQ(result.value().environment.gravity, 3.7);
  EXPECT_EQ(result.value().flocks[0].vehicles.size(), 3u);
}

TEST(load, a_fault_in_an_included_file_is_reported_there) {
  const Folder folder("fault");
  const std::string base = folder.write("base.yaml", "# comment\nsede: 3\n");
  const std::string top = folder.write("top.yaml", "include: [base.yaml]\n");
  const core::Error error = load_scenario(top, kPaths).error();
  EXPECT_EQ(error.file, base);
  EXPECT_EQ(error.line, 2);
}

TEST(load, an_airframe_may_be_a_file_beside_the_scenario) {
  const Folder folder("airframe");
  fs::copy_file(kPaths.assets + "/vehicles/crazyflie.yaml", folder.write("mine.yaml", ""), fs::copy_options::overwrite_existing);
  const std::string top = folder.write("top.yaml", "flocks: [{name: a, airframe: mine.yaml, vehicles: {grid: {count: 1}}}]\n");
  EXPECT_TRUE(load_scenario(top, kPaths));
}

TEST(load, a_missing_scenario_is_an_error) {
  const core::Result<WorldDef> result = load_scenario("/no/such.yaml", kPaths);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().text(), "/no/such.yaml: no such file");
}

TEST(load, events_are_sorted_by_time) {
  const WorldDef world = load(std::string(kFirstSwarm) +
                              "  - {time: 5, what: wind, value: [1, 2, 3]}\n"
                              "  - {time: 5, what: hold, flock: scouts, vehicle: 3}\n");
  ASSERT_EQ(world.events.size(), 3u);
  EXPECT_EQ(world.events[0].what, "wind");
  EXPECT_EQ(world.events[0].value, (Vec{1, 2, 3}));
  EXPECT_EQ(world.events[1].vehicle, 3);
  EXPECT_EQ(world.events[2].time, 20);
}

TEST(mission, a_circle_begins_above_the_start_and_has_the_asked_speed) {
  const WorldDef world = load_mission("{circle: {radius: 2, speed: 1.5, height: 3}}");
  const VehicleDef& v = world.flocks[0].vehicles[0];
  expect_near(v.position_W, {10, 20, 3});
  expect_near(harmonic_at(v, 0), v.position_W);
  expect_near(v.centre_W, {8, 20, 3});
  const Vec later = harmonic_at(v, 1e-6);
  EXPECT_NEAR((later[1] - 20) / 1e-6, 1.5, 1e-5);  // counter-clockwise: north first
}

TEST(mission, a_circle_may_be_given_by_period_or_acceleration_and_turn_clockwise) {
  EXPECT_NEAR(load_mission("{circle: {radius: 2, period: 10}}").flocks[0].vehicles[0].harmonic.rate[0], 0.6283185307179586, 1e-15);
  const double rate = load_mission("{circle: {radius: 1.5, acceleration: 13.5}}").flocks[0].vehicles[0].harmonic.rate[0];
  EXPECT_NEAR(rate * 1.5, std::sqrt(13.5 * 1.5), 1e-12);
  const VehicleDef v = load_mission("{circle: {radius: 2, speed: 1, clockwise: true}}").flocks[0].vehicles[0];
  EXPECT_LT(harmonic_at(v, 0.1)[1], 20);
}

TEST(mission, vehicles_spread_evenly_over_a_shared_circle) {
  const WorldDef world =
      load(kFirstSwarm, {"flocks[0].mission={circle: {radius: 4, speed: 1, height: 2, centre: [1, 2, 3], spread: true}}", "flocks[0].vehicles.grid.count=4"});
  const std::vector<VehicleDef>& v = world.flocks[0].vehicles;
  expect_near(v[0].position_W, {5, 2, 5});
  expect_near(v[1].position_W, {1, 6, 5});
  expect_near(v[2].position_W, {-3, 2, 5});
  expect_near(v[3].position_W, {1, -2, 5});
}

TEST(mission, on_the_ground_vehicles_start_where_they_are_placed) {
  const WorldDef world = load_mission("{circle: {radius: 2, speed: 1, height: 3}}", "    start: take_off\n    take_off_height: 2\n");
  expect_near(world.flocks[0].vehicles[0].position_W, {10, 20, 0});
  EXPECT_EQ(world.flocks[0].vehicles[0].mode, Mode::TakeOff);
  EXPECT_EQ(world.flocks[0].take_off_height, 2);
}

TEST(mission, no_mission_is_a_hold) {
  const WorldDef world = load("flocks: [{name: a, airframe: crazyflie, vehicles: {grid: {count: 1}}}]\n");
  EXPECT_EQ(world.flocks[0].vehicles[0].harmonic.amplitude, (Vec{0, 0, 0}));
  expect_near(world.flocks[0].vehicles[0].position_W, {0, 0, 1.5});
}

TEST(mission, a_figure_eight_crosses_its_middle_at_the_asked_speed) {
  const VehicleDef v = load_mission("{figure_eight: {length: 6, width: 4, speed: 3, height: 2}}").flocks[0].vehicles[0];
  const Vec a = harmonic_at(v, 0), b = harmonic_at(v, 1e-6);
  expect_near(a, {10, 20, 2});
  EXPECT_NEAR(std::hypot(b[0] - a[0], b[1] - a[1]) / 1e-6, 3, 1e-4);
}

TEST(mission, a_lissajous_curve_is_taken_as_given) {
  const WorldDef world = load_mission("{lissajous: {amplitude: [1, 2, 0.5], rate: [1, 2, 3], phase_deg: [90, 0, 0], ramp: 4, face_forward: true}}");
  const VehicleDef& v = world.flocks[0].vehicles[0];
  EXPECT_EQ(v.harmonic.amplitude, (Vec{1, 2, 0.5}));
  EXPECT_NEAR(v.harmonic.phase[0], 1.5707963267948966, 1e-15);
  EXPECT_EQ(v.harmonic.ramp, 4);
  EXPECT_TRUE(v.harmonic.face_forward);
  expect_near(harmonic_at(v, 0), {10, 20, 1.5});
}

TEST(mission, waypoints_share_one_path_about_the_start_of_each_vehicle) {
  const WorldDef world = load(kFirstSwarm, {"flocks[0].mission={waypoints: {points: [[0, 0, 2], [10, 0, 2], [10, 10, 2]], speed: 3, loop: true}, stagger: 2}"});
  ASSERT_EQ(world.paths.size(), 1u);
  EXPECT_TRUE(world.paths[0].loop);
  const std::vector<VehicleDef>& v = world.flocks[0].vehicles;
  EXPECT_EQ(v[24].path, 0);
  expect_near(v[0].centre_W, {-3, -3, 0});
  expect_near(v[0].position_W, {-3, -3, 2});
  EXPECT_EQ(v[3].start_delay, 6);
  // a loop ends where it began
  const PathPiece& last = world.paths[0].pieces.back();
  double x = 0, power = 1;
  for (double c : last.coefficient[0]) x += c * power, power *= last.duration;
  EXPECT_NEAR(x, 0, 1e-9);
}

TEST(mission, minimum_snap_takes_the_total_time) {
  const WorldDef world = load_mission("{minimum_snap: {points: [[0, 0, 1], [3, 0, 2], [3, 4, 1]], total_time: 8}}");
  double total = 0;
  for (const PathPiece& piece : world.paths[0].pieces) total += piece.duration;
  EXPECT_NEAR(total, 8, 1e-12);
  EXPECT_FALSE(world.paths[0].loop);
}

TEST(mission, who_starts_on_a_route_begins_along_it_and_at_its_speed) {
  const std::string route = "{route: {points: [[0, 0, 50], [0, 400, 50], [400, 400, 70]], speed: 20, radius: 60}}";
  const VehicleDef flying = load_mission(route).flocks[0].vehicles[0];
  expect_near(flying.position_W, {10, 20, 50});
  expect_near(flying.velocity_W, {0, 20, 0});
  EXPECT_NEAR(flying.yaw, 1.5707963267948966, 1e-15);
  // on the ground it stays as it was placed, and a start from rest is a rest
  const VehicleDef standing = load_mission(route, "    start: armed\n    yaw: 1\n").flocks[0].vehicles[0];
  expect_near(standing.position_W, {10, 20, 0});
  EXPECT_EQ(standing.yaw, 1);
  EXPECT_EQ(standing.velocity_W, (Vec{0, 0, 0}));
  EXPECT_EQ(load_mission(route.substr(0, route.size() - 2) + ", from_rest: true}}").flocks[0].vehicles[0].velocity_W, (Vec{0, 0, 0}));
}

TEST(mission, vehicles_that_share_a_route_begin_evenly_along_it) {
  const std::string route =
      "{route: {points: [[0, 0, 5], [100, 0, 5], [100, 100, 5], [0, 100, 5]], speed: 5, radius: 10, loop: true, spread: true, centre: [50, 60, 0]}}";
  const WorldDef world = load("flocks:\n  - name: a\n    airframe: crazyflie\n    vehicles: {grid: {count: 4}}\n    mission: " + route + "\n");
  ASSERT_EQ(world.paths.size(), 4u);
  const auto& v = world.flocks[0].vehicles;
  expect_near(v[0].position_W, {60, 60, 5});
  expect_near(v[1].position_W, {150, 70, 5});
  expect_near(v[1].velocity_W, {0, 5, 0});
  EXPECT_NEAR(v[2].yaw, 3.141592653589793, 1e-9);
  EXPECT_EQ(v[3].path, 3);
  EXPECT_EQ(
      error_of(
          "flocks: [{name: a, airframe: crazyflie, vehicles: {grid: {count: 4}}, mission: {route: {points: [[0, 0, 5], [100, 0, 5], [50, 90, 5]], speed: 5, "
          "radius: 5, loop: true, spread: true}}}]")
          .field,
      "flocks[0].mission.route.spread");
}

TEST(load, the_public_form_returns_the_error_as_one_line) {
  const Loaded<WorldDef> missing = volary::load_scenario("/no/such.yaml", kPublicPaths);
  EXPECT_FALSE(missing);
  EXPECT_EQ(missing.error, "/no/such.yaml: no such file");
  const Loaded<Airframe> airframe = volary::load_airframe("crazyflie", kPublicPaths);
  ASSERT_TRUE(airframe) << airframe.error;
  EXPECT_EQ(airframe.value->name, "test quadrotor");
  EXPECT_NE(volary::load_airframe("crazyfly", kPublicPaths).error.find("did you mean 'crazyflie'?"), std::string::npos);
}

TEST(load, every_shipped_scenario_loads) {
  const Paths shipped{VOLARY_SOURCE_DIR "/assets"};
  int n_files = 0;
  for (const auto& entry : fs::directory_iterator(VOLARY_SOURCE_DIR "/scenarios")) {
    if (entry.path().extension() != ".yaml") continue;
    const core::Result<WorldDef> result = load_scenario(entry.path().string(), shipped);
    EXPECT_TRUE(result) << (result ? "" : result.error().text());
    ++n_files;
  }
  EXPECT_GE(n_files, 11);
}

// ---------------------------------------------------------------- what is drawn

static const char* kDrawn = R"(
seed: 5
environment: {wind: [1, 0, 0], wind_spread: [2, 1, 0]}
flocks:
  - name: a
    airframe: crazyflie
    variants: {count: 40, spread: {mass: 0.1, inertia: 0.2, motor.thrust2: 0.05, motor.time_constant_up: 0.3, rotors.efficiency: 0.02}}
    vehicles: {list: [{position: [10, 20, 0]}]}
    mission: {hold: {height: 10}}
    spread: {position: [1, 2, 3], velocity: [0.1, 0.2, 0.3], yaw_deg: 90, tilt: 0.2, rates: [1, 2, 3]}
)";

static const airframe::MultirotorDef& multirotor(const Airframe& a) { return *static_cast<const airframe::MultirotorDef*>(a.definition.get()); }

TEST(load, spreads_of_starts_and_winds_are_read) {
  const WorldDef world = load(kDrawn);
  const SpreadDef wanted = {.position_W = {1, 2, 3}, .velocity_W = {0.1, 0.2, 0.3}, .yaw = world.flocks[0].spread.yaw, .tilt = 0.2, .rate_B = {1, 2, 3}};
  EXPECT_EQ(world.flocks[0].spread, wanted);
  EXPECT_NEAR(wanted.yaw, 1.5707963267948966, 1e-12);
  EXPECT_EQ(world.environment.wind_spread_W, (Vec{2, 1, 0}));
  EXPECT_EQ(load(kDrawn, {"flocks[0].spread.tilt=0.1"}).flocks[0].spread.tilt, 0.1);
  EXPECT_EQ(load(kFirstSwarm).flocks[0].spread, SpreadDef{});
}

TEST(load, variants_of_an_airframe_have_factors_within_their_spread) {
  const WorldDef world = load(kDrawn);
  const airframe::MultirotorDef& own = multirotor(world.flocks[0].airframe);
  ASSERT_EQ(world.flocks[0].variants.size(), 40u);
  double low = 2, high = 0;
  std::size_t differing_rotors = 0;
  for (const Airframe& a : world.flocks[0].variants) {
    const airframe::MultirotorDef& def = multirotor(a);
    EXPECT_EQ(a.model, "multirotor");
    const double mass = def.mass / own.mass, inertia = def.inertia[0] / own.inertia[0], thrust = def.motor.thrust2 / own.motor.thrust2;
    low = std::min(low, mass), high = std::max(high, mass);
    EXPECT_NEAR(mass, 1, 0.1);
    EXPECT_NEAR(inertia, 1, 0.2);
    EXPECT_NEAR(thrust, 1, 0.05);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(def.inertia[k] / own.inertia[k], inertia, 1e-12) << "one factor for the axes of a vector";
    EXPECT_NE(mass, inertia);
    differing_rotors += def.rotors[0].efficiency != def.rotors[1].efficiency ? 1 : 0;
    EXPECT_EQ(def.motor.time_constant_down, own.motor.time_constant_down);
  }
  EXPECT_LT(low, 0.92);
  EXPECT_GT(high, 1.08);
  EXPECT_GT(differing_rotors, 35u) << "each entry of a list has a factor of its own";
}

TEST(load, variants_are_drawn_from_the_seed_and_the_names_alone) {
  const auto masses = [](const WorldDef& world, std::size_t flock) {
    std::vector<double> list;
    for (const Airframe& a : world.flocks[flock].variants) list.push_back(multirotor(a).mass);
    return list;
  };
  const std::vector<double> first = masses(load(kDrawn), 0);
  EXPECT_EQ(masses(load(kDrawn, {"first_world=7", "episode=3"}), 0), first);
  EXPECT_EQ(masses(load(kDrawn, {"flocks[0].variants.spread={mass: 0.1}"}), 0), first) << "other numbers do not change it";
  const std::vector<double> few = masses(load(kDrawn, {"flocks[0].variants.count=10"}), 0);
  EXPECT_EQ(few, std::vector<double>(first.begin(), first.begin() + 10));
  EXPECT_NE(masses(load(kDrawn, {"seed=6"}), 0), first);
  EXPECT_NE(masses(load(kDrawn, {"flocks[0].name=b"}), 0), first);
}

TEST(load, a_list_of_airframes_makes_variants) {
  const WorldDef world = load(kDrawn, {"flocks[0].variants={airframes: [crazyflie, nuswarm]}"});
  ASSERT_EQ(world.flocks[0].variants.size(), 2u);
  EXPECT_EQ(world.flocks[0].variants[0].definition, world.flocks[0].airframe.definition);
  EXPECT_NE(world.flocks[0].variants[1].definition, world.flocks[0].airframe.definition);
}

TEST(load, every_shipped_airframe_has_numbers_that_can_be_spread) {
  for (const auto& entry : fs::directory_iterator(VOLARY_SOURCE_DIR "/assets/vehicles")) {
    if (entry.path().extension() != ".yaml") continue;
    const core::Result<Airframe> a = load_airframe(entry.path().string());
    ASSERT_TRUE(a) << a.error().text();
    const std::vector<std::string> numbers = numbers_of(a.value());
    EXPECT_FALSE(numbers.empty()) << entry.path();
    if (a.value().model != "multirotor") continue;
    for (const char* name :
         {"mass", "inertia", "linear_drag", "quadratic_drag", "motor.drag", "motor.thrust2", "motor.time_constant_up", "motor.time_constant_down"})
      EXPECT_NE(std::find(numbers.begin(), numbers.end(), name), numbers.end()) << entry.path() << " " << name;
  }
}

}  // namespace volary::scenario
