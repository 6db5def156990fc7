// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The terrain of a scenario: heights from a picture, an SRTM tile or a GeoTIFF, beside the scenario or in assets/terrain.
#pragma once

#include <memory>
#include <string>

#include "core/result.hpp"
#include "environment/terrain.hpp"
#include "scenario/files.hpp"
#include "scenario/scenario_def.hpp"

namespace volary::scenario {

core::Result<std::shared_ptr<const terrain::Terrain>> make_terrain(const TerrainFile& file, const std::string& folder, const std::string& assets,
                                                                   const Files& files);

}  // namespace volary::scenario
