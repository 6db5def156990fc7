// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// check(x): a programmer's mistake, looked for in debug builds. require(x, "..."): looked for always.
// Both print where and stop the program. Anything a user can cause is a Result (core/result.hpp).
// What takes long to find out is looked for behind `if (core::kChecks)`: the argument of a function is worked out in every build.
#pragma once

#include <source_location>

namespace volary::core {

[[noreturn]] void fail(const char* what, std::source_location where);

#ifdef NDEBUG
inline constexpr bool kChecks = false;
#else
inline constexpr bool kChecks = true;
#endif

inline void require(bool ok, const char* what, std::source_location where = std::source_location::current()) {
  if (!ok) fail(what, where);
}
inline void check(bool ok, std::source_location where = std::source_location::current()) {
  if (kChecks && !ok) fail("check failed", where);
}

}  // namespace volary::core
