// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/hardware/line_load.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "autopilot/mavlink/frame.hpp"

namespace volary::autopilot {

namespace {

constexpr double kFrame = 12;              // bytes around a payload
constexpr double kBitsPerByte = 10;        // on the line
constexpr double kMostShare = 0.8;         // of a line that the loop may take
constexpr double kSatellitesPerSecond = 10;  // of the preset px4_sitl

// extensions are zero here, and not sent
template <class M> constexpr double bytes_of() { return kFrame + static_cast<double>(M::kBaseLength); }

}  // namespace

double bytes_per_second(std::uint32_t baud) { return static_cast<double>(baud) / kBitsPerByte; }

LineLoad line_load(double sensor_period) {
  const double around = bytes_of<mavlink::Timesync>() * kTimeRequests + bytes_of<mavlink::Heartbeat>() * kHeartbeats;
  return {.out = bytes_of<mavlink::HilSensor>() / sensor_period + bytes_of<mavlink::HilGps>() * kSatellitesPerSecond + around,
          .in = bytes_of<mavlink::HilActuatorControls>() / sensor_period + around};
}

core::Status check_line(const LinkAddress& device, double sensor_period) {
  const LineLoad load = line_load(sensor_period);
  const double line = bytes_per_second(device.baud), rate = 1 / sensor_period, most = std::max(load.out, load.in);
  if (most <= kMostShare * line) return core::ok();
  return core::Error{
      .message = fmt::format("{}: {} baud carry {:.0f} bytes/s, and the loop may take {:.0f} % of that. It needs {:.0f} bytes/s out (HIL_SENSOR: {:.0f} bytes, "
                             "{:.0f} times per second) and {:.0f} bytes/s in (HIL_ACTUATOR_CONTROLS: {:.0f} bytes, {:.0f} times per second)",
                             device.host, device.baud, line, 100 * kMostShare, load.out, bytes_of<mavlink::HilSensor>(), rate, load.in,
                             bytes_of<mavlink::HilActuatorControls>(), rate),
      .suggestion = fmt::format("use 921600 baud; at least {:.0f}", most / kMostShare * kBitsPerByte)};
}

}  // namespace volary::autopilot
