// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a behaviour of a flock last proposed, where that outlives the decision: it is asked less often than the vehicle decides, or it needs time to think. One that
// answers at every decision, and at once, has nothing here.
#pragma once

#include <cstdint>
#include <vector>

#include "swarm/sense.hpp"

namespace volary::engine {

// what is still being worked out
struct Coming {
  swarm::Action action;
  std::uint64_t due = 0;  // tick at which it is known
  std::uint32_t active = 0, thinking = 0;
};

struct Answers {
  // by slot, or empty
  std::vector<swarm::Action> action;
  std::vector<std::uint8_t> missing;  // 1: the behaviour answered at every decision so far; it is asked at the next one, whatever its rate, and answers at once
  std::vector<Coming> coming;

  template <class F> void each_state(F& f) { f(action), f(missing), f(coming); }
  bool are_kept() const { return !action.empty(); }
  bool is_missing(std::size_t slot) const { return are_kept() && missing[slot] != 0; }
  bool is_thinking(std::size_t slot) const { return !coming.empty() && coming[slot].thinking != 0; }
  bool fits(std::size_t slots) const {
    return (action.empty() || action.size() == slots) && missing.size() == action.size() && (coming.empty() || coming.size() == action.size());
  }
  // From now on they are kept, and worked out for a while where `thinks`; what is kept once stays, because somebody may still be thinking.
  void keep(std::size_t slots, bool thinks) {
    if (action.empty()) missing.assign(slots, 1);
    action.resize(slots);
    if (thinks) coming.resize(slots);
  }
  void settle(std::size_t slot, std::size_t slots, bool thinks) {
    action.resize(slots);
    missing.resize(slots);
    if (thinks || !coming.empty()) coming.resize(slots);
    reset(slot);
  }
  void reset(std::size_t slot) {
    if (!are_kept()) return;
    action[slot] = {};
    missing[slot] = 0;
    if (!coming.empty()) coming[slot] = {};
  }
};

}  // namespace volary::engine
