// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The perceptual input S of a node (SIGMA III.A.4): all that its behaviours may know. Nothing here points to another agent's
// state: what is known of others was heard or seen. And the action primitives that a behaviour may answer with.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "math/functions.hpp"
#include "math/random.hpp"
#include "math/vec.hpp"
#include "swarm/message.hpp"
#include "swarm/readings.hpp"
#include "volary/def.hpp"

namespace volary::swarm {

using V3 = math::Vec3<double>;  // m, m/s: east north up

// what a node remembers of another from the last state message it heard of it
struct Known {
  std::uint64_t from = 0;
  std::uint64_t tick = 0;  // when it was said
  V3 position{}, velocity{};
  V3 intent{};             // velocity it wanted, for sync()
  double role = 0;         // whatever the sender makes of it, such as its place in a formation
};

// somebody or something noticed by the node itself
struct Detection {
  std::uint64_t object = 0;  // id, to tell one from another; its kind is what it looks like
  std::uint32_t kind = 0;    // topic(airframe name)
  V3 position{}, velocity{};
};

// the nearest terrain or obstacle in range: the collision stimulus of Cybulski VIII, a place and whether there is one (C-44)
struct Feel {
  bool near = false;
  V3 way{};            // m, from the vehicle to it
  double distance = 0; // m, negative inside
};

struct Sense {
  std::uint64_t self = 0;      // own id number, ordered and unique (Definition 1)
  std::uint64_t draws = 0;     // number by which its chances are drawn, its own whoever else there is; 0: its id
  std::uint64_t tick = 0;
  double time = 0;             // s
  double interval = 0.1;       // s between decisions
  V3 position{}, velocity{};   // own estimate, never the truth itself
  double yaw = 0;              // rad
  double roll = 0;             // rad, to the right
  Mode mode = Mode::Hold;
  V3 home{};                   // where it started
  double ground = 0;           // m, height of the ground straight below
  double ground_ahead = 0;     // m, highest ground below, close by and on the way of the next second
  double max_speed = 5;        // m/s that the vehicle can do
  double min_speed = 0;        // m/s that it cannot fly slower than; 0: it can stand still
  double loiter_radius = 0;    // m, of the circle that it flies where others stand
  double radius = 0.2;         // m, of its body
  bool is_docked = false;      // a latch joins it with another vehicle
  std::span<const Known> others;          // the lowest id first
  std::span<const Message> messages;      // other topics, heard since the last decision, in the order of hearing
  std::span<const Detection> detections;  // the lowest id first
  static constexpr std::size_t kMostStimuli = 8;
  std::array<double, kMostStimuli> levels{};  // of each stimulus in the order of stimuli/all.hpp: see level<S>()
  Feel solid{};
  const ReadingList* readings = nullptr;  // of its sensors and its estimator; none: it has neither
  const double* numbers = nullptr;        // a row of that list
  math::RandomKey<std::uint32_t> key{};   // for draws

  // a number in [0, 1) that depends on seed, world, vehicle, tick and draw, and on nothing else; `draw` counts from 0 to 255
  double uniform(std::uint32_t draw) const {
    const std::uint64_t who = draws != 0 ? draws : self;
    const auto w =
        math::random_words<std::uint32_t>(key, static_cast<std::uint32_t>(who), static_cast<std::uint32_t>(who >> 32), math::Purpose::Behaviour, tick, draw);
    return static_cast<double>(w.w[0]) * 0x1p-32;
  }
  double age(const Known& k, double tick_seconds) const { return k.tick >= tick ? 0 : static_cast<double>(tick - k.tick) * tick_seconds; }
};

// an action primitive a_k, and how good its behaviour thinks it is
struct Action {
  enum class Kind : std::uint32_t { None, Velocity, Position, TakeOff, Hold, Land, Disarm };
  Kind kind = Kind::None;
  V3 velocity{};      // m/s; of a position: feed-forward, usually zero
  V3 position{};      // m
  V3 acceleration{};  // m/s2, of a velocity: fed forward
  double yaw = 0;     // rad
  bool turns = false; // whether yaw matters; otherwise the vehicle keeps its own
  double reward = 1;  // R(a_k, S)
  double role = 0;    // told to the others with the next state message
};
// most have none: only of those that do it is part of the hash
inline bool has_acceleration(const Action& a) { return a.acceleration.x != 0 || a.acceleration.y != 0 || a.acceleration.z != 0; }
inline Action fly(const V3& velocity) { return {.kind = Action::Kind::Velocity, .velocity = velocity}; }
inline Action go_to(const V3& position) { return {.kind = Action::Kind::Position, .position = position}; }

// what a behaviour wants said
class Outbox {
 public:
  explicit Outbox(std::vector<Message>& out) : out_(out) {}
  template <class... X> void say(std::uint32_t topic, std::uint64_t to, X... values) { say_as(kOwnId, topic, to, values...); }
  // under another id, or without one (kNoId)
  template <class... X> void say_as(std::uint64_t from, std::uint32_t topic, std::uint64_t to, X... values) {
    static_assert(sizeof...(X) <= Message::kMost, "a message has at most twelve numbers");
    out_.push_back({.from = from, .to = to, .topic = topic, .count = sizeof...(X), .values = {static_cast<double>(values)...}});
  }
  void post(const Message& m) { out_.push_back(m); }

 private:
  std::vector<Message>& out_;
};

}  // namespace volary::swarm
