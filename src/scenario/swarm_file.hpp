// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a scenario file says about nodes, behaviours and radio. A behaviour is written under its own name,
//   behaviours:
//     - reynolds: {spacing: 4}
//       weight: 2
// and which names there are comes from the list in swarm/behaviours/all.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "core/describe.hpp"
#include "core/numbers.hpp"
#include "core/result.hpp"
#include "scenario/places.hpp"
#include "swarm/behaviours/all.hpp"
#include "swarm/node_fields.hpp"
#include "swarm/script/script_def.hpp"
#include "swarm/stimuli/all.hpp"
#include "volary/def.hpp"

namespace volary::scenario {

template <std::size_t N> constexpr std::array<const char*, N + 2> with_outside(const char* const (&names)[N]) {
  std::array<const char*, N + 2> all{};
  std::copy(names, names + N, all.begin());
  all[N] = swarm::kScript;
  all[N + 1] = swarm::kPlugin;
  return all;
}

template <class List> struct OneOf;
template <class... B> struct OneOf<core::TypeList<B...>> {
  static constexpr const char* kNames[] = {B::name...};
  std::tuple<std::optional<typename B::Params>...> kinds;

  // f(the kind, its optional) for each
  template <class Self, class F> static void each(Self& self, F&& f) {
    (f(std::type_identity<B>{}, std::get<std::optional<typename B::Params>>(self.kinds)), ...);
  }
};

template <class List> struct OneEmission;
template <class... S> struct OneEmission<core::TypeList<S...>> {
  static constexpr const char* kNames[] = {S::name...};
  std::tuple<std::optional<typename S::Emission>...> kinds;

  template <class Self, class F> static void each(Self& self, F&& f) {
    (f(std::type_identity<S>{}, std::get<std::optional<typename S::Emission>>(self.kinds)), ...);
  }
};

// a behaviour that is not in the list
struct OutsideFile {
  std::string file;
  core::Numbers params;
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, OutsideFile>
void describe(D& d, V& v) {
  v.field("file", d.file, {.required = true, .is_path = true, .doc = "Lua script or shared library beside the scenario or in assets/behaviours"});
  v.field("params", d.params, {.doc = "new values for parameters that the file declares"});
}

struct EmissionFile {
  static constexpr auto& kOneOf = OneEmission<swarm::AllStimuli>::kNames;
  double from = 0;
  std::optional<double> until;
  OneEmission<swarm::AllStimuli> what;
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, EmissionFile>
void describe(D& d, V& v) {
  swarm::describe_emission(d, v);
  OneEmission<swarm::AllStimuli>::each(d.what, [&]<class S>(std::type_identity<S>, auto& emission) { v.field(S::name, emission, {.doc = S::doc}); });
}

struct BehaviourFile {
  static constexpr auto kOneOf = with_outside(OneOf<swarm::AllBehaviours>::kNames);
  double weight = 1, threshold = 0, rate = 0, from = 0, delay = 0;
  std::optional<double> until;
  OneOf<swarm::AllBehaviours> what;
  std::optional<OutsideFile> script, plugin;
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, BehaviourFile>
void describe(D& d, V& v) {
  swarm::describe_entry(d, v);
  v.field("script", d.script, {.doc = "behaviour written in Lua"});
  v.field("plugin", d.plugin, {.doc = "behaviour from a shared library"});
  OneOf<swarm::AllBehaviours>::each(d.what, [&]<class B>(std::type_identity<B>, auto& params) { v.field(B::name, params, {.doc = B::doc}); });
}

// exactly one kind each
core::Result<std::vector<EmissionDef>> make_emissions(const std::vector<EmissionFile>& list, const std::string& field);
core::Result<std::vector<BehaviourDef>> make_behaviours(const std::vector<BehaviourFile>& list, const NodeDef& node, const Places& places,
                                                        const std::string& field);

}  // namespace volary::scenario
