// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/inbox.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <deque>

#include "core/state.hpp"

namespace volary::engine {
namespace {

swarm::Message message(std::uint64_t from, std::uint32_t count) {
  swarm::Message m{.from = from, .to = from + 1, .tick = 3 * from, .topic = 7, .count = count};
  for (std::uint32_t k = 0; k < count; ++k) m.values[k] = static_cast<double>(from) + 0.5 * k;
  return m;
}
void expect_equal(const swarm::Message& a, const swarm::Message& b) {
  EXPECT_EQ(swarm::hash_of(a), swarm::hash_of(b));
  EXPECT_EQ(a.to, b.to);
  EXPECT_EQ(a.values, b.values);
}

// against a list for every vehicle
RC_GTEST_PROP(Inbox, keeps_what_a_list_of_the_newest_sixty_four_would, ()) {
  constexpr std::size_t kSlots = 3;
  Inbox inbox;
  for (std::size_t k = 0; k < kSlots; ++k) inbox.settle(k, kSlots);
  std::vector<std::deque<swarm::Message>> plain(kSlots);
  std::vector<std::uint32_t> taken;
  for (std::uint64_t step = 1; step < 300; ++step) {
    const std::size_t slot = *rc::gen::inRange<std::size_t>(0, kSlots);
    const int what = *rc::gen::inRange(0, 40);
    if (what == 0) {
      taken.push_back(inbox.take(slot));
      plain[slot].clear();
    } else if (what == 1) {
      for (const std::uint32_t ring : taken) inbox.give_back(ring);
      taken.clear();
    } else if (what == 2 && taken.empty()) {
      inbox.settle(slot, kSlots);
      plain[slot].clear();
    } else {
      const swarm::Message m = message(step, *rc::gen::inRange<std::uint32_t>(0, swarm::Message::kMost + 1));
      const bool has_room = plain[slot].size() < Inbox::kMost;
      RC_ASSERT(inbox.add(slot, m) == has_room);
      if (!has_room) plain[slot].pop_front();
      plain[slot].push_back(m);
    }
    if (taken.empty()) RC_ASSERT(inbox.fits(kSlots));
    std::vector<swarm::Message> room;
    const auto now = inbox.read(slot, room);
    RC_ASSERT(now.size() == plain[slot].size());
    for (std::size_t k = 0; k < now.size(); ++k) expect_equal(now[k], plain[slot][k]);
  }
}

TEST(Inbox, that_is_empty_again_needs_no_room_for_messages) {
  const auto bytes = [](Inbox& inbox) {
    core::StateWriter out;
    inbox.each_state(out);
    return out.take().size();
  };
  Inbox inbox;
  inbox.settle(0, 1);
  const std::size_t before = bytes(inbox);
  for (std::uint64_t k = 0; k < 10; ++k) inbox.add(0, message(k, 3));
  EXPECT_GT(bytes(inbox), before);
  inbox.give_back(inbox.take(0));
  EXPECT_EQ(bytes(inbox), before);
}

TEST(Inbox, whose_bytes_lead_astray_does_not_fit) {
  Inbox inbox;
  inbox.settle(1, 2);
  for (std::uint64_t k = 0; k < 4; ++k) inbox.add(k % 2, message(k, 2));
  inbox.give_back(inbox.take(0));
  core::StateWriter out;
  inbox.each_state(out);
  const std::vector<std::byte> sound = out.take();
  std::size_t refused = 0;
  for (std::size_t at = 0; at < sound.size(); ++at) {
    std::vector<std::byte> bytes = sound;
    bytes[at] ^= std::byte{3};
    Inbox other;
    core::StateReader in(bytes);
    other.each_state(in);
    if (!in.whole() || !other.fits(2)) {
      ++refused;
      continue;
    }
    std::vector<swarm::Message> room;  // what fits can be read
    for (std::size_t slot = 0; slot < 2; ++slot) EXPECT_EQ(other.read(slot, room).size(), other.count(slot));
  }
  EXPECT_GT(refused, 40u);
}

}  // namespace
}  // namespace volary::engine
