// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What can end the episode of an agent: one line for each term, in the list at the end. A term is a pure function of four agents of a block (agent_block.hpp) and of
// its limit, asked after every tick.
#pragma once

#include "agents/agent_block.hpp"
#include "math/functions.hpp"

namespace volary::agents {

// which goals a term is about
enum class OnlyFor { AnyGoal, Series, Gates };

struct EndLine {
  const char *name, *doc;
  unsigned needs;
  const char* limit_unit;  // none: the term has no limit
  OnlyFor only_for;
  double (*prepare)(double limit);  // what the term is given instead of the limit
  bool (*look)(const AgentBlock&, float limit, std::int32_t* holds);  // 16 masks; whether it holds for some
  bool is_crash = false;  // may also come to hold by a contact after the tick
};

namespace ends {

using math::all_four;
using math::Quad;
using math::QuadMask;

template <class F> bool look(const AgentBlock& b, float limit, std::int32_t* holds) {
  QuadMask some = {0, 0, 0, 0};
  for (int lane = 0; lane < kBlock; lane += 4) {
    const QuadMask m = F::holds(Four{b, lane}, all_four(limit));
    some |= m;
    __builtin_memcpy(holds + lane, &m, sizeof m);
  }
  return math::any_of(some);
}
inline double as_it_is(double limit) { return limit; }
inline double cosine(double limit) { return math::cos(limit); }

struct TooFar {
  static QuadMask holds(const Four& a, Quad limit) { return a.distance() > limit; }
};
struct Below {
  static QuadMask holds(const Four& a, Quad limit) { return a.row(a.b.height) < limit; }
};
struct Above {
  static QuadMask holds(const Four& a, Quad limit) { return a.row(a.b.height) > limit; }
};
struct Tilted {
  static QuadMask holds(const Four& a, Quad limit) { return a.up() < limit; }
};
struct OnGround {
  static QuadMask holds(const Four& a, Quad) { return a.row(a.b.ground_force) > all_four(0); }
};
// the ground has slowed the vehicle down by the end of the tick, so its speed at the start counts
struct Landed {
  static QuadMask holds(const Four& a, Quad limit) { return OnGround::holds(a, limit) & (a.row(a.b.speed_before) <= limit); }
};
struct HardLanding {
  static QuadMask holds(const Four& a, Quad limit) { return OnGround::holds(a, limit) & (a.row(a.b.speed_before) > limit); }
};
struct TooFast {
  static QuadMask holds(const Four& a, Quad limit) { return a.speed() > limit; }
};
struct Spinning {
  static QuadMask holds(const Four& a, Quad limit) { return a.length_of(a.b.omega_B) > limit; }
};
struct GoalsDone {
  static QuadMask holds(const Four& a, Quad) { return a.row(a.b.left) <= all_four(0); }
};
struct GateHit {
  static QuadMask holds(const Four& a, Quad) { return a.row(a.b.missed) == all_four(1); }
};
struct GateMissed {
  static QuadMask holds(const Four& a, Quad) { return a.row(a.b.missed) > all_four(0); }
};
// to half a tick
struct DockedFor {
  static QuadMask holds(const Four& a, Quad limit) { return a.is_held() & ((a.row(a.b.held) + all_four(0.5f)) * all_four(a.b.tick) > limit); }
};
struct DockMissed {
  static QuadMask holds(const Four& a, Quad limit) { return a.radial() > a.guiding_radius() + limit; }
};
struct HardContact {
  static QuadMask holds(const Four& a, Quad limit) { return a.row(a.b.contact_force) > limit; }
};
struct Diverged {
  static QuadMask holds(const Four& a, Quad) { return a.has_bit(control::kDiverged); }
};
struct Crashed {
  static QuadMask holds(const Four& a, Quad) { return a.has_mode(Mode::EmergencyStop); }
};

template <class F>
constexpr EndLine make(const char* name, const char* doc, unsigned needs, const char* limit, OnlyFor only_for = OnlyFor::AnyGoal,
                       double (*prepare)(double) = &as_it_is) {
  return {name, doc, needs, limit, only_for, prepare, &look<F>, std::is_same_v<F, Crashed>};
}

}  // namespace ends

// clang-format off
inline constexpr EndLine kEnds[] = {
    ends::make<ends::TooFar>     ("too_far",      "the vehicle is farther than the limit from its goal", kNothing, "m"),
    ends::make<ends::Below>      ("below",        "the height of the vehicle, in the world frame, is less than the limit", kNothing, "m"),
    ends::make<ends::Above>      ("above",        "the height of the vehicle, in the world frame, is greater than the limit", kNothing, "m"),
    ends::make<ends::Tilted>     ("tilted",       "the tilt is greater than the limit", kAttitude, "rad", OnlyFor::AnyGoal, &ends::cosine),
    ends::make<ends::OnGround>   ("on_ground",    "the vehicle touches the ground", kGround, nullptr),
    ends::make<ends::Landed>     ("landed",       "the vehicle touches the ground, with a speed of at most the limit when the tick began", kGround | kVelocity, "m/s"),
    ends::make<ends::HardLanding>("hard_landing", "the vehicle touches the ground, with a speed above the limit when the tick began", kGround | kVelocity, "m/s"),
    ends::make<ends::TooFast>    ("too_fast",     "the speed is greater than the limit", kVelocity, "m/s"),
    ends::make<ends::Spinning>   ("spinning",     "the angular velocity is greater than the limit", kOmega, "rad/s"),
    ends::make<ends::GoalsDone>  ("goals_done",   "all waypoints are reached or all gates are passed", kNothing, nullptr, OnlyFor::Series),
    ends::make<ends::GateHit>    ("gate_hit",     "the vehicle crosses the plane of its gate within the frame around the opening", kNothing, nullptr, OnlyFor::Gates),
    ends::make<ends::GateMissed> ("gate_missed",  "the vehicle crosses the plane of its gate outside of the opening", kNothing, nullptr, OnlyFor::Gates),
    ends::make<ends::DockedFor>  ("docked",       "a latch has joined the vehicle with its partner for the limit", kDocking, "s"),
    ends::make<ends::DockMissed> ("dock_missed",  "the tip of the cylinder is more than the limit outside of the guiding area", kDocking, "m"),
    ends::make<ends::HardContact>("hard_contact", "the force of contacts is greater than the limit", kContact, "N"),
    ends::make<ends::Diverged>   ("diverged",     "the numbers of the vehicle's state are no longer valid", kNothing, nullptr),
    ends::make<ends::Crashed>    ("crashed",      "the vehicle was stopped: by a collision, where the contact policy of its flock is crash, or by an emergency stop", kNothing, nullptr),
};
// clang-format on

}  // namespace volary::agents
