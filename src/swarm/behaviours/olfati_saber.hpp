// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Flocking with proven convergence to an even lattice (Olfati-Saber, "Flocking for multi-agent dynamic systems: algorithms and theory",
// IEEE TAC 51(3), 2006, algorithm 2): gradient of a smooth pairwise potential, velocity consensus, and a gamma agent to follow.
// Fails: without the gamma agent (both gains 0) it fragments, as the paper shows for algorithm 1. The lattice is kept by
// springs, so gusts above about stiffness x spacing squeeze it; stale positions turn springs into noise: keep state messages above 5 Hz.
#pragma once

#include "swarm/behaviours/steering.hpp"

namespace volary::swarm {

struct OlfatiSaber {
  static constexpr const char* name = "olfati_saber";
  static constexpr const char* doc = "flocking to an even lattice behind a gamma agent";
  struct Params {
    double spacing = 5;                           // m, d
    double range = 6;                             // m, r = 1.2 d
    double attraction = 5, repulsion = 5;         // m/s2, a and b of phi
    double softness = 0.1, bump = 0.2;            // -, epsilon and h
    double alignment = 1;                         // 1/s
    std::array<double, 3> goal = {0, 0, 0};       // m, q_r at time 0
    std::array<double, 3> goal_velocity = {0, 0, 0};  // m/s, p_r
    double goal_gain = 0.2, goal_damping = 0.6;   // m/s2, 1/s, c1 and c2
    double speed = 5, acceleration = 5;           // m/s, m/s2
    double response = 0.3;                        // s
    double height = 0, floor = 2;                 // m
  };
  struct Memory {};
  struct Features {
    V3 position{}, velocity{};  // of the gamma agent by now
    bool flies = false;
  };

  // the constants of phi_alpha (eq. 15), once per decision
  struct Lattice {
    double spacing, range, shift;  // sigma norms of d and r, and c of phi
  };
  static double sigma_norm_of(double d, double e) { return (math::sqrt(1 + e * d * d) - 1) / e; }  // eq. 8
  static double sigma_1(double z) { return z / math::sqrt(1 + z * z); }
  // bump function rho_h (eq. 10)
  static double bump_of(double z, double h) {
    if (z < h) return 1;
    return z > 1 ? 0 : 0.5 * (1 + math::cos(kPi * (z - h) / (1 - h)));
  }
  static Lattice lattice(const Params& p) {
    return {sigma_norm_of(p.spacing, p.softness), sigma_norm_of(p.range, p.softness),
            math::abs(p.attraction - p.repulsion) / math::sqrt(4 * p.attraction * p.repulsion)};
  }
  // phi_alpha(z): pulls above the spacing, pushes below, nothing beyond the range
  static double action(double z, const Lattice& l, const Params& p) {
    const double phi = 0.5 * ((p.attraction + p.repulsion) * sigma_1(z - l.spacing + l.shift) + (p.attraction - p.repulsion));
    return bump_of(z / l.range, p.bump) * phi;
  }

  static Features extract(const Sense& s, const Params& p, const Memory&) {
    return {add_scaled(s.time, to_v3(p.goal_velocity), to_v3(p.goal)), to_v3(p.goal_velocity), is_flying(s.mode)};
  }
  static double trigger(const Features& f, const Params&) { return f.flies ? 1 : 0; }
  static Action act(const Features& f, const Sense& s, const Params& p, Memory&, Outbox&) {
    const Lattice l = lattice(p);
    const bool level = p.height > 0;  // then the lattice is flat
    V3 push{};
    for (const Known& k : s.others) {
      V3 to = where_now(s, k) - s.position, relative = k.velocity - s.velocity;
      if (level) to = flat(to), relative = flat(relative);
      const double squared = dot(to, to);
      if (squared >= p.range * p.range) continue;
      const double root = math::sqrt(1 + p.softness * squared), z = (root - 1) / p.softness;
      push = add_scaled(action(z, l, p) / root, to, push);                                   // n_ij of eq. 9
      push = add_scaled(p.alignment * bump_of(z / l.range, p.bump), relative, push);         // a_ij of eq. 11
    }
    V3 away = s.position - f.position, slip = s.velocity - f.velocity;
    if (level) away = flat(away), slip = flat(slip);
    // f_gamma (eq. 24) with the bounded sigma_1 of the vector, so that the far flock is not torn
    push = add_scaled(-p.goal_gain / math::sqrt(1 + dot(away, away)), away, push);
    push = add_scaled(-p.goal_damping, slip, push);
    V3 v = add_scaled(p.response, limit_norm(push, p.acceleration), s.velocity);
    v = limit_norm(v, math::min(p.speed, s.max_speed));
    if (level) v.z = hold_height(s, p.height);
    return fly(above_floor(s, v, p.floor));
  }
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, OlfatiSaber::Params>
void describe(D& d, V& v) {
  v.field("spacing", d.spacing, {.unit = "m", .min = 0.1, .max = 1e4, .doc = "distance d between neighbours in the lattice"});
  v.field("range", d.range, {.unit = "m", .min = 0.1, .max = 1e4, .doc = "interaction range r, beyond which neighbours are ignored; 1.2 d in the paper"});
  v.field("attraction", d.attraction, {.unit = "m/s2", .min = 1e-3, .max = 100, .doc = "strongest attraction a by one neighbour"});
  v.field("repulsion", d.repulsion, {.unit = "m/s2", .min = 1e-3, .max = 100, .doc = "strongest repulsion b by one neighbour; not below a"});
  v.field("softness", d.softness, {.min = 1e-3, .max = 1, .doc = "parameter epsilon of the sigma norm"});
  v.field("bump", d.bump, {.min = 0.01, .max = 0.99, .doc = "share h of the range within which the interaction has full strength"});
  v.field("alignment", d.alignment, {.unit = "1/s", .min = 0, .max = 100, .doc = "gain of the velocity consensus with neighbours"});
  v.field("goal", d.goal, {.unit = "m", .min = -1e6, .max = 1e6, .doc = "position of the gamma agent at time 0"});
  v.field("goal_velocity", d.goal_velocity, {.unit = "m/s", .min = -100, .max = 100, .doc = "velocity of the gamma agent"});
  v.field("goal_gain", d.goal_gain, {.unit = "m/s2", .min = 0, .max = 100, .doc = "gain c1: attraction by a distant gamma agent"});
  v.field("goal_damping", d.goal_damping, {.unit = "1/s", .min = 0, .max = 100, .doc = "gain c2: acceleration per velocity difference to the gamma agent"});
  v.field("speed", d.speed, {.unit = "m/s", .min = 0.1, .max = 100, .doc = "greatest speed of a member"});
  v.field("acceleration", d.acceleration, {.unit = "m/s2", .min = 0.1, .max = 100, .doc = "greatest acceleration of a member"});
  v.field("response", d.response,
          {.unit = "s",
           .min = 0.01,
           .max = 10,
           .doc = "time over which the wanted acceleration is turned into a commanded velocity; about the lag of the vehicle"});
  v.field("height", d.height,
          {.unit = "m", .min = 0, .max = 1e4, .doc = "height above ground that all members keep, in a flat lattice; 0: the lattice is three-dimensional"});
  v.field("floor", d.floor, {.unit = "m", .min = 0, .max = 1e4, .doc = "lowest height above the ground that the vehicle keeps"});
}

}  // namespace volary::swarm
