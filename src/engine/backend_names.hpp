// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// What the units of one instruction set share: its name in names, and how many numbers lie side by side.
#pragma once

#include "math/wide.hpp"

#define VOLARY_JOIN2(a, b) a##b
#define VOLARY_JOIN(a, b) VOLARY_JOIN2(a, b)
#define VOLARY_TEXT2(a) #a
#define VOLARY_TEXT(a) VOLARY_TEXT2(a)

namespace volary::inline VOLARY_ISA::engine_kernels {

#if VOLARY_LANES == 1
using Lanes = float;
#else
using Lanes = math::Wide<float, VOLARY_LANES>;
#endif

// double worlds run at two widths: one by one, and four side by side (not at -O0: it compiles for minutes)
#if VOLARY_LANES == 1
#define VOLARY_DOUBLE 1
using DoubleLanes = double;
#elif VOLARY_LANES == VOLARY_FOUR_DOUBLES_BESIDE && VOLARY_OPTIMISED
#define VOLARY_DOUBLE 1
using DoubleLanes = math::Wide<double, 4>;
#endif

}  // namespace volary::inline VOLARY_ISA::engine_kernels
