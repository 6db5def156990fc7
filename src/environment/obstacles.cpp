// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "environment/obstacles.hpp"

#include <algorithm>
#include <utility>

#include "core/result.hpp"
#include "environment/obstacle_shapes.hpp"
#include "math/functions.hpp"

namespace volary::obstacles {

namespace detail {

// An inner node is followed by its left child; a leaf has a count.
struct Node {
  Bounds bounds;
  std::uint32_t next;   // inner: the right child; leaf: its first primitive
  std::uint32_t count;  // of primitives; 0: inner
};

}  // namespace detail

namespace {

using detail::Bounds;
using detail::Kind;
using detail::Node;
using detail::Primitive;
using detail::Ray;
using detail::Span;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kDeepest = 64;  // levels of the tree, and of the stack that walks it

// ---------------------------------------------------------------- shapes into primitives

bool is_finite(const Point& p) { return math::abs(p[0]) < 1e300 && math::abs(p[1]) < 1e300 && math::abs(p[2]) < 1e300; }

struct Flatten {
  std::vector<Primitive>& out;
  std::uint32_t index;

  void operator()(const Box& b) const {
    core::require(is_finite(b.centre) && is_finite(b.size) && b.size[0] > 0 && b.size[1] > 0 && b.size[2] > 0, "a box needs three sizes above zero");
    double s, c;
    math::sincos(b.yaw, s, c);
    out.push_back({Kind::Box, index, {b.centre[0], b.centre[1], b.centre[2], 0.5 * b.size[0], 0.5 * b.size[1], 0.5 * b.size[2], c, s, 0}});
  }
  void operator()(const Cylinder& c) const {
    core::require(is_finite(c.base) && c.radius > 0 && c.height > 0 && is_finite({c.radius, c.height, 0}), "a cylinder needs a radius and a height above zero");
    out.push_back({Kind::Cylinder, index, {c.base[0], c.base[1], c.base[2], c.radius, c.height, 0, 0, 0, 0}});
  }
  void operator()(const Sphere& s) const {
    core::require(is_finite(s.centre) && s.radius > 0 && is_finite({s.radius, 0, 0}), "a sphere needs a radius above zero");
    out.push_back({Kind::Sphere, index, {s.centre[0], s.centre[1], s.centre[2], s.radius, 0, 0, 0, 0, 0}});
  }
  void operator()(const Mesh& m) const {
    for (const auto& t : m.triangles) {
      core::require(t[0] < m.vertices.size() && t[1] < m.vertices.size() && t[2] < m.vertices.size(), "a triangle names a vertex that is not there");
      const Point &a = m.vertices[t[0]], &b = m.vertices[t[1]], &c = m.vertices[t[2]];
      core::require(is_finite(a) && is_finite(b) && is_finite(c) && has_area(a, b, c), "a triangle needs an area");
      out.push_back({Kind::Triangle, index, {a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]}});
    }
  }
};

// ---------------------------------------------------------------- the tree

Bounds none() { return {{kInfinity, kInfinity, kInfinity}, {-kInfinity, -kInfinity, -kInfinity}}; }
void include(Bounds& b, const Bounds& other) {
  for (std::size_t k = 0; k < 3; ++k) b.min[k] = std::min(b.min[k], other.min[k]), b.max[k] = std::max(b.max[k], other.max[k]);
}
double area(const Bounds& b) {
  const double x = b.max[0] - b.min[0], y = b.max[1] - b.min[1], z = b.max[2] - b.min[2];
  return x * y + y * z + z * x;
}

// Splits by the surface area heuristic over a few bins of each axis (Wald, On fast Construction of SAH-based BVHs, 2007). The order of
// the primitives, and with it the tree, follows from the list alone.
class Builder {
 public:
  Builder(const std::vector<Primitive>& primitives, std::vector<Node>& nodes) : nodes_(nodes) {
    for (std::size_t i = 0; i < primitives.size(); ++i) {
      const Bounds b = bounds_of(primitives[i]);
      items_.push_back({b, {0.5 * (b.min[0] + b.max[0]), 0.5 * (b.min[1] + b.max[1]), 0.5 * (b.min[2] + b.max[2])}, static_cast<std::uint32_t>(i)});
    }
    if (!items_.empty()) build(0, items_.size(), 0);
  }
  std::vector<Primitive> ordered(const std::vector<Primitive>& primitives) const {
    std::vector<Primitive> out;
    out.reserve(items_.size());
    for (const Item& item : items_) out.push_back(primitives[item.index]);
    return out;
  }

