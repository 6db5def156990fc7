// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Saying and hearing. What is said in a tick is on the air from its end; who hears it is worked out there and then, and it is heard at the
// start of the tick in which it arrives: the steps of Cybulski IV-D and V-D, turned so that a tick begins with hearing.
#include <algorithm>

#include "control/guide.hpp"
#include "engine/data.hpp"
#include "engine/remainder.hpp"

namespace volary::engine {

namespace {

using swarm::Message;
using swarm::V3;

constexpr std::size_t kFar = 24, kNear = 12;  // receptions ahead of which memory is fetched

// anybody may say anything: numbers that nobody could mean are not believed
bool makes_sense(const Message& m) {
  return std::all_of(m.values.begin(), m.values.begin() + m.count, [](double x) { return x > -1e9 && x < 1e9; });
}

// what is the same for all that hear a message
Arriving look_at(const Message& m) {
  const bool is_state = m.topic == swarm::kStateTopic && m.count == Acquaintances::kNumbers;
  return {swarm::hash_of(m), is_state, is_state && makes_sense(m)};
}

// the message-receiving function (C-17); true: the message is for its inbox
bool hear(Data& d, const Message& m, const Arriving& known, std::uint32_t at) {
  Society& s = d.societies[d.frame.flock[at]];
  const std::size_t slot = d.frame.slot[at];
  s.digests[slot] = math::mix64(s.digests[slot] ^ known.hash);
  if (known.makes_sense && m.from != d.frame.id[at]) s.known.learn(slot, m, d.frame.position[at], {tick_of_world(d, d.frame.world[at]), s.forget});
  // a vehicle without behaviours reads no messages; it has received this one all the same. Another process reads those of its vehicles.
  return !known.is_state && s.decides() && is_own(d, d.frame.flock[at], slot);
}

// of one vehicle in the order of hearing
void fill_inboxes(Data& d) {
  d.air.overrun_now = 0;
  for (const std::vector<Air::Letter>& part : d.air.letters)
    for (const Air::Letter& l : part)
      d.air.overrun_now += d.societies[d.frame.flock[l.at]].inbox.add(d.frame.slot[l.at], d.air.arrivals.messages[l.message]) ? 0 : 1;
  d.air.overrun += d.air.overrun_now;
}

// what it believes of its position and velocity, what it intends, its role
Message state_message(const Data& d, std::size_t at, const Node& node) {
  const Vec &p = d.frame.position[at], &v = d.frame.velocity[at];
  const Believed own = believed(d, d.flocks[d.frame.flock[at]], d.frame.slot[at], {p[0], p[1], p[2]}, {v[0], v[1], v[2]});
  const V3 &x = own.position, &u = own.velocity;
  const float* w = node.intent;
  return {.topic = swarm::kStateTopic, .count = 10, .values = {x.x, x.y, x.z, u.x, u.y, u.z, w[0], w[1], w[2], node.role}};
}

// Once in every period, at a moment drawn anew each time: two that always spoke at the same moment would never hear each other.
class TellingTime {
 public:
  TellingTime(std::uint64_t seed, std::uint64_t tick, std::uint64_t every)
      : tells_(every != 0), by_(tells_ ? every : 1), now_(by_.of(tick)), period_(math::mix64(seed + (tells_ ? tick / every : 0))) {}
  bool is_now(std::uint64_t draw) const { return tells_ && by_.of(math::mix64(draw ^ period_)) == now_; }

 private:
  bool tells_;
  Remainder by_;
  std::uint64_t now_, period_;
};

// of all flocks in one tick; worlds of a batch may have times of their own
class TellingTimes {
 public:
  explicit TellingTimes(const Data& d) : d_(d), time_(d) {
    const std::vector<std::uint32_t>& episodes = d.worlds.episode;
    are_alike_ = time_.is_shared() && std::all_of(episodes.begin(), episodes.end(), [&](std::uint32_t e) { return e == episodes.front(); });
    for (const Society& s : d.societies) of_flock_.push_back(of_world(0, s));
  }
  bool are_alike() const { return are_alike_; }  // in all worlds
  const TellingTime& of_flock(std::size_t flock) const { return of_flock_[flock]; }
  TellingTime of_world(std::uint32_t world, const Society& s) const {
    const std::uint32_t episode = d_.worlds.episode[world];
    return {episode == 0 ? d_.def.seed : d_.def.seed ^ math::mix64(episode), time_.of_world(world), s.tell_every};
  }

