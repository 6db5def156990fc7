// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The words for modes and control levels, in the order of their values; found by the visitors of describe lists.
#pragma once

#include <span>

#include "volary/def.hpp"

namespace volary {

inline std::span<const char* const> names(Mode) {
  static constexpr const char* kWords[] = {"disarmed", "armed", "take_off", "hold", "mission", "land", "emergency_stop"};
  return kWords;
}
inline std::span<const char* const> names(Reaction) {
  static constexpr const char* kWords[] = {"stiff", "yield", "press"};
  return kWords;
}
inline std::span<const char* const> names(ControlLevel) {
  static constexpr const char* kWords[] = {"motor_speeds", "rates", "attitude", "acceleration", "velocity", "position", "trajectory"};
  return kWords;
}

}  // namespace volary
