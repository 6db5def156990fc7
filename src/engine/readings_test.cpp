// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Behaviours that fly by what their sensors measured: from the published frame, the same on any threads, and only where somebody asks.
#include "engine/data.hpp"
#include "engine/senses_test_support.hpp"
#include "swarm/script/script_def.hpp"

namespace volary {
namespace {

using test::make;
using test::values;

BehaviourDef script(const std::string& act) {
  const std::string text = "function act(me)\n" + act + "\nend\n";
  return {.kind = swarm::kScript, .params = std::make_shared<swarm::ScriptDef>(swarm::ScriptDef{"by_sensors", "by_sensors.lua", text, {}})};
}

// n at 10 m over flat ground, with a range finder that looks down and a barometer
WorldDef ranging(int n, const std::string& act) {
  WorldDef def = test::talking(n);
  def.environment = {};
  FlockDef& f = def.flocks[0];
  f.sensors.range_finder = RangeFinderDef{};
  f.sensors.range_finder->max = 40;
  f.sensors.range_finder->time.rate = 20;
  f.sensors.barometer = BarometerDef{};
  f.sensors.barometer->error.noise = 2;
  f.node.behaviours = {script(act)};
  return def;
}
// to 6 m by the range finder; those without one sink by the barometer to 14 m
constexpr const char* kByRange =
    "local d = me.sensors['range_finder.distance']\n"
    "if d then fly(0.2 * math.sin(me.time), 0, 6 - d) else fly(0, 0, 14 - me.sensors['barometer.height']) end";

void expect_no_faults(World& w) {
  for (const Event& e : w.take_events()) ADD_FAILURE() << e.name << ": " << e.what;
}

std::vector<std::uint64_t> fly(const WorldDef& def, const RunOptions& options, int ticks) {
  const auto w = make(def, options);
  std::vector<std::uint64_t> hashes;
  for (int k = 0; k < ticks; ++k) w->step(1), hashes.push_back(w->hash());
  return hashes;
}

}  // namespace

TEST(readings, a_behaviour_flies_by_its_own_range_finder_and_where_it_has_none_by_the_barometer) {
  WorldDef def = ranging(3, kByRange);
  def.flocks[0].vehicles[1].without = {"range_finder"};
  const auto w = make(def);
  w->step(2000);
  EXPECT_NEAR(w->position_of(w->vehicles()[0])[2], 6, 0.2);
  EXPECT_NEAR(w->position_of(w->vehicles()[1])[2], 14, 0.7);
  EXPECT_NEAR(w->position_of(w->vehicles()[2])[2], 6, 0.2);
  expect_no_faults(*w);
}

// What a behaviour reads in tick k is what the column said after tick k - 1. A plot is the way out of a script.
TEST(readings, what_a_behaviour_reads_is_the_state_after_the_last_tick) {
  WorldDef def = ranging(21, "plot('height', me.sensors['barometer.height']) plot('tick', me.sensors['range_finder.tick'])");
  def.flocks[0].node.decision_rate = 100;
  const auto w = make(def);
  for (int k = 0; k < 60; ++k) {
    std::vector<double> height, tick;
    for (std::size_t slot = 0; slot < 21; ++slot) height.push_back(values(*w, "barometer.height", slot)[0]), tick.push_back(values(*w, "range_finder.tick", slot)[0]);
    w->step(1);
    for (std::size_t slot = 0; slot < 21; ++slot) {
      ASSERT_EQ(values(*w, "plot.height", slot)[0], height[slot]) << "vehicle " << slot << " at tick " << k;
      ASSERT_EQ(values(*w, "plot.tick", slot)[0], tick[slot]) << "vehicle " << slot << " at tick " << k;
    }
  }
  expect_no_faults(*w);
}

TEST(readings, positions_have_their_remainders_and_the_estimate_is_that_of_the_filter) {
  WorldDef def = test::sensing(test::talking(2));
  def.environment = {};
  for (VehicleDef& v : def.flocks[0].vehicles) v.position_W[0] += 100'000.0625;
  def.flocks[0].node.behaviours = {
      script("local g, e = me.sensors['gnss.position'], me.estimate plot('east', g.x) plot('believed', e.position.x) plot('std', e.position_std) plot('gyro', me.sensors['imu.gyro'].z)\n"
             "plot('same', e.position == me.position and 1 or 0)")};
  def.flocks[0].node.decision_rate = 100;
  const auto w = make(def);
  for (int k = 0; k < 30; ++k) {
    const double east = test::place(*w, "gnss.position", 1)[0], believed = test::place(*w, "estimate.position", 1)[0];
    const double std = values(*w, "estimate.position_std", 1)[0], gyro = values(*w, "imu.gyro", 1)[2];
    w->step(1);
    EXPECT_EQ(values(*w, "plot.east", 1)[0], east);
    EXPECT_EQ(values(*w, "plot.believed", 1)[0], believed);
    EXPECT_EQ(values(*w, "plot.std", 1)[0], std);
    EXPECT_EQ(values(*w, "plot.gyro", 1)[0], gyro);
    EXPECT_EQ(values(*w, "plot.same", 1)[0], 1) << "a behaviour decides by the same estimate";
  }
  expect_no_faults(*w);
}

TEST(readings, a_vehicle_that_is_moved_reads_its_sensors_there_in_the_same_tick) {
  WorldDef def = ranging(2, "plot('height', me.sensors['barometer.height'])");
  def.flocks[0].node.decision_rate = 100;
  const auto w = make(def);
  w->step(20);
  w->submit({.target = w->vehicles()[1], .payload = SetState{.position_W = {0, 0, 300}}});
  w->step(1);
  EXPECT_NEAR(values(*w, "plot.height", 1)[0], 300, 3);
  EXPECT_NEAR(values(*w, "plot.height", 0)[0], 10, 3);
}

TEST(readings, the_same_bits_on_any_threads_and_lanes_with_more_vehicles_than_threads) {
  WorldDef def = ranging(70, kByRange);
  for (std::size_t k = 0; k < 70; k += 3) def.flocks[0].vehicles[k].without = {"range_finder"};
  const auto one = fly(def, {}, 120);
  EXPECT_EQ(fly(def, {.threads = 3, .force_split = true}, 120), one);
  EXPECT_EQ(fly(def, {.threads = 7, .force_split = true}, 120), one);
  EXPECT_EQ(fly(def, {.lanes = 1}, 120), one);
}

TEST(readings, a_snapshot_and_inputs_again_give_the_same_flight) {
  const auto w = make(ranging(20, kByRange));
  w->step(95);
  const auto moment = w->snapshot();
  const auto go = [&] {
    w->submit({.target = w->vehicles()[3], .payload = SetState{.position_W = {50, 0, 25}}});
    w->submit({.payload = Spawn{.flock = "birds", .vehicle = {.position_W = {30, 30, 20}, .mode = Mode::Hold}}});
    w->step(150);
    return w->hash();
  };
  const std::uint64_t later = go();
  ASSERT_TRUE(w->restore(*moment));
  EXPECT_EQ(go(), later);
  const auto other = make(ranging(20, kByRange));
  ASSERT_TRUE(other->restore(*moment));
  other->step(1);
  ASSERT_TRUE(w->restore(*moment));
  w->step(1);
  EXPECT_EQ(other->hash(), w->hash());
}

TEST(readings, a_flock_without_scripts_and_plugins_publishes_none) {
  WorldDef def = ranging(5, kByRange);
  def.flocks.push_back(def.flocks[0]);
  def.flocks[1].name = "quiet";
  def.flocks[1].node.behaviours.clear();
  engine::Data d;
  ASSERT_TRUE(engine::build(d, def, {}));
  for (int k = 0; k < 3; ++k) engine::step(d);
  EXPECT_NE(d.frame.asked & engine::shows::kReadings, 0u);
  EXPECT_FALSE(d.frame.readings[0].empty());
  EXPECT_TRUE(d.frame.readings[1].empty());
  def.flocks[0].node.behaviours.clear();
  engine::Data silent;
  ASSERT_TRUE(engine::build(silent, def, {}));
  engine::step(silent);
  EXPECT_EQ(silent.frame.asked & engine::shows::kReadings, 0u);
}

}  // namespace volary
