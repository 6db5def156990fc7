// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// The digests of one instruction set. Compiled once per row of lanes_test.cpp with VOLARY_ISA (the name of
// the row), VOLARY_LANES (1, 4, 8 or 16) and the flags of that instruction set. All inline code of this
// unit lives in the namespace VOLARY_ISA, so nothing of it runs on a CPU that was not asked.
#include "math/lanes_test.hpp"

#define VOLARY_JOIN(A, B) A##B
#define VOLARY_CONCAT(A, B) VOLARY_JOIN(A, B)

namespace volary::lanes_test_units {

#if VOLARY_LANES == 1
using FloatLanes = float;
#else
using FloatLanes = math::Wide<float, VOLARY_LANES>;
#endif

std::uint64_t VOLARY_CONCAT(digest_float_, VOLARY_ISA)() { return lanes_test::digest_of_all_functions<FloatLanes>(); }

// doubles exist alone and four at a time
#if VOLARY_LANES == 1
std::uint64_t VOLARY_CONCAT(digest_double_, VOLARY_ISA)() { return lanes_test::digest_of_all_functions<double>(); }
#elif VOLARY_LANES == VOLARY_FOUR_DOUBLES_BESIDE
std::uint64_t VOLARY_CONCAT(digest_double_, VOLARY_ISA)() { return lanes_test::digest_of_all_functions<math::Wide<double, 4>>(); }
#endif

}  // namespace volary::lanes_test_units
