// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What the vehicles of a flock remember of others, from the last state message each heard of them. Thousands of messages a tick end here, each at another vehicle, so what is
// looked up lies close together: ids apart from what they belong to, numbers as the floats they were on the air. Of the tick at which something was said the low 32 bits are
// kept: it is the one within 2^31 ticks of now, 248 days at 10 ms.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "swarm/sense.hpp"

namespace volary::engine {

class Acquaintances {
 public:
  static constexpr std::size_t kNumbers = 10;  // of a state message: position, velocity, intent, role

  // room for so many vehicles that remember at most so many others each
  void resize(std::size_t slots, std::size_t most);
  void reset(std::size_t slot) { counts_[slot] = 0; }
  std::size_t most() const { return most_; }
  bool fits(std::size_t slots, std::size_t most) const;

  std::size_t count(std::size_t slot) const { return counts_[slot]; }
  std::uint64_t id(std::size_t slot, std::size_t k) const { return ids_[slot * most_ + k]; }
  std::uint64_t tick(std::size_t slot, std::size_t k, std::uint64_t now) const { return tick_of(entries_[slot * most_ + k], now); }

  // What was heard longer ago than `ticks` counts no more for whoever decides. It is kept while there is room, because the report of the run asks for its age.
  struct Memory {
    std::uint64_t now, ticks;
    bool is_stale(std::uint64_t heard) const { return now > heard && now - heard > ticks; }
  };
  // Remembers what a state message says. When there is no room, the oldest stale one is forgotten, otherwise the farthest from `own`, which may be the new one.
  void learn(std::size_t slot, const swarm::Message& message, const Vec& own, const Memory& memory);
  // all that is not stale, the lowest id first
  std::span<const swarm::Known> recall(std::size_t slot, const Memory& memory, std::vector<swarm::Known>& out) const;

  // what recall() will look at
  void prefetch_all(std::size_t slot) const {
    prefetch(slot);
    const auto* first = reinterpret_cast<const char*>(&entries_[slot * most_]);
    for (std::size_t k = 0; k < counts_[slot] * sizeof(Entry); k += 64) __builtin_prefetch(first + k, 1);
  }
  // what learn() will look at: first this, and when that is there, what it will write
  void prefetch(std::size_t slot) const {
    __builtin_prefetch(&counts_[slot], 1);
    __builtin_prefetch(&ids_[slot * most_], 1);
    __builtin_prefetch(&ids_[slot * most_ + most_ / 2], 1);
  }
  void prefetch(std::size_t slot, std::uint64_t from) const {
    if (most_ == 0) return;
    const std::uint64_t* ids = ids_.data() + slot * most_;
    const auto* entry = reinterpret_cast<const char*>(entries_.data() + slot * most_ + (std::lower_bound(ids, ids + counts_[slot], from) - ids));
    __builtin_prefetch(entry, 1);
    __builtin_prefetch(entry + sizeof(Entry) - 1, 1);
  }

  // of one vehicle
  template <class F> void each_of(F& f, std::size_t slot) {
    if (most_ == 0) return;
    f(counts_[slot]);
    f.raw(std::span(ids_.data() + slot * most_, counts_[slot]));
    f.raw(std::span(entries_.data() + slot * most_, counts_[slot]));
  }
  // of all: only what is in use. It is read for as many vehicles as there is room for.
  template <class F> void each_state(F& f) {
    const std::size_t slots = counts_.size();
    f(counts_);
    if constexpr (F::kReads) {
      if (counts_.size() != slots || !are_possible()) return counts_.assign(slots, 0), f.fail();
      unpack(f.part(bytes_in_use()));
    } else {
      pack(f.room(bytes_in_use()));
    }
  }

 private:
  struct Entry {
    std::uint32_t tick = 0;  // low bits
    float numbers[kNumbers] = {};
  };
  static std::uint64_t tick_of(const Entry& e, std::uint64_t now) {
    return now - static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(static_cast<std::uint32_t>(now) - e.tick)));
  }
  bool are_possible() const;         // the counts
  std::size_t bytes_in_use() const;  // of ids and entries
  void pack(std::byte* to) const;
  void unpack(std::span<const std::byte> from);
  double distance2(const Entry& e, const Vec& own) const;
  bool make_room(std::size_t slot, std::size_t& at, const Entry& fresh, const Vec& own, const Memory& memory);

  std::size_t most_ = 0;
  std::vector<std::uint32_t> counts_;  // by slot
  std::vector<std::uint64_t> ids_;  // `most` for each slot, the first `count` in use, the lowest first
  std::vector<Entry> entries_;  // the same
};

}  // namespace volary::engine
