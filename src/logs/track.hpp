// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A flight in a world: when it begins there, and where. The engine asks for the state of the vehicle at every tick.
#pragma once

#include <limits>
#include <memory>

#include "logs/flight.hpp"
#include "math/vec.hpp"
#include "volary/input.hpp"

namespace volary::logs {

struct Track {
  std::shared_ptr<const Flight> flight;
  double start = 0;                                           // s of the world at which `from` is flown
  double from = 0;                                            // s of the flight: the vehicle stands there before
  double until = std::numeric_limits<double>::infinity();     // s of the flight: the vehicle stands there after
  math::Mat3<double> R_WL = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};  // from the axes of the log to those of the world
  Vec origin_W = {0, 0, 0};                                   // m: position 0 of the log

  double flight_time(double time) const;  // s of the flight at a time of the world, between its ends
};

// the state at a time of the world (s); at rest before, after and in gaps
SetState state_at(const Track& track, double time);
// the mode, and disarmed before the first one
Mode mode_at(const Track& track, double time);
// notes of the flight with times in [after, up_to) of the world, in order
std::vector<const Note*> notes_between(const Track& track, double after, double up_to);

// turned and moved from the origin of the log to the origin of a world, both places on the Earth
void put_on_earth(Track& track, const Place& world_origin);
// moved so that the vehicle begins at a position
void put_at(Track& track, const Vec& position_W);

}  // namespace volary::logs
