// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Aircraft that cannot stop keep places behind a leader by roll and speed, as SIGMA V.A.1 does (eq. 16 to 19, as printed; the bracket of eq. 16 is
// rounded up, or follower 1 would sit on the leader). The leader is a given id, or the lowest; it flies whatever else it has to fly (its mission, a path in its
// library) and says its pose. Followers answer with a speed along their course and with the sideways acceleration of the roll that they want, so that the
// aircraft's own guidance, with its limits, flies it; they keep the leader's height. When the leader is silent for `patience` the lowest id that is
// left leads: whatever else is in its library acts, and without that it circles where it is and the others gather about it.
// The law is the paper's and proportional: the sideways error is an oscillation with a damping of P_psi / 2 sqrt(g / (P_phi v^2)), a quarter with its
// figures, that dies out over 10 s. An aircraft that answers a roll half a second late would take 16 s: so the law is worked out for where leader and
// follower are a `lead` later.
// Fails: corners throw members out of place, outer ones would have to be faster than they can; nobody keeps them apart then, so give pairs a `rise` or
// add `avoid`. Wind is not in the law: all feel the same, so that only a wind that differs from place to place moves them.
#pragma once

#include "swarm/behaviours/roster.hpp"

namespace volary::swarm {

struct WingFormation {
  static constexpr const char* name = "wing_formation";
  static constexpr const char* doc = "aircraft keep places behind a leader by roll and speed";
  static constexpr std::uint32_t kTopic = topic("pose");
  struct Params {
    std::uint64_t leader = 0;
    double spacing = 30;  // m, d
    double angle = 0.7853981633974483;  // rad, theta
    double rise = 0;  // m
    double roll_gain = 0.015;  // rad/m, P_phi
    double heading_gain = 0.4;  // -, P_psi
    double speed_gain = 0.3;  // 1/s, P_v
    double cruise = 20;  // m/s, v_cru
    double height_gain = 0.3;  // 1/s
    double climb = 3;  // m/s
    double lead = 0.5;  // s
    double rate = 30;  // Hz
    double patience = 2;  // s
    double floor = 20;  // m
  };
  // What the leader says of itself, in the paper's convention: north and east, headings clockwise from north, roll to the right. The world is east
  // north up with headings counter-clockwise from east, so that heading = pi / 2 - yaw; from_world and to_world are the only places that know.
  struct Pose {
    double north = 0, east = 0, height = 0;  // m
    double heading = 0, roll = 0;  // rad
    double speed = 0, climb = 0;  // m/s
  };
  struct Memory {
    Roster roster;
    std::uint64_t leader = 0;  // whose pose this is
    std::uint64_t tick = 0;  // when it was said
    Pose pose;
    double next = 0;  // s: when it speaks again
  };
  struct Features {
    std::uint64_t leader = 0;
    bool flies = false;
  };
  struct Place {
    double ahead, right, above;  // m, from the leader
  };
  struct Command {
    double roll, speed;  // rad, m/s
  };

  static double tag(const Params& p) { return TaskTag(name).with(p.spacing).with(p.angle).value(); }

  // eq. 16; followers count from 1
  static Place place(std::size_t follower, const Params& p) {
    const double pair = static_cast<double>((follower + 1) / 2), side = follower % 2 == 1 ? 1 : -1;
    double sine = 0, cosine = 1;
    math::sincos(p.angle, sine, cosine);
    return {-p.spacing * pair * sine, side * p.spacing * pair * cosine, p.rise * pair};
  }
  // eq. 17 and 18: from the follower to its place, forward and right of its nose
  static Place to_place(const Pose& leader, const Pose& own, const Place& place) {
    double sin_leader = 0, cos_leader = 1, sin_own = 0, cos_own = 1;
    math::sincos(leader.heading, sin_leader, cos_leader);
    math::sincos(own.heading, sin_own, cos_own);
    const double north = leader.north + place.ahead * cos_leader - place.right * sin_leader - own.north;
    const double east = leader.east + place.ahead * sin_leader + place.right * cos_leader - own.east;
    return {north * cos_own + east * sin_own, -north * sin_own + east * cos_own, leader.height + place.above - own.height};
  }
  // eq. 19
  static Command steer(const Pose& leader, const Pose& own, const Place& gap, const Params& p) {
    return {leader.roll + p.roll_gain * gap.right + p.heading_gain * wrap_angle(leader.heading - own.heading), p.cruise + p.speed_gain * gap.ahead};
  }
  // where a pose is some time later, in the turn that its roll means
  static Pose later(const Pose& x, double seconds) {
    Pose y = x;
    const double turn = kGravity * math::tan(clamp_to(x.roll, -kMostRoll, kMostRoll)) / math::max(x.speed, 1.0) * seconds;
    double sine = 0, cosine = 1;
    math::sincos(x.heading + 0.5 * turn, sine, cosine);
    y.north += seconds * x.speed * cosine;
    y.east += seconds * x.speed * sine;
    y.height += seconds * x.climb;
    y.heading = wrap_angle(x.heading + turn);
    return y;
  }

