// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Lays the facts of a world before the judge of its tasks (swarm/tasks/judge.hpp), ten times a second.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "swarm/tasks/judge.hpp"

namespace volary::engine {

struct Data;

struct Judging {
  std::vector<swarm::Judge> judges;  // one for each world of the batch; none: there are no tasks
  swarm::FactsNeeded needs;
  std::uint64_t every = 1;  // ticks
  // since the last look
  struct Heard {
    std::uint32_t world;
    swarm::HeardFact fact;
  };
  std::vector<Heard> heard;
  std::vector<std::vector<char>> happened;     // words
  std::vector<std::uint32_t> happened_where;  // world of each, or every one

  bool looks() const { return !judges.empty(); }
  void forget(const std::vector<bool>& worlds);  // what was heard and what happened there
  template <class F> void each_state(F& f) {
    for (swarm::Judge& j : judges) j.each_state(f);
    f(heard);
    f(happened);
    f(happened_where);
  }
  bool fits();  // after reading
};

void prepare_judging(Data& d);
void judge(Data& d);

}  // namespace volary::engine
