// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Who is near whom. Places are sorted by the cell of a grid as wide as the radius; the neighbours of a cell lie in nine rows of three
// cells, each of which is one stretch of the sorted list, and the nine stretches move on as the cell does: no table, no hashing, and the
// cost is that of a sort whatever the size of the world.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/pool.hpp"
#include "volary/def.hpp"

namespace volary::engine {

struct Near {
  std::uint32_t index;  // of the other place
  float distance;       // m
};

class Neighbours {
 public:
  // All pairs within the radius of each other, in the same world of the batch. Places that are not finite have no neighbours.
  void find(std::span<const Vec> places, std::span<const std::uint32_t> worlds, double radius, Pool& pool);
  // those near place i, the lowest index first, whatever the number of threads
  std::span<const Near> of(std::size_t i) const;
  std::size_t pairs() const;

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
    std::vector<Near> near;
  };

  void choose_grid(std::span<const Vec> places, std::span<const std::uint32_t> worlds, double radius, Pool& pool);
  void sort(Pool& pool);
  void search(std::size_t part, std::size_t parts, double radius);

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
