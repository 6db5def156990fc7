// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "swarm/behaviours/all.hpp"
#include "swarm/behaviours/flock_test_support.hpp"

namespace volary::swarm {
namespace {

TEST(half_spaces, without_rules_the_answer_is_the_wanted_point_within_the_ball) {
  const auto a = HalfSpaceProgram::solve({}, 0, 2, {3, 0, 4}, {0, 0, 0});
  EXPECT_TRUE(a.feasible);
  EXPECT_DOUBLE_EQ(a.point.x, 1.2);
  EXPECT_DOUBLE_EQ(a.point.z, 1.6);
}

TEST(half_spaces, one_rule_projects_onto_its_plane_two_onto_their_line_three_onto_their_corner) {
  const std::vector<HalfSpace> s = {{{1, 0, 0}, 1}, {{0, 1, 0}, 2}, {{0, 0, 1}, 3}};
  const V3 w = {-1, -1, -1};
  const auto one = HalfSpaceProgram::solve(std::span(s).first(1), 0, 10, w, {0, 0, 0}).point;
  EXPECT_NEAR(distance(one, {1, -1, -1}), 0, 1e-9);
  const auto two = HalfSpaceProgram::solve(std::span(s).first(2), 0, 10, w, {0, 0, 0}).point;
  EXPECT_NEAR(distance(two, {1, 2, -1}), 0, 1e-9);
  const auto three = HalfSpaceProgram::solve(s, 0, 10, w, {0, 0, 0}).point;
  EXPECT_NEAR(distance(three, {1, 2, 3}), 0, 1e-9);
}

TEST(half_spaces, two_rules_that_exclude_each_other_are_broken_equally) {
  const std::vector<HalfSpace> s = {{{1, 0, 0}, 1}, {{-1, 0, 0}, 3}};  // x >= 1 and x <= -3
  const auto a = HalfSpaceProgram::solve(s, 0, 10, {0, 5, 0}, {0, 0, 0});
  EXPECT_FALSE(a.feasible);
  EXPECT_NEAR(a.point.x, -1, 1e-3);
  EXPECT_NEAR(a.point.y, 5, 1e-3);
  EXPECT_NEAR(a.relaxed, 2, 1e-3);
}

TEST(half_spaces, a_hard_rule_is_not_broken_for_a_soft_one) {
  const std::vector<HalfSpace> s = {{{0, 0, 1}, 0}, {{0, 0, -1}, 1}};  // z >= 0 hard, z <= -1 soft
  const auto a = HalfSpaceProgram::solve(s, 1, 5, {0, 0, -2}, {0, 0, 0});
  EXPECT_GE(a.point.z, -1e-8);
  EXPECT_NEAR(a.relaxed, 1, 1e-3);
}

// against a search that knows nothing of planes and corners
RC_GTEST_PROP(half_spaces, no_allowed_point_is_nearer_to_the_wanted_one, (std::uint32_t seed)) {
  const auto key = math::world_key(seed, 0);
  std::uint32_t n = 0;
  const auto u = [&] { return static_cast<double>(math::random_words<std::uint32_t>(key, n++, 0, math::Purpose::Test, 0, 0).w[0]) * 0x1p-31 - 1; };
  std::vector<HalfSpace> spaces;
  for (int k = 0; k < 8; ++k) spaces.push_back({direction({u(), u(), u()}, {1, 0, 0}), 0.7 * u()});
  const V3 wanted = {2 * u(), 2 * u(), 2 * u()};
  const auto a = HalfSpaceProgram::solve(spaces, 0, 1, wanted, {0, 0, 0});
  RC_ASSERT(norm(a.point) <= 1 + 1e-8);
  for (const HalfSpace& h : spaces) RC_ASSERT(h.excess(a.point) >= -a.relaxed - 1e-6);
  for (int k = 0; k < 2000; ++k) {
    // points near the answer and anywhere in the ball
    const double reach = k % 2 == 0 ? 0.05 : 1;
    const V3 x = (k % 2 == 0 ? a.point : V3{}) + reach * V3{u(), u(), u()};
    bool allowed = norm(x) <= 1;
    for (const HalfSpace& h : spaces) allowed = allowed && h.excess(x) >= -(a.feasible ? 0 : a.relaxed - 1e-3);
    if (a.feasible) {
      RC_ASSERT(!allowed || distance(x, wanted) >= distance(a.point, wanted) - 1e-6);
    } else {
      RC_ASSERT(!allowed);  // less relaxing leaves nothing
    }
  }
}

// Hand-computed: two at 10 m and 2 m/s each, head on; combined radius 1, horizon 10 s. Relative velocity 4 lies in the cone with
// sin = 0.1; the nearest way out is across the axis by 4 sin(cone) / ... = 0.4 along the normal, half of it each.
TEST(avoid, takes_half_of_the_way_out_of_the_velocity_obstacle) {
  Sense s;
  s.velocity = {2, 0, 0};
  Avoid::Params p{.horizon = 10};
  const HalfSpace h = Avoid::permitted({{10, 0, 0}, {4, 0.001, 0}, 10, 1, 0.5}, s, p);
  EXPECT_NEAR(h.normal.y, std::sqrt(0.99), 1e-3);
  EXPECT_NEAR(h.normal.x, -0.1, 1e-3);
  // excess of the present velocity is minus half the depth: 4 x 0.1 / 2
  EXPECT_NEAR(h.excess(s.velocity), -0.2, 2e-3);
}

TEST(avoid, changes_nothing_where_nobody_is_in_the_way) {
  Known k;
  k.from = 2;
  k.position = {0, 10, 5};
  const std::vector<Known> others = {k};
  Sense s;
  s.self = 1;
  s.position = {0, 0, 5};
  s.mode = Mode::Mission;
  s.others = others;
  const Action wanted = go_to({50, 0, 5});
  EXPECT_TRUE(same_action(Avoid::filter(wanted, {}, s, {}, *std::make_unique<Avoid::Memory>()), wanted));
}

TEST(avoid, does_not_interfere_with_landing) {
  Known k;
  k.from = 2;
  k.position = {0, 0, 3};
  const std::vector<Known> others = {k};
  Sense s;
  s.self = 1;
  s.position = {0, 0, 4};
  s.mode = Mode::Mission;
  s.others = others;
  Avoid::Memory m;
  EXPECT_EQ(Avoid::filter({.kind = Action::Kind::Land}, {}, s, {}, m).kind, Action::Kind::Land);
}

TEST(avoid, passes_a_silent_obstacle_that_it_only_sees) {
  Flock f({.members = 1, .detection_range = 15});
  f.place(0, {0, 0, 5});
  f.targets = {{77, topic("pole"), {15, 0, 5}}};
  f.add<GoTo>({.points = {{30, 0, 5}}});
  f.add<Avoid>({});
  double nearest = 1e9;
  f.run(30, [&] { nearest = std::min(nearest, distance(f.members[0].position, {15, 0, 5})); });
  EXPECT_GT(nearest, 0.4);
  EXPECT_LT(distance(f.members[0].position, {30, 0, 5}), 0.5);
}

void cross_the_circle(std::size_t n, double radius, Flock& f) {
  for (std::size_t i = 0; i < n; ++i) {
    const double angle = 2 * kPi * static_cast<double>(i) / static_cast<double>(n);
    const V3 out = {radius * math::cos(angle), radius * math::sin(angle), 0};
    f.place(i, V3{0, 0, 20} + out);
    f.add<GoTo>({.points = {{-out.x, -out.y, 20}}, .speed = 3}, 1, 0, static_cast<int>(i));
  }
}

// everybody wants through the same point at the same time
TEST(avoid, twenty_on_a_circle_change_places_without_touching) {
  Flock f({.members = 20, .memory = 20});
  cross_the_circle(20, 25, f);
  f.add<Avoid>({});
  double nearest = 1e9;
  f.run(90, [&] { nearest = std::min(nearest, f.nearest()); });
  EXPECT_GT(nearest, 2 * f.options.radius);
  for (std::size_t i = 0; i < 20; ++i) EXPECT_LT(distance(f.members[i].position, V3{0, 0, 20} - (f.members[i].home - V3{0, 0, 20})), 1);
}

TEST(avoid, without_it_they_would_have_touched) {
  Flock f({.members = 20, .memory = 20});
  cross_the_circle(20, 25, f);
  double nearest = 1e9;
  f.run(30, [&] { nearest = std::min(nearest, f.nearest()); });
  EXPECT_LT(nearest, 2 * f.options.radius);
}

TEST(avoid, crossing_streams_in_gusts_and_message_loss_do_not_touch) {
  FlockOptions o{.members = 60, .radio_range = 40, .loss = 0.2, .gust = 0.5, .memory = 16};
  Flock f(o);
  for (std::size_t i = 0; i < 60; ++i) {
    const double along = 4.0 * static_cast<double>(i / 6), aside = 4.0 * static_cast<double>(i % 6) - 10;
    const bool east = i % 2 == 0;
    f.place(i, east ? V3{-20 - along, aside, 20} : V3{aside, -20 - along, 20});
    f.add<GoTo>({.points = {{east ? 30 + along : aside, east ? aside : 30 + along, 20}}, .speed = 3}, 1, 0, static_cast<int>(i));
  }
  f.add<Avoid>({});
  double nearest = 1e9;
  f.run(120, [&] { nearest = std::min(nearest, f.nearest()); });
  EXPECT_GT(nearest, 2 * o.radius);
  std::size_t there = 0;
  for (const auto& m : f.members) there += m.position.x + m.position.y > 15;
  EXPECT_GE(there, 55u);
}

TEST(avoid, never_evades_into_the_ground) {
  FlockOptions o{.members = 12, .memory = 16};
  Flock f(o);
  cross_the_circle(12, 15, f);
  for (auto& m : f.members) m.position.z = 1.5;
  f.add<Avoid>({.floor = 1});
  double low = 1e9;
  f.run(10, [&] { low = std::min(low, f.lowest_above_ground()); });
  EXPECT_GT(low, 0.8);
}

TEST(avoid, a_wall_that_is_felt_is_approached_no_faster_than_a_second_from_it_allows_and_left_when_it_is_too_near) {
  Sense s;
  s.self = 1;
  s.mode = Mode::Mission;
  s.position = {0, 0, 20};
  s.radius = 0.5;
  s.max_speed = 10;
  const Avoid::Params p{.margin = 1, .nudge = 0};
  const Action east{.kind = Action::Kind::Velocity, .velocity = {6, 2, 0}};
  Avoid::Memory m;
  s.solid = {true, {4, 0, 0}, 4};  // 2.5 m are left
  EXPECT_EQ(Avoid::trigger(Avoid::extract(s, p, m), p), 1);
  const V3 near = Avoid::filter(east, {true}, s, p, m).velocity;
  EXPECT_NEAR(near.x, 2.5, 1e-6);
  EXPECT_NEAR(near.y, 2, 1e-6);
  s.solid = {true, {1, 0, 0}, 1};
  EXPECT_NEAR(Avoid::filter(east, {true}, s, p, m).velocity.x, -0.5, 1e-6);
  s.solid = {true, {-0.2, 0, 0}, -0.2};  // inside, and the way to the surface is the way out
  EXPECT_LT(Avoid::filter(east, {true}, s, p, m).velocity.x, -1);
  s.solid = {true, {9, 0, 0}, 9};
  EXPECT_EQ(Avoid::filter(east, {true}, s, p, m).velocity.x, 6);
}

}  // namespace
}  // namespace volary::swarm
