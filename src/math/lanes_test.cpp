// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Every lane width, optimised or not, gives the bits of plain scalar code.
#include <gtest/gtest.h>

#include <cstdint>

#include "math/cpu_test_support.hpp"

namespace volary::lanes_test_units {

std::uint64_t digest_float_scalar();
std::uint64_t digest_float_scalar_o0();
std::uint64_t digest_float_lanes4();
std::uint64_t digest_float_lanes4_o0();
std::uint64_t digest_float_lanes8();
std::uint64_t digest_float_lanes8_o0();
std::uint64_t digest_float_lanes16();
std::uint64_t digest_float_lanes16_o0();
std::uint64_t digest_double_scalar();
std::uint64_t digest_double_scalar_o0();
std::uint64_t digest_double_lanes8();
std::uint64_t digest_double_lanes8_o0();

namespace {

using test::has_avx2;
using test::has_avx512;
using test::has_fma;

TEST(lanes, unoptimised_scalar_code_gives_the_bits_of_optimised_code) {
  if (!has_fma()) GTEST_SKIP() << "this CPU has no FMA: not even one lane can run";
  EXPECT_EQ(digest_float_scalar_o0(), digest_float_scalar());
  EXPECT_EQ(digest_double_scalar_o0(), digest_double_scalar());
}

TEST(lanes, four_floats_at_once_give_the_bits_of_one) {
  if (!has_fma()) GTEST_SKIP() << "this CPU lacks 4 lanes (AVX, FMA)";
  EXPECT_EQ(digest_float_lanes4(), digest_float_scalar());
  EXPECT_EQ(digest_float_lanes4_o0(), digest_float_scalar());
}

TEST(lanes, eight_floats_at_once_give_the_bits_of_one) {
  if (!has_avx2()) GTEST_SKIP() << "this CPU lacks 8 lanes (AVX2)";
  EXPECT_EQ(digest_float_lanes8(), digest_float_scalar());
  EXPECT_EQ(digest_float_lanes8_o0(), digest_float_scalar());
}

TEST(lanes, sixteen_floats_at_once_give_the_bits_of_one) {
  if (!has_avx512()) GTEST_SKIP() << "this CPU lacks 16 lanes (AVX-512 F, DQ, VL, BW)";
  EXPECT_EQ(digest_float_lanes16(), digest_float_scalar());
  EXPECT_EQ(digest_float_lanes16_o0(), digest_float_scalar());
}

TEST(lanes, four_doubles_at_once_give_the_bits_of_one) {
  if (!has_avx2()) GTEST_SKIP() << "this CPU lacks 4 double lanes (AVX2)";
  EXPECT_EQ(digest_double_lanes8(), digest_double_scalar());
  EXPECT_EQ(digest_double_lanes8_o0(), digest_double_scalar());
}

}  // namespace
}  // namespace volary::lanes_test_units
