// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Down a potential: a goal pulls, obstacles and others push within a range (Khatib, "Real-time obstacle avoidance for manipulators and mobile
// robots", IJRR 5(1), 1986). `swirl` turns part of a push sideways, to the left of what pushes, which leads round many obstacles.
// Fails: where pull and push cancel it stands still (a local minimum): behind a wide obstacle, in a U. Close passages push it back although it would
// fit.
#pragma once

#include "swarm/behaviours/steering.hpp"

namespace volary::swarm {

struct FieldObstacle {
  std::array<double, 3> position = {0, 0, 0};  // m
  double radius = 1;                           // m
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, FieldObstacle>
void describe(D& d, V& v) {
  v.field("position", d.position, {.unit = "m", .min = -1e6, .max = 1e6, .required = true, .doc = "centre of the ball, east north up"});
  v.field("radius", d.radius, {.unit = "m", .min = 0, .max = 1e4, .doc = "radius of the ball"});
}

struct PotentialField {
  static constexpr const char* name = "potential_field";
  static constexpr const char* doc = "attraction by a goal, repulsion by obstacles and other vehicles";
  struct Params {
    std::array<double, 3> goal = {0, 0, 0};     // m
    std::vector<FieldObstacle> obstacles = {};
    double range = 5;                           // m
    double attraction = 0.5, repulsion = 2;     // 1/s, m/s
    double swirl = 0.5;                         // -
    double speed = 4;                           // m/s
    double floor = 2;                           // m
  };
  struct Memory {};
  struct Features {
    bool flies = false;
  };

  static Features extract(const Sense& s, const Params&, const Memory&) { return {is_flying(s.mode)}; }
  static double trigger(const Features& f, const Params&) { return f.flies ? 1 : 0; }
  static Action act(const Features&, const Sense& s, const Params& p, Memory&, Outbox&) {
    V3 v = limit_norm(p.attraction * (to_v3(p.goal) - s.position), p.speed);
    for (const FieldObstacle& o : p.obstacles) v = v + push(s, to_v3(o.position), o.radius, p);
    for (const Known& k : s.others) v = v + evade(s, where_now(s, k), p);
    for (const Detection& d : s.detections)
      if (!is_known(s, d.object)) v = v + evade(s, d.position, p);
    return fly(above_floor(s, limit_norm(v, math::min(p.speed, s.max_speed)), p.floor));
  }

 private:
  static bool is_known(const Sense& s, std::uint64_t id) {
    for (const Known& k : s.others)
      if (k.from == id) return true;
    return false;
  }
  // Others move, and what is known of them is old: a push that grows without bound would shake. From 0 at the range to twice the gain at a touch.
  static V3 evade(const Sense& s, const V3& at, const Params& p) {
    const V3 away = s.position - at;
    const double gap = math::max(0.0, norm(away) - 2 * s.radius);
    return gap >= p.range ? V3{0, 0, 0} : 2 * p.repulsion * (1 - gap / p.range) * direction(away, {0, 0, 1});
  }
  // 0 at the range, the gain at a third of it, and growing; Khatib's eta (1/rho - 1/rho_0), per distance
  static V3 push(const Sense& s, const V3& at, double radius, const Params& p) {
    const V3 away = s.position - at;
    const double gap = math::max(0.1, norm(away) - radius - s.radius);
    if (gap >= p.range) return {0, 0, 0};
    const double size = 0.5 * p.repulsion * (p.range / gap - 1);
    const V3 out = direction(away, {0, 0, 1});
    return size * (out + p.swirl * V3{out.y, -out.x, 0});
  }
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, PotentialField::Params>
void describe(D& d, V& v) {
  v.field("goal", d.goal, {.unit = "m", .min = -1e6, .max = 1e6, .required = true, .doc = "point that attracts the vehicle"});
  v.field("obstacles", d.obstacles, {.doc = "balls that repel the vehicle"});
  v.field("range", d.range, {.unit = "m", .min = 0.1, .max = 1e3, .doc = "distance from the surface beyond which obstacles and vehicles do not repel"});
  v.field("attraction", d.attraction, {.unit = "1/s", .min = 0, .max = 10, .doc = "speed per distance from the goal, limited by speed"});
  v.field("repulsion", d.repulsion, {.unit = "m/s", .min = 0, .max = 100, .doc = "repulsion speed by an obstacle at a third of the range"});
  v.field("swirl", d.swirl, {.min = -2, .max = 2, .doc = "sideways share of the repulsion by an obstacle; 0: the original law of Khatib"});
  v.field("speed", d.speed, {.unit = "m/s", .min = 0.1, .max = 100, .doc = "greatest speed of the vehicle"});
  v.field("floor", d.floor, {.unit = "m", .min = 0, .max = 1e4, .doc = "lowest height above the ground that the vehicle keeps"});
}

}  // namespace volary::swarm
