// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Four floats in one register of the kind that every CPU has, for loops that are compiled once and not per instruction set. Operators and choices
// (a < b ? a : b) come from the compiler. What is written in intrinsics lies in quad_x86.hpp and quad_neon.hpp:
//
//   root(x)                      square roots
//   lanes_of(mask)               bit k for lane k of a comparison
//   any_of(mask)                 whether some lane of a comparison holds
//   add_whole(low, high, x)      adds the whole parts of lanes 0 and 1 to low, those of lanes 2 and 3 to high; they are in [0, 2^31)
#pragma once

#include <cstdint>

#include "math/scalar.hpp"

namespace volary::inline VOLARY_ISA::math {

typedef float Quad __attribute__((vector_size(16)));
typedef std::int32_t QuadMask __attribute__((vector_size(16)));
typedef std::uint64_t TwoSums __attribute__((vector_size(16)));

VOLARY_HD Quad all_four(float x) { return Quad{x, x, x, x}; }
VOLARY_HD Quad four_at(const float* p) {
  Quad x;
  __builtin_memcpy(&x, p, sizeof x);
  return x;
}

}  // namespace volary::inline VOLARY_ISA::math

#if defined(__aarch64__)
#include "math/quad_neon.hpp"
#else
#include "math/quad_x86.hpp"
#endif
