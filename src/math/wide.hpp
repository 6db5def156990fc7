// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Wide<S, N>: N agents side by side in one vector register. Each operation does to every lane what
// scalar.hpp does to one value, bit for bit. A translation unit sees the widths its flags allow:
//
//   Wide<float, 4>   128-bit with FMA        Wide<double, 4>  AVX2
//   Wide<float, 8>   AVX2                    Wide<float, 16>  AVX-512 (F, DQ)
#pragma once

#include "math/scalar.hpp"

#if defined(__FMA__) && !defined(__CUDACC__)
#include <immintrin.h>

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

// what has no operator: one line per width
VOLARY_HD Wide<float, 4> fma(Wide<float, 4> a, Wide<float, 4> b, Wide<float, 4> c) { return _mm_fmadd_ps(a.v, b.v, c.v); }
VOLARY_HD Wide<float, 4> sqrt(Wide<float, 4> a) { return _mm_sqrt_ps(a.v); }
VOLARY_HD Wide<float, 4> min(Wide<float, 4> a, Wide<float, 4> b) { return _mm_min_ps(a.v, b.v); }
VOLARY_HD Wide<float, 4> max(Wide<float, 4> a, Wide<float, 4> b) { return _mm_max_ps(a.v, b.v); }
VOLARY_HD bool any(LaneMask<std::uint32_t, 4> m) { return _mm_movemask_ps(reinterpret_cast<__m128>(m.bits.v)) != 0; }
VOLARY_HD bool all(LaneMask<std::uint32_t, 4> m) { return _mm_movemask_ps(reinterpret_cast<__m128>(m.bits.v)) == 0xf; }
VOLARY_HD Wide<float, 4> select(LaneMask<std::uint32_t, 4> m, Wide<float, 4> a, Wide<float, 4> b) {
  return _mm_blendv_ps(b.v, a.v, reinterpret_cast<__m128>(m.bits.v));
}

// 32 x 32 -> 64 bit products of all lanes: even and odd lanes apart, then woven together again
VOLARY_HD void mul32(WideBits<std::uint32_t, 4> a, WideBits<std::uint32_t, 4> b, WideBits<std::uint32_t, 4>& hi, WideBits<std::uint32_t, 4>& lo) {
  const __m128i x = reinterpret_cast<__m128i>(a.v), y = reinterpret_cast<__m128i>(b.v);
  const __m128i even = _mm_mul_epu32(x, y), odd = _mm_mul_epu32(_mm_srli_epi64(x, 32), _mm_srli_epi64(y, 32));
  hi = reinterpret_cast<WideBits<std::uint32_t, 4>::R>(_mm_blend_epi16(_mm_srli_epi64(even, 32), odd, 0xcc));
  lo = reinterpret_cast<WideBits<std::uint32_t, 4>::R>(_mm_blend_epi16(even, _mm_slli_epi64(odd, 32), 0xcc));
}

#if defined(__AVX2__)
VOLARY_HD Wide<float, 8> fma(Wide<float, 8> a, Wide<float, 8> b, Wide<float, 8> c) { return _mm256_fmadd_ps(a.v, b.v, c.v); }
VOLARY_HD Wide<float, 8> sqrt(Wide<float, 8> a) { return _mm256_sqrt_ps(a.v); }
VOLARY_HD Wide<float, 8> min(Wide<float, 8> a, Wide<float, 8> b) { return _mm256_min_ps(a.v, b.v); }
VOLARY_HD Wide<float, 8> max(Wide<float, 8> a, Wide<float, 8> b) { return _mm256_max_ps(a.v, b.v); }
VOLARY_HD bool any(LaneMask<std::uint32_t, 8> m) { return _mm256_movemask_ps(reinterpret_cast<__m256>(m.bits.v)) != 0; }
VOLARY_HD bool all(LaneMask<std::uint32_t, 8> m) { return _mm256_movemask_ps(reinterpret_cast<__m256>(m.bits.v)) == 0xff; }
VOLARY_HD Wide<float, 8> select(LaneMask<std::uint32_t, 8> m, Wide<float, 8> a, Wide<float, 8> b) {
  return _mm256_blendv_ps(b.v, a.v, reinterpret_cast<__m256>(m.bits.v));
}
VOLARY_HD void mul32(WideBits<std::uint32_t, 8> a, WideBits<std::uint32_t, 8> b, WideBits<std::uint32_t, 8>& hi, WideBits<std::uint32_t, 8>& lo) {
  const __m256i x = reinterpret_cast<__m256i>(a.v), y = reinterpret_cast<__m256i>(b.v);
  const __m256i even = _mm256_mul_epu32(x, y), odd = _mm256_mul_epu32(_mm256_srli_epi64(x, 32), _mm256_srli_epi64(y, 32));
  hi = reinterpret_cast<WideBits<std::uint32_t, 8>::R>(_mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, 0xaa));
  lo = reinterpret_cast<WideBits<std::uint32_t, 8>::R>(_mm256_blend_epi32(even, _mm256_slli_epi64(odd, 32), 0xaa));
}

