// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Regions of a scenario file, checked and made flat.
#pragma once

#include <vector>

#include "core/result.hpp"
#include "scenario/scenario_def.hpp"

namespace volary::scenario {

core::Result<RegionDef> make_region(const std::vector<RegionFile>& regions, std::size_t index);

}  // namespace volary::scenario
