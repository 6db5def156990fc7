// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Pairs that may touch, kept for as long as nobody can have come nearer unnoticed, so that most ticks only look at a short list of pairs; the answer is
// the same as looking at all pairs in every tick.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "engine/near_pairs.hpp"

namespace volary::engine {

class Candidates {
 public:
  using Pair = NearPairs::Pair;
  // vehicles by their place in the frame
  struct Crowd {
    std::uint64_t roster;                       // a number that changes when anybody comes or goes
    const std::vector<Vec>& from;               // m: places at the beginning of the tick
    const std::vector<Vec>& to;                 // m: and at its end
    const std::vector<std::uint32_t>& worlds;
    const std::vector<double>& radius;          // m; below 0: it touches nobody
  };

  void forget() { roster_ = ~std::uint64_t{0}; }
  bool is_listed(std::uint64_t roster) const { return roster_ == roster; }
  // m2: how far from where it was listed a vehicle is now, squared; only while the list is of the same roster
  double moved2(std::size_t i, const Vec& place) const;
  bool is_kept(std::uint64_t roster, double moved2) const;

  // every pair whose spheres touch at any time of this tick, and of the next ones while is_kept() says so
  void list(const Crowd& crowd, Pool& pool);
  const std::vector<Pair>& pairs() const { return pairs_; }  // in order, the lower index first

 private:
  void choose_room(const Crowd& crowd);
  void add_outsized(const Crowd& crowd);

  NearPairs near_;
  std::vector<Pair> pairs_;
  std::vector<Vec> since_;                // m: the middles of the ways of the tick in which they were listed
  std::vector<double> room_, sorted_;     // m about each of those that belongs to the vehicle
  double widest_ = 0;                     // m: the room of all but a few
  std::vector<std::uint32_t> outsized_;   // those few
  std::uint64_t roster_ = ~std::uint64_t{0};
};

}  // namespace volary::engine
