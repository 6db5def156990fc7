// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// x86-64: what lanes have no operator for, one line per width. Included by wide.hpp.
#pragma once

#include <immintrin.h>

#include "math/wide.hpp"

// the kernels of so many floats side by side have four doubles side by side as well
#define VOLARY_FOUR_DOUBLES_BESIDE 8

namespace volary::inline VOLARY_ISA::math {

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
