// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/swept.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace volary::engine {
namespace {

TEST(swept, two_that_pass_each_other_within_a_tick_were_as_near_as_their_lines) {
  const Passing head_on{{10, 0.3, 0}, {-30, 0.3, 0}};
  EXPECT_NEAR(head_on.nearest2(), 0.09, 1e-15);
  EXPECT_NEAR(head_on.touch(0.5), (10 - 0.4) / 40, 1e-15);
  EXPECT_NEAR(head_on.at(0.25)[0], 0, 1e-15);
}

TEST(swept, two_that_come_nearer_are_nearest_at_the_end_and_two_that_part_at_the_beginning) {
  const Passing coming{{4, 3, 0}, {2, 0, 0}}, parting{{2, 0, 0}, {4, 3, 0}}, staying{{2, 0, 0}, {2, 0, 0}};
  EXPECT_EQ(coming.nearest2(), 4);
  EXPECT_EQ(parting.nearest2(), 4);
  EXPECT_EQ(staying.nearest2(), 4);
  EXPECT_EQ(parting.touch(3), 0);  // they touched before
  EXPECT_EQ(staying.touch(3), 0);
}

Vec random_way() {
  const auto number = [] { return 1e-3 * *rc::gen::inRange(-5000, 5000); };
  const double x = number(), y = number();
  return {x, y, number()};
}

RC_GTEST_PROP(swept, the_nearest_is_that_of_many_small_steps, ()) {
  const Passing p{random_way(), random_way()};
  double least = 1e300;
  for (int k = 0; k <= 4000; ++k) {
    const Vec way = p.at(k / 4000.0);
    least = std::min(least, dot(way, way));
  }
  const double nearest = std::sqrt(p.nearest2()), sampled = std::sqrt(least);
  RC_ASSERT(nearest <= sampled + 1e-12);
  RC_ASSERT(nearest >= sampled - 5e-3);  // half a step of the longest way
}

RC_GTEST_PROP(swept, at_the_first_touch_they_are_in_reach_and_never_before, ()) {
  const Passing p{random_way(), random_way()};
  const double reach = std::sqrt(p.nearest2()) + 1e-3 * *rc::gen::inRange(1, 3000), when = p.touch(reach);
  const Vec way = p.at(when);
  RC_ASSERT(std::sqrt(dot(way, way)) <= reach + 1e-9);
  for (int k = 0; k < 100; ++k) {
    const Vec before = p.at(when * k / 100.0);
    RC_ASSERT(std::sqrt(dot(before, before)) >= reach - 1e-9 || when == 0);
  }
}

}  // namespace
}  // namespace volary::engine
