// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/share_by_cost.hpp"

#include <algorithm>

namespace volary::cluster {

namespace {

// ns per tick, roughly: a substep, and the part of a decision that falls on a tick
constexpr double kSubstep = 20, kDecision = 1000;

double cost_of(const FlockDef& f, const WorldDef& def) {
  double cost = kSubstep * def.substeps;
  if (!f.node.behaviours.empty())
    cost += kDecision * std::min(1.0, f.node.decision_rate * static_cast<double>(def.tick_ns) * 1e-9) * static_cast<double>(f.node.behaviours.size());
  return cost;
}

}  // namespace

Sharing share_by_cost(const WorldDef& def, std::uint32_t members) {
  double whole = 0;
  for (const FlockDef& f : def.flocks) whole += cost_of(f, def) * static_cast<double>(f.vehicles.size());
  Sharing sharing{.members = members};
  double before = 0;
  const auto member_at = [&](double cost) { return std::min(members - 1, static_cast<std::uint32_t>(whole > 0 ? cost / whole * members : 0)); };
  for (const FlockDef& f : def.flocks) {
    const double each = cost_of(f, def);
    std::uint32_t member = member_at(before + 0.5 * each);
    sharing.parts.push_back({f.name, 1, member});
    for (std::size_t k = 0; k < f.vehicles.size(); ++k, before += each)
      // the middle of a vehicle decides, so that few vehicles go to different processes
      if (const std::uint32_t now = member_at(before + 0.5 * each); now != member) sharing.parts.push_back({f.name, k + 1, member = now});
  }
  return sharing;
}

}  // namespace volary::cluster
