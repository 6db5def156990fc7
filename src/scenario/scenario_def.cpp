// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/scenario_def.hpp"

namespace volary {

std::span<const char* const> names(ControllerKind) {
  static constexpr const char* kNames[] = {"cascade", "geometric", "rpt"};
  return kNames;
}
std::span<const char* const> names(Precision) {
  static constexpr const char* kNames[] = {"float", "double"};
  return kNames;
}
std::span<const char* const> names(Integrator) {
  static constexpr const char* kNames[] = {"rk4", "semi_implicit_euler"};
  return kNames;
}

std::span<const char* const> names(RegionRule) {
  static constexpr const char* kNames[] = {"mark", "keep_in", "keep_out"};
  return kNames;
}
std::span<const char* const> names(AutopilotKind) {
  static constexpr const char* kNames[] = {"px4", "ardupilot"};
  return kNames;
}

}  // namespace volary

namespace volary::scenario {

std::span<const char* const> names(Start) {
  static constexpr const char* kNames[] = {"disarmed", "armed", "take_off", "hold", "mission"};
  return kNames;
}
std::span<const char* const> names(Shape) {
  static constexpr const char* kNames[] = {"v", "line", "wedge", "diamond"};
  return kNames;
}
std::span<const char* const> names(MeshUp) {
  static constexpr const char* kNames[] = {"y", "z"};
  return kNames;
}
std::span<const char* const> names(What) {
  static constexpr const char* kNames[] = {"arm",    "take_off", "mission", "hold",  "land",  "emergency_stop", "wind",
                                           "remove", "pose",     "stiff",   "yield", "press", "release"};
  return kNames;
}

}  // namespace volary::scenario
