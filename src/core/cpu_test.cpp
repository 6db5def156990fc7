// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/cpu.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace volary::core {
namespace {

TEST(cpu, cycles_are_counted_at_the_rate_that_is_said) {
  using Clock = std::chrono::steady_clock;
  const std::uint64_t begin = cycles();
  const Clock::time_point start = Clock::now();
  while (Clock::now() - start < std::chrono::milliseconds(20)) relax();
  const auto elapsed = static_cast<std::uint64_t>(std::chrono::nanoseconds(Clock::now() - start).count());
  const double ratio = static_cast<double>(cycles() - begin) / static_cast<double>(cycles_in(elapsed));
  EXPECT_GT(ratio, 0.3);
  EXPECT_LT(ratio, 3);
}

TEST(cpu, wide_lanes_include_narrow_ones) {
  for (const int lanes : {4, 8, 16}) EXPECT_TRUE(!has_lanes(lanes) || has_lanes(lanes / 2 < 4 ? 1 : lanes / 2)) << lanes;
}

}  // namespace
}  // namespace volary::core
