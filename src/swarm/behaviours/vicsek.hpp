// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Everybody flies at one speed and takes the mean heading of its neighbours, plus noise (Vicsek, Czirok, Ben-Jacob, Cohen, Shochet, "Novel type of
// phase transition in a system of self-driven particles", PRL 75, 1995, eq. 1 and 2): ordered below a critical noise, disordered above.
// Fails: nothing keeps members apart or together: combine with `avoid`, and give `radius` or the flock is gone. Sparse flocks split.
#pragma once

#include "swarm/behaviours/steering.hpp"

namespace volary::swarm {

struct Vicsek {
  static constexpr const char* name = "vicsek";
  static constexpr const char* doc = "fly along the mean heading of the neighbours, with noise, at constant speed";
  struct Params {
    double range = 15;                     // m, r
    double speed = 3;                      // m/s, v
    double noise = 0.3;                    // rad, eta
    std::array<double, 2> centre = {0, 0};  // m
    double radius = 0;                     // m
    double height = 15;                    // m
  };
  struct Memory {};
  struct Features {
    bool flies = false;
  };

  static Features extract(const Sense& s, const Params&, const Memory&) { return {is_flying(s.mode)}; }
  static double trigger(const Features& f, const Params&) { return f.flies ? 1 : 0; }
  static Action act(const Features&, const Sense& s, const Params& p, Memory&, Outbox&) {
    // one at rest flies anywhere
    const V3 any = rotate_flat({1, 0, 0}, 2 * kPi * s.uniform(1));
    V3 sum = norm(flat(s.velocity)) > 0.1 ? direction(flat(s.velocity)) : any;
    for (const Known& k : s.others)
      if (distance(flat(k.position), flat(s.position)) < p.range) sum = sum + direction(flat(k.velocity));
    V3 heading = direction(sum, any);
    // the paper's box is periodic; here whoever leaves the disc turns back
    const V3 inward = V3{p.centre[0], p.centre[1], 0} - flat(s.position);
    if (p.radius > 0 && norm(inward) > p.radius && dot(heading, inward) < 0.5 * norm(inward))
      heading = direction(heading + direction(inward), direction(inward));
    V3 v = math::min(p.speed, s.max_speed) * rotate_flat(heading, p.noise * (s.uniform(0) - 0.5));
    v.z = hold_height(s, p.height);
    return fly(above_floor(s, v, 0.5 * p.height));
  }
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, Vicsek::Params>
void describe(D& d, V& v) {
  v.field("range", d.range, {.unit = "m", .min = 0.1, .max = 1e4, .doc = "distance r within which the headings of neighbours count"});
  v.field("speed", d.speed, {.unit = "m/s", .min = 0.1, .max = 100, .doc = "constant speed of every member"});
  v.field("noise", d.noise,
          {.unit = "rad",
           .min = 0,
           .max = 6.283185307179587,
           .doc = "noise eta: width of the interval from which the random change of heading is drawn, centred on zero"});
  v.field("centre", d.centre, {.unit = "m", .min = -1e6, .max = 1e6, .doc = "centre of the disc in which the members stay, east north"});
  v.field("radius", d.radius, {.unit = "m", .min = 0, .max = 1e6, .doc = "radius of the disc in which the members stay; 0: no disc"});
  v.field("height", d.height, {.unit = "m", .min = 0.5, .max = 1e4, .doc = "height above ground that all members keep"});
}

}  // namespace volary::swarm