 private:
  const Data& d_;
  WorldTime time_;
  bool are_alike_ = true;
  std::vector<TellingTime> of_flock_;
};

// what hear() will look at
void prefetch(const Data& d, std::uint32_t at) {
  const Society& s = d.societies[d.frame.flock[at]];
  __builtin_prefetch(&s.digests[d.frame.slot[at]], 1);
  s.known.prefetch(d.frame.slot[at]);
}
void prefetch(const Data& d, std::uint32_t at, std::uint64_t from) { d.societies[d.frame.flock[at]].known.prefetch(d.frame.slot[at], from); }

// whether a fault of the sender's link keeps a message from the air: its radio is off, or it is lost
bool is_lost(const Data& d, std::uint64_t sender, const LinkFault& link) {
  if (link.is_off) return true;
  const Location* l = link.lost > 0 ? d.locations.find(sender) : nullptr;
  if (l == nullptr) return false;
  const Flock& f = d.flocks[l->flock];
  const std::uint32_t nth = link.said++ & 0x7fu;
  const std::uint32_t world = f.worlds[l->slot];
  const auto words = draw_for(key_of_world(d, world), f.draws[l->slot], math::Purpose::FaultDrop, tick_of_world(d, world), 128 + nth);  // actuators are below 128
  return uniform_of(words.w[0]) < link.lost;
}

// a message that a fault holds back is said later, after those of its vehicle that wait already
void hold_back(Data& d, std::uint64_t sender, Message m, std::uint64_t delay) {
  const Location* l = d.locations.find(sender);
  if (l == nullptr) return;
  std::vector<Unsaid>& all = d.societies[l->flock].unsaid;
  const auto at = std::upper_bound(all.begin(), all.end(), l->slot, [](std::size_t slot, const Unsaid& u) { return slot < u.slot; });
  m.tick = tick_of_world(d, d.flocks[l->flock].worlds[l->slot]);  // what it tells was true now
  all.insert(at, Unsaid{m.tick + delay, l->slot, m});
}

void put_on_air(Data& d, std::uint64_t sender, Message m, bool was_held_back = false) {
  if (const LinkFault* link = d.faults.links.empty() ? nullptr : d.faults.link_of(sender)) {
    if (is_lost(d, sender, *link)) return;
    if (link->delay > 0 && !was_held_back) return hold_back(d, sender, m, link->delay);
  }
  const std::uint32_t world = world_of(d, sender);
  if (!was_held_back || m.tick == 0) m.tick = tick_of_world(d, world);
  m.from = m.from == swarm::kOwnId ? sender : m.from == swarm::kNoId ? 0 : m.from;
  for (std::uint32_t k = 0; k < m.count; ++k) m.values[k] = static_cast<double>(static_cast<float>(m.values[k]));
  d.air.medium->say(world, sender, m);
}

// what slow thinkers had to say; whoever is not there any more says nothing
void say_unsaid(Data& d, std::size_t flock) {
  std::erase_if(d.societies[flock].unsaid, [&](const Unsaid& u) {
    const std::uint64_t id = d.flocks[flock].ids[u.slot].number();
    const bool is_said = u.due <= tick_of_world(d, d.flocks[flock].worlds[u.slot]) && d.frame.find(id) != Frame::kNobody;
    if (is_said) put_on_air(d, id, u.message, true);
    return is_said;
  });
}

// f(flock, first, last) for places in the frame that follow each other and are of one flock
template <class F> void each_of_a_flock(const Frame& frame, std::size_t first, std::size_t last, F&& f) {
  for (std::size_t from = first, to = first; from < last; from = to) {
    while (to < last && frame.flock[to] == frame.flock[from]) ++to;
    f(frame.flock[from], from, to);
  }
}

// vehicles that tell their state now, and then what slow thinkers had to say
void collect(Data& d) {
  std::vector<std::vector<std::uint32_t>>& speakers = d.air.speakers;
  speakers.resize(static_cast<std::size_t>(d.pool->size()));
  for (auto& part : speakers) part.clear();
  const TellingTimes times(d);
  each_part(*d.pool, d.frame.size(), cost::kRead, [&](std::size_t first, std::size_t last, int part) {
    std::vector<std::uint32_t>& mine = speakers[static_cast<std::size_t>(part)];
    each_of_a_flock(d.frame, first, last, [&](std::uint32_t flock, std::size_t from, std::size_t to) {
      const std::uint64_t* const draws = d.flocks[flock].draws.data();
      if (times.are_alike()) {
        const TellingTime time = times.of_flock(flock);
        for (std::size_t at = from; at < to; ++at)
          if (time.is_now(draws[d.frame.slot[at]])) mine.push_back(static_cast<std::uint32_t>(at));
      } else {
        for (std::size_t at = from; at < to; ++at)
          if (times.of_world(d.frame.world[at], d.societies[flock]).is_now(draws[d.frame.slot[at]])) mine.push_back(static_cast<std::uint32_t>(at));
      }
    });
  });
  for (const auto& part : speakers)
    for (const std::uint32_t at : part) put_on_air(d, d.frame.id[at], state_message(d, at, d.societies[d.frame.flock[at]].nodes[d.frame.slot[at]]));
  for (std::size_t k = 0; k < d.flocks.size(); ++k) say_unsaid(d, k);
}

void list_radios(Data& d) {
  d.air.radios.resize(d.frame.size());
  each_part(*d.pool, d.frame.size(), cost::kRead, [&](std::size_t first, std::size_t last, int) {
    each_of_a_flock(d.frame, first, last, [&](std::uint32_t flock, std::size_t from, std::size_t to) {
      const NodeDef& node = d.flocks[flock].def.node;
      const std::uint64_t* const draws = d.flocks[flock].draws.data();
      const double power = node.radio_power;
      const int channel = node.radio_channel;
      const bool receives = node.receives;
      const auto first_world = static_cast<std::uint32_t>(d.def.first_world);
      for (std::size_t at = from; at < to; ++at) {
        const Vec& p = d.frame.position[at];
        d.air.radios[at] = {d.frame.id[at], first_world + d.frame.world[at], {p[0], p[1], p[2]}, power, channel, receives, draws[d.frame.slot[at]]};
        if (d.faults.links.empty()) continue;
        if (const LinkFault* link = d.faults.link_of(d.frame.id[at])) {
          d.air.radios[at].power += link->power;
          d.air.radios[at].receives = receives && !link->is_off;
        }
      }
    });
  });
}

}  // namespace

void deliver(Data& d) {
  follow_changes(d);
  take_coupled(d);
  if (d.air.medium == nullptr) return;
  swarm::Arrivals& in = d.air.arrivals;
  if (in.receptions.empty()) return;
  std::vector<Arriving>& looks = d.air.looks;
  looks.resize(in.messages.size());
  each_part(*d.pool, in.messages.size(), cost::kRead, [&](std::size_t first, std::size_t last, int) {
    for (std::size_t k = first; k < last; ++k) looks[k] = look_at(in.messages[k]);
  });
  std::vector<std::uint32_t>& receivers = d.air.receivers;
  receivers.resize(in.receptions.size());
  each_part(*d.pool, in.receptions.size(), cost::kRead, [&](std::size_t first, std::size_t last, int) {
    for (std::size_t k = first; k < last; ++k) {
      const std::uint32_t at = in.receptions[k].fate == swarm::Fate::Delivered ? d.frame.find(in.receptions[k].receiver) : Frame::kNobody;
      const bool is_deaf = at != Frame::kNobody && d.shared.is_ahead && !is_own(d, d.frame.flock[at], d.frame.slot[at]);
      receivers[k] = is_deaf ? Frame::kNobody : at;
    }
  });
  // every thread hears for its own vehicles
  d.air.letters.resize(static_cast<std::size_t>(d.pool->size()));
  for (auto& part : d.air.letters) part.clear();
  const double hearing = cost::kHear * static_cast<double>(in.receptions.size()) / static_cast<double>(std::max<std::size_t>(1, d.frame.size()));
  each_part(*d.pool, d.frame.size(), hearing, [&](std::size_t first, std::size_t last, int part) {
    const auto mine = [&](std::size_t k) { return receivers[k] >= first && receivers[k] < last ? receivers[k] : Frame::kNobody; };
    const std::size_t n = in.receptions.size();
    for (std::size_t k = 0; k < n; ++k) {
      // vehicles lie scattered: what those need that come soon is fetched meanwhile
      if (k + kFar < n)
        if (const std::uint32_t at = mine(k + kFar); at != Frame::kNobody) prefetch(d, at);
      if (k + kNear < n)
        if (const std::uint32_t at = mine(k + kNear); at != Frame::kNobody) prefetch(d, at, in.messages[in.receptions[k + kNear].message].from);
      const std::uint32_t message = in.receptions[k].message;
      if (const std::uint32_t at = mine(k); at != Frame::kNobody && hear(d, in.messages[message], looks[message], at))
        d.air.letters[static_cast<std::size_t>(part)].push_back({at, message});
    }
  });
  fill_inboxes(d);
  if (d.judging.looks() && d.judging.needs.heard)
    for (const swarm::Reception& r : in.receptions)
      if (const std::uint32_t at = d.frame.find(r.receiver); r.fate == swarm::Fate::Delivered && at != Frame::kNobody)
        d.judging.heard.push_back({d.frame.world[at], {r.receiver, in.messages[r.message].topic}});
  in.messages.clear(), in.receptions.clear();
}

void send(Data& d) {
  if (d.air.medium == nullptr) return;
  for (const Outgoing& o : d.air.outgoing)
    if (d.frame.find(o.sender) != Frame::kNobody) put_on_air(d, o.sender, o.message);
  d.air.outgoing.clear();
  collect(d);
  list_radios(d);
  struct Lent {
    Pool& pool;
    int parts;
  } lent{*d.pool, d.pool->parts(d.air.radios.size(), cost::kRadio)};
  const auto run = [](void* to, void (*job)(void*, int), void* context) { static_cast<Lent*>(to)->pool.run(static_cast<Lent*>(to)->parts, job, context); };
  const swarm::Parallel parallel{lent.parts, run, &lent};
  const auto sight = [](const void* world, const V3& a, const V3& b) {
    return line_of_sight(*static_cast<const EnvironmentDef*>(world), {a.x, a.y, a.z}, {b.x, b.y, b.z});
  };
  d.air.ticks.resize(d.worlds.start.size());
  for (std::uint32_t k = 0; k < d.air.ticks.size(); ++k) d.air.ticks[k] = tick_of_world(d, k);
  d.air.medium->run(d.air.ticks, d.air.radios, static_cast<std::uint32_t>(d.def.first_world), {sight, &d.def.environment}, parallel, d.air.arrivals);
}

}  // namespace volary::engine
