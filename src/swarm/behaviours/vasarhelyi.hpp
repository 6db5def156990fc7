// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Flocking that was flown with 30 drones (Vasarhelyi, Viragh, Somorjai, Nepusz, Eiben, Vicsek, "Optimized flocking of autonomous drones in confined
// environments", Science Robotics 3, 2018, eq. 1 to 10): repulsion, alignment along an ideal braking curve, and walls that act like members flying
// inward.
// Fails: the eleven numbers go together: a speed above about 1.5 times the one they were tuned for oscillates. No walls, no turning back. Delay above
// a second breaks alignment first. Repulsion is an urge: combine with `avoid`.
#pragma once

#include "swarm/behaviours/steering.hpp"

namespace volary::swarm {

struct Vasarhelyi {
  static constexpr const char* name = "vasarhelyi";
  static constexpr const char* doc = "flocking inside walls, with an ideal braking curve";
  struct Params {
    double speed = 3, fastest = 5;                                         // m/s, v_flock and v_max
    double repulsion_range = 6, repulsion = 0.4;                           // m, 1/s
    double friction_range = 20, friction = 0.05, friction_slack = 0.6;       // m, -, m/s
    double friction_slope = 2, friction_brake = 3;                         // 1/s, m/s2
    double wall_range = 1, wall_speed = 8, wall_slope = 2, wall_brake = 3;  // m, m/s, 1/s, m/s2
    std::array<double, 2> centre = {0, 0};                                 // m
    double side = 0;                                                       // m
    double height = 15;                                                    // m
  };
  struct Memory {};
  struct Features {
    bool flies = false;
  };

  // eq. 4: the speed that can still be braked within r at brake a, linear near the end
  static double braking(double r, double a, double slope) {
    if (r <= 0) return 0;
    return r * slope < a / slope ? r * slope : math::sqrt(2 * a * r - a * a / (slope * slope));
  }
  // eq. 5 to 7: takes away the velocity difference above what the curve allows at this distance
  static V3 align(const V3& other, const V3& own, double most, double gain) {
    const V3 difference = other - own;
    const double size = norm(difference);
    return size > most ? (gain * (size - most) / size) * difference : V3{0, 0, 0};
  }

  static Features extract(const Sense& s, const Params&, const Memory&) { return {is_flying(s.mode)}; }
  static double trigger(const Features& f, const Params&) { return f.flies ? 1 : 0; }
  static Action act(const Features&, const Sense& s, const Params& p, Memory&, Outbox&) {
    const V3 own = flat(s.velocity), here = flat(s.position);
    V3 v = p.speed * direction(own, rotate_flat({1, 0, 0}, 2 * kPi * s.uniform(0)));
    for (const Known& k : s.others) {
      const V3 away = here - flat(where_now(s, k));
      const double r = norm(away);
      if (r < p.repulsion_range) v = add_scaled(p.repulsion * (p.repulsion_range - r), direction(away, {k.from < s.self ? 1.0 : -1.0, 0, 0}), v);
      v = v + align(flat(k.velocity), own, math::max(p.friction_slack, braking(r - p.friction_range, p.friction_brake, p.friction_slope)), p.friction);
    }
    if (p.side > 0) v = v + walls(here, own, p);
    v = limit_norm(v, math::min(p.fastest, s.max_speed));
    v.z = hold_height(s, p.height);
    return fly(above_floor(s, v, 0.5 * p.height));
  }

 private:
  // eq. 8: at the nearest point of each wall somebody flies inward
  static V3 walls(const V3& here, const V3& own, const Params& p) {
    V3 sum{0, 0, 0};
    const V3 inward[4] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
    for (const V3& n : inward) {
      const double r = 0.5 * p.side + dot(here - V3{p.centre[0], p.centre[1], 0}, n);
      sum = sum + align(p.wall_speed * n, own, braking(r - p.wall_range, p.wall_brake, p.wall_slope), 1);
    }
    return sum;
  }
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, Vasarhelyi::Params>
void describe(D& d, V& v) {
  v.field("speed", d.speed, {.unit = "m/s", .min = 0.1, .max = 100, .doc = "wanted speed v_flock of every member"});
  v.field("fastest", d.fastest, {.unit = "m/s", .min = 0.1, .max = 100, .doc = "greatest speed v_max of a member"});
  v.field("repulsion_range", d.repulsion_range, {.unit = "m", .min = 0.1, .max = 1e3, .doc = "distance r0_rep below which members repel each other"});
  v.field("repulsion", d.repulsion,
          {.unit = "1/s", .min = 0, .max = 100, .doc = "repulsion gain p_rep: speed per distance that is missing to the repulsion range"});
  v.field("friction_range", d.friction_range,
          {.unit = "m", .min = 0, .max = 1e3, .doc = "distance r0_frict up to which velocities must agree except for the slack"});
  v.field("friction", d.friction, {.min = 0, .max = 10, .doc = "alignment gain C_frict: share of the velocity difference removed per neighbour"});
  v.field("friction_slack", d.friction_slack, {.unit = "m/s", .min = 0, .max = 100, .doc = "velocity difference v_frict that is always allowed"});
  v.field("friction_slope", d.friction_slope, {.unit = "1/s", .min = 0.01, .max = 100, .doc = "slope p_frict of the alignment braking curve near its end"});
  v.field("friction_brake", d.friction_brake, {.unit = "m/s2", .min = 0.01, .max = 100, .doc = "deceleration a_frict of the alignment braking curve"});
  v.field("wall_range", d.wall_range, {.unit = "m", .min = 0, .max = 1e3, .doc = "distance r0_shill from a wall at which braking must be complete"});
  v.field("wall_speed", d.wall_speed, {.unit = "m/s", .min = 0, .max = 100, .doc = "speed v_shill of the virtual members that form the walls"});
  v.field("wall_slope", d.wall_slope, {.unit = "1/s", .min = 0.01, .max = 100, .doc = "slope p_shill of the wall braking curve near its end"});
  v.field("wall_brake", d.wall_brake, {.unit = "m/s2", .min = 0.01, .max = 100, .doc = "deceleration a_shill of the wall braking curve"});
  v.field("centre", d.centre, {.unit = "m", .min = -1e6, .max = 1e6, .doc = "centre of the square arena, east north"});
  v.field("side", d.side, {.unit = "m", .min = 0, .max = 1e6, .doc = "side length of the arena; 0: no walls"});
  v.field("height", d.height, {.unit = "m", .min = 0.5, .max = 1e4, .doc = "height above ground that all members keep"});
}

}  // namespace volary::swarm
