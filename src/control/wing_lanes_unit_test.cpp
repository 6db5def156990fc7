// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The control laws of wings for one instruction set: many states and setpoints, wild ones among them, are answered and every bit is folded.
// Compiled once per row of wing_lanes_test.cpp with VOLARY_ISA, VOLARY_LANES and the flags of that instruction set, and once plainly.
#include "control/vtol.hpp"
#include "control/wing.hpp"
#include "control/wing_design.hpp"
#include "math/random.hpp"

#ifndef VOLARY_LANES
#define VOLARY_LANES 1
#endif
#define VOLARY_JOIN(A, B) A##B
#define VOLARY_CONCAT(A, B) VOLARY_JOIN(A, B)

namespace volary::inline VOLARY_ISA::wing_lanes_unit {

using namespace control;

constexpr int kCases = 2048;

inline std::uint64_t fold(std::uint64_t digest, std::uint64_t value) {
  std::uint64_t x = (digest ^ value) * 0x9E3779B97F4A7C15ull;
  x ^= x >> 29;
  return x * 0xBF58476D1CE4E5B9ull + digest;
}

// input `which` of case k, in -1..1; one in sixteen is 0
template <class S> S input(int k, int which) {
  const Words4<std::uint32_t> w = random_words<std::uint32_t>({3, 4}, static_cast<std::uint32_t>(k), 0, Purpose::Test, static_cast<std::uint32_t>(which), 0);
  return w.w[1] % 16 == 0 ? S(0) : static_cast<S>(w.w[0] * (1.0 / 2147483648.0) - 1);
}

// hands out the inputs of some cases, one after the other, in rows
template <class T> struct Inputs {
  using S = Scalar<T>;
  int first, next = 0;
  T take(double size) {
    S row[kBlock];
    for (int lane = 0; lane < kLanes<T>; ++lane) row[lane] = input<S>(first + lane, next);
    ++next;
    return load(row, T()) * splat<T>(size);
  }
  Vec3<T> vector(double size) {
    const T x = take(size), y = take(size), z = take(size);
    return {x, y, z};
  }
  Bits<T> level() {
    Bits<S> row[kBlock];
    for (int lane = 0; lane < kLanes<T>; ++lane) row[lane] = static_cast<Bits<S>>((first + lane) % 8);
    return load(row, Bits<T>());
  }
};

template <class T> struct Spread {
  Scalar<T> const* from;
  template <class X> void operator()(X& x) { x = T(*from++); }
  template <class X> void operator()(const Field&, X& x) { each_scalar(x, *this); }
};
template <class T> WingGains<T> some_gains() {
  using S = Scalar<T>;
  WingGains<double> exact = wing_gains_from(WingAirframe{});
  S rounded[sizeof exact / sizeof(double)];
  const double* from = &exact.tick;
  for (S& x : rounded) x = static_cast<S>(*from++);
  WingGains<T> g;
  Spread<T> spread{rounded};
  WingGains<T>::fields(g, spread);
  return g;
}

template <class T> VtolGains<T> some_vtol() {
  const auto c = [](double x) { return splat<T>(x); };
  return {c(9), c(15), c(1.2), c(0.03), c(0.08), c(0.2), c(15), c(2)};
}
template <class T> LadderParams<T> some_ladder() {
  const auto c = [](double x) { return splat<T>(x); };
  const auto v = [](double x, double z) { return Vec3<T>{splat<T>(x), splat<T>(x), splat<T>(z)}; };
  return {c(5), c(9.8), c(0.01), v(0.6, 1), v(1.5, 3), v(0.3, 1), v(0, 0), v(2, 3), v(4, 2), v(0, 0), v(0, 0), c(25), c(3), c(0.4), c(2), c(2), c(80), c(0)};
}

template <class T> struct Digest {
  void add(T x) {
    Scalar<T> row[kBlock];
    store(row, x);
    for (int lane = 0; lane < kLanes<T>; ++lane) lanes[lane] = fold(lanes[lane], to_bits(row[lane]));
  }
  std::uint64_t lanes[kBlock] = {};
};
template <class T> struct AddAll {
  Digest<T>& d;
  template <class X> void operator()(X& x) { d.add(x); }
  template <class X> void operator()(const Field&, X& x) { each_scalar(x, *this); }
};

template <class T> std::uint64_t digest_of_wings() {
  const WingGains<T> g = some_gains<T>();
  const T h = splat<T>(0.0025);
  std::uint64_t all = 0;
  for (int k = 0; k < kCases; k += kLanes<T>) {
    Inputs<T> in{k};
    WingState<T> x{in.take(3.14), in.take(1.57), in.take(3.14), in.take(3), in.take(3), in.take(3), splat<T>(0), splat<T>(1.1), {}, in.vector(25), {},
                   splat<T>(0)};
    x.velocity_W = x.air_W + in.vector(8);
    x.airspeed = norm(x.air_W);
    x.position_W = {in.vector(500), in.vector(1e-4)};
    x.above_ground = x.position_W.value.z;
    Reference<T> sp{in.level(), {in.vector(500), zero3<T>()}, in.vector(20), in.vector(6), zero3<T>(), splat<T>(0), splat<T>(0)};
    WingMemory<T> m{{splat<T>(0), splat<T>(0), splat<T>(0)}, splat<T>(0), splat<T>(0), splat<T>(0), splat<T>(0)};
    LadderMemory<T> l{zero3<T>(), zero3<T>()};
    Digest<T> d;
    for (int tick = 0; tick < 2; ++tick) {
      const WingTarget<T> t = wing_guidance(sp, x, g, m);
      const Vec3<T> u = wing_attitude(t, x, g, h, m), w = wing_rates(in.vector(1), x, g, h, m);
      const T outs[] = {t.roll, t.pitch, t.throttle, u.x, u.y, u.z, w.x, w.y, w.z};
      for (const T& out : outs) d.add(out);
    }
    const VtolTarget<T> t = vtol_guidance(sp, x, g, some_vtol<T>(), some_ladder<T>(), m, l);
    const T outs[] = {t.weight, t.wing.roll, t.wing.pitch, t.wing.throttle, t.hover.q_WB.w, t.hover.q_WB.x, t.hover.q_WB.y, t.hover.q_WB.z, t.hover.thrust};
    for (const T& out : outs) d.add(out);
    AddAll<T> rest{d};
    WingMemory<T>::fields(m, rest);
    LadderMemory<T>::fields(l, rest);
    for (int lane = 0; lane < kLanes<T>; ++lane) all += fold(static_cast<std::uint64_t>(k + lane), d.lanes[lane]);
  }
  return all;
}

}  // namespace volary::inline VOLARY_ISA::wing_lanes_unit

namespace volary::wing_lanes_units {

#if VOLARY_LANES == 1
using FloatLanes = float;
#else
using FloatLanes = math::Wide<float, VOLARY_LANES>;
#endif
std::uint64_t VOLARY_CONCAT(wing_float_, VOLARY_ISA)() { return wing_lanes_unit::digest_of_wings<FloatLanes>(); }

// doubles exist alone and four at a time
#if VOLARY_LANES == 1
std::uint64_t VOLARY_CONCAT(wing_double_, VOLARY_ISA)() { return wing_lanes_unit::digest_of_wings<double>(); }
#elif VOLARY_LANES == VOLARY_FOUR_DOUBLES_BESIDE
std::uint64_t VOLARY_CONCAT(wing_double_, VOLARY_ISA)() { return wing_lanes_unit::digest_of_wings<math::Wide<double, 4>>(); }
#endif

}  // namespace volary::wing_lanes_units
