// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/look.hpp"

#include <gtest/gtest.h>

#include "scenario/airframe.hpp"
#include "scenario/scene.hpp"

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

}  // namespace
}  // namespace volary::scenario
