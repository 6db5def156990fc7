// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A stimulus is what carries a message through the world, or is one by itself: sound, light, a smell (Cybulski V). A type of stimulus S_i is one header in
// swarm/stimuli and one line in its all.hpp:
//
//   struct Sound {
//     static constexpr const char* name = "sound";
//     static constexpr const char* doc = "...";
//     static constexpr const char* unit = "W/m2";
//     struct Emission { ... };                     described: what a flock emits, the parameters of its emitting function SEM (Definition 15)
//     static double perceive(const Place& at, const Source<Emission>&);      P_i: what one source is at a place, never negative
//     static double reach(const Emission&);        m: farther away it is below one unit of the sum, which is nothing
//     static constexpr double kUnit = 1e-15;       of the sum, in `unit`
//   };
//
// Values are whole numbers of kUnit, so that their addition +_i is exact, has the neutral element e_i = 0, and the perception of a set P_i^2, which is the sum over its
// members, is the same in any order and on any split of the set over threads or processes.
#pragma once

#include <cstdint>
#include <span>

#include "swarm/sense.hpp"

namespace volary::swarm {

// where somebody perceives, and the air there
struct Place {
  V3 position{};  // m
  V3 wind{};  // m/s
  bool in_sight = true;  // of the source: nothing solid is between them
};

template <class E> struct Source {
  std::uint64_t id = 0;  // who emits
  V3 position{};  // m
  E emission;
};

// a stimulus as it is perceived: an element of S_i
struct Stimulus {
  std::uint64_t units = 0;

  friend constexpr bool operator==(Stimulus, Stimulus) = default;
};
inline constexpr Stimulus kNoStimulus{};  // e_i

// +_i. What is too much to count stays the most there is, so that the sum never turns into little; that is still associative.
constexpr Stimulus operator+(Stimulus a, Stimulus b) {
  const std::uint64_t sum = a.units + b.units;
  return {sum < a.units ? ~std::uint64_t{0} : sum};
}

template <class S> Stimulus stimulus_of(double value) {
  const double units = value / S::kUnit;
  if (!(units > 0)) return kNoStimulus;
  return {units >= 0x1p63 ? std::uint64_t{1} << 63 : static_cast<std::uint64_t>(units)};
}
template <class S> double value_of(Stimulus s) { return static_cast<double>(s.units) * S::kUnit; }

// P_i
template <class S> Stimulus perceive(const Place& at, const Source<typename S::Emission>& source) {
  const V3 way = source.position - at.position;
  const double reach = S::reach(source.emission);
  return math::dot(way, way) > reach * reach ? kNoStimulus : stimulus_of<S>(S::perceive(at, source));
}
// P_i^2
template <class S> Stimulus perceive_all(const Place& at, std::span<const Source<typename S::Emission>> sources) {
  Stimulus sum = kNoStimulus;
  for (const auto& source : sources) sum = sum + perceive<S>(at, source);
  return sum;
}

}  // namespace volary::swarm
