// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Eight normal numbers from the four words of one draw (Box and Muller 1958): half a word for a radius, half a word for an angle. Sensors draw in every
// integration step, and a draw costs more than what is made of it.
//
// 65,536 radii: the variance is 0.999995, and no number lies beyond 4.86 standard deviations (normals_test.cpp).
#pragma once

#include "math/functions.hpp"
#include "math/random.hpp"

namespace volary::inline VOLARY_ISA::math {

template <class T> struct Normals8 {
  T n[8];
};

// (k + 1/2) / 65536 of the upper or of the lower 16 bits of a 32-bit word: in (0, 1), the same in float and in double
template <class T> VOLARY_HD T uniform16(Bits<T> half_word) {
  const T u = from_bits((half_word << (kFractionBits<T> - 16)) | to_bits(splat<T>(1)));
  return (u - splat<T>(1)) + splat<T>(0.5 / 65536);
}

// log and sincos of functions.hpp for arguments that are known to be harmless: no zero, no denormal, no infinity, and an angle that is given in turns
template <class T> VOLARY_HD T log_of_share(T u) {
  const Bits<T> root_half = bit_constant<T>(0x3f3504f3, 0x3fe6a09e667f3bcd);
  const Bits<T> moved = to_bits(u) + (to_bits(splat<T>(1)) - root_half);
  const T f = from_bits((moved & bit_constant<T>(0x007fffff, 0x000fffffffffffff)) + root_half) - splat<T>(1);
  const T whole = splat<T>(kWholeAbove<T>);
  const T k = from_bits((moved >> kFractionBits<T>) | to_bits(whole)) - (whole + constant<T>(127, 1023));
  return fma(k, ln2_high<T>(), f + fma(k, ln2_low<T>(), log_tail(f)));
}
template <class T> VOLARY_HD void sincos_of_turns(T u, T& s, T& c) {
  const T four = splat<T>(4);
  T n;
  const Bits<T> quadrant = round_product(u, four, n);
  const T r = splat<T>(1.5707963267948966) * fma(u, four, -n), z = r * r;
  const T sin_r = fma(r * z, sin_tail(z), r), cos_r = fma(z, cos_tail(z), splat<T>(1));
  const Bits<T> one = bit_constant<T>(1, 1), two = bit_constant<T>(2, 2);
  const Mask<T> even = (quadrant & one) == bit_constant<T>(0, 0);
  s = flip_sign(select(even, sin_r, cos_r), (quadrant & two) << (kSignShift<T> - 1));
  c = flip_sign(select(even, cos_r, sin_r), ((quadrant + one) & two) << (kSignShift<T> - 1));
}

template <class T> VOLARY_HD Normals8<T> normals8(const Words4<Bits<T>>& words) {
  Normals8<T> out;
  for (int k = 0; k < 4; ++k) {
    const T radius = sqrt(splat<T>(-2) * log_of_share(uniform16<T>(words.w[k] >> 16)));
    T s, c;
    sincos_of_turns(uniform16<T>(words.w[k] & bit_constant<T>(0xffff, 0xffff)), s, c);
    out.n[2 * k] = radius * c;
    out.n[2 * k + 1] = radius * s;
  }
  return out;
}

}  // namespace volary::inline VOLARY_ISA::math
