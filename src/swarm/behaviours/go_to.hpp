// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Flies to points, one after the other, and stays at the last, or is done there. With `on`, the point is what a message
// says: whoever finds something tells where, and this one goes.
// Fails: it flies straight, so a hill or a building on the way is met; terrain below is kept clear by `floor` only. A point given by a message is
// believed. In wind above the vehicle's speed it never arrives.
#pragma once

#include "swarm/behaviours/steering.hpp"

namespace volary::swarm {

struct GoTo {
  static constexpr const char* name = "go_to";
  static constexpr const char* doc = "fly to points, one after the other";
  struct Params {
    std::vector<std::array<double, 3>> points = {};  // m
    std::string on = {};
    std::array<double, 3> offset = {0, 0, 0};   // m
    double speed = 4;                           // m/s
    double tolerance = 0.5;                     // m
    double floor = 1;                           // m
    bool stay = true;
  };
  struct Memory {
    double next = 0;           // index of the point
    double told = 0;           // 1: a message gave the point
    double x = 0, y = 0, z = 0;  // m
  };
  struct Features {
    bool has_goal = false, last = false;
    V3 goal{};
  };

  static Features extract(const Sense& s, const Params& p, const Memory& m) {
    Features f;
    if (!is_flying(s.mode) && heard(s, p.on) == nullptr) return f;  // an order is taken also on the ground
    if (!p.on.empty()) {
      const Message* order = heard(s, p.on);
      if (order != nullptr && order->count >= 3) {
        f.goal = V3{order->values[0], order->values[1], order->values[2]};
        f.has_goal = is_place(f.goal);
      }
      if (!f.has_goal && m.told > 0) {
        f.goal = {m.x, m.y, m.z};
        f.has_goal = p.stay || m.next == 0;
      }
      f.last = true;
      return f;
    }
    const std::size_t next = static_cast<std::size_t>(m.next), n = p.points.size();
    f.has_goal = n > 0 && (next < n || p.stay);
    if (f.has_goal) f.goal = to_v3(p.points[next < n ? next : n - 1]);
    f.last = next + 1 >= n;
    return f;
  }
  static double trigger(const Features& f, const Params&) { return f.has_goal ? 1 : 0; }
  static Action act(const Features& f, const Sense& s, const Params& p, Memory& m, Outbox&) {
    if (!p.on.empty()) {
      if (m.told == 0 || distance({m.x, m.y, m.z}, f.goal) > p.tolerance) m.next = 0;  // a new order
      m = {m.next, 1, f.goal.x, f.goal.y, f.goal.z};
    }
    if (!is_flying(s.mode)) return {.reward = 0};
    const V3 goal = above_floor_point(s, f.goal + to_v3(p.offset), p.floor);
    const double d = distance(goal, s.position), near = arrival(s, p.tolerance);
    if (d < near && m.next < static_cast<double>(p.on.empty() ? p.points.size() : 1)) m.next += 1;
    // the last metre belongs to the vehicle's own position control, which also withstands wind
    if (f.last && d < math::max(1.0, near)) return go_to(goal);
    return fly(above_floor(s, f.last ? towards(s, goal, p.speed) : math::min(p.speed, s.max_speed) * direction(goal - s.position), p.floor));
  }
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, GoTo::Params>
void describe(D& d, V& v) {
  v.field("points", d.points, {.unit = "m", .min = -1e6, .max = 1e6, .doc = "points to visit in order"});
  v.field("on", d.on, {.doc = "topic of a message that gives the point instead: its first three numbers; empty: points is used"});
  v.field("offset", d.offset, {.unit = "m", .min = -1e4, .max = 1e4, .doc = "offset added to every point, so that members with the same point do not meet"});
  v.field("speed", d.speed, {.unit = "m/s", .min = 0.05, .max = 100, .doc = "greatest speed on the way"});
  v.field("tolerance", d.tolerance, {.unit = "m", .min = 0.01, .max = 1e3, .doc = "distance at which a point counts as reached"});
  v.field("floor", d.floor, {.unit = "m", .min = 0, .max = 1e4, .doc = "lowest height above the ground that the vehicle keeps"});
  v.field("stay", d.stay, {.doc = "whether the vehicle stays at the last point; false: other behaviours act from there on"});
}

}  // namespace volary::swarm
