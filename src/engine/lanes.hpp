// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The agent-local stages for the lanes of one register: what a CPU loops over (sweep.hpp) and what a GPU
// thread does (parity.cu). Generic over a vehicle program P (see vehicles/model.hpp) and a scalar T; no physics.
#pragma once

#include "engine/kernel.hpp"
#include "environment/earth.hpp"
#include "vehicles/all.hpp"

namespace volary::inline VOLARY_ISA::engine_kernels {

using namespace math;
using engine::AirArgs;
using engine::kGroundRows;
using engine::SweepArgs;
using engine::WorldTicks;

// how many rows the records of a program have
template <class P, class S> struct Layout {
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
  static constexpr int kState = count_state(), kHot = count_hot(), kPlan = count_plan();

  // where a field of the agent begins, by its name; -1 where it has none
  static constexpr int find(const char* name) {
    typename P::template Agent<S> a{};
    RowFinder f{name};
    P::template Agent<S>::state(a, f);
    P::template Agent<S>::input(a, f);
    return f.found;
  }
  static constexpr int kEstimate = find("estimate.position");
  static constexpr int kPosition = find("position"), kWind = find("wind"), kDensity = find("air_density");
};

// Modes and curves. Guidance knows the status (first row), where the vehicle is and how it moves (the rows after it), the reference (first input
// rows) and the push of the ground (last state row, where there is one): one copy per width serves every program. A vehicle that flies by an estimate is where
// that puts it, which lies in the same order at `body_row`.
template <class T>
VOLARY_COLD void guide_lanes(Scalar<T>* hot, int state_rows, bool ground_force, Scalar<T>* plan_rows, const control::GuideParams<T>& p,
                             const control::PathTable<Scalar<T>>& table, int body_row = 1) {
  using S = Scalar<T>;
  const Bits<T> before = load(reinterpret_cast<const Bits<S>*>(hot), Bits<T>());
  if (!any(control::is_guided<T>(before))) return;
  Bits<T> status = before;
  control::Whereabouts<T> where;
  RowLoader<S> body_loader{hot + body_row * kBlock};
  each_scalar(where.position_W, body_loader);
  each_scalar(where.velocity_W, body_loader);
  where.ground_force = ground_force ? load(hot + (state_rows - 1) * kBlock, T()) : splat<T>(0);
  control::Reference<T> reference;
  RowLoader<S> loader{hot + state_rows * kBlock};
  control::Reference<T>::fields(reference, loader);
  control::Plan<T> plan;
  RowLoader<S> plan_loader{plan_rows};
  control::Plan<T>::fields(plan, plan_loader);
  control::guide(status, plan, reference, where, p, table);
  // a plan changes with the mode; otherwise only its two clocks, the first rows, do: less to write back to memory
  RowStorer<S> plan_storer{plan_rows};
  if (any(!(status == before))) {
    control::Plan<T>::fields(plan, plan_storer);
  } else {
    plan_storer(plan.mode_ticks);
    plan_storer(plan.touch_ticks);
  }
  RowStorer<S> storer{hot + state_rows * kBlock};
  control::Reference<T>::fields(reference, storer);
  store(reinterpret_cast<Bits<S>*>(hot), status);
}

// What a model guides beside the reference, such as the angles of a platform: before guidance, which moves the clock of the plan on.
template <class P, class T> inline constexpr bool kGuidesMore = requires(typename P::template Agent<T>& a, typename P::template Plan<T>& plan, const control::GuideParams<T>& g,
                                                                          const control::PathTable<Scalar<T>>& table) { P::guide_beside(a, plan, g, table); };
template <class P, class T>
VOLARY_COLD void guide_beside_lanes(Scalar<T>* hot, Scalar<T>* plan_rows, const control::GuideParams<T>& p, const control::PathTable<Scalar<T>>& table) {
  using S = Scalar<T>;
  using Agent = typename P::template Agent<T>;
  using Plan = typename P::template Plan<T>;
  Agent a;
  RowLoader<S> loader{hot};
  Agent::state(a, loader);
  Agent::input(a, loader);
  Plan plan;
  RowLoader<S> plan_loader{plan_rows};
  Plan::fields(plan, plan_loader);
  P::guide_beside(a, plan, p, table);
  RowStorer<S> plan_storer{plan_rows};
  Plan::fields(plan, plan_storer);
  RowStorer<S> storer{hot + Layout<P, S>::kState * kBlock};
  Agent::input(a, storer);
}

// The next gust of every lane, where it lies: apart from the hot loop, because it is drawn at its own rate.
template <class T>
VOLARY_COLD void gust_lanes(Scalar<T>* gust_rows, const Bits<Scalar<T>>* who, std::uint64_t tick, const environment::GustParams<T>& p) {
  using S = Scalar<T>;
  Vec3<T> gust_W;
  RowLoader<S> loader{gust_rows};
  each_scalar(gust_W, loader);
  gust_W = environment::next_gust(gust_W, vehicles::Identity<T>{who}.draw(Purpose::Gust, tick, 0), p);
  RowStorer<S> storer{gust_rows};
  each_scalar(gust_W, storer);
}

// The same where worlds began at different ticks: a lane draws by the tick of its own world, and only when a gust is due there.
template <class T>
VOLARY_COLD void gust_lanes_apart(Scalar<T>* gust_rows, const Bits<Scalar<T>>* who, std::size_t first_agent, const WorldTicks& apart, std::uint32_t interval,
                                  const environment::GustParams<T>& p) {
  using S = Scalar<T>;
  alignas(64) Bits<S> low[kBlock], high[kBlock];
  alignas(64) S due[kBlock];
  bool some = false;
  for (int k = 0; k < kLanes<T>; ++k) {
    const std::size_t slot = first_agent + static_cast<std::size_t>(k);
    const std::uint64_t tick = apart.ticks[apart.worlds[slot < apart.slots ? slot : apart.slots - 1]];
    const bool is_due = tick % interval == 0;
    low[k] = static_cast<std::uint32_t>(tick);
    high[k] = static_cast<std::uint32_t>((tick >> 32) & 0xffffu);
    due[k] = is_due ? S(1) : S(0);
    some = some || is_due;
  }
  if (!some) return;
  Vec3<T> gust_W;
  RowLoader<S> loader{gust_rows};
  each_scalar(gust_W, loader);
  const Words4<Bits<T>> words = vehicles::Identity<T>{who}.draw(Purpose::Gust, load(low, Bits<T>()), load(high, Bits<T>()), 0);
  gust_W = select(load(due, T()) > splat<T>(0), environment::next_gust(gust_W, words, p), gust_W);
  RowStorer<S> storer{gust_rows};
  each_scalar(gust_W, storer);
}

inline constexpr std::uint32_t kDone = 0xffffffff;  // no number of a world

// The wind of every lane in its own world of the batch. Lanes that share a world are worked out together, and mostly all of them do.
template <class T> VOLARY_HD Vec3<T> wind_of_lanes(const AirArgs& air, std::size_t first_agent, const Vec3<T>& position_W, T above_ground) {
  using S = Scalar<T>;
  const auto* earths = static_cast<const environment::Earth<S>*>(air.earths);
  if (air.worlds == nullptr) return environment::wind_at<T>(earths[0], position_W, above_ground, air.time);
  std::uint32_t world[kBlock];
  for (int k = 0; k < kLanes<T>; ++k) {
    const std::size_t slot = first_agent + static_cast<std::size_t>(k);
    world[k] = air.worlds[slot < air.slots ? slot : air.slots - 1];
  }
  Vec3<T> wind = zero3<T>();
  for (int k = 0, left = kLanes<T>; left > 0; ++k) {
    const std::uint32_t here = world[k];
    if (here == kDone) continue;
    alignas(64) S chosen[kBlock];
    for (int j = 0; j < kLanes<T>; ++j) {
      const bool is_here = world[j] == here;
      chosen[j] = is_here ? S(1) : S(0);
      if (is_here) world[j] = kDone, --left;
    }
    const double time = air.times != nullptr ? air.times[here] : air.time;
    wind = select(load(chosen, T()) > splat<T>(0), environment::wind_at<T>(earths[here], position_W, above_ground, time), wind);
  }
  return wind;
}

// Wind and density at every lane, written to its rows: once per tick, and one copy per width serves every program.
template <class T>
VOLARY_COLD void air_lanes(const Scalar<T>* position_rows, Scalar<T>* wind_rows, Scalar<T>* density_row, std::size_t first_agent, const AirArgs& air) {
  using S = Scalar<T>;
  Vec3<T> position_W;
  RowLoader<S> loader{position_rows};
  each_scalar(position_W, loader);
  const T ground = air.ground != nullptr ? load(static_cast<const S*>(air.ground) + first_agent, T()) : splat<T>(air.flat_ground);
  Vec3<T> wind_W = wind_of_lanes<T>(air, first_agent, position_W, position_W.z - ground);
  RowStorer<S> storer{wind_rows};
  each_scalar(wind_W, storer);
  if (density_row == nullptr) return;
  const auto& earth = *static_cast<const environment::Earth<S>*>(air.earths);  // the air is the same in every world of the batch
  store(density_row, environment::air_of<T>(earth, environment::height_of<T>(earth, position_W)).density);
}

// whether a model asks for other parameters in thin air
template <class P, class T>
inline constexpr bool kThins = Layout<P, Scalar<T>>::kDensity >= 0 && requires(typename P::template Params<T> p) { P::in_air(p, p, splat<T>(1)); };

// whether a model stands on ground
template <class P, class T> inline constexpr bool kTouches = requires(typename P::template Params<T>& p) { P::ground(p); };

template <class T> VOLARY_HD vehicles::Ground<T> ground_of_lanes(const void* ground, std::size_t first_agent) {
  using S = Scalar<T>;
  vehicles::Ground<T> here;
  RowLoader<S> loader{static_cast<const S*>(ground) + first_agent / kBlock * (kGroundRows * kBlock) + first_agent % kBlock};
  vehicles::Ground<T>::fields(here, loader);
  return here;
}

// Parameters where they differ from agent to agent. Made once per sweep: the rows that differ are the same for all lanes, and are written for each anew.
template <class P, class T> struct OwnParams {
  typename P::template Params<T> given;  // the shared ones, and what is an agent's own
  typename P::template Params<T> acting; // the same in the air where it is
  bool is_made = false;
};
template <class P, class T>
VOLARY_COLD const typename P::template Params<T>* own_params(OwnParams<P, T>& own, const typename P::template Params<T>& shared, const Scalar<T>* hot,
                                                             std::size_t first_agent, const SweepArgs& args) {
  using S = Scalar<T>;
  if (!own.is_made) own.given = own.acting = shared, own.is_made = true;
  T *given = reinterpret_cast<T*>(&own.given), *acting = reinterpret_cast<T*>(&own.acting);
  for (int k = 0; k < args.n_overrides; ++k) {
    const int row = args.overrides[k].row;
    given[row] = acting[row] = load(static_cast<const S*>(args.overrides[k].column) + first_agent, T());
  }
  if constexpr (kTouches<P, T>)
    if (args.ground != nullptr) P::ground(own.given) = P::ground(own.acting) = ground_of_lanes<T>(args.ground, first_agent);
  if constexpr (kThins<P, T>)
    if (args.air != nullptr) {
      const T density = load(hot + Layout<P, S>::kDensity * kBlock, T());
      P::in_air(own.acting, own.given, density / splat<T>(environment::kSeaLevelDensity));
    }
  return &own.acting;
}

// The same for guidance, which needs no more than its own few: the guide parameters of these lanes.
template <class P, class T>
VOLARY_COLD control::GuideParams<T> own_guide_params(const typename P::template Params<T>& shared, std::size_t first_agent, const SweepArgs& args) {
  using S = Scalar<T>;
  control::GuideParams<T> own = P::guide_params(shared);
  constexpr int kRows = static_cast<int>(sizeof(own) / sizeof(T));
  const int first = static_cast<int>(reinterpret_cast<const T*>(&P::guide_params(shared)) - reinterpret_cast<const T*>(&shared));
  for (int k = 0; k < args.n_overrides; ++k) {
    const int row = args.overrides[k].row - first;
    if (row >= 0 && row < kRows) reinterpret_cast<T*>(&own)[row] = load(static_cast<const S*>(args.overrides[k].column) + first_agent, T());
  }
  return own;
}

// where guidance finds the state that it goes by
template <class P, class S> VOLARY_HD constexpr int body_row(const vehicles::TickInfo& info) { return engine::is_sensed<P>() && !info.by_truth ? Layout<P, S>::kEstimate : 1; }

// all that a model guides, by the parameters of these lanes
template <class P, class T>
VOLARY_HD void guide_all_lanes(Scalar<T>* hot, Scalar<T>* plan, std::size_t first_agent, const typename P::template Params<T>& params,
                               const control::PathTable<Scalar<T>>& table, const vehicles::TickInfo& info, const SweepArgs& args) {
  using S = Scalar<T>;
  if constexpr (kGuidesMore<P, T>) guide_beside_lanes<P, T>(hot, plan, P::guide_params(params), table);
  if (args.n_overrides == 0)
    guide_lanes<T>(hot, Layout<P, S>::kState, P::kGroundForce, plan, P::guide_params(params), table, body_row<P, S>(info));
  else
    guide_lanes<T>(hot, Layout<P, S>::kState, P::kGroundForce, plan, own_guide_params<P, T>(params, first_agent, args), table, body_row<P, S>(info));
}

// the air around these lanes where it lies: the next gust, wind and density
template <class P, class T>
VOLARY_HD void stir_lanes(Scalar<T>* hot, const Bits<Scalar<T>>* who, std::size_t first_agent, const typename P::template Params<T>& shared,
                          const vehicles::TickInfo& info, const SweepArgs& args) {
  using S = Scalar<T>;
  using L = Layout<P, S>;
  if constexpr (P::kGustFromEnd > 0)
    if (info.gusts) {
      S* const rows = hot + (L::kState - P::kGustFromEnd) * kBlock;
      if (args.apart == nullptr)
        gust_lanes<T>(rows, who, info.tick, shared.gust);
      else
        gust_lanes_apart<T>(rows, who, first_agent, *args.apart, args.gust_interval, shared.gust);
    }
  if constexpr (L::kWind >= 0)
    if (args.air != nullptr)
      air_lanes<T>(hot + L::kPosition * kBlock, hot + L::kWind * kBlock, L::kDensity >= 0 ? hot + L::kDensity * kBlock : nullptr, first_agent, *args.air);
}

// the parameters that act on these lanes
template <class P, class T>
VOLARY_HD const typename P::template Params<T>& acting_params(OwnParams<P, T>& own, const typename P::template Params<T>& shared, const Scalar<T>* hot,
                                                              std::size_t first_agent, const SweepArgs& args) {
  if (args.n_overrides > 0 || (kTouches<P, T> && args.ground != nullptr) || (kThins<P, T> && args.air != nullptr))
    return *own_params<P, T>(own, shared, hot, first_agent, args);
  return shared;
}

// what a sweep has in common for all lanes
VOLARY_HD vehicles::TickInfo info_of(const SweepArgs& a) {
  return {a.tick, a.substeps, static_cast<control::Law>(a.law), a.gusts, a.euler, a.tables, a.impact_speed, a.by_truth, a.believes};
}
// the same with the faults of these lanes
template <class S> VOLARY_HD vehicles::TickInfo info_of_lanes(const vehicles::TickInfo& info, std::size_t first_agent, const SweepArgs& args) {
  const std::size_t block = first_agent / kBlock, lane = first_agent % kBlock;
  vehicles::TickInfo here = info;
  if (args.faults != nullptr) here.faults = static_cast<S*>(args.faults) + block * static_cast<std::size_t>(args.fault_rows * kBlock) + lane;
  if (args.sense_faults != nullptr)
    here.sense_faults = static_cast<const S*>(args.sense_faults) + block * static_cast<std::size_t>(sensors::kFaultRows * kBlock) + lane;
  return here;
}

// the ticks of the lanes' own worlds as two rows: low and high words
template <class T> VOLARY_COLD void ticks_of_lanes(Bits<Scalar<T>> (&ticks)[2 * kBlock], std::size_t first_agent, const WorldTicks& apart) {
  for (int k = 0; k < kLanes<T>; ++k) {
    const std::size_t slot = first_agent + static_cast<std::size_t>(k);
    const std::uint64_t tick = apart.ticks[apart.worlds[slot < apart.slots ? slot : apart.slots - 1]];
    ticks[k] = static_cast<std::uint32_t>(tick);
    ticks[kBlock + k] = static_cast<std::uint32_t>((tick >> 32) & 0xffffu);
  }
}

// who the lanes are and what time it is for them, which an IMU draws by; `ticks` is its room
template <class P, class S> using TicksOf = Bits<S>[engine::is_sensed<P>() ? 2 * kBlock : 1];
template <class P, class T>
VOLARY_HD void tell_who(vehicles::TickInfo& here, TicksOf<P, Scalar<T>>& ticks, const Bits<Scalar<T>>* who, std::size_t first_agent, const SweepArgs& args) {
  if constexpr (engine::is_sensed<P>()) {
    here.who = who;
    if (args.apart != nullptr) ticks_of_lanes<T>(ticks, first_agent, *args.apart), here.ticks = ticks;
  }
}

// what the lanes that are not sound any more leave behind: their last good state, and a mark
template <class P, class T>
VOLARY_COLD void store_sound_lanes(typename P::template Agent<T>& a, Scalar<T>* rows, Mask<T> sound, bool& diverged) {
  using S = Scalar<T>;
  using Agent = typename P::template Agent<T>;
  const Mask<T> alive = control::is_alive<T>(a.status);
  const Mask<T> failed = alive & !sound, kept = alive & sound;
  if (any(failed)) diverged = true;
  const Bits<T> status = select(failed, (a.status ^ control::bits_of<T>(control::kAlive)) | control::bits_of<T>(control::kDiverged), a.status);
  RowBlender<T> blender{rows, kept};
  Agent::state(a, blender);
  store(reinterpret_cast<Bits<S>*>(rows), status);  // the status is the first row
}

// load, advance, store what is sound
template <class P, class T>
VOLARY_HD void advance_lanes(Scalar<T>* hot, const Bits<Scalar<T>>* who, std::size_t first_agent, const typename P::template Params<T>& shared,
                             OwnParams<P, T>& own, const vehicles::TickInfo& info, const SweepArgs& args, bool& diverged) {
  using S = Scalar<T>;
  using Agent = typename P::template Agent<T>;
  stir_lanes<P, T>(hot, who, first_agent, shared, info, args);
  Agent a;
  RowLoader<S> loader{hot};
  Agent::state(a, loader);
  Agent::input(a, loader);
  const auto& params = acting_params<P, T>(own, shared, hot, first_agent, args);
  vehicles::TickInfo here = info_of_lanes<S>(info, first_agent, args);
  alignas(64) TicksOf<P, S> ticks;
  tell_who<P, T>(here, ticks, who, first_agent, args);
  P::advance(a, here, params);
  const Mask<T> sound = P::is_sound(a);
  if (all(sound & control::is_alive<T>(a.status))) {
    RowStorer<S> storer{hot};
    Agent::state(a, storer);
  } else {
    // a copy: the address of the agent itself must not leave this function, or it would live in memory
    Agent copy = a;
    store_sound_lanes<P, T>(copy, hot, sound, diverged);
  }
}

}  // namespace volary::inline VOLARY_ISA::engine_kernels
