// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Estimates and readings that come from outside of the world, as inputs.
#include "engine/senses_test_support.hpp"
#include "swarm/script/script_def.hpp"

namespace volary {
namespace {

using test::make;
using test::values;

// n that hold at 10 m in still air, with a perfect IMU and somebody outside who estimates
WorldDef estimated(int n) {
  WorldDef def = test::talking(n);
  def.environment = {};
  def.flocks[0].sensors.imu = ImuDef{};
  def.flocks[0].estimator.kind = EstimatorKind::Outside;
  return def;
}

// the true states of all vehicles of the flock, moved by an offset
SetMany truth_and(const World& w, const Vec& offset, std::vector<VehicleId> ids = {}) {
  SetMany many{.what = Many::Estimate, .flock = "birds", .ids = std::move(ids)};
  const std::vector<VehicleId> whom = many.ids.empty() ? w.vehicles() : many.ids;
  const std::size_t n = whom.size();
  many.values.resize(13 * n);
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t slot = w.slot_of(whom[k]);
    const Vec p = w.position_of(whom[k]), v = w.velocity_of(whom[k]);
    const std::vector<double> q = values(w, "attitude", slot), omega = values(w, "omega", slot);
    for (std::size_t c = 0; c < 3; ++c) many.values[c * n + k] = p[c] + offset[c], many.values[(3 + c) * n + k] = v[c], many.values[(10 + c) * n + k] = omega[c];
    for (std::size_t c = 0; c < 4; ++c) many.values[(6 + c) * n + k] = q[c];
  }
  return many;
}

WorldDef with_own(WorldDef def, std::vector<OwnSensorDef> own, const std::string& act = "") {
  def.flocks[0].sensors.own = std::move(own);
  if (act.empty()) return def;
  const std::string text = "function act(me)\n" + act + "\nend\n";
  def.flocks[0].node.behaviours = {{.kind = swarm::kScript, .params = std::make_shared<swarm::ScriptDef>(swarm::ScriptDef{"own", "own.lua", text, {}})}};
  def.flocks[0].node.decision_rate = 100;
  return def;
}

std::string told(World& w) {
  std::string all;
  for (const Event& e : w.take_events()) all += e.what + "\n";
  return all;
}

}  // namespace

TEST(outside, an_estimate_acts_from_the_next_tick_and_the_imu_carries_it_on) {
  const auto w = make(estimated(20));
  w->step(50);
  const Vec before = w->position_of(w->vehicles()[17]);
  ASSERT_TRUE(w->submit({.payload = truth_and(*w, {100, 200, 300})}));
  EXPECT_LT(test::apart(test::place(*w, "estimate.position", 17), before), 0.1) << "not yet";
  w->step(1);
  const Vec now = w->position_of(w->vehicles()[17]), estimate = test::place(*w, "estimate.position", 17);
  EXPECT_LT(test::apart(estimate, {now[0] + 100, now[1] + 200, now[2] + 300}), 1e-3);
  w->step(1);
  EXPECT_GT(test::apart(test::place(*w, "estimate.position", 17), estimate), 1e-7) << "its controller flies back, and the IMU feels it";
}

TEST(outside, without_an_estimate_the_imu_alone_leads_on_from_the_start) {
  const auto w = make(estimated(2));
  w->step(500);
  EXPECT_LT(test::apart(test::place(*w, "estimate.position", 1), w->position_of(w->vehicles()[1])), 0.02);
}

TEST(outside, the_controller_flies_by_the_estimate) {
  const auto w = make(estimated(3));
  const Vec start = w->position_of(w->vehicles()[1]);
  for (int k = 0; k < 1500; ++k) {
    ASSERT_TRUE(w->submit({.payload = truth_and(*w, {1, 0, -0.5})}));
    w->step(1);
  }
  // it believes itself 1 m further east and 0.5 m lower than it is
  EXPECT_LT(test::apart(w->position_of(w->vehicles()[1]), {start[0] - 1, start[1], start[2] + 0.5}), 0.1);
}

