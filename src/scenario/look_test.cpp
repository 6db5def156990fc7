// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/look.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "scenario/airframe.hpp"
#include "scenario/scene.hpp"
#include "vehicles/platform_def.hpp"

namespace volary::scenario {
namespace {

Airframe shipped(const std::string& name) {
  core::Result<Airframe> airframe = load_airframe(VOLARY_SOURCE_DIR "/assets/vehicles/" + name + ".yaml");
  EXPECT_TRUE(airframe) << airframe.error().text();
  return airframe.value();
}

TEST(Look, AircraftHaveWingsAndPropellersWhereTheirFilesSay) {
  const Look look = look_of(shipped("aerosonde"));
  EXPECT_EQ(look.kind, "aeroplane");
  EXPECT_FALSE(look.v_tail);
  EXPECT_DOUBLE_EQ(look.span, 2.8956);
  EXPECT_DOUBLE_EQ(look.chord, 0.18994);
  EXPECT_DOUBLE_EQ(look.size, look.span);
  ASSERT_EQ(look.rotors.size(), 1u);
  EXPECT_EQ(look.rotors[0].axis, (std::array<double, 3>{1, 0, 0}));
  EXPECT_DOUBLE_EQ(look.rotors[0].radius, 0.254);
  EXPECT_EQ(look.wheels.size(), 3u);
}

TEST(Look, LayoutsAreToldApart) {
  EXPECT_EQ(look_of(shipped("flying_wing")).kind, "flying_wing");
  const Look quadplane = look_of(shipped("quadplane")), talon = look_of(shipped("talon"));
  EXPECT_EQ(quadplane.kind, "quadplane");
  EXPECT_EQ(quadplane.rotors.size(), 5u);
  EXPECT_EQ(talon.kind, "aeroplane");
  EXPECT_TRUE(talon.v_tail);
}

TEST(Look, ACarHasItsAxlesWhereItsFileSays) {
  const Look look = look_of(shipped("car"));
  EXPECT_EQ(look.kind, "car");
  EXPECT_GT(look.wheelbase, 1);
  EXPECT_GT(look.to_front, 0);
  EXPECT_LT(look.to_front, look.wheelbase);
  EXPECT_GT(look.height, 0.1);
  EXPECT_GE(look.size, look.wheelbase);
  const nlohmann::json told = shape_of(shipped("car"))["look"];
  EXPECT_DOUBLE_EQ(told["wheelbase"].get<double>(), look.wheelbase);
  EXPECT_FALSE(told.contains("span"));
}

TEST(Look, WhatHasNoWingIsAsWideAsItsRotorsOrItsGas) {
  const Look quadrotor = look_of(shipped("x500"));
  EXPECT_EQ(quadrotor.kind, "");
  EXPECT_EQ(quadrotor.rotors.size(), 4u);
  EXPECT_GT(quadrotor.size, 0.5);
  EXPECT_LT(quadrotor.size, 1.2);
  EXPECT_EQ(look_of(shipped("person")).kind, "");  // its height is that of an antenna, not of a car
  EXPECT_GT(look_of(shipped("balloon")).size, 0.5);
}

TEST(Look, PagesAreToldAxesAndRadiiWhereThereAreAny) {
  const nlohmann::json wing = shape_of(shipped("flying_wing")), quadrotor = shape_of(shipped("x500"));
  EXPECT_EQ(wing["look"]["kind"], "flying_wing");
  EXPECT_FALSE(wing["look"].contains("wheelbase"));
  EXPECT_EQ(wing["rotors"][0].size(), 8u);
  EXPECT_DOUBLE_EQ(wing["rotors"][0][7].get<double>(), 0.1);
  EXPECT_FALSE(quadrotor.contains("look"));
  EXPECT_EQ(quadrotor["rotors"][0].size(), 4u);
  EXPECT_EQ(shape_of(shipped("talon"))["look"]["tail"], "v");
}

TEST(Look, APlatformIsACentralBodyWithAircraftInItsJoints) {
  const Look star = look_of(shipped("three_star"));
  EXPECT_EQ(star.kind, "");
  EXPECT_EQ(star.rotors.size(), 12u) << "of the whole, for its size";
  EXPECT_EQ(star.centre, (std::array<double, 3>{0.3, 0.3, 0.06}));
  ASSERT_EQ(star.parts.size(), 3u);
  EXPECT_EQ(star.parts[0].joint, (std::array<double, 3>{0.48, 0, 0.07}));
  const Look alone = look_of(shipped("f450"));
  ASSERT_EQ(star.parts[1].rotors.size(), 4u);
  EXPECT_EQ(star.parts[1].rotors[2].hub, alone.rotors[2].hub) << "in the frame of the aircraft";
  EXPECT_DOUBLE_EQ(star.parts[1].size, alone.size);
  EXPECT_GT(star.size, alone.size);

  const nlohmann::json body = body_of(star);
  EXPECT_EQ(body["parts"][2]["link"], "spherical");
  EXPECT_FALSE(body["parts"][2].contains("axis"));
  EXPECT_EQ(body["parts"][2]["rotors"].size(), 4u);
  EXPECT_FALSE(body.contains("effectors"));
  EXPECT_TRUE(body_of(alone).empty());
  EXPECT_EQ(shape_of(shipped("three_star"))["body"], body) << "as pages are told";
  EXPECT_FALSE(shape_of(shipped("f450")).contains("body"));
}

TEST(Look, JointsAndEndEffectorsAreTold) {
  const Airframe shipped_one = shipped("two_line");
  auto def = std::make_shared<airframe::PlatformDef>(*static_cast<const airframe::PlatformDef*>(shipped_one.definition.get()));
  def->parts[1].link.kind = airframe::LinkKind::Hinge;
  def->parts[1].link.axis = {0, 1, 0};
  airframe::EffectorDef pole, cone;
  pole.position = {0.2, 0, 0}, pole.length = 0.8, pole.radius = 0.01;
  cone.kind = airframe::EffectorKind::Cone, cone.direction = {0, 0, -1}, cone.mouth = 0.12;
  def->effectors = {pole, cone};
  def->aircraft[0].effectors = {cone};
  const nlohmann::json body = body_of(look_of(Airframe{"platform", "changed", def}));
  EXPECT_EQ(body["parts"][0]["link"], "spherical");
  EXPECT_EQ(body["parts"][1]["link"], "hinge");
  EXPECT_EQ(body["parts"][1]["axis"], (nlohmann::json{0.0, 1.0, 0.0}));
  ASSERT_EQ(body["effectors"].size(), 2u);
  EXPECT_EQ(body["effectors"][0]["kind"], "pole");
  EXPECT_EQ(body["effectors"][0]["length"], 0.8);
  EXPECT_FALSE(body["effectors"][0].contains("mouth"));
  EXPECT_EQ(body["effectors"][1]["mouth"], 0.12);
  EXPECT_EQ(body["parts"][0]["effectors"][0]["kind"], "cone") << "an aircraft has its own";
  EXPECT_FALSE(body["parts"][1].contains("effectors"));

  // a multirotor may have them, too
  auto one = std::make_shared<airframe::MultirotorDef>(*static_cast<const airframe::MultirotorDef*>(shipped("x500").definition.get()));
  one->effectors = {pole};
  const Look multirotor = look_of(Airframe{"multirotor", "changed", one});
  EXPECT_EQ(multirotor.rotors.size(), 4u);
  EXPECT_TRUE(body_of(multirotor).contains("effectors"));
  EXPECT_FALSE(body_of(multirotor).contains("parts"));
}

// the box that holds all corners of a mesh: low and high, east north up
std::array<std::array<double, 3>, 2> box_of(const nlohmann::json& mesh) {
  std::array<std::array<double, 3>, 2> box = {{{1e9, 1e9, 1e9}, {-1e9, -1e9, -1e9}}};
  for (std::size_t k = 0; k < mesh["vertices"].size(); ++k) {
    const auto x = mesh["vertices"][k].get<double>();
    box[0][k % 3] = std::min(box[0][k % 3], x), box[1][k % 3] = std::max(box[1][k % 3], x);
  }
  return box;
}

TEST(Look, AWallStandsBehindItsFrontFace) {
  WallDef wall;
  wall.centre_W = {5, 1, 2}, wall.width = 4, wall.height = 3, wall.thickness = 0.2;
  wall.yaw = 3.14159265358979323846;
  const nlohmann::json mesh = structures_of({{"wall", wall}})[0];
  EXPECT_EQ(mesh["name"], "wall");
  EXPECT_EQ(mesh["kind"], "mesh");
  EXPECT_EQ(mesh["triangles"].size(), 36u);
  const auto [low, high] = box_of(mesh);
  EXPECT_NEAR(low[0], 5, 1e-3) << "its normal points west";
  EXPECT_NEAR(high[0], 5.2, 1e-3);
  EXPECT_NEAR(low[1], -1, 1e-3);
  EXPECT_NEAR(high[1], 3, 1e-3);
  EXPECT_NEAR(low[2], 0.5, 1e-3);
  EXPECT_NEAR(high[2], 3.5, 1e-3);
  wall.yaw = 0, wall.pitch = 1.5707963267948966;
  EXPECT_NEAR(box_of(structures_of({{"table", wall}})[0])[1][2], 2, 1e-3) << "a table top: its front face looks up";
}

TEST(Look, AFunnelNarrowsFromItsMouthToItsBore) {
  FunnelDef funnel;
  funnel.mouth_W = {0, 0, 3};
  const nlohmann::json mesh = structures_of({{"funnel", funnel}})[0];
  const auto [low, high] = box_of(mesh);
  EXPECT_NEAR(high[0], 0, 1e-3) << "the axis points east, out of the mouth";
  EXPECT_NEAR(low[0], -(funnel.taper + funnel.bore), 1e-3);
  const std::size_t n = mesh["vertices"].size() / 3;
  EXPECT_EQ(n, 6u * static_cast<std::size_t>(funnel.plates));
  double bore = 1e9;
  for (std::size_t k = 0; k < n; ++k) {
    const auto y = mesh["vertices"][3 * k + 1].get<double>(), z = mesh["vertices"][3 * k + 2].get<double>();
    bore = std::min(bore, std::hypot(y, z - 3));
  }
  EXPECT_NEAR(bore * std::cos(3.14159265358979323846 / funnel.plates), funnel.bore_radius, 1e-3) << "the plates touch the circle of the bore";
  for (const nlohmann::json& i : mesh["triangles"]) EXPECT_LT(i.get<std::size_t>(), n);
}

TEST(Look, StructuresAreToldBesideObstacles) {
  WorldDef def;
  EXPECT_FALSE(scene_of(def).contains("structures"));
  def.environment.structures = {{"wall", WallDef{}}, {"funnel", FunnelDef{}}};
  EXPECT_EQ(scene_of(def)["structures"], structures_of(def.environment.structures));
  EXPECT_FALSE(scene_of(def).contains("obstacles"));
}

}  // namespace
}  // namespace volary::scenario
