// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The air for people to look at: wind on a small grid about the swarm, and what the air is like in its middle (GET /api/air).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "server/http.hpp"
#include "volary/world.hpp"

namespace volary::server {

// what is asked for
struct AirQuery {
  std::optional<std::array<double, 4>> box;  // m: west, south, east, north; absent: about the swarm
  std::vector<double> heights = {20};        // m above the ground, one layer of arrows each
  std::size_t side = 12;                     // arrows along each side of a layer
  std::uint32_t world = 0;                   // of the batch
};

core::Result<AirQuery> parse_air_query(const Target& target);
std::string air_text(const World& world, const AirQuery& query);

}  // namespace volary::server
