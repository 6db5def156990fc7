// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/aligner.hpp"

#include <algorithm>
#include <bit>

#include "core/check.hpp"

namespace volary::cluster {

namespace {

std::uint64_t ones(Tick n) { return n >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1; }

}  // namespace

Aligner::Aligner(std::size_t places, std::uint32_t window) : places_(places), counts_(window) {
  core::require(std::has_single_bit(window), "the window of an aligner is a power of two");
}

void Aligner::join(std::size_t place, std::uint32_t incarnation, Tick from) {
  core::require(place < places_.size() && from > aligned_, "a member joins at a tick that is not aligned yet");
  places_[place] = {.front = from - 1, .incarnation = incarnation, .is_member = true};
  change_members(from, 1);
  advance();
}

void Aligner::leave(std::size_t place, Tick until) {
  core::require(place < places_.size() && until > aligned_, "a member leaves at a tick that is not aligned yet");
  Place& p = places_[place];
  if (!p.is_member || p.until != kNever) return;
  if (p.front >= until)
    forget(p, until - 1);
  else
    p.mask &= ones(until - 1 - p.front);
  p.until = until;
  change_members(until, -1);
  advance();
}

void Aligner::restart(std::size_t place, std::uint32_t incarnation, Tick tick) {
  core::require(place < places_.size(), "the place of an aligner");
  Place& p = places_[place];
  // ticks up to A have been given out: the new incarnation answers them again for itself only
  forget(p, std::max(tick, aligned_));
  p.incarnation = incarnation;
}

// takes back what the member has answered after a tick
void Aligner::forget(Place& p, Tick after) {
  for (Tick k = after + 1; k <= p.front; ++k) --count(k);
  p.front = std::min(p.front, after);
  p.mask = 0;
}

unsigned Aligner::receive(std::size_t place, std::uint32_t incarnation, Tick first, Tick last) {
  if (place >= places_.size() || !places_[place].is_member || first > last) return drops_.add(Drop::Unexpected), 0;
  Place& p = places_[place];
  if (incarnation != p.incarnation) return drops_.add(Drop::Fenced), 0;

  // what is old, not asked for or too far ahead goes
  const Tick most = std::min({p.front + 64, aligned_ + counts_.size(), p.until - 1});
  if (last > most) drops_.add(Drop::Beyond), last = most;
  first = std::max(first, p.front + 1);
  if (first > last) return drops_.add(Drop::Duplicate), 0;
  const std::uint64_t news = (ones(last - first + 1) << (first - p.front - 1)) & ~p.mask;
  p.mask |= news;

  const auto run = static_cast<unsigned>(std::countr_one(p.mask));
  if (run > 0) {
    for (unsigned j = 1; j <= run; ++j) ++count(p.front + j);
    p.front += run;
    p.mask = run == 64 ? 0 : p.mask >> run;
    advance();
  }
  return static_cast<unsigned>(std::popcount(news));
}

void Aligner::change_members(Tick tick, int by) {
  const auto at = std::find_if(changes_.begin(), changes_.end(), [&](const Change& c) { return c.tick > tick; });
  changes_.insert(at, {tick, by});
}

void Aligner::advance() {
  for (;;) {
    while (!changes_.empty() && changes_.front().tick == aligned_ + 1) {
      members_ = static_cast<std::size_t>(static_cast<long>(members_) + changes_.front().members);
      changes_.erase(changes_.begin());
    }
    if (members_ == 0 || count(aligned_ + 1) != members_) return;
    count(++aligned_) = 0;
  }
}

}  // namespace volary::cluster
