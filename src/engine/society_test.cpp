// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What is one's own: chances, beliefs, knowledge of others, and what is perceived.
#include <cmath>

#include "engine/engine_test_support.hpp"
#include "swarm/behaviours/all.hpp"

namespace volary {
namespace {

using test::behaviour;
using test::make;

// all within range of each other, and room to remember all
WorldDef talking(int n, BehaviourDef what) {
  WorldDef w = test::talking(n);
  w.flocks[0].node.memory = 64;
  w.flocks[0].node.behaviours = {std::move(what)};
  w.radio.range = 100;
  return w;
}

TEST(chances, of_a_vehicle_do_not_depend_on_who_else_there_is_even_when_the_others_come_first) {
  WorldDef def = talking(12, behaviour<swarm::Reynolds>());
  def.environment.gust_sigma = 0.5;
  def.radio.loss = 0.2;
  def.flocks[0].node.estimate.position_noise = 0.2;
  FlockDef stranger = def.flocks[0];
  stranger.name = "stranger";
  stranger.vehicles.resize(1);
  stranger.vehicles[0].position_W = {5000, 5000, 50};
  WorldDef more = def;
  more.flocks.insert(more.flocks.begin(), stranger);  // so that all others have other ids
  auto a = make(def), b = make(more);
  a->step(400);
  b->step(400);
  const auto here = a->vehicles("birds"), there = b->vehicles("birds");
  ASSERT_EQ(here.size(), there.size());
  for (std::size_t k = 0; k < here.size(); ++k) {
    EXPECT_NE(here[k], there[k]);
    EXPECT_EQ(a->position_of(here[k]), b->position_of(there[k])) << k;
    EXPECT_EQ(a->velocity_of(here[k]), b->velocity_of(there[k])) << k;
  }
}

TEST(chances, of_one_that_is_spawned_are_its_own_and_follow_from_its_place_in_the_flock) {
  WorldDef def = talking(3, behaviour<swarm::Hold>());
  def.environment.gust_sigma = 0.5;
  VehicleDef fourth = def.flocks[0].vehicles[2];
  fourth.position_W = {50, 0, 10};
  WorldDef four = def;
  four.flocks[0].vehicles.push_back(fourth);
  auto a = make(def), b = make(four);
  Input in;
  in.payload = Spawn{"birds", fourth};
  a->submit(in);
  a->step(200);
  b->step(200);
  // spawned at the beginning of the first tick: the same flight as from the definition
  EXPECT_EQ(a->position_of(a->vehicles()[3]), b->position_of(b->vehicles()[3]));
  EXPECT_NE(a->position_of(a->vehicles()[3])[0] - 50, a->position_of(a->vehicles()[2])[0] - 6);  // and other gusts than its neighbour
}

TEST(telling, reaches_everybody_in_range_whatever_their_numbers_are) {
  auto w = make(talking(31, behaviour<swarm::Hold>()));
  w->step(300);
  for (const VehicleId id : w->vehicles()) EXPECT_EQ(w->decision_state_of(id).hears.size(), 30u) << w->name_of(id);
}

TEST(telling, happens_once_in_every_period) {
  auto w = make(talking(7, behaviour<swarm::Hold>()));
  for (int period = 1; period <= 20; ++period) {
    w->step(10);
    EXPECT_EQ(w->radio().sent, static_cast<std::uint64_t>(7 * period));
  }
}

// Those that listen know well where they are themselves: they fly otherwise only because of what is said.
TEST(telling, says_what_the_vehicle_believes_and_not_what_is_true) {
  WorldDef def = talking(1, behaviour<swarm::Reynolds>({.range = 1000, .cohesion = 1}));
  def.environment.gust_sigma = 0;
  FlockDef lost = def.flocks[0];
  lost.name = "lost";
  lost.vehicles[0].position_W = {0, 9, 10};
  lost.node.behaviours = {behaviour<swarm::Hold>()};
  def.flocks.push_back(lost);
  WorldDef unsure = def;
  unsure.flocks[1].node.estimate.position_noise = 50;
  auto a = make(def), b = make(unsure);
  a->step(300);
  b->step(300);
  const VehicleId listener = a->vehicles("birds")[0];
  EXPECT_GT(a->position_of(listener)[1], 1);  // drawn towards the other one
  EXPECT_NE(a->position_of(listener), b->position_of(listener));
}

// thirty that bid all the time, and one that reads its messages every twenty seconds
WorldDef with_one_that_seldom_reads() {
  WorldDef def = talking(30, behaviour<swarm::Auction>({.tasks = {{10, 0, 10}, {20, 0, 10}, {30, 0, 10}}}));
  FlockDef idle = def.flocks[0];
  idle.name = "idle";
  idle.vehicles.resize(1);
  idle.vehicles[0].position_W = {0, -6, 10};
  idle.node.decision_rate = 0.05;
  def.flocks.push_back(idle);
  return def;
}
std::uint64_t times_full(const World& w) {
  std::uint64_t full = 0;
  for (const auto& [name, n] : w.radio().outcomes)
    if (name == "inbox_full") full = n;
  return full;
}

TEST(inbox, that_is_full_loses_the_oldest_and_the_report_says_so) {
  auto w = make(with_one_that_seldom_reads());
  w->step(1500);
  EXPECT_GT(times_full(*w), 0u);
}

TEST(inbox, that_was_full_is_counted_up_to_the_tick_to_which_a_world_goes_back) {
  auto w = make(with_one_that_seldom_reads()), other = make(with_one_that_seldom_reads());
  const auto flies_until_it_is_full_once_more = [&] {
    const std::uint64_t full = times_full(*w);
    for (int k = 0; k < 1500 && times_full(*w) == full; ++k) w->step();
    return times_full(*w) > full;
  };
  ASSERT_TRUE(flies_until_it_is_full_once_more());
  const RadioReport before = w->radio();
  const auto whole = w->snapshot();
  std::shared_ptr<SnapshotPart> shared;
  ASSERT_TRUE(w->snapshot_part_into(shared, {.shared = true}));
  for (const bool is_part : {true, false}) {
    ASSERT_TRUE(flies_until_it_is_full_once_more());
    ASSERT_TRUE(is_part ? w->restore(*shared) : w->restore(*whole));
    EXPECT_EQ(w->radio().outcomes, before.outcomes);
  }
  ASSERT_TRUE(other->restore(*whole));
  EXPECT_EQ(other->radio().outcomes, before.outcomes);
}

// A vehicle without behaviours reads nothing and loses nothing: what arrives there was delivered.
TEST(inbox, of_a_vehicle_without_behaviours_is_never_full) {
  WorldDef def = talking(1, behaviour<swarm::Announce>({.rate = 10}));
  FlockDef idle = def.flocks[0];
  idle.name = "idle";
  idle.vehicles[0].position_W = {0, -6, 10};
  idle.node.behaviours.clear();
  idle.node.state_rate = 0;
  def.flocks.push_back(idle);
  def.flocks[0].node.state_rate = 0;
  auto w = make(def);
  w->step(3000);
  const RadioReport r = w->radio();
  EXPECT_GT(r.sent, 200u);
  for (const auto& [name, n] : r.outcomes) EXPECT_EQ(n, name == "delivered" ? r.sent : 0u) << name;
}

// Others are somewhere else from one tick to the next. What was heard and seen of them is what it was, so a decision in that tick is the same.
template <class B> void expect_blind_to_hidden_truth() {
  WorldDef def = talking(9, behaviour<B>());
  def.flocks[0].node.decision_rate = 100;  // everybody, every tick
  def.flocks[0].node.detection.range = 30;
  auto a = make(def);
  a->step(77);
  auto b = make(def);
  b->restore(*a->snapshot());
  const VehicleId first = a->vehicles()[0];
  for (const VehicleId id : b->vehicles()) {
    if (id == first) continue;
    Input in;
    in.target = id;
    const Vec p = b->position_of(id);
    in.payload = SetState{.position_W = {p[0] + 11, p[1] - 7, p[2] + 5}, .velocity_W = {3, 2, 1}};
    b->submit(in);
  }
  a->step();
  b->step();
  EXPECT_EQ(a->hash_of(first), b->hash_of(first)) << B::name;
  EXPECT_NE(a->hash(), b->hash());
}
TEST(knowledge, of_others_is_what_was_heard_and_seen_for_every_behaviour) {
  core::for_each_type(swarm::AllBehaviours{}, []<class B>() { expect_blind_to_hidden_truth<B>(); });
}

// ---------------------------------------------------------------- stimuli

// a nose 50 m east of a leak, in a wind from the west; it flies to where it smelt most
WorldDef smelling() {
  WorldDef w = talking(1, behaviour<swarm::ParticleSwarm>({.from = {-100, -100}, .to = {100, 100}, .find = "plume", .speed = 3, .height = 3, .memory = 5}));
  w.environment.gust_sigma = 0;
  w.environment.wind_W = {4, 0, 0};
  w.flocks[0].vehicles[0].position_W = {50, 0, 3};
  FlockDef leak = w.flocks[0];
  leak.name = "leak";
  leak.node = {};
  leak.node.emits = {{.kind = "plume", .emission = std::make_shared<swarm::Plume::Emission>()}};
  leak.vehicles[0].position_W = {0, 0, 1};
  leak.vehicles[0].mode = Mode::Disarmed;
  w.flocks.push_back(leak);
  return w;
}

TEST(stimuli, have_one_answer_on_any_number_of_threads_and_after_a_snapshot) {
  WorldDef def = smelling();
  for (int k = 0; k < 300; ++k) {
    VehicleDef v = def.flocks[0].vehicles[0];
    v.position_W = {30.0 + 4 * (k % 20), -30.0 + 4 * (k / 20), 3};
    def.flocks[0].vehicles.push_back(v);
  }
  auto one = make(def, {.threads = 1}), three = make(def, {.threads = 3, .force_split = true});
  one->step(60);
  three->step(60);
  EXPECT_EQ(one->hash(), three->hash());
  auto again = make(def, {.threads = 2, .force_split = true});
  again->restore(*one->snapshot());
  one->step(40);
  again->step(40);
  EXPECT_EQ(one->hash(), again->hash());
}

TEST(stimuli, a_plume_turns_with_the_wind) {
  auto west = make(smelling()), south = make(smelling());
  Input in;
  in.payload = SetWind{{0, 4, 0}};
  in.tick = 1;
  south->submit(in);
  for (auto* w : {west.get(), south.get()}) w->step(800);
  // in the plume the nose stays with what it smells; when the wind blows north it smells nothing any more and wanders away
  const Vec with = west->position_of(west->vehicles("birds")[0]), without = south->position_of(south->vehicles("birds")[0]);
  EXPECT_LT(std::abs(with[1]), 8);
  EXPECT_GT(std::hypot(without[0] - with[0], without[1] - with[1]), 10);
}

TEST(stimuli, nobody_smells_what_is_given_off_in_another_world) {
  WorldDef def = smelling();
  def.worlds = 2;
  auto both = make(def);
  def.worlds = 1;
  auto one = make(def);
  both->step(300);
  one->step(300);
  EXPECT_EQ(both->position_of(both->vehicles("birds")[0]), one->position_of(one->vehicles("birds")[0]));
}

}  // namespace
}  // namespace volary
