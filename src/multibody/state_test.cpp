// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// States that are saved and restored, instances beside each other, latches.
#include <array>
#include <cstring>
#include <thread>

#include "multibody/multibody_test_support.hpp"

namespace volary::multibody {
namespace {

// A star with feet that falls askew onto the floor, with thrust that changes: contacts come and go
SceneDef dropped_star() {
  SceneDef scene = star();
  scene.groups = {"floor", "feet"}, scene.touching = {{"floor", "feet"}};
  GeomDef floor, foot;
  floor.shape = Shape::Plane, floor.group = "floor";
  foot.shape = Shape::Cylinder, foot.size = {0.2, 0.03, 0}, foot.group = "feet";
  scene.statics = {floor};
  for (std::size_t i = 1; i < scene.bodies.size(); ++i) scene.bodies[i].geoms = {foot}, scene.bodies[i].joint.damping = 0.01;
  return scene;
}
void let_go(Instance& instance) { instance.place(0, {.position_W = {0, 0, 0.3}, .q_WB = turned({1, 0.3, 0}, 0.2)}); }
void fly_on(Instance& instance, int begin, int steps) {
  for (int k = begin; k < begin + steps; ++k) {
    for (std::size_t site = 0; site < 3; ++site)
      instance.command(site, Wrench{{0, 0, 12 + 3 * math::sin(0.05 * k + static_cast<double>(site))}, {0.1 * math::cos(0.03 * k), 0.1, 0}});
    fly(instance, 1);
  }
}
bool is_same(const std::vector<Contact>& a, const std::vector<Contact>& b) {
  for (std::size_t k = 0; k < a.size() && k < b.size(); ++k)
    if (std::memcmp(&a[k].force_W, &b[k].force_W, sizeof(Vec)) != 0 || std::memcmp(&a[k].point_W, &b[k].point_W, sizeof(Vec)) != 0) return false;
  return a.size() == b.size();
}

TEST(multibody, a_state_that_is_restored_in_contact_goes_on_bit_for_bit) {
  const auto model = model_of(dropped_star());
  const auto flown = model->make_instance(), other = model->make_instance();
  ASSERT_TRUE(flown && other);
  Instance &a = *flown.value(), &b = *other.value();
  let_go(a);
  fly_on(a, 0, 500);
  std::vector<double> state(model->state_size());
  std::vector<Contact> of_a, of_b;
  a.save(state);
  a.contacts(0, 1, of_a);
  ASSERT_FALSE(of_a.empty());

  // into an instance that has done something else
  fly_on(b, 7, 20);
  ASSERT_TRUE(b.restore(state));
  b.contacts(0, 1, of_b);
  EXPECT_TRUE(is_same(of_a, of_b));
  EXPECT_EQ(a.hash(), b.hash());
  std::vector<double> again(model->state_size());
  b.save(again);
  EXPECT_EQ(std::memcmp(state.data(), again.data(), state.size() * sizeof(double)), 0);
  for (int k = 0; k < 200; ++k) {
    fly_on(a, 500 + k, 1);
    fly_on(b, 500 + k, 1);
    ASSERT_EQ(a.hash(), b.hash()) << k;
  }
  a.contacts(0, 1, of_a);
  b.contacts(0, 1, of_b);
  EXPECT_TRUE(is_same(of_a, of_b));
}

TEST(multibody, commands_given_after_the_step_are_part_of_the_state) {
  const auto model = model_of(dropped_star());
  const auto flown = model->make_instance(), other = model->make_instance();
  Instance &a = *flown.value(), &b = *other.value();
  let_go(a);
  fly_on(a, 0, 400);
  a.command(1, Wrench{{0, 0, 20}, {}});
  std::vector<double> state(model->state_size());
  a.save(state);
  ASSERT_TRUE(b.restore(state));
  EXPECT_EQ(a.hash(), b.hash());
  fly(a, 50);
  fly(b, 50);
  EXPECT_EQ(a.hash(), b.hash());
}

std::vector<double> motion_of(const Instance& instance, const Model& model) {
  std::vector<double> motion(model.motion_size());
  instance.save_motion(motion);
  return motion;
}
bool is_same(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

TEST(multibody, a_motion_that_is_restored_in_contact_goes_on_bit_for_bit_under_the_same_commands) {
  const auto model = model_of(dropped_star());
  const auto flown = model->make_instance(), other = model->make_instance();
  ASSERT_TRUE(flown && other);
  Instance &a = *flown.value(), &b = *other.value();
  let_go(a);
  fly_on(a, 0, 500);
  ASSERT_GT(a.n_contacts(), 0u);
  const std::vector<double> motion = motion_of(a, *model);

  // into an instance that has done something else, at another time
  let_go(b);
  fly_on(b, 7, 450);
  b.restore_motion(motion);
  EXPECT_TRUE(is_same(motion_of(b, *model), motion));
  const Motion of_a = a.motion(2), of_b = b.motion(2);
  EXPECT_EQ(std::memcmp(&of_a, &of_b, sizeof of_a), 0) << "poses and velocities are those of the motion at once";
  std::vector<Contact> by_a, by_b;
  for (int k = 0; k < 200; ++k) {
    fly_on(a, 500 + k, 1);
    fly_on(b, 500 + k, 1);
    ASSERT_TRUE(is_same(motion_of(a, *model), motion_of(b, *model))) << k;
    ASSERT_EQ(a.n_contacts(), b.n_contacts()) << k;
    a.contacts(0, 1, by_a);
    b.contacts(0, 1, by_b);
    ASSERT_TRUE(is_same(by_a, by_b)) << k;
  }
}

TEST(multibody, a_motion_between_any_two_substeps_is_all_that_the_flight_needs) {
  const auto model = model_of(dropped_star());
  const auto flown = model->make_instance(), other = model->make_instance();
  Instance &a = *flown.value(), &b = *other.value();
  let_go(a);
  fly_on(a, 0, 400);
  for (int k = 0; k < 100; ++k) {
    b.reset();
    b.restore_motion(motion_of(a, *model));
    fly_on(a, 400 + k, 1);
    fly_on(b, 400 + k, 1);
    ASSERT_TRUE(is_same(motion_of(a, *model), motion_of(b, *model))) << k;
  }
}

TEST(multibody, there_are_no_contacts_after_a_motion_was_restored_until_the_next_step) {
  const auto model = model_of(dropped_star());
  const auto made = model->make_instance();
  Instance& a = *made.value();
  EXPECT_EQ(a.n_contacts(), 0u);
  let_go(a);
  fly_on(a, 0, 500);
  const std::size_t before = a.n_contacts();
  std::vector<Contact> found;
  a.contacts(0, 1, found);
  EXPECT_EQ(found.size(), before);
  ASSERT_GT(before, 0u);
  const std::vector<double> motion = motion_of(a, *model);
  std::vector<double> state(model->state_size());
  a.save(state);
  a.restore_motion(motion);
  EXPECT_EQ(a.n_contacts(), 0u);
  a.contacts(0, 1, found);
  EXPECT_TRUE(found.empty());
  EXPECT_EQ(math::norm(a.contact_wrench(0).force), 0);
  fly_on(a, 500, 1);
  EXPECT_GT(a.n_contacts(), 0u);
  ASSERT_TRUE(a.restore(state));
  EXPECT_EQ(a.n_contacts(), before) << "a whole state has its contacts";
  a.reset();
  EXPECT_EQ(a.n_contacts(), 0u);
}

TEST(multibody, instances_of_one_model_do_not_influence_each_other) {
  const auto model = model_of(dropped_star());
  const auto alone = model->make_instance(), one = model->make_instance(), two = model->make_instance();
  let_go(*alone.value());
  let_go(*one.value());
  fly_on(*alone.value(), 0, 600);
  for (int k = 0; k < 600; ++k) {
    fly_on(*one.value(), k, 1);
    fly_on(*two.value(), 3 * k, 1);
  }
  EXPECT_EQ(alone.value()->hash(), one.value()->hash());
  EXPECT_NE(alone.value()->hash(), two.value()->hash());
}

TEST(multibody, instances_fly_on_threads_of_their_own) {
  const auto model = model_of(dropped_star());
  const auto alone = model->make_instance();
  let_go(*alone.value());
  fly_on(*alone.value(), 0, 600);
  std::array<std::uint64_t, 4> hashes{};
  std::vector<std::thread> threads;
  for (std::uint64_t& hash : hashes)
    threads.emplace_back([&model, &hash] {
      const auto own = model->make_instance();
      let_go(*own.value());
      fly_on(*own.value(), 0, 600);
      hash = own.value()->hash();
    });
  for (std::thread& t : threads) t.join();
  for (const std::uint64_t hash : hashes) EXPECT_EQ(hash, alone.value()->hash());
}

TEST(multibody, substeps_at_once_are_steps_one_by_one) {
  const auto model = model_of(dropped_star());
  const auto one = model->make_instance(), many = model->make_instance();
  let_go(*one.value());
  let_go(*many.value());
  for (int k = 0; k < 700; ++k) fly(*one.value(), 1);
  fly(*many.value(), 700);
  EXPECT_EQ(one.value()->hash(), many.value()->hash());
}

TEST(multibody, an_instance_that_is_reset_begins_again) {
  const auto model = model_of(dropped_star());
  const auto flown = model->make_instance(), fresh = model->make_instance();
  Instance& a = *flown.value();
  const std::uint64_t at_first = a.hash();
  fly_on(a, 0, 300);
  EXPECT_NE(a.hash(), at_first);
  a.reset();
  EXPECT_EQ(a.hash(), at_first);
  fly_on(a, 0, 300);
  fly_on(*fresh.value(), 0, 300);
  EXPECT_EQ(a.hash(), fresh.value()->hash());
}

// two balls side by side, each with a site where they would be joined
SceneDef latch() {
  SceneDef scene;
  scene.bodies = {free_body("left", 1, {0.01, 0.01, 0.01}, {-0.5, 0, 0}), free_body("right", 3, {0.02, 0.02, 0.02}, {0.5, 0, 0})};
  scene.bodies[0].sites = {{"cone", {{0.5, 0, 0}, {1, 0, 0, 0}}, Drive::None}};
  scene.bodies[1].sites = {{"cylinder", {{-0.5, 0, 0}, {1, 0, 0, 0}}, Drive::None}, {"rotor", {}, Drive::Thrust}};
  scene.welds = {{"latch", {"cone", "cylinder"}}};
  scene.options.gravity = {0, 0, 0};
  return scene;
}
double gap(const Instance& instance) { return math::norm(instance.site_motion(0).position_W - instance.site_motion(1).position_W); }

TEST(multibody, a_latch_holds_while_it_is_closed_and_lets_go_when_it_opens) {
  const auto pair = instance_of(latch());
  EXPECT_FALSE(pair->is_closed(0));
  pair->close(0, true);
  pair->command(2, 4, 0);  // through the centre of the right one
  fly(*pair, 500);
  EXPECT_TRUE(pair->is_closed(0));
  EXPECT_LT(gap(*pair), 0.005);
  // one body of 4 kg
  const double together = 0.25 * (pair->motion(0).velocity_W.z * 1 + pair->motion(1).velocity_W.z * 3);
  EXPECT_NEAR(together, 4 / 4.0 * 0.5, 0.005);  // the thrust tilts with the pair
  pair->close(0, false);
  fly(*pair, 500);
  EXPECT_GT(gap(*pair), 0.05);
}

TEST(multibody, a_latch_is_part_of_the_state) {
  const auto model = model_of(latch());
  const auto closed = model->make_instance(), other = model->make_instance();
  closed.value()->close(0, true);
  fly(*closed.value(), 100);
  std::vector<double> state(model->state_size());
  closed.value()->save(state);
  ASSERT_TRUE(other.value()->restore(state));
  EXPECT_TRUE(other.value()->is_closed(0));
  fly(*closed.value(), 100);
  fly(*other.value(), 100);
  EXPECT_EQ(closed.value()->hash(), other.value()->hash());
}

TEST(multibody, a_motion_goes_on_bit_for_bit_with_the_same_latches_and_leaves_latches_and_commands_alone) {
  const auto model = model_of(latch());
  const auto closed = model->make_instance(), other = model->make_instance();
  Instance &a = *closed.value(), &b = *other.value();
  a.close(0, true);
  a.command(2, 4, 0.1);
  fly(a, 100);
  const std::vector<double> motion = motion_of(a, *model);
  b.restore_motion(motion);
  EXPECT_FALSE(b.is_closed(0)) << "no part of the motion";
  b.close(0, true);
  b.command(2, 4, 0.1);
  // what an instance was told stays when the motion is set
  b.restore_motion(motion);
  EXPECT_TRUE(b.is_closed(0));
  fly(a, 100);
  fly(b, 100);
  EXPECT_TRUE(is_same(motion_of(a, *model), motion_of(b, *model)));
  // and with another latch, or another command, it goes on elsewhere
  b.restore_motion(motion);
  b.close(0, false);
  fly(b, 100);
  EXPECT_FALSE(is_same(motion_of(a, *model), motion_of(b, *model)));
  b.restore_motion(motion);
  b.close(0, true);
  b.command(2, 0, 0);
  fly(b, 100);
  EXPECT_FALSE(is_same(motion_of(a, *model), motion_of(b, *model)));
}

}  // namespace
}  // namespace volary::multibody
