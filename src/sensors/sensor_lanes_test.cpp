// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Sensors give the same bits for one vehicle and for many at a time, with and without optimisation, on a CPU with and without FMA.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "math/cpu_test_support.hpp"
#include "sensors/all.hpp"

namespace volary::sensor_lanes_units {

std::uint64_t sensors_float_base();
std::uint64_t sensors_float_scalar();
std::uint64_t sensors_float_lanes4();
std::uint64_t sensors_float_lanes8();
std::uint64_t sensors_float_lanes8_o0();
std::uint64_t sensors_float_lanes16();
std::uint64_t sensors_double_base();
std::uint64_t sensors_double_scalar();
std::uint64_t sensors_double_lanes8();

namespace {

using namespace sensors;

ErrorDef every_error(double size) {
  return {.noise = 0.1 * size,
          .turn_on = 0.2 * size,
          .instability = 0.1 * size,
          .correlation = 3,
          .walk = 0.05 * size,
          .scale = 0.01,
          .misalignment = 0.01,
          .quantum = 0.001 * size,
          .range = 1e4 * size};
}
// a definition in which nothing is switched off
template <class X> typename X::Def every_def() {
  typename X::Def d;
  d.time = {.rate = 0, .phase = 0, .latency = 0, .drop_out = 0.1};
  if constexpr (requires { d.error; }) d.error = every_error(std::is_same_v<X, Magnetometer> ? 1e-5 : 1);
  if constexpr (std::is_same_v<X, Gnss>)
    d.horizontal = 2, d.vertical = 3, d.white = 0.2, d.velocity = 0.1, d.multipath = 3, d.loss = 0.2, d.loss_window = 0.03, d.outages = {{{0.04, 0.06}}};
  if constexpr (std::is_same_v<X, Barometer>) d.position_error = 0.1;
  if constexpr (std::is_same_v<X, Magnetometer>) d.hard_iron = 1e-6, d.soft_iron = 0.02, d.current_B = {1e-6, 0, 2e-6};
  if constexpr (std::is_same_v<X, RangeFinder>) d.relative_noise = 0.02, d.field_of_view = 0.3, d.max = 60;
  if constexpr (std::is_same_v<X, OpticalFlow>) d.max = 60;
  if constexpr (requires { d.blocked_bias; }) d.blocked_bias = 0.4, d.blocked_noise = 0.3;
  if constexpr (std::is_same_v<X, MotionCapture>) d.position = 0.01, d.attitude = 0.02, d.min_W = {-30, -30, 0}, d.max_W = {30, 30, 30};
  if constexpr (std::is_same_v<X, Odometry>) d.drift_distance = 0.1, d.drift_time = 0.1, d.yaw_drift = 0.1, d.scale = 0.01;
  return d;
}
template <class X> typename X::template Params<double> every_params() {
  if constexpr (std::is_same_v<X, UwbAnchors>) {
    const AnchorDef anchors[] = {{"a", {0, 0, 0}}, {"b", {20, 0, 5}}, {"c", {0, 30, 1}}, {"d", {-9, 4, 9}}, {"e", {50, 50, 0}}};
    return X::derive_from(every_def<X>(), anchors, 0.01);
  } else {
    return X::derive(every_def<X>(), EnvironmentDef{}, 0.01);
  }
}

template <class P> std::vector<double> doubles(const P& params) {
  std::vector<double> out(sizeof(P) / sizeof(double));
  std::memcpy(out.data(), &params, sizeof(P));
  return out;
}
std::vector<std::vector<double>> all_params() {
  std::vector<std::vector<double>> out;
  core::for_each_type(AllSensors{}, [&]<class X>() { out.push_back(doubles(every_params<X>())); });
  ImuDef def;
  def.gyro = every_error(0.01), def.accelerometer = every_error(0.5), def.position_B = {0.1, 0.02, -0.03};
  def.vibration = {.reference_speed = 400,
                   .resonance = 70,
                   .damping = 0.1,
                   .broadband_gyro_B = {0.1, 0.2, 0.1},
                   .broadband_accelerometer_B = {1, 1, 2},
                   .harmonics = {{1, {0.1, 0, 0}, {1, 2, 3}}, {2, {0, 0.1, 0}, {2, 0, 1}}}};
  out.push_back(doubles(imu_params(def, 9.81, 0.01, 3)));
  return out;
}

}  // namespace

const double* params_of(int sensor) {
  static const std::vector<std::vector<double>> params = all_params();
  return params[static_cast<std::size_t>(sensor)].data();
}

namespace {

using test::has_avx2;
using test::has_avx512;
using test::has_fma;

TEST(sensor_lanes, a_cpu_with_fma_gives_the_bits_of_one_without) {
  if (!has_fma()) GTEST_SKIP() << "this CPU has no FMA";
  EXPECT_EQ(sensors_float_scalar(), sensors_float_base());
  EXPECT_EQ(sensors_double_scalar(), sensors_double_base());
}

TEST(sensor_lanes, four_vehicles_at_once_give_the_bits_of_one) {
  if (!has_fma()) GTEST_SKIP() << "this CPU lacks 4 lanes (AVX, FMA)";
  EXPECT_EQ(sensors_float_lanes4(), sensors_float_base());
}

TEST(sensor_lanes, eight_vehicles_at_once_give_the_bits_of_one) {
  if (!has_avx2()) GTEST_SKIP() << "this CPU lacks 8 lanes (AVX2)";
  EXPECT_EQ(sensors_float_lanes8(), sensors_float_base());
  EXPECT_EQ(sensors_float_lanes8_o0(), sensors_float_base());
  EXPECT_EQ(sensors_double_lanes8(), sensors_double_base());
}

TEST(sensor_lanes, sixteen_vehicles_at_once_give_the_bits_of_one) {
  if (!has_avx512()) GTEST_SKIP() << "this CPU lacks 16 lanes (AVX-512 F, DQ, VL, BW)";
  EXPECT_EQ(sensors_float_lanes16(), sensors_float_base());
}

// the golden case: a change of these is a change of every run that has sensors
TEST(sensor_lanes, the_bits_are_those_of_the_last_release) {
  EXPECT_EQ(sensors_float_base(), 1598820175614350075u);
  EXPECT_EQ(sensors_double_base(), 570611252447132692u);
}

}  // namespace
}  // namespace volary::sensor_lanes_units
