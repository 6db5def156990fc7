// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Triggers, nodes, consumer and display of one mode of alignment, on a network in virtual time or over a real broker.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "cluster/mode_table.hpp"

namespace volary::cluster {

inline constexpr std::uint16_t kConsumer = 60'000, kTriggers = 60'001, kDisplay = 60'002;
inline constexpr std::uint64_t kTriggerLinks = 1'000'000;  // links from the coordinator to nodes; those from nodes to the consumer begin at 0
inline constexpr Time kApart = 2'000'000, kWarmUp = 2'000'000'000, kLeastRto = 10'000'000;


// One mode, one seed, on a network that has the functions of Network<StateMessage>.
template <class Net> class ModeRun {
 public:
  ModeRun(Net& net, const Mode& mode, bool both_legs, const ModeTableOptions& o, std::uint64_t seed)
      : net_(net),
        mode_(mode),
        options_(o),
        period_(static_cast<Time>(1e9 / o.rate + 0.5)),
        view_(make_view(mode.kind, o.nodes, period_)),
        nodes_(o.nodes),
        aligned_(kWarmUp) {
    ImpairmentOptions leg = o.leg;
    leg.seed = seed;
    states_ = Impairment(leg);
    if (both_legs) triggers_ = states_;
    for (Peer& p : nodes_) p.age = AgeMeter(kWarmUp);
  }
  void run();
  void add_to(ModeRow& row) const;

 private:
  struct Peer {
    Tick done = 0, aligned = 0;  // aligned: as the last trigger said
    Time generated = 0;
    AgeMeter age;
    // lock-step: what the coordinator knows of its round trips
    Time sent = 0, mean = 0, deviation = 0, due = 0;
    bool answered = false, repeated = false;
  };

  void handle(const typename Net::Event& e);
  void trigger_all(Tick tick);
  void trigger(std::size_t node, Tick tick);
  void step(std::size_t node, Tick tick);
  void send_state(std::size_t node);
  void send_copy(std::size_t node);
  void take_state(const StateMessage& m);
  void look();
  // lock-step
  void begin_tick();
  void take_answer(const StateMessage& m);
  void repeat(std::size_t node);
  Time rto(const Peer& p) const { return std::max(p.mean == 0 ? 10 * kLeastRto : p.mean + 4 * p.deviation, kLeastRto); }

  Net& net_;
  Mode mode_;
  const ModeTableOptions& options_;
  Time period_;
  std::unique_ptr<ModeView> view_;
  Impairment states_, triggers_;
  std::vector<Peer> nodes_;
  AgeMeter aligned_;
  Tick tick_ = 0;
  std::vector<Time> issued_;  // lock-step: when a tick was given out
  Time last_frame_ = -1;
  double frames_ = 0, looks_ = 0, completeness_ = 0, skew_ = 0;
};

template <class Net> void ModeRun<Net>::run() {
  const auto end = static_cast<Time>(options_.seconds * 1e9);
  net_.set_timer(kDisplay, 0, kWarmUp);
  if (mode_.kind == ModeKind::Lockstep)
    begin_tick();
  else
    net_.set_timer(kTriggers, 0, period_);
  while (!net_.empty() && net_.next_time() <= end) {
    const auto e = net_.pop();
    handle(e);
    net_.done(e);
  }
  for (Peer& p : nodes_) p.age.finish(end);
  aligned_.finish(end);
}

template <class Net> void ModeRun<Net>::handle(const typename Net::Event& e) {
  if (e.content != Net::kTimer) {
    const StateMessage m = net_.content(e.content);
    if (e.to == kConsumer) return take_state(m);
    nodes_[e.to].aligned = std::max(nodes_[e.to].aligned, m.first);
    return mode_.has_clock ? void() : step(e.to, m.last);
  }
  if (e.to == kDisplay) return look();
  if (e.to == kTriggers) return trigger_all(++tick_), net_.set_timer(kTriggers, 0, static_cast<Time>(tick_ + 1) * period_);
  // of a node: the second copy of its last message, or in lock-step a trigger that may have to be repeated
  if (mode_.kind == ModeKind::Lockstep) return repeat(e.to);
  send_copy(e.to);
}

// nodes with a clock step at the instant by themselves; the schedule was told to them long ago
template <class Net> void ModeRun<Net>::trigger_all(Tick tick) {
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    trigger(n, tick);
    if (mode_.has_clock) step(n, tick);
  }
}

template <class Net> void ModeRun<Net>::trigger(std::size_t node, Tick tick) {
  const std::uint32_t slot = net_.take();
  const Shown s = view_->shown();
  net_.content(slot) = {0, mode_.kind == ModeKind::Bides && s.reference > 0 ? static_cast<Tick>(s.reference / period_) : 0, tick, 0};
  net_.send(slot, static_cast<std::uint16_t>(node), triggers_, kTriggerLinks + node);
  net_.drop(slot);
}

