// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Shipped scenarios as strict federations in virtual time, over a network that loses, delays, doubles and reorders messages, with a node that is killed and
// comes back: every committed tick has the hash and the events of the same tick in one process.
#include <filesystem>

#include "cluster/federated_world_test_support.hpp"
#include "engine/shared_world_test_support.hpp"
#include "record_support_test.hpp"

namespace volary::replay {
namespace {

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif
#else
constexpr bool kSanitized = false;
#endif

std::vector<std::string> scenarios() {
  std::vector<std::string> list;
  for (const char* folder : {"/scenarios", "/examples/behaviours"})
    for (const auto& entry : std::filesystem::directory_iterator(std::string(VOLARY_SOURCE_DIR) + folder))
      if (entry.path().extension() == ".yaml") list.push_back(entry.path().string());
  std::sort(list.begin(), list.end());
  return list;
}

bool is_swarm(const WorldDef& def) {
  return std::any_of(def.flocks.begin(), def.flocks.end(), [](const FlockDef& f) { return !f.node.behaviours.empty(); });
}
bool is_large(const WorldDef& def) {
  return std::any_of(def.flocks.begin(), def.flocks.end(), [](const FlockDef& f) { return f.vehicles.size() > 500; });
}

class FederatedScenario : public testing::TestWithParam<std::string> {};

// Those with behaviours: the first 20 s, with --long to their ends. The others: 2 s, with --long 20 s.
TEST_P(FederatedScenario, EqualsOneProcessWhateverTheNetworkDoesAndThoughNodesDie) {
  const WorldDef def = load_flown(GetParam()).def;
  if (def.worlds != 1) GTEST_SKIP() << "a batch of worlds is not shared";
  const bool is_thorough = is_long() && !kSanitized;
  const std::uint64_t some = (is_swarm(def) && !kSanitized) || is_thorough ? 20'000'000'000 : 2'000'000'000;
  const std::uint64_t whole = planned_ticks(def), ticks = is_thorough && is_swarm(def) ? whole : std::min(whole, some / def.tick_ns);
  for (const std::uint32_t nodes : is_large(def) && !is_thorough ? std::vector<std::uint32_t>{4} : std::vector<std::uint32_t>{1, 2, 4, 8}) {
    cluster::FederatedSchedule s{.nodes = nodes, .ticks = ticks, .kills = static_cast<int>(1 + ticks / 3000), .save_every = 100, .carry = 1};
    s.impairment = {.loss = 0.3, .delay = 0.03, .jitter = 0.01, .duplicate = 0.05, .reorder = 0.1, .seed = nodes};
    cluster::FederatedWorld federation(def, test::cut_at_random(def, nodes, nodes), s);
    ASSERT_EQ(federation.run(), "") << nodes << " nodes";
    if (!kSanitized) EXPECT_GT(federation.restarts(), 0u) << nodes << " nodes";  // two seconds are short
  }
}

INSTANTIATE_TEST_SUITE_P(Scenarios, FederatedScenario, testing::ValuesIn(scenarios()),
                         [](const auto& info) { return std::filesystem::path(info.param).stem().string(); });

}  // namespace
}  // namespace volary::replay
