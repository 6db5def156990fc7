// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A formation without a leader: each member knows its place by the rank of its id, sees in every other's position where that one thinks the
// formation is, and moves towards the mean of these opinions (consensus on the formation's reference with relative offsets: Ren, Beard, Atkins,
// "Information consensus in multivehicle cooperative control", IEEE Control Systems 27(2), 2007). The reference may fly through goals.
// Members are those whose role says that they are in the same formation: other nodes may be heard and do not count.
// When members go silent for `patience`, ranks close up and the shape forms anew.
// Fails: members that hear only a part of the others agree on the mean but not on ranks: a node's `memory` and the radio must hold the whole
// formation, or `gossip` must run. Cut in two, each half forms up by itself and both fly to the goals. Places may be reached through one
// another: combine with `avoid`.
#pragma once

#include "core/result.hpp"
#include "swarm/behaviours/roster.hpp"
#include "swarm/behaviours/shapes.hpp"

namespace volary::swarm {

struct Formation {
  static constexpr const char* name = "formation";
  static constexpr const char* doc = "keep a shape together, without a leader";
  struct Params {
    FormationShape shape = FormationShape::V;
    double spacing = 5;    // m
    double heading = 0;    // rad
    bool turns = true;
    std::vector<std::array<double, 3>> goals = {};  // m
    double speed = 4;      // m/s
    double tolerance = 2;  // m
    double gain = 0.5;     // 1/s
    double height = 0;     // m
    double patience = 3;   // s
    double gossip = 0;     // Hz
    double floor = 2;      // m
  };
  struct Memory {
    Roster roster;
    double leg = 0;  // index of the goal
  };
  struct Features {
    bool active = false;
  };

  // A role says both: the place, and the goal it flies to.
  static constexpr double kLegs = 256;  // places, more than a roster holds; so 63 goals fit into a role
  static constexpr std::size_t kMostGoals = 63;
  static core::Status check(const Params& p) {
    if (p.goals.size() > kMostGoals)
      return core::Error{.message = "more than 63 goals", .field = "goals", .suggestion = "follow_path with leader_follower has no limit"};
    return core::ok();
  }
  static double tag(const Params& p) { return TaskTag(name).with(static_cast<double>(p.shape)).with(p.spacing).with(p.goals).value(); }

  static Features extract(const Sense& s, const Params& p, const Memory& m) {
    return {is_flying(s.mode) && (!s.others.empty() || m.roster.others() > 0 || !p.goals.empty())};
  }
  static double trigger(const Features& f, const Params&) { return f.active ? 1 : 0; }

  static Action act(const Features&, const Sense& s, const Params& p, Memory& m, Outbox& out) {
    const double same = tag(p);
    m.roster.update(s, p.patience, same);
    m.roster.gossip(s, p.gossip, same, out);
    const std::size_t n = m.roster.members(), rank = m.roster.rank(s.self, s);
    catch_up(s, p, same, m);
    const double heading = heading_of(p, m.leg);
    // where each thinks the reference is: its position less its offset
    const V3 own = s.position - offset(p, rank, n, heading);
    V3 sum = own;
    double count = 1;
    for (const Known& k : s.others) {
      const double number = role_number(same, k.role);
      if (number == 0) continue;  // no member of this formation
      const double leg = math::floor((number - 1) / kLegs), claimed = number - 1 - leg * kLegs;
      if (leg != m.leg || claimed >= static_cast<double>(n)) continue;  // still on another goal, or counting otherwise
      sum = sum + (where_now(s, k) - offset(p, static_cast<std::size_t>(claimed), n, heading));
      count += 1;
    }
    const V3 reference = (1 / count) * sum;
    V3 v = p.gain * (reference - own);
    if (!p.goals.empty()) v = v + travel(reference, s, p, m);
    v = limit_norm(v, s.max_speed);
    if (p.height > 0) v.z = hold_height(s, p.height);
    Action a = fly(above_floor(s, v, p.floor));
    a.yaw = heading;
    a.turns = true;
    a.role = make_role(same, m.leg * kLegs + static_cast<double>(rank) + 1);
    return a;
  }

  static V3 offset(const Params& p, std::size_t place, std::size_t n, double heading) {
    return rotate_flat(p.spacing * formation_place(p.shape, place, n), heading);
  }
  // along the leg between two goals, which everybody knows without talking
  static double heading_of(const Params& p, double leg) {
    const std::size_t k = static_cast<std::size_t>(leg);
    if (!p.turns || k == 0 || k >= p.goals.size()) return p.heading;
    return math::atan2(p.goals[k][1] - p.goals[k - 1][1], p.goals[k][0] - p.goals[k - 1][0]);
  }

 private:
  // one that others have left behind goes on with the next goal too
  static void catch_up(const Sense& s, const Params& p, double same, Memory& m) {
    for (const Known& k : s.others) {
      const double number = role_number(same, k.role), leg = math::floor((number - 1) / kLegs);
      if (number > 0 && leg == m.leg + 1 && leg < static_cast<double>(p.goals.size())) m.leg = leg;
    }
  }
  static V3 travel(const V3& reference, const Sense& s, const Params& p, Memory& m) {
    const std::size_t leg = static_cast<std::size_t>(m.leg), last = p.goals.size() - 1;
    V3 way = to_v3(p.goals[leg]) - reference;
    if (p.height > 0) way.z = 0;
    const double d = norm(way);
    if (d < arrival(s, p.tolerance) && leg < last) m.leg += 1;
    const double speed = math::min(p.speed, s.max_speed);
    return math::min(speed, braking_speed(d, 1)) * direction(way);
  }
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, Formation::Params>
void describe(D& d, V& v) {
  v.field("shape", d.shape, {.doc = "shape of the formation: v, line, wedge, diamond or ring"});
  v.field("spacing", d.spacing, {.unit = "m", .min = 0.1, .max = 1e4, .doc = "distance between neighbouring positions in the formation"});
  v.field("heading", d.heading,
          {.unit = "rad", .min = -6.283185307179586, .max = 6.283185307179586, .doc = "direction in which the formation points, from east towards north"});
  v.field("turns", d.turns, {.doc = "whether the formation points along the way to the next goal, after the first goal"});
  v.field("goals", d.goals,
          {.unit = "m", .min = -1e6, .max = 1e6, .doc = "points that the reference of the formation (the leader's position, or the middle) visits in order"});
  v.field("speed", d.speed, {.unit = "m/s", .min = 0.1, .max = 100, .doc = "speed of the reference of the formation"});
  v.field("tolerance", d.tolerance, {.unit = "m", .min = 0.1, .max = 1e3, .doc = "distance at which a goal counts as reached"});
  v.field("gain", d.gain, {.unit = "1/s", .min = 0.01, .max = 10, .doc = "speed per distance of a member from its position in the formation"});
  v.field("height", d.height, {.unit = "m", .min = 0, .max = 1e4, .doc = "height above ground that all members keep; 0: the heights of the goals"});
  v.field("patience", d.patience, {.unit = "s", .min = 0.1, .max = 1e3, .doc = "time without a message after which a member counts as lost"});
  v.field("gossip", d.gossip,
          {.unit = "Hz", .min = 0, .max = 10, .doc = "rate at which a member sends the list of members that it knows; 0: only members in range count"});
  v.field("floor", d.floor, {.unit = "m", .min = 0, .max = 1e4, .doc = "lowest height above the ground that the vehicle keeps"});
}

}  // namespace volary::swarm
