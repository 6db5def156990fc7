// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "replay/view_flights.hpp"

#include <algorithm>

namespace volary::replay {

TrackIn FlownTrack::part(std::uint32_t vehicle, std::uint32_t from, std::uint32_t count) const {
  return {vehicle,
          0,
          count,
          reinterpret_cast<const double(*)[3]>(position.data() + from),
          reinterpret_cast<const float(*)[3]>(velocity.data() + from),
          reinterpret_cast<const float(*)[4]>(attitude.data() + from)};
}

namespace {

void keep_tick(const World& world, const std::vector<VehicleId>& ids, const std::vector<View>& attitudes, Flights& out) {
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (!world.is_alive(ids[i])) continue;
    FlownTrack& t = out.tracks[i];
    const Vec p = world.position_of(ids[i]), v = world.velocity_of(ids[i]);
    const std::size_t slot = world.slot_of(ids[i]);
    t.position.push_back(p);
    t.velocity.push_back({static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2])});
    std::array<float, 4> q;
    for (std::size_t c = 0; c < 4; ++c) q[c] = static_cast<float>(attitudes[i].at(slot, c));
    t.attitude.push_back(q);
  }
}

}  // namespace

Flights fly_and_keep(World& world, std::uint64_t ticks) {
  Flights out;
  out.tick = static_cast<double>(world.def().tick_ns) * 1e-9;
  std::vector<VehicleId> ids;
  std::vector<View> attitudes;
  for (const std::string& flock : world.flocks())
    for (const VehicleId id : world.vehicles(flock)) {
      ids.push_back(id);
      attitudes.push_back(world.find_view(flock, "attitude").value_or(View{}));
    }
  out.tracks.resize(ids.size());
  for (std::uint64_t k = 0; k < ticks; ++k) {
    keep_tick(world, ids, attitudes, out);
    world.step(1);
  }
  return out;
}

std::vector<std::vector<TrackIn>> blocks_of(const Flights& flights, std::uint32_t ticks_per_block) {
  std::vector<std::vector<TrackIn>> blocks;
  for (std::uint32_t i = 0; i < flights.tracks.size(); ++i) {
    const auto ticks = static_cast<std::uint32_t>(flights.tracks[i].position.size());
    for (std::uint32_t from = 0, b = 0; from < ticks; from += ticks_per_block, ++b) {
      if (b == blocks.size()) blocks.emplace_back();
      blocks[b].push_back(flights.tracks[i].part(i, from, std::min(ticks_per_block, ticks - from)));
    }
  }
  return blocks;
}

}  // namespace volary::replay
