// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/frame.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "engine/data.hpp"
#include "engine/ground.hpp"

namespace volary::engine {

namespace {

bool is_listed(const Data& d) { return d.frame.roster == d.roster_version; }
bool shows_now(const Data& d, unsigned columns) { return !d.frame_is_stale && is_listed(d) && (columns & ~d.frame.fresh) == 0; }

// a column that outgrows its memory leaves it to those who view it
template <class T> void make_room(Frame& frame, std::vector<T>& column, std::size_t rows) {
  if (!frame.is_viewed || rows <= column.capacity()) return;
  std::vector<T> larger;
  larger.reserve(std::max(rows, 2 * column.capacity()));
  larger.assign(column.begin(), column.end());
  frame.left.push_back(std::make_shared<const std::vector<T>>(std::exchange(column, std::move(larger))));
}
template <class T> void resize_column(Frame& frame, std::vector<T>& column, std::size_t rows) {
  make_room(frame, column, rows);
  column.resize(rows);
}

// one for each slot of the flocks that read them
void make_rows_of_readings(const Data& d, Frame& frame) {
  frame.readings.resize(d.flocks.size());
  for (std::size_t k = 0; k < d.flocks.size(); ++k)
    if (const Senses* s = d.flocks[k].senses.get(); s != nullptr && s->is_read) frame.readings[k].resize(d.flocks[k].blocks() * kBlock * s->readings.width());
}

void list_vehicles(const Data& d, Frame& frame) {
  if (frame.is_viewed) {
    std::size_t n = 0;
    d.locations.each([&](std::uint64_t, const Location& l) { n += l.alive ? 1 : 0; });
    make_room(frame, frame.id, n), make_room(frame, frame.flock, n), make_room(frame, frame.world, n);
  }
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
  make_rows_of_readings(d, frame);
  frame.roster = d.roster_version;
}

// f(column, its bit) for all columns; those of the start of the tick go with the motion
template <class F> void each_column(Frame& frame, F&& f) {
  f(frame.position, shows::kMotion), f(frame.velocity, shows::kMotion);
  f(frame.from, shows::kMotion), f(frame.before, shows::kMotion);
  f(frame.status, shows::kStatus), f(frame.attitude, shows::kAttitude), f(frame.level, shows::kLevel);
  f(frame.wind, shows::kWind), f(frame.reference, shows::kReference), f(frame.estimate, shows::kEstimate);
}

// A new list. Where some only went, the rows of the others close up; whoever came makes the frame stale.
void list_anew(Data& d) {
  Frame& frame = d.frame;
  const std::vector<std::uint64_t> ids = frame.id;
  list_vehicles(d, frame);
  if (frame.id != ids) ++frame.generation;
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
  for (Flock& f : d.flocks) {
    if (f.senses == nullptr || !d.societies[f.index].asks_outside()) continue;
    f.senses->is_read = true;
    asked |= shows::kReadings;
  }
  for (const Flock& f : d.flocks)
    if (d.ranging.is_on || (d.is_social && f.decides_by_estimate())) asked |= shows::kMotion | shows::kStatus | shows::kEstimate;
}

void present(Data& d, unsigned columns) {
  Frame& frame = d.frame;
  if (!is_listed(d)) list_anew(d);
  if (d.frame_is_stale) frame.fresh = 0;
  d.frame_is_stale = false;
  const unsigned missing = columns & ~frame.fresh;
  if (missing == 0) return;
  each_column(frame, [&](auto& column, unsigned bit) {
    if ((missing & bit) != 0) resize_column(frame, column, frame.size());
  });
  if ((missing & shows::kReadings) != 0) make_rows_of_readings(d, frame);
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
  if (frame.is_viewed) {
    frame.from = frame.position;
    frame.before = frame.velocity;
    return;
  }
  frame.from.swap(frame.position);
  frame.before.swap(frame.velocity);
  frame.position.resize(frame.size());
  frame.velocity.resize(frame.size());
}

// ---------------------------------------------------------------- views from outside

namespace {

template <class T> constexpr Dtype dtype_of() {
  if constexpr (std::is_same_v<T, double>) return Dtype::Float64;
  if constexpr (std::is_same_v<T, float>) return Dtype::Float32;
  if constexpr (std::is_same_v<T, std::uint32_t>) return Dtype::Uint32;
  return Dtype::Uint64;
}
template <class T> FrameView view_of(const Frame& frame, const std::vector<T>& column, std::size_t components = 1) {
  return {column.data(), dtype_of<T>(), frame.size(), components, frame.generation};
}
template <std::size_t N> FrameView view_of(const Frame& frame, const std::vector<std::array<double, N>>& column) {
  return {column.data(), Dtype::Float64, frame.size(), N, frame.generation};
}

// the one list; `shows`: what has to be in the frame for it
struct Viewed {
  ColumnDoc doc;
  unsigned shows;
  FrameView (*view)(const Frame&);
};
// clang-format off
const Viewed kViewed[] = {
    {{"position", "m",   "W",  "position of the centre of mass", 3}, shows::kMotion,   [](const Frame& f) { return view_of(f, f.position); }},
    {{"velocity", "m/s", "W",  "velocity of the centre of mass", 3}, shows::kMotion,   [](const Frame& f) { return view_of(f, f.velocity); }},
    {{"attitude", "-",   "WB", "attitude as a unit quaternion w x y z, body to world", 4}, shows::kAttitude, [](const Frame& f) { return view_of(f, f.attitude); }},
    {{"wind",     "m/s", "W",  "wind at the vehicle", 3},            shows::kWind,     [](const Frame& f) { return view_of(f, f.wind); }},
    {{"status",   "-",   "",   "flight mode in the lowest four bits, and conditions of the vehicle above", 1}, shows::kStatus, [](const Frame& f) { return view_of(f, f.status); }},
    {{"id",       "-",   "",   "number of the vehicle", 1},          0,                [](const Frame& f) { return view_of(f, f.id); }},
    {{"flock",    "-",   "",   "index of its flock in the definition", 1}, 0,          [](const Frame& f) { return view_of(f, f.flock); }},
    {{"world",    "-",   "",   "index of its world in the batch", 1}, 0,               [](const Frame& f) { return view_of(f, f.world); }},
};
// clang-format on

}  // namespace

std::vector<ColumnDoc> frame_columns() {
  std::vector<ColumnDoc> list;
  for (const Viewed& v : kViewed) list.push_back(v.doc);
  return list;
}

std::optional<FrameView> view_frame(Data& d, const std::string& column) {
  for (const Viewed& v : kViewed) {
    if (v.doc.name != column) continue;
    d.frame.asked |= v.shows;
    present(d, v.shows);
    return v.view(d.frame);
  }
  return std::nullopt;
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
