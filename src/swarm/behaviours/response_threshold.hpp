// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Division of labour by thresholds (Bonabeau, Theraulaz, Deneubourg, "Quantitative study of the fixed threshold model for the regulation of division
// of labour in insect societies", Proc. R. Soc. B 263, 1996, eq. 1): the need at each station grows while nobody works there; who is idle takes up
// work with probability s2 / (s2 + theta2) a second, and leaves it with a fixed one. Thresholds differ from member to member, so some are eager and
// some are reserve.
// Fails: need is estimated from what is heard: unheard workers are doubled, unheard stations look needy. Nobody is told to go: short of members it
// serves the neediest on average only. At most 16 stations.
#pragma once

#include "core/result.hpp"
#include "swarm/behaviours/task_tag.hpp"

namespace volary::swarm {

struct ResponseThreshold {
  static constexpr const char* name = "response_threshold";
  static constexpr const char* doc = "take up work at stations whose need is above the vehicle's own threshold";
  static constexpr std::size_t kMost = 16;
  static constexpr std::uint32_t kTopic = topic("work");
  struct Params {
    std::vector<std::array<double, 3>> stations = {};  // m
    double growth = 0.05;  // 1/s
    double work = 0.03;  // 1/s
    double threshold = 4, spread = 0.5;  // -
    double quit = 0.1;  // 1/s
    double speed = 4;  // m/s
    double radius = 3;  // m
    double floor = 2;  // m
  };
  struct Memory {
    double need[kMost] = {};
    double station = 0;  // counted from 1; 0: idle
    double next_told = 0;  // s
  };
  struct Features {
    bool active = false;
  };

  static core::Status check(const Params& p) {
    if (p.stations.size() > kMost) return core::Error{.message = "more than 16 stations", .field = "stations", .suggestion = "split them between flocks"};
    return core::ok();
  }
  static std::size_t stations(const Params& p) { return p.stations.size() < kMost ? p.stations.size() : kMost; }
  // eq. 1 with n = 2
  static double response(double need, double threshold) { return need * need / (need * need + threshold * threshold); }
  // drawn once for each member and station: tick 0 keeps it the same for ever
  static double threshold(const Sense& s, const Params& p, std::size_t station) {
    Sense always = s;
    always.tick = 0;
    return p.threshold * (1 + p.spread * (2 * always.uniform(static_cast<std::uint32_t>(100 + station)) - 1));
  }

  static Features extract(const Sense& s, const Params& p, const Memory&) { return {is_flying(s.mode) && !p.stations.empty()}; }
  static double trigger(const Features& f, const Params&) { return f.active ? 1 : 0; }
  static Action act(const Features&, const Sense& s, const Params& p, Memory& m, Outbox& out) {
    for (std::size_t k = 0; k < stations(p); ++k) m.need[k] += p.growth * s.interval;
    const double same = TaskTag(name).with(p.stations).value();
    for (const Message& message : s.messages) {
      if (message.topic != kTopic || message.count < 2 || message.values[1] != same) continue;
      const double k = message.values[0];
      if (k >= 0 && k < static_cast<double>(stations(p))) m.need[static_cast<std::size_t>(k)] -= p.work;  // a second's
    }
    choose(s, p, m);
    Action a{.kind = Action::Kind::Hold, .reward = 0.5};
    if (m.station > 0) a = work(s, p, same, m, out);
    for (double& need : m.need) need = clamp_to(need, 0, 1e3);
    a.role = make_role(same, m.station);
    return a;
  }

 private:
  static void choose(const Sense& s, const Params& p, Memory& m) {
    if (m.station > 0) {
      if (s.uniform(0) < p.quit * s.interval) m.station = 0;
      return;
    }
    // beginning at one's own first choice, so that low numbers are not preferred
    const std::size_t n = stations(p), first = static_cast<std::size_t>(s.uniform(1) * static_cast<double>(n));
    for (std::size_t k = 0; k < n; ++k) {
      const std::size_t station = (first + k) % n;
      if (s.uniform(static_cast<std::uint32_t>(2 + k)) >= response(m.need[station], threshold(s, p, station)) * s.interval) continue;
      m.station = static_cast<double>(station + 1);
      return;
    }
  }
  static Action work(const Sense& s, const Params& p, double same, Memory& m, Outbox& out) {
    const std::size_t station = static_cast<std::size_t>(m.station) - 1;
    const V3 goal = above_floor_point(s, to_v3(p.stations[station]), p.floor);
    const double radius = arrival(s, p.radius);
    if (distance(goal, s.position) < radius && s.time >= m.next_told) {
      m.next_told = s.time + 1;
      m.need[station] -= p.work;
      out.say(kTopic, 0, station, same);
    }
    if (s.min_speed > 0 && distance(goal, s.position) < radius) return swarm::go_to(goal);  // round about it
    return fly(above_floor(s, distance(goal, s.position) < 0.5 * p.radius ? V3{0, 0, 0} : towards(s, goal, p.speed), p.floor));
  }
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, ResponseThreshold::Params>
void describe(D& d, V& v) {
  v.field("stations", d.stations, {.unit = "m", .min = -1e6, .max = 1e6, .required = true, .doc = "positions of the work, at most 16"});
  v.field("growth", d.growth, {.unit = "1/s", .min = 0, .max = 100, .doc = "growth rate delta of the need at each station"});
  v.field("work", d.work, {.unit = "1/s", .min = 0, .max = 100, .doc = "rate alpha at which one worker reduces the need"});
  v.field("threshold", d.threshold,
          {.min = 1e-3, .max = 1e3, .doc = "threshold theta: need at which an idle member starts work with a probability of 0.5 per second"});
  v.field("spread", d.spread, {.min = 0, .max = 1, .doc = "greatest relative deviation of a member's threshold from theta, in either direction"});
  v.field("quit", d.quit, {.unit = "1/s", .min = 0, .max = 10, .doc = "probability p per second of leaving the work"});
  v.field("speed", d.speed, {.unit = "m/s", .min = 0.1, .max = 100, .doc = "speed between stations"});
  v.field("radius", d.radius, {.unit = "m", .min = 0.5, .max = 1e3, .doc = "distance from a station within which a member works"});
  v.field("floor", d.floor, {.unit = "m", .min = 0, .max = 1e4, .doc = "lowest height above the ground that the vehicle keeps"});
}

}  // namespace volary::swarm
