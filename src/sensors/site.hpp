// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The place on the Earth that the sensors of a world measure.
#pragma once

#include "sensors/sensor.hpp"

namespace volary::inline VOLARY_ISA::sensors {

// Where a world without an origin lies for its sensors: where the simulators of PX4 start, so that autopilots find the field that they expect.
inline constexpr OriginDef kSiteOrigin{47.397742, 8.545594, 488};

// The magnetic field and the air of the origin. Barometers feel an atmosphere even in a world whose density is the same at every height.
Site<double> make_site(const EnvironmentDef& environment);

}  // namespace volary::inline VOLARY_ISA::sensors