 private:
  static constexpr std::size_t kBins = 12, kLeaf = 2;
  struct Item {
    Bounds bounds;
    Point centre;
    std::uint32_t index;
  };
  struct Split {
    std::size_t axis = 0, bin = 0;
    double cost = kInfinity;
  };

  static std::size_t bin_of(const Item& item, std::size_t axis, double low, double per_bin) {
    return std::min(kBins - 1, static_cast<std::size_t>((item.centre[axis] - low) * per_bin));
  }

  Split best_split(std::size_t first, std::size_t last, const Bounds& centres) const {
    Split best;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double width = centres.max[axis] - centres.min[axis];
      if (!(width > 1e-9)) continue;
      const double per_bin = kBins / width;
      std::array<Bounds, kBins> bounds;
      std::array<std::size_t, kBins> count{};
      bounds.fill(none());
      for (std::size_t i = first; i < last; ++i) {
        const std::size_t b = bin_of(items_[i], axis, centres.min[axis], per_bin);
        include(bounds[b], items_[i].bounds);
        ++count[b];
      }
      std::array<double, kBins> right_cost{};
      Bounds grown = none();
      std::size_t n = 0;
      for (std::size_t b = kBins; b-- > 1;) {
        include(grown, bounds[b]);
        n += count[b];
        right_cost[b] = n == 0 ? kInfinity : area(grown) * static_cast<double>(n);
      }
      grown = none();
      n = 0;
      for (std::size_t b = 1; b < kBins; ++b) {
        include(grown, bounds[b - 1]);
        n += count[b - 1];
        const double cost = n == 0 ? kInfinity : area(grown) * static_cast<double>(n) + right_cost[b];
        if (cost < best.cost) best = {axis, b, cost};
      }
    }
    return best;
  }

  // where the right half of the items begins
  std::size_t partition(std::size_t first, std::size_t last, std::size_t depth) {
    Bounds centres = none();
    for (std::size_t i = first; i < last; ++i) include(centres, {items_[i].centre, items_[i].centre});
    const auto begin = items_.begin() + static_cast<std::ptrdiff_t>(first), end = items_.begin() + static_cast<std::ptrdiff_t>(last);
    // a lopsided tree is cut into halves before it grows too deep: 2^(64 - 32) primitives fit below
    const Split split = depth < kDeepest / 2 ? best_split(first, last, centres) : Split{};
    if (split.cost < kInfinity) {
      const double low = centres.min[split.axis], per_bin = kBins / (centres.max[split.axis] - low);
      const auto middle = std::stable_partition(begin, end, [&](const Item& item) { return bin_of(item, split.axis, low, per_bin) < split.bin; });
      return static_cast<std::size_t>(middle - items_.begin());
    }
    return first + (last - first) / 2;
  }

  void build(std::size_t first, std::size_t last, std::size_t depth) {
    const std::size_t at = nodes_.size();
    Bounds bounds = none();
    for (std::size_t i = first; i < last; ++i) include(bounds, items_[i].bounds);
    nodes_.push_back({bounds, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last - first)});
    if (last - first <= kLeaf) return;
    const std::size_t middle = partition(first, last, depth);
    nodes_[at].count = 0;
    build(first, middle, depth + 1);
    nodes_[at].next = static_cast<std::uint32_t>(nodes_.size());
    build(middle, last, depth + 1);
  }

  std::vector<Node>& nodes_;
  std::vector<Item> items_;
};

// ---------------------------------------------------------------- walking it

struct Waiting {
  std::uint32_t node;
  double key;  // distance squared, or where the line enters
};

double distance2(const Bounds& b, const Point& p) {
  double sum = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const double outside = std::max(std::max(b.min[k] - p[k], p[k] - b.max[k]), 0.0);
    sum += outside * outside;
  }
  return sum;
}

// a line with what its tests against boxes need
struct Line {
  Ray ray;
  Point per_way;

  Line(const Point& from, const Point& to) : ray{from, {to[0] - from[0], to[1] - from[1], to[2] - from[2]}} {
    // along an axis it does not move on, it is inside for ever or never
    for (std::size_t k = 0; k < 3; ++k) per_way[k] = math::abs(ray.way[k]) < 1e-200 ? 1e200 : 1 / ray.way[k];
  }
  // where it enters the bounds; kInfinity when it does not before `end`
  double enters(const Bounds& b, double end) const {
    double in = 0, out = end;
    for (std::size_t k = 0; k < 3; ++k) {
      const double one = (b.min[k] - ray.from[k]) * per_way[k], other = (b.max[k] - ray.from[k]) * per_way[k];
      in = std::max(in, std::min(one, other));
      out = std::min(out, std::max(one, other));
    }
    return in <= out ? in : kInfinity;
  }
};

