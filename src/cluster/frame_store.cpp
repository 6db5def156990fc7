// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/frame_store.hpp"

#include <algorithm>

#include "core/check.hpp"

namespace volary::cluster {

void FrameStore::reset(std::uint32_t ring, Tick floor) {
  if (rows_.size() != ring)
    for (auto& cells : cells_) cells.clear();
  rows_.assign(ring, {});
  fronts_.fill(floor);
  floor_ = top_ = floor;
  mask_ = ring - 1;
}

void FrameStore::begin(std::size_t id, Tick front) {
  for (Row& r : rows_)
    if (r.tick != kNever && r.tick > front) r.here &= ~bit_of(id);
  fronts_[id] = front;
}

void FrameStore::put(std::size_t id, Tick tick, Version version, std::span<const std::byte> bytes) {
  core::check(tick > floor_ && tick <= last());
  Row& row = rows_[tick & mask_];
  if (row.tick != tick) row = {tick, 0};
  if (cells_[id].empty()) cells_[id].resize(rows_.size());
  Cell& cell = cells_[id][tick & mask_];
  cell.version = version;
  cell.bytes.assign(bytes.begin(), bytes.end());
  row.here |= bit_of(id);
  top_ = std::max(top_, tick);
  while (has(id, fronts_[id] + 1)) ++fronts_[id];
}

}  // namespace volary::cluster
