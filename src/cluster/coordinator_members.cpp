// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Who takes part: joins, leaves, restarts, deaths. Each is an entry of the log, so that all nodes change at the same tick and whoever hears late rolls back.
#include <algorithm>

#include "cluster/coordinator.hpp"

namespace volary::cluster {

const char* name_of(DeadPolicy policy) {
  static constexpr const char* kNames[] = {"wait", "remove", "freeze", "extrapolate"};
  return kNames[static_cast<std::size_t>(policy)];
}

// members whose words count: not those that have left, were removed or are absent
MemberMask Coordinator::alive() const {
  MemberMask mask = 0;
  each_member(members_.known(), [&](std::size_t id) {
    const Member& m = members_[id];
    if (m.until > committed_ + 1 && m.absent_from == kNever) mask |= bit_of(id);
  });
  return mask;
}

// entries up to this one are known to all who must know them
std::uint64_t Coordinator::least_known() const {
  std::uint64_t least = log_.end();
  each_member(alive(), [&](std::size_t id) { least = std::min(least, reports_[id].inputs); });
  return least;
}

void Coordinator::take(const Request& request) {
  if (request.kind != RequestKind::Leave && request.kind != RequestKind::HandOver) {
    if (request.scenario != options_.scenario) return refuse(request, RefusalReason::OtherScenario);
    if (request.build != options_.build) return refuse(request, RefusalReason::OtherBuild);
  }
  switch (request.kind) {
    case RequestKind::Join: return join(request);
    case RequestKind::Leave: return leave(request);
    case RequestKind::Restart: return restart(request);
    case RequestKind::HandOver: return hand_over(request);
    case RequestKind::Observe: return join(request);
  }
}

void Coordinator::refuse(const Request& request, RefusalReason reason) {
  if (refusals_.size() < kMaxMembers) refusals_.push_back({options_.term, request.nonce, reason});
}

void Coordinator::join(const Request& request) {
  owes_config_ = true;
  // asked again: the log says it already, and is repeated until all know it. A copy may come so late that the place has another holder: it is no second one's request
  if (std::find(starts_.begin(), starts_.end(), request.nonce) != starts_.end()) return;
  if (request.kind == RequestKind::Join && options_.keeps_states && take_over(request)) return;
  const std::size_t free = free_place(request);
  if (free == kMaxMembers) return refuse(request, RefusalReason::Full);
  const Tick from = has_begun() ? next_change() : 1;
  append({.effective = from,
          .kind = EntryKind::Join,
          .member = static_cast<std::uint8_t>(free),
          .incarnation = members_[free].incarnation + 1,
          .nonce = request.nonce,
          .account = request.account});
  begin_report(free, from - 1);
  starts_.push_back(request.nonce);
  kept_[free] = from - 1;
  ++joined_;
}

// the one that is meant for it, else the first that is meant for nobody, else the first
std::size_t Coordinator::free_place(const Request& request) const {
  const bool observes = request.kind == RequestKind::Observe;
  const auto rank = [&](std::size_t id) {
    const std::uint64_t seat = id < options_.seats.size() ? options_.seats[id] : 0;
    return seat == 0 ? 1 : seat == request.account ? 0 : 2;
  };
  std::size_t free = kMaxMembers;
  const std::size_t first = observes && options_.places < kMaxMembers ? options_.places : 0;
  for (std::size_t id = observes ? kMaxMembers : options_.places; id-- > first;) {
    // a place is given again only when nothing of its last holder can be asked for any more
    const bool is_free = !members_.is_known(id) || (base_members_[id].until <= floor_ && base_members_[id].nonce == members_[id].nonce);
    if (is_free && (free == kMaxMembers || rank(id) <= rank(free))) free = id;
  }
  return free;
}

// A process takes the place of one that is gone: its own earlier one, one that was handed over, or one that was silent for long.
bool Coordinator::take_over(const Request& request) {
  const auto is_open = [&](std::size_t id) {
    const Member& m = members_[id];
    if (id >= options_.places || m.until <= committed_ + 1 || m.absent_from != kNever) return false;
    if (request.account != 0 && m.account == request.account) return true;
    return vacant_[id] || (options_.policy == DeadPolicy::Wait && reports_[id].is_suspect && now_ - reports_[id].suspicion.last() > options_.give_away);
  };
  std::size_t found = kMaxMembers;
  each_member(members_.known(), [&](std::size_t id) {
    if (is_open(id) && (found == kMaxMembers || (request.account != 0 && members_[id].account == request.account))) found = id;
  });
  if (found == kMaxMembers) return false;
  // an older start of the same process that is still on its way
  if (members_[found].account == request.account && request.nonce < members_[found].nonce) return drops_.add(Drop::Replayed), true;
  starts_.push_back(request.nonce);
  put_in_place(found, request, kept_[found]);
  return true;
}

// the host keeps its state, so another process can have its place
void Coordinator::hand_over(const Request& request) {
  if (!members_.is_known(request.member)) return drops_.add(Drop::Unexpected);
  const Member& m = members_[request.member];
  const bool is_here = m.incarnation == request.incarnation && m.nonce == request.nonce;
  if (is_here && kept_[request.member] < request.durable) return drops_.add(Drop::Unexpected);
  if (is_here) vacant_[request.member] = true;
  if (notices_.size() < kMaxMembers) notices_.push_back({.term = options_.term, .nonce = request.nonce, .kind = NoticeKind::End});
}

void Coordinator::keep(std::size_t id, Tick tick) {
  if (tick > committed_ || tick <= kept_[id]) return;
  kept_[id] = tick;
  raise_floor();
}

void Coordinator::leave(const Request& request) {
  if (!members_.is_known(request.member)) return drops_.add(Drop::Unexpected);
  const Member& m = members_[request.member];
  if (m.incarnation != request.incarnation) return drops_.add(Drop::Fenced);
  if (m.until != kNever) return;
  gone_[request.member] = NodeState::Left;
  append({.effective = std::max(next_change(), m.from), .kind = EntryKind::Leave, .member = request.member});
}

void Coordinator::restart(const Request& request) {
  if (!members_.is_known(request.member)) return refuse(request, RefusalReason::UnknownMember);
  const Member& m = members_[request.member];
  owes_config_ = true;
  if (request.nonce == m.nonce) return;  // asked again
  if (request.nonce < m.nonce) return drops_.add(Drop::Replayed);  // of an earlier start
  if (m.until <= committed_ + 1 || m.absent_from != kNever) return refuse(request, RefusalReason::UnknownMember);
  if (request.durable < floor_ || request.durable > committed_ || request.durable + 1 < m.from) return refuse(request, RefusalReason::TooOld);
  put_in_place(request.member, request, request.durable);
}

// in one step the old incarnation is fenced, its sums that are not committed are forgotten, and the new one is told where to begin
void Coordinator::put_in_place(std::size_t id, const Request& request, Tick tick) {
  append({.effective = kNever,
          .kind = EntryKind::Restart,
          .member = static_cast<std::uint8_t>(id),
          .incarnation = members_[id].incarnation + 1,
          .until = tick,
          .nonce = request.nonce,
          .account = request.account});
  begin_report(id, committed_);
  reports_[id].durable = tick;
  vacant_[id] = false;
  ++restarts_;
}

// the first word of a member's new incarnation is awaited
void Coordinator::begin_report(std::size_t id, Tick tick) {
  sums_[id].assign(options_.ring, {});
  reports_[id] = {};
  Report& r = reports_[id];
  r.inputs = log_.base(), r.advanced = r.settled = r.durable = r.ready = tick;
  r.suspicion.begin(now_);
  r.meter.begin(now_);
  r.began = now_;
}

void Coordinator::look_for_the_dead(Time now) {
  each_member(alive(), [&](std::size_t id) {
    Report& r = reports_[id];
    if (r.is_suspect || !r.suspicion.is_dead(now, period_)) return;
    r.is_suspect = true;
    suspects_.push_back(id);
    if (options_.policy != DeadPolicy::Wait && has_begun()) give_up(id, options_.policy);
  });
}

void Coordinator::give_up(std::size_t id, DeadPolicy policy) {
  if (policy == DeadPolicy::Wait || (alive() & bit_of(id)) == 0) return;
  const Absence absence = policy == DeadPolicy::Remove ? Absence::Remove : policy == DeadPolicy::Freeze ? Absence::Freeze : Absence::Extrapolate;
  const Tick from = std::max(committed_ + 1, members_[id].from);
  gone_[id] = policy == DeadPolicy::Remove ? NodeState::Removed : NodeState::Frozen;
  ++absences_;
  append({.effective = from, .kind = EntryKind::Absent, .member = static_cast<std::uint8_t>(id), .absence = absence, .until = from + options_.extrapolate});
  commit();
}

}  // namespace volary::cluster
