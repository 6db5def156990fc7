// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "autopilot/fence.hpp"

#include "math/scalar.hpp"

namespace volary::autopilot {

using mavlink::Command;

Fence::Fence(const MissionPlan& plan, const Place& place) {
  const auto corner = [&](const MissionItem& item) -> std::array<double, 2> {
    const Vec p = place.in_world({item.x * 1e-7, item.y * 1e-7, place.on_earth({0, 0, 0}).altitude});
    return {p[0], p[1]};
  };
  for (std::size_t k = 0; k < plan.size();) {
    const auto command = static_cast<Command>(plan[k].command);
    Area area;
    area.is_inclusion = command == Command::NavFencePolygonVertexInclusion || command == Command::NavFenceCircleInclusion;
    const bool is_circle = command == Command::NavFenceCircleInclusion || command == Command::NavFenceCircleExclusion;
    const std::size_t n = is_circle ? 1 : static_cast<std::size_t>(plan[k].param1);
    if (is_circle)
      area.centre = corner(plan[k]), area.radius = plan[k].param1;
    else
      for (std::size_t j = 0; j < n; ++j) area.corners.push_back(corner(plan[k + j]));
    areas_.push_back(std::move(area));
    k += n;
  }
}

// a point is inside a polygon when a ray from it crosses an odd number of its sides
bool Fence::holds(const Area& area, const Vec& p) {
  if (area.corners.empty()) {
    const double x = p[0] - area.centre[0], y = p[1] - area.centre[1];
    return x * x + y * y <= area.radius * area.radius;
  }
  bool inside = false;
  for (std::size_t k = 0, last = area.corners.size() - 1; k < area.corners.size(); last = k++) {
    const auto &a = area.corners[k], &b = area.corners[last];
    const bool crosses = (a[1] > p[1]) != (b[1] > p[1]);
    if (crosses && p[0] < (b[0] - a[0]) * (p[1] - a[1]) / (b[1] - a[1]) + a[0]) inside = !inside;
  }
  return inside;
}

// inside of every area to stay in, as PX4 has it, and outside of every other
std::string Fence::breach_at(const Vec& p, const Vec& home, double reach, double height) const {
  for (const Area& area : areas_) {
    if (area.is_inclusion && !holds(area, p)) return "left an inclusion area";
    if (!area.is_inclusion && holds(area, p)) return "entered an exclusion area";
  }
  const double x = p[0] - home[0], y = p[1] - home[1];
  if (reach > 0 && x * x + y * y > reach * reach) return "too far from home";
  if (height > 0 && p[2] - home[2] > height) return "too high above home";
  return "";
}

}  // namespace volary::autopilot
