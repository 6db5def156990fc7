// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What the vehicles of a world give off now (the stimuli set of a moment, Cybulski, Definition 19), and what one of them perceives of it. A decision costs a look at every
// source of its world within reach, and a line of sight for those.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "swarm/stimuli/all.hpp"

namespace volary::engine {

struct Data;
struct Flock;

template <class List> struct EmittedOf;
template <class... S> struct EmittedOf<core::TypeList<S...>> {
  template <class E> struct Listed {
    std::uint32_t world;
    swarm::Source<E> source;
  };
  std::tuple<std::vector<Listed<typename S::Emission>>...> lists;
};
using Emitted = EmittedOf<swarm::AllStimuli>;

// the sources that decisions perceive now: from the frame, or as they were a horizon ago
void gather_emissions(Data& d);
// what somebody from outside finds between two ticks: sources where they are now, whether or not anybody perceives them
struct ShownEmissions {
  Emitted emitted;
  std::vector<swarm::V3> wind;                // m/s, by world: as its first vehicle has it
  std::uint64_t tick = ~std::uint64_t{0};     // of the world when they were gathered
};
// how strong a kind of stimulus is at a place, and who gives it off
double emission_at(Data& d, const std::string& kind, std::uint32_t world, const Vec& position);
struct EmittedKind {
  const char *name, *unit;
  std::vector<std::uint64_t> sources;  // id numbers
};
std::vector<EmittedKind> emitted_kinds(Data& d, std::uint32_t world);
// fills in what a vehicle at this place perceives; nobody hears itself
void perceive_emissions(const Data& d, std::size_t at, swarm::Sense& sense);

}  // namespace volary::engine
