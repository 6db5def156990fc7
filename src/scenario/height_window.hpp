// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The part of a map of heights that a scenario wants: a width and a depth about a centre, in whole nodes, in metres about the origin.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>

#include "environment/terrain.hpp"
#include "math/functions.hpp"
#include "scenario/field_error.hpp"

namespace volary::scenario {

struct PerDegree {
  double north, east;  // m
};
// length of a degree on the WGS-84 ellipsoid: radii of curvature in the meridian and in the prime vertical
inline PerDegree per_degree(double latitude) {
  constexpr double kRadius = 6378137.0, kFlattening = 1 / 298.257223563, kDegree = 0.017453292519943295;
  constexpr double e2 = kFlattening * (2 - kFlattening);
  double s, c;
  math::sincos(latitude * kDegree, s, c);
  const double under = 1 - e2 * s * s, root = math::sqrt(under);
  return {kRadius * (1 - e2) / (under * root) * kDegree, kRadius / root * c * kDegree};
}

struct MapAxis {
  std::size_t nodes;     // on the whole map
  double centre;         // in nodes from the west or the south
  double step;           // m between nodes
  double length;         // m wanted
  const char* place;     // fields that complaints name
  const char* extent;
};

// the first and the last node of a map's axis that the scenario needs
struct NodeRange {
  std::size_t first, last;
  std::size_t count() const { return last - first + 1; }
};
inline core::Result<NodeRange> choose_nodes(const MapAxis& a, const std::string& field, const std::string& place_text, const char* what) {
  const double most = static_cast<double>(a.nodes - 1), half = 0.5 * a.length / a.step;
  if (!(a.centre >= 0 && a.centre <= most)) return error_at(field + a.place, place_text + " is not in this " + what);
  if (a.centre - half < 0 || a.centre + half > most)
    return error_at(field + a.extent, fmt::format("{} m reach beyond the {}", a.length, what), fmt::format("a smaller {} or another centre", a.extent));
  return NodeRange{static_cast<std::size_t>(math::floor(a.centre - half)), std::min(a.nodes - 1, static_cast<std::size_t>(math::floor(a.centre + half)) + 1)};
}

// the grid without its heights
inline terrain::Heights grid_of(const MapAxis& east, const NodeRange& columns, const MapAxis& north, const NodeRange& rows) {
  return {columns.count(),
          rows.count(),
          (static_cast<double>(columns.first) - east.centre) * east.step,
          (static_cast<double>(rows.first) - north.centre) * north.step,
          east.step,
          north.step,
          {}};
}

inline core::Error unmeasured(const std::string& field, std::size_t n_voids, std::size_t n) {
  return error_at(field, fmt::format("{} of {} heights were not measured here", n_voids, n), "voids: 600 would set them to 600 m");
}

}  // namespace volary::scenario
