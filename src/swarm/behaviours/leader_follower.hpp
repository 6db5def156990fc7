// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Followers keep places behind a leader, in arms left and right of its heading (SIGMA eq. 16 to 19). The paper's law steers fixed wings by roll and
// speed; a multirotor moves in any direction, so here the leader's velocity is fed forward and the distance to the place is closed in proportion (its
// P_v). The bracket of eq. 16 is rounded up: rounded down, follower 1 would sit on the leader. The leader is a given id, or the lowest; when it is
// silent for `patience`, the lowest id that is left leads: its trigger falls to 0 and whatever else is in its library (a path, say) acts.
// Fails: for `patience` seconds after a loss the rest flies on blindly at the last velocity. Members out of range of the leader follow the lowest id
// they hear. A leader that stands still has no heading: the last one counts. Places sweep round in a turn: arms longer than speed / turn rate lag.
#pragma once

#include "swarm/behaviours/roster.hpp"

namespace volary::swarm {

struct LeaderFollower {
  static constexpr const char* name = "leader_follower";
  static constexpr const char* doc = "keep a place behind the leader; the next vehicle leads when the leader is lost";
  struct Params {
    std::uint64_t leader = 0;
    double spacing = 5;                    // m, d
    double angle = 0.7853981633974483;     // rad, theta
    double rise = 0;                       // m
    double gain = 0.6;                     // 1/s
    double speed = 8;                      // m/s
    double turn = 0.5;                     // rad/s
    double smoothing = 2;                  // s
    double patience = 2;                   // s
    double gossip = 0;                     // Hz
    double floor = 2;                      // m
  };
  struct Memory {
    Roster roster;
    std::uint64_t leader = 0;  // whose state the following is
    std::uint64_t tick = 0;    // when it was said
    V3 position{}, velocity{};
    V3 course{};               // its velocity, smoothed
    double heading = 0, has_heading = 0;
  };
  struct Features {
    std::uint64_t leader = 0;
    bool follows = false;
  };

  // eq. 16: ahead and right, as in the paper's forward-right-down frame; followers count from 1
  static V3 place(std::size_t follower, const Params& p) {
    const double pair = static_cast<double>((follower + 1) / 2), side = follower % 2 == 1 ? 1 : -1;
    double sine = 0, cosine = 1;
    math::sincos(p.angle, sine, cosine);
    return {-p.spacing * pair * sine, side * p.spacing * pair * cosine, p.rise * pair};
  }

  static Features extract(const Sense& s, const Params& p, const Memory& m) {
    Features f{.leader = s.self};
    const auto consider = [&](std::uint64_t id) { f.leader = id == p.leader || (f.leader != p.leader && id < f.leader) ? id : f.leader; };
    for (const Known& k : s.others) consider(k.from);
    for (std::size_t k = 0; k < m.roster.others(); ++k)
      if (seconds_since(s, m.roster.heard_at(k)) <= p.patience) consider(m.roster.id(k));
    f.follows = f.leader != s.self && is_flying(s.mode);
    return f;
  }
  static double trigger(const Features& f, const Params&) { return f.follows ? 1 : 0; }

  static Action act(const Features& f, const Sense& s, const Params& p, Memory& m, Outbox& out) {
    m.roster.update(s, p.patience, 0);
    m.roster.gossip(s, p.gossip, 0, out);
    const bool known = remember(f.leader, s, p, m);
    if (!known) return {.kind = Action::Kind::Hold, .reward = 0.5};  // told of a leader, never heard it
    const std::size_t follower = m.roster.rank(s.self, s, f.leader) + 1;
    const V3 offset = place(follower, p);
    // eq. 17 in east-north-up: right of the heading is minus left
    const V3 ahead = rotate_flat({offset.x, -offset.y, 0}, m.heading);
    const double age = seconds_since(s, m.tick);
    const V3 target = add_scaled(age, m.velocity, m.position) + V3{ahead.x, ahead.y, offset.z};
    const V3 gap = target - s.position, v = limit_norm(add_scaled(p.gain, gap, m.velocity), math::min(p.speed, s.max_speed));
    Action a = fly(above_floor(s, forwards(s, v, direction(flat(m.velocity)), gap), p.floor));
    a.yaw = m.heading;
    a.turns = true;
    a.role = make_role(TaskTag(name).value(), static_cast<double>(follower));
    return a;
  }

 private:
  // takes over the leader's latest word and turns the remembered heading after it
  static bool remember(std::uint64_t leader, const Sense& s, const Params& p, Memory& m) {
    for (const Known& k : s.others) {
      if (k.from != leader) continue;
      m.leader = leader;
      m.tick = k.tick;
      m.position = k.position;
      m.velocity = k.velocity;
    }
    if (m.leader != leader) return false;
    // gusts must not swing long arms about: the course is smoothed over a few seconds
    m.course = m.has_heading > 0 ? add_scaled(math::min(1.0, s.interval / p.smoothing), m.velocity - m.course, m.course) : m.velocity;
    if (norm(flat(m.course)) > 0.3) {
      const double wanted = math::atan2(m.course.y, m.course.x), most = p.turn * s.interval;
      m.heading = m.has_heading > 0 ? wrap_angle(m.heading + clamp_to(wrap_angle(wanted - m.heading), -most, most)) : wanted;
      m.has_heading = 1;
    }
    return true;
  }
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, LeaderFollower::Params>
void describe(D& d, V& v) {
  v.field("leader", d.leader, {.doc = "id of the leader; 0: the lowest id in the formation"});
  v.field("spacing", d.spacing, {.unit = "m", .min = 0.1, .max = 1e4, .doc = "distance d between neighbouring positions along an arm"});
  v.field("angle", d.angle,
          {.unit = "rad", .min = 0, .max = 1.5707963267948966, .doc = "angle theta of the arms; 0: side by side, pi/2: one behind the other"});
  v.field("rise", d.rise, {.unit = "m", .min = -100, .max = 100, .doc = "height of each pair above the pair before it"});
  v.field("gain", d.gain, {.unit = "1/s", .min = 0.01, .max = 10, .doc = "speed per distance from the position in the formation"});
  v.field("speed", d.speed, {.unit = "m/s", .min = 0.1, .max = 100, .doc = "greatest speed of a follower; it must exceed the speed of the leader"});
  v.field("turn", d.turn, {.unit = "rad/s", .min = 0.01, .max = 10, .doc = "greatest rate at which the formation turns with the leader"});
  v.field("smoothing", d.smoothing, {.unit = "s", .min = 0.01, .max = 100, .doc = "time over which the course of the leader is averaged"});
  v.field("patience", d.patience, {.unit = "s", .min = 0.1, .max = 1e3, .doc = "time without a message after which a member counts as lost"});
  v.field("gossip", d.gossip,
          {.unit = "Hz", .min = 0, .max = 10, .doc = "rate at which a member sends the list of members that it knows; 0: only members in range count"});
  v.field("floor", d.floor, {.unit = "m", .min = 0, .max = 1e4, .doc = "lowest height above the ground that the vehicle keeps"});
}

}  // namespace volary::swarm
