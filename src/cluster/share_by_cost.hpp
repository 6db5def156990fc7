// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// How the vehicles of a scenario are divided among processes: as its section `federation` says, and by cost where it says nothing.
#pragma once

#include "scenario/scenario_def.hpp"
#include "volary/def.hpp"
#include "volary/sharing.hpp"

namespace volary::cluster {

// Stretches of flocks, in the order of the definition, whose estimated costs are equal. Vehicles with behaviours count more, and so do small substeps.
Sharing share_by_cost(const WorldDef& def, std::uint32_t members);
// Flocks that a node of the section names are its own; the others are divided among all nodes by cost.
Sharing share_by_section(const WorldDef& def, const scenario::FederationFile& section);

}  // namespace volary::cluster
