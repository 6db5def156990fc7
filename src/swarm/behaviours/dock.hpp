// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Brings a cylinder into the cone of another vehicle (IAP section IV.E: the expert): before the mouth it waits until it is in line with the cone, then it
// closes the gap, slower the farther it is beside the axis, and draws back when it is too far. Inside it aims beyond the bottom, so that position control
// presses it in until the latch holds it. Then it goes along with the other vehicle: two that both held their places would pull at each other. Where the other vehicle is
// it knows from its messages alone. After an interruption it begins again before the mouth.
// Fails: when the other vehicle is silent; when wind moves both by more than `align` while they close up; when the cone turns, because the axis is given; when
// it begins on the other side, because it flies straight to the place before the mouth.
#pragma once

#include "swarm/behaviours/steering.hpp"

namespace volary::swarm {

struct Dock {
  static constexpr const char* name = "dock";
  static constexpr const char* doc = "bring a cylinder into the cone of another vehicle until its latch holds it, and go along with it";
  struct Params {
    std::uint64_t partner = 0;
    std::array<double, 3> axis = {0, 1, 0};  // out of the mouth of the cone, world
    double length = 1;       // m, between the vehicles when they are docked
    double rise = 0;         // m
    double standoff = 0.3;   // m
    double speed = 0.25;     // m/s
    double align = 0.03;     // m
    double press = 0.1;      // m
    double trim = 0.3;       // 1/s
  };
  struct Memory {
    double last = 0;  // s plus one, of the last decision; 0: none
    double gap = 0;   // m, that it aims at
    V3 trim{};        // m, what it aims beside its place to be in line
  };
  struct Features {
    std::uint64_t partner = 0;
    V3 position{}, velocity{};
    bool acts = false;
  };

  static Features extract(const Sense& s, const Params& p, const Memory&) {
    Features f;
    double nearest = 1e300;
    for (const Known& k : s.others) {
      const double off = norm(k.position - s.position);
      if (p.partner != 0 ? k.from != p.partner : off >= nearest) continue;
      nearest = off;
      f.partner = k.from;
      f.position = where_now(s, k), f.velocity = k.velocity;
    }
    f.acts = f.partner != 0 && is_flying(s.mode);
    return f;
  }
  static double trigger(const Features& f, const Params&) { return f.acts ? 1 : 0; }

  static Action act(const Features& f, const Sense& s, const Params& p, Memory& m, Outbox&) {
    if (s.is_docked) return go_along(f, s, m);
    const V3 axis = direction(to_v3(p.axis));
    const bool goes_on = m.last > 0 && s.time + 1 - m.last < kPause + 2 * s.interval;
    if (!goes_on) m = {.gap = p.standoff};
    m.last = s.time + 1;
    const V3 docked = add_scaled(p.length, axis, f.position) + V3{0, 0, p.rise};
    const V3 error = add_scaled(m.gap, axis, docked) - s.position;
    const double along = dot(error, axis);
    const V3 aside = error - along * axis;
    const double off = norm(aside);
    if (off < kNear * p.align) m.trim = limit_norm(add_scaled(p.trim * s.interval, aside, m.trim), kMostTrim * p.align);
    // it goes on only when it is where it aims: in line, and not left behind
    const bool is_there = m.gap < 0 || math::abs(along) < 2 * p.align;
    double rate = 0;
    if (off < p.align && is_there) rate = -p.speed * (1 - 0.7 * off / p.align);
    if (off > 2 * p.align) rate = p.speed;
    const double next = clamp_to(m.gap + rate * s.interval, -p.press, p.standoff);
    rate = (next - m.gap) / s.interval;
    m.gap = next;
    Action a = go_to(add_scaled(m.gap, axis, docked) + m.trim);
    a.velocity = add_scaled(m.gap > 0 ? rate : 0, axis, f.velocity);
    return a;
  }

 private:
  static Action go_along(const Features& f, const Sense& s, Memory& m) {
    m = {};
    Action a = go_to(s.position);
    a.velocity = f.velocity;
    return a;
  }

  static constexpr double kPause = 0.5;           // s without a decision, after which it begins again
  static constexpr double kNear = 4, kMostTrim = 3;  // times `align`: where the correction grows, and how far
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, Dock::Params>
void describe(D& d, V& v) {
  v.field("partner", d.partner, {.doc = "id of the vehicle with the cone; 0: the nearest vehicle that is heard"});
  v.field("axis", d.axis, {.min = -1, .max = 1, .doc = "direction out of the mouth of the cone, east north up; any length"});
  v.field("length", d.length,
          {.unit = "m", .min = 0.01, .max = 100, .doc = "distance between the origins of both vehicles along the axis when they are docked"});
  v.field("rise", d.rise, {.unit = "m", .min = -100, .max = 100, .doc = "height of this vehicle above the other one when they are docked"});
  v.field("standoff", d.standoff, {.unit = "m", .min = 0.01, .max = 100, .doc = "gap at which the vehicle gets in line before it closes up"});
  v.field("speed", d.speed, {.unit = "m/s", .min = 0.01, .max = 10, .doc = "greatest speed at which the gap is closed"});
  v.field("align", d.align,
          {.unit = "m", .min = 0.001, .max = 10, .doc = "distance from the axis up to which the gap is closed; at twice this distance the vehicle draws back"});
  v.field("press", d.press, {.unit = "m", .min = 0, .max = 10, .doc = "distance beyond the docked position at which the vehicle aims in the end"});
  v.field("trim", d.trim, {.unit = "1/s", .min = 0, .max = 10, .doc = "growth of the correction against a lasting distance from the axis"});
}

}  // namespace volary::swarm
