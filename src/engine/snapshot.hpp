// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A snapshot is a roster, which others share, and two stretches of bytes: the columns of the flocks, and the lists of each_state. Taking one into memory that was used
// before, and going back to one, costs little more than copying those bytes.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "engine/data.hpp"

namespace volary {

class Snapshot {
 public:
  std::uint64_t fingerprint = 0;  // of the world it was taken from: see snapshot_bytes.hpp
  std::uint64_t tick = 0;
  std::shared_ptr<const engine::Roster> roster;
  std::vector<std::byte> columns;              // of all flocks, in the order of each_column
  std::vector<std::byte> logical;              // what vehicles know, and what is on the air: see society.hpp
  std::vector<std::vector<int>> override_rows; // of each flock
  std::vector<Input> inputs;                   // that wait, in order
  std::map<std::uint32_t, std::uint32_t> next_seq;
  std::size_t bytes() const { return columns.size() + logical.size(); }  // of its own, without the roster
};

}  // namespace volary

namespace volary::engine {

// f(buffer, bytes of it) for every set of columns of a flock with room for so many that is state; the identity rows are in the roster
template <class F> void each_column(Flock& f, std::size_t capacity, F&& visit) {
  const std::size_t row = capacity * static_cast<std::size_t>(f.bytes);
  visit(f.hot, row * static_cast<std::size_t>(f.kernel->hot_rows));
  if (f.guided()) visit(f.plan, row * static_cast<std::size_t>(f.kernel->plan_rows));
  if (f.has_ground) visit(f.ground, row * kGroundRows);
  if (f.senses != nullptr) visit(f.senses->rows, row * static_cast<std::size_t>(f.senses->layout.rows));
  if (f.joined != nullptr) visit(f.joined->state, row * static_cast<std::size_t>(f.joined->rows));
  for (Override& o : f.overrides) visit(o.column, row);
}

// into a snapshot whose memory is used again
void take_snapshot(const Data& d, Snapshot& s);
// refused, and nothing changed, when it is of another world
core::Status restore_snapshot(Data& d, const Snapshot& s);

// The last snapshots of a world, for going back: as many as fit into so many bytes, and the newest always. The oldest leaves its memory to the newest.
class SnapshotRing {
 public:
  explicit SnapshotRing(std::size_t bytes) : most_(bytes) {}
  void take(const World& world);
  // the newest snapshot not after the tick, or none; it stays as it is for as long as somebody holds it
  std::shared_ptr<const Snapshot> at_or_before(std::uint64_t tick) const;
  std::size_t size() const { return ring_.size(); }
  std::size_t bytes() const;  // of all, a roster that several share counted once

 private:
  std::size_t most_;
  std::deque<std::shared_ptr<Snapshot>> ring_;  // oldest first
  std::shared_ptr<Snapshot> spare_;
};

}  // namespace volary::engine
