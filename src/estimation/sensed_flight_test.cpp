// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// From the truth through the sensors and the filter back to an estimate, without a world: one vehicle with the errors of data sheets, which are not those
// that the filter assumes.
#include <gtest/gtest.h>

#include <cmath>

#include "estimation/ekf_derive.hpp"
#include "estimation/flight_test_support.hpp"
#include "estimation/readings.hpp"

namespace volary {
namespace {

using namespace estimation;
using test::kTick;

// one IMU sample per tick: the truth turns evenly in between
class Imu {
 public:
  Imu(const ImuDef& def, double gravity) : p_(sensors::imu_params(def, gravity, kTick, 1)) {
    const auto key = math::world_key(3, 0);
    rows_[0] = 1, rows_[2 * kBlock] = key.lo, rows_[3 * kBlock] = key.hi;
    sensors::begin_imu(state, on_, p_, at(0));
  }
  sensors::Draws<double> at(std::uint64_t tick) const { return {{rows_}, tick}; }
  void measure(const Nominal<double>& before, const Nominal<double>& after, std::uint64_t tick) {
    const double none[1] = {0};
    const sensors::FaultTerms<double> sound[2] = {sensors::no_fault<double>(), sensors::no_fault<double>()};
    const Vec3<double> omega = (1 / kTick) * rotation_vector(math::conjugate(before.q_WB) * after.q_WB);
    auto t = sensors::begin_tick<double, 0>(state, none, p_, at(tick));
    sensors::sample<double, 0>(t, state, 0, before.velocity_W, omega, before.q_WB, after.velocity_W, omega, after.q_WB, none, on_, p_, sound, at(tick));
    sensors::end_tick(t, state);
  }
  sensors::ImuState<double, 0> state;

 private:
  sensors::ImuParams<double> p_;
  sensors::ImuTurnOn<double> on_;
  std::uint64_t rows_[4 * kBlock] = {};
};

TEST(SensedFlight, IncrementsOfAnImuWithoutErrorsBringTheTruth) {
  test::SimulatedFlight flight({}, 8);
  Imu imu(ImuDef{}, test::kGravity);
  Nominal<double> x = flight.truth;
  x.gyro_bias = x.accel_bias = {0, 0, 0};
  for (std::uint64_t tick = 1; tick <= 3000; ++tick) {
    const Nominal<double> before = flight.truth;
    flight.step();
    imu.measure(before, flight.truth, tick);
    propagate(x, imu.state.delta_angle, imu.state.delta_velocity, kTick, test::kGravity);
  }
  EXPECT_LT(math::norm(rotation_vector(flight.truth.q_WB * math::conjugate(x.q_WB))), 1e-9);
  EXPECT_LT(math::norm(flight.truth.velocity_W - x.velocity_W), 1e-4);
  EXPECT_LT(math::norm(flight.truth.position_W - x.position_W), 1e-2);
}

// a consumer IMU, a receiver whose errors last a minute, a barometer that drifts and a magnetometer with some iron about it
SensorsDef consumer_set() {
  SensorsDef s;
  s.imu.emplace();
  s.imu->gyro = {
      .noise = 4.9e-5, .turn_on = 8.7e-3, .instability = 2.4e-5, .walk = 1e-6, .scale = 0.005, .misalignment = 0.005, .quantum = 1.07e-3, .range = 34.9};
  s.imu->accelerometer = {
      .noise = 6.9e-4, .turn_on = 0.2, .instability = 6.3e-4, .walk = 1e-5, .scale = 0.005, .misalignment = 0.005, .quantum = 4.8e-3, .range = 157};
  s.gnss.emplace();
  s.gnss->time.rate = 10, s.gnss->horizontal = 2.12, s.gnss->vertical = 3.2, s.gnss->white = 0.1, s.gnss->velocity = 0.05;
  s.barometer.emplace();
  s.barometer->time.rate = 50, s.barometer->error = {.noise = 1.2, .instability = 20, .correlation = 3600};
  s.magnetometer.emplace();
  s.magnetometer->time.rate = 50, s.magnetometer->error.noise = 3.5e-7, s.magnetometer->hard_iron = 1e-6, s.magnetometer->soft_iron = 0.01;
  return s;
}

// one sensor of the vehicle at its own rate
template <class X> struct Carried {
  Carried(const SensorsDef& s, const Imu& imu)
      : params(X::derive(*X::of(s), EnvironmentDef{}, kTick)), timing(sensors::make_timing(X::of(s)->time, kTick)), memory(X::begin(params, imu.at(0))) {}
  template <int N>
  void measure_and_fuse(test::OwnFilter<double, N>& own, Source source, const sensors::Truth<double>& truth, const sensors::Site<double>& site, const Imu& imu,
                        std::uint64_t tick) {
    if (!sensors::is_due(timing, tick)) return;
    last = X::measure(truth, site, X::template clear<double>(), memory, last, params, sensors::no_fault<double>(), imu.at(tick));
    fuse_reading(own.f, own.watch[source], last, Knowledge<double>{&site, nullptr, imu.state.gyro, 0, tick}, own.p, true);
  }
  typename X::template Params<double> params;
  sensors::Timing timing;
  typename X::template Memory<double> memory;
  typename X::template Reading<double> last{};
};

// root mean squares of a flight, in m, m/s and rad
struct Errors {
  double place = 0, speed = 0, tilt = 0, heading = 0;
  int n = 0;
  void add(const std::vector<double>& e) {
    tilt += e[0] * e[0] + e[1] * e[1], heading += e[2] * e[2];
    speed += e[3] * e[3] + e[4] * e[4] + e[5] * e[5], place += e[6] * e[6] + e[7] * e[7] + e[8] * e[8];
    ++n;
  }
  Errors roots() const { return {std::sqrt(place / n), std::sqrt(speed / n), std::sqrt(tilt / n), std::sqrt(heading / n), n}; }
};

// a vehicle with sensors and filter
struct Sensed {
  explicit Sensed(const SensorsDef& s) : set(s) {
    site.magnetic.value = {1.0e3, 2.1e4, -4.3e4};  // nT
    site.atmosphere = environment::make_atmosphere({});
    site.gravity = test::kGravity;
    own.begin(flight.truth, flight.draw);
  }
  void step(bool with_gnss) {
    ++tick;
    const Nominal<double> before = flight.truth;
    flight.step();
    imu.measure(before, flight.truth, tick);
    const sensors::Truth<double> truth{flight.truth.position_W, flight.truth.velocity_W, flight.truth.q_WB, {0, 0, 0}, {0, 0, 0}, 1.225, 0};
    own.predict(imu.state.delta_angle, imu.state.delta_velocity);
    if (with_gnss) gnss.measure_and_fuse(own, kGnss, truth, site, imu, tick);
    barometer.measure_and_fuse(own, kBarometer, truth, site, imu, tick);
    magnetometer.measure_and_fuse(own, kMagnetometer, truth, site, imu, tick);
    own.finish();
  }
  std::vector<double> errors() const { return error_of(flight.truth, own.f.x, 15); }

