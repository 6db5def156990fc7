// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/membership.hpp"

#include <algorithm>

namespace volary::cluster {

void Membership::reset(std::span<const Member> members) {
  *this = {};
  for (const Member& m : members) members_[m.id] = m, known_ |= bit_of(m.id);
}

void Membership::apply(const Entry& e) {
  Member& m = members_[e.member];
  switch (e.kind) {
    case EntryKind::Input: return;
    case EntryKind::Join:
      m = {.id = e.member, .incarnation = e.incarnation, .nonce = e.nonce, .account = e.account, .from = e.effective, .restored = e.effective - 1};
      known_ |= bit_of(e.member);
      break;
    case EntryKind::Leave: m.until = std::min(m.until, e.effective); break;
    case EntryKind::Absent:
      if (e.absence == Absence::Remove)
        m.until = std::min(m.until, e.effective);
      else
        m.absent_from = e.effective, m.frozen_from = e.absence == Absence::Freeze ? e.effective : std::max(e.effective, e.until);
      break;
    case EntryKind::Restart: m.incarnation = e.incarnation, m.nonce = e.nonce, m.account = e.account, m.restored = e.until; break;
  }
  cached_from_ = 1, cached_until_ = 0;
}

MemberMask Membership::absent(Tick tick) const {
  MemberMask mask = 0;
  each_member(known_, [&](std::size_t id) {
    if (tick >= members_[id].absent_from && tick < members_[id].until) mask |= bit_of(id);
  });
  return mask;
}

bool Membership::is_left_by(Tick tick) const {
  bool some = false;
  each_member(known_, [&](std::size_t id) { some = some || members_[id].absent_from == tick; });
  return some;
}

void Membership::list(std::vector<Member>& out) const {
  out.clear();
  each_member(known_, [&](std::size_t id) { out.push_back(members_[id]); });
}

void Membership::find_active(Tick tick) const {
  cached_ = 0, cached_from_ = 0, cached_until_ = kNever;
  each_member(known_, [&](std::size_t id) {
    const Member& m = members_[id];
    const Tick end = std::min(m.until, m.absent_from);
    if (m.from <= tick && tick < end) cached_ |= bit_of(id);
    // the ticks around this one between which nothing changes
    for (const Tick edge : {m.from, end}) {
      if (edge <= tick)
        cached_from_ = std::max(cached_from_, edge);
      else
        cached_until_ = std::min(cached_until_, edge);
    }
  });
}

}  // namespace volary::cluster
