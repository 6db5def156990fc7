// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "engine/remainder.hpp"

#include <gtest/gtest.h>

#include "math/hash.hpp"

namespace volary::engine {
namespace {

TEST(remainder, is_that_of_the_division_for_small_and_large_numbers) {
  std::uint64_t n = 7;
  const auto draw = [&] { return n = math::mix64(n + 1); };
  for (int k = 0; k < 20'000; ++k) {
    const std::uint64_t d = (draw() >> (draw() % 64)) | 1, x = draw() >> (draw() % 64);
    const Remainder by(d), by_even(d + 1 == 0 ? 2 : d + 1);
    ASSERT_EQ(by.of(x), x % d) << x << " % " << d;
    ASSERT_EQ(by_even.of(x), x % (d + 1 == 0 ? 2 : d + 1));
    for (const std::uint64_t edge : {std::uint64_t{0}, d - 1, d, d + 1, ~std::uint64_t{0}, ~std::uint64_t{0} / d * d}) ASSERT_EQ(by.of(edge), edge % d);
  }
}

}  // namespace
}  // namespace volary::engine
