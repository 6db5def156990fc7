// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// All sensors for one instruction set: 64 vehicles that differ in everything measure for a while, and every bit of memories and readings is folded. Compiled
// once per row of sensor_lanes_test.cpp with VOLARY_ISA, VOLARY_LANES and the flags of that instruction set, and once plainly, as part of the tests.
#include "sensors/all.hpp"

#ifndef VOLARY_LANES
#define VOLARY_LANES 1
#endif
#define VOLARY_JOIN(A, B) A##B
#define VOLARY_CONCAT(A, B) VOLARY_JOIN(A, B)

namespace volary::sensor_lanes_units {
// Derived in sensor_lanes_test.cpp, which is compiled for every CPU: definitions have no name of an instruction set, and a copy of their functions from here
// could run where that is missing. The sensors in the order of their list, then the IMU.
const double* params_of(int sensor);
}  // namespace volary::sensor_lanes_units

namespace volary::inline VOLARY_ISA::sensor_lanes_unit {

using namespace sensors;
using sensor_lanes_units::params_of;

constexpr int kVehicles = 64, kRounds = 12, kSteps = 3;

inline std::uint64_t fold(std::uint64_t digest, std::uint64_t value) {
  std::uint64_t x = (digest ^ value) * 0x9E3779B97F4A7C15ull;
  x ^= x >> 29;
  return x * 0xBF58476D1CE4E5B9ull + digest;
}

// values of vehicle `id` between -1 and 1: the same whatever lane it has
template <class S> S some(int id, int what) {
  const Words4<std::uint32_t> w = random_words<std::uint32_t>({3, 4}, static_cast<std::uint32_t>(id), 0, Purpose::Test, static_cast<std::uint64_t>(what), 0);
  return static_cast<S>(2 * environment::uniform<double>(w.w[0]) - 1);
}
template <class T> T some_lanes(int first, int what) {
  Scalar<T> row[kBlock];
  for (int l = 0; l < kLanes<T>; ++l) row[l] = some<Scalar<T>>(first + l, what);
  return load(row, T());
}
template <class T> Vec3<T> some_vector(int first, int what, double size) {
  return splat<T>(size) * Vec3<T>{some_lanes<T>(first, what), some_lanes<T>(first, what + 1), some_lanes<T>(first, what + 2)};
}

// identity rows as a block has them, of the block in which vehicle `first` is
template <class S> struct Who {
  Bits<S> rows[4 * kBlock];
  explicit Who(int first) {
    for (int l = 0; l < kBlock; ++l) {
      rows[l] = static_cast<Bits<S>>(first / kBlock * kBlock + l), rows[kBlock + l] = 0;
      rows[2 * kBlock + l] = 11, rows[3 * kBlock + l] = 12;
    }
  }
};

template <class T> Truth<T> some_truth(int first, int round) {
  const int w = 100 * round;
  Truth<T> t;
  t.position_W = {some_vector<T>(first, w, 40), some_vector<T>(first, w + 3, 1e-6)};
  t.position_W.value.z = abs(t.position_W.value.z);
  t.velocity_W = some_vector<T>(first, w + 6, 15), t.omega_B = some_vector<T>(first, w + 9, 3), t.wind_W = some_vector<T>(first, w + 12, 5);
  t.q_WB = normalize(Quat<T>{splat<T>(1), some_lanes<T>(first, w + 15), some_lanes<T>(first, w + 16), some_lanes<T>(first, w + 17)});
  t.density = splat<T>(1.1), t.rotor_load = abs(some_lanes<T>(first, w + 18));
  return t;
}
// every fourth vehicle has one, and some have several
template <class T> FaultTerms<T> some_fault(int first) {
  const T zero = splat<T>(0), u = some_lanes<T>(first, 9000);
  FaultTerms<T> f = no_fault<T>();
  f.sigma = select(u > splat<T>(0.7), splat<T>(0.3), zero);
  f.drop = select(u > splat<T>(0.5), splat<T>(0.2), zero);
  f.hold = select(u < splat<T>(-0.8), splat<T>(1), zero);
  f.scale = select(u < splat<T>(-0.6), splat<T>(1.1), splat<T>(1));
  return f;
}

template <class T> struct Folder {
  std::uint64_t* digests;  // of each lane
  VOLARY_HD void operator()(T& x) {
    Scalar<T> row[kBlock];
    store(row, x);
    for (int l = 0; l < kLanes<T>; ++l) digests[l] = fold(digests[l], to_bits(row[l]));
  }
  VOLARY_HD void operator()(Bits<T>& x) {
    Bits<Scalar<T>> row[kBlock];
    store(row, x);
    for (int l = 0; l < kLanes<T>; ++l) digests[l] = fold(digests[l], row[l]);
  }
  template <class X> VOLARY_HD void operator()(const Field&, X& x) { each_scalar(x, *this); }
};
template <class T, class R> void fold_in(R& r, std::uint64_t* digests) {
  Folder<T> folder{digests};
  R::fields(r, folder);
}

// parameters of all lanes from doubles, as the engine makes them
template <class T, template <class> class P> P<T> broadcast(const double* from) {
  static_assert(sizeof(P<T>) / sizeof(T) == sizeof(P<double>) / sizeof(double));
  P<T> out;
  auto* to = reinterpret_cast<T*>(&out);
  for (std::size_t k = 0; k < sizeof(P<T>) / sizeof(T); ++k) to[k] = splat<T>(from[k]);
  return out;
}

template <class S> Site<S> some_site() {
  Site<double> s{};
  s.magnetic.value = {1500, 21000, -43000}, s.magnetic.slope = {{1e-3, 0, 2e-3}, {0, -3e-3, 1e-3}, {2e-3, 0, 1e-3}};
  s.atmosphere = environment::make_atmosphere({3, 200, 0.4});
  s.gravity = 9.81, s.origin_height = 400, s.origin_pressure_height = 380, s.ground_height = 0.5;
  return site_as<S>(s);
}

template <class X, class T> void set_scene(typename X::template Scene<T>& scene, int first, int round) {
  const T u = some_lanes<T>(first, 5000 + round), half = splat<T>(0.5), zero = splat<T>(0);
  if constexpr (std::is_same_v<X, Gnss>) scene.sky = fma(half, u, half);
  if constexpr (requires { scene.distance; }) scene.distance = select(u > zero, splat<T>(20) * u, splat<T>(-1));
  if constexpr (std::is_same_v<X, UwbAnchors>) scene.blocked = select(u > zero, bit_constant<T>(0x15, 0x15), bit_constant<T>(2, 2));
  if constexpr (std::is_same_v<X, UwbPeers>) scene.blocked = select(u > half, splat<T>(1), zero), scene.partner_W = some_vector<T>(first, 5100, 30);
}

template <class X, class T> void measure_all(std::uint64_t* digests, int first, const Who<Scalar<T>>& who, int sensor) {
  const auto params = broadcast<T, X::template Params>(params_of(sensor));
  const Site<Scalar<T>> site = some_site<Scalar<T>>();
  const Identity<T> identity{who.rows + first % kBlock};
  const FaultTerms<T> fault = some_fault<T>(first);
  auto memory = X::template begin<T>(params, Draws<T>{identity, 0});
  auto scene = X::template clear<T>();
  typename X::template Reading<T> last =
      X::template measure<T>(some_truth<T>(first, 0), site, scene, memory, blank_reading<X, T>(), params, no_fault<T>(), Draws<T>{identity, 0});
  for (int round = 1; round < kRounds; ++round) {
    set_scene<X, T>(scene, first, round);
    last = X::template measure<T>(some_truth<T>(first, round), site, scene, memory, last, params, fault, Draws<T>{identity, static_cast<std::uint64_t>(round)});
    fold_in<T>(memory, digests);
    fold_in<T>(last, digests);
  }
}

template <class T> void sample_imu(std::uint64_t* digests, int first, const Who<Scalar<T>>& who) {
  const auto params = broadcast<T, ImuParams>(params_of(AllSensors::size));
  const Identity<T> identity{who.rows + first % kBlock};
  const FaultTerms<T> faults[2] = {some_fault<T>(first), no_fault<T>()};
  ImuState<T, 4> state;
  ImuTurnOn<T> on;
  begin_imu<T, 4>(state, on, params, Draws<T>{identity, 0});
  fold_in<T>(on, digests);
  for (int round = 0; round < kRounds; ++round) {
    const Draws<T> draws{identity, static_cast<std::uint64_t>(round)};
    T speeds[4];
    for (int i = 0; i < 4; ++i) speeds[i] = fma(splat<T>(300), some_lanes<T>(first, 6000 + i), splat<T>(350));
    ImuTick<T, 4> tick = begin_tick<T, 4>(state, speeds, params, draws);
    for (int k = 0; k < kSteps; ++k) {
      const Truth<T> a = some_truth<T>(first, 2 * round), b = some_truth<T>(first, 2 * round + 1);
      sample<T, 4>(tick, state, k, a.velocity_W, a.omega_B, a.q_WB, a.velocity_W + splat<T>(0.01) * b.velocity_W, b.omega_B, a.q_WB, speeds, on, params, faults,
                   draws);
    }
    end_tick<T, 4>(tick, state);
    fold_in<T>(state, digests);
  }
}

template <class T> std::uint64_t digest_of_all_sensors() {
  std::uint64_t digests[kVehicles] = {};
  for (int first = 0; first < kVehicles; first += kLanes<T>) {
    const Who<Scalar<T>> who(first);
    int sensor = 0;
    core::for_each_type(AllSensors{}, [&]<class X>() { measure_all<X, T>(digests + first, first, who, sensor++); });
    sample_imu<T>(digests + first, first, who);
  }
  std::uint64_t digest = 0;
  for (const std::uint64_t d : digests) digest = fold(digest, d);
  return digest;
}

}  // namespace volary::inline VOLARY_ISA::sensor_lanes_unit

namespace volary::sensor_lanes_units {

#if VOLARY_LANES == 1
using FloatLanes = float;
#else
using FloatLanes = math::Wide<float, VOLARY_LANES>;
#endif
std::uint64_t VOLARY_CONCAT(sensors_float_, VOLARY_ISA)() { return sensor_lanes_unit::digest_of_all_sensors<FloatLanes>(); }

// doubles exist alone and four at a time
#if VOLARY_LANES == 1
std::uint64_t VOLARY_CONCAT(sensors_double_, VOLARY_ISA)() { return sensor_lanes_unit::digest_of_all_sensors<double>(); }
#elif VOLARY_LANES == VOLARY_FOUR_DOUBLES_BESIDE
std::uint64_t VOLARY_CONCAT(sensors_double_, VOLARY_ISA)() { return sensor_lanes_unit::digest_of_all_sensors<math::Wide<double, 4>>(); }
#endif

}  // namespace volary::sensor_lanes_units
