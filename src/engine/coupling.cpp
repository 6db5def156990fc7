// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/coupling.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include <fmt/format.h>

#include "engine/data.hpp"
#include "math/hash.hpp"

namespace volary::engine {

namespace {

std::uint64_t number_of(const Look::Run& run) { return VehicleId{run.id}.number(); }

std::span<const std::uint32_t> places_of(const Look& look, const Look::Run& run) { return std::span(look.frame.places).subspan(run.first, run.count); }

// ---------------------------------------------------------------- hash

std::uint64_t fold(std::uint64_t h, std::uint64_t x) { return math::mix64(h ^ x); }
std::uint64_t fold(std::uint64_t h, const Vec& v) {
  for (const double x : v) h = math::mix64(h ^ std::bit_cast<std::uint64_t>(x));
  return h;
}

std::uint64_t hash_look(const Look& look) {
  std::uint64_t sum = 0;
  for (const Look::Run& run : look.runs) {
    std::uint64_t h = math::mix64(run.id ^ math::mix64(look.which + 1));
    for (const std::uint32_t place : places_of(look, run)) h = fold(h, place);
    sum += h;
  }
  for (std::size_t k = 0; k < look.frame.id.size(); ++k)
    sum += fold(fold(fold(look.frame.id[k], look.frame.kind[k]), look.frame.position[k]), look.frame.velocity[k]);
  return sum;
}

// the tick itself is in it only where it left something
std::uint64_t hash_of(const Coupled& c) {
  std::uint64_t sum = 0;
  for (const swarm::Reception& r : c.arrivals.receptions)
    if (r.fate == swarm::Fate::Delivered) sum += math::mix64(math::mix64(r.receiver) ^ swarm::hash_of(c.arrivals.messages[r.message]));
  for (const Look& look : c.looks) sum += hash_look(look);
  for (const Emitter& e : c.emitters) sum += fold(fold(math::mix64(e.number), e.tick), e.position);
  return sum == 0 ? 0 : fold(sum, c.tick + 1);
}

// ---------------------------------------------------------------- what is seen

// whoever of another flock is in sight now and was not before, the lowest id first
void tell_sightings(Data& d, const Look& look) {
  for (const Look::Run& run : look.runs) {
    const Location* own = locate(d, {run.id});
    if (own == nullptr) continue;
    const Flock& f = d.flocks[own->flock];
    const std::uint32_t world = f.worlds[own->slot];
    const Seen& before = d.societies[own->flock].seen;
    for (const std::uint32_t place : places_of(look, run)) {
      const std::size_t at = look.frame.first[world] + place;
      const Location* other = locate(d, {look.frame.id[at]});
      if (other == nullptr || other->flock == own->flock) continue;
      bool is_known = false;
      before.each(d.interaction.look_frames, own->slot, world,
                  [&](const LookFrame& old, std::size_t k) { is_known = is_known || old.id[k] == look.frame.id[at]; });
      if (is_known) continue;
      add_event(d, f.ids[own->slot], f.names[own->slot],
                fmt::format("sees: {} at {}", d.flocks[other->flock].names[other->slot], place_text(look.frame.position[at])));
    }
  }
}

// from now on vehicles see this
void see(Data& d, Look& look) {
  LookFrame& frame = d.interaction.look_frames[look.which];
  look.frame.every = frame.every;
  for (Society& s : d.societies)
    if (s.seen.look == look.which) std::fill(s.seen.count.begin(), s.seen.count.end(), std::uint8_t{0});
  for (const Look::Run& run : look.runs) {
    const Location* own = locate(d, {run.id});
    if (own == nullptr) continue;
    Seen& seen = d.societies[own->flock].seen;
    seen.first[own->slot] = run.first;
    seen.count[own->slot] = static_cast<std::uint8_t>(run.count);
  }
  frame = std::move(look.frame);
}

std::vector<Emitter> emitters_now(const Data& d) {
  std::vector<Emitter> list;
  if (!d.has_emissions || d.air.medium == nullptr) return list;
  for (std::size_t at = 0; at < d.frame.size(); ++at) {
    const std::uint32_t flock = d.frame.flock[at], world = d.frame.world[at];
    if (!d.flocks[flock].def.node.emits.empty()) list.push_back({d.frame.id[at], tick_of_world(d, world) + 1, flock, world, d.frame.position[at]});
  }
  return list;
}

}  // namespace

std::span<const std::uint32_t> Look::places_of(std::uint64_t id) const {
  const auto at =
      std::lower_bound(runs.begin(), runs.end(), VehicleId{id}.number(), [](const Run& run, std::uint64_t number) { return number_of(run) < number; });
  return at != runs.end() && at->id == id ? engine::places_of(*this, *at) : std::span<const std::uint32_t>{};
}

RadioDef medium_rules(const Data& d, RadioDef rules) {
  const double waits = static_cast<double>(d.coupling.horizon - 1) * static_cast<double>(d.def.tick_ns) * 1e-9;
  rules.delay = std::max(0.0, rules.delay - waits);
  return rules;
}

const Look* last_look(const Coupling& coupling, std::size_t which) {
  for (auto c = coupling.waiting.rbegin(); c != coupling.waiting.rend(); ++c)
    for (const Look& look : c->looks)
      if (look.which == which) return &look;
  return nullptr;
}

const Coupled* find_coupled(const Coupling& coupling, std::uint64_t tick) {
  const auto at = std::lower_bound(coupling.waiting.begin(), coupling.waiting.end(), tick, [](const Coupled& c, std::uint64_t t) { return c.tick < t; });
  return at != coupling.waiting.end() && at->tick == tick ? &*at : nullptr;
}

void take_coupled(Data& d) {
  Coupling& c = d.coupling;
  if (!c.delays()) return;
  if (c.waiting.empty() || c.waiting.front().tick + c.horizon != d.tick) return;
  Coupled now = std::move(c.waiting.front());
  c.waiting.erase(c.waiting.begin());
  d.air.arrivals = std::move(now.arrivals);
  c.emitters = std::move(now.emitters);
  for (Look& look : now.looks) {
    tell_sightings(d, look);
    see(d, look);
  }
}

void leave_coupled(Data& d) {
  Coupling& c = d.coupling;
  if (!c.delays()) return;
  c.emitters.clear();
  Coupled now{.tick = d.tick, .arrivals = std::exchange(d.air.arrivals, {}), .looks = std::exchange(c.looks, {}), .emitters = emitters_now(d)};
  if (now.empty()) return;
  now.hash = hash_of(now);
  c.waiting.push_back(std::move(now));
}

void forget_coupled(Data& d, std::span<const std::uint8_t> worlds) {
  const auto begins = [&](std::uint64_t number) { return worlds[world_of(d, number)] != 0; };
  for (Coupled& c : d.coupling.waiting) {
    std::erase_if(c.arrivals.receptions, [&](const swarm::Reception& r) { return begins(r.receiver != 0 ? r.receiver : r.sender); });
    std::erase_if(c.emitters, [&](const Emitter& e) { return worlds[e.world] != 0; });
    for (Look& look : c.looks) std::erase_if(look.runs, [&](const Look::Run& run) { return begins(number_of(run)); });
    std::erase_if(c.looks, [](const Look& look) { return look.runs.empty(); });
  }
  std::erase_if(d.coupling.waiting, [](const Coupled& c) { return c.empty(); });
  hash_coupled(d);
}

void hash_coupled(Data& d) {
  for (Coupled& c : d.coupling.waiting) c.hash = hash_of(c);
}

std::uint64_t hash_coupling(const Data& d) {
  std::uint64_t sum = 0;
  for (const Coupled& c : d.coupling.waiting) sum += c.hash;
  return sum;
}

// ---------------------------------------------------------------- reading

namespace {

bool look_fits(const Data& d, const Look& look) {
  const auto worlds = static_cast<std::uint32_t>(d.worlds.start.size());
  if (look.which >= d.interaction.look_frames.size() || look.frame.first.empty() || !look.frame.fits(worlds)) return false;
  const auto follows = [](const Look::Run& a, const Look::Run& b) { return number_of(a) >= number_of(b); };
  if (std::adjacent_find(look.runs.begin(), look.runs.end(), follows) != look.runs.end()) return false;
  return std::all_of(look.runs.begin(), look.runs.end(), [&](const Look::Run& run) {
    const std::uint64_t number = number_of(run);
    const std::uint32_t world = number == 0 ? worlds : world_of(d, number);
    if (world >= worlds || run.count > Seen::kMost || std::size_t{run.first} + run.count > look.frame.places.size()) return false;
    const std::uint32_t n = look.frame.first[world + 1] - look.frame.first[world];
    return std::ranges::all_of(places_of(look, run), [&](std::uint32_t place) { return place < n; });
  });
}

bool coupled_fits(const Data& d, const Coupled& c) {
  const auto& [messages, receptions] = c.arrivals;
  return std::all_of(messages.begin(), messages.end(), [](const swarm::Message& m) { return m.count <= swarm::Message::kMost; }) &&
         std::all_of(receptions.begin(), receptions.end(), [&](const swarm::Reception& r) { return r.message < messages.size(); }) &&
         std::all_of(c.looks.begin(), c.looks.end(), [&](const Look& look) { return look_fits(d, look); }) &&
         std::all_of(c.emitters.begin(), c.emitters.end(), [&](const Emitter& e) { return e.flock < d.flocks.size() && e.world < d.worlds.start.size(); });
}

}  // namespace

bool coupling_fits(const Data& d, const Coupling& coupling) {
  const std::vector<Coupled>& list = coupling.waiting;
  const auto follows = [](const Coupled& a, const Coupled& b) { return a.tick >= b.tick; };
  return list.size() <= coupling.horizon && std::adjacent_find(list.begin(), list.end(), follows) == list.end() &&
         std::all_of(list.begin(), list.end(), [&](const Coupled& c) { return coupled_fits(d, c); });
}

}  // namespace volary::engine
