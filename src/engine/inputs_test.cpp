// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "engine/engine_test_support.hpp"
#include "engine/snapshot.hpp"
#include "vehicles/balloon.hpp"

namespace volary {
namespace {

using test::circling;
using test::make;

bool tells(World& w, const std::string& part) {
  bool found = false;
  for (const Event& e : w.take_events()) found = found || e.what.find(part) != std::string::npos;
  return found;
}

// ---------------------------------------------------------------- late inputs, ids

TEST(inputs, that_come_late_act_at_once_and_an_event_says_so) {
  auto w = make(circling(2));
  w->step(50);
  const Submitted s = w->submit({.tick = 47, .source = 3, .payload = SetWind{{1, 0, 0}}});
  EXPECT_TRUE(s.ok);
  EXPECT_EQ(s.late, 3u);
  EXPECT_EQ(w->late_inputs(), 1u);
  EXPECT_EQ(w->pending_inputs().at(0).tick, 50u);
  EXPECT_EQ(w->take_events().at(0).what, "late: wind of source 3 came 3 ticks after its time and acts now; 1 inputs were late so far");
  for (int k = 0; k < 99; ++k) w->submit({.tick = 40, .source = 3, .payload = SetWind{{1, 0, 0}}}), w->step(1);
  EXPECT_EQ(w->late_inputs(), 100u);
  EXPECT_LT(w->take_events().size(), 3u) << "one event in a second is enough";
  EXPECT_EQ(w->submit({.payload = SetWind{{1, 0, 0}}}).late, 0u) << "tick 0 is the next one";
}

TEST(inputs, that_come_late_are_refused_where_their_source_asks_for_it) {
  auto a = make(circling(2)), b = make(circling(2));
  a->step(50), b->step(50);
  const Submitted s = a->submit({.tick = 49, .source = 3, .payload = SetWind{{9, 0, 0}}}, Late::Refuse);
  EXPECT_FALSE(s);
  EXPECT_EQ(s.why, "wind: is 1 ticks late");
  EXPECT_TRUE(a->submit({.tick = 50, .source = 3, .payload = SetMode{Mode::Hold}}, Late::Refuse));
  b->submit({.tick = 50, .source = 3, .payload = SetMode{Mode::Hold}});
  a->step(20), b->step(20);
  EXPECT_EQ(a->hash(), b->hash());
}

TEST(inputs, late_events_are_no_facts_for_tasks) {
  // a replay is given the input at the tick at which it acted, so that nothing may depend on its being late
  auto a = make(circling(2)), b = make(circling(2));
  a->step(30), b->step(30);
  a->submit({.tick = 10, .payload = SetWind{{1, 0, 0}}});
  b->submit({.tick = 30, .payload = SetWind{{1, 0, 0}}});
  a->step(30), b->step(30);
  EXPECT_EQ(a->hash(), b->hash());
}

TEST(inputs, an_emergency_stop_is_an_event_of_the_vehicle_or_of_all) {
  auto w = make(circling(3));
  const VehicleId second = w->vehicles()[1];
  w->submit({.target = second, .payload = SetMode{Mode::EmergencyStop}});
  w->step(1);
  std::vector<Event> events = w->take_events();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].what, "emergency stop");
  EXPECT_EQ(events[0].vehicle.value, second.value);
  EXPECT_EQ(events[0].name, w->name_of(second));
  w->submit({.payload = SetMode{Mode::EmergencyStop}});
  w->step(1);
  events = w->take_events();
  ASSERT_EQ(events.size(), 1u) << "one event, whatever the number of vehicles";
  EXPECT_EQ(events[0].what, "emergency stop: every vehicle");
}

TEST(inputs, take_a_plain_number_for_an_id_and_find_a_vehicle_by_name_or_number) {
  WorldDef def = circling(3);
  def.flocks[0].vehicles[1].name = "scout";
  auto a = make(def), b = make(def);
  a->submit({.target = {2}, .payload = SetMode{Mode::Hold}});
  b->submit({.target = b->vehicles()[1], .payload = SetMode{Mode::Hold}});
  a->step(20), b->step(20);
  EXPECT_EQ(a->hash(), b->hash());
  const VehicleId scout = a->vehicles()[1];
  EXPECT_EQ(a->find("scout"), scout);
  EXPECT_EQ(a->find("2"), scout);
  EXPECT_EQ(a->find(std::to_string(scout.value)), scout);
  EXPECT_FALSE(a->find("scou"));
  EXPECT_FALSE(a->find("4"));
  EXPECT_FALSE(a->find("2x"));
}

