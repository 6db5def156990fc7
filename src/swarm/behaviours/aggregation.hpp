// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Members meet: each flies to the middle of all that it hears, no nearer to anybody than the spacing (rendezvous with limited range: Ando, Oasa,
// Suzuki, Yamashita, "Distributed memoryless point convergence algorithm for mobile robots with limited visibility", IEEE T-RA 15(5), 1999, with the
// mean for their circle).
// Fails: groups that do not hear each other at the start meet in several places, and so do groups larger than what a node remembers; the mean, unlike
// their circle, may lose a member at the rim of the range. Without a `height` they stack, and one that fails falls on those below.
#pragma once

#include "swarm/behaviours/steering.hpp"

namespace volary::swarm {

struct Aggregation {
  static constexpr const char* name = "aggregation";
  static constexpr const char* doc = "gather at the mean position of the vehicles that are heard";
  struct Params {
    double spacing = 3;  // m
    double speed = 3;  // m/s
    double gain = 0.3;  // 1/s
    double height = 0;  // m
    double floor = 2;  // m
  };
  struct Memory {};
  struct Features {
    bool active = false;
  };

  static Features extract(const Sense& s, const Params&, const Memory&) { return {is_flying(s.mode) && !s.others.empty()}; }
  static double trigger(const Features& f, const Params&) { return f.active ? 1 : 0; }
  static Action act(const Features&, const Sense& s, const Params& p, Memory&, Outbox&) {
    V3 centre = s.position, apart{0, 0, 0};
    for (const Known& k : s.others) {
      const V3 place = where_now(s, k), away = s.position - place;
      const double d = norm(away);
      centre = centre + place;
      if (d < p.spacing) apart = add_scaled((p.spacing - d), direction(away, {k.from < s.self ? 1.0 : -1.0, 0, 0}), apart);
    }
    centre = (1 / static_cast<double>(s.others.size() + 1)) * centre;
    V3 v = limit_norm(p.gain * (centre - s.position), math::min(p.speed, s.max_speed)) + apart;
    v = limit_norm(v, math::min(p.speed, s.max_speed));
    if (p.height > 0) v.z = hold_height(s, p.height);
    return fly(above_floor(s, v, p.floor));
  }
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, Aggregation::Params>
void describe(D& d, V& v) {
  v.field("spacing", d.spacing, {.unit = "m", .min = 0.1, .max = 1e4, .doc = "distance between two members below which they repel each other"});
  v.field("speed", d.speed, {.unit = "m/s", .min = 0.1, .max = 100, .doc = "greatest speed of a member"});
  v.field("gain", d.gain, {.unit = "1/s", .min = 0.01, .max = 10, .doc = "speed per distance from the centre of the neighbours"});
  v.field("height", d.height, {.unit = "m", .min = 0, .max = 1e4, .doc = "height above ground that all members keep; 0: free"});
  v.field("floor", d.floor, {.unit = "m", .min = 0, .max = 1e4, .doc = "lowest height above the ground that the vehicle keeps"});
}

}  // namespace volary::swarm
