// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What an aircraft can do, for `volary vehicle check`: how it trims, how slow, fast and far it flies, and how it moves by itself when disturbed.
#pragma once

#include <vector>

#include "core/result.hpp"
#include "vehicles/aircraft_def.hpp"
#include "vehicles/multirotor_report.hpp"

namespace volary::airframe {

// of an aircraft that check_aircraft accepts, at sea level and standard gravity; an error where check_trim has one
core::Result<std::vector<ReportRow>> report_aircraft(const AircraftDef& def);

}  // namespace volary::airframe
