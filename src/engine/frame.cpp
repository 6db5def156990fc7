// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/frame.hpp"

#include "engine/data.hpp"
#include "engine/ground.hpp"

namespace volary::engine {

namespace {

bool is_listed(const Data& d) { return d.frame.roster == d.roster_version; }
bool shows_now(const Data& d, unsigned columns) { return !d.frame_is_stale && is_listed(d) && (columns & ~d.frame.fresh) == 0; }

void list_vehicles(const Data& d, Frame& frame) {
  frame.id.clear();
  frame.flock.clear();
  frame.world.clear();
  frame.slot.clear();
  frame.numbers = d.locations.numbers();
  frame.at.assign(frame.numbers.n_places(), Frame::kNobody);
  frame.place_of.resize(d.flocks.size());
  for (std::size_t k = 0; k < d.flocks.size(); ++k) frame.place_of[k].assign(d.flocks[k].blocks() * kBlock, Frame::kNobody);
  frame.numbers.each([&](std::uint64_t number, std::size_t place) {
    const Location& l = d.locations.at(place);
    if (!l.alive) return;
    const auto at = static_cast<std::uint32_t>(frame.id.size());
    frame.at[place] = at;
    frame.place_of[l.flock][l.slot] = at;
    frame.id.push_back(number);
    frame.flock.push_back(l.flock);
    frame.world.push_back(d.flocks[l.flock].worlds[l.slot]);
    frame.slot.push_back(static_cast<std::uint32_t>(l.slot));
  });
  frame.roster = d.roster_version;
}

// f(column, its bit) for all columns; those of the start of the tick go with the motion
template <class F> void each_column(Frame& frame, F&& f) {
  f(frame.position, shows::kMotion), f(frame.velocity, shows::kMotion);
  f(frame.from, shows::kMotion), f(frame.before, shows::kMotion);
  f(frame.status, shows::kStatus), f(frame.attitude, shows::kAttitude), f(frame.level, shows::kLevel);
  f(frame.wind, shows::kWind), f(frame.reference, shows::kReference);
}

// A new list. Where some only went, the rows of the others close up; whoever came makes the frame stale.
void list_anew(Data& d) {
  Frame& frame = d.frame;
  const std::vector<std::uint64_t> ids = frame.id;
  list_vehicles(d, frame);
  if (frame.fresh == 0 || d.frame_is_stale) return;
  std::size_t old = 0;
  for (std::size_t i = 0; i < frame.size(); ++i, ++old) {
    while (old < ids.size() && ids[old] < frame.id[i]) ++old;
    if (old == ids.size() || ids[old] != frame.id[i]) {
      d.frame_is_stale = true;
      return;
    }
    each_column(frame, [&](auto& column, unsigned) {
      if (old < column.size()) column[i] = column[old];
    });
  }
  each_column(frame, [&](auto& column, unsigned) { column.resize(std::min(column.size(), frame.size())); });
}

}  // namespace

void ask_frame(Data& d) {
  unsigned& asked = d.frame.asked;
  const bool has_ground = !is_flat(d.def.environment), looks = d.interaction.touches || d.interaction.detects;
  if (looks || d.air.medium != nullptr || d.judging.looks() || has_ground || !d.def.regions.empty()) asked |= shows::kMotion | shows::kStatus;
  for (const Society& s : d.societies)
    if (s.decides()) asked |= shows::kAttitude | shows::kLevel | (d.has_emissions ? shows::kWind : 0);
  if (looks || d.def.environment.obstacles != nullptr) asked |= shows::kAttitude;
  if (d.judging.needs.off_path) asked |= shows::kReference;
}

void present(Data& d, unsigned columns) {
  Frame& frame = d.frame;
  if (!is_listed(d)) list_anew(d);
  if (d.frame_is_stale) frame.fresh = 0;
  d.frame_is_stale = false;
  const unsigned missing = columns & ~frame.fresh;
  if (missing == 0) return;
  each_column(frame, [&](auto& column, unsigned bit) {
    if ((missing & bit) != 0) column.resize(frame.size());
  });
  for (const Flock& f : d.flocks)
    each_part(*d.pool, f.blocks(), cost::kRead * kBlock, [&](std::size_t first, std::size_t last, int) { f.stepper->publish(f, {first, last}, missing, frame); });
  frame.fresh |= missing;
}

void follow_changes(Data& d) {
  if (d.frame.asked != 0) present(d, d.frame.asked);
}

void begin_frame(Data& d) {
  Frame& frame = d.frame;
  frame.fresh = frame.asked;
  if (!d.interaction.touches) return;
  frame.from.swap(frame.position);
  frame.before.swap(frame.velocity);
  frame.position.resize(frame.size());
  frame.velocity.resize(frame.size());
}

namespace {

std::array<double, 6> read_one(const Flock& f, std::size_t slot, const ColumnInfo* c) {
  std::array<double, 6> out{};
  const auto at = static_cast<std::uint32_t>(slot);
  if (c != nullptr) f.stepper->read(f, *c, {&at, 1}, out.data());
  return out;
}
Vec read_vec(const Flock& f, std::size_t slot, const ColumnInfo* c) {
  const std::array<double, 6> x = read_one(f, slot, c);
  return {x[0], x[1], x[2]};
}

}  // namespace

Vec position_of(const Data& d, std::size_t flock, std::size_t slot) {
  if (shows_now(d, shows::kMotion)) return d.frame.position[d.frame.place_of[flock][slot]];
  return read_vec(d.flocks[flock], slot, d.flocks[flock].shown.position);
}
Vec velocity_of(const Data& d, std::size_t flock, std::size_t slot) {
  if (shows_now(d, shows::kMotion)) return d.frame.velocity[d.frame.place_of[flock][slot]];
  return read_vec(d.flocks[flock], slot, d.flocks[flock].shown.velocity);
}
std::uint32_t status_of(const Data& d, std::size_t flock, std::size_t slot) {
  if (shows_now(d, shows::kStatus)) return d.frame.status[d.frame.place_of[flock][slot]];
  return static_cast<std::uint32_t>(read_one(d.flocks[flock], slot, d.flocks[flock].find_column("status"))[0]);
}
std::uint32_t level_of(const Data& d, std::size_t flock, std::size_t slot) {
  if (shows_now(d, shows::kLevel)) return d.frame.level[d.frame.place_of[flock][slot]];
  return static_cast<std::uint32_t>(read_one(d.flocks[flock], slot, d.flocks[flock].shown.level)[0]);
}

}  // namespace volary::engine
