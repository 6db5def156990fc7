// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Flight modes of PX4 and ArduPilot as ground stations call them, from the number in HEARTBEAT.custom_mode.
#pragma once

#include <cstdint>
#include <string>

#include "autopilot/mavlink/messages.hpp"

namespace volary::autopilot {

// ArduPilot numbers the modes of its copter and of its plane differently. A mode that is not in the lists is shown as its number.
std::string mode_name(mavlink::AutopilotKind kind, mavlink::VehicleType type, std::uint32_t mode);
bool is_plane(mavlink::VehicleType type);  // with wings; quadplanes, too

}  // namespace volary::autopilot
