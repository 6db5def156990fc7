// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A path of straight lines by the distance along it, open or closed.
#pragma once

#include <vector>

#include "swarm/behaviours/steering.hpp"

namespace volary::swarm {

struct OnPath {
  V3 position{0, 0, 0}, along{0, 0, 0};  // m; unit vector
};

inline double path_length(const std::vector<std::array<double, 3>>& points, bool closed) {
  double sum = 0;
  for (std::size_t k = 1; k < points.size(); ++k) sum += distance(to_v3(points[k - 1]), to_v3(points[k]));
  if (closed && points.size() > 1) sum += distance(to_v3(points.back()), to_v3(points.front()));
  return sum;
}

// where the path is after a distance; before its start and after its end it stands still, a closed one goes round
inline OnPath on_path(const std::vector<std::array<double, 3>>& points, bool closed, double far) {
  if (points.empty()) return {};
  const double whole = path_length(points, closed);
  if (whole <= 0) return {to_v3(points.front()), {0, 0, 0}};
  if (closed) far -= whole * math::floor(far / whole);
  far = math::max(0.0, far);
  const std::size_t legs = points.size() - (closed ? 0 : 1);
  for (std::size_t k = 0; k < legs; ++k) {
    const V3 from = to_v3(points[k]), to = to_v3(points[(k + 1) % points.size()]);
    const double length = distance(from, to);
    if (far <= length && length > 0) return {add_scaled(far / length, to - from, from), direction(to - from)};
    far -= length;
  }
  return {to_v3(closed ? points.front() : points.back()), {0, 0, 0}};
}

}  // namespace volary::swarm
