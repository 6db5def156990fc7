// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/regions.hpp"

#include <algorithm>
#include <limits>

#include "engine/data.hpp"
#include "math/scalar.hpp"

namespace volary::engine {

namespace {

// A rule counts as kept again only this far on the right side: who hovers on the edge is not told about every tick.
constexpr double kClear = 0.25;  // m

using Flat = std::array<double, 2>;

double distance2_to_edge(const Flat& p, const Flat& a, const Flat& b) {
  const double ex = b[0] - a[0], ey = b[1] - a[1], px = p[0] - a[0], py = p[1] - a[1];
  const double length2 = ex * ex + ey * ey;
  const double along = length2 > 0 ? std::clamp((px * ex + py * ey) / length2, 0.0, 1.0) : 0.0;
  const double dx = px - along * ex, dy = py - along * ey;
  return dx * dx + dy * dy;
}

double depth_in_polygon(const std::vector<Flat>& corners, const Flat& p) {
  double nearest2 = std::numeric_limits<double>::infinity();
  bool inside = false;
  for (std::size_t i = 0, j = corners.size() - 1; i < corners.size(); j = i++) {
    const Flat &a = corners[i], &b = corners[j];
    nearest2 = std::min(nearest2, distance2_to_edge(p, a, b));
    // a ray to the east crosses the outline an odd number of times from inside
    const bool spans = (a[1] > p[1]) != (b[1] > p[1]);
    if (spans && p[0] < (b[0] - a[0]) * (p[1] - a[1]) / (b[1] - a[1]) + a[0]) inside = !inside;
  }
  return inside ? math::sqrt(nearest2) : -math::sqrt(nearest2);
}

bool is_broken(const RegionDef& r, const Vec& position_W, bool before) {
  const double depth = depth_in(r, position_W), right_side = r.rule == RegionRule::KeepIn ? depth : -depth;
  return before ? right_side < kClear : right_side < 0;
}

std::string words_of(const RegionDef& r, bool broken) {
  if (r.rule == RegionRule::KeepIn) return broken ? "left " + r.name + ", a region to stay in" : "back in " + r.name;
  return broken ? "entered " + r.name + ", a region to stay out of" : "left " + r.name;
}

}  // namespace

double depth_in(const RegionDef& r, const Vec& p) {
  const Flat at = {p[0], p[1]};
  double flat;
  if (r.corners.empty()) {
    const double dx = at[0] - r.centre[0], dy = at[1] - r.centre[1];
    flat = r.radius - math::sqrt(dx * dx + dy * dy);
  } else {
    flat = depth_in_polygon(r.corners, at);
  }
  return std::min({flat, p[2] - r.floor, r.ceiling - p[2]});
}

void watch_regions(Data& d) {
  if (d.def.regions.empty()) return;
  for (Flock& f : d.flocks) {
    if (f.shown.position == nullptr) continue;
    f.breaches.resize(f.slots);
    for (std::size_t s = 0; s < f.slots; ++s) {
      const std::uint32_t at = d.frame.place_of[f.index][s];
      if (at == Frame::kNobody) continue;
      const Vec& p = d.frame.position[at];
      for (std::size_t k = 0; k < d.def.regions.size(); ++k) {
        const RegionDef& r = d.def.regions[k];
        if (r.rule == RegionRule::Mark) continue;
        const std::uint64_t bit = std::uint64_t{1} << k;
        const bool before = (f.breaches[s] & bit) != 0, now = is_broken(r, p, before);
        if (now == before) continue;
        f.breaches[s] ^= bit;
        add_event(d, f.ids[s], f.names[s], words_of(r, now));
      }
    }
  }
}

}  // namespace volary::engine
