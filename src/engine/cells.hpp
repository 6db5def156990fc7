// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Places in the order of the cells of a grid as wide as a radius. Whoever is near a place lies in its cell or the 26 around it: nine rows of
// three cells, each one stretch of that order. Coordinates are kept in single precision, in widths of a cell, side by side; they tell near
// from far but for a thin shell, and there the places themselves are asked: who is near whom depends on the two of them and on nobody else.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/pool.hpp"
#include "volary/def.hpp"

namespace volary::engine {

class Cells {
 public:
  // Puts the finite places in order; false when the world is too wide to have a cell everywhere. The places must stay as long as they are asked for.
  bool fill(std::span<const Vec> places, std::span<const std::uint32_t> worlds, double radius, Pool& pool);

  std::size_t size() const { return index_.size() - kLanes; }                  // finite places
  std::uint32_t index(std::size_t item) const { return index_[item]; }         // which place is the item-th in order
  // Appends to `found`, in order, who is within the radius of an item in its world: everybody else, or only places of higher index. Returns how many.
  template <bool only_later> std::size_t near(std::size_t item, std::vector<std::uint32_t>& found, std::size_t at) const;

 private:
  static constexpr std::size_t kLanes = 8;  // looked at together; the columns are that much longer, so that nobody reads past them
  struct Grid {
    Vec low = {0, 0, 0};
    double per_cell = 1;  // 1/m
    std::uint32_t columns = 1, rows = 1, layers = 1;
    std::uint32_t cells = 1;
    float sure = 0, perhaps = 0;  // squared widths: nearer is near, farther is not
  };
  struct Place {
    float x, y, z;  // widths of a cell from the low corner
  };
  struct Item {
    Place place;
    std::uint32_t index, cell;
  };
  struct alignas(64) Part {
    Vec low, high;
    std::uint32_t world = 0;
    std::vector<std::uint32_t> next;   // of each bucket: where this thread's next item goes
    std::vector<std::uint32_t> count;  // of each cell of a bucket
  };

  bool choose_grid(double radius, Pool& pool);
  void put_in_buckets(Pool& pool);
  void put_in_cells(std::size_t bucket, Part& part);
  std::uint64_t near_bits(std::size_t from, std::uint32_t count, const Place& place, std::uint32_t least) const;
  bool is_near(const Place& place, std::uint32_t self, std::size_t other) const;

  std::span<const Vec> places_;
  std::span<const std::uint32_t> worlds_;
  double radius2_ = 0;
  Grid grid_;
  std::vector<Part> parts_;
  std::vector<std::uint32_t> cell_;    // of each place
  std::vector<std::uint32_t> bucket_;  // where the items of each bucket begin
  std::vector<Item> items_;            // in the order of buckets
  std::vector<std::uint32_t> start_;   // where the items of each cell begin
  std::vector<float> x_, y_, z_;       // in the order of cells
  std::vector<std::uint32_t> index_, cell_of_;
};

}  // namespace volary::engine
