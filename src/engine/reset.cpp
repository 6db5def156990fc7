// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/reset.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "engine/columns.hpp"
#include "engine/data.hpp"

namespace volary::engine {

namespace {

constexpr std::size_t kWide = kBlock;

// ---------------------------------------------------------------- the first state

// some lanes of a block, of all its rows
template <class Word> void copy_lanes(std::byte* to, const std::byte* from, std::size_t rows, std::size_t first, std::size_t last) {
  auto* out = reinterpret_cast<Word*>(to);
  const auto* in = reinterpret_cast<const Word*>(from);
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t l = first; l < last; ++l) out[r * kWide + l] = in[r * kWide + l];
}

// the rows of slots [first, last), from those that repeat after a period of whole blocks
void copy_rows(core::Buffer& to, const core::Buffer& from, int n_rows, int bytes, std::size_t first, std::size_t last, std::size_t period) {
  const auto rows = static_cast<std::size_t>(n_rows), size = static_cast<std::size_t>(bytes), block_bytes = rows * kWide * size;
  for (std::size_t slot = first; slot < last;) {
    const std::size_t lane = slot % kWide, at = slot % period;
    std::byte* out = to.data() + slot / kWide * block_bytes;
    const std::byte* in = from.data() + at / kWide * block_bytes;
    if (lane == 0 && last - slot >= kWide) {
      const std::size_t blocks = std::min(last - slot, period - at) / kWide;
      std::memcpy(out, in, blocks * block_bytes);
      slot += blocks * kWide;
      continue;
    }
    const std::size_t end = std::min(kWide, lane + (last - slot));
    bytes == 4 ? copy_lanes<std::uint32_t>(out, in, rows, lane, end) : copy_lanes<std::uint64_t>(out, in, rows, lane, end);
    slot += end - lane;
  }
}

// the rows of the n slots of a world, again and again
core::Buffer repeated(const core::Buffer& of_one, int n_rows, int bytes, std::size_t n, std::size_t period) {
  const auto rows = static_cast<std::size_t>(n_rows), size = static_cast<std::size_t>(bytes);
  core::Buffer all(period * rows * size);
  for (std::size_t slot = 0; slot < period; ++slot)
    for (int r = 0; r < n_rows; ++r)
      std::memcpy(all.data() + element_offset(slot, n_rows, r, bytes), of_one.data() + element_offset(slot % n, n_rows, r, bytes), size);
  return all;
}

FirstState::OfFlock first_of(const Flock& f) {
  FirstState::OfFlock o;
  o.n = f.slots;
  if (o.n == 0) return o;
  o.period = std::lcm(o.n, kWide);
  o.hot = repeated(f.hot, f.kernel->hot_rows, f.bytes, o.n, o.period);
  if (f.guided()) o.plan = repeated(f.plan, f.kernel->plan_rows, f.bytes, o.n, o.period);
  if (f.has_ground) o.ground = repeated(f.ground, kGroundRows, f.bytes, o.n, o.period);
  o.ids = f.ids;
  o.names = f.names;
  for (std::size_t s = 0; s < o.n; ++s) o.places.push_back(f.place_of(s));
  o.last_place = f.last_places.at(0);
  return o;
}

// A world of the same definition is made, and taken apart. Only those pay for it that reset. Starts and winds are drawn when a world begins: here they are
// the definition's.
const FirstState& first_state(Data& d) {
  if (d.first != nullptr) return *d.first;
  WorldDef def = d.def;
  def.worlds = 1;
  def.environment.wind_spread_W = {0, 0, 0};
  for (FlockDef& f : def.flocks) f.spread = {};
  RunOptions options = d.options;
  options.threads = 1;
  Data one;
  const core::Status made = build(one, def, options);
  core::require(static_cast<bool>(made), "a definition of which a world was made");
  auto first = std::make_shared<FirstState>();
  for (const Flock& f : one.flocks) first->flocks.push_back(first_of(f));
  first->judge = std::move(one.judging.judges);
  d.first = std::move(first);
  return *d.first;
}

// ---------------------------------------------------------------- vehicles

// who was there at the start is there again, sound, and nobody else; numbers that others had are free
void reset_roster(Data& d, const FirstState& first, std::uint32_t world) {
  ++d.roster_version;
  const std::uint64_t shift = world * kNumbersPerWorld;
  d.locations.each_between(first_number_of(d, world), first_number_of(d, world + 1), [](std::uint64_t, Location& l) { l = {}; });
  for (std::size_t k = 0; k < d.flocks.size(); ++k) {
    Flock& f = d.flocks[k];
    const FirstState::OfFlock& o = first.flocks[k];
    std::erase_if(f.free_slots, [&](std::size_t s) { return f.worlds[s] == world; });
    for (std::size_t s = o.n * d.worlds.start.size(); s < f.slots; ++s) {
      if (f.worlds[s] != world) continue;
      f.set_status(s, 0);
      f.ids[s] = {};
      f.free_slots.insert(std::lower_bound(f.free_slots.begin(), f.free_slots.end(), s), s);
    }
    for (std::size_t a = 0; a < o.n; ++a) {
      const std::size_t slot = world * o.n + a;
      const VehicleId id = {o.ids[a].value + shift};
      f.set_identity(slot, id, o.places[a], world, key_of_world(d, world));
      f.names[slot] = o.names[a];
      f.failed[slot].clear();
      d.locations.add(id.number()) = {static_cast<std::uint32_t>(k), id.generation(), slot, true};
    }
    if (world < f.last_places.size()) f.last_places[world] = o.last_place;
  }
}

// the sensors of the vehicles of one world
void begin_again(Data& d, std::size_t flock, std::size_t first, std::size_t last) {
  Flock& f = d.flocks[flock];
  if (f.senses == nullptr) return;
  apply_patches(d, f);  // of the wind
  const std::vector<VehicleDef>& vehicles = d.def.flocks[flock].vehicles;
  for (std::size_t slot = first; slot < last; ++slot)
    begin_senses(f, slot, carried_by(f, vehicles.at(slot - first)), tick_of_world(d, f.worlds[slot]), d.def.environment);
}

// everything of a flock that is by slot, for the vehicles of worlds [from, to)
void reset_slots(Data& d, const FirstState& first, std::size_t flock, std::uint32_t from, std::uint32_t to) {
  Flock& f = d.flocks[flock];
  const FirstState::OfFlock& o = first.flocks[flock];
  const std::size_t begin = from * o.n, end = to * o.n;
  if (begin == end) return;
  copy_rows(f.hot, o.hot, f.kernel->hot_rows, f.bytes, begin, end, o.period);
  if (f.guided()) copy_rows(f.plan, o.plan, f.kernel->plan_rows, f.bytes, begin, end, o.period);
  if (f.has_ground) copy_rows(f.ground, o.ground, kGroundRows, f.bytes, begin, end, o.period);
  for (std::size_t slot = begin; f.joined != nullptr && slot < end; ++slot) place_anew(f, slot);
  for (Override& own : f.overrides) own.fill(begin, end, f.bytes, f.param_values[static_cast<std::size_t>(own.row)]);
  const bool other_wind = !d.weather.is_on && d.weather.rules.wind_W != d.def.environment.wind_W;
  for (std::uint32_t world = from; world < to; ++world) {
    const auto key = key_of_world(d, world);
    const Vec& wind_W = d.weather.wind_W[world];
    const bool drawn_wind = !d.weather.is_on && f.shown.wind != nullptr && wind_W != d.def.environment.wind_W;
    draw_starts(d, f, world * o.n, (world + 1) * o.n, 0, key);
    for (std::size_t slot = world * o.n; slot < (world + 1) * o.n; ++slot) {
      f.set_key(slot, key);
      if (slot < f.breaches.size()) f.breaches[slot] = 0;
      if (drawn_wind) f.set_vec(slot, *f.shown.wind, wind_W);
      if (other_wind) tell_wind(d, f, slot);
      move_in(d, flock, slot);
    }
    draw_variants(f, world * o.n, (world + 1) * o.n, key);
    begin_again(d, flock, world * o.n, (world + 1) * o.n);
    if (f.arrays != nullptr) f.arrays->begin(f, world * o.n, (world + 1) * o.n, key);
  }
  apply_patches(d, f);
}

// what is seen of the vehicles of worlds [from, to), after all flocks are reset: those that dock are seen together
void show_slots(Data& d, const FirstState& first, std::uint32_t from, std::uint32_t to) {
  const auto each = [&](auto&& show) {
    for (std::size_t k = 0; k < d.flocks.size(); ++k)
      if (const std::size_t n = first.flocks[k].n; n > 0) show(d.flocks[k], from * n, to * n);
  };
  each(&show_starts);
  each([](Flock& f, std::size_t begin, std::size_t end) {
    if (f.arrays != nullptr) f.arrays->observe(f, {begin / kWide, (end + kWide - 1) / kWide});
  });
}

// Worlds that begin again lie far apart in memory: the rows of the next one are fetched while this one is written. Large worlds are fetched by themselves.
void prefetch_world(const Data& d, std::uint32_t world) {
  constexpr std::size_t kMost = 32;
  for (std::size_t k = 0; k < d.flocks.size(); ++k) {
    const Flock& f = d.flocks[k];
    const std::size_t n = d.def.flocks[k].vehicles.size(), first = world * n / kWide, last = ((world + 1) * n + kWide - 1) / kWide;
    if (n > kMost) continue;
    const auto fetch = [&](const core::Buffer& rows, int n_rows) {
      const std::size_t block_bytes = static_cast<std::size_t>(n_rows) * kWide * static_cast<std::size_t>(f.bytes);
      for (std::size_t at = first * block_bytes; at < last * block_bytes; at += 64) __builtin_prefetch(rows.data() + at, 1);
    };
    fetch(f.hot, f.kernel->hot_rows);
    if (f.guided()) fetch(f.plan, f.kernel->plan_rows);
    fetch(f.identity, 4);
  }
}

// ---------------------------------------------------------------- what is between them

void reset_between(Data& d, const FirstState& first, std::span<const std::uint8_t> mask, const std::vector<std::uint32_t>& chosen) {
  const auto begins = [&](std::uint64_t number) { return mask[world_of(d, number)] != 0; };
  Interaction& in = d.interaction;
  std::erase_if(in.touching, [&](const Pair& p) { return begins(p.a); });
  std::erase_if(in.crashed, [&](std::uint64_t id) { return begins(VehicleId{id}.number()); });
  std::erase_if(in.detached, [&](const Detached& x) { return begins(VehicleId{x.id}.number()); });
  if (d.judging.looks()) {
    d.judging.forget(std::vector<bool>(mask.begin(), mask.end()));
    for (const std::uint32_t k : chosen) d.judging.judges[k] = first.judge.front();
  }
  forget_faults(d, mask);
  for (std::size_t k = 0; k < d.conditions.of.size(); ++k)
    for (std::size_t s = 0; s < d.conditions.of[k].size(); ++s)
      if (mask[d.flocks[k].worlds[s]] != 0) d.conditions.of[k][s] = {};
  for (std::size_t k = 0; k < d.conditions.rotors.size(); ++k)
    for (std::size_t s = 0; s < d.conditions.rotors[k].size(); ++s)
      if (mask[d.flocks[k].worlds[s]] != 0) d.conditions.rotors[k][s] = {};
  forget_coupled(d, mask);
  if (d.air.medium == nullptr) return;
  for (const std::uint32_t k : chosen) d.air.medium->restart(k, d.worlds.episode[k]);
  std::erase_if(d.air.arrivals.receptions, [&](const swarm::Reception& r) { return begins(r.receiver != 0 ? r.receiver : r.sender); });
}

// before vehicles are told of it
void reset_air(Data& d, const std::vector<std::uint32_t>& chosen, bool were_apart) {
  for (const std::uint32_t k : chosen) begin_air(d, k);
  if (were_apart != d.worlds.are_apart) remake_air(d);
}

// few of thousands of worlds end in one tick: eight at a time are passed over. The list is kept by the thread, so that a reset allocates nothing.
const std::vector<std::uint32_t>& list_chosen(std::span<const std::uint8_t> mask) {
  static thread_local std::vector<std::uint32_t> list;
  list.clear();
  for (std::size_t k = 0; k < mask.size();) {
    std::uint64_t eight = 1;
    if (k + 8 <= mask.size()) std::memcpy(&eight, mask.data() + k, 8);
    const std::size_t end = std::min(k + 8, mask.size());
    for (std::size_t w = k; eight != 0 && w < end; ++w)
      if (mask[w] != 0) list.push_back(static_cast<std::uint32_t>(w));
    k = end;
  }
  return list;
}

// a single world has its events among the inputs that wait
void reset_events(Data& d) {
  if (d.def.worlds > 1) return;
  const auto is_event = [&](const Input& in) {
    return in.source == 0 && std::any_of(d.worlds.agenda.begin(), d.worlds.agenda.end(), [&](const Input& e) { return e.seq == in.seq; });
  };
  for (auto& [tick, inputs] : d.pending) std::erase_if(inputs, is_event);
  std::erase_if(d.pending, [](const auto& entry) { return entry.second.empty(); });
  for (Input in : d.worlds.agenda) {
    in.tick += d.tick;
    d.pending[in.tick].push_back(std::move(in));
  }
}

}  // namespace

