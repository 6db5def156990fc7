// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Things by place: tables of the cells of a horizontal grid, folded into as many buckets as there are things, so that the size of the world does not
// matter. Cells of other worlds, channels and times are other cells. What is found comes in no particular order; whoever asks sorts, or adds integers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "math/hash.hpp"
#include "math/vec.hpp"
#include "swarm/radio/parallel.hpp"

namespace volary::swarm {

// which cells of the grid belong together, besides by place
struct CellKind {
  std::uint32_t world = 0;
  std::int32_t channel = 0;
  std::uint32_t time = 0;  // the low bits of a number: those of one table are near each other
  friend bool operator==(const CellKind&, const CellKind&) = default;
};

// a thing in its cell, less than a cache line
struct CellEntry {
  math::Vec3<double> position;
  std::int32_t x, y;
  CellKind kind;
  std::uint32_t thing;
};

// the grid and its buckets; cells that follow each other along x do so in the buckets too
class CellGrid {
 public:
  // cells of this width (m), and buckets for so many things
  void reset(std::size_t things, double width) {
    std::size_t size = 16;
    while (size < things) size *= 2;
    mask_ = size - 1;
    per_width_ = 1 / math::max(width, 1.0);
  }
  std::size_t buckets() const { return mask_ + 1; }
  // a place that is not a number lands in the outermost cell, and no distance to it is small
  std::int32_t coordinate(double x) const {
    const double v = math::min(math::max(x * per_width_, -1e9), 1e9);
    const auto whole = static_cast<std::int32_t>(v);
    return whole - (v < whole ? 1 : 0);
  }
  std::size_t bucket(std::int32_t x, std::int32_t y, const CellKind& kind) const {
    const std::uint64_t row = static_cast<std::uint64_t>(kind.time) << 32 | static_cast<std::uint32_t>(y);
    const std::uint64_t where = static_cast<std::uint64_t>(kind.world) << 32 | static_cast<std::uint32_t>(kind.channel);
    return (math::mix64(row * 0x9e3779b97f4a7c15ull ^ where * 0xbf58476d1ce4e5b9ull) + static_cast<std::uint32_t>(x)) & mask_;
  }
  CellEntry entry(std::uint32_t thing, const math::Vec3<double>& at, const CellKind& kind) const {
    return {at, coordinate(at.x), coordinate(at.y), kind, thing};
  }

 private:
  std::size_t mask_ = 15;
  double per_width_ = 1;
};

// All things are known at once: they lie sorted by bucket, and the cells of a row are one stretch.
class CellTable {
 public:
  void reset(std::size_t things, double width) {
    grid_.reset(things, width);
    added_.resize(things);
    buckets_.resize(things);
  }
  // every thing is put somewhere or left out; different ones may be done at the same time
  void put(std::uint32_t thing, const math::Vec3<double>& at, const CellKind& kind) {
    added_[thing] = grid_.entry(thing, at, kind);
    buckets_[thing] = static_cast<std::uint32_t>(grid_.bucket(added_[thing].x, added_[thing].y, kind));
  }
  void leave_out(std::uint32_t thing) { buckets_[thing] = kNowhere; }
  void sort(const Parallel& parallel) {
    firsts_.assign(grid_.buckets() + 1, 0);
    std::size_t n = 0;
    for (const std::uint32_t b : buckets_)
      if (b != kNowhere) ++firsts_[b], ++n;
    std::uint32_t sum = 0;
    for (std::uint32_t& first : firsts_) first = sum += first;
    order_.resize(n);
    // from the back, so that each bucket's end becomes its beginning
    for (std::size_t i = buckets_.size(); i-- > 0;)
      if (buckets_[i] != kNowhere) order_[--firsts_[buckets_[i]]] = static_cast<std::uint32_t>(i);
    entries_.resize(n);
    for_parts(parallel, [&](int part) {
      const Share mine = share(n, part, parallel.parts);
      for (std::size_t k = mine.begin; k < mine.end; ++k) entries_[k] = added_[order_[k]];
    });
  }

