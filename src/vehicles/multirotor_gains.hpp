// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Gains of the control ladder from the airframe's dynamics, for everything a ControllerDef leaves at zero.
//
// The rule: the motor is the slowest thing below the rate loop, so it sets the bandwidth of the rate loop,
// and each level above gets a third of the bandwidth below it.
//
//   lag             mean motor time constant, shortened by rate_d to at most 0.01 s (or four substeps)
//   rate            w = 1 / (3 lag), at most 30 1/s and 0.3 / substep: damping 0.87 with the motor's lag
//   yaw rate        w / 2 without rate_d, because reaction torque is weak
//   attitude        w / 3; yaw w / 6
//   velocity        attitude / 3; vertical 0.6 attitude: thrust needs no tilting first
//   position        velocity / 3
//
// Limits come from what the airframe can do in hover (vehicles/multirotor_derive.hpp, Figures).
#pragma once

#include "vehicles/multirotor_def.hpp"
#include "volary/def.hpp"

namespace volary::airframe {

struct Figures;

ControllerDef resolve_gains(const ControllerDef& wanted, const MultirotorDef& def, double gravity, double substep);

// rad: where the integral of the rate error asks for 0.3 of the angular acceleration there is
Triple rate_integral_limit(const ControllerDef& resolved, const Figures& figures);

}  // namespace volary::airframe
