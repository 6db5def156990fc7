// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/cells.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "core/check.hpp"
#include "math/quad.hpp"

namespace volary::engine {

namespace {

constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();
constexpr double kWider = 1 + 1e-6;  // cells are this much wider than the radius, so that rounding puts nobody two cells away
constexpr int kBucket = 12;          // cells of a bucket, as a power of two: their counts fit into the first-level cache
constexpr std::uint32_t kTaken = 7;  // of a row at a time: nine rows make a word

bool is_finite(const Vec& p) { return std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2]); }

double distance2(const Vec& a, const Vec& b) {
  const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
  return x * x + y * y + z * z;
}

using Floats = math::Quad;
using Words = math::QuadMask;
template <class V, class S> V load(const S* p) {
  V v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
// Lists are short, and the branches of sorting one are anybody's guess: each counts those below it instead.
void put_in_order(std::uint32_t* list, std::size_t n) {
  std::uint32_t copy[16];
  if (n > std::size(copy)) return std::sort(list, list + n);
  for (std::size_t k = 0; k < n; ++k) copy[k] = list[k];
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t below = 0;
    for (std::size_t j = 0; j < n; ++j) below += copy[j] < copy[k] ? 1 : 0;
    list[below] = copy[k];
  }
}

}  // namespace

bool Cells::choose_grid(double radius, Pool& pool) {
  const std::size_t n = places_.size(), parts = parts_.size();
  on_parts(pool, parts, [&](std::size_t part) {
    Vec low = {1e300, 1e300, 1e300}, high = {-1e300, -1e300, -1e300};
    std::uint32_t world = 0;
    for (std::size_t i = share(n, part, parts); i < share(n, part + 1, parts); ++i) {
      if (!is_finite(places_[i])) continue;
      for (std::size_t k = 0; k < 3; ++k) low[k] = std::min(low[k], places_[i][k]), high[k] = std::max(high[k], places_[i][k]);
      world = std::max(world, worlds_[i]);
    }
    parts_[part].low = low, parts_[part].high = high, parts_[part].world = world;
  });
  Vec low = parts_[0].low, high = parts_[0].high;
  double n_worlds = 1;
  for (const Part& p : parts_) {
    for (std::size_t k = 0; k < 3; ++k) low[k] = std::min(low[k], p.low[k]), high[k] = std::max(high[k], p.high[k]);
    n_worlds = std::max(n_worlds, static_cast<double>(p.world) + 1);
  }
  grid_.low = low;
  grid_.per_cell = 1 / (radius * kWider);
  // an empty cell on both sides of every row and layer
  const auto cells = [&](std::size_t k) { return high[k] >= low[k] ? std::floor((high[k] - low[k]) * grid_.per_cell) + 3 : 3.0; };
  const double total = cells(0) * cells(1) * cells(2) * n_worlds;
  if (!(total < 8 * static_cast<double>(n) + 4096)) return false;
  grid_.columns = static_cast<std::uint32_t>(cells(0));
  grid_.rows = static_cast<std::uint32_t>(cells(1));
  grid_.layers = static_cast<std::uint32_t>(cells(2));
  grid_.cells = static_cast<std::uint32_t>(total);
  // what single precision may be wrong by: in a difference of two coordinates, and in the square of a distance of about one
  const double wrong = 3 * std::max({cells(0), cells(1), cells(2)}) * 0x1p-24, shell = 4 * wrong + 4 * wrong * wrong + 1e-6, near = 1 / (kWider * kWider);
  grid_.sure = static_cast<float>(near - shell);
  grid_.perhaps = static_cast<float>(near + shell);
  return true;
}

// Places in the order of stretches of cells. Each thread takes its share of places, and what it has in a bucket follows what the threads before it have.
void Cells::put_in_buckets(Pool& pool) {
  const std::size_t n = places_.size(), parts = parts_.size(), buckets = (grid_.cells >> kBucket) + 1;
  cell_.resize(n);
  on_parts(pool, parts, [&](std::size_t part) {
    std::vector<std::uint32_t>& count = parts_[part].next;
    count.assign(buckets, 0);
    for (std::size_t i = share(n, part, parts); i < share(n, part + 1, parts); ++i) {
      cell_[i] = kNowhere;
      if (!is_finite(places_[i])) continue;
      std::uint32_t c[3];
      for (std::size_t k = 0; k < 3; ++k) c[k] = static_cast<std::uint32_t>((places_[i][k] - grid_.low[k]) * grid_.per_cell) + 1;
      cell_[i] = ((worlds_[i] * grid_.layers + c[2]) * grid_.rows + c[1]) * grid_.columns + c[0];
      ++count[cell_[i] >> kBucket];
    }
  });
  bucket_.resize(buckets + 1);
  std::uint32_t at = 0;
  for (std::size_t b = 0; b < buckets; ++b) {
    bucket_[b] = at;
    for (Part& p : parts_) at += std::exchange(p.next[b], at);
  }
  bucket_[buckets] = at;
  items_.resize(at);
  on_parts(pool, parts, [&](std::size_t part) {
    std::vector<std::uint32_t>& next = parts_[part].next;
    for (std::size_t i = share(n, part, parts); i < share(n, part + 1, parts); ++i) {
      if (cell_[i] == kNowhere) continue;
      float at_cell[3];
      for (std::size_t k = 0; k < 3; ++k) at_cell[k] = static_cast<float>((places_[i][k] - grid_.low[k]) * grid_.per_cell);
      items_[next[cell_[i] >> kBucket]++] = {{at_cell[0], at_cell[1], at_cell[2]}, static_cast<std::uint32_t>(i), cell_[i]};
    }
  });
}

