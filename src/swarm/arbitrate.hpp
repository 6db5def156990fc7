// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Which of a node's behaviours acts (SIGMA III.A.4, eq. 2 and 3): those whose trigger is above its threshold propose an action, the one
// with the highest R W + eta sync wins, and the triggered filters change it in the order of the library.
#pragma once

#include <cstddef>

#include "swarm/behaviour.hpp"
#include "swarm/behaviours/steering.hpp"

namespace volary::swarm {

// The velocity that an action means: told to the others as intent, compared by sync(), kept safe by `avoid`.
inline V3 intent_of(const Action& a, const Sense& s) {
  switch (a.kind) {
    case Action::Kind::Velocity: return a.velocity;
    case Action::Kind::Position: return limit_norm(a.velocity + towards(s, a.position, s.max_speed), s.max_speed);
    case Action::Kind::TakeOff: return {0, 0, math::min(1.0, s.max_speed)};
    case Action::Kind::Land: return {0, 0, -math::min(1.0, s.max_speed)};
    default: return {0, 0, 0};
  }
}

// sync(a, A) of eq. 3, which the paper leaves open: the mean over the others remembered of the cosine between what the action means and what they
// intend, in [-1, 1]; one that stands still counts as 0, and so does standing still oneself.
inline double sync(const Action& a, const Sense& s) {
  const V3 own = direction(intent_of(a, s));
  double sum = 0;
  for (const Known& k : s.others) sum += dot(own, direction(k.intent));
  return s.others.empty() ? 0 : clamp_to(sum / static_cast<double>(s.others.size()), -1, 1);
}

// What one behaviour of a library proposes, where it lies.
struct Proposal {
  const Action* action = nullptr;  // none: it sleeps (T_k of eq. 2 is 0)
  double weight = 1;               // W_k
};

// R W + eta sync
inline double score(const Proposal& p, const Sense& s, double cooperation) {
  return p.action->reward * p.weight + (cooperation != 0 ? cooperation * sync(*p.action, s) : 0);
}

struct Choice {
  int winner = -1;  // place in the library, -1: nobody proposed
  double score = 0;
};

// Eq. 3 over those with T = 1. The product with T would let a sleeping behaviour, worth 0, beat one whose score is below zero; here it cannot.
// Equal scores go to the earlier one; a score that is not a number never wins.
template <class Library> Choice choose(const Library& library, const Sense& s, double cooperation) {
  Choice best;
  for (std::size_t k = 0; k < library.size(); ++k) {
    const Proposal p = library.filters(k) ? Proposal{} : library.proposal(k);
    if (p.action == nullptr) continue;
    const double value = score(p, s, cooperation);
    if (value != value || (best.winner >= 0 && value <= best.score)) continue;
    best = {static_cast<int>(k), value};
  }
  return best;
}

struct Decision {
  Action action = {};  // Kind::None when nobody proposed: the vehicle goes on with what it does
  int winner = -1;     // place in the library
};

// A whole decision over a library, which says
//   std::size_t size() const;
//   bool filters(k) const;                        whether its k-th behaviour changes actions instead of proposing them
//   Proposal proposal(k) const;                   of one that does not filter
//   Action filtered(k, const Action& wanted);     by one that does: `wanted` itself while it sleeps
template <class Library> Decision arbitrate(Library&& library, const Sense& s, double cooperation) {
  Decision d{.winner = choose(library, s, cooperation).winner};
  if (d.winner >= 0) d.action = *library.proposal(static_cast<std::size_t>(d.winner)).action;
  for (std::size_t k = 0; k < library.size(); ++k)
    if (library.filters(k)) d.action = library.filtered(k, d.action);
  return d;
}

}  // namespace volary::swarm
