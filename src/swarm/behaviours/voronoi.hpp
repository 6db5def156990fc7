// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Each member moves to the centroid of its Voronoi cell of a rectangle: the area is covered evenly, and any point has somebody near (Lloyd's
// algorithm on vehicles: Cortes, Martinez, Karatas, Bullo, "Coverage control for mobile sensing networks", IEEE T-RA 20(2), 2004). The cell is exact
// for those that are heard: the rectangle cut by the bisectors.
// Fails: unheard neighbours make cells too large and coverage overlaps; it ends in a local optimum, as Lloyd's algorithm does. Terrain is not looked
// at.
#pragma once

#include "swarm/behaviours/steering.hpp"

namespace volary::swarm {

struct Voronoi {
  static constexpr const char* name = "voronoi";
  static constexpr const char* doc = "cover a rectangle evenly; each vehicle keeps to its own Voronoi cell";
  struct Params {
    std::array<double, 2> from = {0, 0}, to = {100, 100};  // m
    double speed = 3;  // m/s
    double gain = 0.5;  // 1/s
    double height = 15;  // m
  };
  struct Memory {};
  struct Features {
    bool flies = false;
  };

  // a convex polygon that is cut; a cut adds at most one corner
  class Cell {
   public:
    static constexpr std::size_t kMost = 64;
    Cell(const Params& p) {
      const double x0 = math::min(p.from[0], p.to[0]), x1 = math::max(p.from[0], p.to[0]), y0 = math::min(p.from[1], p.to[1]),
                   y1 = math::max(p.from[1], p.to[1]);
      corners_[0] = {x0, y0, 0}, corners_[1] = {x1, y0, 0}, corners_[2] = {x1, y1, 0}, corners_[3] = {x0, y1, 0};
      count_ = 4;
    }
    // keeps what is nearer to `own` than to `other`
    void cut(const V3& own, const V3& other) {
      const V3 across = flat(other - own), middle = flat(0.5 * (own + other));
      if (count_ >= kMost || norm(across) < 1e-6) return;
      std::array<V3, kMost> kept;
      std::size_t n = 0;
      for (std::size_t k = 0; k < count_ && n + 2 <= kMost; ++k) {
        const V3 a = corners_[k], b = corners_[(k + 1) % count_];
        const double da = dot(a - middle, across), db = dot(b - middle, across);
        if (da <= 0) kept[n++] = a;
        if ((da < 0 && db > 0) || (da > 0 && db < 0)) kept[n++] = add_scaled(da / (da - db), b - a, a);
      }
      corners_ = kept;
      count_ = n;
    }
    double area() const {
      double twice = 0;
      for (std::size_t k = 0; k < count_; ++k) twice += wedge(k);
      return 0.5 * twice;
    }
    // of the area; of an empty cell: `otherwise`
    V3 centroid(const V3& otherwise) const {
      V3 sum{0, 0, 0};
      double twice = 0;
      for (std::size_t k = 0; k < count_; ++k) {
        const double w = wedge(k);
        sum = add_scaled(w, (corners_[k] - corners_[0]) + (corners_[(k + 1) % count_] - corners_[0]), sum);
        twice += w;
      }
      return twice > 1e-9 ? corners_[0] + (1 / (3 * twice)) * sum : otherwise;
    }

   private:
    // twice the area of the triangle of edge k and the first corner, from which all is measured so that far fields lose no digits
    double wedge(std::size_t k) const {
      const V3 a = corners_[k] - corners_[0], b = corners_[(k + 1) % count_] - corners_[0];
      return a.x * b.y - a.y * b.x;
    }
    std::array<V3, kMost> corners_{};
    std::size_t count_ = 0;
  };

  static Cell cell(const V3& own, const Sense& s, const Params& p) {
    Cell c(p);
    for (const Known& k : s.others) c.cut(own, where_now(s, k));
    return c;
  }
  static Features extract(const Sense& s, const Params&, const Memory&) { return {is_flying(s.mode)}; }
  static double trigger(const Features& f, const Params&) { return f.flies ? 1 : 0; }
  static Action act(const Features&, const Sense& s, const Params& p, Memory&, Outbox&) {
    const V3 inside = {clamp_to(s.position.x, math::min(p.from[0], p.to[0]), math::max(p.from[0], p.to[0])),
                       clamp_to(s.position.y, math::min(p.from[1], p.to[1]), math::max(p.from[1], p.to[1])), 0};
    const V3 goal = cell(flat(s.position), s, p).centroid(inside);
    V3 v = limit_norm(p.gain * (goal - flat(s.position)), math::min(p.speed, s.max_speed));
    v.z = hold_height(s, p.height);
    return fly(above_floor(s, v, 0.5 * p.height));
  }
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, Voronoi::Params>
void describe(D& d, V& v) {
  v.field("from", d.from, {.unit = "m", .min = -1e6, .max = 1e6, .required = true, .doc = "one corner of the area, east north"});
  v.field("to", d.to, {.unit = "m", .min = -1e6, .max = 1e6, .required = true, .doc = "opposite corner of the area, east north"});
  v.field("speed", d.speed, {.unit = "m/s", .min = 0.1, .max = 100, .doc = "greatest speed of a member"});
  v.field("gain", d.gain, {.unit = "1/s", .min = 0.01, .max = 10, .doc = "speed per distance from the centroid of the cell"});
  v.field("height", d.height, {.unit = "m", .min = 0.5, .max = 1e4, .doc = "height above ground that all members keep"});
}

}  // namespace volary::swarm
