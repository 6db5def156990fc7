// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/share_by_cost.hpp"

#include <algorithm>
#include <functional>

#include "scenario/joined_flocks.hpp"

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

// the flocks that a flock names because their vehicles share scenes with its own: they dock, or carry a load together
std::vector<const FlockDef*> partners_of(const FlockDef& f, const WorldDef& def) {
  std::vector<const FlockDef*> partners;
  for (const std::string& name : scenario::partners_of(f))
    for (const FlockDef& other : def.flocks)
      if (other.name == name) partners.push_back(&other);
  return partners;
}
bool is_partner(const FlockDef& f, const WorldDef& def) { return scenario::partners_of(f).empty() && scenario::has_partners(f, def); }

// the member that a flock is given to, or kNobody: it is divided
using Home = std::function<std::uint32_t(const std::string& flock)>;

Sharing share(const WorldDef& def, std::uint32_t members, const Home& home) {
  double whole = 0;
  for (const FlockDef& f : def.flocks)
    if (home(f.name) == Sharing::kNobody) whole += cost_of(f, def) * static_cast<double>(f.vehicles.size());
  Sharing sharing{.members = members};
  // the vehicles of partners go where those go that name them
  const auto add = [&](const FlockDef& f, std::uint64_t first_place, std::uint32_t member) {
    sharing.parts.push_back({f.name, first_place, member});
    for (const FlockDef* partner : partners_of(f, def)) sharing.parts.push_back({partner->name, first_place, member});
  };
  double before = 0;
  const auto member_at = [&](double cost) { return std::min(members - 1, static_cast<std::uint32_t>(whole > 0 ? cost / whole * members : 0)); };
  for (const FlockDef& f : def.flocks) {
    if (is_partner(f, def)) continue;
    if (const std::uint32_t given = home(f.name); given != Sharing::kNobody) {
      add(f, 1, given);
      continue;
    }
    double each = cost_of(f, def);
    for (const FlockDef* partner : partners_of(f, def)) each += cost_of(*partner, def);
    std::uint32_t member = member_at(before + 0.5 * each);
    add(f, 1, member);
    for (std::size_t k = 0; k < f.vehicles.size(); ++k, before += each)
      // the middle of a vehicle decides, so that few vehicles go to different processes
      if (const std::uint32_t now = member_at(before + 0.5 * each); now != member) add(f, k + 1, member = now);
  }
  return sharing;
}

}  // namespace

Sharing share_by_cost(const WorldDef& def, std::uint32_t members) {
  return share(def, members, [](const std::string&) { return Sharing::kNobody; });
}

Sharing share_by_section(const WorldDef& def, const scenario::FederationFile& section) {
  return share(def, static_cast<std::uint32_t>(section.nodes.size()), [&](const std::string& flock) {
    for (std::size_t k = 0; k < section.nodes.size(); ++k)
      if (std::find(section.nodes[k].flocks.begin(), section.nodes[k].flocks.end(), flock) != section.nodes[k].flocks.end()) return static_cast<std::uint32_t>(k);
    return Sharing::kNobody;
  });
}

}  // namespace volary::cluster
