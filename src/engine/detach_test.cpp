// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Vehicles that nobody controls any more.
#include "engine/random_scenario_test_support.hpp"
#include "engine/shared_world_test_support.hpp"
#include "swarm/behaviours/all.hpp"
#include "swarm/message.hpp"

namespace volary {
namespace {

using namespace test;

Input detach(std::uint64_t tick, std::uint64_t number, double straight) {
  return {.tick = tick, .source = 1, .target = {number}, .payload = Detach{straight}};
}

// two birds, the first of which flies north
std::unique_ptr<World> in_flight() {
  auto w = make(meeting(ContactPolicy::Ignore, 3));
  w->submit({.tick = 0, .source = 2, .target = {1}, .payload = SetSetpoint{.level = ControlLevel::Velocity, .velocity_W = {0, 4, 0}}});
  w->step(200);
  return w;
}

TEST(detach, a_vehicle_stands_still_where_it_was) {
  auto w = in_flight();
  const VehicleId id = w->find("1");
  const Vec before = w->position_of(id);
  EXPECT_GT(w->velocity_of(id)[1], 1.0);
  w->submit(detach(w->tick(), 1, 0));
  w->step(100);
  EXPECT_EQ(w->position_of(id), before);
  EXPECT_EQ(w->velocity_of(id), (Vec{0, 0, 0}));
  EXPECT_TRUE(w->is_alive(id) && w->is_detached(id));
}

TEST(detach, a_vehicle_moves_straight_on_for_the_time_that_is_given_and_then_stands_still) {
  auto w = in_flight();
  const VehicleId id = w->find("1");
  const Vec before = w->position_of(id), v = w->velocity_of(id);
  const double tick = static_cast<double>(w->def().tick_ns) * 1e-9;
  w->submit(detach(w->tick(), 1, 20 * tick));
  w->step(20);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(w->position_of(id)[k], before[k] + v[k] * 20 * tick, 1e-5);
  EXPECT_EQ(w->velocity_of(id), v);
  w->step(30);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(w->position_of(id)[k], before[k] + v[k] * 20 * tick, 1e-5);
  EXPECT_EQ(w->velocity_of(id), (Vec{0, 0, 0}));
}

TEST(detach, nothing_commands_it_any_more_but_it_can_be_removed) {
  auto w = in_flight();
  const VehicleId id = w->find("1");
  w->submit(detach(w->tick(), 1, 0));
  w->step(1);
  const Vec before = w->position_of(id);
  (void)w->take_events();
  w->submit({.tick = 0, .source = 1, .target = id, .payload = SetMode{Mode::Land}});
  w->submit({.tick = 0, .source = 1, .target = id, .payload = SetState{.position_W = {0, 0, 50}}});
  w->step(10);
  EXPECT_EQ(w->position_of(id), before);
  EXPECT_EQ(w->take_events().size(), 2u) << "both are refused";
  w->submit({.tick = 0, .source = 1, .target = id, .payload = Remove{}});
  w->step(1);
  EXPECT_FALSE(w->is_alive(id) || w->is_detached(id));
}

TEST(detach, it_announces_nothing_and_others_still_hear_where_it_is) {
  WorldDef def = talking(2);
  def.flocks[0].node.behaviours = {behaviour<swarm::Announce>({.topic = "here", .rate = 5})};
  auto w = make(def);
  w->step(100);
  const VehicleId one = w->vehicles()[0], other = w->vehicles()[1];
  w->submit(detach(w->tick(), one.number(), 0));
  w->step(1);
  const auto announced = [&](VehicleId id) {
    std::size_t n = 0;
    for (int k = 0; k < 200; ++k) {
      w->step();
      for (const MessageOutcome& m : w->message_outcomes()) n += m.sender.number() == id.number() && m.topic == swarm::topic("here") ? 1u : 0u;
    }
    return n;
  };
  EXPECT_EQ(announced(one), 0u);
  EXPECT_GT(announced(other), 0u);
  const auto hears = w->decision_state_of(other).hears;
  EXPECT_EQ(hears.size(), 1u) << "its state is still sent";
}

TEST(detach, snapshots_and_branches_know_who_is_out_of_control) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    auto w = make(RandomScenario(seed).make(1));
    w->step(30);
    w->submit(detach(w->tick(), 2, 0.3));
    w->submit(detach(w->tick() + 5, 3, 0));
    w->step(12);
    const auto snapshot = w->snapshot();
    auto other = make(RandomScenario(seed).make(1));
    std::string error;
    ASSERT_TRUE(other->restore(*snapshot, &error)) << error;
    w->step(60), other->step(60);
    EXPECT_EQ(w->hash(), other->hash()) << "seed " << seed;
  }
}

TEST(detach, is_part_of_the_hash) {
  auto a = in_flight(), b = in_flight();
  ASSERT_EQ(a->hash(), b->hash());
  const double tick = static_cast<double>(a->def().tick_ns) * 1e-9;
  a->submit(detach(a->tick(), 1, 20 * tick));
  b->submit(detach(b->tick(), 1, 21 * tick));
  a->step(1), b->step(1);
  EXPECT_EQ(a->position_of(a->find("1")), b->position_of(b->find("1")));
  EXPECT_NE(a->hash(), b->hash()) << "they will part";
}

// a member is gone: another one has its vehicles, of which it knows what frames showed
TEST(detach, members_that_are_left_find_what_one_process_finds) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed)
    for (const double straight : {0.0, 0.2}) {
      const WorldDef def = RandomScenario(seed).make(1);
      auto whole = make(def);
      SharedWorld shared(def, cut_at_random(def, 3, seed));
      for (int k = 0; k < 40; ++k) whole->step(), shared.step();
      const std::vector<VehicleId> left = shared.observer().vehicles_of(1);
      for (const VehicleId id : left) {
        const Input in = detach(whole->tick(), id.number(), straight);
        whole->submit(in), shared.submit(in);
      }
      const std::uint32_t by_member[] = {0, 2, 2};
      for (std::size_t m = 0; m < shared.size(); ++m) shared.at(m).stand_in(by_member);
      for (int k = 0; k < 60; ++k) {
        whole->step();
        shared.advance();
        // what the member that is gone would have had is lost: its world is that of somebody who only looks
        shared.frame(1).clear();
        std::string error;
        for (std::size_t m = 0; m < shared.size(); ++m) ASSERT_TRUE(shared.at(m).settle(shared.frames(), &error)) << error;
        std::uint64_t sum = shared.at(0).own_hash() + shared.at(2).own_hash();
        EXPECT_EQ(shared.at(1).own_hash(), 0u);
        ASSERT_EQ(shared.at(0).hash_with(sum), whole->hash()) << "seed " << seed << ", tick " << whole->tick();
      }
    }
}

}  // namespace
}  // namespace volary
