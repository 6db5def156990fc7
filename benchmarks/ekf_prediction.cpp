// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// ekf_prediction.cpp - what the filter costs per vehicle, without a world: nanoseconds for a prediction, for the end of a tick, and for six scalar updates,
// over blocks that stay in the second-level cache. Rates divide by the thread's CPU time, best of several runs. Lanes: 1, 4, 8 (AVX2), 16 (AVX-512).
// build: clang++ -O3 -std=c++20 -march=native -ffp-contract=off -fno-math-errno -fno-trapping-math -Isrc -Iinclude -DVOLARY_LANES=16 ekf_prediction.cpp
#include <time.h>

#include <cstdio>
#include <vector>

#include "estimation/updates.hpp"

#ifndef VOLARY_LANES
#define VOLARY_LANES 16
#endif

namespace {

using namespace volary::estimation;

#if VOLARY_LANES == 1
using T = float;
#else
using T = volary::math::Wide<float, VOLARY_LANES>;
#endif

constexpr int kStates = 15, kBlocks = 16, kRounds = 200, kRuns = 7;
constexpr int kVehicles = kBlocks * kBlock;

double now() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

EkfParams<T> parameters() {
  EkfParams<T> p{};
  p.dt = splat<T>(0.01), p.gravity = splat<T>(9.81);
  p.process = {splat<T>(1e-8), splat<T>(1e-6), splat<T>(1e-12), splat<T>(1e-10), splat<T>(1e-6)};
  p.start_tilt = splat<T>(0.01), p.start_yaw = splat<T>(0.04), p.start_velocity = splat<T>(0.3), p.start_position = splat<T>(0.7);
  p.start_gyro_bias = splat<T>(0.005), p.start_accel_bias = splat<T>(0.1), p.start_wind = splat<T>(5);
  p.attitude_limit = splat<T>(0.02), p.velocity_limit = splat<T>(0.2), p.position_limit = splat<T>(0.4);
  p.reset_after = splat<T>(5), p.reset_spread = splat<T>(5), p.sideslip = splat<T>(0.05);
  for (int k = 0; k < kSources; ++k) p.trust[k] = {splat<T>(1), splat<T>(0.04), splat<T>(5), splat<T>(0.1)};
  return p;
}

struct Vehicles {
  std::vector<float> covariance, nominal;
  EkfParams<T> p = parameters();
  Vehicles() : covariance(kBlocks * kPacked<kStates> * kBlock), nominal(kBlocks * kRows * kBlock) {
    each([&](Filter<T, kStates>& f) {
      begin_covariance(f.P, p, splat<T>(0) < splat<T>(1));
      f.x = {identity_quat<T>(), zero3<T>(), {zero3<T>(), zero3<T>()}, zero3<T>(), zero3<T>(), {splat<T>(0), splat<T>(0)}};
    });
  }
  static constexpr int kRows = 21;
  template <class F> void each(F&& work) {
    for (int b = 0; b < kBlocks; ++b)
      for (int lane = 0; lane < kBlock; lane += kLanes<T>) {
        Filter<T, kStates> f;
        f.P = {covariance.data() + b * kPacked<kStates> * kBlock + lane};
        float* rows = nominal.data() + b * kRows * kBlock + lane;
        RowLoader<float> loader{rows};
        Nominal<T>::fields(f.x, loader);
        work(f);
        RowStorer<float> storer{rows};
        Nominal<T>::fields(f.x, storer);
      }
  }
};

// best of some runs, in ns per vehicle
template <class F> double measure(Vehicles& v, F&& work) {
  double best = 1e9;
  for (int run = 0; run < kRuns; ++run) {
    const double from = now();
    for (int round = 0; round < kRounds; ++round) v.each(work);
    const double ns = (now() - from) * 1e9 / (static_cast<double>(kRounds) * kVehicles);
    if (ns < best) best = ns;
  }
  return best;
}

}  // namespace

int main() {
  Vehicles v;
  const EkfParams<T>& p = v.p;
  const Vec3<T> angle{splat<T>(0.002), splat<T>(-0.001), splat<T>(0.003)}, push{splat<T>(0.01), splat<T>(0.02), splat<T>(0.0981)};
  const Mask<T> always = splat<T>(0) < splat<T>(1);
  Watch<T> w{splat<T>(0), splat<T>(0), splat<T>(0)};
  const double predicted = measure(v, [&](auto& f) { predict_tick(f, angle, push, p); });
  const double propagated = measure(v, [&](auto& f) { propagate(f.x, angle, push, p.dt, p.gravity); });
  const double fused = measure(v, [&](auto& f) {
    predict_tick(f, angle, push, p);
    fuse_gnss(f, w, f.x.position_W.value, f.x.velocity_W, splat<T>(2), splat<T>(3), p, always);
    inject(f.x, f.dx);
  });
  const double finished = measure(v, [&](auto& f) {
    const Nominal<T> before = f.x;
    predict_tick(f, angle, push, p);
    finish_tick(f, before, p);
  });
  std::printf("{\"lanes\": %d, \"predict_ns\": %.1f, \"propagate_ns\": %.1f, \"gnss_six_scalars_ns\": %.1f, \"finish_ns\": %.1f}\n", VOLARY_LANES, predicted,
              propagated, fused - predicted, finished - predicted);
  return 0;
}
