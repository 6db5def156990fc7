// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Faults of sensors and estimators: what each kind does to a reading, what a vehicle notices of it, and that nobody else sees anything.
#include <cmath>

#include "engine/faults_test_support.hpp"
#include "engine/senses_test_support.hpp"

namespace volary {
namespace {

using test::apart;
using test::give;
using test::has;
using test::hexacopter;
using test::holding;
using test::make;
using test::place;
using test::sensing;
using test::told;
using test::values;

// they fly by the truth, so that a fault changes what they measure and nothing else
WorldDef observers(int n) {
  WorldDef w = sensing(n);
  w.flocks[0].estimator.control_on_truth = w.flocks[0].estimator.decide_on_truth = true;
  return w;
}

// the difference that a fault of the first vehicle makes to a column after some ticks
std::vector<double> difference(const SetFault& fault, const std::string& column, int ticks, const WorldDef& def = observers(2)) {
  auto faulty = make(def), fine = make(def);
  give(*faulty, fault);
  faulty->step(static_cast<std::uint64_t>(ticks)), fine->step(static_cast<std::uint64_t>(ticks));
  std::vector<double> a = values(*faulty, column), b = values(*fine, column);
  for (std::size_t k = 0; k < a.size(); ++k) a[k] -= b[k];
  EXPECT_EQ(values(*faulty, column, 1), values(*fine, column, 1)) << "the other vehicle";
  return a;
}

TEST(sense_faults, a_bias_is_added_and_a_drift_grows) {
  const std::vector<double> bias = difference({.component = "gnss", .kind = FaultKind::Bias, .amount = {3, -2, 1}}, "gnss.position", 100);
  EXPECT_NEAR(bias[0], 3, 1e-5);
  EXPECT_NEAR(bias[1], -2, 1e-5);
  EXPECT_NEAR(bias[2], 1, 1e-5);
  // the reading of tick 20 has arrived at tick 40, and was made 0.2 s after the drift began
  const std::vector<double> drift = difference({.component = "magnetometer", .kind = FaultKind::Drift, .amount = {1e-5, 0, 0}}, "magnetometer.field", 42);
  EXPECT_NEAR(drift[0], 4e-6, 3e-7);
  EXPECT_NEAR(difference({.component = "imu.gyro", .kind = FaultKind::Bias, .amount = {0.1, 0, 0}}, "imu.gyro", 5)[0], 0.1, 1e-6);
  EXPECT_NEAR(difference({.component = "imu.accelerometer", .kind = FaultKind::Bias, .amount = {0, 0, 0.5}}, "imu.accelerometer", 5)[2], 0.5, 1e-5);
}

TEST(sense_faults, a_scale_multiplies_and_noise_scatters) {
  const double pressure = difference({.component = "barometer", .kind = FaultKind::Scale, .amount = {0.99, 0, 0}}, "barometer.pressure", 50)[0];
  EXPECT_NEAR(pressure, -0.01 * 95560, 12);  // the default place lies at 488 m
  double sum = 0, squares = 0;
  const int n = 60;
  auto faulty = make(observers(1)), fine = make(observers(1));
  give(*faulty, {.component = "barometer", .kind = FaultKind::Noise, .amount = {50, 0, 0}});
  for (int k = 0; k < n; ++k) {
    faulty->step(2), fine->step(2);
    const double x = values(*faulty, "barometer.pressure")[0] - values(*fine, "barometer.pressure")[0];
    sum += x, squares += x * x;
  }
  EXPECT_NEAR(sum / n, 0, 4 * 50 / std::sqrt(n));
  EXPECT_NEAR(std::sqrt(squares / n), 50, 4 * 50 / std::sqrt(2.0 * n));
}

TEST(sense_faults, one_that_is_off_says_nothing_and_one_that_is_stuck_says_the_same_again) {
  auto w = make(observers(2));
  w->step(50);
  give(*w, {.component = "barometer", .kind = FaultKind::Off}, 0);
  give(*w, {.component = "barometer", .kind = FaultKind::Stuck}, 1);
  w->step(2);
  const double held = values(*w, "barometer.pressure", 1)[0];
  w->step(40);
  EXPECT_EQ(values(*w, "barometer.valid", 0)[0], 0);
  EXPECT_LE(values(*w, "barometer.tick", 0)[0], 50);
  EXPECT_EQ(values(*w, "barometer.valid", 1)[0], 1);
  EXPECT_EQ(values(*w, "barometer.tick", 1)[0], 92);
  EXPECT_EQ(values(*w, "barometer.pressure", 1)[0], held);
  EXPECT_GT(values(*w, "barometer.age", 0)[0], 0.25);  // the filter works 0.12 s ago
}

TEST(sense_faults, a_delay_brings_what_was_measured_before_as_if_it_were_new) {
  WorldDef def = observers(1);
  def.faults.sensor_delay = 0.1;
  auto late = make(def), fine = make(def);
  give(*late, {.component = "barometer", .kind = FaultKind::Delay, .amount = {0.1, 0, 0}});
  std::vector<double> measured;
  for (int k = 0; k < 40; ++k) {
    late->step(2), fine->step(2);
    measured.push_back(values(*fine, "barometer.pressure")[0]);
    EXPECT_EQ(values(*late, "barometer.tick")[0], k < 5 ? values(*late, "barometer.tick")[0] : values(*fine, "barometer.tick")[0]);
    if (k >= 5) EXPECT_EQ(values(*late, "barometer.pressure")[0], measured[static_cast<std::size_t>(k - 5)]) << "reading " << k;
  }
}

TEST(sense_faults, a_drop_out_loses_its_share_and_an_intermittent_fault_comes_and_goes) {
  WorldDef def = observers(40);
  auto w = make(def);
  for (std::size_t k = 0; k < 20; ++k) give(*w, {.component = "barometer", .kind = FaultKind::DropOut, .probability = 0.3}, k);
  for (std::size_t k = 20; k < 40; ++k) give(*w, {.component = "barometer", .kind = FaultKind::Intermittent, .mean_on = 0.2, .mean_off = 0.2}, k);
  double lost = 0, off = 0;
  for (int k = 0; k < 100; ++k) {
    w->step(2);
    for (std::size_t v = 0; v < 20; ++v) lost += values(*w, "barometer.valid", v)[0] == 0 ? 1 : 0;
    for (std::size_t v = 20; v < 40; ++v) off += values(*w, "barometer.valid", v)[0] == 0 ? 1 : 0;
  }
  EXPECT_NEAR(lost / 2000, 0.3, 0.05);
  EXPECT_NEAR(off / 2000, 0.5, 0.15);
}

TEST(sense_faults, an_estimator_that_is_stuck_stays_where_it_was_and_one_that_is_off_says_so) {
  auto w = make(observers(3));
  w->step(50);
  give(*w, {.component = "estimator", .kind = FaultKind::Stuck}, 0);
  give(*w, {.component = "estimator", .kind = FaultKind::Off}, 1);
  give(*w, {.component = "estimator", .kind = FaultKind::Bias, .amount = {0, 0, 7}}, 2);
  const Vec held = place(*w, "estimate.position", 0), off = place(*w, "estimate.position", 1);
  w->step(60);
  EXPECT_EQ(apart(place(*w, "estimate.position", 0), held), 0);
  EXPECT_EQ(apart(place(*w, "estimate.position", 1), off), 0);
  EXPECT_NE(values(*w, "filter.health", 0)[0], 0);
  EXPECT_EQ(values(*w, "filter.health", 1)[0], 0);
  EXPECT_NEAR(place(*w, "estimate.position", 2)[2] - w->position_of(w->vehicles()[2])[2], 7, 1.5);
  give(*w, {.component = "estimator", .kind = FaultKind::None}, 0);
  w->step(2);
  EXPECT_LT(apart(place(*w, "estimate.position", 0), w->position_of(w->vehicles()[0])), 1.5);
}

TEST(sense_faults, nobody_else_measures_otherwise_and_all_threads_and_widths_agree) {
  const WorldDef def = sensing(40);
  const auto fly = [&](RunOptions options, bool with_fault) {
    auto w = make(def, options);
    if (with_fault) {
      give(*w, {.component = "gnss", .kind = FaultKind::Noise, .amount = {2, 0, 0}}, 7);
      give(*w, {.component = "imu.gyro", .kind = FaultKind::DropOut, .probability = 0.2}, 7);
      give(*w, {.component = "estimator", .kind = FaultKind::Noise, .amount = {0.1, 0, 0}}, 7);
    }
    w->step(120);
    return w;
  };
  const auto plain = fly({}, false), faulty = fly({}, true);
  for (std::size_t k = 0; k < 40; ++k) EXPECT_EQ(plain->hash_of(plain->vehicles()[k]) == faulty->hash_of(faulty->vehicles()[k]), k != 7) << k;
  for (const int lanes : available_lanes()) EXPECT_EQ(fly({.lanes = lanes}, true)->hash(), faulty->hash()) << lanes << " lanes";
  EXPECT_EQ(fly({.threads = 3, .force_split = true}, true)->hash(), faulty->hash());
}

TEST(sense_faults, snapshots_keep_them_and_restoring_an_earlier_one_ends_them) {
  WorldDef def = sensing(20);
  def.faults.sensor_delay = 0.2;
  auto w = make(def), fine = make(def);
  w->step(30), fine->step(30);
  const auto before = w->snapshot();
  give(*w, {.component = "gnss", .kind = FaultKind::Bias, .amount = {5, 0, 0}}, 3);
  give(*w, {.component = "barometer", .kind = FaultKind::Delay, .amount = {0.2, 0, 0}, .mean_on = 0.2, .mean_off = 0.1}, 4);
  w->step(60);
  const auto amid = w->snapshot();
  w->step(80);
  const std::uint64_t then = w->hash();
  ASSERT_TRUE(w->restore(*amid));
  w->step(80);
  EXPECT_EQ(w->hash(), then);
  ASSERT_TRUE(w->restore(*before));
  w->step(80), fine->step(80);
  EXPECT_EQ(w->hash(), fine->hash());
}

// ---------------------------------------------------------------- what a vehicle notices

WorldDef sensing_hold(int n) { return sensing(holding(n)); }

TEST(sense_faults, a_vehicle_without_gnss_lands_by_the_rule_of_its_flock) {
  WorldDef def = sensing_hold(2);
  for (VehicleDef& v : def.flocks[0].vehicles) v.position_W[2] = 3;
  def.flocks[0].failsafe.gnss_lost = {2, FailsafeAction::Land};
  auto w = make(def);
  w->step(100);
  EXPECT_FALSE(has(told(*w), "gnss lost"));
  give(*w, {.component = "gnss", .kind = FaultKind::Off}, 1);
  w->step(150);
  EXPECT_FALSE(has(told(*w), "gnss lost")) << "two seconds have not passed";
  w->step(3000);
  const std::vector<std::string> events = told(*w);
  EXPECT_TRUE(has(events, "gnss lost for 2")) << ::testing::PrintToString(events);
  EXPECT_EQ(w->mode_of(w->vehicles()[1]), Mode::Disarmed);
  EXPECT_EQ(w->mode_of(w->vehicles()[0]), Mode::Hold);
}

TEST(sense_faults, a_vehicle_returns_to_where_it_believes_its_home_is) {
  WorldDef def = sensing_hold(1);
  def.flocks[0].vehicles[0].position_W = {0, 0, 3};
  def.flocks[0].failsafe.sensor_lost = {0.5, FailsafeAction::Return};
  auto w = make(def);
  const VehicleId id = w->vehicles()[0];
  w->step(100);
  // a receiver that is wrong by 30 m: the filter resets to it and the vehicle, which believes to hold its place, flies away from it
  give(*w, {.component = "gnss", .kind = FaultKind::Bias, .amount = {30, 0, 0}});
  w->step(3000);
  ASSERT_NEAR(w->position_of(id)[0], -30, 5);
  EXPECT_NEAR(values(*w, "estimate.position")[0], 0, 5);
  give(*w, {.component = "barometer", .kind = FaultKind::Off});
  w->step(3000);
  EXPECT_TRUE(has(told(*w), "barometer lost for"));
  EXPECT_EQ(w->mode_of(id), Mode::Disarmed) << "it landed at once: for all it knows it is at home";
  EXPECT_NEAR(w->position_of(id)[0], -30, 5);
}

TEST(sense_faults, an_order_ends_a_failsafe_which_acts_again_after_what_was_lost_came_back) {
  WorldDef def = sensing_hold(1);
  def.flocks[0].vehicles[0].position_W = {0, 0, 3};
  def.flocks[0].failsafe.gnss_lost = {1, FailsafeAction::Land};
  auto w = make(def);
  const VehicleId id = w->vehicles()[0];
  give(*w, {.component = "gnss", .kind = FaultKind::Off});
  w->step(160);
  ASSERT_EQ(w->mode_of(id), Mode::Land);
  ASSERT_EQ(w->troubles()[0].failsafe, FailsafeAction::Land);
  Input hold;
  hold.target = id;
  hold.payload = SetMode{Mode::Hold};
  ASSERT_TRUE(w->submit(hold));
  w->step(200);
  EXPECT_EQ(w->mode_of(id), Mode::Hold) << "it is still lost, and somebody wants the vehicle to hold";
  EXPECT_EQ(w->troubles()[0].failsafe, FailsafeAction::None);
  give(*w, {.component = "gnss", .kind = FaultKind::None});
  w->step(100);
  give(*w, {.component = "gnss", .kind = FaultKind::Off});
  w->step(200);
  EXPECT_EQ(w->mode_of(id), Mode::Land);
  EXPECT_EQ(w->troubles()[0].failsafe, FailsafeAction::Land);
}

TEST(sense_faults, silence_of_the_barometer_and_an_estimator_that_is_off_are_noticed) {
  WorldDef def = sensing_hold(3);
  def.flocks[0].failsafe.sensor_lost = {0.5, FailsafeAction::Land};
  def.flocks[0].failsafe.estimator = {0.5, FailsafeAction::Stop};
  auto w = make(def);
  w->step(100);
  give(*w, {.component = "barometer", .kind = FaultKind::Off}, 1);
  give(*w, {.component = "estimator", .kind = FaultKind::Off}, 2);
  w->step(100);
  const std::vector<std::string> events = told(*w);
  EXPECT_TRUE(has(events, "barometer lost for 0.")) << ::testing::PrintToString(events);
  EXPECT_TRUE(has(events, "the estimator does not know the attitude, failsafe: stop")) << ::testing::PrintToString(events);
  EXPECT_EQ(w->mode_of(w->vehicles()[0]), Mode::Hold);
  EXPECT_EQ(w->mode_of(w->vehicles()[1]), Mode::Land);
  EXPECT_EQ(w->mode_of(w->vehicles()[2]), Mode::EmergencyStop);
}

TEST(sense_faults, a_hexacopter_feels_that_a_rotor_is_gone_and_lands_on_five) {
  WorldDef def = sensing_hold(2);
  def.flocks[0].airframe = hexacopter();
  def.flocks[0].failsafe.rotor_lost = {0, FailsafeAction::Land};
  auto w = make(def);
  w->step(200);
  give(*w, {.component = "rotor[2]", .kind = FaultKind::Off});
  w->step(6000);
  const std::vector<std::string> events = told(*w);
  EXPECT_TRUE(has(events, "lost rotor[2]: the other rotors carry it, failsafe: land")) << ::testing::PrintToString(events);
  EXPECT_FALSE(has(events, "crashed")) << ::testing::PrintToString(events);
  EXPECT_EQ(w->mode_of(w->vehicles()[0]), Mode::Disarmed);
  EXPECT_EQ(w->mode_of(w->vehicles()[1]), Mode::Hold);
}

TEST(sense_faults, no_rotor_is_missed_where_all_turn_in_wind) {
  WorldDef def = sensing(20);
  def.flocks[0].failsafe.rotor_lost = {0, FailsafeAction::Land};
  auto w = make(def);
  w->step(1500);
  const std::vector<std::string> events = told(*w);
  EXPECT_FALSE(has(events, "lost rotor")) << ::testing::PrintToString(events);
}

// ---------------------------------------------------------------- refusals

std::string refusal(World& w, SetFault p) {
  const Submitted s = w.submit({.target = w.vehicles()[0], .payload = std::move(p)});
  EXPECT_FALSE(s);
  return s.why;
}

TEST(sense_faults, a_delay_without_room_and_one_of_an_imu_are_refused_in_words) {
  auto w = make(observers(1));
  EXPECT_NE(refusal(*w, {.component = "gnss", .kind = FaultKind::Delay, .amount = {0.5, 0, 0}}).find("sensor_delay: 0.5"), std::string::npos);
  EXPECT_NE(refusal(*w, {.component = "imu.gyro", .kind = FaultKind::Delay, .amount = {0.5, 0, 0}}).find("an IMU is read in the tick"), std::string::npos);
  EXPECT_NE(refusal(*w, {.component = "estimator", .kind = FaultKind::Scale, .amount = {2, 0, 0}}).find("neither late nor scaled"), std::string::npos);
}

}  // namespace
}  // namespace volary
