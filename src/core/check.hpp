// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
//
// check(x): a programmer's mistake, looked for in debug builds. require(x, "..."): looked for always.
// Both print where and stop the program. Anything a user can cause is a Result (core/result.hpp).
#pragma once

#include <source_location>

namespace volary::core {

[[noreturn]] void fail(const char* what, std::source_location where);

inline void require(bool ok, const char* what, std::source_location where = std::source_location::current()) {
  if (!ok) fail(what, where);
}
inline void check([[maybe_unused]] bool ok, [[maybe_unused]] std::source_location where = std::source_location::current()) {
#ifndef NDEBUG
  if (!ok) fail("check failed", where);
#endif
}

}  // namespace volary::core
