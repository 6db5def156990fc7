// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Members go round a closed path, evenly spaced, so that every point of it is visited equally often (Elmaliach, Agmon, Kaminka, "Multi-robot area
// patrol under frequency constraints", Annals of Mathematics and AI 57, 2009). Where each should be follows from the clock and its rank; when one is
// lost the gaps close up.
// Fails: clocks that disagree shift members against each other. With more members than length / body they queue. A member slower than `speed` in
// headwind stays behind and is passed.
#pragma once

#include "swarm/behaviours/polyline.hpp"
#include "swarm/behaviours/roster.hpp"

namespace volary::swarm {

struct Patrol {
  static constexpr const char* name = "patrol";
  static constexpr const char* doc = "fly round a closed path, evenly spaced";
  struct Params {
    std::vector<std::array<double, 3>> points = {};  // m
    double speed = 3;                                // m/s
    double gain = 0.5;                               // 1/s
    double patience = 3;                             // s
    double gossip = 1;                               // Hz
    double floor = 2;                                // m
  };
  struct Memory {
    Roster roster;
    double shift = 0;  // share of the round ahead of the clock, eased towards that of its rank
    double begun = 0;  // s, plus one
  };
  struct Features {
    bool active = false;
  };

  static Features extract(const Sense& s, const Params& p, const Memory&) { return {is_flying(s.mode) && p.points.size() > 1}; }
  static double trigger(const Features& f, const Params&) { return f.active ? 1 : 0; }
  static Action act(const Features&, const Sense& s, const Params& p, Memory& m, Outbox& out) {
    const double same = TaskTag(name).with(p.points).value();
    m.roster.update(s, p.patience, same);
    m.roster.gossip(s, p.gossip, same, out);
    const std::size_t rank = m.roster.rank(s.self, s);
    const double wanted = static_cast<double>(rank) / static_cast<double>(m.roster.members()), length = path_length(p.points, true);
    if (m.begun == 0) m.begun = s.time + 1;
    // a new rank is taken up without haste, at most 30 % faster or slower than the others, once it knows who is there
    const double most = s.time - (m.begun - 1) > 3 ? 0.3 * p.speed * s.interval / length : 1;
    m.shift += clamp_to(wanted - m.shift, -most, most);
    const OnPath at = on_path(p.points, true, s.time * p.speed + m.shift * length);
    const V3 gap = at.position - s.position, v = limit_norm(add_scaled(p.speed, at.along, p.gain * gap), math::min(1.5 * p.speed, s.max_speed));
    Action a = fly(above_floor(s, forwards(s, v, at.along, gap), p.floor));
    a.role = make_role(same, static_cast<double>(rank + 1));
    return a;
  }
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, Patrol::Params>
void describe(D& d, V& v) {
  v.field("points", d.points, {.unit = "m", .min = -1e6, .max = 1e6, .required = true, .doc = "corners of the closed path"});
  v.field("speed", d.speed, {.unit = "m/s", .min = 0.1, .max = 100, .doc = "speed along the path"});
  v.field("gain", d.gain, {.unit = "1/s", .min = 0.01, .max = 10, .doc = "speed per distance from the wanted position on the path"});
  v.field("patience", d.patience, {.unit = "s", .min = 0.1, .max = 1e3, .doc = "time without a message after which a member counts as lost"});
  v.field("gossip", d.gossip,
          {.unit = "Hz", .min = 0, .max = 10, .doc = "rate at which a member sends the list of members that it knows; 0: only members in range count"});
  v.field("floor", d.floor, {.unit = "m", .min = 0, .max = 1e4, .doc = "lowest height above the ground that the vehicle keeps"});
}

}  // namespace volary::swarm
