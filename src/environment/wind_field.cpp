// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "environment/wind_field.hpp"

#include <cmath>
#include <string>
#include <utility>

namespace volary::wind_field {

core::Status check(const Grid& g) {
  const std::pair<const char*, const Axis*> axes[] = {{"east", &g.east}, {"north", &g.north}, {"up", &g.up}, {"time", &g.time}};
  for (const auto& [name, axis] : axes) {
    if (axis->nodes < 1) return core::Error{.message = "has no nodes", .field = name};
    if (!(axis->step > 0) || !std::isfinite(axis->step) || !std::isfinite(axis->first))
      return core::Error{.message = "needs a first node and a positive step", .field = name};
  }
  if (g.nodes_per_frame() > 4000000) return core::Error{.message = "has more than 4,000,000 nodes at a time", .field = "east, north, up"};
  const std::pair<const char*, const std::vector<float>*> values[] = {{"wind_east", &g.wind_east}, {"wind_north", &g.wind_north}, {"wind_up", &g.wind_up}};
  for (const auto& [name, v] : values) {
    if (v->size() != g.nodes())
      return core::Error{.message = "has " + std::to_string(v->size()) + " values for " + std::to_string(g.nodes()) + " nodes", .field = name};
    for (std::size_t k = 0; k < v->size(); ++k) {
      if (std::isfinite((*v)[k])) continue;
      const std::size_t e = k % g.east.nodes, n = k / g.east.nodes % g.north.nodes, u = k / (g.east.nodes * g.north.nodes) % g.up.nodes;
      return core::Error{.message = "has a hole at east " + std::to_string(e) + ", north " + std::to_string(n) + ", up " + std::to_string(u) + ", time " +
                                    std::to_string(k / g.nodes_per_frame()) + " (nodes count from 0)",
                         .field = name};
    }
  }
  return core::ok();
}

}  // namespace volary::wind_field
