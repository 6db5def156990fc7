// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Flight modes as PX4 numbers them in HEARTBEAT.custom_mode: main mode in bits 16 to 23, sub mode in bits 24 to 31.
#pragma once

#include <cstdint>

#include "autopilot/mavlink/messages.hpp"

namespace volary::autopilot {

enum class FlightMode { Hold, TakeOff, Mission, Return, Land, Position, Offboard };

struct FlightModeInfo {
  FlightMode mode;
  std::uint8_t main, sub;
  const char* name;
  mavlink::StandardMode standard;

  constexpr std::uint32_t custom_mode() const { return static_cast<std::uint32_t>(main) << 16 | static_cast<std::uint32_t>(sub) << 24; }
};

// the one list, in the order of the enumeration
inline constexpr FlightModeInfo kFlightModes[] = {
    {FlightMode::Hold, 4, 3, "Hold", mavlink::StandardMode::NonStandard},
    {FlightMode::TakeOff, 4, 2, "Takeoff", mavlink::StandardMode::Takeoff},
    {FlightMode::Mission, 4, 4, "Mission", mavlink::StandardMode::Mission},
    {FlightMode::Return, 4, 5, "Return", mavlink::StandardMode::SafeRecovery},
    {FlightMode::Land, 4, 6, "Land", mavlink::StandardMode::Land},
    {FlightMode::Position, 3, 0, "Position", mavlink::StandardMode::PositionHold},
    {FlightMode::Offboard, 6, 0, "Offboard", mavlink::StandardMode::NonStandard},
};
inline constexpr std::uint8_t kModeCount = sizeof kFlightModes / sizeof kFlightModes[0];

constexpr const FlightModeInfo& info_of(FlightMode mode) { return kFlightModes[static_cast<std::size_t>(mode)]; }
constexpr const FlightModeInfo* find_flight_mode(std::uint8_t main, std::uint8_t sub) {
  for (const FlightModeInfo& m : kFlightModes)
    if (m.main == main && m.sub == sub) return &m;
  return nullptr;
}

}  // namespace volary::autopilot