TEST(outside, an_estimate_for_some_leaves_the_others_alone) {
  const auto all = make(estimated(20)), some = make(estimated(20));
  const std::vector<VehicleId> ids = {some->vehicles()[4], some->vehicles()[11]};
  ASSERT_TRUE(some->submit({.payload = truth_and(*some, {0, 0, 2}, ids)}));
  all->step(30), some->step(30);
  for (std::size_t slot = 0; slot < 20; ++slot)
    EXPECT_EQ(values(*all, "position", slot) == values(*some, "position", slot), slot != 4 && slot != 11) << slot;
}

TEST(outside, the_same_inputs_fly_the_same_after_a_snapshot_and_on_any_threads) {
  const auto fly = [](World& w, int ticks) {
    for (int k = 0; k < ticks; ++k) {
      const double wave = 0.01 * static_cast<double>(w.tick() % 7);
      if (w.tick() % 3 == 0) w.submit({.payload = truth_and(w, {wave, 0, 0})});
      const std::vector<double> soil(20, wave);
      w.submit({.payload = SetMany{.what = Many::Reading, .flock = "birds", .parameter = "soil", .values = soil}});
      w.step(1);
    }
    return w.hash();
  };
  const WorldDef def = with_own(estimated(20), {{"soil", 1}}, "fly(me.sensors['own.soil'] * 20, 0, 0)");
  const auto w = make(def);
  fly(*w, 40);
  const auto moment = w->snapshot();
  const std::uint64_t later = fly(*w, 60);
  ASSERT_TRUE(w->restore(*moment));
  EXPECT_EQ(fly(*w, 60), later);
  EXPECT_EQ(fly(*make(def, {.threads = 3, .force_split = true}), 100), later);
  EXPECT_EQ(fly(*make(def, {.lanes = 1}), 100), later);
  EXPECT_EQ(told(*w), "");
}

TEST(outside, a_reading_is_a_column_and_a_behaviour_reads_it_in_the_tick_in_which_it_acts) {
  const auto w = make(with_own(test::talking(20), {{"soil", 1}, {"pose", 6}, {"gas", 2}},
                               "local p = me.sensors['own.pose'] plot('sum', #p * 100 + p[1] + p[6]) plot('valid', me.sensors['own.pose.valid']) plot('gas', me.sensors['own.gas'] and 1 or 0)"));
  std::vector<double> pose(6 * 20);
  for (std::size_t k = 0; k < pose.size(); ++k) pose[k] = static_cast<double>(k);
  w->step(5);
  EXPECT_EQ(values(*w, "plot.valid", 3)[0], 0);
  ASSERT_TRUE(w->submit({.payload = SetMany{.what = Many::Reading, .flock = "birds", .parameter = "pose", .values = pose}}));
  w->step(1);
  EXPECT_EQ(values(*w, "own.pose", 3), (std::vector<double>{3, 23, 43, 63, 83, 103}));
  EXPECT_EQ(values(*w, "own.pose.tick", 3)[0], 5) << "the reading is of the state that it was given for";
  EXPECT_EQ(values(*w, "own.pose.valid", 3)[0], 1);
  EXPECT_EQ(values(*w, "own.gas.valid", 3)[0], 0);
  EXPECT_EQ(values(*w, "plot.sum", 3)[0], 600 + 3 + 103) << "six numbers are no position with its remainder";
  EXPECT_EQ(values(*w, "plot.valid", 3)[0], 1);
  w->step(3);
  EXPECT_EQ(values(*w, "own.pose", 3)[5], 103) << "it stays until the next one";
  EXPECT_EQ(told(*w), "");
}

