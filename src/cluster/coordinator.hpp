// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The coordinator of a federation: it numbers everything that comes from outside (the log), says how far nodes may run, and says what is committed. Like a node
// it has no clock, socket or thread: the host hands it messages, inputs and the time, and does what `next` says until that is Wait.
//
// A tick is committed when every member of the tick has settled it knowing all entries that act on it. The hash of a committed tick is the sum of the members'.
#pragma once

#include <array>

#include "cluster/codec.hpp"
#include "cluster/health.hpp"
#include "cluster/log_book.hpp"
#include "cluster/membership.hpp"
#include "cluster/pace.hpp"
#include "cluster/suspicion.hpp"
#include "core/result.hpp"

namespace volary::cluster {

// what becomes of a member that is not heard any more; Wait holds the federation until it is restarted
enum class DeadPolicy : std::uint8_t { Wait, Remove, Freeze, Extrapolate };
const char* name_of(DeadPolicy policy);

struct CoordinatorOptions {
  std::uint64_t term = 1, scenario = 0, build = 0;
  std::uint32_t horizon = 1, carry = 8, ring = 256;
  bool live = false;  // members wait for nobody: a tick that all have passed counts as committed, and nothing has one hash
  std::uint32_t window = 64;  // W: ticks that may be advanced beyond what is committed
  std::uint32_t founders = 1;  // nodes that must have joined before the first tick
  std::uint32_t places = kMaxMembers;  // for nodes that join; observers come after them
  std::vector<std::uint64_t> seats = {};  // by place: the account that it is meant for; 0, and places after the last one: for anybody
  bool keeps_states = false;  // the host keeps saved states of nodes (keep), and whoever takes a place begins with them
  Time give_away = 3'000'000'000;  // ns of silence after which another process may take a place, under DeadPolicy::Wait
  DeadPolicy policy = DeadPolicy::Wait;
  std::uint32_t extrapolate = 50;  // ticks, then frozen
  Time period = 0;  // ns per tick; 0: as fast as the nodes can
  bool adapt_pace = false;  // lengthen the period when nodes are overloaded (pace.hpp)
  Time trigger_every = 10'000'000;  // ns
  Time repeat = 20'000'000;  // ns between repeats of the log
  std::size_t most_pending = 4096;  // entries that are not over yet
};

enum class CoordinatorAct : std::uint8_t {
  Wait,  // nothing to do before `until` or the next message
  Publish,  // publish message()
  Commit,  // `tick` is committed and its hash sum is `sum`
  Suspect,  // `member` has not been heard for too long
  Superseded  // a coordinator of a higher term is there: this one must end
};
struct CoordinatorAction {
  CoordinatorAct what = CoordinatorAct::Wait;
  Tick tick = 0;
  std::uint64_t sum = 0;
  std::size_t member = 0;
  Time until = 0;
};

class Coordinator {
 public:
  explicit Coordinator(const CoordinatorOptions& options);

  void receive(const Message& message, Time now);
  void receive(const Bundle& bundle, Time now);
  CoordinatorAction next(Time now);
  const Message& message() const { return message_; }

  // an input that acts on `tick`, or on the first tick that is not committed; the entry it became
  core::Result<Entry> submit(std::span<const std::byte> bytes, Tick tick);
  // no tick beyond this one is committed: a source promises inputs only up to it
  void set_watermark(Tick tick) { watermark_ = tick; }
  void set_period(Time period, Time now);  // 0: as fast as the nodes can
  void want_period(Time period, Time now);  // the same, and what an overload is measured against
  void set_paused(bool paused);
  // takes a member out by hand, as if it were dead
  void give_up(std::size_t member, DeadPolicy policy);
  // the host has the state of a member after this tick
  void keep(std::size_t member, Tick tick);

