// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Filters give the same bits one at a time and many at a time, with and without optimisation, on a CPU with and without FMA.
#include <gtest/gtest.h>

#include <cstdint>

#include "math/cpu_test_support.hpp"

namespace volary::ekf_lanes_units {

std::uint64_t ekf_float_base();
std::uint64_t ekf_float_scalar();
std::uint64_t ekf_float_lanes4();
std::uint64_t ekf_float_lanes8();
std::uint64_t ekf_float_lanes8_o0();
std::uint64_t ekf_float_lanes16();
std::uint64_t ekf_double_base();
std::uint64_t ekf_double_scalar();
std::uint64_t ekf_double_lanes8();

namespace {

TEST(EkfLanes, ACpuWithFmaGivesTheBitsOfOneWithout) {
  if (!test::has_fma()) GTEST_SKIP() << "this CPU has no FMA";
  EXPECT_EQ(ekf_float_scalar(), ekf_float_base());
  EXPECT_EQ(ekf_double_scalar(), ekf_double_base());
}

TEST(EkfLanes, FourFiltersAtOnceGiveTheBitsOfOne) {
  if (!test::has_fma()) GTEST_SKIP() << "this CPU lacks 4 lanes (AVX, FMA)";
  EXPECT_EQ(ekf_float_lanes4(), ekf_float_base());
}

TEST(EkfLanes, EightFiltersAtOnceGiveTheBitsOfOne) {
  if (!test::has_avx2()) GTEST_SKIP() << "this CPU lacks 8 lanes (AVX2)";
  EXPECT_EQ(ekf_float_lanes8(), ekf_float_base());
  EXPECT_EQ(ekf_float_lanes8_o0(), ekf_float_base());
  EXPECT_EQ(ekf_double_lanes8(), ekf_double_base());
}

TEST(EkfLanes, SixteenFiltersAtOnceGiveTheBitsOfOne) {
  if (!test::has_avx512()) GTEST_SKIP() << "this CPU lacks 16 lanes (AVX-512 F, DQ, VL, BW)";
  EXPECT_EQ(ekf_float_lanes16(), ekf_float_base());
}

}  // namespace
}  // namespace volary::ekf_lanes_units