  // Writes to `found` which things of this kind lie within a distance, the squares of which are compared. Nothing is decided by a branch: who is
  // near and who is not follows no pattern.
  std::size_t find(const math::Vec3<double>& at, double radius, const CellKind& kind, std::vector<std::uint32_t>& found) const {
    return search(at, radius, kind, found, [](std::uint32_t, const CellEntry& e) { return e.thing; });
  }
  // the same as places in this table: who needs the position of a thing has it here, where it was just looked at
  std::size_t find_entries(const math::Vec3<double>& at, double radius, const CellKind& kind, std::vector<std::uint32_t>& found) const {
    return search(at, radius, kind, found, [](std::uint32_t i, const CellEntry&) { return i; });
  }
  const CellEntry& entry(std::uint32_t i) const { return entries_[i]; }
  // all of this kind that are in the cell of the origin
  std::size_t find_at_origin(const CellKind& kind, std::vector<std::uint32_t>& found) const {
    const std::size_t b = grid_.bucket(0, 0, kind);
    found.clear();
    for (std::uint32_t i = firsts_[b]; i < firsts_[b + 1]; ++i)
      if (entries_[i].x == 0 && entries_[i].y == 0 && entries_[i].kind == kind) found.push_back(entries_[i].thing);
    return found.size();
  }

 private:
  static constexpr std::uint32_t kNowhere = 0xffffffffu;

  template <class Name> std::size_t search(const math::Vec3<double>& at, double radius, const CellKind& kind, std::vector<std::uint32_t>& found, Name name) const {
    const std::int32_t x0 = grid_.coordinate(at.x - radius), y1 = grid_.coordinate(at.y + radius);
    const std::size_t columns = std::min(static_cast<std::size_t>(grid_.coordinate(at.x + radius) - x0) + 1, grid_.buckets());
    const double radius2 = radius * radius;
    std::size_t n = 0;
    if (found.size() < entries_.size() + 1) found.resize(entries_.size() + 1);
    for (std::int32_t y = grid_.coordinate(at.y - radius); y <= y1; ++y) {
      const std::size_t first = grid_.bucket(x0, y, kind), end = first + columns, last = std::min(end, grid_.buckets());
      const auto stretch = [&](std::size_t from, std::size_t to) {
        for (std::uint32_t i = firsts_[from]; i < firsts_[to]; ++i) {
          const CellEntry& e = entries_[i];
          const double dx = e.position.x - at.x, dy = e.position.y - at.y, dz = e.position.z - at.z;
          const bool near = dx * dx + dy * dy + dz * dz <= radius2;
          const std::uint32_t differs = static_cast<std::uint32_t>(e.y ^ y) | (e.kind.world ^ kind.world) |
                                        static_cast<std::uint32_t>(e.kind.channel ^ kind.channel) | (e.kind.time ^ kind.time);
          found[n] = name(i, e);
          n += static_cast<std::size_t>(near & (differs == 0));
        }
      };
      stretch(first, last);
      if (end > last) stretch(0, end - last);
    }
    return n;
  }

  CellGrid grid_;
  std::vector<CellEntry> added_, entries_;        // by thing; by bucket
  std::vector<std::uint32_t> buckets_, firsts_;   // by thing; by bucket, and one more
  std::vector<std::uint32_t> order_;              // things by bucket
};

// Things come one after the other, and are asked for in between.
class CellLists {
 public:
  void reset(std::size_t most, double width) {
    grid_.reset(most, width);
    heads_.assign(grid_.buckets(), kEnd);
    entries_.clear();
    next_.clear();
  }
  void add(std::uint32_t thing, const math::Vec3<double>& at, const CellKind& kind) {
    entries_.push_back(grid_.entry(thing, at, kind));
    std::uint32_t& head = heads_[grid_.bucket(entries_.back().x, entries_.back().y, kind)];
    next_.push_back(head);
    head = static_cast<std::uint32_t>(entries_.size() - 1);
  }
  // calls f(thing) for all of this kind that may be within a horizontal distance, and for some further away
  template <class F> void visit(const math::Vec3<double>& at, double radius, const CellKind& kind, F f) const {
    const std::int32_t x0 = grid_.coordinate(at.x - radius), x1 = grid_.coordinate(at.x + radius), y1 = grid_.coordinate(at.y + radius);
    for (std::int32_t y = grid_.coordinate(at.y - radius); y <= y1; ++y)
      for (std::int32_t x = x0; x <= x1; ++x)
        for (std::uint32_t i = heads_[grid_.bucket(x, y, kind)]; i != kEnd; i = next_[i])
          if (entries_[i].x == x && entries_[i].y == y && entries_[i].kind == kind) f(entries_[i].thing);
  }

 private:
  static constexpr std::uint32_t kEnd = 0xffffffffu;
  CellGrid grid_;
  std::vector<CellEntry> entries_;
  std::vector<std::uint32_t> heads_, next_;
};

}  // namespace volary::swarm
