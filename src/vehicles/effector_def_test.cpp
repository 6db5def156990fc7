// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// End effectors, joints and structures that cannot be are refused, each with its field and a way out.
#include "vehicles/effector_def.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "vehicles/multirotor_test_support.hpp"
#include "vehicles/platform_test_support.hpp"

namespace volary {
namespace {

using airframe::EffectorDef;
using airframe::EffectorKind;
using airframe::LinkDef;
using airframe::LinkKind;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::vector<EffectorDef> one_of_each() {
  std::vector<EffectorDef> all(4);
  for (std::size_t k = 0; k < 4; ++k) all[k].name = airframe::names(EffectorKind{})[k], all[k].kind = static_cast<EffectorKind>(k);
  all[3].radius = 0.025, all[3].mouth = 0.1;
  return all;
}
StructureDef wall() { return {"wall", WallDef{}}; }
StructureDef funnel() { return {"funnel", FunnelDef{}}; }

void expect_refused(const core::Status& s, const std::string& what, const std::string& field, const std::string& message) {
  ASSERT_FALSE(static_cast<bool>(s)) << what;
  EXPECT_EQ(s.error().field, field) << what;
  EXPECT_NE(s.error().message.find(message), std::string::npos) << what << ": " << s.error().message;
  EXPECT_FALSE(s.error().suggestion.empty()) << what;
}

TEST(effector_def, what_the_definitions_begin_with_can_be) {
  EXPECT_TRUE(airframe::check_effectors({}));
  EXPECT_TRUE(airframe::check_effectors(one_of_each()));
  EXPECT_TRUE(airframe::check_link(LinkDef{}));
  EXPECT_TRUE(airframe::check_link({.kind = LinkKind::Hinge, .axis = {0, 0.1, 0}, .limit = 0.5, .friction = 0.1, .damping = 0.2}));
  EXPECT_TRUE(airframe::check_link({.kind = LinkKind::Fixed}));
  EXPECT_TRUE(airframe::check_structure(wall()));
  EXPECT_TRUE(airframe::check_structure(funnel()));
}

TEST(effector_def, end_effectors_that_cannot_be_are_refused) {
  const struct {
    const char* what;
    std::function<void(std::vector<EffectorDef>&)> spoil;
    const char *field, *message;
  } refusals[] = {
      {"no name", [](auto& e) { e[1].name.clear(); }, "effectors[1].name", "has no name"},
      {"twice the same", [](auto& e) { e[2].name = "pole"; }, "effectors[2].name", "effectors[0] is called 'pole', too"},
      {"no direction", [](auto& e) { e[0].direction = {0, 0, 0}; }, "effectors[0].direction", "points nowhere"},
      {"a direction without numbers", [](auto& e) { e[0].direction = {1, kNone, 0}; }, "effectors[0].direction", "points nowhere"},
      {"no place", [](auto& e) { e[3].position = {0, 0, kNone}; }, "effectors[3].position", "not a place"},
      {"no length", [](auto& e) { e[1].length = 0; }, "effectors[1].length", "0 m cannot be"},
      {"a length without a number", [](auto& e) { e[1].length = kNone; }, "effectors[1].length", "cannot be"},
      {"no radius", [](auto& e) { e[0].radius = -0.1; }, "effectors[0].radius", "-0.1 m cannot be"},
      {"shorter than its tip", [](auto& e) { e[0].length = 0.02; }, "effectors[0].length", "not longer than its round tip"},
      {"a cylinder shorter than its tip", [](auto& e) { e[2].length = 0.01; }, "effectors[2].length", "not longer than its round tip"},
      {"the mouth is not wider", [](auto& e) { e[3].mouth = 0.025; }, "effectors[3].mouth", "not wider than its bottom: 0.025 m and 0.025 m"},
      {"friction", [](auto& e) { e[0].surface.friction = -1; }, "effectors[0].surface.friction", "-1 cannot be"},
      {"softness", [](auto& e) { e[0].surface.time_constant = 0; }, "effectors[0].surface.time_constant", "0 s cannot be"},
      {"latch", [](auto& e) { e[3].latch_depth = -0.01; }, "effectors[3].latch_depth", "-0.01 m cannot be"},
      {"too many", [](auto& e) { e.resize(9, e[0]); }, "effectors", "9 end effectors"},
  };
  for (const auto& r : refusals) {
    std::vector<EffectorDef> all = one_of_each();
    r.spoil(all);
    expect_refused(airframe::check_effectors(all), r.what, r.field, r.message);
  }
}

TEST(effector_def, a_plate_is_thin_and_a_mouth_belongs_to_cones_alone) {
  std::vector<EffectorDef> all = one_of_each();
  all[1].length = 0.005, all[1].radius = 0.1;
  for (std::size_t k = 0; k < 3; ++k) all[k].mouth = 0.001;
  EXPECT_TRUE(airframe::check_effectors(all));
}

TEST(effector_def, joints_that_cannot_be_are_refused) {
  expect_refused(airframe::check_link({.kind = LinkKind::Hinge, .axis = {0, 0, 0}}), "no axis", "axis", "no axis");
  expect_refused(airframe::check_link({.limit = 1e-5}), "limit", "limit", "1e-05 rad cannot limit");
  expect_refused(airframe::check_link({.limit = 3.2}), "limit", "limit", "3.2 rad cannot limit");
  expect_refused(airframe::check_link({.limit = kNone}), "limit", "limit", "cannot limit");
  expect_refused(airframe::check_link({.friction = -1}), "friction", "friction", "-1 N m cannot be");
  expect_refused(airframe::check_link({.damping = kNone}), "damping", "damping", "cannot be");
  expect_refused(airframe::check_link({.kind = LinkKind::Fixed, .damping = 0.1}), "fixed", "damping", "does not turn");
  EXPECT_TRUE(airframe::check_link({.axis = {0, 0, 0}})) << "the axis of a ball joint means nothing";
}

TEST(effector_def, structures_that_cannot_be_are_refused) {
  const auto spoil_wall = [](auto spoil) {
    StructureDef s = wall();
    spoil(std::get<WallDef>(s.shape));
    return airframe::check_structure(s);
  };
  const auto spoil_funnel = [](auto spoil) {
    StructureDef s = funnel();
    spoil(std::get<FunnelDef>(s.shape));
    return airframe::check_structure(s);
  };
  expect_refused(spoil_wall([](WallDef& w) { w.width = 0; }), "width", "wall.width", "0 m cannot be");
  expect_refused(spoil_wall([](WallDef& w) { w.thickness = kNone; }), "thickness", "wall.thickness", "cannot be");
  expect_refused(spoil_wall([](WallDef& w) { w.centre_W[1] = kNone; }), "place", "wall.centre", "not a place");
  expect_refused(spoil_wall([](WallDef& w) { w.stiffness = -3; }), "stiffness", "wall.stiffness", "-3 N/m cannot be");
  expect_refused(spoil_wall([](WallDef& w) { w.stiffness = 30, w.mass = 0; }), "mass", "wall.mass", "0 kg cannot be");
  EXPECT_TRUE(spoil_wall([](WallDef& w) { w.mass = 0; })) << "a wall that stands fast weighs nothing";
  expect_refused(spoil_funnel([](FunnelDef& f) { f.mouth_radius = f.bore_radius; }), "mouth", "funnel.mouth_radius", "not wider than the bore");
  expect_refused(spoil_funnel([](FunnelDef& f) { f.bore = 0; }), "bore", "funnel.bore", "0 m cannot be");
  expect_refused(spoil_funnel([](FunnelDef& f) { f.plates = 3; }), "plates", "funnel.plates", "3 plates make no funnel");
  expect_refused(spoil_funnel([](FunnelDef& f) { f.plates = 1000; }), "plates", "funnel.plates", "1000 plates make no funnel");
  expect_refused(spoil_funnel([](FunnelDef& f) { f.surface.friction = 11; }), "friction", "funnel.surface.friction", "11 cannot be");
  expect_refused(spoil_funnel([](FunnelDef& f) { f.pitch = kNone; }), "pitch", "funnel.pitch", "cannot be");
}

TEST(effector_def, vehicles_are_refused_with_the_end_effectors_that_they_carry) {
  airframe::MultirotorDef one = test::f450();
  one.effectors = one_of_each();
  EXPECT_TRUE(airframe::check_multirotor(one));
  one.effectors[3].mouth = 0.01;
  expect_refused(airframe::check_multirotor(one), "multirotor", "effectors[3].mouth", "not wider");
  test::PlatformDef many = test::three_star();
  many.effectors = one_of_each();
  EXPECT_TRUE(airframe::check_platform(many));
  many.effectors[0].length = 0;
  expect_refused(airframe::check_platform(many), "platform", "effectors[0].length", "cannot be");
}

TEST(effector_def, a_cylinder_reaches_the_bottom_of_a_cone_when_its_round_tip_does) {
  EffectorDef cylinder = one_of_each()[2], cone = one_of_each()[3];
  cone.length = 0.4, cone.radius = 0.02, cone.mouth = 0.32;  // sides as 3 to 4: a ball of twice the radius of the bottom touches bottom and side
  cylinder.radius = 0.0399;
  EXPECT_TRUE(airframe::reaches_bottom(cylinder, cone));
  cylinder.radius = 0.0401;
  EXPECT_FALSE(airframe::reaches_bottom(cylinder, cone));
  // in a tube, all but, it is the radius that counts
  cone.mouth = 0.02 + 1e-9;
  cylinder.radius = 0.0199;
  EXPECT_TRUE(airframe::reaches_bottom(cylinder, cone));
  cylinder.radius = 0.0201;
  EXPECT_FALSE(airframe::reaches_bottom(cylinder, cone));
}

}  // namespace
}  // namespace volary
