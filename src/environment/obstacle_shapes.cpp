// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "environment/obstacle_shapes.hpp"

#include <algorithm>
#include <utility>

#include "math/scalar.hpp"

namespace volary::obstacles {

namespace {

Point minus(const Point& a, const Point& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Point plus(const Point& a, double s, const Point& b) { return {a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]}; }
Point scaled(double s, const Point& a) { return {s * a[0], s * a[1], s * a[2]}; }
double dot(const Point& a, const Point& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Point cross(const Point& a, const Point& b) { return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}; }

}  // namespace

bool has_area(const Point& a, const Point& b, const Point& c) {
  const Point ab = minus(b, a), ac = minus(c, a), bc = minus(c, b), n = cross(ab, ac);
  const double longest2 = std::max(dot(ab, ab), std::max(dot(ac, ac), dot(bc, bc)));
  return dot(n, n) > 1e-12 * longest2 * longest2;  // twice the area is height times longest side
}

namespace detail {

namespace {

Point point(const double* v) { return {v[0], v[1], v[2]}; }

// out and in of a box's own axes; the third is up in both
Point into_box(const Primitive& p, const Point& w) { return {p.v[6] * w[0] + p.v[7] * w[1], p.v[6] * w[1] - p.v[7] * w[0], w[2]}; }
Point out_of_box(const Primitive& p, const Point& b) { return {p.v[6] * b[0] - p.v[7] * b[1], p.v[7] * b[0] + p.v[6] * b[1], b[2]}; }

double sign_of(double x) { return x < 0 ? -1.0 : 1.0; }

// ---------------------------------------------------------------- distances

double box_distance(const Primitive& p, const Point& from) {
  const Point q = into_box(p, minus(from, point(p.v)));
  const double x = math::abs(q[0]) - p.v[3], y = math::abs(q[1]) - p.v[4], z = math::abs(q[2]) - p.v[5];
  const double most = std::max(x, std::max(y, z));
  if (most <= 0) return most;
  const double ox = std::max(x, 0.0), oy = std::max(y, 0.0), oz = std::max(z, 0.0);
  return math::sqrt(ox * ox + oy * oy + oz * oz);
}

Nearest box_touch(const Primitive& p, const Point& from) {
  const Point centre = point(p.v), q = into_box(p, minus(from, centre));
  const Point over = {math::abs(q[0]) - p.v[3], math::abs(q[1]) - p.v[4], math::abs(q[2]) - p.v[5]};
  const std::size_t face = over[0] >= over[1] && over[0] >= over[2] ? 0 : over[1] >= over[2] ? 1 : 2;
  Point surface = q, normal = {0, 0, 0};
  double d = over[face];
  if (d <= 0) {
    surface[face] = sign_of(q[face]) * p.v[3 + face];
    normal[face] = sign_of(q[face]);
  } else {
    for (std::size_t k = 0; k < 3; ++k) surface[k] = std::min(std::max(q[k], -p.v[3 + k]), p.v[3 + k]);
    normal = minus(q, surface);
    d = math::sqrt(dot(normal, normal));
    normal = scaled(1 / d, normal);
  }
  return {d, plus(centre, 1, out_of_box(p, surface)), out_of_box(p, normal), 0};
}

// seen from its axis: how far beyond the wall, and beyond the nearer end
struct FromAxis {
  double radial, over_wall, over_end, away;  // away: 1 above its middle, -1 below
};
FromAxis from_axis(const Primitive& p, const Point& from) {
  const double x = from[0] - p.v[0], y = from[1] - p.v[1], radial = math::sqrt(x * x + y * y);
  const double half = 0.5 * p.v[4], z = from[2] - p.v[2] - half;
  return {radial, radial - p.v[3], math::abs(z) - half, sign_of(z)};
}

double cylinder_distance(const Primitive& p, const Point& from) {
  const FromAxis a = from_axis(p, from);
  const double most = std::max(a.over_wall, a.over_end);
  if (most <= 0) return most;
  const double wall = std::max(a.over_wall, 0.0), end = std::max(a.over_end, 0.0);
  return math::sqrt(wall * wall + end * end);
}

Nearest cylinder_touch(const Primitive& p, const Point& from) {
  const FromAxis a = from_axis(p, from);
  // on the axis every direction is as good: east
  const Point outward = a.radial > 0 ? Point{(from[0] - p.v[0]) / a.radial, (from[1] - p.v[1]) / a.radial, 0} : Point{1, 0, 0};
  const double end = a.away > 0 ? p.v[2] + p.v[4] : p.v[2];
  Nearest n;
  n.index = 0;
  n.distance = cylinder_distance(p, from);
  n.surface = from;
  if (a.over_wall > 0 || (a.over_end <= 0 && a.over_wall > a.over_end))
    for (std::size_t k = 0; k < 2; ++k) n.surface[k] = p.v[k] + p.v[3] * outward[k];
  if (a.over_end > 0 || (a.over_wall <= 0 && a.over_end >= a.over_wall)) n.surface[2] = end;
  if (a.over_wall > 0 && a.over_end > 0)  // the rim
    n.normal = scaled(1 / n.distance, minus(from, n.surface));
  else
    n.normal = a.over_wall > a.over_end ? outward : Point{0, 0, a.away};
  return n;
}

double sphere_distance(const Primitive& p, const Point& from) {
  const Point q = minus(from, point(p.v));
  return math::sqrt(dot(q, q)) - p.v[3];
}

Nearest sphere_touch(const Primitive& p, const Point& from) {
  const Point centre = point(p.v), q = minus(from, centre);
  const double r = math::sqrt(dot(q, q));
  const Point normal = r > 0 ? scaled(1 / r, q) : Point{0, 0, 1};
  return {r - p.v[3], plus(centre, p.v[3], normal), normal, 0};
}

// Ericson, Real-Time Collision Detection (2005), 5.1.5: the region of the triangle's plane decides which corner, edge or face is nearest
Point nearest_on_triangle(const Primitive& p, const Point& from) {
  const Point a = point(p.v), b = point(p.v + 3), c = point(p.v + 6);
  const Point ab = minus(b, a), ac = minus(c, a), ap = minus(from, a);
  const double d1 = dot(ab, ap), d2 = dot(ac, ap);
  if (d1 <= 0 && d2 <= 0) return a;
  const Point bp = minus(from, b);
  const double d3 = dot(ab, bp), d4 = dot(ac, bp);
  if (d3 >= 0 && d4 <= d3) return b;
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return plus(a, d1 / (d1 - d3), ab);
  const Point cp = minus(from, c);
  const double d5 = dot(ab, cp), d6 = dot(ac, cp);
  if (d6 >= 0 && d5 <= d6) return c;
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return plus(a, d2 / (d2 - d6), ac);
  const double va = d3 * d6 - d5 * d4, along = d4 - d3, back = d5 - d6;
  if (va <= 0 && along >= 0 && back >= 0) return plus(b, along / (along + back), minus(c, b));
  const double share = 1 / (va + vb + vc);
  return plus(plus(a, vb * share, ab), vc * share, ac);
}

double triangle_distance(const Primitive& p, const Point& from) {
  const Point q = minus(from, nearest_on_triangle(p, from));
  return math::sqrt(dot(q, q));
}

Nearest triangle_touch(const Primitive& p, const Point& from) {
  Nearest n;
  n.index = 0;
  n.surface = nearest_on_triangle(p, from);
  const Point a = point(p.v), away = minus(from, n.surface), face = cross(minus(point(p.v + 3), a), minus(point(p.v + 6), a));
  n.distance = math::sqrt(dot(away, away));
  // On the face itself the difference is what rounding left of it; the face knows better. Corners in order turn left seen from outside.
  const double size = math::sqrt(dot(face, face)), side = dot(face, away) / size;
  if (math::abs(side) >= (1 - 1e-9) * n.distance || n.distance < 1e-9)
    n.normal = scaled(side < 0 ? -1 / size : 1 / size, face);
  else
    n.normal = scaled(1 / n.distance, away);
  return n;
}

// ---------------------------------------------------------------- lines

// the part of a line between two planes a half width on either side of the middle
bool slab(double from, double way, double half, bool closed, Span& s) {
  if (way == 0) return closed ? math::abs(from) <= half : math::abs(from) < half;
  double near = (-half - from) / way, far = (half - from) / way;
  if (near > far) std::swap(near, far);
  s.in = std::max(s.in, near);
  s.out = std::min(s.out, far);
  return s.in <= s.out;
}
constexpr Span kWhole = {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};

Span box_span(const Primitive& p, const Ray& ray, bool closed) {
  const Point from = into_box(p, minus(ray.from, point(p.v))), way = into_box(p, ray.way);
  Span s = kWhole;
  for (std::size_t k = 0; k < 3; ++k)
    if (!slab(from[k], way[k], p.v[3 + k], closed, s)) return {};
  return s;
}

// roots of a t^2 + 2 b t + c = 0 with a > 0, in the form without cancellation (Press et al., Numerical Recipes, 5.6)
Span between_roots(double a, double b, double c) {
  const double inside = b * b - a * c;
  if (!(inside >= 0)) return {};
  const double q = -(b + (b < 0 ? -math::sqrt(inside) : math::sqrt(inside)));
  const double one = q / a, other = q != 0 ? c / q : 0;
  return one < other ? Span{one, other} : Span{other, one};
}

Span cylinder_span(const Primitive& p, const Ray& ray, bool closed) {
  const double x = ray.from[0] - p.v[0], y = ray.from[1] - p.v[1], a = ray.way[0] * ray.way[0] + ray.way[1] * ray.way[1];
  const double c = x * x + y * y - p.v[3] * p.v[3];
  Span s = kWhole;
  if (a > 0)
    s = between_roots(a, x * ray.way[0] + y * ray.way[1], c);
  else if (closed ? c > 0 : c >= 0)
    return {};
  const double half = 0.5 * p.v[4];
  return s.in <= s.out && slab(ray.from[2] - p.v[2] - half, ray.way[2], half, closed, s) ? s : Span{};
}

Span sphere_span(const Primitive& p, const Ray& ray, bool closed) {
  const Point from = minus(ray.from, point(p.v));
  const double a = dot(ray.way, ray.way), c = dot(from, from) - p.v[3] * p.v[3];
  if (a > 0) return between_roots(a, dot(from, ray.way), c);
  return (closed ? c <= 0 : c < 0) ? kWhole : Span{};
}

// Woop, Benthin, Wald, Watertight Ray/Triangle Intersection (JCGT 2013): neighbours decide by the same products, so no line slips between
Span triangle_span(const Primitive& p, const Ray& ray) {
  const Point size = {math::abs(ray.way[0]), math::abs(ray.way[1]), math::abs(ray.way[2])};
  const std::size_t kz = size[0] >= size[1] && size[0] >= size[2] ? 0 : size[1] >= size[2] ? 1 : 2, kx = (kz + 1) % 3, ky = (kz + 2) % 3;
  if (!(size[kz] > 0)) return {};
  const double sx = ray.way[kx] / ray.way[kz], sy = ray.way[ky] / ray.way[kz], sz = 1 / ray.way[kz];
  double x[3], y[3], z[3];
  for (std::size_t i = 0; i < 3; ++i) {
    const Point q = minus(point(p.v + 3 * i), ray.from);
    x[i] = q[kx] - sx * q[kz];
    y[i] = q[ky] - sy * q[kz];
    z[i] = sz * q[kz];
  }
  const double u = x[2] * y[1] - y[2] * x[1], v = x[0] * y[2] - y[0] * x[2], w = x[1] * y[0] - y[1] * x[0];
  if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0)) return {};
  const double sum = u + v + w;
  if (sum == 0) return {};  // the line lies in its plane
  const double t = (u * z[0] + v * z[1] + w * z[2]) / sum;
  return {t, t};
}

}  // namespace

