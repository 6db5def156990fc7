// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// Our elementary functions (math/functions.hpp) as functions of C, to stand in for those of the C library in code that is not ours.
#pragma once

#include <span>

namespace volary::multibody {

struct NamedFunction {
  const char* name;
  void* function;
};
// Of double; for CPUs with the instruction of fused multiply-adds and for those without, which take longer for the same bits.
std::span<const NamedFunction> elementary_functions(bool is_fused);
std::span<const NamedFunction> elementary_functions();  // for this CPU

}  // namespace volary::multibody
