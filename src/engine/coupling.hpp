// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What vehicles do to each other's decisions, on its way. A tick leaves the messages that arrived, what was seen, and where stimuli came from; decisions have it so
// many ticks later as the horizon of the scenario says. With a horizon of one tick there is nothing between a tick and the next, and nothing here is used. Whoever
// simulates only some vehicles needs of the others no more than this (ahead.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/sight.hpp"
#include "swarm/radio/packets.hpp"

namespace volary::engine {

struct Data;

// what the flocks that look equally often saw in one tick
struct Look {
  struct Run {
    std::uint64_t id = 0;  // whose, with its generation: its slot may be another's by then
    std::uint32_t first = 0, count = 0;  // places of the frame
  };
  std::uint64_t which = 0;  // look frame
  LookFrame frame;
  std::vector<Run> runs;  // of all that look, the lowest number first
  template <class F> void each_state(F& f) { f(which), f(frame), f(runs); }
  std::span<const std::uint32_t> places_of(std::uint64_t id) const;  // none where it is not among them
};

// a vehicle that gives something off
struct Emitter {
  std::uint64_t number = 0;
  std::uint64_t tick = 0;  // of its world
  std::uint32_t flock = 0, world = 0;
  Vec position{};  // m
};

// what one tick leaves
struct Coupled {
  std::uint64_t tick = 0;
  swarm::Arrivals arrivals;
  std::vector<Look> looks;
  std::vector<Emitter> emitters;
  std::uint64_t hash = 0;  // derived
  template <class F> void each_state(F& f) { f(tick), f(arrivals.messages), f(arrivals.receptions), f(looks), f(emitters); }
  bool empty() const { return arrivals.receptions.empty() && looks.empty() && emitters.empty(); }
};

struct Coupling {
  std::uint64_t horizon = 1;  // ticks, from the definition
  std::vector<Coupled> waiting;  // state: the oldest first
  // within a tick
  std::vector<Look> looks;  // that it leaves
  std::vector<Emitter> emitters;  // that its decisions perceive

  bool delays() const { return horizon > 1; }
  template <class F> void each_state(F& f) {
    if (delays()) f(waiting);
  }
};

// the radio of a world whose messages wait here: what it would delay them within the horizon it does not delay them by itself
RadioDef medium_rules(const Data& d, RadioDef rules);
// the last of those that wait
const Look* last_look(const Coupling& coupling, std::size_t which);

void take_coupled(Data& d);  // what a tick left a horizon ago acts: before anything is heard or decided
void leave_coupled(Data& d);  // what this tick leaves: at its end
// where it was left by a tick; none: nothing was left
const Coupled* find_coupled(const Coupling& coupling, std::uint64_t tick);
void forget_coupled(Data& d, std::span<const std::uint8_t> worlds);  // of the worlds that begin again
void hash_coupled(Data& d);  // after they were read
std::uint64_t hash_coupling(const Data& d);  // 0 where nothing waits
bool coupling_fits(const Data& d, const Coupling& coupling);  // after reading

}  // namespace volary::engine
