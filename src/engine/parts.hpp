// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Parts of a snapshot: the rows and the society of chosen vehicles, and, where asked for, what all share. A part goes back into a world in which its vehicles still are; all others
// stay as they are.
#pragma once

#include <vector>

#include "engine/data.hpp"

namespace volary {

class SnapshotPart {
 public:
  std::uint64_t fingerprint = 0;
  struct Pick {
    VehicleId id;
    std::uint32_t flock = 0;
  };
  std::vector<Pick> picks;                // the lowest id first
  std::vector<std::uint32_t> worlds;      // whose tasks are in it
  bool shared = false;
  std::uint64_t tick = 0;                 // where shared
  std::vector<std::vector<int>> override_rows;  // of each flock
  std::vector<std::byte> vehicles;        // one after the other
  std::vector<std::byte> common;          // of their meetings, the tasks, and what all share
  std::size_t bytes() const { return vehicles.size() + common.size(); }
};

}  // namespace volary

namespace volary::engine {

// into a part whose memory is used again; refused where a vehicle, a flock or a world is not there
core::Status take_part(const Data& d, const PartOf& of, SnapshotPart& part);
// refused, and nothing changed, when it is of another world, or one of its vehicles was removed
core::Status restore_part(Data& d, const SnapshotPart& part);

}  // namespace volary::engine
