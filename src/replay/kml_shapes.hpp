// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Places of the world as elements of OGC KML 2.2 (07-147r2): points, rings, zones as bodies between floor and ceiling, and where a task is about
// a place, that place.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "environment/geodesy.hpp"
#include "volary/def.hpp"

namespace volary::replay {

using EarthFrame = environment::LocalFrame<double>;

// "8.59,46.65,1440": degrees and metres above the ellipsoid; the last place is below a tenth of a millimetre
std::string kml_coordinates(const EarthFrame& frame, const Vec& position_W);
std::string kml_point(const EarthFrame& frame, const Vec& position_W);
// a polygon on the ground, or a body, as far as floor and ceiling are finite
std::string kml_zone(const EarthFrame& frame, const RegionDef& region);
// the places that the conditions of a task name: positions to reach, regions, an area to cover; empty: none
std::string kml_task_places(const EarthFrame& frame, std::span<const RegionDef> regions, const TaskDef& task);

}  // namespace volary::replay
