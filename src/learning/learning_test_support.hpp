// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Small batches of worlds with a task, for tests.
#pragma once

#include <cmath>
#include <cstring>
#include <functional>

#include "engine/engine_test_support.hpp"
#include "math/hash.hpp"
#include "volary/learning.hpp"

namespace volary::test {

// worlds of some quadrotors, 2.1 m apart at 3.3 m, that are armed and do what they are told
inline WorldDef learners(int worlds, int agents) {
  WorldDef def = circling(agents);
  def.worlds = worlds;
  for (VehicleDef& v : def.flocks[0].vehicles) v.mode = Mode::Armed;
  return def;
}

// velocities as actions, in m/s, and a goal 1 m north of the start
inline LearningDef plain_task() {
  LearningDef t;
  t.action.level = ControlLevel::Velocity;
  t.action.scaled = false;
  t.observations = {"position", "velocity", "to_goal"};
  t.goal.points = {{0, 1, 0}};
  t.goal.from_start = true;
  t.time_limit = 1e3;
  return t;
}

inline std::unique_ptr<Episodes> episodes_of(const WorldDef& def, const LearningDef& task, Autoreset autoreset = Autoreset::NextStep,
                                             const RunOptions& options = {}) {
  std::string error;
  std::shared_ptr<World> world = World::create(def, options, &error);
  EXPECT_NE(world, nullptr) << error;
  auto e = Episodes::create(std::move(world), task, autoreset, &error);
  EXPECT_NE(e, nullptr) << error;
  return e;
}

// numbers in [-1, 1] that differ from agent to agent and are held for some steps
inline float number_at(std::uint64_t step, std::uint64_t agent, std::uint64_t k, std::uint64_t hold = 8) {
  const std::uint64_t bits = math::mix64(((step / hold) * 1000003 + agent) * 31 + k + 1);
  return static_cast<float>(bits >> 40) * 0x1p-23f - 1.0f;
}
inline void act_at_random(Episodes& e, std::uint64_t step, float scale = 1, std::uint64_t first_agent = 0) {
  const std::size_t n = e.action_size();
  for (std::size_t a = 0; a < e.worlds() * e.agents(); ++a)
    for (std::size_t k = 0; k < n; ++k) e.actions()[a * n + k] = scale * number_at(step, first_agent + a, k);
}

// what is published of a vehicle, by its slot
struct Shown {
  Vec position, velocity, omega;
  double attitude[4], ground_force;
  std::uint32_t status;
};
inline Shown shown(const World& w, std::size_t slot, const std::string& flock = "birds") {
  Shown s{};
  const auto number = [&](const char* column, std::size_t k) { return w.view(flock, column).at(slot, k); };
  for (std::size_t k = 0; k < 3; ++k) {
    s.position[k] = number("position", k) + number("position", 3 + k);
    s.velocity[k] = number("velocity", k);
    s.omega[k] = number("omega", k);
  }
  for (std::size_t k = 0; k < 4; ++k) s.attitude[k] = number("attitude", k);
  s.ground_force = number("ground_force", 0);
  s.status = static_cast<std::uint32_t>(number("status", 0));
  return s;
}
inline double length(const Vec& v) { return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }
inline Vec between(const Vec& from, const Vec& to) { return {to[0] - from[0], to[1] - from[1], to[2] - from[2]}; }
inline double dot(const Vec& a, const Vec& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline double up_of(const Shown& s) { return 1 - 2 * (s.attitude[1] * s.attitude[1] + s.attitude[2] * s.attitude[2]); }

// one number for everything that a step gave
inline std::uint64_t digest(const Episodes& e) {
  std::uint64_t h = 1;
  const auto add = [&](auto span) {
    for (const auto& x : span) {
      std::uint32_t bits = 0;
      std::memcpy(&bits, &x, sizeof x);
      h = math::mix64(h ^ bits);
    }
  };
  add(e.observations()), add(e.final_observations()), add(e.rewards()), add(e.terminated()), add(e.truncated()), add(e.finished()), add(e.steps());
  add(e.episode_return()), add(e.episode_length());
  return h;
}

}  // namespace volary::test
