// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Members share out points to visit by auction (consensus-based bundle algorithm: Choi, Brunet, How, "Consensus-based decentralized auctions for
// robust task allocation", IEEE T-RO 25(4), 2009). Each builds a bundle of the tasks that it can do best, greedily; bids are marginal gains of the
// time-discounted score sum exp(-arrival / horizon), which shrink as the bundle grows, as the proof of 50 % of the optimum asks. Who is outbid drops
// that task and all that it added later. Every member repeats its own bundle and what is done, so a lost message only costs time, and a task whose
// winner falls silent is open again after `patience`. That is the algorithm for members in range of each other: nobody passes on a third one's bids.
// Fails: groups that do not hear each other visit the same tasks. A winner that is alive but stuck keeps its task. At most 48 tasks, 5 in a bundle.
#pragma once

#include "core/result.hpp"
#include "swarm/behaviours/task_tag.hpp"

namespace volary::swarm {

struct Auction {
  static constexpr const char* name = "auction";
  static constexpr const char* doc = "share points to visit among the members by auction";
  static constexpr std::size_t kMostTasks = 48, kMostBundle = 5;
  static constexpr std::uint32_t kBids = topic("bids");
  static constexpr int kCode = 64;  // a task is told as tag x 64 + number; 63: none

  struct Params {
    std::vector<std::array<double, 3>> tasks = {};  // m
    std::int64_t bundle = 3;
    double speed = 4;      // m/s
    double horizon = 60;   // s
    double settle = 2;     // s
    double tolerance = 1;  // m
    double patience = 3;   // s
    double rate = 2;       // Hz
    double floor = 2;      // m
  };
  struct Memory {
    std::uint64_t winner[kMostTasks] = {};    // z; 0: nobody
    double bid[kMostTasks] = {};              // y
    std::uint64_t heard[kMostTasks] = {};     // tick of the winner's last word
    std::uint64_t done = 0;                   // a bit for each task
    std::int32_t bundle[kMostBundle] = {};    // tasks in the order of winning them
    std::int32_t path[kMostBundle] = {};      // the same in the order of visiting
    std::int32_t count = 0, padding = 0;
    double begun = 0, next_told = 0, finished = 0;  // s; begun and finished plus one
  };
  struct Features {
    bool active = false;
  };

  static core::Status check(const Params& p) {
    if (p.tasks.size() > kMostTasks) return core::Error{.message = "more than 48 tasks", .field = "tasks", .suggestion = "split them between flocks"};
    return core::ok();
  }
  static std::size_t tasks(const Params& p) { return p.tasks.size() < kMostTasks ? p.tasks.size() : kMostTasks; }
  static bool is_done(const Memory& m, std::size_t task) { return ((m.done >> task) & 1) != 0; }
  static bool all_done(const Params& p, const Memory& m) { return m.done + 1 == (std::uint64_t{1} << tasks(p)); }

  static Features extract(const Sense& s, const Params& p, const Memory& m) {
    // the last word is repeated for a few seconds
    return {tasks(p) > 0 && is_flying(s.mode) && (m.finished == 0 || s.time < m.finished - 1 + 3)};
  }
  static double trigger(const Features& f, const Params&) { return f.active ? 1 : 0; }

  static Action act(const Features&, const Sense& s, const Params& p, Memory& m, Outbox& out) {
    if (m.begun == 0) m.begun = s.time + 1;
    const double same = TaskTag(name).with(p.tasks).value();
    for (const Message& message : s.messages)
      if (message.topic == kBids) hear(message, p, same, m);
    for (std::size_t t = 0; t < tasks(p); ++t)
      if (m.winner[t] != s.self && m.winner[t] != 0 && seconds_since(s, m.heard[t]) > p.patience) release(m, t);
    drop_lost(s, m);
    if (all_done(p, m) && m.finished == 0) m.finished = s.time + 1;
    build_bundle(s, p, m);
    Action a = visit(s, p, same, m);
    tell(s, p, same, m, out);
    return a;
  }

