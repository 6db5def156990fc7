// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Climbs to a safe height, flies to where it started and lands there or waits above.
// Fails: the height is above the ground that it sees below on its way, so a wall higher than that is met. Members that start
// close together come home close together: give each a `height` of its own, or combine with `avoid`.
#pragma once

#include "swarm/behaviours/steering.hpp"

namespace volary::swarm {

struct ReturnHome {
  static constexpr const char* name = "return_home";
  static constexpr const char* doc = "fly back to the start position and land";
  struct Params {
    double after = 0;  // s
    std::string on = {};
    double height = 5;       // m
    double speed = 4;        // m/s
    double tolerance = 0.3;  // m
    bool land = true;
  };
  struct Memory {
    double phase = 0;  // 0 not begun, 1 climbs, 2 flies, 3 is there
  };
  struct Features {
    bool due = false;
  };

  static Features extract(const Sense& s, const Params& p, const Memory& m) {
    const bool down = s.mode == Mode::Disarmed || s.mode == Mode::EmergencyStop;
    const bool told = p.on.empty() ? s.time >= p.after : heard(s, p.on) != nullptr;
    return {!down && (m.phase > 0 || (told && is_flying(s.mode)))};
  }
  static double trigger(const Features& f, const Params&) { return f.due ? 1 : 0; }
  static Action act(const Features&, const Sense& s, const Params& p, Memory& m, Outbox&) {
    const double top = s.ground_ahead + p.height;
    const V3 home = {s.home.x, s.home.y, top};
    if (m.phase == 0) m.phase = 1;
    const bool near_home = distance(flat(s.position), flat(home)) < arrival(s, p.tolerance);
    // one already at home need not climb first
    if (m.phase == 1 && (s.position.z > top - 0.5 || near_home)) m.phase = 2;
    if (m.phase == 2 && near_home) m.phase = 3;
    if (m.phase == 1) return fly({0, 0, math::min(2.0, s.max_speed)});
    if (m.phase == 3) return p.land ? Action{.kind = Action::Kind::Land} : go_to(home);
    if (distance(home, s.position) < 1) return go_to(home);
    V3 v = towards(s, {home.x, home.y, s.position.z}, p.speed);
    v.z = hold_height(s, p.height);
    return fly(above_floor(s, v, 0.5 * p.height));
  }
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, ReturnHome::Params>
void describe(D& d, V& v) {
  v.field("after", d.after, {.unit = "s", .min = 0, .max = 1e6, .doc = "simulated time from which the vehicle returns"});
  v.field("on", d.on, {.doc = "topic of a message on which the vehicle returns, instead of a time; empty: the time applies"});
  v.field("height", d.height, {.unit = "m", .min = 0.5, .max = 1e4, .doc = "height above ground on the way"});
  v.field("speed", d.speed, {.unit = "m/s", .min = 0.05, .max = 100, .doc = "speed on the way"});
  v.field("tolerance", d.tolerance, {.unit = "m", .min = 0.05, .max = 100, .doc = "distance at which the vehicle counts as home"});
  v.field("land", d.land, {.doc = "whether the vehicle lands at home; false: it waits above"});
}

}  // namespace volary::swarm
