// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/near_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/check.hpp"
#include "engine/neighbours.hpp"

namespace volary::engine {

namespace {

constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();
constexpr double kWider = 1 + 1e-9;  // cells are this much wider than the radius, so that rounding puts nobody two cells away
constexpr double kShell = 4e-6;      // of the squared width of a cell: what single precision cannot tell

bool is_finite(const Vec& p) { return std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2]); }

template <class F> void on_parts(Pool& pool, std::size_t parts, F&& f) {
  if (parts == 1) return f(std::size_t{0});
  pool.run([](void* context, int part) { (*static_cast<F*>(context))(static_cast<std::size_t>(part)); }, &f);
}
std::size_t share(std::size_t n, std::size_t part, std::size_t parts) { return n * part / parts; }

double distance2(const Vec& a, const Vec& b) {
  const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
  return x * x + y * y + z * z;
}

}  // namespace

// false when the world is too wide to have a cell of that size everywhere
bool NearPairs::choose_grid(std::span<const Vec> places, std::span<const std::uint32_t> worlds, double radius, Pool& pool) {
  on_parts(pool, parts_.size(), [&](std::size_t part) {
    Part& p = parts_[part];
    p.low = {1e300, 1e300, 1e300};
    p.high = {-1e300, -1e300, -1e300};
    p.world = 0;
    for (std::size_t i = share(places.size(), part, parts_.size()); i < share(places.size(), part + 1, parts_.size()); ++i) {
      if (!is_finite(places[i])) continue;
      for (std::size_t k = 0; k < 3; ++k) {
        p.low[k] = std::min(p.low[k], places[i][k]);
        p.high[k] = std::max(p.high[k], places[i][k]);
      }
      p.world = std::max(p.world, worlds[i]);
    }
  });
  Vec low = parts_[0].low, high = parts_[0].high;
  double n_worlds = 1;
  for (const Part& p : parts_) {
    for (std::size_t k = 0; k < 3; ++k) low[k] = std::min(low[k], p.low[k]), high[k] = std::max(high[k], p.high[k]);
    n_worlds = std::max(n_worlds, static_cast<double>(p.world) + 1);
  }
  grid_.low = low;
  grid_.cell = radius * kWider;
  // an empty cell on both sides of every row and layer
  const auto cells = [&](std::size_t k) { return high[k] >= low[k] ? std::floor((high[k] - low[k]) / grid_.cell) + 3 : 3.0; };
  const double total = cells(0) * cells(1) * cells(2) * n_worlds;
  if (!(total < 8 * static_cast<double>(places.size()) + 65536)) return false;
  grid_.columns = static_cast<std::uint32_t>(cells(0));
  grid_.rows = static_cast<std::uint32_t>(cells(1));
  grid_.layers = static_cast<std::uint32_t>(cells(2));
  grid_.cells = static_cast<std::uint32_t>(total);
  return true;
}

// a counting sort; every thread counts and places the cells that are its own, so that nothing is shared
void NearPairs::place_items(std::span<const Vec> places, std::span<const std::uint32_t> worlds, Pool& pool) {
  const std::size_t n = places.size(), parts = parts_.size();
  const double per_cell = 1 / grid_.cell;
  cell_.resize(n);
  start_.assign(grid_.cells + 2, 0);
  on_parts(pool, parts, [&](std::size_t part) {
    for (std::size_t i = share(n, part, parts); i < share(n, part + 1, parts); ++i) {
      cell_[i] = kNowhere;
      if (!is_finite(places[i])) continue;
      std::uint32_t c[3];
      for (std::size_t k = 0; k < 3; ++k) c[k] = static_cast<std::uint32_t>((places[i][k] - grid_.low[k]) * per_cell) + 1;
      cell_[i] = ((worlds[i] * grid_.layers + c[2]) * grid_.rows + c[1]) * grid_.columns + c[0];
    }
  });
  on_parts(pool, parts, [&](std::size_t part) {
    const auto first = static_cast<std::uint32_t>(share(grid_.cells, part, parts)), last = static_cast<std::uint32_t>(share(grid_.cells, part + 1, parts));
    for (const std::uint32_t c : cell_)
      if (c >= first && c < last) ++start_[c + 2];
  });
  for (std::size_t c = 2; c < start_.size(); ++c) start_[c] += start_[c - 1];
  items_.resize(start_.back());
  on_parts(pool, parts, [&](std::size_t part) {
    const auto first = static_cast<std::uint32_t>(share(grid_.cells, part, parts)), last = static_cast<std::uint32_t>(share(grid_.cells, part + 1, parts));
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t c = cell_[i];
      if (c < first || c >= last) continue;
      const std::uint32_t columns = grid_.columns, x = c % columns, y = c / columns % grid_.rows, z = c / columns / grid_.rows % grid_.layers;
      const std::uint32_t at[3] = {x, y, z};
      float inside[3];
      for (std::size_t k = 0; k < 3; ++k) inside[k] = static_cast<float>(places[i][k] - grid_.low[k] - (at[k] - 1.0) * grid_.cell);
      items_[start_[c + 1]++] = {inside[0], inside[1], inside[2], static_cast<std::uint32_t>(i)};
    }
  });
  // start_[c + 1] has moved to the end of cell c, which is the start of cell c + 1
}