void reset_worlds(Data& d, std::span<const std::uint8_t> mask, std::span<const std::uint32_t> episodes) {
  const std::vector<std::uint32_t>& chosen = list_chosen(mask);
  if (chosen.empty()) return;
  const FirstState& first = first_state(d);
  ++d.traits_version;
  d.frame_is_stale = true;  // who asks where a vehicle is now is told by its flock
  // fields are everybody's: they are as in the definition again when everybody begins again
  if (chosen.size() == mask.size()) restore_live(d, {});
  for (const std::uint32_t k : chosen) {
    d.worlds.start[k] = d.tick;
    d.worlds.episode[k] = episodes.empty() ? d.worlds.episode[k] + 1 : episodes[k];
  }
  const bool were_apart = d.worlds.are_apart;
  find_apart(d.worlds);
  reset_air(d, chosen, were_apart);
  for (const std::uint32_t k : chosen)
    if (d.worlds.changed[k] != 0) reset_roster(d, first, k), d.worlds.changed[k] = 0;
  // worlds that follow each other together
  for (std::size_t i = 0, end = 0; i < chosen.size(); i = end) {
    for (end = i + 1; end < chosen.size() && chosen[end] == chosen[end - 1] + 1;) ++end;
    if (end < chosen.size()) prefetch_world(d, chosen[end]);
    for (std::size_t f = 0; f < d.flocks.size(); ++f) reset_slots(d, first, f, chosen[i], chosen[end - 1] + 1);
    show_slots(d, first, chosen[i], chosen[end - 1] + 1);
  }
  reset_between(d, first, mask, chosen);
  reset_events(d);
  forget_hash(d);
  d.shown = {};
  find_owners(d);
}

}  // namespace volary::engine
