// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/near_pairs.hpp"

#include "engine/neighbours.hpp"

namespace volary::engine {

namespace {
constexpr std::size_t kAhead = 36;  // items
}

std::span<const NearPairs::Pair> NearPairs::find(std::span<const Vec> places, std::span<const std::uint32_t> worlds, double radius, Pool& pool) {
  if (!cells_.fill(places, worlds, radius, pool)) {
    // few in a wide world: sorted by cells that have no table
    Neighbours lists;
    lists.find(places, worlds, radius, pool);
    pairs_.clear();
    for (std::size_t i = 0; i < places.size(); ++i)
      for (const Near& near : lists.of(i))
        if (near.index > i) pairs_.emplace_back(static_cast<std::uint32_t>(i), near.index);
    return pairs_;
  }
  const std::size_t n = cells_.size(), parts = static_cast<std::size_t>(pool.parts(n, cost::kNear));
  parts_.resize(parts);
  first_.assign(places.size() + 1, 0);
  on_parts(pool, parts, [&](std::size_t part) {
    std::vector<std::uint32_t>& found = parts_[part].found;
    std::size_t at = 0;
    for (std::size_t item = share(n, part, parts); item < share(n, part + 1, parts); ++item) {
      const std::size_t count = cells_.near<true>(item, found, at);
      first_[cells_.index(item) + 1] = static_cast<std::uint32_t>(count);
      at += count;
    }
  });
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  pairs_.resize(first_.back());
  on_parts(pool, parts, [&](std::size_t part) {
    const std::uint32_t* next = parts_[part].found.data();
    for (std::size_t item = share(n, part, parts); item < share(n, part + 1, parts); ++item) {
      // memory is told early where this goes: lists of neighbours in space are far apart
      if (item + kAhead < n) {
        __builtin_prefetch(&first_[cells_.index(item + kAhead)]);
        __builtin_prefetch(pairs_.data() + first_[cells_.index(item + kAhead / 3)], 1);
      }
      const std::uint32_t index = cells_.index(item);
      for (std::uint32_t k = first_[index]; k < first_[index + 1]; ++k) pairs_[k] = {index, *next++};
    }
  });
  return pairs_;
}

}  // namespace volary::engine
