// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Pose trajectories: rates are derivatives of angles, modes follow each other without a jump, and the curves of the paper's experiments can be written.
#include "control/platform_missions.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace volary {
namespace {

using control::AnglePlan;
using control::Angles;
using control::Flight;
using control::GuideParams;
using control::PathTable;
using control::Plan;
using control::Reference;
using math::Vec3;

constexpr double kPi = 3.14159265358979323846, kTick = 0.005;

double worst_of(const Vec3<double>& a, const Vec3<double>& b) { return math::norm(a - b); }

// one platform that guidance leads, tick by tick
struct Guided {
  std::uint64_t status = static_cast<std::uint64_t>(Flight::Hold) | control::kAlive;
  Plan<double> plan{};
  AnglePlan<double> angles{};
  Angles<double> sp{};
  Reference<double> reference{};
  GuideParams<double> g{};
  PathTable<double> table{};

  Guided() { g.tick = kTick, g.take_off_height = 2, g.climb = 1, g.descend = 0.5, g.cruise = 1, g.touch_time = 1, g.touch_force = 1, plan.ramp = 2; }
  void enter(Flight mode) {
    status = static_cast<std::uint64_t>(mode) | control::kAlive;
    plan.mode_ticks = 0;
  }
  void tick() {
    control::guide_angles(status, plan, angles, sp, g, table);
    control::guide(status, plan, reference, {reference.position_W, reference.velocity_W, 0.0}, g, table);
  }
  void fly(double seconds) {
    for (long k = 0, n = std::lround(seconds / kTick); k < n; ++k) tick();
  }
};

// experiment D: a circle, the pitch 0.25 sin, the yaw 0.25 (cos - 1)
Guided experiment_d() {
  Guided v;
  const double w = 2 * kPi / 10;
  v.plan.amplitude = {0.8, 0.8, 0}, v.plan.rate = {w, w, 0}, v.plan.phase = {0, -kPi / 2, 0};
  v.angles.centre = {0, 0, -0.25}, v.angles.amplitude = {0, 0.25, 0.25}, v.angles.rate = {0, w, w}, v.angles.phase = {0, 0, kPi / 2};
  return v;
}

TEST(platform_missions, angles_swing_on_the_clock_of_the_position) {
  Guided v = experiment_d();
  v.plan.delay = 0.5;
  v.enter(Flight::Mission);
  v.fly(60);
  // one second is the ramp's: half of its two
  const double t = 60 - kTick - 1 - 0.5, w = 2 * kPi / 10;
  EXPECT_NEAR(v.sp.angle.y, 0.25 * std::sin(w * t), 1e-9);
  EXPECT_NEAR(v.sp.angle.z, 0.25 * (std::cos(w * t) - 1), 1e-9);
  EXPECT_NEAR(v.sp.rate.y, 0.25 * w * std::cos(w * t), 1e-9);
  EXPECT_NEAR(v.sp.acceleration.z, -0.25 * w * w * std::cos(w * t), 1e-9);
  EXPECT_NEAR(v.reference.position_W.value.x, 0.8 * std::sin(w * t), 1e-9);
  EXPECT_EQ(v.sp.angle.x, 0);
}

TEST(platform_missions, rates_and_accelerations_are_the_derivatives_of_the_angles_at_all_times) {
  Guided v = experiment_d();
  v.plan.delay = 0.5, v.plan.anchor_yaw = 0.4;
  v.sp.angle = {0.3, -0.2, 1.5}, v.sp.rate = {0.1, 0.2, -0.3};
  std::vector<Angles<double>> seen;
  for (Flight mode : {Flight::Mission, Flight::Hold, Flight::Mission, Flight::Land}) {
    v.enter(mode);
    const std::size_t from = seen.size();
    for (int k = 0; k < 700; ++k) {
      v.tick();
      seen.push_back(v.sp);
    }
    for (std::size_t k = from + 1; k + 1 < seen.size(); ++k) {
      ASSERT_LT(worst_of((1 / (2 * kTick)) * (seen[k + 1].angle - seen[k - 1].angle), seen[k].rate), 2e-4) << k;
      ASSERT_LT(worst_of((1 / (2 * kTick)) * (seen[k + 1].rate - seen[k - 1].rate), seen[k].acceleration), 2e-3) << k;
    }
    // nothing jumps where a mode begins
    if (from > 0) ASSERT_LT(worst_of(seen[from].angle, seen[from - 1].angle + kTick * seen[from - 1].rate), 1e-12);
    if (from > 0) ASSERT_LT(worst_of(seen[from].rate, seen[from - 1].rate), 1e-12);
  }
}

TEST(platform_missions, outside_missions_a_platform_goes_level_to_the_yaw_of_its_anchor_the_short_way) {
  Guided v;
  v.plan.anchor_yaw = 3;
  v.sp.angle = {0.2, -0.3, -3};
  v.enter(Flight::Hold);
  double least = 10;
  for (int k = 0; k < 1600; ++k) {
    v.tick();
    least = std::min(least, std::abs(v.sp.angle.z - kPi));
  }
  EXPECT_NEAR(std::cos(v.sp.angle.z - 3), 1, 1e-9);
  EXPECT_NEAR(v.sp.angle.x, 0, 1e-5);
  EXPECT_NEAR(v.sp.angle.y, 0, 1e-5);
  EXPECT_LT(least, 0.01) << "over the half turn, not back through zero";
  EXPECT_LT(math::norm(v.sp.rate), 1e-4);
}

TEST(platform_missions, a_platform_that_nobody_guides_keeps_its_angles) {
  Guided v = experiment_d();
  v.sp.angle = {0.1, 0.2, 0.3};
  v.enter(Flight::Armed);
  v.fly(1);
  EXPECT_EQ(v.sp.angle.x, 0.1);
  EXPECT_EQ(v.sp.angle.z, 0.3);
  EXPECT_EQ(v.sp.rate.z, 0);
}

// experiment B: a circle of harmonics with a yaw in ramps of 0.05 rad/s, which is a path of its own
TEST(platform_missions, angles_may_follow_a_polynomial_path_while_the_position_flies_harmonics) {
  Guided v;
  const double headers[4] = {0, 2, 1, 32};
  double pieces[2 * control::kPathPiece] = {};
  pieces[0] = pieces[control::kPathPiece] = 16;
  pieces[1 + 16 + 1] = 0.05;                                    // yaw rises
  pieces[control::kPathPiece + 1 + 16] = 0.8, pieces[control::kPathPiece + 1 + 16 + 1] = -0.05;  // and falls
  v.table = {headers, pieces};
  v.plan.amplitude = {1, 1, 0}, v.plan.rate = {2 * kPi / 16, 2 * kPi / 16, 0}, v.plan.phase = {0, kPi / 2, 0};
  v.angles.path = 1;
  v.enter(Flight::Mission);
  v.fly(40);
  EXPECT_NEAR(v.sp.angle.z, 0.05 * (40 - kTick - 32), 1e-9);
  EXPECT_NEAR(v.sp.rate.z, 0.05, 1e-9);
  v.fly(16);
  EXPECT_NEAR(v.sp.rate.z, -0.05, 1e-9);
  EXPECT_NEAR(v.sp.angle.z, 0.8 - 0.05 * (56 - kTick - 48), 1e-9);
  const double w = 2 * kPi / 16, t = 56 - kTick - 1;
  EXPECT_NEAR(v.reference.position_W.value.x, std::sin(w * t), 1e-9);
  EXPECT_NEAR(v.reference.position_W.value.y, std::cos(w * t), 1e-9);
}

TEST(platform_missions, target_is_the_reference_moved_by_what_the_admittance_yields) {
  Guided v = experiment_d();
  v.enter(Flight::Mission);
  v.fly(7);
  const control::Yielding<double> y = {{{0.1, 0, 0}, {0, 0.2, 0}}, {{0, 0.3, 0}, {0, 0, 0.4}}, {{0, 0, 0.5}, {0.6, 0, 0}}};
  math::Position<double> here = v.reference.position_W;
  here.value.x -= 0.25;
  const control::PoseTarget<double> t = control::pose_target(here, v.reference, v.sp, y);
  EXPECT_LT(worst_of(t.position_error_W, {0.25 + 0.1, 0, 0}), 1e-12);
  EXPECT_LT(worst_of(t.velocity_W, v.reference.velocity_W + Vec3<double>{0, 0.3, 0}), 1e-12);
  EXPECT_LT(worst_of(t.acceleration_W, v.reference.acceleration_W + Vec3<double>{0, 0, 0.5}), 1e-12);
  const auto o = control::orientation_of(
      Angles<double>{v.sp.angle + Vec3<double>{0, 0.2, 0}, v.sp.rate + Vec3<double>{0, 0, 0.4}, v.sp.acceleration + Vec3<double>{0.6, 0, 0}});
  EXPECT_LT(worst_of(t.attitude.omega, o.omega) + worst_of(t.attitude.alpha, o.alpha) + worst_of(t.attitude.R_W.row0, o.R_W.row0), 1e-12);
}

TEST(platform_missions, torque_on_the_angles_does_the_work_of_the_torque_in_the_world) {
  for (int k = 0; k < 50; ++k) {
    const Vec3<double> angle = {0.3 * k, 0.1 + 0.02 * k, -0.2 * k}, rate = {std::sin(1.0 * k), std::cos(2.0 * k), 0.5}, torque = {1, -2, 0.1 * k};
    const auto o = control::orientation_of(Angles<double>{angle, rate, {0, 0, 0}});
    EXPECT_NEAR(math::dot(control::torque_on_angles(angle, torque), rate), math::dot(torque, o.R_W * o.omega), 1e-12);
  }
  const Vec3<double> printed = control::torque_on_angles(Vec3<double>{0.4, 0, 0}, Vec3<double>{1, 2, 3});
  EXPECT_LT(worst_of(printed, {1, 2, 3}), 1e-15);
}

TEST(platform_missions, every_number_of_a_record_is_a_row) {
  AnglePlan<double> a{};
  Angles<double> s{};
  math::RowCounter rows, more;
  AnglePlan<double>::fields(a, rows);
  Angles<double>::fields(s, more);
  EXPECT_EQ(rows.n * sizeof(double), sizeof a);
  EXPECT_EQ(more.n * sizeof(double), sizeof s);
}

}  // namespace
}  // namespace volary
