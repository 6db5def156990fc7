// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Vehicles come, go and change mode.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "control/guide.hpp"
#include "engine/data.hpp"
#include "engine/ground.hpp"

namespace volary::engine {

const Location* locate(const Data& d, VehicleId id) {
  const Location* l = d.locations.find(id.number());
  // without a generation: whoever has the number now
  return l != nullptr && l->alive && (id.generation() == 0 || id.generation() == l->generation) ? l : nullptr;
}

std::uint64_t numbers_from(const Data& d, std::uint32_t world) { return (static_cast<std::uint64_t>(d.def.first_world) + world) * kNumbersPerWorld; }
std::uint32_t world_of(const Data& d, std::uint64_t number) {
  return d.def.worlds == 1 ? 0 : static_cast<std::uint32_t>((number - 1) / kNumbersPerWorld - static_cast<std::uint64_t>(d.def.first_world));
}
std::uint64_t first_number_of(const Data& d, std::uint32_t world) {
  if (d.def.worlds == 1) return world == 0 ? 0 : kMostVehicleNumber + 1;
  return numbers_from(d, world) + 1;
}
math::RandomKey<std::uint32_t> key_of_world(const Data& d, std::uint32_t world) {
  return math::world_key(d.def.seed, static_cast<std::uint32_t>(d.def.first_world) + world, d.worlds.episode[world]);
}

void add_event(Data& d, VehicleId id, const std::string& name, std::string what, std::uint32_t world) {
  if (id) world = world_of(d, id.number());
  if (d.judging.looks() && d.judging.needs.events) {
    // what happened in all worlds is looked at in each when its turn comes
    const bool everywhere = world == kEveryWorld;
    for (std::uint32_t k = everywhere ? 0 : world; k < (everywhere ? d.worlds.start.size() : world + 1); ++k) {
      d.judging.happened.emplace_back(what.begin(), what.end());
      d.judging.happened_where.push_back(k);
    }
  }
  d.events.push_back({d.tick, id, name, std::move(what), world});
}

namespace {

bool is_batch(const Data& d) { return d.def.worlds > 1 || d.def.first_world > 0; }

// The next free number, or the one the definition asks for. The worlds of a batch count each by itself, so that nobody's number depends on another world.
core::Result<std::uint64_t> choose_number(const Data& d, std::uint64_t wanted, std::uint32_t world) {
  const std::uint64_t before = numbers_from(d, world), most = is_batch(d) ? kNumbersPerWorld - 1 : kMostVehicleNumber;
  const std::uint64_t last = d.locations.highest_below(before + most + 1);
  const std::uint64_t number = wanted != 0 ? before + wanted : std::max(last, before) + 1;
  if (number - before > most) return core::Error{.message = fmt::format("vehicle id {} is above the limit of {}", number - before, most)};
  if (const Location* l = d.locations.find(number); l != nullptr && l->alive) return core::Error{.message = fmt::format("vehicle id {} is taken", wanted)};
  return number;
}

constexpr std::size_t kAsTold = ~std::size_t{0};

// a start is drawn for vehicles of the definition, by their number in it
core::Result<VehicleId> spawn(Data& d, std::size_t flock_index, const VehicleDef& v, std::size_t in_definition) {
  Flock& f = d.flocks[flock_index];
  apply_patches(d, f);  // they may be for somebody who had the slot before
  const auto number = choose_number(d, v.id, v.world);
  if (!number) return number.error();
  Location& l = d.locations.add(number.value());
  const std::uint64_t place = v.place != 0 ? v.place : f.next_place(v.world);
  const std::size_t slot = f.take_slot(v.world);
  d.frame_is_stale = true;
  l = {static_cast<std::uint32_t>(flock_index), l.generation + 1, slot, true};
  const VehicleId id = make_vehicle_id(number.value(), l.generation);
  f.set_identity(slot, id, place, v.world, key_of_world(d, v.world));
  f.names[slot] = v.name.empty() ? f.def.name + "[" + std::to_string(place - 1) + "]" : v.name;
  f.failed[slot].clear();
  if (slot < f.breaches.size()) f.breaches[slot] = 0;
  const Local local(d, f, v.position_W);
  f.stepper->initialise(f, slot, v, local.setup(), local.params());
  if (!d.weather.is_on && d.weather.wind_W[v.world] != d.weather.rules.wind_W) tell_wind(d, f, slot);
  if (f.has_ground) f.level_ground(slot);
  for (const Override& o : f.overrides) f.patches.front().parameter(slot, o.row, f.param_values[static_cast<std::size_t>(o.row)]);
  enter_mode(d, f, slot, v.mode);
  apply_patches(d, f);
  draw_variants(f, slot, slot + 1, key_of_world(d, v.world));
  if (in_definition != kAsTold) draw_starts(d, f, slot, slot + 1, in_definition, key_of_world(d, v.world));
  if (f.senses != nullptr) begin_senses(f, slot, carried_by(f, v), tick_of_world(d, v.world), d.def.environment);
  move_in(d, flock_index, slot);
  find_owner(d, flock_index, slot);
  d.worlds.changed[v.world] = 1;
  ++d.roster_version;
  return id;
}

}  // namespace

core::Result<VehicleId> spawn(Data& d, std::size_t flock, const VehicleDef& v) { return spawn(d, flock, v, kAsTold); }
core::Result<VehicleId> spawn_drawn(Data& d, std::size_t flock, const VehicleDef& v, std::size_t number) { return spawn(d, flock, v, number); }

void remove(Data& d, VehicleId id) {
  const Location* l = locate(d, id);
  if (l == nullptr) return;
  Flock& f = d.flocks[l->flock];
  f.patches.front().word(l->slot, 0, 0);
  add_event(d, id, f.names[l->slot], "removed");
  f.free_slots.insert(std::lower_bound(f.free_slots.begin(), f.free_slots.end(), l->slot), l->slot);
  std::erase_if(d.interaction.detached, [&](const Detached& x) { return x.id == f.ids[l->slot].value; });
  f.ids[l->slot] = {};
  d.locations.find(id.number())->alive = false;
  d.worlds.changed[f.worlds[l->slot]] = 1;
  ++d.roster_version;
}

namespace {

// what others are shown of a vehicle, as its bits are
struct ShownRows {
  std::vector<int> rows;
  std::vector<std::vector<std::byte>> bits;
};
ShownRows shown_rows(const Flock& f, std::uint32_t slot) {
  ShownRows all;
  for (const ColumnInfo* c : {f.shown.position, f.shown.velocity, f.shown.attitude})
    for (int k = 0; c != nullptr && k < c->rows; ++k) {
      all.rows.push_back(c->row + k);
      f.stepper->copy_out(f, c->row + k, {&slot, 1}, all.bits.emplace_back(static_cast<std::size_t>(f.bytes)).data());
    }
  return all;
}

void stand_still(Flock& f, std::size_t slot) {
  for (const ColumnInfo* c : {f.shown.velocity, f.find_column("omega")})
    for (int k = 0; c != nullptr && k < c->rows; ++k) f.patches.front().value(slot, c->row + k, 0);
}

}  // namespace

void detach(Data& d, Flock& f, std::size_t slot, std::uint64_t straight) {
  apply_patches(d, f);
  const auto at = static_cast<std::uint32_t>(slot);
  const ShownRows shown = shown_rows(f, at);
  VehicleDef v;
  v.position_W = position_of(d, f.index, slot);
  const Local local(d, f, v.position_W);
  f.stepper->initialise(f, slot, v, local.setup(), local.params());
  for (std::size_t k = 0; k < shown.rows.size(); ++k) f.stepper->copy_in(f, shown.rows[k], {&at, 1}, shown.bits[k].data());
  // a vehicle that no kernel moves, and that counts in the hash
  f.patches.front().word(slot, 0, control::kDiverged | static_cast<std::uint32_t>(Mode::Disarmed));
  const std::uint64_t now = tick_of_world(d, f.worlds[slot]);
  std::vector<Detached>& all = d.interaction.detached;
  const VehicleId id = f.ids[slot];
  // one whose new owner is gone, too, goes on as it was
  if (!d.interaction.is_detached(id)) {
    const Detached x{id.value, now + straight};
    all.insert(std::lower_bound(all.begin(), all.end(), x), x);
    add_event(d, id, f.names[slot], straight == 0 ? "detached: it stands still" : "detached: it moves straight on");
  }
  if (straight == 0) stand_still(f, slot);
  apply_patches(d, f);
  if (f.senses != nullptr) begin_senses(f, slot, carried_by(f, slot), now, d.def.environment, true);
  move_in(d, f.index, slot);
  if (d.is_social) d.societies[f.index].nodes[slot].stopped = 1;
  d.frame_is_stale = true;
  d.worlds.changed[f.worlds[slot]] = 1;
  ++d.traits_version;
  forget_hash(d);
}

void carry_detached(Data& d) {
  const double dt = static_cast<double>(d.def.tick_ns) * 1e-9;
  for (const Detached& x : d.interaction.detached) {
    const Location* l = locate(d, VehicleId{x.id});
    if (l == nullptr || !is_own(d, l->flock, l->slot)) continue;
    Flock& f = d.flocks[l->flock];
    if (f.shown.position == nullptr || f.shown.velocity == nullptr) continue;
    const Vec p = position_of(d, l->flock, l->slot), v = velocity_of(d, l->flock, l->slot);
    if (tick_of_world(d, f.worlds[l->slot]) < x.until)
      f.patches.front().position(l->slot, f.shown.position->row, f.bytes, {p[0] + v[0] * dt, p[1] + v[1] * dt, p[2] + v[2] * dt});
    else if (v != Vec{0, 0, 0})
      stand_still(f, l->slot);
  }
}

void enter_mode(Data& d, Flock& f, std::size_t slot, Mode mode) {
  Patches& to = f.patches.front();
  if (to.is_noted(slot)) apply_patches(d, f);
  to.note(slot);
  to.enter_mode(slot, mode, ground_height_at(d, f, position_of(d, f.index, slot)));
}

void stop_diverged(Data& d) {
  const std::uint64_t roster = d.roster_version;
  for (Flock& f : d.flocks) {
    if (!f.has_diverged) continue;
    f.has_diverged = false;
    std::vector<std::uint32_t> slots(f.slots);
    std::iota(slots.begin(), slots.end(), 0u);
    std::vector<double> status(f.slots);
    f.stepper->read(f, *f.find_column("status"), slots, status.data());
    for (std::size_t s = 0; s < f.slots; ++s) {
      if (!f.ids[s] || (static_cast<std::uint32_t>(status[s]) & control::kDiverged) == 0 || (d.shared.is_ahead && !is_own(d, f.index, s))) continue;
      Location* l = d.locations.find(f.ids[s].number());
      if (!l->alive || d.interaction.is_detached(f.ids[s])) continue;
      l->alive = false;
      d.worlds.changed[f.worlds[s]] = 1;
      ++d.roster_version;
      d.touched.stopped.push_back(f.ids[s]);
      add_event(d, f.ids[s], f.names[s], "diverged: stopped at its last valid state");
    }
  }
  if (d.roster_version != roster) follow_changes(d);
}

void publish(Data& d) {
  observe(d);
  leave_coupled(d);
  // readers hold views of the columns themselves; what is left is to keep the list of events bounded
  constexpr std::size_t kMostEvents = 1'000'000;
  if (d.events.size() > kMostEvents) d.events.erase(d.events.begin(), d.events.begin() + static_cast<std::ptrdiff_t>(d.events.size() - kMostEvents));
}

}  // namespace volary::engine
