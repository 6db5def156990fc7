// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Which tick has been answered by all members: the newest aligned tick A, for whoever shows or reads whole frames. Each (member, tick) counts once and each tick
// is passed once, so a message costs O(1) amortised whatever the number of members. A member's frontier is contiguous: an answer to a later tick never stands
// for an earlier one that was lost.
#pragma once

#include <cstdint>
#include <vector>

#include "cluster/codec.hpp"
#include "cluster/message.hpp"

namespace volary::cluster {

class Aligner {
 public:
  // `window`: how far ahead of A answers are kept, a power of two. No member takes part at first.
  explicit Aligner(std::size_t places, std::uint32_t window = 64);

  // A member takes part from a tick on. The tick must lie beyond A.
  void join(std::size_t place, std::uint32_t incarnation, Tick from);
  // A member takes no part from a tick beyond A on; what it has answered from there on is forgotten.
  void leave(std::size_t place, Tick until);
  // A new incarnation that was restored to `tick` takes the place: in one step, answers of the old one are forgotten and its late messages fenced.
  void restart(std::size_t place, std::uint32_t incarnation, Tick tick);

  // Answers to the ticks first..last. Returns how many of them are new.
  unsigned receive(std::size_t place, std::uint32_t incarnation, Tick first, Tick last);

  Tick aligned() const { return aligned_; }
  Tick front(std::size_t place) const { return places_[place].front; }
  std::size_t members() const { return members_; }  // at tick A + 1
  const DropCounts& drops() const { return drops_; }

 private:
  struct Place {
    Tick front = 0;  // all ticks up to it, since it takes part, have been answered
    std::uint64_t mask = 0;  // bit j: tick front + 1 + j has been answered
    std::uint32_t incarnation = 0;
    bool is_member = false;
    Tick until = kNever;
  };
  struct Change {
    Tick tick;
    int members;
  };
  std::uint32_t& count(Tick tick) { return counts_[tick & (counts_.size() - 1)]; }
  void forget(Place& p, Tick after);
  void change_members(Tick tick, int by);
  void advance();

  std::vector<Place> places_;
  std::vector<std::uint32_t> counts_;  // by tick: members that have answered it and all before it
  std::vector<Change> changes_;  // still to come, by tick
  std::size_t members_ = 0;
  Tick aligned_ = 0;
  DropCounts drops_;
};

}  // namespace volary::cluster
