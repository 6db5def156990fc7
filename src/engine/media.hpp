// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The air between the vehicles: a medium for each world of the batch, at the tick of that world. Worlds know nothing of each other, so each equals itself alone by
// construction, and one begins again without the others noticing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "swarm/radio/medium.hpp"

namespace volary::engine {

class Media {
 public:
  // the definition has passed swarm::check()
  Media(const RadioDef& def, std::uint64_t seed, std::int64_t tick_ns, std::span<const std::uint32_t> episodes);

  void reconfigure(const RadioDef& def);
  void say(std::uint32_t world, std::uint64_t sender, const swarm::Message& message) { list_[world].say(sender, message); }

  // what lies between senders and receivers
  struct Between {
    swarm::Sight sight;
    const void* environment;
  };
  // One tick of all; `ticks[k]` is that of world k. The nodes come with the lowest id first, and `first_world` is the number of the first world in them.
  void run(std::span<const std::uint64_t> ticks, std::span<const swarm::RadioNode> nodes, std::uint32_t first_world, const Between& between,
           const swarm::Parallel& parallel, swarm::Arrivals& out);

  // nothing was ever said in this world; counts go on
  void restart(std::uint32_t world, std::uint32_t episode) { list_[world].restart(episode); }
  // after a snapshot was read
  void use_episodes(std::span<const std::uint32_t> episodes);

  template <class F> void each_state(F& f) {
    for (swarm::Medium& m : list_) m.each_state(f);
  }
  std::uint64_t hash() const { return sum(&swarm::Medium::hash); }
  std::uint64_t sent() const { return sum(&swarm::Medium::sent); }
  std::uint64_t in_reach() const { return sum(&swarm::Medium::in_reach); }
  std::uint64_t arrived() const { return sum(&swarm::Medium::arrived); }
  std::uint64_t count(swarm::Fate fate) const;
  std::uint64_t count_at(std::size_t octave, swarm::Fate fate) const;
  swarm::RadioCounts counts(std::uint32_t world, std::uint64_t id) const { return list_[world].counts(id); }

 private:
  std::uint64_t sum(std::uint64_t (swarm::Medium::*of)() const) const;
  void split(std::span<const swarm::RadioNode> nodes, std::uint32_t first_world);
  void gather(swarm::Arrivals& out) const;

  std::vector<swarm::Medium> list_;        // by world
  std::vector<std::size_t> firsts_;        // within a tick: where the nodes of each world begin, and where the last end
  std::vector<swarm::Arrivals> arrivals_;  // within a tick, by world
};

}  // namespace volary::engine
