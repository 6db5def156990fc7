// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Vehicles that hear, see, decide and touch.
#include <algorithm>
#include <cmath>
#include <set>

#include "engine/engine_test_support.hpp"
#include "engine/swept.hpp"
#include "swarm/behaviours/all.hpp"

namespace volary {
namespace {

using test::behaviour;
using test::collide;
using test::make;
using test::meeting;

WorldDef flocking(int n) {
  WorldDef w = test::talking(n);
  w.flocks[0].node.behaviours = {behaviour<swarm::Reynolds>({.velocity = {2, 0, 0}, .speed = 3})};
  return w;
}

std::vector<std::uint64_t> hashes(const WorldDef& def, RunOptions options, int ticks) {
  auto w = make(def, options);
  std::vector<std::uint64_t> list;
  for (int k = 0; k < ticks; ++k) {
    w->step();
    list.push_back(w->hash());
  }
  return list;
}

TEST(swarm, flies_the_way_its_behaviours_say) {
  auto w = make(flocking(18));
  w->step(800);
  for (const VehicleId id : w->vehicles()) {
    EXPECT_NEAR(w->velocity_of(id)[0], 2, 0.8) << w->name_of(id);
    EXPECT_GT(w->position_of(id)[0], 5);
  }
}

TEST(swarm, has_one_answer_on_any_number_of_threads_and_lanes) {
  const WorldDef def = flocking(37);
  const auto one = hashes(def, {.threads = 1, .lanes = 1}, 150);
  EXPECT_EQ(one, hashes(def, {.threads = 3, .lanes = 1, .force_split = true}, 150));
  EXPECT_EQ(one, hashes(def, {.threads = 2, .force_split = true}, 150));
  for (const int lanes : available_lanes()) EXPECT_EQ(one, hashes(def, {.threads = 1, .lanes = lanes, .hash_every_tick = true}, 150)) << lanes << " lanes";
}

TEST(swarm, goes_on_from_a_snapshot_as_if_nothing_had_been) {
  const WorldDef def = flocking(14);
  auto w = make(def);
  w->step(123);
  const auto bytes = World::snapshot_bytes(*w->snapshot());
  auto other = make(def);
  std::string error;
  const auto read = other->read_snapshot(bytes, &error);
  ASSERT_NE(read, nullptr) << error;
  other->restore(*read);
  for (int k = 0; k < 100; ++k) {
    w->step();
    other->step();
    ASSERT_EQ(w->hash(), other->hash()) << k;
  }
}

// a weight, or a hand on the stick, decides the future before anything else shows it
TEST(swarm, the_hash_knows_what_outsiders_set_before_anybody_acts_on_it) {
  const WorldDef def = flocking(1);
  auto plain = make(def), weighed = make(def);
  for (auto* w : {plain.get(), weighed.get()}) w->step(11);
  ASSERT_EQ(plain->hash(), weighed->hash());
  Input in;
  in.payload = SetBehaviour{"reynolds", 2};  // the only one: it wins as before
  weighed->submit(in);
  plain->step();
  weighed->step();
  const VehicleId id = plain->vehicles()[0];
  EXPECT_EQ(plain->hash_of(id), weighed->hash_of(id));  // it flies the same
  EXPECT_NE(plain->hash(), weighed->hash());
}

TEST(swarm, a_snapshot_with_bent_logical_state_is_refused) {
  const WorldDef def = flocking(3);
  auto w = make(def);
  w->step(40);
  std::vector<std::byte> bytes = World::snapshot_bytes(*w->snapshot());
  bytes.resize(bytes.size() - 8);
  EXPECT_EQ(w->read_snapshot(bytes, nullptr), nullptr);
}

TEST(swarm, a_stranger_far_away_changes_nobody) {
  WorldDef def = flocking(12);
  def.environment.gust_sigma = 0.5;
  WorldDef more = def;
  VehicleDef far = def.flocks[0].vehicles[0];
  far.position_W = {5000, 5000, 50};
  more.flocks[0].vehicles.push_back(far);
  auto a = make(def), b = make(more);
  a->step(400);
  b->step(400);
  for (const VehicleId id : a->vehicles()) EXPECT_EQ(a->hash_of(id), b->hash_of(id));
}

// The truth of others is hidden: when vehicles that say nothing are somewhere else, those that decide do the same.
TEST(swarm, decides_by_what_it_heard_and_saw_and_not_by_what_is) {
  WorldDef def = flocking(6);
  FlockDef silent = def.flocks[0];
  silent.name = "silent";
  silent.node = {};
  WorldDef moved = def;
  def.flocks.push_back(silent);
  for (VehicleDef& v : silent.vehicles) v.position_W[0] += 1.5, v.position_W[2] += 0.7;
  moved.flocks.push_back(silent);
  auto a = make(def), b = make(moved);
  a->step(300);
  b->step(300);
  for (const VehicleId id : a->vehicles("birds")) EXPECT_EQ(a->hash_of(id), b->hash_of(id));
}

TEST(swarm, a_slow_thinker_acts_later) {
  WorldDef def = flocking(1);
  def.environment.wind_W = {0, 0, 0};
  def.environment.gust_sigma = 0;
  WorldDef slow = def;
  slow.flocks[0].node.behaviours[0].delay = 1.0;
  auto a = make(def), b = make(slow);
  a->step(100);
  b->step(100);
  EXPECT_GT(a->velocity_of(a->vehicles()[0])[0], 0.5);
  EXPECT_NEAR(b->velocity_of(b->vehicles()[0])[0], 0, 0.05);
  b->step(200);
  EXPECT_GT(b->velocity_of(b->vehicles()[0])[0], 0.3);
}

TEST(swarm, is_flown_by_hand_while_somebody_does) {
  WorldDef def = flocking(2);
  auto w = make(def);
  const VehicleId id = w->vehicles()[0];
  for (int k = 0; k < 300; ++k) {
    Input in;
    in.source = 7;
    in.target = id;
    in.payload = SetSetpoint{.level = ControlLevel::Velocity, .velocity_W = {0, -1.5, 0}};
    if (k % 10 == 0) w->submit(in);
    w->step();
  }
  EXPECT_NEAR(w->velocity_of(id)[1], -1.5, 0.4);
  w->step(400);  // left alone it joins the others again
  EXPECT_NEAR(w->velocity_of(id)[0], 2, 0.8);
}

TEST(swarm, a_weight_changes_what_it_does_in_the_middle_of_a_run) {
  WorldDef def = flocking(4);
  def.flocks[0].node.behaviours.push_back(behaviour<swarm::Hold>({}, 0));
  auto w = make(def);
  w->step(300);
  EXPECT_GT(w->velocity_of(w->vehicles()[0])[0], 1);
  Input off, on;
  off.payload = SetBehaviour{"reynolds", 0};
  on.payload = SetBehaviour{"hold", 1};
  w->submit(off);
  w->submit(on);
  w->step(400);
  for (const VehicleId id : w->vehicles()) EXPECT_NEAR(w->velocity_of(id)[0], 0, 0.4);
}

// ---------------------------------------------------------------- touching

std::size_t count(const std::vector<Event>& events, const std::string& word) {
  return static_cast<std::size_t>(std::count_if(events.begin(), events.end(), [&](const Event& e) { return e.what.find(word) != std::string::npos; }));
}

TEST(contact, the_hash_of_the_sweep_knows_of_crashes_bounces_and_losses_in_the_same_tick) {
  for (const ContactPolicy policy : {ContactPolicy::Crash, ContactPolicy::Bounce, ContactPolicy::Remove}) {
    auto a = collide(meeting(policy, 2), 2, {.hash_every_tick = true}), b = collide(meeting(policy, 2), 2);
    for (int tick = 0; tick < 300; ++tick) {
      a->step(1), b->step(1);
      ASSERT_EQ(a->hash(), b->hash()) << "policy " << static_cast<int>(policy) << ", tick " << tick;
    }
    EXPECT_GT(a->take_events().size(), 1u) << "they met";
  }
}

TEST(contact, two_that_meet_head_on_crash_and_fall) {
  auto w = collide(meeting(ContactPolicy::Crash, 2), 2);
  w->step(600);
  const auto events = w->take_events();
  EXPECT_EQ(count(events, "crashed: into birds"), 2u);
  for (const VehicleId id : w->vehicles()) {
    EXPECT_EQ(w->mode_of(id), Mode::EmergencyStop);
    EXPECT_LT(w->position_of(id)[2], 0.5);
  }
}

TEST(contact, a_wreck_does_not_fly_again_and_says_that_it_refuses) {
  auto w = collide(meeting(ContactPolicy::Crash, 2), 2);
  w->step(600);
  w->take_events();
  for (const Mode mode : {Mode::Mission, Mode::TakeOff, Mode::Armed, Mode::Hold, Mode::Land}) {
    for (const VehicleId id : w->vehicles()) w->submit({.target = id, .payload = SetMode{mode}});
    w->step(100);
    EXPECT_EQ(count(w->take_events(), "refused: mode"), 2u);
  }
  w->submit({.payload = SetMode{Mode::Mission}});
  w->step(200);
  for (const VehicleId id : w->vehicles()) {
    EXPECT_EQ(w->mode_of(id), Mode::EmergencyStop);
    EXPECT_LT(w->position_of(id)[2], 0.5);
  }
}

TEST(contact, those_that_are_lost_are_gone_and_events_come_in_the_order_of_ids) {
  auto w = collide(meeting(ContactPolicy::Remove, 2), 2);
  w->step(300);
  EXPECT_EQ(w->n_vehicles(), 0u);
  const auto events = w->take_events();
  ASSERT_GE(events.size(), 4u);
  EXPECT_LT(events[0].vehicle, events[1].vehicle);
  EXPECT_EQ(events[0].tick, events[1].tick);
}

TEST(contact, events_of_a_tick_come_in_the_order_of_ids_whoever_met_whom) {
  // the first meets the fourth and the second the third, at the same moment
  WorldDef def = meeting(ContactPolicy::Crash, 2);
  def.flocks[0].vehicles.resize(4, def.flocks[0].vehicles[0]);
  const double x[4] = {-2, -2, 2, 2}, y[4] = {0, 50, 50, 0};
  for (std::size_t i = 0; i < 4; ++i) {
    def.flocks[0].vehicles[i].position_W = {x[i], y[i], 5};
    def.flocks[0].vehicles[i].velocity_W = {x[i] < 0 ? 2.0 : -2.0, 0, 0};
  }
  auto w = collide(def, 2);
  w->step(200);
  std::vector<std::uint64_t> order;
  for (const Event& e : w->take_events())
    if (e.what.find("crashed: into birds") != std::string::npos) order.push_back(e.vehicle.number());
  EXPECT_EQ(order, (std::vector<std::uint64_t>{1, 2, 3, 4}));
}

TEST(contact, a_soft_touch_does_no_harm) {
  auto w = collide(meeting(ContactPolicy::Crash, 0.2), 0.2);
  w->step(1500);
  const auto events = w->take_events();
  EXPECT_EQ(count(events, "crashed"), 0u);
  EXPECT_GE(count(events, "touched"), 2u);
}

TEST(contact, a_bounce_keeps_momentum_and_parts_them) {
  auto w = collide(meeting(ContactPolicy::Bounce, 1), 1);
  double nearest = 1e9;
  for (int k = 0; k < 600; ++k) {
    w->step();
    const auto ids = w->vehicles();
    const Vec a = w->position_of(ids[0]), b = w->position_of(ids[1]);
    nearest = std::min(nearest, std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]));
    EXPECT_NEAR(w->velocity_of(ids[0])[0] + w->velocity_of(ids[1])[0], 0, 0.05);
  }
  EXPECT_GT(nearest, 0.2);  // two spheres of 0.15 m, less what they are pressed together
}

