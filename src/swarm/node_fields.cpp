// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "swarm/node_fields.hpp"

namespace volary {

std::span<const char* const> names(ContactPolicy) {
  static constexpr const char* kNames[] = {"ignore", "crash", "remove", "bounce"};
  return kNames;
}
std::span<const char* const> names(RadioModel) {
  static constexpr const char* kNames[] = {"ideal", "disc", "log_distance"};
  return kNames;
}
std::span<const char* const> names(Fading) {
  static constexpr const char* kNames[] = {"none", "rayleigh"};
  return kNames;
}
std::span<const char* const> names(MediumAccess) {
  static constexpr const char* kNames[] = {"free", "slotted_aloha", "csma"};
  return kNames;
}

}  // namespace volary
