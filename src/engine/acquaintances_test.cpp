// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/acquaintances.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstring>
#include <map>

#include "core/state.hpp"

namespace volary::engine {
namespace {

swarm::Message state(std::uint64_t from, std::uint64_t tick, double x) {
  return {.from = from, .tick = tick, .topic = swarm::kStateTopic, .count = 10, .values = {x, 0, 0, 1, 2, 3, 4, 5, 6, 7}};
}
constexpr Acquaintances::Memory kLong{0, 1000};
std::vector<std::uint64_t> who(const Acquaintances& a, std::size_t slot) {
  std::vector<std::uint64_t> ids;
  for (std::size_t k = 0; k < a.count(slot); ++k) ids.push_back(a.id(slot, k));
  return ids;
}

TEST(Acquaintances, what_was_said_is_recalled_in_the_order_of_ids) {
  Acquaintances a;
  a.resize(2, 4);
  for (const std::uint64_t id : {7u, 3u, 5u}) a.learn(1, state(id, 10, static_cast<double>(id)), {0, 0, 0}, kLong);
  std::vector<swarm::Known> room;
  const auto known = a.recall(1, kLong, room);
  ASSERT_EQ(known.size(), 3u);
  EXPECT_EQ(known[1].from, 5u);
  EXPECT_EQ(known[1].tick, 10u);
  EXPECT_EQ(known[1].position.x, 5);
  EXPECT_EQ(known[1].velocity.z, 3);
  EXPECT_EQ(known[1].intent.x, 4);
  EXPECT_EQ(known[1].role, 7);
  EXPECT_TRUE(a.recall(0, kLong, room).empty());
}

TEST(Acquaintances, an_older_message_does_not_overwrite_a_newer_one) {
  Acquaintances a;
  a.resize(1, 4);
  a.learn(0, state(3, 10, 1), {0, 0, 0}, kLong);
  a.learn(0, state(3, 9, 2), {0, 0, 0}, kLong);
  EXPECT_EQ(a.tick(0, 0, 11), 10u);
  a.learn(0, state(3, 11, 3), {0, 0, 0}, kLong);
  EXPECT_EQ(a.tick(0, 0, 11), 11u);
  EXPECT_EQ(a.count(0), 1u);
}

TEST(Acquaintances, without_room_the_farthest_goes_even_when_it_is_the_newest) {
  Acquaintances a;
  a.resize(1, 2);
  a.learn(0, state(1, 0, 10), {0, 0, 0}, kLong);
  a.learn(0, state(2, 0, 30), {0, 0, 0}, kLong);
  a.learn(0, state(3, 0, 20), {0, 0, 0}, kLong);
  EXPECT_EQ(who(a, 0), (std::vector<std::uint64_t>{1, 3}));
  a.learn(0, state(4, 0, 40), {0, 0, 0}, kLong);
  EXPECT_EQ(who(a, 0), (std::vector<std::uint64_t>{1, 3}));
}

TEST(Acquaintances, what_is_stale_is_not_recalled_but_kept_until_room_is_needed) {
  Acquaintances a;
  a.resize(1, 2);
  a.learn(0, state(1, 0, 10), {0, 0, 0}, {0, 5});
  a.learn(0, state(2, 6, 30), {0, 0, 0}, {6, 5});
  std::vector<swarm::Known> room;
  ASSERT_EQ(a.recall(0, {6, 5}, room).size(), 1u);
  EXPECT_EQ(room[0].from, 2u);
  EXPECT_EQ(a.recall(0, {5, 5}, room).size(), 2u);
  EXPECT_EQ(who(a, 0), (std::vector<std::uint64_t>{1, 2}));
  // a far one is remembered in the place of a near one that is stale
  a.learn(0, state(3, 7, 100), {0, 0, 0}, {7, 5});
  EXPECT_EQ(who(a, 0), (std::vector<std::uint64_t>{2, 3}));
}

// of a tick the low 32 bits are kept
TEST(Acquaintances, a_tick_is_exact_within_two_to_the_31_of_now_on_either_side) {
  constexpr std::uint64_t kFar = (std::uint64_t{1} << 31) - 1;
  for (const std::uint64_t said : {kFar, 5 * kFar, (std::uint64_t{1} << 32) - 1, std::uint64_t{1} << 32, std::uint64_t{1} << 40}) {
    Acquaintances a;
    a.resize(1, 1);
    a.learn(0, state(1, said, 0), {0, 0, 0}, {said, 5});
    for (const std::uint64_t now : {said - kFar, said - 1, said, said + 1, said + kFar}) EXPECT_EQ(a.tick(0, 0, now), said) << now;
    std::vector<swarm::Known> room;
    ASSERT_EQ(a.recall(0, {said + 5, 5}, room).size(), 1u);
    EXPECT_EQ(room[0].tick, said);
    EXPECT_TRUE(a.recall(0, {said + 6, 5}, room).empty());
  }
}

// against a map that does the same in the plainest way
RC_GTEST_PROP(Acquaintances, remember_what_a_map_of_the_nearest_would, ()) {
  Acquaintances a;
  const std::size_t most = *rc::gen::inRange<std::size_t>(1, 5);
  a.resize(1, most);
  std::map<std::uint64_t, swarm::Message> plain;
  std::uint64_t now = *rc::gen::element<std::uint64_t>(0, (1ull << 32) - 40, (7ull << 32) - 40);  // some pass a multiple of 2^32
  for (int step = 0; step < 60; ++step) {
    now += *rc::gen::inRange<std::uint64_t>(0, 3);
    const swarm::Message m = state(*rc::gen::inRange<std::uint64_t>(1, 9), now, *rc::gen::inRange(0, 1000));
    a.learn(0, m, {0, 0, 0}, {now, 5});
    const auto oldest = std::min_element(plain.begin(), plain.end(), [](const auto& p, const auto& q) { return p.second.tick < q.second.tick; });
    if (!plain.contains(m.from) && plain.size() == most && now - oldest->second.tick > 5) plain.erase(oldest);
    if (plain.contains(m.from) || plain.size() < most) {
      plain[m.from] = m;
    } else {
      auto farthest = plain.begin();
      for (auto p = plain.begin(); p != plain.end(); ++p)
        if (p->second.values[0] > farthest->second.values[0]) farthest = p;
      if (m.values[0] < farthest->second.values[0]) plain.erase(farthest), plain[m.from] = m;
    }
    RC_ASSERT(a.count(0) == plain.size());
    std::vector<swarm::Known> room;
    const auto fresh = std::count_if(plain.begin(), plain.end(), [&](const auto& p) { return now - p.second.tick <= 5; });
    RC_ASSERT(a.recall(0, {now, 5}, room).size() == static_cast<std::size_t>(fresh));
    std::size_t k = 0;
    for (const auto& [id, message] : plain) {
      RC_ASSERT(a.id(0, k) == id && a.tick(0, k, now) == message.tick);
      ++k;
    }
  }
  RC_ASSERT(a.fits(1, most));
}

std::vector<std::byte> bytes_of(Acquaintances& a) {
  core::StateWriter out;
  a.each_state(out);
  return out.take();
}

// entries are copied in pieces that reach past their end
RC_GTEST_PROP(Acquaintances, come_back_from_their_bytes_whatever_each_vehicle_knows, ()) {
  const auto slots = *rc::gen::inRange<std::size_t>(0, 20), most = *rc::gen::inRange<std::size_t>(0, 14);
  Acquaintances a, b;
  a.resize(slots, most), b.resize(slots, most);
  std::size_t known = 0;
  for (std::size_t slot = 0; most > 0 && slot < slots; ++slot) {
    const auto n = *rc::gen::inRange<std::size_t>(0, most + 1);
    for (std::size_t k = 0; k < n; ++k) a.learn(slot, state(100 * slot + k + 1, k, static_cast<double>(7 * slot + k)), {0, 0, 0}, kLong);
    for (std::size_t k = 0; k < most; ++k) b.learn(slot, state(9000 + k, 5, -1), {0, 0, 0}, kLong);  // to be written over
    known += n;
  }
  const std::vector<std::byte> bytes = bytes_of(a);
  RC_ASSERT(bytes.size() == 8 + 4 * slots + 52 * known);
  core::StateReader in(bytes);
  b.each_state(in);
  RC_ASSERT(in.whole() && b.fits(slots, most));
  std::vector<swarm::Known> here, there;
  for (std::size_t slot = 0; slot < slots; ++slot) {
    const auto x = a.recall(slot, kLong, here), y = b.recall(slot, kLong, there);
    RC_ASSERT(x.size() == y.size() && who(a, slot) == who(b, slot));
    for (std::size_t k = 0; k < x.size(); ++k) RC_ASSERT(x[k].tick == y[k].tick && x[k].position.x == y[k].position.x && x[k].role == y[k].role);
  }
  RC_ASSERT(bytes_of(b) == bytes);
}

TEST(Acquaintances, of_another_number_of_vehicles_are_not_read_and_take_no_memory) {
  Acquaintances many;
  many.resize(1000, 12);
  const std::vector<std::byte> bytes = bytes_of(many);
  Acquaintances few;
  few.resize(2, 12);
  core::StateReader in(bytes);
  few.each_state(in);
  EXPECT_FALSE(in.whole());
  EXPECT_TRUE(few.fits(2, 12)) << "there is room for two as before";
}

TEST(Acquaintances, that_would_be_more_than_there_is_room_for_are_not_read) {
  Acquaintances a;
  a.resize(3, 2);
  for (std::size_t slot = 0; slot < 3; ++slot) a.learn(slot, state(1, 0, 10), {0, 0, 0}, kLong);
  for (const std::uint32_t count : {0u, 2u, 3u, 0xffffffffu}) {
    std::vector<std::byte> bytes = bytes_of(a);
    std::memcpy(bytes.data() + 8 + 4, &count, sizeof count);  // of the second one
    Acquaintances b;
    b.resize(3, 2);
    core::StateReader in(bytes);
    b.each_state(in);
    EXPECT_FALSE(in.whole()) << count;
    EXPECT_TRUE(b.fits(3, 2)) << count;
  }
}

}  // namespace
}  // namespace volary::engine
