// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What bodies do to each other and to the world where they touch.
#include <cmath>

#include "multibody/multibody_test_support.hpp"

namespace volary::multibody {
namespace {

double pressing_force(double time_step) {
  SceneDef scene = box_on_floor();
  scene.options.time_step = time_step;
  const auto instance = instance_of(scene);
  fly(*instance, static_cast<int>(2 / time_step));
  std::vector<Contact> contacts;
  instance->contacts(0, 1, contacts);
  EXPECT_EQ(contacts.size(), 4u);
  double force = 0;
  for (const Contact& c : contacts) {
    EXPECT_EQ(c.a, 1u);  // shapes of the world are counted last
    EXPECT_EQ(c.b, 0u);
    EXPECT_NEAR(c.normal_W.z, 1, 1e-12);
    EXPECT_NEAR(std::abs(c.point_W.x), 0.25, 1e-3);
    EXPECT_LT(c.distance, 0);
    force += c.force_W.z;
  }
  return force;
}

TEST(multibody, a_box_presses_on_the_floor_with_its_weight_at_any_time_step) {
  for (const double time_step : {0.001, 0.002, 0.005}) EXPECT_NEAR(pressing_force(time_step) / (3 * 9.80665), 1, 1e-3) << time_step;
}

TEST(multibody, contacts_are_seen_from_either_side) {
  const auto instance = instance_of(box_on_floor());
  fly(*instance, 1000);
  std::vector<Contact> down, up;
  instance->contacts(0, 1, down);
  instance->contacts(1, 0, up);
  ASSERT_EQ(down.size(), up.size());
  for (std::size_t k = 0; k < up.size(); ++k) {
    EXPECT_EQ(down[k].a, up[k].b);
    EXPECT_EQ(down[k].force_W.z, -up[k].force_W.z);
    EXPECT_EQ(down[k].normal_W.z, -up[k].normal_W.z);
  }
  instance->contacts(0, 0, down);
  EXPECT_TRUE(down.empty());
}

// a pole with a ball at its tip that is pushed against a wall
SceneDef pole_at_wall() {
  SceneDef scene;
  scene.groups = {"wall", "tip"}, scene.touching = {{"tip", "wall"}};
  GeomDef wall, tip;
  wall.size = {0.1, 2, 2}, wall.pose.position = {1.1, 0, 0}, wall.group = "wall";
  tip.shape = Shape::Sphere, tip.size = {0.03, 0, 0}, tip.pose.position = {0.97, 0, 0}, tip.group = "tip";
  BodyDef pole = free_body("pole", 2, {0.1, 0.2, 0.2});
  pole.geoms = {tip};
  pole.sites = {{"drive", {}, Drive::Wrench}, {"grip", {{0, 0, 0}, turned({0, 0, 1}, 1.5707963267948966)}, Drive::None}};
  scene.bodies = {pole}, scene.statics = {wall};
  scene.options.gravity = {0, 0, 0};
  return scene;
}

TEST(multibody, the_wrench_of_a_contact_is_given_about_a_site_and_in_its_axes) {
  const auto instance = instance_of(pole_at_wall());
  // a push of 5 N, and 1.5 N to the side with the torque that holds it, 1 m away from the tip
  instance->command(0, Wrench{{5, 1.5, 0}, {0, 0, 1.5}});
  fly(*instance, 3000);
  const Wrench at_drive = instance->contact_wrench(0), at_grip = instance->contact_wrench(1);
  EXPECT_NEAR(at_drive.force.x, -5, 0.05);
  EXPECT_NEAR(at_drive.force.y, -1.5, 0.05);
  EXPECT_NEAR(at_drive.torque.z, -1.5, 0.05);
  // x of the grip is y of the pole
  EXPECT_NEAR(at_grip.force.x, at_drive.force.y, 1e-9);
  EXPECT_NEAR(at_grip.force.y, -at_drive.force.x, 1e-9);
  EXPECT_NEAR(at_grip.torque.z, at_drive.torque.z, 1e-9);
}

TEST(multibody, a_box_slides_when_the_push_is_greater_than_friction_and_stays_when_it_is_less) {
  SceneDef scene = box_on_floor();
  scene.statics[0].surface.friction = scene.bodies[0].geoms[0].surface.friction = 0.4;
  scene.options.friction_stiffness = 10;
  scene.bodies[0].sites = {{"hand", {{0, 0, -0.24}, {1, 0, 0, 0}}, Drive::Wrench}};
  const auto instance = instance_of(scene);
  const double limit = 0.4 * 3 * 9.80665;
  instance->command(0, Wrench{{0.8 * limit, 0, 0}, {}});
  fly(*instance, 1000);
  EXPECT_LT(instance->motion(0).velocity_W.x, 0.02);
  const double before = instance->motion(0).velocity_W.x;
  instance->command(0, Wrench{{1.5 * limit, 0, 0}, {}});
  fly(*instance, 500);
  EXPECT_NEAR(instance->motion(0).velocity_W.x - before, 0.5 * limit / 3 * 0.5, 0.05);
}

TEST(multibody, groups_that_do_not_touch_pass_through_each_other) {
  SceneDef scene = box_on_floor();
  scene.touching.clear();
  const auto instance = instance_of(scene);
  fly(*instance, 1000);
  EXPECT_LT(instance->motion(0).position_W.z, -4);
}

TEST(multibody, there_are_no_contacts_before_the_first_step_and_after_a_body_was_placed) {
  const auto instance = instance_of(box_on_floor(0.2495));
  std::vector<Contact> contacts;
  instance->contacts(0, 1, contacts);
  EXPECT_TRUE(contacts.empty());
  EXPECT_EQ(instance->n_contacts(), 0u);
  fly(*instance, 1);
  instance->contacts(0, 1, contacts);
  EXPECT_EQ(contacts.size(), 4u);
  EXPECT_EQ(instance->n_contacts(), 4u);
  instance->place(0, {.position_W = {0, 0, 2}});
  instance->contacts(0, 1, contacts);
  EXPECT_TRUE(contacts.empty());
  EXPECT_EQ(instance->n_contacts(), 0u);
}

TEST(multibody, contacts_of_all_groups_are_counted_and_gone_when_nothing_touches_any_more) {
  SceneDef scene = box_on_floor();
  scene.groups.push_back("lid"), scene.touching.push_back({"lid", "box"});
  GeomDef lid;
  lid.size = {0.3, 0.3, 0.05}, lid.pose.position = {0, 0, 0.5499}, lid.group = "lid";
  scene.statics.push_back(lid);
  const auto instance = instance_of(scene);
  fly(*instance, 3);
  std::vector<Contact> floor, above;
  instance->contacts(0, 1, floor);
  instance->contacts(2, 1, above);
  EXPECT_FALSE(floor.empty() || above.empty());
  EXPECT_EQ(instance->n_contacts(), floor.size() + above.size());
  instance->place(0, {.position_W = {5, 0, 2}});
  fly(*instance, 1);
  EXPECT_EQ(instance->n_contacts(), 0u) << "it falls freely";
}

TEST(multibody, memory_that_does_not_suffice_is_an_error_and_the_state_stays) {
  SceneDef scene = box_on_floor();
  scene.options.memory = 16 * 1024;
  for (int k = 0; k < 24; ++k) {
    BodyDef more = free_body("more" + std::to_string(k), 3, {0.125, 0.125, 0.125}, {2.0 * k + 2, 0, 0.249});
    more.geoms = scene.bodies[0].geoms;
    more.geoms[0].name.clear();
    scene.bodies.push_back(more);
  }
  const auto made = model_of(scene)->make_instance();
  if (!made) return;  // not even the data of the model
  const core::Status s = made.value()->step(10);
  ASSERT_FALSE(s);
  EXPECT_EQ(s.error().field, "options.memory") << s.error().text();
  EXPECT_EQ(made.value()->time(), 0);
  EXPECT_EQ(made.value()->motion(0).position_W.z, 0.25);
}

TEST(multibody, an_error_inside_of_mujoco_is_returned_and_ends_nothing) {
  SceneDef scene;
  for (int k = 0; k < 60; ++k) scene.bodies.push_back(free_body("stone" + std::to_string(k), 1, {0.1, 0.1, 0.1}, {1.0 * k, 0, 0}));
  scene.options.memory = 16 * 1024;
  const auto made = make_model(scene);
  if (!made) {
    EXPECT_NE(made.error().message.find("memory"), std::string::npos) << made.error().text();
    return;
  }
  const auto instance = made.value()->make_instance();
  ASSERT_TRUE(instance) << instance.error().text();
  const core::Status s = instance.value()->step(1);
  EXPECT_TRUE(s || s.error().field == "options.memory") << s.error().text();
}

TEST(multibody, a_command_that_is_no_number_is_an_error_and_the_state_stays) {
  SceneDef scene = falling();
  scene.bodies[0].sites = {{"rotor", {}, Drive::Thrust}};
  const auto stone = instance_of(scene);
  fly(*stone, 10);
  stone->command(0, std::nan(""), 0);
  const core::Status s = stone->step(5);
  ASSERT_FALSE(s);
  EXPECT_NE(s.error().message.find("a command at 0.01 s is not a number"), std::string::npos) << s.error().text();
  EXPECT_NEAR(stone->time(), 0.01, 1e-12);
}

}  // namespace
}  // namespace volary::multibody
