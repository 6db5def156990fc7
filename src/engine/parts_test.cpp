// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Parts of snapshots: vehicles that go back while the others do not.
#include "engine/parts.hpp"

#include "engine/engine_test_support.hpp"
#include "engine/snapshot.hpp"
#include "swarm/behaviours/all.hpp"
#include "swarm/script/script_def.hpp"
#include "swarm/tasks/predicate.hpp"

namespace volary {
namespace {

using test::behaviour;
using test::make;

// Birds that flock, bid and remember, two of their behaviours slow; and strangers that watch them. All state that a vehicle can have is there.
WorldDef lively() {
  WorldDef w = test::talking(20);
  w.seed = 7;
  FlockDef& birds = w.flocks[0];
  birds.node.detection = {.range = 8, .rate = 7};
  birds.node.contact = {ContactPolicy::Bounce, 0.4, 0.5};
  BehaviourDef late = behaviour<swarm::Auction>({.tasks = {{10, 0, 10}, {20, 0, 10}, {30, 0, 10}}}, 0.5), seldom = behaviour<swarm::Announce>({.topic = "here", .rate = 5});
  late.delay = 0.15;
  seldom.rate = 5;
  const std::string text = "function act(me) me.memory.n = (me.memory.n or 0) + 1 plot('n', me.memory.n) fly(0.1 * me.memory.n, 0, 0) end\n";
  BehaviourDef script{.kind = swarm::kScript, .weight = 0.7, .params = std::make_shared<swarm::ScriptDef>(swarm::ScriptDef{"count", "count.lua", text, {}})};
  birds.node.behaviours = {behaviour<swarm::Reynolds>({.velocity = {2, 0, 0}, .speed = 3}), late, seldom, script, behaviour<swarm::Avoid>({.range = 6})};
  FlockDef strangers = birds;
  strangers.name = "strangers";
  strangers.vehicles.resize(4);
  for (std::size_t k = 0; k < 4; ++k) strangers.vehicles[k].position_W = {4.0 * static_cast<double>(k), -4, 10};
  strangers.node.detection.rate = 10;
  strangers.node.behaviours = {behaviour<swarm::Hold>()};
  w.flocks.push_back(strangers);
  return w;
}

std::shared_ptr<SnapshotPart> part_of(const World& w, const PartOf& of) {
  std::shared_ptr<SnapshotPart> part;
  std::string error;
  EXPECT_TRUE(w.snapshot_part_into(part, of, &error)) << error;
  return part;
}
PartOf some(const World& w) {
  const auto birds = w.vehicles("birds"), strangers = w.vehicles("strangers");
  return {.vehicles = {birds[3], birds[17], birds[4], strangers[1]}};
}
// the same vehicles elsewhere and later, with other weights, wishes, messages and rotors
std::unique_ptr<World> elsewhere(const WorldDef& def) {
  auto w = make(def);
  for (const VehicleId id : some(*w).vehicles) {
    const Vec p = w->position_of(id);
    w->submit({.target = id, .payload = SetState{.position_W = {p[0] + 3, p[1] - 2, p[2] + 5}, .velocity_W = {1, 2, 0}}});
    w->submit({.target = id, .payload = SetParameter{"mass", 0, 0.05}});
  }
  w->submit({.tick = 90, .target = w->vehicles("birds")[17], .payload = FailRotor{2, true}});
  w->submit({.tick = 95, .target = w->vehicles("birds")[4], .payload = SetBehaviour{"reynolds", 3}});
  w->step(161);
  return w;
}
void expect_same_future(World& a, World& b, int ticks) {
  ASSERT_EQ(a.hash(), b.hash());
  for (int k = 0; k < ticks; ++k) {
    a.step();
    b.step();
    ASSERT_EQ(a.hash(), b.hash()) << k;
  }
}

TEST(parts, vehicles_that_were_put_elsewhere_fly_on_as_if_nothing_had_been_when_they_are_put_back) {
  const WorldDef def = lively();
  auto a = make(def), b = make(def);
  a->step(123);
  ASSERT_TRUE(b->restore(*a->snapshot()));
  const auto here = part_of(*a, some(*a)), away = part_of(*elsewhere(def), some(*a));
  for (int again = 0; again < 3; ++again) {
    ASSERT_TRUE(b->restore(*away));
    EXPECT_NE(a->hash(), b->hash());
    ASSERT_TRUE(b->restore(*here));
    EXPECT_EQ(a->hash(), b->hash());
  }
  // also what is not hashed: nothing of a vehicle is left elsewhere
  const auto other = part_of(*b, some(*b));
  std::size_t more = 0;  // parameters that have a column now
  for (const SnapshotPart::Pick& p : other->picks) more += 4 * (other->override_rows[p.flock].size() - here->override_rows[p.flock].size());
  EXPECT_GT(more, 0u);
  EXPECT_EQ(other->vehicles.size(), here->vehicles.size() + more);
  expect_same_future(*a, *b, 200);
}

TEST(parts, going_back_again_and_again_needs_no_more_memory) {
  const WorldDef def = lively();
  auto w = make(def);
  const auto away = part_of(*elsewhere(def), some(*w));
  w->step(123);
  const auto here = part_of(*w, some(*w));
  std::size_t bytes = 0;
  for (int k = 0; k < 300; ++k) {
    ASSERT_TRUE(w->restore(*away));
    ASSERT_TRUE(w->restore(*here));
    if (k == 20) bytes = w->snapshot()->bytes();
  }
  EXPECT_LT(w->snapshot()->bytes(), bytes + 4096);
}

TEST(parts, all_vehicles_and_what_they_share_are_the_whole_world) {
  const WorldDef def = lively();
  auto a = make(def), b = make(def);
  a->step(123);
  ASSERT_TRUE(b->restore(*a->snapshot()));
  const auto part = part_of(*b, {.flocks = {"birds", "strangers"}, .shared = true});
  b->submit({.payload = SetField{"radio.loss", "0.5"}});
  b->submit({.payload = SetField{"behaviours.reynolds.speed", "1"}});
  b->submit({.payload = SetField{"behaviours[0].rate", "2"}});
  b->step(77);
  ASSERT_TRUE(b->restore(*part));
  EXPECT_EQ(b->tick(), 123u);
  expect_same_future(*a, *b, 200);
}

TEST(parts, one_that_nobody_else_touches_flies_the_same_way_again) {
  auto w = make(test::circling(20));
  w->step(50);
  const VehicleId id = w->vehicles()[5], other = w->vehicles()[6];
  const auto part = part_of(*w, {.vehicles = {id}, .shared = true});
  w->step(100);
  const std::uint64_t first = w->hash_of(id);
  const Vec before = w->position_of(other);
  ASSERT_TRUE(w->restore(*part));
  EXPECT_EQ(w->position_of(other), before) << "others stay";
  w->step(100);
  EXPECT_EQ(w->hash_of(id), first);
}

TEST(parts, a_world_of_a_batch_goes_back_with_its_tasks) {
  using P = swarm::Predicate;
  WorldDef def = lively();
  def.worlds = 3;
  def.duration = 100;
  def.tasks = {{"high", std::make_shared<const P>(P{P::Altitude{{}, 9, true, true}, {}}), true, 0}};
  auto a = make(def), b = make(def);
  a->step(123);
  ASSERT_TRUE(b->restore(*a->snapshot()));
  const auto here = part_of(*a, {.worlds = {1}});
  auto c = make(def);
  c->submit({.tick = 30, .payload = SetWind{{3, 1, 0}}});
  for (const VehicleId id : c->vehicles()) c->submit({.tick = 40, .target = id, .payload = SetMode{Mode::Land}});
  c->step(600);
  ASSERT_TRUE(b->restore(*part_of(*c, {.worlds = {1}})));
  EXPECT_NE(b->hash_of_world(1), a->hash_of_world(1));
  EXPECT_EQ(b->hash_of_world(2), a->hash_of_world(2));
  EXPECT_NE(b->hash(), a->hash());
  ASSERT_TRUE(b->restore(*here));
  expect_same_future(*a, *b, 120);
}

TEST(parts, are_refused_in_words_where_they_do_not_fit) {
  const WorldDef def = lively();
  auto w = make(def);
  std::string error;
  std::shared_ptr<SnapshotPart> part;
  EXPECT_FALSE(w->snapshot_part_into(part, {.vehicles = {make_vehicle_id(999, 1)}}, &error));
  EXPECT_EQ(error, "vehicles: vehicle 999 is not there");
  EXPECT_FALSE(w->snapshot_part_into(part, {.flocks = {"bards"}}, &error));
  EXPECT_EQ(error, "flocks: there is no flock 'bards'");
  EXPECT_FALSE(w->snapshot_part_into(part, {.worlds = {1}}, &error));
  EXPECT_EQ(error, "worlds: there is no world 1");
  EXPECT_EQ(part, nullptr);
  part = part_of(*w, some(*w));
  WorldDef other = def;
  other.seed = 8;
  EXPECT_FALSE(make(other)->restore(*part, &error));
  EXPECT_NE(error.find("the part is of another world"), std::string::npos) << error;
  w->submit({.target = some(*w).vehicles[0], .payload = Remove{}});
  w->step();
  const std::uint64_t before = w->hash();
  EXPECT_FALSE(w->restore(*part, &error));
  EXPECT_EQ(error, "vehicle 4 of the part is not in the world any more");
  EXPECT_EQ(w->hash(), before);
}

}  // namespace
}  // namespace volary
