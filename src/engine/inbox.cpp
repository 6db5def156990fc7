// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/inbox.hpp"

#include <utility>

namespace volary::engine {

void Inbox::settle(std::size_t slot, std::size_t slots) {
  last_.resize(slots, kNone);
  count_.resize(slots);
  give_back(take(slot));
}

std::uint32_t Inbox::new_place() {
  if (free_ == kNone) {
    pool_.emplace_back();
    return static_cast<std::uint32_t>(pool_.size() - 1);
  }
  return std::exchange(free_, pool_[free_].next);
}

bool Inbox::add(std::size_t slot, const swarm::Message& m) {
  const bool is_full = count_[slot] == kMost;
  if (is_full) {
    // the oldest leaves its place to the newest
    last_[slot] = pool_[last_[slot]].next;
  } else {
    const std::uint32_t at = new_place(), last = std::exchange(last_[slot], at);
    pool_[at].next = last == kNone ? at : std::exchange(pool_[last].next, at);
    ++count_[slot];
    ++waiting_;
  }
  Waiting& w = pool_[last_[slot]];
  w = {m.from, m.to, m.tick, m.topic, m.count, {}, w.next, 0};
  for (std::uint32_t k = 0; k < m.count; ++k) w.values[k] = static_cast<float>(m.values[k]);
  return !is_full;
}

std::span<const swarm::Message> Inbox::read(std::size_t slot, std::vector<swarm::Message>& out) const {
  out.clear();
  for (std::uint32_t at = last_[slot], k = 0; k < count_[slot]; ++k) {
    at = pool_[at].next;
    const Waiting& w = pool_[at];
    swarm::Message& m = out.emplace_back(swarm::Message{.from = w.from, .to = w.to, .tick = w.tick, .topic = w.topic, .count = w.count});
    for (std::uint32_t n = 0; n < w.count; ++n) m.values[n] = static_cast<double>(w.values[n]);
  }
  return out;
}

std::uint32_t Inbox::take(std::size_t slot) {
  count_[slot] = 0;
  return std::exchange(last_[slot], kNone);
}

void Inbox::give_back(std::uint32_t ring) {
  if (ring == kNone) return;
  std::uint32_t n = 1;
  for (std::uint32_t at = pool_[ring].next; at != ring; at = pool_[at].next) ++n;
  free_ = std::exchange(pool_[ring].next, free_);
  waiting_ -= n;
  if (waiting_ > 0) return;
  pool_.clear();
  free_ = kNone;
}

// every place of the pool is in one ring or among the free ones, and the rings are as long as they say
bool Inbox::fits(std::size_t slots) const {
  if (last_.size() != slots || count_.size() != slots) return false;
  std::vector<bool> seen(pool_.size(), false);
  const auto visit = [&](std::uint32_t at) { return at < pool_.size() && pool_[at].count <= swarm::Message::kMost && !seen[at] && (seen[at] = true); };
  std::size_t n = 0;
  for (std::size_t slot = 0; slot < slots; ++slot) {
    if (count_[slot] > kMost || (count_[slot] == 0) != (last_[slot] == kNone)) return false;
    std::uint32_t at = last_[slot];
    for (std::size_t k = 0; k < count_[slot]; ++k, ++n) {
      if (at >= pool_.size()) return false;
      at = pool_[at].next;
      if (!visit(at)) return false;
    }
    if (at != last_[slot]) return false;
  }
  if (n != waiting_) return false;
  for (std::uint32_t at = free_; at != kNone; at = pool_[at].next, ++n)
    if (!visit(at)) return false;
  return n == pool_.size();
}

}  // namespace volary::engine
