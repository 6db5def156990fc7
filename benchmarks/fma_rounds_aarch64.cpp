// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include <arm_neon.h>

#include "benchmarks/fma_rounds.hpp"

namespace volary::benchmarks {

namespace {

#define VOLARY_SAME(x) (x)
#define VOLARY_FMA4(a, m, c) vfmaq_f32(c, a, m)
VOLARY_FMA_ROUNDS(rounds_1, float, "w", VOLARY_SAME, __builtin_fmaf)
VOLARY_FMA_ROUNDS(rounds_4, float32x4_t, "w", vdupq_n_f32, VOLARY_FMA4)

}  // namespace

void (*fma_rounds(int lanes))() { return lanes == 1 ? rounds_1 : lanes == 4 ? rounds_4 : nullptr; }

}  // namespace volary::benchmarks
