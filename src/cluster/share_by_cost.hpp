// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// How the vehicles of a scenario are divided among processes when nobody says so.
#pragma once

#include "volary/def.hpp"
#include "volary/sharing.hpp"

namespace volary::cluster {

// Stretches of flocks, in the order of the definition, whose estimated costs are equal. Vehicles with behaviours count more, and so do small substeps.
Sharing share_by_cost(const WorldDef& def, std::uint32_t members);

}  // namespace volary::cluster
