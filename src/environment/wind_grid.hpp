// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A wind field on a regular grid at one moment, as vehicles meet it: linear between its nodes, going on beyond its edges as it is there.
// The grid itself, with all its times, is in wind_field.hpp.
#pragma once

#include <cstddef>

#include "math/functions.hpp"
#include "math/rows.hpp"

namespace volary::inline VOLARY_ISA::environment {

using namespace math;

// The grid at one time, for all vehicles of a tick: two frames and how far the time is from the first to the second.
template <class S> struct WindGridNow {
  const float* frames[2][3];  // east, north, up
  S later;  // 0 to 1
  S first[3], per_step[3], last[3];  // of east, north, up: m; 1/m; number of the last node
  std::size_t next[3];  // from a node to the next along each axis; 0 where there is only one
};

// one lane: the cell's corners, weighted
template <class S> VOLARY_HD Vec3<S> wind_of_cell(const WindGridNow<S>& g, const S* position) {
  std::size_t corner = 0;
  S part[3];
  for (int a = 0; a < 3; ++a) {
    // whole and fraction; the last node belongs to the cell before it, so that its neighbour exists. A place that is no number counts as the first
    // node
    const S at = min(max((position[a] - g.first[a]) * g.per_step[a], S(0)), g.last[a]);
    const S whole = min(floor(at), max(g.last[a] - S(1), S(0)));
    part[a] = at - whole;
    corner += static_cast<std::size_t>(whole) * g.next[a];
  }
  const S early = S(1) - g.later;
  S out[3];
  for (int c = 0; c < 3; ++c) {
    S v[8];
    for (std::size_t k = 0; k < 8; ++k) {
      const std::size_t node = corner + (k & 1) * g.next[0] + (k >> 1 & 1) * g.next[1] + (k >> 2) * g.next[2];
      v[k] = fma(g.later, S(g.frames[1][c][node]), early * S(g.frames[0][c][node]));
    }
    for (int k = 0; k < 4; ++k) v[k] = fma(part[0], v[2 * k + 1] - v[2 * k], v[2 * k]);
    for (int k = 0; k < 2; ++k) v[k] = fma(part[1], v[2 * k + 1] - v[2 * k], v[2 * k]);
    out[c] = fma(part[2], v[1] - v[0], v[0]);
  }
  return {out[0], out[1], out[2]};
}

// the wind at a place, m/s. Lanes are in different cells, so each is looked up by itself
template <class T> VOLARY_HD Vec3<T> grid_wind_at(const WindGridNow<Scalar<T>>& g, const Vec3<T>& position_W) {
  using S = Scalar<T>;
  alignas(64) S x[kBlock], y[kBlock], z[kBlock];
  store(x, position_W.x);
  store(y, position_W.y);
  store(z, position_W.z);
  for (int lane = 0; lane < kLanes<T>; ++lane) {
    const S position[3] = {x[lane], y[lane], z[lane]};
    const Vec3<S> v = wind_of_cell<S>(g, position);
    x[lane] = v.x, y[lane] = v.y, z[lane] = v.z;
  }
  return {load(x, T()), load(y, T()), load(z, T())};
}

}  // namespace volary::inline VOLARY_ISA::environment
