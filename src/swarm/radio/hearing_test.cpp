// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Many radios: the order in which packets are looked at is nobody's business.
#include <gtest/gtest.h>

#include "math/hash.hpp"
#include "swarm/radio/medium.hpp"
#include "swarm/radio/radio_test_support.hpp"

namespace volary::swarm {
namespace {

constexpr std::uint64_t kEach = 9'000;  // of a field: two of them are more than are looked at one by one

// two fields of radios 5 m apart that never hear each other; one has the odd ids and the other the even ones
bool is_first(std::uint64_t id) { return id % 2 == 1; }
std::vector<RadioNode> fields(bool first, bool second) {
  std::vector<RadioNode> nodes;
  for (std::uint64_t id = 1; id <= 2 * kEach; ++id) {
    if (!(is_first(id) ? first : second)) continue;
    const std::uint64_t k = (id - 1) / 2;
    RadioNode n = node(id, 5.0 * static_cast<double>(k % 95) + (is_first(id) ? 0 : 1e6), 5.0 * static_cast<double>(k / 95));
    n.power = -16.4;
    nodes.push_back(n);
  }
  return nodes;
}

// what becomes of the same words in each field
std::vector<std::vector<Heard>> fly(const RadioDef& def, bool first, bool second, int parts, std::uint64_t& hash) {
  const std::uint64_t one_in = def.access == MediumAccess::SlottedAloha ? 12 : 100;  // speaks in a tick
  Field field(def, fields(first, second));
  std::vector<std::vector<Heard>> ticks;
  for (std::uint64_t tick = 0; tick < 5; ++tick) {
    for (const RadioNode& n : field.nodes)
      if (math::mix64(n.id ^ tick << 32) % one_in == 0) field.medium.say(n.id, message(n.id, 0, static_cast<double>(tick)));
    ticks.push_back(field.run(parts));
  }
  hash = field.medium.hash();
  return ticks;
}

TEST(hearing, of_two_large_fields_is_that_of_each_alone_on_any_number_of_threads) {
  RadioDef slots = log_distance(), slow = log_distance();
  slots.access = MediumAccess::SlottedAloha;
  slots.slot = 1e-3;
  slots.probability = 0.3;
  slow.bit_rate = 40e3;  // packets last for longer than a tick
  for (const RadioDef& def : {slots, slow}) {
    std::uint64_t hash = 0, again = 0, alone = 0;
    const auto both = fly(def, true, true, 1, hash), threaded = fly(def, true, true, 3, again), left = fly(def, true, false, 1, alone), right = fly(def, false, true, 1, alone);
    EXPECT_EQ(hash, again);
    std::size_t delivered = 0;
    for (std::size_t tick = 0; tick < both.size(); ++tick) {
      EXPECT_TRUE(same(both[tick], threaded[tick]));
      std::vector<Heard> odd, even;
      for (const Heard& h : both[tick]) (is_first(h.sender) ? odd : even).push_back(h), delivered += h.fate == Fate::Delivered ? 1 : 0;
      EXPECT_TRUE(same(odd, left[tick])) << "tick " << tick;
      EXPECT_TRUE(same(even, right[tick])) << "tick " << tick;
    }
    EXPECT_GT(delivered, 500u);
  }
}

}  // namespace
}  // namespace volary::swarm
