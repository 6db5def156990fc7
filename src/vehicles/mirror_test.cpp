// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "vehicles/mirror.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace volary::vehicles {
namespace {

using Program = MirrorProgram;
constexpr double kPi = 3.14159265358979323846;

RigidBody<double> seen() {
  return {to_position<double>({100, -20, 30}), {3, -4, 0.5}, {1, 0, 0, 0}, {0, 0, kPi / 2}};
}

TEST(mirror, goes_straight_on_and_turns_at_its_last_rates) {
  const RigidBody<double> b = Program::moved(seen(), 2.0);
  EXPECT_NEAR(b.position_W.value.x, 106, 1e-12);
  EXPECT_NEAR(b.position_W.value.y, -28, 1e-12);
  EXPECT_NEAR(b.position_W.value.z, 31, 1e-12);
  // half a turn to the left
  EXPECT_NEAR(b.q_WB.w, std::cos(kPi / 2), 1e-7);
  EXPECT_NEAR(b.q_WB.z, std::sin(kPi / 2), 1e-7);
  EXPECT_NEAR(b.q_WB.w * b.q_WB.w + b.q_WB.z * b.q_WB.z, 1, 1e-12);
}

TEST(mirror, without_a_rate_keeps_its_attitude) {
  RigidBody<double> still = seen();
  still.omega_B = {0, 0, 0};
  const RigidBody<double> b = Program::moved(still, 5.0);
  EXPECT_EQ(b.q_WB.w, 1);
  EXPECT_EQ(b.q_WB.x, 0);
  EXPECT_EQ(b.q_WB.y, 0);
  EXPECT_EQ(b.q_WB.z, 0);
}

TEST(mirror, stands_still_once_the_report_is_older_than_allowed_and_says_how_old_it_is) {
  Program::Agent<double> a{};
  a.known = a.body = seen();
  const MirrorParams<double> p{0.25, 1.0};
  for (int tick = 1; tick <= 4; ++tick) {
    Program::advance(a, TickInfo{}, p);
    EXPECT_DOUBLE_EQ(a.age, 0.25 * tick);
    EXPECT_DOUBLE_EQ(a.body.velocity_W.x, 3);
    EXPECT_NEAR(a.body.position_W.value.x, 100 + 0.75 * tick, 1e-12);
  }
  Program::advance(a, TickInfo{}, p);
  EXPECT_DOUBLE_EQ(a.age, 1.25);
  EXPECT_EQ(a.body.velocity_W.x, 0);
  EXPECT_EQ(a.body.omega_B.z, 0);
  EXPECT_NEAR(a.body.position_W.value.x, 103, 1e-12);
}

}  // namespace
}  // namespace volary::vehicles
