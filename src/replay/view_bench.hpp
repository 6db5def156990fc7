// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// How small and how fast the view codec is on given flights, on one core.
#pragma once

#include "replay/view_flights.hpp"

namespace volary::replay {

struct CodecFigures {
  double bytes_per_agent_second = 0;
  double encode_rate = 0, decode_rate = 0;                     // agent-ticks per second; decoding gives every tick
  double motion_knots_per_second = 0, turn_knots_per_second = 0;  // of each agent
  double worst_position = 0, worst_velocity = 0, worst_angle = 0;  // m, m/s, rad, over every tick
  std::uint64_t samples = 0;                                   // agent-ticks measured
};

// blocks of 10 s, up to 512 vehicles in each; decoding is repeated so often
CodecFigures measure_codec(const Flights& flights, const Bounds& bounds, int repeats = 3);

}  // namespace volary::replay
