// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The slots of one world of a batch: those of its first vehicles lie together, and those of later ones after the first of all worlds.
#pragma once

#include "engine/data.hpp"

namespace volary::engine {

// f(slot), in order; dead ones too
template <class F> void each_slot_of_world(const Data& d, std::size_t flock, std::uint32_t world, F&& f) {
  const std::size_t n = d.def.flocks[flock].vehicles.size(), first = world * n;
  const Flock& all = d.flocks[flock];
  for (std::size_t s = first; s < first + n; ++s) f(s);
  for (std::size_t s = n * d.worlds.start.size(); s < all.slots; ++s)
    if (all.worlds[s] == world) f(s);
}

}  // namespace volary::engine
