// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Search by particle swarm (Kennedy, Eberhart, "Particle swarm optimization", ICNN 1995, with the inertia of Shi, Eberhart 1998), flown: velocities
// are drawn towards the best place it saw itself and the best that anybody told of. What is measured is how near a thing of the wanted kind is seen, or how strong
// a stimulus is; a place is worth more the nearer or stronger it was. Until somebody sees something they wander through the area.
// Fails: what nobody sees gives no slope: then it is a random walk, and `lawnmower` is the better search. One strong false sighting gathers all. What
// moves away leaves them at its old place until `memory` has passed.
#pragma once

#include "swarm/behaviours/task_tag.hpp"
#include "swarm/stimuli/all.hpp"

namespace volary::swarm {

struct ParticleSwarm {
  static constexpr const char* name = "particle_swarm";
  static constexpr const char* doc = "particle swarm search, drawn towards the best places found";
  static constexpr std::uint32_t kTopic = topic("best");
  struct Params {
    std::array<double, 2> from = {0, 0}, to = {100, 100};  // m
    std::string find = {};
    double inertia = 0.7, own = 0.5, common = 0.8;  // -, 1/s, 1/s
    double speed = 4;  // m/s
    double height = 15;  // m
    double spacing = 5;  // m
    double memory = 30;  // s
    double rate = 1;  // Hz
  };
  struct Best {
    double x = 0, y = 0;  // m
    double distance = 0, time = 0;  // m from what was seen there, or how weak the stimulus was; s plus one, 0: nothing yet
  };
  struct Memory {
    Best own, common;
    double goal_x = 0, goal_y = 0, goal_until = 0;  // m, s: of the wandering
    double next_told = 0;  // s
  };
  struct Features {
    bool flies = false;
  };

  static Features extract(const Sense& s, const Params&, const Memory&) { return {is_flying(s.mode)}; }
  static double trigger(const Features& f, const Params&) { return f.flies ? 1 : 0; }
  static Action act(const Features&, const Sense& s, const Params& p, Memory& m, Outbox& out) {
    for (Best* b : {&m.own, &m.common})
      if (b->time > 0 && s.time - (b->time - 1) > p.memory) *b = {};
    look(s, p, m);
    const double same = TaskTag(p.find).with(p.from).with(p.to).value();
    hear(s, same, m);
    if (is_better(m.own, m.common)) m.common = m.own;
    if (m.common.time > 0 && s.time >= m.next_told) {
      m.next_told = s.time + 1 / p.rate;
      out.say(kTopic, 0, m.common.x, m.common.y, m.common.distance, s.time - (m.common.time - 1), same);
    }
    Sense slow = s;  // chances change once a second: a vehicle cannot follow them faster
    slow.tick = static_cast<std::uint64_t>(s.time);
    V3 v = p.inertia * flat(s.velocity);
    if (m.common.time > 0) {
      if (m.own.time > 0) v = add_scaled(p.own * slow.uniform(0), V3{m.own.x, m.own.y, 0} - flat(s.position), v);
      v = add_scaled(p.common * slow.uniform(1), V3{m.common.x, m.common.y, 0} - flat(s.position), v);
    } else {
      v = add_scaled(1 - p.inertia, wander(s, p, m), v);
    }
    // Particles have no size; vehicles leave each other room round the best place. A far best place pulls with many times the speed: cut to what
    // is flown before, it cannot drown the push of somebody near.
    v = limit_norm(v, math::min(p.speed, s.max_speed));
    for (const Known& k : s.others) {
      const V3 away = flat(s.position - where_now(s, k));
      if (norm(away) < p.spacing) v = add_scaled(p.speed * (1 - norm(away) / p.spacing), direction(away), v);
    }
    v = limit_norm(v, math::min(p.speed, s.max_speed));
    v.z = hold_height(s, p.height);
    return fly(above_floor(s, v, 0.5 * p.height));
  }

 private:
  static bool is_better(const Best& a, const Best& b) { return a.time > 0 && (b.time == 0 || a.distance < b.distance); }
  static void look(const Sense& s, const Params& p, Memory& m) {
    core::for_each_type(AllStimuli{}, [&]<class S>() {
      if (p.find != S::name || !(level<S>(s) > 0)) return;
      // decibels over the least that can be felt, counted down: the lowest is the best, as with distances
      const Best felt{s.position.x, s.position.y, 1000 - 4.342944819032518 * math::log(level<S>(s) / S::kUnit), s.time + 1};
      if (is_better(felt, m.own)) m.own = felt;
    });
    const std::uint32_t wanted = topic(p.find);
    for (const Detection& d : s.detections) {
      if (d.kind != wanted) continue;
      const Best seen{s.position.x, s.position.y, distance(d.position, s.position), s.time + 1};
      if (is_better(seen, m.own)) m.own = seen;
    }
  }
  static void hear(const Sense& s, double same, Memory& m) {
    for (const Message& message : s.messages) {
      if (message.topic != kTopic || message.count < 5 || message.values[4] != same) continue;
      const auto& v = message.values;
      if (!is_place({v[0], v[1], 0}) || !(v[2] >= 0 && v[2] < 1e6 && v[3] >= 0 && v[3] < 1e6)) continue;
      const Best told{v[0], v[1], v[2], s.time - v[3] + 1};
      if (told.time > 0 && is_better(told, m.common)) m.common = told;
    }
  }
  // to a place of the area drawn anew when it is reached or takes too long
  static V3 wander(const Sense& s, const Params& p, Memory& m) {
    const V3 here = flat(s.position);
    if (s.time >= m.goal_until || distance(here, {m.goal_x, m.goal_y, 0}) < 3) {
      m.goal_x = p.from[0] + (p.to[0] - p.from[0]) * s.uniform(2);
      m.goal_y = p.from[1] + (p.to[1] - p.from[1]) * s.uniform(3);
      m.goal_until = s.time + 60;
    }
    return p.speed * direction(V3{m.goal_x, m.goal_y, 0} - here);
  }
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, ParticleSwarm::Params>
void describe(D& d, V& v) {
  v.field("from", d.from, {.unit = "m", .min = -1e6, .max = 1e6, .required = true, .doc = "one corner of the area, east north"});
  v.field("to", d.to, {.unit = "m", .min = -1e6, .max = 1e6, .required = true, .doc = "opposite corner of the area, east north"});
  v.field("find", d.find, {.required = true, .doc = "name of the airframe to find, or of a stimulus: light, plume or sound"});
  v.field("inertia", d.inertia, {.min = 0, .max = 1, .doc = "share of the previous velocity that is kept"});
  v.field("own", d.own, {.unit = "1/s", .min = 0, .max = 10, .doc = "greatest gain towards the best position that the member itself has seen"});
  v.field("common", d.common, {.unit = "1/s", .min = 0, .max = 10, .doc = "greatest gain towards the best position that any member has seen"});
  v.field("speed", d.speed, {.unit = "m/s", .min = 0.1, .max = 100, .doc = "greatest speed of a member"});
  v.field("height", d.height, {.unit = "m", .min = 0.5, .max = 1e4, .doc = "height above ground that all members keep"});
  v.field("spacing", d.spacing, {.unit = "m", .min = 0.1, .max = 1e3, .doc = "distance between two members below which they repel each other"});
  v.field("memory", d.memory, {.unit = "s", .min = 1, .max = 1e6, .doc = "time after which a best position is forgotten"});
  v.field("rate", d.rate, {.unit = "Hz", .min = 0.01, .max = 10, .doc = "rate at which a member sends the best position"});
}

}  // namespace volary::swarm
