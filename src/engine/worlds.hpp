// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The worlds of a batch, each with a time of its own. A world begins an episode at some tick of the batch; its own tick counts from there. Whatever draws, schedules
// or judges by time asks for the tick of the world, never for that of the batch, so that a world flies the same wherever in the batch's time it begins.
#pragma once

#include <cstdint>
#include <vector>

#include "volary/input.hpp"

namespace volary::engine {

struct Data;

struct Worlds {
  // state, by world
  std::vector<std::uint64_t> start;    // tick of the batch at which its episode began
  std::vector<std::uint32_t> episode;  // what is random is drawn anew in each
  // derived
  std::vector<std::uint8_t> changed;   // by world: somebody came, left, stopped or lost a rotor since its episode began, or may have
  bool are_apart = false;              // they did not all begin at the same tick
  std::vector<std::uint64_t> ticks;    // of this tick, by world, for the kernels; only where they are apart
  // Events of the definition of a batch, by tick of a world; targets are vehicles of the first one. A single world has them among the inputs that wait.
  std::vector<Input> agenda;

  template <class F> void each_state(F& f) { f(start), f(episode); }
};

// from the definition; all worlds begin together
void prepare_worlds(Data& d);
// after `start` was changed
void find_apart(Worlds& w);
std::uint64_t hash_worlds(const Data& d);  // 0 where none began again

}  // namespace volary::engine
