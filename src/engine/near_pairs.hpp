// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// All pairs of places that are near each other, each once. Places are put in the order of the cells of a grid as wide as the radius by counting; a cell looks into
// itself and the thirteen cells after it, which are five stretches of that order. Single precision relative to the cell tells near from far but for a thin shell,
// and there the places themselves are asked: who is near whom depends on the two of them and on nobody else.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/pool.hpp"
#include "volary/def.hpp"

namespace volary::engine {

class NearPairs {
 public:
  using Pair = std::pair<std::uint32_t, std::uint32_t>;  // indices, the lower first
  // Pairs within the radius in the same world of the batch, in order; places that are not finite are near nobody.
  std::span<const Pair> find(std::span<const Vec> places, std::span<const std::uint32_t> worlds, double radius, Pool& pool);

 private:
  struct Item {
    float x, y, z;  // m from the corner of the cell
    std::uint32_t index;
  };
  struct Grid {
    Vec low = {0, 0, 0};
    double cell = 1;  // m
    std::uint32_t columns = 1, rows = 1, layers = 1;
    std::uint32_t cells = 1;
  };
  struct alignas(64) Part {
    Vec low, high;
    std::uint32_t world = 0;
    std::vector<Pair> found;
  };

  bool choose_grid(std::span<const Vec> places, std::span<const std::uint32_t> worlds, double radius, Pool& pool);
  void place_items(std::span<const Vec> places, std::span<const std::uint32_t> worlds, Pool& pool);
  void search(std::size_t part, std::size_t parts, std::span<const Vec> places, double radius);
  void order(std::size_t n, Pool& pool);

  Grid grid_;
  std::vector<std::uint32_t> cell_;  // of each place
  std::vector<std::uint32_t> start_;  // where the items of each cell begin
  std::vector<Item> items_;
  std::vector<Part> parts_;
  std::vector<std::uint32_t> first_;  // of each place: where its pairs begin
  std::vector<Pair> pairs_;
};

}  // namespace volary::engine