  static Features extract(const Sense& s, const Params& p, const Memory& m) {
    Features f{.leader = s.self, .flies = is_flying(s.mode)};
    const double mine = tag(p);
    const auto consider = [&](std::uint64_t id) { f.leader = id == p.leader || (f.leader != p.leader && id < f.leader) ? id : f.leader; };
    for (const Known& k : s.others)
      if (role_number(mine, k.role) > 0) consider(k.from);
    for (const Message& said : s.messages)
      if (is_pose(said, mine)) consider(said.from);
    for (std::size_t k = 0; k < m.roster.others(); ++k)
      if (seconds_since(s, m.roster.heard_at(k)) <= p.patience) consider(m.roster.id(k));
    return f;
  }
  static double trigger(const Features& f, const Params&) { return f.flies ? 1 : 0; }

  static Action act(const Features& f, const Sense& s, const Params& p, Memory& m, Outbox& out) {
    const double mine = tag(p);
    m.roster.update(s, p.patience, mine);
    for (const Message& said : s.messages) {
      if (!is_pose(said, mine)) continue;
      m.roster.note(s, said.from, said.tick);
      if (said.from == f.leader) remember(said, m);
    }
    if (f.leader == s.self) return lead(s, p, m, mine, out);
    if (m.leader != f.leader) return {.kind = Action::Kind::Hold, .reward = 0.5, .role = make_role(mine, 1)};  // heard of, not heard
    return follow(s, p, m, mine, m.roster.rank(s.self, s, f.leader) + 1);
  }

 private:
  static constexpr double kGravity = 9.80665;  // m/s2
  static constexpr double kMostRoll = 1.3;  // rad: the tangent stays sensible, the aircraft's own limit is lower

  static Pose from_world(const V3& position, const V3& velocity, double yaw, double roll) {
    return {position.y, position.x, position.z, 0.5 * kPi - yaw, roll, norm(flat(velocity)), velocity.z};
  }
  static bool is_pose(const Message& m, double mine) {
    const auto& v = m.values;
    return m.topic == kTopic && m.count == 8 && v[0] == mine && m.from != 0 && is_place({v[1], v[2], v[3]}) && is_place({v[4], v[5], v[6]}) &&
           math::abs(v[7]) < 1e7;
  }
  static void remember(const Message& said, Memory& m) {
    if (m.leader == said.from && said.tick < m.tick) return;
    const auto& v = said.values;
    m.leader = said.from;
    m.tick = said.tick;
    m.pose = {v[1], v[2], v[3], wrap_angle(v[4]), clamp_to(v[5], -kPi, kPi), clamp_to(v[6], 0, 1e3), clamp_to(v[7], -1e3, 1e3)};
  }

  // flies on as it is told elsewhere, and says where it is
  static Action lead(const Sense& s, const Params& p, Memory& m, double mine, Outbox& out) {
    if (s.time >= m.next) {
      m.next = s.time + 1 / p.rate - 0.5 * s.interval;  // the nearest decision counts
      const Pose x = from_world(s.position, s.velocity, s.yaw, s.roll);
      out.say(kTopic, 0, mine, x.north, x.east, x.height, x.heading, x.roll, x.speed, x.climb);
    }
    return {.reward = 0, .role = make_role(mine, 1)};
  }

