// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A scenario as a task for agents that learn: observations and actions of an agent, its goal, its rewards, and the ends of its episodes. docs/learning.md describes the terms.
// SI units, world frame ENU (suffix _W), body frame FLU (suffix _B), angles in radians.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "volary/api.hpp"
#include "volary/def.hpp"
#include "volary/world.hpp"

namespace volary {

// The kind of goal. Point: one point. Waypoints: points that are reached one after the other. Curve: a point that moves. Gates: circular openings that are flown
// through one after the other. Each gate faces away from the one before it, and the first one faces away from the start of the vehicle.
enum class GoalKind { Point, Waypoints, Curve, Gates };

// The goal of an agent, drawn anew in each episode.
struct GoalDef {
  GoalKind kind = GoalKind::Point;
  std::vector<Vec> points;                // m, world frame: waypoints or gates in their order; empty: the origin for each
  Vec low = {0, 0, 0}, high = {0, 0, 0};  // m: a vector that is drawn from this box is added to each point
  int count = 1;                          // number of waypoints or gates of an episode, where `points` is empty
  bool from_start = false;                // true: points are relative to the start of the vehicle in the definition
  double radius = 0.2;                    // m: a waypoint is reached within this distance; radius of the opening of a gate
  double frame = 0.2;                     // m: width of the frame around the opening of a gate
  Harmonic curve;                         // motion of a Curve about its point
  double ahead = 0.2;                     // s, rounded to ticks: how far the observation `goal_ahead` looks into the future of a Curve
};

// The action of an agent: a setpoint of one control level, with the numbers of Many (volary/input.hpp).
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

// A term that a reward can be made of.
struct RewardTerm {
  std::string name, unit, doc;
  std::string scale_unit;  // unit of RewardDef::scale; empty: the term has none
};
// Every term that a reward can be made of.
VOLARY_API std::vector<RewardTerm> reward_terms();

// A condition that can end an episode.
struct EndTerm {
  std::string name, doc;
  std::string limit_unit;  // unit of EndDef::limit; empty: the condition has none
};
// Every condition that can end an episode.
VOLARY_API std::vector<EndTerm> end_terms();

// When a world whose episode has ended starts the next one. NextStep: in the next step, which ignores its actions, has no rewards and shows the first observations.
// SameStep: at once; the last observations of the old episode are in final_observations(). Disabled: when reset() is called. These are the modes of Gymnasium.
enum class Autoreset { NextStep, SameStep, Disabled };

// The end of an agent whose vehicle diverged or was removed, where no condition of the list held.
inline constexpr std::uint8_t kVehicleGone = 255;

// The worlds of a batch as episodes of a task. All arrays are dense [world, agent, number], begin at a multiple of 64 bytes and stay where they are. An agent that has
// ended does nothing and gets no rewards until its world starts again. The episode of a world ends when all its agents have ended or the time limit is reached.
class VOLARY_API Episodes {
 public:
  // Takes over a world, and starts the present episode of each of its worlds again. Do not step or reset the world elsewhere from then on. Returns an empty pointer,
  // and a message in `error`, when the task does not fit the world.
  static std::unique_ptr<Episodes> create(std::shared_ptr<World> world, const LearningDef& task, Autoreset autoreset = Autoreset::NextStep, std::string* error = nullptr);
  ~Episodes();
  Episodes(const Episodes&) = delete;
  Episodes& operator=(const Episodes&) = delete;

  void step();  // one step of all agents: LearningDef::ticks ticks with the present actions
  // Starts the next episode of the worlds in the mask, or the given ones, as World::reset() does. An empty mask stands for all worlds.
  void reset(std::span<const std::uint8_t> mask = {}, std::span<const std::uint32_t> episodes = {});

  std::size_t worlds() const;            // number of worlds
  std::size_t agents() const;            // number of agents of one world
  std::size_t action_size() const;       // numbers of an action
  std::size_t observation_size() const;  // numbers of an observation
  std::uint32_t step_limit() const;      // steps after which an episode is cut off
  const LearningDef& task() const;       // the task, with the flock by its name
  World& world() const;                  // the world itself, to look at
  // Events of the world since the last call, at most kMostEvents: of more, the oldest are dropped. World::take_events() returns none of them.
  std::vector<Event> take_events();
  static constexpr std::size_t kMostEvents = 10'000;
  const std::vector<ObservationTerm>& terms() const;  // terms of an observation, with their places
  const std::vector<double>& action_low() const;      // setpoint that an action of -1 stands for, by number; empty: actions are setpoints
  const std::vector<double>& action_high() const;     // the same for an action of 1

  std::span<float> actions() const;                     // [world, agent, action]; one that has a NaN leaves its agent as it is
  std::span<const float> observations() const;          // [world, agent, feature], after the step
  std::span<const float> final_observations() const;    // the same, with SameStep: the last ones of the episode, where finished() is 1
  std::span<const float> rewards() const;               // [world, agent], of the step
  std::span<const std::uint8_t> terminated() const;     // [world, agent]: 0, or the number of the condition in LearningDef::ends, from 1; or kVehicleGone
  std::span<const std::uint8_t> truncated() const;      // [world, agent]: 1 where the time limit was reached first
  std::span<const std::uint8_t> finished() const;       // [world]: 1 where the episode ended in this step
  std::span<const std::uint32_t> steps() const;         // [world]: steps of the present episode
  std::span<const float> episode_return() const;        // [world, agent]: sum of the rewards of the last finished episode
  std::span<const std::uint32_t> episode_length() const;  // [world, agent]: its number of steps until the agent ended

 private:
  Episodes();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace volary
