// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/interact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "engine/data.hpp"
#include "environment/obstacles.hpp"
#include "environment/terrain.hpp"
#include "math/functions.hpp"

namespace volary::engine {

Surface surface_near(const EnvironmentDef& e, const Vec& p, double within) {
  Surface s{std::numeric_limits<double>::infinity(), {0, 0, 1}, "the ground"};
  if (e.ground && e.terrain == nullptr) s.distance = p[2] - e.ground_height;
  if (e.ground && e.terrain != nullptr) {
    const double above = p[2] - e.terrain->height(p[0], p[1]);
    s.normal = e.terrain->normal(p[0], p[1]);
    s.distance = above * s.normal[2];
  }
  if (e.obstacles != nullptr)
    if (const obstacles::Nearest n = e.obstacles->nearest(p, within); n && n.distance < s.distance) s = {n.distance, n.normal, e.obstacles->name(n)};
  return s;
}

std::string place_text(const Vec& p) { return fmt::format("({:.2f}, {:.2f}, {:.2f}) m ENU", p[0], p[1], p[2]); }

bool line_of_sight(const EnvironmentDef& e, const Vec& from, const Vec& to) {
  return (e.terrain == nullptr || e.terrain->sees(from, to)) && (e.obstacles == nullptr || e.obstacles->sees(from, to));
}

bool Interaction::has_crashed(VehicleId id) const { return std::binary_search(crashed.begin(), crashed.end(), id.value); }

bool Interaction::is_detached(VehicleId id) const {
  const auto at = std::lower_bound(detached.begin(), detached.end(), Detached{id.value, 0});
  return at != detached.end() && at->id == id.value;
}

bool note_crash(std::vector<std::uint64_t>& crashed, VehicleId id) {
  const auto at = std::lower_bound(crashed.begin(), crashed.end(), id.value);
  if (at != crashed.end() && *at == id.value) return false;
  crashed.insert(at, id.value);
  return true;
}

void prepare_interaction(Data& d) {
  for (std::size_t k = 0; k < d.flocks.size(); ++k) {
    d.interaction.touches = d.interaction.touches || d.flocks[k].def.node.contact.policy != ContactPolicy::Ignore;
    d.interaction.docks = d.interaction.docks || (d.flocks[k].joined != nullptr && d.flocks[k].joined->docks());
    d.interaction.detects = d.interaction.detects || d.societies[k].detect_every > 0;
  }
}

}  // namespace volary::engine
