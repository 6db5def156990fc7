// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// dock: one vehicle with a cylinder before the cone of another one. Nothing touches here: what holds it is told by `is_docked`.
#include "swarm/behaviours/dock.hpp"

#include <gtest/gtest.h>

#include "swarm/behaviours/flock_test_support.hpp"
#include "swarm/behaviours/hold.hpp"

namespace volary::swarm {
namespace {

const V3 kCone{0, 0, 5}, kOut{0, -1, 0};  // the cone opens southwards
Dock::Params params() { return {.axis = {0, -1, 0}, .length = 1}; }

// member 0 holds its cone still, member 1 docks
struct Pair {
  explicit Pair(FlockOptions o = {.members = 2}) : flock(o) {
    flock.place(0, kCone);
    flock.add<Hold>({}, 1, 0, 0);
  }
  void begin_at(const V3& at, const Dock::Params& p = params()) {
    flock.place(1, at);
    flock.add<Dock>(p, 1, 0, 1);
  }
  // of the place where it is docked, along the axis and beside it
  double gap() const { return dot(flock.members[1].position - docked(), kOut); }
  double aside() const {
    const V3 off = flock.members[1].position - docked();
    return norm(off - gap() * kOut);
  }
  V3 docked() const { return add_scaled(params().length, kOut, flock.members[0].position); }

  Flock flock;
};

TEST(dock, gets_in_line_before_the_mouth_and_closes_the_gap_until_it_presses) {
  Pair pair;
  pair.begin_at({0.15, -1.5, 5.15});
  bool entered_askew = false;
  pair.flock.run(20, [&] { entered_askew = entered_askew || (pair.gap() < 0.2 && pair.aside() > 2 * params().align); });
  EXPECT_FALSE(entered_askew);
  EXPECT_NEAR(pair.gap(), -params().press, 0.01) << "it aims beyond the bottom";
  EXPECT_LT(pair.aside(), 0.01);
}

TEST(dock, comes_from_far_beside_without_cutting_the_corner) {
  Pair pair;
  pair.begin_at({6, -4, 8});
  double nearest_askew = 1e9;
  pair.flock.run(30, [&] {
    if (pair.aside() > 2 * params().align) nearest_askew = std::min(nearest_askew, pair.gap());
  });
  EXPECT_GT(nearest_askew, 0.7 * params().standoff);
  EXPECT_NEAR(pair.gap(), -params().press, 0.01);
}

TEST(dock, follows_a_cone_that_moves_along) {
  Pair pair;
  pair.flock = Flock({.members = 2});
  pair.flock.place(0, kCone, {0.2, 0, 0});  // without behaviours it flies on
  pair.begin_at({0, -1.4, 5});
  pair.flock.run(25);
  EXPECT_GT(pair.flock.members[0].position.x, 4);
  EXPECT_LT(pair.aside(), params().align);
  EXPECT_LT(pair.gap(), 0);
}

TEST(dock, needs_the_messages_of_the_other_vehicle) {
  Pair pair({.members = 2, .radio_range = 1});
  pair.begin_at({0, -1.5, 5});
  pair.flock.run(5);
  EXPECT_EQ(pair.flock.members[1].winner, -1);
}

// one decision after the other, by itself
struct Alone {
  Sense sense;
  Known cone;
  Dock::Params p = params();
  Dock::Memory memory{};
  std::vector<Message> said;

  Alone() {
    sense.self = 2, sense.mode = Mode::Mission, sense.position = {0, -1.3, 5};
    cone.from = 1, cone.position = kCone;
    sense.others = {&cone, 1};
  }
  double trigger() const { return Dock::trigger(Dock::extract(sense, p, memory), p); }
  Action act(double after = 0.1) {
    sense.time += after;
    Outbox out(said);
    return Dock::act(Dock::extract(sense, p, memory), sense, p, memory, out);
  }
};

TEST(dock, leaves_a_vehicle_on_the_ground_or_without_the_other_one_to_other_behaviours) {
  Alone a;
  EXPECT_EQ(a.trigger(), 1);
  a.sense.mode = Mode::Land;
  EXPECT_EQ(a.trigger(), 0);
  a.sense.mode = Mode::Hold;
  EXPECT_EQ(a.trigger(), 1);
  a.sense.others = {};
  EXPECT_EQ(a.trigger(), 0);
}

TEST(dock, goes_along_with_the_vehicle_that_holds_it_and_begins_again_when_that_lets_go) {
  Alone a;
  for (int k = 0; k < 10; ++k) a.sense.position = a.act().position;
  EXPECT_LT(a.memory.gap, a.p.standoff - 0.1);
  a.sense.is_docked = true, a.cone.velocity = {0.1, 0.2, -0.1};
  const Action held = a.act();
  EXPECT_EQ(held.kind, Action::Kind::Position);
  EXPECT_EQ(norm(held.position - a.sense.position), 0) << "it holds no place of its own";
  EXPECT_EQ(norm(held.velocity - a.cone.velocity), 0);
  a.sense.is_docked = false;
  a.act();
  EXPECT_NEAR(a.memory.gap, a.p.standoff, 0.05);
}

TEST(dock, takes_the_nearest_vehicle_or_the_one_that_is_named) {
  Alone a;
  const Known others[2] = {{.from = 1, .position = {0, 9, 5}}, {.from = 3, .position = {0, 0, 5}}};
  a.sense.others = others;
  EXPECT_EQ(Dock::extract(a.sense, a.p, a.memory).partner, 3u);
  a.p.partner = 1;
  EXPECT_EQ(Dock::extract(a.sense, a.p, a.memory).partner, 1u);
  a.p.partner = 7;
  EXPECT_EQ(a.trigger(), 0);
}

TEST(dock, draws_back_when_it_is_beside_the_axis) {
  Alone a;
  for (int k = 0; k < 8; ++k) a.sense.position.y = a.act().position.y;  // where it aims
  const double closed = a.memory.gap;
  EXPECT_LT(closed, a.p.standoff - 0.1);
  a.sense.position.x = 1.5 * a.p.align;
  a.act();
  EXPECT_EQ(a.memory.gap, closed) << "a little beside it, it waits";
  a.sense.position.x = 3 * a.p.align;
  const Action back = a.act();
  EXPECT_GT(a.memory.gap, closed);
  EXPECT_LT(back.velocity.y, 0) << "out of the mouth";
  EXPECT_LT(back.position.x, 0.01) << "and towards the axis";
}

TEST(dock, begins_again_before_the_mouth_after_an_interruption) {
  Alone a;
  for (int k = 0; k < 40; ++k) a.sense.position.y = a.act().position.y;
  EXPECT_EQ(a.memory.gap, -a.p.press);
  a.act(5);
  EXPECT_GT(a.memory.gap, 0.9 * a.p.standoff);
}

TEST(dock, keeps_the_height_between_the_vehicles) {
  Alone a;
  a.p.rise = 0.25;
  EXPECT_NEAR(a.act().position.z, 5.25, 1e-12);
}

}  // namespace
}  // namespace volary::swarm
