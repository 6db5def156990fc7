// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Cars give the same bits one at a time and many at a time, with and without optimisation, on a CPU with and without FMA.
#include <gtest/gtest.h>

#include <cstdint>

#include "math/cpu_test_support.hpp"
#include "vehicles/car_test_support.hpp"

namespace volary::car_lanes_units {

const double* example_parameters(bool slips) {
  static const test::Drive<true> dynamic(test::round_car());
  static const test::Drive<false> kinematic(test::round_car());
  return reinterpret_cast<const double*>(slips ? &dynamic.p : &kinematic.p);
}

std::uint64_t car_float_base();
std::uint64_t car_float_scalar();
std::uint64_t car_float_lanes4();
std::uint64_t car_float_lanes8();
std::uint64_t car_float_lanes8_o0();
std::uint64_t car_float_lanes16();
std::uint64_t car_double_base();
std::uint64_t car_double_scalar();
std::uint64_t car_double_lanes8();

namespace {

TEST(car_lanes, a_cpu_with_fma_gives_the_bits_of_one_without) {
  if (!test::has_fma()) GTEST_SKIP() << "this CPU has no FMA";
  EXPECT_EQ(car_float_scalar(), car_float_base());
  EXPECT_EQ(car_double_scalar(), car_double_base());
}

TEST(car_lanes, four_cars_at_once_give_the_bits_of_one) {
  if (!test::has_fma()) GTEST_SKIP() << "this CPU lacks 4 lanes (AVX, FMA)";
  EXPECT_EQ(car_float_lanes4(), car_float_base());
}

TEST(car_lanes, eight_cars_at_once_give_the_bits_of_one) {
  if (!test::has_avx2()) GTEST_SKIP() << "this CPU lacks 8 lanes (AVX2)";
  EXPECT_EQ(car_float_lanes8(), car_float_base());
  EXPECT_EQ(car_float_lanes8_o0(), car_float_base());
  EXPECT_EQ(car_double_lanes8(), car_double_base());
}

TEST(car_lanes, sixteen_cars_at_once_give_the_bits_of_one) {
  if (!test::has_avx512()) GTEST_SKIP() << "this CPU lacks 16 lanes (AVX-512 F, DQ, VL, BW)";
  EXPECT_EQ(car_float_lanes16(), car_float_base());
}

}  // namespace
}  // namespace volary::car_lanes_units
