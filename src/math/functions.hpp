// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Elementary functions over the scalar layer: the same bits for float, for every lane of every `Wide`
// and on a GPU, at every optimisation level. No libm, no tables, no branches.
//
//   sincos sin cos tan    radians. Beyond |x| = kAngleLimit the angle counts as zero (sin 0, cos 1);
//                         an infinite angle gives NaN
//   asin acos             NaN outside [-1, 1]
//   atan2 atan            all quadrants, signed zeros and infinities as in IEEE 754
//   exp                   above the largest number inf; below the smallest normal number 0
//   log                   log(0) = -inf, log(x < 0) = NaN; denormal arguments are exact like any other
//   pow(x, y)             for x >= 0, NaN below; pow(0, y) is 0, 1 or inf; overflow and underflow as exp;
//                         pow(x, 0) = 1. Unlike in C, pow(NaN, 0) is NaN
//
// NaN in, NaN out. Its sign and payload are unspecified: they are what differs between machines.
//
// The coefficients are minimax fits of our own (Remez exchange with 70 digits; after each coefficient is
// rounded to the element type the remaining ones are fitted again). Highest degree first.
#pragma once

#include "math/scalar.hpp"

namespace volary::inline VOLARY_ISA::math {

// The largest error of each function, in units in the last place of the exact result, over the
// whole range named above. functions_test.cpp holds every function to its row. For float, sin, cos, asin,
// acos, atan and exp were checked at every argument that matters; the other entries rest on samples with a margin.
struct UlpBound {
  double for_float, for_double;
};
inline constexpr UlpBound kUlpSin{1.5, 1.6};
inline constexpr UlpBound kUlpCos{1.5, 1.6};
inline constexpr UlpBound kUlpTan{1.6, 1.6};
inline constexpr UlpBound kUlpAsin{1.25, 1.25};
inline constexpr UlpBound kUlpAcos{1.25, 1.25};
inline constexpr UlpBound kUlpAtan{1.5, 1.5};  // atan2 too
inline constexpr UlpBound kUlpExp{1.0, 1.0};
inline constexpr UlpBound kUlpLog{1.0, 1.0};
inline constexpr UlpBound kUlpPow{1.25, 1.5};

// sin, cos and tan reduce the angle exactly up to here
template <class T> inline constexpr double kAngleLimit = sizeof(Scalar<T>) == 4 ? 131072.0 : 1073741824.0;

// ---------------------------------------------------------------- building blocks

template <class T> inline constexpr bool kSingle = sizeof(Scalar<T>) == 4;
template <class T> inline constexpr int kFractionBits = kSingle<T> ? 23 : 52;
template <class T> inline constexpr int kSignShift = kSingle<T> ? 31 : 63;

// a constant with one value for float elements and one for double elements
template <class T> VOLARY_HD T constant(double for_float, double for_double) { return splat<T>(kSingle<T> ? for_float : for_double); }
template <class T> VOLARY_HD Bits<T> bit_constant(std::uint64_t for_float, std::uint64_t for_double) {
  using Word = std::conditional_t<kSingle<T>, std::uint32_t, std::uint64_t>;
  return Bits<T>(static_cast<Word>(kSingle<T> ? for_float : for_double));
}
template <class T> VOLARY_HD T infinity() { return from_bits(bit_constant<T>(0x7f800000, 0x7ff0000000000000)); }
template <class T> VOLARY_HD T not_a_number() { return from_bits(bit_constant<T>(0x7fc00000, 0x7ff8000000000000)); }

// the polynomial in x with these coefficients, highest degree first
template <class T, class... C> VOLARY_HD T horner(T x, double highest, C... others) {
  T sum = splat<T>(highest);
  ((sum = fma(sum, x, splat<T>(others))), ...);
  return sum;
}

// flips the sign of a where the sign bit of `sign` is set
template <class T> VOLARY_HD T flip_sign(T a, Bits<T> sign) { return from_bits(to_bits(a) ^ sign); }

// round(x * scale) twice: as a number, and in the low bits of the return value. A float-to-integer
// instruction would do, but machines disagree about its out-of-range results.
template <class T> VOLARY_HD Bits<T> round_product(T x, T scale, T& n) {
  const T magic = splat<T>(kRoundMagic<T>);
  const T shifted = fma(x, scale, magic);
  n = shifted - magic;
  return to_bits(shifted);
}

// p * 2^n by adding to the exponent; p is near 1, n in the low bits, the result a normal number
template <class T> VOLARY_HD T scale_by_power_of_two(T p, Bits<T> n) { return from_bits(to_bits(p) + (n << kFractionBits<T>)); }

// ---------------------------------------------------------------- sine, cosine, tangent

// pi/2 in three parts; negative, to be added n times
template <class T> VOLARY_HD T minus_half_pi_high() { return constant<T>(-1.5707963705062866, -1.5707963267948966); }
template <class T> VOLARY_HD T minus_half_pi_mid() { return constant<T>(4.371138828673793e-08, -6.123233995736766e-17); }
template <class T> VOLARY_HD T minus_half_pi_low() { return constant<T>(1.7151245100058819e-15, 1.4973849048591698e-33); }

// (sin(r) / r - 1) / z with z = r^2, for |r| a little over pi/4: for large angles the quadrant is a rounded one
template <class T> VOLARY_HD T sin_tail(T z) {
  if constexpr (kSingle<T>)
    return horner(z, 2.8037256925017573e-06, -0.0001985064009204507, 0.008333374746143818, -0.1666666716337204);
  else
    return horner(z, 1.5895435851305547e-10, -2.505073442852947e-08, 2.755731353860545e-06, -0.00019841269829357953, 0.008333333333321839, -0.1666666666666663);
}
// (cos(r) - 1) / z
template <class T> VOLARY_HD T cos_tail(T z) {
  if constexpr (kSingle<T>)
    return horner(z, 2.4393642888753675e-05, -0.0013886959059163928, 0.04166663810610771, -0.5);
  else
    return horner(z, -1.1358614623691191e-11, 2.087570310352582e-09, -2.7557314202908953e-07, 2.4801587288964986e-05, -0.0013888888888873307,
                  0.041666666666666595, -0.5);
}

// |x|, or zero beyond the limit; the product keeps NaN and turns infinity into it
template <class T> VOLARY_HD T limited_angle(T ax) { return select(ax <= splat<T>(kAngleLimit<T>), ax, ax * splat<T>(0)); }

template <class T> VOLARY_HD void sincos(T x, T& s, T& c) {
  const T ax = abs(x);
  const T a = limited_angle(ax);

  // r = a - n pi/2. The first step is exact, the second rounds once, the third matters next to a multiple of pi/2
  T n;
  const Bits<T> quadrant = round_product(a, constant<T>(0.6366197466850281, 0.6366197723675814), n);
  T r = fma(n, minus_half_pi_high<T>(), a);
  r = fma(n, minus_half_pi_mid<T>(), r);
  r = fma(n, minus_half_pi_low<T>(), r);

  const T z = r * r;
  const T sin_r = fma(r * z, sin_tail(z), r);
  const T cos_r = fma(z, cos_tail(z), splat<T>(1));

  // odd quadrants swap the two, quadrants 2 and 3 flip the sine, 1 and 2 the cosine
  const Bits<T> one = bit_constant<T>(1, 1), two = bit_constant<T>(2, 2);
  const Mask<T> even = (quadrant & one) == bit_constant<T>(0, 0);
  const Bits<T> sign_x = to_bits(x) ^ to_bits(ax);
  s = flip_sign(select(even, sin_r, cos_r), sign_x ^ ((quadrant & two) << (kSignShift<T> - 1)));
  c = flip_sign(select(even, cos_r, sin_r), ((quadrant + one) & two) << (kSignShift<T> - 1));
}

template <class T> VOLARY_HD T sin(T x) {
  T s, c;
  sincos(x, s, c);
  return s;
}
template <class T> VOLARY_HD T cos(T x) {
  T s, c;
  sincos(x, s, c);
  return c;
}

// A quotient of two rounded functions would be 2.5 ulp off, so tan carries the rounding errors of the reduced
// angle, of its sine and of its cosine along, and corrects the quotient by its remainder.
template <class T> VOLARY_HD T tan(T x) {
  const T ax = abs(x);
  const T a = limited_angle(ax);

  // r + r_low = a - n pi/2
  T n, r, r_low;
  const Bits<T> quadrant = round_product(a, constant<T>(0.6366197466850281, 0.6366197723675814), n);
  const T middle = n * minus_half_pi_mid<T>();
  const T middle_low = fma(n, minus_half_pi_low<T>(), fma(n, minus_half_pi_mid<T>(), -middle));
  two_sum(fma(n, minus_half_pi_high<T>(), a), middle, r, r_low);
  fast_two_sum(r, r_low + middle_low, r, r_low);

  // sine and cosine as unrounded sums
  const T z = r * r;
  T s, s_low, c, c_low;
  fast_two_sum(r, fma(r * z, sin_tail(z), r_low), s, s_low);
  fast_two_sum(splat<T>(1), fma(z, cos_tail(z), -(r * r_low)), c, c_low);

  // sin/cos in even quadrants, -cos/sin in odd ones
  const Mask<T> even = (quadrant & bit_constant<T>(1, 1)) == bit_constant<T>(0, 0);
  const T over = select(even, s, -c), over_low = select(even, s_low, -c_low);
  const T under = select(even, c, s), under_low = select(even, c_low, s_low);
  const T reciprocal = splat<T>(1) / under;
  const T q = over * reciprocal;
  const T remainder = fma(-q, under, over) + fma(-q, under_low, over_low);
  return flip_sign(fma(remainder, reciprocal, q), to_bits(x) ^ to_bits(ax));
}

// ---------------------------------------------------------------- inverse functions

template <class T> VOLARY_HD T half_pi_high() { return -minus_half_pi_high<T>(); }
template <class T> VOLARY_HD T half_pi_low() { return -minus_half_pi_mid<T>(); }

// (asin(a) / a - 1) / z with z = a^2, for a up to 1/2
template <class T> VOLARY_HD T asin_tail(T z) {
  if constexpr (kSingle<T>)
    return horner(z, 0.04215887933969498, 0.02418436110019684, 0.0454692468047142, 0.07495308667421341, 0.16666752099990845);
  else
    return horner(z, 0.03262833352778264, -0.020998326752976346, 0.021706726174049923, 0.0037067948517836703, 0.010780123558956497, 0.011398941012606176,
                  0.013980816156415695, 0.017351612474620037, 0.022372214954879913, 0.03038194270929599, 0.04464285717456992, 0.0749999999997086,
                  0.1666666666666676);
}

// Above 1/2 both functions go through asin(a) = pi/2 - 2 asin(sqrt((1 - a) / 2)). This gives asin(core) as
// core + rest, where core is a or that square root.
template <class T> VOLARY_HD Mask<T> asin_parts(T a, T& core, T& rest) {
  const Mask<T> upper = a > splat<T>(0.5);
  const T z = select(upper, fma(a, splat<T>(-0.5), splat<T>(0.5)), a * a);
  core = select(upper, sqrt(z), a);
  rest = core * (z * asin_tail(z));
  return upper;
}

template <class T> VOLARY_HD T asin(T x) {
  T core, rest;
  const Mask<T> upper = asin_parts(abs(x), core, rest);
  T high, low;
  fast_two_sum(half_pi_high<T>(), splat<T>(-2) * core, high, low);
  const T near_half_pi = high + (low + fma(splat<T>(-2), rest, half_pi_low<T>()));
  return copysign(select(upper, near_half_pi, core + rest), x);
}

template <class T> VOLARY_HD T acos(T x) {
  T core, rest;
  const T ax = abs(x);
  const Mask<T> upper = asin_parts(ax, core, rest);
  const Bits<T> sign = to_bits(x) ^ to_bits(ax);
  const T middle = half_pi_high<T>() - (flip_sign(core, sign) - (half_pi_low<T>() - flip_sign(rest, sign)));
  const T near_zero = splat<T>(2) * (core + rest);
  const T near_pi = splat<T>(2) * (half_pi_high<T>() - (core - (half_pi_low<T>() - rest)));
  return select(upper, select(x > splat<T>(0), near_zero, near_pi), middle);
}

// (atan(t) / t - 1) / z with z = t^2, for t up to 1
template <class T> VOLARY_HD T atan_tail(T z) {
  if constexpr (kSingle<T>) {
    return horner(z, -0.0017851503798738122, 0.01087671797722578, -0.031107908114790916, 0.05788881331682205, -0.08399569243192673, 0.10950925946235657,
                  -0.14264018833637238, 0.1999852955341339, -0.33333298563957214);
  } else {
    return horner(z, 1.3229822170517353e-05, -0.00015220905201113007, 0.0008315488520550013, -0.0028855771340657622, 0.00719782071850457, -0.013902486593699552,
                  0.021986983847577708, -0.02990567694090326, 0.03664312252214003, -0.042192422764336796, 0.047223481568042465, -0.05253526834843866,
                  0.05880529852652865, -0.06666404437484487, 0.07692279891597145, -0.09090907008119233, 0.11111111007365351, -0.14285714282589018,
                  0.19999999999951765, -0.3333333333333307);
  }
}

template <class T> VOLARY_HD T atan2(T y, T x) {
  const T zero = splat<T>(0), ax = abs(x), ay = abs(y);

  // the angle to the nearer axis; 0/0 counts as 0, inf/inf as 1
  const Mask<T> steep = ay > ax;
  const T shorter = select(steep, ax, ay), longer = select(steep, ay, ax);
  const T diagonal = select(ax == zero, zero, splat<T>(1));
  const T t = select(ax == ay, diagonal, shorter / longer);
  const T z = t * t;
  const T angle = fma(t * z, atan_tail(z), t);

  // measured from 0, pi/2 or pi; the sign of x counts even where x is zero
  const T minus_one = splat<T>(-1);
  const Bits<T> sign_bit = bit_constant<T>(0x80000000, 0x8000000000000000);
  const Bits<T> sign_x = to_bits(x) ^ to_bits(ax);
  const Mask<T> behind = copysign(minus_one, x) == minus_one;
  const T turns = select(steep, splat<T>(1), select(behind, splat<T>(2), zero));
  const T signed_angle = flip_sign(angle, select(steep, sign_x ^ sign_bit, sign_x));
  return copysign(fma(turns, half_pi_high<T>(), fma(turns, half_pi_low<T>(), signed_angle)), y);
}

template <class T> VOLARY_HD T atan(T x) { return atan2(x, splat<T>(1)); }

// ---------------------------------------------------------------- exponential and logarithm

// (exp(r) - 1 - r) / r^2 for |r| up to ln(2) / 2
template <class T> VOLARY_HD T exp_tail(T r) {
  if constexpr (kSingle<T>)
    return horner(r, 0.0013823187910020351, 0.00836882647126913, 0.04166823998093605, 0.1666651964187622, 0.4999999403953552);
  else
    return horner(r, 2.5009384406370326e-08, 2.7630471166526057e-07, 2.7557556127668095e-06, 2.4801492419707815e-05, 0.000198412695416491, 0.001388888894436092,
                  0.008333333333477475, 0.041666666666526936, 0.1666666666666644, 0.5000000000000011);
}

template <class T> VOLARY_HD T ln2_high() { return constant<T>(0.6931471824645996, 0.6931471805599453); }
template <class T> VOLARY_HD T ln2_low() { return constant<T>(-1.9046542121259336e-09, 2.3190468138462996e-17); }

template <class T> VOLARY_HD T exp(T x) {
  // x = n ln(2) + r
  T n;
  const Bits<T> power = round_product(x, constant<T>(1.4426950216293335, 1.4426950408889634), n);
  const T r = fma(n, -ln2_low<T>(), fma(n, -ln2_high<T>(), x));
  const T p = fma(r, fma(r, exp_tail(r), splat<T>(1)), splat<T>(1));

  // the arguments of the largest finite and of the smallest normal result
  const T highest = constant<T>(88.72283172607422, 709.782712893384);
  const T lowest = constant<T>(-87.33654022216797, -708.3964185322641);
  const T y = select(x < lowest, splat<T>(0), scale_by_power_of_two(p, power));
  return select(x <= highest, y, x + infinity<T>());
}

// x = 2^k m with m between sqrt(1/2) and sqrt(2), for positive finite x
template <class T> VOLARY_HD T split_power_of_two(T x, T& m) {
  // a denormal is made normal first
  const Mask<T> denormal = x < constant<T>(1.1754943508222875e-38, 2.2250738585072014e-308);
  const T normal = select(denormal, x * constant<T>(16777216.0, 18014398509481984.0), x);

  // moved up by 1 - sqrt(1/2) in bits, the exponent field steps where m should
  const Bits<T> root_half = bit_constant<T>(0x3f3504f3, 0x3fe6a09e667f3bcd);
  const Bits<T> moved = to_bits(normal) + (to_bits(splat<T>(1)) - root_half);
  m = from_bits((moved & bit_constant<T>(0x007fffff, 0x000fffffffffffff)) + root_half);

  // the exponent field is an integer; below 2^p an integer becomes a number by giving it an exponent
  const T whole = constant<T>(8388608.0, 4503599627370496.0);
  const T k = from_bits((moved >> kFractionBits<T>) | to_bits(whole));
  return k - select(denormal, whole + constant<T>(127 + 24, 1023 + 54), whole + constant<T>(127, 1023));
}

// log(1 + f) - f for 1 + f between sqrt(1/2) and sqrt(2)
template <class T> VOLARY_HD T log_tail(T f) {
  if constexpr (kSingle<T>) {
    return f * f *
           horner(f, -0.0763377994298935, 0.12762455642223358, -0.13160713016986847, 0.14201609790325165, -0.16623301804065704, 0.20001238584518433,
                  -0.250008225440979, 0.3333333134651184, -0.5);
  } else {
    // with s = f / (2 + f), log(1 + f) is 2 atanh(s): a division, but half the terms
    const T s = f / (splat<T>(2) + f), z = s * s, half_square = splat<T>(0.5) * f * f;
    const T series = z * horner(z, 0.14795498620946915, 0.15314098659247746, 0.18183562311190327, 0.222221986150375, 0.28571428741941063, 0.39999999999416935,
                                0.6666666666666734);
    return fma(s, half_square + series, -half_square);
  }
}

template <class T> VOLARY_HD T log(T x) {
  T m;
  const T k = split_power_of_two(x, m);
  const T f = m - splat<T>(1);
  const T y = fma(k, ln2_high<T>(), f + fma(k, ln2_low<T>(), log_tail(f)));
  const T at_most_zero = select(x == splat<T>(0), -infinity<T>(), not_a_number<T>());
  return select(x > splat<T>(0), select(x < infinity<T>(), y, x), at_most_zero);
}

// ---------------------------------------------------------------- power

// log2(m) is s (2/ln2 + z (2/(3 ln2) + z tail(z))) with s = (m - 1) / (m + 1), z = s^2
template <class T> VOLARY_HD T log2_tail(T z) {
  if constexpr (kSingle<T>)
    return horner(z, 0.33782222867012024, 0.41184988617897034, 0.5770801901817322);
  else
    return horner(z, 0.17282059606144778, 0.16845115605460073, 0.19240133788330463, 0.22195227001032078, 0.26230819866205785, 0.3205988979127596,
                  0.4121985831113458, 0.5770780163555851);
}

// (a + a_low)(b + b_low) as a sum of two
template <class T> VOLARY_HD void two_product(T a, T a_low, T b, T b_low, T& hi, T& lo) {
  hi = a * b;
  lo = fma(a, b_low, fma(a_low, b, fma(a, b, -hi)));
}

// log2(x) = hi + lo with some ten bits more than one number holds: pow multiplies the error by up to 1024
template <class T> VOLARY_HD void log2_pair(T x, T& hi, T& lo) {
  T m;
  const T k = split_power_of_two(x, m);

  // s and z, each with its rounding error
  const T f = m - splat<T>(1);
  T below, below_low, z, z_low;
  fast_two_sum(splat<T>(2), f, below, below_low);
  const T reciprocal = splat<T>(1) / below;
  const T s = f * reciprocal;
  const T s_low = fma(-s, below_low, fma(-s, below, f)) * reciprocal;
  two_product(s, s_low, s, s_low, z, z_low);

  // only the tail of the series is small enough for plain arithmetic
  T inner, inner_low, outer, outer_low, product, product_low;
  fast_two_sum(constant<T>(0.9617967009544373, 0.9617966939259756), z * log2_tail(z), inner, inner_low);
  inner_low = inner_low + constant<T>(-7.028461812552678e-09, 5.0577616648125907e-17);
  two_product(z, z_low, inner, inner_low, product, product_low);
  fast_two_sum(constant<T>(2.885390043258667, 2.8853900817779268), product, outer, outer_low);
  outer_low = outer_low + (product_low + constant<T>(3.851926067000022e-08, 4.0710547481862066e-17));
  two_product(s, s_low, outer, outer_low, product, product_low);
  fast_two_sum(k, product, hi, lo);
  lo = lo + product_low;
}

// (2^r - 1) / r for |r| up to 1/2
template <class T> VOLARY_HD T exp2_tail(T r) {
  if constexpr (kSingle<T>)
    return horner(r, 0.00015328502922784537, 0.0013390976237133145, 0.009618501178920269, 0.05550359562039375, 0.24022647738456726, 0.6931471824645996);
  else
    return horner(r, 4.439775462881287e-10, 7.0733119045708165e-09, 1.017815423142258e-07, 1.3215438339841397e-06, 1.5252733646953825e-05,
                  0.0001540353045012773, 0.0013333558146534589, 0.009618129107600636, 0.05550410866482176, 0.2402265069591011, 0.6931471805599453);
}

// 2^(hi + lo), 0 below the normal numbers and inf above
template <class T> VOLARY_HD T exp2_pair(T hi, T lo) {
  // a little beyond the range on both sides, where the exponent field still holds n
  const T a = max(constant<T>(-126.5, -1022.5), min(constant<T>(128.5, 1024.5), hi));
  T n;
  round_product(a, splat<T>(1), n);
  const T r = (a - n) + select(a == hi, lo, splat<T>(0));
  const T p = fma(r, exp2_tail(r), splat<T>(1));

  // the topmost power in two steps, so that the overflow comes from a product
  const T top = constant<T>(127, 1023), magic = splat<T>(kRoundMagic<T>);
  const T scaled = scale_by_power_of_two(p, to_bits(min(top, n) + magic));
  const T y = scaled * select(n > top, splat<T>(2), splat<T>(1));
  return select(y < constant<T>(1.1754943508222875e-38, 2.2250738585072014e-308), splat<T>(0), y);
}

template <class T> VOLARY_HD T pow(T x, T y) {
  const T zero = splat<T>(0);
  T log_x, log_x_low;
  log2_pair(x, log_x, log_x_low);
  log_x = select(x == zero, -infinity<T>(), select(x < infinity<T>(), log_x, infinity<T>()));

  // 1^y and x^0 are 1, also where y or log(x) is infinite
  const T product = y * log_x;
  const T product_low = fma(y, log_x_low, fma(y, log_x, -product));
  const T power = exp2_pair(product, product_low);
  const T valid = select((log_x == zero) | (y == zero), splat<T>(1), power);
  return select((x >= zero) & (y == y), valid, not_a_number<T>());
}

}  // namespace volary::inline VOLARY_ISA::math
