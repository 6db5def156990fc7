// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "cli/closest_pair.hpp"

#include <gtest/gtest.h>

#include "engine/engine_test_support.hpp"

namespace volary::cli {
namespace {

// two that fly at each other, for four seconds
ClosestPair::Result meet(ContactPolicy policy, double speed) {
  auto world = test::collide(test::meeting(policy, speed), speed);
  ClosestPair closest;
  closest.begin(*world);
  while (world->time() < 4) {
    world->step(1);
    closest.after_tick(*world);
  }
  return closest.result(world->swarm_report());
}

TEST(closest_pair, is_reported_also_where_vehicles_pass_through_each_other) {
  const ClosestPair::Result r = meet(ContactPolicy::Ignore, 1);
  EXPECT_LT(r.distance, 0.5);
  EXPECT_GT(r.time, 0.5);
  EXPECT_FALSE(r.names.empty());
  EXPECT_EQ(r.passes, 1u);
  EXPECT_FALSE(r.in_every_tick);
}

TEST(closest_pair, that_touches_is_seen_between_two_looks_as_well) {
  const ClosestPair::Result r = meet(ContactPolicy::Bounce, 5);
  EXPECT_GE(r.passes, 1u);  // what bounces off flies at the other again
  EXPECT_TRUE(r.in_every_tick);
  EXPECT_LT(r.distance, 0.7);
}

TEST(closest_pair, of_one_vehicle_is_unknown) {
  auto world = test::make(test::circling(1));
  ClosestPair closest;
  closest.begin(*world);
  world->step(10);
  closest.after_tick(*world);
  EXPECT_EQ(closest.result(world->swarm_report()).distance, std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace volary::cli
