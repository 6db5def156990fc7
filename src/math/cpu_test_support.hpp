// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Which lanes this CPU can run, for tests that compare them.
#pragma once

namespace volary::test {

inline bool has_fma() { return __builtin_cpu_supports("avx") && __builtin_cpu_supports("fma"); }
inline bool has_avx2() { return has_fma() && __builtin_cpu_supports("avx2"); }
inline bool has_avx512() {
  return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512bw");
}

}  // namespace volary::test
