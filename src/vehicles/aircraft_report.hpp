// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What an aircraft can do, for `volary vehicle check`: how it trims, how slow, fast and far it flies, and how it moves by itself when disturbed.
#pragma once

#include <optional>
#include <vector>

#include "core/result.hpp"
#include "vehicles/aircraft_def.hpp"
#include "vehicles/multirotor_report.hpp"

namespace volary::airframe {

// of an aircraft that check_aircraft accepts, at sea level and standard gravity; an error where check_trim has one
core::Result<std::vector<ReportRow>> report_aircraft(const AircraftDef& def);

// what its controllers ask of it, in still air at sea level
struct FlightLimits {
  double airspeed_min = 0, airspeed_max = 0;  // m/s
  double climb = 0;                           // m/s
};
std::optional<FlightLimits> flight_limits(const AircraftDef& def, double gravity);  // none: it does not trim there

}  // namespace volary::airframe
