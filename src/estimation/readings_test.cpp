// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Sensors and filter mean the same: what a sensor without errors measures in a state leaves no innovation in a filter that is in that state.
#include "estimation/readings.hpp"

#include <gtest/gtest.h>

#include "estimation/ekf_derive.hpp"
#include "estimation/flight_test_support.hpp"

namespace volary {
namespace {

using namespace estimation;

constexpr double kTick = 0.01;

sensors::Site<double> some_site() {
  const environment::Geodetic<double> origin{0.83, 0.15, 400};
  sensors::Site<double> s{};
  s.magnetic = environment::local_magnetic(magnetic::wmm2025(), environment::local_frame(environment::kWgs84, origin), 2026.5);
  s.atmosphere = environment::make_atmosphere({});
  s.gravity = 9.81, s.origin_height = 400, s.ground_height = 2;
  const double pressure = environment::air_at<double>(s.atmosphere, environment::geopotential_from_geometric(400.0)).pressure;
  s.origin_pressure_height = environment::geometric_from_geopotential(environment::pressure_height(pressure));
  return s;
}
SensorsDef every_sensor() {
  SensorsDef s;
  s.imu.emplace(), s.gnss.emplace(), s.barometer.emplace(), s.magnetometer.emplace(), s.airspeed.emplace(), s.range_finder.emplace(), s.optical_flow.emplace();
  s.uwb_anchors.emplace(), s.uwb_peers.emplace(), s.motion_capture.emplace(), s.odometry.emplace();
  s.range_finder->max = 100, s.range_finder->direction_B = {0.2, 0, -2}, s.optical_flow->max = 100;
  return s;
}
const std::vector<AnchorDef>& anchors() {
  static const std::vector<AnchorDef> list = {{"a", {0, 0, 1}}, {"b", {40, 0, 3}}, {"c", {0, 40, 2}}, {"d", {40, 40, 9}}, {"e", {20, 20, 0}}};
  return list;
}

// a vehicle that flies without sideslip through wind, banked and turning, and its estimate
struct Flying {
  Nominal<double> x;
  sensors::Truth<double> truth;
  Flying() {
    x.q_WB = turn_of(Vec3<double>{0, 0, 0.8}) * turn_of(Vec3<double>{0.2, -0.1, 0});
    x.wind[0] = 3, x.wind[1] = -2;
    x.velocity_W = 14.0 * column_of(math::rotation_matrix(x.q_WB), 0) + Vec3<double>{3, -2, 0};
    x.position_W = {{30, 10, 20}, {1e-9, 0, 0}};
    x.gyro_bias = {0.01, -0.02, 0.03}, x.accel_bias = {0.1, 0.2, 0.3};
    truth = {x.position_W, x.velocity_W, x.q_WB, {0.3, -0.2, 0.4}, {3, -2, 0}, environment::kSeaLevelDensity, 0.4};
  }
};

struct Someone {
  std::uint64_t rows[4 * kBlock] = {};
  sensors::Draws<double> at(std::uint64_t tick) const { return {{rows}, tick}; }
};

template <class X> typename X::template Params<double> params_for(const SensorsDef& s, double tick) {
  if constexpr (std::is_same_v<X, sensors::UwbAnchors>)
    return X::derive_from(*X::of(s), anchors(), tick);
  else
    return X::derive(*X::of(s), EnvironmentDef{}, tick);
}

// measures once and fuses it
template <class X> Watch<double> fuse_ideal(const Flying& v, std::uint64_t tick, double off = 0) {
  const SensorsDef s = every_sensor();
  const sensors::Site<double> site = some_site();
  const Someone who;
  const auto params = params_for<X>(s, kTick);
  auto scene = X::template clear<double>();
  if constexpr (std::is_same_v<X, sensors::UwbPeers>) {
    scene.partner_W = {60, 30, 25}, scene.partner_sigma = 0;
    scene.distance = math::norm(v.x.position_W.value - scene.partner_W);
  }
  auto memory = X::begin(params, who.at(0));
  const auto reading = X::measure(v.truth, site, scene, memory, {}, params, sensors::no_fault<double>(), who.at(tick));
  EXPECT_NE(reading.valid, 0u) << X::name;

  test::OwnFilter<double, 17> own(derive_filter(EstimatorDef{}, s, kTick, site.gravity));
  own.f.x = v.x;
  own.f.x.position_W.value = own.f.x.position_W.value + Vec3<double>{off, off, off};
  own.f.x.velocity_W = own.f.x.velocity_W + Vec3<double>{off, off, off};
  const auto uwb = params_for<sensors::UwbAnchors>(s, kTick);
  Watch<double> w{0, 0, 1};
  fuse_reading(own.f, w, reading, Knowledge<double>{&site, &uwb, v.truth.omega_B + v.x.gyro_bias, site.ground_height, tick}, own.p, true);
  return w;
}
template <class... X> void expect_agreement(core::TypeList<X...>) {
  const Flying v;
  const auto one = [&]<class Sensor>(Sensor*) {
    for (std::uint64_t tick = 0; tick < 6; ++tick) {
      const Watch<double> w = fuse_ideal<Sensor>(v, tick);
      EXPECT_LT(w.nis, 1e-4) << Sensor::name << " at tick " << tick;
      EXPECT_EQ(w.age, 0) << Sensor::name;
      EXPECT_EQ(w.refused, 0) << Sensor::name;
    }
  };
  (one(static_cast<X*>(nullptr)), ...);
}

TEST(Readings, ASensorWithoutErrorsLeavesNoInnovationWhereTheEstimateIsTrue) { expect_agreement(sensors::AllSensors{}); }

TEST(Readings, AnEstimateThatIsOffLeavesOne) {
  const Flying v;
  EXPECT_GT(fuse_ideal<sensors::Gnss>(v, 1, 0.2).nis, 0.1);
  EXPECT_GT(fuse_ideal<sensors::Barometer>(v, 1, 0.2).nis, 0.1);
  EXPECT_GT(fuse_ideal<sensors::UwbAnchors>(v, 1, 0.2).nis, 0.1);
  EXPECT_GT(fuse_ideal<sensors::Odometry>(v, 1, 0.2).nis, 0.1);
}

TEST(Readings, AReadingThatWasLostIsNotUsed) {
  const SensorsDef s = every_sensor();
  test::OwnFilter<double, 15> own(derive_filter(EstimatorDef{}, s, kTick, 9.81));
  own.f.x = Flying().x;
  sensors::Barometer::Reading<double> lost{};
  Watch<double> w{0, 0, 1};
  fuse_reading(own.f, w, lost, Knowledge<double>{}, own.p, true);
  EXPECT_EQ(w.age, 1);
  EXPECT_EQ(w.refused, 0);
}

// ---------------------------------------------------------------- parameters from definitions

TEST(DeriveFilter, ErrorsThatLastAreTrustedLess) {
  SensorsDef s = every_sensor();
  s.gnss->time.rate = 10, s.gnss->horizontal = 0, s.gnss->white = 1;
  const double white = derive_filter({}, s, kTick, 9.81).trust[kGnss].variance;
  s.gnss->horizontal = 1, s.gnss->white = 0;
  EXPECT_DOUBLE_EQ(white, 1);
  EXPECT_DOUBLE_EQ(derive_filter({}, s, kTick, 9.81).trust[kGnss].variance, 25);
  s.gnss->correlation = 0.5;
  EXPECT_NEAR(derive_filter({}, s, kTick, 9.81).trust[kGnss].variance, 10, 1e-9);
}

TEST(DeriveFilter, TrustIsAFactorOfTheStandardDeviation) {
  const SensorsDef s = every_sensor();
  EstimatorDef e;
  const EkfParams<double> one = derive_filter(e, s, kTick, 9.81);
  e.trust.airspeed = 2, e.gates.airspeed = 7;
  const EkfParams<double> two = derive_filter(e, s, kTick, 9.81);
  EXPECT_DOUBLE_EQ(two.trust[kAirspeed].variance, 4 * one.trust[kAirspeed].variance);
  EXPECT_DOUBLE_EQ(two.trust[kAirspeed].gate, 7);
}

TEST(DeriveFilter, TheProcessNoiseIsThatOfTheImu) {
  SensorsDef s;
  s.imu.emplace();
  s.imu->gyro.noise = 2e-3, s.imu->accelerometer.noise = 3e-2, s.imu->gyro.walk = 1e-5, s.imu->accelerometer.instability = 0.01,
  s.imu->accelerometer.turn_on = 0.2;
  const EkfParams<double> p = derive_filter({}, s, kTick, 9.81);
  EXPECT_DOUBLE_EQ(p.process.angle, 4e-6 * kTick);
  EXPECT_DOUBLE_EQ(p.process.velocity, 9e-4 * kTick);
  EXPECT_DOUBLE_EQ(p.process.gyro_bias, 1e-10 * kTick);
  EXPECT_DOUBLE_EQ(p.process.accel_bias, 2e-4 / 100 * kTick);
  EXPECT_NEAR(p.start_accel_bias, math::sqrt(0.04 + 1e-4), 1e-12);
}

TEST(DeriveFilter, AFloatHasTheSameParameters) {
  const EkfParams<double> p = derive_filter({}, every_sensor(), kTick, 9.81);
  const EkfParams<float> f = filter_params_as<float>(p);
  EXPECT_FLOAT_EQ(f.dt, 0.01f);
  EXPECT_FLOAT_EQ(f.trust[kOdometry].interval, static_cast<float>(p.trust[kOdometry].interval));
}

}  // namespace
}  // namespace volary