TEST(contact, candidates_kept_over_many_ticks_miss_nobody) {
  // a crowd that flies through each other: every touch that all pairs would find is found
  WorldDef def = test::circling(40);
  def.flocks[0].node.contact = {ContactPolicy::Ignore, 0.3, 1e3};
  for (int i = 0; i < 40; ++i) {
    VehicleDef& v = def.flocks[0].vehicles[static_cast<std::size_t>(i)];
    v.centre_W = {0.1 * (i % 7), 0.13 * (i % 5), 5 + 0.2 * (i % 3)};
    v.harmonic.amplitude = {3.0 + 0.05 * i, 2.0, 0};
    v.harmonic.rate = {0.8 + 0.01 * i, 0.9, 0};
    v.harmonic.phase = {0.3 * i, 0.7 * i, 0};
    v.position_W = {0.4 * i, 0, 5};
  }
  def.flocks[0].node.contact.policy = ContactPolicy::Crash;  // at 1 km/s nobody crashes: touches are only told
  auto w = make(def);
  std::set<std::pair<std::uint64_t, std::uint64_t>> before;
  std::size_t expected = 0, found = 0;
  for (int k = 0; k < 1500; ++k) {
    std::vector<Vec> places;
    for (const VehicleId id : w->vehicles()) places.push_back(w->position_of(id));
    w->step();
    std::set<std::pair<std::uint64_t, std::uint64_t>> now;
    const auto ids = w->vehicles();
    for (std::size_t i = 0; i < ids.size(); ++i)
      for (std::size_t j = i + 1; j < ids.size(); ++j) {
        const engine::Passing passing{engine::minus(places[j], places[i]), engine::minus(w->position_of(ids[j]), w->position_of(ids[i]))};
        if (passing.nearest2() <= 0.6 * 0.6) now.insert({ids[i].number(), ids[j].number()});
      }
    for (const auto& pair : now) expected += before.count(pair) == 0 ? 1 : 0;
    before = now;
  }
  for (const Event& e : w->take_events()) found += e.what.find("touched: birds") != std::string::npos ? 1 : 0;
  EXPECT_GT(expected, 50u);
  EXPECT_EQ(found, 2 * expected);
}

