// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What is recorded of a world of a batch is what is recorded of the same world alone.
#include <map>

#include "record_support_test.hpp"

namespace volary::replay {
namespace {

TEST(RecordBatch, AWorldOfABatchIsRecordedAsAlone) {
  constexpr std::uint64_t kTicks = 300;
  const core::ScratchFolder folder;
  const auto flown = [&](const std::vector<std::string>& overrides, const std::string& name) {
    Flown f = load_flown("hill_relay", overrides);
    record(f, folder.path() + "/" + name, kTicks);
    return open_recording(folder.path() + "/" + name);
  };
  const auto batch = flown({"worlds=5"}, "batch.vrec");
  ASSERT_NE(batch, nullptr);
  for (const std::uint32_t world : {0u, 3u, 4u}) {
    const auto alone = flown({"worlds=1", "first_world=" + std::to_string(world)}, "alone" + std::to_string(world) + ".vrec");
    ASSERT_NE(alone, nullptr);
    for (const std::uint64_t tick : {0u, 77u, 200u, 300u}) {
      const auto all = batch->at_tick(static_cast<double>(tick)), one = alone->at_tick(static_cast<double>(tick));
      ASSERT_TRUE(all && one);
      std::map<std::uint64_t, VehicleAt> mine;  // by id
      for (const VehicleAt& v : all.value().vehicles)
        if (batch->roster()[v.vehicle].world == world) mine.emplace(batch->roster()[v.vehicle].id, v);
      ASSERT_EQ(mine.size(), one.value().vehicles.size());
      for (const VehicleAt& v : one.value().vehicles) {
        const RosterEntry& e = alone->roster()[v.vehicle];
        const auto other = mine.find(e.id);
        ASSERT_NE(other, mine.end()) << e.name;
        const Pose &a = other->second.pose, &b = v.pose;
        EXPECT_TRUE(std::equal(std::begin(a.position), std::end(a.position), std::begin(b.position))) << e.name << " at tick " << tick;
        EXPECT_TRUE(std::equal(std::begin(a.attitude), std::end(a.attitude), std::begin(b.attitude))) << e.name << " at tick " << tick;
        EXPECT_EQ(other->second.mode, v.mode);
        EXPECT_EQ(batch->roster()[other->second.vehicle].name, e.name);
      }
    }
    std::vector<std::string> told, own;
    const auto text = [](const Event& e) { return std::to_string(e.tick) + " " + std::to_string(e.vehicle.value) + " " + e.what; };
    for (const Event& e : batch->events())
      if (e.world == world || e.world == kEveryWorld) told.push_back(text(e));
    for (const Event& e : alone->events()) own.push_back(text(e));
    EXPECT_EQ(own, told);
  }
}

}  // namespace
}  // namespace volary::replay
