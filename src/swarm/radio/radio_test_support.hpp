// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A few radios on a field, for tests.
#pragma once

#include <thread>
#include <vector>

#include "core/state.hpp"
#include "swarm/radio/medium.hpp"

namespace volary::swarm {

inline constexpr std::int64_t kTick = 10'000'000;  // ns

// 2.4 GHz, 20 dBm, exponent 3, 10 dB over -95 dBm: it carries 146 m
inline RadioDef log_distance() {
  RadioDef d;
  d.model = RadioModel::LogDistance;
  d.exponent = 3;
  d.spread = false;  // times by hand
  return d;
}
inline RadioDef disc(double range) {
  RadioDef d;
  d.model = RadioModel::Disc;
  d.range = range;
  d.spread = false;
  return d;
}
inline RadioNode node(std::uint64_t id, double x, double y = 0) { return {id, 0, {x, y, 0}, 20, 0, true}; }

inline Message message(std::uint64_t from, std::uint64_t to = 0, double value = 0) {
  Message m;
  m.from = from;
  m.to = to;
  m.count = 1;
  m.values[0] = value;
  return m;
}

// so many threads at once
inline Parallel threads(int parts) {
  static thread_local int n;
  n = parts;
  return {parts,
          [](void* pool, void (*job)(void*, int), void* context) {
            std::vector<std::thread> all;
            for (int part = 1; part < *static_cast<int*>(pool); ++part) all.emplace_back(job, context, part);
            job(context, 0);
            for (std::thread& t : all) t.join();
          },
          &n};
}

// a reception with all that belongs to it
struct Heard {
  std::uint64_t sender, receiver;
  Message message;
  Fate fate;
  double sinr;  // dB
  std::int64_t end;
};

// a medium, its nodes, and the tick that comes next
struct Field {
  Field(const RadioDef& def, std::vector<RadioNode> who, std::uint64_t seed = 1, std::int64_t tick_ns = kTick)
      : nodes(std::move(who)), medium(def, seed, tick_ns) {}

  std::vector<Heard> run(int parts = 1) {
    Arrivals report;
    medium.run(tick++, nodes, sight, world, threads(parts), report);
    std::vector<Heard> out;
    for (const Reception& r : report.receptions) out.push_back({r.sender, r.receiver, report.messages[r.message], r.fate, r.sinr(), r.end});
    return out;
  }
  // what becomes of one broadcast by the first node at the second
  Fate fate() {
    medium.say(nodes[0].id, message(nodes[0].id));
    for (int k = 0; k < 100; ++k)
      for (const Heard& r : run())
        if (r.sender == nodes[0].id && (r.receiver == nodes[1].id || r.receiver == 0)) return r.fate;
    return Fate::Gone;
  }

  std::vector<RadioNode> nodes;
  Medium medium;
  std::uint64_t tick = 0;
  Sight sight = nullptr;
  const void* world = nullptr;
};

inline bool same(const Heard& a, const Heard& b) {
  return a.sender == b.sender && a.receiver == b.receiver && a.fate == b.fate && a.sinr == b.sinr && a.end == b.end && a.message.values == b.message.values;
}
inline bool same(const std::vector<Heard>& a, const std::vector<Heard>& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](const Heard& x, const Heard& y) { return same(x, y); });
}

}  // namespace volary::swarm
