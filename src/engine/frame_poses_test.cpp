// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "engine/random_scenario_test_support.hpp"
#include "engine/shared_world_test_support.hpp"

namespace volary {
namespace {

using test::SharedWorld;

TEST(frame_poses, are_those_of_the_owner_whatever_the_tick_of_the_reader) {
  for (const Precision precision : {Precision::Float, Precision::Double}) {
    WorldDef def = test::talking(20);
    def.precision = precision;
    auto whole = test::make(def);
    SharedWorld shared(def, test::cut_at_random(def, 3, 2));
    for (int tick = 0; tick < 10; ++tick) whole->step(), shared.step();
    std::vector<std::vector<std::byte>> kept;
    for (std::size_t m = 0; m < 3; ++m) kept.push_back(shared.frame(m));
    for (int tick = 0; tick < 13; ++tick) shared.step();
    std::size_t seen = 0;
    for (const std::vector<std::byte>& frame : kept) {
      std::vector<FramePose> poses;
      std::string error;
      ASSERT_TRUE(shared.observer().read_poses(frame, poses, &error)) << error;
      for (const FramePose& p : poses) {
        EXPECT_EQ(p.position_W, whole->position_of(p.id)) << whole->name_of(p.id);
        EXPECT_EQ(p.velocity_W, whole->velocity_of(p.id));
        EXPECT_NE(p.position_W, shared.observer().position_of(p.id));
        const View q = whole->view("birds", "attitude");
        for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(p.attitude_WB[k], q.at(whole->slot_of(p.id), k));
      }
      seen += poses.size();
    }
    EXPECT_EQ(seen, 20u);
  }
}

TEST(frame_poses, of_a_damaged_frame_or_of_other_vehicles_are_refused) {
  const WorldDef def = test::talking(12);
  SharedWorld shared(def, {.members = 2, .parts = {{"birds", 1, 0}, {"birds", 7, 1}}});
  for (int tick = 0; tick < 5; ++tick) shared.step();
  const std::vector<std::byte> good = shared.frame(1);
  std::vector<FramePose> poses;
  std::string error;
  ASSERT_TRUE(shared.observer().read_poses(good, poses, &error)) << error;
  // tick, member, count, and 14 rows of six vehicles; what follows them is not looked at
  const std::size_t rows = 16 + 14 * 6 * 4;
  for (std::size_t n = 0; n < rows; n += 3) EXPECT_FALSE(shared.observer().read_poses(std::span(good).first(n), poses, &error)) << n;
  std::vector<std::byte> wild = good;
  const float infinite = std::numeric_limits<float>::infinity();
  std::memcpy(wild.data() + 16 + 6 * 4, &infinite, 4);
  EXPECT_FALSE(shared.observer().read_poses(wild, poses, &error));
  EXPECT_NE(error.find("not finite"), std::string::npos);
  shared.submit({.source = 1, .seq = 1, .target = {8}, .payload = Remove{}});
  for (int tick = 0; tick < 2; ++tick) shared.step();
  EXPECT_FALSE(shared.observer().read_poses(good, poses, &error));
  EXPECT_NE(error.find("6 vehicles of flock 'birds', and member 1 has 5 now"), std::string::npos) << error;
}

TEST(frame_poses, the_observer_does_not_claim_to_know_what_a_vehicle_elsewhere_decides) {
  WorldDef def = test::talking(6);
  def.flocks[0].node.behaviours = {test::behaviour<swarm::Announce>({.topic = "beacon", .rate = 10})};
  auto whole = test::make(def);
  SharedWorld shared(def, test::cut_at_random(def, 2, 1));
  for (int tick = 0; tick < 50; ++tick) whole->step(), shared.step();
  bool some = false;
  for (const VehicleId id : whole->vehicles()) {
    const DecisionState here = whole->decision_state_of(id), there = shared.observer().decision_state_of(id);
    EXPECT_FALSE(here.is_elsewhere);
    EXPECT_TRUE(there.is_elsewhere);
    ASSERT_EQ(there.behaviours.size(), here.behaviours.size());
    for (std::size_t k = 0; k < here.behaviours.size(); ++k) {
      EXPECT_EQ(there.behaviours[k].kind, here.behaviours[k].kind);
      EXPECT_EQ(there.behaviours[k].weight, here.behaviours[k].weight);
      EXPECT_FALSE(there.behaviours[k].active || there.behaviours[k].chosen);
      some = some || here.behaviours[k].active || here.behaviours[k].chosen;
    }
    EXPECT_EQ(there.hears, here.hears);
  }
  EXPECT_TRUE(some);
}

}  // namespace
}  // namespace volary
