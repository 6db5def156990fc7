// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The sweep: block by block, the agent-local stages of one tick, while the block is in the first-level cache.
#pragma once

#include "core/cpu.hpp"
#include "engine/joined_lanes.hpp"
#include "engine/lanes.hpp"
#include "math/hash.hpp"

namespace volary::inline VOLARY_ISA::engine_kernels {

using engine::Kernel;
using engine::SweepResult;

// rows beside the hot record, of one block; none where nobody keeps any
template <class S> struct Beside {
  const S* rows = nullptr;
  int n = 0;
};
template <class S> Beside<S> beside(const void* rows, int n, std::size_t block) {
  return {rows != nullptr ? static_cast<const S*>(rows) + block * static_cast<std::size_t>(n * kBlock) : nullptr, n};
}

// the hash of each agent of a block, from its rows, its plan, what it keeps beside them and its identity; returns their sum
template <class T>
VOLARY_COLD std::uint64_t hash_block(const Scalar<T>* hot, int hot_rows, const Scalar<T>* plan, int plan_rows, const Beside<Scalar<T>>& senses,
                                     const Beside<Scalar<T>>& joined, const void* identity, std::uint64_t* each) {
  using S = Scalar<T>;
  using U = typename Traits<S>::Bits;
  using B = std::conditional_t<sizeof(S) == 4, Bits<T>, std::uint32_t>;
  constexpr int kWidth = sizeof(S) == 4 ? kLanes<T> : 1;
  alignas(64) std::uint32_t low[kBlock], high[kBlock];
  for (int lane = 0; lane < kBlock; lane += kWidth) {
    HashLanes<B> h;
    for (int j = 0; j < 4; ++j) h.a[j] = B(static_cast<std::uint32_t>(j));
    h = hash_rows(h, reinterpret_cast<const U*>(hot) + lane, hot_rows);
    if (plan != nullptr) h = hash_rows(h, reinterpret_cast<const U*>(plan) + lane, plan_rows);
    if (senses.rows != nullptr) h = hash_rows(h, reinterpret_cast<const U*>(senses.rows) + lane, senses.n);
    if (joined.rows != nullptr) h = hash_rows(h, reinterpret_cast<const U*>(joined.rows) + lane, joined.n);
    h = hash_rows(h, static_cast<const U*>(identity) + lane, 4);
    B l, u;
    finish_hash(h, l, u);
    store(low + lane, l);
    store(high + lane, u);
  }
  const U* status = reinterpret_cast<const U*>(hot);
  std::uint64_t sum = 0;
  for (int lane = 0; lane < kBlock; ++lane) {
    const bool counted = (status[lane] & (control::kAlive | control::kDiverged)) != 0;
    const std::uint64_t one = counted ? low[lane] | (static_cast<std::uint64_t>(high[lane]) << 32) : 0;
    if (each != nullptr) each[lane] = one;
    sum += one;
  }
  return sum;
}

// counts cycles between laps when somebody asked for a profile
struct StageClock {
  std::uint64_t* cycles;
  std::uint64_t last = cycles != nullptr ? core::cycles() : 0;
  VOLARY_HD void lap(int stage) {
    if (cycles == nullptr) return;
    const std::uint64_t now = core::cycles();
    cycles[stage] += now - last;
    last = now;
  }
};

template <int kRows, int kLevel, class S> inline void prefetch_rows(const S* rows) {
#pragma GCC unroll 8  // rolled up it cost 5 % where the memory of a million vehicles is the limit
  for (int k = 0; k < kRows * kBlock; k += 64 / static_cast<int>(sizeof(S))) __builtin_prefetch(rows + k, 0, kLevel);
}

// whether some agent of a block hit the ground too fast: the status is the first row
template <class T> VOLARY_HD bool has_impact(const Scalar<T>* hot) {
  bool some = false;
  for (int lane = 0; lane < kBlock; lane += kLanes<T>) {
    const Bits<T> status = load(reinterpret_cast<const Bits<Scalar<T>>*>(hot) + lane, Bits<T>());
    some = some || any((status & control::bits_of<T>(control::kImpact)) == control::bits_of<T>(control::kImpact));
  }
  return some;
}

template <class P, class T> SweepResult sweep(const SweepArgs& args) {
  using S = Scalar<T>;
  constexpr int kHot = Layout<P, S>::kHot, kPlan = Layout<P, S>::kPlan;
  const auto& params = *static_cast<const typename P::template Params<T>*>(args.params);
  const vehicles::TickInfo info = info_of(args);
  const control::PathTable<S> table{static_cast<const S*>(args.path_headers), static_cast<const S*>(args.path_pieces)};
  // the next block waits in the first-level cache (3) when it fits beside the one at hand and the parameters;
  // further ones come to the second level (2)
  constexpr bool kFitsTwice = (2 * kHot + kPlan) * kBlock * sizeof(S) + sizeof(params) <= 16384;
  OwnParams<P, T> own;
  SweepResult result{};  // an aggregate: without a constructor that another instruction set could share
  for (std::size_t block = args.first; block < args.last; ++block) {
    S* hot = static_cast<S*>(args.hot) + block * (kHot * kBlock);
    S* plan = args.plan != nullptr ? static_cast<S*>(args.plan) + block * (kPlan * kBlock) : nullptr;
    if constexpr (kFitsTwice) {
      prefetch_rows<kHot, 3>(hot + kHot * kBlock);
      prefetch_rows<kHot, 2>(hot + 5 * kHot * kBlock);
    } else {
      prefetch_rows<kHot, 2>(hot + 4 * kHot * kBlock);
      if (plan != nullptr) prefetch_rows<kPlan, 2>(plan + 4 * kPlan * kBlock);
    }
    const Bits<S>* who = static_cast<const Bits<S>*>(args.identity) + block * (4 * kBlock);
    StageClock clock{args.cycles};
    if constexpr (P::kGuided)
      if (args.guide)
        for (int lane = 0; lane < kBlock; lane += kLanes<T>)
          guide_all_lanes<P, T>(hot + lane, plan + lane, block * kBlock + static_cast<std::size_t>(lane), params, table, info, args);
    clock.lap(0);
    for (int lane = 0; lane < kBlock; lane += kLanes<T>)
      advance_lanes<P, T>(hot + lane, who + lane, block * kBlock + static_cast<std::size_t>(lane), params, own, info, args, result.diverged);
    if (args.impact_speed > 0) result.noted = result.noted || has_impact<T>(hot);
    clock.lap(1);
    if (args.hash) result.hash += hash_block<T>(hot, kHot, plan, kPlan, {}, {}, who, nullptr);
    clock.lap(2);
  }
  return result;
}

template <class P, class T> void hash_one_block(const SweepArgs& args, std::size_t block, std::uint64_t* each) {
  using S = Scalar<T>;
  constexpr int kHot = Layout<P, S>::kHot, kPlan = Layout<P, S>::kPlan;
  const S* plan = args.plan != nullptr ? static_cast<const S*>(args.plan) + block * (kPlan * kBlock) : nullptr;
  hash_block<T>(static_cast<const S*>(args.hot) + block * (kHot * kBlock), kHot, plan, kPlan, beside<S>(args.senses, args.senses_rows, block),
                beside<S>(args.joined, args.joined_rows, block), static_cast<const Bits<S>*>(args.identity) + block * (4 * kBlock), each);
}

template <class M, class P, class T> constexpr Kernel make_kernel() {
  using L = Layout<P, Scalar<T>>;
  return {M::name,
          P::name,
          static_cast<int>(sizeof(Scalar<T>)),
          kLanes<T>,
          L::kHot,
          L::kState,
          L::kPlan,
          static_cast<int>(sizeof(typename P::template Params<Scalar<T>>) / sizeof(Scalar<T>)),
          &sweep<P, T>,
          &hash_one_block<P, T>,
          joined_kernel<P, T>()};
}

}  // namespace volary::inline VOLARY_ISA::engine_kernels