TEST(inputs, a_rotor_fails_only_where_there_is_one) {
  WorldDef def = circling(1);
  FlockDef soundings;
  soundings.name = "soundings";
  soundings.airframe = {"balloon", "balloon", std::make_shared<airframe::BalloonDef>()};
  soundings.vehicles = {{.position_W = {50, 0, 10}}};
  def.flocks.push_back(soundings);
  auto w = make(def);
  w->submit({.target = w->find("soundings[0]"), .payload = FailRotor{0, true}});
  w->step(1);
  EXPECT_TRUE(tells(*w, "refused: rotor failure does not fit this vehicle now"));
  w->submit({.target = w->find("birds[0]"), .payload = FailRotor{4, true}});
  w->step(1);
  EXPECT_TRUE(tells(*w, "refused: rotor failure")) << "it has four";
  w->submit({.target = w->find("birds[0]"), .payload = FailRotor{3, true}});
  w->step(1);
  EXPECT_FALSE(tells(*w, "refused"));
}

TEST(inputs, leave_the_world_when_they_are_applied) {
  auto w = make(circling(100));
  std::size_t first = 0;
  for (int k = 0; k < 300; ++k) {
    for (const VehicleId id : w->vehicles()) w->submit({.target = id, .payload = SetSetpoint{.position_W = {0.01 * k, 0, 3}}});
    w->step(1);
    EXPECT_TRUE(w->pending_inputs().empty());
    if (k == 100) first = World::snapshot_bytes(*w->snapshot()).size();
  }
  EXPECT_EQ(World::snapshot_bytes(*w->snapshot()).size(), first);
  EXPECT_TRUE(w->take_submitted().empty());  // without a recorder they are kept until the first step only
}

// ---------------------------------------------------------------- foreign snapshots

TEST(snapshot, of_another_world_is_refused_and_nothing_changes) {
  WorldDef other = circling(10);
  auto heavy = std::make_shared<airframe::MultirotorDef>(*std::static_pointer_cast<const airframe::MultirotorDef>(other.flocks[0].airframe.definition));
  heavy->name = "large quadrotor";
  heavy->mass *= 1.5;
  other.flocks[0].airframe = {"multirotor", heavy->name, heavy};
  auto w = make(circling(10)), foreign = make(other);
  w->step(20), foreign->step(40);
  const std::uint64_t before = w->hash();
  std::string error;
  EXPECT_FALSE(w->restore(*foreign->snapshot(), &error));
  EXPECT_NE(error.find("is of another world"), std::string::npos) << error;
  EXPECT_EQ(w->tick(), 20u);
  EXPECT_EQ(w->hash(), before);
  WorldDef seeded = circling(10);
  seeded.seed = 43;
  EXPECT_FALSE(w->restore(*make(seeded)->snapshot()));
  EXPECT_EQ(w->hash(), before);
}

// ---------------------------------------------------------------- bulk

// the same as one input for each vehicle
SetSetpoint single(Many what, const std::vector<double>& v, std::size_t n, std::size_t i) {
  const auto x = [&](std::size_t k) { return v[k * n + i]; };
  const auto vec = [&](std::size_t k) { return Vec{x(k), x(k + 1), x(k + 2)}; };
  SetSetpoint s{.level = static_cast<ControlLevel>(what)};
  switch (what) {
    case Many::MotorSpeeds:
      for (std::size_t k = 0; k < 4; ++k) s.motor_speed[k] = x(k);
      break;
    case Many::Rates: s.thrust = x(0), s.rate_B = vec(1); break;
    case Many::Attitude: s.thrust = x(0), s.attitude = {x(1), x(2), x(3), x(4)}; break;
    case Many::Acceleration: s.acceleration_W = vec(0), s.yaw = x(3); break;
    case Many::Velocity: s.velocity_W = vec(0), s.yaw = x(3); break;
    case Many::Position: s.position_W = vec(0), s.yaw = x(3); break;
    default: s.position_W = vec(0), s.velocity_W = vec(3), s.acceleration_W = vec(6), s.jerk_W = vec(9), s.yaw = x(12), s.yaw_rate = x(13);
  }
  return s;
}

std::vector<double> some_values(Many what, std::size_t n, int tick) {
  const std::size_t columns[] = {4, 4, 5, 4, 4, 4, 14};
  std::vector<double> values(columns[static_cast<std::size_t>(what)] * n);
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = 0.3 + 0.1 * std::sin(static_cast<double>(k) + 0.1 * tick);
  if (what == Many::MotorSpeeds)
    for (double& x : values) x *= 5000;
  if (what == Many::Attitude)
    for (std::size_t i = 0; i < n; ++i) {
      const double a = 0.1 * std::sin(static_cast<double>(i));
      values[n + i] = std::cos(a), values[2 * n + i] = std::sin(a), values[3 * n + i] = values[4 * n + i] = 0;
    }
  return values;
}

