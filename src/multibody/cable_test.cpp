// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Bodies on cables: pendulums, loads at rest, and cables that are slack.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>

#include "multibody/multibody_test_support.hpp"

namespace volary::multibody {
namespace {

constexpr double kGravity = 9.80665;

BodyDef pivot(const std::string& name, const Vec& position) {
  BodyDef b = free_body(name, 1, {0.01, 0.01, 0.01}, position);
  b.joint.kind = JointKind::Fixed;
  b.sites = {{name + "/cable", {}, Drive::None}};
  return b;
}
// a stone on a cable below the origin
SceneDef pendulum(double mass, double length, const Vec& start) {
  SceneDef scene;
  BodyDef stone = free_body("stone", mass, {0.01, 0.02, 0.02}, start);
  stone.sites = {{"stone/hook", {}, Drive::None}};
  scene.bodies = {pivot("pivot", {0, 0, 0}), stone};
  scene.cables = {{"cable", {"pivot/cable", "stone/hook"}, length}};
  return scene;
}
Vec on_circle(double length, double angle) { return {length * math::sin(angle), 0, -length * math::cos(angle)}; }

// a crate of 0.8 m on four cables that lead outwards to pivots, all just taut
SceneDef crate_on_four(double mass) {
  SceneDef scene;
  BodyDef crate = free_body("crate", mass, {0.3, 0.3, 0.4}, {0, 0, -1.2});
  const Vec corners[] = {{0.4, 0.4, 0.2}, {-0.4, 0.4, 0.2}, {-0.4, -0.4, 0.2}, {0.4, -0.4, 0.2}};
  for (const Vec& c : corners) {
    const std::string name = "pivot" + std::to_string(scene.bodies.size());
    scene.bodies.push_back(pivot(name, {1.6 * c.x, 2 * c.y, 0}));
    crate.sites.push_back({name + "/hook", {c, {1, 0, 0, 0}}, Drive::None});
    const Vec along = scene.bodies.back().pose.position - (crate.pose.position + c);
    scene.cables.push_back({name, {name + "/cable", name + "/hook"}, math::norm(along)});
  }
  scene.bodies.push_back(crate);
  return scene;
}

TEST(multibody, a_small_swing_on_a_cable_takes_as_long_as_huygens_says) {
  for (const double length : {0.5, 2.0}) {
    const auto stone = instance_of(pendulum(3, length, on_circle(length, 0.05)));
    const double exact = 2 * 3.14159265358979323846 * math::sqrt(length / kGravity);
    std::vector<double> crossings;
    for (double before = 1; crossings.size() < 11; before = stone->motion(1).position_W.x) {
      fly(*stone, 1);
      const double x = stone->motion(1).position_W.x;
      if (before > 0 && x <= 0) crossings.push_back(stone->time() - 0.001 * x / (x - before));
      ASSERT_LT(stone->time(), 60);
    }
    EXPECT_NEAR((crossings.back() - crossings.front()) / 10, exact, 0.002 * exact) << length;
  }
}

TEST(multibody, a_cable_gives_no_energy_to_what_swings_on_it_or_falls_into_it) {
  for (const double angle : {0.05, 1.0, 2.5}) {
    const SceneDef scene = pendulum(2, 1, on_circle(angle > 2 ? 0.9 : 1.0, angle));
    const auto stone = instance_of(scene);
    const double swing = 2 * kGravity * (1 - math::cos(angle));
    // the greatest of every second
    std::vector<double> energy = {whole_of(scene, *stone).energy};
    for (int second = 0; second < 8; ++second) {
      energy.push_back(-1e9);
      for (int k = 0; k < 1000; ++k) {
        fly(*stone, 1);
        energy.back() = std::max(energy.back(), whole_of(scene, *stone).energy);
        ASSERT_GE(stone->tension(0), 0) << "it never pushes";
        ASSERT_LT(stone->span(0), 1.1);
      }
      EXPECT_LE(energy.back(), energy[energy.size() - 2] + 1e-6 * swing) << angle << ", second " << second;
    }
    // it stretches in the first second, and then a swing hardly dies down
    if (angle < 2) EXPECT_GT(energy.back(), energy[2] - 0.02 * swing) << angle;
  }
}

TEST(multibody, a_load_at_rest_pulls_with_its_weight) {
  for (const double mass : {0.02, 5.0}) {
    const auto stone = instance_of(pendulum(mass, 1.5, {0, 0, -1.5}));
    fly(*stone, 2000);
    EXPECT_NEAR(stone->tension(0), mass * kGravity, 1e-4 * mass * kGravity);
    EXPECT_NEAR(stone->span(0), 1.5, 0.001) << "it hardly stretches";
    EXPECT_LT(math::norm(stone->motion(1).velocity_W), 1e-4);
  }
}

TEST(multibody, four_cables_share_the_weight_and_each_pulls_along_itself) {
  constexpr double kMass = 4;
  const SceneDef scene = crate_on_four(kMass);
  const auto crate = instance_of(scene);
  fly(*crate, 4000);
  Vec sum{0, 0, 0};
  for (std::size_t k = 0; k < 4; ++k) {
    const Vec along = crate->site_motion(k).position_W - crate->site_motion(4 + k).position_W;
    EXPECT_NEAR(math::norm(along), crate->span(k), 1e-12);
    EXPECT_GT(crate->tension(k), 0.2 * kMass * kGravity);
    sum = sum + (crate->tension(k) / crate->span(k)) * along;
  }
  EXPECT_NEAR(sum.z, kMass * kGravity, 1e-3 * kMass * kGravity);
  EXPECT_LT(std::hypot(sum.x, sum.y), 1e-3 * kMass * kGravity);
}

TEST(multibody, on_a_slack_cable_a_stone_falls_as_without_one) {
  const SceneDef tied = pendulum(2, 1, {0, 0, -0.5});
  SceneDef loose = tied;
  loose.cables.clear();
  const auto a = instance_of(tied), b = instance_of(loose);
  for (int k = 0; k < 300; ++k) {
    fly(*a, 1), fly(*b, 1);
    ASSERT_EQ(a->tension(0), 0) << k;
    const Motion of_a = a->motion(1), of_b = b->motion(1);
    ASSERT_EQ(std::memcmp(&of_a, &of_b, sizeof of_a), 0) << k;
  }
  fly(*a, 700);
  EXPECT_GT(a->tension(0), 0) << "then it is caught";
  EXPECT_LT(a->span(0), 1.05);
}

TEST(multibody, the_tension_belongs_to_the_state_and_is_gone_when_the_motion_is_set) {
  const auto model = model_of(crate_on_four(4));
  const auto flown = model->make_instance(), other = model->make_instance();
  Instance &a = *flown.value(), &b = *other.value();
  EXPECT_EQ(a.tension(0), 0) << "nothing has moved";
  a.place(4, {.position_W = {0.1, 0, -1.1}, .velocity_W = {0.5, -0.3, 0}});
  fly(a, 400);
  ASSERT_GT(a.tension(0) + a.tension(1) + a.tension(2) + a.tension(3), 0);
  std::vector<double> state(model->state_size()), motion(model->motion_size());
  a.save(state), a.save_motion(motion);
  ASSERT_TRUE(b.restore(state));
  for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(a.tension(k), b.tension(k));
  b.restore_motion(motion);
  EXPECT_EQ(b.tension(0), 0);
  for (int k = 0; k < 300; ++k) {
    fly(a, 1), fly(b, 1);
    ASSERT_EQ(a.tension(2), b.tension(2)) << k;
    const Motion of_a = a.motion(4), of_b = b.motion(4);
    ASSERT_EQ(std::memcmp(&of_a, &of_b, sizeof of_a), 0) << k;
  }
}

void expect_refused(const std::function<void(SceneDef&)>& spoil, const std::string& field, const std::string& words) {
  SceneDef scene = crate_on_four(1);
  ASSERT_TRUE(check(scene)) << check(scene).error().text();
  spoil(scene);
  const core::Status s = check(scene);
  ASSERT_FALSE(s) << "accepted: " << field;
  EXPECT_EQ(s.error().field, field);
  EXPECT_NE(s.error().text().find(words), std::string::npos) << s.error().text();
}

TEST(multibody, cables_that_cannot_be_are_refused) {
  expect_refused([](SceneDef& s) { s.cables[1].sites[1] = "pivot1/hok"; }, "cables[1].sites[1]", "did you mean 'pivot1/hook'?");
  expect_refused([](SceneDef& s) { s.cables[0].sites[0] = "pivot1/hook"; }, "cables[0].sites", "both sites are of the body 'crate'");
  expect_refused([](SceneDef& s) { s.cables[2].length = 1; }, "cables[2].length", "do not reach from 'pivot2/cable' to 'pivot2/hook'");
  expect_refused([](SceneDef& s) { s.cables[2].length = 0; }, "cables[2].length", "0 m cannot be");
  expect_refused([](SceneDef& s) { s.cables[3].time_constant = 0.001; }, "cables[3].time_constant", "two time steps");
  expect_refused([](SceneDef& s) { s.cables[3].name = s.cables[0].name; }, "cables[3].name", "there is another");
  expect_refused([](SceneDef& s) { s.cables.resize(kMostCables + 1, s.cables[0]); }, "cables", "at most 32");
  // where bodies begin is counted from their parents on, and a millimetre in a metre is rounding
  SceneDef scene = crate_on_four(1);
  scene.cables[0].length *= 0.9995;
  EXPECT_TRUE(check(scene));
  BodyDef arm = free_body("arm", 1, {0.1, 0.1, 0.1}, {0, 0, -3});
  arm.parent = "crate", arm.joint.kind = JointKind::Ball, arm.sites = {{"arm/tip", {{0, 0, -1}, {1, 0, 0, 0}}, Drive::None}};
  scene.bodies.push_back(arm);
  scene.cables.push_back({"long", {"pivot0/cable", "arm/tip"}, 5.5});
  EXPECT_TRUE(check(scene)) << check(scene).error().text();
  scene.cables.back().length = 5.2;
  EXPECT_FALSE(check(scene));
}

}  // namespace
}  // namespace volary::multibody
