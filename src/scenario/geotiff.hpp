// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Heights of a GeoTIFF (OGC 19-008r4) about a place: maps in degrees of WGS 84 and its kin, and maps projected in metres. Anything that would
// need a guess (another datum, feet, a rotated picture, several bands, lossy compression) is refused with its code.
#pragma once

#include <string>

#include "core/result.hpp"
#include "environment/terrain.hpp"
#include "scenario/scenario_def.hpp"

namespace volary::scenario {

// errors name fields of `f` below "terrain.geotiff."
core::Result<terrain::Heights> read_geotiff(const std::string& bytes, const GeotiffTerrainFile& f);

}  // namespace volary::scenario
