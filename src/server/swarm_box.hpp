// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The part of the ground that people look at: the box about all vehicles, with some room.
#pragma once

#include <algorithm>

#include "environment/terrain.hpp"
#include "volary/world.hpp"

namespace volary::server {

struct SwarmBox {
  double low[2] = {1e300, 1e300}, high[2] = {-1e300, -1e300};  // m, east north

  static SwarmBox about(const World& world) {
    constexpr double kMargin = 0.25, kLeast = 20;  // of the box, m
    SwarmBox box;
    for (const VehicleId id : world.vehicles()) box.add(world.position_of(id));
    for (std::size_t i = 0; i < 2; ++i) {
      if (box.high[i] < box.low[i]) box.low[i] = box.high[i] = 0;  // nobody is left
      const double more = kLeast + kMargin * (box.high[i] - box.low[i]);
      box.low[i] -= more;
      box.high[i] += more;
    }
    return box;
  }

 private:
  void add(const Vec& p) {
    for (std::size_t i = 0; i < 2; ++i) {
      low[i] = std::min(low[i], p[i]);
      high[i] = std::max(high[i], p[i]);
    }
  }
};

inline double ground_at(const EnvironmentDef& e, double east, double north) { return e.terrain != nullptr ? e.terrain->height(east, north) : e.ground_height; }

}  // namespace volary::server
