// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What vehicles see. Flocks that look equally often share a look frame: every vehicle as it was when they last looked. What a vehicle sees is a run of
// places in it, so that somebody who is seen by ten is stored once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "swarm/sense.hpp"
#include "volary/def.hpp"

namespace volary::engine {

struct Data;

struct LookFrame {
  std::uint64_t every = 0;           // ticks, from the definition
  std::vector<std::uint32_t> first;  // by world of the batch, and one more: its stretch of the lists; empty: nobody has looked yet
  std::vector<std::uint64_t> id;     // numbers, the lowest first
  std::vector<std::uint32_t> kind;   // what it looks like
  std::vector<Vec> position, velocity;  // m, m/s
  std::vector<std::uint32_t> added;     // by world: vehicles at the end of its stretch that are not in order, from parts of an earlier look
  std::vector<std::uint32_t> places;    // the runs of all that look, counted from the first vehicle of their world: other worlds may grow

  template <class F> void each_state(F& f) { f(first), f(id), f(kind), f(position), f(velocity), f(added), f(places); }
  bool fits(std::size_t worlds) const;
  swarm::Detection at(std::size_t k) const {
    const Vec &p = position[k], &v = velocity[k];
    return {id[k], kind[k], {p[0], p[1], p[2]}, {v[0], v[1], v[2]}};
  }
};

// by slot of a flock: its runs
struct Seen {
  std::size_t look = kNone;           // which look frame, from the definition; none: nobody looks
  std::vector<std::uint32_t> first;
  std::vector<std::uint8_t> count;

  static constexpr std::size_t kNone = ~std::size_t{0};
  static constexpr std::size_t kMost = 32;  // in a run
  template <class F> void each_state(F& f) { f(first), f(count); }
  void settle(std::size_t slot, std::size_t slots);  // a new vehicle sees nothing yet
  bool fits(std::span<const std::uint32_t> worlds, std::span<const LookFrame> frames) const;  // with the world of each slot
  // f(look frame, place in it) for everything in sight, the lowest id first
  template <class F> void each(std::span<const LookFrame> frames, std::size_t slot, std::uint32_t world, F&& f) const {
    if (look == kNone || count[slot] == 0) return;
    const LookFrame& frame = frames[look];
    for (std::size_t k = first[slot]; k < first[slot] + count[slot]; ++k) f(frame, frame.first[world] + frame.places[k]);
  }
};

// finds the look frame of every flock that looks
void prepare_sight(Data& d);
// what a part of a snapshot has of a vehicle
void replace_sight(Data& d, std::size_t flock, std::size_t slot, std::span<const swarm::Detection> seen);
std::span<const swarm::Detection> detections_of(const Data& d, std::size_t flock, std::size_t slot, std::vector<swarm::Detection>& out);

}  // namespace volary::engine