// visits the leaves that a line may meet before `end`, the nearer ones first; `visit` may shorten the end
template <class Visit> void walk_line(const std::vector<Node>& nodes, const Line& line, double& end, Visit&& visit) {
  if (nodes.empty() || !(line.enters(nodes[0].bounds, end) <= end)) return;
  Waiting stack[kDeepest];
  std::size_t n = 0;
  for (std::uint32_t now = 0;;) {
    const Node& node = nodes[now];
    if (node.count > 0) {
      for (std::uint32_t i = node.next; i < node.next + node.count; ++i) visit(i);
    } else {
      const Waiting left = {now + 1, line.enters(nodes[now + 1].bounds, end)}, right = {node.next, line.enters(nodes[node.next].bounds, end)};
      const bool left_first = left.key <= right.key;
      const Waiting &near = left_first ? left : right, &far = left_first ? right : left;
      if (far.key <= end) stack[n++] = far;
      if (near.key <= end) {
        now = near.node;
        continue;
      }
    }
    do {
      if (n == 0) return;
      --n;
    } while (!(stack[n].key <= end));
    now = stack[n].node;
  }
}

}  // namespace

Obstacles::Obstacles(std::vector<Obstacle> list) : list_(std::move(list)) {
  std::vector<Primitive> primitives;
  for (std::size_t i = 0; i < list_.size(); ++i) std::visit(Flatten{primitives, static_cast<std::uint32_t>(i)}, list_[i].shape);
  primitives_ = Builder(primitives, nodes_).ordered(primitives);
}
Obstacles::Obstacles(Obstacles&&) noexcept = default;
Obstacles::~Obstacles() = default;

// visits the leaves that are not farther than `within`, the nearer ones first; `visit` may shorten it
template <class Visit> void Obstacles::walk_near(const Point& from, double& within, Visit&& visit) const {
  // inside a solid nothing outside the point's own boxes can be nearer
  double limit = within > 0 ? within * within : 0;
  if (nodes_.empty() || !(distance2(nodes_[0].bounds, from) <= limit)) return;
  Waiting stack[kDeepest];
  std::size_t n = 0;
  for (std::uint32_t now = 0;;) {
    const Node& node = nodes_[now];
    if (node.count > 0) {
      for (std::uint32_t i = node.next; i < node.next + node.count; ++i) visit(primitives_[i]);
      limit = within > 0 ? within * within : 0;
    } else {
      const Waiting left = {now + 1, distance2(nodes_[now + 1].bounds, from)}, right = {node.next, distance2(nodes_[node.next].bounds, from)};
      const bool left_first = left.key <= right.key;
      const Waiting &near = left_first ? left : right, &far = left_first ? right : left;
      if (far.key <= limit) stack[n++] = far;
      if (near.key <= limit) {
        now = near.node;
        continue;
      }
    }
    do {
      if (n == 0) return;
      --n;
    } while (!(stack[n].key <= limit));
    now = stack[n].node;
  }
}

Nearest Obstacles::nearest(const Point& from, double within) const {
  const Primitive* best = nullptr;
  double least = within;
  walk_near(from, least, [&](const Primitive& p) {
    const double d = distance(p, from);
    // of two that are as near, the first of the list, whatever the tree looks like
    if (d < least || (d == least && (best == nullptr || p.obstacle < best->obstacle))) least = d, best = &p;
  });
  return best == nullptr ? Nearest{} : touch(*best, from);
}

void Obstacles::each_within(const Point& from, double within, const std::function<void(const Nearest&)>& visit) const {
  double limit = within;
  walk_near(from, limit, [&](const Primitive& p) {
    if (const Nearest n = touch(p, from); n.distance <= within) visit(n);
  });
}

bool Obstacles::sees(const Point& from, const Point& to) const {
  const Line line(from, to);
  double end = 1;
  walk_line(nodes_, line, end, [&](std::uint32_t i) {
    const Span s = span_of(primitives_[i], line.ray, false);
    const bool crosses = primitives_[i].kind == Kind::Triangle ? s.in == s.out && s.in > 0 && s.in < 1 : std::max(s.in, 0.0) < std::min(s.out, 1.0);
    if (crosses) end = -1;
  });
  return end > 0;
}

double Obstacles::first_hit(const Point& from, const Point& to) const {
  const Line line(from, to);
  double end = 1, first = kNoHit;
  walk_line(nodes_, line, end, [&](std::uint32_t i) {
    const Span s = span_of(primitives_[i], line.ray, true);
    const double in = std::max(s.in, 0.0);
    if (in <= std::min(s.out, end)) end = first = in;
  });
  return first;
}

}  // namespace volary::obstacles
