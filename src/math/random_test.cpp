// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "math/random.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "math/hash.hpp"

namespace volary {
namespace {

using math::Purpose;
using math::RandomKey;
using math::Words4;

struct KnownAnswer {
  std::uint32_t counter[4], key[2], answer[4];
};

// Random123 1.14, tests/kat_vectors, the philox4x32 10 lines
constexpr KnownAnswer kPublished[] = {
    {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
    {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
    {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}, {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
};

template <class B> void expect_published_answers() {
  for (const KnownAnswer& k : kPublished) {
    const Words4<B> out = math::philox<B>({{k.counter[0], k.counter[1], k.counter[2], k.counter[3]}}, {k.key[0], k.key[1]});
    for (int j = 0; j < 4; ++j) EXPECT_EQ(out.w[j], B(k.answer[j])) << "word " << j;
  }
}

TEST(random, philox_gives_the_published_answers_in_32_bit_lanes) { expect_published_answers<std::uint32_t>(); }

TEST(random, philox_gives_the_published_answers_in_64_bit_lanes) { expect_published_answers<std::uint64_t>(); }

// one draw as four words, from either lane width
template <class B> Words4<B> draw(std::uint64_t seed, std::uint32_t world, std::uint64_t id, Purpose purpose, std::uint64_t tick, std::uint32_t n) {
  const RandomKey<std::uint32_t> key = math::world_key(seed, world);
  return math::random_words<B>({B(key.lo), B(key.hi)}, B(static_cast<std::uint32_t>(id)), B(static_cast<std::uint32_t>(id >> 32)), purpose, tick, n);
}

TEST(random, a_draw_is_the_same_in_float_and_in_double_lanes) {
  for (std::uint64_t k = 0; k < 1000; ++k) {
    const std::uint64_t id = math::mix64(k), tick = math::mix64(k + 5000) >> 16;
    const auto narrow = draw<std::uint32_t>(k, 3, id, Purpose::Test, tick, 7);
    const auto wide = draw<std::uint64_t>(k, 3, id, Purpose::Test, tick, 7);
    for (int j = 0; j < 4; ++j) ASSERT_EQ(wide.w[j], narrow.w[j]) << k;
  }
}

// every part of the key, changed by itself and by its lowest and its highest bit
TEST(random, changing_any_one_part_of_the_key_changes_every_word_of_the_draw) {
  const std::uint64_t top_id = std::uint64_t{1} << 63, top_tick = std::uint64_t{1} << 47, top_seed = std::uint64_t{1} << 63;
  const std::vector<Words4<std::uint32_t>> draws = {draw<std::uint32_t>(1, 2, 3, Purpose::Gust, 4, 5),
                                                    draw<std::uint32_t>(0, 2, 3, Purpose::Gust, 4, 5),
                                                    draw<std::uint32_t>(1 ^ top_seed, 2, 3, Purpose::Gust, 4, 5),
                                                    draw<std::uint32_t>(1, 3, 3, Purpose::Gust, 4, 5),
                                                    draw<std::uint32_t>(1, 2 ^ 0x80000000u, 3, Purpose::Gust, 4, 5),
                                                    draw<std::uint32_t>(1, 2, 2, Purpose::Gust, 4, 5),
                                                    draw<std::uint32_t>(1, 2, 3 ^ top_id, Purpose::Gust, 4, 5),
                                                    draw<std::uint32_t>(1, 2, 3, Purpose::Placement, 4, 5),
                                                    draw<std::uint32_t>(1, 2, 3, Purpose::Gust, 5, 5),
                                                    draw<std::uint32_t>(1, 2, 3, Purpose::Gust, 4 ^ top_tick, 5),
                                                    draw<std::uint32_t>(1, 2, 3, Purpose::Gust, 4, 4),
                                                    draw<std::uint32_t>(1, 2, 3, Purpose::Gust, 4, 5 ^ 0x80u)};
  for (std::size_t a = 0; a < draws.size(); ++a)
    for (std::size_t b = a + 1; b < draws.size(); ++b)
      for (int j = 0; j < 4; ++j) EXPECT_NE(draws[a].w[j], draws[b].w[j]) << a << " and " << b << ", word " << j;
}

TEST(random, consecutive_ticks_of_one_vehicle_repeat_no_block_of_words) {
  std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
  for (std::uint64_t tick = 0; tick < 20000; ++tick) {
    const auto w = draw<std::uint64_t>(9, 0, 77, Purpose::Gust, tick, 0);
    seen.insert({w.w[0] | (w.w[1] << 32), w.w[2] | (w.w[3] << 32)});
  }
  EXPECT_EQ(seen.size(), 20000u);
}

// a fair coin in every bit: 40,000 words, five standard deviations
TEST(random, every_bit_of_a_word_is_set_half_of_the_time) {
  int set[32] = {};
  for (std::uint64_t tick = 0; tick < 10000; ++tick) {
    const auto w = draw<std::uint32_t>(1, 0, 1, Purpose::Test, tick, 0);
    for (const std::uint32_t word : w.w)
      for (int b = 0; b < 32; ++b) set[b] += (word >> b) & 1u;
  }
  for (int b = 0; b < 32; ++b) EXPECT_NEAR(set[b], 20000, 5 * std::sqrt(40000 * 0.25)) << "bit " << b;
}

}  // namespace
}  // namespace volary
