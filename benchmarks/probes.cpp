// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Each width is one function with a target attribute: no flags of its own, no risk that a wide
// instruction is used before the CPU was asked.
#include "benchmarks/probes.hpp"

#include <immintrin.h>
#include <time.h>

#include <algorithm>
#include <cstddef>
#include <thread>
#include <vector>

namespace volary::benchmarks {

namespace {

constexpr int kChains = 12;  // independent chains hide the latency of an fma
constexpr int kRounds = 100'000;
constexpr int kRuns = 5;

double seconds_of(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// kRounds rounds of kChains fmas
#define VOLARY_FMA_ROUNDS(name, isa, Vector, set1, fmadd)                                  \
  __attribute__((target(isa))) void name() {                                               \
    Vector a[kChains];                                                                     \
    for (int k = 0; k < kChains; ++k) a[k] = set1(1e-3f * static_cast<float>(k));          \
    const Vector m = set1(.999f), c = set1(1e-4f);                                         \
    for (int i = 0; i < kRounds; ++i) {                                                    \
      _Pragma("GCC unroll 12") for (int k = 0; k < kChains; ++k) a[k] = fmadd(a[k], m, c); \
    }                                                                                      \
    for (int k = 0; k < kChains; ++k) asm volatile("" : : "x"(a[k]));                      \
  }
#define VOLARY_SAME(x) (x)
VOLARY_FMA_ROUNDS(fma_rounds_1, "fma", float, VOLARY_SAME, __builtin_fmaf)
VOLARY_FMA_ROUNDS(fma_rounds_4, "avx,fma", __m128, _mm_set1_ps, _mm_fmadd_ps)
VOLARY_FMA_ROUNDS(fma_rounds_8, "avx2,fma", __m256, _mm256_set1_ps, _mm256_fmadd_ps)
VOLARY_FMA_ROUNDS(fma_rounds_16, "avx512f,fma", __m512, _mm512_set1_ps, _mm512_fmadd_ps)

void (*rounds_of(int lanes))() {
  if (!__builtin_cpu_supports("fma") || !__builtin_cpu_supports("avx")) return nullptr;
  if (lanes == 1) return fma_rounds_1;
  if (lanes == 4) return fma_rounds_4;
  if (lanes == 8 && __builtin_cpu_supports("avx2")) return fma_rounds_8;
  if (lanes == 16 && __builtin_cpu_supports("avx512f")) return fma_rounds_16;
  return nullptr;
}

}  // namespace

double thread_cpu_seconds() { return seconds_of(CLOCK_THREAD_CPUTIME_ID); }
double process_cpu_seconds() { return seconds_of(CLOCK_PROCESS_CPUTIME_ID); }
double wall_seconds() { return seconds_of(CLOCK_MONOTONIC); }

double fma_peak(int lanes) {
  void (*const rounds)() = rounds_of(lanes);
  double best = 0;
  for (int run = 0; rounds != nullptr && run < kRuns; ++run) {
    const double begin = thread_cpu_seconds();
    double spent = 0, flops = 0;
    for (; spent < 0.05; spent = thread_cpu_seconds() - begin) rounds(), flops += 2.0 * lanes * kChains * kRounds;
    best = std::max(best, flops / spent);
  }
  return best;
}

double stream_update(int threads) {
  const std::size_t n = std::size_t{1} << 26, parts = static_cast<std::size_t>(threads);
  std::vector<float> a(n, 1.f);
  double best = 0;
  for (int run = 0; run < kRuns; ++run) {
    std::vector<double> rate(parts);
    std::vector<std::thread> workers;
    for (std::size_t t = 0; t < parts; ++t)
      workers.emplace_back([&, t] {
        const std::size_t first = n * t / parts, last = n * (t + 1) / parts;
        const double begin = thread_cpu_seconds();
        for (std::size_t i = first; i < last; ++i) a[i] = a[i] * 0.999f;
        rate[t] = 8.0 * static_cast<double>(last - first) / (thread_cpu_seconds() - begin);
      });
    double sum = 0;
    for (std::size_t t = 0; t < parts; ++t) workers[t].join(), sum += rate[t];
    best = std::max(best, sum);
  }
  return best;
}

}  // namespace volary::benchmarks