  static Action follow(const Sense& s, const Params& p, const Memory& m, double mine, std::size_t follower) {
    // the law for the moment at which the aircraft has answered it: its lag would take away half of the damping
    const Pose leader = later(m.pose, seconds_since(s, m.tick) + p.lead), own = later(from_world(s.position, s.velocity, s.yaw, s.roll), p.lead);
    const Place gap = to_place(leader, own, place(follower, p));
    const Command wanted = steer(leader, own, gap, p);
    Action a = to_world(wanted, clamp_to(leader.climb + p.height_gain * gap.above, -p.climb, p.climb), s);
    a.velocity = above_floor(s, a.velocity, p.floor);
    a.role = make_role(mine, 1 + static_cast<double>(follower));
    return a;
  }

  // A speed along the course that it will have in the middle of this decision's time, and the acceleration to the right that the roll means.
  static Action to_world(const Command& wanted, double climb, const Sense& s) {
    const V3 ahead = direction(flat(s.velocity), rotate_flat({1, 0, 0}, s.yaw));
    const double speed = math::min(math::max(wanted.speed, math::max(s.min_speed, 1.0)), s.max_speed), ground = math::max(norm(flat(s.velocity)), 1.0);
    const double rise = clamp_to(climb, -0.5 * speed, 0.5 * speed), level = math::sqrt(speed * speed - rise * rise);
    const double turn = kGravity * math::tan(clamp_to(s.roll, -kMostRoll, kMostRoll)) / ground;  // rad/s, clockwise
    const V3 course = rotate_flat(ahead, -0.5 * turn * s.interval);
    const double sideways = kGravity * math::tan(clamp_to(wanted.roll, -kMostRoll, kMostRoll));
    Action a = fly({level * course.x, level * course.y, rise});
    a.acceleration = {sideways * course.y, -sideways * course.x, 0};
    return a;
  }
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, WingFormation::Params>
void describe(D& d, V& v) {
  v.field("leader", d.leader, {.doc = "id of the leader; 0: the lowest id in the formation"});
  v.field("spacing", d.spacing, {.unit = "m", .min = 1, .max = 1e4, .doc = "distance d between neighbouring positions along an arm"});
  v.field("angle", d.angle,
          {.unit = "rad", .min = 0, .max = 1.5707963267948966, .doc = "angle theta of the arms; 0: side by side, pi/2: one behind the other"});
  v.field("rise", d.rise, {.unit = "m", .min = -100, .max = 100, .doc = "height of each pair above the pair before it"});
  v.field("roll_gain", d.roll_gain,
          {.unit = "rad/m", .min = 0, .max = 1, .doc = "gain P_phi: roll angle per sideways distance from the position in the formation"});
  v.field("heading_gain", d.heading_gain, {.min = 0, .max = 10, .doc = "gain P_psi: roll angle per heading difference to the leader"});
  v.field("speed_gain", d.speed_gain, {.unit = "1/s", .min = 0, .max = 10, .doc = "gain P_v: speed per forward distance from the position in the formation"});
  v.field("cruise", d.cruise,
          {.unit = "m/s", .min = 1, .max = 200, .doc = "speed v_cru of a follower that is in its position; set it to the airspeed of the leader"});
  v.field("height_gain", d.height_gain, {.unit = "1/s", .min = 0, .max = 10, .doc = "climb speed per height that is missing"});
  v.field("climb", d.climb, {.unit = "m/s", .min = 0.1, .max = 50, .doc = "greatest climb and sink speed"});
  v.field("lead", d.lead,
          {.unit = "s", .min = 0, .max = 5, .doc = "time that the aircraft takes to follow a commanded roll, by which the law looks ahead; 0: no look-ahead"});
  v.field("rate", d.rate, {.unit = "Hz", .min = 0.1, .max = 100, .doc = "rate at which the leader sends its pose, at most the rate of decisions"});
  v.field("patience", d.patience, {.unit = "s", .min = 0.1, .max = 1e3, .doc = "time without a message after which a member counts as lost"});
  v.field("floor", d.floor, {.unit = "m", .min = 0, .max = 1e4, .doc = "lowest height above the ground that the vehicle keeps"});
}

}  // namespace volary::swarm
