// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The section `learning` of a scenario: the task of agents that learn. It is written as it is in the WorldDef (volary/learning.hpp), so it needs no twin.
#pragma once

#include <concepts>
#include <type_traits>

#include "agents/task_check.hpp"
#include "control/names.hpp"
#include "core/describe.hpp"
#include "volary/learning.hpp"

namespace volary {

template <class D, class T> concept DescribesTask = std::is_same_v<std::remove_const_t<D>, T>;

template <class D, class V> requires DescribesTask<D, Harmonic>
void describe(D& d, V& v) {
  v.field("amplitude", d.amplitude, {.unit = "m", .min = -1e5, .max = 1e5, .doc = "amplitude of the motion on each axis"});
  v.field("rate", d.rate, {.unit = "rad/s", .min = -1e3, .max = 1e3, .doc = "angular frequency of the motion on each axis"});
  v.field("phase", d.phase, {.unit = "rad", .min = -1e3, .max = 1e3, .doc = "phase of the motion on each axis"});
  v.field("ramp", d.ramp, {.unit = "s", .min = 0, .max = 1e5, .doc = "time in which the motion reaches full speed"});
}
template <class D, class V> requires DescribesTask<D, GoalDef>
void describe(D& d, V& v) {
  v.field("kind", d.kind,
          {.doc = "point: one point. waypoints: points that are reached one after the other. curve: a point that moves. gates: openings that are flown through "
                  "one after the other"});
  v.field("points", d.points,
          {.unit = "m", .min = 0, .max = 10'000, .doc = "positions of the goals in their order, east north up; empty: the origin for each"});
  v.field("low", d.low,
          {.unit = "m", .min = -1e7, .max = 1e7, .doc = "lowest corner of a box; a vector that is drawn from it in each episode is added to each point"});
  v.field("high", d.high, {.unit = "m", .min = -1e7, .max = 1e7, .doc = "highest corner of the box"});
  v.field("count", d.count, {.min = 1, .max = 10'000, .doc = "number of waypoints or gates of an episode, where points is empty"});
  v.field("from_start", d.from_start, {.doc = "whether points are relative to the start of the vehicle in the scenario"});
  v.field("radius", d.radius, {.unit = "m", .min = 1e-3, .max = 1e5, .doc = "distance within which a waypoint is reached; radius of the opening of a gate"});
  v.field("frame", d.frame, {.unit = "m", .min = 0, .max = 1e5, .doc = "width of the frame around the opening of a gate"});
  v.field("curve", d.curve, {.doc = "motion of a goal of the kind curve about its point: amplitude * sin(rate t + phase) on each axis"});
  v.field("ahead", d.ahead,
          {.unit = "s", .min = 0, .max = 1e3, .doc = "time by which the observation goal_ahead looks into the future of a curve, rounded to ticks"});
}
template <class D, class V> requires DescribesTask<D, ActionDef>
void describe(D& d, V& v) {
  v.field("level", d.level, {.doc = "control level of the setpoint that an action is"});
  v.field("low", d.low,
          {.min = -1e7,
           .max = 1e7,
           .doc = "setpoint that an action of -1 stands for, number by number; empty: derived from the limits of the airframe and its controller"});
  v.field("high", d.high, {.min = -1e7, .max = 1e7, .doc = "setpoint that an action of 1 stands for, number by number"});
  v.field("scaled", d.scaled, {.doc = "whether actions are scaled to [-1, 1]; false: they are setpoints in SI units"});
}
template <class D, class V> requires DescribesTask<D, RewardDef>
void describe(D& d, V& v) {
  v.field("term", d.term, {.required = true, .doc = "name of the term, such as goal_distance; docs/learning.md lists them"});
  v.field("weight", d.weight, {.min = -1e9, .max = 1e9, .doc = "factor on the value of the term"});
  v.field("scale", d.scale, {.min = 1e-9, .max = 1e9, .doc = "scale of a term that has one, in its unit"});
}
template <class D, class V> requires DescribesTask<D, EndDef>
void describe(D& d, V& v) {
  v.field("term", d.term, {.required = true, .doc = "name of the condition, such as too_far; docs/learning.md lists them"});
  v.field("limit", d.limit, {.min = -1e9, .max = 1e9, .doc = "limit of a condition that has one, in its unit"});
  v.field("reward", d.reward, {.min = -1e9, .max = 1e9, .doc = "reward that is added in the step that ends the episode"});
}
template <class D, class V> requires DescribesTask<D, LearningDef>
void describe(D& d, V& v) {
  v.field("flock", d.flock, {.doc = "name of the flock whose vehicles are the agents; empty: the first flock"});
  v.field("action", d.action, {.doc = "action of an agent: a setpoint of one control level"});
  v.field("observations", d.observations, {.min = 0, .max = 100, .doc = "names of terms that an agent observes, in their order; docs/learning.md lists them"});
  v.field("goal", d.goal, {.doc = "goal of each agent, drawn anew in each episode"});
  v.field("rewards", d.rewards, {.min = 0, .max = 100, .doc = "terms of the reward of each step"});
  v.field("ends", d.ends, {.min = 0, .max = 254, .doc = "conditions that end the episode of an agent; the first in the list that holds counts"});
  v.field("time_limit", d.time_limit, {.unit = "s", .min = 1e-6, .max = 1e9, .doc = "simulated time after which an episode is cut off"});
  v.field("ticks", d.ticks, {.min = 1, .max = 1e6, .doc = "number of ticks of one step of the agents; the action is held"});
}

}  // namespace volary
