// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/closest_pair.hpp"

#include <algorithm>

#include "math/functions.hpp"

namespace volary::cli {

namespace {

constexpr double kLookEvery = 0.1;  // s of simulated time

}  // namespace

bool is_parked(Mode mode) { return mode == Mode::Disarmed || mode == Mode::EmergencyStop; }

void ClosestPair::begin(const World& world) {
  *this = {};
  const WorldDef& def = world.def();
  const double tick = static_cast<double>(def.tick_ns) * 1e-9;
  every_ = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(kLookEvery / tick + 0.5));
  seen_.in_every_tick = std::all_of(def.flocks.begin(), def.flocks.end(), [](const FlockDef& f) { return f.node.contact.policy != ContactPolicy::Ignore; });
  near_.resize(static_cast<std::size_t>(std::max(1, def.worlds)));
}

void ClosestPair::after_tick(const World& world) {
  if (world.tick() % every_ != 0) return;
  std::vector<std::vector<Place>> worlds(near_.size());
  for (const FlockDef& f : world.def().flocks) {
    const bool touches = f.node.contact.policy != ContactPolicy::Ignore;
    for (const VehicleId id : world.vehicles(f.name)) {
      if (!world.is_alive(id) || world.has_crashed(id) || is_parked(world.mode_of(id))) continue;
      const auto [radius, is_new] = radius_.emplace(f.name, 0.0);
      if (is_new) radius->second = world.radius_of(id);
      const Vec p = world.position_of(id);
      worlds[world.world_of(id)].push_back({p[0], p[1], p[2], radius->second, id, touches});
    }
  }
  for (std::size_t w = 0; w < worlds.size(); ++w) look_at(world, worlds[w], near_[w]);
}

// Along the first axis, as far as the nearest pair so far or the largest sum of two radii.
void ClosestPair::look_at(const World& world, std::vector<Place>& places, std::set<Pair>& near) {
  std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) { return a.x != b.x ? a.x < b.x : a.id.value < b.id.value; });
  double widest = 0;
  for (const Place& p : places) widest = std::max(widest, p.radius);
  std::set<Pair> now;
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::size_t j = i + 1; j < places.size(); ++j) {
      const Place &a = places[i], &b = places[j];
      const double dx = b.x - a.x, dy = b.y - a.y, dz = b.z - a.z, sum = a.radius + b.radius;
      if (dx >= seen_.distance && dx >= a.radius + widest) break;
      const double distance2 = dx * dx + dy * dy + dz * dz;
      const auto [first, second] = std::minmax(a.id.value, b.id.value);
      if (distance2 < sum * sum && !(a.touches && b.touches)) now.insert({first, second});
      if (!(distance2 < seen_.distance * seen_.distance)) continue;
      seen_.distance = math::sqrt(distance2);
      seen_.time = world.time();
      seen_.names = world.name_of({first}) + " and " + world.name_of({second});
    }
  for (const Pair& pair : now) seen_.passes += near.contains(pair) ? 0 : 1;
  near = std::move(now);
}

ClosestPair::Result ClosestPair::result(const SwarmReport& swarm) const {
  Result r = seen_;
  r.passes += swarm.contacts;
  if (swarm.nearest && *swarm.nearest < r.distance) r.distance = *swarm.nearest, r.time = swarm.nearest_time.value_or(0), r.names.clear();
  return r;
}

}  // namespace volary::cli
