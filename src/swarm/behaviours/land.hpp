// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Lands where it is, when it is time or when it is told to.
// Fails: it does not look where it lands: water, a slope or somebody below are not seen. An order that nobody hears is no order.
#pragma once

#include "swarm/behaviours/steering.hpp"

namespace volary::swarm {

struct Land {
  static constexpr const char* name = "land";
  static constexpr const char* doc = "land at the present position, at a set time or on a message";
  struct Params {
    double after = 0;  // s
    std::string on = {};
  };
  struct Memory {
    double begun = 0;
  };
  struct Features {
    bool due = false, down = false;
  };

  static Features extract(const Sense& s, const Params& p, const Memory& m) {
    const bool told = p.on.empty() ? s.time >= p.after : heard(s, p.on) != nullptr;
    // before it flew there is nothing to land; once begun it is not given up until the motors stop
    return {m.begun > 0 || (told && is_flying(s.mode)), s.mode == Mode::Disarmed || s.mode == Mode::EmergencyStop};
  }
  static double trigger(const Features& f, const Params&) { return f.due && !f.down ? 1 : 0; }
  static Action act(const Features&, const Sense&, const Params&, Memory& m, Outbox&) {
    m.begun = 1;
    return {.kind = Action::Kind::Land};
  }
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, Land::Params>
void describe(D& d, V& v) {
  v.field("after", d.after, {.unit = "s", .min = 0, .max = 1e6, .doc = "simulated time from which the vehicle lands"});
  v.field("on", d.on, {.doc = "topic of a message on which the vehicle lands, instead of a time; empty: the time applies"});
}

}  // namespace volary::swarm
