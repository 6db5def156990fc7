// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "math/frames.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "math/random.hpp"

namespace volary::math {
namespace {

using V = Vec3<double>;
using Q = Quat<double>;

void expect_near(const V& a, const V& b) {
  EXPECT_NEAR(a.x, b.x, 1e-12);
  EXPECT_NEAR(a.y, b.y, 1e-12);
  EXPECT_NEAR(a.z, b.z, 1e-12);
}
V turn(const Q& q, const V& v) { return rotation_matrix(q) * v; }

TEST(frames, north_is_the_first_axis_of_ned_and_the_second_of_enu) {
  expect_near(enu_from_ned(V{1, 0, 0}), {0, 1, 0});
  expect_near(enu_from_ned(V{0, 1, 0}), {1, 0, 0});
  expect_near(enu_from_ned(V{0, 0, 1}), {0, 0, -1});
  expect_near(flu_from_frd(V{1, 2, 3}), {1, -2, -3});
}

TEST(frames, level_and_facing_north_is_a_quarter_turn_from_east) {
  const Q q = enu_flu_from_ned_frd(Q{1, 0, 0, 0});
  expect_near(turn(q, {1, 0, 0}), {0, 1, 0});  // forward is north
  expect_near(turn(q, {0, 0, 1}), {0, 0, 1});  // up stays up
}

TEST(frames, a_heading_of_90_degrees_in_ned_faces_east) {
  const double h = std::sqrt(0.5);
  expect_near(turn(enu_flu_from_ned_frd(Q{h, 0, 0, h}), {1, 0, 0}), {1, 0, 0});
}

TEST(frames, an_attitude_turns_vectors_the_same_way_in_both_conventions) {
  for (std::uint32_t k = 0; k < 200; ++k) {
    const Words4<std::uint32_t> draw = philox<std::uint32_t>({{k, 1, 2, 3}}, {4, 5});
    const auto unit = [&](int i) { return static_cast<double>(draw.w[i]) / 2147483648.0 - 1; };
    const Q q = normalize(Q{unit(0), unit(1), unit(2), unit(3) + 1e-9});
    const V v_FRD{unit(1), unit(3), unit(0)};
    expect_near(turn(enu_flu_from_ned_frd(q), flu_from_frd(v_FRD)), enu_from_ned(turn(q, v_FRD)));
  }
}

TEST(frames, going_there_and_back_changes_nothing) {
  const Q q = normalize(Q{0.3, -0.5, 0.7, 0.2}), back = ned_frd_from_enu_flu(enu_flu_from_ned_frd(q));
  EXPECT_NEAR(back.w, q.w, 1e-15);
  EXPECT_NEAR(back.x, q.x, 1e-15);
  EXPECT_NEAR(back.y, q.y, 1e-15);
  EXPECT_NEAR(back.z, q.z, 1e-15);
  expect_near(ned_from_enu(enu_from_ned(V{1, 2, 3})), {1, 2, 3});
  expect_near(frd_from_flu(flu_from_frd(V{1, 2, 3})), {1, 2, 3});
}

}  // namespace
}  // namespace volary::math
