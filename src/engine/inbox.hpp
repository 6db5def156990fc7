// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Messages that wait until the vehicles of a flock decide: a ring for each vehicle, all in one pool, so that a vehicle with none has five bytes. Numbers are the floats that they were on the air.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "swarm/message.hpp"

namespace volary::engine {

class Inbox {
 public:
  static constexpr std::size_t kMost = 64;  // of one vehicle
  static constexpr std::uint32_t kNone = 0xffffffffu;

  void settle(std::size_t slot, std::size_t slots);  // a new vehicle has none
  std::size_t count(std::size_t slot) const { return count_[slot]; }
  // false: too many waited already, and the oldest went
  bool add(std::size_t slot, const swarm::Message& message);
  // all that wait, in the order of hearing
  std::span<const swarm::Message> read(std::size_t slot, std::vector<swarm::Message>& out) const;
  // Takes all from a vehicle, by several threads at once for vehicles of their own; the pool has them back after give_back().
  std::uint32_t take(std::size_t slot);
  void give_back(std::uint32_t ring);

  void prefetch(std::size_t slot) const { __builtin_prefetch(&last_[slot], 1); }
  template <class F> void each_state(F& f) { f(last_), f(count_), f(pool_), f(free_), f(waiting_); }
  bool fits(std::size_t slots) const;

 private:
  struct Waiting {
    std::uint64_t from, to, tick;
    std::uint32_t topic, count;
    float values[swarm::Message::kMost];
    std::uint32_t next;    // the one after it; of the newest: the oldest
    std::uint32_t unused;  // so that all bytes have a value
  };
  std::uint32_t new_place();

  std::vector<std::uint32_t> last_;  // by slot: the newest, which leads to the oldest
  std::vector<std::uint8_t> count_;  // by slot
  std::vector<Waiting> pool_;
  std::uint32_t free_ = kNone;       // places without a message, in a chain
  std::uint32_t waiting_ = 0;        // messages in the pool
};

}  // namespace volary::engine