void Cells::put_in_cells(std::size_t bucket, Part& part) {
  const std::uint32_t first = static_cast<std::uint32_t>(bucket) << kBucket, last = std::min(first + (1u << kBucket), grid_.cells);
  part.count.assign(std::size_t{1} << kBucket, 0);
  for (std::uint32_t k = bucket_[bucket]; k < bucket_[bucket + 1]; ++k) ++part.count[items_[k].cell - first];
  std::uint32_t at = bucket_[bucket];
  for (std::uint32_t c = first; c < last; ++c) {
    start_[c] = at;
    at += std::exchange(part.count[c - first], at);
  }
  for (std::uint32_t k = bucket_[bucket]; k < bucket_[bucket + 1]; ++k) {
    const Item& item = items_[k];
    const std::uint32_t to = part.count[item.cell - first]++;
    x_[to] = item.place.x, y_[to] = item.place.y, z_[to] = item.place.z, index_[to] = item.index, cell_of_[to] = item.cell;
  }
}

bool Cells::fill(std::span<const Vec> places, std::span<const std::uint32_t> worlds, double radius, Pool& pool) {
  core::require(radius > 0 && places.size() == worlds.size(), "places need a radius and a world for each");
  places_ = places;
  worlds_ = worlds;
  radius2_ = radius * radius;
  parts_.resize(static_cast<std::size_t>(pool.parts(places.size(), cost::kNear)));
  if (!choose_grid(radius, pool)) return false;
  put_in_buckets(pool);
  const std::size_t n = items_.size(), parts = parts_.size(), buckets = bucket_.size() - 1;
  for (std::vector<float>* column : {&x_, &y_, &z_}) column->resize(n + kLanes);
  index_.resize(n + kLanes);
  cell_of_.resize(n);
  start_.resize(grid_.cells + std::size_t{1});
  start_[grid_.cells] = static_cast<std::uint32_t>(n);
  on_parts(pool, parts, [&](std::size_t part) {
    // as many items for every thread; the empty buckets at the end are the last one's
    const auto begin_of = [&](std::size_t p) { return std::lower_bound(bucket_.begin(), bucket_.end(), share(n, p, parts)) - bucket_.begin(); };
    const auto first = part == 0 ? 0 : static_cast<std::size_t>(begin_of(part)),
               last = part + 1 == parts ? buckets : static_cast<std::size_t>(begin_of(part + 1));
    for (std::size_t b = first; b < last; ++b) put_in_cells(b, parts_[part]);
  });
  return true;
}

// which of the next seven items are near and have at least that index
inline std::uint64_t Cells::near_bits(std::size_t from, std::uint32_t count, const Place& place, std::uint32_t least) const {
  std::uint32_t bits = 0;
  for (std::size_t half = 0; half < kLanes; half += 4) {
    const Floats x = load<Floats>(&x_[from + half]) - place.x, y = load<Floats>(&y_[from + half]) - place.y, z = load<Floats>(&z_[from + half]) - place.z;
    const Words near = x * x + y * y + z * z <= grid_.perhaps - Floats{};
    const Words later = load<Words>(&index_[from + half]) >= static_cast<std::int32_t>(least) - Words{};
    bits |= math::lanes_of(near & later) << half;
  }
  return bits & ((1u << std::min(count, kTaken)) - 1);
}

// whether two items that may be near are
inline bool Cells::is_near(const Place& place, std::uint32_t self, std::size_t other) const {
  const float x = x_[other] - place.x, y = y_[other] - place.y, z = z_[other] - place.z;
  return x * x + y * y + z * z <= grid_.sure || distance2(places_[self], places_[index_[other]]) <= radius2_;
}

template <bool only_later> std::size_t Cells::near(std::size_t item, std::vector<std::uint32_t>& found, std::size_t at) const {
  const Place place = {x_[item], y_[item], z_[item]};
  const std::uint32_t self = index_[item], least = only_later ? self + 1 : 0;
  const std::uint32_t row = grid_.columns, layer = grid_.columns * grid_.rows;
  const std::uint32_t* const corner = &start_[cell_of_[item] - layer - row - 1];
  std::uint32_t from[9], count[9], longest = 0, candidates = 0;
  std::uint64_t word = 0;
  for (std::uint32_t k = 0; k < 9; ++k) {
    const std::uint32_t* const cells = corner + k / 3 * layer + k % 3 * row;
    from[k] = cells[0];
    count[k] = cells[3] - cells[0];
    longest = std::max(longest, count[k]);
    candidates += count[k];
    if (count[k] > 0) word |= near_bits(from[k], count[k], place, least) << (kTaken * k);
  }
  if (found.size() < at + candidates) found.resize(2 * (at + candidates));
  std::uint32_t* const list = found.data() + at;
  std::size_t n = 0;
  const auto take = [&](std::uint32_t done) {
    for (; word != 0; word &= word - 1) {
      const auto bit = static_cast<std::uint32_t>(std::countr_zero(word));
      const std::size_t other = from[bit / kTaken] + done + bit % kTaken;
      if (is_near(place, self, other) && (only_later || other != item)) list[n++] = index_[other];
    }
  };
  take(0);
  for (std::uint32_t done = kTaken; done < longest; done += kTaken) {
    for (std::uint32_t k = 0; k < 9; ++k)
      if (count[k] > done) word |= near_bits(from[k] + done, count[k] - done, place, least) << (kTaken * k);
    take(done);
  }
  put_in_order(list, n);
  return n;
}
template std::size_t Cells::near<false>(std::size_t, std::vector<std::uint32_t>&, std::size_t) const;
template std::size_t Cells::near<true>(std::size_t, std::vector<std::uint32_t>&, std::size_t) const;

}  // namespace volary::engine
