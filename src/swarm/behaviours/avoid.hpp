// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Reciprocal collision avoidance (ORCA: van den Berg, Guy, Lin, Manocha, "Reciprocal n-body collision avoidance", 2011), in three dimensions: a
// filter that changes the winner's velocity as little as needed so that nobody known comes nearer than two bodies and a margin within `horizon`
// seconds, if all do the same. Whom it heard takes half of the evasion; what it only sees may not even know of us, so all of it is ours. What its
// obstacle sensor finds (node.obstacle_range: terrain and obstacles) does not move at all: towards it the vehicle may only be as fast as leaves a second to stop.
// Fails: it assumes that velocities are reached at once: give the vehicle's lag and the message delay room in `margin`, or touches happen at high
// closing speeds; a crowd that presses to one point in gusts of 0.3 m/s needs a metre. In a crowd where no velocity is safe it takes the one that
// breaks the rules least. Who is neither heard nor seen is hit. Perfectly symmetric crossings may stand still for long: the small urge to the right
// (`nudge`) dissolves them. Landing, taking off and switching off are not filtered.
#pragma once

#include "swarm/arbitrate.hpp"
#include "swarm/behaviours/half_spaces.hpp"

namespace volary::swarm {

struct Avoid {
  static constexpr const char* name = "avoid";
  static constexpr const char* doc = "reciprocal collision avoidance, as a filter";
  struct Params {
    double horizon = 3;  // s
    double margin = 0.8;  // m
    double drift = 0.3;  // m/s
    double range = 20;  // m
    double share = 0.5;  // -
    double nudge = 0.1;  // -
    double floor = 1;  // m
  };
  struct Memory {};
  struct Features {
    bool near = false;
  };
  static constexpr std::size_t kMost = 32;  // others that matter at once, the nearest

  struct Other {
    V3 place, velocity;  // relative to oneself: where it is; own velocity less its velocity
    double distance, radius, share;
  };
  struct Others {
    std::array<Other, kMost> list;  // the first `count`
    std::size_t count = 0;
    // keeps the nearest, in the order of coming
    void add(const Other& o) {
      if (count < kMost) return void(list[count++] = o);
      std::size_t farthest = 0;
      for (std::size_t k = 1; k < count; ++k)
        if (list[k].distance > list[farthest].distance) farthest = k;
      if (o.distance >= list[farthest].distance) return;
      for (std::size_t k = farthest; k + 1 < count; ++k) list[k] = list[k + 1];
      list[count - 1] = o;
    }
  };

  static Features extract(const Sense& s, const Params& p, const Memory&) {
    for (const Known& k : s.others)
      if (distance(k.position, s.position) < p.range) return {true};
    for (const Detection& d : s.detections)
      if (distance(d.position, s.position) < p.range) return {true};
    return {s.solid.near};
  }
  static double trigger(const Features& f, const Params&) { return f.near ? 1 : 0; }

  static Action filter(const Action& wanted, const Features&, const Sense& s, const Params& p, Memory&) {
    using Kind = Action::Kind;
    if (wanted.kind == Kind::TakeOff || wanted.kind == Kind::Land || wanted.kind == Kind::Disarm || !is_flying(s.mode)) return wanted;
    const V3 velocity = wanted.kind == Kind::None ? s.velocity : intent_of(wanted, s);
    const Others others = who_is_near(s, p);
    std::array<HalfSpace, kMost + 2> spaces;
    std::size_t n = 0;
    // never into the ground: as hard as the law gets
    const double sink = clamp_to(s.ground_ahead + p.floor - s.position.z, -s.max_speed, 0.5 * s.max_speed);
    spaces[n++] = {{0, 0, 1}, sink};
    bool safe = true;
    if (s.solid.near) {
      spaces[n] = clear_of(s.solid, s, p);
      safe = spaces[n++].excess(velocity) >= 0;
    }
    for (std::size_t k = 0; k < others.count; ++k) {
      spaces[n] = permitted(others.list[k], s, p);
      safe = safe && spaces[n].excess(velocity) >= 0;
      ++n;
    }
    if (safe) return wanted;
    const V3 preferred = velocity + p.nudge * urge(velocity, s);
    const V3 inside = {0, 0, math::max(0.0, sink)};
    const auto answer = HalfSpaceProgram::solve(std::span(spaces.data(), n), 1, s.max_speed, preferred, inside);
    Action a = wanted;
    a.kind = Kind::Velocity;
    a.velocity = answer.point;
    a.acceleration = {};  // it belonged to what was wanted
    return a;
  }

