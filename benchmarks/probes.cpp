// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/probes.hpp"

#include <time.h>

#include <algorithm>
#include <cstddef>
#include <thread>
#include <vector>

#include "benchmarks/fma_rounds.hpp"

namespace volary::benchmarks {

namespace {

constexpr int kRuns = 5;

double seconds_of(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

}  // namespace

double thread_cpu_seconds() { return seconds_of(CLOCK_THREAD_CPUTIME_ID); }
double process_cpu_seconds() { return seconds_of(CLOCK_PROCESS_CPUTIME_ID); }
double wall_seconds() { return seconds_of(CLOCK_MONOTONIC); }

double fma_peak(int lanes) {
  void (*const rounds)() = fma_rounds(lanes);
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
