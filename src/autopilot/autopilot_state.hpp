// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What an autopilot says over MAVLink of itself and of its vehicle. Suffix _N: NED, _F: body FRD.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "autopilot/mavlink/frame.hpp"
#include "autopilot/place.hpp"
#include "autopilot/status_texts.hpp"
#include "math/vec.hpp"

namespace volary::autopilot {

// a mode as DO_SET_MODE gives it; ArduPilot has no sub mode
struct ModeNumber {
  std::uint8_t main = 0, sub = 0;
};

// How projects number what a companion needs: modes that follow setpoints, land, stay without setpoints, return to the start, and fly a mission.
struct Dialect {
  mavlink::AutopilotKind kind;
  bool is_plane;           // of ArduPilot, whose plane has other numbers; PX4 has the same for all
  const char* name;        // "PX4"
  const char* guided_name;  // "Offboard"
  ModeNumber guided, land, stay, home, mission;
  bool streams_first;      // setpoints come before the mode, and lift it off the ground
};
// none: setpoints mean nothing to it
const Dialect* find_dialect(mavlink::AutopilotKind kind, mavlink::VehicleType type);

struct AutopilotState {
  mavlink::AutopilotKind kind = mavlink::AutopilotKind::Generic;
  mavlink::VehicleType type = mavlink::VehicleType::Generic;
  double heartbeat = -std::numeric_limits<double>::infinity();  // s: when it was last heard
  bool is_armed = false;
  bool is_ready = true;     // to arm; one that says nothing of it may try
  std::uint32_t mode = 0;   // in its own numbers
  mavlink::LandedState landed = mavlink::LandedState::Undefined;
  StatusTexts texts;

  std::optional<math::Vec3<double>> local_N;   // m, from its origin
  std::optional<LatLon> place;
  math::Vec3<double> local_velocity_N{0, 0, 0}, place_velocity_N{0, 0, 0};  // m/s, with each of them
  std::uint64_t n_local = 0, n_places = 0;     // how often they came
  std::optional<math::Quat<double>> attitude_N;
  math::Vec3<double> rate_F{0, 0, 0};          // rad/s

  void hear(const mavlink::Frame& frame, double now);
  bool has_spoken() const { return heartbeat > -std::numeric_limits<double>::infinity(); }
  bool is_in(ModeNumber mode) const;
  std::string mode_text() const;  // as ground stations call it
  bool is_airborne() const;
};

}  // namespace volary::autopilot