  Tick committed() const { return committed_; }
  Tick floor() const { return floor_; }
  Tick limit() const;
  Tick aligned() const;  // the newest tick that all members have advanced
  std::uint64_t term() const { return options_.term; }
  Time period() const { return period_; }
  const Membership& members() const { return members_; }
  const LogBook& log() const { return log_; }
  bool has_begun() const { return joined_ >= options_.founders; }
  bool is_vacant(std::size_t id) const { return vacant_[id]; }  // given away, and nobody has it yet
  Tick kept(std::size_t id) const { return kept_[id]; }
  NodeHealth health(std::size_t id, Time now) const;  // without names
  void fill(FederationHealth& health) const;  // without names and nodes
  const DropCounts& drops() const { return drops_; }

  // of a member, as it last said
  struct Report {
    bool heard = false;  // since its incarnation began
    std::uint64_t sequence = 0, inputs = 0;
    Tick advanced = 0, settled = 0, durable = 0;
    Tick ready = 0;  // sums up to this tick are here and know all entries
    std::uint32_t compute_us = 0;
    Suspicion suspicion;
    bool is_suspect = false;
    Time began = 0;
    NodeMeter meter;
  };
  const Report& report(std::size_t id) const { return reports_[id]; }

 private:
  static constexpr Time kLookEvery = 50'000'000, kSettleDown = 2'000'000'000;
  struct Sum {
    Tick tick = kNever;
    std::uint64_t sum = 0, inputs = 0;
  };

  void take(const Config& c) { watch_term(c.term); }
  void take(const Trigger& t) { watch_term(t.term); }
  void take(const LogPart& p) { watch_term(p.term); }
  void take(const Refusal& r) { watch_term(r.term); }
  void take(const Notice& n) { watch_term(n.term); }
  void take(const Fetch&) { drops_.add(Drop::Unexpected); }  // the host has the states
  void take(const Bundle& b) { receive(b, now_); }
  void take(const Request& request);
  void watch_term(std::uint64_t term);
  void join(const Request& request);
  std::size_t free_place(const Request& request) const;
  bool take_over(const Request& request);
  void hand_over(const Request& request);
  void put_in_place(std::size_t id, const Request& request, Tick tick);
  void leave(const Request& request);
  void restart(const Request& request);
  void refuse(const Request& request, RefusalReason reason);
  void append(Entry entry);
  void begin_report(std::size_t id, Tick tick);
  void take_sums(std::size_t id, const Bundle& b);
  void commit();
  void commit_live();
  Tick next_change() const;
  void raise_floor();
  void look_for_the_dead(Time now);
  void change_pace(Time now);
  bool is_whole(Time now) const;
  Tick lag_of(Tick advanced) const;
  bool write_log(std::uint64_t after);
  void write_trigger(Time now);
  void write_config();
  std::uint64_t least_known() const;
  MemberMask alive() const;

  CoordinatorOptions options_;
  Membership members_, base_members_;  // with all entries, and with those that are over
  LogBook log_;
  Pace pace_;
  Message message_;
  Trigger trigger_;
  DropCounts drops_;
  std::array<Report, kMaxMembers> reports_{};
  std::array<std::vector<Sum>, kMaxMembers> sums_;
  std::vector<std::uint64_t> totals_;
  std::vector<Refusal> refusals_;
  std::vector<std::uint64_t> starts_;  // nonces of every start that was ever given a place
  std::vector<Notice> notices_;
  std::vector<std::size_t> suspects_;  // still to be told

  std::array<Tick, kMaxMembers> kept_{};
  std::array<bool, kMaxMembers> vacant_{};
  std::array<NodeState, kMaxMembers> gone_{};  // how a member went that is gone
  RateMeter rate_;
  std::uint64_t restarts_ = 0, absences_ = 0;

  Tick committed_ = 0, told_ = 0, floor_ = 0, watermark_ = kNever, sent_limit_ = 0;
  Time now_ = 0, trigger_at_ = 0, repeat_at_ = 0, look_at_ = 0, pace_at_ = 0, period_ = 0, whole_at_ = 0;
  std::uint64_t sequence_ = 0, sent_entries_ = 0;
  std::uint32_t joined_ = 0;
  bool owes_config_ = false, is_superseded_ = false, is_paused_ = false, is_overloaded_ = false;
};

}  // namespace volary::cluster
