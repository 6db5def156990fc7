// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/alignment_load.hpp"

#include <algorithm>

#include "math/random.hpp"

namespace volary::cluster {

AlignmentLoad::AlignmentLoad(std::size_t nodes, Tick ticks) : aligner_(nodes) {
  const auto key = math::world_key(1, 0);
  std::vector<Answer> group, doubled;
  for (Tick first = 1; first <= ticks; first += 8) {
    group.clear(), doubled.clear();
    const Tick last = std::min(first + 7, ticks);
    for (Tick tick = first; tick <= last; ++tick)
      for (std::uint32_t place = 0; place < nodes; ++place) {
        const auto words = math::random_words<std::uint32_t>(key, place, 0, math::Purpose::Impairment, tick, 0);
        group.push_back({place, static_cast<std::uint32_t>(tick)});
        // it changes places with an earlier one of the same member
        std::swap(group.back().tick, group[group.size() - 1 - (words.w[0] % (tick - first + 1)) * nodes].tick);
        if (words.w[1] % 20 == 0) doubled.push_back({place, static_cast<std::uint32_t>(tick)});
      }
    messages_.insert(messages_.end(), group.begin(), group.end());
    messages_.insert(messages_.end(), doubled.begin(), doubled.end());
  }
  for (std::size_t place = 0; place < nodes; ++place) aligner_.join(place, 1, 1);
}

Tick AlignmentLoad::run() {
  for (const Answer& m : messages_) aligner_.receive(m.place, 1, m.tick, m.tick);
  return aligner_.aligned();
}

}  // namespace volary::cluster
