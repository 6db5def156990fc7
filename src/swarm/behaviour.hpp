// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A behaviour b = {extraction xi, trigger tau, logic L, weight W} is one header in swarm/behaviours and one line in its all.hpp:
//
//   struct Reynolds {
//     static constexpr const char* name = "reynolds";
//     static constexpr const char* doc = "separation, alignment and cohesion";
//     struct Params { ... };                       described (core/describe.hpp): becomes YAML, schema, docs, forms
//     struct Memory { ... };                       plain numbers, all zero at the start; snapshotted and hashed with the world
//     struct Features { ... };
//     static Features extract(const Sense&, const Params&, const Memory&);        xi(S)
//     static double trigger(const Features&, const Params&);                      tau(xi(S)): it may act when above t_M (eq. 2)
//     static Action act(const Features&, const Sense&, const Params&, Memory&, Outbox&);   L(S); Action::reward is R(a, S)
//   };
//
// Of those that may act the one with the highest R W + eta sync wins (eq. 3, arbitrate.hpp). A behaviour with
//     static Action filter(const Action& wanted, const Features&, const Sense&, const Params&, Memory&);
// instead of act() makes no proposal: while triggered it changes the winner's action, in the order of the library (collision avoidance).
// Everything is a pure function of its arguments; math/ instead of libm, Sense::uniform instead of any other chance.
#pragma once

#include <cstddef>
#include <new>
#include <string>
#include <type_traits>

#include "core/result.hpp"
#include "core/type_list.hpp"
#include "swarm/sense.hpp"

namespace volary::swarm {

template <class B> concept Filters = requires(const Action& a, const typename B::Features& f, const Sense& s, const typename B::Params& p, typename B::Memory& m) {
  { B::filter(a, f, s, p, m) } -> std::same_as<Action>;
};

// a behaviour with its types taken away
struct BehaviourHost {
  const char* name = "";
  bool filters = false;
  std::size_t memory_bytes = 0;  // a multiple of 8
  // the trigger's value
  double (*trigger)(const Sense&, const void* params, const void* memory) = nullptr;
  // a proposal, or what a filter makes of `wanted`
  Action (*act)(const Action& wanted, const Sense&, const void* params, void* memory, Outbox&) = nullptr;
};

template <class B> BehaviourHost make_behaviour() {
  using Params = typename B::Params;
  using Memory = typename B::Memory;
  static_assert(std::is_trivially_copyable_v<Memory> && std::is_default_constructible_v<Memory> && alignof(Memory) <= 8);
  BehaviourHost h;
  h.name = B::name;
  h.filters = Filters<B>;
  h.memory_bytes = std::is_empty_v<Memory> ? 0 : (sizeof(Memory) + 7) / 8 * 8;
  h.trigger = [](const Sense& s, const void* params, const void* memory) {
    static const Memory nothing{};
    const auto& p = *static_cast<const Params*>(params);
    const auto& m = std::is_empty_v<Memory> ? nothing : *static_cast<const Memory*>(memory);
    return B::trigger(B::extract(s, p, m), p);
  };
  h.act = [](const Action& wanted, const Sense& s, const void* params, void* memory, Outbox& out) {
    Memory nothing{};
    const auto& p = *static_cast<const Params*>(params);
    auto& m = std::is_empty_v<Memory> ? nothing : *static_cast<Memory*>(memory);
    const auto features = B::extract(s, p, m);
    if constexpr (Filters<B>) {
      (void)out;
      return B::filter(wanted, features, s, p, m);
    } else {
      (void)wanted;
      return B::act(features, s, p, m, out);
    }
  };
  return h;
}

// the list of all.hpp
const BehaviourHost* find_behaviour(const std::string& name);

}  // namespace volary::swarm
