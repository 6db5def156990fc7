// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/warnings.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "scenario/load.hpp"
#include "vehicles/multirotor_def.hpp"

namespace volary::scenario {
namespace {

std::vector<std::string> warnings(const std::string& yaml) {
  const std::string root = VOLARY_SOURCE_DIR;
  const core::Result<WorldDef> def = load_scenario_text(yaml, root + "/scenarios/test.yaml", {root + "/assets"});
  EXPECT_TRUE(def) << (def ? "" : def.error().text());
  return def ? warnings_of(def.value()) : std::vector<std::string>{};
}

bool has(const std::vector<std::string>& list, const std::string& words) {
  return std::any_of(list.begin(), list.end(), [&](const std::string& w) { return w.find(words) != std::string::npos; });
}

const std::string kTwo = "flocks: [{name: f, airframe: crazyflie, vehicles: {grid: {count: 2, spacing: 5}}";

TEST(warnings, vehicles_that_pass_through_each_other) {
  EXPECT_TRUE(has(warnings(kTwo + "}]"), "flocks.node.contact.policy: is `ignore` for f"));
  EXPECT_FALSE(has(warnings(kTwo + ", node: {contact: {policy: crash}}}]"), "flocks.node.contact"));
  EXPECT_FALSE(has(warnings("flocks: [{name: f, airframe: crazyflie, vehicles: {grid: {count: 1}}}]"), "flocks.node.contact"));
}

TEST(warnings, behaviours_that_hear_no_vehicle) {
  const std::string reynolds = ", behaviours: [{reynolds: {}}]";
  EXPECT_TRUE(has(warnings(kTwo + reynolds + "}]"), "flocks.f.behaviours: reynolds reacts to other vehicles"));
  EXPECT_FALSE(has(warnings(kTwo + reynolds + ", node: {state_rate: 10}}]"), "reynolds"));
  EXPECT_FALSE(has(warnings(kTwo + reynolds + ", node: {detection: {range: 20}}}]"), "reynolds"));
  EXPECT_TRUE(has(warnings(kTwo + reynolds + ", node: {state_rate: 10, receives: false}}]"), "the flock does not receive"));
  // a flock on another channel is not heard
  const std::string other = ", node: {state_rate: 10, radio_channel: 1}}, {name: g, airframe: crazyflie, vehicles: {list: [{position: [0, 20, 0]}]}";
  EXPECT_TRUE(has(warnings(kTwo + other + reynolds + "}]"), "flocks.g.behaviours: reynolds reacts"));
  EXPECT_FALSE(has(warnings(kTwo + ", behaviours: [{go_to: {points: [[1, 2, 3]]}}]}]"), "behaviours"));
}

TEST(warnings, topics_that_no_vehicle_sends_and_kinds_that_are_not_there) {
  const std::string waits = ", behaviours: [{land: {on: home}}]";
  EXPECT_TRUE(has(warnings(kTwo + waits + "}]"), "flocks.f.behaviours[0].land.on: no behaviour sends the topic `home`"));
  EXPECT_FALSE(has(warnings(kTwo + ", behaviours: [{land: {on: home}}, {announce: {topic: home}}]}]"), "sends the topic"));
  const std::string seeks = ", behaviours: [{lawnmower: {from: [0, 0], to: [9, 9], swath: 3, find: hiker}}]}]";
  EXPECT_TRUE(has(warnings(kTwo + seeks), "no flock has the airframe or stimulus `hiker`"));
  const std::string task = "\ntasks: [{name: told, heard: {flock: f, topic: found}}]";
  EXPECT_TRUE(has(warnings(kTwo + "}]" + task), "tasks.told: no behaviour sends the topic of `heard`"));
  EXPECT_FALSE(has(warnings(kTwo + seeks + task), "tasks.told"));
}

TEST(warnings, parked_vehicles_that_begin_above_the_ground_and_fall) {
  const auto parked = [](const char* start, const std::string& height, const char* rest = "") {
    return "flocks: [{name: f, airframe: x500, start: " + std::string(start) + ", vehicles: {list: [{position: [0, 0, 0]}, {position: [9, 0, " + height + "]}]}}]\n" + rest;
  };
  EXPECT_TRUE(has(warnings(parked("disarmed", "3")), "flocks.f.vehicles: 1 of 2 start disarmed up to 3.0 m above the ground and fall"));
  EXPECT_TRUE(has(warnings(parked("armed", "3")), "start armed up to 3.0 m"));
  EXPECT_FALSE(has(warnings(parked("disarmed", "0.3")), "and fall"));
  EXPECT_FALSE(has(warnings(parked("hold", "3")), "and fall"));
  EXPECT_FALSE(has(warnings("flocks: [{name: f, airframe: x500, controller: {level: rates}, start: armed, vehicles: {list: [{position: [0, 0, 3]}]}}]\n"), "and fall"))
      << "it begins with the thrust of hover";
  EXPECT_FALSE(has(warnings(parked("disarmed", "3", "obstacles: [{name: roof, box: {centre: [9, 0, 1.5], size: [4, 4, 3]}}]")), "and fall")) << "it stands on the roof";
  const char* hill = "terrain: {image: {file: hills.png, width: 800, depth: 800, min_height: -40, max_height: 80, origin: [-400, 400]}}";
  EXPECT_TRUE(has(warnings(parked("disarmed", "70", hill)), "a vehicle below the terrain is put on it"));
  EXPECT_FALSE(has(warnings(parked("disarmed", "-50", hill) + "\n"), "2 of 2 start disarmed"));
}

TEST(warnings, multirotors_that_nothing_slows_down) {
  WorldDef def;
  def.flocks.resize(1);
  def.flocks[0].name = "f";
  auto slippery = std::make_shared<airframe::MultirotorDef>();
  def.flocks[0].airframe = {"multirotor", "slippery", slippery};
  EXPECT_TRUE(has(warnings_of(def), "flocks.f.airframe: slippery has no drag"));
  for (double* drag : {&slippery->motor.drag, &slippery->linear_drag[0], &slippery->quadratic_drag[2]}) {
    *drag = 0.1;
    EXPECT_FALSE(has(warnings_of(def), "no drag"));
    *drag = 0;
  }
}

TEST(warnings, missions_that_lead_through_each_other) {
  const auto two = [](const char* second) {
    const std::string circle = ", mission: {circle: {radius: 3, speed: 1";
    return "duration: 20\nflocks: [{name: f, airframe: x500, vehicles: {list: [{position: [0, 0, 5]}]}" + circle +
           "}}}, {name: g, airframe: x500, vehicles: {list: [{position: [0, 4, 5]}]}" + circle + second + "}}}]";
  };
  EXPECT_TRUE(has(warnings(two(", clockwise: true")), "flocks.mission: the missions lead f[0] and g[0] to within 0."));
  EXPECT_FALSE(has(warnings(two("")), "missions lead"));
}

}  // namespace
}  // namespace volary::scenario
