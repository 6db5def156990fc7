// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The control laws of wings give the same bits for one aircraft and for many at a time, with and without optimisation, on a CPU with and without FMA.
#include <gtest/gtest.h>

#include <cstdint>

#include "math/cpu_test_support.hpp"

namespace volary::wing_lanes_units {

std::uint64_t wing_float_base();
std::uint64_t wing_float_scalar();
std::uint64_t wing_float_lanes4();
std::uint64_t wing_float_lanes8();
std::uint64_t wing_float_lanes8_o0();
std::uint64_t wing_float_lanes16();
std::uint64_t wing_double_base();
std::uint64_t wing_double_scalar();
std::uint64_t wing_double_lanes8();

namespace {

TEST(wing_lanes, a_cpu_with_fma_gives_the_bits_of_one_without) {
  if (!test::has_fma()) GTEST_SKIP() << "this CPU has no FMA";
  EXPECT_EQ(wing_float_scalar(), wing_float_base());
  EXPECT_EQ(wing_double_scalar(), wing_double_base());
}

TEST(wing_lanes, four_aircraft_at_once_give_the_bits_of_one) {
  if (!test::has_fma()) GTEST_SKIP() << "this CPU lacks 4 lanes (AVX, FMA)";
  EXPECT_EQ(wing_float_lanes4(), wing_float_base());
}

TEST(wing_lanes, eight_aircraft_at_once_give_the_bits_of_one) {
  if (!test::has_avx2()) GTEST_SKIP() << "this CPU lacks 8 lanes (AVX2)";
  EXPECT_EQ(wing_float_lanes8(), wing_float_base());
  EXPECT_EQ(wing_float_lanes8_o0(), wing_float_base());
  EXPECT_EQ(wing_double_lanes8(), wing_double_base());
}

TEST(wing_lanes, sixteen_aircraft_at_once_give_the_bits_of_one) {
  if (!test::has_avx512()) GTEST_SKIP() << "this CPU lacks 16 lanes (AVX-512 F, DQ, VL, BW)";
  EXPECT_EQ(wing_float_lanes16(), wing_float_base());
}

// the golden case: a change of these is a change of every run with wings
TEST(wing_lanes, the_bits_are_those_of_the_last_release) {
  EXPECT_EQ(wing_float_base(), 7224236872993115325u);
  EXPECT_EQ(wing_double_base(), 871119613022091718u);
}

}  // namespace
}  // namespace volary::wing_lanes_units
