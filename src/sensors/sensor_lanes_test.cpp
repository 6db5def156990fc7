// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Sensors give the same bits for one vehicle and for many at a time, with and without optimisation, on a CPU with and without FMA.
#include <gtest/gtest.h>

#include <cstdint>

#include "math/cpu_test_support.hpp"

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
  EXPECT_EQ(sensors_float_base(), 682870268673166018u);
  EXPECT_EQ(sensors_double_base(), 16077575059984754815u);
}

}  // namespace
}  // namespace volary::sensor_lanes_units
