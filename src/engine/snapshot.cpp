// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/snapshot.hpp"

#include <algorithm>

#include "core/state.hpp"
#include "engine/snapshot_bytes.hpp"

namespace volary::engine {

void take_snapshot(const Data& d, Snapshot& s) {
  s.fingerprint = fingerprint(d);
  s.tick = d.tick;
  s.roster = roster_of(d);
  s.inputs.clear();
  for (const auto& [tick, inputs] : d.pending) s.inputs.insert(s.inputs.end(), inputs.begin(), inputs.end());
  in_order(s.inputs);
  s.next_seq = d.next_seq;
  s.override_rows.resize(d.flocks.size());
  core::StateWriter columns(std::move(s.columns));
  for (std::size_t k = 0; k < d.flocks.size(); ++k) {
    Flock& f = const_cast<Flock&>(d.flocks[k]);  // the list is the same for taking and restoring
    s.override_rows[k].clear();
    for (const Override& o : f.overrides) s.override_rows[k].push_back(o.row);
    each_column(f, s.roster->flocks[k].capacity, [&](core::Buffer& b, std::size_t n) { columns.raw(std::span(b.data(), n)); });
  }
  s.columns = columns.take();
  save_logical(d, s.logical);
}

core::Status restore_snapshot(Data& d, const Snapshot& s) {
  if (s.fingerprint != fingerprint(d)) return of_another_world("the snapshot");
  d.tick = s.tick;
  d.pending.clear();
  for (const Input& in : s.inputs) d.pending[in.tick].push_back(in);
  d.next_seq = s.next_seq;
  use_roster(d, s.roster);
  const std::byte* from = s.columns.data();
  for (std::size_t k = 0; k < d.flocks.size(); ++k) {
    Flock& f = d.flocks[k];
    f.use_overrides(s.override_rows[k]);
    f.has_diverged = false;
    each_column(f, s.roster->flocks[k].capacity, [&](core::Buffer& b, std::size_t n) {
      core::copy_bytes(b.data(), from, n);
      from += n;
    });
  }
  core::require(from == s.columns.data() + s.columns.size(), "a snapshot with other columns");
  restore_logical(d, s.logical);
  d.events.clear();
  d.plotted.clear();
  d.submitted.clear();
  return core::ok();
}

void SnapshotRing::take(const World& world) {
  std::shared_ptr<Snapshot> next = std::exchange(spare_, nullptr);
  // one as large as the last is expected
  const std::size_t expected = ring_.empty() ? 0 : ring_.back()->bytes();
  while (!ring_.empty() && bytes() + expected > most_) {
    next = std::move(ring_.front());
    ring_.pop_front();
  }
  world.snapshot_into(next);
  ring_.push_back(std::move(next));
  while (ring_.size() > 1 && bytes() > most_) {
    spare_ = std::move(ring_.front());
    ring_.pop_front();
  }
}

std::shared_ptr<const Snapshot> SnapshotRing::at_or_before(std::uint64_t tick) const {
  std::shared_ptr<const Snapshot> found;
  for (const auto& s : ring_)
    if (s->tick <= tick) found = s;
  return found;
}

std::size_t SnapshotRing::bytes() const {
  std::size_t sum = 0;
  const Roster* last = nullptr;
  for (const auto& s : ring_) {
    sum += s->bytes();
    if (s->roster.get() != last) sum += s->roster->bytes();
    last = s->roster.get();
  }
  return sum;
}

}  // namespace volary::engine
