// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Routes: straight legs with rounded corners at one speed, for what cannot stop at a point or turn on the spot.
// Seen from above, corners are arcs of one radius, tangent to both legs. Heights are those of the points at the middles of
// the arcs and linear along the rounded length between them; slopes change evenly over each arc, as on a road.
#pragma once

#include <string>

#include "core/result.hpp"
#include "scenario/scenario_def.hpp"

namespace volary::scenario {

// Pieces of degree 7: straight ones exactly, arcs within 2e-8 of their radius. A loop begins where the arc of its first point
// ends. `points` have been checked: finite, neighbours differ. Errors name the point from `field` on.
core::Result<Path> plan_route(const RouteFile& file, const std::string& field);

// the same loop, begun `share` of a lap later
Path begin_later(const Path& loop, double share);

}  // namespace volary::scenario
