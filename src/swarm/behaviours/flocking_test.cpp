// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// reynolds and olfati_saber: what the papers promise, with message loss, gusts and a failed member.
#include <gtest/gtest.h>

#include <cmath>

#include "swarm/behaviours/all.hpp"
#include "swarm/behaviours/flock_test_support.hpp"

namespace volary::swarm {
namespace {

Known at(std::uint64_t id, const V3& position, const V3& velocity = {0, 0, 0}) {
  Known k;
  k.from = id;
  k.position = position;
  k.velocity = velocity;
  return k;
}
template <class B> Action act(const Sense& s, const typename B::Params& p) {
  typename B::Memory m{};
  std::vector<Message> said;
  Outbox out(said);
  return B::act(B::extract(s, p, m), s, p, m, out);
}

TEST(reynolds, pushes_away_from_a_neighbour_that_is_too_near) {
  const std::vector<Known> others = {at(2, {1, 0, 10})};
  Sense s;
  s.self = 1;
  s.position = {0, 0, 10};
  s.others = others;
  Reynolds::Params p{.spacing = 4, .separation = 2, .alignment = 0, .cohesion = 0, .response = 0.5};
  // 2 m/s2 x (1 - 1/4) for half a second
  EXPECT_NEAR(act<Reynolds>(s, p).velocity.x, -0.75, 1e-12);
}

TEST(reynolds, turns_to_the_neighbours_mean_velocity_and_centre) {
  const std::vector<Known> others = {at(2, {6, 0, 10}, {0, 2, 0}), at(3, {0, 6, 10}, {0, 4, 0})};
  Sense s;
  s.self = 1;
  s.position = {0, 0, 10};
  s.others = others;
  Reynolds::Params p{.spacing = 1, .separation = 1, .alignment = 0.5, .cohesion = 0, .response = 1};
  EXPECT_NEAR(act<Reynolds>(s, p).velocity.y, 0.5 * 3, 1e-12);
  p.alignment = 0;
  p.cohesion = 0.1;
  EXPECT_NEAR(act<Reynolds>(s, p).velocity.x, 0.1 * 3, 1e-12);
}

TEST(reynolds, separation_takes_what_it_needs_before_the_others_get_any) {
  const V3 urges[4] = {{3, 0, 0}, {0, 3, 0}, {0, 0, 3}, {0, 0, 3}};
  const V3 sum = Reynolds::allocate(urges, 4);
  EXPECT_DOUBLE_EQ(sum.x, 3);
  EXPECT_DOUBLE_EQ(sum.y, 1);
  EXPECT_DOUBLE_EQ(sum.z, 0);
}

TEST(reynolds, has_nothing_to_do_alone) {
  Sense s;
  EXPECT_EQ(Reynolds::trigger(Reynolds::extract(s, {}, {}), {}), 0);
  const std::vector<Known> others = {at(2, {1, 0, 0})};
  s.others = others;
  EXPECT_EQ(Reynolds::trigger(Reynolds::extract(s, {}, {}), {}), 1);
  s.mode = Mode::Disarmed;  // nor on the ground
  EXPECT_EQ(Reynolds::trigger(Reynolds::extract(s, {}, {}), {}), 0);
}

// ten minutes of 100 members: loss, gusts, and one that falls silent and down
TEST(reynolds, a_hundred_fly_together_for_ten_minutes) {
  FlockOptions o{.members = 100, .radio_range = 40, .loss = 0.2, .gust = 0.5, .memory = 16};
  Flock f(o);
  f.place_random({-30, -30, 10}, {30, 30, 20}, 2);
  f.add<Reynolds>({.range = 20, .velocity = {3, 0, 0}, .height = 15});
  f.add<Avoid>({});
  const double before = f.order();
  double lowest_order = 1;
  f.run(60);
  f.fail(42);
  f.run(540, [&] { lowest_order = std::min(lowest_order, f.order()); });
  EXPECT_LT(before, 0.5);
  EXPECT_GT(lowest_order, 0.9);
  EXPECT_EQ(f.groups(20), 1u);
  EXPECT_GT(f.centre().x, 3 * 500);
  EXPECT_NEAR(f.centre().z, 15, 1);
}

TEST(reynolds, gathers_at_a_goal) {
  Flock f({.members = 30, .loss = 0.2, .gust = 0.5});
  f.place_random({-60, -60, 10}, {60, 60, 20});
  f.add<Reynolds>({.range = 30, .goal = {{100, 50, 15}}});
  f.run(120);
  EXPECT_LT(distance(f.centre(), {100, 50, 15}), 8);
}

// the closed forms of section III: |z|_sigma, sigma_1, rho_h, phi_alpha
TEST(olfati_saber, its_functions_have_the_values_of_the_paper) {
  const double e = 0.1;
  EXPECT_NEAR(OlfatiSaber::sigma_norm_of(7, e), (std::sqrt(1 + 0.1 * 49) - 1) / 0.1, 1e-12);  // d_alpha for d = 7
  EXPECT_EQ(OlfatiSaber::sigma_norm_of(0, e), 0);
  EXPECT_NEAR(OlfatiSaber::sigma_1(1), 0.7071067811865475, 1e-15);
  EXPECT_EQ(OlfatiSaber::bump_of(0.1, 0.2), 1);
  EXPECT_NEAR(OlfatiSaber::bump_of(0.6, 0.2), 0.5, 1e-12);
  EXPECT_EQ(OlfatiSaber::bump_of(1.1, 0.2), 0);
  OlfatiSaber::Params p{.spacing = 7, .range = 8.4, .attraction = 5, .repulsion = 5};
  const auto l = OlfatiSaber::lattice(p);
  EXPECT_NEAR(OlfatiSaber::action(l.spacing, l, p), 0, 1e-12);   // rest at the spacing
  EXPECT_LT(OlfatiSaber::action(0.5 * l.spacing, l, p), 0);      // nearer pushes
  EXPECT_GT(OlfatiSaber::action(1.05 * l.spacing, l, p), 0);     // farther pulls
  EXPECT_EQ(OlfatiSaber::action(1.01 * l.range, l, p), 0);       // out of range: nothing
}

TEST(olfati_saber, two_members_settle_at_the_spacing) {
  Flock f({.members = 2});
  f.place(0, {-1, 0, 10});
  f.place(1, {1, 0.1, 10});
  f.add<OlfatiSaber>({.spacing = 5, .range = 6, .goal = {0, 0, 10}, .goal_gain = 0.1, .height = 10});
  f.run(120);
  EXPECT_NEAR(f.nearest(), 5, 0.2);
}

TEST(olfati_saber, a_hundred_become_one_even_lattice_that_follows_the_gamma_agent) {
  FlockOptions o{.members = 100, .radio_range = 40, .loss = 0.2, .gust = 0.5, .memory = 16};
  Flock f(o);
  f.place_random({-40, -40, 10}, {40, 40, 10.1});
  f.add<OlfatiSaber>({.spacing = 5, .range = 7, .goal = {0, 0, 10}, .goal_velocity = {2, 1, 0}, .goal_gain = 0.4, .height = 10});
  f.run(100);
  f.fail(17);
  f.run(500);
  EXPECT_GT(f.order(), 0.9);
  EXPECT_EQ(f.groups(7.5), 1u);
  EXPECT_LT(distance(f.centre(), {1200, 600, 10}), 10);
  // even: most have their nearest neighbour at about the spacing
  std::size_t even = 0;
  for (std::size_t i = 0; i < 100; ++i) {
    double nearest = 1e9;
    for (std::size_t j = 0; j < 100; ++j)
      if (i != j && !f.members[j].failed) nearest = std::min(nearest, distance(f.members[i].position, f.members[j].position));
    even += !f.members[i].failed && nearest > 3.2 && nearest < 6.5;
  }
  EXPECT_GT(even, 90u);
}

}  // namespace
}  // namespace volary::swarm
