// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What an agent can be rewarded for: one line for each term, in the list at the end. A term is a pure function of four agents of a block (agent_block.hpp) and of
// its scale.
#pragma once

#include "agents/agent_block.hpp"

namespace volary::agents {

struct RewardLine {
  const char *name, *unit, *doc;
  unsigned needs;
  const char* scale_unit;  // none: the term has no scale
  void (*add)(const AgentBlock&, float weight, float scale, float* sum);  // weight times its value, to 16 sums
};

namespace rewards {

using math::all_four;
using math::Quad;

template <class F> void add(const AgentBlock& b, float weight, float scale, float* sum) {
  for (int lane = 0; lane < kBlock; lane += 4) {
    const Quad x = math::four_at(sum + lane) + all_four(weight) * F::value(Four{b, lane}, all_four(scale));
    __builtin_memcpy(sum + lane, &x, sizeof x);
  }
}

inline Quad size_of(Quad x) { return x < all_four(0) ? -x : x; }

struct Alive {
  static Quad value(const Four&, Quad) { return all_four(1); }
};
struct Distance {
  static Quad value(const Four& a, Quad) { return a.distance(); }
};
struct Closeness {
  static Quad value(const Four& a, Quad scale) {
    const Quad x = a.distance() / scale;
    return all_four(1) / (all_four(1) + x * x);
  }
};
struct Progress {
  static Quad value(const Four& a, Quad) { return a.row(a.b.progress); }
};
struct Reached {
  static Quad value(const Four& a, Quad) { return a.row(a.b.reached); }
};
struct SpeedError {
  static Quad value(const Four& a, Quad) { return a.speed_error(); }
};
struct Speed {
  static Quad value(const Four& a, Quad) { return a.speed(); }
};
struct Spin {
  static Quad value(const Four& a, Quad) { return a.length_of(a.b.omega_B); }
};
struct Upright {
  static Quad value(const Four& a, Quad) { return a.up(); }
};
struct Tilt {
  static Quad value(const Four& a, Quad) { return all_four(1) - a.up(); }
};
struct Facing {
  static Quad value(const Four& a, Quad) { return a.facing(); }
};
struct Effort {
  static Quad value(const Four& a, Quad) { return a.row(a.b.effort); }
};
struct Change {
  static Quad value(const Four& a, Quad) { return a.row(a.b.change); }
};
struct Docked {
  static Quad value(const Four& a, Quad) { return a.is_held() ? all_four(1) : all_four(0); }
};
struct RadialError {
  static Quad value(const Four& a, Quad) { return a.radial(); }
};
struct AxialError {
  static Quad value(const Four& a, Quad) { return size_of(a.axial()); }
};
struct Guided {
  static Quad value(const Four& a, Quad scale) { return ((a.radial() <= a.guiding_radius()) & (a.axial() <= scale)) ? all_four(1) : all_four(0); }
};
struct DockForce {
  static Quad value(const Four& a, Quad) { return size_of(a.row(a.b.dock_force)); }
};

template <class F> constexpr RewardLine make(const char* name, const char* unit, const char* doc, unsigned needs = kNothing, const char* scale = nullptr) {
  return {name, unit, doc, needs, scale, &add<F>};
}

}  // namespace rewards

// clang-format off
inline constexpr RewardLine kRewards[] = {
    rewards::make<rewards::Alive>     ("alive",            "-",     "1 in each step of the episode"),
    rewards::make<rewards::Distance>  ("goal_distance",    "m",     "distance to the goal"),
    rewards::make<rewards::Closeness> ("goal_closeness",   "-",     "1 / (1 + (d / scale)^2) with the distance d to the goal: 1 at the goal, 0.5 at the distance `scale`", kNothing, "m"),
    rewards::make<rewards::Progress>  ("goal_progress",    "m",     "decrease of the distance to the goal in the step"),
    rewards::make<rewards::Reached>   ("goal_reached",     "-",     "number of waypoints reached or gates passed in the step; for a point or a curve, 1 where the step ends within its radius"),
    rewards::make<rewards::SpeedError>("goal_speed_error", "m/s",   "magnitude of the difference between the velocities of vehicle and goal; the goal moves only on a curve", kVelocity),
    rewards::make<rewards::Facing>    ("facing_goal",      "-",     "cosine of the angle between the forward axis of the body and the direction to the goal", kAttitude),
    rewards::make<rewards::Speed>     ("speed",            "m/s",   "speed of the vehicle", kVelocity),
    rewards::make<rewards::Spin>      ("spin",             "rad/s", "magnitude of the angular velocity", kOmega),
    rewards::make<rewards::Upright>   ("upright",          "-",     "cosine of the tilt: 1 upright, 0 on the side, -1 upside down", kAttitude),
    rewards::make<rewards::Tilt>      ("tilt",             "-",     "1 - cosine of the tilt: 0 upright, 1 on the side, 2 upside down", kAttitude),
    rewards::make<rewards::Docked>    ("docked",           "-",     "1 where a latch joins the vehicle with its partner, else 0", kDocking),
    rewards::make<rewards::RadialError>("dock_radial_error", "m",   "distance of the tip of the cylinder from the axis of the cone", kDocking),
    rewards::make<rewards::AxialError>("dock_axial_error", "m",     "distance of the tip of the cylinder from the bottom of the cone along the axis", kDocking),
    rewards::make<rewards::Guided>    ("dock_guided",      "-",     "1 where the tip of the cylinder is in the guiding area, at most `scale` before the bottom of the cone; else 0", kDocking, "m"),
    rewards::make<rewards::DockForce> ("dock_force",       "N",     "magnitude of the force of contacts along the axis of the cone", kDocking | kContact),
    rewards::make<rewards::Effort>    ("effort",           "-",     "mean square of the numbers of the action, as scaled to [-1, 1]"),
    rewards::make<rewards::Change>    ("action_change",    "-",     "mean square of the change of the numbers of the action since the step before; the first step of an episode changes them from 0"),
};
// clang-format on

}  // namespace volary::agents
