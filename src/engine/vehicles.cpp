// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Vehicles come, go and change mode.
#include <algorithm>

#include "control/guide.hpp"
#include "engine/data.hpp"
#include "engine/ground.hpp"

namespace volary::engine {

const Location* locate(const Data& d, VehicleId id) {
  if (!id || id.number() > d.locations.size()) return nullptr;
  const Location& l = d.locations[id.number() - 1];
  return l.alive && l.generation == id.generation() ? &l : nullptr;
}

void add_event(Data& d, VehicleId id, const std::string& name, std::string what) {
  if (d.judging.looks() && d.judging.needs.events) {
    const Location* l = locate(d, id);
    d.judging.happened.emplace_back(what.begin(), what.end());
    d.judging.happened_where.push_back(l == nullptr ? 0 : d.flocks[l->flock].worlds[l->slot]);
  }
  d.events.push_back({d.tick, id, name, std::move(what)});
}

namespace {

// the next free number, or the one the definition asks for
core::Result<std::uint64_t> choose_number(const Data& d, std::uint64_t wanted) {
  if (wanted == 0) return static_cast<std::uint64_t>(d.locations.size() + 1);
  if (wanted > 0xffffffffull) return core::Error{.message = "vehicle id " + std::to_string(wanted) + " is above the limit of 4294967295"};
  if (wanted <= d.locations.size() && d.locations[wanted - 1].alive) return core::Error{.message = "vehicle id " + std::to_string(wanted) + " is taken"};
  return wanted;
}

}  // namespace

core::Result<VehicleId> spawn(Data& d, std::size_t flock_index, const VehicleDef& v) {
  Flock& f = d.flocks[flock_index];
  const auto number = choose_number(d, v.id);
  if (!number) return number.error();
  if (number.value() > d.locations.size()) d.locations.resize(number.value());
  Location& l = d.locations[number.value() - 1];
  const std::uint64_t place = v.place != 0 ? v.place : f.next_place(v.world);
  const std::size_t slot = f.take_slot();
  l = {static_cast<std::uint32_t>(flock_index), l.generation + 1, slot, true};
  const VehicleId id = make_vehicle_id(number.value(), l.generation);
  f.set_identity(slot, id, place, v.world, d.def.seed);
  f.names[slot] = v.name.empty() ? f.def.name + "[" + std::to_string(slot) + "]" : v.name;
  f.failed[slot].clear();
  if (slot < f.breaches.size()) f.breaches[slot] = 0;
  const Local local(d, f, v.position_W);
  f.stepper->initialise(f, slot, v, local.setup(), local.params());
  if (f.has_ground) f.level_ground(slot);
  for (Override& o : f.overrides) f.set_override(slot, o.row, f.param_values[static_cast<std::size_t>(o.row)]);
  enter_mode(d, f, slot, v.mode);
  settle(d, flock_index, slot);
  ++d.roster_version;
  return id;
}

void remove(Data& d, VehicleId id) {
  const Location* l = locate(d, id);
  if (l == nullptr) return;
  Flock& f = d.flocks[l->flock];
  f.set_status(l->slot, 0);
  add_event(d, id, f.names[l->slot], "removed");
  f.free_slots.insert(std::lower_bound(f.free_slots.begin(), f.free_slots.end(), l->slot), l->slot);
  f.ids[l->slot] = {};
  d.locations[id.number() - 1].alive = false;
  ++d.roster_version;
}

void enter_mode(Data& d, Flock& f, std::size_t slot, Mode mode) {
  const ColumnInfo* position = f.find_column("position");
  const Local local(d, f, position == nullptr ? Vec{0, 0, 0} : f.vec(slot, *position));
  f.stepper->enter_mode(f, slot, mode, local.params(), d.paths.arrays(f.bytes));
}

void stop_diverged(Data& d) {
  for (Flock& f : d.flocks) {
    if (!f.has_diverged) continue;
    f.has_diverged = false;
    for (std::size_t s = 0; s < f.slots; ++s) {
      if (!f.ids[s] || (f.status(s) & control::kDiverged) == 0) continue;
      Location& l = d.locations[f.ids[s].number() - 1];
      if (!l.alive) continue;
      l.alive = false;
      ++d.roster_version;
      add_event(d, f.ids[s], f.names[s], "diverged: stopped at its last sound state");
    }
  }
}

void publish(Data& d) {
  observe(d);
  // readers hold views of the columns themselves; what is left is to keep the list of events bounded
  constexpr std::size_t kMostEvents = 1'000'000;
  if (d.events.size() > kMostEvents) d.events.erase(d.events.begin(), d.events.begin() + static_cast<std::ptrdiff_t>(d.events.size() - kMostEvents));
}

}  // namespace volary::engine
