// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What nodes say to each other. A receiver knows of the sender only what the message says (C-05): `from` and `to` are part of
// its content, written by the sender, and may be wrong.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "math/hash.hpp"
#include "math/scalar.hpp"

namespace volary::swarm {

// Topics are names outside and numbers inside: the low 32 bits of FNV-1a, the same in C++, in Lua and in plugins.
constexpr std::uint32_t topic(std::string_view name) {
  std::uint64_t h = 0xcbf29ce484222325ull;
  for (const char c : name) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
  return static_cast<std::uint32_t>(h ^ (h >> 32));
}
inline constexpr std::uint32_t kStateTopic = topic("state");  // position, velocity, commanded velocity: what neighbours remember

// What a sender may put into `from` of a message instead of an id: its own id, or none. The medium does not check it: whether to trust an id is the receiver's business.
inline constexpr std::uint64_t kOwnId = 0, kNoId = ~std::uint64_t{0};

struct Message {
  static constexpr std::size_t kMost = 12;  // numbers in a message
  std::uint64_t from = 0;                   // id that the sender gives, which need not be its own; received: 0 where it gave none
  std::uint64_t to = 0;                     // 0: to whom it may concern
  std::uint64_t tick = 0;                   // when it was said
  std::uint32_t topic = 0;
  std::uint32_t count = 0;                  // of values
  std::array<double, kMost> values{};

  // on the air: ids of 8 bytes, topic, tick, and a float for each number
  constexpr std::uint32_t bytes() const { return 24 + 4 * count; }
};

// of all that a receiver may read in it
inline std::uint64_t hash_of(const Message& m) {
  std::uint64_t h = math::mix64(math::mix64(m.from) ^ m.tick);
  h = math::mix64(h ^ (static_cast<std::uint64_t>(m.topic) << 32 | m.count));
  for (std::uint32_t k = 0; k < m.count; ++k) h = math::mix64(h ^ math::to_bits(m.values[k]));
  return h;
}

}  // namespace volary::swarm