// a trigger means: compute every tick up to this one
template <class Net> void ModeRun<Net>::step(std::size_t node, Tick tick) {
  Peer& p = nodes_[node];
  if (tick > p.done)
    p.done = tick, p.generated = net_.now();
  else if (mode_.kind != ModeKind::Lockstep)
    return;
  send_state(node);
}

template <class Net> void ModeRun<Net>::send_state(std::size_t node) {
  send_copy(node);
  if (mode_.copies > 1) net_.set_timer(static_cast<std::uint16_t>(node), 1, net_.now() + kApart);
}

// the last ticks, and of Bides all that are not aligned as far as the node knows: no gap stays for ever
template <class Net> void ModeRun<Net>::send_copy(std::size_t node) {
  const Peer& p = nodes_[node];
  Tick first = p.done - std::min<Tick>(p.done - 1, mode_.carry - 1);
  if (mode_.kind == ModeKind::Bides) first = std::clamp(p.aligned + 1, p.done - std::min<Tick>(p.done - 1, kMaxFrames - 1), first);
  const std::uint32_t slot = net_.take();
  net_.content(slot) = {static_cast<std::uint16_t>(node), first, p.done, p.generated};
  net_.send(slot, kConsumer, states_, node);
  net_.drop(slot);
}

template <class Net> void ModeRun<Net>::take_state(const StateMessage& m) {
  nodes_[m.node].age.hold(net_.now(), m.generated);
  view_->receive(m);
  if (mode_.kind == ModeKind::Lockstep) take_answer(m);
  const Shown s = view_->shown();
  if (!s.is_aligned || s.reference < 0) return;
  // a tick of lock-step has no place in a schedule
  const Time reference = mode_.kind == ModeKind::Lockstep ? issued_[static_cast<std::size_t>(s.reference / period_) - 1] : s.reference;
  aligned_.hold(net_.now(), reference);
}

template <class Net> void ModeRun<Net>::look() {
  net_.set_timer(kDisplay, 0, net_.now() + static_cast<Time>(1e9 / options_.display + 0.5));
  const Shown s = view_->shown();
  looks_ += 1, completeness_ += s.completeness, skew_ += static_cast<double>(s.skew);
  if (s.reference != last_frame_ && s.completeness >= 1) frames_ += 1;
  last_frame_ = s.reference;
}

// ---------------------------------------------------------------- lock-step: the next tick when all have answered, triggers repeated as TCP would

template <class Net> void ModeRun<Net>::begin_tick() {
  ++tick_;
  issued_.push_back(net_.now());
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    Peer& p = nodes_[n];
    p.answered = p.repeated = false;
    p.sent = net_.now(), p.due = net_.now() + rto(p);
    trigger(n, tick_);
    net_.set_timer(static_cast<std::uint16_t>(n), 0, p.due);
  }
}

template <class Net> void ModeRun<Net>::repeat(std::size_t node) {
  Peer& p = nodes_[node];
  if (p.answered || net_.now() < p.due) return;
  p.repeated = true;
  p.due = net_.now() + rto(p);
  trigger(node, tick_);
  net_.set_timer(static_cast<std::uint16_t>(node), 0, p.due);
}

template <class Net> void ModeRun<Net>::take_answer(const StateMessage& m) {
  Peer& p = nodes_[m.node];
  if (m.last != tick_ || p.answered) return;
  p.answered = true;
  // RFC 6298, and Karn's rule: a repeated trigger says nothing about the way
  if (!p.repeated) {
    const Time sample = net_.now() - p.sent;
    if (p.mean == 0)
      p.mean = sample, p.deviation = sample / 2;
    else
      p.deviation += (std::abs(sample - p.mean) - p.deviation) / 4, p.mean += (sample - p.mean) / 8;
  }
  if (std::all_of(nodes_.begin(), nodes_.end(), [](const Peer& x) { return x.answered; })) begin_tick();
}

// ---------------------------------------------------------------- figures

inline void add_ages(Ages& to, const AgeMeter& from, double share) {
  to.mean += share * from.mean(), to.p50 += share * from.percentile(0.5), to.p95 += share * from.percentile(0.95), to.p99 += share * from.percentile(0.99);
}

template <class Net> void ModeRun<Net>::add_to(ModeRow& row) const {
  const double share = 1.0 / static_cast<double>(options_.seeds), each = share / static_cast<double>(nodes_.size());
  double mean = 0, square = 0;
  for (const Peer& p : nodes_) {
    add_ages(row.node, p.age, each);
    mean += p.age.mean() / static_cast<double>(nodes_.size()), square += p.age.mean() * p.age.mean() / static_cast<double>(nodes_.size());
  }
  row.node_deviation += share * std::sqrt(std::max(square - mean * mean, 0.0));
  row.has_aligned = view_->shown().is_aligned;
  if (row.has_aligned) add_ages(row.aligned, aligned_, share);
  row.skew += share * skew_ / std::max(looks_, 1.0) / options_.rate;
  row.frames_per_second += share * frames_ / (options_.seconds - static_cast<double>(kWarmUp) * 1e-9);
  row.completeness += share * completeness_ / std::max(looks_, 1.0);
}

}  // namespace volary::cluster
