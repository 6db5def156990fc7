// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/placement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>
#include <utility>

#include "math/functions.hpp"
#include "math/hash.hpp"
#include "math/random.hpp"
#include "scenario/field_error.hpp"

namespace volary::scenario {

namespace {

constexpr double kTwoPi = 6.283185307179586;

Vec plus(const Vec& a, double x, double y, double z) { return {a[0] + x, a[1] + y, a[2] + z}; }

// the whole number whose square is not below n
std::int64_t root_above(std::int64_t n) {
  auto root = static_cast<std::int64_t>(math::sqrt(static_cast<double>(n)));
  while (root * root < n) ++root;
  while (root > 1 && (root - 1) * (root - 1) >= n) --root;
  return root;
}

// ---------------------------------------------------------------- grid, ring

std::vector<Vec> grid(const GridFile& file) {
  const std::int64_t per_layer = (file.count + file.layers - 1) / file.layers;
  const std::int64_t rows = file.rows > 0 ? std::min(file.rows, per_layer) : root_above(per_layer);
  const std::int64_t columns = (per_layer + rows - 1) / rows;
  // the origin is the middle of a layer
  const double x0 = -0.5 * file.spacing * static_cast<double>(columns - 1), y0 = -0.5 * file.spacing * static_cast<double>(rows - 1);
  std::vector<Vec> positions;
  positions.reserve(static_cast<std::size_t>(file.count));
  for (std::int64_t i = 0; i < file.count; ++i) {
    const std::int64_t layer = i / per_layer, cell = i % per_layer;
    positions.push_back(plus(file.origin, x0 + file.spacing * static_cast<double>(cell % columns), y0 + file.spacing * static_cast<double>(cell / columns),
                             file.spacing * static_cast<double>(layer)));
  }
  return positions;
}

std::vector<Vec> ring(const RingFile& file) {
  std::vector<Vec> positions;
  positions.reserve(static_cast<std::size_t>(file.count));
  for (std::int64_t i = 0; i < file.count; ++i) {
    double s = 0, c = 1;
    math::sincos(kTwoPi * static_cast<double>(i) / static_cast<double>(file.count), s, c);
    positions.push_back(plus(file.origin, file.radius * c, file.radius * s, 0));
  }
  return positions;
}

// ---------------------------------------------------------------- random

// a keyed draw in [0, 1): 53 bits of two words
double uniform(std::uint64_t key, std::uint64_t vehicle, std::uint64_t attempt, std::uint64_t axis) {
  using Word = std::uint32_t;
  const auto w = math::random_words<Word>({static_cast<Word>(key), static_cast<Word>(key >> 32)}, static_cast<Word>(vehicle), static_cast<Word>(vehicle >> 32),
                                          math::Purpose::Placement, attempt, static_cast<Word>(axis));
  return static_cast<double>(((static_cast<std::uint64_t>(w.w[0]) << 32) | w.w[1]) >> 11) * 0x1p-53;
}

// Cells as wide as the spacing: whoever is too near is in one of 27 cells.
class Neighbours {
 public:
  explicit Neighbours(double spacing) : spacing_(spacing) {}

  bool is_free(const Vec& p) const;
  void add(const Vec& p) { cells_[cell_of(p)].push_back(p); }

 private:
  using Cell = std::array<std::int64_t, 3>;
  struct Hash {
    std::size_t operator()(const Cell& c) const {
      std::uint64_t h = 0;
      for (std::int64_t x : c) h = math::mix64(h ^ static_cast<std::uint64_t>(x));
      return static_cast<std::size_t>(h);
    }
  };
  Cell cell_of(const Vec& p) const {
    Cell c;
    for (std::size_t k = 0; k < 3; ++k) c[k] = static_cast<std::int64_t>(math::floor(p[k] / spacing_));
    return c;
  }

