// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Makes the blob that lookup.hpp reads, from axes and values; for whoever read them from a file.
#pragma once

#include <string>
#include <vector>

#include "core/result.hpp"
#include "math/lookup.hpp"

namespace volary::inline VOLARY_ISA::math {

// a table as people write it: the last axis changes fastest, then the values of a node side by side
struct TableGrid {
  std::vector<std::vector<double>> axes;
  std::vector<double> values;
  int values_per_node = 1;
};

inline constexpr std::size_t kMaxBreakpoints = 4096;
inline constexpr std::size_t kMaxTableScalars = std::size_t{1} << 23;  // places in the blob are whole numbers in a float

// 1/step where the breakpoints are evenly spaced, as closely as numbers in a file can be (a millionth of a step); else 0
inline double even_steps_of(const std::vector<double>& points) {
  const double steps = static_cast<double>(points.size() - 1);
  const double step = (points.back() - points.front()) / steps;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (abs(points[i] - fma(static_cast<double>(i), step, points.front())) > 1e-6 * step) return 0;
  return 1 / step;
}

inline core::Status check_axis(const std::vector<double>& points, std::size_t number) {
  const std::string name = "axis " + std::to_string(number + 1);
  if (points.size() < 2) return core::Error{.message = name + " of a table needs at least two breakpoints"};
  if (points.size() > kMaxBreakpoints) return core::Error{.message = name + " of a table has more than " + std::to_string(kMaxBreakpoints) + " breakpoints"};
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!(points[i] - points[i] == 0)) return core::Error{.message = name + " of a table: breakpoint " + std::to_string(i + 1) + " is not a finite number"};
    // as floats too, or a cell would have no width in a float world
    if (i > 0 && !(static_cast<float>(points[i - 1]) < static_cast<float>(points[i])))
      return core::Error{.message = name + " of a table: breakpoint " + std::to_string(i + 1) + " does not lie above the one before it"};
  }
  return core::ok();
}

inline core::Result<std::vector<double>> make_table_blob(const TableGrid& grid) {
  const std::size_t n_axes = grid.axes.size();
  if (n_axes < 1 || n_axes > static_cast<std::size_t>(kTableAxes)) return core::Error{.message = "a table has one to three axes"};
  std::size_t nodes = 1, at = kTableHeader;
  for (std::size_t a = 0; a < n_axes; ++a) {
    if (const core::Status axis = check_axis(grid.axes[a], a); !axis) return axis.error();
    nodes *= grid.axes[a].size();
    at += grid.axes[a].size();
  }
  const std::size_t first_node = (at + 15) / 16 * 16, k = static_cast<std::size_t>(grid.values_per_node);
  const std::size_t pitch = static_cast<std::size_t>(table_pitch(grid.values_per_node));
  core::require(k > 0 && grid.values.size() == nodes * k, "a table has as many values as nodes");
  if (nodes * pitch > kMaxTableScalars) return core::Error{.message = "a table may have " + std::to_string(kMaxTableScalars) + " numbers, this one has more"};

  std::vector<double> blob(first_node + nodes * pitch, 0.0);
  blob[0] = static_cast<double>(k);
  blob[1] = static_cast<double>(n_axes);
  blob[2] = static_cast<double>(first_node);
  at = kTableHeader;
  std::size_t stride = nodes;
  for (std::size_t a = 0; a < n_axes; ++a) {
    const std::vector<double>& points = grid.axes[a];
    stride /= points.size();
    double* h = &blob[4 + 4 * a];
    h[0] = static_cast<double>(points.size());
    h[1] = static_cast<double>(at);
    h[2] = even_steps_of(points);
    h[3] = static_cast<double>(stride);
    for (const double point : points) blob[at++] = point;
  }
  for (std::size_t n = 0; n < nodes; ++n)
    for (std::size_t i = 0; i < k; ++i) blob[first_node + n * pitch + i] = grid.values[n * k + i];
  return blob;
}

}  // namespace volary::inline VOLARY_ISA::math
