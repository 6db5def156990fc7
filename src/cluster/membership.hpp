// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Who takes part in which tick, as the log says. A set of members is a mask of 64 bits.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <span>

#include "cluster/message.hpp"

namespace volary::cluster {

using MemberMask = std::uint64_t;
constexpr MemberMask bit_of(std::size_t id) { return MemberMask{1} << id; }

// calls f with every member of a mask, the lowest first
template <class F> void each_member(MemberMask mask, F&& f) {
  for (; mask != 0; mask &= mask - 1) f(static_cast<std::size_t>(std::countr_zero(mask)));
}

class Membership {
 public:
  void reset(std::span<const Member> members);
  void apply(const Entry& entry);  // entries that are about no member change nothing
  const Member& operator[](std::size_t id) const { return members_[id]; }
  MemberMask known() const { return known_; }
  bool is_known(std::size_t id) const { return id < kMaxMembers && (known_ & bit_of(id)) != 0; }

  // members whose frames a tick is made of
  MemberMask active(Tick tick) const {
    if (tick < cached_from_ || tick >= cached_until_) find_active(tick);
    return cached_;
  }
  // the first tick that has no frame of a member any more; kNever while it takes part
  Tick end(std::size_t id) const { return std::min(members_[id].until, members_[id].absent_from); }
  // the last tick whose frame a member itself cannot send any more: it is gone, or its present incarnation began later
  Tick orphaned(std::size_t id) const { return end(id) != kNever ? end(id) - 1 : members_[id].restored; }
  // somebody's vehicles are frozen or extrapolated from this tick on
  bool is_left_by(Tick tick) const;
  // members whose vehicles are in the world while nobody computes them
  MemberMask absent(Tick tick) const;
  bool is_extrapolated(std::size_t id, Tick tick) const { return tick >= members_[id].absent_from && tick < members_[id].frozen_from; }
  void list(std::vector<Member>& out) const;

 private:
  void find_active(Tick tick) const;

  std::array<Member, kMaxMembers> members_{};
  MemberMask known_ = 0;
  mutable MemberMask cached_ = 0;  // of the ticks from .. until - 1
  mutable Tick cached_from_ = 1, cached_until_ = 0;
};

}  // namespace volary::cluster
