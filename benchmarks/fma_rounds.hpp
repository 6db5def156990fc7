// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Fused multiply-adds in registers, as many as a core can do: one file per instruction set.
#pragma once

namespace volary::benchmarks {

inline constexpr int kChains = 12;  // independent chains hide the latency of an fma
inline constexpr int kRounds = 100'000;

// does kRounds rounds of kChains fmas of so many lanes; none when this CPU lacks them
void (*fma_rounds(int lanes))();

// a function of that name; `kept` is the kind of register that holds a Vector
#define VOLARY_FMA_ROUNDS(name, Vector, kept, set1, fmadd)                                 \
  void name() {                                                                            \
    Vector a[kChains];                                                                     \
    for (int k = 0; k < kChains; ++k) a[k] = set1(1e-3f * static_cast<float>(k));          \
    const Vector m = set1(.999f), c = set1(1e-4f);                                         \
    for (int i = 0; i < kRounds; ++i) {                                                    \
      _Pragma("GCC unroll 12") for (int k = 0; k < kChains; ++k) a[k] = fmadd(a[k], m, c); \
    }                                                                                      \
    for (int k = 0; k < kChains; ++k) asm volatile("" : : kept(a[k]));                     \
  }

}  // namespace volary::benchmarks
