// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "swarm/behaviours/all.hpp"
#include "swarm/behaviours/flock_test_support.hpp"

namespace volary::swarm {
namespace {

// says a number once, at a time
struct Herald {
  static constexpr const char* name = "herald";
  struct Params {
    double at = 1e9, number = 0;
  };
  struct Memory {
    double said = 0;
  };
  struct Features {};
  static Features extract(const Sense&, const Params&, const Memory&) { return {}; }
  static double trigger(const Features&, const Params&) { return 1; }
  static Action act(const Features&, const Sense& s, const Params& p, Memory& m, Outbox& out) {
    if (s.time >= p.at && m.said == 0) {
      m.said = 1;
      out.say(topic("news"), 0, p.number, 1.5, 2.5);
    }
    return {.kind = Action::Kind::Hold};
  }
};

RelayChain::Params chain(double length) { return {.base = {0, 0, 15}, .goal = {length, 0, 15}, .forward = "alarm, news"}; }

// the widest gap of the chain, ends included
double widest_gap(const Flock& f, double length) {
  std::vector<double> x = {0, length};
  for (const auto& m : f.members)
    if (!m.failed) x.push_back(m.position.x);
  std::sort(x.begin(), x.end());
  double gap = 0;
  for (std::size_t k = 1; k < x.size(); ++k) gap = std::max(gap, x[k] - x[k - 1]);
  return gap;
}

TEST(relay_chain, places_divide_the_line_evenly) {
  const auto p = chain(100);
  EXPECT_NEAR(RelayChain::place_of(0, 3, p).x, 25, 1e-12);
  EXPECT_NEAR(RelayChain::place_of(2, 3, p).x, 75, 1e-12);
  auto q = p;
  q.ends = true;
  EXPECT_NEAR(RelayChain::place_of(0, 3, q).x, 0, 1e-12);
  EXPECT_NEAR(RelayChain::place_of(2, 3, q).x, 100, 1e-12);
}

// One that cannot stop would fly over its place and turn back for ever: within its circle about it the place is kept as a position.
TEST(relay_chain, an_aircraft_circles_about_its_place_and_does_not_chase_it) {
  Sense s;
  s.self = 1;
  s.tick = 100;
  s.time = 10;
  s.mode = Mode::Hold;
  s.max_speed = 27;
  const auto p = chain(1000);  // alone: its place is the middle
  const auto action_at = [&](double x) {
    s.position = {x, 0, 15};
    RelayChain::Memory m;
    std::vector<Message> said;
    Outbox out(said);
    return RelayChain::act({true}, s, p, m, out).kind;
  };
  EXPECT_EQ(action_at(450), Action::Kind::Velocity);
  EXPECT_EQ(action_at(499.5), Action::Kind::Position);
  s.min_speed = 13;
  s.loiter_radius = 74;  // a circle of the Talon; 1.3 of it are 96 m
  EXPECT_EQ(action_at(410), Action::Kind::Position);
  EXPECT_EQ(action_at(400), Action::Kind::Velocity);
}

TEST(relay_chain, topics_are_read_from_a_list) {
  EXPECT_TRUE(RelayChain::is_forwarded("alarm, news", topic("news")));
  EXPECT_TRUE(RelayChain::is_forwarded("news", topic("news")));
  EXPECT_FALSE(RelayChain::is_forwarded("alarm,newsletter", topic("news")));
  EXPECT_FALSE(RelayChain::is_forwarded("", topic("")));
}

// each hears only its neighbours, so who is in the chain is known from hop to hop
TEST(relay_chain, ten_span_a_line_that_is_six_times_as_long_as_the_radio_reaches) {
  FlockOptions o{.members = 10, .radio_range = 55, .loss = 0.2, .gust = 0.5};
  Flock f(o);
  f.place_grid({10, 0, 15}, 4);
  f.add<RelayChain>(chain(330));
  f.add<Avoid>({});
  f.run(150);
  EXPECT_LT(widest_gap(f, 330), 36);
}

TEST(relay_chain, closes_up_when_a_member_is_lost) {
  FlockOptions o{.members = 10, .radio_range = 75, .loss = 0.2, .gust = 0.5};
  Flock f(o);
  f.place_grid({10, 0, 15}, 4);
  f.add<RelayChain>(chain(330));
  f.add<Avoid>({});
  f.run(150);
  f.fail(4);
  EXPECT_GT(widest_gap(f, 330), 50);
  f.run(90);
  EXPECT_LT(widest_gap(f, 330), 40);
}

struct Told {
  std::size_t said = 0, heard = 0;
  double worst_delay = 0;
};
// a herald at one end, a listener at the other, n relays between
Told tell_along(std::size_t relays, double length, double range, bool with_relays) {
  FlockOptions o{.members = relays + 2, .radio_range = range, .loss = 0};
  Flock f(o);
  f.place_grid({10, 0, 15}, 3);
  f.place(0, {0, 0, 15});
  f.place(1, {length, 0, 15});
  f.add<Herald>({.at = 100, .number = 42}, 1, 0, 0);
  f.add<Hold>({}, 1, 0, 1);
  for (std::size_t i = 2; i < relays + 2; ++i) {
    RelayChain::Params p = chain(length);
    if (!with_relays) p.forward = "";
    f.add<RelayChain>(p, 1, 0, static_cast<int>(i));
  }
  Told told;
  f.on_heard = [&](const Message& m, std::size_t to) {
    if (m.topic != topic("news")) return;
    ++told.said;
    if (to != 1) return;
    EXPECT_EQ(m.count, 3u);
    EXPECT_EQ(m.values[0], 42);
    EXPECT_EQ(m.values[2], 2.5);
    ++told.heard;
    told.worst_delay = std::max(told.worst_delay, f.time() - 100);
  };
  f.run(160);
  return told;
}

TEST(relay_chain, a_message_reaches_the_other_end_only_over_the_relays) {
  const Told with = tell_along(8, 300, 50, true), without = tell_along(8, 300, 50, false);
  EXPECT_GE(with.heard, 1u);
  EXPECT_LT(with.worst_delay, 2);  // ten hops of a decision each
  EXPECT_EQ(without.heard, 0u);
  // each passes it on once: no storm
  EXPECT_LT(with.said, 8u * 8u);
}

TEST(relay_chain, a_hundred_hold_a_chain_for_ten_minutes) {
  FlockOptions o{.members = 100, .radio_range = 120, .loss = 0.2, .gust = 0.5, .memory = 16};
  Flock f(o);
  f.place_grid({0, 0, 15}, 3);
  RelayChain::Params p = chain(1000);
  p.patience = 30;
  p.gossip = 5;
  f.add<RelayChain>(p);
  f.add<Avoid>({});
  f.run(300);
  f.fail(60);
  double nearest = 1e9;
  f.run(300, [&] { nearest = std::min(nearest, f.nearest()); });
  EXPECT_LT(widest_gap(f, 1000), 25);
  EXPECT_GT(nearest, 2 * o.radius);
}

}  // namespace
}  // namespace volary::swarm
