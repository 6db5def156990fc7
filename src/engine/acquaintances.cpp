// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/acquaintances.hpp"

namespace volary::engine {

void Acquaintances::resize(std::size_t slots, std::size_t most) {
  most_ = most;
  counts_.resize(slots);
  ids_.resize(slots * most);
  entries_.resize(slots * most);
}

bool Acquaintances::fits(std::size_t slots, std::size_t most) const {
  return counts_.size() == slots && ids_.size() == slots * most && entries_.size() == slots * most &&
         std::all_of(counts_.begin(), counts_.end(), [most](std::uint32_t n) { return n <= most; });
}

double Acquaintances::distance2(const Entry& e, const Vec& own) const {
  const swarm::V3 way = swarm::V3{e.numbers[0], e.numbers[1], e.numbers[2]} - swarm::V3{own[0], own[1], own[2]};
  return dot(way, way);
}

// false: the new one is the farthest itself
bool Acquaintances::make_room(std::size_t slot, std::size_t& at, const Entry& fresh, const Vec& own, const Memory& memory) {
  std::uint64_t* ids = ids_.data() + slot * most_;
  Entry* entries = entries_.data() + slot * most_;
  const std::size_t n = counts_[slot];
  if (n == 0) return false;
  std::size_t oldest = 0, farthest = 0;
  for (std::size_t k = 1; k < n; ++k) {
    if (tick_of(entries[k], memory.now) < tick_of(entries[oldest], memory.now)) oldest = k;
    if (distance2(entries[farthest], own) < distance2(entries[k], own)) farthest = k;
  }
  const bool has_stale = memory.is_stale(tick_of(entries[oldest], memory.now));
  if (!has_stale && !(distance2(fresh, own) < distance2(entries[farthest], own))) return false;
  const std::size_t gone = has_stale ? oldest : farthest;
  std::move(ids + gone + 1, ids + n, ids + gone);
  std::move(entries + gone + 1, entries + n, entries + gone);
  --counts_[slot];
  if (gone < at) --at;
  return true;
}

void Acquaintances::learn(std::size_t slot, const swarm::Message& m, const Vec& own, const Memory& memory) {
  std::uint64_t* ids = ids_.data() + slot * most_;
  Entry* entries = entries_.data() + slot * most_;
  std::size_t at = static_cast<std::size_t>(std::lower_bound(ids, ids + counts_[slot], m.from) - ids);
  const bool known = at < counts_[slot] && ids[at] == m.from;
  if (known && tick_of(entries[at], memory.now) > m.tick) return;
  Entry fresh{.tick = static_cast<std::uint32_t>(m.tick)};
  for (std::size_t k = 0; k < kNumbers; ++k) fresh.numbers[k] = static_cast<float>(m.values[k]);
  if (!known) {
    if (counts_[slot] == most_ && !make_room(slot, at, fresh, own, memory)) return;
    const std::size_t n = counts_[slot]++;
    std::move_backward(ids + at, ids + n, ids + n + 1);
    std::move_backward(entries + at, entries + n, entries + n + 1);
    ids[at] = m.from;
  }
  entries[at] = fresh;
}

std::span<const swarm::Known> Acquaintances::recall(std::size_t slot, const Memory& memory, std::vector<swarm::Known>& out) const {
  const std::size_t n = counts_[slot];
  if (out.size() < n) out.resize(n);
  std::size_t fresh = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const Entry& e = entries_[slot * most_ + k];
    const std::uint64_t said = tick_of(e, memory.now);
    if (memory.is_stale(said)) continue;
    const float* v = e.numbers;
    out[fresh++] = {ids_[slot * most_ + k], said, {v[0], v[1], v[2]}, {v[3], v[4], v[5]}, {v[6], v[7], v[8]}, v[9]};
  }
  return {out.data(), fresh};
}

}  // namespace volary::engine
