// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Obstacles as a page draws them: shapes as numbers, meshes as flat lists, coarser where they are too large to send.
#pragma once

#include <nlohmann/json.hpp>

#include "environment/obstacles.hpp"

namespace volary::scenario {

// of all meshes of a scene together
inline constexpr std::size_t kMostDrawnTriangles = 20'000;

// [{name, kind, centre, size, yaw, vertices, triangles}]: the size of a box, of a cylinder its radius and height, of a sphere its radius;
// the centre of a cylinder is that of its base; a mesh has vertices and triangles instead
nlohmann::json obstacles_of(const obstacles::Obstacles& obstacles);

// The same shape with at most that many triangles: corners that share a cell of a grid become one, and triangles that vanish are left out.
obstacles::Mesh coarser(const obstacles::Mesh& mesh, std::size_t most);

}  // namespace volary::scenario
