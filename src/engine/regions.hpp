// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Regions: where vehicles should stay, or stay away from.
#pragma once

#include "volary/def.hpp"

namespace volary::engine {

// m from a place to the nearest face of a region: positive inside, negative outside
double depth_in(const RegionDef& region, const Vec& position_W);

}  // namespace volary::engine
