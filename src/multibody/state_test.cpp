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

}  // namespace
}  // namespace volary::multibody
