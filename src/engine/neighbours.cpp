// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/neighbours.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "core/check.hpp"
#include "engine/cells.hpp"
#include "math/scalar.hpp"

namespace volary::engine {

namespace {

constexpr int kDigit = 11;  // bits sorted at a time
constexpr std::uint64_t kNowhere = std::numeric_limits<std::uint64_t>::max();
constexpr double kMostCells = 1e17;

bool is_finite(const Vec& p) { return std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2]); }

}  // namespace

void Neighbours::choose_grid(std::span<const Vec> places, std::span<const std::uint32_t> worlds, double radius, Pool& pool) {
  const std::size_t parts = parts_.size();
  on_parts(pool, parts, [&](std::size_t part) {
    Part& p = parts_[part];
    p.low = {1e300, 1e300, 1e300};
    p.high = {-1e300, -1e300, -1e300};
    p.world = 0;
    for (std::size_t i = share(places.size(), part, parts); i < share(places.size(), part + 1, parts); ++i) {
      if (!is_finite(places[i])) continue;
      for (std::size_t k = 0; k < 3; ++k) {
        p.low[k] = std::min(p.low[k], places[i][k]);
        p.high[k] = std::max(p.high[k], places[i][k]);
      }
      p.world = std::max(p.world, worlds[i]);
    }
  });
  Vec low = parts_[0].low, high = parts_[0].high;
  std::uint64_t n_worlds = 0;
  for (const Part& p : parts_) {
    for (std::size_t k = 0; k < 3; ++k) low[k] = std::min(low[k], p.low[k]), high[k] = std::max(high[k], p.high[k]);
    n_worlds = std::max<std::uint64_t>(n_worlds, std::uint64_t{p.world} + 1);
  }
  // an empty cell on both sides of every row and layer: one cell to the left of a row is never the end of another
  auto cells = [&](std::size_t k, double cell) { return high[k] >= low[k] ? std::floor((high[k] - low[k]) / cell) + 3 : 3; };
  // wider cells than the radius where the world is too wide to number them all
  double cell = radius;
  while (cells(0, cell) * cells(1, cell) * cells(2, cell) * static_cast<double>(n_worlds) > kMostCells) cell *= 2;
  grid_.low = low;
  grid_.per_cell = 1 / cell;
  grid_.columns = static_cast<std::uint64_t>(cells(0, cell)) + 1;
  grid_.rows = static_cast<std::uint64_t>(cells(1, cell)) + 1;
  grid_.layers = static_cast<std::uint64_t>(cells(2, cell)) + 1;
  grid_.bits = std::bit_width(grid_.columns * grid_.rows * grid_.layers * n_worlds);
}

// stable, least digit first
void Neighbours::sort(Pool& pool) {
  const std::size_t n = items_.size(), parts = parts_.size(), values = std::size_t{1} << kDigit;
  spare_.resize(n);
  for (int shift = 0; shift < grid_.bits; shift += kDigit) {
    auto digit = [shift](const Item& item) { return static_cast<std::size_t>(item.cell >> shift) & ((std::size_t{1} << kDigit) - 1); };
    on_parts(pool, parts, [&](std::size_t part) {
      std::vector<std::uint32_t>& counts = parts_[part].counts;
      counts.assign(values, 0);
      for (std::size_t i = share(n, part, parts); i < share(n, part + 1, parts); ++i) ++counts[digit(items_[i])];
    });
    std::uint32_t at = 0;
    for (std::size_t value = 0; value < values; ++value)
      for (Part& p : parts_) at += std::exchange(p.counts[value], at);
    on_parts(pool, parts, [&](std::size_t part) {
      std::vector<std::uint32_t>& next = parts_[part].counts;
      for (std::size_t i = share(n, part, parts); i < share(n, part + 1, parts); ++i) spare_[next[digit(items_[i])]++] = items_[i];
    });
    items_.swap(spare_);
  }
}

