// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a node does next, and what it tells the others.
#include <algorithm>

#include "cluster/node.hpp"
#include "core/check.hpp"

namespace volary::cluster {

namespace {

constexpr Tick kHandedOn = 8;  // frames of another member, in one bundle

}  // namespace

Action Node::next(Time now) {
  now_ = now;
  switch (phase_) {
    case Phase::Left: return {Act::Left};
    case Phase::Fenced: return {Act::Fenced};
    case Phase::Refused: return {Act::Refused};
    case Phase::Over: return {Act::Over};
    case Phase::Restoring:
      // the state may come from elsewhere and take its time: meanwhile others hear that it is alive
      if (now >= restore_at_) return restore_at_ = now + options_.repeat, Action{Act::Restore, base_};
      if (has_moved_ || now >= repeat_at_) return {Act::Publish};
      return {.until = std::min(restore_at_, repeat_at_)};
    case Phase::Asking:
    case Phase::HandingOver:
      if (now < ask_at_) return {.until = ask_at_};
      ask_at_ = now + options_.ask_again;
      return {Act::Ask};
    case Phase::Running: break;
  }
  if (must_roll_back_) return must_roll_back_ = false, Action{Act::RollBack, advanced_, settled_};
  // one that is behind the clock is heard all the same
  if (config_.live && has_moved_ && now >= repeat_at_) return {Act::Publish};
  if (can_settle()) return {Act::Settle, settled_ + 1};
  Time due = kForever;
  if (can_advance(now, due)) return {Act::Advance, advanced_ + 1};

  const Tick committed = std::min(committed_, settled_);
  if (committed > told_) return told_ = committed, Action{Act::Commit, committed};
  if (committed_ + 1 >= members_[self_].until) return phase_ = Phase::Left, Action{Act::Left};
  if (wants_to_leave_ && members_[self_].until == kNever) {
    if (now >= ask_at_) return ask_at_ = now + options_.ask_again, Action{Act::Ask};
    due = std::min(due, ask_at_);
  }
  if (has_moved_ || now >= repeat_at_) return Action{Act::Publish};
  return {.until = std::min(due, repeat_at_)};
}

// the next tick is settled when it is advanced here and frames of all its members are here that know the same entries and corrections
bool Node::can_settle() {
  const Tick tick = settled_ + 1;
  const MemberMask active = members_.active(tick);
  if (tick > advanced_ || (frames_.here(tick) & active) != active || (active & bit_of(self_)) == 0) return false;
  bool good = true;
  each_member(active, [&](std::size_t id) {
    const Version& v = frames_.version(id, tick);
    if (v.inputs > log_.end())
      good = false;  // it knows an entry that is still on its way here
    else if (v.corrections != corrections_[id])
      frames_.drop(id, tick), drops_.add(Drop::Stale), good = false;
  });
  return good;
}

bool Node::can_advance(Time now, Time& due) const {
  const Tick tick = advanced_ + 1;
  if (tick > limit_ || (members_.active(tick) & bit_of(self_)) == 0) return false;
  if (!config_.live && (tick > frames_.last() || settled_ + config_.horizon < tick)) return false;
  // who the founders are must be known before the first tick: a world cannot be settled without the vehicles of one of them
  if (tick == 1 && log_.end() < trigger_.log_end) return false;
  // whoever takes over vehicles of a member that is gone must have settled where they were
  if (settled_ + 1 < tick && members_.is_left_by(tick)) return false;
  if (trigger_.mode == RunMode::Pause) return false;
  if (trigger_.period == 0) return true;
  const auto ahead = static_cast<Time>(tick) - static_cast<Time>(trigger_.origin_tick);
  Time after = 0;
  if (__builtin_mul_overflow(ahead, trigger_.period, &after) || after > kForever / 2 || after < -kForever / 2) return false;
  due = trigger_.origin + after + clock_.offset();
  return now >= due;
}

void Node::advanced(std::span<const std::byte> frame) {
  core::check(phase_ == Phase::Running);
  ++advanced_;
  has_moved_ = true;
  if (config_.live) {
    settled_ = advanced_;
    live_frame_.assign(frame.begin(), frame.end());
    return;
  }
  frames_.put(self_, advanced_, {log_.end(), corrections_[self_]}, frame);
}

void Node::settled(std::uint64_t sum, MemberMask changed) {
  core::check(phase_ == Phase::Running);
  const Tick tick = ++settled_;
  sums_[tick & (config_.ring - 1)] = sum;
  each_member(changed & members_.active(tick), [&](std::size_t id) {
    const std::uint32_t count = ++corrections_[id];
    if (id == self_) return;
    frames_.drop_after(id, tick, [&](const Version& v) { return v.corrections < count && v.inputs <= log_.end(); });
  });
  past_corrections_[tick & (config_.ring - 1)] = corrections_;
  if ((changed & bit_of(self_)) != 0 && advanced_ > tick) {
    corrected_tick_ = tick;
    roll_back(tick);
  }
  has_moved_ = true;
}

Request Node::request() const {
  if (phase_ == Phase::Running || phase_ == Phase::HandingOver)
    return {.kind = phase_ == Phase::Running ? RequestKind::Leave : RequestKind::HandOver,
            .member = static_cast<std::uint8_t>(self_),
            .incarnation = incarnation_,
            .nonce = options_.nonce,
            .account = options_.account,
            .durable = durable_};
  return {.kind = options_.entry,
          .member = options_.member,
          .nonce = options_.nonce,
          .account = options_.account,
          .scenario = options_.scenario,
          .build = options_.build,
          .host = options_.host,
          .durable = options_.durable};
}

NodeBase Node::base(Tick tick) const {
  core::require(phase_ == Phase::Running && tick >= frames_.floor() && tick <= settled_, "the base of a settled tick that is still kept");
  return {tick, past_corrections_[tick & (config_.ring - 1)]};
}

const Bundle& Node::bundle() {
  Bundle& b = bundle_;
  b.term = term_, b.member = static_cast<std::uint8_t>(self_), b.incarnation = incarnation_, b.sequence = ++sequence_;
  b.advanced = advanced_, b.settled = settled_, b.inputs = log_.end(), b.durable = durable_, b.sent = now_, b.compute_us = compute_us_;
  b.echo = trigger_.sent, b.held = trigger_.sent == 0 ? 0 : std::max<Time>(now_ - trigger_at_, 0), b.memory = memory_, b.rollbacks = rollbacks_;

  // the sums that the coordinator may lack, the oldest first
  b.first_sum = std::max(committed_, base_) + 1;
  b.sums.clear();
  b.acks.clear();
  if (config_.live) return put_live(b);
  for (Tick k = b.first_sum; k <= settled_ && b.sums.size() < kMaxSums; ++k) b.sums.push_back(sums_[k & (config_.ring - 1)]);

  const MemberMask others = listeners();
  each_member(members_.known() & ~bit_of(self_), [&](std::size_t id) {
    if ((others & bit_of(id)) != 0 || frames_.front(id) < members_.orphaned(id)) b.acks.push_back({static_cast<std::uint8_t>(id), frames_.front(id)});
  });
  put_frames(b);
  has_moved_ = false;
  repeat_at_ = now_ + options_.repeat;
  return b;
}

const Bundle& Node::put_live(Bundle& b) {
  b.frames.clear(), b.bytes.clear();
  if (!live_frame_.empty()) {
    b.frames.push_back({advanced_, static_cast<std::uint8_t>(self_), {log_.end(), 0}, 0, static_cast<std::uint32_t>(live_frame_.size())});
    b.bytes = live_frame_;
  }
  has_moved_ = false;
  repeat_at_ = now_ + options_.repeat;
  return b;
}

// other members that may still want this node's frames
MemberMask Node::listeners() const {
  MemberMask mask = 0;
  each_member(members_.known() & ~bit_of(self_), [&](std::size_t id) {
    const Member& m = members_[id];
    if (m.from <= advanced_ + 1 && m.until > committed_ + 1 && m.absent_from == kNever) mask |= bit_of(id);
  });
  return mask;
}

// What some listener lacks, the oldest first, and at least the last `carry` frames: progress under any loss, and few gaps under little. Where not all of it fits,
// half is of the oldest and half of the newest.
void Node::put_frames(Bundle& b) {
  b.frames.clear(), b.bytes.clear();
  const std::size_t most = std::min(options_.most_frames, kMaxFrames);
  Tick first = advanced_ + 1 - std::min<Tick>(config_.carry, advanced_);
  each_member(listeners(), [&](std::size_t id) { first = std::min(first, std::max(has_mine_[id] + 1, members_[id].from)); });
  first = std::max({first, frames_.floor() + 1, base_ + 1});
  const bool all = advanced_ < first + most;
  for (Tick k = first; k <= advanced_ && (all || k < first + most / 2); ++k) put_frame(b, self_, k);
  for (Tick k = advanced_ + 1 - most / 2; !all && k <= advanced_; ++k) put_frame(b, self_, k);

  // a restarted node may lack frames that their owners cannot send any more: whoever has them hands them on
  for (std::size_t id = 0; id < kMaxMembers; ++id) {
    if (asked_for_[id] == kNever) continue;
    for (Tick k = asked_for_[id] + 1; k <= std::min(members_.orphaned(id), asked_for_[id] + kHandedOn) && b.frames.size() < kMaxFrames; ++k)
      put_frame(b, id, k);
    asked_for_[id] = kNever;
  }
}

void Node::put_frame(Bundle& b, std::size_t id, Tick tick) const {
  if (!frames_.has(id, tick)) return;
  const auto bytes = frames_.bytes(id, tick);
  if (!b.frames.empty() && b.bytes.size() + bytes.size() > options_.most_bytes) return;
  b.frames.push_back(
      {tick, static_cast<std::uint8_t>(id), frames_.version(id, tick), static_cast<std::uint32_t>(b.bytes.size()), static_cast<std::uint32_t>(bytes.size())});
  b.bytes.insert(b.bytes.end(), bytes.begin(), bytes.end());
}

}  // namespace volary::cluster
