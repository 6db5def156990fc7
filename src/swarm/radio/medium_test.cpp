// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "swarm/radio/medium.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <optional>

#include "swarm/radio/radio_test_support.hpp"

namespace volary::swarm {
namespace {

std::map<std::uint64_t, Heard> by_receiver(const std::vector<Heard>& all, std::uint64_t sender) {
  std::map<std::uint64_t, Heard> out;
  for (const Heard& r : all)
    if (r.sender == sender) out.emplace(r.receiver, r);
  return out;
}

TEST(medium, an_ideal_radio_is_heard_by_everybody_at_once) {
  Field f(RadioDef{}, {node(1, 0), node(2, 1e6), node(3, -1e6), node(4, 5)});
  f.nodes[2].channel = 1;
  f.nodes[3].world = 1;
  f.medium.say(1, message(1, 0, 42));
  const auto out = f.run();
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(out[0].receiver, 2u);
  EXPECT_EQ(out[0].fate, Fate::Delivered);
  EXPECT_EQ(out[0].end, 0);
  EXPECT_EQ(out[0].message.values[0], 42);
}

TEST(medium, a_packet_arrives_after_preamble_and_bits) {
  Field f(log_distance(), {node(1, 0), node(2, 10)});
  f.run();
  f.medium.say(1, message(1));
  const auto out = f.run();
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(out[0].end, kTick + 192'000 + 28 * 8 * 1000);  // 28 bytes at 1 Mbit/s
  EXPECT_EQ(f.medium.sent(), 1u);
  EXPECT_EQ(f.medium.counts(1).delivered, 1u);
  EXPECT_EQ(f.medium.counts(2).heard, 1u);
}

// signal at 10 m against an interferer at 40 m, exponent 3: 30 log10(4) = 18.062 dB, and the noise of -95 dBm beside -68.11 dBm takes 0.009 dB
TEST(medium, the_sinr_of_two_senders_is_that_of_the_hand_calculation) {
  Field f(log_distance(), {node(1, 0), node(2, 10), node(3, -40)});
  f.medium.say(2, message(2));
  f.medium.say(3, message(3));
  const auto heard = by_receiver(f.run(), 2);
  ASSERT_TRUE(heard.contains(1));
  EXPECT_EQ(heard.at(1).fate, Fate::Delivered);
  EXPECT_NEAR(heard.at(1).sinr, 18.062 - 0.009, 0.001);
}

TEST(medium, the_nearer_of_two_is_captured_and_without_capture_neither_is_heard) {
  RadioDef d = log_distance();
  const std::vector<RadioNode> nodes = {node(1, 0), node(2, 10), node(3, -40)};
  for (const bool capture : {true, false}) {
    d.capture = capture;
    Field f(d, nodes);
    f.medium.say(2, message(2, 1));
    f.medium.say(3, message(3, 1));
    const auto out = f.run();
    ASSERT_EQ(out.size(), 2u);
    for (const Heard& r : out) EXPECT_EQ(r.fate, capture && r.sender == 2 ? Fate::Delivered : Fate::Interference);
  }
}

TEST(medium, nobody_beyond_the_disc_hears_and_overlap_within_destroys_only_without_capture) {
  RadioDef d = disc(100);
  Field lonely(d, {node(1, 0), node(2, 100.001)});
  EXPECT_EQ(lonely.fate(), Fate::OutOfRange);
  Field near(d, {node(1, 0), node(2, 100)});
  EXPECT_EQ(near.fate(), Fate::Delivered);
  for (const bool capture : {true, false}) {
    d.capture = capture;
    Field f(d, {node(1, 0), node(2, 50), node(3, 140), node(4, 160)});
    f.medium.say(1, message(1));
    f.medium.say(3, message(3));
    const auto out = f.run();
    EXPECT_EQ(by_receiver(out, 1).at(2).fate, capture ? Fate::Delivered : Fate::Interference);
    EXPECT_EQ(by_receiver(out, 3).at(4).fate, Fate::Delivered);  // the other is 160 m away
  }
}

TEST(medium, two_far_groups_do_not_disturb_each_other) {
  std::vector<RadioNode> both = {node(1, 0), node(2, 30), node(3, 60), node(11, 1e5), node(12, 1e5 + 30), node(13, 1e5 + 60)};
  Field together(log_distance(), both), apart(log_distance(), {both[0], both[1], both[2]});
  for (Field* f : {&together, &apart}) {
    f->medium.say(1, message(1));
    f->medium.say(3, message(3));
  }
  together.medium.say(11, message(11));
  together.medium.say(12, message(12));
  const auto a = together.run(), b = apart.run();
  for (const std::uint64_t sender : {1, 3})
    for (const auto& [receiver, r] : by_receiver(b, sender)) EXPECT_TRUE(same(by_receiver(a, sender).at(receiver), r)) << receiver;
}

bool wall_at_zero(const void*, const V3& a, const V3& b) { return (a.x < 0) == (b.x < 0); }

TEST(medium, a_wall_drops_the_link) {
  for (RadioDef d : {log_distance(), disc(100)}) {
    d.obstruction = 60;
    Field f(d, {node(1, -10), node(2, 10)});
    EXPECT_EQ(f.fate(), Fate::Delivered);
    f.sight = wall_at_zero;
    EXPECT_EQ(f.fate(), Fate::Obstructed);
    f.nodes[1].position.x = -30;
    EXPECT_EQ(f.fate(), Fate::Delivered);
  }
}

TEST(medium, a_thin_wall_only_weakens) {
  RadioDef d = log_distance();
  d.obstruction = 20;
  Field f(d, {node(1, -10), node(2, 10)});
  f.sight = wall_at_zero;
  f.medium.say(1, message(1));
  const auto out = f.run();
  ASSERT_EQ(out.size(), 1u);
  // 20 - 40.05 - 39.03 - 20 + 95
  EXPECT_NEAR(out[0].sinr, 15.92, 0.01);
  d.obstruction = std::numeric_limits<double>::infinity();
  Field g(d, f.nodes);
  g.sight = wall_at_zero;
  EXPECT_EQ(g.fate(), Fate::Obstructed);
}

TEST(medium, a_wall_keeps_an_interferer_out) {
  RadioDef d = log_distance();
  d.obstruction = std::numeric_limits<double>::infinity();
  Field f(d, {node(1, 1), node(2, 60), node(3, -10)});
  for (const bool wall : {false, true}) {
    f.sight = wall ? wall_at_zero : nullptr;
    f.medium.say(2, message(2, 1));
    f.medium.say(3, message(3));
    EXPECT_EQ(by_receiver(f.run(), 2).at(1).fate, wall ? Fate::Delivered : Fate::Interference);
  }
}

TEST(medium, a_node_does_not_hear_while_it_sends_unless_it_is_full_duplex) {
  RadioDef d = log_distance();
  for (const bool half : {true, false}) {
    d.half_duplex = half;
    Field f(d, {node(1, 0), node(2, 10)});
    f.medium.say(1, message(1));
    f.medium.say(2, message(2));
    for (const Heard& r : f.run()) EXPECT_EQ(r.fate, half ? Fate::Deaf : Fate::Delivered);
  }
}

// 2.432 ms on the air in ticks of 1 ms
TEST(medium, a_packet_across_ticks_is_judged_over_its_whole_airtime) {
  RadioDef d = log_distance();
  d.bit_rate = 1e5;
  for (std::uint64_t other : {2, 3}) {
    Field f(d, {node(1, 0), node(2, 50), node(3, 60)}, 1, 1'000'000);
    f.medium.say(1, message(1));
    std::vector<Heard> at_end;
    for (std::uint64_t tick = 0; tick < 3; ++tick) {
      if (tick == other) f.medium.say(3, message(3));
      at_end = f.run();
      EXPECT_TRUE(tick == 2 || at_end.empty());
    }
    const auto heard = by_receiver(at_end, 1);
    ASSERT_TRUE(heard.contains(2));
    EXPECT_EQ(heard.at(2).end, 2'432'000);
    EXPECT_EQ(heard.at(2).fate, other == 2 ? Fate::Interference : Fate::Delivered);
    EXPECT_EQ(heard.at(3).fate, other == 2 ? Fate::Deaf : Fate::Delivered);
  }
}

// each of two interferers leaves 11.7 dB, both at once 8.7 dB
TEST(medium, the_worst_moment_counts_and_not_the_sum_over_the_airtime) {
  RadioDef d = log_distance();
  d.bit_rate = 1e5;
  for (const bool at_once : {true, false}) {
    Field f(d, {node(1, 0), node(2, 20), node(3, -49), node(4, 0, 49)}, 1, 1'000'000);
    f.medium.say(2, [] {
      Message m = message(2, 1);
      m.count = Message::kMost;  // 5.952 ms: from 0 to 6
      return m;
    }());
    f.medium.say(3, message(3));  // until 2.432 ms
    std::vector<Heard> all;
    for (std::uint64_t tick = 0; tick < 7; ++tick) {
      if (tick == (at_once ? 2u : 3u)) f.medium.say(4, message(4));
      for (const Heard& r : f.run())
        if (r.sender == 2) all.push_back(r);
    }
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].fate, at_once ? Fate::Interference : Fate::Delivered);
    EXPECT_NEAR(all[0].sinr, at_once ? 8.65 : 11.64, 0.05);
  }
}

TEST(medium, a_full_queue_refuses_and_says_so) {
  RadioDef d = log_distance();
  d.queue = 3;
  Field f(d, {node(1, 0), node(2, 10)});
  for (int k = 0; k < 5; ++k) f.medium.say(1, message(1, 0, k));
  const auto out = f.run();
  ASSERT_EQ(out.size(), 5u);
  for (int k = 0; k < 5; ++k) {
    const Heard& r = out[static_cast<std::size_t>(k)];
    EXPECT_EQ(r.fate, k < 2 ? Fate::QueueFull : Fate::Delivered);
    EXPECT_EQ(r.message.values[0], k < 2 ? 3 + k : k - 2);
  }
  EXPECT_EQ(f.medium.count(Fate::QueueFull), 2u);
  EXPECT_EQ(f.medium.counts(1).lost, 2u);
}

TEST(medium, an_addressed_message_says_why_it_did_not_arrive) {
  Field f(log_distance(), {node(1, 0), node(2, 10), node(3, 1e5), node(4, 20), node(5, 30)});
  f.nodes[3].channel = 2;
  f.nodes[4].receives = false;
  for (const std::uint64_t to : {2, 3, 4, 5, 77}) f.medium.say(1, message(1, to));
  std::map<std::uint64_t, Fate> fates;
  for (const Heard& r : f.run()) fates[r.receiver] = r.fate;
  const std::map<std::uint64_t, Fate> expected = {{2, Fate::Delivered}, {3, Fate::OutOfRange}, {4, Fate::OutOfRange}, {5, Fate::Deaf}, {77, Fate::Gone}};
  EXPECT_EQ(fates, expected);
}

TEST(medium, who_leaves_neither_hears_nor_is_heard) {
  RadioDef d = log_distance();
  d.bit_rate = 1e5;
  const std::vector<RadioNode> all = {node(1, 0), node(2, 50), node(3, 10)};
  for (const std::uint64_t leaves : {1, 2}) {
    Field f(d, all, 1, 1'000'000);
    f.medium.say(1, message(1, 2));
    f.medium.say(1, message(1, 3));
    f.medium.say(9, message(9));  // never was
    const auto early = f.run();
    ASSERT_EQ(early.size(), 1u);
    EXPECT_EQ(early[0].fate, Fate::Gone);
    std::erase_if(f.nodes, [&](const RadioNode& n) { return n.id == leaves; });
    std::map<std::uint64_t, Fate> fates;
    for (int k = 0; k < 6; ++k)
      for (const Heard& r : f.run()) fates[r.receiver] = r.fate;
    EXPECT_EQ(fates.at(2), Fate::Gone);
    EXPECT_EQ(fates.at(3), leaves == 1 ? Fate::Gone : Fate::Delivered);
  }
}

TEST(medium, a_delay_holds_what_arrives) {
  RadioDef d;
  d.delay = 0.025;
  Field f(d, {node(1, 0), node(2, 10), node(3, 20)});
  f.medium.say(1, message(1));
  EXPECT_TRUE(f.run().empty());
  EXPECT_TRUE(f.run().empty());
  f.nodes.pop_back();
  const auto out = f.run();
  ASSERT_EQ(out.size(), 2u);
  EXPECT_EQ(out[0].end, 25'000'000);
  EXPECT_EQ(out[0].fate, Fate::Delivered);
  EXPECT_EQ(out[1].fate, Fate::Gone);
}

TEST(medium, bad_luck_comes_as_often_as_it_should) {
  RadioDef d;
  d.loss = 0.2;
  Field f(d, {node(1, 0), node(2, 10)});
  for (int k = 0; k < 10000; ++k) f.medium.say(1, message(1));
  f.run();
  EXPECT_EQ(f.medium.count(Fate::Delivered) + f.medium.count(Fate::Unlucky), 10000u);
  EXPECT_NEAR(static_cast<double>(f.medium.count(Fate::Unlucky)), 2000, 4 * std::sqrt(10000 * 0.2 * 0.8));
}

// at the edge of the range half of the shadowed links are too weak, and of those under Rayleigh fading 1 - exp(-1)
TEST(medium, at_the_edge_of_the_range_shadowing_and_fading_take_their_share) {
  const double edge = 0.9999999 * 146.16;
  for (const bool fading : {true, false}) {
    RadioDef d = log_distance();
    d.fading = fading ? Fading::Rayleigh : Fading::None;
    d.shadowing = fading ? 0 : 6;
    std::vector<RadioNode> nodes = {node(1, 0)};
    const double reach = Propagation(log_distance()).reach(Propagation(d).at_reference(20)) * 0.99999;
    EXPECT_NEAR(reach, edge, 0.05);
    const std::size_t n = 4000;
    for (std::size_t k = 0; k < n; ++k)
      nodes.push_back(node(2 + k, reach * std::cos(0.001 * static_cast<double>(k)), reach * std::sin(0.001 * static_cast<double>(k))));
    Field f(d, nodes);
    f.medium.say(1, message(1));
    f.run();
    const double p = fading ? std::exp(-1) : 0.5;
    EXPECT_EQ(f.medium.count(Fate::Delivered) + f.medium.count(Fate::Weak), n);
    EXPECT_NEAR(static_cast<double>(f.medium.count(Fate::Delivered)), p * static_cast<double>(n), 4 * std::sqrt(static_cast<double>(n) * p * (1 - p)));
  }
}

TEST(medium, a_node_that_is_nowhere_neither_hears_nor_is_heard) {
  for (RadioDef d : {log_distance(), disc(100)}) {
    d.capture = false;
    Field f(d, {node(1, 0), node(2, std::nan("")), node(3, 10)});
    for (const std::uint64_t id : {1, 2}) f.medium.say(id, message(id));
    std::map<std::pair<std::uint64_t, std::uint64_t>, Fate> fates;
    for (const Heard& r : f.run()) fates[{r.sender, r.receiver}] = r.fate;
    const std::map<std::pair<std::uint64_t, std::uint64_t>, Fate> expected = {{{1, 3}, Fate::Delivered}, {{2, 0}, Fate::OutOfRange}};
    EXPECT_EQ(fates, expected);
  }
}

TEST(medium, a_definition_that_cannot_be_is_refused_with_its_field) {
  EXPECT_TRUE(check(RadioDef{}));
  RadioDef d = log_distance();
  d.access = MediumAccess::SlottedAloha;
  EXPECT_TRUE(check(d));
  d.slot = 0.5e-3;
  ASSERT_FALSE(check(d));
  EXPECT_EQ(check(d).error().field, "slot");
  d = log_distance();
  d.loss = 1.5;
  ASSERT_FALSE(check(d));
  EXPECT_EQ(check(d).error().field, "loss");
  d = log_distance();
  d.noise = std::nan("");
  EXPECT_EQ(check(d).error().field, "noise");
  for (std::size_t f = 0; f < kFates; ++f) EXPECT_NE(std::string(name_of(static_cast<Fate>(f))), "");
}

// each is the other's furthest receiver: rounding of that distance must not make one of them hear
TEST(medium, two_that_send_at_once_are_deaf_to_each_other_wherever_they_are) {
  RadioDef d;
  d.model = RadioModel::Disc;
  d.range = 100;
  d.capture = true;
  d.spread = false;
  for (int k = 1; k < 300; ++k) {
    const double x = 0.1 + 0.3117 * k;
    Field f(d, {node(1, 0), node(2, x, 0.013 * k)});
    f.medium.say(1, message(1));
    f.medium.say(2, message(2));
    std::vector<Heard> all;
    for (int t = 0; t < 5; ++t)
      for (const Heard& r : f.run()) all.push_back(r);
    ASSERT_EQ(all.size(), 2u);
    for (const Heard& r : all) EXPECT_EQ(r.fate, Fate::Deaf) << "at " << x << " m";
  }
}

// ---------------------------------------------------------------- other rules in the middle of it

TEST(medium, a_packet_on_the_air_goes_on_when_the_rules_change) {
  RadioDef d = log_distance();
  d.bit_rate = 10'000;  // 28 bytes: 22.4 ms, three ticks
  Field f(d, {node(1, 0), node(2, 10)});
  f.medium.say(1, message(1, 0, 7));
  EXPECT_TRUE(f.run().empty());
  d.bit_rate = 1e6;
  f.medium.reconfigure(d);
  EXPECT_TRUE(f.run().empty());
  const auto out = f.run();
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(out[0].fate, Fate::Delivered);
  EXPECT_EQ(out[0].end, 192'000 + 22'400'000);  // as it began
}

// A long one and short ones that begin later, under quicker rules, in its last moments: it is disturbed by them, and they by it.
TEST(medium, packets_of_old_and_new_rules_disturb_each_other) {
  for (const MediumAccess access : {MediumAccess::Free, MediumAccess::Csma}) {
    RadioDef d = log_distance();
    d.bit_rate = 10'000;
    Field f(d, {node(1, 0), node(2, 10), node(3, 20)});
    f.medium.say(1, message(1));
    EXPECT_TRUE(f.run().empty());
    d.bit_rate = 1e6;
    d.access = access;
    d.sense = -100;
    d.slot = 1e-4;
    d.backoff = 2;  // it listens while the long one is on the air
    f.medium.reconfigure(d);
    EXPECT_TRUE(f.run().empty());
    f.medium.say(3, message(3));
    std::vector<Heard> all;
    for (int k = 0; k < 20; ++k)
      for (const Heard& h : f.run()) all.push_back(h);
    const auto long_one = by_receiver(all, 1), short_one = by_receiver(all, 3);
    if (access == MediumAccess::Free) {
      EXPECT_EQ(long_one.at(2).fate, Fate::Interference);
      EXPECT_EQ(short_one.at(2).fate, Fate::Interference);
      EXPECT_EQ(long_one.at(3).fate, Fate::Deaf);
    } else {
      // it hears that somebody speaks still, and waits
      EXPECT_EQ(long_one.at(2).fate, Fate::Delivered);
      EXPECT_EQ(short_one.at(2).fate, Fate::Delivered);
      EXPECT_GT(short_one.at(2).end, long_one.at(2).end);
    }
  }
}

// Slots are counted from the beginning of time: number 200 of 0.1 ms is 20 ms, of 10 ms it would be two seconds.
TEST(medium, who_waits_for_a_slot_waits_anew_when_slots_are_longer) {
  RadioDef d = log_distance();
  d.bit_rate = 5'000;  // 28 bytes: 44.8 ms
  d.access = MediumAccess::Csma;
  d.sense = -100;
  d.slot = 1e-4;
  d.backoff = 1;
  Field f(d, {node(1, 0), node(2, 10), node(3, 20)});
  f.medium.say(1, message(1));
  f.run(), f.run();
  f.medium.say(3, message(3));
  f.run();  // it hears the first one and puts it off
  d.slot = 0.01;
  f.medium.reconfigure(d);
  int delivered = 0;
  for (int k = 0; k < 40; ++k)
    for (const Heard& h : f.run()) delivered += h.sender == 3 && h.fate == Fate::Delivered;
  EXPECT_EQ(delivered, 2);
}

TEST(medium, a_shorter_delay_lets_later_messages_arrive_first) {
  RadioDef d = log_distance();
  d.delay = 0.1;
  Field f(d, {node(1, 0), node(2, 10)});
  f.medium.say(1, message(1, 0, 1));
  f.run();
  d.delay = 0.02;
  f.medium.reconfigure(d);
  f.medium.say(1, message(1, 0, 2));
  f.run();
  std::vector<double> order;
  for (int k = 0; k < 20; ++k)
    for (const Heard& h : f.run()) order.push_back(h.message.values[0]);
  EXPECT_EQ(order, (std::vector<double>{2, 1}));
}

TEST(medium, what_waits_is_sent_under_whatever_access_there_is_then) {
  RadioDef d = log_distance();
  d.bit_rate = 10'000;
  Field f(d, {node(1, 0), node(2, 10)});
  for (int k = 0; k < 12; ++k) f.medium.say(1, message(1, 0, k));
  std::vector<double> heard;
  int tick = 0;
  for (const MediumAccess access : {MediumAccess::Csma, MediumAccess::SlottedAloha, MediumAccess::Csma, MediumAccess::Free}) {
    d.access = access;
    d.slot = access == MediumAccess::SlottedAloha ? 0.2 : 0.001 * (1 + tick);
    d.probability = 1;
    f.medium.reconfigure(d);
    for (int k = 0; k < 25; ++k, ++tick)
      for (const Heard& h : f.run()) heard.push_back(h.message.values[0]);
  }
  for (int k = 0; k < 200; ++k)
    for (const Heard& h : f.run()) heard.push_back(h.message.values[0]);
  EXPECT_EQ(heard, (std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
}

// ---------------------------------------------------------------- who is in reach

// Rayleigh fading, n = 3: at d the power that arrives is above what is needed with probability exp(-(d/r)^3), r the range of the mean.
struct Faded {
  explicit Faded(std::vector<double> ranges, double delay = 0) {
    RadioDef d = log_distance();
    d.fading = Fading::Rayleigh;
    d.delay = delay;
    const Propagation p(d);
    const double range = p.distance_of(p.at_reference(20), p.needed);
    std::vector<RadioNode> nodes = {node(1, 0)};
    for (std::size_t k = 0; k < ranges.size(); ++k) nodes.push_back(node(2 + k, ranges[k] * range));
    field.emplace(d, nodes);
    delivered.assign(ranges.size(), 0);
  }
  void say(int n) {
    for (int k = 0; k < n; ++k) {
      field->medium.say(1, message(1));
      for (int pause = 0; pause < 2; ++pause)
        for (const Heard& h : field->run())
          if (h.fate == Fate::Delivered) ++delivered[h.receiver - 2];
    }
  }
  std::optional<Field> field;
  std::vector<std::uint64_t> delivered;  // by receiver
};

TEST(delivery_ratio, equals_a_count_by_hand_over_those_in_reach_whatever_the_draw) {
  for (const double delay : {0.0, 0.013}) {
    const int n = 3000;
    Faded f({0.5, 0.9, 1.2, 2}, delay);
    f.say(n);
    const Medium& m = f.field->medium;
    EXPECT_EQ(m.in_reach(), 2u * n);  // two of the four, heard or not
    EXPECT_EQ(m.arrived(), f.delivered[0] + f.delivered[1]);
    EXPECT_EQ(m.counts(1).in_reach, m.in_reach());
    EXPECT_EQ(m.counts(1).arrived, m.arrived());
    EXPECT_GT(f.delivered[2], 0u);  // by luck: heard, and in neither number
    const double first = std::exp(-0.125), second = std::exp(-0.729);
    const double sigma = std::sqrt(n * (first * (1 - first) + second * (1 - second)));
    EXPECT_NEAR(static_cast<double>(m.arrived()), n * (first + second), 4 * sigma);
  }
}

TEST(delivery_ratio, at_the_edge_of_the_range_is_one_over_e) {
  for (const double edge : {0.9999, 1.0001}) {
    Faded f({edge});
    f.say(3000);
    const double r = static_cast<double>(f.field->medium.arrived()) / static_cast<double>(f.field->medium.in_reach());
    EXPECT_NEAR(r, std::exp(-1), 4 * std::sqrt(0.2325 / 3000)) << edge;
  }
}

TEST(delivery_ratio, counts_what_could_not_be_sent_and_not_what_nobody_was_there_to_hear) {
  RadioDef d = disc(100);
  d.queue = 2;
  Field f(d, {node(1, 0), node(2, 50), node(3, 1000)});
  for (int k = 0; k < 5; ++k) f.medium.say(1, message(1));  // two wait, three do not fit
  f.medium.say(3, message(3));
  for (int k = 0; k < 3; ++k) f.run();
  EXPECT_EQ(f.medium.in_reach(), 5u);
  EXPECT_EQ(f.medium.arrived(), 2u);
  EXPECT_EQ(f.medium.counts(3).in_reach, 0u);
}

}  // namespace
}  // namespace volary::swarm
