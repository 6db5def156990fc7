// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A wind field on a regular grid in space and time, such as a weather model or a flow computation gives. Reading files is the scenario's; a hole is
// an error, never a guess. Vehicles meet it through wind_grid.hpp.
#pragma once

#include <cstddef>
#include <vector>

#include "core/result.hpp"
#include "environment/wind_grid.hpp"

namespace volary::wind_field {

// one axis of the grid; a single node means no change along it
struct Axis {
  std::size_t nodes = 1;
  double first = 0;  // m, or s for time
  double step = 1;
};

struct Grid {
  Axis east, north, up, time;
  // m/s; node (t, u, n, e) is ((t * up.nodes + u) * north.nodes + n) * east.nodes + e
  std::vector<float> wind_east, wind_north, wind_up;

  std::size_t nodes_per_frame() const { return east.nodes * north.nodes * up.nodes; }
  std::size_t nodes() const { return nodes_per_frame() * time.nodes; }
};

// sizes agree, steps are positive, nothing is missing
core::Status check(const Grid& grid);

// for all vehicles of a tick; before the first time it is as then, after the last as then
template <class S> environment::WindGridNow<S> at_time(const Grid& g, double time) {
  environment::WindGridNow<S> now{};
  const double at = math::clamp((time - g.time.first) / g.time.step, 0.0, static_cast<double>(g.time.nodes - 1));
  const std::size_t frame = static_cast<std::size_t>(at), following = frame + 1 < g.time.nodes ? frame + 1 : frame;
  now.later = static_cast<S>(at - static_cast<double>(frame));
  const std::vector<float>* values[3] = {&g.wind_east, &g.wind_north, &g.wind_up};
  for (std::size_t c = 0; c < 3; ++c) {
    now.frames[0][c] = values[c]->data() + frame * g.nodes_per_frame();
    now.frames[1][c] = values[c]->data() + following * g.nodes_per_frame();
  }
  const Axis* axes[3] = {&g.east, &g.north, &g.up};
  std::size_t stride = 1;
  for (int a = 0; a < 3; ++a) {
    now.first[a] = static_cast<S>(axes[a]->first), now.per_step[a] = static_cast<S>(1 / axes[a]->step);
    now.last[a] = static_cast<S>(axes[a]->nodes - 1);
    now.next[a] = axes[a]->nodes > 1 ? stride : 0;
    stride *= axes[a]->nodes;
  }
  return now;
}

}  // namespace volary::wind_field
