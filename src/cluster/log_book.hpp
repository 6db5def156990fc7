// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The part of the log that may still matter, and which entries a frame of a tick must know.
#pragma once

#include <deque>
#include <vector>

#include "cluster/message.hpp"

namespace volary::cluster {

class LogBook {
 public:
  // entries up to `base` are over; `base_need` is the last of them that changed a tick
  void reset(std::uint64_t base, std::uint64_t base_need, std::uint32_t ring);
  std::uint64_t end() const { return base_ + entries_.size(); }  // the newest entry
  std::uint64_t base() const { return base_; }
  std::uint64_t base_need() const { return base_need_; }
  const std::deque<Entry>& entries() const { return entries_; }
  const Entry& operator[](std::uint64_t sequence) const { return entries_[static_cast<std::size_t>(sequence - base_ - 1)]; }

  void push(const Entry& entry);  // the one after end()
  // the newest entry that acts at a tick or before it: what a frame of the tick must know
  std::uint64_t need(Tick tick) {
    const Need& n = needs_[tick & (needs_.size() - 1)];
    return n.tick == tick ? n.sequence : find_need(tick);
  }
  // drops the oldest entry
  void fold();
  static bool is_over(const Entry& e, Tick floor) { return e.effective <= floor || e.effective == kNever; }

 private:
  struct Need {
    Tick tick = kNever;
    std::uint64_t sequence = 0;
  };
  std::uint64_t find_need(Tick tick);

  std::deque<Entry> entries_;
  std::vector<Need> needs_ = std::vector<Need>(1);
  std::uint64_t base_ = 0, base_need_ = 0;
};

}  // namespace volary::cluster
