// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/worlds.hpp"

#include <algorithm>

#include "engine/data.hpp"
#include "math/hash.hpp"

namespace volary::engine {

void prepare_worlds(Data& d) {
  d.worlds.start.assign(static_cast<std::size_t>(d.def.worlds), 0);
  d.worlds.episode.assign(static_cast<std::size_t>(d.def.worlds), d.def.episode);
  d.worlds.changed.assign(d.worlds.start.size(), 0);
  find_apart(d.worlds);
}

void find_apart(Worlds& w) {
  w.are_apart = std::any_of(w.start.begin(), w.start.end(), [&](std::uint64_t s) { return s != w.start.front(); });
  w.ticks.resize(w.are_apart ? w.start.size() : 0);
}

std::uint64_t hash_worlds(const Data& d) {
  std::uint64_t sum = 0;
  for (std::size_t k = 0; k < d.worlds.start.size(); ++k)
    if (const std::uint64_t start = d.worlds.start[k], episode = d.worlds.episode[k]; start != 0 || episode != d.def.episode)
      sum += math::mix64(math::mix64(math::mix64(k + 1) ^ start) ^ episode);
  return sum;
}

}  // namespace volary::engine
