// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Flocking by separation, alignment and cohesion (Reynolds, "Flocks, herds, and schools: a distributed behavioral model", SIGGRAPH 1987),
// and optionally a common velocity or a common goal. The urges are accelerations; they are granted in the order of their
// importance until the vehicle can do no more (his prioritized acceleration allocation).
// Fails: without migration the flock may split for good when a gap is wider than `range`, and it drifts; in a flock denser than the radio
// can serve, separation acts on old places. Separation is an urge, not a promise: combine with `avoid`.
#pragma once

#include "swarm/behaviours/steering.hpp"

namespace volary::swarm {

struct Reynolds {
  static constexpr const char* name = "reynolds";
  static constexpr const char* doc = "flocking: separation, alignment, cohesion and migration";
  struct Params {
    double range = 15;                          // m
    double spacing = 4;                         // m
    double separation = 2, alignment = 1, cohesion = 0.15;  // m/s2, 1/s, 1/s2
    double migration = 0.5;                     // 1/s
    std::array<double, 3> velocity = {0, 0, 0};  // m/s
    std::vector<std::array<double, 3>> goal = {};    // m, none or one
    double speed = 4;                           // m/s
    double acceleration = 4;                    // m/s2
    double response = 0.5;                      // s
    double height = 0;                          // m
    double floor = 2;                           // m
  };
  struct Memory {};
  struct Features {
    bool moved = false;  // by a neighbour or by a common goal
  };

  static Features extract(const Sense& s, const Params& p, const Memory&) {
    if (!is_flying(s.mode)) return {};
    if (migrates(p)) return {true};
    for (const Known& k : s.others)
      if (distance(k.position, s.position) < p.range) return {true};
    return {};
  }
  static bool migrates(const Params& p) { return !p.goal.empty() || norm(to_v3(p.velocity)) > 0; }
  // alone and with nowhere to go there is nothing to do
  static double trigger(const Features& f, const Params&) { return f.moved ? 1 : 0; }

  static Action act(const Features&, const Sense& s, const Params& p, Memory&, Outbox&) {
    V3 apart{}, mean_velocity{}, centre{};
    double n = 0;
    for (const Known& k : s.others) {
      const V3 place = where_now(s, k), away = s.position - place;
      const double d = norm(away);
      if (d >= p.range) continue;
      // grows from 0 at the spacing to 1 at a touch
      if (d < p.spacing) apart = add_scaled(1 - d / p.spacing, direction(away, {k.from < s.self ? 1.0 : -1.0, 0, 0}), apart);
      mean_velocity = mean_velocity + k.velocity;
      centre = centre + place;
      n += 1;
    }
    V3 urges[4] = {p.separation * apart, {}, {}, {}};
    if (n > 0) {
      urges[1] = p.alignment * ((1 / n) * mean_velocity - s.velocity);
      urges[2] = p.cohesion * ((1 / n) * centre - s.position);
    }
    if (migrates(p)) {
      const V3 wanted = p.goal.empty() ? to_v3(p.velocity) : towards(s, to_v3(p.goal.front()), p.speed);
      urges[3] = p.migration * (wanted - s.velocity);
    }
    const V3 push = allocate(urges, p.acceleration);
    V3 v = limit_norm(add_scaled(p.response, push, s.velocity), math::min(p.speed, s.max_speed));
    if (p.height > 0) v.z = hold_height(s, p.height);
    return fly(above_floor(s, v, p.floor));
  }

  // the urges one after the other, each cut to what is left of the limit
  static V3 allocate(const V3 (&urges)[4], double limit) {
    V3 sum{};
    double left = limit;
    for (const V3& urge : urges) {
      const double size = norm(urge);
      if (size <= 0 || left <= 0) continue;
      sum = add_scaled(math::min(size, left) / size, urge, sum);
      left -= size;
    }
    return sum;
  }
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, Reynolds::Params>
void describe(D& d, V& v) {
  v.field("range", d.range, {.unit = "m", .min = 0.1, .max = 1e4, .doc = "distance beyond which other vehicles are ignored"});
  v.field("spacing", d.spacing, {.unit = "m", .min = 0.1, .max = 1e4, .doc = "distance between two members below which they repel each other"});
  v.field("separation", d.separation, {.unit = "m/s2", .min = 0, .max = 100, .doc = "repulsion by one neighbour at zero distance"});
  v.field("alignment", d.alignment, {.unit = "1/s", .min = 0, .max = 100, .doc = "gain towards the mean velocity of the neighbours"});
  v.field("cohesion", d.cohesion, {.unit = "1/s2", .min = 0, .max = 100, .doc = "gain towards the centre of the neighbours"});
  v.field("migration", d.migration, {.unit = "1/s", .min = 0, .max = 100, .doc = "gain towards the common velocity or goal"});
  v.field("velocity", d.velocity, {.unit = "m/s", .min = -100, .max = 100, .doc = "common velocity of all members; 0 0 0: none"});
  v.field(
      "goal", d.goal,
      {.unit = "m", .min = -1e6, .max = 1e6, .doc = "point that all members fly to, instead of a common velocity; only the first point counts; empty: none"});
  v.field("speed", d.speed, {.unit = "m/s", .min = 0.1, .max = 100, .doc = "greatest speed of a member"});
  v.field("acceleration", d.acceleration, {.unit = "m/s2", .min = 0.1, .max = 100, .doc = "greatest acceleration of all rules together"});
  v.field("response", d.response,
          {.unit = "s",
           .min = 0.01,
           .max = 10,
           .doc = "time over which the wanted acceleration is turned into a commanded velocity; about the lag of the vehicle"});
  v.field("height", d.height, {.unit = "m", .min = 0, .max = 1e4, .doc = "height above ground that all members keep; 0: free"});
  v.field("floor", d.floor, {.unit = "m", .min = 0, .max = 1e4, .doc = "lowest height above the ground that the vehicle keeps"});
}

}  // namespace volary::swarm
