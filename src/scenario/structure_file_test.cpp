// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/structure_file.hpp"

#include <gtest/gtest.h>

#include <variant>

#include "scenario/load.hpp"
#include "scenario/warnings.hpp"

namespace volary::scenario {
namespace {

// the structures stand on the second line
core::Result<WorldDef> load(const std::string& structures, const std::string& rest = "", const std::string& flock = "airframe: three_star") {
  const std::string root = VOLARY_SOURCE_DIR, flocks = "flocks: [{name: a, " + flock + ", vehicles: {list: [{position: [0, 0, 9]}]}}]\n";
  return load_scenario_text("name: t\nenvironment: {structures: " + structures + "}\n" + flocks + rest, root + "/scenarios/t.yaml", {root + "/assets"});
}
core::Error fault(const std::string& structures, const std::string& rest = "") {
  const auto def = load(structures, rest);
  return def ? core::Error{} : def.error();
}

TEST(structures, stand_as_they_are_written) {
  const auto def = load(
      "[{name: wall, wall: {centre: [-1.25, 2, 3], yaw_deg: 90, pitch_deg: -10, width: 4, height: 3, thickness: 0.2, stiffness: 300, damping: 5, mass: 2,"
      " surface: {friction: 3, time_constant: 0.03}}},"
      " {name: hole, funnel: {mouth: [1, 2, 3], yaw: 0.5, pitch_deg: 15, mouth_radius: 0.2, bore_radius: 0.05, taper: 0.3, bore: 0.6, thickness: 0.02,"
      " plates: 16}}]");
  ASSERT_TRUE(def) << def.error().text();
  const std::vector<StructureDef>& list = def.value().environment.structures;
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].name, "wall");
  const WallDef& wall = std::get<WallDef>(list[0].shape);
  EXPECT_EQ(wall.centre_W, (Vec{-1.25, 2, 3}));
  EXPECT_NEAR(wall.yaw, 1.5707963267948966, 1e-15);
  EXPECT_NEAR(wall.pitch, -0.17453292519943295, 1e-15);
  EXPECT_EQ(wall.width, 4);
  EXPECT_EQ(wall.height, 3);
  EXPECT_EQ(wall.thickness, 0.2);
  EXPECT_EQ(wall.stiffness, 300);
  EXPECT_EQ(wall.damping, 5);
  EXPECT_EQ(wall.mass, 2);
  EXPECT_EQ(wall.surface.friction, 3);
  EXPECT_EQ(wall.surface.time_constant, 0.03);
  const FunnelDef& funnel = std::get<FunnelDef>(list[1].shape);
  EXPECT_EQ(funnel.mouth_W, (Vec{1, 2, 3}));
  EXPECT_EQ(funnel.yaw, 0.5);
  EXPECT_NEAR(funnel.pitch, 0.2617993877991494, 1e-15);
  EXPECT_EQ(funnel.mouth_radius, 0.2);
  EXPECT_EQ(funnel.bore_radius, 0.05);
  EXPECT_EQ(funnel.taper, 0.3);
  EXPECT_EQ(funnel.bore, 0.6);
  EXPECT_EQ(funnel.thickness, 0.02);
  EXPECT_EQ(funnel.plates, 16);
}

TEST(structures, have_the_defaults_of_their_definitions) {
  const auto def = load("[{name: wall, wall: {centre: [0, 0, 1]}}, {name: hole, funnel: {mouth: [0, 0, 1]}}]");
  ASSERT_TRUE(def) << def.error().text();
  const WallDef& wall = std::get<WallDef>(def.value().environment.structures[0].shape);
  EXPECT_EQ(wall.stiffness, 0);
  EXPECT_EQ(wall.surface.friction, ContactSurfaceDef{}.friction);
  EXPECT_EQ(std::get<FunnelDef>(def.value().environment.structures[1].shape).plates, FunnelDef{}.plates);
  EXPECT_TRUE(load("[]").value().environment.structures.empty());
}

TEST(structures, of_the_same_world_are_read_beside_everything_else_of_the_environment) {
  const std::string root = VOLARY_SOURCE_DIR;
  const auto def = load_scenario_text(
      "environment: {wind: [1, 0, 0], gravity: 3.7, anchors: [{position: [0, 0, 2]}], structures: [{name: w, wall: {centre: [0, 0, 1]}}]}\n"
      "flocks: [{name: a, airframe: three_star, vehicles: {grid: {count: 1}}}]\n",
      root + "/scenarios/t.yaml", {root + "/assets"}, {"environment.structures[0].wall.stiffness=50"});
  ASSERT_TRUE(def) << def.error().text();
  const EnvironmentDef& e = def.value().environment;
  EXPECT_EQ(e.wind_W, (Vec{1, 0, 0}));
  EXPECT_EQ(e.gravity, 3.7);
  EXPECT_EQ(e.anchors.size(), 1u);
  EXPECT_EQ(std::get<WallDef>(e.structures[0].shape).stiffness, 50);
}

