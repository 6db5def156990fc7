// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A flight along a reference under a PID autopilot, as the ACSL flight stack records it (NED, FRD), with the gains it was flown with. Files are known
// by their columns; the gains lie beside them.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "math/vec.hpp"
#include "validation/rotor_log.hpp"

namespace volary::validation {

// one moment, turned to ENU and FLU
struct TrackedRow {
  double time = 0;                                            // s
  math::Vec3<double> wanted_position, wanted_velocity, wanted_acceleration;  // W
  double wanted_yaw = 0, wanted_yaw_rate = 0;                 // rad counter-clockwise from east, rad/s
  math::Vec3<double> position, velocity;                      // W
  math::Quat<double> attitude;                                // WB
  math::Vec3<double> rate;                                    // B, rad/s
  double thrust = 0;                                          // N, commanded
};

// diagonal of each gain matrix, along the autopilot's own axes: north, east, down and roll, pitch, yaw
struct PidGains {
  std::array<double, 3> position_p{}, position_d{}, position_i{}, attitude_p{}, attitude_d{}, attitude_i{};
};

struct TrackingLog {
  std::string file, name;
  std::vector<TrackedRow> rows;
  PidGains gains;
  std::size_t active = 0;  // the first row with thrust: the autopilot's integrals begin there
  Span airborne;           // s: from 0.3 m above the start until it is below again for good
};

const std::vector<std::string>& tracking_log_columns();
core::Result<TrackingLog> read_tracking_log(const std::string& path);

// gains as lists of rows, or as {"scaling_coef", "matrix"}
core::Result<PidGains> parse_pid_gains(const std::string& text, const std::string& file);

}  // namespace volary::validation
