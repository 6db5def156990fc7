// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The flight log of an aeroplane with ArduPlane, a folder of one CSV file per kind of message, and what its parameters mean to our control laws.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "control/wing_gains.hpp"
#include "core/result.hpp"

namespace volary::validation {

// a signal over time, straight between its samples
struct Signal {
  std::vector<double> time, value;  // s
  double at(double t) const;
};

struct ModeChange {
  double time = 0;  // s
  int mode = 0;     // ArduPlane's numbers: 5 fly by wire A, 10 automatic, ...
};

struct PlaneLog {
  std::string folder;
  Signal roll, pitch;                             // rad
  Signal p, q, r;                                 // rad/s, FRD
  Signal wanted_roll, wanted_pitch;               // rad
  Signal throttle, rudder;                        // 0..1; share of travel, to the right
  Signal airspeed, height;                        // m/s, m
  std::vector<ModeChange> modes;                  // one per change
  std::map<std::string, double> parameters;

  double begin() const { return roll.time.front(); }
  double end() const { return roll.time.back(); }
  double mode_since(double t) const;              // when the mode that holds at t was entered
};

inline constexpr int kAutomaticMode = 10;

struct Stretch {
  double from = 0, to = 0;  // s
  int mode = 0;
  double length() const { return to - from; }
};

// folders that hold such a log: this one, or those inside it
std::vector<std::string> find_plane_logs(const std::string& folder);
core::Result<PlaneLog> read_plane_log(const std::string& folder);

// The times in which the autopilot held roll and pitch, in the air: faster than its least airspeed.
std::vector<Stretch> controlled_stretches(const PlaneLog& log);

// The parameters as gains of wing_attitude and wing_guidance (docs/wings.md has the table); what they do not say stays as it is in `base`.
core::Result<control::WingGains<double>> gains_of(const PlaneLog& log, const control::WingGains<double>& base);

}  // namespace volary::validation
