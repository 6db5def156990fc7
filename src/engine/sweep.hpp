// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The sweep: block by block, the agent-local stages of one tick, while the block is in the first-level cache.
// Generic over a vehicle program P (see vehicles/model.hpp) and a scalar T; holds no physics.
#pragma once

#include "math/hash.hpp"
#include "engine/kernel.hpp"
#include "vehicles/all.hpp"

namespace volary::inline VOLARY_ISA::engine_kernels {

using namespace math;
using engine::Kernel;
using engine::SweepArgs;
using engine::SweepResult;

template <class P, class T> struct Layout {
  using S = Scalar<T>;
  using U = typename Traits<S>::Bits;
  using Agent = typename P::template Agent<T>;
  using Params = typename P::template Params<T>;
  static constexpr int count_state() {
    typename P::template Agent<S> a{};
    RowCounter n;
    P::template Agent<S>::state(a, n);
    return n.n;
  }
  static constexpr int count_hot() {
    typename P::template Agent<S> a{};
    RowCounter n;
    P::template Agent<S>::state(a, n);
    P::template Agent<S>::input(a, n);
    return n.n;
  }
  static constexpr int count_plan() {
    typename P::template Plan<S> p{};
    RowCounter n;
    P::template Plan<S>::fields(p, n);
    return n.n;
  }
};

// stores a row only in the lanes of a mask
template <class T> struct RowBlender {
  using S = Scalar<T>;
  S* row;
  Mask<T> mask;
  template <class X> VOLARY_HD void operator()(X& x) {
    if constexpr (IsBits<X>::value)
      store(reinterpret_cast<Bits<S>*>(row), select(mask, x, load(reinterpret_cast<const Bits<S>*>(row), X())));
    else
      store(row, select(mask, x, load(row, X())));
    row += kBlock;
  }
  template <class X> VOLARY_HD void operator()(const Field&, X& x) { each_scalar(x, *this); }
};

// Modes and curves of one block. Guidance knows the status (first row), the reference (first input rows) and
// the push of the ground (last state row, where there is one): one copy per width serves every program.
template <class T>
__attribute__((noinline)) static void guide_block(Scalar<T>* hot, int state_rows, bool ground_force, Scalar<T>* plan_rows, const control::GuideParams<T>& p, const SweepArgs& args) {
  using S = Scalar<T>;
  const control::PathTable<S> table{static_cast<const S*>(args.path_headers), static_cast<const S*>(args.path_pieces)};
  for (int lane = 0; lane < kBlock; lane += kLanes<T>) {
    Bits<T> status = load(reinterpret_cast<const Bits<S>*>(hot) + lane, Bits<T>());
    const T push = ground_force ? load(hot + (state_rows - 1) * kBlock + lane, T()) : splat<T>(0);
    control::Reference<T> reference;
    RowLoader<S> loader{hot + state_rows * kBlock + lane};
    control::Reference<T>::fields(reference, loader);
    control::Plan<T> plan;
    RowLoader<S> plan_loader{plan_rows + lane};
    control::Plan<T>::fields(plan, plan_loader);
    control::guide(status, plan, reference, push, p, table);
    RowStorer<S> plan_storer{plan_rows + lane};
    control::Plan<T>::fields(plan, plan_storer);
    RowStorer<S> storer{hot + state_rows * kBlock + lane};
    control::Reference<T>::fields(reference, storer);
    store(reinterpret_cast<Bits<S>*>(hot) + lane, status);
  }
}

// what the lanes that are not sound any more leave behind: their last good state, and a mark
template <class P, class T>
__attribute__((noinline)) static void store_sound_lanes(typename P::template Agent<T>& a, Scalar<T>* rows, Mask<T> sound, bool& diverged) {
  using S = Scalar<T>;
  using Agent = typename P::template Agent<T>;
  const auto alive = control::is_alive<T>(a.status);
  const auto failed = alive & !sound;
  if (any(failed)) diverged = true;
  const Bits<T> status = select(failed, (a.status ^ control::bits_of<T>(control::kAlive)) | control::bits_of<T>(control::kDiverged), a.status);
  const Mask<T> kept = alive & sound;
  RowBlender<T> blender{rows, kept};
  Agent::state(a, blender);
  store(reinterpret_cast<Bits<S>*>(rows), status);  // the status is the first row
}

// the hash of each agent of a block; returns their sum
template <class T> __attribute__((noinline)) static std::uint64_t hash_block(const Scalar<T>* hot, int hot_rows, const Scalar<T>* plan, int plan_rows, const void* identity, std::uint64_t* each) {
  using S = Scalar<T>;
  using U = typename Traits<S>::Bits;
  using HashScalar = std::conditional_t<sizeof(S) == 4, Bits<T>, std::uint32_t>;
  constexpr int kWidth = sizeof(S) == 4 ? kLanes<T> : 1;
  const U* who = static_cast<const U*>(identity);
  const U* status = reinterpret_cast<const U*>(hot);
  alignas(64) std::uint32_t acc[4][kBlock];
  for (int lane = 0; lane < kBlock; lane += kWidth) {
    HashLanes<HashScalar> h;
    for (int j = 0; j < 4; ++j) h.a[j] = HashScalar(static_cast<std::uint32_t>(j));
    h = hash_rows(h, reinterpret_cast<const U*>(hot) + lane, hot_rows);
    if (plan != nullptr) h = hash_rows(h, reinterpret_cast<const U*>(plan) + lane, plan_rows);
    for (int j = 0; j < 4; ++j) store(acc[j] + lane, h.a[j]);
  }
  std::uint64_t sum = 0;
  for (int lane = 0; lane < kBlock; ++lane) {
    const std::uint64_t id = (static_cast<std::uint64_t>(who[lane]) | (static_cast<std::uint64_t>(who[kBlock + lane]) << 32)) +
                             0x9e3779b97f4a7c15ull * (static_cast<std::uint64_t>(who[2 * kBlock + lane]) | (static_cast<std::uint64_t>(who[3 * kBlock + lane]) << 32));
    const bool counted = (status[lane] & (control::kAlive | control::kDiverged)) != 0;
    const std::uint64_t one = counted ? hash_agent(id, acc[0][lane], acc[1][lane], acc[2][lane], acc[3][lane]) : 0;
    if (each != nullptr) each[lane] = one;
    sum += one;
  }
  return sum;
}

// one block: load, advance, store what is sound
template <class P, class T>
VOLARY_HD void advance_block(Scalar<T>* hot, const Bits<Scalar<T>>* who, std::size_t block, const typename P::template Params<T>& shared, const vehicles::TickInfo& info, const SweepArgs& args, bool& diverged) {
  using S = Scalar<T>;
  using Agent = typename P::template Agent<T>;
  for (int lane = 0; lane < kBlock; lane += kLanes<T>) {
    Agent a;
    RowLoader<S> loader{hot + lane};
    Agent::state(a, loader);
    Agent::input(a, loader);
    const vehicles::Identity<T> id{who + lane};
    typename P::template Params<T> own;
    const auto* params = &shared;
    if (args.n_overrides > 0) {
      // parameters that differ from agent to agent, written over a copy of the shared ones
      own = shared;
      T* rows = reinterpret_cast<T*>(&own);
      for (int k = 0; k < args.n_overrides; ++k)
        rows[args.overrides[k].row] = load(static_cast<const S*>(args.overrides[k].column) + block * kBlock + lane, T());
      params = &own;
    }
    P::advance(a, id, info, *params);
    const auto sound = P::is_sound(a);
    if (all(sound & control::is_alive<T>(a.status))) {
      RowStorer<S> storer{hot + lane};
      Agent::state(a, storer);
    } else {
      store_sound_lanes<P, T>(a, hot + lane, sound, diverged);
    }
  }
}

// counts cycles between laps when somebody asked for a profile
struct StageClock {
  std::uint64_t* cycles;
  std::uint64_t last = cycles != nullptr ? __builtin_ia32_rdtsc() : 0;
  VOLARY_HD void lap(int stage) {
    if (cycles == nullptr) return;
    const std::uint64_t now = __builtin_ia32_rdtsc();
    cycles[stage] += now - last;
    last = now;
  }
};

template <class P, class T> SweepResult sweep(const SweepArgs& args) {
  using S = Scalar<T>;
  constexpr int kHot = Layout<P, T>::count_hot(), kPlan = Layout<P, T>::count_plan();
  const auto& params = *static_cast<const typename P::template Params<T>*>(args.params);
  const vehicles::TickInfo info{args.tick, args.substeps, static_cast<control::Law>(args.law), args.gusts, args.euler};
  SweepResult result;
  for (std::size_t block = args.first; block < args.last; ++block) {
    S* hot = static_cast<S*>(args.hot) + block * (kHot * kBlock);
    for (int k = 0; k < kHot * kBlock; k += 64 / static_cast<int>(sizeof(S))) __builtin_prefetch(hot + 2 * kHot * kBlock + k, 1, 3);
    S* plan = args.plan != nullptr ? static_cast<S*>(args.plan) + block * (kPlan * kBlock) : nullptr;
    const Bits<S>* who = static_cast<const Bits<S>*>(args.identity) + block * (4 * kBlock);
    StageClock clock{args.cycles};
    if constexpr (P::kGuided)
      if (args.guide) guide_block<T>(hot, Layout<P, T>::count_state(), P::kGroundForce, plan, P::guide_params(params), args);
    clock.lap(0);
    advance_block<P, T>(hot, who, block, params, info, args, result.diverged);
    clock.lap(1);
    if (args.hash) result.hash += hash_block<T>(hot, kHot, plan, kPlan, who, nullptr);
    clock.lap(2);
  }
  return result;
}

template <class P, class T> void hash_one_block(const SweepArgs& args, std::size_t block, std::uint64_t* each) {
  using S = Scalar<T>;
  constexpr int kHot = Layout<P, T>::count_hot(), kPlan = Layout<P, T>::count_plan();
  const S* plan = args.plan != nullptr ? static_cast<const S*>(args.plan) + block * (kPlan * kBlock) : nullptr;
  hash_block<T>(static_cast<const S*>(args.hot) + block * (kHot * kBlock), kHot, plan, kPlan, static_cast<const Bits<S>*>(args.identity) + block * (4 * kBlock), each);
}

template <class M, class P, class T> constexpr Kernel make_kernel() {
  using L = Layout<P, T>;
  return {M::name, P::name, static_cast<int>(sizeof(Scalar<T>)), L::count_hot(), L::count_state(), L::count_plan(),
          static_cast<int>(sizeof(typename P::template Params<Scalar<T>>) / sizeof(Scalar<T>)), &sweep<P, T>, &hash_one_block<P, T>};
}

}  // namespace volary::inline VOLARY_ISA::engine_kernels
