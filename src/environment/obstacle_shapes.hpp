// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What the tree of obstacles (obstacles.cpp) holds in its leaves: one solid or one triangle, with its distance and its part of a line.
// Everything is plus, minus, times, divide and square root of doubles, so that it is the same on every machine.
#pragma once

#include "environment/obstacles.hpp"

namespace volary::obstacles::detail {

enum class Kind : std::uint32_t { Box, Cylinder, Sphere, Triangle };

struct Primitive {
  Kind kind;
  std::uint32_t obstacle;  // index in the list
  // box: centre, half size, cosine and sine of the yaw; cylinder: base, radius, height; sphere: centre, radius; triangle: corners
  double v[9];
};

struct Bounds {
  Point min, max;
};
Bounds bounds_of(const Primitive& p);

// m, negative inside a solid
double distance(const Primitive& p, const Point& from);
// the same with the place and the normal
Nearest touch(const Primitive& p, const Point& from);

struct Ray {
  Point from, way;  // m: place at t is from + t way
};
// The part of a line inside a solid, as fractions of the way, from in to out; in = out on a triangle; in > out: none.
struct Span {
  double in = 1, out = 0;
};
// `closed`: its surface belongs to it. A line along a face is inside the closed solid and outside the open one.
Span span_of(const Primitive& p, const Ray& ray, bool closed);

}  // namespace volary::obstacles::detail
