// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// All pairs of places that are near each other, each once and in order. Places are taken in the order of cells, so that whom a place may be near is
// close by in memory; the list of each then goes to where its pairs belong.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/cells.hpp"

namespace volary::engine {

class NearPairs {
 public:
  using Pair = std::pair<std::uint32_t, std::uint32_t>;  // indices, the lower first
  // Pairs within the radius in the same world of the batch, in order; places that are not finite are near nobody.
  std::span<const Pair> find(std::span<const Vec> places, std::span<const std::uint32_t> worlds, double radius, Pool& pool);

 private:
  struct alignas(64) Part {
    std::vector<std::uint32_t> found;  // the others of each place, one list after the other
  };

  Cells cells_;
  std::vector<Part> parts_;
  std::vector<std::uint32_t> first_;  // of each place: where its pairs begin
  std::vector<Pair> pairs_;
};

}  // namespace volary::engine
