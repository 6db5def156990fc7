// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// One number that stands for every bit of the scalar layer, of the elementary functions and of tables: each operation
// runs on a fixed set of inputs, in rows of 16, and the result bits are folded in input order. The
// number must not depend on how many lanes did the work, on the optimisation level or on the machine.
#pragma once

#include "math/functions.hpp"
#include "math/lookup.hpp"
#include "math/wide.hpp"

namespace volary::inline VOLARY_ISA::lanes_test {

inline constexpr int kRow = 16;
inline constexpr int kRows = 256;

template <class S> using Word = math::Bits<S>;

// splitmix64 of k
VOLARY_HD std::uint64_t hash(std::uint64_t k) {
  k += 0x9e3779b97f4a7c15;
  k = (k ^ (k >> 30)) * 0xbf58476d1ce4e5b9;
  k = (k ^ (k >> 27)) * 0x94d049bb133111eb;
  return k ^ (k >> 31);
}

// zeros, ones, ties, the ends of the denormal, whole and finite numbers, infinities and NaNs; both signs
template <class S> VOLARY_HD S special(std::uint64_t k) {
  constexpr bool kSingle = sizeof(S) == 4;
  const Word<S> inf = math::to_bits(math::infinity<S>());
  const Word<S> magnitudes[] = {0,
                                1,
                                Word<S>{1} << (kSingle ? 23 : 52),
                                (Word<S>{1} << (kSingle ? 23 : 52)) - 1,
                                math::to_bits(S(0.5)),
                                math::to_bits(S(1)),
                                math::to_bits(S(1)) + 1,
                                math::to_bits(S(1)) - 1,
                                math::to_bits(S(1.5)),
                                math::to_bits(S(2.5)),
                                math::to_bits(S(kSingle ? 4194304.5 : 2251799813685248.5)),
                                math::to_bits(S(kSingle ? 8388607.5 : 4503599627370495.5)),
                                inf - 1,
                                inf,
                                math::to_bits(math::not_a_number<S>()),
                                math::to_bits(math::not_a_number<S>()) | 0x155};
  const Word<S> sign = static_cast<Word<S>>((k >> 4) & 1) << (8 * sizeof(S) - 1);
  return math::from_bits(magnitudes[k & 15] | sign);
}

// input k of stream `which`: a quarter special values, a quarter any bits at all, a quarter in [-1, 1),
// a quarter in [-256, 256)
template <class S> VOLARY_HD S input(int which, int k) {
  const std::uint64_t h = hash(static_cast<std::uint64_t>(k) * 4 + static_cast<std::uint64_t>(which));
  if (k % 4 == 0) return special<S>(h >> 7);
  if (k % 4 == 1) {
    // signalling NaNs are made quiet: loading one is not the same everywhere
    const S x = math::from_bits(static_cast<Word<S>>(h >> (64 - 8 * sizeof(S))));
    return x == x ? x : math::not_a_number<S>();
  }
  const S unit = S(static_cast<std::int32_t>(h >> 32)) * S(1.0 / 2147483648.0);
  return k % 4 == 2 ? unit : unit * S(256);
}

// NaNs differ between machines in sign and payload; all count as one
VOLARY_HD std::uint64_t canonical(float a) { return a == a ? math::to_bits(a) : 0x7fc00000u; }
VOLARY_HD std::uint64_t canonical(double a) { return a == a ? math::to_bits(a) : 0x7ff8000000000000u; }
VOLARY_HD std::uint64_t canonical(std::uint32_t a) { return a; }
VOLARY_HD std::uint64_t canonical(std::uint64_t a) { return a; }

VOLARY_HD std::uint64_t fold(std::uint64_t digest, std::uint64_t value) { return hash(digest ^ value) + digest; }

// Evaluates f, which maps three inputs to one T or Bits<T>, on all rows and folds the results.
template <class T, class F> std::uint64_t digest_of(std::uint64_t digest, F f) {
  using S = math::Scalar<T>;
  using R = decltype(f(T(), T(), T()));
  using E = std::conditional_t<std::is_same_v<R, T>, S, Word<S>>;
  for (int row = 0; row < kRows; ++row) {
    S a[kRow], b[kRow], c[kRow];
    E out[kRow];
    for (int i = 0; i < kRow; ++i) {
      a[i] = input<S>(0, row * kRow + i);
      b[i] = input<S>(1, row * kRow + (i * 7 + row) % kRow);  // another order: every kind meets every kind
      c[i] = input<S>(2, row * kRow + (i * 5 + row / 4) % kRow);
    }
    for (int i = 0; i < kRow; i += math::kLanes<T>) math::store(out + i, f(math::load(a + i, T()), math::load(b + i, T()), math::load(c + i, T())));
    for (int i = 0; i < kRow; ++i) digest = fold(digest, canonical(out[i]));
  }
  return digest;
}

// what scalar.hpp and wide.hpp define, one line each
template <class T> std::uint64_t digest_of_operations(std::uint64_t d) {
  using math::to_bits, math::bit_constant;
  using B = math::Bits<T>;
  d = digest_of<T>(d, [](T a, T b, T) { return a + b; });
  d = digest_of<T>(d, [](T a, T b, T) { return a - b; });
  d = digest_of<T>(d, [](T a, T b, T) { return a * b; });
  d = digest_of<T>(d, [](T a, T b, T) { return a / b; });
  d = digest_of<T>(d, [](T a, T, T) { return -a; });
  d = digest_of<T>(d, [](T a, T b, T c) { return math::fma(a, b, c); });
  d = digest_of<T>(d, [](T a, T, T) { return math::sqrt(a); });
  d = digest_of<T>(d, [](T a, T b, T) { return math::min(a, b); });
  d = digest_of<T>(d, [](T a, T b, T) { return math::max(a, b); });
  d = digest_of<T>(d, [](T a, T b, T c) { return math::clamp(a, b, c); });
  d = digest_of<T>(d, [](T a, T, T) { return math::abs(a); });
  d = digest_of<T>(d, [](T a, T b, T) { return math::copysign(a, b); });
  d = digest_of<T>(d, [](T a, T, T) { return math::floor(a); });
  d = digest_of<T>(d, [](T a, T, T) { return math::round(a); });
  d = digest_of<T>(d, [](T a, T b, T c) { return math::select(a < b, a, c); });
  d = digest_of<T>(d, [](T a, T b, T c) { return math::select(a > b, a, c); });
  d = digest_of<T>(d, [](T a, T b, T c) { return math::select(a <= b, b, c); });
  d = digest_of<T>(d, [](T a, T b, T c) { return math::select(a >= b, b, c); });
  d = digest_of<T>(d, [](T a, T b, T c) { return math::select(a == b, a, c); });
  d = digest_of<T>(d, [](T a, T b, T c) { return math::select((a < b) & (b < c), a, c); });
  d = digest_of<T>(d, [](T a, T b, T c) { return math::select((a < b) | (b < c), a, c); });
  d = digest_of<T>(d, [](T a, T b, T c) { return math::select(!(a < b), to_bits(a), to_bits(c)); });
  d = digest_of<T>(d, [](T a, T b, T c) { return math::select(to_bits(a) == to_bits(b), to_bits(a), to_bits(c)); });
  d = digest_of<T>(d, [](T a, T b, T) { return to_bits(a) + to_bits(b); });
  d = digest_of<T>(d, [](T a, T b, T) { return to_bits(a) - to_bits(b); });
  d = digest_of<T>(d, [](T a, T b, T c) { return (to_bits(a) & to_bits(b)) ^ to_bits(c); });
  d = digest_of<T>(d, [](T a, T b, T) { return (to_bits(a) << 7) | (to_bits(b) >> 9); });
  const auto low_word = [](T a) { return to_bits(a) & bit_constant<T>(0xffffffff, 0xffffffff); };
  d = digest_of<T>(d, [=](T a, T b, T) {
    B hi, lo;
    math::mul32(low_word(a), low_word(b), hi, lo);
    return hi;
  });
  return digest_of<T>(d, [=](T a, T b, T) {
    B hi, lo;
    math::mul32(low_word(a), low_word(b), hi, lo);
    return lo;
  });
}

template <class T> std::uint64_t digest_of_functions(std::uint64_t d) {
  d = digest_of<T>(d, [](T a, T, T) { return math::sin(a); });
  d = digest_of<T>(d, [](T a, T, T) { return math::cos(a); });
  d = digest_of<T>(d, [](T a, T, T) { return math::tan(a); });
  d = digest_of<T>(d, [](T a, T, T) { return math::asin(a); });
  d = digest_of<T>(d, [](T a, T, T) { return math::acos(a); });
  d = digest_of<T>(d, [](T a, T, T) { return math::atan(a); });
  d = digest_of<T>(d, [](T a, T b, T) { return math::atan2(a, b); });
  d = digest_of<T>(d, [](T a, T, T) { return math::exp(a); });
  d = digest_of<T>(d, [](T a, T, T) { return math::log(a); });
  d = digest_of<T>(d, [](T a, T b, T) { return math::pow(a, b); });
  return digest_of<T>(d, [](T a, T b, T) { return math::pow(math::abs(a), b); });
}

// a table of 5 x 4 x 3 nodes with six values each, its first axis uneven, written as lookup.hpp lays it out
template <class S> struct SmallTable {
  static constexpr int kFirst = 32, kNodes = 5 * 4 * 3;
  S blob[kFirst + kNodes * 8] = {S(6),   S(3), S(kFirst), S(0),    S(5), S(16),   S(0), S(12),   S(4),     S(21), S(4),    S(3),  S(3), S(25),
                                 S(0.5), S(1), S(-1),     S(-0.3), S(0), S(0.25), S(1), S(-0.5), S(-0.25), S(0),  S(0.25), S(-2), S(0), S(2)};
  SmallTable() {
    for (int k = 0; k < kNodes * 8; ++k) blob[kFirst + k] = k % 8 < 6 ? input<S>(3, 4 * k + 2) : S(0);
  }
};

template <class T> std::uint64_t digest_of_tables(std::uint64_t d) {
  const SmallTable<math::Scalar<T>> small;
  const auto table = math::table_view(small.blob);
  const auto at = [&](int axis, T x) { return math::find_on_axis(table.axis[axis], x); };
  // a value in the wrong place shows
  const auto mixed = [](const T* v) { return math::fma(v[5], v[4], math::fma(v[3], v[2], math::fma(v[1], v[0], v[5] - v[2]))); };
  d = digest_of<T>(d, [&](T a, T, T) {
    T v[6];
    math::interpolate1(table, at(0, a), v);
    return mixed(v);
  });
  d = digest_of<T>(d, [&](T a, T b, T) {
    T v[6];
    math::interpolate2(table, at(0, a), at(1, b), v);
    return mixed(v);
  });
  return digest_of<T>(d, [&](T a, T b, T c) {
    T v[6];
    math::interpolate3(table, at(0, a), at(1, b), at(2, c), v);
    return mixed(v);
  });
}

template <class T> std::uint64_t digest_of_all_functions() { return digest_of_tables<T>(digest_of_functions<T>(digest_of_operations<T>(0))); }

}  // namespace volary::inline VOLARY_ISA::lanes_test