void NearPairs::search(std::size_t part, std::size_t parts, std::span<const Vec> places, double radius) {
  std::vector<Pair>& out = parts_[part].found;
  out.clear();
  const std::size_t n = items_.size();
  // a cell belongs to the part in which it begins
  const auto cell_at = [&](std::size_t p) { return share(n, p, parts) >= n ? grid_.cells : cell_[items_[share(n, p, parts)].index] + (p == 0 ? 0u : 1u); };
  const std::uint32_t first = n == 0 ? 0 : cell_at(part), last = n == 0 ? 0 : cell_at(part + 1);
  const double radius2 = radius * radius, shell = kShell * grid_.cell * grid_.cell;
  const auto sure = static_cast<float>(radius2 - shell), perhaps = static_cast<float>(radius2 + shell), wide = static_cast<float>(grid_.cell);
  const auto keep = [&](std::uint32_t a, std::uint32_t b, float d2) {
    if (d2 <= sure || distance2(places[a], places[b]) <= radius2) out.emplace_back(std::min(a, b), std::max(a, b));
  };
  const std::uint32_t row = grid_.columns, layer = grid_.columns * grid_.rows;
  // the rows after a cell: what to add to its number, and where they lie
  const struct {
    std::uint32_t offset;
    float y, z;
  } rows[4] = {{row, wide, 0}, {layer - row, -wide, wide}, {layer, 0, wide}, {layer + row, wide, wide}};
  for (std::uint32_t c = first; c < last; ++c) {
    const std::uint32_t begin = start_[c], end = start_[c + 1];
    for (std::uint32_t i = begin; i < end; ++i) {
      const Item a = items_[i];
      const auto look = [&](std::uint32_t from, std::uint32_t to, float dx, float dy, float dz) {
        for (std::uint32_t j = from; j < to; ++j) {
          const Item& b = items_[j];
          const float x = (b.x - a.x) + dx, y = (b.y - a.y) + dy, z = (b.z - a.z) + dz, d2 = x * x + y * y + z * z;
          if (d2 <= perhaps) keep(a.index, b.index, d2);
        }
      };
      look(i + 1, end, 0, 0, 0);
      look(start_[c + 1], start_[c + 2], wide, 0, 0);
      for (const auto& r : rows) {
        const std::uint32_t* s = &start_[c + r.offset - 1];
        look(s[0], s[1], -wide, r.y, r.z);
        look(s[1], s[2], 0, r.y, r.z);
        look(s[2], s[3], wide, r.y, r.z);
      }
    }
  }
}

// by the lower index, then by the higher
void NearPairs::order(std::size_t n, Pool& pool) {
  const std::size_t parts = parts_.size();
  first_.assign(n + 2, 0);
  on_parts(pool, parts, [&](std::size_t part) {
    const auto low = static_cast<std::uint32_t>(share(n, part, parts)), high = static_cast<std::uint32_t>(share(n, part + 1, parts));
    for (const Part& p : parts_)
      for (const Pair& pair : p.found)
        if (pair.first >= low && pair.first < high) ++first_[pair.first + 2];
  });
  for (std::size_t i = 2; i < first_.size(); ++i) first_[i] += first_[i - 1];
  pairs_.resize(first_.back());
  on_parts(pool, parts, [&](std::size_t part) {
    const auto low = static_cast<std::uint32_t>(share(n, part, parts)), high = static_cast<std::uint32_t>(share(n, part + 1, parts));
    for (const Part& p : parts_)
      for (const Pair& pair : p.found)
        if (pair.first >= low && pair.first < high) pairs_[first_[pair.first + 1]++] = pair;
    for (std::uint32_t i = low; i < high; ++i) std::sort(pairs_.begin() + first_[i], pairs_.begin() + first_[i + 1]);
  });
}

std::span<const NearPairs::Pair> NearPairs::find(std::span<const Vec> places, std::span<const std::uint32_t> worlds, double radius, Pool& pool) {
  core::require(radius > 0 && places.size() == worlds.size(), "near pairs need a radius and a world for every place");
  parts_.resize(places.size() < kWorthSharing ? 1 : static_cast<std::size_t>(pool.size()));
  if (choose_grid(places, worlds, radius, pool)) {
    place_items(places, worlds, pool);
    on_parts(pool, parts_.size(), [&](std::size_t part) { search(part, parts_.size(), places, radius); });
    order(places.size(), pool);
    return pairs_;
  }
  // few in a wide world: sorted by cells that have no table
  Neighbours lists;
  lists.find(places, worlds, radius, pool);
  pairs_.clear();
  for (std::size_t i = 0; i < places.size(); ++i)
    for (const Near& near : lists.of(i))
      if (near.index > i) pairs_.emplace_back(static_cast<std::uint32_t>(i), near.index);
  return pairs_;
}

}  // namespace volary::engine
