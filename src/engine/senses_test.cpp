// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "engine/senses_test_support.hpp"
#include "math/hash.hpp"

using namespace volary;
using test::sensing;
using test::values;

namespace {

std::vector<std::uint64_t> fly(const WorldDef& def, const RunOptions& options, int ticks) {
  const auto w = test::make(def, options);
  std::vector<std::uint64_t> hashes;
  for (int k = 0; k < ticks; ++k) w->step(1), hashes.push_back(w->hash());
  return hashes;
}

bool has_column(const World& w, const std::string& name) {
  const std::vector<ColumnDoc> all = w.columns("birds");
  return std::any_of(all.begin(), all.end(), [&](const ColumnDoc& c) { return c.name == name; });
}

// everything of a vehicle that can be seen
std::vector<double> all_of(const World& w, std::size_t slot) {
  std::vector<double> all;
  for (const ColumnDoc& c : w.columns("birds")) {
    const std::vector<double> x = values(w, c.name, slot);
    all.insert(all.end(), x.begin(), x.end());
  }
  return all;
}

std::string refusal(const WorldDef& def) {
  std::string error;
  EXPECT_EQ(World::create(def, {}, &error), nullptr);
  return error;
}

}  // namespace

TEST(Senses, AFlockHasTheColumnsOfWhatItCarries) {
  const auto w = test::make(sensing(1));
  for (const char* name : {"imu.gyro", "imu.delta_velocity", "gnss.position", "gnss.tick", "barometer.pressure", "magnetometer.field", "estimate.position", "filter.covariance"})
    EXPECT_TRUE(has_column(*w, name)) << name;
  EXPECT_FALSE(has_column(*w, "airspeed.airspeed"));
  const auto without = test::make(test::circling(1));
  for (const char* name : {"imu.gyro", "gnss.position", "estimate.position"}) EXPECT_FALSE(has_column(*without, name)) << name;
}

TEST(Senses, AReadingArrivesLateAndSaysOfWhichTickItIs) {
  WorldDef def = sensing(1);
  def.flocks[0].sensors.gnss->horizontal = def.flocks[0].sensors.gnss->vertical = def.flocks[0].sensors.gnss->white = 0;
  const auto w = test::make(def);
  std::vector<Vec> truth = {w->position_of(w->vehicles()[0])};
  for (int k = 1; k <= 100; ++k) {
    w->step(1);
    truth.push_back(w->position_of(w->vehicles()[0]));
    const auto tick = static_cast<std::size_t>(values(*w, "gnss.tick")[0]);
    const int newest = k < 12 ? 0 : (k - 12) / 10 * 10;  // every 10 ticks, 12 ticks late
    ASSERT_EQ(tick, static_cast<std::size_t>(newest)) << "at tick " << k;
    EXPECT_LT(test::apart(test::place(*w, "gnss.position"), truth[tick]), 1e-5) << "at tick " << k;
  }
}

TEST(Senses, AllWidthsAndThreadsMeasureAndEstimateTheSame) {
  WorldDef def = sensing(21);
  const std::vector<std::uint64_t> one = fly(def, {.lanes = 1, .hash_every_tick = true}, 60);
  for (const int lanes : available_lanes()) EXPECT_EQ(fly(def, {.lanes = lanes}, 60), one) << lanes << " lanes";
  EXPECT_EQ(fly(def, {.threads = 3, .hash_every_tick = true, .force_split = true}, 60), one);
  def.precision = Precision::Double;
  const std::vector<std::uint64_t> exact = fly(def, {.lanes = 1}, 40);
  EXPECT_EQ(fly(def, {}, 40), exact);
}

TEST(Senses, TheEstimateStaysNearTheTruthAndFliesTheCircle) {
  const auto w = test::make(sensing(4));
  w->step(1000);
  for (int k = 0; k < 10; ++k) {
    w->step(50);
    for (std::size_t slot = 0; slot < 4; ++slot) {
      const VehicleId id = w->vehicles()[slot];
      EXPECT_LT(test::apart(test::place(*w, "estimate.position", slot), w->position_of(id)), 1.5);
      EXPECT_LT(test::apart(test::place(*w, "estimate.velocity", slot), w->velocity_of(id)), 0.5);
      EXPECT_LT(test::apart(test::place(*w, "setpoint.position", slot), w->position_of(id)), 2.5);
    }
  }
}

TEST(Senses, WithoutErrorsTheEstimateIsTheTruth) {
  WorldDef def = sensing(1);
  SensorsDef& s = def.flocks[0].sensors;
  s.imu = ImuDef{};
  s.gnss->horizontal = s.gnss->vertical = s.gnss->white = s.gnss->velocity = 0;
  s.barometer->error = {}, s.magnetometer->error = {};
  def.flocks[0].estimator.start = {1e-6, 1e-6, 1e-6, 1e-6};
  const auto w = test::make(def);
  w->step(500);
  EXPECT_LT(test::apart(test::place(*w, "estimate.position"), w->position_of(w->vehicles()[0])), 0.02);
  EXPECT_LT(test::apart(test::place(*w, "estimate.velocity"), w->velocity_of(w->vehicles()[0])), 0.02);
}

TEST(Senses, ASensorThatOneVehicleLacksChangesNothingForOthers) {
  WorldDef def = sensing(20);
  const auto all = test::make(def);
  def.flocks[0].vehicles[7].without = {"gnss"};
  const auto one_less = test::make(def);
  all->step(150), one_less->step(150);
  EXPECT_EQ(values(*one_less, "gnss.valid", 7)[0], 0);
  for (std::size_t slot = 0; slot < 20; ++slot) {
    if (slot == 7)
      EXPECT_NE(all_of(*all, slot), all_of(*one_less, slot));
    else
      EXPECT_EQ(all_of(*all, slot), all_of(*one_less, slot)) << "vehicle " << slot;
  }
}

