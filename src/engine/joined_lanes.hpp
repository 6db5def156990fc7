// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The agent-local stages for vehicles whose bodies somebody else moves: what a tick begins with, and then, substep by substep, what pushes the bodies.
// Generic over a vehicle program P that offers
//
//   static constexpr int kBodies;                                 of a vehicle; 0: it does not offer this
//   template <class T> using Targets = ...;                       what the outer loops ask of the substeps of a tick, with `fields`
//   static Targets<T> begin(Agent&, const TickInfo&, const Params&);
//   static void drive(Agent&, const Targets&, bool is_last, const TickInfo&, const Params&, Wrench<T> (&loads)[kBodies]);
//
// and with an IMU
//
//   template <class T> using Samples = ...;                       what it sums up in a tick, with `fields`
//   static Samples<T> begin_samples(Agent&, const TickInfo&, const Params&);
//   static void sample(Agent&, Samples&, int substep, bool is_last, const TickInfo&, const Params&);
//
// and a scalar T; no physics. The rows are those of the program (lanes.hpp), and so are guidance, gusts, air, faults and parameters of an agent's own.
#pragma once

#include "engine/lanes.hpp"

namespace volary::inline VOLARY_ISA::engine_kernels {

using engine::JoinedKernel;

// how many bodies of a vehicle somebody else may move
template <class P> constexpr int bodies_of() {
  if constexpr (requires { P::kBodies; }) return P::kBodies;
  return 0;
}

template <class P, class S> constexpr int count_targets() {
  typename P::template Targets<S> t{};
  RowCounter n;
  P::template Targets<S>::fields(t, n);
  return n.n;
}
template <class P, class S> constexpr int count_samples() {
  RowCounter n;
  if constexpr (engine::is_sensed<P>()) {
    typename P::template Samples<S> s{};
    P::template Samples<S>::fields(s, n);
  }
  return n.n;
}

// rows as they were
template <class T, int kRows> struct KeptRows {
  using S = Scalar<T>;
  Bits<T> row[kRows];
  explicit KeptRows(const S* from) {
    for (int k = 0; k < kRows; ++k) row[k] = load(reinterpret_cast<const Bits<S>*>(from) + k * kBlock, Bits<T>());
  }
  void put_back(S* to, Mask<T> where) const {
    auto* at = reinterpret_cast<Bits<S>*>(to);
    for (int k = 0; k < kRows; ++k, at += kBlock) store(at, select(where, row[k], load(at, Bits<T>())));
  }
};

// lanes in which all that it is shown are numbers that MuJoCo takes
template <class T> struct Bounded {
  Mask<T> lanes;
  VOLARY_HD void operator()(T& x) { lanes = lanes & (abs(x) < splat<T>(1e10)); }
  VOLARY_HD void operator()(const Field&, auto& x) { each_scalar(x, *this); }
};

// The lanes of one register in one tick. Where numbers went bad the rows stay as they were, and the loads tell: nobody can fly by them.
template <class P, class T> struct JoinedLanes {
  using S = Scalar<T>;
  using L = Layout<P, S>;
  using Agent = typename P::template Agent<T>;
  using Params = typename P::template Params<T>;
  using Targets = typename P::template Targets<T>;
  static_assert(P::kGuided);

  const SweepArgs& args;
  std::size_t first_agent;
  OwnParams<P, T>& own;
  const vehicles::TickInfo info = info_of(args);
  const Params& shared = *static_cast<const Params*>(args.params);
  S* const hot = static_cast<S*>(args.hot) + first_agent / kBlock * (L::kHot * kBlock) + first_agent % kBlock;
  S* const plan = static_cast<S*>(args.plan) + first_agent / kBlock * (L::kPlan * kBlock) + first_agent % kBlock;
  const Bits<S>* const who = static_cast<const Bits<S>*>(args.identity) + first_agent / kBlock * (4 * kBlock) + first_agent % kBlock;

  Mask<T> alive() const { return control::is_alive<T>(load(reinterpret_cast<const Bits<S>*>(hot), Bits<T>())); }
  vehicles::TickInfo here() const { return info_of_lanes<S>(info, first_agent, args); }

  void load_agent(Agent& a) const {
    RowLoader<S> loader{hot};
    Agent::state(a, loader);
    Agent::input(a, loader);
  }
  void store_agent(Agent& a, Mask<T> where) const {
    RowBlender<T> blender{hot, where};
    Agent::state(a, blender);
  }

  void guide_and_stir() const {
    const control::PathTable<S> table{static_cast<const S*>(args.path_headers), static_cast<const S*>(args.path_pieces)};
    if (args.guide) guide_all_lanes<P, T>(hot, plan, first_agent, shared, table, info, args);
    stir_lanes<P, T>(hot, who, first_agent, shared, info, args);
  }

  // both write to all lanes
  VOLARY_COLD void guide_and_stir_some(Mask<T> living) const {
    const KeptRows<T, L::kHot> hot_before(hot);
    const KeptRows<T, L::kPlan> plan_before(plan);
    guide_and_stir();
    hot_before.put_back(hot, !living);
    plan_before.put_back(plan, !living);
  }

  VOLARY_COLD void begin(S* targets) const {
    const Mask<T> living = alive();
    if (!any(living)) return;
    all(living) ? guide_and_stir() : guide_and_stir_some(living);
    Agent a;
    load_agent(a);
    Targets t = P::begin(a, here(), acting_params<P, T>(own, shared, hot, first_agent, args));
    RowStorer<S> storer{targets};
    Targets::fields(t, storer);
    Bounded<T> good{living};
    Targets::fields(t, good);
    if constexpr (engine::is_sensed<P>()) begin_samples(a, targets);
    store_agent(a, good.lanes);
  }

  // the rows of the IMU lie behind those of the outer loops
  static constexpr int kSamples = count_targets<P, S>();
  VOLARY_HD void begin_samples(Agent& a, S* targets) const {
    alignas(64) TicksOf<P, S> ticks;
    vehicles::TickInfo info_here = here();
    tell_who<P, T>(info_here, ticks, who, first_agent, args);
    auto samples = P::begin_samples(a, info_here, acting_params<P, T>(own, shared, hot, first_agent, args));
    RowStorer<S> storer{targets + kSamples * kBlock};
    decltype(samples)::fields(samples, storer);
  }
  VOLARY_COLD void sample(int substep, S* targets) const {
    const Mask<T> living = alive();
    if (!any(living)) return;
    Agent a;
    load_agent(a);
    typename P::template Samples<T> samples;
    RowLoader<S> loader{targets + kSamples * kBlock};
    decltype(samples)::fields(samples, loader);
    alignas(64) TicksOf<P, S> ticks;
    vehicles::TickInfo info_here = here();
    tell_who<P, T>(info_here, ticks, who, first_agent, args);
    P::sample(a, samples, substep, substep + 1 == args.substeps, info_here, acting_params<P, T>(own, shared, hot, first_agent, args));
    RowStorer<S> storer{targets + kSamples * kBlock};
    decltype(samples)::fields(samples, storer);
    store_agent(a, living);
  }

  VOLARY_COLD void drive(bool is_last, const S* targets, S* loads) const {
    const Mask<T> living = alive();
    if (!any(living)) return;
    Agent a;
    load_agent(a);
    Targets t;
    RowLoader<S> loader{targets};
    Targets::fields(t, loader);
    vehicles::Wrench<T> on[P::kBodies];
    P::drive(a, t, is_last, here(), acting_params<P, T>(own, shared, hot, first_agent, args), on);
    RowStorer<S> storer{loads};
    Bounded<T> good{living};
    for (vehicles::Wrench<T>& w : on)
      for (Vec3<T>* v : {&w.force_B, &w.torque_B}) each_scalar(*v, storer), each_scalar(*v, good);
    store_agent(a, good.lanes);
  }
};

template <class P, class T> void begin_block(const SweepArgs& args, std::size_t block, void* targets) {
  OwnParams<P, T> own;
  for (int lane = 0; lane < kBlock; lane += kLanes<T>)
    JoinedLanes<P, T>{args, block * kBlock + static_cast<std::size_t>(lane), own}.begin(static_cast<Scalar<T>*>(targets) + lane);
}
template <class P, class T> void drive_block(const SweepArgs& args, std::size_t block, bool is_last, const void* targets, void* loads) {
  OwnParams<P, T> own;
  for (int lane = 0; lane < kBlock; lane += kLanes<T>)
    JoinedLanes<P, T>{args, block * kBlock + static_cast<std::size_t>(lane), own}  //
        .drive(is_last, static_cast<const Scalar<T>*>(targets) + lane, static_cast<Scalar<T>*>(loads) + lane);
}

template <class P, class T> void sample_block(const SweepArgs& args, std::size_t block, int substep, void* targets) {
  OwnParams<P, T> own;
  for (int lane = 0; lane < kBlock; lane += kLanes<T>)
    JoinedLanes<P, T>{args, block * kBlock + static_cast<std::size_t>(lane), own}.sample(substep, static_cast<Scalar<T>*>(targets) + lane);
}
template <class P, class T> constexpr auto sample_of() -> decltype(JoinedKernel::sample) {
  if constexpr (engine::is_sensed<P>()) return &sample_block<P, T>;
  return nullptr;
}

template <class P, class T>
inline constexpr JoinedKernel kJoinedKernel = {bodies_of<P>(), count_targets<P, Scalar<T>>() + count_samples<P, Scalar<T>>(), &begin_block<P, T>,
                                               &drive_block<P, T>, sample_of<P, T>()};

template <class P, class T> constexpr const JoinedKernel* joined_kernel() {
  if constexpr (bodies_of<P>() > 0) return &kJoinedKernel<P, T>;
  return nullptr;
}

}  // namespace volary::inline VOLARY_ISA::engine_kernels
