// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Worlds in a strict federation, in virtual time: what is committed equals one process, whatever the network does and whoever dies.
#include "cluster/federated_world_test_support.hpp"
#include "engine/random_scenario_test_support.hpp"
#include "engine/shared_world_test_support.hpp"

namespace volary::cluster {
namespace {

void expect_equal(const WorldDef& def, const FederatedSchedule& s, std::uint64_t* rollbacks = nullptr, std::uint64_t* restarts = nullptr) {
  FederatedWorld federation(def, test::cut_at_random(def, s.nodes, s.impairment.seed), s);
  ASSERT_EQ(federation.run(), "") << "seed " << s.impairment.seed;
  if (rollbacks != nullptr) *rollbacks += federation.rollbacks();
  if (restarts != nullptr) *restarts += federation.restarts();
}

ImpairmentOptions bad_network(std::uint64_t seed) { return {.loss = 0.3, .delay = 0.03, .jitter = 0.01, .duplicate = 0.05, .reorder = 0.1, .seed = seed}; }

TEST(federated_world, equals_one_process_under_loss_delay_duplication_and_reordering) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed)
    for (const std::uint32_t nodes : {1u, 2u, 4u, 8u}) expect_equal(test::RandomScenario(seed).make(1), {bad_network(seed), nodes, 120});
}

TEST(federated_world, equals_one_process_when_nodes_die_and_come_back_from_what_they_saved) {
  std::uint64_t restarts = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) expect_equal(test::RandomScenario(seed).make(1), {bad_network(seed), 4, 150, 4}, nullptr, &restarts);
  EXPECT_GT(restarts, 8u);
}

TEST(federated_world, rolls_back_for_inputs_that_come_late_and_equals_one_process_that_had_them_in_time) {
  std::uint64_t rollbacks = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    FederatedSchedule s{bad_network(seed), 4, 120};
    for (std::uint32_t k = 1; k <= 6; ++k)
      s.inputs.push_back({k * 15, {.tick = k * 15 + k, .source = 7, .seq = k, .target = {k % 3 + 1}, .payload = SetSetpoint{.position_W = {1.0 * k, 2, 6}}}});
    s.inputs.push_back({50, {.tick = 52, .source = 7, .seq = 9, .payload = Spawn{"birds", {.position_W = {1, 2, 6}, .mode = Mode::Hold}}}});
    s.snapshot_bytes = 20'000 * seed;  // few are kept: the ticks between are flown again
    expect_equal(test::RandomScenario(seed).make(1), s, &rollbacks);
  }
  EXPECT_GT(rollbacks, 0u);
}

}  // namespace
}  // namespace volary::cluster
