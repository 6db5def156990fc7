// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/urdf_shapes.hpp"

#include <algorithm>

#include "math/functions.hpp"

namespace volary::scenario {

namespace {

using airframe::Triple;
using Vec = math::Vec3<double>;

constexpr double kSlender = 4;     // of lengths over radii
constexpr double kSame = 1e-6;     // m
constexpr double kSmallest = 0.01;  // m, edge of a box

Vec axis_of(const PlacedShape& s) { return math::column_z(math::rotation_matrix(s.pose.rotation)); }

// half of the edges of the box along the axes of the body that holds the shape
Triple half_extent(const PlacedShape& s) {
  const UrdfShape& shape = *s.shape;
  if (shape.kind == UrdfShapeKind::Box) {
    const math::Mat3<double> r = math::rotation_matrix(s.pose.rotation);
    const auto along = [&](const Vec& row) {
      return 0.5 * (math::abs(row.x) * shape.size[0] + math::abs(row.y) * shape.size[1] + math::abs(row.z) * shape.size[2]);
    };
    return {along(r.row0), along(r.row1), along(r.row2)};
  }
  const Vec axis = axis_of(s);
  const auto along = [&](double a) {
    const double rod = 0.5 * shape.length * math::abs(a);
    return shape.kind == UrdfShapeKind::Cylinder ? rod + shape.radius * math::sqrt(std::max(0.0, 1 - a * a)) : rod + shape.radius;
  };
  return {along(axis.x), along(axis.y), along(axis.z)};
}

}  // namespace

bool is_rod(const UrdfShape& shape) {
  const bool is_round = shape.kind == UrdfShapeKind::Cylinder || shape.kind == UrdfShapeKind::Capsule;
  return is_round && shape.length >= kSlender * shape.radius;
}

airframe::EffectorDef pole_of(const PlacedShape& rod) {
  const Vec middle = rod.pose.position, half = 0.5 * rod.shape->length * axis_of(rod);
  const Vec low = middle - half, high = middle + half;
  const bool reversed = math::norm(high) < math::norm(low) - kSame;
  const Vec root = reversed ? high : low, direction = 2 / rod.shape->length * (reversed ? -half : half);

  airframe::EffectorDef pole;
  pole.name = rod.shape->name.empty() ? rod.link->name : rod.shape->name;
  pole.kind = airframe::EffectorKind::Pole;
  pole.position = {root.x, root.y, root.z};
  pole.direction = {direction.x, direction.y, direction.z};
  // the round end of a capsule lies beyond its length
  pole.length = rod.shape->length + (rod.shape->kind == UrdfShapeKind::Capsule ? rod.shape->radius : 0);
  pole.radius = rod.shape->radius;
  if (rod.link->friction) pole.surface.friction = *rod.link->friction;
  return pole;
}

std::optional<Triple> box_about(const PlacedShape& shape) {
  if (shape.shape->kind == UrdfShapeKind::Mesh) return std::nullopt;
  const Triple half = half_extent(shape), at = {shape.pose.position.x, shape.pose.position.y, shape.pose.position.z};
  Triple edges{};
  for (std::size_t k = 0; k < 3; ++k) {
    if (math::abs(at[k]) > half[k] + kSame) return std::nullopt;
    edges[k] = 2 * (math::abs(at[k]) + half[k]);
  }
  return edges;
}

Triple box_of_inertia(double mass, const Triple& j) {
  Triple edges{};
  for (std::size_t k = 0; k < 3; ++k) edges[k] = std::max(kSmallest, math::sqrt(std::max(0.0, 6 / mass * (j[(k + 1) % 3] + j[(k + 2) % 3] - j[k]))));
  return edges;
}

}  // namespace volary::scenario
