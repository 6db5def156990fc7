// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Ground that is not flat: heights on a regular grid, bilinear between the nodes. Beyond its edges the ground goes on as it is there, so
// that every place has a height. Normals are interpolated between the nodes and have no creases.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <vector>

namespace volary::terrain {

using Point = std::array<double, 3>;  // m, east north up

struct Heights {
  std::size_t columns = 0, rows = 0;     // nodes along east and north, two or more each
  double east = 0, north = 0;            // m, the south-western node
  double step_east = 1, step_north = 1;  // m between nodes
  std::vector<float> up;                 // m; row by row from the south, each from west to east
};

class Terrain {
 public:
  explicit Terrain(Heights heights);

  double height(double east, double north) const;
  Point normal(double east, double north) const;  // of length one, away from the ground
  // whether the straight line between two places stays above the ground; touching it is allowed
  bool sees(const Point& from, const Point& to) const;
  // the first place where the line meets the ground, as a fraction of the way from 0 to 1; kNoHit when it does not
  double first_hit(const Point& from, const Point& to) const;
  static constexpr double kNoHit = std::numeric_limits<double>::infinity();

  const Heights& heights() const { return h_; }
  double highest() const { return highest_; }
  double lowest() const { return lowest_; }
  double least_upright() const { return least_upright_; }  // the vertical part of the normal where it is steepest, above 0 to 1

 private:
  struct Ray;
  struct Patch;
  Patch patch(const Ray& ray, std::size_t column, std::size_t row) const;
  double node(std::size_t column, std::size_t row) const { return static_cast<double>(h_.up[row * h_.columns + column]); }
  template <class Visit> double walk(const Ray& ray, Visit&& visit) const;

  Heights h_;
  double per_east_, per_north_;  // 1/m
  double highest_, lowest_, least_upright_;
  // the highest node of every cell, and of every tile of kTile x kTile cells; the cells beyond the edges are the first and the last
  std::size_t cell_columns_, cell_rows_, tile_columns_, tile_rows_;
  std::vector<float> cell_top_, tile_top_;
  std::vector<float> slope_;  // two per node: along east and north
};

}  // namespace volary::terrain
