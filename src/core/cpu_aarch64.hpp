// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// aarch64: see cpu.hpp.
#pragma once

#include <cstdint>

namespace volary::core {

// the virtual counter: 24 to 1000 counts in a microsecond, so that what is shorter than a count takes none
VOLARY_CPU std::uint64_t cycles() {
  std::uint64_t count;
  asm volatile("mrs %0, cntvct_el0" : "=r"(count));
  return count;
}
VOLARY_CPU std::uint64_t cycles_in(std::uint64_t nanoseconds) {
  std::uint64_t per_second;
  asm("mrs %0, cntfrq_el0" : "=r"(per_second));
  return nanoseconds * (per_second / 1000) / 1'000'000;
}
VOLARY_CPU void relax() { asm volatile("yield"); }

// every CPU has NEON and fused multiply-adds
VOLARY_CPU bool has_lanes(int lanes) { return lanes <= 4; }

}  // namespace volary::core
