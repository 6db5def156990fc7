// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/snapshot.hpp"

#include <algorithm>
#include <cstring>

#include "engine/snapshot_bytes.hpp"

namespace volary {

std::size_t Snapshot::bytes() const {
  std::size_t sum = 0;
  for (const auto& p : pieces) sum += p.size();
  return sum + logical.size();
}

}  // namespace volary

namespace volary::engine {

std::vector<Registered> registry(Data& d) {
  std::vector<Registered> list;
  for (Flock& f : d.flocks) {
    list.push_back({f.def.name + "/hot", &f.hot});
    list.push_back({f.def.name + "/plan", &f.plan});
    list.push_back({f.def.name + "/identity", &f.identity});
    if (f.has_ground) list.push_back({f.def.name + "/ground", &f.ground});
    for (Override& o : f.overrides) list.push_back({f.def.name + "/override/" + std::to_string(o.row), &o.column});
  }
  return list;
}

std::shared_ptr<const Snapshot> take_snapshot(const Data& d) {
  auto s = std::make_shared<Snapshot>();
  s->fingerprint = fingerprint(d);
  s->tick = d.tick;
  s->locations = d.locations;
  for (const auto& [tick, inputs] : d.pending) s->inputs.insert(s->inputs.end(), inputs.begin(), inputs.end());
  in_order(s->inputs);
  s->next_seq = d.next_seq;
  for (const Flock& f : d.flocks) {
    Snapshot::FlockBook b{f.slots, f.capacity, f.ids, f.worlds, f.names, f.failed, f.breaches, f.free_slots, f.last_places, {}};
    for (const Override& o : f.overrides) b.override_rows.push_back(o.row);
    s->books.push_back(std::move(b));
  }
  s->logical = save_logical(d);
  for (const Registered& r : registry(const_cast<Data&>(d))) s->pieces.emplace_back(r.buffer->data(), r.buffer->data() + r.buffer->size());
  return s;
}

core::Status restore_snapshot(Data& d, const Snapshot& s) {
  if (s.fingerprint != fingerprint(d)) return of_another_world("the snapshot");
  d.tick = s.tick;
  d.locations = s.locations;
  d.pending.clear();
  for (const Input& in : s.inputs) d.pending[in.tick].push_back(in);
  d.next_seq = s.next_seq;
  for (std::size_t k = 0; k < d.flocks.size(); ++k) {
    Flock& f = d.flocks[k];
    const Snapshot::FlockBook& b = s.books[k];
    f.reserve(b.capacity);
    f.slots = b.slots;
    f.ids = b.ids;
    f.worlds = b.worlds;
    f.names = b.names;
    f.failed = b.failed;
    f.breaches = b.breaches;
    f.free_slots = b.free_slots;
    f.last_places = b.last_places;
    f.overrides.clear();
    for (const int row : b.override_rows) f.overrides.push_back({row, f.make_column(f.capacity)});
    f.has_diverged = false;
  }
  const std::vector<Registered> list = registry(d);
  core::require(list.size() == s.pieces.size(), "a snapshot with other columns");
  for (std::size_t k = 0; k < list.size(); ++k)
    if (!s.pieces[k].empty()) std::memcpy(list[k].buffer->data(), s.pieces[k].data(), s.pieces[k].size());
  for (Flock& f : d.flocks) f.read_draws();
  std::fill(d.worlds.changed.begin(), d.worlds.changed.end(), std::uint8_t{1});
  restore_logical(d, s.logical);
  for (Flock& f : d.flocks)
    if (f.arrays != nullptr) f.arrays->observe(f, {0, f.blocks()});
  d.events.clear();
  d.plotted.clear();
  d.shown = {};
  d.submitted.clear();
  ++d.roster_version;
  forget_hash(d);
  return core::ok();
}

void SnapshotRing::push(std::shared_ptr<const Snapshot> s) {
  if (ring_.size() == size_) ring_.erase(ring_.begin());
  ring_.push_back(std::move(s));
}

std::shared_ptr<const Snapshot> SnapshotRing::at_or_before(std::uint64_t tick) const {
  std::shared_ptr<const Snapshot> found;
  for (const auto& s : ring_)
    if (s->tick <= tick) found = s;
  return found;
}

}  // namespace volary::engine
