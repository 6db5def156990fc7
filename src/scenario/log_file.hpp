// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Mirrors that logs of autopilots move: each log becomes a track, which says where its vehicle is. A bundle keeps the flight (logs/flight.hpp), not the log.
#pragma once

#include <string>
#include <vector>

#include "core/result.hpp"
#include "logs/track.hpp"
#include "scenario/placement.hpp"
#include "scenario/places.hpp"
#include "scenario/scenario_def.hpp"

namespace volary::scenario {

// Fills `flock.tracks`, and says where the vehicles begin. Errors name the field from `field` on, such as flocks[0].vehicles.logs.
core::Result<std::vector<Placed>> place_logs(const std::vector<LogFile>& files, const EnvironmentDef& environment, const Places& places,
                                             const std::string& field, FlockDef& flock);

// position, velocity, yaw and mode at the start
void begin_on_track(const logs::Track& track, VehicleDef& vehicle);

}  // namespace volary::scenario
