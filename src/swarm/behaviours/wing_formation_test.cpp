// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// wing_formation: the equations of SIGMA V.A.1 with figures worked out by hand, the motion that they must give, and who leads.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

#include "swarm/behaviours/all.hpp"

namespace volary::swarm {
namespace {

constexpr double kG = 9.80665;
constexpr double kArm = 21.213203435596427;  // m, 30 sin 45

// ---------------------------------------------------------------- equations

TEST(wing_formation, places_are_those_of_equation_16_rounded_up) {
  for (std::size_t follower = 1; follower <= 4; ++follower) {
    const auto at = WingFormation::place(follower, {.rise = 3});
    const double pair = follower <= 2 ? 1 : 2;
    EXPECT_NEAR(at.ahead, -kArm * pair, 1e-9);
    EXPECT_NEAR(at.right, (follower % 2 == 1 ? 1 : -1) * kArm * pair, 1e-9);
    EXPECT_EQ(at.above, 3 * pair);
  }
}

// A leader that flies east past (north 100, east 200); its place 10 m behind and 20 m to the right is (80, 190). A follower at (70, 160) with its nose
// north-east is 10 m and 30 m short of it: 40 / sqrt 2 ahead, 20 / sqrt 2 to the right.
TEST(wing_formation, the_way_to_a_place_is_that_of_equations_17_and_18) {
  const WingFormation::Pose leader{.north = 100, .east = 200, .height = 50, .heading = kPi / 2},
      own{.north = 70, .east = 160, .height = 45, .heading = kPi / 4};
  const auto gap = WingFormation::to_place(leader, own, {-10, 20, 2});
  EXPECT_NEAR(gap.ahead, 40 / std::sqrt(2.0), 1e-12);
  EXPECT_NEAR(gap.right, 20 / std::sqrt(2.0), 1e-12);
  EXPECT_NEAR(gap.above, 7, 1e-12);
}

// 0.1 + 0.015 * 4 + 0.4 * 0.2 = 0.24 rad, 20 + 0.3 * (-5) = 18.5 m/s
TEST(wing_formation, roll_and_speed_are_those_of_equation_19) {
  const auto c = WingFormation::steer({.heading = 3.3, .roll = 0.1}, {.heading = 3.1}, {-5, 4, 0}, {});
  EXPECT_NEAR(c.roll, 0.24, 1e-12);
  EXPECT_NEAR(c.speed, 18.5, 1e-12);
  // headings that differ by a small angle across north are near each other
  EXPECT_NEAR(WingFormation::steer({.heading = 0.1}, {.heading = 2 * kPi - 0.1}, {0, 0, 0}, {}).roll, 0.4 * 0.2, 1e-12);
}

// ---------------------------------------------------------------- one decision

Message pose_of(std::uint64_t from, std::uint64_t tick, const V3& position, const V3& velocity, double yaw, double roll, double tag = WingFormation::tag({})) {
  return {.from = from,
          .tick = tick,
          .topic = WingFormation::kTopic,
          .count = 8,
          .values = {tag, position.y, position.x, position.z, kPi / 2 - yaw, roll, norm(flat(velocity)), velocity.z}};
}

Sense flying(std::uint64_t id, const V3& position, double yaw, double speed = 20) {
  Sense s;
  s.self = id;
  s.tick = 1000;
  s.time = 10;
  s.interval = 0.03;
  s.position = position;
  s.velocity = rotate_flat({speed, 0, 0}, yaw);
  s.yaw = yaw;
  s.mode = Mode::Mission;
  s.max_speed = 27;
  s.min_speed = 13;
  return s;
}

struct Answer {
  Action action;
  std::vector<Message> said;
};
Answer decide(Sense s, const std::vector<Message>& heard, WingFormation::Memory& m, const WingFormation::Params& p = {}) {
  s.messages = heard;
  Answer a;
  Outbox out(a.said);
  const auto f = WingFormation::extract(s, p, m);
  EXPECT_EQ(WingFormation::trigger(f, p), 1);
  a.action = WingFormation::act(f, s, p, m, out);
  return a;
}
// the law without a lead
const WingFormation::Params kBare{.lead = 0};
Answer decide(const Sense& s, const std::vector<Message>& heard) {
  WingFormation::Memory m;
  return decide(s, heard, m, kBare);
}

// the leader flies east at the origin; the place of follower 1 is behind and south of it
TEST(wing_formation, one_in_its_place_flies_on_as_the_leader_does) {
  const Answer a = decide(flying(2, {-kArm, -kArm, 100}, 0), {pose_of(1, 1000, {0, 0, 100}, {20, 0, 0}, 0, 0)});
  ASSERT_EQ(a.action.kind, Action::Kind::Velocity);
  EXPECT_NEAR(a.action.velocity.x, 20, 1e-9);
  EXPECT_NEAR(a.action.velocity.y, 0, 1e-9);
  EXPECT_NEAR(norm(a.action.acceleration), 0, 1e-9);
  EXPECT_TRUE(a.said.empty());
}

TEST(wing_formation, one_to_the_left_of_its_place_banks_right_and_one_behind_hurries) {
  const auto from = [](const V3& off) { return decide(flying(2, V3{-kArm, -kArm, 100} + off, 0), {pose_of(1, 1000, {0, 0, 100}, {20, 0, 0}, 0, 0)}).action; };
  EXPECT_NEAR(from({0, 10, 0}).acceleration.y, -kG * std::tan(0.15), 1e-9);
  EXPECT_NEAR(from({0, -10, 0}).acceleration.y, kG * std::tan(0.15), 1e-9);
  EXPECT_NEAR(from({-10, 0, 0}).velocity.x, 23, 1e-9);
  EXPECT_NEAR(from({10, 0, 0}).velocity.x, 17, 1e-9);
  EXPECT_NEAR(from({-100, 0, 0}).velocity.x, 27, 1e-9) << "no faster than it can";
  EXPECT_NEAR(from({100, 0, 0}).velocity.x, 13, 1e-9) << "no slower than it can";
  EXPECT_NEAR(from({0, 0, -4}).velocity.z, 1.2, 1e-9);
  EXPECT_NEAR(norm(from({0, 0, -4}).velocity), 20, 1e-9) << "a climb is part of the speed";
}

TEST(wing_formation, a_turn_is_followed_at_once_and_the_course_leads_by_half_a_decision) {
  Sense s = flying(2, {-kArm, -kArm, 100}, 0);
  s.roll = 0.5;
  const Action a = decide(s, {pose_of(1, 1000, {0, 0, 100}, {20, 0, 0}, 0, 0.5)}).action;
  EXPECT_NEAR(norm(a.acceleration), kG * std::tan(0.5), 1e-9);
  EXPECT_LT(a.acceleration.y, 0);
  EXPECT_NEAR(math::atan2(a.velocity.y, a.velocity.x), -0.5 * 0.03 * kG * std::tan(0.5) / 20, 1e-9);
}

// Half a second later one that banks by 0.3 rad has turned by 0.5 g tan(0.3) / 20 = 0.0758 rad and is 0.379 m aside: its leader flies on, so that the law
// asks for 0.4 * 0.0758 + 0.015 * 0.379 less than the bare one.
TEST(wing_formation, a_lead_looks_at_where_both_will_be) {
  Sense s = flying(2, {-kArm, -kArm, 100}, 0);
  s.roll = 0.3;
  WingFormation::Memory m;
  const Action a = decide(s, {pose_of(1, 1000, {0, 0, 100}, {20, 0, 0}, 0, 0)}, m, {.lead = 0.5}).action;
  const double turn = 0.5 * kG * std::tan(0.3) / 20, aside = 10 * std::sin(0.5 * turn), back = 10 * (1 - std::cos(0.5 * turn));
  // seen along its nose, which has turned
  const double right = back * std::sin(turn) - aside * std::cos(turn);
  EXPECT_NEAR(math::atan2(-a.acceleration.y, kG), -0.4 * turn + 0.015 * right, 1e-3);
}

// a pose of 0.1 s ago is 2 m farther by now
TEST(wing_formation, an_old_pose_is_carried_forward) {
  const Answer a = decide(flying(2, {-kArm, -kArm, 100}, 0), {pose_of(1, 990, {-2, 0, 100}, {20, 0, 0}, 0, 0)});
  EXPECT_NEAR(a.action.velocity.x, 20, 1e-9);
  // round a circle: a quarter of it in a quarter of its time
  const double v = 20, roll = 0.6, radius = v * v / (kG * std::tan(roll));
  WingFormation::Pose p{.roll = roll, .speed = v};
  const int n = 1000;
  for (int k = 0; k < n; ++k) p = WingFormation::later(p, kPi / 2 * radius / v / n);
  EXPECT_NEAR(p.north, radius, 1e-3);
  EXPECT_NEAR(p.east, radius, 1e-3);
  EXPECT_NEAR(p.heading, kPi / 2, 1e-9);
}

// the law knows no north: the whole scene turned and moved, the answer is turned
RC_GTEST_PROP(wing_formation, is_the_same_in_every_direction_and_place, ()) {
  const auto number = [](double low, double high) { return low + (high - low) * *rc::gen::inRange(0, 1001) / 1000.0; };
  const double turn = number(-3, 3), yaw = number(-3, 3), roll = number(-0.8, 0.8), own_roll = number(-0.8, 0.8), leader_yaw = number(-3, 3);
  const V3 at = {number(-100, 100), number(-100, 100), number(50, 150)}, off = {number(-1e3, 1e3), number(-1e3, 1e3), 0};
  const auto scene = [&](double angle, const V3& shift) {
    Sense s = flying(2, rotate_flat(at, angle) + shift, yaw + angle);
    s.roll = own_roll;
    return decide(s, {pose_of(1, 998, shift + V3{0, 0, 100}, {20, 0, 0}, leader_yaw + angle, roll)}).action;
  };
  const Action a = scene(0, {0, 0, 0}), b = scene(turn, off);
  RC_ASSERT(norm(rotate_flat(a.velocity, turn) - b.velocity) < 1e-6);
  RC_ASSERT(norm(rotate_flat(a.acceleration, turn) - b.acceleration) < 1e-6);
}

// ---------------------------------------------------------------- who leads

TEST(wing_formation, the_lowest_id_leads_says_its_pose_and_leaves_flying_to_others) {
  WingFormation::Memory m;
  Sense s = flying(1, {5, 6, 100}, 0.3);
  s.roll = 0.2;
  const Answer a = decide(s, {pose_of(3, 1000, {0, 0, 100}, {20, 0, 0}, 0, 0)}, m);
  EXPECT_EQ(a.action.kind, Action::Kind::None);
  EXPECT_EQ(a.action.reward, 0);
  ASSERT_EQ(a.said.size(), 1u);
  const Message expected = pose_of(1, 0, s.position, s.velocity, s.yaw, s.roll);
  EXPECT_EQ(a.said[0].topic, expected.topic);
  ASSERT_EQ(a.said[0].count, expected.count);
  for (std::size_t k = 0; k < expected.count; ++k) EXPECT_NEAR(a.said[0].values[k], expected.values[k], 1e-12) << k;
  // at 30 Hz and decisions of 30 ms it speaks at each of them
  s.time += 0.03, s.tick += 3;
  EXPECT_EQ(decide(s, {}, m).said.size(), 1u);
  WingFormation::Memory slow;
  EXPECT_EQ(decide(s, {}, slow, {.rate = 10}).said.size(), 1u);
  s.time += 0.03, s.tick += 3;
  EXPECT_EQ(decide(s, {}, slow, {.rate = 10}).said.size(), 0u);
}

TEST(wing_formation, the_one_that_is_told_to_leads_whatever_its_id_and_the_next_one_when_it_is_silent) {
  WingFormation::Memory m;
  const WingFormation::Params p{.leader = 7};
  Sense s = flying(2, {0, 0, 100}, 0);
  EXPECT_EQ(decide(s, {pose_of(7, 1000, {50, 0, 100}, {20, 0, 0}, 0, 0)}, m, p).action.kind, Action::Kind::Velocity);
  // follower 1: the second of two
  s.tick = 1150, s.time = 11.5;
  EXPECT_EQ(decide(s, {}, m, p).action.kind, Action::Kind::Velocity) << "patience";
  s.tick = 1250, s.time = 12.5;
  const Answer after = decide(s, {}, m, p);
  EXPECT_EQ(after.action.kind, Action::Kind::None);
  EXPECT_EQ(after.said.size(), 1u) << "it leads now";
}

TEST(wing_formation, who_never_heard_its_leader_waits) {
  WingFormation::Memory m;
  Sense s = flying(2, {0, 0, 100}, 0);
  const std::vector<Known> others = {{.from = 1, .tick = 999, .role = make_role(WingFormation::tag({}), 1)}};
  s.others = others;
  EXPECT_EQ(decide(s, {}, m).action.kind, Action::Kind::Hold);
}

TEST(wing_formation, another_formation_in_range_is_not_joined) {
  const double theirs = WingFormation::tag({.spacing = 50});
  ASSERT_NE(theirs, WingFormation::tag({}));
  EXPECT_EQ(decide(flying(2, {0, 0, 100}, 0), {pose_of(1, 1000, {0, 0, 100}, {20, 0, 0}, 0, 0, theirs)}).action.kind, Action::Kind::None);
}

TEST(wing_formation, survives_nonsense) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {nan, infinity, -infinity, 1e300, -1e300})
    for (std::size_t k = 1; k < 8; ++k) {
      Message m = pose_of(1, 1000, {0, 0, 100}, {20, 0, 0}, 0, 0);
      m.values[k] = bad;
      const Action a = decide(flying(2, {-20, -20, 100}, 0), {m}).action;
      for (const double x : {a.velocity.x, a.velocity.y, a.velocity.z, a.acceleration.x, a.acceleration.y}) EXPECT_TRUE(std::isfinite(x)) << bad << " " << k;
    }
}

