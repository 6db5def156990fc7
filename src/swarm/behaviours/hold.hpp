// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Stays where it is: what a library ends with, so that somebody always proposes something.
// Fails: never; in wind it is as still as the vehicle's position controller.
#pragma once

#include "swarm/behaviours/steering.hpp"

namespace volary::swarm {

struct Hold {
  static constexpr const char* name = "hold";
  static constexpr const char* doc = "stay at the present position";
  struct Params {
    double reward = 0.1;  // R
  };
  struct Memory {};
  struct Features {};

  static Features extract(const Sense&, const Params&, const Memory&) { return {}; }
  static double trigger(const Features&, const Params&) { return 1; }
  static Action act(const Features&, const Sense&, const Params& p, Memory&, Outbox&) { return {.kind = Action::Kind::Hold, .reward = p.reward}; }
};
template <class D, class V> requires std::is_same_v<std::remove_const_t<D>, Hold::Params>
void describe(D& d, V& v) {
  v.field("reward", d.reward, {.min = 0, .max = 1e3, .doc = "reward of staying; a value below 1, the usual reward, makes hold the last choice"});
}

}  // namespace volary::swarm
