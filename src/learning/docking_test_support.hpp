// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The shipped docking task with any number of worlds and pairs, and what it shows of them, for tests.
#pragma once

#include <string>

#include "learning/learning_test_support.hpp"
#include "volary/scenario.hpp"

namespace volary::test {

// pairs stand 10 m apart; the agents begin `gap` metres before their docked places
inline WorldDef docking(int worlds, int pairs = 1, double gap = 0.6) {
  const std::string root = VOLARY_SOURCE_DIR;
  Loaded<WorldDef> loaded = load_scenario(root + "/scenarios/learn_docking.yaml", {.assets = root + "/assets"}, {"worlds=" + std::to_string(worlds)});
  EXPECT_TRUE(loaded) << loaded.error;
  WorldDef def = std::move(*loaded.value);
  def.flocks[0].vehicles[0].position_W[1] = -0.8 - gap;
  for (FlockDef& f : def.flocks)
    for (int k = 1; k < pairs; ++k) {
      f.vehicles.push_back(f.vehicles[0]);
      f.vehicles.back().position_W[0] += 10.0 * k, f.vehicles.back().centre_W[0] += 10.0 * k;
    }
  return def;
}
// without what is drawn
inline WorldDef docking_as_told(int worlds, int pairs, double gap) {
  WorldDef def = docking(worlds, pairs, gap);
  def.flocks[0].spread = {};
  return def;
}
// accelerations as actions, in m/s2, and nothing that ends an episode
inline LearningDef pushing() {
  LearningDef t;
  t.flock = "agent";
  t.action = {.level = ControlLevel::Acceleration, .low = {}, .high = {}, .scaled = false};
  t.observations = {"docked", "dock_offset", "dock_velocity", "dock_axis", "dock_rate", "contact_wrench"};
  t.time_limit = 1e3;
  return t;
}
inline void push(Episodes& e, std::size_t agent, const Vec& acceleration_W) {
  for (std::size_t k = 0; k < 3; ++k) e.actions()[4 * agent + k] = static_cast<float>(acceleration_W[k]);
  e.actions()[4 * agent + 3] = 0;
}

inline float seen(const Episodes& e, std::size_t agent, const std::string& term, std::size_t k = 0) {
  for (const ObservationTerm& t : e.terms())
    if (t.name == term) return e.observations()[agent * e.observation_size() + t.offset + k];
  ADD_FAILURE() << "no term " << term;
  return 0;
}

inline Vec times(const double (&q)[4], const Vec& v) {
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  return {(1 - 2 * (y * y + z * z)) * v[0] + 2 * (x * y - w * z) * v[1] + 2 * (x * z + w * y) * v[2],
          2 * (x * y + w * z) * v[0] + (1 - 2 * (x * x + z * z)) * v[1] + 2 * (y * z - w * x) * v[2],
          2 * (x * z - w * y) * v[0] + 2 * (y * z + w * x) * v[1] + (1 - 2 * (x * x + y * y)) * v[2]};
}
inline Vec cross(const Vec& a, const Vec& b) { return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}; }
inline Vec plus(const Vec& a, const Vec& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }

// A pair as it is published. By the airframes the cone lies 0.3 m to the right of its vehicle and opens to the right, and the tip of the cylinder is 0.5 m to the left.
struct Pair {
  Shown cylinder, cone;
  Vec force_B;  // on the agent
  bool is_docked, agent_has_cone;

  // m, m/s and no unit, in the axes of the cone: down, forward and to the right of its vehicle
  Vec in_cone(const Vec& v_W) const {
    const double(&q)[4] = cone.attitude;
    return {dot(v_W, times(q, {0, 0, -1})), dot(v_W, times(q, {1, 0, 0})), dot(v_W, times(q, {0, -1, 0}))};
  }
  Vec tip_arm() const { return times(cylinder.attitude, {0, 0.5, 0.03}); }
  Vec bottom_arm() const { return times(cone.attitude, {0, -0.3, 0.03}); }
  Vec way() const { return between(plus(cone.position, bottom_arm()), plus(cylinder.position, tip_arm())); }
  Vec offset() const { return in_cone(way()); }
  Vec velocity() const {
    const Vec tip = plus(cylinder.velocity, cross(times(cylinder.attitude, cylinder.omega), tip_arm()));
    const Vec there = plus(cone.velocity, cross(times(cone.attitude, cone.omega), plus(bottom_arm(), way())));
    return in_cone(between(there, tip));
  }
  Vec axis() const { return in_cone(times(cylinder.attitude, {0, -1, 0})); }
  Vec rate() const { return in_cone(between(times(cone.attitude, cone.omega), times(cylinder.attitude, cylinder.omega))); }
  double radial() const { return std::hypot(offset()[0], offset()[1]); }
  // m: of the walls of the cone, 0.015 at its bottom and 0.1 at its mouth, 0.15 m away
  double wall() const { return 0.015 + 0.085 / 0.15 * offset()[2]; }
  double axial_force() const { return std::abs(in_cone(times(agent_has_cone ? cone.attitude : cylinder.attitude, force_B))[2]); }
};
inline Pair pair_of(const World& w, std::size_t slot, const std::string& agents = "agent") {
  Pair p;
  p.cylinder = shown(w, slot, "agent"), p.cone = shown(w, slot, "partner");
  for (std::size_t k = 0; k < 3; ++k) p.force_B[k] = w.view(agents, "wrench").at(slot, k);
  p.is_docked = w.view(agents, "docked").at(slot) > 0;
  p.agent_has_cone = agents == "partner";
  return p;
}

}  // namespace volary::test
