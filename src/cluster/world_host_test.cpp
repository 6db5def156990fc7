// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Worlds in a strict federation, in virtual time: what is committed equals one process, whatever the network does and whoever dies.
#include <cstdlib>

#include "cluster/federated_world_test_support.hpp"
#include "engine/random_scenario_test_support.hpp"
#include "engine/shared_world_test_support.hpp"

namespace volary::cluster {
namespace {

// what had to be done again
struct Again {
  std::uint64_t rollbacks = 0, restarts = 0, touched = 0;
};

Again expect_equal(const WorldDef& def, const Sharing& sharing, const FederatedSchedule& s) {
  FederatedWorld federation(def, sharing, s);
  EXPECT_EQ(federation.run(), "") << "seed " << s.impairment.seed << ", horizon " << horizon_ticks(def);
  return {federation.rollbacks(), federation.restarts(), federation.touched()};
}
Again expect_equal(const WorldDef& def, const FederatedSchedule& s) { return expect_equal(def, test::cut_at_random(def, s.nodes, s.impairment.seed), s); }

ImpairmentOptions bad_network(std::uint64_t seed) { return {.loss = 0.3, .delay = 0.03, .jitter = 0.01, .duplicate = 0.05, .reorder = 0.1, .seed = seed}; }

TEST(federated_world, equals_one_process_under_loss_delay_duplication_and_reordering) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed)
    for (const std::uint32_t nodes : {1u, 2u, 4u, 8u}) expect_equal(test::RandomScenario(seed).make(1), {bad_network(seed), nodes, 120});
}

TEST(federated_world, equals_one_process_when_nodes_die_and_come_back_from_what_they_saved) {
  std::uint64_t restarts = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) restarts += expect_equal(test::RandomScenario(seed).make(1), {bad_network(seed), 4, 150, 4}).restarts;
  EXPECT_GT(restarts, 8u);
}

// few snapshots are kept: the ticks between are flown again
FederatedSchedule with_late_inputs(std::uint64_t seed) {
  FederatedSchedule s{bad_network(seed), 4, 120};
  for (std::uint32_t k = 1; k <= 6; ++k)
    s.inputs.push_back({k * 15, {.tick = k * 15 + k, .source = 7, .seq = k, .target = {k % 3 + 1}, .payload = SetSetpoint{.position_W = {1.0 * k, 2, 6}}}});
  s.inputs.push_back({50, {.tick = 52, .source = 7, .seq = 9, .payload = Spawn{"birds", {.position_W = {1, 2, 6}, .mode = Mode::Hold}}}});
  s.snapshot_bytes = 20'000 * seed;
  return s;
}

TEST(federated_world, rolls_back_for_inputs_that_come_late_and_equals_one_process_that_had_them_in_time) {
  std::uint64_t rollbacks = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) rollbacks += expect_equal(test::RandomScenario(seed).make(1), with_late_inputs(seed)).rollbacks;
  EXPECT_GT(rollbacks, 0u);
}

// ---------------------------------------------------------------- members that never come back

constexpr DeadPolicy kPolicies[] = {DeadPolicy::Remove, DeadPolicy::Freeze, DeadPolicy::Extrapolate};

// How many died. What is left of them is removed, stands still or moves straight on, and every tick equals one process that is given the same inputs.
std::uint64_t expect_equal_without(const WorldDef& def, DeadPolicy policy, std::uint64_t seed) {
  FederatedSchedule s{bad_network(seed), 4, 150, 3};
  s.policy = policy;
  // somebody comes later to a flock whose last part may have been that of a dead member
  s.inputs.push_back({100, {.tick = 140, .source = 7, .seq = 9, .payload = Spawn{"birds", {.position_W = {1, 2, 6}, .mode = Mode::Hold}}}});
  FederatedWorld federation(def, test::cut_at_random(def, s.nodes, seed), s);
  EXPECT_EQ(federation.run(), "") << "policy " << name_of(policy) << ", seed " << seed << ", horizon " << horizon_ticks(def);
  return federation.deaths();
}

TEST(federated_world, goes_on_without_members_that_died_and_equals_one_process_with_the_same_inputs) {
  for (const DeadPolicy policy : kPolicies) {
    std::uint64_t deaths = 0;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) deaths += expect_equal_without(test::RandomScenario(seed).make(1), policy, seed);
    EXPECT_GT(deaths, 5u);
  }
}

TEST(federated_world, that_runs_ahead_goes_on_without_members_that_died) {
  for (const std::uint64_t horizon : {2u, 5u, 16u})
    for (const DeadPolicy policy : kPolicies) {
      std::uint64_t deaths = 0;
      for (std::uint64_t seed = 1; seed <= 3; ++seed) deaths += expect_equal_without(test::coupled_scenario(seed, horizon), policy, seed);
      EXPECT_GT(deaths, 2u);
    }
}

// ---------------------------------------------------------------- a horizon of several ticks

constexpr std::uint64_t kHorizons[] = {2, 5, 16};

TEST(federated_world, that_runs_ahead_of_the_frames_of_others_equals_one_process_under_loss) {
  for (const std::uint64_t horizon : kHorizons)
    for (std::uint64_t seed = 1; seed <= 4; ++seed)
      for (const std::uint32_t nodes : {1u, 2u, 4u, 8u}) expect_equal(test::coupled_scenario(seed, horizon), {bad_network(seed), nodes, 120});
}

TEST(federated_world, that_runs_ahead_comes_back_from_what_its_nodes_saved) {
  std::uint64_t restarts = 0;
  for (const std::uint64_t horizon : kHorizons)
    for (std::uint64_t seed = 1; seed <= 4; ++seed) restarts += expect_equal(test::coupled_scenario(seed, horizon), {bad_network(seed), 4, 150, 4}).restarts;
  EXPECT_GT(restarts, 12u);
}

