// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A formation as one rigid body that moves along a path: everybody flies to its place in the body (Lewis, Tan, "High precision formation control of
// mobile robots using virtual structures", Autonomous Robots 4, 1997). Everybody moves the body by itself; told how far the others' bodies are and
// how far they are from their places, it averages the first and waits for the second.
// Fails: one member that cannot keep up stops all until it is silent for `patience`. Turns swing far places at more than their speed: the body waits.
// Groups out of range of each other move two bodies.
#pragma once

#include "swarm/behaviours/polyline.hpp"
#include "swarm/behaviours/roster.hpp"
#include "swarm/behaviours/shapes.hpp"

namespace volary::swarm {

struct VirtualStructure {
  static constexpr const char* name = "virtual_structure";
  static constexpr const char* doc = "keep a place in a rigid body that moves along a path and waits for all members";
  static constexpr std::uint32_t kTopic = topic("structure");
  struct Params {
    FormationShape shape = FormationShape::Diamond;
    std::vector<std::array<double, 3>> points = {};  // m
    bool loop = false;
    double spacing = 5;  // m
    double speed = 3;  // m/s
    double tolerance = 3;  // m
    double gain = 0.7;  // 1/s
    double turn = 0.3;  // rad/s
    double patience = 3;  // s
    double rate = 2;  // Hz
    double floor = 2;  // m
  };
  struct Memory {
    Roster roster;
    double far = 0;  // m along the path that the body has come
    double worst = 0;  // m that somebody was from its place lately
    double heading = 0, has_heading = 0;  // rad
    double next_told = 0;  // s
  };
  struct Features {
    bool active = false;
  };

  static Features extract(const Sense& s, const Params& p, const Memory&) { return {is_flying(s.mode) && !p.points.empty()}; }
  static double trigger(const Features& f, const Params&) { return f.active ? 1 : 0; }
  static Action act(const Features&, const Sense& s, const Params& p, Memory& m, Outbox& out) {
    const double same = TaskTag(name).with(static_cast<double>(p.shape)).with(p.spacing).with(p.points).value();
    m.roster.update(s, p.patience, same);
    m.roster.gossip(s, 0.5 * p.rate, same, out);
    hear(s, same, m);
    const OnPath at = on_path(p.points, p.loop, m.far);
    turn_body(at, s, p, m);
    const std::size_t rank = m.roster.rank(s.self, s);
    const V3 place = at.position + rotate_flat(p.spacing * formation_place(p.shape, rank, m.roster.members()), m.heading);
    const double error = distance(place, s.position);
    m.worst = math::max(m.worst, error);
    // the body stands while the worst is out of tolerance
    double pace = p.speed * clamp_to(1.5 - m.worst / p.tolerance, 0, 1);
    if (!p.loop) pace = math::min(pace, math::max(0.0, path_length(p.points, false) - m.far) / s.interval);
    m.far += pace * s.interval;
    if (s.time >= m.next_told) {
      m.next_told = s.time + 1 / p.rate;
      out.say(kTopic, 0, m.far, error, same);
    }
    const V3 v = limit_norm(add_scaled(pace, at.along, p.gain * (place - s.position)), s.max_speed);
    Action a = fly(above_floor(s, v, p.floor));
    a.yaw = m.heading;
    a.turns = true;
    a.role = make_role(same, static_cast<double>(rank + 1));
    return a;
  }

 private:
  static void hear(const Sense& s, double same, Memory& m) {
    m.worst *= math::max(0.0, 1 - s.interval);  // forgotten within a few seconds
    for (const Message& message : s.messages) {
      if (message.topic != kTopic || message.count < 3 || message.values[2] != same) continue;
      const double far = message.values[0], error = message.values[1];
      if (!(far >= 0 && far < 1e9 && error >= 0 && error < 1e9)) continue;
      m.far = m.far + 0.1 * (far - m.far);
      m.worst = math::max(m.worst, error);
    }
  }
  static void turn_body(const OnPath& at, const Sense& s, const Params& p, Memory& m) {
    if (norm(flat(at.along)) < 0.1) return;
    const double wanted = math::atan2(at.along.y, at.along.x), most = p.turn * s.interval;
    m.heading = m.has_heading > 0 ? wrap_angle(m.heading + clamp_to(wrap_angle(wanted - m.heading), -most, most)) : wanted;
    m.has_heading = 1;
  }
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, VirtualStructure::Params>
void describe(D& d, V& v) {
  v.field("shape", d.shape, {.doc = "shape of the formation: v, line, wedge, diamond or ring"});
  v.field("points", d.points, {.unit = "m", .min = -1e6, .max = 1e6, .required = true, .doc = "path of the rigid body"});
  v.field("loop", d.loop, {.doc = "whether the path is closed"});
  v.field("spacing", d.spacing, {.unit = "m", .min = 0.1, .max = 1e4, .doc = "distance between neighbouring positions in the formation"});
  v.field("speed", d.speed, {.unit = "m/s", .min = 0.1, .max = 100, .doc = "speed of the rigid body along the path"});
  v.field("tolerance", d.tolerance,
          {.unit = "m", .min = 0.1, .max = 1e3, .doc = "position error of a member; the body slows down from half of it and stops at one and a half times"});
  v.field("gain", d.gain, {.unit = "1/s", .min = 0.01, .max = 10, .doc = "speed per distance of a member from its position in the formation"});
  v.field("turn", d.turn, {.unit = "rad/s", .min = 0.01, .max = 10, .doc = "greatest rate at which the rigid body turns"});
  v.field("patience", d.patience, {.unit = "s", .min = 0.1, .max = 1e3, .doc = "time without a message after which a member counts as lost"});
  v.field("rate", d.rate, {.unit = "Hz", .min = 0.1, .max = 10, .doc = "rate at which a member sends its progress along the path"});
  v.field("floor", d.floor, {.unit = "m", .min = 0, .max = 1e4, .doc = "lowest height above the ground that the vehicle keeps"});
}

}  // namespace volary::swarm
