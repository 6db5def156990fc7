// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Turbulence as one frozen field: a sum of plane waves with keyed directions and phases, carried along by the mean wind (Taylor's hypothesis). Wind
// is a function of place and time, so vehicles that are near each other feel nearly the same, and nothing about it is state.
//
// Wave numbers lie on shells, evenly in their logarithm from kLongestWave to kShortestWave. A shell has three waves at right angles to each other,
// each moving the air across its direction: no divergence, and the same strength along every axis exactly. How strong a shell is follows from the
// three-dimensional energy spectrum whose sections along a line are the Dryden or the von Karman spectra (Batchelor, The Theory of Homogeneous
// Turbulence, 1953, ch. 3):
//
//   Dryden      E(k) = 8 / pi sigma2 L (Lk)^4 / (1 + (Lk)^2)^3                  f(r) = exp(-r / L), g(r) = (1 - r / 2L) exp(-r / L)
//   von Karman  E(k) = 55 / 9pi sigma2 L (aLk)^4 / (1 + (aLk)^2)^(17/6)         a = 1.339
//
// Near the ground the specification has shorter and weaker eddies for the vertical component: it takes the strength of each shell from its own sigma
// and L. Because wave numbers are fixed and only strengths change with height, what is near in height is alike too.
#pragma once

#include "environment/gust.hpp"
#include "environment/turbulence_scale.hpp"