Bounds bounds_of(const Primitive& p) {
  Point min = point(p.v), max = min;
  auto widen = [&](std::size_t k, double by) { min[k] -= by, max[k] += by; };
  if (p.kind == Kind::Triangle) {
    for (std::size_t i = 3; i < 9; ++i) min[i % 3] = std::min(min[i % 3], p.v[i]), max[i % 3] = std::max(max[i % 3], p.v[i]);
  } else if (p.kind == Kind::Box) {
    const double c = math::abs(p.v[6]), s = math::abs(p.v[7]);
    widen(0, c * p.v[3] + s * p.v[4]), widen(1, s * p.v[3] + c * p.v[4]), widen(2, p.v[5]);
  } else {
    widen(0, p.v[3]), widen(1, p.v[3]);
    if (p.kind == Kind::Sphere)
      widen(2, p.v[3]);
    else
      max[2] += p.v[4];
  }
  // room for what rounding does to a place on the surface
  for (std::size_t k = 0; k < 3; ++k) {
    const double room = 1e-12 * (1 + std::max(math::abs(min[k]), math::abs(max[k])));
    min[k] -= room, max[k] += room;
  }
  return {min, max};
}

double distance(const Primitive& p, const Point& from) {
  switch (p.kind) {
    case Kind::Box: return box_distance(p, from);
    case Kind::Cylinder: return cylinder_distance(p, from);
    case Kind::Sphere: return sphere_distance(p, from);
    case Kind::Triangle: break;
  }
  return triangle_distance(p, from);
}

Nearest touch(const Primitive& p, const Point& from) {
  Nearest n = p.kind == Kind::Box        ? box_touch(p, from)
              : p.kind == Kind::Cylinder ? cylinder_touch(p, from)
              : p.kind == Kind::Sphere   ? sphere_touch(p, from)
                                         : triangle_touch(p, from);
  n.index = static_cast<int>(p.obstacle);
  return n;
}

Span span_of(const Primitive& p, const Ray& ray, bool closed) {
  switch (p.kind) {
    case Kind::Box: return box_span(p, ray, closed);
    case Kind::Cylinder: return cylinder_span(p, ray, closed);
    case Kind::Sphere: return sphere_span(p, ray, closed);
    case Kind::Triangle: break;
  }
  return triangle_span(p, ray);
}

}  // namespace detail

}  // namespace volary::obstacles