struct Refused {
  const char *structures, *field, *words, *suggestion;
};
const Refused kRefused[] = {
    {"[{name: a}]", "environment.structures[0]", "has no shape", "one of wall, funnel"},
    {"[{name: a, wall: {centre: [0, 0, 1]}, funnel: {mouth: [0, 0, 1]}}]", "environment.structures[0]", "has more than one shape", "one of wall, funnel"},
    {"[{wall: {centre: [0, 0, 1]}}]", "environment.structures[0].name", "is missing", ""},
    {"[{name: a, wall: {}}]", "environment.structures[0].wall.centre", "is missing", ""},
    {"[{name: a, wall: {centre: [0, 0, 1]}}, {name: a, funnel: {mouth: [0, 0, 1]}}]", "environment.structures[1].name",
     "'a' is also the name of environment.structures[0]", "give every structure its own name"},
    {"[{name: a, walls: {centre: [0, 0, 1]}}]", "environment.structures[0].walls", "unknown key", "did you mean 'wall'?"},
    {"[{name: a, wall: {centre: [0, 0, 1], width: 0}}]", "environment.structures[0].wall.width", "0 is out of range: must be between 0.01 and 1000 m", ""},
    {"[{name: a, wall: {centre: [0, 0, 1], thickness: 0}}]", "environment.structures[0].wall.thickness", "0 is out of range", ""},
    {"[{name: a, wall: {centre: [0, 0, 1], pitch_deg: 95}}]", "environment.structures[0].wall.pitch_deg", "95 is out of range: must be between -90 and 90 deg",
     ""},
    {"[{name: a, wall: {centre: [0, 0, 1], damping: 4}}]", "environment.structures[0].wall.damping", "a wall without a stiffness stands fast",
     "stiffness: 300"},
    {"[{name: a, wall: {centre: [0, 0, 1], stiffness: 1e5, mass: 0.5}}]", "environment.structures[0].wall.stiffness",
     "100000 N/m are too stiff for a wall of 0.5 kg and integration steps of 0.0025 s", "at most 2e+04 N/m"},
    {"[{name: a, wall: {centre: [0, 0, 1], surface: {time_constant: 0.004}}}]", "environment.structures[0].wall.surface.time_constant",
     "0.004 s is less than two integration steps of 0.0025 s", "at least 0.005 s"},
    {"[{name: a, wall: {centre: [0, 0, 1], surface: {friction: -1}}}]", "environment.structures[0].wall.surface.friction", "out of range", ""},
    {"[{name: a, funnel: {mouth: [0, 0, 1], bore_radius: 0.2}}]", "environment.structures[0].funnel.mouth_radius",
     "the mouth is not wider than the bore: 0.14 m and 0.2 m", "a smaller bore_radius"},
    {"[{name: a, funnel: {mouth: [0, 0, 1], taper: 0}}]", "environment.structures[0].funnel.taper", "0 is out of range", ""},
    {"[{name: a, funnel: {mouth: [0, 0, 1], bore: -1}}]", "environment.structures[0].funnel.bore", "-1 is out of range", ""},
    {"[{name: a, funnel: {mouth: [0, 0, 1], plates: 3}}]", "environment.structures[0].funnel.plates", "3 is out of range: must be between 4 and 48", ""},
    {"[{name: a, funnel: {mouth: [0, 0, 1], surface: {time_constant: 0.004}}}]", "environment.structures[0].funnel.surface.time_constant",
     "two integration steps", ""},
    {"{name: a}", "environment.structures", "expected a list, found a map", "begin each entry with '- '"},
};

TEST(structures, that_cannot_be_are_refused_with_place_and_advice) {
  for (const Refused& r : kRefused) {
    const core::Error error = fault(r.structures);
    EXPECT_EQ(error.field, r.field) << error.text();
    EXPECT_NE(error.message.find(r.words), std::string::npos) << error.text();
    EXPECT_NE(error.suggestion.find(r.suggestion), std::string::npos) << error.text();
    EXPECT_TRUE(error.file.ends_with("scenarios/t.yaml")) << error.text();
    EXPECT_EQ(error.line, 2) << error.text();
    EXPECT_TRUE(error.others.empty()) << error.text();
  }
}

TEST(structures, are_judged_by_the_integration_step_of_the_scenario) {
  const std::string soft = "[{name: a, wall: {centre: [0, 0, 1], stiffness: 1e5, mass: 0.5, surface: {time_constant: 0.004}}}]";
  EXPECT_TRUE(load(soft, "tick: 0.005\nsubsteps: 5\n")) << fault(soft, "tick: 0.005\nsubsteps: 5\n").text();
  EXPECT_FALSE(load(soft));
}

TEST(structures, are_at_most_as_many_as_a_scene_takes) {
  std::string list;
  for (std::size_t i = 0; i < kMostStructures; ++i) list += (i == 0 ? "" : ", ") + ("{name: w" + std::to_string(i) + ", wall: {centre: [0, 0, 1]}}");
  EXPECT_TRUE(load("[" + list + "]"));
  const core::Error error = fault("[" + list + ", {name: last, wall: {centre: [0, 0, 1]}}]");
  EXPECT_EQ(error.field, "environment.structures");
  EXPECT_EQ(error.message, "has 33 entries: must have between 0 and 32");
}

TEST(structures, all_that_are_wrong_are_named) {
  const core::Error error = fault("[{name: a}, {name: b, funnel: {mouth: [0, 0, 1], bore_radius: 1}}]");
  EXPECT_EQ(error.field, "environment.structures[0]");
  ASSERT_EQ(error.others.size(), 1u) << error.text();
  EXPECT_EQ(error.others[0].field, "environment.structures[1].funnel.mouth_radius");
}

TEST(structures, that_every_vehicle_passes_through_are_worth_a_warning) {
  const auto warns = [](const std::string& flock) {
    const auto def = load("[{name: w, wall: {centre: [0, 0, 1]}}]", "", flock);
    EXPECT_TRUE(def) << def.error().text();
    for (const std::string& w : warnings_of(def.value()))
      if (w.find("environment.structures: no flock has vehicles of joined bodies") != std::string::npos) return true;
    return false;
  };
  EXPECT_TRUE(warns("airframe: three_star"));
  EXPECT_FALSE(warns("airframe: three_star, joined: true"));
}

}  // namespace
}  // namespace volary::scenario