TEST(bulk, setpoints_of_every_level_equal_one_input_for_each_vehicle) {
  for (const Precision precision : {Precision::Float, Precision::Double})
    for (int level = 0; level <= static_cast<int>(Many::Trajectory); ++level) {
      const auto what = static_cast<Many>(level);
      WorldDef def = circling(75);
      def.precision = precision;
      auto a = make(def), b = make(def, {.threads = 2});
      std::vector<VehicleId> ids = a->vehicles();
      // not in the order of slots, not all, and one by its number alone
      std::swap(ids[3], ids[40]);
      ids.erase(ids.begin() + 20, ids.begin() + 25);
      ids[7] = {ids[7].number()};
      for (int tick = 0; tick < 12; ++tick) {
        const std::vector<double> values = some_values(what, ids.size(), tick);
        ASSERT_TRUE(a->submit({.source = 1, .payload = SetMany{.what = what, .flock = "birds", .ids = ids, .values = values}}));
        for (std::size_t i = 0; i < ids.size(); ++i)
          ASSERT_TRUE(b->submit({.source = 1, .target = ids[i], .payload = single(what, values, ids.size(), i)}));
        a->step(1), b->step(1);
        ASSERT_EQ(a->hash(), b->hash()) << "level " << level << ", tick " << tick;
      }
      EXPECT_FALSE(tells(*a, "refused"));
    }
}

TEST(bulk, without_ids_means_all_of_the_flock_in_their_order) {
  auto a = make(circling(30)), b = make(circling(30));
  for (World* w : {a.get(), b.get()}) w->submit({.target = {5}, .payload = Remove{}}), w->step(1);
  const std::vector<VehicleId> ids = b->vehicles("birds");
  const std::vector<double> values = some_values(Many::Position, ids.size(), 0);
  a->submit({.payload = SetMany{.what = Many::Position, .flock = "birds", .values = values}});
  b->submit({.payload = SetMany{.what = Many::Position, .flock = "birds", .ids = ids, .values = values}});
  a->step(20), b->step(20);
  EXPECT_EQ(a->hash(), b->hash());
  a->submit({.payload = SetMany{.what = Many::Position, .flock = "birds", .values = std::vector<double>(4 * 30, 1.0)}});
  a->step(1);
  EXPECT_TRUE(tells(*a, "refused: bulk position: 120 values do not fit 29 vehicles"));
}

TEST(bulk, leaves_out_those_that_are_not_there_or_not_armed_and_says_how_many) {
  auto w = make(circling(20));
  w->submit({.target = {3}, .payload = Remove{}});
  w->submit({.target = {4}, .payload = SetMode{Mode::EmergencyStop}});
  w->step(1);
  const std::vector<VehicleId> ids = {{1}, {2}, {3}, {4}, {5}, {99}};
  w->take_events();
  w->submit({.payload = SetMany{.what = Many::Velocity, .flock = "birds", .ids = ids, .values = some_values(Many::Velocity, 6, 0)}});
  w->step(1);
  EXPECT_EQ(w->take_events().at(0).what, "refused: bulk velocity: 3 of 6 vehicles do not exist or are not armed; the first is 3");
  EXPECT_EQ(w->mode_of({4}), Mode::EmergencyStop);
  EXPECT_EQ(w->mode_of({5}), Mode::Armed);
}

TEST(bulk, parameters_and_states_equal_one_input_for_each_vehicle) {
  auto a = make(circling(20)), b = make(circling(20));
  const std::vector<VehicleId> ids = {{2}, {17}, {18}};
  a->submit({.payload = SetMany{.what = Many::Parameter, .flock = "birds", .parameter = "mass", .ids = ids, .values = {0.031, 0.032, 0.033}}});
  std::vector<double> states;
  for (std::size_t c = 0; c < 13; ++c)
    for (std::size_t i = 0; i < 3; ++i) states.push_back(c == 6 ? 1 : c > 6 && c < 10 ? 0 : 1.1 * static_cast<double>(c + i));
  a->submit({.payload = SetMany{.what = Many::State, .flock = "birds", .ids = ids, .values = states}});
  for (std::size_t i = 0; i < 3; ++i) {
    b->submit({.target = ids[i], .payload = SetParameter{"mass", 0, 0.031 + 0.001 * static_cast<double>(i)}});
    const auto x = [&](std::size_t c) { return states[c * 3 + i]; };
    b->submit({.target = ids[i], .payload = SetState{{x(0), x(1), x(2)}, {x(3), x(4), x(5)}, {x(10), x(11), x(12)}, {1, 0, 0, 0}}});
  }
  a->step(1), b->step(1);
  EXPECT_EQ(a->position_of({17})[1] > 1, true);
  a->step(30), b->step(30);
  EXPECT_EQ(a->hash(), b->hash());
}

}  // namespace
}  // namespace volary
