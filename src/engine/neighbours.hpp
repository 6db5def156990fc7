// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Who is near whom: for each place a list of the others. Where the world is too wide for a table of cells, places are sorted by the number of
// their cell; the neighbours of a cell lie in nine rows of three cells, each of which is one stretch of the sorted list, and the nine
// stretches move on as the cell does: no table, no hashing, and the cost is that of a sort whatever the size of the world.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/cells.hpp"

namespace volary::engine {

struct Near {
  std::uint32_t index;  // of the other place
  float distance;       // m
};

class Neighbours {
 public:
  // All pairs within the radius of each other, in the same world of the batch. Places that are not finite have no neighbours. Where `asks` is given, only
  // places that ask, those with a 1, get a list. Places need not stay.
  void find(std::span<const Vec> places, std::span<const std::uint32_t> worlds, double radius, Pool& pool, std::span<const std::uint8_t> asks = {});
  // those near place i, the lowest index first, whatever the number of threads
  std::span<const Near> of(std::size_t i) const;

 private:
  struct Item {
    std::uint64_t cell;
    std::uint32_t index;
  };
  struct Grid {
    Vec low = {0, 0, 0};
    double per_cell = 1;  // 1/m
    std::uint64_t columns = 1, rows = 1, layers = 1;
    int bits = 1;  // of the highest cell number
  };
  // what one thread found
  struct alignas(64) Part {
    Vec low, high;
    std::uint32_t world = 0;
    std::vector<std::uint32_t> counts;  // of a digit, while sorting
    std::vector<std::uint32_t> found;   // around one place
    std::vector<Near> near;
  };

  void choose_grid(std::span<const Vec> places, std::span<const std::uint32_t> worlds, double radius, Pool& pool);
  void sort(Pool& pool);
  void search(std::size_t part, std::size_t parts, double radius);
  void search_cells(std::size_t part, std::size_t parts, std::span<const Vec> places);
  void find_by_sorting(std::span<const Vec> places, std::span<const std::uint32_t> worlds, double radius, Pool& pool);
  bool asks(std::size_t i) const { return asks_.empty() || asks_[i] != 0; }

  Cells cells_;
  std::span<const std::uint8_t> asks_;
  Grid grid_;
  std::vector<Item> items_, spare_;
  std::vector<double> x_, y_, z_;  // places in sorted order
  std::vector<Part> parts_;
  struct Where {
    std::uint32_t part = 0, count = 0;
    std::size_t first = 0;
  };
  std::vector<Where> where_;  // by place
};

}  // namespace volary::engine