  double spacing_;
  std::unordered_map<Cell, std::vector<Vec>, Hash> cells_;  // only looked up, never walked: its order is not ours
};

bool Neighbours::is_free(const Vec& p) const {
  const Cell centre = cell_of(p);
  for (int i = 0; i < 27; ++i) {
    const auto found = cells_.find({centre[0] + i % 3 - 1, centre[1] + i / 3 % 3 - 1, centre[2] + i / 9 - 1});
    if (found == cells_.end()) continue;
    for (const Vec& q : found->second) {
      const double x = p[0] - q[0], y = p[1] - q[1], z = p[2] - q[2];
      if (x * x + y * y + z * z < spacing_ * spacing_) return false;
    }
  }
  return true;
}

core::Result<std::vector<Vec>> random(const RandomFile& file, std::uint64_t key, const std::string& field) {
  for (std::size_t k = 0; k < 3; ++k) {
    if (file.max[k] >= file.min[k]) continue;
    return error_at(fmt::format("{}.max[{}]", field, k), fmt::format("{} is below min, {}", file.max[k], file.min[k]), "swap the two");
  }
  // give up on a box that is too full: 1000 tries for one vehicle, 100 for each on average
  constexpr std::uint64_t kTries = 1000;
  const std::uint64_t n = static_cast<std::uint64_t>(file.count), budget = 10 * kTries + 100 * n;
  const bool spaced = file.min_spacing > 0;
  Neighbours neighbours(spaced ? math::max(file.min_spacing, 1e-6) : 1);
  std::vector<Vec> positions;
  positions.reserve(static_cast<std::size_t>(n));
  std::uint64_t spent = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    bool found = false;
    for (std::uint64_t attempt = 0; attempt < kTries && spent < budget && !found; ++attempt, ++spent) {
      Vec p;
      for (std::size_t k = 0; k < 3; ++k) p[k] = file.min[k] + (file.max[k] - file.min[k]) * uniform(key, i, attempt, k);
      found = !spaced || neighbours.is_free(p);
      if (!found) continue;
      positions.push_back(p);
      if (spaced) neighbours.add(p);
    }
    if (!found) {
      return error_at(field, fmt::format("only {} of {} vehicles fit into the box {} m apart", i, n, file.min_spacing),
                      "use a larger box, fewer vehicles or a smaller min_spacing");
    }
  }
  return positions;
}

// ---------------------------------------------------------------- formations

// ahead of and left of the leader, in spacings
struct Slot {
  double ahead, left;
};

Slot v_slot(std::int64_t i) {
  // arms of 45 degrees, left and right in turn
  constexpr double kArm = 0.7071067811865476;
  const double rank = static_cast<double>((i + 1) / 2);
  return {-rank * kArm, (i % 2 == 1 ? 1 : -1) * rank * kArm};
}
Slot line_slot(std::int64_t i, std::int64_t count) { return {0, 0.5 * static_cast<double>(count - 1) - static_cast<double>(i)}; }

// rows of 1, 2, 3, ... up to `widest`, then shorter again
std::vector<Slot> row_slots(std::int64_t count, std::int64_t widest) {
  std::vector<Slot> slots;
  slots.reserve(static_cast<std::size_t>(count));
  std::int64_t row = 0;
  while (static_cast<std::int64_t>(slots.size()) < count) {
    const std::int64_t width = std::max<std::int64_t>(1, row < widest ? row + 1 : 2 * widest - row - 1);
    for (std::int64_t k = 0; k < width && static_cast<std::int64_t>(slots.size()) < count; ++k)
      slots.push_back({-static_cast<double>(row), 0.5 * static_cast<double>(width - 1) - static_cast<double>(k)});
    ++row;
  }
  return slots;
}

std::vector<Slot> formation_slots(const FormationFile& file) {
  if (file.shape == Shape::Wedge) return row_slots(file.count, file.count);
  if (file.shape == Shape::Diamond) return row_slots(file.count, root_above(file.count));
  std::vector<Slot> slots;
  slots.reserve(static_cast<std::size_t>(file.count));
  for (std::int64_t i = 0; i < file.count; ++i) slots.push_back(file.shape == Shape::V ? v_slot(i) : line_slot(i, file.count));
  return slots;
}

std::vector<Vec> formation(const FormationFile& file) {
  double s = 0, c = 1;
  math::sincos(file.heading, s, c);
  std::vector<Vec> positions;
  positions.reserve(static_cast<std::size_t>(file.count));
  for (const Slot& slot : formation_slots(file)) {
    const double x = c * slot.ahead - s * slot.left, y = s * slot.ahead + c * slot.left;
    positions.push_back(plus(file.origin, file.spacing * x, file.spacing * y, 0));
  }
  return positions;
}

std::vector<Placed> facing(const std::vector<Vec>& positions, double yaw) {
  std::vector<Placed> placed;
  placed.reserve(positions.size());
  for (const Vec& p : positions) placed.push_back({p, yaw, ""});
  return placed;
}

}  // namespace

std::int64_t placement_count(const PlacementFile& file) {
  if (file.grid) return file.grid->count;
  if (file.ring) return file.ring->count;
  if (file.random) return file.random->count;
  if (file.formation) return file.formation->count;
  if (file.list) return static_cast<std::int64_t>(file.list->size());
  return file.logs ? static_cast<std::int64_t>(file.logs->size()) : 0;
}

core::Result<std::vector<Placed>> place_vehicles(const PlacementFile& file, double yaw, std::uint64_t seed, std::uint64_t stream, const std::string& field) {
  const int given = file.grid.has_value() + file.ring.has_value() + file.random.has_value() + file.formation.has_value() + file.list.has_value() + file.logs.has_value();
  const char* kinds = "one of grid, ring, random, formation, list, logs";
  if (given == 0) return error_at(field, "says nothing about where the vehicles are", kinds);
  if (given > 1) return error_at(field, "has more than one way to place the vehicles", kinds);

  if (file.grid) return facing(grid(*file.grid), yaw);
  if (file.ring) return facing(ring(*file.ring), yaw);
  if (file.formation) return facing(formation(*file.formation), yaw);
  if (file.random) {
    const core::Result<std::vector<Vec>> positions = random(*file.random, math::mix64(seed) ^ math::mix64(~stream), field + ".random");
    if (!positions) return positions.error();
    return facing(positions.value(), yaw);
  }
  std::vector<Placed> placed;
  if (file.logs) return placed;
  for (const ListedFile& listed : *file.list) placed.push_back({listed.position, listed.yaw.value_or(yaw), listed.name});
  return placed;
}

}  // namespace volary::scenario