TEST(wing_formation, has_nothing_to_say_on_the_ground) {
  for (const Mode mode : {Mode::Disarmed, Mode::Armed, Mode::TakeOff, Mode::Land}) {
    Sense s = flying(2, {0, 0, 0}, 0);
    s.mode = mode;
    EXPECT_EQ(WingFormation::trigger(WingFormation::extract(s, {}, {}), {}), 0);
  }
}

// ---------------------------------------------------------------- the motion

// an aircraft that turns as its bank says and has any speed at once: the law alone
struct Ideal {
  V3 position{};
  double yaw = 0, speed = 20, roll = 0;
  void fly(const Action& a, double h) {
    speed = norm(flat(a.velocity));
    const V3 left = rotate_flat({0, 1, 0}, yaw);
    roll = -math::atan2(dot(a.acceleration, left), kG);
    yaw += h * -kG * std::tan(roll) / speed;
    position = add_scaled(h * speed, rotate_flat({1, 0, 0}, yaw), position);
  }
};

// Sideways the law is y'' = -g (P_phi y + P_psi y' / v): an oscillation of 0.3836 rad/s with a damping ratio of 0.2557. The first swing to the other side is
// exp(-pi 0.2557 / sqrt(1 - 0.2557^2)) = 0.4357 of the start, after pi / (0.3836 sqrt(1 - 0.2557^2)) = 8.47 s. Ahead it closes by exp(-0.3 t).
TEST(wing_formation, errors_die_out_as_the_linear_law_says) {
  constexpr double h = 0.01, kStart = 1;
  Ideal leader{.position = {0, 0, 100}}, follower{.position = {-kArm - 0.5, -kArm + kStart, 100}};
  WingFormation::Memory m;
  double swing = 0, swing_time = 0, ahead_after_3 = 0;
  for (int k = 0; k < 6000; ++k) {
    Sense s = flying(2, follower.position, follower.yaw, follower.speed);
    s.roll = follower.roll;
    s.interval = h;
    s.tick = static_cast<std::uint64_t>(k) + 1;
    s.time = h * (k + 1);
    follower.fly(decide(s, {pose_of(1, s.tick, leader.position, {20, 0, 0}, 0, 0)}, m, kBare).action, h);
    leader.position.x += 20 * h;
    const double side = follower.position.y + kArm;
    if (side < swing) swing = side, swing_time = s.time;
    if (k == 299) ahead_after_3 = follower.position.x - leader.position.x + kArm;
  }
  EXPECT_NEAR(swing, -0.4357 * kStart, 0.02);
  EXPECT_NEAR(swing_time, 8.47, 0.25);
  EXPECT_NEAR(ahead_after_3, -0.5 * std::exp(-0.9), 0.015);
  EXPECT_NEAR(follower.position.y, -kArm, 0.01);
}

}  // namespace
}  // namespace volary::swarm