  SensorsDef set;
  sensors::Site<double> site{};
  test::SimulatedFlight flight{{}, 8};
  Imu imu{*set.imu, test::kGravity};
  test::OwnFilter<double, 15> own{derive_filter({}, set, kTick, test::kGravity)};
  Carried<sensors::Gnss> gnss{set, imu};
  Carried<sensors::Barometer> barometer{set, imu};
  Carried<sensors::Magnetometer> magnetometer{set, imu};
  std::uint64_t tick = 0;
};

TEST(SensedFlight, AConsumerSetHoldsMetresAndDegrees) {
  Sensed s(consumer_set());
  Errors sums;
  for (int k = 0; k < 12000; ++k) {
    s.step(true);
    ASSERT_EQ(s.own.f.health & (kUnsound | kWasReset), 0u) << k;
    sums.add(s.errors());
  }
  const Errors e = sums.roots();
  RecordProperty("position_m", std::to_string(e.place));
  RecordProperty("velocity_m_s", std::to_string(e.speed));
  RecordProperty("tilt_deg", std::to_string(e.tilt * 57.2958));
  RecordProperty("heading_deg", std::to_string(e.heading * 57.2958));
  EXPECT_LT(e.place, 6);
  EXPECT_LT(e.speed, 0.5);
  EXPECT_LT(e.tilt, 0.03);
  EXPECT_LT(e.heading, 0.15);
}

// the drift of dead reckoning after a minute of flight; the barometer holds the height
TEST(SensedFlight, TwentySecondsWithoutGnssDriftByLessThanSixtyMetres) {
  SensorsDef tactical = consumer_set();
  tactical.imu->gyro = {.noise = 2.6e-5, .turn_on = 1e-3, .instability = 6.3e-6, .misalignment = 8.7e-4};
  tactical.imu->accelerometer = {.noise = 1.3e-4, .turn_on = 0.02, .instability = 5e-5, .misalignment = 3e-4};
  const SensorsDef sets[2] = {consumer_set(), tactical};
  const char* names[2] = {"consumer_drift_m", "tactical_drift_m"};
  double drift[2];
  for (int k = 0; k < 2; ++k) {
    Sensed s(sets[k]);
    for (int tick = 0; tick < 6000; ++tick) s.step(true);
    const std::vector<double> before = s.errors();
    for (int tick = 0; tick < 2000; ++tick) s.step(false);
    const std::vector<double> after = s.errors();
    drift[k] = std::sqrt((after[6] - before[6]) * (after[6] - before[6]) + (after[7] - before[7]) * (after[7] - before[7]));
    RecordProperty(names[k], std::to_string(drift[k]));
    EXPECT_LT(std::abs(after[8]), 6);
    EXPECT_NEAR(s.own.watch[kGnss].age, 20, 0.11);
    for (int tick = 0; tick < 1000; ++tick) s.step(true);
    EXPECT_LT(std::hypot(s.errors()[6], s.errors()[7]), 8);  // and it comes back
  }
  EXPECT_LT(drift[0], 60);
  EXPECT_LT(drift[1], 30);
}

}  // namespace
}  // namespace volary
