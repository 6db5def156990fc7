// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The frames of all members for a ring of ticks, the newest version of each, and up to which tick each member's are all here. Memory of bytes is used again.
#pragma once

#include <array>
#include <vector>

#include "cluster/membership.hpp"

namespace volary::cluster {

class FrameStore {
 public:
  // ticks after `floor` can be kept, `ring` of them (a power of two)
  void reset(std::uint32_t ring, Tick floor);
  void begin(std::size_t id, Tick front);  // a member whose frames up to `front` are not asked for
  void raise_floor(Tick floor) { floor_ = floor; }
  Tick floor() const { return floor_; }
  Tick last() const { return floor_ + rows_.size() - 1; }  // the last tick that can be kept

  bool has(std::size_t id, Tick tick) const { return (here(tick) & bit_of(id)) != 0; }
  MemberMask here(Tick tick) const {
    const Row& r = rows_[tick & mask_];
    return r.tick == tick ? r.here : 0;
  }
  const Version& version(std::size_t id, Tick tick) const { return cells_[id][tick & mask_].version; }
  std::span<const std::byte> bytes(std::size_t id, Tick tick) const { return cells_[id][tick & mask_].bytes; }
  Tick front(std::size_t id) const { return fronts_[id]; }

  // a tick from floor + 1 to last(); replaces what is there
  void put(std::size_t id, Tick tick, Version version, std::span<const std::byte> bytes);
  // drops the frames of a member after a tick for which `goes(version)` says so
  template <class Goes> void drop_after(std::size_t id, Tick after, Goes&& goes) {
    for (Tick k = after + 1; k <= top_; ++k)
      if (has(id, k) && goes(version(id, k))) drop(id, k);
  }
  void drop(std::size_t id, Tick tick) {
    rows_[tick & mask_].here &= ~bit_of(id);
    if (fronts_[id] >= tick) fronts_[id] = tick - 1;
  }

 private:
  struct Row {
    Tick tick = kNever;
    MemberMask here = 0;
  };
  struct Cell {
    Version version;
    std::vector<std::byte> bytes;
  };
  std::vector<Row> rows_ = std::vector<Row>(1);
  std::array<std::vector<Cell>, kMaxMembers> cells_;
  std::array<Tick, kMaxMembers> fronts_{};
  Tick floor_ = 0, top_ = 0, mask_ = 0;
};

}  // namespace volary::cluster
