// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "swarm/radio/access.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "swarm/radio/radio_test_support.hpp"

namespace volary::swarm {
namespace {

// n senders that hear nothing in a ring about a base station, which has the highest id
std::vector<RadioNode> cell(int n, double x = 0) {
  std::vector<RadioNode> nodes;
  for (int k = 0; k < n; ++k) {
    const double angle = 6.283185307179586 * k / n;
    nodes.push_back(node(static_cast<std::uint64_t>(1 + k), x + 20 * std::cos(angle), 20 * std::sin(angle)));
    nodes.back().receives = false;
  }
  nodes.push_back(node(static_cast<std::uint64_t>(1 + n), x));
  return nodes;
}

RadioDef slotted(double p, RadioModel model) {
  RadioDef d = model == RadioModel::Disc ? disc(100) : log_distance();
  d.access = MediumAccess::SlottedAloha;
  d.probability = p;
  d.capture = false;
  d.queue = 100000;
  return d;
}

// Per slot the base station hears one message with probability N p (1-p)^(N-1), and a message arrives with (1-p)^(N-1) (Abramson 1970).
// Slots are independent; the success of a message is the ratio of two sums over slots, X (0 or 1) and Y (senders), with X Y = X.
TEST(slotted_aloha, throughput_and_success_follow_the_formula_within_sampling_error) {
  const struct {
    int n;
    double p;
    RadioModel model;
  } cases[] = {{2, 0.5, RadioModel::Disc},  {5, 0.2, RadioModel::LogDistance},   {10, 0.1, RadioModel::LogDistance},
               {10, 0.3, RadioModel::Disc}, {20, 0.02, RadioModel::LogDistance}, {30, 0.1, RadioModel::Disc}};
  for (const auto& c : cases) {
    Field f(slotted(c.p, c.model), cell(c.n));
    const int ticks = 500, slots = 10 * ticks;
    for (int k = 0; k < c.n; ++k)
      for (int m = 0; m < slots * c.p + 6 * std::sqrt(slots * c.p); ++m) f.medium.say(static_cast<std::uint64_t>(1 + k), message(1));
    for (int t = 0; t < ticks; ++t) f.run();

    const double sent = static_cast<double>(f.medium.sent()), heard = static_cast<double>(f.medium.count(Fate::Delivered));
    EXPECT_EQ(f.medium.count(Fate::Interference), f.medium.sent() - f.medium.count(Fate::Delivered));
    const double r = std::pow(1 - c.p, c.n - 1), np = c.n * c.p, q = np * r;
    EXPECT_NEAR(sent / slots, np, 4 * std::sqrt(np * (1 - c.p) / slots)) << c.n << " " << c.p;
    EXPECT_NEAR(heard / slots, q, 4 * std::sqrt(q * (1 - q) / slots)) << c.n << " " << c.p;
    const double variance = q - 2 * r * q + r * r * (np * (1 - c.p) + np * np);
    EXPECT_NEAR(heard / sent, r, 4 * std::sqrt(variance / slots) / np) << c.n << " " << c.p;
  }
}

TEST(slotted_aloha, a_cell_far_away_changes_nothing) {
  Field alone(slotted(0.2, RadioModel::LogDistance), cell(8)), both(slotted(0.2, RadioModel::LogDistance), cell(8));
  for (RadioNode n : cell(8, 1e6)) n.id += 100, both.nodes.push_back(n);
  std::uint64_t heard = 0;
  for (int t = 0; t < 100; ++t) {
    for (std::uint64_t k = 1; k <= 8; ++k) {
      alone.medium.say(k, message(k));
      both.medium.say(k, message(k));
      both.medium.say(100 + k, message(100 + k));
    }
    auto a = alone.run(), b = both.run();
    std::erase_if(b, [](const Heard& r) { return r.sender > 100; });
    ASSERT_TRUE(same(a, b)) << t;
    heard += a.size();
  }
  EXPECT_GT(heard, 500u);
}

TEST(slotted_aloha, packets_begin_at_slots_only) {
  Field f(slotted(0.4, RadioModel::Disc), {node(1, 0), node(2, 10)}, 1, 2'500'000);
  for (int k = 0; k < 50; ++k) f.medium.say(1, message(1));
  std::set<std::int64_t> slots;
  for (int t = 0; t < 100; ++t)
    for (const Heard& r : f.run()) {
      EXPECT_EQ((r.end - 416'000) % 1'000'000, 0);
      slots.insert(r.end);
    }
  EXPECT_EQ(slots.size(), 50u);
}

// n that each say something in every tick of 50 ms, and what became of it at the one that listens
double share_heard(RadioDef d, int n, int ticks, std::uint64_t* sent) {
  d.model = RadioModel::Disc;
  d.capture = false;
  Field f(d, cell(n), 1, 50'000'000);
  for (int t = 0; t < ticks; ++t) {
    for (int k = 0; k < n; ++k) f.medium.say(static_cast<std::uint64_t>(1 + k), message(1));
    f.run();
  }
  *sent = f.medium.sent();
  return static_cast<double>(f.medium.count(Fate::Delivered)) / static_cast<double>(f.medium.sent());
}

// What is said in a tick is said at any moment of it. Another packet disturbs when it begins within one airtime before or after: (1 - 2a/T)^(N-1) of
// unslotted ALOHA. Collisions come in pairs, which doubles the variance.
TEST(free_access, by_default_it_is_pure_aloha) {
  for (const int n : {10, 49}) {
    std::uint64_t sent = 0;
    const double heard = share_heard({}, n, 1000, &sent), r = std::pow(1 - 2 * 0.416 / 50, n - 1);
    EXPECT_NEAR(static_cast<double>(sent), n * 1000, n);
    EXPECT_NEAR(heard, r, 4 * std::sqrt(2 * r * (1 - r) / static_cast<double>(sent))) << n;
  }
}

TEST(free_access, with_a_jitter_of_a_tick_instead_of_the_spread_it_is_the_same) {
  RadioDef d;
  d.spread = false;
  d.jitter = 0.05;
  std::uint64_t sent = 0;
  const double heard = share_heard(d, 49, 1000, &sent), r = std::pow(1 - 2 * 0.416 / 50, 48);
  EXPECT_NEAR(heard, r, 4 * std::sqrt(2 * r * (1 - r) / static_cast<double>(sent)));
}

TEST(free_access, without_the_spread_all_that_is_said_in_a_tick_collides) {
  RadioDef d;
  d.spread = false;
  std::uint64_t sent = 0;
  EXPECT_EQ(share_heard(d, 2, 100, &sent), 0);
  EXPECT_EQ(sent, 200u);
}

// fifty slots of 20 us are a small part of a tick: where all wait from its beginning on, most windows are crowded
TEST(csma, what_is_said_at_any_moment_collides_less_than_what_is_said_at_once) {
  RadioDef d;
  d.access = MediumAccess::Csma;
  d.slot = 20e-6;
  std::uint64_t sent = 0;
  const double spread = share_heard(d, 49, 200, &sent);
  d.spread = false;
  EXPECT_GT(spread, share_heard(d, 49, 200, &sent) + 0.05);
}

TEST(free_access, one_node_sends_one_packet_after_the_other) {
  Field f(disc(100), {node(1, 0), node(2, 10)});
  for (int k = 0; k < 3; ++k) f.medium.say(1, message(1, 0, k));
  const auto out = f.run();
  ASSERT_EQ(out.size(), 3u);
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(out[static_cast<std::size_t>(k)].end, (k + 1) * 416'000);
    EXPECT_EQ(out[static_cast<std::size_t>(k)].message.values[0], k);
  }
}

RadioDef carrier_sense(RadioModel model) {
  RadioDef d = model == RadioModel::Disc ? disc(100) : log_distance();
  d.access = MediumAccess::Csma;
  d.slot = 20e-6;
  d.capture = false;
  return d;
}

// share of messages that arrive where 20 nodes of one cell each say one every 100 ms, four percent of the time on the air per node
double share_delivered(const RadioDef& d) {
  Field f(d, cell(20));
  for (int t = 0; t < 500; ++t) {
    for (int k = t % 10; k < 20; k += 10) f.medium.say(static_cast<std::uint64_t>(1 + k), message(1));
    if (t % 10 == 0)
      for (int k = 0; k < 20; ++k) f.medium.say(static_cast<std::uint64_t>(1 + k), message(1));
    f.run();
  }
  for (int t = 0; t < 200; ++t) f.run();
  EXPECT_EQ(f.medium.sent(), 2000u);
  return static_cast<double>(f.medium.count(Fate::Delivered)) / static_cast<double>(f.medium.sent());
}

TEST(csma, who_listens_before_sending_collides_less_than_in_slotted_aloha) {
  for (const RadioModel model : {RadioModel::Disc, RadioModel::LogDistance}) {
    const double listening = share_delivered(carrier_sense(model)), aloha = share_delivered(slotted(0.1, model));
    EXPECT_GT(listening, 0.8);
    EXPECT_GT(listening, aloha + 0.1);
  }
}

TEST(csma, a_sender_waits_for_the_end_of_what_it_hears) {
  RadioDef d = carrier_sense(RadioModel::LogDistance);
  d.backoff = 1;
  Field f(d, {node(1, 0), node(2, 10), node(3, 20)});
  // the first window is one slot: both listen at once and collide; then one after the other
  f.medium.say(1, message(1, 3));
  f.medium.say(2, message(2, 3));
  for (const Heard& r : f.run()) EXPECT_EQ(r.fate, Fate::Interference);
  f.medium.say(1, message(1, 3));
  f.nodes[1].position.x = 11;
  RadioDef late = d;
  late.jitter = 0.4e-3;
  Field g(late, f.nodes);
  for (int k = 0; k < 50; ++k) {
    g.medium.say(1, message(1, 3));
    g.medium.say(2, message(2, 3));
    g.run();
  }
  for (int k = 0; k < 10; ++k) g.run();
  // two draws of 20 slots fall into the same one in twenty
  EXPECT_LT(g.medium.count(Fate::Interference), 20u);
  EXPECT_EQ(g.medium.count(Fate::Interference) + g.medium.count(Fate::Delivered), 100u);
}

// the two cannot hear each other, and the one in the middle hears neither
TEST(csma, hidden_nodes_collide) {
  RadioDef d = carrier_sense(RadioModel::Disc);
  Field hidden(d, {node(1, -90), node(2, 0), node(3, 90)}), open(d, {node(1, -40), node(2, 0), node(3, 40)});
  for (Field* f : {&hidden, &open})
    for (int k = 0; k < 300; ++k) {
      f->medium.say(1, message(1, 2));
      f->medium.say(3, message(3, 2));
      f->run();
    }
  EXPECT_GT(hidden.medium.count(Fate::Interference), 500u);
  EXPECT_LT(open.medium.count(Fate::Interference), 100u);
}

}  // namespace
}  // namespace volary::swarm
