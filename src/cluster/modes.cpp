// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/modes.hpp"

#include <algorithm>
#include <array>
#include <deque>

namespace volary::cluster {

namespace {

constexpr Mode kModes[] = {
    {"none", ModeKind::None, 1, 1, false},         {"lockstep", ModeKind::Lockstep, 1, 1, false},  {"hlc", ModeKind::Hlc, 1, 1, false},
    {"hlc+r", ModeKind::Hlc, 8, 1, false},         {"bides-paper", ModeKind::Paper, 1, 1, false},  {"bides", ModeKind::Bides, 8, 1, false},
    {"bides, clock", ModeKind::Bides, 8, 1, true}, {"bides, dup 2", ModeKind::Bides, 8, 2, false}, {"bides, dup 2, clock", ModeKind::Bides, 8, 2, true}};

// the newest state of every node, whatever its tick
class NewestView : public ModeView {
 public:
  explicit NewestView(std::size_t nodes) : newest_(nodes, 0), generated_(nodes, -1) {}
  void receive(const StateMessage& m) override {
    if (m.last > newest_[m.node]) newest_[m.node] = m.last, generated_[m.node] = m.generated;
  }
  Shown shown() const override {
    Shown s;
    const auto [least, most] = std::minmax_element(newest_.begin(), newest_.end());
    s.completeness = static_cast<double>(newest_.size() - static_cast<std::size_t>(std::count(newest_.begin(), newest_.end(), Tick{0}))) /
                     static_cast<double>(newest_.size());
    s.skew = *most - *least;
    s.reference = *std::min_element(generated_.begin(), generated_.end());
    return s;
  }
  std::vector<Tick> ticks() const override { return newest_; }

 private:
  std::vector<Tick> newest_;
  std::vector<Time> generated_;
};

// SIGMA, Algorithm 1, as printed: t_tar is the least over the nodes of the latest trigger that each has answered, and each node's queue of k = 30 states is searched
// for exactly t_tar. Under loss it is wrong: a node that answered a later trigger but whose answer to t_tar was lost contributes nothing, and the vector is
// returned incomplete without a word.
class PaperView : public ModeView {
 public:
  PaperView(std::size_t nodes, Time period) : queues_(nodes), period_(period) {}
  void receive(const StateMessage& m) override {
    auto& queue = queues_[m.node];
    queue.push_back(m.last);
    if (queue.size() > kQueue) queue.pop_front();
  }
  Shown shown() const override {
    const Tick target = this->target();
    Shown s{.is_aligned = true};
    if (target == 0) return s;
    std::size_t found = 0;
    for (const auto& queue : queues_) found += std::find(queue.begin(), queue.end(), target) != queue.end() ? 1 : 0;
    s.completeness = static_cast<double>(found) / static_cast<double>(queues_.size());
    s.reference = static_cast<Time>(target) * period_;
    return s;
  }
  std::vector<Tick> ticks() const override {
    const Tick target = this->target();
    std::vector<Tick> list;
    for (const auto& queue : queues_) list.push_back(std::find(queue.begin(), queue.end(), target) != queue.end() ? target : 0);
    return list;
  }

 private:
  static constexpr std::size_t kQueue = 30;
  Tick target() const {
    Tick target = kNever;
    for (const auto& queue : queues_) target = std::min(target, queue.empty() ? 0 : *std::max_element(queue.begin(), queue.end()));
    return target;
  }
  std::vector<std::deque<Tick>> queues_;
  Time period_;
};

// Hybrid logical clocks (Kulkarni, Demirbas, Madappa, Avva, Leone, OPODIS 2014): a snapshot at the least of the newest stamps, of every node its newest state that is
// not later. Nodes have no common ticks here; the stamp of a tick is when it was generated, and clocks agree.
class HlcView : public ModeView {
 public:
  HlcView(std::size_t nodes, Time period) : states_(nodes), period_(period) {}
  void receive(const StateMessage& m) override {
    // states that are carried along were generated at their own instants
    for (Tick k = m.first; k <= m.last; ++k) insert(states_[m.node], {m.generated - static_cast<Time>(m.last - k) * period_, k});
  }
  Shown shown() const override {
    Shown s{.is_aligned = true};
    Time tau = kForever;
    for (const auto& states : states_) tau = std::min(tau, states.empty() ? -1 : states.back().stamp);
    if (tau < 0) return s;
    Tick least = kNever, most = 0;
    std::size_t found = 0;
    Time oldest = tau;
    for (const auto& states : states_) {
      auto it = std::upper_bound(states.begin(), states.end(), tau, [](Time t, const Stamped& x) { return t < x.stamp; });
      if (it == states.begin()) continue;
      --it, ++found;
      least = std::min(least, it->tick), most = std::max(most, it->tick), oldest = std::min(oldest, it->stamp);
    }
    s.completeness = static_cast<double>(found) / static_cast<double>(states_.size());
    s.skew = most - std::min(least, most);
    // the snapshot is as old as its oldest state
    s.reference = oldest;
    return s;
  }
  std::vector<Tick> ticks() const override {
    Time tau = kForever;
    for (const auto& states : states_) tau = std::min(tau, states.empty() ? -1 : states.back().stamp);
    std::vector<Tick> list;
    for (const auto& states : states_) {
      const auto it = std::upper_bound(states.begin(), states.end(), tau, [](Time t, const Stamped& x) { return t < x.stamp; });
      list.push_back(it == states.begin() ? 0 : std::prev(it)->tick);
    }
    return list;
  }

 private:
  struct Stamped {
    Time stamp;
    Tick tick;
  };
  static void insert(std::deque<Stamped>& states, const Stamped& x) {
    const auto at = std::lower_bound(states.begin(), states.end(), x.stamp, [](const Stamped& y, Time t) { return y.stamp < t; });
    if (at != states.end() && at->stamp == x.stamp) return;
    states.insert(at, x);
    if (states.size() > 64) states.pop_front();
  }
  std::vector<std::deque<Stamped>> states_;
  Time period_;
};

// all nodes at one tick, complete or not shown; lock-step differs only in how ticks are given out
class AlignedView : public ModeView {
 public:
  AlignedView(std::size_t nodes, Time period) : aligner_(nodes, 1024), period_(period) {
    for (std::size_t k = 0; k < nodes; ++k) aligner_.join(k, 1, 1);
  }
  void receive(const StateMessage& m) override { aligner_.receive(m.node, 1, m.first, m.last); }
  Shown shown() const override {
    Shown s{.is_aligned = true};
    if (aligner_.aligned() > 0) s.reference = static_cast<Time>(aligner_.aligned()) * period_, s.completeness = 1;
    return s;
  }
  std::vector<Tick> ticks() const override { return std::vector<Tick>(aligner_.members(), aligner_.aligned()); }

 private:
  Aligner aligner_;
  Time period_;
};

}  // namespace

std::span<const Mode> all_modes() { return kModes; }

std::unique_ptr<ModeView> make_view(ModeKind kind, std::size_t nodes, Time period) {
  switch (kind) {
    case ModeKind::None: return std::make_unique<NewestView>(nodes);
    case ModeKind::Hlc: return std::make_unique<HlcView>(nodes, period);
    case ModeKind::Paper: return std::make_unique<PaperView>(nodes, period);
    case ModeKind::Lockstep:
    case ModeKind::Bides: return std::make_unique<AlignedView>(nodes, period);
  }
  return nullptr;
}

}  // namespace volary::cluster
