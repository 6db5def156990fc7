// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// x86-64 with SSE2: see quad.hpp, which includes it.
#pragma once

#include <emmintrin.h>

#include "math/quad.hpp"

namespace volary::inline VOLARY_ISA::math {

VOLARY_HD Quad root(Quad x) { return _mm_sqrt_ps(x); }
VOLARY_HD std::uint32_t lanes_of(QuadMask mask) { return static_cast<std::uint32_t>(_mm_movemask_ps(reinterpret_cast<__m128>(mask))); }
VOLARY_HD bool any_of(QuadMask mask) { return lanes_of(mask) != 0; }
VOLARY_HD void add_whole(TwoSums& low, TwoSums& high, Quad x) {
  const __m128i whole = _mm_cvttps_epi32(x), zero = _mm_setzero_si128();
  low += reinterpret_cast<TwoSums>(_mm_unpacklo_epi32(whole, zero));
  high += reinterpret_cast<TwoSums>(_mm_unpackhi_epi32(whole, zero));
}

}  // namespace volary::inline VOLARY_ISA::math
