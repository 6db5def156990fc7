// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A recorded flight flown again in closed loop: our multirotor under our control ladder with the recorded gains and reference, from the recorded
// state at the begin of a span on. Within the span nothing of the recording is seen but the reference. Two numbers that nobody published, how much of the
// commanded thrust the rotors deliver and how fast the autopilot's integrals run, are identified on the rows outside the span (the integral of the position error runs on through it).
#pragma once

#include <vector>

#include "core/result.hpp"
#include "vehicles/multirotor_def.hpp"
#include "validation/tracking_log.hpp"

namespace volary::validation {

struct TrackingFlight {
  double identified = 0;  // s of the flight outside the span; below kLeastIdentified the two numbers that follow stay 1
  double delivered = 1;  // thrust of the rotors over what was commanded: the mean command there carries the published mass
  double integral_rate = 1;  // how fast the recorded autopilot's integrals run beside its clock, as its commanded thrust shows
  std::size_t first = 0;  // row of the recording where it begins
  std::vector<TrackedRow> rows;  // one for each row of the recording from `first` to the end of the span: time, position, velocity, attitude, rate
};

inline constexpr double kLeastIdentified = 2;  // s

// what is scored unless somebody asks for another window: all but the first part of the flight, or all of a flight that is too short for that
Span scored_span(const TrackingLog& log);

// `def` is the vehicle as published; the autopilot believes in its mass
core::Result<TrackingFlight> fly_again(const TrackingLog& log, const airframe::MultirotorDef& def, const Span& span);

// The inner loop of the recording is one PID on angles (p, d, i); ours is P on attitude (a) over PI on rates (r, j). Both are the same law for
// r = d, a r + j = p, a j = i.
struct InnerGains {
  double attitude_p = 0, rate_p = 0, rate_i = 0;
};
InnerGains inner_gains(double p, double d, double i);

}  // namespace volary::validation