  // score of visiting tasks in this order from here, eq. 11 of the paper
  static double score(const std::int32_t* path, std::int32_t n, const V3& from, const Params& p) {
    double sum = 0, time = 0;
    V3 at = from;
    for (std::int32_t k = 0; k < n; ++k) {
      const V3 to = to_v3(p.tasks[static_cast<std::size_t>(path[k])]);
      time += distance(at, to) / p.speed;
      sum += math::exp(-time / p.horizon);
      at = to;
    }
    return sum;
  }
  // the higher bid, then the lower id
  static bool beats(double bid, std::uint64_t id, double other_bid, std::uint64_t other) {
    return bid > other_bid || (bid == other_bid && bid > 0 && id < other);
  }

 private:
  static void release(Memory& m, std::size_t t) {
    m.winner[t] = 0;
    m.bid[t] = 0;
  }
  static bool offers(const Message& message, double same, std::size_t task) {
    for (std::uint32_t k = 2; k + 1 < message.count && k + 1 < Message::kMost; k += 2)
      if (message.values[k] == same * kCode + static_cast<double>(task)) return true;
    return false;
  }
  // the sender's word on its own bids is final; on others' it says nothing
  static void hear(const Message& message, const Params& p, double same, Memory& m) {
    if (message.count < Message::kMost || message.from == 0 || math::floor(message.values[2] / kCode) != same) return;
    for (std::size_t half = 0; half < 2; ++half) {
      const double word = message.values[half];
      if (word >= 0 && word < 0x1p24) m.done |= static_cast<std::uint64_t>(word) << (24 * half);
    }
    m.done &= (std::uint64_t{1} << tasks(p)) - 1;
    for (std::size_t t = 0; t < tasks(p); ++t)
      if (m.winner[t] == message.from && !offers(message, same, t)) release(m, t);
    for (std::uint32_t k = 2; k + 1 < message.count && k + 1 < Message::kMost; k += 2) {
      const double task = message.values[k] - same * kCode, bid = message.values[k + 1];
      if (!(task >= 0 && task < static_cast<double>(tasks(p)) && bid > 0 && bid <= 1e6)) continue;
      const auto t = static_cast<std::size_t>(task);
      if (m.winner[t] != message.from && !beats(bid, message.from, m.bid[t], m.winner[t])) continue;
      m.winner[t] = message.from;
      m.bid[t] = bid;
      m.heard[t] = message.tick;
    }
  }
  static void remove(std::int32_t* list, std::int32_t n, std::int32_t task) {
    std::int32_t kept = 0;
    for (std::int32_t k = 0; k < n; ++k)
      if (list[k] != task) list[kept++] = list[k];
  }
  static void drop(Memory& m, std::int32_t task) {
    remove(m.bundle, m.count, task);
    remove(m.path, m.count, task);
    m.count -= 1;
  }
  static void drop_lost(const Sense& s, Memory& m) {
    for (std::int32_t k = 0; k < m.count; ++k)
      if (is_done(m, static_cast<std::size_t>(m.bundle[k]))) drop(m, m.bundle[k--]);
    std::int32_t first = 0;
    while (first < m.count && m.winner[m.bundle[first]] == s.self) ++first;
    // bids of later tasks counted on the lost one
    while (m.count > first) {
      const std::int32_t task = m.bundle[m.count - 1];
      if (m.winner[task] == s.self) release(m, static_cast<std::size_t>(task));
      drop(m, task);
    }
  }
  struct Offer {
    double gain = 0;
    std::int32_t task = -1, place = 0;
  };
  // what a task is worth on top of the bundle, put where it delays the others least; bids are floats, as they are on the air
  static Offer best_place(std::size_t t, double without, const Sense& s, const Params& p, const Memory& m) {
    Offer best;
    for (std::int32_t place = 0; place <= m.count; ++place) {
      std::int32_t path[kMostBundle + 1];
      for (std::int32_t k = 0; k <= m.count; ++k) path[k] = k < place ? m.path[k] : (k == place ? static_cast<std::int32_t>(t) : m.path[k - 1]);
      const double gain = static_cast<double>(static_cast<float>(score(path, m.count + 1, s.position, p) - without));
      if (gain > best.gain) best = {gain, static_cast<std::int32_t>(t), place};
    }
    return best;
  }
  static void build_bundle(const Sense& s, const Params& p, Memory& m) {
    const std::int32_t most = static_cast<std::int32_t>(clamp_to(static_cast<double>(p.bundle), 1, kMostBundle));
    while (m.count < most) {
      const double without = score(m.path, m.count, s.position, p);
      Offer best;
      for (std::size_t t = 0; t < tasks(p); ++t) {
        if (is_done(m, t) || m.winner[t] == s.self) continue;
        // no place is better than flying there first: often enough to know that the bid is too low
        const double bound = math::exp(-distance(s.position, to_v3(p.tasks[t])) / (p.speed * p.horizon));
        if (bound * (1 + 1e-6) <= math::max(best.gain, m.bid[t])) continue;
        const Offer offer = best_place(t, without, s, p, m);
        if (offer.gain > best.gain && beats(offer.gain, s.self, m.bid[t], m.winner[t])) best = offer;
      }
      if (best.task < 0) return;
      for (std::int32_t k = m.count; k > best.place; --k) m.path[k] = m.path[k - 1];
      m.path[best.place] = best.task;
      m.bundle[m.count++] = best.task;
      m.winner[best.task] = s.self;
      m.bid[best.task] = best.gain;
      m.next_told = math::min(m.next_told, s.time + 0.1);  // news
    }
  }
  static Action visit(const Sense& s, const Params& p, double same, Memory& m) {
    if (m.count == 0 || s.time - (m.begun - 1) < p.settle) return {.kind = Action::Kind::Hold};
    const std::int32_t task = m.path[0];
    const V3 goal = above_floor_point(s, to_v3(p.tasks[static_cast<std::size_t>(task)]), p.floor);
    if (distance(goal, s.position) < arrival(s, p.tolerance)) {
      m.done |= std::uint64_t{1} << task;
      m.next_told = 0;
    }
    Action a = fly(above_floor(s, towards(s, goal, p.speed), p.floor));
    a.role = make_role(same, task + 1);
    return a;
  }
  static void tell(const Sense& s, const Params& p, double same, Memory& m, Outbox& out) {
    if (p.rate <= 0 || s.time < m.next_told) return;
    m.next_told = s.time + 1 / p.rate;
    double v[2 * kMostBundle];
    for (std::size_t k = 0; k < kMostBundle; ++k) {
      const bool has = static_cast<std::int32_t>(k) < m.count;
      v[2 * k] = same * kCode + (has ? m.bundle[k] : kCode - 1);
      v[2 * k + 1] = has ? m.bid[m.bundle[k]] : 0;
    }
    out.say(kBids, 0, m.done & 0xffffff, m.done >> 24, v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9]);
  }
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, Auction::Params>
void describe(D& d, V& v) {
  v.field("tasks", d.tasks, {.unit = "m", .min = -1e6, .max = 1e6, .required = true, .doc = "points to visit, at most 48"});
  v.field("bundle", d.bundle, {.min = 1, .max = 5, .doc = "greatest number of tasks that one member holds at once"});
  v.field("speed", d.speed, {.unit = "m/s", .min = 0.1, .max = 100, .doc = "speed between tasks"});
  v.field("horizon", d.horizon, {.unit = "s", .min = 1, .max = 1e5, .doc = "delay of a task that reduces its value to 1/e"});
  v.field("settle", d.settle, {.unit = "s", .min = 0, .max = 1e3, .doc = "time for bids before the first member moves"});
  v.field("tolerance", d.tolerance, {.unit = "m", .min = 0.1, .max = 100, .doc = "distance from a task at which it counts as done"});
  v.field("patience", d.patience, {.unit = "s", .min = 0.1, .max = 1e3, .doc = "time without a message after which the tasks of a winner are open again"});
  v.field("rate", d.rate, {.unit = "Hz", .min = 0.1, .max = 10, .doc = "rate at which a member sends its bids"});
  v.field("floor", d.floor, {.unit = "m", .min = 0, .max = 1e4, .doc = "lowest height above the ground that the vehicle keeps"});
}

}  // namespace volary::swarm