void Neighbours::search(std::size_t part, std::size_t parts, double radius) {
  Part& out = parts_[part];
  out.near.clear();
  // a cell belongs to the part in which it begins
  const std::size_t n = items_.size();
  auto begin_of = [&](std::size_t p) {
    std::size_t i = share(n, p, parts);
    while (i > 0 && i < n && items_[i].cell == items_[i - 1].cell) ++i;
    return i;
  };
  const std::size_t begin = begin_of(part), end = begin_of(part + 1);
  if (begin >= end) return;

  struct Stretch {
    std::uint64_t offset;  // from the cell to the first of the three
    std::size_t first, last;
  };
  Stretch stretch[9];
  const std::uint64_t layer = grid_.columns * grid_.rows, row = grid_.columns;
  for (int k = 0; k < 9; ++k) {
    Stretch& s = stretch[k];
    s.offset = static_cast<std::uint64_t>(k / 3 - 1) * layer + static_cast<std::uint64_t>(k % 3 - 1) * row - 1;
    const std::uint64_t cell = items_[begin].cell + s.offset;
    const auto found = std::lower_bound(items_.begin(), items_.end(), cell, [](const Item& item, std::uint64_t c) { return item.cell < c; });
    s.first = s.last = static_cast<std::size_t>(found - items_.begin());
  }

  const double radius2 = radius * radius;
  for (std::size_t i = begin; i < end;) {
    const std::uint64_t cell = items_[i].cell;
    std::size_t cell_end = i + 1;
    while (cell_end < end && items_[cell_end].cell == cell) ++cell_end;
    for (Stretch& s : stretch) {
      while (s.first < n && items_[s.first].cell < cell + s.offset) ++s.first;
      s.last = std::max(s.last, s.first);
      while (s.last < n && items_[s.last].cell <= cell + s.offset + 2) ++s.last;
    }
    for (; i < cell_end; ++i) {
      if (!asks(items_[i].index)) continue;
      const double x = x_[i], y = y_[i], z = z_[i];
      Where& where = where_[items_[i].index];
      where.part = static_cast<std::uint32_t>(part);
      where.first = out.near.size();
      for (const Stretch& s : stretch)
        for (std::size_t j = s.first; j < s.last; ++j) {
          const double dx = x_[j] - x, dy = y_[j] - y, dz = z_[j] - z, distance2 = dx * dx + dy * dy + dz * dz;
          if (distance2 <= radius2 && j != i) out.near.push_back({items_[j].index, static_cast<float>(math::sqrt(distance2))});
        }
      where.count = static_cast<std::uint32_t>(out.near.size() - where.first);
      std::sort(out.near.begin() + static_cast<std::ptrdiff_t>(where.first), out.near.end(), [](const Near& a, const Near& b) { return a.index < b.index; });
    }
  }
}

void Neighbours::search_cells(std::size_t part, std::size_t parts, std::span<const Vec> places) {
  Part& out = parts_[part];
  out.near.clear();
  const std::size_t n = cells_.size();
  for (std::size_t item = share(n, part, parts); item < share(n, part + 1, parts); ++item) {
    const std::uint32_t i = cells_.index(item);
    if (!asks(i)) continue;
    const std::size_t count = cells_.near<false>(item, out.found, 0);
    where_[i] = {static_cast<std::uint32_t>(part), static_cast<std::uint32_t>(count), out.near.size()};
    for (std::size_t k = 0; k < count; ++k) {
      const Vec &a = places[i], &b = places[out.found[k]];
      const double dx = b[0] - a[0], dy = b[1] - a[1], dz = b[2] - a[2];
      out.near.push_back({out.found[k], static_cast<float>(math::sqrt(dx * dx + dy * dy + dz * dz))});
    }
  }
}

void Neighbours::find(std::span<const Vec> places, std::span<const std::uint32_t> worlds, double radius, Pool& pool, std::span<const std::uint8_t> asks) {
  core::require(radius > 0 && places.size() == worlds.size(), "neighbours need a radius and a world for every place");
  core::require(asks.empty() || asks.size() == places.size(), "every place asks or does not");
  parts_.resize(static_cast<std::size_t>(pool.parts(places.size(), cost::kNear)));
  where_.assign(places.size(), {});
  asks_ = asks;
  if (cells_.fill(places, worlds, radius, pool))
    on_parts(pool, parts_.size(), [&](std::size_t part) { search_cells(part, parts_.size(), places); });
  else
    find_by_sorting(places, worlds, radius, pool);
}

void Neighbours::find_by_sorting(std::span<const Vec> places, std::span<const std::uint32_t> worlds, double radius, Pool& pool) {
  const std::size_t parts = parts_.size();
  choose_grid(places, worlds, radius, pool);
  items_.resize(places.size());
  on_parts(pool, parts, [&](std::size_t part) {
    for (std::size_t i = share(places.size(), part, parts); i < share(places.size(), part + 1, parts); ++i) {
      items_[i] = {kNowhere, static_cast<std::uint32_t>(i)};
      if (!is_finite(places[i])) continue;
      std::uint64_t c[3];
      for (std::size_t k = 0; k < 3; ++k) c[k] = static_cast<std::uint64_t>((places[i][k] - grid_.low[k]) * grid_.per_cell) + 1;
      items_[i].cell = ((worlds[i] * grid_.layers + c[2]) * grid_.rows + c[1]) * grid_.columns + c[0];
    }
  });
  std::erase_if(items_, [](const Item& item) { return item.cell == kNowhere; });
  sort(pool);

  x_.resize(items_.size());
  y_.resize(items_.size());
  z_.resize(items_.size());
  on_parts(pool, parts, [&](std::size_t part) {
    for (std::size_t i = share(items_.size(), part, parts); i < share(items_.size(), part + 1, parts); ++i) {
      const Vec& p = places[items_[i].index];
      x_[i] = p[0], y_[i] = p[1], z_[i] = p[2];
    }
  });
  on_parts(pool, parts, [&](std::size_t part) { search(part, parts, radius); });
}

std::span<const Near> Neighbours::of(std::size_t i) const {
  const Where& w = where_[i];
  return w.count == 0 ? std::span<const Near>{} : std::span<const Near>{parts_[w.part].near}.subspan(w.first, w.count);
}

}  // namespace volary::engine
