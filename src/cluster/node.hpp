// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A node of a strict federation: what it may do next, given what it has heard. It has no clock, socket, thread or engine. The host hands it messages and the
// time, and does what `next` says until that is Wait:
//
//   node.receive(message, now);
//   for (Action a = node.next(now); a.what != Act::Wait; a = node.next(now)) switch (a.what) {
//     case Act::Advance: node.advanced(world.advance(a.tick, node.log(), ...)); ...      // one's own vehicles only
//     case Act::Settle: world.settle(a.tick, node.frame(id, a.tick) of every id of node.members().active(a.tick)); node.settled(sum, changed); ...
//
// A tick is advanced at most `horizon` ticks ahead of what is settled. Contact has no such delay: it is assumed absent, and a member whose vehicles a settled tick
// changed rolls back and advances again. Entries of the log that come late roll back too. Which frames are still right is decided by their Version alone.
//
// In a live federation (Config::live) it waits for nobody: a tick is advanced when the clock says so, from whatever was heard until then, and is settled with that. Nothing is rolled back.
#pragma once

#include <array>
#include <utility>

#include "cluster/clock_filter.hpp"
#include "cluster/codec.hpp"
#include "cluster/frame_store.hpp"
#include "cluster/log_book.hpp"

namespace volary::cluster {

struct NodeOptions {
  RequestKind entry = RequestKind::Join;  // Restart or Observe
  std::uint8_t member = 0;  // Restart: the place
  std::uint64_t nonce = 0;  // larger than that of every earlier start of the same node
  std::uint64_t account = 0, scenario = 0, build = 0;
  std::string host = {};  // name of its machine, for people
  Tick durable = 0;  // Restart: the tick of the saved state
  Time repeat = 10'000'000;  // ns after which it publishes again when nothing has moved
  Time ask_again = 100'000'000;  // ns between requests
  std::size_t most_frames = 32;  // in one bundle
  std::size_t most_bytes = 1u << 20;
};

enum class Act : std::uint8_t {
  Wait,  // nothing to do before `until` or the next message
  Ask,  // publish request()
  Restore,  // bring the world to the state after `tick`, then call restored(); asked for again until then
  RollBack,  // bring one's own vehicles to the state after `tick`, and what is settled to the state after `settled`
  Advance,  // compute one's own vehicles for `tick` with the entries of the log that act on it, then call advanced()
  Settle,  // compute what all vehicles share in `tick` from all frames, then call settled()
  Commit,  // nothing up to `tick` will change any more; states before it are never asked for again
  Publish,  // publish bundle()
  Left,  // its last tick is committed: it may end
  Fenced,  // another incarnation has its place, or it was removed: it must end or begin anew
  Refused,  // see refusal()
  Over  // the coordinator asks it to end
};
struct Action {
  Act what = Act::Wait;
  Tick tick = 0, settled = 0;
  Time until = 0;
};

// what belongs to a saved state besides the world's own
struct NodeBase {
  Tick tick = 0;
  std::array<std::uint32_t, kMaxMembers> corrections{};  // ticks up to `tick` at which contact changed a member's vehicles
};

class Node {
 public:
  explicit Node(const NodeOptions& options) { reset(options); }
  void reset(const NodeOptions& options);  // as new, with the memory that it has

  void receive(const Message& message, Time now);
  void receive(const Bundle& bundle, Time now);
  Action next(Time now);

  // answers of the host to Restore, Advance and Settle
  void restored(const NodeBase& base);
  void advanced(std::span<const std::byte> frame);
  void settled(std::uint64_t sum, MemberMask changed);
  void saved(Tick tick) { durable_ = tick; }  // a state that a restart can begin from is on the disk
  void spent(std::uint32_t microseconds) { compute_us_ = microseconds; }
  void uses(std::uint64_t bytes) { memory_ = bytes; }  // of memory
  void ask_to_leave();
  // it computes no more and asks until its place is given away; the coordinator must keep the state after `tick`
  void hand_over(Tick tick);

  const Bundle& bundle();  // after Publish
  Request request() const;  // after Ask
  const Refusal& refusal() const { return refusal_; }
  NodeBase base(Tick tick) const;  // of a settled tick that is not below the floor