namespace volary::inline VOLARY_ISA::environment {

inline constexpr int kTurbulenceShells = 24;
inline constexpr int kTurbulenceWaves = 3 * kTurbulenceShells;
inline constexpr double kLongestWave = 10000;  // m: 99 % of the energy of the longest eddies of the specification (2500 ft) is in shorter ones
inline constexpr double kShortestWave = 1;     // m: shorter eddies do not move a vehicle

template <class S> struct TurbulenceShell {
  S wave2;  // 1/m2: k2, and a2 k2 for von Karman
  S gain;   // m^-1/2: of the strength, without what depends on sigma and L
};
template <class S> struct TurbulenceWave {
  Vec3<S> turns;      // 1/m: the wave vector over 2 pi
  S phase;            // turns, from -1/2 to 1/2
  Vec3<S> direction;  // of the air's movement, of length one
};
template <class S> struct TurbulenceField {
  bool von_karman;
  TurbulenceShell<S> shells[kTurbulenceShells];
  TurbulenceWave<S> waves[kTurbulenceWaves];
};

// ---------------------------------------------------------------- making a field

// a rotation, all equally likely (Shoemake, Graphics Gems III, 1992)
inline Quat<double> random_rotation(double u1, double u2, double u3) {
  double s1, c1, s2, c2;
  sincos(6.283185307179586 * u2, s1, c1);
  sincos(6.283185307179586 * u3, s2, c2);
  const double a = math::sqrt(1 - u1), b = math::sqrt(u1);
  return {b * c2, a * s1, a * c1, b * s2};
}

inline TurbulenceField<double> make_turbulence(TurbulenceForm form, const RandomKey<std::uint32_t>& world) {
  constexpr double two_pi = 6.283185307179586, pi = 3.141592653589793;
  const bool von_karman = form == TurbulenceForm::VonKarman;
  const double stretch = von_karman ? 1.339 : 1, peak = von_karman ? 55 / (9 * pi) : 8 / pi;
  const double width = math::log(kLongestWave / kShortestWave) / kTurbulenceShells;  // of a shell, in the logarithm
  TurbulenceField<double> field{};
  field.von_karman = von_karman;
  for (std::uint32_t shell = 0; shell < kTurbulenceShells; ++shell) {
    const Words4<std::uint32_t> a = random_words<std::uint32_t>(world, shell, 0, Purpose::Turbulence, 0, 0);
    const Words4<std::uint32_t> b = random_words<std::uint32_t>(world, shell, 0, Purpose::Turbulence, 0, 1);
    const auto draw = [](std::uint32_t word) { return uniform<double>(word); };

    // anywhere in the shell, so that the mean over seeds is the spectrum itself. Three waves of amplitude A carry 3 A2 / 4 = E(k) dk, and dk is
    // k times the width
    const double k = two_pi / kLongestWave * math::exp((shell + draw(a.w[3])) * width);
    field.shells[shell] = {stretch * stretch * k * k, math::sqrt(4.0 / 3.0 * peak * width * k)};

    // wave vectors along the axes of a random frame, movement along the next axis
    const Mat3<double> r = rotation_matrix(random_rotation(draw(a.w[0]), draw(a.w[1]), draw(a.w[2])));
    const Vec3<double> axes[3] = {r.row0, r.row1, r.row2};
    for (std::uint32_t i = 0; i < 3; ++i) field.waves[3 * shell + i] = {(k / two_pi) * axes[i], draw(b.w[i]) - 0.5, axes[(i + 1) % 3]};
  }
  return field;
}

template <class S> TurbulenceField<S> turbulence_as(const TurbulenceField<double>& f) {
  const auto vector = [](const Vec3<double>& v) { return Vec3<S>{static_cast<S>(v.x), static_cast<S>(v.y), static_cast<S>(v.z)}; };
  TurbulenceField<S> out{};
  out.von_karman = f.von_karman;
  for (int i = 0; i < kTurbulenceShells; ++i) out.shells[i] = {static_cast<S>(f.shells[i].wave2), static_cast<S>(f.shells[i].gain)};
  for (int i = 0; i < kTurbulenceWaves; ++i) out.waves[i] = {vector(f.waves[i].turns), static_cast<S>(f.waves[i].phase), vector(f.waves[i].direction)};
  return out;
}

// Carries a field along: once per tick and world. `drift_W` is how far the mean wind has come since the field was made, m: the sum of wind times
// tick, not today's wind times all the time, so that the field does not jump when the wind changes. Worked out in double: turns stay exact for days.
template <class S> void carry(const TurbulenceField<double>& made, const Vec3<double>& drift_W, TurbulenceField<S>& out) {
  for (int i = 0; i < kTurbulenceWaves; ++i) {
    const double turns = made.waves[i].phase - dot(made.waves[i].turns, drift_W);
    out.waves[i].phase = static_cast<S>(turns - math::round(turns));
  }
}

// ---------------------------------------------------------------- sampling it

// cos(2 pi t) to 4e-5, which is a hundred times closer than the spectrum is known: an even polynomial in the distance from the nearest whole turn
template <class T> VOLARY_HD T cos_turns(T t) {
  const T magic = splat<T>(kRoundMagic<T>);
  const T r = t - ((t + magic) - magic);
  return horner(r * r, 45.6465578506, -82.4035509912, 64.6734312286, -19.7310416965, 0.999959794983);
}

// y^(-3/2) to 0.2 % for y from 1 to 1e30: a guess of y^(-1/2) from the exponent, bettered once with the constants that make the most of one step
// (Moroz, Walczyk, Hrynchyshyn, Holimath, Cieslinski, Fast calculation of inverse square root with the use of magic constant, 2018). Plain arithmetic,
// so the same everywhere
template <class T> VOLARY_HD T power_minus_three_halves(T y) {
  const T guess = from_bits(bit_constant<T>(0x5f1ffff9, 0x5fe3ffff20000000) - (to_bits(y) >> 1));
  const T root = guess * fma(-y, guess * guess, splat<T>(2.38924456));
  return splat<T>(0.703952253 * 0.703952253 * 0.703952253) * root * (root * root);
}

// y^(-17/12) to 5e-5 for y from 1 to 1e30, through logarithm and power of two
template <class T> VOLARY_HD T power_minus_17_twelfths(T y) {
  // y = 2^e m with m between sqrt(1/2) and sqrt(2)
  const Bits<T> root_half = bit_constant<T>(0x3f3504f3, 0x3fe6a09e667f3bcd), one = to_bits(splat<T>(1));
  const Bits<T> moved = to_bits(y) + (one - root_half);
  const T f = from_bits((moved & bit_constant<T>(0x007fffff, 0x000fffffffffffff)) + root_half) - splat<T>(1);
  const T e = from_bits((moved >> kFractionBits<T>) | to_bits(splat<T>(kWholeAbove<T>))) - splat<T>(kWholeAbove<T> + (kSingle<T> ? 127 : 1023));
  const T log2 = fma(f, horner(f, 0.182369540202, -0.381153747839, 0.496625583415, -0.721159490079, 1.44226363989), e);
  T n;
  const T x = splat<T>(-17.0 / 12.0) * log2;
  const Bits<T> power = round_product(x, splat<T>(1), n);
  return scale_by_power_of_two(horner(x - n, 0.00968571119254, 0.055922025726, 0.240218655027, 0.693121035861, 1.00000015107), power);
}

// the strength of a shell over sigma sqrt(L)
template <class T> VOLARY_HD T shell_strength(bool von_karman, T wave2, T gain, T length2) {
  const T x2 = wave2 * length2;
  const T y = x2 + splat<T>(1);
  return gain * x2 * (von_karman ? power_minus_17_twelfths(y) : power_minus_three_halves(y));
}

// what the three waves of a shell move the air by at a place, for waves of amplitude one
template <class T> VOLARY_HD Vec3<T> shell_sum(const TurbulenceWave<Scalar<T>>* waves, const Vec3<T>& p) {
  Vec3<T> sum = zero3<T>();
  for (int i = 0; i < 3; ++i) {
    const TurbulenceWave<Scalar<T>>& w = waves[i];
    const T c = cos_turns(fma(T(w.turns.x), p.x, fma(T(w.turns.y), p.y, fma(T(w.turns.z), p.z, T(w.phase)))));
    sum = {fma(T(w.direction.x), c, sum.x), fma(T(w.direction.y), c, sum.y), fma(T(w.direction.z), c, sum.z)};
  }
  return sum;
}

// The turbulent part of the wind at a place, in m/s, from a field that was carried to the present. Once per tick and vehicle.
template <class T>
VOLARY_HD Vec3<T> turbulence_at(const TurbulenceField<Scalar<T>>& field, const TurbulenceScale<T>& scale, const Vec3<T>& position_W) {
  const T level2 = scale.length_level * scale.length_level, up2 = scale.length_up * scale.length_up;
  Vec3<T> sum = zero3<T>();
  for (int i = 0; i < kTurbulenceShells; ++i) {
    const T wave2 = T(field.shells[i].wave2), gain = T(field.shells[i].gain);
    const T level = shell_strength(field.von_karman, wave2, gain, level2), up = shell_strength(field.von_karman, wave2, gain, up2);
    const Vec3<T> part = shell_sum<T>(field.waves + 3 * i, position_W);
    sum = {fma(level, part.x, sum.x), fma(level, part.y, sum.y), fma(up, part.z, sum.z)};
  }
  const T level = scale.sigma_level * sqrt(scale.length_level), up = scale.sigma_up * sqrt(scale.length_up);
  return {level * sum.x, level * sum.y, up * sum.z};
}

}  // namespace volary::inline VOLARY_ISA::environment