TEST(contact, a_vehicle_that_falls_to_the_ground_crashes_there_and_one_that_lands_does_not) {
  WorldDef def = test::circling(2);
  def.flocks[0].node.contact = {ContactPolicy::Crash, 0.1, 1.5};
  for (VehicleDef& v : def.flocks[0].vehicles) v.mode = Mode::Hold;
  auto w = make(def);
  const auto ids = w->vehicles();
  w->submit({.target = ids[0], .payload = SetMode{Mode::EmergencyStop}});
  w->submit({.target = ids[1], .payload = SetMode{Mode::Land}});
  w->step(1500);
  const auto events = w->take_events();
  EXPECT_EQ(w->mode_of(ids[1]), Mode::Disarmed);
  for (const Event& e : events) EXPECT_TRUE(e.vehicle != ids[1] || e.what.find("crashed") == std::string::npos) << e.what;
}

// ---------------------------------------------------------------- seeing

TEST(detection, has_a_range_and_a_field_of_view) {
  WorldDef def = test::circling(1, "eyes");
  def.environment.gust_sigma = 0;
  def.environment.wind_W = {0, 0, 0};
  def.flocks[0].vehicles[0].mode = Mode::Hold;
  def.flocks[0].vehicles[0].position_W = {0, 0, 5};
  def.flocks[0].node.detection = {.range = 10, .field_of_view = 1.5707963267948966, .rate = 10, .line_of_sight = true};
  FlockDef others = test::circling(4, "others").flocks[0];
  const Vec places[4] = {{8, 1, 5}, {12, 0, 5}, {-5, 0, 5}, {5, -4.5, 5}};  // ahead, too far, behind, just inside the edge
  for (int i = 0; i < 4; ++i) {
    others.vehicles[static_cast<std::size_t>(i)].position_W = places[i];
    others.vehicles[static_cast<std::size_t>(i)].mode = Mode::Hold;
  }
  def.flocks.push_back(others);
  auto w = make(def);
  w->step(30);
  const auto events = w->take_events();
  EXPECT_EQ(count(events, "sees: others[0]"), 1u);
  EXPECT_EQ(count(events, "sees: others[1]"), 0u);
  EXPECT_EQ(count(events, "sees: others[2]"), 0u);
  EXPECT_EQ(count(events, "sees: others[3]"), 1u);
}

// at most 32 are kept, and a crowd of its own kind is no reason not to see what is behind it
TEST(detection, a_stranger_is_seen_over_the_heads_of_its_own_flock) {
  WorldDef def = test::circling(41, "eyes");
  def.environment.gust_sigma = 0;
  def.environment.wind_W = {0, 0, 0};
  for (std::size_t i = 0; i < 41; ++i) {
    def.flocks[0].vehicles[i].mode = Mode::Hold;
    def.flocks[0].vehicles[i].position_W = {0.5 * static_cast<double>(i), 0, 5};
  }
  def.flocks[0].node.detection = {.range = 30, .rate = 10};
  FlockDef stranger = test::circling(1, "stranger").flocks[0];
  stranger.vehicles[0].mode = Mode::Hold;
  stranger.vehicles[0].position_W = {25, 0, 5};
  def.flocks.push_back(stranger);
  auto w = make(def);
  w->step(30);
  EXPECT_EQ(count(w->take_events(), "sees: stranger[0]"), 41u);
  EXPECT_EQ(w->decision_state_of(w->vehicles("eyes")[0]).sees.size(), 32u);
}

}  // namespace
}  // namespace volary
