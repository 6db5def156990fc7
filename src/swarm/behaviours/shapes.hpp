// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Places in a formation by number: the same shapes that scenarios place vehicles in.
#pragma once

#include <span>

#include "swarm/behaviours/steering.hpp"

namespace volary::swarm {

enum class FormationShape { V, Line, Wedge, Diamond, Ring };
inline std::span<const char* const> names(FormationShape) {
  static constexpr const char* kNames[] = {"v", "line", "wedge", "diamond", "ring"};
  return kNames;
}

// rows of 1, 2, 3, ... up to `widest` abreast, then shorter again
inline V3 row_place(std::size_t i, std::size_t widest) {
  std::size_t row = 0, width = 1;
  while (i >= width) {
    i -= width;
    ++row;
    width = row < widest ? row + 1 : (2 * widest > row + 1 ? 2 * widest - row - 1 : 1);
  }
  return {-static_cast<double>(row), 0.5 * static_cast<double>(width - 1) - static_cast<double>(i), 0};
}

// where member i of n is: spacings ahead (x) and left (y) of the formation's reference
inline V3 formation_place(FormationShape shape, std::size_t i, std::size_t n) {
  constexpr double kArm = 0.7071067811865476;  // arms of 45 degrees
  const double k = static_cast<double>(i), count = static_cast<double>(n);
  switch (shape) {
    case FormationShape::V: {
      const double step = static_cast<double>((i + 1) / 2) * kArm;
      return {-step, i % 2 == 1 ? step : -step, 0};
    }
    case FormationShape::Line: return {0, 0.5 * (count - 1) - k, 0};
    case FormationShape::Wedge: return row_place(i, n);
    case FormationShape::Diamond: {
      std::size_t widest = 1;
      while (widest * widest < n) ++widest;
      return row_place(i, widest);
    }
    case FormationShape::Ring: break;
  }
  // neighbours on the circle are one spacing apart
  if (n < 2) return {0, 0, 0};
  const double radius = 0.5 / math::sin(kPi / count);
  double sine = 0, cosine = 1;
  math::sincos(2 * kPi * k / count, sine, cosine);
  return {radius * cosine, radius * sine, 0};
}

}  // namespace volary::swarm
