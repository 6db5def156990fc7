// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/log_book.hpp"

#include <algorithm>

#include "core/check.hpp"

namespace volary::cluster {

void LogBook::reset(std::uint64_t base, std::uint64_t base_need, std::uint32_t ring) {
  entries_.clear();
  needs_.assign(ring, {});
  base_ = base, base_need_ = base_need;
}

void LogBook::push(const Entry& entry) {
  core::check(entry.sequence == end() + 1);
  entries_.push_back(entry);
  if (entry.effective == kNever) return;
  for (Need& n : needs_)
    if (n.tick != kNever && n.tick >= entry.effective) n.sequence = entry.sequence;
}

std::uint64_t LogBook::find_need(Tick tick) {
  std::uint64_t sequence = base_need_;
  for (const Entry& e : entries_)
    if (e.effective <= tick) sequence = e.sequence;
  needs_[tick & (needs_.size() - 1)] = {tick, sequence};
  return sequence;
}

void LogBook::fold() {
  if (entries_.front().effective != kNever) base_need_ = entries_.front().sequence;
  ++base_;
  entries_.pop_front();
}

}  // namespace volary::cluster