VOLARY_HD Wide<double, 4> fma(Wide<double, 4> a, Wide<double, 4> b, Wide<double, 4> c) { return _mm256_fmadd_pd(a.v, b.v, c.v); }
VOLARY_HD Wide<double, 4> sqrt(Wide<double, 4> a) { return _mm256_sqrt_pd(a.v); }
VOLARY_HD Wide<double, 4> min(Wide<double, 4> a, Wide<double, 4> b) { return _mm256_min_pd(a.v, b.v); }
VOLARY_HD Wide<double, 4> max(Wide<double, 4> a, Wide<double, 4> b) { return _mm256_max_pd(a.v, b.v); }
VOLARY_HD bool any(LaneMask<std::uint64_t, 4> m) { return _mm256_movemask_pd(reinterpret_cast<__m256d>(m.bits.v)) != 0; }
VOLARY_HD bool all(LaneMask<std::uint64_t, 4> m) { return _mm256_movemask_pd(reinterpret_cast<__m256d>(m.bits.v)) == 0xf; }
VOLARY_HD Wide<double, 4> select(LaneMask<std::uint64_t, 4> m, Wide<double, 4> a, Wide<double, 4> b) {
  return _mm256_blendv_pd(b.v, a.v, reinterpret_cast<__m256d>(m.bits.v));
}
VOLARY_HD void mul32(WideBits<std::uint64_t, 4> a, WideBits<std::uint64_t, 4> b, WideBits<std::uint64_t, 4>& hi, WideBits<std::uint64_t, 4>& lo) {
  const WideBits<std::uint64_t, 4> p(
      reinterpret_cast<WideBits<std::uint64_t, 4>::R>(_mm256_mul_epu32(reinterpret_cast<__m256i>(a.v), reinterpret_cast<__m256i>(b.v))));
  hi = p >> 32;
  lo = p & WideBits<std::uint64_t, 4>(0xffffffffull);
}
#endif

#if defined(__AVX512F__) && defined(__AVX512DQ__)
VOLARY_HD Wide<float, 16> fma(Wide<float, 16> a, Wide<float, 16> b, Wide<float, 16> c) { return _mm512_fmadd_ps(a.v, b.v, c.v); }
VOLARY_HD Wide<float, 16> sqrt(Wide<float, 16> a) { return _mm512_sqrt_ps(a.v); }
VOLARY_HD Wide<float, 16> min(Wide<float, 16> a, Wide<float, 16> b) { return _mm512_min_ps(a.v, b.v); }
VOLARY_HD Wide<float, 16> max(Wide<float, 16> a, Wide<float, 16> b) { return _mm512_max_ps(a.v, b.v); }
VOLARY_HD BitMask16 operator<(Wide<float, 16> a, Wide<float, 16> b) { return {_mm512_cmp_ps_mask(a.v, b.v, _CMP_LT_OS)}; }
VOLARY_HD BitMask16 operator>(Wide<float, 16> a, Wide<float, 16> b) { return {_mm512_cmp_ps_mask(a.v, b.v, _CMP_GT_OS)}; }
VOLARY_HD BitMask16 operator<=(Wide<float, 16> a, Wide<float, 16> b) { return {_mm512_cmp_ps_mask(a.v, b.v, _CMP_LE_OS)}; }
VOLARY_HD BitMask16 operator>=(Wide<float, 16> a, Wide<float, 16> b) { return {_mm512_cmp_ps_mask(a.v, b.v, _CMP_GE_OS)}; }
VOLARY_HD BitMask16 operator==(Wide<float, 16> a, Wide<float, 16> b) { return {_mm512_cmp_ps_mask(a.v, b.v, _CMP_EQ_OQ)}; }
VOLARY_HD BitMask16 operator==(WideBits<std::uint32_t, 16> a, WideBits<std::uint32_t, 16> b) {
  return {_mm512_cmpeq_epi32_mask(reinterpret_cast<__m512i>(a.v), reinterpret_cast<__m512i>(b.v))};
}
VOLARY_HD bool any(BitMask16 m) { return m.bits != 0; }
VOLARY_HD bool all(BitMask16 m) { return m.bits == 0xffff; }
VOLARY_HD Wide<float, 16> select(BitMask16 m, Wide<float, 16> a, Wide<float, 16> b) { return _mm512_mask_blend_ps(m.bits, b.v, a.v); }
VOLARY_HD WideBits<std::uint32_t, 16> select(BitMask16 m, WideBits<std::uint32_t, 16> a, WideBits<std::uint32_t, 16> b) {
  return reinterpret_cast<WideBits<std::uint32_t, 16>::R>(_mm512_mask_blend_epi32(m.bits, reinterpret_cast<__m512i>(b.v), reinterpret_cast<__m512i>(a.v)));
}
VOLARY_HD void mul32(WideBits<std::uint32_t, 16> a, WideBits<std::uint32_t, 16> b, WideBits<std::uint32_t, 16>& hi, WideBits<std::uint32_t, 16>& lo) {
  const __m512i x = reinterpret_cast<__m512i>(a.v), y = reinterpret_cast<__m512i>(b.v);
  const __m512i even = _mm512_mul_epu32(x, y), odd = _mm512_mul_epu32(_mm512_srli_epi64(x, 32), _mm512_srli_epi64(y, 32));
  hi = reinterpret_cast<WideBits<std::uint32_t, 16>::R>(_mm512_mask_blend_epi32(0xaaaa, _mm512_srli_epi64(even, 32), odd));
  lo = reinterpret_cast<WideBits<std::uint32_t, 16>::R>(_mm512_mask_blend_epi32(0xaaaa, even, _mm512_slli_epi64(odd, 32)));
}
#endif

}  // namespace volary::inline VOLARY_ISA::math
#endif