TEST(outside, a_vehicle_without_the_sensor_takes_no_reading_and_reads_nil) {
  WorldDef def = with_own(test::talking(3), {{"soil", 1}}, "plot('has', me.sensors['own.soil'] and 1 or 0)");
  def.flocks[0].vehicles[1].without = {"own.soil"};
  const auto w = make(def);
  ASSERT_TRUE(w->submit({.payload = SetMany{.what = Many::Reading, .flock = "birds", .parameter = "soil", .values = {7, 8, 9}}}));
  w->step(1);
  EXPECT_EQ(values(*w, "own.soil", 0)[0], 7);
  EXPECT_EQ(values(*w, "own.soil", 1)[0], 0);
  EXPECT_EQ(values(*w, "own.soil", 2)[0], 9);
  EXPECT_EQ(values(*w, "plot.has", 0)[0], 1);
  EXPECT_EQ(values(*w, "plot.has", 1)[0], 0);
  EXPECT_NE(told(*w).find("refused: bulk reading: 1 of 3 vehicles do not exist or do not carry this sensor"), std::string::npos);
}

TEST(outside, what_does_not_fit_is_refused_with_a_suggestion) {
  const auto why = [](World& w, SetMany many) { return w.submit({.payload = std::move(many)}).why; };
  const auto has = [](const std::string& text, const char* words) { EXPECT_NE(text.find(words), std::string::npos) << "'" << words << "' in: " << text; };
  const auto filtered = make(test::sensing(2));
  has(why(*filtered, truth_and(*filtered, {})), "take no estimate from outside");
  has(why(*filtered, truth_and(*filtered, {})), "estimator: {kind: outside}");
  has(why(*filtered, {.what = Many::Reading, .flock = "birds", .parameter = "soil", .values = {1, 2}}), "own: [{name: soil");
  const auto w = make(with_own(estimated(2), {{"soil", 2}}));
  has(why(*w, {.what = Many::Reading, .flock = "birds", .parameter = "siol", .values = {1, 2, 3, 4}}), "did you mean 'soil'");
  has(why(*w, {.what = Many::Reading, .flock = "birds", .parameter = "soil", .values = {1, 2, 3}}), "must be 2 for each of all vehicles");
  has(why(*w, {.what = Many::Reading, .flock = "birds", .parameter = "soil", .ids = {{1}, {2}}, .values = {1, 2}}), "must be 2 for each of 2 vehicles");
  SetMany turned = truth_and(*w, {});
  turned.values[6 * 2] = 0.2;
  has(why(*w, turned), "quaternion of length 1");
  SetMany lost = truth_and(*w, {});
  lost.values[0] = std::numeric_limits<double>::quiet_NaN();
  has(why(*w, lost), "position of vehicle 0");
  // as many numbers as there are sensors, but not as there are vehicles
  ASSERT_TRUE(w->submit({.payload = SetMany{.what = Many::Reading, .flock = "birds", .parameter = "soil", .values = {1, 2}}}));
  w->step(1);
  has(told(*w), "refused: bulk reading: 2 values do not fit 2 vehicles");
  EXPECT_EQ(values(*w, "own.soil", 0)[0], 0);
}

TEST(outside, definitions_that_cannot_be_are_refused) {
  const auto refusal = [](const WorldDef& def) {
    std::string error;
    EXPECT_EQ(World::create(def, {}, &error), nullptr);
    return error;
  };
  EXPECT_NE(refusal(with_own(estimated(1), {{"soil", 17}})).find("1 to 16 numbers"), std::string::npos);
  EXPECT_NE(refusal(with_own(estimated(1), {{"soil", 0}})).find("1 to 16 numbers"), std::string::npos);
  EXPECT_NE(refusal(with_own(estimated(1), {{"soil", 1}, {"soil", 2}})).find("two own sensors 'soil'"), std::string::npos);
  EXPECT_NE(refusal(with_own(estimated(1), std::vector<OwnSensorDef>(17, {"soil", 1}))).find("17 own sensors"), std::string::npos);
}

}  // namespace volary
