// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Platforms with sensors: what an IMU on the central body feels, what the other sensors measure, and flights by an estimate.
#include <cmath>
#include <memory>

#include "engine/engine_test_support.hpp"
#include "engine/senses_test_support.hpp"
#include "scenario/airframe.hpp"

namespace volary {
namespace {

using test::apart;
using test::make;
using test::place;

constexpr double kGravity = 9.80665;

// platforms in still air with the sensors that are given
WorldDef carrying(const std::string& name, const SensorsDef& sensors, const VehicleDef& vehicle, int n = 1) {
  WorldDef w;
  w.name = "sensing platforms";
  w.tick_ns = 5'000'000;
  w.precision = Precision::Double;
  w.environment.gravity = kGravity;
  FlockDef f;
  f.name = "rigs";
  f.airframe = scenario::load_airframe(VOLARY_SOURCE_DIR "/assets/vehicles/" + name + ".yaml").value();
  f.sensors = sensors;
  for (int i = 0; i < n; ++i) {
    VehicleDef v = vehicle;
    v.position_W[0] += 4.0 * (i % 6), v.position_W[1] += 4.0 * (i / 6);
    v.centre_W = v.position_W;
    f.vehicles.push_back(v);
  }
  w.flocks.push_back(f);
  return w;
}
SensorsDef ideal_imu(const Vec& position_B = {0, 0, 0}) {
  SensorsDef s;
  s.imu = ImuDef{};
  s.imu->position_B = position_B;
  return s;
}
VehicleDef in_mode(Mode mode, double height) { return {.position_W = {0, 0, height}, .mode = mode}; }

std::vector<double> values(const World& w, const std::string& column, std::size_t slot = 0) { return test::values(w, column, slot, "rigs"); }
Vec seen(const World& w, const std::string& column, std::size_t slot = 0) { return place(w, column, slot, "rigs"); }

// ---------------------------------------------------------------- what the IMU feels

TEST(platform_sensed, one_that_stands_on_the_ground_feels_its_weight) {
  for (const char* name : {"two_line", "three_star"}) {
    const auto w = make(carrying(name, ideal_imu({0.1, 0.05, 0}), in_mode(Mode::Disarmed, 0)));
    w->step(400);
    EXPECT_LT(apart(seen(*w, "imu.accelerometer"), {0, 0, kGravity}), 0.05) << name;
    EXPECT_LT(apart(seen(*w, "imu.gyro"), {0, 0, 0}), 1e-3) << name;
    EXPECT_NEAR(values(*w, "imu.delta_velocity")[2], 0.005 * kGravity, 1e-4) << name;
  }
}

TEST(platform_sensed, one_that_falls_freely_feels_nothing) {
  const auto w = make(carrying("three_star", ideal_imu({0.1, 0.05, 0}), in_mode(Mode::EmergencyStop, 50)));
  w->step(10);
  EXPECT_LT(w->velocity_of(w->vehicles()[0])[2], -0.4);
  EXPECT_LT(apart(seen(*w, "imu.accelerometer"), {0, 0, 0}), 0.02) << "but the air, at half a metre per second";
}

TEST(platform_sensed, away_from_the_origin_of_the_central_body_the_imu_feels_the_turn) {
  const auto w = make(carrying("three_star", ideal_imu({0.2, 0, 0}), in_mode(Mode::EmergencyStop, 50)));
  w->submit({.target = w->vehicles()[0], .payload = SetState{.position_W = {0, 0, 50}, .omega_B = {0, 0, 3}}});
  w->step(2);
  EXPECT_NEAR(seen(*w, "imu.gyro")[2], 3, 0.01);
  EXPECT_NEAR(seen(*w, "imu.accelerometer")[0], -9 * 0.2, 0.02) << "omega squared times 0.2 m, inwards";
  EXPECT_NEAR(seen(*w, "imu.accelerometer")[1], 0, 0.05) << "the joints brake the turn a little";
}

// eq. 11 of SIGMA over the rotors of all aircraft
TEST(platform_sensed, every_rotor_of_every_aircraft_shakes_it) {
  for (const char* name : {"two_line", "three_star"}) {
    SensorsDef s = ideal_imu();
    s.imu->vibration.reference_speed = 600;
    s.imu->vibration.harmonics = {{1, {0.05, 0, 0}, {}}};
    const auto w = make(carrying(name, s, in_mode(Mode::Hold, 3)));
    const std::size_t aircraft = std::string(name) == "two_line" ? 2 : 3;
    ASSERT_EQ(values(*w, "imu.rotor_phase").size(), 4 * aircraft);
    w->step(100);
    double largest = 0;
    for (int k = 0; k < 20; ++k) {
      std::vector<double> speeds;
      for (std::size_t i = 1; i <= aircraft; ++i)
        for (const double w_i : values(*w, "part" + std::to_string(i) + ".rotor_speed")) speeds.push_back(w_i);
      w->step();
      const std::vector<double> phases = values(*w, "imu.rotor_phase");
      double sum = 0;
      for (std::size_t i = 0; i < speeds.size(); ++i) sum += 0.05 * speeds[i] * speeds[i] / 360'000 * std::sin(phases[i]);
      EXPECT_NEAR(values(*w, "imu.gyro")[0], sum, 0.005) << name;
      largest = std::max(largest, std::abs(sum));
    }
    EXPECT_GT(largest, 0.02) << name;
  }
}

// ---------------------------------------------------------------- the other sensors

TEST(platform_sensed, without_an_imu_it_carries_all_other_sensors_and_flies_as_without_them) {
  SensorsDef s;
  s.gnss = GnssDef{}, s.barometer = BarometerDef{}, s.magnetometer = MagnetometerDef{}, s.motion_capture = MotionCaptureDef{}, s.airspeed = AirspeedDef{};
  VehicleDef v = in_mode(Mode::Mission, 3);
  v.harmonic.amplitude = {1, 1, 0}, v.harmonic.rate = {0.8, 0.8, 0}, v.harmonic.phase = {1.5707963267948966, 0, 0};
  const auto w = make(carrying("three_star", s, v)), without = make(carrying("three_star", {}, v));
  w->step(600), without->step(600);
  const VehicleId id = w->vehicles()[0];
  EXPECT_EQ(w->position_of(id), without->position_of(without->vehicles()[0]));
  EXPECT_LT(apart(seen(*w, "gnss.position"), w->position_of(id)), 1e-6);
  EXPECT_LT(apart(seen(*w, "gnss.velocity"), w->velocity_of(id)), 1e-6);
  EXPECT_LT(apart(seen(*w, "motion_capture.position"), w->position_of(id)), 1e-6);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(values(*w, "motion_capture.attitude")[k], values(*w, "attitude")[k], 1e-9);
  EXPECT_NEAR(values(*w, "barometer.height")[0], w->position_of(id)[2], 0.05);
}

TEST(platform_sensed, the_magnetometer_is_disturbed_by_the_currents_of_all_aircraft) {
  SensorsDef s;
  s.magnetometer = MagnetometerDef{};
  s.magnetometer->current_B = {1e-5, 0, 0};
  const auto w = make(carrying("three_star", s, in_mode(Mode::Hold, 3)));
  w->step(200);
  double load = 0;
  for (const char* part : {"part1", "part2", "part3"})
    for (const double speed : values(*w, std::string(part) + ".rotor_speed")) load += speed * speed / (12 * 949.6 * 949.6);
  s.magnetometer->current_B = {0, 0, 0};
  const auto clean = make(carrying("three_star", s, in_mode(Mode::Hold, 3)));
  clean->step(200);
  ASSERT_GT(load, 0.2);
  EXPECT_NEAR(values(*w, "magnetometer.field")[0] - values(*clean, "magnetometer.field")[0], 1e-5 * load, 1e-9);
}

// ---------------------------------------------------------------- flights by an estimate

WorldDef by_estimate(WorldDef w) {
  w.flocks[0].estimator.kind = EstimatorKind::Ekf;
  return w;
}

TEST(platform_sensed, without_errors_the_estimate_is_the_truth) {
  SensorsDef s = ideal_imu();
  s.gnss = GnssDef{}, s.gnss->time.rate = 10, s.magnetometer = MagnetometerDef{}, s.barometer = BarometerDef{};
  WorldDef def = by_estimate(carrying("three_star", s, in_mode(Mode::Hold, 3)));
  def.flocks[0].estimator.start = {1e-6, 1e-6, 1e-6, 1e-6};
  const auto w = make(def);
  const VehicleId id = w->vehicles()[0];
  w->submit({.target = id, .payload = SetPose{.position_W = {0.5, 0, 3}, .roll = 0.1, .yaw = 0.5}});
  w->step(4000);
  EXPECT_LT(apart(seen(*w, "estimate.position"), w->position_of(id)), 0.02);
  EXPECT_LT(apart(seen(*w, "estimate.velocity"), w->velocity_of(id)), 0.02);
  EXPECT_LT(apart(w->position_of(id), {0.5, 0, 3}), 0.1);
}

TEST(platform_sensed, it_flies_where_its_estimate_says_that_it_is) {
  SensorsDef s = ideal_imu();
  s.motion_capture = MotionCaptureDef{};
  s.motion_capture->position = s.motion_capture->attitude = 1e-4;
  WorldDef def = by_estimate(carrying("three_star", s, in_mode(Mode::Hold, 3), 2));
  def.flocks[0].estimator.start = {1e-6, 1e-6, 1e-6, 1e-6};
  const auto w = make(def);
  const auto ids = w->vehicles();
  w->step(400);
  w->submit({.target = ids[0], .payload = SetFault{.component = "estimator", .kind = FaultKind::Bias, .amount = {1, 0, 0}}});
  w->step(6000);
  EXPECT_LT(apart(w->position_of(ids[0]), {-1, 0, 3}), 0.1) << "an estimate that is a metre too far east";
  EXPECT_LT(apart(w->position_of(ids[1]), {4, 0, 3}), 0.1) << "the other one";
}

TEST(platform_sensed, where_control_takes_the_truth_an_estimate_changes_nothing) {
  SensorsDef s = test::common_sensors();
  WorldDef def = by_estimate(carrying("three_star", s, in_mode(Mode::Hold, 3)));
  def.flocks[0].estimator.control_on_truth = true;
  const auto w = make(def), without = make(carrying("three_star", {}, in_mode(Mode::Hold, 3)));
  w->step(500), without->step(500);
  EXPECT_EQ(w->position_of(w->vehicles()[0]), without->position_of(without->vehicles()[0]));
  EXPECT_EQ(values(*w, "part2.attitude"), values(*without, "part2.attitude"));
}

// ---------------------------------------------------------------- one answer

TEST(platform_sensed, gives_the_same_bits_on_any_threads_and_lanes_and_after_a_branch) {
  for (const auto& [name, precision] : {std::pair{"two_line", Precision::Double}, {"three_star", Precision::Float}}) {
    SensorsDef s = test::common_sensors();
    s.gnss->time = {.rate = 10, .latency = 0.1};
    s.imu->vibration.reference_speed = 600;
    s.imu->vibration.harmonics = {{1, {0.01, 0, 0}, {0.2, 0.2, 0.2}}};
    VehicleDef v = in_mode(Mode::Mission, 3);
    v.harmonic.amplitude = {1, 1, 0.2}, v.harmonic.rate = {0.8, 0.8, 0.5};
    WorldDef def = by_estimate(carrying(name, s, v, 37));
    def.precision = precision;
    def.environment.wind_W = {2, 1, 0}, def.environment.gust_sigma = 0.5;
    std::uint64_t expected = 0;
    for (const int lanes : available_lanes())
      for (const int threads : {1, 3}) {
        const auto w = make(def, {.threads = threads, .lanes = lanes, .force_split = threads > 1});
        w->submit({.tick = 20, .target = w->vehicles()[20], .payload = SetMode{Mode::EmergencyStop}});
        w->submit({.tick = 25, .target = w->vehicles()[7], .payload = SetFault{.component = "imu.gyro", .kind = FaultKind::Noise, .amount = {0.01, 0, 0}}});
        w->step(50);
        const auto branch = w->branch({});
        w->step(30), branch->step(30);
        if (expected == 0) expected = w->hash();
        EXPECT_EQ(w->hash(), expected) << name << ", " << lanes << " lanes, " << threads << " threads";
        EXPECT_EQ(branch->hash(), expected) << "a branch";
      }
  }
}

TEST(platform_sensed, a_world_that_begins_anew_draws_its_imu_again) {
  WorldDef def = by_estimate(carrying("three_star", test::common_sensors(), in_mode(Mode::Hold, 3), 2));
  def.flocks[0].sensors.gnss->time = {.rate = 10, .latency = 0.1};
  def.worlds = 2;
  const auto w = make(def);
  w->step(60);
  const std::uint64_t first = w->hash_of_world(1);
  const std::uint8_t mask[2] = {0, 1};
  const std::uint32_t same[2] = {0, 0}, other[2] = {0, 5};
  w->reset(mask, same);
  w->step(60);
  EXPECT_EQ(w->hash_of_world(1), first);
  w->reset(mask, other);
  w->step(60);
  EXPECT_NE(w->hash_of_world(1), first);
}

}  // namespace
}  // namespace volary
