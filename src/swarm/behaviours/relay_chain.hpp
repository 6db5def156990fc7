// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Members stand in a row between two points, evenly by the rank of their ids, and pass on messages of given topics, so that what is said at one end
// is heard at the other. Each is in range of its neighbours only: who the members are spreads by gossip from hop to hop. When one falls silent for
// `patience` the others close up.
// Fails: fewer members than distance / range leave a gap, and then each part takes itself for the whole chain and spreads over all of it. News of a
// loss need a gossip round per hop, and a round tells five members at a time: `patience` must be longer than that, or far members flicker (a hundred
// over twenty hops: gossip at 10 Hz and a minute). A message with the same content within `quiet`
// seconds is taken for an echo and not passed on.
#pragma once

#include <string_view>
#include <utility>

#include "math/hash.hpp"
#include "swarm/behaviours/roster.hpp"

namespace volary::swarm {

struct RelayChain {
  static constexpr const char* name = "relay_chain";
  static constexpr const char* doc = "stand in a row between two points and pass messages on";
  static constexpr std::size_t kRemembered = 16;

  struct Params {
    std::array<double, 3> base = {0, 0, 0}, goal = {100, 0, 0};  // m
    bool ends = false;
    double height = 0;  // m
    double speed = 4;  // m/s
    double patience = 10;  // s
    double gossip = 2;  // Hz
    std::string forward = {};
    double quiet = 1;  // s
    double floor = 2;  // m
  };
  struct Memory {
    Roster roster;
    std::uint64_t seen[kRemembered] = {};  // hashes of messages passed on
    double until[kRemembered] = {};  // s
    std::uint64_t next = 0;
  };
  struct Features {
    bool active = false;
  };

  static Features extract(const Sense& s, const Params&, const Memory&) { return {is_flying(s.mode)}; }
  static double trigger(const Features& f, const Params&) { return f.active ? 1 : 0; }
  static Action act(const Features&, const Sense& s, const Params& p, Memory& m, Outbox& out) {
    const double same = TaskTag(name).with(p.base).with(p.goal).value();
    m.roster.update(s, p.patience, same);
    m.roster.gossip(s, p.gossip, same, out);
    for (const Message& message : s.messages)
      if (is_forwarded(p.forward, message.topic) && message.to != s.self && is_news(message, s, p, m)) pass_on(message, out);
    const std::size_t rank = m.roster.rank(s.self, s);
    V3 place = place_of(rank, m.roster.members(), p);
    if (p.height > 0) place.z = s.ground_ahead + p.height;
    place = above_floor_point(s, place, p.floor);
    Action a = distance(place, s.position) < arrival(s, 1) ? go_to(place) : fly(above_floor(s, towards(s, place, p.speed), p.floor));
    a.role = make_role(same, static_cast<double>(rank + 1));
    return a;
  }

  // member k of n: between the ends, or from end to end
  static V3 place_of(std::size_t k, std::size_t n, const Params& p) {
    const double part = p.ends ? (n > 1 ? static_cast<double>(k) / static_cast<double>(n - 1) : 0.5) : static_cast<double>(k + 1) / static_cast<double>(n + 1);
    return add_scaled(part, to_v3(p.goal) - to_v3(p.base), to_v3(p.base));
  }
  // whether a topic is one of the names in a list with commas or spaces between
  static bool is_forwarded(std::string_view names, std::uint32_t wanted) {
    while (!names.empty()) {
      const std::size_t end = names.find_first_of(", ");
      const std::string_view one = names.substr(0, end);
      if (!one.empty() && topic(one) == wanted) return true;
      names = end == std::string_view::npos ? std::string_view{} : names.substr(end + 1);
    }
    return false;
  }

 private:
  static std::uint64_t content(const Message& m) {
    std::uint64_t h = math::mix64(m.topic ^ (m.to << 1));
    for (std::uint32_t k = 0; k < m.count && k < Message::kMost; ++k) h = math::mix64(h ^ math::to_bits(m.values[k]));
    return h;
  }
  static bool is_news(const Message& message, const Sense& s, const Params& p, Memory& m) {
    const std::uint64_t hash = content(message);
    for (std::size_t k = 0; k < kRemembered; ++k)
      if (m.seen[k] == hash && s.time < m.until[k]) return false;
    m.seen[m.next] = hash;
    m.until[m.next] = s.time + p.quiet;
    m.next = (m.next + 1) % kRemembered;
    return true;
  }
  template <std::size_t... I> static void say_first(const Message& m, Outbox& out, std::index_sequence<I...>) { out.say(m.topic, m.to, m.values[I]...); }
  template <std::size_t N> static void pass_on_if(const Message& m, Outbox& out) {
    if (m.count == N) say_first(m, out, std::make_index_sequence<N>());
  }
  static void pass_on(const Message& m, Outbox& out) {
    [&]<std::size_t... N>(std::index_sequence<N...>) { (pass_on_if<N>(m, out), ...); }(std::make_index_sequence<Message::kMost + 1>());
  }
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, RelayChain::Params>
void describe(D& d, V& v) {
  v.field("base", d.base, {.unit = "m", .min = -1e6, .max = 1e6, .required = true, .doc = "position of the first end of the chain"});
  v.field("goal", d.goal, {.unit = "m", .min = -1e6, .max = 1e6, .required = true, .doc = "position of the other end of the chain"});
  v.field("ends", d.ends, {.doc = "whether members also stand at the two ends; false: the ends are left to other vehicles"});
  v.field("height", d.height, {.unit = "m", .min = 0, .max = 1e4, .doc = "height of the members above ground; 0: on the straight line between the ends"});
  v.field("speed", d.speed, {.unit = "m/s", .min = 0.1, .max = 100, .doc = "speed on the way to the position in the chain"});
  v.field("patience", d.patience, {.unit = "s", .min = 0.1, .max = 1e3, .doc = "time without a message after which a member counts as lost"});
  v.field("gossip", d.gossip, {.unit = "Hz", .min = 0.1, .max = 10, .doc = "rate at which a member sends the list of members that it knows"});
  v.field("forward", d.forward, {.doc = "names of the topics that are forwarded, separated by commas; empty: none"});
  v.field("quiet", d.quiet,
          {.unit = "s", .min = 0, .max = 1e3, .doc = "time for which a message with the same content is not forwarded again; longer than two decisions"});
  v.field("floor", d.floor, {.unit = "m", .min = 0, .max = 1e4, .doc = "lowest height above the ground that the vehicle keeps"});
}

}  // namespace volary::swarm
