// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Members push each other apart until nobody is nearer than the spacing, inside a disc (Howard, Mataric, Sukhatme, "Mobile sensor network deployment
// using potential fields", DARS 2002): to cover an area without knowing it.
// Fails: with more members than the disc holds it ends in an even crowd that never rests. Only those heard push: out of radio range they overlap.
#pragma once

#include "swarm/behaviours/steering.hpp"

namespace volary::swarm {

struct Dispersion {
  static constexpr const char* name = "dispersion";
  static constexpr const char* doc = "spread out until no other vehicle is near";
  struct Params {
    double spacing = 10;                    // m
    double speed = 3;                       // m/s
    double gain = 0.6;                      // 1/s
    std::array<double, 2> centre = {0, 0};  // m
    double radius = 0;                      // m
    double height = 15;                     // m
  };
  struct Memory {};
  struct Features {
    bool crowded = false;
  };

  static Features extract(const Sense& s, const Params& p, const Memory&) {
    if (!is_flying(s.mode)) return {};
    if (p.radius > 0 && distance(flat(s.position), {p.centre[0], p.centre[1], 0}) > p.radius) return {true};
    for (const Known& k : s.others)
      if (distance(flat(k.position), flat(s.position)) < p.spacing) return {true};
    return {};
  }
  static double trigger(const Features& f, const Params&) { return f.crowded ? 1 : 0; }
  static Action act(const Features&, const Sense& s, const Params& p, Memory&, Outbox&) {
    V3 v{0, 0, 0};
    for (const Known& k : s.others) {
      const V3 away = flat(s.position - where_now(s, k));
      const double d = norm(away);
      if (d < p.spacing) v = add_scaled(p.gain * (p.spacing - d), direction(away, rotate_flat({1, 0, 0}, 2 * kPi * s.uniform(0))), v);
    }
    // the edge gives way like a neighbour
    const V3 out = flat(s.position) - V3{p.centre[0], p.centre[1], 0};
    if (p.radius > 0 && norm(out) > p.radius) v = add_scaled(2 * p.gain * (p.radius - norm(out)), direction(out), v);
    v = limit_norm(v, math::min(p.speed, s.max_speed));
    v.z = hold_height(s, p.height);
    return fly(above_floor(s, v, 0.5 * p.height));
  }
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, Dispersion::Params>
void describe(D& d, V& v) {
  v.field("spacing", d.spacing, {.unit = "m", .min = 0.1, .max = 1e4, .doc = "distance between two members below which they repel each other"});
  v.field("speed", d.speed, {.unit = "m/s", .min = 0.1, .max = 100, .doc = "greatest speed of a member"});
  v.field("gain", d.gain, {.unit = "1/s", .min = 0.01, .max = 10, .doc = "speed per distance that is missing to the spacing"});
  v.field("centre", d.centre, {.unit = "m", .min = -1e6, .max = 1e6, .doc = "centre of the disc in which the members stay, east north"});
  v.field("radius", d.radius, {.unit = "m", .min = 0, .max = 1e6, .doc = "radius of the disc in which the members stay; 0: no disc"});
  v.field("height", d.height, {.unit = "m", .min = 0.5, .max = 1e4, .doc = "height above ground that all members keep"});
}

}  // namespace volary::swarm