  std::size_t member() const { return self_; }
  const Membership& members() const { return members_; }
  const LogBook& log() const { return log_; }
  std::span<const std::byte> frame(std::size_t id, Tick tick) const { return frames_.bytes(id, tick); }
  // of the members whose frames a tick is made of, the one that adds the hash of vehicles nobody computes
  bool is_adopter(Tick tick) const { return std::countr_zero(members_.active(tick)) == static_cast<int>(self_); }
  std::vector<LiveFrame> take_heard() { return std::exchange(heard_live_, {}); }  // of others since the last tick, in a live federation
  Tick advanced_tick() const { return advanced_; }
  Tick settled_tick() const { return settled_; }
  Tick committed_tick() const { return committed_; }
  bool is_running() const { return phase_ == Phase::Running; }
  Tick limit() const { return limit_; }
  Tick floor() const { return frames_.floor(); }  // of what it keeps for others
  std::uint64_t rollbacks() const { return rollbacks_; }
  bool is_to_hand_over() const { return is_to_hand_over_; }  // the coordinator asks it to
  Tick kept_tick() const { return kept_; }  // the newest state of it that the coordinator keeps
  const DropCounts& drops() const { return drops_; }

 private:
  Node() = default;
  enum class Phase : std::uint8_t { Asking, Restoring, Running, HandingOver, Left, Fenced, Refused, Over };
  using Corrections = std::array<std::uint32_t, kMaxMembers>;

  void take(const Config& config);
  void take(const Trigger& trigger);
  void take(const LogPart& part);
  void take(const Refusal& refusal);
  void take(const Notice& notice);
  void take(const Request&) { drops_.add(Drop::Unexpected); }
  void take(const Fetch&) { drops_.add(Drop::Unexpected); }
  void take(const Bundle& bundle) { receive(bundle, now_); }
  bool is_of_this_term(std::uint64_t term);
  void take_entry(const Entry& entry);
  void take_own_entry(const Entry& entry);
  void begin_at(Tick tick);
  void require_entry(const Entry& entry);
  void take_frame(const FrameHead& head, const Bundle& bundle);
  void take_acks(const Bundle& bundle);
  void free_below(Tick floor);
  void roll_back(Tick to);
  bool can_settle();
  bool can_advance(Time now, Time& due) const;
  MemberMask listeners() const;
  void put_frames(Bundle& out);
  void hear_live(const Bundle& bundle);
  const Bundle& put_live(Bundle& bundle);
  void put_frame(Bundle& out, std::size_t id, Tick tick) const;

  NodeOptions options_;
  Config config_;
  Trigger trigger_;
  Refusal refusal_;
  Membership members_;
  LogBook log_;
  FrameStore frames_;
  ClockFilter clock_;
  Bundle bundle_;
  DropCounts drops_;

  Phase phase_ = Phase::Asking;
  bool has_config_ = false, must_roll_back_ = false, has_moved_ = false, wants_to_leave_ = false, is_to_hand_over_ = false;
  std::size_t self_ = kMaxMembers;
  std::uint32_t incarnation_ = 0, compute_us_ = 0;
  std::uint64_t term_ = 0, sequence_ = 0, rollbacks_ = 0, memory_ = 0;
  Tick advanced_ = 0, settled_ = 0, committed_ = 0, told_ = 0, limit_ = 0, durable_ = 0, kept_ = 0, base_ = 0;
  Time now_ = 0, repeat_at_ = 0, ask_at_ = 0, restore_at_ = 0, trigger_at_ = 0;

  // of a live federation
  std::vector<std::byte> live_frame_;  // its own newest
  std::vector<LiveFrame> heard_live_;

  Corrections corrections_{};  // after the settled tick
  std::vector<Corrections> past_corrections_;  // by tick
  std::vector<std::uint64_t> sums_;  // by tick
  std::array<std::uint64_t, kMaxMembers> heard_{};  // sequence of the newest bundle of each member
  std::array<Tick, kMaxMembers> has_mine_{};  // up to which tick each member has this node's frames
  std::array<Tick, kMaxMembers> asked_for_{};  // of another member, which cannot send them itself: frames after this tick are lacking somewhere
  // what the frames that other members acknowledge may still lack: a contact of this tick, an entry and the tick it acts on
  Tick corrected_tick_ = 0, revised_tick_ = kNever;
  std::uint64_t revised_by_ = 0;
};

}  // namespace volary::cluster
