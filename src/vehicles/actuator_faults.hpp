// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What is wrong with the actuators of a vehicle: rows of a record beside the hot one, which a flock has from its first fault on (engine/faults.hpp writes them).
// An actuator does scale * command + offset * full, with a command that may be some ticks old. Rows in the order of actuators: scale, offset (share of its greatest
// speed or angle), delay (ticks), and the commands at the end of the last ticks, the newest first.
#pragma once

#include "math/scalar.hpp"
#include "vehicles/tick.hpp"

namespace volary::inline VOLARY_ISA::vehicles {

inline constexpr int kMostFaultDelay = 16;                  // ticks
inline constexpr int kActuatorRows = 3 + kMostFaultDelay;   // of one actuator

template <class T> struct ActuatorFaults {
  Scalar<T>* rows = nullptr;  // of these lanes; none: every actuator of the flock works

  // what actuator i makes of a command
  VOLARY_HD T apply(int i, T command, T least, T full) const {
    const Scalar<T>* const own = rows + i * (kActuatorRows * kBlock);
    const T scale = load(own, T()), offset = load(own + kBlock, T()), delay = load(own + 2 * kBlock, T());
    T acting = command;
    if (any(delay > splat<T>(0.5)))
      for (int k = 0; k < kMostFaultDelay; ++k)
        acting = select(abs(delay - splat<T>(k + 1)) < splat<T>(0.5), load(own + (3 + k) * kBlock, T()), acting);
    return clamp(fma(scale, acting, offset * full), least, full);
  }

  // at the end of a tick: its last command joins the past ones
  VOLARY_HD void keep(int i, T command) const {
    Scalar<T>* const past = rows + i * (kActuatorRows * kBlock) + 3 * kBlock;
    for (int k = kMostFaultDelay - 1; k > 0; --k) store(past + k * kBlock, load(past + (k - 1) * kBlock, T()));
    store(past, command);
  }
};

template <class T> VOLARY_HD ActuatorFaults<T> actuator_faults(const TickInfo& info) { return {static_cast<Scalar<T>*>(info.faults)}; }

}  // namespace volary::inline VOLARY_ISA::vehicles
