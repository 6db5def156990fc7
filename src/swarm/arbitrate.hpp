// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Which of a node's behaviours acts (SIGMA III.A.4, eq. 2 and 3): those whose trigger is above its threshold propose an action, the one
// with the highest R W + eta sync wins, and the triggered filters change it in the order of the library.
#pragma once

#include <span>

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

struct Proposal {
  bool triggered = false;  // T_k of eq. 2
  double weight = 1;       // W_k
  Action action = {};
};

// R W + eta sync
inline double score(const Proposal& p, const Sense& s, double cooperation) {
  return p.action.reward * p.weight + (cooperation != 0 ? cooperation * sync(p.action, s) : 0);
}

struct Choice {
  int winner = -1;  // index of the proposal, -1: nobody proposed
  double score = 0;
};

// Eq. 3 over those with T = 1. The product with T would let a sleeping behaviour, worth 0, beat one whose score is below zero; here it cannot.
// Equal scores go to the earlier one; a score that is not a number never wins.
inline Choice choose(std::span<const Proposal> proposals, const Sense& s, double cooperation) {
  Choice best;
  for (std::size_t k = 0; k < proposals.size(); ++k) {
    if (!proposals[k].triggered) continue;
    const double value = score(proposals[k], s, cooperation);
    if (value != value || (best.winner >= 0 && value <= best.score)) continue;
    best = {static_cast<int>(k), value};
  }
  return best;
}

// one line of a node's library, ready to run
struct Installed {
  const BehaviourHost* host = nullptr;
  double weight = 1, threshold = 0;
  const void* params = nullptr;
  void* memory = nullptr;
};

struct Decision {
  Action action = {};    // Kind::None when nobody proposed: the vehicle goes on with what it does
  int winner = -1;      // index in the library
  double score = 0;
  int filtered_by = -1;  // the last filter that changed the action
};

inline bool same_action(const Action& a, const Action& b) {
  const auto same = [](const V3& x, const V3& y) { return x.x == y.x && x.y == y.y && x.z == y.z; };
  return a.kind == b.kind && same(a.velocity, b.velocity) && same(a.position, b.position) && same(a.acceleration, b.acceleration) && a.yaw == b.yaw && a.turns == b.turns;
}

// A whole decision. Every triggered behaviour acts, so that those that lose still remember and speak: an auction goes on while avoiding.
// `scratch` keeps its storage between calls.
inline Decision decide(std::span<const Installed> library, const Sense& s, double cooperation, Outbox& out, std::vector<Proposal>& scratch) {
  scratch.assign(library.size(), {});
  for (std::size_t k = 0; k < library.size(); ++k) {
    const Installed& b = library[k];
    if (b.host->filters || !(b.host->trigger(s, b.params, b.memory) > b.threshold)) continue;
    scratch[k] = {true, b.weight, b.host->act({}, s, b.params, b.memory, out)};
  }
  const Choice choice = choose(scratch, s, cooperation);
  Decision d{.winner = choice.winner, .score = choice.score};
  if (choice.winner >= 0) d.action = scratch[static_cast<std::size_t>(choice.winner)].action;
  for (std::size_t k = 0; k < library.size(); ++k) {
    const Installed& b = library[k];
    if (!b.host->filters || !(b.host->trigger(s, b.params, b.memory) > b.threshold)) continue;
    const Action before = d.action;
    d.action = b.host->act(before, s, b.params, b.memory, out);
    if (!same_action(before, d.action)) d.filtered_by = static_cast<int>(k);
  }
  return d;
}

}  // namespace volary::swarm
