// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Each width is one function with a target attribute: no flags of its own, no risk that a wide
// instruction is used before the CPU was asked.
#include <immintrin.h>

#include "benchmarks/fma_rounds.hpp"
#include "core/cpu.hpp"

namespace volary::benchmarks {

namespace {

#define VOLARY_SAME(x) (x)
__attribute__((target("fma"))) VOLARY_FMA_ROUNDS(rounds_1, float, "x", VOLARY_SAME, __builtin_fmaf)
__attribute__((target("avx,fma"))) VOLARY_FMA_ROUNDS(rounds_4, __m128, "x", _mm_set1_ps, _mm_fmadd_ps)
__attribute__((target("avx2,fma"))) VOLARY_FMA_ROUNDS(rounds_8, __m256, "x", _mm256_set1_ps, _mm256_fmadd_ps)
__attribute__((target("avx512f,fma"))) VOLARY_FMA_ROUNDS(rounds_16, __m512, "x", _mm512_set1_ps, _mm512_fmadd_ps)

}  // namespace

void (*fma_rounds(int lanes))() {
  if (!core::has_lanes(lanes)) return nullptr;
  return lanes == 1 ? rounds_1 : lanes == 4 ? rounds_4 : lanes == 8 ? rounds_8 : lanes == 16 ? rounds_16 : nullptr;
}

}  // namespace volary::benchmarks
