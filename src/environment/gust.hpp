// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// A first-order gust per vehicle: an Ornstein-Uhlenbeck process, exact for any tick, keyed by vehicle.
#pragma once

#include "math/random.hpp"
#include "math/functions.hpp"
#include "math/rows.hpp"

namespace volary::inline VOLARY_ISA::environment {

using namespace math;

template <class T> struct GustParams {
  T keep;  // exp(-tick / time constant)
  T kick;  // m/s: sigma sqrt(1 - keep^2)

  template <class Self, class F> VOLARY_HD static constexpr void fields(Self& s, F& f) {
    f(Field{"gust.keep", "-", "-", "share of a gust that remains after one tick"}, s.keep);
    f(Field{"gust.kick", "m/s", "-", "standard deviation of the random change of a gust in one tick"}, s.kick);
  }
};

// a uniform number in (0, 1): 23 bits of a 32-bit word, the same value in float and in double
template <class T> VOLARY_HD T uniform(Bits<T> word32) {
  using B = Bits<T>;
  constexpr bool single = sizeof(Scalar<T>) == 4;
  const B one_to_two = single ? B(typename Traits<Scalar<T>>::Bits(0x3f800000u)) : B(static_cast<typename Traits<Scalar<T>>::Bits>(0x3ff0000000000000ull));
  const T u = from_bits(((word32 >> 9) << (single ? 0 : 29)) | one_to_two);
  return (u - splat<T>(1)) + splat<T>(5.9604644775390625e-8);
}

// three independent standard normal numbers (Box and Muller 1958)
template <class T> VOLARY_HD Vec3<T> normal3(const Words4<Bits<T>>& words) {
  const T two_pi = splat<T>(6.283185307179586), minus_two = splat<T>(-2);
  T s, c, s2, c2;
  sincos(two_pi * uniform<T>(words.w[1]), s, c);
  sincos(two_pi * uniform<T>(words.w[3]), s2, c2);
  const T r = sqrt(minus_two * log(uniform<T>(words.w[0]))), r2 = sqrt(minus_two * log(uniform<T>(words.w[2])));
  return {r * c, r * s, r2 * c2};
}

template <class T> VOLARY_HD Vec3<T> next_gust(const Vec3<T>& gust_W, const Words4<Bits<T>>& words, const GustParams<T>& p) {
  return fma(p.keep, gust_W, p.kick * normal3<T>(words));
}

}  // namespace volary::inline VOLARY_ISA::environment
