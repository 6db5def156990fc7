// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// aarch64: see quad.hpp, which includes it.
#pragma once

#include <arm_neon.h>

#include "math/quad.hpp"

namespace volary::inline VOLARY_ISA::math {

VOLARY_HD Quad root(Quad x) { return vsqrtq_f32(x); }
VOLARY_HD std::uint32_t lanes_of(QuadMask mask) { return vaddvq_u32(vandq_u32(reinterpret_cast<uint32x4_t>(mask), uint32x4_t{1, 2, 4, 8})); }
VOLARY_HD bool any_of(QuadMask mask) { return vmaxvq_u32(reinterpret_cast<uint32x4_t>(mask)) != 0; }
VOLARY_HD void add_whole(TwoSums& low, TwoSums& high, Quad x) {
  const uint32x4_t whole = vcvtq_u32_f32(x);
  low = vaddw_u32(low, vget_low_u32(whole));
  high = vaddw_high_u32(high, whole);
}

}  // namespace volary::inline VOLARY_ISA::math
