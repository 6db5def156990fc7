// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a client asks about the vehicles of the live world (GET /api/live/vehicles), read from an address.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "server/http.hpp"

namespace volary::server {

struct VehicleQuery {
  static constexpr std::size_t kMost = 10'000;  // vehicles in one answer

  std::vector<std::string> who;      // names or numbers; empty: every vehicle
  std::vector<std::string> columns;  // columns of the world to read; empty: none, and the answer lists those that there are
  std::string flock;                 // only its vehicles; empty: of all flocks
  std::size_t offset = 0, limit = 1000;
};
core::Result<VehicleQuery> parse_vehicle_query(const Target& target);

}  // namespace volary::server
