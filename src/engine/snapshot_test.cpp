// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What a snapshot holds, what it shares, and that nothing else decides the future.
#include "engine/snapshot.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "engine/engine_test_support.hpp"
#include "swarm/behaviours/all.hpp"
#include "swarm/tasks/predicate.hpp"

namespace volary {
namespace {

using test::behaviour;
using test::make;

// with radio, detection, contact, weather and a task: every stage has something to do
WorldDef busy() {
  WorldDef w = test::talking(30);
  FlockDef& f = w.flocks[0];
  f.node.detection = {.range = 8, .rate = 7};
  f.node.contact = {ContactPolicy::Bounce, 0.4, 0.5};
  f.node.obstacle_range = 5;
  f.node.estimate.position_noise = 0.1;
  BehaviourDef late = behaviour<swarm::Announce>({.topic = "here", .rate = 5});
  late.delay = 0.1;
  f.node.behaviours = {behaviour<swarm::Reynolds>({.velocity = {2, 0, 0}, .speed = 3}), late, behaviour<swarm::Avoid>({.range = 6})};
  w.environment.weather.turbulence.form = TurbulenceModel::Dryden;
  w.radio.model = RadioModel::LogDistance;
  w.radio.access = MediumAccess::Csma;
  using P = swarm::Predicate;
  w.tasks = {{"high", std::make_shared<const P>(P{P::Altitude{{}, 10, true, true}, {}}), true, 0},
             {"covered", std::make_shared<const P>(P{P::Covered{swarm::kEveryFlock, {-20, -20}, {20, 20}, 1, 0.25, 0.9}, {}}), true, 0}};
  return w;
}

std::uint64_t hash_of(const engine::Data& d) {
  std::uint64_t sum = engine::hash_nodes(d) + engine::hash_between(d) + engine::hash_weather(d);
  for (const engine::Flock& f : d.flocks) sum += engine::hash_flock(f);
  return sum;
}

constexpr double kGarbage = -1.2345e300;
constexpr std::uint32_t kWrong = 0xdeadbeefu;
template <class T> void spoil(std::vector<T>& list, const std::type_identity_t<T>& with) { std::fill(list.begin(), list.end(), with); }

// everything that no snapshot holds: what is worked out from the state, and what is left over from the last tick
void poison(engine::Data& d, bool with_roster) {
  const Vec nowhere = {kGarbage, kGarbage, kGarbage};
  engine::Frame& frame = d.frame;
  for (std::vector<Vec>* list : {&frame.position, &frame.velocity, &frame.from, &frame.before, &frame.wind}) spoil(*list, nowhere);
  spoil(frame.attitude, {kGarbage, kGarbage, kGarbage, kGarbage}), spoil(frame.status, kWrong), spoil(frame.level, kWrong);
  spoil(frame.reference, {nowhere, nowhere, nowhere});
  if (with_roster) {
    spoil(frame.id, std::uint64_t{kWrong}), spoil(frame.flock, kWrong), spoil(frame.world, kWrong), spoil(frame.slot, kWrong), spoil(frame.at, kWrong);
    frame.roster = ~std::uint64_t{0} - 1;  // who is there is worked out anew when somebody comes or goes
  }
  d.air.outgoing.clear();
  spoil(d.air.radios, swarm::RadioNode{kWrong, kWrong, {kGarbage, 0, 0}, kGarbage, -1, false, kWrong});
  spoil(d.air.looks, engine::Arriving{kWrong, true, true});
  for (auto& part : d.air.speakers) spoil(part, kWrong);
  for (auto& part : d.air.letters) spoil(part, engine::Air::Letter{kWrong, kWrong});
  engine::Interaction& in = d.interaction;
  in.near = {};
  spoil(in.radius, kGarbage), spoil(in.looks, std::uint8_t{77});
  for (engine::LookFrame& f : in.next_frames) spoil(f.first, kWrong), spoil(f.id, std::uint64_t{kWrong}), spoil(f.position, nowhere), spoil(f.places, kWrong), f.every = 0;
  for (engine::Seen& s : in.next_seen) spoil(s.first, kWrong), spoil(s.count, std::uint8_t{99});
  in.nearest = std::numeric_limits<double>::quiet_NaN();
  for (engine::Flock& f : d.flocks)
    if (f.ground_below.size() > 0) std::fill_n(f.ground_below.data(), f.ground_below.size(), std::byte{0x7f});
  d.emitted = {};
  d.shown = {};
  d.last_hash = kWrong;
  d.last_hash_tick = ~std::uint64_t{0};
}

TEST(snapshot, holds_all_that_decides_the_future_whatever_is_left_in_the_rest) {
  for (const int threads : {1, 2}) {
    const RunOptions options{.threads = threads, .force_split = threads > 1};
    // three worlds take turns, so that each finds what it knew three ticks ago: state that a snapshot forgot shows as well, also what changes every tenth tick
    engine::Data plain, turns[3];
    for (engine::Data* d : {&plain, &turns[0], &turns[1], &turns[2]}) ASSERT_TRUE(engine::build(*d, busy(), options));
    Snapshot s;
    for (int k = 0; k < 150; ++k) {
      engine::Data &from = turns[k % 3], &to = turns[(k + 1) % 3];
      engine::step(plain);
      engine::take_snapshot(from, s);
      ASSERT_TRUE(engine::restore_snapshot(to, s));
      poison(to, k % 4 < 2);
      engine::step(to);
      ASSERT_EQ(hash_of(plain), hash_of(to)) << k;
    }
  }
}

TEST(snapshot, in_a_world_with_another_wind_has_the_same_hash_until_that_wind_blows) {
  WorldDef def = test::circling(3);
  auto calm = make(def);
  calm->step(50);
  def.environment.wind_W = {3, 0, 0};
  auto windy = make(def);
  ASSERT_TRUE(windy->restore(*calm->snapshot()));
  EXPECT_EQ(calm->hash(), windy->hash());
  windy->submit({.payload = SetWind{{3, 0, 0}}});
  calm->step(1), windy->step(1);
  EXPECT_NE(calm->hash(), windy->hash());
}

// Pairs that may touch are listed for many ticks at once, and a list of later ticks is of another flight.
TEST(snapshot, that_a_world_goes_back_to_gives_the_same_nearest_pair_whatever_was_flown_meanwhile) {
  const WorldDef def = test::meeting(ContactPolicy::Crash, 1);
  auto flown = test::collide(def, 1), fresh = make(def);
  const auto distance = [](const World& w) { return w.position_of(w.vehicles()[1])[0] - w.position_of(w.vehicles()[0])[0]; };
  for (int k = 0; k < 1000 && distance(*flown) > 1.45; ++k) flown->step();
  const auto then = flown->snapshot();
  ASSERT_FALSE(flown->swarm_report().nearest.has_value()) << "they are too far apart to be listed";
  for (int k = 0; k < 100 && !flown->swarm_report().nearest; ++k) flown->step();
  ASSERT_TRUE(flown->swarm_report().nearest.has_value());
  ASSERT_GT(distance(*flown), 0.8) << "each is near where it was";
  for (World* w : {flown.get(), fresh.get()}) {
    ASSERT_TRUE(w->restore(*then));
    w->step();
  }
  EXPECT_EQ(flown->swarm_report().nearest, fresh->swarm_report().nearest);
}

TEST(snapshot, taken_into_used_memory_is_the_same_as_a_new_one) {
  auto w = make(busy());
  std::shared_ptr<Snapshot> s;
  w->step(200);
  w->snapshot_into(s);
  auto small = make(test::circling(2));
  small->snapshot_into(s);
  const void* before = s->columns.data();
  for (int k = 0; k < 20; ++k) w->step(3), w->snapshot_into(s);
  const auto fresh = w->snapshot();
  EXPECT_EQ(World::snapshot_bytes(*s), World::snapshot_bytes(*fresh));
  EXPECT_EQ(s->columns.data(), before) << "the memory was large enough";
  const auto held = s;
  w->snapshot_into(s);
  EXPECT_NE(s, held);
}

TEST(snapshot, shares_the_roster_until_somebody_comes_goes_or_changes) {
  auto w = make(busy());
  w->step(10);
  auto last = w->snapshot();
  const auto is_shared = [&] {
    const auto now = w->snapshot();
    return std::exchange(last, now)->roster == now->roster;
  };
  w->step(10);
  EXPECT_TRUE(is_shared());
  const VehicleId id = w->vehicles()[3];
  const std::vector<Payload> changes = {FailRotor{1, true}, SetBehaviour{"reynolds", 2}, SetField{"behaviours[0].weight", "0.5"}, Remove{},
                                        Spawn{"birds", {.position_W = {0, 90, 9}, .mode = Mode::Hold}}};
  for (const Payload& p : changes) {
    const auto before = w->snapshot();
    const std::uint64_t then = w->hash();
    w->submit({.target = std::holds_alternative<Spawn>(p) ? VehicleId{} : id, .payload = p});
    w->step();
    EXPECT_FALSE(is_shared()) << p.index();
    w->step();
    EXPECT_TRUE(is_shared()) << p.index();
    // and both rosters come back
    const auto after = w->snapshot();
    const std::uint64_t now = w->hash();
    ASSERT_TRUE(w->restore(*before));
    EXPECT_EQ(w->hash(), then);
    ASSERT_TRUE(w->restore(*after));
    EXPECT_EQ(w->hash(), now);
    w->step(3);
    last = w->snapshot();
  }
}

}  // namespace
}  // namespace volary
