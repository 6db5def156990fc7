// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A network in one process and in virtual time: what is sent is delivered later, doubled, out of order or never, as the impairment of its leg says, and one seed
// gives one order of events. Timers of hosts are events too. Contents live in slots that are counted and used again: nothing is allocated while it runs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cluster/impairment.hpp"
#include "core/check.hpp"

namespace volary::cluster {

template <class Payload> class Network {
 public:
  static constexpr std::uint32_t kTimer = ~0u;

  struct Event {
    Time at;
    std::uint32_t order;  // events of one time keep the order in which they were made
    std::uint16_t to;
    std::uint16_t timer;  // what the host called it
    std::uint32_t content;  // a slot, or kTimer
  };

  // forgets everything that is on its way, and begins at time 0
  void reset() {
    for (const Event& e : events_)
      if (e.content != kTimer) release(e.content);
    events_.clear();
    now_ = 0, order_ = 0, sent_ = 0, delivered_ = 0;
  }
  Time now() const { return now_; }
  std::uint64_t sent() const { return sent_; }
  std::uint64_t delivered() const { return delivered_; }

  // a slot to fill before it is sent; `drop` gives it back when nothing was sent
  std::uint32_t take() {
    if (free_.empty()) free_.push_back(static_cast<std::uint32_t>(slots_.size())), slots_.emplace_back();
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    slots_[slot].users = 1;
    return slot;
  }
  Payload& content(std::uint32_t slot) { return slots_[slot].payload; }
  void drop(std::uint32_t slot) { release(slot); }

  // one message to one receiver over a leg with its impairment; the link is any number that names sender, receiver and leg
  void send(std::uint32_t slot, std::uint16_t to, const Impairment& leg, std::uint64_t link) {
    for (const Time at : leg.deliver(link, sent_++, now_)) {
      ++slots_[slot].users;
      push({std::max(at, now_), order_++, to, 0, slot});
    }
  }
  void set_timer(std::uint16_t to, std::uint16_t timer, Time at) { push({std::max(at, now_), order_++, to, timer, kTimer}); }

  bool empty() const { return events_.empty(); }
  Time next_time() const { return events_.front().at; }
  // the next event; its content stays until `done`
  Event pop() {
    core::check(!events_.empty());
    std::pop_heap(events_.begin(), events_.end(), later);
    const Event e = events_.back();
    events_.pop_back();
    now_ = e.at;
    if (e.content != kTimer) ++delivered_;
    return e;
  }
  void done(const Event& e) {
    if (e.content != kTimer) release(e.content);
  }

 private:
  struct Slot {
    Payload payload;
    std::uint32_t users = 0;
  };
  static bool later(const Event& a, const Event& b) { return a.at != b.at ? a.at > b.at : a.order > b.order; }
  void push(const Event& e) {
    events_.push_back(e);
    std::push_heap(events_.begin(), events_.end(), later);
  }
  void release(std::uint32_t slot) {
    if (--slots_[slot].users == 0) free_.push_back(slot);
  }

  std::vector<Event> events_;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_;
  Time now_ = 0;
  std::uint32_t order_ = 0;
  std::uint64_t sent_ = 0, delivered_ = 0;
};

}  // namespace volary::cluster
