// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Takes off, climbs to a height and is done for good.
// Fails: a vehicle that cannot lift itself keeps trying for ever, and nothing else of less weight acts meanwhile.
#pragma once

#include "swarm/behaviours/steering.hpp"

namespace volary::swarm {

struct TakeOff {
  static constexpr const char* name = "take_off";
  static constexpr const char* doc = "take off and climb to a height, once";
  struct Params {
    double height = 2;       // m
    double tolerance = 0.3;  // m
    double after = 0;        // s
    std::string on = {};
  };
  struct Memory {
    double begun = 0, done = 0;
  };
  struct Features {
    bool due = false, done = false;
    double below = 0;  // m that are missing
  };

  static Features extract(const Sense& s, const Params& p, const Memory& m) {
    const bool told = p.on.empty() ? s.time >= p.after : heard(s, p.on) != nullptr;
    return {m.begun > 0 || told, m.done > 0, s.ground_ahead + p.height - s.position.z};
  }
  static double trigger(const Features& f, const Params&) { return f.due && !f.done ? 1 : 0; }
  static Action act(const Features& f, const Sense& s, const Params& p, Memory& m, Outbox&) {
    m.begun = 1;
    if (!is_flying(s.mode)) return {.kind = Action::Kind::TakeOff};
    if (f.below < p.tolerance) m.done = 1;
    // straight up; what was pushed aside stays aside
    if (m.done > 0) return {.kind = Action::Kind::Hold};
    // wings climb round about where they started
    const V3& below = s.min_speed > 0 ? s.home : s.position;
    return go_to({below.x, below.y, s.ground_ahead + p.height});
  }
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, TakeOff::Params>
void describe(D& d, V& v) {
  v.field("height", d.height, {.unit = "m", .min = 0.1, .max = 1e4, .doc = "height above ground to climb to"});
  v.field("tolerance", d.tolerance, {.unit = "m", .min = 0.01, .max = 100, .doc = "distance below the height at which the climb is complete"});
  v.field("after", d.after, {.unit = "s", .min = 0, .max = 1e6, .doc = "simulated time from which the vehicle takes off"});
  v.field("on", d.on, {.doc = "topic of a message on which the vehicle takes off, instead of a time; empty: the time applies"});
}

}  // namespace volary::swarm
