// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Keeps near something that it sees, circling at a distance (Lyapunov vector field for stand-off tracking: Frew, Lawrence, Morris, "Coordinated
// standoff tracking of moving targets using Lyapunov guidance vector fields", JGCD 31(2), 2008, eq. 6) or hovering above it, and tells the others
// where it is: those who are told come too and spread evenly on the circle by their speed. One that lost sight flies on as the target did, for
// `patience` seconds.
// Fails: a target that turns while out of sight is lost. Two of the same kind: it follows the one with the lower id, and others may choose the other.
// A target faster than the vehicle is left behind.
#pragma once

#include "swarm/behaviours/task_tag.hpp"

namespace volary::swarm {

struct TrackTarget {
  static constexpr const char* name = "track_target";
  static constexpr const char* doc = "circle or hover over a target that it detects or hears of";
  static constexpr std::uint32_t kTopic = topic("target");
  struct Params {
    std::string find = {};
    double distance = 10;  // m
    double height = 15;  // m
    double speed = 4;  // m/s
    double patience = 5;  // s
    double rate = 2;  // Hz
    bool told = true;
  };
  struct Memory {
    double x = 0, y = 0, z = 0, vx = 0, vy = 0;  // m, m/s: of the target when last known
    double time = 0;  // s plus one; 0: never
    double next_told = 0;  // s
  };
  struct Features {
    bool known = false, seen = false;
    V3 position{0, 0, 0}, velocity{0, 0, 0};
    double time = 0;  // s, when that was true
  };

  static Features extract(const Sense& s, const Params& p, const Memory& m) {
    Features f;
    if (!is_flying(s.mode)) return f;
    const std::uint32_t wanted = topic(p.find);
    for (const Detection& d : s.detections) {
      if (d.kind == wanted) return {true, true, d.position, flat(d.velocity), s.time};
    }
    if (m.time > 0) f = {true, false, {m.x, m.y, m.z}, {m.vx, m.vy, 0}, m.time - 1};
    for (const Message& message : s.messages) {
      if (!p.told || message.topic != kTopic || message.count < 7 || message.values[6] != TaskTag(p.find).value()) continue;
      const auto& v = message.values;
      const double when = s.time - seconds_since(s, message.tick);
      const V3 at = {v[0], v[1], v[2]}, velocity = {v[3], v[4], 0};
      if (is_place(at) && is_place(velocity) && (!f.known || when >= f.time)) f = {true, false, at, velocity, when};
    }
    f.known = f.known && s.time - f.time <= p.patience;
    return f;
  }
  static double trigger(const Features& f, const Params&) { return f.known ? 1 : 0; }
  static Action act(const Features& f, const Sense& s, const Params& p, Memory& m, Outbox& out) {
    m = {f.position.x, f.position.y, f.position.z, f.velocity.x, f.velocity.y, f.time + 1, m.next_told};
    if (f.seen && s.time >= m.next_told) {
      m.next_told = s.time + 1 / p.rate;
      out.say(kTopic, 0, f.position.x, f.position.y, f.position.z, f.velocity.x, f.velocity.y, 0, TaskTag(p.find).value());
    }
    const V3 target = add_scaled(s.time - f.time, f.velocity, f.position), away = flat(s.position - target);
    V3 v = f.velocity;
    const double radius = math::max(p.distance, 1.3 * s.loiter_radius);  // what cannot stop cannot hover over it
    if (radius > 0)
      v = v + circle(away, radius, pace(s, target, away, p));
    else
      v = v + limit_norm(-0.8 * away, p.speed);
    v = limit_norm(v, s.max_speed);
    v.z = hold_height(s, p.height);
    Action a = fly(above_floor(s, v, 0.5 * p.height));
    a.yaw = math::atan2(-away.y, -away.x);
    a.turns = true;
    return a;
  }

  // The vector field: towards the circle from anywhere, along it (anticlockwise) when on it. With the fourth powers of r and d where eq. 6 has squares: of the same
  // length everywhere and twice as steep at the circle, because evasions in a crowd push outwards, to the right of those who circle anticlockwise.
  static V3 circle(const V3& away, double radius, double speed) {
    const double r = norm(away), r2 = r * r, d2 = radius * radius, r4 = r2 * r2, d4 = d2 * d2;
    if (r < 1e-3) return {speed, 0, 0};
    const double in = (r4 - d4) / (r4 + d4), round = 2 * r2 * d2 / (r4 + d4);
    return (speed / r) * (V3{-away.x * in, -away.y * in, 0} + round * V3{-away.y, away.x, 0});
  }

 private:
  // Faster when the one behind on the circle is nearer than the one ahead: gaps even out.
  static double pace(const Sense& s, const V3& target, const V3& away, const Params& p) {
    const double own = math::atan2(away.y, away.x);
    double ahead = 2 * kPi, behind = 2 * kPi;
    for (const Known& k : s.others) {
      const V3 there = flat(where_now(s, k) - target);
      if (norm(there) > 2 * p.distance) continue;
      double angle = math::atan2(there.y, there.x) - own;
      angle -= 2 * kPi * math::floor(angle / (2 * kPi));
      ahead = math::min(ahead, angle);
      behind = math::min(behind, 2 * kPi - angle);
    }
    return p.speed * (1 + 0.3 * (ahead - behind) / (ahead + behind));
  }
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, TrackTarget::Params>
void describe(D& d, V& v) {
  v.field("find", d.find, {.required = true, .doc = "name of the airframe to follow"});
  v.field("distance", d.distance, {.unit = "m", .min = 0, .max = 1e4, .doc = "radius of the circle about the target; 0: hover above the target"});
  v.field("height", d.height, {.unit = "m", .min = 0.5, .max = 1e4, .doc = "height above ground"});
  v.field("speed", d.speed, {.unit = "m/s", .min = 0.1, .max = 100, .doc = "speed on the circle, in addition to the speed of the target"});
  v.field("patience", d.patience,
          {.unit = "s", .min = 0.1, .max = 1e3, .doc = "time for which the vehicle continues without seeing the target or receiving a message about it"});
  v.field("rate", d.rate, {.unit = "Hz", .min = 0.1, .max = 10, .doc = "rate at which the vehicle sends the position of the target"});
  v.field("told", d.told, {.doc = "whether the vehicle also follows targets that other vehicles report"});
}

}  // namespace volary::swarm
