// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// aarch64: what lanes have no operator for. Included by wide.hpp. Four doubles are two registers.
//
// vminq and vmaxq are not used: they order the zeros and keep a NaN, where min and max of the scalar layer return the second operand. Conversions
// of lanes to integers are not used by any instruction set: out of range these saturate, and those of x86 do not.
#pragma once

#include <arm_neon.h>

#include "math/wide.hpp"

// the kernels of so many floats side by side have four doubles side by side as well
#define VOLARY_FOUR_DOUBLES_BESIDE 4

namespace volary::inline VOLARY_ISA::math {

VOLARY_HD Wide<float, 4> fma(Wide<float, 4> a, Wide<float, 4> b, Wide<float, 4> c) { return vfmaq_f32(c.v, a.v, b.v); }
VOLARY_HD Wide<float, 4> sqrt(Wide<float, 4> a) { return vsqrtq_f32(a.v); }
VOLARY_HD bool any(LaneMask<std::uint32_t, 4> m) { return vmaxvq_u32(m.bits.v) != 0; }
VOLARY_HD bool all(LaneMask<std::uint32_t, 4> m) { return vminvq_u32(m.bits.v) != 0; }
VOLARY_HD Wide<float, 4> select(LaneMask<std::uint32_t, 4> m, Wide<float, 4> a, Wide<float, 4> b) { return vbslq_f32(m.bits.v, a.v, b.v); }
VOLARY_HD Wide<float, 4> min(Wide<float, 4> a, Wide<float, 4> b) { return select(a < b, a, b); }
VOLARY_HD Wide<float, 4> max(Wide<float, 4> a, Wide<float, 4> b) { return select(a > b, a, b); }

// 32 x 32 -> 64 bit products of the lower and the upper two lanes, then their halves apart
VOLARY_HD void mul32(WideBits<std::uint32_t, 4> a, WideBits<std::uint32_t, 4> b, WideBits<std::uint32_t, 4>& hi, WideBits<std::uint32_t, 4>& lo) {
  const uint32x4_t lower = vreinterpretq_u32_u64(vmull_u32(vget_low_u32(a.v), vget_low_u32(b.v)));
  const uint32x4_t upper = vreinterpretq_u32_u64(vmull_high_u32(a.v, b.v));
  hi = vuzp2q_u32(lower, upper);
  lo = vuzp1q_u32(lower, upper);
}

// four doubles: their halves, and what two halves make
VOLARY_HD float64x2_t low_half(Wide<double, 4> a) { return __builtin_shufflevector(a.v, a.v, 0, 1); }
VOLARY_HD float64x2_t high_half(Wide<double, 4> a) { return __builtin_shufflevector(a.v, a.v, 2, 3); }
VOLARY_HD uint64x2_t low_half(WideBits<std::uint64_t, 4> a) { return __builtin_shufflevector(a.v, a.v, 0, 1); }
VOLARY_HD uint64x2_t high_half(WideBits<std::uint64_t, 4> a) { return __builtin_shufflevector(a.v, a.v, 2, 3); }
VOLARY_HD Wide<double, 4> both_halves(float64x2_t low, float64x2_t high) { return __builtin_shufflevector(low, high, 0, 1, 2, 3); }
VOLARY_HD WideBits<std::uint64_t, 4> both_halves(uint64x2_t low, uint64x2_t high) { return __builtin_shufflevector(low, high, 0, 1, 2, 3); }

VOLARY_HD Wide<double, 4> fma(Wide<double, 4> a, Wide<double, 4> b, Wide<double, 4> c) {
  return both_halves(vfmaq_f64(low_half(c), low_half(a), low_half(b)), vfmaq_f64(high_half(c), high_half(a), high_half(b)));
}
VOLARY_HD Wide<double, 4> sqrt(Wide<double, 4> a) { return both_halves(vsqrtq_f64(low_half(a)), vsqrtq_f64(high_half(a))); }
VOLARY_HD bool any(LaneMask<std::uint64_t, 4> m) { return vmaxvq_u32(vreinterpretq_u32_u64(vorrq_u64(low_half(m.bits), high_half(m.bits)))) != 0; }
VOLARY_HD bool all(LaneMask<std::uint64_t, 4> m) { return vminvq_u32(vreinterpretq_u32_u64(vandq_u64(low_half(m.bits), high_half(m.bits)))) != 0; }
VOLARY_HD Wide<double, 4> select(LaneMask<std::uint64_t, 4> m, Wide<double, 4> a, Wide<double, 4> b) {
  return both_halves(vbslq_f64(low_half(m.bits), low_half(a), low_half(b)), vbslq_f64(high_half(m.bits), high_half(a), high_half(b)));
}
VOLARY_HD Wide<double, 4> min(Wide<double, 4> a, Wide<double, 4> b) { return select(a < b, a, b); }
VOLARY_HD Wide<double, 4> max(Wide<double, 4> a, Wide<double, 4> b) { return select(a > b, a, b); }
VOLARY_HD void mul32(WideBits<std::uint64_t, 4> a, WideBits<std::uint64_t, 4> b, WideBits<std::uint64_t, 4>& hi, WideBits<std::uint64_t, 4>& lo) {
  const WideBits<std::uint64_t, 4> p =
      both_halves(vmull_u32(vmovn_u64(low_half(a)), vmovn_u64(low_half(b))), vmull_u32(vmovn_u64(high_half(a)), vmovn_u64(high_half(b))));
  hi = p >> 32;
  lo = p & WideBits<std::uint64_t, 4>(0xffffffffull);
}

}  // namespace volary::inline VOLARY_ISA::math
