// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Sensors and estimator for the lanes of one register: what a CPU loops over (sense_kernels.cpp) and what a GPU thread does (parity.cu).
#pragma once

#include "control/guide.hpp"
#include "engine/sense_args.hpp"
#include "estimation/readings.hpp"
#include "sensors/all.hpp"
#include "sensors/timing.hpp"

namespace volary::inline VOLARY_ISA::engine_kernels {

using namespace math;
using engine::SenseArgs;
using engine::SenseLayout;
using engine::SensePlace;

// f.operator()<X>(number) for every sensor of the list
template <class F, class... Xs> VOLARY_HD void each_sensor(core::TypeList<Xs...>, F&& f) {
  int i = 0;
  (f.template operator()<Xs>(i++), ...);
}

// Ranges between vehicles are of the state before: who measures to whom is found out after a tick.
VOLARY_HD std::uint64_t measured_tick(int sensor, std::uint64_t now) { return sensor == estimation::kUwbPeers ? now - 1 : now; }
VOLARY_HD sensors::Timing timing_of(const SensePlace& p) { return {p.period, p.phase, p.latency}; }

VOLARY_HD engine::SensesDue due_at(const SenseLayout& layout, std::uint64_t now) {
  engine::SensesDue due{0, 0, 0};
  const auto horizon = static_cast<std::uint64_t>(layout.horizon);
  for (int k = 0; k < engine::kSensors; ++k) {
    const SensePlace& p = layout.sensors[k];
    if (p.ring < 0) continue;
    std::uint64_t of = 0;
    due.measured |= (sensors::is_due(timing_of(p), measured_tick(k, now)) ? 1u : 0u) << k;
    due.arrived |= (sensors::arrives(timing_of(p), now, of) ? 1u : 0u) << k;
    due.fused |= (now > horizon && sensors::is_due(timing_of(p), now - horizon) ? 1u : 0u) << k;
  }
  return due;
}

template <class T> struct SenseLanes {
  using S = Scalar<T>;
  const SenseArgs& args;
  S* hot;                 // first lane of this register in its block
  S* rows;                // the same of the senses record
  const Bits<S>* who;
  const S* faults = nullptr;  // the same of the terms of faults; none: everything works

  VOLARY_HD const SenseLayout& layout() const { return *args.layout; }
  VOLARY_HD const sensors::Site<S>& site() const { return *static_cast<const sensors::Site<S>*>(args.site); }
  template <class P> VOLARY_HD const P& params(int first) const { return *reinterpret_cast<const P*>(static_cast<const T*>(args.params) + first); }

  template <class R> VOLARY_HD R get(int first) const {
    R r;
    RowLoader<S> loader{rows + first * kBlock};
    R::fields(r, loader);
    return r;
  }
  template <class R> VOLARY_HD void put(int first, R& r, Mask<T> where) const {
    RowBlender<T> blender{rows + first * kBlock, where};
    R::fields(r, blender);
  }
  template <class R> VOLARY_HD void put(int first, R& r) const {
    RowStorer<S> storer{rows + first * kBlock};
    R::fields(r, storer);
  }
  VOLARY_HD Vec3<T> hot3(int row) const {
    Vec3<T> v;
    RowLoader<S> loader{hot + row * kBlock};
    each_scalar(v, loader);
    return v;
  }
  VOLARY_HD Mask<T> alive() const { return control::is_alive<T>(load(reinterpret_cast<const Bits<S>*>(hot), Bits<T>())); }
  VOLARY_HD Mask<T> carries(int sensor) const { return sensors::is_set<T>((load(reinterpret_cast<const Bits<S>*>(rows), Bits<T>()) >> sensor) & bit_constant<T>(1, 1)); }

  VOLARY_HD sensors::Truth<T> truth() const {
    const engine::TrueRows& at = args.at;
    sensors::Truth<T> t;
    t.position_W = {hot3(at.position), at.position_rows == 6 ? hot3(at.position + 3) : zero3<T>()};
    t.velocity_W = at.velocity < 0 ? zero3<T>() : hot3(at.velocity);
    t.q_WB = identity_quat<T>();
    if (at.attitude >= 0) {
      RowLoader<S> loader{hot + at.attitude * kBlock};
      each_scalar(t.q_WB, loader);
    }
    t.omega_B = at.omega < 0 ? zero3<T>() : hot3(at.omega);
    t.wind_W = at.wind < 0 ? zero3<T>() : hot3(at.wind);
    if (at.gust >= 0) t.wind_W = t.wind_W + hot3(at.gust);
    t.density = at.density < 0 ? splat<T>(environment::kSeaLevelDensity) : load(hot + at.density * kBlock, T());
    t.rotor_load = splat<T>(0);
    if (at.rotors > 0 && at.full_speed > 0) {
      for (int k = 0; k < at.aircraft; ++k)
        for (int i = 0; i < at.rotors; ++i) {
          const T w = load(hot + (at.rotor_speed + k * at.apart + i) * kBlock, T());
          t.rotor_load = fma(w, w, t.rotor_load);
        }
      t.rotor_load = t.rotor_load * splat<T>(1 / (at.aircraft * at.rotors * at.full_speed * at.full_speed));
    }
    return t;
  }

  // ---------------------------------------------------------------- measuring

  VOLARY_HD sensors::FaultTerms<T> fault(int which) const { return faults == nullptr ? sensors::no_fault<T>() : sensors::load_fault<T>(faults, which); }

  template <class X> VOLARY_HD typename X::template Reading<T> measured(int number, const sensors::Truth<T>& t, const typename X::template Reading<T>& last,
                                                                        std::uint64_t tick, Mask<T> where) const {
    const SensePlace& place = layout().sensors[number];
    using Memory = typename X::template Memory<T>;
    Memory memory = get<Memory>(place.memory);
    const auto scene = get<typename X::template Scene<T>>(place.scene);
    const auto r = X::template measure<T>(t, site(), scene, memory, last, params<typename X::template Params<T>>(place.params),
                                          fault(sensors::fault_of_sensor(number)), sensors::Draws<T>{Identity<T>{who}, tick});
    put(place.memory, memory, where);
    return r;
  }

  template <class X> VOLARY_COLD void measure_one(int number, const sensors::Truth<T>& t, std::uint64_t now, const engine::SensesDue& due, Mask<T> where) const {
    using Reading = typename X::template Reading<T>;
    const SensePlace& place = layout().sensors[number];
    const std::uint64_t of = measured_tick(number, now);
    const auto entries = static_cast<std::uint64_t>(place.entries);
    if ((due.measured >> number & 1u) != 0) {
      const std::uint64_t entry = sensors::ring_entry(timing_of(place), of, entries), before = (entry + entries - 1) % entries;
      const Mask<T> carried = where & carries(number);
      const Reading last = get<Reading>(place.ring + static_cast<int>(before) * place.rows);
      Reading r = measured<X>(number, t, last, of, carried);
      put(place.ring + static_cast<int>(entry) * place.rows, r, carried);
    }
    if ((due.arrived >> number & 1u) == 0) return;
    Reading r = made_at<X>(number, now - place.latency);
    put(place.delivered, r, where);
  }

  // The reading of a tick as its readers get it. One that a fault delays is an older one that claims to be of that tick.
  template <class X> VOLARY_HD typename X::template Reading<T> made_at(int number, std::uint64_t tick) const {
    using Reading = typename X::template Reading<T>;
    const SensePlace& place = layout().sensors[number];
    const int entry = static_cast<int>(sensors::ring_entry(timing_of(place), tick, static_cast<std::uint64_t>(place.entries)));
    Reading r = get<Reading>(place.ring + entry * place.rows);
    if (faults == nullptr) return r;
    const T delay = load_delay(sensors::fault_of_sensor(number));
    if (!any(delay > splat<T>(0))) return r;
    for (int k = 1; k <= place.room; ++k) {
      Reading older = get<Reading>(place.ring + (entry + place.entries - k) % place.entries * place.rows);
      const std::uint64_t back = static_cast<std::uint64_t>(k) * place.period;
      const Mask<T> is_new = older.tick == sensors::tick_word<T>(tick >= back ? tick - back : 0);
      older.tick = select(is_new, sensors::tick_word<T>(tick), older.tick);
      r = sensors::choose<T>(delay == splat<T>(k), older, r);
    }
    return r;
  }
  VOLARY_HD T load_delay(int which) const { return sensors::load_delay<T>(faults, which); }

  VOLARY_HD void measure_at(std::uint64_t now, const engine::SensesDue& due, Mask<T> where) const {
    const std::uint32_t some = due.measured | due.arrived;
    if (some == 0) return;
    const sensors::Truth<T> t = truth();
    each_sensor(sensors::AllSensors{}, [&]<class X>(int number) {
      if ((some >> number & 1u) != 0) measure_one<X>(number, t, now, due, where);
    });
  }

  // ---------------------------------------------------------------- estimating

  struct Increment {
    Vec3<T> angle, velocity;
  };
  VOLARY_HD Increment increment_at(const S* from) const {
    Increment u;
    RowLoader<S> loader{from};
    each_scalar(u.angle, loader);
    each_scalar(u.velocity, loader);
    return u;
  }
  VOLARY_HD S* increment_row(std::uint64_t tick) const {
    return rows + (layout().increments + 6 * static_cast<int>(tick % static_cast<std::uint64_t>(layout().horizon))) * kBlock;
  }

  // apart, because readings are rare
  template <class X, int N>
  VOLARY_COLD void fuse_one(int number, estimation::Filter<T, N>& f, const estimation::Knowledge<T>& k, const estimation::EkfParams<T>& p) const {
    const SensePlace& place = layout().sensors[number];
    const auto reading = made_at<X>(number, k.tick);
    auto watch = get<estimation::Watch<T>>(place.watch);
    // a reading that was lost is an older one, with its tick
    estimation::fuse_reading(f, watch, reading, k, p, carries(number) & (reading.tick == sensors::tick_word<T>(k.tick)));
    put(place.watch, watch);
  }
  template <int N>
  VOLARY_HD void fuse_all(estimation::Filter<T, N>& f, const Increment& u, std::uint64_t tick, const engine::SensesDue& due, const estimation::EkfParams<T>& p) const {
    const SensePlace& anchors = layout().sensors[estimation::kUwbAnchors];
    const estimation::Knowledge<T> k{&site(),
                                     anchors.ring < 0 ? nullptr : &params<sensors::UwbAnchors::Params<T>>(anchors.params),
                                     (splat<T>(1) / p.dt) * u.angle,
                                     layout().ground < 0 ? splat<T>(static_cast<double>(site().ground_height)) : load(rows + layout().ground * kBlock, T()),
                                     tick};
    each_sensor(sensors::AllSensors{}, [&]<class X>(int number) {
      const SensePlace& place = layout().sensors[number];
      if (place.watch < 0) return;
      auto watch = get<estimation::Watch<T>>(place.watch);
      estimation::grow_older(watch, p.dt);
      put(place.watch, watch);
      if ((due.fused >> number & 1u) != 0) fuse_one<X, N>(number, f, k, p);
    });
  }

  template <int N> VOLARY_HD static T position_variance(const estimation::Covariance<T, N>& P) {
    constexpr int k = estimation::kPosition;
    return max(splat<T>(1.0 / 3) * ((P.get(k, k) + P.get(k + 1, k + 1)) + P.get(k + 2, k + 2)), splat<T>(0));
  }

  // the estimate of now, for controllers and everybody else
  VOLARY_HD void tell(const estimation::Nominal<T>& x, T position_variance, std::uint64_t now) const {
    estimation::Nominal<T> n = x;
    const Vec3<T> gyro = hot3(args.at.gyro);
    Vec3<T> omega_B = gyro - n.gyro_bias;
    if (faults != nullptr) return tell_with_fault(n, omega_B, position_variance, now);
    RowStorer<S> body{hot + args.at.estimate * kBlock};
    each_scalar(n.position_W, body), each_scalar(n.velocity_W, body), each_scalar(n.q_WB, body), each_scalar(omega_B, body);
    tell_biases(n, position_variance);
  }
  // The same where some estimator has a fault: it says nothing new, or the position that it tells is not the one that it has.
  VOLARY_COLD void tell_with_fault(estimation::Nominal<T>& n, Vec3<T>& omega_B, T position_variance, std::uint64_t now) const {
    const sensors::FaultTerms<T> f = fault(sensors::kEstimatorFault);
    const sensors::Draws<T> draws{Identity<T>{who}, now};
    constexpr auto kDraw = static_cast<std::uint32_t>(Purpose::EstimateStart);  // no sensor has its number
    const T lost = environment::uniform<T>(draws.words(Purpose::FaultDrop, kDraw).w[0]);
    const Mask<T> silent = (f.hold > splat<T>(0)) | (lost < f.drop);
    const Normals8<T> noise = draws.normals(Purpose::FaultNoise, kDraw);
    n.position_W = advance(n.position_W, fma(f.sigma, sensors::three(noise, 0), f.offset));
    RowBlender<T> body{hot + args.at.estimate * kBlock, !silent};
    each_scalar(n.position_W, body), each_scalar(n.velocity_W, body), each_scalar(n.q_WB, body), each_scalar(omega_B, body);
    tell_biases(n, position_variance);
    // one that is off says so, one that is stuck does not
    const Mask<T> off = (f.hold > splat<T>(0)) & (f.drop > splat<T>(0));
    Bits<S>* const health = reinterpret_cast<Bits<S>*>(rows + layout().health * kBlock);
    store(health, select(off, bit_constant<T>(0, 0), load(health, Bits<T>())));
  }
  VOLARY_HD void tell_biases(estimation::Nominal<T>& n, T position_variance) const {
    RowStorer<S> bias{hot + args.at.bias * kBlock};
    each_scalar(n.gyro_bias, bias), each_scalar(n.accel_bias, bias), each_scalar(n.wind, bias);
    T deviation = sqrt(position_variance);
    bias(deviation);
  }

  // Fusion is `horizon` ticks late, when even the slowest reading is there; from there the increments of the IMU lead exactly to now.
  template <int N> VOLARY_HD void estimate_with(std::uint64_t now, const engine::SensesDue& due) const {
    const auto& p = params<estimation::EkfParams<T>>(layout().filter_params);
    const auto horizon = static_cast<std::uint64_t>(layout().horizon);
    Increment u = increment_at(hot + args.at.delta_angle * kBlock);
    if (horizon > 0) {
      Increment newest = u;
      u = increment_at(increment_row(now));
      RowStorer<S> storer{increment_row(now)};
      each_scalar(newest.angle, storer), each_scalar(newest.velocity, storer);
    }
    estimation::Filter<T, N> f;
    f.P.row = rows + layout().covariance * kBlock;
    f.x = get<estimation::Nominal<T>>(layout().nominal);
    if (now > horizon) {
      const estimation::Nominal<T> before = f.x;
      estimation::predict_tick(f, u.angle, u.velocity, p);
      fuse_all<N>(f, u, now - horizon, due, p);
      estimation::finish_tick(f, before, p);
      put(layout().nominal, f.x);
      store(reinterpret_cast<Bits<S>*>(rows + layout().health * kBlock), f.health);
    }
    for (std::uint64_t k = now > horizon ? now - horizon + 1 : 1; horizon > 0 && k <= now; ++k) {
      const Increment later = increment_at(increment_row(k));
      estimation::propagate(f.x, later.angle, later.velocity, p.dt, p.gravity);
    }
    tell(f.x, position_variance(f.P), now);
  }
  VOLARY_HD void estimate_at(std::uint64_t now, const engine::SensesDue& due) const {
    if (layout().states == 17)
      estimate_with<17>(now, due);
    else
      estimate_with<15>(now, due);
  }

  // ---------------------------------------------------------------- the start of a vehicle

  // what its sensors remember, and an empty world around it; the row of what it carries is set
  VOLARY_HD void begin_memories(std::uint64_t now) const {
    const sensors::Draws<T> draws{Identity<T>{who}, now};
    each_sensor(sensors::AllSensors{}, [&]<class X>(int number) {
      const SensePlace& place = layout().sensors[number];
      if (place.ring < 0) return;
      auto memory = X::template begin<T>(params<typename X::template Params<T>>(place.params), draws);
      auto scene = X::template clear<T>();
      put(place.memory, memory);
      put(place.scene, scene);
    });
  }
  // a first reading for everybody who asks before one is due
  VOLARY_HD void begin_readings(std::uint64_t now) const {
    const sensors::Truth<T> t = truth();
    each_sensor(sensors::AllSensors{}, [&]<class X>(int number) {
      using Reading = typename X::template Reading<T>;
      const SensePlace& place = layout().sensors[number];
      if (place.ring < 0) return;
      const Mask<T> carried = carries(number);
      // what a vehicle does not carry says nothing, and never will
      Reading r = sensors::choose<T>(carried, measured<X>(number, t, sensors::blank_reading<X, T>(), now, carried), sensors::blank_reading<X, T>());
      for (int k = 0; k < place.entries; ++k) put(place.ring + k * place.rows, r);
      put(place.delivered, r);
    });
  }
  template <int N> VOLARY_HD void begin_filter_with(std::uint64_t now, bool exact) const {
    const auto& p = params<estimation::EkfParams<T>>(layout().filter_params);
    const sensors::Truth<T> t = truth();
    const sensors::Draws<T> draws{Identity<T>{who}, now};
    const Normals8<T> a = draws.normals(Purpose::EstimateStart, 0), b = draws.normals(Purpose::EstimateStart, 1);
    T normal[estimation::kStartDraws];
    for (int k = 0; k < estimation::kStartDraws; ++k) normal[k] = exact ? splat<T>(0) : k < 8 ? a.n[k] : b.n[k - 8];
    estimation::Nominal<T> x = estimation::begin_estimate(t.q_WB, t.velocity_W, t.position_W, normal, p);
    const estimation::Covariance<T, N> P{rows + layout().covariance * kBlock};
    estimation::begin_covariance(P, p, splat<T>(0) == splat<T>(0));
    put(layout().nominal, x);
    store(reinterpret_cast<Bits<S>*>(rows + layout().health * kBlock), estimation::known_bits(P, p));
    tell(x, position_variance(P), now);
  }
  VOLARY_HD void begin_filter(std::uint64_t now, bool exact) const {
    if (layout().states == 17) begin_filter_with<17>(now, exact);
    if (layout().states == 15) begin_filter_with<15>(now, exact);
  }
};

// ---------------------------------------------------------------- lanes that are not alike

// Keeps the lanes of both records as they are, and puts those back that were not to change.
template <class T> struct KeptLanes {
  using S = Scalar<T>;
  const SenseLanes<T>& of;
  VOLARY_HD void keep() const { each([](S* kept, S* row, Mask<T>) { store(kept, load(row, T())); }, splat<T>(0) > splat<T>(0)); }
  VOLARY_HD void put_back(Mask<T> unchanged) const {
    each([](S* kept, S* row, Mask<T> m) { store(row, select(m, load(kept, T()), load(row, T()))); }, unchanged);
  }

 private:
  template <class F> VOLARY_HD void each(F&& f, Mask<T> m) const {
    S* spare = static_cast<S*>(of.args.spare);
    for (int r = 0; r < of.args.layout->rows; ++r, spare += kBlock) f(spare, of.rows + r * kBlock, m);
    for (int r = 0; r < of.args.hot_rows; ++r, spare += kBlock) f(spare, of.hot + r * kBlock, m);
  }
};

// f(tick of the state, what is due then, lanes) for every tick that the lanes' worlds are at: mostly one for all
template <class T, class F> VOLARY_HD void each_tick(const SenseArgs& args, std::size_t first_agent, F&& f) {
  using S = Scalar<T>;
  const Mask<T> all = splat<T>(0) == splat<T>(0);
  if (args.apart == nullptr) return f(args.tick + 1, args.due, all);
  std::uint64_t tick[kBlock];
  bool done[kBlock];
  for (int k = 0; k < kLanes<T>; ++k) {
    const std::size_t slot = first_agent + static_cast<std::size_t>(k);
    tick[k] = args.apart->ticks[args.apart->worlds[slot < args.apart->slots ? slot : args.apart->slots - 1]];
    done[k] = false;
  }
  for (int k = 0; k < kLanes<T>; ++k) {
    if (done[k]) continue;
    alignas(64) S chosen[kBlock];
    for (int j = 0; j < kLanes<T>; ++j) {
      const bool is_here = tick[j] == tick[k];
      chosen[j] = is_here ? S(1) : S(0);
      if (is_here) done[j] = true;
    }
    f(tick[k] + 1, due_at(*args.layout, tick[k] + 1), load(chosen, T()) > splat<T>(0));
  }
}

template <class T> VOLARY_HD void measure_lanes(const SenseLanes<T>& lanes, std::size_t first_agent) {
  const Mask<T> alive = lanes.alive();
  if (!any(alive)) return;
  each_tick<T>(lanes.args, first_agent, [&](std::uint64_t now, const engine::SensesDue& due, Mask<T> here) { lanes.measure_at(now, due, alive & here); });
}

template <class T> VOLARY_HD void estimate_lanes(const SenseLanes<T>& lanes, std::size_t first_agent) {
  const Mask<T> alive = lanes.alive();
  if (!any(alive)) return;
  each_tick<T>(lanes.args, first_agent, [&](std::uint64_t now, const engine::SensesDue& due, Mask<T> here) {
    const Mask<T> meant = alive & here;
    if (all(meant)) return lanes.estimate_at(now, due);
    const KeptLanes<T> kept{lanes};
    kept.keep();
    lanes.estimate_at(now, due);
    kept.put_back(!meant);
  });
}

}  // namespace volary::inline VOLARY_ISA::engine_kernels
