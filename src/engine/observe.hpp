// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// How the swarm does as a whole: how old what its members know of each other is, how many connected components the graph of neighbour states has, how near two ever
// came. Looked at once in every second, counted in whole numbers or in the order of ids, and part of snapshots: a replay and any number of threads
// report the same. Nothing here decides anything, so none of it is in the hash.
#pragma once

#include <cstdint>
#include <limits>

#include "volary/world.hpp"

namespace volary::engine {

struct Data;
struct Flock;
struct Frame;

struct Observed {
  std::uint64_t looks = 0;                                  // at one world each
  std::uint64_t links = 0, age = 0, oldest = 0;             // summed over looks; ticks, summed over links; ticks, at worst
  std::uint64_t members = 0, components = 0, largest = 0;       // summed over looks
  std::uint64_t most_components = 0;
  double smallest_share = 1;                                // of the largest component among the members, at worst
  double nearest = std::numeric_limits<double>::infinity();  // m between two vehicles
  std::uint64_t nearest_tick = 0;
  std::uint64_t meetings = 0;                               // pairs that began to touch

  template <class F> void each_state(F& f) {
    for (std::uint64_t* x : {&looks, &links, &age, &oldest, &members, &components, &largest, &most_components, &nearest_tick, &meetings}) f(*x);
    f(smallest_share);
    f(nearest);
  }
};

// how far the vehicles of a flock are from where their missions want them; of a frame that shows the reference
class PathError {
 public:
  explicit PathError(const Flock& flock);
  bool has_path() const { return has_path_; }
  double squared(const Frame& frame, std::size_t at) const;   // m2
  double distance(const Frame& frame, std::size_t at) const;  // m; infinite without a path

 private:
  double tick_;  // s
  bool has_path_;
  std::size_t axes_ = 3;
};

void observe(Data& d);  // at the end of a tick
SwarmReport swarm_report(const Data& d);

}  // namespace volary::engine
