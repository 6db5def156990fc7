// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The one list of stimuli. (Radio waves are stimuli too, with a room of their own: swarm/radio.)
#pragma once

#include <type_traits>

#include "core/type_list.hpp"
#include "swarm/stimuli/light.hpp"
#include "swarm/stimuli/plume.hpp"
#include "swarm/stimuli/sound.hpp"

namespace volary::swarm {

using AllStimuli = core::TypeList<  //
    Light,                          //
    Plume,                          //
    Sound>;

template <class S, class... T> constexpr std::size_t place_in(core::TypeList<T...>) {
  std::size_t at = 0;
  bool found = false;
  ((found = found || std::is_same_v<S, T>, at += found ? 0 : 1), ...);
  return at;
}
template <class S> inline constexpr std::size_t kStimulusIndex = place_in<S>(AllStimuli{});
static_assert(place_in<void>(AllStimuli{}) <= Sense::kMostStimuli);

// what a vehicle perceives of one kind, in the kind's unit
template <class S> double level(const Sense& s) { return s.levels[kStimulusIndex<S>]; }

}  // namespace volary::swarm
