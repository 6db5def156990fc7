// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Scenes that cannot be, and what is said of them.
#include <cmath>
#include <functional>

#include "multibody/multibody_test_support.hpp"

namespace volary::multibody {
namespace {

void expect_refused(const std::function<void(SceneDef&)>& spoil, const std::string& field, const std::string& words) {
  SceneDef scene = star();
  scene.groups = {"floor", "feet"}, scene.touching = {{"floor", "feet"}};
  GeomDef floor;
  floor.shape = Shape::Plane, floor.group = "floor";
  scene.statics = {floor};
  scene.welds = {{"latch", {"rotors1", "rotors2"}}};
  ASSERT_TRUE(check(scene));
  spoil(scene);
  const core::Status s = check(scene);
  ASSERT_FALSE(s) << "accepted: " << field;
  EXPECT_EQ(s.error().field, field);
  EXPECT_NE(s.error().text().find(words), std::string::npos) << s.error().text();
}

TEST(multibody, a_body_joined_to_nothing_is_refused_with_what_was_meant) {
  expect_refused([](SceneDef& s) { s.bodies[2].parent = "center"; }, "bodies[2].parent", "did you mean 'centre'?");
}
TEST(multibody, loops_are_refused) {
  expect_refused([](SceneDef& s) { s.bodies[0].parent = "part1", s.bodies[0].joint.kind = JointKind::Ball; }, "bodies[0].parent", "in a loop");
  expect_refused([](SceneDef& s) { s.bodies[1].parent = "part1"; }, "bodies[1].parent", "in a loop");
}
TEST(multibody, inertia_that_no_body_has_is_refused) {
  expect_refused([](SceneDef& s) { s.bodies[1].moments = {0.01, 0.01, 0.03}; }, "bodies[1].moments", "at most the sum of the other two");
  expect_refused([](SceneDef& s) { s.bodies[1].products = {0, 0.03, 0}; }, "bodies[1].moments", "no body has");
  expect_refused([](SceneDef& s) { s.bodies[1].moments.x = 0; }, "bodies[1].moments", "no body has");
  // a flat one has: moments of 1 1 2, and the same turned by 0.7 rad about x
  SceneDef flat = falling();
  flat.bodies[0].moments = {0.1, 0.1, 0.2};
  EXPECT_TRUE(check(flat));
  const double c = math::cos(0.7), sn = math::sin(0.7);
  flat.bodies[0].moments = {0.1, 0.1 * c * c + 0.2 * sn * sn, 0.1 * sn * sn + 0.2 * c * c};
  flat.bodies[0].products = {0, 0, -0.1 * c * sn};
  EXPECT_TRUE(make_model(flat)) << make_model(flat).error().text();
}
TEST(multibody, a_body_without_mass_is_refused) {
  expect_refused([](SceneDef& s) { s.bodies[3].mass = 0; }, "bodies[3].mass", "0 kg");
  expect_refused([](SceneDef& s) { s.bodies[3].mass = -1; }, "bodies[3].mass", "a positive number");
  expect_refused([](SceneDef& s) { s.bodies[3].mass = std::nan(""); }, "bodies[3].mass", "a positive number");
}
TEST(multibody, duplicate_names_are_refused) {
  expect_refused([](SceneDef& s) { s.bodies[3].name = "part1"; }, "bodies[3].name", "another 'part1'");
  expect_refused([](SceneDef& s) { s.bodies[3].sites[0].name = "rotors1"; }, "bodies[3].sites[0].name", "another 'rotors1'");
  expect_refused([](SceneDef& s) { s.groups[1] = "floor"; }, "groups[1]", "another 'floor'");
}
TEST(multibody, joints_that_cannot_be_are_refused) {
  expect_refused([](SceneDef& s) { s.bodies[1].joint.kind = JointKind::Free; }, "bodies[1].joint.kind", "a free joint has no parent");
  expect_refused([](SceneDef& s) { s.bodies[1].joint = {.kind = JointKind::Hinge, .axis = {0, 0, 0}}; }, "bodies[1].joint.axis", "has no direction");
  expect_refused([](SceneDef& s) { s.bodies[1].joint = {.kind = JointKind::Hinge, .is_limited = true, .lower = 1, .upper = -1}; }, "bodies[1].joint.lower",
                 "not below");
  expect_refused([](SceneDef& s) { s.bodies[1].joint.damping = -1; }, "bodies[1].joint.damping", "0 or more");
  expect_refused([](SceneDef& s) { s.bodies[0].joint.kind = JointKind::Fixed, s.bodies.resize(1), s.welds.clear(); }, "bodies",
                 "no body of the scene can move");
}
TEST(multibody, too_many_bodies_are_refused_with_the_limit) {
  expect_refused([](SceneDef& s) { s.bodies.resize(kMostBodies + 1); }, "bodies", "at most 64");
}
TEST(multibody, shapes_and_groups_that_are_not_there_are_refused) {
  expect_refused([](SceneDef& s) { s.statics[0].group = "flor"; }, "statics[0].group", "did you mean 'floor'?");
  expect_refused([](SceneDef& s) { s.touching[0][1] = "foot"; }, "touching[0][1]", "feet");
  expect_refused([](SceneDef& s) { s.statics[0].shape = Shape::Box; }, "statics[0].size", "not positive");
  expect_refused([](SceneDef& s) { s.bodies[0].geoms = s.statics; }, "bodies[0].geoms[0].shape", "a thin box");
  expect_refused([](SceneDef& s) { s.statics[0].surface.time_constant = 0.0015; }, "statics[0].surface.time_constant", "two time steps");
}
TEST(multibody, latches_join_sites_of_two_bodies) {
  expect_refused([](SceneDef& s) { s.welds[0].sites[1] = "rotor2"; }, "welds[0].sites[1]", "did you mean 'rotors2'?");
  expect_refused([](SceneDef& s) { s.welds[0].sites[1] = "rotors1"; }, "welds[0].sites", "both sites are of the body 'part1'");
}
TEST(multibody, a_scene_that_cannot_be_is_refused_before_mujoco_is_loaded) {
  SceneDef scene = star();
  scene.options.time_step = 0;
  const auto made = make_model(scene);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().field, "options.time_step");
}

}  // namespace
}  // namespace volary::multibody
