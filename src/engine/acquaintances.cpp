// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/acquaintances.hpp"

#include <cstring>

namespace volary::engine {

void Acquaintances::resize(std::size_t slots, std::size_t most) {
  most_ = most;
  counts_.resize(slots);
  ids_.resize(slots * most);
  entries_.resize(slots * most);
}

bool Acquaintances::fits(std::size_t slots, std::size_t most) const {
  return most_ == most && counts_.size() == slots && ids_.size() == slots * most && entries_.size() == slots * most && are_possible();
}
bool Acquaintances::are_possible() const {
  return std::all_of(counts_.begin(), counts_.end(), [this](std::uint32_t n) { return n <= most_; });
}

// ---------------------------------------------------------------- all of it as bytes

namespace {

// A few hundred bytes, ten thousand times over: a call for each would take longer than the copy. So it is copied in whole pieces, the last of which reaches past the end, where
// what comes next is written afterwards; `most` bytes can be read and written.
constexpr std::size_t kPiece = 64;
void copy_some(std::byte* to, const std::byte* from, std::size_t n, std::size_t most) {
  if (n + kPiece > most) {
    if (n > 0) std::memcpy(to, from, n);
    return;
  }
  for (std::size_t k = 0; k < n; k += kPiece) __builtin_memcpy(to + k, from + k, kPiece);
}

}  // namespace

std::size_t Acquaintances::bytes_in_use() const {
  std::size_t n = 0;
  for (const std::uint32_t count : counts_) n += count;
  return n * (sizeof(std::uint64_t) + sizeof(Entry));
}

// of each vehicle its ids and then its entries
void Acquaintances::pack(std::byte* to) const {
  std::size_t left = bytes_in_use();
  const auto put = [&](const auto& list, std::size_t slot) {
    const auto all = std::as_bytes(std::span(list));
    const std::size_t each = sizeof list[0], at = slot * most_ * each, n = counts_[slot] * each;
    copy_some(to, all.data() + at, n, std::min(left, all.size() - at));
    to += n, left -= n;
  };
  for (std::size_t slot = 0; slot < counts_.size(); ++slot) put(ids_, slot), put(entries_, slot);
}

void Acquaintances::unpack(std::span<const std::byte> from) {
  if (from.empty()) return;
  const auto take = [&](auto& list, std::size_t slot) {
    const auto all = std::as_writable_bytes(std::span(list));
    const std::size_t each = sizeof list[0], at = slot * most_ * each, n = counts_[slot] * each;
    copy_some(all.data() + at, from.data(), n, std::min(from.size(), all.size() - at));
    from = from.subspan(n);
  };
  for (std::size_t slot = 0; slot < counts_.size(); ++slot) take(ids_, slot), take(entries_, slot);
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
