// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// x86-64: see cpu.hpp.
#pragma once

#include <cstdint>

namespace volary::core {

VOLARY_CPU std::uint64_t cycles() { return __builtin_ia32_rdtsc(); }
// between 2 and 4 cycles of the time-stamp counter make a nanosecond
constexpr std::uint64_t cycles_in(std::uint64_t nanoseconds) { return 3 * nanoseconds; }
// it takes 10 cycles on one CPU and 140 on another
VOLARY_CPU void relax() { __builtin_ia32_pause(); }

VOLARY_CPU bool has_lanes(int lanes) {
  if (!__builtin_cpu_supports("avx") || !__builtin_cpu_supports("fma")) return false;
  if (lanes <= 4) return true;
  if (lanes == 8) return __builtin_cpu_supports("avx2");
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512bw");
}

}  // namespace volary::core
