// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Earth and air for one instruction set: samples all of it at many places and folds every bit. Compiled once per row of air_lanes_test.cpp with
// VOLARY_ISA, VOLARY_LANES and the flags of that instruction set, and once plainly, as part of the tests.
#include "environment/earth.hpp"

#ifndef VOLARY_LANES
#define VOLARY_LANES 1
#endif
#define VOLARY_JOIN(A, B) A##B
#define VOLARY_CONCAT(A, B) VOLARY_JOIN(A, B)

namespace volary::inline VOLARY_ISA::air_lanes_unit {

using namespace environment;

constexpr int kPlaces = 4096;

inline std::uint64_t fold(std::uint64_t digest, std::uint64_t value) {
  std::uint64_t x = (digest ^ value) * 0x9E3779B97F4A7C15ull;
  x ^= x >> 29;
  return x * 0xBF58476D1CE4E5B9ull + digest;
}

// every part of the wind, moist air that is not standard, a curved world
inline Earth<double> everything(TurbulenceForm form, Shear shear) {
  EarthDef d;
  d.origin = {0.83, 0.15, 400};
  d.curved = true;
  d.air = {7, -500, 0.6};
  d.wind.velocity_W = {6, -3, 0.5};
  d.wind.shear = shear;
  d.fading = {1e-4, 2e-4};
  d.turbulent = true;
  d.form = form;
  d.levels = turbulence_levels(form, 9, Exceedance::P1e4);
  d.gusts = 1;
  d.gust[0] = {{1, 2, 3}, {0, 0, 0}, {0.6, 0.8, 0}, 4, 1, 300, true};
  return make_earth(d, magnetic::wmm2025(), world_key(77, 3));
}

struct GridOfNumbers {
  static constexpr std::size_t kNodes = 5 * 4 * 3;
  float values[6][kNodes];
};
template <class S> WindGridNow<S> some_grid(GridOfNumbers& g) {
  for (std::size_t k = 0; k < 6 * GridOfNumbers::kNodes; ++k)
    g.values[k / GridOfNumbers::kNodes][k % GridOfNumbers::kNodes] = static_cast<float>(k * k % 97) * 0.1f;
  return {{{g.values[0], g.values[1], g.values[2]}, {g.values[3], g.values[4], g.values[5]}},
          S(0.3),
          {S(-2000), S(-2000), S(0)},
          {S(0.001), S(0.001), S(0.002)},
          {S(4), S(3), S(2)},
          {1, 5, 20}};
}

// a third of the places is below 1000 ft, a third below 11 km, a third anywhere up to 90 km: lanes of one register lie in different layers
template <class S> void some_places(S* x, S* y, S* z) {
  for (int k = 0; k < kPlaces; ++k) {
    const Words4<std::uint32_t> w = random_words<std::uint32_t>({1, 2}, static_cast<std::uint32_t>(k), 0, Purpose::Test, 0, 0);
    const double top = k % 3 == 0 ? 300 : k % 3 == 1 ? 11000 : 90000;
    x[k] = static_cast<S>(40000 * uniform<double>(w.w[0]) - 20000), y[k] = static_cast<S>(40000 * uniform<double>(w.w[1]) - 20000);
    z[k] = static_cast<S>((k / 48 % 2 == 0 ? 300 : top) * uniform<double>(w.w[2]) - 20);
  }
}

template <class T> std::uint64_t digest_of_air(TurbulenceForm form, Shear shear) {
  using S = Scalar<T>;
  static S x[kPlaces], y[kPlaces], z[kPlaces];
  some_places(x, y, z);
  const Earth<double> made = everything(form, shear);
  Earth<S> now = earth_as<S>(made);
  GridOfNumbers numbers;
  now.gridded = true;
  now.grid = some_grid<S>(numbers);
  bring_to_present(made, {1e-4, 2e-4}, 1234.5, {7000, -3500, 600}, now);
  std::uint64_t digest = 0;
  for (int k = 0; k < kPlaces; k += kLanes<T>) {
    const Vec3<T> p{load(x + k, T()), load(y + k, T()), load(z + k, T())};
    const Surroundings<T> s = sample<T>(now, p, p.z, 1234.5);
    const T values[] = {s.temperature, s.pressure, s.density,      s.speed_of_sound, s.wind_W.x,     s.wind_W.y,
                        s.wind_W.z,    s.gravity,  s.magnetic_W.x, s.magnetic_W.y,   s.magnetic_W.z, viscosity(s.temperature)};
    S out[12][kBlock];
    for (int v = 0; v < 12; ++v) store(out[v], values[v]);
    for (int lane = 0; lane < kLanes<T>; ++lane)
      for (int v = 0; v < 12; ++v) digest = fold(digest, to_bits(out[v][lane]));
  }
  return digest;
}

template <class T> std::uint64_t digest_of_all_air() {
  return fold(digest_of_air<T>(TurbulenceForm::Dryden, Shear::Log), digest_of_air<T>(TurbulenceForm::VonKarman, Shear::Power));
}

}  // namespace volary::inline VOLARY_ISA::air_lanes_unit

namespace volary::air_lanes_units {

#if VOLARY_LANES == 1
using FloatLanes = float;
#else
using FloatLanes = math::Wide<float, VOLARY_LANES>;
#endif
std::uint64_t VOLARY_CONCAT(air_float_, VOLARY_ISA)() { return air_lanes_unit::digest_of_all_air<FloatLanes>(); }

// doubles exist alone and four at a time
#if VOLARY_LANES == 1
std::uint64_t VOLARY_CONCAT(air_double_, VOLARY_ISA)() { return air_lanes_unit::digest_of_all_air<double>(); }
#elif VOLARY_LANES == VOLARY_FOUR_DOUBLES_BESIDE
std::uint64_t VOLARY_CONCAT(air_double_, VOLARY_ISA)() { return air_lanes_unit::digest_of_all_air<math::Wide<double, 4>>(); }
#endif

}  // namespace volary::air_lanes_units
