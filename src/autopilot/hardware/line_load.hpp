// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a serial line to a board has to carry, and whether it can.
#pragma once

#include <cstdint>

#include "autopilot/link/links.hpp"
#include "core/result.hpp"

namespace volary::autopilot {

inline constexpr double kTimeRequests = 10;  // TIMESYNC per second
inline constexpr double kHeartbeats = 1;     // per second

// bytes per second, at most
struct LineLoad {
  double out = 0, in = 0;
};
LineLoad line_load(double sensor_period);  // s between two readings of the sensors

double bytes_per_second(std::uint32_t baud);  // 8 data bits with a start and a stop bit

// An error, with the arithmetic, where the load takes more than 80 % of the line: the rest is for what else a board sends. The baud rate of USB has no effect, and any is
// taken for it, so that one which is given is meant.
core::Status check_line(const LinkAddress& device, double sensor_period);

}  // namespace volary::autopilot