TEST(Senses, ASensorThatAFlockLacksChangesNothingForOtherFlocks) {
  WorldDef def = sensing(3);
  def.flocks.push_back(def.flocks[0]);
  def.flocks[1].name = "others";
  const auto both = test::make(def);
  def.flocks[1].sensors.barometer.reset();
  const auto fewer = test::make(def);
  both->step(100), fewer->step(100);
  for (std::size_t slot = 0; slot < 3; ++slot) EXPECT_EQ(all_of(*both, slot), all_of(*fewer, slot));
}

TEST(Senses, ASnapshotBringsSensorsAndFilterBack) {
  const auto w = test::make(sensing(5));
  w->step(137);
  const auto before = w->snapshot();
  w->step(80);
  const std::uint64_t later = w->hash();
  ASSERT_TRUE(w->restore(*before));
  w->step(80);
  EXPECT_EQ(w->hash(), later);
}

TEST(Senses, WorldsThatBeginAtDifferentTimesFlyAsAlone) {
  WorldDef def = sensing(3);
  def.worlds = 7;
  const auto batch = test::make(def);
  std::vector<std::uint64_t> began(7, 0);
  for (std::uint64_t tick = 0; tick < 120; ++tick) {
    std::vector<std::uint8_t> mask(7, 0);
    std::vector<std::uint32_t> episodes(7, 1);
    for (std::size_t k = 0; k < 7; ++k)
      if (math::mix64(tick * 7 + k) % 60 == 0) mask[k] = 1, began[k] = tick;
    batch->reset(mask, episodes);
    batch->step(1);
  }
  for (std::uint32_t k = 0; k < 7; ++k) {
    WorldDef one = def;
    one.worlds = 1, one.first_world = static_cast<int>(k), one.episode = began[k] == 0 ? 0 : 1;
    const auto alone = test::make(one);
    alone->step(120 - began[k]);
    EXPECT_EQ(alone->hash_of_world(0), batch->hash_of_world(k)) << "world " << k << ", which began at " << began[k];
  }
}

TEST(Senses, AVehicleThatIsMovedBeginsItsEstimateThere) {
  const auto w = test::make(sensing(2));
  w->step(50);
  w->submit({.target = w->vehicles()[1], .payload = SetState{.position_W = {400, 300, 50}}});
  w->step(1);
  EXPECT_LT(test::apart(test::place(*w, "estimate.position", 1), {400, 300, 50}), 3);
}

TEST(Senses, APushIsFeltByTheAccelerometer) {
  WorldDef def = sensing(1);
  def.flocks[0].sensors.imu = ImuDef{};
  def.environment.wind_W = {0, 0, 0}, def.environment.gust_sigma = 0;
  def.flocks[0].vehicles[0].mode = Mode::Hold;
  const auto w = test::make(def);
  w->step(100);
  const double before = values(*w, "imu.delta_velocity")[2];
  EXPECT_NEAR(before, 9.80665 * 0.01, 0.02) << "in hover it feels its weight";
}

TEST(Senses, DistancesBetweenVehiclesAreMeasuredInTurn) {
  WorldDef def = sensing(4);
  def.flocks[0].sensors.uwb_peers = UwbDef{};
  def.flocks[0].sensors.uwb_peers->time.rate = 20;
  def.flocks[0].sensors.uwb_peers->reach = 50;
  const auto w = test::make(def);
  std::vector<double> partners;
  for (int k = 0; k < 100; ++k) {
    w->step(1);
    if (values(*w, "uwb_peers.valid")[0] == 0) continue;
    const double partner = values(*w, "uwb_peers.partner_low")[0];
    if (std::find(partners.begin(), partners.end(), partner) == partners.end()) partners.push_back(partner);
    EXPECT_GT(values(*w, "uwb_peers.range")[0], 0.3);
    EXPECT_LT(values(*w, "uwb_peers.range")[0], 10);
  }
  EXPECT_EQ(partners.size(), 3u);
}

TEST(Senses, WhatDoesNotFitIsRefused) {
  WorldDef def = sensing(1);
  def.flocks[0].full_physics = false;
  EXPECT_NE(refusal(def).find("an IMU needs full_physics"), std::string::npos);
  def = sensing(1);
  def.flocks[0].sensors.imu.reset();
  EXPECT_NE(refusal(def).find("an estimator needs an IMU"), std::string::npos);
  def = sensing(1);
  def.flocks[0].sensors.uwb_anchors = UwbDef{};
  EXPECT_NE(refusal(def).find("there are no anchors in this world"), std::string::npos);
}

TEST(Senses, TheSensorsOfAVehicleAreThoseOfItsFlockLessThoseItIsWithout) {
  WorldDef def = sensing(2);
  def.flocks[0].vehicles[1].without = {"gnss", "magnetometer"};
  const auto w = test::make(def);
  EXPECT_EQ(w->sensors_of(w->vehicles()[0]), (std::vector<std::string>{"imu", "gnss", "barometer", "magnetometer"}));
  EXPECT_EQ(w->sensors_of(w->vehicles()[1]), (std::vector<std::string>{"imu", "barometer"}));
  const auto blind = test::make(test::circling(1));
  EXPECT_TRUE(blind->sensors_of(blind->vehicles()[0]).empty());
}
