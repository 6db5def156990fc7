// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Which lanes this CPU can run, for tests that compare them.
#pragma once

#include "core/cpu.hpp"

namespace volary::test {

inline bool has_fma() { return core::has_lanes(4); }
inline bool has_avx2() { return core::has_lanes(8); }
inline bool has_avx512() { return core::has_lanes(16); }

}  // namespace volary::test
