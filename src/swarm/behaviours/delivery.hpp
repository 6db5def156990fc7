// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Jobs "from here to there" are shared: each member takes the nearest that nobody else has taken, picks up, brings, and tells what is done. Cruise
// heights depend on the course, as in air traffic (the semicircular rule of ICAO Annex 2, in four layers), so that crossing streams pass above each
// other.
// Fails: who carries and fails takes its load along: the job is open again after `patience`, and begun anew at its start. Cut off from each other two
// may bring the same. Climbing and sinking through the layers crosses traffic: combine with `avoid`. At most 48 jobs.
#pragma once

#include <limits>

#include "core/result.hpp"
#include "swarm/behaviours/task_tag.hpp"

namespace volary::swarm {

struct DeliveryJob {
  std::array<double, 3> from = {0, 0, 0}, to = {0, 0, 0};  // m
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, DeliveryJob>
void describe(D& d, V& v) {
  v.field("from", d.from, {.unit = "m", .min = -1e6, .max = 1e6, .required = true, .doc = "position at which the load is picked up"});
  v.field("to", d.to, {.unit = "m", .min = -1e6, .max = 1e6, .required = true, .doc = "position to which the load is delivered"});
}

struct Delivery {
  static constexpr const char* name = "delivery";
  static constexpr const char* doc = "pick up and deliver loads; the jobs are shared among the members";
  static constexpr std::size_t kMost = 48;
  static constexpr std::uint32_t kTopic = topic("jobs");
  struct Params {
    std::vector<DeliveryJob> jobs = {};
    double height = 15, layer = 3;  // m
    double speed = 5;  // m/s
    double tolerance = 0.7;  // m
    double dwell = 2;  // s
    double patience = 3;  // s
    double rate = 1;  // Hz
    double floor = 1;  // m
  };
  struct Memory {
    std::uint64_t done = 0;  // a bit for each job
    std::uint64_t taken_by[kMost] = {};  // id; 0: nobody
    std::uint64_t taken_at[kMost] = {};  // tick of its last word
    double job = 0;  // counted from 1; 0: none
    double carries = 0, down = 0;  // 1: loaded; 1: over the place, going down
    double until = 0;  // s, plus one: waits there
    double begun = 0, finished = 0;  // s, plus one
    double next_told = 0;  // s
  };
  struct Features {
    bool active = false;
  };

  static core::Status check(const Params& p) {
    if (p.jobs.size() > kMost) return core::Error{.message = "more than 48 jobs", .field = "jobs", .suggestion = "split them between flocks"};
    return core::ok();
  }
  static std::size_t jobs(const Params& p) { return p.jobs.size() < kMost ? p.jobs.size() : kMost; }
  static bool is_done(const Memory& m, std::size_t job) { return ((m.done >> job) & 1) != 0; }
  static bool all_done(const Params& p, const Memory& m) { return m.done + 1 == (std::uint64_t{1} << jobs(p)); }
  // by the course's quarter of the compass: opposite courses are two layers apart
  static double cruise_height(const V3& way, const Params& p) {
    const double quarter = (math::atan2(way.y, way.x) + kPi) / (0.5 * kPi);
    return p.height + p.layer * clamp_to(math::floor(quarter), 0, 3);
  }

  static Features extract(const Sense& s, const Params& p, const Memory& m) {
    // the last word is repeated for a few seconds
    return {jobs(p) > 0 && is_flying(s.mode) && (m.finished == 0 || s.time < m.finished - 1 + 3)};
  }
  static double trigger(const Features& f, const Params&) { return f.active ? 1 : 0; }
  static Action act(const Features&, const Sense& s, const Params& p, Memory& m, Outbox& out) {
    if (m.begun == 0) m.begun = s.time + 1;
    const double same = tag(p);
    hear(s, p, same, m);
    if (m.job > 0 && !keeps_job(s, m)) m.job = m.carries = m.down = m.until = 0;
    if (m.job == 0 && s.time - (m.begun - 1) >= 1) choose(s, p, m);
    if (all_done(p, m) && m.finished == 0) m.finished = s.time + 1;
    Action a = m.job > 0 ? bring(s, p, m) : Action{.kind = Action::Kind::Hold, .reward = 0.5};
    if (s.time >= m.next_told) {
      m.next_told = s.time + 1 / p.rate;
      out.say(kTopic, 0, m.done & 0xffffff, m.done >> 24, m.job, m.carries, same);
    }
    a.role = make_role(same, m.job);
    return a;
  }

