// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/parts.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>

#include "core/state.hpp"
#include "engine/columns.hpp"
#include "engine/snapshot_bytes.hpp"

namespace volary::engine {

namespace {

using core::StateReader;
using core::StateWriter;

// Of every list below one text reads and writes: F is StateWriter or StateReader.

// the elements of one vehicle in a set of rows
template <class F> void each_row(F& f, core::Buffer& buffer, const Flock& flock, std::size_t slot, int rows) {
  std::array<std::byte, 32768> all;
  const auto size = static_cast<std::size_t>(flock.bytes), n = static_cast<std::size_t>(rows) * size, next = kBlock * size;
  core::require(n <= all.size(), "a flock with more rows than a part has room for");
  std::byte* element = buffer.data() + element_offset(slot, rows, 0, flock.bytes);
  if constexpr (!F::kReads)
    for (std::size_t at = 0; at < n; at += size) std::memcpy(all.data() + at, element + at / size * next, size);
  f.raw(std::span(all.data(), n));
  if constexpr (F::kReads)
    for (std::size_t at = 0; at < n; at += size) std::memcpy(element + at / size * next, all.data() + at, size);
}

template <class F> void each_override(F& f, Flock& flock, std::size_t slot, const std::vector<int>& rows) {
  const auto size = static_cast<std::size_t>(flock.bytes);
  for (Override& o : flock.overrides) {
    if (std::find(rows.begin(), rows.end(), o.row) != rows.end())
      f.raw(std::span(o.column.data() + slot * size, size));
    else
      o.set(slot, flock.bytes, flock.param_values[static_cast<std::size_t>(o.row)]);  // it came after the part was taken
  }
}

// what the roster has of a vehicle
struct Traits {
  std::uint64_t failed = 0, draws = 0;
  std::array<std::uint64_t, 4> identity{};
  swarm::V3 home{};
};
Traits traits_of(const Flock& f, const Society& s, std::size_t slot, bool is_social) {
  Traits t{bits_of(f.failed[slot]), f.draws[slot], {}, is_social ? s.homes[slot] : swarm::V3{}};
  for (int k = 0; k < 4; ++k) t.identity[static_cast<std::size_t>(k)] = read_word(f.identity.data() + element_offset(slot, 4, k, f.bytes), f.bytes);
  return t;
}
bool differ(const Traits& a, const Traits& b) { return std::memcmp(&a, &b, sizeof a) != 0; }

// true: something of it changed
template <class F> bool each_trait(F& f, Flock& flock, Society& s, std::size_t slot, bool is_social) {
  const Traits old = traits_of(flock, s, slot, is_social);
  each_row(f, flock.identity, flock, slot, 4);
  Traits now = old;
  f(now);
  const std::size_t kinds = is_social ? s.library.size() : 0;
  const std::span<double> weights(s.weights.data() + slot * kinds, kinds);
  std::vector<double> before;
  if constexpr (F::kReads) before.assign(weights.begin(), weights.end());
  f.raw(weights);
  if constexpr (F::kReads) {
    flock.failed[slot] = failed_of(static_cast<std::uint8_t>(now.failed));
    flock.draws[slot] = now.draws;
    if (is_social) s.homes[slot] = now.home;
    return differ(now, old) || !std::equal(before.begin(), before.end(), weights.begin());
  }
  return false;
}

// What was kept of an answer; a behaviour that keeps answers now and did not then is asked at the next decision.
template <class F> void each_answer(F& f, Answers& a, std::size_t slot, std::size_t slots) {
  std::uint32_t has_action = a.are_kept() ? 1 : 0, has_coming = a.coming.empty() ? 0 : 1;
  f(has_action);
  f(has_coming);
  if constexpr (F::kReads) {
    if (has_action != 0) a.keep(slots, has_coming != 0);
    a.reset(slot);
    if (has_action == 0 && a.are_kept()) a.missing[slot] = 1;
  }
  if (has_action != 0) f(a.action[slot]), f(a.missing[slot]);
  if (has_coming != 0) f(a.coming[slot]);
}

template <class F> void each_letter(F& f, Society& s, std::size_t slot) {
  std::vector<swarm::Message> inbox;
  std::vector<Unsaid> unsaid;
  if constexpr (!F::kReads) {
    if (s.decides()) s.inbox.read(slot, inbox);
    const std::span<const Unsaid> own = s.unsaid_of(slot);
    unsaid.assign(own.begin(), own.end());
  }
  f(inbox);
  f(unsaid);
  if constexpr (F::kReads) {
    if (s.decides()) s.inbox.give_back(s.inbox.take(slot));
    for (const swarm::Message& m : inbox) s.inbox.add(slot, m);
    std::erase_if(s.unsaid, [&](const Unsaid& u) { return u.slot == slot; });
    for (Unsaid& u : unsaid) u.slot = slot;
    const auto at = std::lower_bound(s.unsaid.begin(), s.unsaid.end(), slot, [](const Unsaid& u, std::size_t k) { return u.slot < k; });
    s.unsaid.insert(at, unsaid.begin(), unsaid.end());
  }
}

template <class F> void each_note(F& f, FlockNotes& notes, std::size_t slot) {
  if (!notes.is_on) return;
  f(notes.allowances[slot]);
  std::vector<double> plotted;
  if constexpr (!F::kReads)
    for (const std::vector<double>& column : notes.plots.values) plotted.push_back(column[slot]);
  f(plotted);
  if constexpr (F::kReads)
    for (std::size_t k = 0; k < plotted.size() && k < notes.plots.values.size(); ++k) notes.plots.values[k][slot] = plotted[k];
}

template <class F> void each_sight(F& f, Data& d, std::size_t flock, std::size_t slot) {
  std::vector<swarm::Detection> seen;
  if constexpr (!F::kReads) detections_of(d, flock, slot, seen);
  f(seen);
  if constexpr (F::kReads) replace_sight(d, flock, slot, seen);
}

template <class F> void each_social(F& f, Data& d, std::size_t flock, std::size_t slot) {
  Society& s = d.societies[flock];
  const std::size_t kinds = s.library.size();
  f(s.nodes[slot]);
  f(s.digests[slot]);
  f.raw(std::span(s.memory.data() + slot * s.memory_words, s.memory_words));
  for (std::size_t k = 0; k < s.scripts; ++k) f(s.tables[slot * s.scripts + k]);
  f.raw(std::span(s.triggers.data() + slot * kinds, kinds));
  f.raw(std::span(s.active.data() + slot * kinds, kinds));
  for (Answers& a : s.answers) each_answer(f, a, slot, s.nodes.size());
  if (s.is_piloted) f(s.guidance[slot]);
  s.known.each_of(f, slot);
  each_letter(f, s, slot);
  each_note(f, s.notes, slot);
  each_sight(f, d, flock, slot);
}

// its actuators with faults, where the flock has any
template <class F> void each_fault_term(F& f, Flock& flock, std::size_t slot) {
  std::uint64_t has_rows = flock.fault_rows.size() > 0 ? 1 : 0;
  f(has_rows);
  if constexpr (F::kReads) {
    if (has_rows != 0) make_fault_rows(flock);
    if (has_rows == 0) neutral_terms(flock, slot);
    neutral_sense_terms(flock, slot);  // those of its faults are written anew at the next tick
  }
  if (has_rows != 0) each_row(f, flock.fault_rows, flock, slot, flock.n_fault_rows());
}

template <class F> bool each_of_vehicle(F& f, Data& d, std::size_t flock, std::size_t slot, const std::vector<int>& override_rows) {
  Flock& own = d.flocks[flock];
  each_row(f, own.hot, own, slot, own.kernel->hot_rows);
  if (own.guided()) each_row(f, own.plan, own, slot, own.kernel->plan_rows);
  if (own.has_ground) each_row(f, own.ground, own, slot, kGroundRows);
  if (own.senses != nullptr) each_row(f, own.senses->rows, own, slot, own.senses->layout.rows);
  if (own.joined != nullptr) each_row(f, own.joined->state, own, slot, own.joined->rows);
  each_override(f, own, slot, override_rows);
  std::uint64_t breaches = slot < own.breaches.size() ? own.breaches[slot] : 0;
  f(breaches);
  if constexpr (F::kReads) {
    if (breaches != 0) own.breaches.resize(own.slots);
    if (slot < own.breaches.size()) own.breaches[slot] = breaches;
  }
  each_fault_term(f, own, slot);
  Lying lying = flock < d.conditions.of.size() && slot < d.conditions.of[flock].size() ? d.conditions.of[flock][slot] : Lying{};
  f(lying);
  if constexpr (F::kReads) lying_of(d, own, slot) = lying;
  RotorWatch rotors = flock < d.conditions.rotors.size() && slot < d.conditions.rotors[flock].size() ? d.conditions.rotors[flock][slot] : RotorWatch{};
  f(rotors);
  if constexpr (F::kReads)
    if (rotors.id != 0) rotor_watch_of(d, own, slot) = rotors;
  const bool is_changed = each_trait(f, own, d.societies[flock], slot, d.is_social);
  if (d.is_social) each_social(f, d, flock, slot);
  return is_changed;
}

bool is_picked(const SnapshotPart& part, std::uint64_t number) {
  const auto at = std::lower_bound(part.picks.begin(), part.picks.end(), number, [](const SnapshotPart::Pick& p, std::uint64_t n) { return p.id.number() < n; });
  return at != part.picks.end() && at->id.number() == number;
}

// Those of a list that belong to the part: taken out of it, or put in their place. The list is in order where it has one.
template <class F, class T, class Is> void each_of_list(F& f, std::vector<T>& list, Is&& is_of_part) {
  std::vector<T> own;
  if constexpr (!F::kReads) std::copy_if(list.begin(), list.end(), std::back_inserter(own), is_of_part);
  f(own);
  if constexpr (F::kReads) {
    std::erase_if(list, is_of_part);
    list.insert(list.end(), own.begin(), own.end());
  }
}

template <class F> void each_meeting(F& f, Interaction& in, const SnapshotPart& part) {
  each_of_list(f, in.touching, [&](const Pair& p) { return is_picked(part, p.a) || is_picked(part, p.b); });
  each_of_list(f, in.crashed, [&](std::uint64_t id) { return is_picked(part, VehicleId{id}.number()); });
  each_of_list(f, in.detached, [&](const Detached& x) { return is_picked(part, VehicleId{x.id}.number()); });
  if constexpr (F::kReads) {
    std::sort(in.detached.begin(), in.detached.end());
    std::sort(in.touching.begin(), in.touching.end());
    std::sort(in.crashed.begin(), in.crashed.end());
  }
}

// the tasks of the chosen worlds, and what happened there since the last look
template <class F> void each_task(F& f, Judging& j, const SnapshotPart& part) {
  if (!j.looks()) return;
  for (const std::uint32_t w : part.worlds) j.judges[w].each_state(f);
  const auto is_own = [&](std::uint32_t w) { return std::binary_search(part.worlds.begin(), part.worlds.end(), w); };
  each_of_list(f, j.heard, [&](const Judging::Heard& h) { return is_own(h.world); });
  std::vector<std::vector<char>> words;
  std::vector<std::uint32_t> where;
  const auto split = [&](bool own) {
    for (std::size_t k = 0; k < j.happened.size(); ++k)
      if (is_own(j.happened_where[k]) == own) words.push_back(j.happened[k]), where.push_back(j.happened_where[k]);
  };
  if constexpr (!F::kReads) split(true);
  std::vector<std::vector<char>> own = std::move(words);
  std::vector<std::uint32_t> own_where = std::move(where);
  f(own);
  f(own_where);
  if constexpr (F::kReads) {
    words.clear(), where.clear();
    split(false);
    words.insert(words.end(), own.begin(), own.end());
    where.insert(where.end(), own_where.begin(), own_where.end());
    j.happened = std::move(words);
    j.happened_where = std::move(where);
  }
}

template <class F> void each_report(F& f, std::vector<Elsewhere::Report>& reports, const SnapshotPart& part) {
  each_of_list(f, reports, [&](const Elsewhere::Report& r) { return is_picked(part, VehicleId{r.id}.number()); });
  if constexpr (F::kReads) std::sort(reports.begin(), reports.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
}

template <class F> void each_common(F& f, Data& d, const SnapshotPart& part) {
  each_meeting(f, d.interaction, part);
  each_of_list(f, d.faults.list, [&](const ActiveFault& a) { return is_picked(part, VehicleId{a.id}.number()); });
  if constexpr (F::kReads) std::sort(d.faults.list.begin(), d.faults.list.end());
  each_report(f, d.elsewhere.reports, part);
  if (part.shared)
    each_shared(f, d);
  else
    each_task(f, d.judging, part);
}

core::Status choose(const Data& d, const PartOf& of, SnapshotPart& part) {
  part.picks.clear();
  const auto pick = [&](VehicleId id) {
    const Location* l = locate(d, id);
    if (l != nullptr) part.picks.push_back({d.flocks[l->flock].ids[l->slot], l->flock});
    return l != nullptr;
  };
  // the bodies of vehicles that share a scene are kept by one of them
  const auto pick_partners = [&] {
    for (std::size_t k = 0, n = part.picks.size(); k < n; ++k) {
      const Location* l = locate(d, part.picks[k].id);
      const Flock& own = d.flocks[l->flock];
      const std::size_t slot = l->slot;
      if (own.joined == nullptr || !own.joined->shares()) continue;
      for (const Flock* one : own.joined->members)
        if (one != &own && slot < one->slots && one->ids[slot]) pick(one->ids[slot]);
    }
  };
  for (const VehicleId id : of.vehicles)
    if (!pick(id)) return core::Error{.message = fmt::format("vehicle {} is not there", id.number()), .field = "vehicles"};
  for (const std::string& name : of.flocks) {
    const auto f = std::find_if(d.flocks.begin(), d.flocks.end(), [&](const Flock& x) { return x.def.name == name; });
    if (f == d.flocks.end()) return core::Error{.message = "there is no flock '" + name + "'", .field = "flocks"};
    for (const VehicleId id : f->ids)
      if (id) pick(id);
  }
  for (const std::uint32_t w : of.worlds) {
    if (w >= static_cast<std::uint32_t>(d.def.worlds)) return core::Error{.message = fmt::format("there is no world {}", w), .field = "worlds"};
    for (const Flock& f : d.flocks)
      for (std::size_t slot = 0; slot < f.slots; ++slot)
        if (f.ids[slot] && f.worlds[slot] == w) pick(f.ids[slot]);
  }
  pick_partners();
  std::sort(part.picks.begin(), part.picks.end(), [](const auto& a, const auto& b) { return a.id.number() < b.id.number(); });
  part.picks.erase(std::unique(part.picks.begin(), part.picks.end(), [](const auto& a, const auto& b) { return a.id == b.id; }), part.picks.end());
  part.worlds = of.worlds;
  std::sort(part.worlds.begin(), part.worlds.end());
  part.worlds.erase(std::unique(part.worlds.begin(), part.worlds.end()), part.worlds.end());
  return core::ok();
}

}  // namespace

core::Status take_part(const Data& d, const PartOf& of, SnapshotPart& part) {
  if (const core::Status chosen = choose(d, of, part); !chosen) return chosen;
  part.fingerprint = fingerprint(d);
  part.shared = of.shared;
  part.tick = d.tick;
  part.override_rows.resize(d.flocks.size());
  for (std::size_t k = 0; k < d.flocks.size(); ++k) {
    part.override_rows[k].clear();
    for (const Override& o : d.flocks[k].overrides) part.override_rows[k].push_back(o.row);
  }
  Data& all = const_cast<Data&>(d);  // the lists are the same for reading and writing
  StateWriter vehicles(std::move(part.vehicles)), common(std::move(part.common));
  for (const SnapshotPart::Pick& p : part.picks) each_of_vehicle(vehicles, all, p.flock, d.locations.find(p.id.number())->slot, part.override_rows[p.flock]);
  each_common(common, all, part);
  part.vehicles = vehicles.take();
  part.common = common.take();
  return core::ok();
}

core::Status restore_part(Data& d, const SnapshotPart& part) {
  if (part.fingerprint != fingerprint(d)) return of_another_world("the part");
  for (const SnapshotPart::Pick& p : part.picks) {
    const Location* l = d.locations.find(p.id.number());
    if (l == nullptr || l->flock != p.flock || d.flocks[l->flock].ids[l->slot] != p.id)
      return core::Error{.message = fmt::format("vehicle {} of the part is not in the world any more", p.id.number())};
  }
  // first what all share: what vehicles remember is read by the rates of then
  StateReader common(part.common), vehicles(part.vehicles);
  each_common(common, d, part);
  if (part.shared) d.tick = part.tick;
  for (std::size_t k = 0; k < d.flocks.size(); ++k)
    for (const int row : part.override_rows[k]) d.flocks[k].own_column(row);
  for (const SnapshotPart::Pick& p : part.picks) {
    Location* l = d.locations.find(p.id.number());
    if (each_of_vehicle(vehicles, d, p.flock, l->slot, part.override_rows[p.flock])) ++d.traits_version;
    if (!l->alive) l->alive = true, ++d.roster_version;  // it had diverged since
  }
  core::require(common.whole() && vehicles.whole(), "a part of another world");
  after_restore(d);
  return core::ok();
}

}  // namespace volary::engine
