// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Cars and their drivers for one instruction set: many states, setpoints, slopes and walls, a few ticks each, and every bit of what comes out is folded.
// Compiled once per row of car_lanes_test.cpp with VOLARY_ISA, VOLARY_LANES and the flags of that instruction set, and once plainly.
#include "math/random.hpp"
#include "vehicles/car_model.hpp"

#ifndef VOLARY_LANES
#define VOLARY_LANES 1
#endif
#define VOLARY_JOIN(A, B) A##B
#define VOLARY_CONCAT(A, B) VOLARY_JOIN(A, B)

namespace volary::car_lanes_units {
// the parameters of a car, in the order of its rows; car_lanes_test.cpp
const double* example_parameters(bool slips);
}  // namespace volary::car_lanes_units

namespace volary::inline VOLARY_ISA::car_lanes_unit {

using namespace math;
using vehicles::CarProgram;

constexpr int kCases = 1024, kTicks = 6;

inline std::uint64_t fold(std::uint64_t digest, std::uint64_t value) {
  std::uint64_t x = (digest ^ value) * 0x9E3779B97F4A7C15ull;
  x ^= x >> 29;
  return x * 0xBF58476D1CE4E5B9ull + digest;
}

// input `which` of case k, in -1..1; one in sixteen is 0
template <class S> S input(int k, int which) {
  const Words4<std::uint32_t> w = random_words<std::uint32_t>({5, 6}, static_cast<std::uint32_t>(k), 0, Purpose::Test, static_cast<std::uint32_t>(which), 0);
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
  Vec3<T> flat(double size) {
    const T x = take(size), y = take(size);
    return {x, y, splat<T>(0)};
  }
  // control levels 0 to 7 and every mode
  Bits<T> word(int most, std::uint32_t more) {
    Bits<S> row[kBlock];
    for (int lane = 0; lane < kLanes<T>; ++lane) row[lane] = static_cast<Bits<S>>((first + lane) / 3 % most) | static_cast<Bits<S>>(more);
    return load(row, Bits<T>());
  }
};

template <class T, bool Slips> typename CarProgram<Slips>::template Params<T> parameters() {
  typename CarProgram<Slips>::template Params<T> p;
  const double* from = car_lanes_units::example_parameters(Slips);
  auto* to = reinterpret_cast<T*>(&p);
  for (std::size_t k = 0; k < sizeof p / sizeof(T); ++k) to[k] = splat<T>(from[k]);
  return p;
}

template <class T> struct Digest {
  std::uint64_t lanes[kBlock] = {};
  void add(std::uint64_t (&bits)[kBlock]) {
    for (int lane = 0; lane < kLanes<T>; ++lane) lanes[lane] = fold(lanes[lane], bits[lane]);
  }
  template <class X> void operator()(X& x) {
    using S = Scalar<T>;
    std::uint64_t bits[kBlock] = {};
    if constexpr (IsBits<X>::value) {
      Bits<S> row[kBlock];
      store(row, x);
      for (int lane = 0; lane < kLanes<T>; ++lane) bits[lane] = row[lane];
    } else {
      S row[kBlock];
      store(row, x);
      for (int lane = 0; lane < kLanes<T>; ++lane) bits[lane] = to_bits(row[lane]);
    }
    add(bits);
  }
  template <class X> void operator()(const Field&, X& x) { each_scalar(x, *this); }
};

template <class T, bool Slips> std::uint64_t digest_of_cars() {
  using Program = CarProgram<Slips>;
  std::uint64_t all = 0;
  for (int k = 0; k < kCases; k += kLanes<T>) {
    Inputs<T> in{k};
    auto p = parameters<T, Slips>();
    typename Program::template Agent<T> a{};
    T s, c;
    sincos(in.take(1.57), s, c);
    a.status = in.word(7, control::kAlive);
    a.body = {{in.flat(300), in.flat(1e-5)}, in.flat(12), {c, splat<T>(0), splat<T>(0), s}, {splat<T>(0), splat<T>(0), in.take(1)}};
    a.steer = in.take(0.5);
    a.driver.speed_integral = in.take(1);
    a.setpoint.level = in.word(8, 0);
    a.setpoint.position_W = {in.flat(300), zero3<T>()};
    a.setpoint.velocity_W = in.flat(12);
    a.setpoint.acceleration_W = in.flat(4);
    for (T& wheel : a.setpoint.wheels) wheel = in.take(1);
    a.outside = {{in.take(500), in.take(500), in.take(500)}, {in.take(100), in.take(100), in.take(100)}};
    // slopes up to 45 degrees, and beyond 60 a wall
    const Vec3<T> tilt = in.flat(1);
    const T steep = in.take(3);
    const Vec3<T> up = {tilt.x * steep, tilt.y * steep, splat<T>(1)};
    p.ground.normal_W = (splat<T>(1) / norm(up)) * up;
    p.ground.anchor_x = a.body.position_W.value.x + in.take(1);
    p.ground.anchor_y = a.body.position_W.value.y + in.take(1);
    Digest<T> d;
    for (int tick = 0; tick < kTicks; ++tick) {
      Program::advance(a, vehicles::TickInfo{}, p);
      Program::template Agent<T>::state(a, d);
    }
    for (int lane = 0; lane < kLanes<T>; ++lane) all += fold(static_cast<std::uint64_t>(k + lane), d.lanes[lane]);
  }
  return all;
}
template <class T> std::uint64_t digest_of_both() { return fold(digest_of_cars<T, true>(), digest_of_cars<T, false>()); }

}  // namespace volary::inline VOLARY_ISA::car_lanes_unit

namespace volary::car_lanes_units {

#if VOLARY_LANES == 1
std::uint64_t VOLARY_CONCAT(car_float_, VOLARY_ISA)() { return car_lanes_unit::digest_of_both<float>(); }
std::uint64_t VOLARY_CONCAT(car_double_, VOLARY_ISA)() { return car_lanes_unit::digest_of_both<double>(); }
#else
std::uint64_t VOLARY_CONCAT(car_float_, VOLARY_ISA)() { return car_lanes_unit::digest_of_both<math::Wide<float, VOLARY_LANES>>(); }
#if VOLARY_LANES == VOLARY_FOUR_DOUBLES_BESIDE
std::uint64_t VOLARY_CONCAT(car_double_, VOLARY_ISA)() { return car_lanes_unit::digest_of_both<math::Wide<double, 4>>(); }
#endif
#endif

}  // namespace volary::car_lanes_units
