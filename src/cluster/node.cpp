// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a node takes in. What it does with it is in node_step.cpp.
#include "cluster/node.hpp"

#include <algorithm>

#include "core/check.hpp"

namespace volary::cluster {

void Node::reset(const NodeOptions& options) {
  Node fresh_parts = Node();
  // memory that has grown is kept
  std::swap(fresh_parts.frames_, frames_), std::swap(fresh_parts.bundle_, bundle_), std::swap(fresh_parts.past_corrections_, past_corrections_);
  std::swap(fresh_parts.sums_, sums_);
  *this = std::move(fresh_parts);
  options_ = options;
  durable_ = options.durable;
}

void Node::receive(const Message& message, Time now) {
  now_ = now;
  if (phase_ == Phase::Left || phase_ == Phase::Fenced || phase_ == Phase::Refused || phase_ == Phase::Over) return;
  std::visit([this](const auto& m) { take(m); }, message);
}

bool Node::is_of_this_term(std::uint64_t term) {
  if (term < term_) return drops_.add(Drop::OldTerm), false;
  term_ = term;
  return true;
}

void Node::take(const Config& config) {
  if (!is_of_this_term(config.term)) return;
  if (phase_ == Phase::Asking) {
    // the log is followed from the newest one; an older one may begin before entries that nobody repeats any more
    if (has_config_ && config.base <= log_.end()) return;
    has_config_ = true;
    config_ = config;
    members_.reset(config.members);
    log_.reset(config.base, config.base_need, config.ring);
    return;
  }
  // entries that it has not heard are over: it was given up
  if (config.base > log_.end()) phase_ = Phase::Fenced;
}

void Node::take(const Trigger& t) {
  if (!is_of_this_term(t.term)) return;
  limit_ = std::max(limit_, t.limit);
  committed_ = std::max(committed_, t.committed);
  if (phase_ == Phase::Running) free_below(std::min(t.floor, settled_));
  if (t.term == trigger_.term && t.sequence <= trigger_.sequence) return drops_.add(Drop::Replayed);
  trigger_ = t, trigger_at_ = now_;
  clock_.add(now_, t.sent);
}

void Node::take(const Refusal& refusal) {
  if (!is_of_this_term(refusal.term) || refusal.nonce != options_.nonce || phase_ != Phase::Asking) return;
  if (refusal.reason == RefusalReason::NotYet) return;  // it asks again
  refusal_ = refusal;
  phase_ = Phase::Refused;
}

void Node::take(const Notice& n) {
  if (!is_of_this_term(n.term) || (n.nonce != options_.nonce && n.kind != NoticeKind::Over)) return;
  switch (n.kind) {
    case NoticeKind::Kept: kept_ = std::max(kept_, n.tick); break;
    case NoticeKind::HandOver: is_to_hand_over_ = true; break;
    case NoticeKind::End: phase_ = phase_ == Phase::HandingOver ? Phase::Left : Phase::Over; break;
    case NoticeKind::Over: phase_ = Phase::Over; break;
  }
}

void Node::take(const LogPart& part) {
  if (!is_of_this_term(part.term)) return;
  if (!has_config_) return;
  for (const Entry& e : part.entries)
    if (e.sequence == log_.end() + 1) take_entry(e);
}

void Node::take_entry(const Entry& e) {
  // no coordinator that keeps to the protocol changes what it has committed
  if (!config_.live && phase_ == Phase::Running && e.effective > base_ && e.effective <= std::min(committed_, settled_)) {
    drops_.add(Drop::Unexpected);
    phase_ = Phase::Fenced;
    return;
  }
  members_.apply(e);
  log_.push(e);
  has_moved_ = true;
  const bool is_mine = e.kind != EntryKind::Input && (e.member == self_ || (e.nonce == options_.nonce && phase_ == Phase::Asking));
  if (is_mine) take_own_entry(e);
  if (phase_ == Phase::Asking || phase_ == Phase::Fenced || phase_ == Phase::Left || config_.live) return;

  if (e.kind == EntryKind::Restart && !is_mine) {
    // the fence: nothing of the old incarnation is used from here on, and the new one lacks everything after its restored tick
    frames_.drop_after(e.member, settled_, [](const Version&) { return true; });
    has_mine_[e.member] = e.until;
    heard_[e.member] = 0;
  }
  if (e.kind == EntryKind::Join && !is_mine) {
    frames_.begin(e.member, e.effective - 1);
    corrections_[e.member] = 0;
    for (auto& past : past_corrections_) past[e.member] = 0;
    has_mine_[e.member] = e.effective - 1;
    heard_[e.member] = 0;
  }
  if (e.effective != kNever) require_entry(e);
}

void Node::take_own_entry(const Entry& e) {
  const bool is_grant = (e.kind == EntryKind::Join || e.kind == EntryKind::Restart) && e.nonce == options_.nonce;
  if (is_grant && phase_ == Phase::Asking) {
    self_ = e.member;
    incarnation_ = e.incarnation;
    begin_at(e.kind == EntryKind::Join ? e.effective - 1 : e.until);
  } else if (!is_grant && e.kind != EntryKind::Leave && self_ != kMaxMembers) {
    phase_ = phase_ == Phase::HandingOver ? Phase::Left : Phase::Fenced;
  }
}

// the state after this tick is where the node begins
void Node::begin_at(Tick tick) {
  phase_ = Phase::Restoring;
  advanced_ = settled_ = base_ = tick;
  durable_ = std::max(durable_, tick);
  told_ = tick;
  asked_for_.fill(kNever);
  frames_.reset(config_.ring, tick);
  past_corrections_.assign(config_.ring, {});
  sums_.assign(config_.ring, 0);
  each_member(members_.known(), [&](std::size_t id) {
    const Tick before = std::max(tick, members_[id].from == kNever ? tick : members_[id].from - 1);
    frames_.begin(id, before);
    has_mine_[id] = std::max(before, tick);
  });
}

void Node::restored(const NodeBase& base) {
  core::require(phase_ == Phase::Restoring && base.tick == base_, "a node is restored to the tick that it asked for");
  corrections_ = base.corrections;
  // a place that was taken later begins to count then
  each_member(members_.known(), [&](std::size_t id) {
    if (members_[id].from > base_) corrections_[id] = 0;
  });
  past_corrections_[base.tick & (config_.ring - 1)] = corrections_;
  phase_ = Phase::Running;
  has_moved_ = true;
}

// frames that were made without the entry are of no use from the tick on that it acts on
void Node::require_entry(const Entry& e) {
  each_member(members_.known(), [&](std::size_t id) {
    frames_.drop_after(id, std::max(e.effective, frames_.floor() + 1) - 1, [&](const Version& v) { return v.inputs < e.sequence; });
  });
  // A state that a joiner was restored to may have entries in it that it hears only later. What it made of that state without them is made again all the same:
  // others take no frame that does not know them, and its own view may rest on frames of others that did not.
  const Tick from = std::max(e.effective, base_ + 1);
  if (from <= advanced_) revised_by_ = e.sequence, revised_tick_ = from;
  roll_back(from - 1);
}

void Node::roll_back(Tick to) {
  if (advanced_ <= to) return;
  ++rollbacks_;
  must_roll_back_ = has_moved_ = true;
  advanced_ = to;
  frames_.drop_after(self_, to, [](const Version&) { return true; });
  if (settled_ > to) {
    settled_ = to;
    corrections_ = past_corrections_[to & (config_.ring - 1)];
  }
  for (Tick& tick : has_mine_) tick = std::min(tick, to);
}

void Node::receive(const Bundle& b, Time now) {
  now_ = now;
  if (phase_ != Phase::Running && phase_ != Phase::Restoring) return;
  const std::size_t id = b.member;
  if (id == self_) return drops_.add(Drop::Unexpected);
  if (!members_.is_known(id)) return drops_.add(Drop::Unexpected);
  if (b.incarnation != members_[id].incarnation) return drops_.add(Drop::Fenced);
  if (config_.live) return hear_live(b);
  for (const FrameHead& head : b.frames) take_frame(head, b);
  if (b.sequence <= heard_[id]) return drops_.add(Drop::Replayed);
  heard_[id] = b.sequence;
  take_acks(b);
}

void Node::hear_live(const Bundle& b) {
  constexpr std::size_t kMost = 1024;
  for (const FrameHead& head : b.frames) {
    if (head.member != b.member || heard_live_.size() >= kMost) return drops_.add(Drop::Unexpected);
    const auto bytes = b.bytes_of(head);
    heard_live_.push_back({head.member, head.tick, {bytes.begin(), bytes.end()}});
  }
}

void Node::take_frame(const FrameHead& head, const Bundle& b) {
  const std::size_t id = head.member;
  // others hand on only what a member cannot send itself any more
  if (id != b.member && (id == self_ || !members_.is_known(id) || head.tick > members_.orphaned(id))) return drops_.add(Drop::Unexpected);
  if (head.tick <= frames_.floor()) return drops_.add(Drop::Duplicate);
  if (head.tick > frames_.last()) return drops_.add(Drop::Beyond);
  if (frames_.has(id, head.tick) && head.version <= frames_.version(id, head.tick)) return drops_.add(Drop::Duplicate);
  // What a tick was settled with stays until the tick is taken back. A process that was started again first sends frames that know a later log and not yet the contacts.
  if (head.tick <= settled_ && frames_.has(id, head.tick)) return drops_.add(Drop::Duplicate);
  if ((members_.active(head.tick) & bit_of(id)) == 0) return drops_.add(Drop::Stale);
  // it must know every entry that acts on it, and, given the same entries, every correction
  if (head.version.inputs < log_.need(head.tick)) return drops_.add(Drop::Stale);
  if (head.tick > settled_ && head.version.inputs <= log_.end() && head.version.corrections < corrections_[id]) return drops_.add(Drop::Stale);
  frames_.put(id, head.tick, head.version, b.bytes_of(head));
}

void Node::take_acks(const Bundle& b) {
  for (const Ack& ack : b.acks) {
    if (ack.member != self_) {
      if (members_.is_known(ack.member) && ack.tick < members_.orphaned(ack.member)) asked_for_[ack.member] = ack.tick;
      continue;
    }
    Tick tick = std::min(ack.tick, advanced_);
    // it cannot know yet that what it has was corrected or revised
    if (b.settled < corrected_tick_) tick = std::min(tick, corrected_tick_);
    if (b.inputs < revised_by_) tick = std::min(tick, revised_tick_ - 1);
    has_mine_[b.member] = tick;
  }
}

void Node::free_below(Tick floor) {
  if (floor <= frames_.floor()) return;
  frames_.raise_floor(floor);
  const Tick over = config_.live ? floor - std::min<Tick>(floor, config_.ring) : floor;
  while (!log_.entries().empty() && LogBook::is_over(log_.entries().front(), over)) log_.fold();
}

void Node::ask_to_leave() { wants_to_leave_ = true; }

void Node::hand_over(Tick tick) {
  if (phase_ != Phase::Running) return;
  phase_ = Phase::HandingOver;
  durable_ = tick;
}

}  // namespace volary::cluster
