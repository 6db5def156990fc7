// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "math/euler.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace volary {
namespace {

using math::EulerAngles;
using math::Vec3;

constexpr double kDegree = 0.017453292519943295;

TEST(euler, the_nose_of_an_aircraft_that_flies_east_and_climbs_points_east_and_up) {
  const auto R = math::rotation_matrix(math::quat_from_euler(EulerAngles<double>{90 * kDegree, 30 * kDegree, 0}));
  const Vec3<double> nose = R * Vec3<double>{1, 0, 0};
  EXPECT_NEAR(nose.x, 0, 1e-15);
  EXPECT_NEAR(nose.y, std::sqrt(0.75), 1e-15);
  EXPECT_NEAR(nose.z, -0.5, 1e-15);  // down is positive
}

TEST(euler, a_bank_to_the_right_puts_the_right_wing_down) {
  const auto R = math::rotation_matrix(math::quat_from_euler(EulerAngles<double>{0, 0, 30 * kDegree}));
  EXPECT_NEAR((R * Vec3<double>{0, 1, 0}).z, 0.5, 1e-15);
}

RC_GTEST_PROP(euler, angles_survive_the_way_through_a_quaternion, ()) {
  const auto angle = [](int limit) { return *rc::gen::inRange(-limit, limit) * 1e-3 * kDegree; };
  const EulerAngles<double> a = {angle(180000), angle(89900), angle(180000)};
  const EulerAngles<double> b = math::euler_from_quat(math::quat_from_euler(a));
  RC_ASSERT(std::abs(a.yaw - b.yaw) < 1e-12);
  RC_ASSERT(std::abs(a.pitch - b.pitch) < 1e-13);
  RC_ASSERT(std::abs(a.roll - b.roll) < 1e-12);
}

}  // namespace
}  // namespace volary
