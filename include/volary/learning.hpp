// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A scenario as a task for agents that learn: what an agent observes and does, its goal, its rewards, and what ends an episode. docs/learning.md describes the terms.
// SI units, world frame ENU (suffix _W), body frame FLU (suffix _B), angles in radians.
#pragma once

#include <string>
#include <vector>

#include "volary/def.hpp"

namespace volary {

// The kind of goal. Point: one point. Waypoints: points that are reached one after the other. Curve: a point that moves. Gates: circular openings that are flown
// through one after the other; each faces away from the one before it, the first from the start of the vehicle.
enum class GoalKind { Point, Waypoints, Curve, Gates };

// The goal of an agent, drawn anew in each episode.
struct GoalDef {
  GoalKind kind = GoalKind::Point;
  std::vector<Vec> points;             // m, world frame: waypoints or gates in their order; empty: the origin for each
  Vec low = {0, 0, 0}, high = {0, 0, 0};  // m: a vector that is drawn from this box is added to each point
  int count = 1;                       // number of waypoints or gates of an episode, where `points` is empty
  bool from_start = false;             // true: points are relative to the start of the vehicle in the definition
  double radius = 0.2;                 // m: a waypoint is reached within this distance; radius of the opening of a gate
  double frame = 0.2;                  // m: width of the frame around the opening of a gate
  Harmonic curve;                      // motion of a Curve about its point
  double ahead = 0.2;                  // s: how far the observation `goal_ahead` looks into the future of a Curve
};

// What an agent does: a setpoint of one control level, with the numbers of Many (volary/input.hpp).
struct ActionDef {
  ControlLevel level = ControlLevel::Rates;
  // The setpoint that an action of -1 and of 1 stands for, by number; actions beyond that are cut off. Both empty: derived from the limits of the airframe and its controller.
  std::vector<double> low, high;
  bool scaled = true;  // false: actions are setpoints in SI units, and low and high are not used
};

// A term of the reward: weight times its value after each step.
struct RewardDef {
  std::string term;   // name in reward_terms()
  double weight = 1;
  double scale = 1;   // for terms that have one, in their unit
};

// A condition that ends an episode.
struct EndDef {
  std::string term;      // name in end_terms()
  double limit = 0;      // for terms that have one, in their unit
  double reward = 0;     // added in the step that ends the episode
};

// The task of the agents of one flock. Each vehicle of the flock at the start is an agent.
struct LearningDef {
  std::string flock;                       // empty: the first flock
  ActionDef action;
  std::vector<std::string> observations;   // names in observation_terms(), in the order in which they are observed
  GoalDef goal;
  std::vector<RewardDef> rewards;
  std::vector<EndDef> ends;
  double time_limit = 10;                  // s, simulated: the episode is cut off
  int ticks = 1;                           // ticks of one step of the agent; the action is held
};

}  // namespace volary
