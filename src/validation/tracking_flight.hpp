// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A recorded flight flown again in closed loop: our multirotor under our control ladder with the recorded gains and reference, from the recorded
// state at the first airborne moment on. Nothing of the recording is seen after that but the reference.
#pragma once

#include <vector>

#include "core/result.hpp"
#include "vehicles/multirotor_def.hpp"
#include "validation/tracking_log.hpp"

namespace volary::validation {

struct TrackingFlight {
  double delivered = 1;           // thrust of the rotors over what was commanded: the mean command of the recording carries the published mass
  double integral_rate = 1;       // how fast the recorded autopilot's integrals run beside its clock, as its commanded thrust shows
  std::size_t first = 0;          // row of the recording where it begins
  std::vector<TrackedRow> rows;   // one for each row of the recording from `first` to the end of the span: time, position, velocity, attitude, rate
};

// `def` is the vehicle as published; the autopilot believes in its mass
core::Result<TrackingFlight> fly_again(const TrackingLog& log, const airframe::MultirotorDef& def, const Span& span);

// The inner loop of the recording is one PID on angles (p, d, i); ours is P on attitude (a) over PI on rates (r, j). Both are the same law for
// r = d, a r + j = p, a j = i.
struct InnerGains {
  double attitude_p = 0, rate_p = 0, rate_i = 0;
};
InnerGains inner_gains(double p, double d, double i);

}  // namespace volary::validation
