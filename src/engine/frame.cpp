// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/frame.hpp"

#include "engine/data.hpp"

namespace volary::engine {

namespace {

void list_vehicles(const Data& d, Frame& frame) {
  frame.id.clear();
  frame.flock.clear();
  frame.world.clear();
  frame.slot.clear();
  frame.numbers = d.locations.numbers();
  frame.at.assign(frame.numbers.n_places(), Frame::kNobody);
  frame.numbers.each([&](std::uint64_t number, std::size_t place) {
    const Location& l = d.locations.at(place);
    if (!l.alive) return;
    frame.at[place] = static_cast<std::uint32_t>(frame.id.size());
    frame.id.push_back(number);
    frame.flock.push_back(l.flock);
    frame.world.push_back(d.flocks[l.flock].worlds[l.slot]);
    frame.slot.push_back(l.slot);
  });
  frame.position.resize(frame.size());
  frame.velocity.resize(frame.size());
  frame.roster = d.roster_version;
}

}  // namespace

bool reads_frame(const Data& d) { return d.interaction.touches || d.interaction.detects || d.air.medium != nullptr || d.judging.looks(); }

void follow_inputs(Data& d) {
  if (reads_frame(d) && (d.frame_is_stale || d.frame.roster != d.roster_version)) refresh_frame(d);
  d.frame_is_stale = false;
}

void refresh_frame(Data& d) {
  Frame& frame = d.frame;
  if (frame.roster != d.roster_version) list_vehicles(d, frame);
  struct Columns {
    const ColumnInfo *position, *velocity;
  };
  std::vector<Columns> columns;
  for (const Flock& f : d.flocks) columns.push_back({f.find_column("position"), f.find_column("velocity")});
  each_part(*d.pool, frame.size(), cost::kRead, [&](std::size_t first, std::size_t last, int) {
    for (std::size_t i = first; i < last; ++i) {
      const Flock& f = d.flocks[frame.flock[i]];
      const Columns& c = columns[frame.flock[i]];
      frame.position[i] = c.position == nullptr ? Vec{0, 0, 0} : f.vec(frame.slot[i], *c.position);
      frame.velocity[i] = c.velocity == nullptr ? Vec{0, 0, 0} : f.vec(frame.slot[i], *c.velocity);
    }
  });
}

}  // namespace volary::engine
