// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Says where it is under a topic of its own, again and again: a beacon, a base station that calls, a person with a whistle. It does nothing else and
// leaves flying to the others in the library.
// Fails: silently, when nobody is in range; the radio's report says so.
#pragma once

#include <string>

#include "swarm/behaviours/steering.hpp"

namespace volary::swarm {

struct Announce {
  static constexpr const char* name = "announce";
  static constexpr const char* doc = "send its own position under a topic at a fixed rate";
  struct Params {
    std::string topic = "beacon";
    double rate = 1;   // Hz
    double after = 0;  // s
  };
  struct Memory {
    double next = 0;  // s
  };
  struct Features {
    bool due = false;
  };

  static Features extract(const Sense& s, const Params& p, const Memory& m) { return {s.time >= p.after && s.time >= m.next}; }
  static double trigger(const Features& f, const Params&) { return f.due ? 1 : 0; }
  static Action act(const Features&, const Sense& s, const Params& p, Memory& m, Outbox& out) {
    m.next = s.time + 1 / p.rate;
    out.say(topic(p.topic), 0, s.position.x, s.position.y, s.position.z);
    return {.reward = 0};
  }
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, Announce::Params>
void describe(D& d, V& v) {
  v.field("topic", d.topic, {.doc = "topic of the message, which contains the position of the vehicle"});
  v.field("rate", d.rate, {.unit = "Hz", .min = 1e-3, .max = 100, .doc = "rate of messages, at most the rate of decisions"});
  v.field("after", d.after, {.unit = "s", .min = 0, .max = 1e6, .doc = "simulated time from which the vehicle sends"});
}

}  // namespace volary::swarm
