// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Things that stand in the way: boxes, upright cylinders, spheres and triangle meshes, in a tree of bounding boxes. Immutable once made, and
// shared by everything that asks: how near is the nearest surface, does one place see another, where does a line end.
// Boxes, cylinders and spheres are solid. A mesh is a shell without an inside: what it encloses, and whether it has holes, does not matter.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <variant>
#include <vector>

namespace volary::obstacles {

using Point = std::array<double, 3>;  // m, east north up

struct Box {
  Point centre, size;  // m; the size before it is turned: along east, north, up
  double yaw = 0;      // rad, from east towards north
};
struct Cylinder {
  Point base;             // m, centre of its lower end
  double radius, height;  // m
};
struct Sphere {
  Point centre;
  double radius;  // m
};
struct Mesh {
  std::vector<Point> vertices;  // m, in the world
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

struct Obstacle {
  std::string name;
  std::variant<Box, Cylinder, Sphere, Mesh> shape;
};

inline constexpr std::size_t kMostObstacles = 10'000, kMostTriangles = 1'000'000;

// A triangle without an area has no normal; corners that are a millionth of its longest side off a line count as on it.
bool has_area(const Point& a, const Point& b, const Point& c);

struct Nearest {
  double distance = std::numeric_limits<double>::infinity();  // m; negative inside a solid
  Point surface = {0, 0, 0};                                  // m, the nearest place on it
  Point normal = {0, 0, 1};                                   // of length one: out of a solid, towards the asking side of a shell
  int index = -1;                                             // of the obstacle; -1: none

  explicit operator bool() const { return index >= 0; }
};

namespace detail {
struct Primitive;
struct Node;
}  // namespace detail

class Obstacles {
 public:
  // every size above zero, all numbers finite, every triangle with an area: who reads files checks them first
  explicit Obstacles(std::vector<Obstacle> list);
  Obstacles(Obstacles&&) noexcept;
  ~Obstacles();

  // the obstacle with the lowest distance; none when all are farther than `within`
  Nearest nearest(const Point& from, double within = std::numeric_limits<double>::infinity()) const;
  // every solid and every triangle that is not farther than `within`, in the order of the tree
  void each_within(const Point& from, double within, const std::function<void(const Nearest&)>& visit) const;
  // whether the straight line between two places is free; touching a surface is allowed
  bool sees(const Point& from, const Point& to) const;
  // the first place where the line meets an obstacle, as a fraction of the way from 0 to 1 (0: it begins inside); kNoHit when it does not
  double first_hit(const Point& from, const Point& to) const;
  static constexpr double kNoHit = std::numeric_limits<double>::infinity();

  const std::vector<Obstacle>& list() const { return list_; }
  const std::string& name(const Nearest& n) const { return list_[static_cast<std::size_t>(n.index)].name; }

 private:
  template <class Visit> void walk_near(const Point& from, double& within, Visit&& visit) const;

  std::vector<Obstacle> list_;
  std::vector<detail::Primitive> primitives_;  // in the order of the leaves
  std::vector<detail::Node> nodes_;            // depth first
};

}  // namespace volary::obstacles
