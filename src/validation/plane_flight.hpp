// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A logged flight flown again: an aeroplane of ours under our control laws, with the gains and the demands of the log. Surfaces are not in such
// a log, so the loop is closed. What is not known of the real aeroplane is identified on stretches of the flight that are not scored.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "validation/plane_log.hpp"
#include "vehicles/aircraft_def.hpp"

namespace volary::validation {

// one row per 0.02 s; angles in rad, rates in rad/s
struct PlaneResponse {
  std::vector<double> time, roll, pitch, p, q, r;
};

core::Result<PlaneResponse> fly_log(const airframe::AircraftDef& plane, const PlaneLog& log, double from, double to);

// The rudder, as a share of travel, that our laws give for the logged motion. It follows the aileron, which is not logged, by KFF_RDDRMIX.
core::Result<std::vector<double>> rudder_of_laws(const airframe::AircraftDef& plane, const PlaneLog& log, const std::vector<double>& times);

// What is identified: the airframe's own value times exp(x), or x added.
struct Unknown {
  const char* name;
  const char* unit;
  double& (*of)(airframe::AircraftDef& d);
  double step;   // what x = 1 adds; 0: x = 1 multiplies by e
};
inline constexpr std::size_t kUnknowns = 8;
using Identified = std::array<double, kUnknowns>;
const std::array<Unknown, kUnknowns>& unknowns();
airframe::AircraftDef with(const airframe::AircraftDef& plane, const Identified& x);

// Levenberg-Marquardt on the angles of the closed loop over these stretches. Each x is also drawn to 0, the airframe as it is, as strongly as if
// moving it by 1 cost half a degree: a short flight does not tell eight numbers apart.
core::Result<Identified> identify_plane(const airframe::AircraftDef& plane, const PlaneLog& log, const std::vector<Stretch>& stretches);

}  // namespace volary::validation
