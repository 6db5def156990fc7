// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Scenes of the tests, and what is worked out of the motion of bodies: energy and momentum.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "math/functions.hpp"
#include "multibody/model.hpp"

namespace volary::multibody {

inline std::shared_ptr<const Model> model_of(const SceneDef& scene) {
  auto made = make_model(scene);
  if (!made) ADD_FAILURE() << made.error().text();
  return made ? made.value() : nullptr;
}
inline std::unique_ptr<Instance> instance_of(const SceneDef& scene) {
  auto made = model_of(scene)->make_instance();
  if (!made) ADD_FAILURE() << made.error().text();
  return made ? std::move(made).value() : nullptr;
}
inline void fly(Instance& instance, int substeps) {
  const core::Status s = instance.step(substeps);
  ASSERT_TRUE(s) << s.error().text();
}

inline BodyDef free_body(const std::string& name, double mass, const Vec& moments, const Vec& position = {0, 0, 0}) {
  BodyDef b;
  b.name = name, b.mass = mass, b.moments = moments, b.pose.position = position;
  b.joint.kind = JointKind::Free;
  return b;
}

inline Quat turned(const Vec& axis, double angle) {
  const double n = 1 / math::norm(axis), s = math::sin(0.5 * angle);
  return {math::cos(0.5 * angle), s * n * axis.x, s * n * axis.y, s * n * axis.z};
}

inline SceneDef falling(double time_step = 0.001) {
  SceneDef scene;
  scene.bodies = {free_body("stone", 2, {0.1, 0.2, 0.25})};
  scene.options.time_step = time_step;
  return scene;
}

// a centre with three bodies on ball joints above it, each with a thruster: the three-star platform in round numbers
inline SceneDef star() {
  SceneDef scene;
  scene.bodies = {free_body("centre", 1.1, {0.0532, 0.0532, 0.1039})};
  for (int k = 0; k < 3; ++k) {
    BodyDef part = free_body("part" + std::to_string(k + 1), 1.6, {0.02, 0.02, 0.035});
    part.parent = "centre";
    const double angle = 2.0943951023931953 * k;
    part.pose.position = {0.48 * math::cos(angle), 0.48 * math::sin(angle), 0.07};
    part.joint.kind = JointKind::Ball;
    part.sites = {{"rotors" + std::to_string(k + 1), {}, Drive::Wrench}};
    scene.bodies.push_back(part);
  }
  return scene;
}

// a box of half a metre that lies on the floor, or falls onto it
inline SceneDef box_on_floor(double height = 0.25) {
  SceneDef scene;
  scene.groups = {"floor", "box"};
  scene.touching = {{"floor", "box"}};
  GeomDef floor, box;
  floor.name = "floor", floor.shape = Shape::Plane, floor.group = "floor";
  box.name = "box", box.size = {0.25, 0.25, 0.25}, box.group = "box";
  scene.statics = {floor};
  BodyDef body = free_body("crate", 3, {0.125, 0.125, 0.125}, {0, 0, height});
  body.geoms = {box};
  scene.bodies = {body};
  return scene;
}

// ---------------------------------------------------------------- energy and momentum, of bodies without products of inertia

inline Vec centre_of(const BodyDef& b, const Motion& m) { return m.position_W + math::rotation_matrix(m.q_WB) * b.centre_of_mass; }
inline Vec velocity_of(const BodyDef& b, const Motion& m) { return m.velocity_W + math::cross(m.omega_W, math::rotation_matrix(m.q_WB) * b.centre_of_mass); }

struct Whole {
  double energy = 0;        // J
  Vec momentum{0, 0, 0};    // kg m/s
  Vec spin{0, 0, 0};        // kg m2/s, about the origin of the world
};
inline Whole whole_of(const SceneDef& scene, const Instance& instance) {
  Whole w;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const BodyDef& b = scene.bodies[i];
    const Motion m = instance.motion(i);
    const math::Mat3<double> R_WB = math::rotation_matrix(m.q_WB);
    const Vec centre_W = centre_of(b, m), velocity_W = velocity_of(b, m), omega_B = math::transpose_times(R_WB, m.omega_W), spin_B = b.moments * omega_B;
    w.energy += 0.5 * b.mass * math::dot(velocity_W, velocity_W) + 0.5 * math::dot(omega_B, spin_B) - b.mass * math::dot(scene.options.gravity, centre_W);
    w.momentum = w.momentum + b.mass * velocity_W;
    w.spin = w.spin + R_WB * spin_B + b.mass * math::cross(centre_W, velocity_W);
  }
  return w;
}

}  // namespace volary::multibody
