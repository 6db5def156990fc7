// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/media.hpp"

namespace volary::engine {

using swarm::Medium;

Media::Media(const RadioDef& def, std::uint64_t seed, std::int64_t tick_ns, std::span<const std::uint32_t> episodes) {
  list_.reserve(episodes.size());
  for (std::size_t k = 0; k < episodes.size(); ++k) list_.emplace_back(def, seed, tick_ns);
  use_episodes(episodes);
}

void Media::use_episodes(std::span<const std::uint32_t> episodes) {
  for (std::size_t k = 0; k < list_.size(); ++k) list_[k].use_episode(episodes[k]);
}

void Media::reconfigure(const RadioDef& def) {
  for (Medium& m : list_) m.reconfigure(def);
}

// ids of a world follow each other
void Media::split(std::span<const swarm::RadioNode> nodes, std::uint32_t first_world) {
  firsts_.assign(list_.size() + 1, nodes.size());
  std::size_t world = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    while (world <= nodes[i].world - first_world) firsts_[world++] = i;
}

void Media::run(std::span<const std::uint64_t> ticks, std::span<const swarm::RadioNode> nodes, std::uint32_t first_world, const Between& between,
                const swarm::Parallel& parallel, swarm::Arrivals& out) {
  if (list_.size() == 1) return list_[0].run(ticks[0], nodes, between.sight, between.environment, parallel, out);
  split(nodes, first_world);
  arrivals_.resize(list_.size());
  const auto run_one = [&](std::size_t k, const swarm::Parallel& with) {
    list_[k].run(ticks[k], nodes.subspan(firsts_[k], firsts_[k + 1] - firsts_[k]), between.sight, between.environment, with, arrivals_[k]);
  };
  if (list_.size() < static_cast<std::size_t>(parallel.parts)) {
    for (std::size_t k = 0; k < list_.size(); ++k) run_one(k, parallel);
  } else {
    swarm::for_parts(parallel, [&](int part) {
      const swarm::Share mine = swarm::share(list_.size(), part, parallel.parts);
      for (std::size_t k = mine.begin; k < mine.end; ++k) run_one(k, swarm::one_thread());
    });
  }
  gather(out);
}

void Media::gather(swarm::Arrivals& out) const {
  out.messages.clear(), out.receptions.clear();
  for (const swarm::Arrivals& here : arrivals_) {
    const auto before = static_cast<std::uint32_t>(out.messages.size());
    out.messages.insert(out.messages.end(), here.messages.begin(), here.messages.end());
    for (swarm::Reception r : here.receptions) r.message += before, out.receptions.push_back(r);
  }
}

std::uint64_t Media::sum(std::uint64_t (Medium::*of)() const) const {
  std::uint64_t total = 0;
  for (const Medium& m : list_) total += (m.*of)();
  return total;
}
std::uint64_t Media::count(swarm::Fate fate) const {
  std::uint64_t total = 0;
  for (const Medium& m : list_) total += m.count(fate);
  return total;
}
std::uint64_t Media::count_at(std::size_t octave, swarm::Fate fate) const {
  std::uint64_t total = 0;
  for (const Medium& m : list_) total += m.count_at(octave, fate);
  return total;
}

}  // namespace volary::engine