 private:
  static double tag(const Params& p) {
    TaskTag t(name);
    for (const DeliveryJob& job : p.jobs) t.with(job.from).with(job.to);
    return t.value();
  }
  static void hear(const Sense& s, const Params& p, double same, Memory& m) {
    for (const Message& message : s.messages) {
      if (message.topic != kTopic || message.count < 5 || message.from == 0 || message.values[4] != same) continue;
      for (std::size_t half = 0; half < 2; ++half) {
        const double word = message.values[half];
        if (word >= 0 && word < 0x1p24) m.done |= static_cast<std::uint64_t>(word) << (24 * half);
      }
      m.done &= (std::uint64_t{1} << jobs(p)) - 1;
      const double job = message.values[2];
      for (std::size_t k = 0; k < jobs(p); ++k) {
        if (job == static_cast<double>(k + 1)) {
          // of two that take the same the lower id keeps it
          if (m.taken_by[k] != 0 && m.taken_by[k] < message.from) continue;
          m.taken_by[k] = message.from;
          m.taken_at[k] = message.tick;
        } else if (m.taken_by[k] == message.from) {
          m.taken_by[k] = 0;
        }
      }
    }
    for (std::size_t k = 0; k < jobs(p); ++k)
      if (m.taken_by[k] != 0 && seconds_since(s, m.taken_at[k]) > p.patience) m.taken_by[k] = 0;
  }
  // one that carries does not give it up to a lower id
  static bool keeps_job(const Sense& s, const Memory& m) {
    const std::size_t job = static_cast<std::size_t>(m.job) - 1;
    return !is_done(m, job) && (m.carries > 0 || m.taken_by[job] == 0 || m.taken_by[job] > s.self);
  }
  static void choose(const Sense& s, const Params& p, Memory& m) {
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < jobs(p); ++k) {
      const double d = distance(s.position, to_v3(p.jobs[k].from));
      if (is_done(m, k) || m.taken_by[k] != 0 || d >= nearest) continue;
      nearest = d;
      m.job = static_cast<double>(k + 1);
      m.carries = m.down = m.until = 0;
      m.next_told = 0;
    }
  }
  static Action bring(const Sense& s, const Params& p, Memory& m) {
    const DeliveryJob& job = p.jobs[static_cast<std::size_t>(m.job) - 1];
    const V3 place = above_floor_point(s, to_v3(m.carries > 0 ? job.to : job.from), p.floor), way = flat(place - s.position);
    const double d = norm(way);
    if (d < p.tolerance) m.down = 1;
    if (d > 4 * p.tolerance) m.down = 0;  // blown or pushed away
    if (m.down > 0 && distance(place, s.position) < p.tolerance) {
      if (m.until == 0) m.until = s.time + p.dwell + 1;
      if (s.time >= m.until - 1) arrived(m);
      return go_to(place);
    }
    V3 v = towards(s, place, p.speed);
    if (m.down == 0) {
      // up first, then along
      const double climb = hold_height(s, cruise_height(way, p));
      const double part = d < 3 * p.layer || s.position.z > s.ground_ahead + 0.6 * p.height ? 1 : 0.3;
      v = part * math::min(math::min(p.speed, s.max_speed), braking_speed(d, 2)) * direction(way);
      v.z = climb;
    }
    return fly(above_floor(s, v, p.floor));
  }
  static void arrived(Memory& m) {
    m.until = m.down = 0;
    if (m.carries > 0) {
      m.done |= std::uint64_t{1} << (static_cast<std::size_t>(m.job) - 1);
      m.job = m.carries = 0;
      m.next_told = 0;
    } else {
      m.carries = 1;
    }
  }
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, Delivery::Params>
void describe(D& d, V& v) {
  v.field("jobs", d.jobs, {.required = true, .doc = "deliveries to make, at most 48"});
  v.field("height", d.height, {.unit = "m", .min = 0.5, .max = 1e4, .doc = "height of the lowest cruise layer above ground"});
  v.field("layer", d.layer, {.unit = "m", .min = 0, .max = 1e3, .doc = "height between two cruise layers; there are four layers, chosen by course"});
  v.field("speed", d.speed, {.unit = "m/s", .min = 0.1, .max = 100, .doc = "speed on the way"});
  v.field("tolerance", d.tolerance, {.unit = "m", .min = 0.1, .max = 100, .doc = "distance from a position at which the vehicle has arrived"});
  v.field("dwell", d.dwell, {.unit = "s", .min = 0, .max = 1e4, .doc = "time that the vehicle waits at pick-up and at delivery"});
  v.field("patience", d.patience, {.unit = "s", .min = 0.1, .max = 1e3, .doc = "time without a message after which a job is open again"});
  v.field("rate", d.rate, {.unit = "Hz", .min = 0.1, .max = 10, .doc = "rate at which a member sends the state of its jobs"});
  v.field("floor", d.floor, {.unit = "m", .min = 0, .max = 1e4, .doc = "lowest height above the ground that the vehicle keeps"});
}

}  // namespace volary::swarm
