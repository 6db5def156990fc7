// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Two spheres that move straight and evenly during one tick: how near they come, and when they first touch. Looking at the end of a tick only would
// miss every pair that meets and parts again within it.
#pragma once

#include <algorithm>

#include "math/functions.hpp"
#include "volary/def.hpp"

namespace volary::engine {

inline double dot(const Vec& a, const Vec& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline Vec minus(const Vec& a, const Vec& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Vec plus(const Vec& a, double s, const Vec& b) { return {a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]}; }

// the way from one sphere to the other at the beginning and at the end of the tick
struct Passing {
  Vec first, last;  // m

  // m2, squared distance of the centres where they are nearest
  double nearest2() const {
    const Vec change = minus(last, first);
    const double a = dot(change, change), b = -dot(first, change);
    const double when = a > 0 ? std::clamp(b / a, 0.0, 1.0) : 0.0;
    const Vec way = when < 1 ? plus(first, when, change) : last;
    return dot(way, way);
  }
  // part of the tick that is over when they touch for the first time: 0 where they did so before. They come within `reach` of each other.
  double touch(double reach) const {
    const Vec change = minus(last, first);
    const double a = dot(change, change), b = -dot(first, change), c = dot(first, first) - reach * reach;
    if (!(c > 0) || !(a > 0)) return 0;
    return std::clamp((b - math::sqrt(std::max(b * b - a * c, 0.0))) / a, 0.0, 1.0);
  }
  Vec at(double when) const { return plus(first, when, minus(last, first)); }
};

}  // namespace volary::engine
