// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The snapshot registry: every piece of state is listed once with how to save and how to restore it.
// A snapshot is plain copies of the columns; restoring costs a memcpy.
#pragma once

#include <string>
#include <vector>

#include "engine/data.hpp"

namespace volary {

class Snapshot {
 public:
  std::uint64_t fingerprint = 0;  // of the world it was taken from: see snapshot_bytes.hpp
  std::uint64_t tick = 0;
  std::vector<std::vector<std::byte>> pieces;  // one per registered piece of state
  std::vector<std::byte> logical;              // what vehicles know, and what is on the air: see society.hpp
  // bookkeeping that is not columns
  engine::Locations locations;
  std::vector<Input> inputs;  // that wait, in order
  std::map<std::uint32_t, std::uint32_t> next_seq;
  struct FlockBook {
    std::size_t slots = 0, capacity = 0;
    std::vector<VehicleId> ids;
    std::vector<std::uint32_t> worlds;
    std::vector<std::string> names;
    std::vector<std::vector<bool>> failed;
    std::vector<std::uint64_t> breaches;
    std::vector<std::size_t> free_slots;
    std::vector<std::uint64_t> last_places;
    std::vector<int> override_rows;
  };
  std::vector<FlockBook> books;
  std::size_t bytes() const;
};

}  // namespace volary

namespace volary::engine {

// a column set that a snapshot copies
struct Registered {
  std::string name;
  core::Buffer* buffer;
};
std::vector<Registered> registry(Data& d);

std::shared_ptr<const Snapshot> take_snapshot(const Data& d);
// refused, and nothing changed, when it is of another world
core::Status restore_snapshot(Data& d, const Snapshot& s);

// the last few snapshots, for going back; the oldest makes room
class SnapshotRing {
 public:
  explicit SnapshotRing(std::size_t size) : size_(size) {}
  void push(std::shared_ptr<const Snapshot> s);
  // the newest snapshot not after the tick, or none
  std::shared_ptr<const Snapshot> at_or_before(std::uint64_t tick) const;
  std::size_t size() const { return ring_.size(); }

 private:
  std::size_t size_;
  std::vector<std::shared_ptr<const Snapshot>> ring_;  // oldest first
};

}  // namespace volary::engine
