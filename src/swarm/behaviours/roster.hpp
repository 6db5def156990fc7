// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Who belongs to the swarm as far as a member knows: the ids that it heard lately or that others heard lately and told it.
// Ranks among these ids divide work without a leader. Everybody who hears the same has the same rank; while views differ, after a loss
// or across a gap, two may hold one rank for up to `patience`.
#pragma once

#include "swarm/behaviours/task_tag.hpp"

namespace volary::swarm {

class Roster {
 public:
  static constexpr std::size_t kMost = 128;  // members besides oneself; more are not counted
  static constexpr std::uint32_t kTopic = topic("roster");

  // Takes in what was heard and forgets who was silent for `patience` seconds. Members are those whose role or gossip carries the tag (task_tag.hpp);
  // with tag 0 everybody is.
  void update(const Sense& s, double patience, double tag) {
    for (const Known& k : s.others)
      if (tag == 0 || role_number(tag, k.role) > 0) note(s, k.from, k.tick);
    for (const Message& m : s.messages) {
      if (m.topic != kTopic || m.count < 1 || m.values[0] != tag) continue;
      note(s, m.from, m.tick);
      // Ages are counted from when the message was said: counted from its arrival, a rumour would grow younger with each hop
      // and the dead would live for ever.
      for (std::uint32_t k = 1; k + 1 < m.count && k + 1 < Message::kMost; k += 2) {
        const double id = m.values[k], age = m.values[k + 1];
        if (id >= 1 && id < 0x1p53 && age >= 0 && age <= static_cast<double>(m.tick))
          note(s, static_cast<std::uint64_t>(id), m.tick - static_cast<std::uint64_t>(age));
      }
    }
    std::size_t kept = 0;
    for (std::size_t k = 0; k < count_; ++k)
      if (seconds_since(s, entries_[k].tick) <= patience) entries_[kept++] = entries_[k];
    count_ = kept;
  }

  // Tells five of the members it knows and how many ticks ago they were heard, the next five the next time, `rate` times a second.
  // Even who knows nobody speaks: to be known.
  void gossip(const Sense& s, double rate, double tag, Outbox& out) {
    if (rate <= 0 || s.time < next_gossip_) return;
    next_gossip_ = s.time + 1 / rate;
    if (count_ == 0) return out.say(kTopic, 0, tag);
    constexpr std::size_t kTold = 5;
    double v[2 * kTold];
    for (std::size_t k = 0; k < kTold; ++k) {
      const Entry& e = entries_[(cursor_ + k) % count_];
      v[2 * k] = static_cast<double>(e.id);
      v[2 * k + 1] = static_cast<double>(s.tick > e.tick ? s.tick - e.tick : 0);
    }
    cursor_ = (cursor_ + kTold) % count_;
    out.say(kTopic, 0, tag, v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9]);
  }

  std::size_t members() const { return count_ + 1; }
  // how many members have a lower id; `except` is not counted
  std::size_t rank(std::uint64_t id, const Sense& s, std::uint64_t except = 0) const {
    std::size_t below = s.self < id && s.self != except;
    for (std::size_t k = 0; k < count_ && entries_[k].id < id; ++k) below += entries_[k].id != except;
    return below;
  }
  std::size_t others() const { return count_; }
  std::uint64_t id(std::size_t k) const { return entries_[k].id; }
  // the tick of the last sign of life
  std::uint64_t heard_at(std::size_t k) const { return entries_[k].tick; }

  // a sign of life
  void note(const Sense& s, std::uint64_t id, std::uint64_t tick) {
    if (id == s.self || id == 0) return;
    const std::size_t at = place(id);
    if (at < count_ && entries_[at].id == id) {
      entries_[at].tick = entries_[at].tick > tick ? entries_[at].tick : tick;
      return;
    }
    if (count_ == kMost) return;
    for (std::size_t k = count_; k > at; --k) entries_[k] = entries_[k - 1];
    entries_[at] = {id, tick};
    ++count_;
  }

 private:
  struct Entry {
    std::uint64_t id, tick;
  };
  std::size_t place(std::uint64_t id) const {
    std::size_t low = 0, high = count_;
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      if (entries_[middle].id < id)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }
  std::uint64_t count_ = 0, cursor_ = 0;
  double next_gossip_ = 0;  // s
  Entry entries_[kMost] = {};  // the lowest id first
};

}  // namespace volary::swarm
