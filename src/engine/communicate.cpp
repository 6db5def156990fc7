// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Saying and hearing. What is said in a tick is on the air from its end; who hears it is worked out there and then, and it is heard at the
// start of the tick in which it arrives: the steps of Cybulski IV-D and V-D, turned so that a tick begins with hearing.
#include <algorithm>
#include <bit>

#include "control/guide.hpp"
#include "engine/data.hpp"
#include "math/hash.hpp"

namespace volary::engine {

namespace {

using swarm::Known;
using swarm::Message;
using swarm::V3;

constexpr std::size_t kMostWaiting = 64;  // messages that wait for a decision

std::uint64_t fold(std::uint64_t h, const Message& m) {
  h = math::mix64(h ^ m.from);
  h = math::mix64(h ^ m.tick);
  h = math::mix64(h ^ (static_cast<std::uint64_t>(m.topic) << 32 | m.count));
  for (std::uint32_t k = 0; k < m.count; ++k) h = math::mix64(h ^ std::bit_cast<std::uint64_t>(m.values[k]));
  return h;
}

// anybody may say anything: numbers that nobody could mean are not believed
bool makes_sense(const Message& m) {
  return std::all_of(m.values.begin(), m.values.begin() + m.count, [](double x) { return x > -1e9 && x < 1e9; });
}

double distance2(const V3& a, const V3& b) {
  const V3 d = a - b;
  return dot(d, d);
}

// remembers what a state message says; when there is no room, the farthest is forgotten
void remember(Society& s, std::size_t slot, const Message& m, const V3& own) {
  Node& node = s.nodes[slot];
  Known* list = s.known.data() + slot * s.remembers;
  const auto& v = m.values;
  const Known fresh{m.from, m.tick, {v[0], v[1], v[2]}, {v[3], v[4], v[5]}, {v[6], v[7], v[8]}, v[9]};
  Known* at = std::lower_bound(list, list + node.known, m.from, [](const Known& k, std::uint64_t id) { return k.from < id; });
  if (at != list + node.known && at->from == m.from) {
    if (at->tick <= m.tick) *at = fresh;
    return;
  }
  if (node.known == s.remembers) {
    Known* farthest =
        std::max_element(list, list + node.known, [&](const Known& a, const Known& b) { return distance2(a.position, own) < distance2(b.position, own); });
    if (farthest == list + node.known || !(distance2(fresh.position, own) < distance2(farthest->position, own))) return;
    std::move(farthest + 1, list + node.known, farthest);
    --node.known;
    if (farthest < at) --at;
  }
  std::move_backward(at, list + node.known, list + node.known + 1);
  *at = fresh;
  ++node.known;
}

// the message-receiving function (C-17)
void hear(Data& d, const swarm::Reception& r, std::uint32_t at) {
  Society& s = d.societies[d.frame.flock[at]];
  const std::size_t slot = d.frame.slot[at];
  s.nodes[slot].digest = fold(s.nodes[slot].digest, r.message);
  const Vec& p = d.frame.position[at];
  if (r.message.topic == swarm::kStateTopic && r.message.count == 10) {
    if (makes_sense(r.message)) remember(s, slot, r.message, {p[0], p[1], p[2]});
    return;
  }
  if (s.inbox[slot].size() < kMostWaiting) s.inbox[slot].push_back(r.message);
}

// position, velocity, intent and role, as floats: what a state message carries
Message state_message(const Data& d, std::size_t at, const Node& node) {
  const Vec &p = d.frame.position[at], &v = d.frame.velocity[at];
  const V3& w = node.intent;
  return {.topic = swarm::kStateTopic, .count = 10, .values = {p[0], p[1], p[2], v[0], v[1], v[2], w.x, w.y, w.z, node.action.role}};
}

void put_on_air(Data& d, std::uint64_t sender, Message m) {
  m.tick = d.tick;
  if (m.from == 0) m.from = sender;
  for (std::uint32_t k = 0; k < m.count; ++k) m.values[k] = static_cast<double>(static_cast<float>(m.values[k]));
  d.air.medium->say(sender, m);
}

// vehicles that tell their state now, and what slow thinkers had to say
void collect(Data& d) {
  for (std::size_t at = 0; at < d.frame.size(); ++at) {
    Society& s = d.societies[d.frame.flock[at]];
    const std::size_t slot = d.frame.slot[at];
    if (s.tell_every != 0 && (d.tick + d.frame.id[at]) % s.tell_every == 0) put_on_air(d, d.frame.id[at], state_message(d, at, s.nodes[slot]));
    std::vector<Unsaid>& unsaid = s.unsaid[slot];
    if (unsaid.empty()) continue;
    for (const Unsaid& u : unsaid)
      if (u.due <= d.tick) put_on_air(d, d.frame.id[at], u.message);
    std::erase_if(unsaid, [&](const Unsaid& u) { return u.due <= d.tick; });
  }
}

void list_radios(Data& d) {
  d.air.radios.clear();
  for (std::size_t at = 0; at < d.frame.size(); ++at) {
    const NodeDef& node = d.flocks[d.frame.flock[at]].def.node;
    const Vec& p = d.frame.position[at];
    d.air.radios.push_back({d.frame.id[at], d.frame.world[at], {p[0], p[1], p[2]}, node.radio_power, node.radio_channel, node.receives});
  }
}

}  // namespace

void deliver(Data& d) {
  if (d.air.medium == nullptr) return;
  if (d.frame_is_stale) refresh_frame(d);
  d.frame_is_stale = false;
  const std::int64_t now = static_cast<std::int64_t>(d.tick) * d.def.tick_ns;
  std::vector<swarm::Reception>& arriving = d.air.arriving;
  const auto later = std::partition_point(arriving.begin(), arriving.end(), [now](const swarm::Reception& r) { return r.end <= now; });
  const std::size_t n = static_cast<std::size_t>(later - arriving.begin());
  if (n == 0) return;
  // every thread hears for its own vehicles
  each_part(*d.pool, d.frame.size(), [&](std::size_t first, std::size_t last, int) {
    for (std::size_t k = 0; k < n; ++k)
      if (const std::uint32_t at = d.frame.find(arriving[k].receiver); at != Frame::kNobody && at >= first && at < last) hear(d, arriving[k], at);
  });
  if (d.judging.looks() && d.judging.needs.heard)
    for (std::size_t k = 0; k < n; ++k)
      if (const std::uint32_t at = d.frame.find(arriving[k].receiver); at != Frame::kNobody)
        d.judging.heard.push_back({d.frame.world[at], {arriving[k].receiver, arriving[k].message.topic}});
  arriving.erase(arriving.begin(), later);
}

void send(Data& d) {
  if (d.air.medium == nullptr) return;
  for (const Outgoing& o : d.air.outgoing)
    if (d.frame.find(o.sender) != Frame::kNobody) put_on_air(d, o.sender, o.message);
  d.air.outgoing.clear();
  collect(d);
  list_radios(d);
  d.air.heard.clear();
  const swarm::Parallel threads{d.pool->size(), [](void* pool, void (*job)(void*, int), void* context) { static_cast<Pool*>(pool)->run(job, context); },
                                d.pool.get()};
  const swarm::Parallel parallel = d.air.radios.size() < kWorthSharing ? swarm::one_thread() : threads;
  const auto sight = [](const void* world, const V3& a, const V3& b) {
    return line_of_sight(*static_cast<const EnvironmentDef*>(world), {a.x, a.y, a.z}, {b.x, b.y, b.z});
  };
  d.air.medium->run(d.tick, d.air.radios, sight, &d.def.environment, parallel, d.air.heard);
  const std::size_t before = d.air.arriving.size();
  for (const swarm::Reception& r : d.air.heard)
    if (r.fate == swarm::Fate::Delivered) d.air.arriving.push_back(r);
  // both stretches are in order already; equal times stay in the order of receivers and senders
  std::inplace_merge(d.air.arriving.begin(), d.air.arriving.begin() + static_cast<std::ptrdiff_t>(before), d.air.arriving.end(),
                     [](const swarm::Reception& a, const swarm::Reception& b) { return a.end < b.end; });
}

}  // namespace volary::engine
