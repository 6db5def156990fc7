// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Errors of MuJoCo as core::Error. By itself it writes MUJOCO_LOG.TXT into the current folder and ends the process. Inside of guarded() a handler of this thread
// takes what it says, and an error ends the call by a jump out of it; outside nothing is changed, so that others who use the same library keep their handlers.
#pragma once

#include <type_traits>

#include "core/result.hpp"
#include "multibody/mujoco.hpp"

namespace volary::multibody {

// Runs work(argument). What it has on its own stack must need no destructor: an error jumps over it. Warnings are not told; mjData counts them.
core::Status guarded(const Library& library, void (*work)(void*), void* argument);

template <class Work> core::Status guarded(const Library& library, Work&& work) {
  return guarded(library, [](void* w) { (*static_cast<std::remove_reference_t<Work>*>(w))(); }, &work);
}

}  // namespace volary::multibody
