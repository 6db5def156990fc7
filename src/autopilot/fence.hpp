// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The geofence of a vehicle: areas to stay in and areas to stay out of, and a cylinder about home. Pure.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "autopilot/mission_plan.hpp"

namespace volary::autopilot {

class Fence {
 public:
  Fence() = default;
  Fence(const MissionPlan& plan, const Place& place);

  bool is_empty() const { return areas_.empty(); }
  // what is broken at a position; empty: nothing. `reach` and `height` are the limits about home, 0: none.
  std::string breach_at(const Vec& position_W, const Vec& home_W, double reach, double height) const;

 private:
  struct Area {
    bool is_inclusion = true;
    std::vector<std::array<double, 2>> corners;   // m, east north; empty: a circle
    std::array<double, 2> centre = {0, 0};
    double radius = 0;
  };
  static bool holds(const Area& area, const Vec& position_W);

  std::vector<Area> areas_;
};

}  // namespace volary::autopilot
