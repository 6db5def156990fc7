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

template <class T> VOLARY_HD Normals8<T> normals8(const Words4<Bits<T>>& words) {
  Normals8<T> out;
  for (int k = 0; k < 4; ++k) {
    const T radius = sqrt(splat<T>(-2) * log(uniform16<T>(words.w[k] >> 16)));
    T s, c;
    sincos(splat<T>(6.283185307179586) * uniform16<T>(words.w[k] & bit_constant<T>(0xffff, 0xffff)), s, c);
    out.n[2 * k] = radius * c;
    out.n[2 * k + 1] = radius * s;
  }
  return out;
}

}  // namespace volary::inline VOLARY_ISA::math
