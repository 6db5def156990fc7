// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Shipped scenarios on several members that exchange frames, beside the same scenario in one process.
#include "record_support_test.hpp"

#include <filesystem>

#include "cluster/federated_world_test_support.hpp"
#include "engine/shared_world_test_support.hpp"

namespace volary::replay {
namespace {

std::vector<std::string> scenarios() {
  std::vector<std::string> list;
  for (const char* folder : {"/scenarios", "/examples/behaviours"})
    for (const auto& entry : std::filesystem::directory_iterator(std::string(VOLARY_SOURCE_DIR) + folder))
      if (entry.path().extension() == ".yaml") list.push_back(entry.path().string());
  std::sort(list.begin(), list.end());
  return list;
}

class Federated : public testing::TestWithParam<std::string> {};

TEST_P(Federated, EqualsTheSameScenarioInOneProcess) {
  Flown whole = load_flown(GetParam());
  if (whole.def.worlds != 1) GTEST_SKIP() << "a batch of worlds is not shared";
  std::size_t vehicles = 0;
  for (const FlockDef& f : whole.def.flocks) vehicles += f.vehicles.size();
  const std::uint64_t ticks = std::min<std::uint64_t>(planned_ticks(whole.def), vehicles > 200 ? 60 : 400);
  std::vector<std::uint64_t> hashes;
  for (std::uint64_t tick = 0; tick < ticks; ++tick) whole.world->step(), hashes.push_back(whole.world->hash());
  const std::vector<std::string> events = test::event_texts(*whole.world);
  for (const std::uint32_t members : {2u, 8u}) {
    test::SharedWorld shared(whole.def, test::cut_at_random(whole.def, members, members));
    for (std::uint64_t tick = 0; tick < ticks; ++tick) {
      shared.step();
      ASSERT_EQ(shared.hash(), hashes[tick]) << members << " members, tick " << tick;
    }
    for (std::size_t m = 0; m < shared.size(); ++m) EXPECT_EQ(test::event_texts(shared.at(m)), events) << "member " << m;
  }
}

// Nodes are ahead of what they have of each other, by up to ten ticks.
TEST_P(Federated, WithAHorizonRunsAheadUnderLossAndEqualsOneProcess) {
  Flown whole = load_flown(GetParam());
  if (whole.def.worlds != 1) GTEST_SKIP() << "a batch of worlds is not shared";
  std::size_t vehicles = 0;
  for (const FlockDef& f : whole.def.flocks) vehicles += f.vehicles.size();
  WorldDef def = whole.def;
  def.coupling.horizon = 10 * static_cast<double>(def.tick_ns) * 1e-9;
  const std::uint64_t ticks = std::min<std::uint64_t>(planned_ticks(def), vehicles > 200 ? 30 : 200);
  cluster::FederatedSchedule s{{.loss = 0.3, .delay = 0.03, .jitter = 0.01, .duplicate = 0.05, .reorder = 0.1, .seed = 7}, 3, ticks};
  cluster::FederatedWorld federation(def, test::cut_at_random(def, 3, 7), s);
  ASSERT_EQ(federation.run(), "");
}

INSTANTIATE_TEST_SUITE_P(Scenarios, Federated, testing::ValuesIn(scenarios()),
                         [](const auto& info) { return std::filesystem::path(info.param).stem().string(); });

}  // namespace
}  // namespace volary::replay