TEST(federated_world, that_runs_ahead_rolls_back_for_inputs_that_come_late) {
  std::uint64_t rollbacks = 0;
  for (const std::uint64_t horizon : kHorizons)
    for (std::uint64_t seed = 1; seed <= 4; ++seed) rollbacks += expect_equal(test::coupled_scenario(seed, horizon), with_late_inputs(seed)).rollbacks;
  EXPECT_GT(rollbacks, 0u);
}

// the first two vehicles, told when so much is committed, from a tick on
void fly_at_each_other(FederatedSchedule& s, Tick when, std::uint64_t tick) {
  for (std::uint32_t k = 1; k <= 2; ++k) {
    const SetSetpoint towards{.level = ControlLevel::Velocity, .velocity_W = {k == 1 ? 3.0 : -3.0, 0, 0}};
    s.inputs.push_back({when, {.tick = tick, .source = 1, .seq = k, .target = {k}, .payload = towards}});
  }
}

// Whoever has advanced the tick in which they meet, and has gone on, finds out when the frame of the other comes.
TEST(federated_world, a_collision_of_vehicles_of_two_nodes_rolls_back_whoever_is_ahead_and_comes_out_as_in_one_process) {
  for (const ContactPolicy policy : {ContactPolicy::Crash, ContactPolicy::Remove, ContactPolicy::Bounce})
    for (const std::uint64_t horizon : kHorizons) {
      const WorldDef def = test::with_horizon(test::meeting(policy, 3), horizon);
      FederatedSchedule s{bad_network(horizon), 2, 200};
      fly_at_each_other(s, 1, 5);
      // a wreck does not fly again
      s.inputs.push_back({60, {.tick = 140, .source = 1, .seq = 8, .target = {1}, .payload = SetMode{Mode::Hold}}});
      // somebody comes after one was removed, and takes its slot
      s.inputs.push_back({60, {.tick = 150, .source = 1, .seq = 9, .payload = Spawn{"birds", {.position_W = {1, 9, 6}, .mode = Mode::Hold}}}});
      const Again again = expect_equal(def, {.members = 2, .parts = {{"birds", 1, 0}, {"birds", 2, 1}}}, s);
      EXPECT_GE(again.touched, 1u) << "policy " << static_cast<int>(policy) << ", horizon " << horizon;
      EXPECT_GE(again.rollbacks, 1u);
      auto whole = test::collide(def, 3);
      whole->step(200);
      EXPECT_GE(whole->swarm_report().contacts, 1u);
    }
}

// The same over many networks, in which frames of the tick, entries of the log and the news of a contact overtake each other in every order.
TEST(federated_world, a_collision_comes_out_as_in_one_process_whatever_overtakes_what) {
  const std::uint64_t seeds = std::getenv("VOLARY_LONG") != nullptr ? 400 : 12;
  for (const ContactPolicy policy : {ContactPolicy::Crash, ContactPolicy::Remove, ContactPolicy::Bounce})
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      const WorldDef def = test::with_horizon(test::meeting(policy, 3), 2 + seed % 15);
      FederatedSchedule s{{.loss = 0.2, .delay = 0.01, .jitter = 0.005 * static_cast<double>(seed % 3), .reorder = 0.1, .seed = seed}, 2, 160, static_cast<int>(seed % 3)};
      fly_at_each_other(s, 0, 0);
      expect_equal(def, {.members = 2, .parts = {{"birds", 1, 0}, {"birds", 2, 1}}}, s);
    }
}

// A member that has none of those who left has given their slots to others meanwhile.
TEST(federated_world, vehicles_that_come_when_others_were_lost_have_the_same_slots_everywhere) {
  for (const std::uint64_t horizon : kHorizons) {
    const WorldDef def = test::with_horizon(test::meeting(ContactPolicy::Remove, 3), horizon);
    auto whole = test::collide(def, 3);
    while (whole->n_vehicles() > 0 && whole->tick() < 300) whole->step();
    const std::uint64_t lost = whole->tick();
    FederatedSchedule s{bad_network(horizon), 3, lost + 40};
    fly_at_each_other(s, 0, 0);
    // they are close enough to touch, so that what contact writes goes to their slots
    for (std::uint32_t k = 0; k < 8; ++k)
      s.inputs.push_back({10, {.tick = lost + k, .source = 1, .seq = 10 + k, .payload = Spawn{"birds", {.position_W = {0.1 * k, 9, 6}, .mode = Mode::Hold}}}});
    const Sharing sharing{.members = 3, .parts = {{"birds", 1, 0}, {"birds", 2, 1}, {"birds", 3, 2}, {"birds", 5, 0}}};
    EXPECT_GE(expect_equal(def, sharing, s).rollbacks, 1u);
  }
}

TEST(federated_world, a_vehicle_whose_numbers_go_bad_stops_everywhere_at_once_whoever_is_ahead) {
  for (const std::uint64_t horizon : kHorizons) {
    FederatedSchedule s{bad_network(horizon), 4, 80};
    s.inputs.push_back({20, {.tick = 40, .source = 1, .seq = 1, .target = {5}, .payload = SetParameter{"inv_mass", 0, 1e12}}});
    s.inputs.push_back({20, {.tick = 41, .source = 1, .seq = 2, .payload = Spawn{"birds", {.position_W = {1, 9, 6}, .mode = Mode::Hold}}}});
    const Again again = expect_equal(test::coupled_scenario(2, horizon), s);
    EXPECT_GE(again.rollbacks, 1u);
  }
}

}  // namespace
}  // namespace volary::cluster
