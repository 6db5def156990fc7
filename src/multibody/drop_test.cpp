// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Joined bodies that are thrown onto the floor: contact takes energy and gives none.
#include <algorithm>
#include <random>

#include "multibody/multibody_test_support.hpp"

namespace volary::multibody {
namespace {

constexpr int kDrops = 1000, kSubsteps = 1000;

// the star with a box about each of its bodies, above a floor
SceneDef star_above_floor() {
  SceneDef scene = star();
  scene.groups = {"floor", "star"}, scene.touching = {{"floor", "star"}};
  GeomDef floor;
  floor.name = "floor", floor.shape = Shape::Plane, floor.group = "floor";
  scene.statics = {floor};
  for (BodyDef& b : scene.bodies) {
    GeomDef box;
    box.name = b.name, box.size = {0.15, 0.15, 0.03}, box.group = "star";
    b.geoms = {box};
    b.joint.damping = b.joint.kind == JointKind::Ball ? 0.005 : 0;
  }
  return scene;
}

TEST(multibody, a_thousand_random_drops_end_with_no_more_energy_than_they_began_and_never_rise_by_more_than_2_percent) {
  const SceneDef scene = star_above_floor();
  const auto instance = instance_of(scene);
  std::mt19937 random(20);
  const auto within = [&](double most) { return most * (2 * static_cast<double>(random()) / 4294967295.0 - 1); };
  const auto vec = [&](double most) { return Vec{within(most), within(most), within(most)}; };
  double greatest_rise = 0, greatest_end = 0;
  int touched = 0;
  for (int drop = 0; drop < kDrops; ++drop) {
    instance->reset();
    const Quat q = turned(vec(1) + Vec{0, 0, 1e-3}, within(3.1));
    instance->place(0, {{0, 0, 1.2 + within(0.4)}, q, vec(1.5), vec(3)});
    for (std::size_t k = 1; k < 4; ++k) instance->place(k, {.q_WB = q * turned(vec(1) + Vec{0, 0, 1e-3}, within(0.5)), .omega_W = vec(3)});
    const double begin = whole_of(scene, *instance).energy;
    double most = begin;
    bool touches = false;
    for (int k = 0; k < kSubsteps; ++k) {
      fly(*instance, 1);
      most = std::max(most, whole_of(scene, *instance).energy);
      touches = touches || instance->n_contacts() > 0;
    }
    touched += touches ? 1 : 0;
    greatest_rise = std::max(greatest_rise, most / begin - 1);
    greatest_end = std::max(greatest_end, whole_of(scene, *instance).energy / begin);
  }
  std::printf("rise by at most %.3g %%, end with at most %.3g of the energy of the beginning; %d of %d touched the floor\n", 100 * greatest_rise, greatest_end, touched, kDrops);
  EXPECT_LE(greatest_rise, 0.02);
  EXPECT_LE(greatest_end, 1);
  EXPECT_GT(touched, kDrops * 9 / 10);
}

}  // namespace
}  // namespace volary::multibody