  // in the order of ids, heard and seen merged: what is seen now is better than what was heard
  static Others who_is_near(const Sense& s, const Params& p) {
    Others others;
    std::size_t d = 0;
    const auto add = [&](const V3& at, const V3& velocity, double extra, double share) {
      const V3 place = at - s.position;
      const double far = norm(place);
      if (far < p.range) others.add({place, s.velocity - velocity, far, 2 * s.radius + p.margin + extra, share});
    };
    const auto add_seen = [&](const Detection& seen, double share) {
      if (seen.object != s.self) add(seen.position, seen.velocity, 0, share);
    };
    for (const Known& k : s.others) {
      while (d < s.detections.size() && s.detections[d].object < k.from) add_seen(s.detections[d++], 1);
      if (d < s.detections.size() && s.detections[d].object == k.from)
        add_seen(s.detections[d++], p.share);
      else
        add(where_now(s, k), k.velocity, p.drift * seconds_since(s, k.tick), p.share);
    }
    while (d < s.detections.size()) add_seen(s.detections[d++], 1);
    return others;
  }

  // ORCA_A|B: the velocities that do their share of leaving the velocity obstacle, a cone cut off by a ball (section 4)
  static HalfSpace permitted(const Other& o, const Sense& s, const Params& p) {
    const double squared = o.distance * o.distance, radius2 = o.radius * o.radius;
    V3 normal{};
    double depth = 0;  // |u|, negative outside of the obstacle
    // too near already: apart within a fifth of a second; slower lets crowds in gusts touch, faster only shakes them
    const double time = squared > radius2 ? p.horizon : math::max(0.2, s.interval);
    const V3 w = add_scaled(-1 / time, o.place, o.velocity);
    const double toward = dot(w, o.place), size = norm(w);
    if (squared <= radius2 || (toward < 0 && toward * toward > radius2 * size * size)) {
      // the ball at its end
      normal = direction(w, aside(o.place));
      depth = o.radius / time - size;
    } else {
      // Its side: the ball of the family t place, t radius that touches the side nearest to the velocity.
      const double b = dot(o.place, o.velocity), v2 = dot(o.velocity, o.velocity);
      const double c = (b * b - radius2 * v2) / (squared - radius2);
      const double t = (b + math::sqrt(math::max(0.0, b * b - squared * c))) / squared;
      const V3 out = add_scaled(-t, o.place, o.velocity);
      normal = norm(out) > 1e-6 ? direction(out) : aside(o.place);
      depth = o.radius * t - norm(out);
    }
    const V3 point = add_scaled(o.share * depth, normal, s.velocity);
    return {normal, dot(normal, point)};
  }
  // away from what is solid, the faster the deeper it is within the margin
  static HalfSpace clear_of(const Feel& solid, const Sense& s, const Params& p) {
    const V3 out = direction(solid.distance > 0 ? -solid.way : solid.way, {0, 0, 1});
    return {out, clamp_to(s.radius + p.margin - solid.distance, -s.max_speed, 0.5 * s.max_speed)};
  }
  // Keep right, each to its own degree and a little up or down: two that meet head on choose different sides, and a perfectly regular crossing
  // does not turn round for ever. Drawn once for each member, so that it does not shake.
  static V3 urge(const V3& velocity, const Sense& s) {
    Sense always = s;
    always.tick = 0;
    const double right = 0.5 + always.uniform(250), up = always.uniform(251) - 0.5;
    return {right * velocity.y, -right * velocity.x, 2 * up * norm(velocity)};
  }
  // where a course straight at somebody leaves no side to prefer: to the right, and north of what is above or below
  static V3 aside(const V3& place) { return direction({place.y, -place.x, 0}, {0, 1, 0}); }
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, Avoid::Params>
void describe(D& d, V& v) {
  v.field("horizon", d.horizon, {.unit = "s", .min = 0.1, .max = 100, .doc = "time ahead for which collisions are avoided"});
  v.field("margin", d.margin,
          {.unit = "m", .min = 0, .max = 100, .doc = "free distance to keep between two vehicles; a good value is the speed times the lag of vehicle and messages"});
  v.field("drift", d.drift, {.unit = "m/s", .min = 0, .max = 10, .doc = "growth of the margin per second of age of a neighbour state"});
  v.field("range", d.range, {.unit = "m", .min = 0.1, .max = 1e4, .doc = "distance beyond which other vehicles are ignored"});
  v.field("share", d.share,
          {.min = 0, .max = 1, .doc = "share of the evasion from vehicles whose messages are received; always 1 for vehicles that are only detected"});
  v.field("nudge", d.nudge,
          {.min = 0, .max = 1, .doc = "sideways velocity during an evasion, to the right and slightly up or down, as a share of the wanted speed"});
  v.field("floor", d.floor, {.unit = "m", .min = 0, .max = 1e4, .doc = "lowest height above the ground during an evasion"});
}

}  // namespace volary::swarm
