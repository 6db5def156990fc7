// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Bodies that touch nothing, against what mechanics says of them.
#include <cmath>

#include "multibody/multibody_test_support.hpp"

namespace volary::multibody {
namespace {

void expect_near(const Vec& a, const Vec& b, double tolerance) {
  EXPECT_NEAR(a.x, b.x, tolerance);
  EXPECT_NEAR(a.y, b.y, tolerance);
  EXPECT_NEAR(a.z, b.z, tolerance);
}

TEST(multibody, a_stone_falls_as_galileo_says) {
  SceneDef scene = falling();
  scene.options.integrator = Integrator::RungeKutta4;
  const auto stone = instance_of(scene);
  stone->place(0, {.position_W = {1, 2, 3}, .velocity_W = {4, 0, 5}});
  fly(*stone, 1000);
  const Motion m = stone->motion(0);
  expect_near(m.position_W, {5, 2, 3 + 5 - 0.5 * 9.80665}, 1e-11);
  expect_near(m.velocity_W, {4, 0, 5 - 9.80665}, 1e-11);
  EXPECT_NEAR(stone->time(), 1, 1e-12);
}

TEST(multibody, euler_is_half_a_step_of_gravity_too_low) {
  const auto stone = instance_of(falling());
  fly(*stone, 1000);
  EXPECT_NEAR(stone->motion(0).position_W.z, -0.5 * 9.80665 * (1 + 0.001), 1e-11);
}

// a step of the quaternion and Euler's equations of a free body, in body axes
struct Spin {
  Quat q;
  Vec omega_B;
};
Spin rate(const Spin& s, const Vec& moments) {
  const Vec torque = -math::cross(s.omega_B, moments * s.omega_B);
  return {math::quat_rate(s.q, s.omega_B), {torque.x / moments.x, torque.y / moments.y, torque.z / moments.z}};
}
Spin plus(const Spin& s, double h, const Spin& d) {
  return {{s.q.w + h * d.q.w, s.q.x + h * d.q.x, s.q.y + h * d.q.y, s.q.z + h * d.q.z}, math::fma(h, d.omega_B, s.omega_B)};
}
Spin spun(Spin s, const Vec& moments, double h, int steps) {
  for (int k = 0; k < steps; ++k) {
    const Spin a = rate(s, moments), b = rate(plus(s, h / 2, a), moments), c = rate(plus(s, h / 2, b), moments), d = rate(plus(s, h, c), moments);
    s = plus(plus(plus(plus(s, h / 6, a), h / 3, b), h / 3, c), h / 6, d);
    s.q = math::normalize(s.q);
  }
  return s;
}

TEST(multibody, a_body_tumbles_about_its_middle_axis_as_eulers_equations_say) {
  SceneDef scene = falling();
  scene.options.integrator = Integrator::RungeKutta4;
  scene.options.gravity = {0, 0, 0};
  const auto stone = instance_of(scene);
  const Vec omega_B{0.01, 5, 0.02};
  stone->place(0, {.omega_W = omega_B});
  fly(*stone, 2000);
  const Spin exact = spun({{1, 0, 0, 0}, omega_B}, scene.bodies[0].moments, 1e-4, 20000);
  const Motion m = stone->motion(0);
  EXPECT_NEAR(std::abs(m.q_WB.w * exact.q.w + m.q_WB.x * exact.q.x + m.q_WB.y * exact.q.y + m.q_WB.z * exact.q.z), 1, 1e-12);
  expect_near(math::transpose_times(math::rotation_matrix(m.q_WB), m.omega_W), exact.omega_B, 1e-7);
}

TEST(multibody, a_chain_of_ball_joints_keeps_energy_and_momentum) {
  SceneDef scene;
  scene.bodies = {free_body("head", 1, {0.01, 0.02, 0.025})};
  for (const auto& [name, parent] : {std::pair{"second", "head"}, {"third", "second"}, {"tail", "third"}}) {
    BodyDef link = free_body(name, 0.5, {0.002, 0.01, 0.011}, {0.3, 0, 0});
    link.parent = parent, link.joint.kind = JointKind::Ball, link.centre_of_mass = {0.15, 0, 0.01};
    scene.bodies.push_back(link);
  }
  scene.options.integrator = Integrator::RungeKutta4, scene.options.time_step = 2e-4;
  const auto chain = instance_of(scene);
  chain->place(0, {.velocity_W = {1, 0, 2}, .omega_W = {0, 1, 3}});
  chain->place(2, {.omega_W = {2, -4, 1}});
  const Whole at_first = whole_of(scene, *chain);
  fly(*chain, 5000);
  const Whole later = whole_of(scene, *chain);
  EXPECT_NEAR(later.energy, at_first.energy, 1e-8 * std::abs(at_first.energy) + 1e-8);
  const double mass = 2.5;
  expect_near(later.momentum, at_first.momentum + mass * chain->time() * scene.options.gravity, 1e-9);
  // gravity turns the whole about the origin; about its own centre of mass the spin stays
  const auto own_spin = [&](const Whole& w, const Vec& centre) { return w.spin - math::cross(centre, w.momentum); };
  Vec centre{0, 0, 0}, first_centre{0, 0, 0};
  const auto fresh = instance_of(scene);
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    centre = centre + (scene.bodies[i].mass / mass) * centre_of(scene.bodies[i], chain->motion(i));
    first_centre = first_centre + (scene.bodies[i].mass / mass) * centre_of(scene.bodies[i], fresh->motion(i));
  }
  // the second body was placed turning, which moves no centre of mass
  expect_near(own_spin(later, centre), own_spin(at_first, first_centre), 1e-8);
}

TEST(multibody, a_thrust_at_a_site_pushes_along_its_axis_and_turns_about_its_arm) {
  SceneDef scene = falling();
  scene.options.gravity = {0, 0, 0};
  // half a metre to the left, thrust along -x
  scene.bodies[0].sites = {{"rotor", {{0, 0.5, 0}, turned({0, 1, 0}, -1.5707963267948966)}, Drive::Thrust}};
  const auto stone = instance_of(scene);
  stone->command(0, 4, 0.3);
  fly(*stone, 1);
  const Motion m = stone->motion(0);
  // force (-4, 0, 0), torque (0, 0.5, 0) x force + 0.3 along the axis
  expect_near(m.velocity_W, {-4 / 2.0 * 0.001, 0, 0}, 1e-15);
  expect_near(m.omega_W, {-0.3 / 0.1 * 0.001, 0, 0.5 * 4 / 0.25 * 0.001}, 1e-9);
}

TEST(multibody, thrust_follows_the_body_when_it_turns) {
  SceneDef scene = falling();
  scene.options.gravity = {0, 0, 0};
  scene.bodies[0].sites = {{"wind", {}, Drive::Wrench}};
  const auto stone = instance_of(scene);
  stone->place(0, {.q_WB = turned({1, 0, 0}, 1.5707963267948966)});
  stone->command(0, Wrench{{0, 6, 0}, {}});
  fly(*stone, 1);
  expect_near(stone->motion(0).velocity_W, {0, 0, 0.003}, 1e-15);
}

TEST(multibody, poses_are_those_after_the_step_and_not_before_it) {
  const auto stone = instance_of(falling());
  stone->place(0, {.velocity_W = {1, 0, 0}});
  fly(*stone, 1);
  EXPECT_NEAR(stone->motion(0).position_W.x, 0.001, 1e-15);
}

TEST(multibody, a_child_is_placed_by_its_pose_in_the_world) {
  const SceneDef scene = star();
  const auto platform = instance_of(scene);
  const Motion centre{{1, 2, 3}, turned({1, 2, 3}, 0.7), {0.1, 0.2, 0.3}, {0.4, -0.5, 0.6}};
  const Motion part{{}, turned({-1, 0.5, 2}, 1.1), {}, {-0.3, 0.2, 0.9}};
  platform->place(0, centre);
  platform->place(2, part);
  const Motion m = platform->motion(2), c = platform->motion(0);
  EXPECT_NEAR(std::abs(m.q_WB.w * part.q_WB.w + m.q_WB.x * part.q_WB.x + m.q_WB.y * part.q_WB.y + m.q_WB.z * part.q_WB.z), 1, 1e-14);
  expect_near(m.omega_W, part.omega_W, 1e-14);
  expect_near(c.position_W, centre.position_W, 0);
  expect_near(c.velocity_W, centre.velocity_W, 0);
  expect_near(c.omega_W, centre.omega_W, 1e-15);
  const Vec arm_W = math::rotation_matrix(centre.q_WB) * scene.bodies[2].pose.position;
  expect_near(m.position_W, centre.position_W + arm_W, 1e-14);
  expect_near(m.velocity_W, centre.velocity_W + math::cross(centre.omega_W, arm_W), 1e-14);
}

TEST(multibody, a_hinge_stops_at_its_limit_and_a_spring_pulls_a_slide_back) {
  SceneDef scene;
  BodyDef door = free_body("door", 1, {0.1, 0.1, 0.1}), drawer = free_body("drawer", 2, {0.1, 0.1, 0.1}, {5, 0, 0});
  door.joint = {.kind = JointKind::Hinge, .axis = {0, 0, 1}, .is_limited = true, .lower = -0.5, .upper = 1};
  drawer.joint = {.kind = JointKind::Slide, .axis = {1, 0, 0}, .stiffness = 200};
  scene.bodies = {door, drawer};
  const auto instance = instance_of(scene);
  instance->place_joint(0, 0, 2);
  instance->place_joint(1, 0.1, 0);
  double furthest = 0;
  for (int k = 0; k < 1000; ++k) {
    fly(*instance, 1);
    furthest = std::max(furthest, instance->joint_value(0));
  }
  // limits give way a little: the door hits its own with 2 rad/s
  EXPECT_NEAR(furthest, 1.01, 0.01);
  // sqrt(200 / 2) = 10 rad/s, less the first order of Euler's method
  EXPECT_NEAR(instance->joint_value(1), 0.1 * math::cos(10.0), 5e-4);
}

TEST(multibody, friction_holds_a_hinge_up_to_its_loss) {
  SceneDef scene;
  BodyDef arm = free_body("arm", 1, {0.1, 0.1, 0.1});
  arm.joint = {.kind = JointKind::Hinge, .axis = {0, 0, 1}, .friction_loss = 0.5};
  arm.sites = {{"motor", {}, Drive::Thrust}};
  scene.bodies = {arm};
  const auto instance = instance_of(scene);
  instance->command(0, 0, 0.4);
  fly(*instance, 1000);
  const double held = instance->joint_rate(0);
  instance->command(0, 0, 0.7);
  fly(*instance, 1000);
  EXPECT_NEAR(held, 0, 0.01);
  EXPECT_NEAR(instance->joint_rate(0) - held, 0.2 / 0.1, 0.05);
}

}  // namespace
}  // namespace volary::multibody
