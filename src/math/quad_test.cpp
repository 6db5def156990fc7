// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "math/quad.hpp"

#include <gtest/gtest.h>

namespace volary {
namespace {

using math::all_four, math::Quad, math::QuadMask;

TEST(quad, roots_are_those_of_single_numbers) {
  const float x[4] = {0, 2, 1e-40f, 3e38f};
  const Quad roots = math::root(math::four_at(x));
  for (int k = 0; k < 4; ++k) EXPECT_EQ(math::to_bits(roots[k]), math::to_bits(math::sqrt(x[k]))) << x[k];
}

TEST(quad, lanes_of_a_comparison_are_bits_in_their_order) {
  for (std::uint32_t bits = 0; bits < 16; ++bits) {
    Quad x = all_four(0);
    for (int k = 0; k < 4; ++k) x[k] = (bits >> k & 1) != 0 ? 1.f : -1.f;
    const QuadMask positive = x > all_four(0);
    EXPECT_EQ(math::lanes_of(positive), bits);
    EXPECT_EQ(math::any_of(positive), bits != 0);
  }
}

TEST(quad, whole_parts_are_added_beyond_32_bits) {
  math::TwoSums low = {0, 0}, high = {0, 0};
  const Quad x = {0.99f, 7.5f, 2147483520.f, 1e-40f};  // the third is the last number below 2^31
  for (int k = 0; k < 5; ++k) math::add_whole(low, high, x);
  EXPECT_EQ(low[0], 0u);
  EXPECT_EQ(low[1], 35u);
  EXPECT_EQ(high[0], 5 * std::uint64_t{2147483520});
  EXPECT_EQ(high[1], 0u);
}

}  // namespace
}  // namespace volary
