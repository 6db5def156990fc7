// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Wide<S, N>: N agents side by side in one vector register. Each operation does to every lane what
// scalar.hpp does to one value, bit for bit. A translation unit sees the widths its flags allow:
//
//   Wide<float, 4>   128-bit with FMA, NEON  Wide<double, 4>  AVX2, NEON
//   Wide<float, 8>   AVX2                    Wide<float, 16>  AVX-512 (F, DQ)
//
// What is written in intrinsics lies in one file per instruction set: wide_x86.hpp, wide_neon.hpp. VOLARY_WIDE is 1 where Wide exists.
#pragma once

#include "math/scalar.hpp"

#if (defined(__FMA__) || defined(__aarch64__)) && !defined(__CUDACC__)
#define VOLARY_WIDE 1
#else
#define VOLARY_WIDE 0
#endif

#if VOLARY_WIDE

namespace volary::inline VOLARY_ISA::math {

// the register type that holds N elements of type E
template <class E, int N> struct Register;
#define VOLARY_REGISTER(E, N)                                   \
  template <> struct Register<E, N> {                           \
    typedef E Type __attribute__((vector_size(N * sizeof(E)))); \
  };
VOLARY_REGISTER(float, 4)
VOLARY_REGISTER(float, 8)
VOLARY_REGISTER(float, 16)
VOLARY_REGISTER(double, 4)
VOLARY_REGISTER(std::uint32_t, 4)
VOLARY_REGISTER(std::uint32_t, 8)
VOLARY_REGISTER(std::uint32_t, 16)
VOLARY_REGISTER(std::uint64_t, 4)
#undef VOLARY_REGISTER

// the unsigned integers of the same lanes; + - & | ^ << >> come from the compiler's vector types
template <class U, int N> struct WideBits {
  using R = typename Register<U, N>::Type;
  R v;
  VOLARY_HD WideBits() {}
  VOLARY_HD WideBits(R x) : v(x) {}
  VOLARY_HD explicit WideBits(U x) : v(x - R{}) {}
  VOLARY_HD friend WideBits operator+(WideBits a, WideBits b) { return a.v + b.v; }
  VOLARY_HD friend WideBits operator-(WideBits a, WideBits b) { return a.v - b.v; }
  VOLARY_HD friend WideBits operator*(WideBits a, WideBits b) { return a.v * b.v; }  // low half
  VOLARY_HD friend WideBits operator&(WideBits a, WideBits b) { return a.v & b.v; }
  VOLARY_HD friend WideBits operator|(WideBits a, WideBits b) { return a.v | b.v; }
  VOLARY_HD friend WideBits operator^(WideBits a, WideBits b) { return a.v ^ b.v; }
  VOLARY_HD friend WideBits operator<<(WideBits a, int n) { return a.v << static_cast<U>(n); }
  VOLARY_HD friend WideBits operator>>(WideBits a, int n) { return a.v >> static_cast<U>(n); }
};

// a comparison result: all ones or all zeros in each lane
template <class U, int N> struct LaneMask {
  WideBits<U, N> bits;
  VOLARY_HD friend LaneMask operator&(LaneMask a, LaneMask b) { return {a.bits & b.bits}; }
  VOLARY_HD friend LaneMask operator|(LaneMask a, LaneMask b) { return {a.bits | b.bits}; }
  VOLARY_HD friend LaneMask operator!(LaneMask a) { return {WideBits<U, N>(~a.bits.v)}; }
};

// ... or, with 512-bit registers, one bit per lane in a mask register
struct BitMask16 {
  std::uint16_t bits;
  VOLARY_HD friend BitMask16 operator&(BitMask16 a, BitMask16 b) { return {static_cast<std::uint16_t>(a.bits & b.bits)}; }
  VOLARY_HD friend BitMask16 operator|(BitMask16 a, BitMask16 b) { return {static_cast<std::uint16_t>(a.bits | b.bits)}; }
  VOLARY_HD friend BitMask16 operator!(BitMask16 a) { return {static_cast<std::uint16_t>(~a.bits)}; }
};

template <class S, int N> struct Wide {
  using R = typename Register<S, N>::Type;
  R v;
  VOLARY_HD Wide() {}
  VOLARY_HD Wide(R x) : v(x) {}
  VOLARY_HD explicit Wide(S x) : v(x - R{}) {}
  VOLARY_HD friend Wide operator+(Wide a, Wide b) { return a.v + b.v; }
  VOLARY_HD friend Wide operator-(Wide a, Wide b) { return a.v - b.v; }
  VOLARY_HD friend Wide operator*(Wide a, Wide b) { return a.v * b.v; }
  VOLARY_HD friend Wide operator/(Wide a, Wide b) { return a.v / b.v; }
  VOLARY_HD friend Wide operator-(Wide a) { return -a.v; }
};

template <class S, int N> struct Traits<Wide<S, N>> {
  using Unsigned = std::conditional_t<sizeof(S) == 4, std::uint32_t, std::uint64_t>;
  using Bits = WideBits<Unsigned, N>;
  using Mask = std::conditional_t<N == 16, BitMask16, LaneMask<Unsigned, N>>;
  using Scalar = S;
  static constexpr int kLanes = N;
};

template <class S, int N> VOLARY_HD Bits<Wide<S, N>> to_bits(Wide<S, N> a) { return Bits<Wide<S, N>>(reinterpret_cast<typename Bits<Wide<S, N>>::R>(a.v)); }
template <int N> VOLARY_HD Wide<float, N> from_bits(WideBits<std::uint32_t, N> a) { return Wide<float, N>(reinterpret_cast<typename Wide<float, N>::R>(a.v)); }
template <int N> VOLARY_HD Wide<double, N> from_bits(WideBits<std::uint64_t, N> a) {
  return Wide<double, N>(reinterpret_cast<typename Wide<double, N>::R>(a.v));
}

// sign-bit operations, the same text as in scalar.hpp
template <class S, int N> VOLARY_HD Bits<Wide<S, N>> sign_bit(Wide<S, N>) {
  using U = typename Traits<Wide<S, N>>::Unsigned;
  return Bits<Wide<S, N>>(static_cast<U>(U{1} << (8 * sizeof(U) - 1)));
}
template <class S, int N> VOLARY_HD Wide<S, N> abs(Wide<S, N> a) {
  const auto sign = sign_bit(a);
  return from_bits((to_bits(a) | sign) ^ sign);
}
template <class S, int N> VOLARY_HD Wide<S, N> copysign(Wide<S, N> a, Wide<S, N> s) {
  const auto sign = sign_bit(a);
  return from_bits(((to_bits(a) | sign) ^ sign) | (to_bits(s) & sign));
}

template <class S, int N> VOLARY_HD Wide<S, N> load(const S* row, Wide<S, N>) {
  Wide<S, N> a;
  __builtin_memcpy(&a.v, row, sizeof a.v);
  return a;
}
template <class S, int N> VOLARY_HD void store(S* row, Wide<S, N> a) { __builtin_memcpy(row, &a.v, sizeof a.v); }
template <class U, int N> VOLARY_HD WideBits<U, N> load(const U* row, WideBits<U, N>) {
  WideBits<U, N> a;
  __builtin_memcpy(&a.v, row, sizeof a.v);
  return a;
}
template <class U, int N> VOLARY_HD void store(U* row, WideBits<U, N> a) { __builtin_memcpy(row, &a.v, sizeof a.v); }

// comparisons and selection with lane masks
#define VOLARY_COMPARE(OP)                                                                 \
  template <class S, int N> requires(N != 16)                                              \
  VOLARY_HD Mask<Wide<S, N>> operator OP(Wide<S, N> a, Wide<S, N> b) {                     \
    return {Bits<Wide<S, N>>(reinterpret_cast<typename Bits<Wide<S, N>>::R>(a.v OP b.v))}; \
  }
VOLARY_COMPARE(<)
VOLARY_COMPARE(>)
VOLARY_COMPARE(<=)
VOLARY_COMPARE(>=)
VOLARY_COMPARE(==)
#undef VOLARY_COMPARE

template <class U, int N> requires(N != 16)
VOLARY_HD LaneMask<U, N> operator==(WideBits<U, N> a, WideBits<U, N> b) {
  return {WideBits<U, N>(reinterpret_cast<typename WideBits<U, N>::R>(a.v == b.v))};
}
template <class U, int N> VOLARY_HD WideBits<U, N> select(LaneMask<U, N> m, WideBits<U, N> a, WideBits<U, N> b) { return b ^ ((a ^ b) & m.bits); }

}  // namespace volary::inline VOLARY_ISA::math

// what has no operator: fma, sqrt, min, max, any, all, select and mul32 of every width
#if defined(__aarch64__)
#include "math/wide_neon.hpp"
#else
#include "math/wide_x86.hpp"
#endif

#endif
