// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Follows the straight lines between waypoints at a speed, aiming at a point a little ahead on the line (pure pursuit: Coulter,
// "Implementation of the pure pursuit path tracking algorithm", CMU-RI-TR-92-01, 1992), so that gusts are corrected sideways.
// Fails: corners are cut by up to about `ahead`; pushed off by more than the length of a leg it rejoins at the present leg, never an earlier one.
#pragma once

#include "swarm/behaviours/steering.hpp"

namespace volary::swarm {

struct FollowPath {
  static constexpr const char* name = "follow_path";
  static constexpr const char* doc = "follow waypoints at a speed";
  struct Params {
    std::vector<std::array<double, 3>> points = {};  // m
    double speed = 4;                           // m/s
    double ahead = 2;                           // m
    double corridor = 20;                       // m
    double floor = 1;                           // m
    bool loop = false;
  };
  struct Memory {
    double leg = 0;   // leg k leads to point k; leg 0 from wherever it is
    double done = 0;  // 1: at the end of a path without loop
  };
  struct Features {
    bool flies = false;
  };

  static Features extract(const Sense& s, const Params& p, const Memory& m) { return {is_flying(s.mode) && !p.points.empty() && m.done == 0}; }
  static double trigger(const Features& f, const Params&) { return f.flies ? 1 : 0; }
  static Action act(const Features&, const Sense& s, const Params& p, Memory& m, Outbox&) {
    const std::size_t n = p.points.size();
    std::size_t leg = static_cast<std::size_t>(m.leg);
    const V3 to = to_v3(p.points[leg % n]), from = leg == 0 ? s.position : to_v3(p.points[(leg - 1) % n]);
    const double length = distance(from, to);
    const V3 along = direction(to - from);
    // how far along the leg it is, and whether the rest is within reach of the point ahead
    const double passed = math::max(0.0, dot(s.position - from, along));
    const bool last = !p.loop && leg + 1 >= n;
    const double ahead = look_ahead(s, p.ahead), reach = last ? arrival(s, math::min(0.5, p.ahead)) : ahead;
    if (distance(s.position, to) < reach || (leg > 0 ? passed >= length : is_past_start(s, p))) {
      if (last) {
        m.done = 1;
        return go_to(above_floor_point(s, to, p.floor));
      }
      // legs count up to 2n and return to n, so that the first leg, from anywhere, is flown once
      leg = leg + 1 >= 2 * n ? n : leg + 1;
      m.leg = static_cast<double>(leg);
    }
    const V3 aim = add_scaled(math::min(passed + ahead, length), along, from);
    const double speed = last ? math::min(p.speed, braking_speed(distance(s.position, to), 2)) : p.speed;
    return fly(above_floor(s, math::min(speed, s.max_speed) * direction(aim - s.position), p.floor));
  }

 private:
  // Beyond the first point in the direction of the second, and near: one that follows a leader passes beside the points, and must not fly back to the
  // first when it comes to lead.
  static bool is_past_start(const Sense& s, const Params& p) {
    if (p.points.size() < 2) return false;
    const V3 first = to_v3(p.points[0]), second = to_v3(p.points[1]);
    return distance(s.position, first) < p.corridor && dot(s.position - first, second - first) > 0;
  }
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, FollowPath::Params>
void describe(D& d, V& v) {
  v.field("points", d.points, {.unit = "m", .min = -1e6, .max = 1e6, .required = true, .doc = "waypoints in order"});
  v.field("speed", d.speed, {.unit = "m/s", .min = 0.05, .max = 100, .doc = "speed along the path"});
  v.field("ahead", d.ahead,
          {.unit = "m", .min = 0.1, .max = 100, .doc = "look-ahead distance along the path; a longer one is smoother, a shorter one stays nearer to the path"});
  v.field("corridor", d.corridor, {.unit = "m", .min = 0, .max = 1e5, .doc = "distance from the first point within which the vehicle may pass it sideways"});
  v.field("floor", d.floor, {.unit = "m", .min = 0, .max = 1e4, .doc = "lowest height above the ground that the vehicle keeps"});
  v.field("loop", d.loop, {.doc = "whether the path continues from the last point to the first, without end"});
}

}  // namespace volary::swarm
