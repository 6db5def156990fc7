// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Aircraft that hold on circles which overlap, with collision avoidance: they meet again and again.
#include <gtest/gtest.h>

#include <algorithm>

#include "record_support_test.hpp"

namespace volary::replay {
namespace {

constexpr const char* kLoiter = R"(name: loiter
duration: 300
environment: {wind: [2, 0, 0], gust_sigma: 0.5, gust_time_constant: 2}
radio: {model: disc, range: 3000}
flocks:
  - name: wings
    airframe: talon
    vehicles:
      list:
        - {position: [0, -50, 100]}
        - {position: [0, 0, 100]}
        - {position: [0, 50, 100]}
        - {position: [-50, -50, 100]}
        - {position: [-50, 0, 100]}
        - {position: [-50, 50, 100]}
    start: hold
    mission: {hold: {height: 0}}
    node: {decision_rate: 10, state_rate: 10, memory: 32, forget: 2, contact: {policy: crash, radius: 0.9}}
    behaviours:
      - hold: {}
      - avoid: {margin: 15, horizon: 5, range: 200, floor: 40}
)";

std::uint64_t ticks_per_second(const Flown& f) { return static_cast<std::uint64_t>(1'000'000'000 / f.def.tick_ns); }

struct Heights {
  double lowest = 1e9, highest = -1e9;
  void add(const World& w) {
    for (const VehicleId id : w.vehicles()) lowest = std::min(lowest, w.position_of(id)[2]), highest = std::max(highest, w.position_of(id)[2]);
  }
};

TEST(Loiter, EvasionsDoNotMoveTheHeightOfAHold) {
  core::ScratchFolder folder;
  Flown f = load_flown(folder.write("loiter.yaml", kLoiter));
  Heights now;
  for (int second = 0; second < 300; ++second) {
    f.world->step(ticks_per_second(f));
    if (second >= 60) now.add(*f.world);
  }
  EXPECT_GT(now.lowest, 65);
  EXPECT_LT(now.highest, 135);
}

// who is sent elsewhere by hand and released holds there, not at the height of before
TEST(Loiter, AHoldAfterAnotherHandIsANewOne) {
  core::ScratchFolder folder;
  Flown f = load_flown(folder.write("loiter.yaml", kLoiter));
  const std::uint64_t second = ticks_per_second(f);
  f.world->step(20 * second);
  const VehicleId id = f.world->vehicles()[0];
  f.world->submit({.target = id, .payload = SetSetpoint{.level = ControlLevel::Position, .position_W = {800, 800, 180}}});
  f.world->step(90 * second);
  ASSERT_NEAR(f.world->position_of(id)[2], 180, 10);
  f.world->submit({.target = id, .payload = SetMode{Mode::Mission}});
  f.world->step(60 * second);
  EXPECT_NEAR(f.world->position_of(id)[2], 180, 10);
}

}  // namespace
}  // namespace volary::replay
